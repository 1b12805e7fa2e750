//! The work probes `routine` and `unfinished`: cooldowns, changes, locks, interrupted operations.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use belegt::ledger::state::Settled;
use belegt::model::item::SettledAs;
use belegt::model::signal::Signal;
use belegt::model::status::Status;
use belegt::script::answer::SeenItem;
use belegt::world::fixture::{Content, GitCase};
use serde_json::{Value, json};
use support::{ROOT, Stage, moment, repository};

fn stage(settings: Value) -> Stage {
    let mut stage = Stage::new().file("README.md", "");
    stage
        .settings
        .insert("probes/work/routine".to_string(), settings);
    stage
}

fn backup() -> Stage {
    stage(json!({ "rows": [{ "name": "backup", "about": "check it", "cooldown": "1h30m" }] }))
}

fn tidy() -> Stage {
    let mut stage = stage(json!({ "active": ["tidy-up"] }));
    stage
        .world
        .git
        .insert(ROOT.to_string(), repository("c1", "t1"));
    stage
}

fn ran(mut stage: Stage, name: &str, how: SettledAs, (at, tree): (&str, &str)) -> Stage {
    let settled = Settled {
        digest: "of then".to_string(),
        how,
        because: "ran".to_string(),
        by: "agent".to_string(),
        at: at.to_string(),
        tree: tree.to_string(),
    };
    stage
        .state
        .settled
        .insert(format!("work.routine:{name}"), settled);
    stage
}

fn only(stage: &Stage) -> SeenItem {
    let answer = stage.look("routine");
    assert_eq!(answer.items.len(), 1, "{}", answer.why);
    answer.items[0].clone()
}

#[test]
fn nothing_is_active_as_shipped() {
    let answer = Stage::new().file("README.md", "").look("routine");
    assert_eq!(answer.status, Status::Absent, "{}", answer.why);
    let dark = Stage::new()
        .place(ROOT, Content::Unreadable.into())
        .file("x", "");
    assert_eq!(dark.look("routine").status, Status::Unavailable);
}

#[test]
fn a_row_rests_after_a_run_and_is_then_due_again() {
    let table = [
        (None, "routine.due", None),
        (
            Some("2026-11-30T09:00:00+01:00"),
            "routine.cooling",
            Some("2026-11-30T10:30:00+01:00"),
        ),
        (
            Some("2026-11-30T08:30:01+01:00"),
            "routine.cooling",
            Some("2026-11-30T10:00:01+01:00"),
        ),
        (Some("2026-11-30T08:30:00+01:00"), "routine.due", None),
        (Some("2026-12-01T08:30:00+01:00"), "routine.due", None),
        (Some("never"), "routine.due", None),
    ];
    for how in [SettledAs::Done, SettledAs::NotWork] {
        for (last, kind, due) in table {
            let stage = match last {
                Some(at) => ran(backup(), "backup", how, (at, "")),
                None => backup(),
            };
            let seen = only(&stage);
            assert_eq!(seen.item.kind, kind, "{last:?}");
            assert_eq!(
                seen.due,
                due.map(|d| moment(d).instant().timestamp()),
                "{last:?}"
            );
            assert_eq!(seen.item.id, "backup");
        }
    }
}

#[test]
fn each_run_makes_other_news() {
    let detail = |at| {
        only(&ran(backup(), "backup", SettledAs::Done, (at, "")))
            .item
            .detail
    };
    let (one, two) = (
        detail("2026-11-29T08:00:00+01:00"),
        detail("2026-11-29T09:00:00+01:00"),
    );
    assert_ne!(one, two);
    assert!(one.contains("2026-11-29T08:00:00+01:00"), "{one}");
    let tick = ran(
        backup(),
        "backup",
        SettledAs::Done,
        ("2026-11-29T08:00:00+01:00", ""),
    )
    .tick();
    assert_eq!(tick.signal, Signal::Continue);
    assert_eq!(tick.items[0].key, "work.routine:backup");
    let resting = ran(
        backup(),
        "backup",
        SettledAs::Done,
        ("2026-11-30T09:00:00+01:00", ""),
    )
    .tick();
    assert!(resting.items.is_empty());
    assert_eq!(resting.rest.len(), 1);
    // It was not away: what was settled stays settled.
    assert_eq!(resting.body["lapsed"], json!([]));
}

#[test]
fn what_was_given_to_the_person_stays_with_them() {
    let stage = ran(
        backup(),
        "backup",
        SettledAs::User,
        ("2026-11-01T09:00:00+01:00", ""),
    );
    assert_eq!(only(&stage).item.kind, "routine.user");
    let tick = stage.tick();
    assert_eq!((tick.items.len(), tick.bundle.len()), (0, 1));
}

#[test]
fn tidy_up_rests_until_something_changes() {
    let old = "2026-10-01T09:00:00+02:00";
    let fresh = "2026-11-30T09:59:00+01:00";
    let table = [
        (old, "c1 t1", "routine.cooling"),
        (fresh, "c1 t1", "routine.cooling"),
        (fresh, "c0 t1", "routine.due"),
        (fresh, "c1 t0", "routine.due"),
        (fresh, "", "routine.due"),
    ];
    for (at, tree, kind) in table {
        let stage = ran(tidy(), "tidy-up", SettledAs::Done, (at, tree));
        assert_eq!(only(&stage).item.kind, kind, "{at} {tree}");
    }
    assert_eq!(only(&tidy()).item.kind, "routine.due");
    // Without a repository the cooldown counts.
    let mut bare = tidy();
    bare.world.git.clear();
    let rests = ran(
        bare.clone(),
        "tidy-up",
        SettledAs::Done,
        (fresh, "none none"),
    );
    assert_eq!(only(&rests).item.kind, "routine.cooling");
    assert!(only(&rests).due.is_some());
    let over = ran(bare, "tidy-up", SettledAs::Done, (old, "none none"));
    assert_eq!(only(&over).item.kind, "routine.due");
    let mut broken = tidy();
    let failed = GitCase {
        failed: Some("owner".to_string()),
        ..GitCase::default()
    };
    broken.world.git.insert(ROOT.to_string(), failed);
    assert_eq!(broken.look("routine").status, Status::Unavailable);
}

#[test]
fn the_kernel_notes_the_same_tree() {
    let tick = tidy().tick();
    assert_eq!(tick.body["handed"][0]["tree"], "c1 t1");
}

#[test]
fn a_lock_in_the_root_holds_maintenance() {
    for lock in [
        "LOCK.txt",
        "LOCK",
        "lock.team.HOSTB.txt",
        "LOCK.until.txt",
        "LOCK.permissions.json",
    ] {
        let seen = only(&backup().file(lock, ""));
        assert_eq!(seen.item.kind, "routine.cooling", "{lock}");
        assert!(seen.item.detail.contains(lock));
    }
    for file in ["Cargo.lock", "LOCKSMITH.md", "docs/LOCK.txt"] {
        assert_eq!(
            only(&backup().file(file, "")).item.kind,
            "routine.due",
            "{file}"
        );
    }
    let paused = backup().file("LOCK.user.txt", "").tick();
    assert!(paused.items.is_empty());
    assert_eq!(paused.bundle.len(), 1);
}

#[test]
fn settings_are_read_strictly() {
    let row = |cooldown| json!({ "rows": [{ "name": "a", "about": "b", "cooldown": cooldown }] });
    let cases = [
        (json!({ "active": ["tidyup"] }), "tidyup"),
        (json!({ "activ": ["tidy-up"] }), "did you mean `active`"),
        (
            json!({ "rows": [{ "name": "a", "about": "b" }] }),
            "cooldown",
        ),
    ];
    for (settings, says) in cases {
        let stage = ran(
            stage(settings),
            "a",
            SettledAs::Done,
            ("2026-11-30T09:00:00+01:00", ""),
        );
        let answer = stage.look("routine");
        assert_eq!(answer.status, Status::Unavailable);
        assert!(answer.why.contains(says), "{}", answer.why);
    }
    // A bad duration shows at once, not only after the first run.
    let answer = stage(row("1 day")).look("routine");
    assert_eq!(answer.status, Status::Unavailable);
    assert!(
        answer.why.contains("`1 day` is no duration"),
        "{}",
        answer.why
    );
    let off = json!({ "rows": [{ "name": "a", "about": "b", "cooldown": "1d", "active": false }] });
    assert_eq!(stage(off).look("routine").status, Status::Absent);
    let own = json!({ "rows": [{ "name": "ledger", "about": "mine", "cooldown": "1d" }] });
    assert_eq!(only(&stage(own)).item.title, "ledger: mine");
}

#[test]
fn an_interrupted_operation_is_work() {
    let with = |case: GitCase| {
        let mut stage = Stage::new().file("README.md", "");
        stage.world.git.insert(ROOT.to_string(), case);
        stage
    };
    assert_eq!(Stage::new().look("unfinished").status, Status::Absent);
    assert_eq!(
        with(repository("c1", "t1")).look("unfinished").status,
        Status::Empty
    );
    for operation in [
        "merge",
        "rebase",
        "cherry-pick",
        "revert",
        "bisect",
        "novelty",
    ] {
        let stage = with(GitCase {
            interrupted: operation.to_string(),
            ..repository("c1", "t1")
        });
        let answer = stage.look("unfinished");
        let item = &answer.items[0].item;
        assert_eq!((item.id.as_str(), item.at.as_str()), (operation, ".git"));
        assert!(
            item.title.contains("abort") || item.title.contains("reset"),
            "{}",
            item.title
        );
        assert_eq!(stage.tick().signal, Signal::Continue);
    }
    let broken = GitCase {
        failed: Some("foreign owner".to_string()),
        ..GitCase::default()
    };
    let answer = with(broken).look("unfinished");
    assert_eq!(answer.status, Status::Unavailable);
    assert!(answer.why.contains("foreign owner"));
}

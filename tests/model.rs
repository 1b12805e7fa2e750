//! Every combination of what a tick can meet, through the real scripts, against a short
//! reference judge that is written from the design alone.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use belegt::ledger::state::{Record, State};
use belegt::script::layers::Scripts;
use belegt::world::fixture::{CommandCase, Content, FileCase, GitCase, Outcome};
use serde_json::json;
use support::{HOME, ROOT, Stage, folder};

const ROLES: [&str; 4] = [
    "decisions.ledger",
    "memory.organic",
    "memory.curated",
    "user.model",
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Role {
    Found,
    Empty,
    Unavailable,
    Broken,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Inbox {
    None,
    Closed,
    Open,
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Work {
    None,
    Items,
    Unreadable,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Guard {
    None,
    Holding,
    Expired,
    Future,
    Other,
}

#[derive(Debug, Clone, Copy)]
struct Case {
    roles: [Role; 4],
    inbox: Inbox,
    work: Work,
    user: bool,
    guard: Guard,
}

/// The time of the record where it is young enough.
const SINCE: &str = "2026-11-30T09:50:00+01:00";

/// The reference judge.
fn judge(case: &Case) -> String {
    let line = |text: &str| format!("WORK-AUTONOMOUS: {text}");
    if case.inbox == Inbox::Open || case.work == Work::Items {
        return line("CONTINUE");
    }
    if case.inbox != Inbox::Unreadable && case.guard == Guard::Holding {
        return line(&format!("STOP (guard, exhausted unchanged since {SINCE})"));
    }
    if case.roles.contains(&Role::Found) {
        return line("CONTINUE");
    }
    let mut names: Vec<&str> = Vec::new();
    for (name, role) in ROLES.iter().zip(case.roles) {
        if matches!(role, Role::Unavailable | Role::Broken) {
            names.push(name);
        }
    }
    let mut of = 4;
    if case.inbox == Inbox::Unreadable {
        names.push("work.intake");
        of += 1;
    }
    if case.work == Work::Unreadable {
        names.push("work.unfinished");
        of += 1;
    }
    if !names.is_empty() {
        let (count, names) = (names.len(), names.join(", "));
        return line(&format!(
            "STOP (blind, {count}/{of} Quellen nicht verfuegbar: {names})"
        ));
    }
    match case.user {
        true => line("STOP (user-only)"),
        false => line("STOP (exhausted)"),
    }
}

fn ran(argv: &[&str], stdout: &str) -> CommandCase {
    CommandCase {
        argv: argv.iter().map(|word| word.to_string()).collect(),
        prefix: true,
        outcome: Outcome::Ran {
            status: 0,
            stdout: stdout.to_string(),
            stderr: String::new(),
        },
        delay: 0,
    }
}

const DECIDED: &str = "## D-20261127-002 — Drop rows\nFRAGE: May it?\nOPTIONEN:\n- A — yes\nENTSCHEIDUNG DES USERS: A\n";
const NOTE: &str = r#"[{"id": 1, "type": "note", "content": "RESUME: finish", "priority": 5, "tags": "demo", "agent_id": "builder", "created_at": "2026-11-30T09:11:05.462315"}]"#;
const PREDICTION: &str =
    "| Situation | Prediction | Confidence |\n|---|---|---|\n| Formatter drift | Run it | 🟢 |\n";

/// The world of a case.
fn world(case: &Case) -> Stage {
    // The root itself is there; and no task may name an effect that needs a grant.
    let mut stage = Stage::new().place(ROOT, folder());
    stage.site = json!({ "mirror": "", "user_model": { "authorized": true } });
    let [decisions, organic, curated, model] = case.roles;
    let control = "_control-center/_CONTROL";
    stage = match decisions {
        Role::Found => stage.file(&format!("{control}/_DECISIONS/TO-DECIDE-USER.txt"), DECIDED),
        Role::Empty => stage.file(&format!("{control}/_DECISIONS/TO-DECIDE-USER.txt"), ""),
        _ => stage,
    };
    if matches!(organic, Role::Found | Role::Empty) {
        let tasks = if organic == Role::Found {
            "  [ ] arrange-docs                   (normal) \n"
        } else {
            "  Keine Tasks.\n"
        };
        stage = stage
            .file(&format!("{HOME}/.gardener/user.db"), "db")
            .command(ran(&["gardener", "tasks", "open"], tasks))
            .command(ran(&["gardener", "tasks"], "  Keine Tasks.\n"))
            .command(ran(&["gardener", "find"], "  Keine Ergebnisse.\n"))
            .command(ran(&["gardener", "list"], "  Keine Einträge.\n"))
            .command(ran(&["gardener", "get"], "Name:    arrange-docs\nTyp:     task\nTags:    task\nSource:  user\nUpdated: 2026-11-30T15:11:06\n---\nArrange\n"));
    }
    if matches!(curated, Role::Found | Role::Empty) {
        let working = if curated == Role::Found { NOTE } else { "[]" };
        stage = stage
            .file(&format!("{HOME}/.usmc/usmc_memory.db"), "db")
            .command(ran(&["usmc", "working"], working))
            .command(ran(&["usmc", "facts"], "[]"))
            .command(ran(&["usmc", "lessons"], "[]"));
    }
    stage = match model {
        Role::Found => stage.file(
            &format!("{control}/_USER-MIND/avatar/WHAT-WOULD-KIM-SAY.md"),
            PREDICTION,
        ),
        Role::Empty => stage.file(&format!("{control}/_USER-MIND/START.md"), "# START\n"),
        _ => stage,
    };
    for (role, state) in ROLES.iter().zip(case.roles) {
        if state == Role::Broken {
            stage = stage.script(
                &format!("probes/sources/{role}"),
                "const META = #{ api: 1, about: \"x\" };\nfn locate(ctx) { place(\"x\", ",
            );
        }
    }
    stage = match case.inbox {
        Inbox::None => stage,
        Inbox::Closed => stage.place("_TICKETS/INBOX", folder()),
        Inbox::Open => stage.file("_TICKETS/INBOX/notiz.txt", "ring back, urgent\n"),
        Inbox::Unreadable => stage.place("_TICKETS/INBOX", FileCase::from(Content::Unreadable)),
    };
    let git = GitCase {
        head: "abc".to_string(),
        tree: "def".to_string(),
        interrupted: if case.work == Work::Items {
            "merge".to_string()
        } else {
            String::new()
        },
        failed: (case.work == Work::Unreadable).then(|| "not readable".to_string()),
        ..GitCase::default()
    };
    stage.world.git.insert(ROOT.to_string(), git);
    if case.user {
        stage = stage.file("TODO.md", "- [ ] Freigabe für den Versand holen\n");
    }
    stage
}

/// The record of a case; the fingerprint is the one that the same world gives.
fn record(case: &Case, fingerprint: Option<String>) -> Option<Record> {
    let (at, same) = match case.guard {
        Guard::None => return None,
        Guard::Holding => (SINCE, true),
        Guard::Expired => ("2026-11-30T09:45:00+01:00", true),
        Guard::Future => ("2026-11-30T10:00:01+01:00", true),
        Guard::Other => (SINCE, false),
    };
    let fingerprint = fingerprint
        .filter(|_| same)
        .unwrap_or_else(|| "other".to_string());
    Some(Record {
        result: "exhausted".to_string(),
        fingerprint,
        at: at.to_string(),
        tick: "t".to_string(),
    })
}

fn all_roles() -> impl Iterator<Item = [Role; 4]> {
    const EACH: [Role; 4] = [Role::Found, Role::Empty, Role::Unavailable, Role::Broken];
    EACH.into_iter().flat_map(|a| {
        EACH.into_iter().flat_map(move |b| {
            EACH.into_iter()
                .flat_map(move |c| EACH.into_iter().map(move |d| [a, b, c, d]))
        })
    })
}

/// Plays all guards over one world: the fingerprint is taken once.
fn play(base: &Case, scripts: &Arc<Scripts>, failures: &mut Vec<String>) -> usize {
    let mut stage = world(base);
    stage.compiled = Some(scripts.clone());
    let first = stage.tick();
    let fingerprint = first.guard.fingerprint.clone();
    let mut played = 0;
    for guard in [
        Guard::None,
        Guard::Holding,
        Guard::Expired,
        Guard::Future,
        Guard::Other,
    ] {
        let case = Case { guard, ..*base };
        stage.state = State {
            record: record(&case, fingerprint.clone()),
            ..State::default()
        };
        let (got, wanted) = (stage.tick().signal.to_string(), judge(&case));
        played += 1;
        if got != wanted {
            failures.push(format!("{case:?}\n   got    {got}\n   wanted {wanted}"));
        }
    }
    played
}

#[test]
fn every_combination_gives_the_reference_verdict() {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let all: Vec<[Role; 4]> = all_roles().collect();
    let results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                let mine: Vec<[Role; 4]> =
                    all.iter().copied().skip(part).step_by(threads).collect();
                scope.spawn(move || play_roles(&mine))
            })
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    let played: usize = results.iter().map(|(count, _)| count).sum();
    let failures: Vec<&String> = results.iter().flat_map(|(_, failures)| failures).collect();
    assert_eq!(played, 256 * 4 * 3 * 2 * 5);
    let shown: Vec<&&String> = failures.iter().take(10).collect();
    assert!(
        failures.is_empty(),
        "{} of {played} differ:\n{shown:#?}",
        failures.len()
    );
}

fn play_roles(all: &[[Role; 4]]) -> (usize, Vec<String>) {
    let mut compiled: BTreeMap<Vec<bool>, Arc<Scripts>> = BTreeMap::new();
    let (mut played, mut failures) = (0, Vec::new());
    for roles in all {
        for inbox in [Inbox::None, Inbox::Closed, Inbox::Open, Inbox::Unreadable] {
            for work in [Work::None, Work::Items, Work::Unreadable] {
                for user in [false, true] {
                    let case = Case {
                        roles: *roles,
                        inbox,
                        work,
                        user,
                        guard: Guard::None,
                    };
                    let key: Vec<bool> = roles.iter().map(|role| *role == Role::Broken).collect();
                    let scripts = compiled
                        .entry(key)
                        .or_insert_with(|| Arc::new(Scripts::with(world(&case).scripts)))
                        .clone();
                    played += play(&case, &scripts, &mut failures);
                }
            }
        }
    }
    (played, failures)
}

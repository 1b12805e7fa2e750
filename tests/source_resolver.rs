//! Where `decisions.ledger` and `user.model` are: the setting, source-resolver, the documented
//! places, and the stubs of folders that moved.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;
#[path = "support/tools.rs"]
mod tools;

use belegt::model::status::Status;
use belegt::world::fixture::{Content, Outcome};
use serde_json::json;
use support::{ROOT, Stage, folder};
use tools::{case, data, ends, missing, prints, recorded};

const ROLE: &str = "decisions.ledger";
const NEW: &str = "_control-center/_CONTROL/_DECISIONS";
const OLD: &str = "_control-center/_DECISIONS";
const ASK: &str = "source-resolver resolve decisions.ledger";

/// Both roles, the person's consent given.
fn stage() -> Stage {
    let mut stage = Stage::new();
    stage.site = json!({ "user_model": { "authorized": true } });
    stage
}

fn with_setting(role: &str, path: serde_json::Value) -> Stage {
    let mut stage = stage().command(missing("source-resolver"));
    let script = format!("probes/sources/{role}");
    stage.settings.insert(script, json!({ "path": path }));
    stage
}

/// Way and place, or the reason.
fn locate(stage: &Stage, role: &str) -> Result<(String, String), String> {
    match stage.locate(role) {
        Ok(located) => Ok((located.way().to_string(), located.at().to_string())),
        Err(answer) => {
            assert_eq!(answer.status, Status::Unavailable);
            Err(answer.why)
        }
    }
}

fn found(way: &str, at: &str) -> Result<(String, String), String> {
    let at = if at.starts_with('/') {
        at.to_string()
    } else {
        format!("{ROOT}/{at}")
    };
    Ok((way.to_string(), at))
}

#[test]
fn a_setting_is_taken_and_never_replaced() {
    for role in [ROLE, "user.model"] {
        let stage = with_setting(role, json!("own/place")).place(NEW, folder());
        let there = stage.clone().place("own/place", folder());
        assert_eq!(locate(&there, role), found("setting", "own/place"));
        let why = locate(&stage, role).unwrap_err();
        let said = "the setting 'path' of this site: `/project/own/place` does not exist";
        assert_eq!(why, said);
    }
    let outside = with_setting(ROLE, json!("/srv/x")).place("/srv/x", folder());
    let why = locate(&outside, ROLE).unwrap_err();
    assert!(why.contains("outside the granted roots"), "{why}");
    let odd = with_setting(ROLE, json!(5)).place(NEW, folder());
    assert!(locate(&odd, ROLE).is_err());
}

#[test]
fn without_a_resolver_the_newer_documented_place_comes_first() {
    let stage = stage().command(missing("source-resolver"));
    let tried = "no setting; source-resolver: not on PATH";
    let both = stage.clone().place(NEW, folder()).place(OLD, folder());
    let newer = format!("fallback ({tried})");
    assert_eq!(locate(&both, ROLE), found(&newer, NEW));
    let only_old = stage.clone().place(OLD, folder());
    let older = format!("fallback ({tried}; `{ROOT}/{NEW}` does not exist)");
    assert_eq!(locate(&only_old, ROLE), found(&older, OLD));
    let why = locate(&stage, ROLE).unwrap_err();
    let said = format!("{tried}; `{ROOT}/{NEW}` does not exist; `{ROOT}/{OLD}` does not exist");
    assert_eq!(why, said);
    let minds = [
        "_control-center/_CONTROL/_USER-MIND",
        "_control-center/_TOM-lm",
    ];
    let model = stage.clone().place(minds[1], folder());
    assert_eq!(
        locate(&model, "user.model").unwrap().1,
        format!("{ROOT}/{}", minds[1])
    );
    let model = model.place(minds[0], folder());
    assert_eq!(locate(&model, "user.model"), found(&newer, minds[0]));
}

#[test]
fn a_place_that_cannot_be_looked_at_is_not_passed_over() {
    let stage = stage()
        .command(missing("source-resolver"))
        .place(OLD, folder())
        .place("_control-center/_CONTROL", Content::Unreadable.into());
    let why = locate(&stage, ROLE).unwrap_err();
    assert!(why.contains("no permission"), "{why}");
}

#[test]
fn the_recorded_answers_of_the_resolver() {
    let confirmed = stage()
        .command(recorded(ASK, "resolver/ledger-confirmed"))
        .place("/srv/control/_DECISIONS", folder())
        .place(NEW, folder());
    // Not granted: no other place is taken in its stead, and that is said.
    let why = locate(&confirmed, ROLE).unwrap_err();
    assert!(
        why.contains("resolved, but `/srv/control/_DECISIONS` is outside"),
        "{why}"
    );
    assert!(why.contains("to `roots` in site.rhai"), "{why}");
    let mut granted = confirmed.clone();
    granted.grants.roots.push("/srv/control".to_string());
    let at = "/srv/control/_DECISIONS";
    assert_eq!(locate(&granted, ROLE), found("resolver (resolved)", at));
    granted.world.files.remove(at);
    let why = locate(&granted, ROLE).unwrap_err();
    assert!(
        why.ends_with("resolved, but `/srv/control/_DECISIONS` does not exist"),
        "{why}"
    );

    let ask = "source-resolver resolve user.model";
    let mut proposed = stage().command(recorded(ask, "resolver/user-model-proposed"));
    let why = locate(&proposed, "user.model").unwrap_err();
    assert!(why.contains("source-resolver: proposed, but"), "{why}");
    proposed.grants.roots.push("/home/demo/disc".to_string());
    let at = "/home/demo/disc/user-model";
    let proposed = proposed.place(at, folder());
    assert_eq!(
        locate(&proposed, "user.model"),
        found("resolver (proposed)", at)
    );

    let stage = self::stage().command(recorded(ASK, "resolver/ledger-not-found"));
    let why = locate(&stage, ROLE).unwrap_err();
    assert!(why.contains("source-resolver: not_found;"), "{why}");
    let fallback = locate(&stage.place(NEW, folder()), ROLE).unwrap();
    assert_eq!(fallback.1, format!("{ROOT}/{NEW}"));
    // Its store is damaged: what the person settled is not replaced by a guess.
    let stage = self::stage().command(recorded(ASK, "resolver/broken-store"));
    let why = locate(&stage.place(NEW, folder()), ROLE).unwrap_err();
    let said = "source-resolver: exit code 1, ValueError: Stufe-0-Speicher ist beschaedigt";
    assert!(why.contains(said), "{why}");
    assert!(!data("resolver/broken-store.status").is_empty());
}

#[test]
fn a_module_of_the_resolver_names_its_folder() {
    let answer = json!({ "status": "resolved", "stufe": 1, "quelle": {
        "id": "_DECISIONS-chain", "module_path": "/project/chain",
        "target": "/project/chain/TO-DECIDE-USER.txt", "hinweis": "" } });
    let stage = stage()
        .command(prints(ASK, &answer.to_string()))
        .place("chain", folder())
        .place(NEW, folder());
    assert_eq!(locate(&stage, ROLE), found("resolver (resolved)", "chain"));
}

#[test]
fn the_first_candidate_that_exists_is_taken() {
    let answer = json!({ "status": "proposed", "quelle": null, "kandidaten": [
        { "pfad": "/project/gone" }, "odd", { "other": 1 }, { "pfad": "/project/here" } ] });
    let stage = stage().command(ends(ASK, 2, &answer.to_string(), ""));
    let stage = stage.place("here", folder()).place(NEW, folder());
    let way = "resolver (proposed, but `/project/gone` does not exist)";
    assert_eq!(locate(&stage, ROLE), found(way, "here"));
}

fn with_place(status: &str) -> String {
    format!(
        r#"{{"status": "{status}", "quelle": {{"pfad": "/project/trap"}}, "kandidaten": [{{"pfad": "/project/trap"}}]}}"#
    )
}

#[test]
fn every_other_word_of_the_resolver_locates_nothing() {
    let answers = [
        ends(ASK, 2, &with_place("not_found"), ""),
        ends(ASK, 2, &with_place("module_present_not_callable"), ""),
        ends(ASK, 2, &with_place("adapter_error"), ""),
        ends(ASK, 2, &with_place("no_foreign_providers"), ""),
        ends(ASK, 2, &with_place("RESOLVED"), ""),
        prints(
            ASK,
            r#"{"status": "proposed", "kandidaten": {"pfad": "/project/trap"}}"#,
        ),
    ];
    for answer in answers {
        let shown = format!("{answer:?}");
        let stage = stage().command(answer).place("trap", folder());
        let why = locate(&stage, ROLE).unwrap_err();
        assert!(why.starts_with("no setting; source-resolver: "), "{why}");
        assert!(
            why.ends_with(&format!("`{ROOT}/{OLD}` does not exist")),
            "{why}"
        );
        let (way, at) = locate(&stage.place(OLD, folder()), ROLE).expect(&shown);
        assert_eq!(at, format!("{ROOT}/{OLD}"), "{shown}");
        assert!(
            way.starts_with("fallback (no setting; source-resolver: "),
            "{way}"
        );
    }
    let mut forbidden = stage().place(OLD, folder());
    forbidden.grants.commands.remove("source-resolver");
    let (way, _) = locate(&forbidden, ROLE).unwrap();
    assert!(way.contains("not a granted command"), "{way}");
}

/// What the person settled stands in the resolver's store, and nobody could ask for it.
#[test]
fn a_resolver_that_cannot_answer_is_not_replaced_by_a_guess() {
    let answers = [
        ends(ASK, 1, &with_place("resolved"), "boom"),
        ends(ASK, 3, &with_place("resolved"), ""),
        prints(ASK, ""),
        prints(ASK, "resolved: /project/trap"),
        prints(ASK, "[]"),
        prints(ASK, "5"),
        prints(ASK, r#"{"status": 7}"#),
        prints(ASK, r#"{"status": "resolved", "status": "resolved"}"#),
        case(ASK, Outcome::Hangs),
    ];
    for answer in answers {
        let stage = stage().command(answer).place("trap", folder());
        let why = locate(&stage.place(OLD, folder()), ROLE).unwrap_err();
        assert!(why.starts_with("no setting; source-resolver: "), "{why}");
        assert!(!why.contains(OLD), "{why}");
    }
}

/// Something that is no folder, such as a tool: the documented folder would be a guess.
#[test]
fn what_is_resolved_without_a_path_is_not_replaced() {
    for answer in [
        r#"{"status": "resolved"}"#,
        r#"{"status": "resolved", "quelle": {"pfad": 5}}"#,
        r#"{"status": "resolved", "quelle": {"mcp": "decisions"}}"#,
        r#"{"status": "resolved", "quelle": "/project/trap"}"#,
    ] {
        let stage = stage().command(prints(ASK, answer)).place(NEW, folder());
        let why = locate(&stage.place("trap", folder()), ROLE).unwrap_err();
        assert!(why.ends_with("resolved, but it names no path"), "{why}");
    }
}

#[test]
fn the_stub_of_a_folder_that_moved_is_followed() {
    let stage = stage().command(missing("source-resolver"));
    let stub = |text: &str| stage.clone().file(&format!("{OLD}.MOVED.md"), text);
    for text in [
        "moved_to: moved/here\nmoved_on: 2026-09-06\n",
        "---\nmoved_on: 2026-09-06\r\nmoved_to: \"/project/moved/here\"\r\n---\r\n",
    ] {
        let stage = stub(text).place("moved/here", folder());
        let (way, at) = locate(&stage, ROLE).unwrap();
        assert_eq!(at, format!("{ROOT}/moved/here"));
        assert!(way.ends_with(&format!("; {OLD}.MOVED.md)")), "{way}");
    }
    for (text, said) in [
        (
            "moved_to: /srv/x\n",
            "`/srv/x` is outside the granted roots",
        ),
        ("moved_to: gone\n", "`/project/gone` does not exist"),
        ("moved_to: ../x\n", "holds `.`, `..` or an empty segment"),
        ("moved_on: 2026-09-06\n", "does not say where to"),
        ("", "does not say where to"),
    ] {
        let why = locate(&stub(text), ROLE).unwrap_err();
        assert!(why.contains(said), "{why}");
    }
    // The newer place's stub that leads nowhere does not hide the older place.
    let newer = format!("{NEW}.MOVED.md");
    let stage = stage.file(&newer, "moved_to: gone\n").place(OLD, folder());
    let (way, at) = locate(&stage, ROLE).unwrap();
    assert_eq!(at, format!("{ROOT}/{OLD}"));
    assert!(way.contains("gone` does not exist"), "{way}");
}

//! What a script may ask: grants, paths, commands, variables. What was refused is never a fact.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/hostile.rs"]
mod hostile;
mod support;

use belegt::model::receipt::Outcome as Came;
use belegt::model::status::Status;
use belegt::world::fixture::{CommandCase, Outcome as Ran};
use hostile::{all_refused, case, look, quiet, timed, with};
use support::Stage;

/// A world in which everything that is asked for would be there.
fn stage() -> Stage {
    let mut stage = quiet()
        .file("there.md", "x")
        .file("/etc/passwd", "root")
        .file("/home/demo/.ssh/id", "secret")
        .file("/projectile/x.md", "near")
        .file("/home/demo/.usmc/usmc.db", "secret");
    for name in ["rm", "sh", "git", "/bin/sh"] {
        let outcome = Ran::Ran {
            status: 0,
            stdout: "done".to_string(),
            stderr: String::new(),
        };
        let argv = vec![name.to_string()];
        stage = stage.command(CommandCase {
            argv,
            prefix: true,
            outcome,
            delay: 0,
        });
    }
    stage
        .world
        .environment
        .insert("HOME".to_string(), "/home/demo".to_string());
    stage
        .world
        .environment
        .insert("SECRET".to_string(), "s3cret".to_string());
    stage
}

#[test]
fn what_is_not_granted_is_refused_and_proves_nothing() {
    let refused = [
        "fs::read(\"/etc/passwd\")",
        "fs::read(\"../etc/passwd\")",
        "fs::read(\"docs/../../etc/passwd\")",
        "fs::read(\"/project/../etc/passwd\")",
        "fs::read(\"~/.ssh/id\")",
        "fs::read(\"/projectile/x.md\")",
        "fs::read(\"/home/demo/.usmc/usmc.db\")",
        "fs::list(\"/\")",
        "fs::list(\"..\")",
        "fs::list(\"~/.usmc\")",
        "fs::stat(\"/etc/passwd\")",
        "fs::glob(\"/\", \"**\")",
        "fs::glob(\".\", \"../**\")",
        "fs::glob(\".\", \"/etc/*\")",
        "fs::heads(\"/etc\", \"\", [\"root\"])",
        "cmd::run([\"rm\", \"-rf\", \"/\"])",
        "cmd::run([\"sh\", \"-c\", \"git\"])",
        "cmd::run([\"/bin/sh\"])",
        "cmd::run([\"../git\"])",
        "cmd::run([\"./git\"])",
        "cmd::run([\"\"])",
        "cmd::run([\"git \"])",
        "cmd::run([\"GIT\"])",
        "cmd::which(\"/bin/sh\")",
        "cmd::env(\"SECRET\")",
        "cmd::env(\"HOME\")",
        "cmd::env(\"\")",
    ];
    for asked in refused {
        // Each refusal is seen by the script, is no receipt of a look, and says what to grant.
        let body = format!(
            "let r = {asked};\nif r.ok || r.missing {{ fs::read(\"there.md\"); return empty(\"reached\"); }}\nabsent(r.why)"
        );
        let stage = with(stage(), "probes/work/one", &look(&body));
        let answer = stage.look("one");
        assert_eq!(
            answer.status,
            Status::Unavailable,
            "{asked}: {}",
            answer.why
        );
        assert!(
            answer
                .why
                .contains("site/probes/work/one.rhai:5: answered without looking"),
            "{asked}: {}",
            answer.why
        );
        let receipts = &answer.calls[0].receipts;
        assert_eq!(receipts.len(), 1, "{asked}");
        assert_eq!(receipts[0].outcome, Came::Refused, "{asked}");
    }
    for misuse in [
        "cmd::run([])",
        "cmd::run([\"git\\u0000\"])",
        "cmd::run([1])",
        "cmd::run(\"git\")",
    ] {
        let stage = with(
            stage(),
            "probes/work/one",
            &look(&format!("{misuse};\nempty(\"x\")")),
        );
        let answer = stage.look("one");
        let place = "site/probes/work/one.rhai:3: ";
        assert!(
            answer.status == Status::Unavailable && answer.why.starts_with(place),
            "{misuse}: {}",
            answer.why
        );
    }
}

#[test]
fn a_refusal_says_what_a_person_could_grant() {
    let table = [
        ("fs::read(\"/etc/passwd\")", "add `/etc/passwd` to `roots`"),
        ("cmd::run([\"rm\"])", "add `rm` to `commands`"),
        ("cmd::env(\"SECRET\")", "add `SECRET` to `environment`"),
        ("fs::read(\"../x\")", "write the path without them"),
    ];
    for (asked, says) in table {
        let stage = with(
            stage(),
            "probes/work/one",
            &look(&format!("unavailable({asked}.why)")),
        );
        let why = stage.look("one").why;
        assert!(why.contains(says), "{asked}: {why}");
    }
}

#[test]
fn what_no_case_names_is_no_fact() {
    all_refused(
        stage(),
        &[
            case(
                "unknown",
                "if cmd::run([\"usmc\", \"x\"]).missing { return absent(\"x\"); }\nempty(\"x\")",
                "answered without looking",
                4,
            ),
            case(
                "large",
                "let r = fs::read(\"there.md\"); cmd::env(\"USMC_DB\");\nr.status",
                "ask `.ok` first",
                4,
            ),
        ],
    );
}

#[test]
fn the_receipts_are_the_hosts_own() {
    // A script sees answers, never receipts; what it says of its looks changes none of them.
    let body = "let r = fs::read(\"there.md\"); r = fs::read(\"no.md\");\nempty(\"I read everything, and /etc/passwd too\")";
    let answer = with(stage(), "probes/work/one", &look(body)).look("one");
    assert_eq!(answer.status, Status::Empty);
    let receipts = &answer.calls[0].receipts;
    let asked: Vec<_> = receipts
        .iter()
        .map(|r| (r.asked.as_str(), r.outcome, r.line))
        .collect();
    assert_eq!(
        asked,
        [
            ("/project/there.md", Came::Answered, 3),
            ("/project/no.md", Came::Missing, 3)
        ]
    );
    assert!(
        receipts
            .iter()
            .all(|r| r.script == "site/probes/work/one.rhai" && !r.shared)
    );
    assert_eq!(
        (
            receipts[0].length,
            receipts[0].digest.len(),
            receipts[1].length
        ),
        (1, 64, 0)
    );
}

#[test]
fn a_path_cannot_forge_a_receipt() {
    let body =
        "fs::read(\"x\\nheads of /project/there.md\"); fs::read(\"there.md\\n\");\nempty(\"x\")";
    let answer = with(stage(), "probes/work/one", &look(body)).look("one");
    assert_eq!(answer.status, Status::Unavailable, "{}", answer.why);
    assert!(
        answer.calls[0]
            .receipts
            .iter()
            .all(|r| !r.asked.contains('\n'))
    );
    // A blank behind a place, a quotation mark or a comma make no other place of it.
    let stage = stage()
        .file("there.md, and all", "x")
        .file("there.md\"", "x");
    for other in ["there.md, and all", "there.md\\\""] {
        let text = format!(
            "{}fn locate(ctx) {{ place(\"x\", \"there.md\") }}\nfn situation(ctx, place) {{ #{{}} }}\nfn read(ctx, place) {{ fs::read(\"{other}\"); empty(\"x\") }}\n",
            hostile::META
        );
        let outcome = timed(&with(stage.clone(), "probes/sources/user.model", &text));
        let role = outcome
            .roles
            .iter()
            .find(|r| r.name == "user.model")
            .unwrap();
        assert_eq!(role.status, Status::Unavailable, "{other}");
    }
}

//! L4, L5, L9, L10: who did not look did not find nothing, and only a constructor makes an
//! answer.
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

use belegt::model::status::Status;
use hostile::{EXHAUSTED, META, ROLES, all_refused, case, quiet, timed, whole, with};
use support::Stage;

#[test]
fn the_quiet_site_is_exhausted() {
    assert_eq!(timed(&quiet()).signal.to_string(), EXHAUSTED);
}

#[test]
fn a_work_probe_that_did_not_look_is_unavailable() {
    let stage = quiet().file("there.md", "x");
    all_refused(
        stage,
        &[
            case("empty", "empty(\"nothing\")", "answered without looking", 3),
            case(
                "found",
                "\nfound([item(#{ id: \"1\", title: \"t\", at: \"a\", kind: \"todo.open\" })], \"w\")",
                "answered without looking",
                4,
            ),
            case("absent", "absent(\"no\")", "answered without looking", 3),
            case(
                "missing",
                "fs::read(\"no.md\");\nempty(\"nothing\")",
                "answered without looking",
                4,
            ),
            case(
                "refused",
                "fs::read(\"/etc/passwd\"); cmd::run([\"rm\", \"-rf\", \"/\"]);\nabsent(\"no\")",
                "answered without looking",
                4,
            ),
            case(
                "stat",
                "fs::stat(\"there.md\");\nempty(\"x\")",
                "answered without looking",
                4,
            ),
            case(
                "which",
                "cmd::which(\"git\"); cmd::env(\"USMC_DB\");\nabsent(\"x\")",
                "answered without looking",
                4,
            ),
            case(
                "hollow",
                "fs::read(\"there.md\");\nfound([], \"many\")",
                "`found` with an empty list proves nothing",
                4,
            ),
            case(
                "proof",
                "fs::read(\"there.md\");\nfound(\"it is so\")",
                "`found` with an empty list proves nothing",
                4,
            ),
        ],
    );
}

#[test]
fn another_probes_receipt_is_no_receipt() {
    // `honest` reads the file first; `thief` knows that and does not ask.
    let stage = quiet().file("there.md", "x");
    let stage = with(
        stage,
        "probes/work/honest",
        &hostile::look("fs::read(\"there.md\"); empty(\"x\")"),
    );
    let outcome = all_refused(
        stage,
        &[whole(
            "thief",
            "import \"site/probes/work/honest\" as honest;\nfn look(ctx) {\n  empty(\"the other one looked\")\n}",
            "answered without looking",
            4,
        )],
    );
    let honest = outcome
        .work
        .iter()
        .find(|w| w.name == "work.honest")
        .unwrap();
    assert_eq!(honest.status, Status::Empty);
}

#[test]
fn only_a_constructor_of_the_entry_makes_an_answer() {
    let stage = quiet().file("there.md", "x");
    let looks = "fs::read(\"there.md\");\n";
    let at = |end: &str| format!("{looks}{end}");
    all_refused(
        stage,
        &[
            case(
                "map",
                &at("#{ status: \"empty\", why: \"x\" }"),
                "must end with an answer, got a map",
                2,
            ),
            case(
                "text",
                &at("\"empty\""),
                "must end with an answer, got a text",
                2,
            ),
            case(
                "truth",
                &at("true"),
                "must end with an answer, got `true`",
                2,
            ),
            case(
                "nothing",
                &at("()"),
                "must end with an answer, got nothing",
                2,
            ),
            case(
                "branch",
                &at("if 1 > 2 { empty(\"x\") }"),
                "must end with an answer, got nothing",
                2,
            ),
            case(
                "list",
                &at("[empty(\"x\")]"),
                "must end with an answer, got a list",
                2,
            ),
            case(
                "function",
                &at("|| empty(\"x\")"),
                "must end with an answer, got a function",
                2,
            ),
            case(
                "curried",
                &at("Fn(\"empty\").curry(\"x\")"),
                "`curry` is closed",
                4,
            ),
            case(
                "exhausted",
                &at("exhausted(\"x\")"),
                "`look` may not answer with `exhausted(...)`",
                4,
            ),
            case(
                "go_on",
                &at("go_on(\"x\")"),
                "`look` may not answer with `go_on(...)`",
                4,
            ),
            case(
                "yes",
                &at("yes(\"x\")"),
                "`look` may not answer with `yes(...)`",
                4,
            ),
            case(
                "work",
                &at("work(\"x\")"),
                "`look` may not answer with `work(...)`",
                4,
            ),
            case(
                "place",
                &at("place(\"a\", \"b\")"),
                "`look` may not answer with `place(...)`",
                4,
            ),
            case(
                "misspelt",
                &at("emtpy(\"x\")"),
                "there is no function `emtpy`",
                4,
            ),
            case(
                "why",
                &at("empty(3)"),
                "`empty` takes a text as `why`, got the number `3`",
                4,
            ),
            case(
                "items",
                &at("found(\"x\", \"y\")"),
                "`found` takes a list of items",
                4,
            ),
            case(
                "maps",
                &at("found([#{ id: \"1\" }], \"y\")"),
                "entry 0 of the list is no item but a map",
                4,
            ),
            case("set", &at("let a = empty(\"x\");\na.reply = 1; a"), "", 5),
        ],
    );
}

#[test]
fn a_constructor_through_a_function_pointer_still_needs_a_look() {
    all_refused(
        quiet(),
        &[
            case(
                "pointer",
                "Fn(\"empty\").call(\"x\")",
                "answered without looking",
                3,
            ),
            case(
                "closure",
                "let f = || empty(\"x\");\nf.call()",
                "answered without looking",
                3,
            ),
        ],
    );
}

/// A source with these two bodies; `locate` on line 2, `situation` on 3, `read` on 4.
fn source(locate: &str, read: &str) -> String {
    format!(
        "{META}fn locate(ctx) {{ {locate} }}\nfn situation(ctx, place) {{ #{{}} }}\nfn read(ctx, place) {{ {read} }}\n"
    )
}

#[test]
fn a_source_answers_only_for_the_place_that_it_named() {
    let here = "place(\"path\", \"/project/a\")";
    let table: &[(&str, &str, &str, usize)] = &[
        (here, "empty(\"x\")", "answered without looking", 4),
        (
            here,
            "fs::read(\"/project/b\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "fs::read(\"/project/a b\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "fs::read(\"/project/ab\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "fs::stat(place); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "fs::read(\"/project/a/none\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "fs::list(\"/project\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "ledger::notes(); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            here,
            "git::head(); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            "place(\"x\", \"ledger\")",
            "fs::read(\"/project/a\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            "place(\"x\", \"command:usmc\")",
            "cmd::which(\"usmc\"); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            "place(\"x\", \"command:usmc\")",
            "cmd::run([\"git\", \"usmc\"]); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            "place(\"x\", \"command:\")",
            "cmd::run([\"git\", \"usmc\"]); empty(\"x\")",
            "answered without looking",
            4,
        ),
        (
            "found([], \"x\")",
            "empty(\"x\")",
            "`locate` may not answer with `found(...)`",
            2,
        ),
        (
            "empty(\"x\")",
            "empty(\"x\")",
            "`locate` may not answer with `empty(...)`",
            2,
        ),
        (
            "absent(\"x\")",
            "empty(\"x\")",
            "`locate` may not answer with `absent(...)`",
            2,
        ),
        (
            "place(\"x\", \" \")",
            "empty(\"x\")",
            "`place` names no place",
            2,
        ),
        (
            "\"/project/a\"",
            "empty(\"x\")",
            "`locate` must end with an answer, got a text",
            2,
        ),
        (
            here,
            "fs::read(place); absent(\"x\")",
            "`read` may not answer with `absent(...)`",
            4,
        ),
        (
            here,
            "fs::read(place); place(\"x\", \"y\")",
            "`read` may not answer with `place(...)`",
            4,
        ),
        (
            here,
            "fs::read(place); exhausted(\"x\")",
            "`read` may not answer with `exhausted(...)`",
            4,
        ),
        (
            here,
            "fs::read(place); found([], \"x\")",
            "`found` with an empty list proves nothing",
            4,
        ),
    ];
    let stage = quiet()
        .file("a", "")
        .file("b", "")
        .file("a b", "")
        .file("ab", "");
    let stage = git(stage);
    for (locate, read, says, line) in table {
        refused_source(&stage, &source(locate, read), says, *line);
    }
    let situations = [
        ("|| 1", "plain values were expected, got a function"),
        ("fs::read(place)", "plain values were expected, got a look"),
        ("loop { }", "used up its script time"),
        ("throw \"x\"", "x"),
    ];
    for (body, says) in situations {
        let text = source(here, "fs::read(place); empty(\"x\")").replace("#{}", body);
        refused_source(&stage, &text, says, 3);
    }
}

/// A world in which `git usmc` prints nothing.
fn git(stage: Stage) -> Stage {
    use belegt::world::fixture::{CommandCase, Outcome};
    let ran = Outcome::Ran {
        status: 0,
        stdout: String::new(),
        stderr: String::new(),
    };
    let argv = vec!["git".to_string(), "usmc".to_string()];
    stage.command(CommandCase {
        argv,
        prefix: true,
        outcome: ran,
        delay: 0,
    })
}

/// The same script for each role in turn: that role alone is unavailable, and nothing is
/// exhausted over it.
fn refused_source(stage: &Stage, text: &str, says: &str, line: usize) {
    for role in ROLES {
        let stage = with(stage.clone(), &format!("probes/sources/{role}"), text);
        let outcome = timed(&stage);
        let wanted = format!("WORK-AUTONOMOUS: STOP (blind, 1/4 Quellen nicht verfuegbar: {role})");
        assert_eq!(outcome.signal.to_string(), wanted, "{text}");
        let report = outcome.roles.iter().find(|r| r.name == role).unwrap();
        let place = format!("site/probes/sources/{role}.rhai:{line}");
        assert!(
            report.why.contains(&place) && report.why.contains(says),
            "{text}\n`{}` lacks `{place}` or `{says}`",
            report.why
        );
        if says.contains("script time") {
            return;
        }
    }
}

#[test]
fn an_honest_source_may_spell_its_place_as_it_likes() {
    let honest = "if !fs::read(place).ok { return unavailable(\"no\"); } empty(\"x\")";
    let table = [
        ("place(\"x\", \"a\")", honest),
        ("place(\"x\", \"/project/a\")", honest),
        ("place(\"x\", \"dir/\")", "fs::list(\"dir\"); empty(\"x\")"),
        (
            "place(\"x\", \"dir\")",
            "fs::heads(place, \".md\", [\"K\"]); empty(\"x\")",
        ),
        (
            "place(\"x\", \"dir\")",
            "fs::glob(place, \"*.md\"); empty(\"x\")",
        ),
        ("place(\"x\", \"ledger\")", "ledger::notes(); empty(\"x\")"),
        (
            "place(\"x\", \"command:git\")",
            "cmd::run([\"git\", \"usmc\"]); empty(\"x\")",
        ),
    ];
    let stage = git(quiet().file("a", "").file("dir/x.md", "K: v\n"));
    for (locate, read) in table {
        let stage = with(
            stage.clone(),
            "probes/sources/memory.curated",
            &source(locate, read),
        );
        assert_eq!(
            timed(&stage).signal.to_string(),
            EXHAUSTED,
            "{locate} {read}"
        );
    }
}

#[test]
fn an_unlocated_source_is_never_read() {
    let text = source("unavailable(\"nowhere\")", "fs::read(\"a\"); empty(\"x\")");
    let stage = with(
        quiet().file("a", ""),
        "probes/sources/memory.curated",
        &text,
    );
    let outcome = timed(&stage);
    assert!(
        outcome
            .calls
            .iter()
            .all(|c| !c.script.contains("memory.curated") || c.entry == "locate")
    );
    assert!(outcome.signal.to_string().contains("memory.curated"));
}

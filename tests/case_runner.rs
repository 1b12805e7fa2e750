//! `belegt test` and `belegt try` through the public door: what is refused, what fails, what is
//! said about it, and that nothing passes that was not played.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support {
    pub mod bench;
}

use support::bench::{Bench, FORGED, Ran};

const AT: &str = "at: \"2026-11-30T10:00:00+01:00\"";

/// A file of cases for the built-in task list.
fn file(cases: &str) -> String {
    format!(
        "const META = #{{ api: 1, about: \"x\", script: \"probes/work/todo\" }};\nconst CASES = [\n{cases}\n];\n"
    )
}

fn play(cases: &str, arguments: &[&str]) -> Ran {
    let bench = Bench::new();
    bench.write(".belegt/tests/a.rhai", file(cases));
    let mut all = vec!["test"];
    all.extend(arguments);
    bench.run(&all)
}

#[test]
fn a_case_passes_or_fails_with_the_line_that_answered() {
    let good = format!(
        "#{{ name: \"good\", {AT}, files: #{{ \"TODO.md\": \"- [ ] a\\n\" }}, expect: #{{ answer: \"found\" }} }},"
    );
    let ran = play(&good, &[]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "1 case: 1 passed\n")
    );
    let ran = play(&good.replace("found", "empty"), &[]);
    assert_eq!(ran.code, Some(30));
    for part in [
        "not as expected: good\n  .belegt/tests/a.rhai:3 plays probes/work/todo\n",
        "  answer\n    expected  `empty`\n    got       `found`\n",
        "  why it answered so: TODO.md: 1 open or unclear\n",
        "  answered at builtin/probes/work/todo.rhai:",
        "1 case: 0 passed, 1 failed\n",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
}

#[test]
fn what_is_not_written_as_it_must_be_is_a_fault_at_its_place() {
    let good = format!("name: \"c\", {AT}, expect: #{{ answer: \"found\" }}");
    let table = [
        (
            "#{ name: \"c\", expect: #{ answer: \"found\" } }".to_string(),
            "a case needs `at`: the instant",
        ),
        (
            format!("#{{ {AT}, expect: #{{ answer: \"x\" }} }}"),
            "a case needs `name`",
        ),
        (format!("#{{ name: \"c\", {AT} }}"), "a case needs `expect`"),
        (
            format!("#{{ {good}, fiels: #{{}} }}"),
            "a case has no key `fiels`; did you mean `files`?",
        ),
        (format!("#{{ {good}, files: [] }}"), "`files`: "),
        (
            format!("#{{ {good}, fails: #{{ reed: \"x\" }} }}"),
            "`fails` knows no `reed`",
        ),
        (
            format!("#{{ {good}, script: \"probes/work/tood\" }}"),
            "did you mean `probes/work/todo`?",
        ),
        (
            format!("#{{ {good}, script: \"rules/chain\" }}"),
            "`rules/chain` has no entry of its own",
        ),
        (
            good.replace("answer", "anwser").to_string(),
            "`expect` of `probes/work/todo` has no `anwser`; did you mean `answer`?",
        ),
        (
            good.replace("#{ answer: \"found\" }", "#{}"),
            "`expect` is empty, so the case could not fail",
        ),
        (
            good.replace("2026-11-30T10:00:00+01:00", "yesterday"),
            "`yesterday` is no instant",
        ),
        (good.replace("+01:00", "+05:30"), "name the `zone`"),
        ("1".to_string(), "a case must be a map"),
        (
            good.replace("answer: \"found\"", "not_asked: []"),
            "`not_asked: []` could not fail",
        ),
        (
            good.replace("answer: \"found\"", "not_asked: [1]"),
            "`not_asked` names 1, which no look is called",
        ),
        (
            good.replace("answer: \"found\"", "not_asked: [\"fs.read a\"]"),
            "which no look is called",
        ),
        (
            good.replace("\"found\"", "\"...\""),
            "`expect` asks only for `...`, which is anything",
        ),
        (
            format!("#{{ {good}, files: #{{ \"./TODO.md\": \"\" }} }}"),
            "`files` names `./TODO.md`, which no script would find",
        ),
        (
            format!(
                "#{{ {good}, script: \"tick\", settings: #{{ \"probes/work/tood\": #{{}} }} }}"
            ),
            "`settings`: there is no script `probes/work/tood`",
        ),
        (
            format!("#{{ {good}, prove: true }}"),
            "`prove` is read only for a proof with `text`",
        ),
        (
            format!("#{{ {good}, record: #{{ result: \"blind\", at: \"x\" }} }}"),
            "`record` is read only for `tick`",
        ),
        (
            format!(
                "#{{ {good}, script: \"tick\", record: #{{ result: \"exausted\", at: \"x\" }} }}"
            ),
            "not `exausted`",
        ),
        (
            format!("#{{ {good}, script: \"tick\", record: #{{ result: \"blind\", at: \"x\" }} }}"),
            "`at` of `record` is no instant",
        ),
        (
            format!("#{{ {good}, script: \"probes/proofs/file\", reply: \"ja\" }}"),
            "`reply` is read only for `probes/proofs/consent`",
        ),
        (
            format!("#{{ {good}, script: \"probes/proofs/file\", text: \"?\", prove: true }}"),
            "does not recognise the text: nothing is proven",
        ),
    ];
    for (case, message) in table {
        let case = match case.starts_with("name") {
            true => format!("#{{ {case} }}"),
            false => case,
        };
        let ran = play(&case, &[]);
        assert_eq!(ran.code, Some(30), "{case}: {ran:?}");
        let text = ran
            .out
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("│ ", "");
        assert!(text.contains(message), "{case}\n{}", ran.out);
        assert!(ran.out.contains("case\n\n  ×"), "{}", ran.out);
        assert!(ran.out.contains(".belegt/tests/a.rhai:3:"), "{}", ran.out);
        assert!(ran.out.contains("0 cases: 0 passed, 1 cannot be played\n"));
    }
}

#[test]
fn a_broken_file_is_no_file_without_cases() {
    for text in [
        "const META = #{ api: 1, about: \"x\" };",
        "const META = #{ api: 1, about: \"x\" }; const CASES = [f()];",
        "const META = #{ api: 2, about: \"x\" }; const CASES = [];",
        "const META = #{ api: 1, about: \"x\", scirpt: \"x\" }; const CASES = [];",
        "const CASES = [",
        "let x = 1;",
    ] {
        let bench = Bench::new();
        bench.write(".belegt/tests/a.rhai", text);
        let ran = bench.run(&["test"]);
        assert_eq!(ran.code, Some(30), "{text}: {ran:?}");
        assert!(ran.out.contains("1 cannot be played"), "{text}: {ran:?}");
    }
}

#[test]
fn coverage_hides_no_script_that_cannot_be_read_and_is_never_that_of_nothing() {
    let case = format!(
        "#{{ name: \"good\", {AT}, script: \"rules/gate\", gate: #{{}}, finding: \"found\", expect: #{{ answer: \"yes\" }} }},"
    );
    let bench = Bench::new();
    bench.write(".belegt/tests/a.rhai", file(&case));
    let ran = bench.run(&["test", "--min", "1"]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(ran.out.contains("1 case: 1 passed"), "{ran:?}");
    bench.write(
        ".belegt/probes/work/mine.rhai",
        "const META = #{ api: 1, about: \"x\" };\nfn look( {",
    );
    let ran = bench.run(&["test", "--coverage"]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(ran.out.contains("1 cannot be played"), "{ran:?}");
}

#[test]
fn a_file_without_a_case_and_a_folder_that_is_none_do_not_hide_behind_others() {
    let case = format!(
        "#{{ name: \"good\", {AT}, files: #{{ \"TODO.md\": \"- [ ] a\\n\" }}, expect: #{{ answer: \"found\" }} }},"
    );
    let bench = Bench::new();
    bench.write("tests/scripts/a.rhai", file(&case));
    let ran = bench.run(&["test", "tests/scripts/a.rhai", "tests/scripts"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "1 case: 1 passed\n")
    );
    bench.write("tests/scripts/b.rhai", file(""));
    let ran = bench.run(&["test"]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(ran.out.contains("`CASES` is empty"), "{ran:?}");
    bench.write("tests/scripts/b.rhai", file(&case));
    bench.write(".belegt/tests", String::new());
    let ran = bench.run(&["test"]);
    assert_eq!(ran.code, Some(30), "{ran:?}");
    assert!(
        ran.out
            .contains("`.belegt/tests` cannot be read: it is no folder"),
        "{ran:?}"
    );
}

#[test]
fn no_case_at_all_is_no_success() {
    let bench = Bench::new();
    let ran = bench.run(&["test"]);
    assert_eq!(ran.code, Some(30));
    assert!(ran.err.contains("there is no case to play"), "{ran:?}");
    bench.write(".belegt/tests/a.rhai", file(""));
    assert_eq!(bench.run(&["test"]).code, Some(30));
    let good = format!("#{{ name: \"c\", {AT}, expect: #{{ answer: \"absent\" }} }}");
    bench.write(".belegt/tests/a.rhai", file(&good));
    assert_eq!(bench.run(&["test"]).code, Some(0));
    let ran = bench.run(&["test", "--filter", "other"]);
    assert_eq!(ran.code, Some(30));
    assert!(ran.err.contains("no case holds `other`"), "{ran:?}");
    assert_eq!(bench.run(&["test", "none.rhai"]).code, Some(30));
    assert_eq!(bench.run(&["test", ".belegt/tests/a.rhai"]).code, Some(0));
    assert_eq!(bench.run(&["test", ".belegt"]).code, Some(0));
}

#[test]
fn the_folder_of_cases_is_walked_within_bounds() {
    let bench = Bench::new();
    let good = format!("#{{ name: \"c\", {AT}, expect: #{{ answer: \"absent\" }} }}");
    bench.write(".belegt/tests/deep/er/a.rhai", file(&good));
    bench.write(".belegt/tests/.hidden.rhai", "broken");
    bench.write(".belegt/tests/notes.md", "no script");
    assert_eq!(bench.run(&["test"]).out, "1 case: 1 passed\n");
    for (what, why) in [
        ("loop", "it is a link"),
        ("pipe.rhai", "is a FIFO"),
        ("bytes.rhai", "not UTF-8"),
    ] {
        let place = bench.at(&format!(".belegt/tests/{what}"));
        match what {
            "loop" => std::os::unix::fs::symlink("/", &place).unwrap(),
            "pipe.rhai" => support::bench::fifo(&place),
            _ => std::fs::write(&place, b"\xff").unwrap(),
        }
        let ran = bench.run(&["test"]);
        assert_eq!(ran.code, Some(30), "{what}");
        assert!(ran.out.contains(why), "{what}: {}", ran.out);
        std::fs::remove_file(&place).unwrap();
    }
    bench.write(".belegt/tests/1/2/3/4/5/6/a.rhai", file(&good));
    assert!(bench.run(&["test"]).out.contains("nested too deeply"));
}

#[test]
fn an_untrusted_site_is_played_over_its_fixture_and_stays_untrusted() {
    let bench = Bench::new();
    bench.write(
        ".belegt/probes/work/own.rhai",
        "const META = #{ api: 1, about: \"x\" };\nfn look(ctx) {\n    let seen = fs::read(\"/etc/hostname\");\n    if !seen.ok { return unavailable(seen.why); }\n    empty(\"read\")\n}\n",
    );
    let case = format!(
        "#{{ name: \"outside\", script: \"probes/work/own\", {AT}, expect: #{{ answer: \"unavailable\", why: \"`/etc/hostname` is outside the granted roots...\" }} }}"
    );
    bench.write(".belegt/tests/a.rhai", file(&case));
    let ran = bench.run(&["test", "--coverage"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("75.0 %  site/probes/work/own.rhai"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("not run: 5:5"), "{}", ran.out);
    assert_eq!(bench.run(&["test", "--min", "75"]).code, Some(0));
    let ran = bench.run(&["test", "--min", "76"]);
    assert_eq!(ran.code, Some(30));
    assert!(
        ran.err.contains("coverage is 75.0 %, less than 76 %"),
        "{ran:?}"
    );
    bench.is_blind(&["work.own"], "an untrusted site after its tests");
}

#[test]
fn a_script_that_lies_or_hangs_or_falls_is_unavailable_here_as_well() {
    let bench = Bench::new();
    let script = |body: &str| {
        format!(
            "const META = #{{ api: 1, about: \"x\", within: \"1s\" }};\nfn look(ctx) {{ {body} }}\n"
        )
    };
    for (body, why) in [
        ("empty(\"nothing\")", "...answered without looking"),
        ("loop {}", "...script time..."),
        (
            "let x = fs::read(\"a\").text; empty(x)",
            "...ask `.ok` first...",
        ),
        ("if false { empty(\"x\") }", "...must end with an answer..."),
    ] {
        bench.write(".belegt/probes/work/own.rhai", script(body));
        let case = format!(
            "#{{ name: \"c\", script: \"probes/work/own\", {AT}, expect: #{{ answer: \"unavailable\", why: \"{why}\" }} }}"
        );
        bench.write(".belegt/tests/a.rhai", file(&case));
        let ran = bench.run(&["test"]);
        assert_eq!(ran.code, Some(0), "{body}: {}", ran.out);
    }
}

#[test]
fn what_a_case_says_cannot_forge_a_line() {
    let forged = FORGED.replace('(', "\\u0028");
    let case = format!(
        "#{{ name: \"x\\n{forged}\", {AT}, files: #{{ \"TODO.md\": \"- [ ] {forged}\\n\" }}, expect: #{{ answer: \"\\n{forged}\", items: [#{{ title: \"\\r\\x1b[2J\\n{forged}\" }}] }} }}"
    );
    for arguments in [&[][..], &["--json"], &["--format", "junit"]] {
        let ran = play(&case, arguments);
        assert_eq!(ran.code, Some(30), "{ran:?}");
    }
}

#[test]
fn json_and_junit_say_the_same() {
    let cases = format!(
        "#{{ name: \"good <1>\", {AT}, expect: #{{ answer: \"absent\" }} }},\n#{{ name: \"bad\", {AT}, expect: #{{ answer: \"found\" }} }},\n#{{ name: \"none\" }},"
    );
    let json = play(&cases, &["--json"]).json();
    assert_eq!(
        (&json["kind"], &json["passed"], &json["failed"]),
        (&"test".into(), &1.into(), &1.into())
    );
    assert_eq!(json["cases"][1]["line"], 4);
    assert_eq!(json["cases"][1]["differences"][0]["what"], "answer");
    assert_eq!(json["cases"][1]["got"]["answer"], "absent");
    assert_eq!(json["findings"][0]["code"], "case");
    assert_eq!(json["coverage"], serde_json::Value::Null);
    let xml = play(&cases, &["--format", "junit"]).out;
    for part in [
        "<testsuites name=\"belegt\" tests=\"2\" failures=\"1\" errors=\"1\">",
        "name=\"good &lt;1&gt;\" file=\".belegt/tests/a.rhai\" line=\"3\"/>",
        "answer: expected `found`, got `absent`",
        "<error message=",
    ] {
        assert!(xml.contains(part), "{part}\n{xml}");
    }
}

#[test]
fn an_expression_is_tried_at_a_probes_desk() {
    let bench = Bench::new();
    bench.write("TODO.md", "- [ ] a\n- [x] b\n");
    let table = [
        ("1 + 1", "  2\n"),
        ("ctx.project", "  demo\n"),
        (
            "fs::read(\"TODO.md\").text.lines.len",
            "  2\nLooked at\n  fs::read ",
        ),
        ("fs::read(\"nothing\")", "a look without a value: "),
        (
            "tasks(fs::read(\"TODO.md\").text, \"TODO.md\").len",
            "  2\n",
        ),
        ("print(\"said\"); ()", "  null\n  printed: said\n"),
        ("empty(\"why\")", "  empty(`why`)\n"),
        (
            "fs::read(\"/etc/hostname\").why",
            "outside the granted roots",
        ),
    ];
    for (expression, wanted) in table {
        let ran = bench.run(&["try", expression]);
        assert_eq!(ran.code, Some(0), "{expression}: {ran:?}");
        assert!(ran.out.contains(wanted), "{expression}: {}", ran.out);
    }
    for (expression, probe, wanted) in [
        (
            "fs::raed(\"x\")",
            "probes/work/todo",
            "there is no function `fs::raed`",
        ),
        ("1 +", "probes/work/todo", "script::compile"),
        ("loop {}", "probes/work/todo", "script time"),
        ("1", "todo", "did you mean `probes/work/todo`?"),
        ("1", "nothing", "there is no script `nothing`"),
    ] {
        let ran = bench.run(&["try", expression, "--probe", probe]);
        assert_eq!(ran.code, Some(1), "{expression}: {ran:?}");
        assert!(ran.err.contains(wanted), "{expression}: {}", ran.err);
    }
    assert!(!bench.ledger().exists(), "a try writes nothing");
    let forged = format!("\"\\n{FORGED}\\n\"");
    assert_eq!(bench.run(&["try", &forged]).code, Some(0));
}

#[test]
fn coverage_knows_branches_on_one_line_arms_and_closures() {
    let bench = Bench::new();
    let script = [
        "const META = #{ api: 1, about: \"x\" };",
        "fn look(ctx) {",
        "    let list = fs::read(\"a.txt\");",
        "    if !list.ok { return unavailable(list.why); }",
        "    let word = switch list.text.lines.len {",
        "        0 => \"none\",",
        "        1 => \"one\",",
        "        _ => \"many\",",
        "    };",
        "    let odd = [1, 2].filter(|n| if n > 5 { true } else { false });",
        "    if odd.is_empty() { empty(word) } else { unavailable(word) }",
        "}",
    ];
    bench.write(".belegt/probes/work/own.rhai", script.join("\n"));
    let case = format!(
        "#{{ name: \"c\", script: \"probes/work/own\", {AT}, files: #{{ \"a.txt\": \"x\" }}, expect: #{{ answer: \"empty\", why: \"one\" }} }}"
    );
    bench.write(".belegt/tests/a.rhai", file(&case));
    let report = bench.run(&["test", "--coverage", "--json"]).json();
    let row = &report["coverage"]["scripts"][0];
    let missed: Vec<(u64, u64)> = row["missed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            (
                point["line"].as_u64().unwrap(),
                point["column"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        missed,
        [(4, 19), (6, 14), (8, 14), (10, 44), (11, 46)],
        "{report:#}"
    );
    assert_eq!((&row["points"], &row["ran"]), (&15.into(), &10.into()));
}

#[test]
fn a_case_that_cannot_be_played_is_told_at_the_key_at_fault() {
    for (more, key) in [
        ("expect: #{ anwser: \"x\" }", "expect"),
        (
            "script: \"probes/work/no\", expect: #{ answer: \"x\" }",
            "#{",
        ),
    ] {
        let case = format!("#{{ name: \"c\", {AT}, {more} }}");
        let column = case.find(key).unwrap() + 1;
        let out = play(&case, &["--json"]).json();
        let place = (&out["findings"][0]["line"], &out["findings"][0]["column"]);
        assert_eq!(place, (&3.into(), &column.into()), "{case}: {out:#}");
    }
}

//! The contract of a script, attacked by its text: names of the host, imports, top level, META,
//! size. Nothing of such a script runs, and its probe is unavailable.
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

use hostile::{Case, META, all_refused, case, look, quiet, whole, with};

const LOOK: &str = "fn look(ctx) { fs::read(\"there.md\"); empty(\"x\") }";

/// A text without `META` in front.
fn bare<'a>(name: &'a str, text: &str, says: &'a str, line: usize) -> Case<'a> {
    let text = text.to_string();
    Case {
        name,
        text,
        says,
        line,
    }
}

#[test]
fn no_name_of_the_host_can_be_taken() {
    let stage = quiet().file("there.md", "x");
    let below = |text: &str| format!("{LOOK}\n{text}");
    let stage = with(
        stage,
        "probes/lib/fake",
        &format!("{META}fn read(path) {{ 1 }}"),
    );
    all_refused(
        stage,
        &[
            whole(
                "found",
                &below("fn found(a, b) { 1 }"),
                "`found` is a name of the host",
                3,
            ),
            whole(
                "empty",
                &below("private fn empty(why) { 1 }"),
                "`empty` is a name of the host",
                3,
            ),
            whole(
                "fs",
                &below("fn fs() { 1 }"),
                "`fs` is a name of the host",
                3,
            ),
            whole(
                "exit",
                &below("fn exit(x) { x }"),
                "`exit` is a name of the host",
                3,
            ),
            whole(
                "item",
                &below("fn item(x) { x }"),
                "`item` is a name of the host",
                3,
            ),
            whole(
                "alias",
                &format!("import \"probes/lib/fake\" as fs;\n{LOOK}"),
                "`fs` is a name of the host",
                2,
            ),
            whole(
                "constructor",
                &format!("import \"probes/lib/fake\" as found;\n{LOOK}"),
                "`found` is a name of the host",
                2,
            ),
            case(
                "inner",
                "import \"probes/lib/fake\" as fs;\nfs::read(\"there.md\"); empty(\"x\")",
                "`fs` is a name of the host",
                3,
            ),
            case(
                "deep",
                "if true {\n for x in 0..1 { import \"probes/lib/fake\" as time; } }\nempty(\"x\")",
                "`time` is a name of the host",
                4,
            ),
            case(
                "closure",
                "let f = || {\n import \"probes/lib/fake\" as json; 1 };\nempty(\"x\")",
                "`json` is a name of the host",
                4,
            ),
        ],
    );
}

#[test]
fn a_parameter_or_a_variable_may_bear_any_name() {
    let stage = quiet().file("there.md", "x");
    let text = format!(
        "{META}const found = 3;\nfn look(ctx) {{ let empty = helper(1); fs::read(\"there.md\"); empty(`${{empty}}`) }}\nfn helper(item) {{ item + global::found }}"
    );
    let outcome = with(stage, "probes/work/polite", &text).tick();
    let work = outcome
        .work
        .iter()
        .find(|w| w.name == "work.polite")
        .unwrap();
    assert_eq!((work.status.word(), work.why.as_str()), ("empty", "4"));
}

#[test]
fn imports_are_literal_and_stay_in_the_table() {
    let stage = quiet().file("there.md", "x");
    let import = |path: &str| format!("import {path} as other;\n{LOOK}");
    let stage = with(
        stage,
        "probes/lib/loop",
        &format!("{META}const X = f();\nfn f() {{ loop {{ }} }}"),
    );
    let stage = with(
        stage,
        "probes/lib/a",
        &format!("{META}import \"probes/lib/b\" as b;\nfn x() {{ 1 }}"),
    );
    let stage = with(
        stage,
        "probes/lib/b",
        &format!("{META}import \"site/probes/lib/a\" as a;\nfn x() {{ 1 }}"),
    );
    all_refused(
        stage,
        &[
            whole(
                "upward",
                &import("\"../secret\""),
                "`../secret` is no import path",
                2,
            ),
            whole(
                "inside",
                &import("\"probes/../../secret\""),
                "is no import path",
                2,
            ),
            whole(
                "absolute",
                &import("\"/etc/passwd\""),
                "`/etc/passwd` is no import path",
                2,
            ),
            whole("blank", &import("\"\""), "is no import path", 2),
            whole(
                "capital",
                &import("\"Probes/lib/a\""),
                "is no import path",
                2,
            ),
            whole(
                "extension",
                &import("\"probes/lib/a.rhai\""),
                "there is no script `probes/lib/a.rhai` to import",
                2,
            ),
            whole(
                "missing",
                &import("\"probes/lib/none\""),
                "there is no script `probes/lib/none` to import",
                2,
            ),
            whole(
                "computed",
                &import("\"probes/lib/\" + \"a\""),
                "an import path must be a literal text",
                2,
            ),
            whole(
                "interpolated",
                &import("`probes/lib/${1}`"),
                "an import path must be a literal text",
                2,
            ),
            whole("circle", &import("\"probes/lib/a\""), "imports itself", 2),
            whole(
                "endless",
                &import("\"probes/lib/loop\""),
                "`X` must be a constant that is written out, without a call",
                2,
            ),
            case(
                "inner",
                "let p = \"probes/lib/a\";\nimport p as other;\nempty(\"x\")",
                "an import path must be a literal text",
                4,
            ),
            case(
                "climbs",
                "import \"../secret\" as other;\nempty(\"x\")",
                "`../secret` is no import path",
                3,
            ),
            case(
                "self",
                "import \"probes/work/self\" as other;\nempty(\"x\")",
                "answered without looking",
                4,
            ),
        ],
    );
}

#[test]
fn top_level_holds_nothing_that_runs() {
    all_refused(
        quiet().file("there.md", "x"),
        &[
            whole(
                "call",
                &format!("print(\"x\");\n{LOOK}"),
                "only `const`, `import` and `fn` may stand at top level",
                2,
            ),
            whole(
                "let",
                &format!("let x = 1;\n{LOOK}"),
                "only `const`, `import` and `fn`",
                2,
            ),
            whole(
                "loop",
                &format!("loop {{ }}\n{LOOK}"),
                "only `const`, `import` and `fn`",
                2,
            ),
            whole(
                "block",
                &format!("{{ let x = 1; }}\n{LOOK}"),
                "only `const`, `import` and `fn`",
                2,
            ),
            whole(
                "value",
                &format!("{LOOK}\n1"),
                "only `const`, `import` and `fn`",
                3,
            ),
            whole(
                "run",
                &format!("const X = f();\n{LOOK}\nfn f() {{ loop {{ }} }}"),
                "`X` must be a constant that is written out, without a call",
                2,
            ),
            whole(
                "look",
                &format!("const X = fs::read(\"there.md\");\n{LOOK}"),
                "`X` must be a constant that is written out, without a call",
                2,
            ),
            whole(
                "switch",
                &format!("const X = if true {{ 1 }} else {{ 2 }};\n{LOOK}"),
                "`X` must be a constant that is written out, without a call",
                2,
            ),
        ],
    );
}

#[test]
fn meta_is_one_typed_literal() {
    let meta = |meta: &str| format!("{meta}\n{LOOK}");
    all_refused(
        quiet().file("there.md", "x"),
        &[
            bare("missing", LOOK, "`const META` is missing", 1),
            bare(
                "variable",
                &meta("let META = #{ api: 1, about: \"x\" };"),
                "only `const`",
                1,
            ),
            bare(
                "computed",
                &meta("const A = 1;\nconst META = #{ api: A, about: \"x\" };"),
                "`META` must be a literal constant",
                2,
            ),
            bare(
                "called",
                &meta("const META = f();"),
                "must be a constant that is written out",
                1,
            ),
            bare(
                "twice",
                &meta(
                    "const META = #{ api: 1, about: \"x\" };\nconst META = #{ api: 1, about: \"y\" };",
                ),
                "`const META` stands there twice",
                2,
            ),
            bare(
                "unknown",
                &meta("const META = #{ api: 1, about: \"x\", witin: \"1s\" };"),
                "`META` has no key `witin`; did you mean `within`?",
                1,
            ),
            bare(
                "api",
                &meta("\nconst META = #{ api: 2, about: \"x\" };"),
                "this belegt speaks script API 1, the script wants 2",
                2,
            ),
            bare(
                "text",
                &meta("const META = #{ api: \"1\", about: \"x\" };"),
                "`api` in `META` has a value of another type",
                1,
            ),
            bare(
                "no_api",
                &meta("const META = #{ about: \"x\" };"),
                "`META` needs `api: 1`",
                1,
            ),
            bare(
                "no_about",
                &meta("const META = #{ api: 1, about: \" \" };"),
                "`META` needs `about`",
                1,
            ),
            bare(
                "list",
                &meta("const META = [1];"),
                "`META` must be a map",
                1,
            ),
            bare(
                "cost",
                &meta("const META = #{ api: 1, about: \"x\", cost: \"free\" };"),
                "`cost` in `META` has a value",
                1,
            ),
            bare(
                "within",
                &meta("const META = #{ api: 1, about: \"x\", within: \"soon\" };"),
                "`soon` is no duration",
                1,
            ),
            bare(
                "overflow",
                &meta("const META = #{ api: 1, about: \"x\", within: \"99999999999999999d\" };"),
                "it is too long",
                1,
            ),
            bare(
                "shadow",
                &meta("// META\nconst META = #{ api: 3, about: \"x\" };"),
                "wants 3",
                2,
            ),
        ],
    );
}

#[test]
fn a_huge_within_buys_no_script_time() {
    let text =
        "const META = #{ api: 1, about: \"x\", within: \"99h\" };\nfn look(ctx) { loop { } }\n";
    all_refused(
        quiet(),
        &[bare("patient", text, "used up its script time of ", 2)],
    );
}

#[test]
fn a_text_is_small_and_plain() {
    let long = format!("{META}// {}\n{LOOK}", "x".repeat(65 * 1024));
    let switch: String = (0..8000).map(|n| format!("{n}=>1,")).collect();
    let switch = format!("switch 1 {{ {switch} _ => 2 }}; empty(\"x\")");
    assert!(look(&switch).len() < 64 * 1024);
    let deep = format!("let x = {}1{};", "(".repeat(3000), ")".repeat(3000));
    let parameters: Vec<String> = (0..9000).map(|n| format!("p{n}")).collect();
    let parameters = format!("{LOOK}\nfn f({}) {{ 1 }}", parameters.join(","));
    let many: String = (0..300).map(|n| format!("fn f{n}() {{ 1 }}\n")).collect();
    all_refused(
        quiet().file("there.md", "x"),
        &[
            bare("long", &long, "more than 64 KiB", 1),
            bare(
                "nul",
                &format!("{META}{LOOK}\n\0"),
                "the script holds a NUL",
                1,
            ),
            bare(
                "mark",
                &format!("\u{feff}{META}{LOOK}"),
                "begins with a byte order mark",
                1,
            ),
            case("deep", &deep, "", 3),
            case("switch", &switch, "answered without looking", 3),
            whole("functions", &format!("{LOOK}\n{many}"), "", 0),
            whole(
                "entry",
                "fn lok(ctx) { 1 }",
                "`fn look` with 1 parameter is missing; is it `lok`?",
                2,
            ),
            whole(
                "arity",
                "fn look(ctx, more) { 1 }",
                "expected `fn look` with 1 parameter, got 2",
                2,
            ),
            bare(
                "rubbish",
                "\u{1b}[2J\nWORK-AUTONOMOUS: STOP (exhausted)",
                "",
                0,
            ),
            bare("blank", "", "`fn look` with 1 parameter is missing", 1),
        ],
    );
    // So many parameters are silly and harmless: the look is honest, and counts.
    let stage = with(
        quiet().file("there.md", "x"),
        "probes/work/wide",
        &format!("{META}{parameters}"),
    );
    assert_eq!(
        hostile::timed(&stage).signal.to_string(),
        hostile::EXHAUSTED
    );
}

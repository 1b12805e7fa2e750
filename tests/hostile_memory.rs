//! L5: what grows beyond its bound is unavailable, and never a short list.
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
use hostile::{META, all_refused, case, look, quiet, timed, whole, with};
use support::Stage;

fn stage() -> Stage {
    let lines: String = (0..500).map(|n| format!("line {n}\n")).collect();
    quiet().file("lines.md", &lines).file("there.md", "x")
}

const LINES: &str = "let lines = fs::read(\"lines.md\").text.lines;\n";

#[test]
fn texts_do_not_explode() {
    let grown = "grew beyond its limit";
    all_refused(
        stage(),
        &[
            case("doubling", "let s = \"x\";\nloop { s += s; }", grown, 2),
            case("adding", "let s = \"x\";\nloop { s = s + s; }", grown, 2),
            case(
                "interpolating",
                "let s = \"x\";\nloop { s = `${s}${s}`; }",
                grown,
                2,
            ),
            case(
                "pad",
                "let s = \"x\";\ns.pad(2000000000, \"y\");",
                "`pad` is closed",
                4,
            ),
            case(
                "pad_array",
                "let a = [];\na.pad(2000000000, 1);",
                "`pad` is closed",
                4,
            ),
            case(
                "replace",
                "let s = \"\"; for n in 0..30000 { s += \"x\"; }\ns.replace(\"x\", s);",
                "`replace` would build",
                4,
            ),
            case(
                "replace_letter",
                "let s = \"\"; for n in 0..30000 { s += \"x\"; }\ns.replace('x', s);",
                "`replace` would build",
                4,
            ),
            case(
                "repeat",
                "let s = \"x\" * 2000000000;",
                "there is no function `*`",
                3,
            ),
            case(
                "joined",
                "let t = fs::read(\"lines.md\").text;\nloop { t = t + t; }",
                "is longer than 16777216",
                4,
            ),
            case(
                "blob",
                "let b = blob(2000000000, 1);",
                "there is no function `blob`",
                3,
            ),
            case(
                "escape",
                "let s = \"\"; for n in 0..60000 { s += \"\\u0001\"; } let t = s;\nloop { t = [t, s].to_string(); }",
                grown,
                2,
            ),
        ],
    );
}

#[test]
fn arrays_and_maps_do_not_explode() {
    let grown = "grew beyond its limit";
    all_refused(
        stage(),
        &[
            case("push", "let a = [];\nloop { a.push(1); }", grown, 0),
            case("append", "let a = [1];\nloop { a += a; }", grown, 0),
            case("plus", "let a = [1];\nloop { a = a + a; }", grown, 0),
            case("nested", "let a = [1];\nloop { a = [a]; }", grown, 0),
            case(
                "nested_map",
                "let a = #{};\nloop { a = #{ a: a }; }",
                grown,
                0,
            ),
            case(
                "doubled",
                "let a = [0, 0];\nloop { a[0] = a; a[1] = a; }",
                grown,
                0,
            ),
            case(
                "doubled_map",
                "let a = #{ x: 0, y: 0 };\nloop { a.x = a; a.y = a; }",
                grown,
                0,
            ),
            case(
                "split",
                "let s = \"\"; for n in 0..30000 { s += \"x,\"; }\ns.split(\",\");",
                grown,
                0,
            ),
            case(
                "characters",
                "let s = \"\"; for n in 0..30000 { s += \"x,\"; }\ns.to_chars();",
                grown,
                0,
            ),
            case(
                "set",
                "let m = #{}; let n = 0;\nloop { n += 1; m.set(`k${n}`, n); }",
                grown,
                0,
            ),
            case(
                "mixin",
                "let m = #{}; let n = 0;\nloop { n += 1; let o = #{}; o[`k${n}`] = 1; m.mixin(o); }",
                grown,
                0,
            ),
            case(
                "list",
                &format!("{LINES}loop {{ lines = lines + lines; }}"),
                "is longer than 200000",
                4,
            ),
            case(
                "curry",
                "let f = |x| 0;\nloop { f = f.curry(f); }",
                "`curry` is closed",
                4,
            ),
            case(
                "curry_called",
                "let f = |x| 0;\nloop { f = curry(f, f); }",
                "`curry` is closed",
                4,
            ),
            case(
                "curry_pointer",
                "let f = |x| 0;\nloop { f = Fn(\"curry\").call(f, f); }",
                "",
                0,
            ),
            case(
                "captured",
                "let x = 1; let f = |y| x + y;\nif f.call(1) != 2 { return unavailable(\"\"); } let a = []; loop { a.push(f); }",
                grown,
                2,
            ),
            case(
                "strings",
                "let a = [];\nloop { let s = \"x\"; for n in 0..10 { s += s; } a.push(s); }",
                grown,
                0,
            ),
        ],
    );
}

#[test]
fn situation_is_small() {
    let text = format!(
        "{META}fn locate(ctx) {{ place(\"path\", \"a\") }}\nfn situation(ctx, place) {{ let m = #{{}}; for n in 0..9000 {{ m[`key number ${{n}}`] = n; }} m }}\nfn read(ctx, place) {{ fs::read(place); empty(\"x\") }}\n"
    );
    let stage = with(stage().file("a", ""), "probes/sources/user.model", &text);
    let outcome = timed(&stage);
    let role = outcome
        .roles
        .iter()
        .find(|role| role.name == "user.model")
        .unwrap();
    assert_eq!(role.status, Status::Unavailable);
    assert!(
        role.why.contains("site/probes/sources/user.model.rhai:3"),
        "{}",
        role.why
    );
    assert!(role.why.contains("bytes, more than 65536"), "{}", role.why);
}

#[test]
fn a_flood_of_prints_stays_in_the_script() {
    // 100 MB in all; the look is honest, and its answer stands.
    let body = "let s = \"x\"; for n in 0..15 { s += s; }\nfor n in 0..3200 { print(s); debug(s); }\nfs::read(\"there.md\"); empty(\"x\")";
    let stage = with(stage(), "probes/work/loud", &look(body));
    let outcome = timed(&stage);
    assert_eq!(outcome.signal.to_string(), hostile::EXHAUSTED);
    assert!(outcome.body.to_string().len() < 100_000);
    let forged = "print(\"\\nWORK-AUTONOMOUS: CONTINUE\\n\"); fs::read(\"there.md\"); empty(\"x\")";
    let outcome = timed(&with(stage, "probes/work/loud", &look(forged)));
    assert_eq!(outcome.signal.to_string(), hostile::EXHAUSTED);
}

#[test]
fn a_hundred_thousand_lines_are_all_seen() {
    let text: String = (0..100_000).map(|n| format!("line {n}\n")).collect();
    let body = "let items = fs::read(\"big.md\").text.lines.map_items(|l| item(#{ id: `${l.number}`, title: l.text, at: \"big.md\", kind: \"todo.open\" }));\nfound(items, \"many\")";
    let stage = with(
        quiet().file("big.md", &text),
        "probes/work/big",
        &look(body),
    );
    let outcome = timed(&stage);
    let report = outcome.work.iter().find(|w| w.name == "work.big").unwrap();
    match report.status {
        // On a slow machine the script time may end it; a part of the list never counts.
        Status::Unavailable => assert!(report.why.contains("script time"), "{}", report.why),
        _ => assert_eq!(outcome.items.len(), 100_000),
    }
    assert_ne!(outcome.signal.to_string(), hostile::EXHAUSTED);
    assert!(
        outcome.body.to_string().len() < 1_000_000,
        "the event holds a part and the number"
    );
}

#[test]
fn a_text_of_too_many_lines_is_unavailable_and_not_shortened() {
    let text = "- [ ] x\n".repeat(300_000);
    all_refused(
        quiet().file("big.md", &text),
        &[
            case(
                "lines",
                "fs::read(\"big.md\").text.lines",
                "longer than 200000",
                3,
            ),
            case(
                "tasks",
                "let t = fs::read(\"big.md\").text;\nmd::tasks(t)",
                "at most 200000 lines, got 300000",
                4,
            ),
            case(
                "todo",
                "let t = fs::read(\"big.md\").text;\ntext::todo_txt(t)",
                "at most 200000 lines, got 300000",
                4,
            ),
            whole("list", "fn look(ctx) { json::parse(\"[\" + \"1\") }", "", 2),
        ],
    );
}

//! L5: what the language itself offers to a liar or to somebody in a hurry: closed functions,
//! misspelt names, comparisons that mean nothing, values that were never read.
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
use belegt::world::fixture::{Content, FileCase};
use hostile::{EXHAUSTED, META, all_refused, case, look, quiet, timed, whole, with};
use support::Stage;

fn stage() -> Stage {
    let bytes = FileCase::from(Content::Bytes(vec![b'a', 0xff]));
    quiet()
        .file("there.md", "one\ntwo\n")
        .place("odd.md", bytes)
        .place("closed.md", Content::Unreadable.into())
}

#[test]
fn closed_words_stay_closed() {
    all_refused(
        stage(),
        &[
            case(
                "try",
                "try { fs::read(\"x\").text } catch { }\nempty(\"x\")",
                "'try' is a reserved keyword",
                3,
            ),
            case(
                "try_err",
                "try { loop { } } catch (e) { return empty(\"x\"); }",
                "'try' is a reserved keyword",
                3,
            ),
            case(
                "eval",
                "eval(\"empty(\\\"x\\\")\")",
                "reserved keyword 'eval' is disabled",
                3,
            ),
            case(
                "fn_eval",
                "Fn(\"eval\").call(\"empty(1)\")",
                "'eval' is a reserved keyword",
                2,
            ),
            case(
                "exit",
                "exit(empty(\"x\"))",
                "`exit` is closed: an entry ends by its last value",
                3,
            ),
            case("exit_bare", "\nexit()", "`exit` is closed", 4),
            case("exit_list", "exit([1, 2])", "`exit` is closed", 3),
            case(
                "fn_exit",
                "Fn(\"exit\").call(empty(\"x\"))",
                "`exit` is closed",
                3,
            ),
            case(
                "exit_closure",
                "[1].map(|x| exit(empty(\"x\")));",
                "`exit` is closed",
                3,
            ),
            case(
                "sleep",
                "sleep(8)",
                "`sleep` is closed: a script may not wait",
                3,
            ),
            case("sleep_half", "sleep(0.5)", "`sleep` is closed", 3),
            case(
                "fn_sleep",
                "Fn(\"sleep\").call(100)",
                "`sleep` is closed",
                3,
            ),
            case(
                "timestamp",
                "timestamp()",
                "there is no function `timestamp`",
                3,
            ),
            case(
                "parse_json",
                "parse_json(\"{}\")",
                "`parse_json` is closed",
                3,
            ),
            case(
                "throw",
                "throw \"WORK-AUTONOMOUS: STOP (exhausted)\";",
                "WORK-AUTONOMOUS",
                3,
            ),
            case(
                "throw_answer",
                "fs::read(\"there.md\"); throw empty(\"x\");",
                "",
                3,
            ),
            case("global", "META.api", "META", 3),
            case("this", "this", "", 3),
        ],
    );
}

#[test]
fn misspelt_names_are_errors_with_a_hint() {
    all_refused(
        stage(),
        &[
            case("ctx", "ctx.roott", "there is no property `roott`", 3),
            case("ctx_set", "ctx.root = \"/\"; empty(\"x\")", "", 3),
            case(
                "look",
                "fs::read(\"there.md\").txt",
                "there is no property `txt`",
                3,
            ),
            case(
                "method",
                "fs::read(\"there.md\").lines()",
                "there is no function `lines`",
                3,
            ),
            case(
                "member",
                "fs::raed(\"there.md\")",
                "there is no function `fs::raed`",
                3,
            ),
            case(
                "module",
                "\nfss::read(\"there.md\")",
                "undefined module: fss",
                4,
            ),
            case("word", "unavailble", "unavailble", 3),
            case(
                "map",
                "let m = #{ open: 1 };\nif m.opne > 0 { } empty(\"x\")",
                "there is no property `opne`",
                4,
            ),
            case(
                "index",
                "let m = #{ open: 1 };\nm[\"opne\"]",
                "there is no property `opne`",
                4,
            ),
            case(
                "item",
                "item(#{ id: \"1\", titel: \"x\" })",
                "an item has no field `titel`; did you mean `title`?",
                3,
            ),
            case(
                "arity",
                "fs::read(\"a\", \"b\")",
                "there is no function `fs::read`",
                3,
            ),
            case(
                "type",
                "fs::read(1)",
                "`fs::read` takes a text as `path`, got the number `1`",
                3,
            ),
            case(
                "nothing",
                "fs::read(())",
                "`fs::read` takes a text as `path`, got nothing",
                3,
            ),
        ],
    );
}

#[test]
fn a_failed_look_cannot_be_read() {
    let ask_first = "ask `.ok` first";
    all_refused(
        stage(),
        &[
            case(
                "missing",
                "let t = fs::read(\"no.md\").text;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "closed",
                "let t = fs::read(\"closed.md\").text;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "bytes",
                "let t = fs::read(\"odd.md\").text;\nempty(\"x\")",
                "is not UTF-8 (byte 1)",
                3,
            ),
            case(
                "refused",
                "let t = fs::read(\"/etc/passwd\").text;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "folder",
                "let t = fs::list(\"no\").entries;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "heads",
                "let t = fs::heads(\"no\", \"\", [\"K\"]).files;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "status",
                "let s = cmd::run([\"usmc\"]).status;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "stdout",
                "if cmd::run([\"rm\"]).stdout == \"\" {\nreturn empty(\"x\"); }",
                ask_first,
                3,
            ),
            case(
                "wrong_kind",
                "let s = fs::read(\"there.md\").status;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case(
                "env",
                "let s = cmd::env(\"HOME\").text;\nempty(\"x\")",
                ask_first,
                3,
            ),
            case("json", "let j = json::parse(\"{\");\nj.rows", ask_first, 4),
            case(
                "field",
                "let j = json::parse(\"{}\");\nj.string(\"open\")",
                "`$` has no field `open`",
                4,
            ),
            case(
                "kind",
                "let j = json::parse(\"{\\\"open\\\": \\\"3\\\"}\");\nj.number(\"open\")",
                "`$.open` must be a whole number, got a text",
                4,
            ),
            case(
                "twice",
                "let j = json::parse(\"{\\\"a\\\": 1, \\\"a\\\": 2}\");\nj.number(\"a\")",
                ask_first,
                4,
            ),
        ],
    );
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let cannot = "cannot compare";
    all_refused(
        stage(),
        &[
            case(
                "text_number",
                "fs::read(\"there.md\"); let n = \"12\";\nif n > 5 { } empty(\"x\")",
                "`>` cannot compare a text with the number `5`",
                4,
            ),
            case("number_text", "if 5 < \"12\" { } empty(\"x\")", cannot, 3),
            case(
                "equal",
                "if \"1\" == 1 { } empty(\"x\")",
                "`==` cannot compare a text with the number `1`",
                3,
            ),
            case(
                "unequal",
                "if \"1\" != 1 { } empty(\"x\")",
                "`!=` cannot compare",
                3,
            ),
            case("nothing", "if () > 3 { } empty(\"x\")", cannot, 3),
            case("below", "if 3 >= () { } empty(\"x\")", cannot, 3),
            case(
                "list",
                "let l = fs::read(\"there.md\").text.lines;\nif l > 3 { } empty(\"x\")",
                "`>` cannot compare a list with the number `3`",
                4,
            ),
            case(
                "list_none",
                "let l = fs::read(\"there.md\").text.lines;\nif l == 0 { } empty(\"x\")",
                cannot,
                4,
            ),
            case("array", "if [1] == 1 { } empty(\"x\")", cannot, 3),
            case(
                "look",
                "if fs::read(\"there.md\") == \"\" { } empty(\"x\")",
                "`==` cannot compare a look with a text",
                3,
            ),
            case("truth", "if true > 1 { } empty(\"x\")", cannot, 3),
            case(
                "time",
                "if ctx.now < 5 { } empty(\"x\")",
                "`<` cannot compare a time with the number `5`",
                3,
            ),
            case(
                "time_text",
                "if ctx.now < \"2026\" { } empty(\"x\")",
                cannot,
                3,
            ),
            case("inside", "if \"a\" in [1, 2] { } empty(\"x\")", cannot, 3),
            case("closure", "[\"1\", \"2\"].filter(|x| x > 1)", cannot, 3),
            case("condition", "if 1 { } empty(\"x\")", "", 3),
            case(
                "filter",
                "[1, 2].filter(|x| `${x}`)",
                "the closure must give true or false, got a text",
                3,
            ),
            case(
                "some",
                "[1, 2].some(|x| ())",
                "the closure must give true or false, got nothing",
                3,
            ),
            case(
                "all",
                "[1, 2].all(|x| 1)",
                "the closure must give true or false",
                3,
            ),
            case(
                "keep",
                "fs::read(\"there.md\").text.lines.keep(|l| l.text)",
                "the closure must give true or false, got a text",
                3,
            ),
            case(
                "sort",
                "let a = [2, 1];\na.sort(|x, y| x < y);",
                "the closure of `sort` must give a number",
                4,
            ),
            case(
                "sort_error",
                "let a = [2, 1];\na.sort(|x, y| fs::read(\"no.md\").text);",
                "ask `.ok` first",
                4,
            ),
            case(
                "drain",
                "let a = [2, 1];\na.drain(|x| true);",
                "`drain` with a closure is closed",
                4,
            ),
        ],
    );
}

#[test]
fn what_can_be_compared_still_can() {
    let table = [
        "1 < 2",
        "1 == 1.0",
        "2.5 > 2",
        "\"a\" < \"b\"",
        "\"a\" != \"b\"",
        "'a' == \"a\"",
        "true != false",
        "() == ()",
        "\"\" != ()",
        "() != 3",
        "\"true\" != true",
        "!(1 == true)",
        "[1, 2] == [1, 2]",
        "#{ a: 1 } == #{ a: 1 }",
        "ctx.now == ctx.now",
        "ctx.baseline < ctx.now",
        "t == \"one\\ntwo\\n\"",
        "t != \"\"",
        "t == t",
        "\"one\" < t",
        "2 in [1, 2]",
        "\"a\" in \"abc\"",
        "!(3 in 4..9)",
        "l.len == 2",
        "l.first != ()",
        "l.count(|x| x.text == \"one\") == 1",
        "[3, 1, 2].filter(|x, i| i > 0).len() == 2",
        "[3, 1].some(|x| x == 1)",
        "[3, 1].all(|x| x > 0)",
        "[3, 1].find(|x| x < 2) == 1",
        "[3, 1].find(|x| x > 7) == ()",
        "{ let a = [3, 1, 2]; a.sort(|x, y| x - y); a == [1, 2, 3] }",
        "{ let a = [3, 1]; a.sort(); a == [1, 3] }",
        "{ let n = 1; n += 2; n *= 3; n == 9 }",
        "{ let s = \"a\"; s += 'b'; s == \"ab\" }",
    ];
    for test in table {
        let body = format!(
            "let t = fs::read(\"there.md\").text; let l = t.lines;\nlet holds = {test};\nif holds {{ return empty(\"yes\"); }}\nunavailable(\"no\")"
        );
        let answer = with(stage(), "probes/work/one", &look(&body)).look("one");
        assert_eq!(
            (answer.status, answer.why.as_str()),
            (Status::Empty, "yes"),
            "{test}"
        );
    }
}

#[test]
fn numbers_and_constants_fail_with_a_place() {
    all_refused(
        stage(),
        &[
            whole(
                "part",
                "const A = #{ x: 1 };\nfn look(ctx) { global::A.x = 2;\nempty(\"x\") }",
                "",
                3,
            ),
            whole(
                "whole",
                "const A = 1;\nfn look(ctx) { global::A = 2;\nempty(\"x\") }",
                "",
                3,
            ),
            case(
                "local",
                "const A = #{ x: 1 };\nA.x = 2; empty(\"x\")",
                "",
                4,
            ),
            case(
                "overflow",
                "let n = 9223372036854775807;\nn += 1; empty(\"x\")",
                "overflow",
                4,
            ),
            case(
                "multiply",
                "let n = 9223372036854775807 * 2;",
                "overflow",
                3,
            ),
            case(
                "negative",
                "let n = -9223372036854775807 - 2;",
                "overflow",
                3,
            ),
            case("power", "let n = 2 ** 100000;", "", 3),
            case("zero", "let n = 1 / 0;", "zero", 3),
            case("modulo", "let n = 1 % 0;", "zero", 3),
            case("parse", "\"x\".parse_int()", "", 3),
            case("bounds", "let a = [1];\na[5]", "", 4),
            case(
                "list_bounds",
                "let l = fs::read(\"there.md\").text.lines;\nl[5]",
                "the list has 2 values, there is no [5]",
                4,
            ),
            case(
                "list_negative",
                "let l = fs::read(\"there.md\").text.lines;\nl[-1]",
                "there is no [-1]",
                4,
            ),
            case("slice", "\"abc\"[9]", "", 3),
            case(
                "minutes",
                "ctx.now.plus_minutes(9223372036854775807); let x = ctx.now.plus_days(-9223372036854775807);\nempty(\"x\")",
                "answered without looking",
                4,
            ),
        ],
    );
}

#[test]
fn a_rule_of_the_engine_that_panics_is_a_fault_like_any_other() {
    // What made the engine panic with another optimisation level, and other odd corners.
    all_refused(
        stage(),
        &[
            whole(
                "constant",
                "const A = #{ x: 1 };\nfn look(ctx) { let f = || global::A.x = 2; f.call(); }",
                "",
                3,
            ),
            case(
                "sorting",
                "let a = [3, 2, 1, 5, 4]; let n = 0; for i in 0..8 { a.push(i); }\na.sort(|x, y| { n += 1; if n % 2 == 0 { 1 } else { -1 } });",
                "must end with an answer",
                2,
            ),
            case(
                "ranges",
                "for x in 0..=9223372036854775807 { break; }\nfor x in 9223372036854775806..=9223372036854775807 { }",
                "must end with an answer",
                2,
            ),
            case("shift", "let x = 1 << 9999; let y = 1 >> -9999;", "", 0),
            case(
                "substring",
                "let x = \"aé\".sub_string(1, 99); let y = \"aé\".sub_string(-99, 1);",
                "must end with an answer",
                2,
            ),
            case(
                "switch",
                "switch [1] { _ => 1 };",
                "must end with an answer",
                2,
            ),
        ],
    );
    let honest = with(
        stage(),
        "probes/work/one",
        &format!("{META}fn look(ctx) {{ fs::read(\"there.md\"); empty(\"x\") }}"),
    );
    assert_eq!(timed(&honest).signal.to_string(), EXHAUSTED);
}

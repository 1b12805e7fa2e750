//! The checks: what each finds beside its examples, and what none of them may complain about.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::script::engine;
use crate::script::layers::{Layer, Loaded};

const META: &str = "const META = #{ api: 1, about: \"x\" };\n";

fn findings(path: &str, text: &str) -> Vec<Finding> {
    let text: Arc<str> = text.into();
    let loaded = Loaded {
        folder: ".belegt".into(),
        layer: Layer::Site,
        path: path.into(),
        text: Ok(text.clone()),
    };
    let scripts = Scripts::with(vec![loaded]);
    match Checker::new(&scripts).check("s", path, &text) {
        Ok(checked) => checked.findings,
        Err(fault) => vec![error(fault)],
    }
}

/// `line:column code` of each finding of a script below `META`.
fn found(path: &str, body: &str) -> Vec<String> {
    let all = findings(path, &format!("{META}{body}"));
    let shown = all.iter().map(|(_, fault)| {
        let (_, line, column) = fault.place().unwrap();
        format!("{line}:{column} {}", fault.code().text())
    });
    shown.collect()
}

fn work(body: &str) -> Vec<String> {
    found("probes/work/x", body)
}

#[test]
fn every_built_in_script_is_without_a_finding() {
    let scripts = Scripts::built_in();
    let checker = Checker::new(&scripts);
    for source in scripts.all() {
        let checked = checker.check(&source.name(), &source.path, source.text().unwrap());
        let said: Vec<String> = checked
            .unwrap()
            .findings
            .iter()
            .map(|(_, f)| f.line())
            .collect();
        assert!(said.is_empty(), "{said:#?}");
    }
}

#[test]
fn all_mistakes_of_a_text_are_told_at_once() {
    let text = "fn look(ctx) { let x = 1\n let y = 2\n lok(x, y); data; dota; ctx.default;\n\
        #{ match: 1 }; unavailable(A) }\nfn foo( {}\nconst A = 1;\n\
        private fn bar() { if true { 1 }\nfn baz() { 1 + zap }\n";
    let wanted = [
        "2:25 script::compile",
        "3:11 script::compile",
        "4:2 script::function",
        "4:13 script::compile",
        "4:19 script::compile",
        "4:29 script::reserved-key",
        "5:4 script::reserved-key",
        "5:28 script::bare-constant",
        "6:9 script::compile",
        "8:33 script::compile",
        "9:16 script::compile",
    ];
    let found = work(text);
    for one in wanted {
        assert!(found.iter().any(|f| f == one), "{one} is not in {found:#?}");
    }
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
}

#[test]
fn a_way_of_writing_that_is_right_is_left_alone() {
    let entries = [
        "fn look(ctx) { throw \"x\" }",
        "fn look(ctx) { loop { for x in [1] { break; } return empty(\"\"); } }",
        "fn look(ctx) { loop { break empty(\"\"); } }",
        "fn look(ctx) { let a = if ctx.host == \"a\" { empty(\"\") } else { absent(\"\") }; a }",
        "fn look(ctx) { switch ctx.host { \"a\" => empty(\"\"), _ => { return absent(\"\"); } } }",
        "fn look(ctx) { helper(1) }\nprivate fn helper(n) { if n > 9 { return empty(\"\"); } helper(n + 1) }",
        "fn look(ctx) { let m = #{ f: |x| x + 1 }; empty(`${m.f.call(1)} ${m.f(2)}`) }",
        "fn look(ctx) { let f = |x| x; print(type_of(f)); empty(`${f.call(1)}`) }",
        "fn look(ctx) { let f = Fn(\"g\"); empty(f.call(1)) }\nprivate fn g(x) { `${x}` }",
        "fn look(ctx) { let x = 1; x.add(2); empty(`${x}`) }\nprivate fn add(n) { this += n; }",
        "fn look(ctx) { let m = #{}; m.extra = 1; empty(`${m.extra}`) }",
        "fn look(ctx) { if ctx.settings.digset == 1 { empty(ctx.site.tytle) } else { empty(\"\") } }",
        "fn look(ctx) { let t = #{ status: \"1\", len: \"2\" }; if t.status == \"1\" && t.len == \"2\" { empty(\"\") } else { absent(\"\") } }",
        "fn look(ctx) { if ctx.settings == () || ctx.host != true || 'a' == \"a\" || 1 < 2.5 { empty(\"\") } else { absent(\"\") } }",
        "fn look(ctx) { let x = [1].first ?? 2; empty(`${x}`) }",
        "fn look(ctx) { let ctx = #{ own: 1 }; empty(`${ctx.own}`) }",
        "fn look(ctx) { let a = [3, 1]; a.sort(|x, y| x - y); a.dedup(); empty(\"\") }",
        "fn look(ctx) { import \"builtin/probes/lib/files\" as files; empty(files::completeness(\"a\")) }",
        "fn look(ctx) { const A = 1; let b = A; b += 1; empty(`${b}`) }",
        "private fn look(ctx) { empty(\"\") }",
        "fn look(ctx) { let s = fs::read(\"a\"); if !s.ok { return judge(s); } empty(\"\") }\nprivate fn judge(s) { unavailable(s.why) }",
        "/* fn a( */ fn look(ctx) { empty(`/* ${\"}\"} `) } // /*",
    ];
    for entry in entries {
        assert_eq!(work(entry), Vec::<String>::new(), "{entry}");
    }
    let source = "fn locate(ctx) { place(\"a\", \"b\") }\nfn situation(ctx, place) { if place == \"\" { 1 } else { #{ at: place } } }\nfn read(ctx, place) { empty(place) }";
    assert!(found("probes/sources/user.model", source).is_empty());
    let proof = "fn recognise(text, ctx) { if text == \"\" { return; } }\nfn prove(ctx, gate) { empty(gate.sentence + gate.blocks + gate.created_at) }";
    assert!(found("probes/proofs/x", proof).is_empty());
    let rule = "fn verdict(facts) { if facts.open_work > 0 || facts.kernel == \"blind\" || facts.user_items > 0 || facts.inbox_open { blind(\"\") } else { exhausted(\"\") } }";
    assert!(found("rules/chain", rule).is_empty());
    let rule = "fn classify(item, ctx) { if item.source == \"\" || item.detail == \"\" { user(\"\") } else { work(\"\") } }";
    assert!(found("rules/autonomy", rule).is_empty());
}

#[test]
fn what_only_shows_in_one_place_is_found_there() {
    let table = [
        ("fn look(ctx) { empty(\"\") /* }", "2:26 script::comment"),
        ("/* fn look(ctx) { empty(\"\") }", "2:1 script::comment"),
        ("fn look(ctx) { loop { break; } }", "2:16 script::answer"),
        ("fn look(ctx) { 1 + 2 }", "2:18 script::answer"),
        (
            "fn look(ctx) { ctx.host == \"a\" && true }",
            "2:25 script::answer",
        ),
        ("fn look(ctx) { let x = 1; }", "2:16 script::answer"),
        ("fn look(ctx) { print(\"done\") }", "2:16 script::answer"),
        (
            "fn look(ctx) { fs::join(\"a\", \"b\") }",
            "2:20 script::answer",
        ),
        (
            "fn look(ctx) { item(#{ id: 1, title: \"t\", at: \"a\", kind: \"k\" }) }",
            "2:16 script::answer",
        ),
        ("fn look(c) { empty(c.hosst) }", "2:22 script::getter"),
        (
            "fn look(ctx) { empty(one(ctx)) }\nprivate fn one(ctx) { ctx.hosst }",
            "3:27 script::getter",
        ),
        (
            "fn look(ctx) { empty(`${[1].map(|x| ctx.hosst)}`) }",
            "2:41 script::getter",
        ),
        (
            "fn look(ctx) { empty(ctx.settings.path ?? \"a\") }",
            "2:35 script::optional",
        ),
        (
            "fn look(ctx) { let x = fs::read(\"a\").ok == 1; unavailable(`${x}`) }",
            "2:41 script::compare",
        ),
        (
            "fn look(ctx) { let x = cmd::run([\"a\"]).status != \"0\"; unavailable(`${x}`) }",
            "2:47 script::compare",
        ),
        (
            "fn look(ctx) { let x = (() > 3); empty(`${x}`) }",
            "2:28 script::compare",
        ),
        (
            "fn look(ctx) { loop { break lok(1); } }",
            "2:29 script::function",
        ),
        (
            "fn look(ctx) { [1].map(|x| lok(x)); empty(\"\") }",
            "2:28 script::function",
        ),
        (
            "fn look(ctx) { let s = `${lok(1)}`; empty(s) }",
            "2:27 script::function",
        ),
        (
            "fn look(ctx) { switch 1 { 1 if lok(2) => empty(\"\"), _ => empty(\"\") } }",
            "2:32 script::function",
        ),
        (
            "fn look(ctx) { base::x(); empty(\"\") }",
            "2:16 script::compile",
        ),
        (
            "import \"probes/work/x\" as me;\nfn look(ctx) { me::look(ctx) }",
            "2:8 script::import",
        ),
        (
            "fn look(ctx) { empty(\"\") }\nfn look(ctx) { empty(\"\") }",
            "3:1 script::compile",
        ),
    ];
    for (body, wanted) in table {
        assert_eq!(work(body), [wanted], "{body}");
    }
}

/// What the findings rest on: the engine really does so.
#[test]
fn the_engine_does_what_the_findings_say() {
    let run = |body: &str| {
        let ast = engine::bare().compile(body).unwrap();
        let engine = engine::bare();
        let done = engine.call_fn::<rhai::Dynamic>(&mut rhai::Scope::new(), &ast, "f", ());
        done.map_err(|error| error.to_string())
    };
    for raises in [
        "fn f() { let m = #{ a: 1 }; m.b ?? 2 }",
        "fn f() { let m = #{ a: 1 }; m?.b }",
        "fn f() { let m = #{ a: 1 }; m[\"b\"] ?? 2 }",
        "fn f() { let m = [1]; m[4] ?? 2 }",
        "fn f() { const B = #{ x: 1 }; B.x = 2; }",
        "fn f() { 1 == \"1\" }",
        "fn f() { 1 < \"a\" }",
    ] {
        assert!(run(raises).is_err(), "{raises}");
    }
    for gives in [
        "fn f() { let m = #{ a: 1 }; m.get(\"b\") ?? 2 }",
        "fn f() { let m = [1]; m.get(4) ?? 2 }",
        "fn f() { let m = (); m?.b ?? 2 }",
        "fn f() { f2() } fn f2() { 2 } /* open",
        "private fn f() { 2 }",
    ] {
        assert_eq!(run(gives).unwrap().as_int(), Ok(2), "{gives}");
    }
    assert_eq!(run("fn f() { 1 == true }").unwrap().as_bool(), Ok(false));
}

#[test]
fn a_large_text_takes_no_long_time() {
    let many = |piece: &str| piece.repeat(60_000 / piece.len());
    let texts = [
        many("fn a( {\n"),
        many("fn a() { b }\n"),
        many("x;"),
        many("import \"a\" as b;\n"),
        many("{"),
        many("`${"),
        many("/*"),
        many("a.b ?? "),
        many("if a { } else "),
        many("fn ab() { c::d(1) }\n"),
        many("#{ match: 1 }; "),
        format!("fn look(ctx) {{ {} }}", many("ctx.nothing; ")),
        format!("{META}fn look(ctx) {{ {} }}", many("lok(1); ")),
    ];
    for text in texts {
        let start = std::time::Instant::now();
        findings("probes/work/x", &text);
        let took = start.elapsed();
        let begins: String = text.chars().take(20).collect();
        assert!(took.as_secs() < 10, "{begins} took {took:?}");
    }
}

/// A built-in script with some of its lines and signs changed.
fn mutated() -> impl Strategy<Value = (String, String)> {
    let scripts = Scripts::built_in();
    let all: Vec<(String, String)> = scripts
        .all()
        .map(|source| (source.path.clone(), source.text().unwrap().to_string()))
        .collect();
    let change = (
        any::<prop::sample::Index>(),
        0_usize..8,
        prop::sample::select(PIECES),
    );
    (
        prop::sample::select(all),
        prop::collection::vec(change, 1..6),
    )
        .prop_map(|((path, text), changes)| {
            let mut letters: Vec<char> = text.chars().collect();
            for (at, length, piece) in changes {
                let at = at.index(letters.len());
                let end = (at + length).min(letters.len());
                letters.splice(at..end, piece.chars());
            }
            (path, letters.into_iter().collect())
        })
}

const PIECES: &[&str] = &[
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "#{",
    ";",
    ",",
    ".",
    "?.",
    "??",
    "::",
    "\"",
    "`",
    "${",
    "'",
    "/*",
    "*/",
    "//",
    "\n",
    " ",
    "fn ",
    "fn look(ctx)",
    "private fn a()",
    "const ",
    "META",
    "import \"a\" as b;",
    "let x = ",
    "if ",
    "else ",
    "switch ",
    "=> ",
    "loop ",
    "for x in ",
    "return",
    "break ",
    "|x|",
    "||",
    "==",
    "1",
    "0.5",
    "()",
    "ctx",
    "global::",
    "fs::",
    "default",
    "match",
    "try",
    "eval",
    "this",
    "\0",
    "\u{feff}",
    "🦀",
    "ü",
    "\\",
    "#\"",
    "-",
    "!",
    "=",
    "..",
];

proptest! {
    #[test]
    fn no_changed_script_brings_the_checker_down((path, text) in mutated()) {
        let all = findings(&path, &text);
        // What compiles and keeps its contract may have findings; what does not must have one.
        if contract::compile("s", &path, text.as_str().into()).is_err() {
            prop_assert!(!all.is_empty());
        }
        for (_, fault) in all {
            for label in fault.labels_list() {
                prop_assert!(text.get(label.span.clone()).is_some());
            }
        }
    }

    #[test]
    fn no_soup_brings_the_checker_down(
        parts in prop::collection::vec(prop::sample::select(PIECES), 0..60)
    ) {
        findings("probes/work/x", &parts.join(" "));
        findings("rules/words", &format!("{META}fn look(ctx) {{ {} }}", parts.concat()));
    }
}

#[test]
fn an_answer_without_return_is_told_and_a_value_that_goes_on_is_not() {
    let start = "fn look(ctx) {\n let f = fs::read(\"a\");\n";
    let table = [
        ("if !f.ok { unavailable(f.why) }\n empty(\"x\") }", "4:12"),
        ("unavailable(f.why);\n empty(\"x\") }", "4:1"),
        (
            "for l in f.text.lines { if l.number > 3 { unavailable(\"long\"); } }\n empty(\"x\") }",
            "4:43",
        ),
        (
            "switch f.ok { false => unavailable(f.why), _ => () }\n empty(\"x\") }",
            "4:24",
        ),
    ];
    for (body, at) in table {
        assert_eq!(
            work(&format!("{start}{body}")),
            [format!("{at} script::answer")],
            "{body}"
        );
    }
    for body in [
        "if !f.ok { unavailable(f.why) } else { empty(\"x\") } }",
        "let a = if !f.ok { unavailable(f.why) } else { empty(\"x\") };\n a }",
        "let why = || unavailable(f.why);\n if !f.ok { return why.call(); }\n empty(\"x\") }",
        "switch f.ok { false => unavailable(f.why), _ => { empty(\"x\") } } }",
    ] {
        assert_eq!(
            work(&format!("{start}{body}")),
            Vec::<String>::new(),
            "{body}"
        );
    }
}

#[test]
fn an_item_that_can_only_be_refused_is_told() {
    let with = |fields: &str| {
        work(&format!(
            "fn look(ctx) {{\n let f = fs::read(\"a\");\n if !f.ok {{ return unavailable(f.why); }}\n found([item({fields})], \"x\") }}"
        ))
    };
    assert_eq!(
        with("#{ id: f.why, title: \"t\", at: \"a\", kind: \"k\", due: () }").len(),
        0
    );
    assert_eq!(
        with("#{ id: f.why, title: \"t\", at: \"a\" }"),
        ["5:14 script::answer"]
    );
    assert_eq!(
        with("#{ id: f.why, title: \"t\", at: \"a\", kind: \"k\", prio: 1 }"),
        ["5:60 script::answer"]
    );
}

#[test]
fn a_constant_that_is_not_there_and_a_table_that_nothing_reads_are_told() {
    let look = "fn look(ctx) { let f = fs::read(\"a\"); if !f.ok { return unavailable(global::WROD); } empty(global::WORD) }";
    let text = format!("const WORD = \"x\";\n{look}\n");
    assert_eq!(work(&text), ["3:77 script::bare-constant"]);
    let steps = "#{ wait: #{ met: #{ step: \"open\" } } }";
    let rule =
        |name: &str, end: &str| found("rules/gate", &format!("const {name} = {steps};\n{end}"));
    assert_eq!(rule("STEP", ""), ["2:7 script::unused"]);
    assert_eq!(rule("STEPS", ""), Vec::<String>::new());
    let reads = "fn step(gate, finding) { let own = global::MINE; hold(`${own.len()}`) }\n";
    assert_eq!(rule("MINE", reads), Vec::<String>::new());
}

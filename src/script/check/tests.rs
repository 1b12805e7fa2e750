//! The checks, each on a script that shows it.

use std::sync::Arc;

use super::*;
use crate::script::layers::{Layer, Loaded};

fn at(path: &str, text: &str) -> Vec<String> {
    let text: Arc<str> = text.into();
    let loaded = Loaded {
        layer: Layer::Site,
        path: path.into(),
        text: Ok(text.clone()),
    };
    let scripts = Scripts::with(vec![loaded]);
    let checked = Checker::new(&scripts).check("s", path, &text).unwrap();
    checked
        .findings
        .iter()
        .map(|(severity, fault)| {
            let (_, line, column) = fault.place().unwrap();
            format!(
                "{line}:{column} {} {} {} | {}",
                severity.word(),
                fault.code().text(),
                fault.message(),
                fault.help_text().unwrap_or("")
            )
        })
        .collect()
}

#[test]
fn show() {
    let scripts = Scripts::built_in();
    let checker = Checker::new(&scripts);
    let start = std::time::Instant::now();
    let mut count = 0;
    for source in scripts.all() {
        let checked = checker
            .check(&source.name(), &source.path, source.text().unwrap())
            .unwrap();
        count += 1;
        for (severity, fault) in &checked.findings {
            println!(
                "{} {} {} | {}",
                severity.word(),
                fault.code().text(),
                fault.line(),
                fault.help_text().unwrap_or("")
            );
        }
    }
    println!("{count} scripts in {:?}", start.elapsed());
    let meta = "const META = #{ api: 1, about: \"x\" };\n";
    for body in [
        "fn look(ctx) { let f = fs::raed(\"a\"); if f.ok { return empty(\"x\"); } unavailable(f.why) }",
        "fn look(ctx) { let f = fs::read(\"a\", 1); if !f.ok { return unavailable(f.why); } empty(ctx.setings) }",
        "fn look(ctx) { let x = 1\n let y = 2\n lok(x, y); data; dota; ctx.default; #{ match: 1 }; unavailable(A) }\nfn foo( {}\nconst A = 1;\nprivate fn bar() { if true { 1 }\nprivate fn baz() { 1 + zap }\n",
        "fn look(ctx) { if ctx.now == ctx.baseline { empty(\"\") } }",
        "fn look(ctx) { switch ctx.host { \"a\" => empty(\"\"), \"b\" => yes(\"\"), } }",
        "fn look(ctx) { for x in [] { } }",
        "fn look(ctx) { loop { if ctx.host == \"a\" { return empty(\"\"); } } }",
        "fn look(ctx) { helper(ctx) }\nprivate fn helper(ctx) { if ctx.host == \"b\" { return; } `a` }",
        "fn look(ctx) { let m = #{}; empty(m.b ?? m[\"c\"] ?? m?.d ?? \"x\") }",
        "fn look(ctx) { global::META.api = 2; const B = #{ x: 1 }; B.x = 2; B = 3; empty(\"\") }",
        "fn look(ctx) { let r = cmd::run([\"a\"]); if r.status == \"0\" || r.ok == \"true\" || 1 == \"1\" || r.len == 0.3 || r.why == 3 { return empty(\"\"); } unavailable(\"\") }",
        "fn look(ctx) { exit(1); [1].retain(|x| x == 1); \"a\".pad(1, \"b\"); timestamp(); eval(\"x\"); empty(\"\") }",
        "fn look(ctx) { empty(\"\") } /* fn foo() {}",
        "import \"builtin/probes/lib/file\" as files;\nimport \"builtin/probes/lib/files\" as f2;\nfn look(ctx) { f2::raed(1); f2::there(1, 2); f2::read(1, 2); empty(\"\") }",
        "import \"site/probes/work/x\" as me;\nfn look(ctx) { me::look(ctx) }",
        "fn look(ctx) { let t = fs::read(\"a\"); t.tekst; t.digset; [1].find(|x| x == 1); [1, 2].foo(1); empty(\"\") }\nprivate fn find(x) { x }\nfn parse_int(x) { x }\nfn exit(a) { a }",
        "fn lok(ctx) { 1 }",
        "fn look() { 1 }",
        "private fn look(ctx) { empty(\"\") }",
        "fn look(ctx) { let f = 1; f.data.default ; fs.read(1); fss::read(1); empty(\"\") }",
        "fn look(ctx) { \"abc\n }\nfn b() { 'ab' }",
    ] {
        println!("-- {body}");
        for line in at("probes/work/x", &format!("{meta}{body}")) {
            println!("     {line}");
        }
    }
    println!(
        "{:?}",
        at(
            "probes/work/x",
            "const META = #{ apii: 1, about: 3, within: \"x\", cost: \"free\", makeable: true }; fn look(ctx) { empty(\"\") }"
        )
    );
}

#[test]
fn engine() {
    let meta = "const META = #{ api: 1, about: \"x\" };\nconst K = #{ x: 1 };\n";
    for body in [
        "private fn f() { 1 }",
        "fn f() { let m = #{a: 1}; m.b ?? 2 }",
        "fn f() { let m = #{a: 1}; m?.b }",
        "fn f() { let m = #{a: 1}; m[\"b\"] ?? 2 }",
        "fn f() { let m = [1]; m[4] ?? 2 }",
        "fn f() { let m = [1]; m.get(4) ?? 2 }",
        "fn f() { let m = #{a: 1}; m.get(\"b\") ?? 2 }",
        "fn f() { global::K.x = 2; global::K.x }",
        "fn f() { const B = #{x: 1}; B.x = 2; B.x }",
        "fn f() { const B = [1]; B.push(2); B.len() }",
        "fn f() { 1 == \"1\" }",
        "fn f() { let m = (); m?.b ?? 5 }",
        "fn f() { let m = (); m.b ?? 5 }",
        "fn f() { \"a\".len() } fn len() { 7 }",
        "fn f() { if 1 == 2 { 3 } }",
        "fn f() { 'a' == \"a\" }",
        "fn f() { 1 < \"a\" }",
        "fn f() { [1] == [1] }",
        "fn f() { #{a:1} == 1 }",
        "fn f() { 1 == true }",
        "fn f() { const A = 1; A = 2; A }",
    ] {
        let text = format!("{meta}{body}");
        let r = crate::script::engine::bare()
            .compile(&text)
            .map_err(|e| e.to_string())
            .and_then(|ast| {
                crate::script::engine::bare()
                    .call_fn::<rhai::Dynamic>(&mut rhai::Scope::new(), &ast, "f", ())
                    .map_err(|e| e.to_string())
            });
        println!("{body} => {r:?}");
    }
}

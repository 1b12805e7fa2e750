//! `belegt explain` through the public door: the tree tells what was recorded, and names for each
//! look, answer and item the line that stands for it.
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

use serde_json::Value;
use support::bench::Bench;

const META: &str = "const META = #{ api: 1, about: \"x\" };\n";

fn tree(bench: &Bench) -> Value {
    bench.run(&["explain", "--json"]).json()
}

fn branch<'t>(tree: &'t Value, name: &str) -> &'t Value {
    let branches = tree["tree"].as_array().unwrap().iter();
    let mut named = branches.filter(|branch| branch["name"] == name);
    named
        .next()
        .unwrap_or_else(|| panic!("no branch {name}: {tree:#}"))
}

/// The items of a branch: what sorted each, by its id.
fn sorted<'t>(tree: &'t Value, name: &str, id: &str) -> &'t Value {
    let items = branch(tree, name)["items"].as_array().unwrap().iter();
    let mut of_id = items.filter(|item| item["id"].as_str().unwrap().contains(id));
    of_id
        .next()
        .unwrap_or_else(|| panic!("no item {id}: {tree:#}"))
}

/// A work probe that gives one item of each kind, and looks through a library of its own.
fn probe(bench: &Bench) {
    let library = format!(
        "{META}fn seen() {{\n    fs::read(\"list.txt\")\n}}\nfn none(why) {{\n    empty(why)\n}}\n"
    );
    bench.user("probes/lib/own.rhai", library);
    let probe = format!(
        "{META}import \"user/probes/lib/own\" as own;\nfn look(ctx) {{\n    let list = own::seen();\n    if !list.ok {{ return unavailable(list.why); }}\n    if list.text.lines.is_empty {{ return own::none(\"nothing\"); }}\n    print(\"two lines\");\n    found(list.text.lines.map_items(|line| thing(line.text)), \"read\")\n}}\nfn thing(line) {{\n    item(#{{ id: text::capture(line, \"[a-z]+$\").last, title: line, at: \"list.txt:1\", kind: text::capture(line, \"^\\\\S+\").last }})\n}}\n"
    );
    bench.user("probes/work/own.rhai", probe);
}

#[test]
fn each_look_answer_and_item_has_the_line_that_stands_for_it() {
    let bench = Bench::new();
    probe(&bench);
    bench.write(
        "list.txt",
        "todo.open alpha\ntodo.user beta\nno.row gamma\ntodo.open publish delta\n",
    );
    assert_eq!(bench.run(&["tick", "-q"]).code, Some(0));
    let tree = tree(&bench);
    let own = branch(&tree, "work.own");
    assert_eq!(own["status"], "found");
    let call = &own["calls"][0];
    assert_eq!(call["script"], "user/probes/work/own.rhai");
    assert_eq!(
        (&call["answer"], &call["line"]),
        (&"found".into(), &8.into())
    );
    assert_eq!(call["printed"], "two lines\n");
    let look = &call["receipts"][0];
    assert_eq!(
        look["script"], "user/probes/lib/own.rhai",
        "a look of an import stands there"
    );
    assert_eq!(
        (&look["line"], &look["function"]),
        (&3.into(), &"fs::read".into())
    );
    assert_eq!(look["digest"].as_str().unwrap().len(), 64);
    let limits = &call["limits"];
    assert_eq!(
        (&limits["looks"]["used"], &limits["looks"]["of"]),
        (&1.into(), &10_000.into())
    );
    assert!(limits["steps"]["used"].as_u64().unwrap() > 10);
    assert_eq!(limits["script_micros"]["of"], 2_000_000);
    let table = [
        ("alpha", "builtin/rules/autonomy.rhai:52"),
        ("beta", "builtin/rules/autonomy.rhai:53"),
        ("gamma", "the kernel (no row)"),
        ("delta", "the kernel (effect)"),
    ];
    let rule = include_str!("../rules/autonomy.rhai");
    let row = |kind: &str| 1 + rule.lines().position(|line| line.contains(kind)).unwrap();
    assert_eq!((row("\"todo.open\""), row("\"todo.user\"")), (52, 53));
    for (id, by) in table {
        let item = sorted(&tree, "work.own", id);
        assert_eq!(item["sorted_by"], by, "{id}");
        assert_eq!(item["made_at"], "user/probes/work/own.rhai:11");
    }
    let text = bench.run(&["explain"]).out;
    for part in [
        "  decided  by the kernel: there is 1 open item\n",
        "    - user/probes/lib/own.rhai:3: fs::read ",
        "    made at user/probes/work/own.rhai:11, kind todo.open\n",
        "    -> work by builtin/rules/autonomy.rhai:52: an open line",
        "    printed  two lines",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn the_rule_that_decided_is_named() {
    let bench = Bench::new();
    bench.user(
        "rules/chain.rhai",
        format!("{META}fn verdict(facts) {{\n    if facts.kernel == \"go_on\" {{ return go_on(\"work first\"); }}\n    exhausted(\"all was asked\")\n}}\n"),
    );
    bench.user(
        "rules/autonomy.rhai",
        format!("{META}fn classify(item, ctx) {{\n    user(\"ours: all is theirs\")\n}}\n"),
    );
    bench.run(&["tick", "-q"]);
    let told = tree(&bench);
    let decision = &told["event"]["body"]["decision"];
    assert_eq!(decision["by"], "user/rules/chain.rhai:4");
    assert_eq!(
        (&decision["kernel"], &decision["why"]),
        (&"exhausted".into(), &"all was asked".into())
    );
    assert_eq!(decision["facts"]["empty_roles"], 3);
    assert_eq!(branch(&told, "rules")["calls"][0]["entry"], "verdict");
    // The guard spares the chain, and says so.
    bench.run(&["tick", "-q"]);
    let told = tree(&bench);
    assert_eq!(told["event"]["body"]["decision"]["by"], "the guard");
    bench.write("TODO.md", "- [ ] a\n");
    bench.run(&["tick", "-q"]);
    let told = tree(&bench);
    let item = sorted(&told, "work.todo", "TODO");
    assert_eq!(
        (&item["sort"], &item["sorted_by"]),
        (&"user".into(), &"user/rules/autonomy.rhai:3".into())
    );
}

#[test]
fn a_blind_tick_and_a_fault_name_their_place() {
    let bench = Bench::new();
    bench.user(
        "probes/work/own.rhai",
        format!("{META}fn look(ctx) {{\n    1 / 0\n}}\n"),
    );
    bench.run(&["tick", "-q"]);
    let told = tree(&bench);
    let decision = &told["event"]["body"]["decision"];
    assert_eq!(decision["why"], "could not be asked: work.own");
    assert_eq!(
        decision["facts"]["unavailable"],
        serde_json::json!(["work.own"])
    );
    let call = &branch(&told, "work.own")["calls"][0];
    assert_eq!(
        (&call["answer"], &call["line"]),
        (&"fault".into(), &3.into())
    );
    assert_eq!(call["source"], "user/probes/work/own.rhai");
}

#[test]
fn one_script_is_told_alone() {
    let bench = Bench::new();
    probe(&bench);
    bench.write("list.txt", "todo.open alpha\n");
    bench.write("TODO.md", "- [ ] b\n");
    bench.run(&["tick", "-q"]);
    let names = |script: &str| -> Vec<String> {
        let told = bench.run(&["explain", "--json", "--script", script]).json();
        let branches = told["tree"].as_array().unwrap().iter();
        branches
            .map(|b| b["name"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(names("probes/work/todo"), ["work.todo"]);
    assert_eq!(names("todo"), ["work.todo"]);
    assert_eq!(names("user/probes/work/own.rhai"), ["work.own"]);
    assert_eq!(
        names("probes/lib/own"),
        ["work.own"],
        "a library had its part in it"
    );
    assert_eq!(
        names("rules/autonomy"),
        ["work.own", "work.todo"],
        "it sorted the items"
    );
    let ran = bench.run(&["explain", "--script", "probes/work/tood"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("no script `probes/work/tood` had a part"),
        "{ran:?}"
    );
    assert!(ran.err.contains("probes/work/todo"), "{ran:?}");
}

#[test]
fn what_is_told_cannot_forge_a_line() {
    let bench = Bench::new();
    let forged = support::bench::FORGED;
    bench.user(
        "probes/work/own.rhai",
        format!("{META}fn look(ctx) {{\n    print(\"\\n{forged}\\n\\x1b[2J\");\n    fs::list(\".\");\n    found([item(#{{ id: \"\\n{forged}\", title: \"\\n{forged}\", at: \"\\n{forged}\", kind: \"\\n{forged}\" }})], \"\\n{forged}\")\n}}\n"),
    );
    bench.run(&["tick", "-q"]);
    for arguments in [
        &["explain"][..],
        &["explain", "--json"],
        &["explain", "--script", "own"],
    ] {
        assert_eq!(bench.run(arguments).code, Some(0));
    }
}

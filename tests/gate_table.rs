//! Gates against a truth table: random trees of `/and`, `/or` and numbers, written as texts of
//! the language, recognised and proven by a script, judged by the rule; beside it a reference
//! that knows nothing of all this.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use belegt::ask::Asking;
use belegt::gate::check::{Checked, Checker, Purpose};
use belegt::gate::judge::{Answer, GateRule};
use belegt::gate::methods;
use belegt::gate::normal::Document;
use belegt::gate::prove::Run;
use belegt::gate::words;
use belegt::lang;
use belegt::model::gate::{GateStatus, Mode};
use proptest::prelude::*;
use support::Stage;

/// How a condition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Unknown,
}

#[derive(Debug, Clone)]
enum Tree {
    Atom(usize),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

const ATOMS: usize = 5;

/// The proof method of these conditions: a file says how it stands.
const METHOD: &str = r#"
const META = #{ api: 1, about: "conditions of a test", cost: "cheap" };
fn recognise(text, ctx) {
    let number = text::capture(text, "^atom (\\d+)$");
    if number.len > 0 { condition(text, #{ file: "atoms/" + number.last }) }
}
fn prove(ctx, gate) {
    let file = fs::read(gate.params.file);
    if !file.ok { return unavailable("it cannot be asked"); }
    if file.text.contains("yes") { found("it is so") } else { empty("it is not so") }
}
"#;

impl Tree {
    /// Kleene's three values, written out.
    fn truth(&self, atoms: &[Truth]) -> Truth {
        match self {
            Tree::Atom(n) => atoms[*n],
            Tree::All(parts) => {
                let parts: Vec<Truth> = parts.iter().map(|part| part.truth(atoms)).collect();
                match () {
                    () if parts.contains(&Truth::No) => Truth::No,
                    () if parts.contains(&Truth::Unknown) => Truth::Unknown,
                    () => Truth::Yes,
                }
            }
            Tree::Any(parts) => {
                let parts: Vec<Truth> = parts.iter().map(|part| part.truth(atoms)).collect();
                match () {
                    () if parts.contains(&Truth::Yes) => Truth::Yes,
                    () if parts.contains(&Truth::Unknown) => Truth::Unknown,
                    () => Truth::No,
                }
            }
        }
    }

    /// The text of the tree; atoms of even numbers are named by their number.
    fn text(&self, is_inner: bool) -> String {
        let (parts, join) = match self {
            Tree::Atom(n) if n % 2 == 0 => return format!("condition {n}"),
            Tree::Atom(n) => return format!("atom {n}"),
            Tree::All(parts) => (parts, " /and "),
            Tree::Any(parts) => (parts, " /or "),
        };
        let parts: Vec<String> = parts.iter().map(|part| part.text(true)).collect();
        match (is_inner, parts.len()) {
            (_, 1) => parts[0].clone(),
            (true, _) => format!("({})", parts.join(join)),
            (false, _) => parts.join(join),
        }
    }

    fn names(&self, all: &mut Vec<usize>) {
        match self {
            Tree::Atom(n) => all.push(*n),
            Tree::All(parts) | Tree::Any(parts) => parts.iter().for_each(|part| part.names(all)),
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = (0..ATOMS).prop_map(Tree::Atom);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let parts = prop::collection::vec(inner, 1..4);
        prop_oneof![parts.clone().prop_map(Tree::All), parts.prop_map(Tree::Any)]
    })
}

fn truth() -> impl Strategy<Value = Truth> {
    prop_oneof![Just(Truth::Yes), Just(Truth::No), Just(Truth::Unknown)]
}

/// The document: the word, and the numbered conditions that the tree names.
fn document(tree: &Tree, mode: Mode) -> String {
    let mut names = Vec::new();
    tree.names(&mut names);
    names.sort_unstable();
    names.dedup();
    let numbered = names.iter().filter(|n| *n % 2 == 0);
    let mut text: String = numbered
        .map(|n| format!("/condition {n} atom {n}\n"))
        .collect();
    let word = match mode {
        Mode::Wait => "/if",
        Mode::Only => "/if-only",
    };
    text.push_str(&format!("{word} {} -> the step\n", tree.text(false)));
    text
}

fn checked(stage: &Stage, asking: &Asking, text: &str, purpose: Purpose) -> Checked {
    let words = words::load(asking).unwrap();
    let reading = lang::read("test", text, &words);
    assert!(reading.faults.is_empty(), "{text}: {:?}", reading.faults);
    assert_eq!(reading.statements.len(), 1, "{text}");
    let document = Document {
        asking,
        words: &words,
        order: &methods::order(asking, &words),
        name: "test",
        text,
        at: stage.now.rfc3339(),
        by: "test".to_string(),
    };
    let set = document.set("g000000000001", 0, &reading.statements[0]);
    let set = set.unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    let rule = GateRule::load(asking);
    let checker = Checker {
        asking,
        rule: &rule,
        run: Run {
            id: "run".to_string(),
            at: stage.now.rfc3339(),
        },
        now: stage.now,
        purpose,
    };
    checker.check(vec![set]).pop().unwrap()
}

fn stage(atoms: &[Truth]) -> Stage {
    let mut stage = Stage::new().script("probes/proofs/atom", METHOD);
    for (n, truth) in atoms.iter().enumerate() {
        stage = match truth {
            Truth::Yes => stage.file(&format!("atoms/{n}"), "yes"),
            Truth::No => stage.file(&format!("atoms/{n}"), "no"),
            Truth::Unknown => stage,
        };
    }
    stage
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_of_conditions_is_what_its_table_says(
        tree in tree(),
        atoms in prop::collection::vec(truth(), ATOMS),
        only in any::<bool>(),
        used in any::<bool>(),
    ) {
        let mode = if only { Mode::Only } else { Mode::Wait };
        let purpose = if used { Purpose::Use } else { Purpose::Look };
        let text = document(&tree, mode);
        let stage = stage(&atoms);
        let asking = stage.asking();
        let got = checked(&stage, &asking, &text, purpose);
        let truth = tree.truth(&atoms);
        let expected = match (truth, mode) {
            (Truth::Yes, _) => Answer::Yes,
            (Truth::No, Mode::Wait) => Answer::Wait,
            (Truth::Unknown, Mode::Wait) => Answer::Unasked,
            // What could not be asked is never true, and a prohibition stays one.
            (_, Mode::Only) => Answer::Forbidden,
        };
        prop_assert_eq!(got.answer, expected, "{} {:?}", text, got);
        let is_met = got.set.status() == GateStatus::Met;
        prop_assert_eq!(is_met, truth == Truth::Yes, "{}", text);
        prop_assert!(got.set.superfluous().is_empty(), "zombies: {}", text);
        for gate in &got.set.gates {
            let is_proven = gate.evidence.as_ref().is_some_and(|evidence| evidence.holds());
            prop_assert_eq!(gate.status == GateStatus::Met, is_proven, "{}", text);
        }
    }
}

//! The rules `autonomy` and `gate`: how an item is sorted, and what a gate does to its step; by
//! their tables or their functions.

use serde_json::{Map, Value, json};

use crate::ask::Asking;
use crate::gate::judge::GateRule;
use crate::model::item::Item;
use crate::script::answer::SeenItem;
use crate::tick::locks::Locks;
use crate::tick::rules::Rules;
use crate::tick::sort::Sorter;

use crate::cases::case::Case;
use crate::cases::told::Told;

/// Sorts the item of a case.
pub fn sort(case: &Case, asking: &Asking) -> Result<Told, String> {
    let Some(given) = &case.item else {
        return Err("a case of `rules/autonomy` needs `item`".to_string());
    };
    let item = item(given);
    let mut rules = Rules::load(asking);
    let mut locks = Locks::new(asking);
    let effects = case.effects.iter().cloned().collect();
    let mut sorter = Sorter {
        asking,
        rules: &mut rules,
        state: Some(&Default::default()),
        effects: &effects,
        paused_by: None,
        locks: &mut locks,
        calls: Vec::new(),
    };
    let seen = SeenItem {
        item,
        due: None,
        source: "".into(),
        line: 0,
    };
    let pile = sorter.pile(&text(given, "source", "work.todo"), vec![seen]);
    let calls = std::mem::take(&mut sorter.calls);
    let sorted = pile.items.first();
    let got = json!({
        "sort": sorted.map(|item| item.sort),
        "why": sorted.map(|item| &item.why),
        "lasting": sorted.map(|item| item.lasting),
        "faults": rules.faults,
    });
    Ok(Told::new(got, &calls))
}

/// What a gate of the case does to its step.
pub fn step(case: &Case, asking: &Asking) -> Result<Told, String> {
    let (Some(given), Some(finding)) = (&case.gate, case.finding) else {
        return Err("a case of `rules/gate` needs `gate` and `finding`".to_string());
    };
    let set = super::proof::set(case, "none", given);
    let (answer, why) = GateRule::load(asking).judge(asking, &set, finding);
    let got = json!({ "answer": answer.word(), "why": why });
    Ok(Told::new(got, &[]))
}

/// The item as it is given; what is left out is something harmless.
fn item(given: &Map<String, Value>) -> Item {
    Item {
        id: text(given, "id", "1"),
        title: text(given, "title", "an item"),
        at: text(given, "at", "TODO.md:1"),
        kind: text(given, "kind", ""),
        priority: 5,
        detail: text(given, "detail", ""),
    }
}

fn text(given: &Map<String, Value>, key: &str, default: &str) -> String {
    let given = given.get(key).and_then(Value::as_str);
    given.unwrap_or(default).to_string()
}

//! What came out of a played case, as plain data: what `expect` is compared with.

use serde_json::{Value, json};

use crate::ask::CallRecord;
use crate::model::moment::Moment;
use crate::model::receipt::{Outcome, Receipt};
use crate::script::answer::SeenItem;
use crate::tick::outcome::Sorted;

use super::stage::{HOME, ROOT};

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Every word that `expect` may ask for.
    pub got: Value,
    /// `script:line` of what made the answer.
    pub made_at: Option<String>,
}

impl Told {
    /// An outcome whose answer was made by the last of these calls.
    pub fn new(mut got: Value, calls: &[CallRecord]) -> Self {
        // The same looks, for those that must not have been made.
        let looks = got.get("evidence").cloned();
        if let (Some(looks), Value::Object(fields)) = (looks, &mut got) {
            fields.insert("not_asked".to_string(), looks);
        }
        let made_at = calls.last().filter(|call| call.line > 0);
        Told {
            got,
            made_at: made_at.map(|call| format!("{}:{}", call.source, call.line)),
        }
    }
}

/// The looks of calls, a line each: `fs::read TODO.md`, `cmd::run usmc working --json (failed)`.
pub fn evidence(calls: &[CallRecord]) -> Vec<String> {
    let receipts = calls.iter().flat_map(|call| &call.receipts);
    receipts.map(look).collect()
}

/// One look, with paths as a case writes them.
pub fn look(receipt: &Receipt) -> String {
    let how = match receipt.outcome {
        Outcome::Answered => "",
        Outcome::Missing => " (missing)",
        Outcome::Failed => " (failed)",
        Outcome::Refused => " (refused)",
    };
    let asked = receipt
        .asked
        .replace(&format!("{ROOT}/"), "")
        .replace(ROOT, ".")
        .replace(HOME, "~");
    format!("{} {asked}{how}", receipt.function)
}

/// Items as a probe gave them.
pub fn seen(items: &[SeenItem], now: Moment) -> Vec<Value> {
    let items = items.iter().map(|seen| {
        let due = seen
            .due
            .and_then(|due| chrono::DateTime::from_timestamp(due, 0));
        json!({
            "id": seen.item.id,
            "title": seen.item.title,
            "at": seen.item.at,
            "kind": seen.item.kind,
            "priority": seen.item.priority,
            "detail": seen.item.detail,
            "due": due.map(|due| Moment::new(due, now.zone()).rfc3339()),
            "made_at": seen.made_at(),
        })
    });
    items.collect()
}

/// Items as a tick sorted them.
pub fn sorted(items: &[Sorted]) -> Vec<Value> {
    items.iter().map(crate::tick::event::item).collect()
}

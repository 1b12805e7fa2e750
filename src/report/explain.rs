//! A stored tick, told: each call, the looks behind it, and the line that made each answer.

use std::fmt::Write as _;

use serde_json::Value;

use crate::app::explain::Explained;
use crate::model::text::{escape, short};

/// The whole story.
pub fn tick(explained: &Explained) -> String {
    let event = &explained.event;
    let mut text = format!("tick {}\n", event.draft.id);
    let _ = writeln!(text, "  at       {}", escape(&event.draft.at));
    let _ = writeln!(text, "  said     {}", escape(explained.text("signal")));
    let _ = writeln!(text, "  stored   event {} of the ledger", event.seq);
    let guard = event.draft.body.get("guard");
    let word = |key: &str| {
        guard
            .and_then(|g| g.get(key))
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let _ = writeln!(text, "  guard    {}", short(word("why"), 200));
    let _ = writeln!(text, "  print    {}", short(word("fingerprint"), 70));
    calls(&mut text, explained);
    section(&mut text, "work", explained.list("items"));
    section(&mut text, "for the person", explained.list("bundle"));
    section(&mut text, "in nobody's way", explained.list("rest"));
    text
}

fn calls(text: &mut String, explained: &Explained) {
    let _ = writeln!(text, "\ncalls");
    for call in explained.list("calls") {
        let _ = writeln!(
            text,
            "  {}  {}  {} ({} us)",
            field(call, "script"),
            field(call, "entry"),
            field(call, "answer"),
            number(call, "micros"),
        );
        // Plain values bear no line.
        let line = match number(call, "line") {
            0 => String::new(),
            line => format!("line {line}: "),
        };
        let _ = writeln!(text, "     {line}{}", short(&field(call, "why"), 300));
        let receipts = call.get("receipts").and_then(Value::as_array);
        for receipt in receipts.into_iter().flatten() {
            let digest: String = field(receipt, "digest").chars().take(12).collect();
            let _ = writeln!(
                text,
                "     - line {}: {} {}: {}, {} bytes {digest}",
                number(receipt, "line"),
                field(receipt, "function"),
                short(&field(receipt, "asked"), 120),
                field(receipt, "outcome"),
                number(receipt, "length"),
            );
        }
    }
}

fn section(text: &mut String, heading: &str, items: &[Value]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{heading}");
    for item in items {
        let title = short(&field(item, "title"), 80);
        let _ = writeln!(text, "  {}  {title}", field(item, "id"));
        let _ = writeln!(text, "     {}: {}", field(item, "kind"), field(item, "why"));
    }
}

fn field(value: &Value, key: &str) -> String {
    escape(value.get(key).and_then(Value::as_str).unwrap_or_default())
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

//! A tried expression: its value, what it printed, and what was looked at.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::attempt::Tried;
use crate::model::receipt::Receipt;
use crate::model::text::{escape, short};

/// The value first, the looks behind it.
pub fn text(tried: &Tried) -> String {
    let mut text = String::new();
    for line in &tried.lines {
        let _ = writeln!(text, "  {line}");
    }
    for line in tried.record.printed.lines() {
        let _ = writeln!(text, "  printed: {}", short(line, 500));
    }
    if !tried.record.receipts.is_empty() {
        text.push_str("Looked at\n");
    }
    for receipt in &tried.record.receipts {
        let _ = writeln!(text, "  {}", look(receipt));
    }
    text
}

fn look(receipt: &Receipt) -> String {
    let outcome = match receipt.outcome {
        crate::model::receipt::Outcome::Answered => format!("{} bytes", receipt.length),
        crate::model::receipt::Outcome::Missing => "nothing there".to_string(),
        crate::model::receipt::Outcome::Failed => "failed".to_string(),
        crate::model::receipt::Outcome::Refused => "refused".to_string(),
    };
    format!(
        "{} {}: {outcome}",
        escape(&receipt.function),
        short(&receipt.asked, 200)
    )
}

/// The same as one object.
pub fn json(tried: &Tried) -> Value {
    json!({
        "belegt": 1,
        "kind": "try",
        "value": tried.lines,
        "call": tried.record,
    })
}

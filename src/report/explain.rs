//! A stored tick, told as a tree: how it was decided, and under each source its calls, the looks
//! behind them, the line that made each answer, and each item with the row that sorted it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::explain::{Branch, Explained};
use crate::model::text::{escape, short};

/// The whole story.
pub fn tick(explained: &Explained) -> String {
    let event = &explained.event;
    let mut text = format!("tick {}\n", event.draft.id);
    let _ = writeln!(text, "  at       {}", escape(&event.draft.at));
    let _ = writeln!(text, "  said     {}", escape(explained.text("signal")));
    let _ = writeln!(text, "  stored   event {} of the ledger", event.seq);
    decision(&mut text, explained);
    for one in &explained.branches {
        branch(&mut text, one);
    }
    text
}

/// The same as one object: the stored event, and the tree.
pub fn json(explained: &Explained) -> Value {
    json!({
        "belegt": 1,
        "kind": "explain",
        "event": explained.event,
        "tree": explained.branches,
    })
}

fn decision(text: &mut String, explained: &Explained) {
    let none = Value::Null;
    let decision = explained.body("decision").unwrap_or(&none);
    let facts = decision.get("facts").unwrap_or(&none);
    if !decision.is_null() {
        let _ = writeln!(
            text,
            "  decided  by {}: {}",
            field(decision, "by"),
            short(&field(decision, "why"), 300)
        );
        let _ = writeln!(
            text,
            "  facts    {} open, {} for the person, {} empty roles, inbox {}, unavailable: {}",
            number(facts, "open_work"),
            number(facts, "user_items"),
            number(facts, "empty_roles"),
            field(facts, "inbox"),
            names(facts.get("unavailable"))
        );
    }
    let guard = explained.body("guard").unwrap_or(&none);
    for (name, key) in [("guard", "why"), ("print", "fingerprint")] {
        let told = short(&field(guard, key), 200);
        if !told.is_empty() {
            let _ = writeln!(text, "  {name}    {told}");
        }
    }
}

fn names(list: Option<&Value>) -> String {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    let names: Vec<&str> = list.filter_map(Value::as_str).collect();
    match names.is_empty() {
        true => "none".to_string(),
        false => escape(&names.join(", ")),
    }
}

fn branch(text: &mut String, branch: &Branch) {
    let _ = write!(text, "\n{}", escape(&branch.name));
    if !branch.status.is_empty() {
        let why = short(&branch.why, 300);
        let _ = write!(text, "  {}: {why}", escape(&branch.status));
    }
    text.push('\n');
    for one in &branch.calls {
        call(text, one);
    }
    for one in &branch.items {
        item(text, one);
    }
}

fn call(text: &mut String, call: &Value) {
    let _ = writeln!(
        text,
        "  {}  {}  {} us",
        field(call, "entry"),
        field(call, "script"),
        number(call, "micros"),
    );
    let why = short(&field(call, "why"), 300);
    let place = match (number(call, "line"), field(call, "source")) {
        // Plain values bear no line.
        (0, _) => String::new(),
        (line, source) if source == field(call, "script") => format!(" in line {line}"),
        (line, source) => format!(" in {source}:{line}"),
    };
    let _ = writeln!(text, "    -> {}{place}: {why}", field(call, "answer"));
    let receipts = call.get("receipts").and_then(Value::as_array);
    for receipt in receipts.into_iter().flatten() {
        look(text, call, receipt);
    }
    let printed = field(call, "printed");
    if !printed.is_empty() {
        let _ = writeln!(text, "    printed  {}", short(&printed, 500));
    }
    limits(text, call);
}

fn look(text: &mut String, call: &Value, receipt: &Value) {
    let digest: String = field(receipt, "digest").chars().take(12).collect();
    let place = match field(receipt, "script") {
        script if script == field(call, "script") => "line ".to_string(),
        script => format!("{script}:"),
    };
    let shared = match receipt.get("shared").and_then(Value::as_bool) {
        Some(true) => ", shared",
        _ => "",
    };
    let _ = writeln!(
        text,
        "    - {place}{}: {} {}: {}, {} bytes {digest} {} us{shared}",
        number(receipt, "line"),
        field(receipt, "function"),
        short(&field(receipt, "asked"), 120),
        field(receipt, "outcome"),
        number(receipt, "length"),
        number(receipt, "micros"),
    );
}

/// What the call used of each limit.
fn limits(text: &mut String, call: &Value) {
    let Some(limits) = call.get("limits") else {
        return;
    };
    let of = |key: &str| {
        let limit = limits.get(key).unwrap_or(&Value::Null);
        (number(limit, "used"), number(limit, "of"))
    };
    let ((steps, most_steps), (looks, most_looks)) = (of("steps"), of("looks"));
    let ((worked, most_work), (took, within)) = (of("script_micros"), of("micros"));
    let _ = writeln!(
        text,
        "    used {steps} of {most_steps} steps, {worked} us of {} s script time, {looks} of {most_looks} looks, {took} us of {} s",
        seconds(most_work),
        seconds(within)
    );
}

fn item(text: &mut String, item: &Value) {
    let title = short(&field(item, "title"), 80);
    let _ = writeln!(text, "  item {}  {title}", field(item, "id"));
    let made = field(item, "made_at");
    if !made.is_empty() {
        let _ = writeln!(text, "    made at {made}, kind {}", field(item, "kind"));
    }
    let _ = writeln!(
        text,
        "    -> {} by {}: {}",
        field(item, "sort"),
        field(item, "sorted_by"),
        short(&field(item, "why"), 300)
    );
}

/// Seconds with one decimal.
fn seconds(micros: u64) -> String {
    let tenths = micros.saturating_add(50_000) / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn field(value: &Value, key: &str) -> String {
    escape(value.get(key).and_then(Value::as_str).unwrap_or_default())
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

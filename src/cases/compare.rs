//! What was expected against what came out.
//!
//! A map expects only the keys that it names; a list expects exactly its elements, in order; in
//! a text `...` stands for anything. `evidence` expects that each look was made, among others,
//! and `not_asked` that none of its looks was. An empty list, an empty map and `()` expect that
//! there is nothing.
//!
//! INVARIANT: a key that nothing answers to is a difference, so a misspelt expectation fails.

use serde_json::{Map, Value};

/// One thing that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Which: `why`, `items[0].title`.
    pub what: String,
    /// What was expected.
    pub expected: String,
    /// What came out.
    pub got: String,
}

/// Every difference.
pub fn compare(expected: &Value, got: &Value) -> Vec<Difference> {
    let mut differences = Vec::new();
    walk("", (expected, got), &mut differences);
    differences
}

fn walk(what: &str, (expected, got): (&Value, &Value), all: &mut Vec<Difference>) {
    match (expected, got) {
        (Value::Object(wanted), Value::Object(fields)) if !wanted.is_empty() => {
            map(what, (wanted, fields), all);
        }
        (Value::Array(wanted), Value::Array(found)) if wanted.len() == found.len() => {
            for (index, pair) in wanted.iter().zip(found).enumerate() {
                walk(&format!("{what}[{index}]"), pair, all);
            }
        }
        (Value::Array(wanted), Value::Array(found)) => all.push(Difference {
            what: what.to_string(),
            expected: count(wanted),
            got: format!("{}: {}", count(found), shown(got)),
        }),
        (Value::String(pattern), Value::String(text)) if fits(pattern, text) => {}
        (expected, got) if expected == got => {}
        (expected, got) => all.push(Difference {
            what: what.to_string(),
            expected: shown(expected),
            got: shown(got),
        }),
    }
}

type Fields = Map<String, Value>;

/// Each key that is named; a key of an item that no item has is never one that is empty.
fn map(what: &str, (wanted, fields): (&Fields, &Fields), all: &mut Vec<Difference>) {
    for (key, value) in wanted {
        let below = joined(what, key);
        let found = fields.get(key).unwrap_or(&Value::Null);
        match (key.as_str(), value, found) {
            (_, Value::Null, _) if is_item(what) && !fields.contains_key(key) => {
                all.push(Difference {
                    what: below,
                    expected: shown(value),
                    got: format!("no such key; there is {}", keys(fields)),
                });
            }
            ("evidence", Value::Array(wanted), Value::Array(looks)) if !wanted.is_empty() => {
                looked(&below, (wanted, looks), all);
            }
            ("not_asked", Value::Array(wanted), Value::Array(looks)) => {
                not_looked(&below, (wanted, looks), all);
            }
            _ => walk(&below, (value, found), all),
        }
    }
}

/// Whether this is an item, of which every key is known.
fn is_item(what: &str) -> bool {
    let list = what.split_once('[').map(|(list, _)| list);
    list.is_some_and(|list| matches!(list, "items" | "bundle" | "rest")) && what.ends_with(']')
}

fn keys(fields: &Map<String, Value>) -> String {
    let all: Vec<String> = fields.keys().map(|key| format!("`{key}`")).collect();
    all.join(", ")
}

/// Each expected look must be among those that were made.
fn looked(what: &str, (wanted, looks): (&[Value], &[Value]), all: &mut Vec<Difference>) {
    for pattern in wanted {
        let text = pattern.as_str().unwrap_or_default();
        let is_made = |look: &Value| look.as_str().is_some_and(|look| fits(text, look));
        if !looks.iter().any(is_made) {
            all.push(Difference {
                what: what.to_string(),
                expected: shown(pattern),
                got: shown(&Value::Array(looks.to_vec())),
            });
        }
    }
}

/// None of these looks may be among those that were made.
fn not_looked(what: &str, (wanted, looks): (&[Value], &[Value]), all: &mut Vec<Difference>) {
    for pattern in wanted {
        let text = pattern.as_str().unwrap_or_default();
        let made = looks.iter().filter_map(Value::as_str);
        for look in made.filter(|look| fits(text, look)) {
            all.push(Difference {
                what: what.to_string(),
                expected: format!("no look `{text}`"),
                got: format!("`{look}`"),
            });
        }
    }
}

fn joined(what: &str, key: &str) -> String {
    match what {
        "" => key.to_string(),
        what => format!("{what}.{key}"),
    }
}

fn count(list: &[Value]) -> String {
    crate::model::text::plural(list.len(), "entry", "entries")
}

/// A value as it is shown; nothing is `()`, as in a case.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "()".to_string(),
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    }
}

/// Whether a text fits a pattern in which `...` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            match rest.split_once(middle) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn three_dots_stand_for_anything() {
        let table = [
            ("abc", "abc", true),
            ("abc", "abcd", false),
            ("a...", "abc", true),
            ("...c", "abc", true),
            ("a...c", "abc", true),
            ("a...b...c", "axbyc", true),
            ("a...b...c", "axcyb", false),
            ("aa...aa", "aaa", false),
            ("...", "", true),
            ("", "x", false),
        ];
        for (pattern, text, is_fit) in table {
            assert_eq!(fits(pattern, text), is_fit, "{pattern} {text}");
        }
    }

    #[test]
    fn a_map_expects_the_keys_that_it_names_and_a_list_all_of_its_elements() {
        let got = json!({
            "a": 1, "items": [{ "id": "x", "n": 2 }], "evidence": ["r A", "r B"],
            "not_asked": ["r A", "r B"], "map": { "k": 1 }, "none": {},
        });
        let table = [
            (json!({ "a": 1 }), 0),
            (json!({ "a": 2 }), 1),
            (json!({ "items": [{ "id": "x" }] }), 0),
            (json!({ "items": [{ "id": "y", "n": 3 }] }), 2),
            (json!({ "items": [] }), 1),
            (json!({ "evidence": ["r B"] }), 0),
            (json!({ "evidence": ["r C", "r ..."] }), 1),
            (json!({ "evidence": [] }), 1),
            (json!({ "not_asked": ["r A"] }), 1),
            (json!({ "not_asked": ["r C", "x..."] }), 0),
            (json!({ "map": {} }), 1),
            (json!({ "none": {} }), 0),
            (json!({ "items": [{ "titel": null }] }), 1),
            (json!({ "missing": null }), 0),
            (json!({ "missing": "x" }), 1),
            (json!({ "a": "1" }), 1),
        ];
        for (expected, differences) in table {
            assert_eq!(compare(&expected, &got).len(), differences, "{expected}");
        }
    }
}

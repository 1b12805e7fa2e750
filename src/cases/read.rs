//! From the plain data of a case to the typed one.
//!
//! INVARIANT: an unknown key, a wrong type and a missing `at` are faults with their place; a
//! key that is not understood is never passed over.

use serde_json::{Map, Value};

use crate::diag::Fault;
use crate::script::cases::CaseFile;
use crate::script::names::closest;

use super::case::Case;
use super::needs;

/// The keys of a case.
pub const KEYS: &[&str] = &[
    "name",
    "script",
    "at",
    "zone",
    "files",
    "commands",
    "environment",
    "git",
    "processes",
    "machine",
    "fails",
    "roots",
    "grants",
    "refused",
    "settings",
    "site",
    "host",
    "project",
    "language",
    "tests",
    "baseline",
    "notes",
    "settled",
    "ledger",
    "gates",
    "absent",
    "effects",
    "text",
    "prove",
    "gate",
    "reply",
    "finding",
    "record",
    "item",
    "expect",
];

/// Reads one case of a file.
///
/// # Errors
/// It is not written as it must be; the fault says where.
pub fn read(file: &CaseFile, index: usize, value: &Value) -> Result<Case, Fault> {
    let Value::Object(fields) = value else {
        return Err(file.fault(index, None, "a case must be a map".to_string()));
    };
    if let Some(key) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let near = closest(key, KEYS.iter().copied());
        let hint = near.map(|n| format!("; did you mean `{n}`?"));
        let message = format!("a case has no key `{key}`{}", hint.unwrap_or_default());
        return Err(file.fault(index, Some(key), message));
    }
    for (key, what) in REQUIRED {
        if !fields.contains_key(*key) {
            return Err(file.fault(index, None, format!("a case needs `{key}`: {what}")));
        }
    }
    let mut case: Case = typed(file, index, fields)?;
    if case.script.is_empty() {
        let Some(script) = &file.script else {
            let message = "a case needs `script`: what it plays, here or in `META`".to_string();
            return Err(file.fault(index, None, message));
        };
        case.script.clone_from(script);
    }
    if case.expect.is_empty() {
        let message = "`expect` is empty, so the case could not fail".to_string();
        return Err(file.fault(index, Some("expect"), message));
    }
    let expect = |why: String| ("expect", why);
    let record = |why: String| ("record", why);
    let wrong = needs::misplaced(&case)
        .or_else(|| needs::record(&case).map(record))
        .or_else(|| needs::idle(&case).map(expect));
    match wrong {
        Some((key, why)) => Err(file.fault(index, Some(key), why)),
        None => Ok(case),
    }
}

const REQUIRED: &[(&str, &str)] = &[
    ("name", "what it shows, in one line"),
    (
        "at",
        "the instant at which it is played, such as `\"2026-11-30T10:00:00+01:00\"`",
    ),
    ("expect", "what must come out"),
];

/// The case, typed. Where one key is wrong, the fault stands at it.
fn typed(file: &CaseFile, index: usize, fields: &Map<String, Value>) -> Result<Case, Fault> {
    match serde_json::from_value(Value::Object(fields.clone())) {
        Ok(case) => Ok(case),
        Err(error) => {
            let wrong = fields.keys().find(|key| is_wrong(fields, key));
            let message = match wrong {
                Some(key) => format!("`{key}`: {error}"),
                None => error.to_string(),
            };
            Err(file.fault(index, wrong.map(String::as_str), message))
        }
    }
}

/// Whether a case of the three needed keys and this one is wrong.
fn is_wrong(fields: &Map<String, Value>, key: &str) -> bool {
    let mut least = Map::new();
    for (needed, value) in [
        ("name", "x".into()),
        ("at", "x".into()),
        ("expect", Map::new().into()),
    ] {
        least.insert(needed.to_string(), value);
    }
    if let Some(value) = fields.get(key) {
        least.insert(key.to_string(), value.clone());
    }
    serde_json::from_value::<Case>(Value::Object(least)).is_err()
}

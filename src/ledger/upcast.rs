//! Reading stored bytes: old envelope versions are lifted while they are read.
//!
//! INVARIANT: stored bytes are never rewritten. An upcaster turns the JSON of one version into
//! the JSON of the next, in memory. A version that this belegt does not know is an error.

use serde::Deserialize;
use serde_json::Value;

use super::event::{Event, VERSION};
use super::fault::LedgerFault;

/// Lifts the JSON of an envelope by one version; the field `v` is set by the caller.
type Upcaster = fn(Value) -> Result<Value, String>;

/// The upcaster at place `n` lifts version `n + 1` to `n + 2`. Version 1 is the only one.
const UPCASTERS: [Upcaster; (VERSION - 1) as usize] = [];

/// Why the bytes of an event could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// A newer belegt wrote them.
    Newer {
        /// The version that stands there.
        found: u32,
    },
    /// They are damaged.
    Broken {
        /// Number of the event.
        seq: u64,
        /// What is wrong, in words.
        why: String,
    },
}

impl Unreadable {
    /// Damage of the event with that number.
    pub fn broken(seq: u64, why: impl Into<String>) -> Self {
        Unreadable::Broken {
            seq,
            why: why.into(),
        }
    }

    /// The fault of the ledger at `place`.
    pub fn at(self, place: &str) -> LedgerFault {
        match self {
            Unreadable::Newer { found } => LedgerFault::Newer {
                path: place.to_string(),
                found,
                known: VERSION,
            },
            Unreadable::Broken { seq, why } => LedgerFault::Corrupt {
                path: place.to_string(),
                detail: format!("event {seq}: {why}"),
            },
        }
    }
}

#[derive(Deserialize)]
struct Versioned {
    v: u32,
}

/// Whether the bytes begin as this belegt writes them; saves reading them as a whole.
pub fn is_current(bytes: &[u8]) -> bool {
    bytes.starts_with(format!("{{\"v\":{VERSION},").as_bytes())
}

/// Reads the bytes of the event with that number, whatever known version they have.
pub fn read(seq: u64, bytes: &[u8]) -> Result<Event, Unreadable> {
    let broken = |e: serde_json::Error| Unreadable::broken(seq, format!("it cannot be read, {e}"));
    if is_current(bytes) {
        return serde_json::from_slice(bytes).map_err(broken);
    }
    let found = serde_json::from_slice::<Versioned>(bytes)
        .map_err(broken)?
        .v;
    let value = serde_json::from_slice(bytes).map_err(broken)?;
    let value = lift(value, found, &UPCASTERS).map_err(|e| match e {
        NotLifted::Newer => Unreadable::Newer { found },
        NotLifted::Why(why) => Unreadable::broken(seq, why),
    })?;
    serde_json::from_value(value).map_err(broken)
}

#[derive(Debug, PartialEq, Eq)]
enum NotLifted {
    Newer,
    Why(String),
}

/// Lifts `value` from version `from` through all upcasters that follow.
fn lift(mut value: Value, from: u32, upcasters: &[Upcaster]) -> Result<Value, NotLifted> {
    let Some(place) = from.checked_sub(1).map(|p| p as usize) else {
        return Err(NotLifted::Why("there is no version 0".to_string()));
    };
    if place > upcasters.len() {
        return Err(NotLifted::Newer);
    }
    for (version, upcaster) in (from..).zip(upcasters.iter().skip(place)) {
        value = upcaster(value).map_err(NotLifted::Why)?;
        match value.get_mut("v") {
            Some(v) => *v = Value::from(version + 1),
            None => return Err(NotLifted::Why("it has no version".to_string())),
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Head;
    use crate::ledger::event::seal;
    use crate::ledger::event::tests::draft;
    use serde_json::json;

    fn renamed(mut value: Value) -> Result<Value, String> {
        let old = value["when"].take();
        value["at"] = old;
        Ok(value)
    }

    fn with_zone(mut value: Value) -> Result<Value, String> {
        value["zone"] = json!("UTC");
        Ok(value)
    }

    #[test]
    fn versions_are_lifted_one_by_one_and_a_newer_one_is_refused() {
        let steps: [Upcaster; 2] = [renamed, with_zone];
        let old = json!({"v": 1, "when": "t"});
        let lifted = lift(old, 1, &steps).unwrap();
        assert_eq!(lifted["v"], 3);
        assert_eq!(lifted["at"], "t");
        assert_eq!(lifted["zone"], "UTC");
        let middle = lift(json!({"v": 2, "at": "t"}), 2, &steps).unwrap();
        assert_eq!(middle["zone"], "UTC");
        assert_eq!(lift(json!({"v": 4}), 4, &steps), Err(NotLifted::Newer));
        assert!(matches!(
            lift(json!({"v": 0}), 0, &steps),
            Err(NotLifted::Why(_))
        ));
    }

    #[test]
    fn bytes_of_a_newer_belegt_are_newer_and_others_broken() {
        let stored = seal(&draft("e", "x.y", json!({})), &Head::genesis()).unwrap();
        assert!(is_current(&stored.bytes));
        assert_eq!(read(1, &stored.bytes).unwrap().draft.id, "e");
        let text = String::from_utf8(stored.bytes).unwrap();
        let newer = text.replacen("\"v\":1", "\"v\":2", 1);
        assert_eq!(
            read(1, newer.as_bytes()),
            Err(Unreadable::Newer { found: 2 })
        );
        for wrong in [
            "",
            "{}",
            "[1]",
            &text.replacen("\"v\":1", "\"v\":0", 1),
            "{\"v\":1,\"id\":\"e\"",
        ] {
            assert!(
                matches!(read(1, wrong.as_bytes()), Err(Unreadable::Broken { .. })),
                "{wrong}"
            );
        }
        let spaced = text.replacen("{\"v\":1", "{ \"v\": 1", 1);
        assert_eq!(read(1, spaced.as_bytes()).unwrap().draft.id, "e");
    }
}

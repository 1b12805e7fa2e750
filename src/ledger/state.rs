//! The projection: what the events add up to, and the only way it changes.
//!
//! [`changes`] reads one event and nothing else, so that a table store and the in-memory model
//! apply the very same steps. Projections are rebuilt when [`NUMBER`] changes.
//!
//! INVARIANT: the state is a function of the events and their order, of nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::item::SettledAs;

use super::body::{self, RecordBody};
use super::event::Event;
use super::upcast::Unreadable;

/// Raised whenever [`changes`], [`State`] or the [gates](super::gates) beside it change their
/// meaning, or the way they are stored.
pub const NUMBER: u32 = 3;

/// What the events add up to. Keys of items are `source:id`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time of the first tick, RFC 3339 with zone offset.
    pub first_tick: Option<String>,
    /// The newest result of a chain run, if no hand-out came after it.
    pub record: Option<Record>,
    /// Signal and digest of what the newest tick printed for the user.
    pub last: Option<Last>,
    /// News that were dealt with.
    pub settled: BTreeMap<String, Settled>,
    /// Items that were handed out as work, with how often.
    pub handed: BTreeMap<String, Handed>,
    /// Open notes by id.
    pub notes: BTreeMap<String, Note>,
}

/// The guard's record: the newest chain run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// `exhausted`, `blind`, `found` or `user-only`.
    pub result: String,
    /// The fingerprint that was taken in that tick.
    pub fingerprint: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
    /// Id of the tick event.
    pub tick: String,
}

/// What the newest tick said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// Id of the tick event.
    pub tick: String,
    /// The line it printed.
    pub signal: String,
    /// Digest of the user bundle, so that it is printed in full only when it changed.
    pub bundle: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
}

/// How an item of news was dealt with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Digest of the item as it was then.
    pub digest: String,
    /// How.
    pub how: SettledAs,
    /// Why, in words.
    pub because: String,
    /// Who.
    pub by: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
    /// Digest of HEAD and the work tree at that moment, where the kernel took one.
    pub tree: String,
}

/// How often an item was handed out without change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Digest of the item.
    pub digest: String,
    /// Digest of HEAD and the work tree.
    pub tree: String,
    /// How often, with both unchanged.
    pub count: u32,
}

/// A note in the embedded memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The text.
    pub text: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
    /// Who.
    pub actor: String,
}

/// One step of the projection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Set the time of the first tick, unless one is set.
    First(String),
    /// Set what the newest tick said.
    Last(Last),
    /// Set the guard's record, or clear it.
    Record(Option<Record>),
    /// Put a settled item.
    Settle(String, Settled),
    /// Forget that an item was settled: it was away.
    Lapse(String),
    /// Put the hand-out count of an item.
    Hand(String, Handed),
    /// Forget the hand-outs of an item.
    Unhand(String),
    /// Put a note.
    Note(String, Note),
}

impl State {
    /// Applies one step. Nothing else changes a state.
    pub fn apply(&mut self, change: Change) {
        match change {
            Change::First(at) => {
                self.first_tick.get_or_insert(at);
            }
            Change::Last(last) => self.last = Some(last),
            Change::Record(record) => self.record = record,
            Change::Settle(key, settled) => {
                self.settled.insert(key, settled);
            }
            Change::Lapse(key) => {
                self.settled.remove(&key);
            }
            Change::Hand(key, handed) => {
                self.handed.insert(key, handed);
            }
            Change::Unhand(key) => {
                self.handed.remove(&key);
            }
            Change::Note(id, note) => {
                self.notes.insert(id, note);
            }
        }
    }

    /// Applies all that one event means.
    pub fn take(&mut self, event: &Event) -> Result<(), Unreadable> {
        for change in changes(event)? {
            self.apply(change);
        }
        Ok(())
    }
}

/// The steps that one event means, in order. Unknown kinds mean none; a body of a known kind
/// that cannot be read is damage.
pub fn changes(event: &Event) -> Result<Vec<Change>, Unreadable> {
    match event.draft.kind.as_str() {
        body::TICK_JUDGED => judged(event),
        body::NEWS_SETTLED => settled(event),
        body::NOTE_ADDED => noted(event),
        _ => Ok(Vec::new()),
    }
}

/// The body of an event of a known kind.
pub(super) fn body<'a, T: Deserialize<'a>>(event: &'a Event) -> Result<T, Unreadable> {
    T::deserialize(&event.draft.body).map_err(|e| {
        let kind = crate::model::text::escape(&event.draft.kind);
        Unreadable::broken(
            event.seq,
            format!("the body of `{kind}` cannot be read, {e}"),
        )
    })
}

fn judged(event: &Event) -> Result<Vec<Change>, Unreadable> {
    let body: body::TickJudged = body(event)?;
    let tick = &event.draft.id;
    let mut changes = Vec::new();
    if body.first {
        changes.push(Change::First(event.draft.at.clone()));
    }
    changes.push(Change::Last(Last {
        tick: tick.clone(),
        signal: body.signal,
        bundle: body.bundle_digest,
        at: event.draft.at.clone(),
    }));
    match body.record {
        None => {}
        Some(RecordBody::Word(body::Broken::Broken)) => changes.push(Change::Record(None)),
        Some(RecordBody::Run {
            result,
            fingerprint,
            at,
        }) => changes.push(Change::Record(Some(Record {
            result,
            fingerprint,
            at,
            tick: tick.clone(),
        }))),
    }
    changes.extend(body.lapsed.into_iter().map(Change::Lapse));
    changes.extend(body.handed.into_iter().map(|h| {
        let handed = Handed {
            digest: h.digest,
            tree: h.tree,
            count: h.count,
        };
        Change::Hand(h.key, handed)
    }));
    changes.extend(body.unhanded.into_iter().map(Change::Unhand));
    Ok(changes)
}

fn settled(event: &Event) -> Result<Vec<Change>, Unreadable> {
    let body: body::NewsSettled = body(event)?;
    let settle = |item: body::SettledBody| {
        let settled = Settled {
            digest: item.digest,
            how: body.how,
            because: body.because.clone(),
            by: event.draft.actor.shown().to_string(),
            at: event.draft.at.clone(),
            tree: body.tree.clone(),
        };
        Change::Settle(item.key, settled)
    };
    Ok(body.items.into_iter().map(settle).collect())
}

fn noted(event: &Event) -> Result<Vec<Change>, Unreadable> {
    let body: body::NoteAdded = body(event)?;
    let note = Note {
        text: body.text,
        at: event.draft.at.clone(),
        actor: event.draft.actor.shown().to_string(),
    };
    Ok(vec![Change::Note(event.draft.id.clone(), note)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::event::tests::draft;
    use crate::ledger::event::{GENESIS, VERSION};
    use serde_json::{Value, json};

    fn event(id: &str, kind: &str, body: Value) -> Event {
        Event {
            v: VERSION,
            seq: 1,
            prev: GENESIS.to_string(),
            draft: draft(id, kind, body),
        }
    }

    fn after(events: &[(&str, &str, Value)]) -> State {
        let mut state = State::default();
        for (id, kind, body) in events {
            state.take(&event(id, kind, body.clone())).unwrap();
        }
        state
    }

    fn tick(first: bool, record: Value) -> Value {
        json!({"first": first, "signal": "S", "bundle_digest": "b", "record": record,
               "lapsed": [], "handed": [], "unhanded": [], "findings": [1, 2]})
    }

    #[test]
    fn a_record_is_set_left_and_broken() {
        let run = json!({"result": "blind", "fingerprint": "f", "at": "t"});
        let set = after(&[("t1", "tick.judged", tick(true, run.clone()))]);
        let record = set.record.clone().unwrap();
        assert_eq!(
            (record.result.as_str(), record.tick.as_str()),
            ("blind", "t1")
        );
        assert_eq!(
            set.first_tick.as_deref(),
            Some("2026-11-30T10:00:00.000+01:00")
        );
        assert_eq!(set.last.unwrap().tick, "t1");
        for (word, left) in [(json!(null), true), (json!("broken"), false)] {
            let state = after(&[
                ("t1", "tick.judged", tick(true, run.clone())),
                ("t2", "tick.judged", tick(false, word)),
            ]);
            assert_eq!(state.record.is_some(), left);
            assert_eq!(state.last.unwrap().tick, "t2");
        }
    }

    #[test]
    fn the_first_tick_stays_the_first() {
        let mut state = State::default();
        state.apply(Change::First("a".to_string()));
        state.apply(Change::First("b".to_string()));
        assert_eq!(state.first_tick.as_deref(), Some("a"));
    }

    #[test]
    fn settled_lapses_and_handed_is_forgotten() {
        let settle = json!({"items": [{"key": "d:1", "digest": "x"}, {"key": "d:2", "digest": "y"}],
                            "how": "not-work", "because": "why", "tree": "t"});
        let tick = json!({"first": false, "signal": "S", "bundle_digest": "b", "record": null,
            "lapsed": ["d:1"], "unhanded": ["w:9"],
            "handed": [{"key": "w:1", "digest": "q", "tree": "t", "count": 3},
                       {"key": "w:9", "digest": "q", "tree": "t", "count": 1}]});
        let state = after(&[("s", "news.settled", settle), ("t", "tick.judged", tick)]);
        assert_eq!(state.settled.keys().collect::<Vec<_>>(), ["d:2"]);
        assert_eq!(state.settled["d:2"].how, SettledAs::NotWork);
        assert_eq!(state.settled["d:2"].by, "agent");
        assert_eq!(state.handed.keys().collect::<Vec<_>>(), ["w:1"]);
        assert_eq!(state.handed["w:1"].count, 3);
    }

    #[test]
    fn a_note_bears_the_id_of_its_event() {
        let state = after(&[("n", "note.added", json!({"text": "hello"}))]);
        assert_eq!(state.notes["n"].text, "hello");
    }

    #[test]
    fn unknown_kinds_mean_nothing_and_malformed_bodies_are_damage() {
        assert_eq!(changes(&event("a", "goal.set", json!(3))), Ok(Vec::new()));
        for (kind, body) in [
            ("tick.judged", json!({})),
            ("tick.judged", tick(true, json!("whole"))),
            ("tick.judged", tick(true, json!({"result": "blind"}))),
            (
                "news.settled",
                json!({"items": [], "how": "maybe", "because": "x"}),
            ),
            (
                "news.settled",
                json!({"items": [{"key": "k"}], "how": "done", "because": "x"}),
            ),
            ("note.added", json!({"text": 7})),
            ("note.added", json!("text")),
        ] {
            assert!(
                changes(&event("a", kind, body.clone())).is_err(),
                "{kind} {body}"
            );
        }
    }
}

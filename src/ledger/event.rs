//! Events: the bytes that are stored, chained and never rewritten.
//!
//! INVARIANT: an event is hashed and stored as the very bytes that [`seal`] made. Nothing is
//! ever serialised again in order to check it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Head;
use super::upcast::{self, Unreadable};
use crate::model::text::hex;

/// The version of the envelope that this belegt writes.
pub const VERSION: u32 = 1;

/// The hash before the first event.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What stands before everything that is hashed here, so that no other SHA-256 means the same.
const DOMAIN: &[u8] = b"belegt:event:1";

/// An event before it has its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// Unique id, made by the caller, so that a retry is recognised.
    pub id: String,
    /// When, RFC 3339 with milliseconds and zone offset.
    pub at: String,
    /// Name of the zone.
    pub zone: String,
    /// Who acts.
    pub actor: Actor,
    /// Name of the host.
    pub host: String,
    /// Id of the session, or `unknown`; never guessed.
    pub session: String,
    /// Version of belegt.
    pub belegt: String,
    /// Namespaced kind, such as `tick.judged`.
    pub kind: String,
    /// What happened.
    pub body: Value,
}

/// Who acts, and how sure that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// `unknown`, `agent` or `person`; unknown counts as agent.
    pub kind: String,
    /// A name, or empty.
    pub name: String,
    /// 0: typed or unknown, 1: a person at a terminal.
    pub level: u8,
}

impl Actor {
    /// The name, or the kind of an actor without one.
    pub fn shown(&self) -> &str {
        match self.name.as_str() {
            "" => &self.kind,
            name => name,
        }
    }
}

/// An event with its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Envelope version.
    pub v: u32,
    /// Number in the chain, counted from 1.
    pub seq: u64,
    /// Hash of the event before, in hex.
    pub prev: String,
    /// The rest.
    #[serde(flatten)]
    pub draft: Draft,
}

/// A row of the ledger, exactly as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Number in the chain, counted from 1.
    pub seq: u64,
    /// Id of the event.
    pub id: String,
    /// Hash of the event in hex.
    pub hash: String,
    /// The bytes that were hashed.
    pub bytes: Vec<u8>,
}

/// The order of the fields in the stored bytes. `v` is first: [`upcast::is_current`] relies on it.
#[derive(Serialize)]
struct Envelope<'a> {
    v: u32,
    id: &'a str,
    seq: u64,
    prev: &'a str,
    at: &'a str,
    zone: &'a str,
    actor: &'a Actor,
    host: &'a str,
    session: &'a str,
    belegt: &'a str,
    kind: &'a str,
    body: &'a Value,
}

/// Gives a draft its place behind `head`: the exact bytes, and their hash.
pub fn seal(draft: &Draft, head: &Head) -> Result<Stored, serde_json::Error> {
    let seq = head.seq.saturating_add(1);
    let envelope = Envelope {
        v: VERSION,
        id: &draft.id,
        seq,
        prev: &head.hash,
        at: &draft.at,
        zone: &draft.zone,
        actor: &draft.actor,
        host: &draft.host,
        session: &draft.session,
        belegt: &draft.belegt,
        kind: &draft.kind,
        body: &draft.body,
    };
    let bytes = serde_json::to_vec(&envelope)?;
    Ok(Stored {
        seq,
        id: draft.id.clone(),
        hash: hash(&head.hash, &bytes),
        bytes,
    })
}

/// `SHA-256` over the domain, the previous hash as hex text and the bytes, the two latter each
/// behind its length as eight bytes, big-endian. In lower-case hex.
pub fn hash(prev: &str, bytes: &[u8]) -> String {
    let mut sha = Sha256::new();
    sha.update(DOMAIN);
    for part in [prev.as_bytes(), bytes] {
        sha.update((part.len() as u64).to_be_bytes());
        sha.update(part);
    }
    hex(&sha.finalize())
}

impl Stored {
    /// The head when this is the newest event.
    pub fn head(&self) -> Head {
        Head {
            seq: self.seq,
            hash: self.hash.clone(),
        }
    }

    /// Whether the hash is the one of these bytes behind `prev`.
    pub fn holds(&self, prev: &str) -> bool {
        hash(prev, &self.bytes) == self.hash
    }

    /// Whether these bytes are what `draft` became here; a retry is told from another event
    /// with the same id by this.
    pub fn is(&self, draft: &Draft, prev: &str) -> bool {
        let head = Head {
            seq: self.seq.saturating_sub(1),
            hash: prev.to_string(),
        };
        seal(draft, &head).is_ok_and(|sealed| sealed.bytes == self.bytes)
    }
}

/// Reads rows and checks the chain: numbers without a gap, each hash, and what the bytes say
/// about their own place. If `from` is not 0 the first row is the event of that number and
/// only gives the hash to start with.
pub fn read_chain(from: u64, rows: &[Stored]) -> Result<Vec<Event>, Unreadable> {
    let mut rows = rows.iter();
    let mut head = Head::genesis();
    if from > 0 {
        match rows.next() {
            Some(row) => head = row.head(),
            None => return Ok(Vec::new()),
        }
    }
    let mut events = Vec::new();
    for row in rows {
        events.push(read_link(&head, row)?);
        head = row.head();
    }
    Ok(events)
}

/// Reads one row that has to stand directly behind `head`.
pub fn read_link(head: &Head, row: &Stored) -> Result<Event, Unreadable> {
    let broken = |why: &str| Unreadable::broken(row.seq, why);
    if row.seq != head.seq.saturating_add(1) {
        return Err(broken("its number does not follow the one before"));
    }
    if !row.holds(&head.hash) {
        return Err(broken("its hash is not the one of its bytes"));
    }
    let event = upcast::read(row.seq, &row.bytes)?;
    if event.seq != row.seq || event.prev != head.hash || event.draft.id != row.id {
        return Err(broken("its bytes name another place or id"));
    }
    Ok(event)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    pub(crate) fn draft(id: &str, kind: &str, body: Value) -> Draft {
        Draft {
            id: id.to_string(),
            at: "2026-11-30T10:00:00.000+01:00".to_string(),
            zone: "Europe/Berlin".to_string(),
            actor: Actor {
                kind: "agent".to_string(),
                name: String::new(),
                level: 0,
            },
            host: "h".to_string(),
            session: "unknown".to_string(),
            belegt: "0.1.0".to_string(),
            kind: kind.to_string(),
            body,
        }
    }

    #[test]
    fn the_stored_bytes_and_their_hash_never_change() {
        let stored = seal(
            &draft("e1", "note.added", json!({"text": "x"})),
            &Head::genesis(),
        );
        let stored = stored.unwrap();
        let expected = format!(
            "{{\"v\":1,\"id\":\"e1\",\"seq\":1,\"prev\":\"{GENESIS}\",\
             \"at\":\"2026-11-30T10:00:00.000+01:00\",\"zone\":\"Europe/Berlin\",\
             \"actor\":{{\"kind\":\"agent\",\"name\":\"\",\"level\":0}},\"host\":\"h\",\
             \"session\":\"unknown\",\"belegt\":\"0.1.0\",\"kind\":\"note.added\",\
             \"body\":{{\"text\":\"x\"}}}}"
        );
        assert_eq!(String::from_utf8(stored.bytes.clone()).unwrap(), expected);
        // Computed outside of this program from the words in the comment of [`hash`].
        assert_eq!(
            stored.hash,
            "2d6fc70470b7c15239bbf776d8bc9ff14c9820a26087d4b304470543375e2a42"
        );
        let read = read_chain(0, std::slice::from_ref(&stored)).unwrap();
        assert_eq!(read[0].seq, 1);
        assert_eq!(
            read[0].draft,
            draft("e1", "note.added", json!({"text": "x"}))
        );
    }

    #[test]
    fn lengths_keep_the_two_parts_apart() {
        assert_ne!(hash("ab", b"c"), hash("a", b"bc"));
    }

    #[test]
    fn a_link_that_does_not_fit_is_named() {
        let first = seal(&draft("e1", "x.y", json!(1)), &Head::genesis()).unwrap();
        let second = seal(&draft("e2", "x.y", json!(2)), &first.head()).unwrap();
        let rows = vec![first.clone(), second.clone()];
        assert_eq!(read_chain(0, &rows).unwrap().len(), 2);
        assert_eq!(read_chain(1, &rows).unwrap().len(), 1);
        let mut other_id = second.clone();
        other_id.id = "e3".to_string();
        let mut other_hash = second.clone();
        other_hash.hash = first.hash.clone();
        let mut other_seq = second.clone();
        other_seq.seq = 3;
        for wrong in [other_id, other_hash, other_seq, first.clone()] {
            assert!(read_chain(0, &[first.clone(), wrong]).is_err());
        }
    }
}

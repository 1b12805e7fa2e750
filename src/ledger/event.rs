//! Events: the bytes that are stored, chained and never rewritten.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the envelope that this belegt writes.
pub const VERSION: u32 = 1;

/// The hash before the first event.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

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
    /// 0 typed, 1 at a terminal; see `facts` in the README.
    pub level: u8,
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

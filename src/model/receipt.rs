//! Receipts: what the host notes of every look at the world.
//!
//! INVARIANT: only the recorder of the world port makes receipts; scripts cannot make, read,
//! drop or change one.

use serde::{Deserialize, Serialize};

/// How a look ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The question was answered.
    Answered,
    /// The question was answered: there is nothing at that place.
    Missing,
    /// The question could not be answered.
    Failed,
    /// The question may not be asked.
    Refused,
}

/// One look at the world.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The host function, such as `fs::read`.
    pub function: String,
    /// What was asked: a path, a command line, a name.
    pub asked: String,
    /// How it ended.
    pub outcome: Outcome,
    /// SHA-256 of the bytes that came back, in hex; empty if none came.
    pub digest: String,
    /// How many bytes came back.
    pub length: u64,
    /// When the look began, RFC 3339 with milliseconds and zone offset.
    pub begin: String,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// The script that asked.
    pub script: String,
    /// The line of the script, counted from 1; 0 if the kernel asked.
    pub line: usize,
    /// Whether the answer came from an equal question earlier in this run.
    pub shared: bool,
}

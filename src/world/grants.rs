//! What a person has allowed. Stand-in: the struct alone.

use std::collections::BTreeSet;

use serde::Serialize;

/// What may be asked. Plain data from the settings; empty grants allow nothing outside.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Grants {
    /// Folders below which everything may be read, the project's own among them.
    pub roots: Vec<String>,
    /// Commands that may run: bare names, or absolute paths.
    pub commands: BTreeSet<String>,
    /// Names of environment variables that scripts may see.
    pub environment: BTreeSet<String>,
    /// Places that may be looked at from outside (kind, size, time) but never opened.
    pub look: Vec<String>,
}

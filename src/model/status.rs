//! The words with which a source or a work probe answers.

use serde::{Deserialize, Serialize};

/// What a source or a work probe is known to have answered in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Asked, and there is something.
    Found,
    /// Asked, and there is nothing.
    Empty,
    /// Could not be asked. Never the same as empty.
    Unavailable,
    /// This site has no such thing, and that was looked at or is declared.
    Absent,
    /// A source whose place is known and whose content was not asked for in this run: the
    /// guard held, or work was found before. It proves nothing.
    Located,
}

impl Status {
    /// The word as it is shown and stored.
    pub fn word(self) -> &'static str {
        match self {
            Status::Found => "found",
            Status::Empty => "empty",
            Status::Unavailable => "unavailable",
            Status::Absent => "absent",
            Status::Located => "located",
        }
    }
}

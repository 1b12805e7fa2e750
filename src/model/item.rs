//! Items: the things that probes saw, and what became of each.

use serde::{Deserialize, Serialize};

/// A thing that a probe saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Unique and stable within its source.
    pub id: String,
    /// One line for a person.
    pub title: String,
    /// Where to look.
    pub at: String,
    /// A row of `rules/autonomy.rhai`.
    pub kind: String,
    /// 0 is the most urgent, 9 the least.
    pub priority: u8,
    /// What else the probe knows, or empty.
    pub detail: String,
}

/// Where the rule `autonomy` sorted an item. Nothing vanishes: each item gets one of the four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// Autonomous work.
    Work,
    /// Needs the person.
    User,
    /// Known, counted, in nobody's way.
    Rest,
    /// Cannot be sorted; shown to the person.
    Unclear,
}

impl Sort {
    /// The word as it is shown and stored.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Work => "work",
            Sort::User => "user",
            Sort::Rest => "rest",
            Sort::Unclear => "unclear",
        }
    }
}

/// How an item of news was dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SettledAs {
    /// The work was done.
    Done,
    /// There was nothing to do.
    NotWork,
    /// The person has to see to it.
    User,
}

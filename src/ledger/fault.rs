//! What can go wrong with a ledger: each kind with its own sentence, remedy and stable code.
//!
//! INVARIANT: none of these may be answered by a fresh ledger or by another engine. Each turns
//! the ledger into an unavailable source and never into an empty history.

use thiserror::Error;

/// What is wrong with a ledger. `path` is where it stands, as it is shown to a person.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LedgerFault {
    /// It is not there.
    #[error("the ledger `{path}` is missing: {why}")]
    Missing {
        /// Where it should be.
        path: String,
        /// How that is known.
        why: String,
    },
    /// Something else stands there, or a ledger that is not the known one.
    #[error("`{path}` is not the ledger of this project: {why}")]
    Foreign {
        /// Where it stands.
        path: String,
        /// What it is instead.
        why: String,
    },
    /// A newer belegt wrote it.
    #[error("the ledger `{path}` has format {found}, this belegt reads up to {known}")]
    Newer {
        /// Where it stands.
        path: String,
        /// The format that stands there.
        found: u32,
        /// The newest format that is known here.
        known: u32,
    },
    /// Another process held it until the deadline.
    #[error("the ledger `{path}` was in use by another process for {waited_ms} ms")]
    Busy {
        /// Where it stands.
        path: String,
        /// How long was waited, in milliseconds.
        waited_ms: u64,
    },
    /// No space is left.
    #[error("no space is left for the ledger `{path}`; what was stored before is intact")]
    Full {
        /// Where it stands.
        path: String,
    },
    /// It stands on a file system that is mounted read-only, or was opened to be read.
    #[error("the ledger `{path}` can only be read: {why}")]
    ReadOnly {
        /// Where it stands.
        path: String,
        /// Why.
        why: String,
    },
    /// Its bytes are damaged.
    #[error("the ledger `{path}` is damaged: {detail}")]
    Corrupt {
        /// Where it stands.
        path: String,
        /// What is damaged.
        detail: String,
    },
    /// The commit broke off and nobody knows whether it happened.
    #[error("it is not known whether the ledger `{path}` stored the events: {detail}")]
    CommitUnknown {
        /// Where it stands.
        path: String,
        /// What the system said.
        detail: String,
    },
    /// The user may not read or write it.
    #[error("no permission for the ledger `{path}`: {detail}")]
    Permission {
        /// Where it stands.
        path: String,
        /// What may not be done.
        detail: String,
    },
    /// It is behind, or beside, what was seen before.
    #[error("the ledger `{path}` was rolled back: event {known} was seen here before, {found}")]
    RolledBack {
        /// Where it stands.
        path: String,
        /// The number that was seen.
        known: u64,
        /// What stands there now.
        found: String,
    },
    /// It stands on a network or synchronised file system.
    #[error("the ledger `{path}` stands on {kind}, where its locks do not hold")]
    NetworkFolder {
        /// Where it stands.
        path: String,
        /// What the folder is.
        kind: String,
    },
    /// A folder, FIFO, socket or device stands there.
    #[error("`{path}` is {what} and not a ledger file")]
    NotAFile {
        /// Where it stands.
        path: String,
        /// What it is.
        what: String,
    },
    /// An event cannot be stored as it is.
    #[error("the event `{id}` cannot be stored: {detail}")]
    Refused {
        /// Id of the event.
        id: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The note of what was last seen cannot be read or written.
    #[error("the anchor `{path}` of the ledger cannot be used: {detail}")]
    Anchor {
        /// Where the anchor stands.
        path: String,
        /// What is wrong.
        detail: String,
    },
    /// The system reported anything else.
    #[error("the ledger `{path}` could not be reached: {detail}")]
    Io {
        /// Where it stands.
        path: String,
        /// What the system said.
        detail: String,
    },
}

impl LedgerFault {
    /// Whether the ledger itself is lost, replaced or damaged, and not only out of reach.
    pub fn is_damage(&self) -> bool {
        use LedgerFault as F;
        matches!(
            self,
            F::Missing { .. } | F::Foreign { .. } | F::Corrupt { .. } | F::RolledBack { .. }
        )
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            LedgerFault::Missing { .. } => "ledger::missing",
            LedgerFault::Foreign { .. } => "ledger::foreign",
            LedgerFault::Newer { .. } => "ledger::newer",
            LedgerFault::Busy { .. } => "ledger::busy",
            LedgerFault::Full { .. } => "ledger::full",
            LedgerFault::ReadOnly { .. } => "ledger::read-only",
            LedgerFault::Corrupt { .. } => "ledger::corrupt",
            LedgerFault::CommitUnknown { .. } => "ledger::commit-unknown",
            LedgerFault::Permission { .. } => "ledger::permission",
            LedgerFault::RolledBack { .. } => "ledger::rolled-back",
            LedgerFault::NetworkFolder { .. } => "ledger::network-folder",
            LedgerFault::NotAFile { .. } => "ledger::not-a-file",
            LedgerFault::Refused { .. } => "ledger::refused",
            LedgerFault::Anchor { .. } => "ledger::anchor",
            LedgerFault::Io { .. } => "ledger::io",
        }
    }

    /// What a person can do.
    pub fn help(&self) -> &'static str {
        match self {
            LedgerFault::Missing { .. } => {
                "bring the file back together with its `-wal` file, or name another with `--ledger`"
            }
            LedgerFault::Foreign { .. } => {
                "name the right file with `--ledger`, or bring back the ledger that belongs here"
            }
            LedgerFault::Newer { .. } => "use the belegt that wrote it, or a newer one",
            LedgerFault::Busy { .. } => {
                "look which other belegt runs here and hangs, end it, and try again"
            }
            LedgerFault::Full { .. } => "free some space, 16 MB or more, and try again",
            LedgerFault::ReadOnly { .. } => {
                "mount the file system for writing, or name a ledger elsewhere with `--ledger`"
            }
            LedgerFault::Corrupt { .. } => {
                "keep a copy of it and of its `-wal` file, and bring back a backup"
            }
            LedgerFault::CommitUnknown { .. } => {
                "run the same command again: what was stored already is recognised by its id"
            }
            LedgerFault::Permission { .. } => {
                "give the user read and write permission for the file and its folder"
            }
            LedgerFault::RolledBack { .. } => {
                "bring back the newer file and its `-wal` file; an old copy must not replace it"
            }
            LedgerFault::NetworkFolder { .. } => {
                "name a file on a local disk with `--ledger`, outside of synchronised folders"
            }
            LedgerFault::NotAFile { .. } => "move it away, or name a file with `--ledger`",
            LedgerFault::Refused { .. } => "this is a fault of belegt; please report it",
            LedgerFault::Anchor { .. } => {
                "run `belegt verify`; if the ledger is intact, remove the anchor file"
            }
            LedgerFault::Io { .. } => "look whether the disk is sound and mounted, and try again",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn all() -> Vec<LedgerFault> {
        let path = || "P".to_string();
        let text = || "T".to_string();
        vec![
            LedgerFault::Missing {
                path: path(),
                why: text(),
            },
            LedgerFault::Foreign {
                path: path(),
                why: text(),
            },
            LedgerFault::Newer {
                path: path(),
                found: 2,
                known: 1,
            },
            LedgerFault::Busy {
                path: path(),
                waited_ms: 5,
            },
            LedgerFault::Full { path: path() },
            LedgerFault::ReadOnly {
                path: path(),
                why: text(),
            },
            LedgerFault::Corrupt {
                path: path(),
                detail: text(),
            },
            LedgerFault::CommitUnknown {
                path: path(),
                detail: text(),
            },
            LedgerFault::Permission {
                path: path(),
                detail: text(),
            },
            LedgerFault::RolledBack {
                path: path(),
                known: 3,
                found: text(),
            },
            LedgerFault::NetworkFolder {
                path: path(),
                kind: text(),
            },
            LedgerFault::NotAFile {
                path: path(),
                what: text(),
            },
            LedgerFault::Refused {
                id: text(),
                detail: text(),
            },
            LedgerFault::Anchor {
                path: path(),
                detail: text(),
            },
            LedgerFault::Io {
                path: path(),
                detail: text(),
            },
        ]
    }

    #[test]
    fn each_kind_has_its_own_code_sentence_and_remedy() {
        let all = all();
        let of = |f: fn(&LedgerFault) -> String| all.iter().map(f).collect::<BTreeSet<_>>().len();
        assert_eq!(of(|f| f.code().to_string()), all.len());
        assert_eq!(of(|f| f.to_string()), all.len());
        assert_eq!(of(|f| f.help().to_string()), all.len());
        for fault in all {
            let text = fault.to_string();
            assert!(
                !text.ends_with('.') && !fault.help().ends_with('.'),
                "{text}"
            );
            assert!(
                text.starts_with(|c: char| c.is_lowercase() || c == '`'),
                "{text}"
            );
        }
    }
}

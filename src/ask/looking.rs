//! What counts as a look (L10): which receipts show that a place was read.
//!
//! INVARIANT: a receipt counts for a place only if it names that place or something below it.
//! Asking where a command is, what a variable holds, what kind a file is or what time it is reads
//! nothing.

use crate::model::receipt::{Outcome, Receipt};
use crate::model::text::escape;
use crate::script::frame::Facts;
use crate::script::host::fs::absolute;

/// A place that a source named, as receipts spell it.
pub enum Place {
    /// The ledger's view.
    Ledger,
    /// The output of a command.
    Command(String),
    /// A file or folder, absolute and without a slash at the end.
    Path(String),
}

impl Place {
    /// Reads `ledger`, `command:NAME` or a path.
    pub fn new(facts: &Facts, at: &str) -> Self {
        if at == "ledger" {
            return Place::Ledger;
        }
        match at.strip_prefix("command:") {
            Some(command) => Place::Command(command.to_string()),
            None => Place::Path(escape(absolute(facts, at).trim_end_matches('/'))),
        }
    }

    /// Whether a receipt is a successful look at this place.
    pub fn was_read(&self, receipt: &Receipt) -> bool {
        receipt.outcome == Outcome::Answered && is_content(receipt) && self.is_in(receipt)
    }

    fn is_in(&self, receipt: &Receipt) -> bool {
        let function = receipt.function.as_str();
        match self {
            Place::Ledger => function.starts_with("ledger::"),
            Place::Command(name) => {
                function == "cmd::run" && receipt.asked.split(' ').next() == Some(name.as_str())
            }
            Place::Path(path) => {
                let asked = match function {
                    "fs::heads" => receipt.asked.strip_prefix("heads of "),
                    _ if function.starts_with("fs::") => Some(receipt.asked.as_str()),
                    _ => None,
                };
                let below = asked.and_then(|asked| asked.strip_prefix(path.as_str()));
                below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
        }
    }
}

/// Looks that read something.
pub fn is_content(receipt: &Receipt) -> bool {
    !matches!(
        receipt.function.as_str(),
        "cmd::which" | "cmd::env" | "fs::stat" | "time::clock"
    )
}

/// Looks that can prove a condition, or show that nothing is there.
pub fn reaches(receipt: &Receipt) -> bool {
    is_content(receipt) || matches!(receipt.function.as_str(), "fs::stat" | "time::clock")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipt(function: &str) -> Receipt {
        Receipt {
            function: function.to_string(),
            asked: "a".to_string(),
            outcome: Outcome::Answered,
            digest: String::new(),
            length: 0,
            begin: String::new(),
            micros: 0,
            script: "s".to_string(),
            line: 1,
            shared: false,
        }
    }

    #[test]
    fn the_clock_proves_a_condition_and_shows_no_work() {
        let table = [
            ("fs::read", true, true),
            ("fs::stat", false, true),
            ("time::clock", false, true),
            ("cmd::which", false, false),
            ("cmd::env", false, false),
        ];
        for (function, content, reached) in table {
            let receipt = receipt(function);
            assert_eq!(is_content(&receipt), content, "{function}");
            assert_eq!(reaches(&receipt), reached, "{function}");
        }
    }
}

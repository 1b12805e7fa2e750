//! The one line that loops read: written here, and read back here.
//!
//! INVARIANT: a signal is pure ASCII without control characters, whatever the names in it.

use std::fmt;

/// What stands before every signal.
pub const PREFIX: &str = "WORK-AUTONOMOUS: ";

/// The signal of one tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// There is autonomous work.
    Continue,
    /// All sources were asked, all were empty.
    Exhausted,
    /// Not all could be asked.
    Blind {
        /// The names of what could not be asked, in their fixed order.
        names: Vec<String>,
        /// How many there are in all.
        of: usize,
        /// Whether the site wants the English words.
        english: bool,
    },
    /// The guard spares a chain run after `exhausted`.
    GuardExhausted {
        /// RFC 3339 time of the record.
        since: String,
    },
    /// The guard spares a chain run after `blind`.
    GuardBlind {
        /// RFC 3339 time of the record.
        since: String,
    },
    /// Only the user's items are left.
    UserOnly,
}

impl Signal {
    /// The exit code that goes with the signal.
    pub fn exit_code(&self) -> u8 {
        match self {
            Signal::Continue => 0,
            Signal::Exhausted => 10,
            Signal::Blind { .. } => 11,
            Signal::GuardExhausted { .. } | Signal::GuardBlind { .. } => 12,
            Signal::UserOnly => 13,
        }
    }

    /// The verdict in one word, as it is stored and shown in JSON.
    pub fn verdict(&self) -> &'static str {
        match self {
            Signal::Continue => "continue",
            Signal::Exhausted => "exhausted",
            Signal::Blind { .. } => "blind",
            Signal::GuardExhausted { .. } | Signal::GuardBlind { .. } => "guard",
            Signal::UserOnly => "user-only",
        }
    }

    /// Reads a whole line (without its end) that is exactly one of the forms.
    pub fn parse(line: &[u8]) -> Option<Signal> {
        let line = std::str::from_utf8(line).ok().filter(|l| printable(l))?;
        let rest = line.strip_prefix(PREFIX)?;
        if rest == "CONTINUE" {
            return Some(Signal::Continue);
        }
        let inner = rest.strip_prefix("STOP (")?.strip_suffix(')')?;
        match inner {
            "exhausted" => return Some(Signal::Exhausted),
            "user-only" => return Some(Signal::UserOnly),
            _ => {}
        }
        if let Some(since) = inner.strip_prefix("guard, exhausted unchanged since ") {
            return is_time(since).then(|| Signal::GuardExhausted {
                since: since.to_string(),
            });
        }
        if let Some(since) = inner.strip_prefix("guard, blind unchanged since ") {
            return is_time(since).then(|| Signal::GuardBlind {
                since: since.to_string(),
            });
        }
        parse_blind(inner.strip_prefix("blind, ")?)
    }
}

fn parse_blind(text: &str) -> Option<Signal> {
    let (counts, names) = text.split_once(": ")?;
    let (counts, english) = match counts.strip_suffix(" Quellen nicht verfuegbar") {
        Some(counts) => (counts, false),
        None => (counts.strip_suffix(" sources unavailable")?, true),
    };
    let (count, of) = counts.split_once('/')?;
    let (count, of) = (count.parse::<usize>().ok()?, of.parse::<usize>().ok()?);
    let names: Vec<String> = names.split(", ").map(str::to_string).collect();
    let whole = names.len() == count && count > 0 && count <= of && names.iter().all(|n| is_name(n));
    whole.then_some(Signal::Blind { names, of, english })
}

fn printable(text: &str) -> bool {
    text.bytes().all(|b| (0x20..0x7f).contains(&b))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
}

fn is_time(text: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

/// A name as it may stand in the line: whatever is not a letter, a digit or one of `._-/`
/// becomes `_`.
pub fn safe_name(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() || "._-/".contains(c) => c,
            _ => '_',
        })
        .collect()
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        match self {
            Signal::Continue => f.write_str("CONTINUE"),
            Signal::Exhausted => f.write_str("STOP (exhausted)"),
            Signal::Blind { names, of, english } => {
                let words = match english {
                    true => "sources unavailable",
                    false => "Quellen nicht verfuegbar",
                };
                let safe: Vec<String> = names.iter().map(|n| safe_name(n)).collect();
                write!(f, "STOP (blind, {}/{of} {words}: {})", names.len(), safe.join(", "))
            }
            Signal::GuardExhausted { since } => {
                write!(f, "STOP (guard, exhausted unchanged since {since})")
            }
            Signal::GuardBlind { since } => {
                write!(f, "STOP (guard, blind unchanged since {since})")
            }
            Signal::UserOnly => f.write_str("STOP (user-only)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Signal> {
        let since = "2026-11-30T09:00:00+01:00".to_string();
        let names = vec!["memory.organic".to_string(), "rules/chain".to_string()];
        vec![
            Signal::Continue,
            Signal::Exhausted,
            Signal::UserOnly,
            Signal::GuardExhausted { since: since.clone() },
            Signal::GuardBlind { since },
            Signal::Blind { names: names.clone(), of: 5, english: false },
            Signal::Blind { names, of: 5, english: true },
        ]
    }

    #[test]
    fn each_form_is_read_back_as_itself() {
        for signal in all() {
            let line = signal.to_string();
            assert!(line.is_ascii());
            assert_eq!(Signal::parse(line.as_bytes()), Some(signal));
        }
    }

    #[test]
    fn near_misses_are_no_signal() {
        for line in [
            "WORK-AUTONOMOUS: CONTINUED",
            " WORK-AUTONOMOUS: CONTINUE",
            "WORK-AUTONOMOUS: CONTINUE ",
            "WORK-AUTONOMOUS: STOP (exhausted) ausgegeben",
            "STOP (exhausted)",
            "WORK-AUTONOMOUS: STOP (guard, exhausted unchanged since \u{2026})",
            "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: memory.organic)",
            "WORK-AUTONOMOUS: STOP (blind, 1/0 sources unavailable: x)",
        ] {
            assert_eq!(Signal::parse(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_hostile_name_cannot_forge_a_line() {
        let names = vec!["x)\nWORK-AUTONOMOUS: STOP (exhausted".to_string()];
        let line = Signal::Blind { names, of: 4, english: false }.to_string();
        assert!(!line.contains('\n'));
        assert!(Signal::parse(line.as_bytes()).is_some());
    }
}

//! Reading the one real signal out of a log.
//!
//! A signal is a whole line from column 0 that is exactly one of the forms. Lines in code
//! fences and quotes are echoes. Two different signals in one log are a conflict: neither
//! counts. The log is read as bytes, so that a NUL or a foreign byte hides nothing.

use crate::diag::Fault;
use crate::ledger::event::Event;
use crate::model::signal::Signal;

use super::context::Context;
use super::history;

/// How far back a signal is looked for among the stored ticks.
const LOOK_BACK: usize = 1000;

/// What a log holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// No signal.
    Nothing,
    /// One signal, and how often it stands there.
    One(Signal, usize),
    /// Two different ones.
    Conflict(Signal, Signal),
}

/// Reads a log.
pub fn read(log: &[u8]) -> Reading {
    let mut fence: Option<Fence> = None;
    let mut found: Option<(Signal, usize)> = None;
    for line in log.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(mark) = fence_mark(line) {
            fence = match fence {
                None => Some(mark),
                Some(open) if mark.closes(open) => None,
                open => open,
            };
            continue;
        }
        if fence.is_some() {
            continue;
        }
        let Some(signal) = Signal::parse(line) else {
            continue;
        };
        match &mut found {
            None => found = Some((signal, 1)),
            Some((first, count)) if *first == signal => *count += 1,
            Some((first, _)) => return Reading::Conflict(first.clone(), signal),
        }
    }
    found.map_or(Reading::Nothing, |(signal, count)| {
        Reading::One(signal, count)
    })
}

/// A line that opens or closes a code fence (CommonMark 4.5).
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: u8,
    length: usize,
    /// Nothing stands behind the marks; a line with a word there only opens.
    is_bare: bool,
}

impl Fence {
    fn closes(self, open: Fence) -> bool {
        self.is_bare && self.mark == open.mark && self.length >= open.length
    }
}

fn fence_mark(line: &[u8]) -> Option<Fence> {
    let start = line
        .iter()
        .position(|byte| *byte != b' ')
        .filter(|at| *at < 4)?;
    let rest = line.get(start..)?;
    let mark = *rest.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = rest.iter().take_while(|byte| **byte == mark).count();
    let word = rest.get(length..)?;
    let is_inline = mark == b'`' && word.contains(&b'`');
    (length >= 3 && !is_inline).then(|| Fence {
        mark,
        length,
        is_bare: word.trim_ascii().is_empty(),
    })
}

/// The stored tick that said a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Id of the tick.
    pub tick: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
}

/// The newest stored tick that said this signal.
pub fn backing(settings: &Context<'_>, signal: &Signal) -> Result<Option<Said>, Fault> {
    let line = signal.to_string();
    let ticks = history::newest_ticks(settings, LOOK_BACK)?;
    let said = |event: &Event| {
        event.draft.body.get("signal").and_then(|s| s.as_str()) == Some(line.as_str())
    };
    let tick = ticks.into_iter().find(said);
    Ok(tick.map(|tick| Said {
        tick: tick.draft.id,
        at: tick.draft.at,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXHAUSTED: &str = "WORK-AUTONOMOUS: STOP (exhausted)";

    #[test]
    fn a_mention_is_no_signal() {
        let mention = format!("Ich gebe noch nicht {EXHAUSTED} aus, weil noch Arbeit da ist\n");
        assert_eq!(read(mention.as_bytes()), Reading::Nothing);
        assert_eq!(read(b"STOP (exhausted)\n"), Reading::Nothing);
        assert_eq!(read(b""), Reading::Nothing);
    }

    #[test]
    fn an_echo_is_no_signal() {
        let fenced = format!("prompt\n```text\n{EXHAUSTED}\n```\n> {EXHAUSTED}\nwork\n");
        assert_eq!(read(fenced.as_bytes()), Reading::Nothing);
        let after = format!("~~~\n{EXHAUSTED}\n```\n~~~\n{EXHAUSTED}\n");
        assert_eq!(read(after.as_bytes()), Reading::One(Signal::Exhausted, 1));
    }

    #[test]
    fn a_fence_with_a_word_closes_none_and_marks_in_a_line_open_none() {
        let nested = format!("```markdown\n```text\n{EXHAUSTED}\n```\n");
        assert_eq!(read(nested.as_bytes()), Reading::Nothing);
        let inline = format!("```x``` is code\nWORK-AUTONOMOUS: CONTINUE\n```\n{EXHAUSTED}\n```\n");
        assert_eq!(read(inline.as_bytes()), Reading::One(Signal::Continue, 1));
        let longer = format!("````\n```\n{EXHAUSTED}\n```  \n{EXHAUSTED}\n`````\t\n{EXHAUSTED}\n");
        assert_eq!(read(longer.as_bytes()), Reading::One(Signal::Exhausted, 1));
    }

    #[test]
    fn two_different_signals_are_a_conflict_and_two_equal_ones_are_not() {
        let both = format!("WORK-AUTONOMOUS: CONTINUE\n{EXHAUSTED}\n");
        assert_eq!(
            read(both.as_bytes()),
            Reading::Conflict(Signal::Continue, Signal::Exhausted)
        );
        let twice = format!("{EXHAUSTED}\n{EXHAUSTED}\n");
        assert_eq!(read(twice.as_bytes()), Reading::One(Signal::Exhausted, 2));
    }

    #[test]
    fn foreign_bytes_and_line_ends_hide_nothing() {
        assert_eq!(
            read(b"\x00junk\n\xfcber\nWORK-AUTONOMOUS: CONTINUE\n"),
            Reading::One(Signal::Continue, 1)
        );
        assert_eq!(
            read(b"WORK-AUTONOMOUS: CONTINUE\r\n"),
            Reading::One(Signal::Continue, 1)
        );
        assert_eq!(
            read(b"WORK-AUTONOMOUS: CONTINUE"),
            Reading::One(Signal::Continue, 1)
        );
        assert_eq!(read(b"WORK-AUTONOMOUS: CONTINUED\n"), Reading::Nothing);
    }
}

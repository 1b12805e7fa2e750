//! What a line begins with: a command, a join, an arrow, something that only looks so, or prose.
//!
//! A command starts a line. Blanks, list markers, task boxes and comments may stand before it;
//! nothing is read behind `>`, and nothing in the middle of a sentence; what is meant as a
//! statement there is complained about elsewhere.

use std::ops::Range;

use super::lookalike::suspect;
use super::source::Source;
use super::words::{Lookup, Word, slash_word};

/// The beginning of a line.
pub(super) enum Head<'a> {
    /// Nothing of the language.
    Prose,
    /// A word that begins a statement.
    Command {
        /// Its canonical spelling.
        word: &'a str,
        /// Its row.
        row: &'a Word,
        /// Where it stands.
        span: Range<usize>,
    },
    /// A join, which goes on with a statement or stands alone.
    Join(Range<usize>),
    /// An arrow.
    Arrow,
    /// What is meant as a word and is none.
    Suspect {
        /// Where it stands.
        span: Range<usize>,
        /// What is meant, if that is certain.
        meant: Option<&'a str>,
        /// It is meant only if the line holds an arrow too.
        needs_arrow: bool,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// What a line begins with, and whether only blanks stand before that.
pub(super) fn head<'a>(
    source: &Source<'_>,
    line: Range<usize>,
    lookup: &Lookup<'a>,
) -> (Head<'a>, bool) {
    let (at, is_bare) = start(source, line.clone());
    if at >= line.end || source.is_code(at) {
        return (Head::Prose, is_bare);
    }
    let rest = source.slice(at..line.end);
    if lookup.arrow(rest).is_some() {
        return (Head::Arrow, is_bare);
    }
    let head = whole_word(source, at..line.end, lookup).or_else(|| {
        let found = suspect(rest, lookup)?;
        Some(Head::Suspect {
            span: at..at + found.length,
            meant: Some(found.word),
            needs_arrow: found.needs_arrow,
            why: found.why,
        })
    });
    let unknown = || unknown_word(at, rest);
    (head.or_else(unknown).unwrap_or(Head::Prose), is_bare)
}

/// A word of the language with white space, a comment or the end of the line behind it.
fn whole_word<'a>(
    source: &Source<'_>,
    rest: Range<usize>,
    lookup: &Lookup<'a>,
) -> Option<Head<'a>> {
    let run = slash_word(source.slice(rest.clone()))?;
    let span = rest.start..rest.start + run.len();
    let next = source.slice(span.end..rest.end).chars().next();
    let is_end = next.is_none_or(char::is_whitespace) || source.comment_end(span.end).is_some();
    let is_group = matches!(next, Some('(' | ')'));
    if lookup.join(run).is_some() && (is_end || is_group) {
        return Some(Head::Join(span));
    }
    let (word, row) = lookup.command(run).filter(|_| is_end)?;
    Some(Head::Command { word, row, span })
}

/// A slash, letters and `-`, white space: with an arrow behind it this is meant as a command.
fn unknown_word<'a>(at: usize, rest: &str) -> Option<Head<'a>> {
    let run = slash_word(rest)?;
    let is_end = rest.get(run.len()..)?.chars().next()?.is_whitespace();
    let is_plain = run.chars().skip(1).all(|c| c.is_alphabetic() || c == '-');
    (is_end && is_plain).then(|| Head::Suspect {
        span: at..at + run.len(),
        meant: None,
        needs_arrow: true,
        why: "the language has no such word",
    })
}

/// Where a line begins behind blanks, markers and comments, and whether there are no markers.
pub(super) fn start(source: &Source<'_>, line: Range<usize>) -> (usize, bool) {
    let mut at = line.start;
    let mut is_bare = true;
    loop {
        at = blanks(source, at..line.end);
        let rest = source.slice(at..line.end);
        let Some(marker) = marker(rest) else {
            return (at, is_bare);
        };
        is_bare = false;
        at = blanks(source, at + marker..line.end);
        let rest = source.slice(at..line.end);
        let boxes = ["[ ]", "[x]", "[X]"];
        if let Some(behind) = boxes.iter().find_map(|mark| rest.strip_prefix(mark))
            && behind.starts_with([' ', '\t'])
        {
            at += 3;
        }
    }
}

/// The first place that is neither blank nor in a comment.
fn blanks(source: &Source<'_>, part: Range<usize>) -> usize {
    let mut at = part.start;
    loop {
        let rest = source.slice(at..part.end);
        let is_mark = at == 0 && rest.starts_with('\u{feff}');
        let body = match is_mark {
            true => rest.trim_start_matches('\u{feff}'),
            false => rest.trim_start(),
        };
        let next = at + rest.len() - body.len();
        match source.comment_end(next).filter(|_| next < part.end) {
            Some(end) => at = end.min(part.end),
            None if next == at => return at,
            None => at = next,
        }
    }
}

/// The length of the list marker at the beginning of a text.
fn marker(rest: &str) -> Option<usize> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let sign = rest.get(digits..)?.chars().next()?;
    let is_marker = match digits {
        0 => matches!(sign, '-' | '*' | '+'),
        1..=9 => matches!(sign, '.' | ')'),
        _ => false,
    };
    let behind = rest.get(digits + 1..)?;
    (is_marker && behind.starts_with([' ', '\t'])).then_some(digits + 1)
}

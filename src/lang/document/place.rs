//! A word of the language in the middle of a line, with an arrow behind it.
//!
//! Whoever writes so believes that the step is protected. A mention stands in backticks, and
//! block quotes, code blocks and comments are not read.
//!
//! INVARIANT: time is linear in the line: whatever is skipped is looked at twice at most, and
//! what no sign closes is looked for once.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diag::Code;

use crate::lang::faults::Complaint;
use crate::lang::head::start;
use crate::lang::source::Source;
use crate::lang::token::{closing, quoted};
use crate::lang::words::{Lookup, slash_word};

/// What is wrong with a line that is no statement itself.
pub(super) fn misplaced(
    source: &Source<'_>,
    line: Range<usize>,
    lookup: &Lookup<'_>,
) -> Option<Complaint> {
    if !source.slice(line.clone()).contains('/') {
        return None;
    }
    let (at, _) = start(source, line.clone());
    let rest = source.slice(at..line.end);
    if rest.starts_with('>') || source.is_code(at) {
        return None;
    }
    let scan = Scan {
        source,
        lookup,
        end: line.end,
        ticks: ticks(rest, at),
        unclosed: Vec::new(),
        first: None,
        quote: None,
    };
    let span = scan.run(at)?;
    let word = source.slice(span.clone());
    let help = "put it at the beginning of a line of its own, or put a mention in backticks";
    let message = "a statement does not begin its line";
    Some(
        Complaint::new(Code::LangWord, message)
            .at(span, format!("`{word}` stands behind something else"))
            .help(help),
    )
}

/// Where the runs of backticks of a text begin, by their length; the text begins at `from`.
fn ticks(text: &str, from: usize) -> BTreeMap<usize, Vec<usize>> {
    let mut runs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + found;
        let length = run_length(text.get(start..).unwrap_or_default());
        runs.entry(length).or_default().push(from + start);
        at = start + length;
    }
    runs
}

/// How many backticks a text begins with.
fn run_length(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

struct Scan<'a> {
    source: &'a Source<'a>,
    lookup: &'a Lookup<'a>,
    end: usize,
    /// The runs of backticks of the line, by their length.
    ticks: BTreeMap<usize, Vec<usize>>,
    /// What closes a quote and stands nowhere in the rest of the line.
    unclosed: Vec<&'a str>,
    /// The first word of the language outside of backticks.
    first: Option<Range<usize>>,
    /// The end of the quote that is being read, and the first word in it.
    quote: Option<(usize, Option<Range<usize>>)>,
}

impl<'a> Scan<'a> {
    /// The word that an unquoted arrow follows. In a quote an arrow counts for a word in it only.
    fn run(mut self, start: usize) -> Option<Range<usize>> {
        let mut at = start;
        let mut before = None;
        while let Some(c) = self.source.slice(at..self.end).chars().next() {
            self.quote.take_if(|(end, _)| *end <= at);
            let rest = self.source.slice(at..self.end);
            let length = if let Some(hidden) = self.hidden(at, rest) {
                hidden
            } else if let Some(length) = self.word(at, rest).filter(|_| is_free(before)) {
                let place = match &mut self.quote {
                    Some((_, word)) => word,
                    None => &mut self.first,
                };
                place.get_or_insert(at..at + length);
                length
            } else {
                let arrow = self.arrow(rest);
                if arrow.is_some() && self.meant().is_some() {
                    return self.meant().cloned();
                }
                self.open(at, rest);
                arrow.unwrap_or(c.len_utf8())
            };
            at += length;
            before = self.source.slice(start..at).chars().next_back();
        }
        None
    }

    /// The word that an arrow here belongs to.
    fn meant(&self) -> Option<&Range<usize>> {
        match &self.quote {
            Some((_, word)) => word.as_ref(),
            None => self.first.as_ref(),
        }
    }

    /// The length of a comment, of an escaped sign or of inline code that begins here.
    fn hidden(&self, at: usize, rest: &str) -> Option<usize> {
        match rest.chars().next()? {
            '<' => {
                let end = self.source.comment_end(at)?;
                Some(end.min(self.end).saturating_sub(at))
            }
            '\\' => rest.get(1..)?.starts_with(['\\', '`']).then_some(2),
            '`' => {
                let length = run_length(rest);
                let runs = self.ticks.get(&length).map(Vec::as_slice);
                let runs = runs.unwrap_or_default();
                let behind = runs.partition_point(|run| *run < at + length);
                let close = runs.get(behind).map(|run| run + length - at);
                Some(close.unwrap_or(length))
            }
            _ => None,
        }
    }

    /// The length of the word of the language that begins here and has a blank behind it.
    fn word(&self, at: usize, rest: &str) -> Option<usize> {
        let run = slash_word(rest)?;
        self.lookup.command(run)?;
        let behind = rest.get(run.len()..)?;
        let is_comment = || self.source.comment_end(at + run.len()).is_some();
        (behind.starts_with(char::is_whitespace) || is_comment()).then_some(run.len())
    }

    fn arrow(&self, rest: &str) -> Option<usize> {
        let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let arrow = rest.starts_with(is_sign).then(|| self.lookup.arrow(rest));
        arrow.flatten().map(str::len)
    }

    /// Opens the quote that begins here; one that nothing closes is none.
    fn open(&mut self, at: usize, rest: &'a str) {
        if self.first.is_none() || self.quote.is_some() {
            return;
        }
        let close = match rest.chars().next() {
            Some('`') | None => return,
            Some(_) => closing(rest),
        };
        let Some(close) = close.filter(|close| !self.unclosed.contains(close)) else {
            return;
        };
        match quoted(rest, close) {
            Some(length) => self.quote = Some((at + length, None)),
            None => self.unclosed.push(close),
        }
    }
}

/// Whether a word may begin behind this character: not in a path, and not in another word.
fn is_free(before: Option<char>) -> bool {
    before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '/' | '-' | '.'))
}

//! From the lines of a text to statements as they were written.
//!
//! A statement may go on in the lines below it that begin with a join or an arrow, as long as it
//! has no arrow yet. An arrow line directly below a statement that has one is a second step.
//!
//! INVARIANT: a line belongs to one statement at most, and every line that looks like a part of
//! the language and is none is complained about.

use std::iter::Peekable;
use std::ops::Range;

use crate::diag::Code;
use crate::model::text::short;

use super::closest::closest;
use super::faults::{Complaint, Faults};
use super::head::{Head, head, start};
use super::source::Source;
use super::statement::numbered;
use super::token::{Kind, Token, cut};
use super::tree::Node;
use super::words::{ARROW, Lookup, PLAIN, Word};

mod build;
mod place;

pub(super) use build::LENGTH;

/// The most statements of one text.
const MOST: usize = 1024;

/// A statement as it was written.
#[derive(Debug)]
pub(super) struct Raw<'a> {
    /// Its word in canonical spelling.
    pub word: &'a str,
    /// The word's row.
    pub row: &'a Word,
    /// Its own number and where that stands.
    pub label: Option<(u32, Range<usize>)>,
    /// Its condition; nothing if that could not be read, which was complained about.
    pub node: Option<Node>,
    /// The numbers that it may refer to although it could not be read.
    pub mentions: Vec<u32>,
    /// Its step; nothing if it has none or that could not be read.
    pub step: Option<String>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A statement whose tokens are known.
struct Draft<'a> {
    word: &'a str,
    row: &'a Word,
    /// Where the word stands.
    at: Range<usize>,
    label: Option<(u32, Range<usize>)>,
    tokens: Vec<Token>,
}

impl Draft<'_> {
    fn has_arrow(&self) -> bool {
        self.tokens.iter().any(|token| token.kind == Kind::Arrow)
    }

    fn span(&self) -> Range<usize> {
        let label = self.label.as_ref().map(|(_, span)| span.end);
        let last = self.tokens.last().map(|token| token.span.end);
        self.at.start..last.or(label).unwrap_or(self.at.end)
    }
}

/// The statements of a whole text.
pub(super) fn collect<'a>(
    source: &Source<'_>,
    lookup: &Lookup<'a>,
    faults: &mut Faults,
) -> Vec<Raw<'a>> {
    let mut raws = Vec::new();
    let mut lines = source.lines.iter().cloned().peekable();
    while let Some(line) = lines.next() {
        let (word, row, at) = match head(source, line.clone(), lookup).0 {
            Head::Command { word, row, span } => (word, row, span),
            Head::Join(span) => {
                faults.add(stray(source, span));
                continue;
            }
            other => {
                no_statement(source, (line, other), lookup, faults);
                continue;
            }
        };
        if raws.len() == MOST {
            faults.add(too_many(at));
            break;
        }
        let mut draft = draft((word, row, at), source, line.end, lookup);
        go_on(&mut draft, source, &mut lines, lookup);
        let has_arrow = draft.has_arrow();
        let raw = build::statement(source, draft, lookup, faults);
        while has_arrow
            && let Some(more) = lines.next_if(|line| is_step(source, line.clone(), lookup))
        {
            faults.add(second_step(source, more, &raw, lookup));
        }
        raws.push(raw);
    }
    raws
}

/// Adds the lines with which a statement goes on as long as it has no arrow.
fn go_on(
    draft: &mut Draft<'_>,
    source: &Source<'_>,
    lines: &mut Peekable<impl Iterator<Item = Range<usize>>>,
    lookup: &Lookup<'_>,
) {
    let mut has_arrow = draft.has_arrow();
    while !has_arrow && let Some(more) = lines.next_if(|line| goes_on(source, line.clone(), lookup))
    {
        let more = cut(source, more, lookup);
        has_arrow = more.iter().any(|token| token.kind == Kind::Arrow);
        draft.tokens.extend(more);
    }
}

/// A line that begins with no word of the language.
fn no_statement<'a>(
    source: &Source<'_>,
    (line, head): (Range<usize>, Head<'a>),
    lookup: &Lookup<'a>,
    faults: &mut Faults,
) {
    let before = faults.len();
    suspicious(source, (line.clone(), head), lookup, faults);
    if faults.len() == before
        && let Some(complaint) = place::misplaced(source, line, lookup)
    {
        faults.add(complaint);
    }
}

/// Whether a line begins with an arrow, behind list markers too.
fn is_step(source: &Source<'_>, line: Range<usize>, lookup: &Lookup<'_>) -> bool {
    matches!(head(source, line, lookup).0, Head::Arrow)
}

/// An arrow line below a statement that has its step.
fn second_step(
    source: &Source<'_>,
    line: Range<usize>,
    raw: &Raw<'_>,
    lookup: &Lookup<'_>,
) -> Complaint {
    let (at, _) = start(source, line.clone());
    let arrow = lookup.arrow(source.slice(at..line.end)).unwrap_or_default();
    let message = "a second step stands below a statement that has one";
    Complaint::new(Code::LangArrow, message)
        .at(at..at + arrow.len(), "a second step")
        .at(raw.span.clone(), "this statement has its step")
        .help(format!(
            "write a statement for each step: `{} CONDITION {ARROW} STEP`",
            raw.word
        ))
}

fn too_many(at: Range<usize>) -> Complaint {
    let message = format!("the text has more than {MOST} statements");
    Complaint::new(Code::LangBounds, message)
        .at(at, "one too many")
        .help("split the text")
}

/// A text without any word of the language: one statement if it has an arrow.
///
/// A number at its beginning belongs to the condition; nothing could refer to it.
pub(super) fn bare<'a>(
    source: &Source<'_>,
    lookup: &Lookup<'a>,
    faults: &mut Faults,
) -> Vec<Raw<'a>> {
    let Some((word, row)) = lookup.command(PLAIN) else {
        return Vec::new();
    };
    let mut tokens = Vec::new();
    for line in source.lines.iter().cloned() {
        let (at, _) = start(source, line.clone());
        let from = if tokens.is_empty() { at } else { line.start };
        tokens.extend(cut(source, from..line.end, lookup));
    }
    let at = tokens.first().map_or(0, |token| token.span.start);
    let draft = Draft {
        word,
        row,
        at: at..at,
        label: None,
        tokens,
    };
    if !draft.has_arrow() || source.slice(at..source.text.len()).starts_with('>') {
        return Vec::new();
    }
    vec![build::statement(source, draft, lookup, faults)]
}

/// Whether a line goes on with the statement above it.
fn goes_on(source: &Source<'_>, line: Range<usize>, lookup: &Lookup<'_>) -> bool {
    let (head, is_bare) = head(source, line, lookup);
    is_bare && matches!(head, Head::Join(..) | Head::Arrow)
}

/// The first line of a statement.
fn draft<'a>(
    (word, row, at): (&'a str, &'a Word, Range<usize>),
    source: &Source<'_>,
    end: usize,
    lookup: &Lookup<'_>,
) -> Draft<'a> {
    let rest = source.slice(at.end..end);
    let body = rest.trim_start();
    let from = at.end + rest.len() - body.len();
    let label = own_number(body, lookup).filter(|_| row.numbered);
    let label = label.map(|(number, length)| (number, from..from + length));
    let from = label.as_ref().map_or(from, |(_, span)| span.end);
    let tokens = cut(source, from..end, lookup);
    Draft {
        word,
        row,
        at,
        label,
        tokens,
    }
}

/// The number behind a word and the bytes that it takes.
fn own_number(body: &str, lookup: &Lookup<'_>) -> Option<(u32, usize)> {
    if let Some((number, behind)) = numbered(body) {
        return Some((number, body.len() - behind.len()));
    }
    let behind = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = body.strip_suffix(behind)?;
    lookup.arrow(behind)?;
    Some((digits.parse().ok()?, digits.len()))
}

/// A join that begins a line and goes on with nothing.
fn stray(source: &Source<'_>, span: Range<usize>) -> Complaint {
    let join = source.slice(span.clone());
    Complaint::new(Code::LangJoin, format!("`{join}` joins nothing here"))
        .at(span, "no statement without a step stands above this line")
        .help("joins stand before the arrow; write `/if A /and B -> STEP`, or put a mention in backticks")
}

/// A line that is meant as a statement and is none.
fn suspicious<'a>(
    source: &Source<'_>,
    (line, suspect): (Range<usize>, Head<'a>),
    lookup: &Lookup<'a>,
    faults: &mut Faults,
) {
    let Head::Suspect {
        span,
        meant,
        needs_arrow,
        why,
    } = suspect
    else {
        return;
    };
    let tokens = match needs_arrow {
        true => cut(source, span.end..line.end, lookup),
        false => Vec::new(),
    };
    if needs_arrow && !tokens.iter().any(|token| token.kind == Kind::Arrow) {
        return;
    }
    let run = source.slice(span.clone());
    let written = short(run, 40);
    let near = || closest(&run.to_lowercase(), lookup.all(), 2);
    let meant = meant.or_else(|| (!faults.is_full()).then(near).flatten());
    let label = match meant {
        Some(word) => format!("did you mean `{word}`?"),
        None => "not a word of the language".to_string(),
    };
    let word = meant.unwrap_or(PLAIN);
    faults.add(
        Complaint::new(Code::LangWord, format!("`{written}` is no command: {why}"))
            .at(span, label)
            .help(format!(
                "write `{word} CONDITION {ARROW} STEP`, or put a mention in backticks"
            )),
    );
}

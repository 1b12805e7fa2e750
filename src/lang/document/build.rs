//! One statement from its tokens: where the condition ends, what the step is.
//!
//! INVARIANT: a statement that is not whole has at least one complaint.

use std::ops::Range;

use crate::diag::Code;
use crate::model::text::{is_harmful, short};

use super::{Draft, Raw};
use crate::lang::faults::{Complaint, Faults};
use crate::lang::source::Source;
use crate::lang::token::{Kind, Token};
use crate::lang::tree::{Node, parse, span_of, text_of};
use crate::lang::words::{ARROW, Lookup, Timing};

/// The most characters of a condition, and of a step.
pub(in crate::lang) const LENGTH: usize = 2000;

/// Reads a statement; what is wrong goes to `faults`.
pub(super) fn statement<'a>(
    source: &Source<'_>,
    draft: Draft<'a>,
    lookup: &Lookup<'_>,
    faults: &mut Faults,
) -> Raw<'a> {
    let mut raw = Raw {
        word: draft.word,
        row: draft.row,
        label: draft.label.clone(),
        node: None,
        mentions: Vec::new(),
        step: None,
        span: draft.span(),
    };
    let before = faults.len();
    let checked = check_signs(source, &draft)
        .and_then(|()| check_ends(source, &draft))
        .and_then(|()| check_arrows(source, &draft));
    match checked {
        Ok(()) => parts(source, &draft, lookup, (&mut raw, faults)),
        Err(complaint) => faults.add(complaint),
    }
    if faults.len() > before {
        raw.node = None;
        raw.step = None;
        raw.mentions = mentions(source.slice(raw.span.clone()), lookup);
    }
    raw
}

/// Condition and step of a statement whose signs are right.
fn parts(
    source: &Source<'_>,
    draft: &Draft<'_>,
    lookup: &Lookup<'_>,
    (raw, faults): (&mut Raw<'_>, &mut Faults),
) {
    let (condition, behind) = split(&draft.tokens);
    match self::condition(source, draft, condition, lookup) {
        Ok(node) => raw.node = Some(node),
        Err(complaint) => faults.add(complaint),
    }
    match step(source, draft, behind) {
        Ok(step) => raw.step = step,
        // Without condition and step one complaint is enough.
        Err(_) if raw.node.is_none() && draft.tokens.is_empty() => {}
        Err(complaint) => faults.add(complaint),
    }
}

/// What stands before the arrow, and the arrow with what stands behind it.
fn split(tokens: &[Token]) -> (&[Token], Option<(&Token, &[Token])>) {
    let arrow = tokens.iter().position(|token| token.kind == Kind::Arrow);
    let at = arrow.unwrap_or(tokens.len());
    let (condition, behind) = tokens.split_at_checked(at).unwrap_or((tokens, &[]));
    (condition, behind.split_first())
}

/// How a comment begins.
const COMMENT: &str = "<!--";

/// Where a comment seems to begin and none does: in another document it would hide what follows.
fn open_comment(source: &Source<'_>, span: Range<usize>) -> Option<usize> {
    let text = source.slice(span.clone());
    let mut places = text.match_indices(COMMENT).map(|(at, _)| span.start + at);
    places.find(|at| source.comment_end(*at).is_none())
}

/// Characters that are not seen, quotes that do not close, a second command.
fn check_signs(source: &Source<'_>, draft: &Draft<'_>) -> Result<(), Complaint> {
    let is_hidden = |c: char| is_harmful(c) && !c.is_whitespace();
    let span = draft.span();
    let mut chars = source.slice(span.clone()).char_indices();
    if let Some((at, c)) = chars.find(|(_, c)| is_hidden(*c)) {
        let at = span.start + at;
        let name = c.escape_unicode();
        return Err(Complaint::new(
            Code::LangControl,
            format!("the statement holds the control character `{name}`"),
        )
        .at(at..at + c.len_utf8(), "here")
        .help("delete it"));
    }
    if let Some(at) = open_comment(source, span) {
        return Err(Complaint::new(Code::LangQuote, "a comment is not closed")
            .at(at..at + COMMENT.len(), "opened here")
            .help("close the comment on the same line, or leave it out"));
    }
    let find = |kind| draft.tokens.iter().find(|token| token.kind == kind);
    if let Some(token) = find(Kind::Unclosed) {
        let quote = source.slice(token.span.clone()).chars().next();
        let length = quote.map_or(0, char::len_utf8);
        return Err(Complaint::new(Code::LangQuote, "a quote is not closed")
            .at(token.span.start..token.span.start + length, "opened here")
            .help("close the quote on the same line, or leave it out"));
    }
    if let Some(token) = find(Kind::Command) {
        let word = source.slice(token.span.clone());
        return Err(Complaint::new(
            Code::LangSecond,
            format!("`{word}` stands inside a statement"),
        )
        .at(token.span.clone(), "a second command")
        .help("begin a line with it, or put it in quotes if it belongs to the text"));
    }
    Ok(())
}

/// No arrow has a further sign of an arrow directly behind it.
fn check_ends(source: &Source<'_>, draft: &Draft<'_>) -> Result<(), Complaint> {
    let signs = ['>', '-'];
    let rest = |token: &Token| source.slice(token.span.end..source.text.len());
    let mut arrows = draft.tokens.iter().filter(|t| t.kind == Kind::Arrow);
    let Some(arrow) = arrows.find(|token| rest(token).starts_with(signs)) else {
        return Ok(());
    };
    let behind = rest(arrow);
    let more = behind.len() - behind.trim_start_matches(signs).len();
    let span = arrow.span.start..arrow.span.end + more;
    let run = short(source.slice(span.clone()), 40);
    Err(
        Complaint::new(Code::LangArrow, format!("`{run}` is no arrow"))
            .at(span, "an unknown arrow")
            .help(format!("write `{ARROW}` and a blank behind it")),
    )
}

/// At most one arrow.
fn check_arrows(source: &Source<'_>, draft: &Draft<'_>) -> Result<(), Complaint> {
    let is_arrow = |(_, token): &(usize, &Token)| token.kind == Kind::Arrow;
    let mut arrows = draft.tokens.iter().enumerate().filter(is_arrow);
    let (Some((_, first)), Some((at, second))) = (arrows.next(), arrows.next()) else {
        return Ok(());
    };
    let text = |tokens: &[Token]| short(&text_of(source, tokens), 60);
    let (condition, behind) = split(&draft.tokens);
    let step = behind.map(|(_, step)| step).unwrap_or_default();
    let (before, after) = draft.tokens.split_at_checked(at).unwrap_or_default();
    let after = after
        .split_first()
        .map(|(_, step)| step)
        .unwrap_or_default();
    let word = draft.word;
    let help = format!(
        "put the arrow that belongs to a text in quotes:\n  {word} {} {ARROW} {}\n  {word} {} {ARROW} {}",
        text(condition),
        quoted(&text(step)),
        quoted(&text(before)),
        text(after),
    );
    Err(
        Complaint::new(Code::LangArrow, "the statement has more than one arrow")
            .at(second.span.clone(), "the step may begin here")
            .at(first.span.clone(), "or here")
            .help(help),
    )
}

/// In the quotes that the text does not hold itself.
fn quoted(text: &str) -> String {
    let pairs = [("\"", "\""), ("`", "`"), ("\u{201e}", "\u{201c}")];
    let free = pairs.iter().find(|(open, _)| !text.contains(open));
    let (open, close) = free.unwrap_or(&("\"", "\""));
    format!("{open}{text}{close}")
}

fn condition(
    source: &Source<'_>,
    draft: &Draft<'_>,
    tokens: &[Token],
    lookup: &Lookup<'_>,
) -> Result<Node, Complaint> {
    let (word, row) = (draft.word, draft.row);
    if !tokens.is_empty() {
        check_length(source, tokens, "condition")?;
        return parse(source, tokens, (word, row), lookup);
    }
    if let Some(says) = &row.says
        && row.timing != Timing::Duration
    {
        return Ok(Node::Atom(says.clone(), draft.at.clone()));
    }
    let message = match draft.tokens.is_empty() {
        true if draft.label.is_none() => "the condition and the step are missing",
        _ => "the condition is missing",
    };
    let help = match &draft.label {
        Some((number, _)) if draft.has_arrow() => {
            format!("to wait for condition {number}, write `/if condition {number} {ARROW} STEP`")
        }
        Some((number, _)) => format!("write what must be true: `{word} {number} CONDITION`"),
        None => format!(
            "write `{word} CONDITION {ARROW} STEP`, or put a mention of the word in backticks"
        ),
    };
    Err(Complaint::new(Code::LangCondition, message)
        .at(draft.at.clone(), "no condition follows")
        .help(help))
}

fn step(
    source: &Source<'_>,
    draft: &Draft<'_>,
    behind: Option<(&Token, &[Token])>,
) -> Result<Option<String>, Complaint> {
    let Some((arrow, tokens)) = behind else {
        if draft.label.is_some() {
            return Ok(None);
        }
        let end = draft.span().end;
        let help = format!(
            "write the step behind an arrow: `{} CONDITION {ARROW} STEP`",
            draft.word
        );
        return Err(Complaint::new(Code::LangStep, "the step is missing")
            .at(draft.at.clone(), "what does this block?")
            .at(end..end, "an arrow and the step belong here")
            .help(help));
    };
    if tokens.is_empty() {
        return Err(Complaint::new(Code::LangStep, "the step is empty")
            .at(arrow.span.clone(), "nothing stands behind this arrow")
            .help("write the step that is to wait, on the same line"));
    }
    if let Some(join) = tokens.iter().find(|t| matches!(t.kind, Kind::Join(_))) {
        let word = source.slice(join.span.clone());
        return Err(
            Complaint::new(Code::LangJoin, format!("`{word}` stands in the step"))
                .at(join.span.clone(), "joins stand before the arrow")
                .help("move the condition before the arrow, or put the text in quotes"),
        );
    }
    check_length(source, tokens, "step")?;
    Ok(Some(text_of(source, tokens)))
}

fn check_length(source: &Source<'_>, tokens: &[Token], what: &str) -> Result<(), Complaint> {
    let span: Range<usize> = span_of(tokens);
    let length = source.slice(span.clone()).chars().count();
    if length <= LENGTH {
        return Ok(());
    }
    let message = format!("the {what} has {length} characters, more than {LENGTH}");
    Err(Complaint::new(Code::LangBounds, message)
        .at(span.start..span.start, format!("the {what} begins here"))
        .help("say it shorter, or split the statement"))
}

/// The numbers that a text which could not be read may refer to.
fn mentions(text: &str, lookup: &Lookup<'_>) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut was_word = false;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.is_empty() {
            continue;
        }
        match word.parse() {
            Ok(number) if was_word => numbers.push(number),
            _ => {}
        }
        let references = &lookup.words.references;
        was_word = word.len() < 64 && references.contains(&word.to_lowercase());
    }
    numbers
}

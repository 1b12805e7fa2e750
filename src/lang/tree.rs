//! From the tokens of a condition to its tree.
//!
//! Parentheses group only where an operand begins; behind text they belong to the text. There is
//! no precedence: `/and` and `/or` on one level are a fault that shows both readings.
//!
//! INVARIANT: at most [`OPERANDS`] operands and [`LEVELS`] levels, so recursion is bounded.

use std::ops::Range;

use crate::diag::Code;

use super::faults::Complaint;
use super::source::Source;
use super::statement::own_text;
use super::token::{Kind, Token};
use super::words::{Join, Lookup, Timing, Word};

mod pairs;
mod readings;

/// The most operands of a condition.
pub(super) const OPERANDS: usize = 64;
/// The most levels of parentheses.
pub(super) const LEVELS: usize = 16;

/// A condition with its references as they were written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// One condition.
    Atom(String, Range<usize>),
    /// A numbered condition; no number if it is too large.
    Reference(Option<u32>, Range<usize>),
    /// Operands that are joined in one way.
    Joined(Join, Vec<Node>),
}

impl Node {
    /// Every reference, in the order of the text.
    pub fn references(&self) -> Vec<(Option<u32>, Range<usize>)> {
        match self {
            Node::Atom(..) => Vec::new(),
            Node::Reference(number, span) => vec![(*number, span.clone())],
            Node::Joined(_, parts) => parts.iter().flat_map(Node::references).collect(),
        }
    }
}

/// What some tokens say, with single blanks.
pub(super) fn text_of(source: &Source<'_>, tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut end = None;
    for token in tokens {
        if end.is_some_and(|end| end < token.span.start) {
            text.push(' ');
        }
        text.push_str(source.slice(token.span.clone()));
        end = Some(token.span.end);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The place of some tokens.
pub(super) fn span_of(tokens: &[Token]) -> Range<usize> {
    let start = tokens.first().map_or(0, |token| token.span.start);
    start..tokens.last().map_or(start, |token| token.span.end)
}

/// Reads the condition of a statement that begins with `word`.
pub(super) fn parse(
    source: &Source<'_>,
    tokens: &[Token],
    word: (&str, &Word),
    lookup: &Lookup<'_>,
) -> Result<Node, Complaint> {
    if let Some(near) = tokens
        .iter()
        .find(|token| matches!(token.kind, Kind::NearJoin(_)))
    {
        return Err(pairs::misspelt(source, near));
    }
    let partners = pairs::partners(tokens)?;
    let mut parser = Parser {
        source,
        tokens,
        word,
        lookup,
        joins: pairs::joins_before(tokens),
        partners,
        at: 0,
        operands: 0,
    };
    parser.level(tokens.len(), 0)
}

struct Parser<'a> {
    source: &'a Source<'a>,
    tokens: &'a [Token],
    word: (&'a str, &'a Word),
    lookup: &'a Lookup<'a>,
    joins: Vec<usize>,
    partners: Vec<usize>,
    at: usize,
    operands: usize,
}

impl Parser<'_> {
    /// The operands up to `end`, which is the end of the condition or of a group.
    fn level(&mut self, end: usize, depth: usize) -> Result<Node, Complaint> {
        let mut parts = vec![self.operand(end, depth)?];
        let mut joins: Vec<(Join, Range<usize>)> = Vec::new();
        while self.at < end {
            let Some(token) = self.tokens.get(self.at) else {
                break;
            };
            if let Kind::Join(join) = token.kind {
                joins.push((join, token.span.clone()));
            }
            self.at += 1;
            parts.push(self.operand(end, depth)?);
        }
        let Some((first, span)) = joins.first().cloned() else {
            return parts.pop().ok_or_else(|| self.empty());
        };
        if let Some((_, other)) = joins.iter().find(|(join, _)| *join != first) {
            let joins: Vec<Join> = joins.iter().map(|(join, _)| *join).collect();
            let help = readings::both(&parts, &joins);
            let column = self.source.column(other.start);
            let message =
                format!("`/and` and `/or` are mixed without parentheses, first in column {column}");
            return Err(Complaint::new(Code::LangMixed, message)
                .at(other.clone(), "this join could bind tighter")
                .at(span, "or this one")
                .help(help));
        }
        Ok(Node::Joined(first, parts))
    }

    fn operand(&mut self, end: usize, depth: usize) -> Result<Node, Complaint> {
        let token = self.tokens.get(self.at).filter(|_| self.at < end);
        let Some(token) = token.filter(|token| !matches!(token.kind, Kind::Join(_))) else {
            return Err(self.empty());
        };
        if token.kind == Kind::Open {
            let close = self.partner();
            let next = self.tokens.get(close + 1).filter(|_| close + 1 < end);
            if next.is_none_or(|next| matches!(next.kind, Kind::Join(_))) {
                return self.group(close, depth + 1);
            }
            self.check_text_group(close, "text follows this group")?;
        }
        self.text(end)
    }

    fn group(&mut self, close: usize, depth: usize) -> Result<Node, Complaint> {
        if depth > LEVELS {
            let message = format!("parentheses are nested more than {LEVELS} levels deep");
            let span = span_of(self.tokens.get(self.at..=self.at).unwrap_or_default());
            return Err(Complaint::new(Code::LangBounds, message)
                .at(span, "too deep")
                .help("give the inner conditions numbers: `/condition 1 TEXT`"));
        }
        self.at += 1;
        let node = self.level(close, depth)?;
        self.at = close + 1;
        Ok(node)
    }

    /// Words, with the parentheses that belong to them.
    fn text(&mut self, end: usize) -> Result<Node, Complaint> {
        let start = self.at;
        while let Some(token) = self.tokens.get(self.at).filter(|_| self.at < end) {
            match token.kind {
                Kind::Join(_) => break,
                Kind::Open => {
                    let close = self.partner();
                    self.check_text_group(close, "this belongs to the text before it")?;
                    self.at = close + 1;
                }
                _ => self.at += 1,
            }
        }
        let tokens = self.tokens.get(start..self.at).unwrap_or_default();
        self.operands += 1;
        if self.operands > OPERANDS {
            let message = format!("the condition has more than {OPERANDS} operands");
            return Err(Complaint::new(Code::LangBounds, message)
                .at(span_of(tokens), "one too many")
                .help("split the statement"));
        }
        self.atom(text_of(self.source, tokens), span_of(tokens))
    }

    fn atom(&self, text: String, span: Range<usize>) -> Result<Node, Complaint> {
        let (spelling, word) = self.word;
        let reference = self.lookup.reference(&text);
        let Some(says) = &word.says else {
            return Ok(match reference {
                Some(number) => Node::Reference(number, span),
                None => Node::Atom(text, span),
            });
        };
        if reference.is_some() {
            let message = format!("`{spelling}` takes a text of its own, not `{text}`");
            return Err(Complaint::new(Code::LangReference, message)
                .at(span, "a reference")
                .help(format!(
                    "write it out: `/condition {says} TEXT /and {text} -> STEP`"
                )));
        }
        let own = own_text(says, &text);
        match (own.is_empty(), word.timing) {
            (true, Timing::Duration) => Err(Complaint::new(
                Code::LangCondition,
                format!("`{spelling}` does not say how long"),
            )
            .at(span, "no time stands here")
            .help(format!("write the time: `{spelling} 30 minutes -> STEP`"))),
            (true, _) => Ok(Node::Atom(says.clone(), span)),
            (false, _) => Ok(Node::Atom(format!("{says} {own}"), span)),
        }
    }

    /// Where the group that opens here closes.
    fn partner(&self) -> usize {
        self.partners.get(self.at).copied().unwrap_or(self.at)
    }

    /// Parentheses that belong to text hold no join.
    fn check_text_group(&self, close: usize, why: &str) -> Result<(), Complaint> {
        let before = |at: usize| self.joins.get(at).copied().unwrap_or(0);
        if before(close) == before(self.at) {
            return Ok(());
        }
        let span = span_of(self.tokens.get(self.at..=close).unwrap_or_default());
        let message = "a join stands in parentheses that are part of a text";
        Err(Complaint::new(Code::LangGroup, message)
            .at(span, why)
            .help("a group stands alone between joins; put the text in quotes if none is meant"))
    }

    /// No operand where one must be.
    fn empty(&self) -> Complaint {
        let join = |token: &&Token| matches!(token.kind, Kind::Join(_));
        let here = self.tokens.get(self.at);
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let (token, why) = match (here.filter(join), before) {
            (Some(token), _) => (Some(token), "nothing stands before this join"),
            (None, Some(token)) if join(&token) => (Some(token), "nothing stands behind this join"),
            (None, before) => (before, "nothing stands in these parentheses"),
        };
        let span = token.map_or(0..0, |token| token.span.clone());
        Complaint::new(Code::LangOperand, "a condition is missing")
            .at(span, why)
            .help("write the condition, or leave the join out")
    }
}

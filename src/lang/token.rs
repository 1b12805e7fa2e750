//! The tokens of a statement: text, joins, arrows and parentheses with their places.
//!
//! Quotes and backticks protect arrows, joins and parentheses, and stay in the text. A quote
//! does not go over the end of its line. Comments outside of quotes count as white space.
//!
//! INVARIANT: tokens are in the order of the text, do not overlap and hold no line end; a text
//! token is not blank.

use std::ops::Range;

use super::closest::distance;
use super::lookalike;
use super::source::Source;
use super::words::{Join, Lookup, slash_word};

/// A piece of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Range<usize>,
}

/// What a piece of a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words.
    Text,
    /// `/and` or `/or`.
    Join(Join),
    /// What only looks like a join.
    NearJoin(Join),
    /// An arrow.
    Arrow,
    /// `(`
    Open,
    /// `)`
    Close,
    /// A word that begins statements, in the middle of one.
    Command,
    /// A quote that its line does not close.
    Unclosed,
}

/// Cuts one line, or a part of one, into tokens.
pub(super) fn cut(source: &Source<'_>, part: Range<usize>, lookup: &Lookup<'_>) -> Vec<Token> {
    let mut cutter = Cutter {
        source,
        lookup,
        tokens: Vec::new(),
        text: None,
        end: part.end,
    };
    cutter.run(part.start);
    cutter.tokens
}

struct Cutter<'a> {
    source: &'a Source<'a>,
    lookup: &'a Lookup<'a>,
    tokens: Vec<Token>,
    /// The words that are being read.
    text: Option<Range<usize>>,
    end: usize,
}

impl Cutter<'_> {
    fn run(&mut self, start: usize) {
        let mut at = start;
        let mut is_free = true;
        while let Some(c) = self.source.slice(at..self.end).chars().next() {
            if let Some(end) = self.source.comment_end(at) {
                self.flush();
                at = end.min(self.end);
                is_free = true;
                continue;
            }
            let (kind, length) = self.sign(at, c, is_free);
            if kind == Kind::Text {
                let is_blank = c.is_whitespace();
                match &mut self.text {
                    Some(text) if !is_blank => text.end = at + length,
                    None if !is_blank => self.text = Some(at..at + length),
                    _ => {}
                }
                is_free = is_blank;
            } else {
                self.flush();
                let span = at..at + length;
                self.tokens.push(Token { kind, span });
                is_free = matches!(kind, Kind::Open | Kind::Close | Kind::Arrow);
            }
            at += length;
        }
        self.flush();
    }

    fn flush(&mut self) {
        if let Some(span) = self.text.take() {
            let kind = Kind::Text;
            self.tokens.push(Token { kind, span });
        }
    }

    /// What begins here and how long it is. `is_free`: white space or a parenthesis stands before.
    fn sign(&self, at: usize, c: char, is_free: bool) -> (Kind, usize) {
        let rest = self.source.slice(at..self.end);
        let one = c.len_utf8();
        match c {
            '(' => (Kind::Open, one),
            ')' => (Kind::Close, one),
            _ if !c.is_alphanumeric() && !c.is_whitespace() => {
                if let Some(arrow) = self.lookup.arrow(rest) {
                    return (Kind::Arrow, arrow.len());
                }
                if let Some(close) = closing(rest) {
                    return match quoted(rest, close) {
                        Some(length) => (Kind::Text, length),
                        None => (Kind::Unclosed, rest.len()),
                    };
                }
                match is_free {
                    true => self.word(at, rest).unwrap_or((Kind::Text, one)),
                    false => (Kind::Text, one),
                }
            }
            _ => (Kind::Text, one),
        }
    }

    /// A join or a command, with white space or a parenthesis before it.
    fn word(&self, at: usize, rest: &str) -> Option<(Kind, usize)> {
        let run = match slash_word(rest) {
            Some(run) => run,
            None => return self.disguised(at, rest),
        };
        if !self.is_end(at + run.len()) {
            return self.disguised(at, rest);
        }
        if let Some(join) = self.lookup.join(run) {
            return Some((Kind::Join(join), run.len()));
        }
        if self.lookup.command(run).is_some() {
            return Some((Kind::Command, run.len()));
        }
        let lower = run.to_lowercase();
        let is_short = run.len() < 16;
        let mut joins = self.lookup.words.joins.iter();
        let near = joins.find(|(join, _)| is_short && distance(&lower, join) <= 1);
        match near {
            Some((_, join)) => Some((Kind::NearJoin(*join), run.len())),
            None => self.disguised(at, rest),
        }
    }

    /// A join whose slash or letters only look right.
    fn disguised(&self, at: usize, rest: &str) -> Option<(Kind, usize)> {
        let seen = lookalike::plain(rest, self.lookup)?;
        let join = self.lookup.join(&seen.word)?;
        let is_whole = self.is_end(at + seen.length);
        is_whole.then_some((Kind::NearJoin(join), seen.length))
    }

    /// Whether white space, a parenthesis, an arrow, a comment or the end stands here.
    fn is_end(&self, at: usize) -> bool {
        let rest = self.source.slice(at..self.end);
        let next = rest.chars().next();
        next.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')'))
            || self.lookup.arrow(rest).is_some()
            || self.source.comment_end(at).is_some()
    }
}

/// What closes the quote that begins here.
pub(super) fn closing(rest: &str) -> Option<&str> {
    match rest.chars().next()? {
        '"' => Some("\""),
        '\u{201e}' => Some("\u{201c}\u{201d}"),
        '\u{201c}' => Some("\u{201d}"),
        '\u{bb}' => Some("\u{ab}"),
        '\u{ab}' => Some("\u{bb}"),
        '`' => rest.get(..rest.len() - rest.trim_start_matches('`').len()),
        _ => None,
    }
}

/// The length of the quoted text with its quotes: up to the next closing sign, or for backticks
/// up to the next run of as many.
pub(super) fn quoted(rest: &str, close: &str) -> Option<usize> {
    if !close.starts_with('`') {
        let open = rest.chars().next()?.len_utf8();
        let inner = rest.get(open..)?;
        let (at, sign) = inner.char_indices().find(|(_, c)| close.contains(*c))?;
        return Some(open + at + sign.len_utf8());
    }
    let mut at = close.len();
    while let Some(found) = rest.get(at..)?.find('`') {
        at += found;
        let run = rest.get(at..)?.bytes().take_while(|b| *b == b'`').count();
        at += run;
        if run == close.len() {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::built_in;
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, String)> {
        let words = built_in();
        let source = Source::new(text);
        let tokens = cut(&source, 0..text.len(), &Lookup::new(&words));
        let told = |token: Token| (token.kind, source.slice(token.span).to_string());
        tokens.into_iter().map(told).collect()
    }

    fn told(kind: Kind, text: &str) -> (Kind, String) {
        (kind, text.to_string())
    }

    #[test]
    fn joins_stand_free_and_arrows_do_not_need_to() {
        use Kind::{Arrow, Close, Open, Text};
        let (and, or) = (Kind::Join(Join::And), Kind::Join(Join::Or));
        assert_eq!(
            kinds("a /AND(b)/or c/or d->e"),
            [
                told(Text, "a"),
                told(and, "/AND"),
                told(Open, "("),
                told(Text, "b"),
                told(Close, ")"),
                told(or, "/or"),
                told(Text, "c/or d"),
                told(Arrow, "->"),
                told(Text, "e"),
            ]
        );
        assert_eq!(kinds("a /and, b"), [told(Text, "a /and, b")]);
        assert_eq!(kinds("a --> b").get(1), Some(&told(Arrow, "-->")));
    }

    #[test]
    fn quotes_protect_and_stay() {
        for text in [
            "a \"-> /and (\" b",
            "a \u{201e}-> /and (\u{201c} b",
            "a \u{201c}-> /and (\u{201d} b",
            "a \u{bb}-> /and (\u{ab} b",
            "a ``-> ` /and (`` b",
        ] {
            assert_eq!(kinds(text), [told(Kind::Text, text)]);
        }
        assert_eq!(
            kinds("a \"b -> c"),
            [told(Kind::Text, "a"), told(Kind::Unclosed, "\"b -> c")]
        );
    }

    #[test]
    fn what_only_looks_like_a_join_is_told_apart() {
        for text in ["/xor", "/adn", "\u{ff0f}and", "/\u{430}nd", "/AN\u{200b}D"] {
            let found = kinds(&format!("a {text} b"));
            assert!(matches!(found[1].0, Kind::NearJoin(_)), "{text}: {found:?}");
        }
        assert_eq!(kinds("a /opt b").len(), 1);
        assert_eq!(kinds("a /if b")[1].0, Kind::Command);
    }

    #[test]
    fn comments_are_blanks() {
        let found = kinds("a <!-- x -> y -->/and b");
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], told(Kind::Text, "a"));
    }
}

//! The top-level pieces of a text: a line that begins with `fn`, `private fn`, `const` or
//! `import` in its first column begins one.

use std::ops::Range;

use crate::script::token::{Kind, Token, tokens};

/// A piece of a text, with the blank lines and comments behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Where it is, in bytes.
    pub span: Range<usize>,
    /// Where its last token ends.
    pub end: usize,
    /// Whether it is a function.
    pub is_function: bool,
    /// Whether its brackets balance and its texts are closed.
    pub whole: bool,
}

/// The pieces in order; they cover the whole text.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut starts: Vec<usize> = vec![0];
    let all = tokens(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if start > 0 && begins(line) && !is_inside(&all, start) {
            starts.push(start);
        }
        start += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let spans = starts.iter().copied().zip(ends);
    spans.map(|(start, end)| piece(text, start..end)).collect()
}

fn begins(line: &str) -> bool {
    let word = |word: &str| {
        let rest = line.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
    };
    ["fn", "private", "const", "import"].into_iter().any(word)
}

/// Whether an offset lies in a text or comment that has an end.
fn is_inside(tokens: &[Token], offset: usize) -> bool {
    let index = tokens.partition_point(|token| token.span.end <= offset);
    tokens.get(index).is_some_and(|token| {
        let is_text = matches!(token.kind, Kind::Text | Kind::Comment);
        is_text && token.closed && token.span.start < offset
    })
}

fn piece(text: &str, span: Range<usize>) -> Piece {
    let own = text.get(span.clone()).unwrap_or_default();
    let tokens = tokens(own);
    let mut code = tokens.iter().filter(|token| token.kind != Kind::Comment);
    let end = code.clone().next_back().map_or(0, |token| token.span.end);
    Piece {
        end: span.start + end,
        is_function: code
            .next()
            .is_some_and(|token| matches!(token.of(own), "fn" | "private")),
        whole: is_whole(own, &tokens),
        span,
    }
}

/// Whether all brackets balance and every text is closed.
pub fn is_whole(text: &str, tokens: &[Token]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for token in tokens {
        let closes = match token.of(text) {
            sign @ ("{" | "(" | "[") if token.kind == Kind::Sign => {
                open.push(sign);
                continue;
            }
            "}" if token.kind == Kind::Sign => "{",
            ")" if token.kind == Kind::Sign => "(",
            "]" if token.kind == Kind::Sign => "[",
            _ if token.closed => continue,
            _ => return false,
        };
        if open.pop() != Some(closes) {
            return false;
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_its_pieces() {
        let text = "// head\nconst A = `\nfn no() {}\n`;\n/*\nfn no() {}\n*/\nfn a() {\n  fn b\n}\nprivate fn c() { ( }\n// fn\n";
        let found = pieces(text);
        let begins: Vec<&str> = found
            .iter()
            .map(|piece| {
                text.get(piece.span.clone())
                    .unwrap()
                    .lines()
                    .next()
                    .unwrap()
            })
            .collect();
        assert_eq!(
            begins,
            ["// head", "const A = `", "fn a() {", "private fn c() { ( }"]
        );
        let whole: Vec<bool> = found.iter().map(|piece| piece.whole).collect();
        assert_eq!(whole, [true, true, true, false]);
        assert_eq!(
            found.iter().map(|p| p.span.len()).sum::<usize>(),
            text.len()
        );
    }

    #[test]
    fn a_text_that_is_never_closed_hides_no_piece() {
        assert_eq!(pieces("fn a() { ` }\nfn b() { 1 }\n").len(), 2);
        assert_eq!(pieces("").len(), 1);
    }
}

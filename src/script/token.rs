//! The text of a script as tokens with places: words, numbers, texts, signs and comments.
//!
//! The engine's own tokens have no end and its parser passes over an unclosed comment; so
//! whoever points at a place reads the text once more, here.
//!
//! INVARIANT: any text gives tokens in order that do not overlap, each on character boundaries;
//! what is between them is blank.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a word of the language.
    Word,
    /// A number.
    Number,
    /// A text or a letter in quotes; of a text with `${...}` each piece of its own.
    Text,
    /// One sign; `::` and the like are two of them.
    Sign,
    /// A comment.
    Comment,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is, in bytes.
    pub span: Range<usize>,
    /// Whether it ends as it should; a text or comment may lack its end.
    pub closed: bool,
}

impl Token {
    /// The token as it stands in its text.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.span.clone()).unwrap_or_default()
    }
}

/// All tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut reader = Reader {
        text,
        at: 0,
        tokens: Vec::new(),
        braces: Vec::new(),
    };
    while reader.next() {}
    reader.tokens
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    /// Open braces within each `${` that is open.
    braces: Vec<usize>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, length: usize, closed: bool) {
        let span = self.at..self.at + length;
        self.at = span.end;
        self.tokens.push(Token { kind, span, closed });
    }

    /// Reads one token or a run of blanks; false at the end.
    fn next(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        match first {
            c if c.is_whitespace() => self.at += c.len_utf8(),
            c if is_word(c) && !c.is_ascii_digit() => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                self.push(Kind::Word, length, true);
            }
            '0'..='9' => self.push(Kind::Number, number(rest), true),
            '/' if rest.starts_with("//") => {
                let length = rest.find('\n').unwrap_or(rest.len());
                self.push(Kind::Comment, length, true);
            }
            '/' if rest.starts_with("/*") => {
                let (length, closed) = block_comment(rest);
                self.push(Kind::Comment, length, closed);
            }
            '"' | '\'' => {
                let (length, closed) = quoted(rest, first);
                self.push(Kind::Text, length, closed);
            }
            '`' => self.back_quoted(1),
            '#' => match raw(rest) {
                Some((length, closed)) => self.push(Kind::Text, length, closed),
                None => self.push(Kind::Sign, 1, true),
            },
            '{' | '}' => self.brace(first == '{'),
            c => self.push(Kind::Sign, c.len_utf8(), true),
        }
        true
    }

    /// A piece of a text in back quotes, up to its end or to `${`, which opens code.
    fn back_quoted(&mut self, begin: usize) {
        let rest = self.rest();
        let mut length = rest.len();
        let mut closed = false;
        let mut opens = false;
        for (index, c) in rest.char_indices().filter(|(index, _)| *index >= begin) {
            if c == '`' {
                (length, closed) = (index + 1, true);
                break;
            }
            if c == '$' && rest.get(index + 1..).is_some_and(|r| r.starts_with('{')) {
                (length, closed, opens) = (index + 2, true, true);
                break;
            }
        }
        self.push(Kind::Text, length, closed);
        if opens {
            self.braces.push(0);
        }
    }

    fn brace(&mut self, opens: bool) {
        match (self.braces.last_mut(), opens) {
            (Some(0), false) => {
                self.braces.pop();
                return self.back_quoted(1);
            }
            (Some(open), true) => *open += 1,
            (Some(open), false) => *open -= 1,
            (None, _) => {}
        }
        self.push(Kind::Sign, 1, true);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Digits with what belongs to them; `1..3` and `1.len` end before the dot.
fn number(rest: &str) -> usize {
    let whole = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let behind = rest.get(whole..).unwrap_or_default();
    let fraction = behind.strip_prefix('.').unwrap_or_default();
    match fraction.starts_with(|c: char| c.is_ascii_digit()) {
        true => whole + 1 + fraction.find(|c| !is_word(c)).unwrap_or(fraction.len()),
        false => whole,
    }
}

/// Comments may stand in one another.
fn block_comment(rest: &str) -> (usize, bool) {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'/'), Some(b'*')) => (at, depth) = (at + 2, depth + 1),
            (Some(b'*'), Some(b'/')) => {
                (at, depth) = (at + 2, depth - 1);
                if depth == 0 {
                    return (at, true);
                }
            }
            _ => at += 1,
        }
    }
    (rest.len(), false)
}

/// A text ends on its line, unless the line ends with a backslash.
fn quoted(rest: &str, quote: char) -> (usize, bool) {
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = c == '\r',
            '\\' => escaped = true,
            '\n' => return (index, false),
            c if c == quote => return (index + 1, true),
            _ => {}
        }
    }
    (rest.len(), false)
}

/// `#"..."#`, with as many signs at its end as at its beginning.
fn raw(rest: &str) -> Option<(usize, bool)> {
    let signs = rest.find(|c| c != '#').unwrap_or(rest.len());
    let inner = rest.get(signs..)?.strip_prefix('"')?;
    let end = format!("\"{}", rest.get(..signs)?);
    Some(match inner.find(&end) {
        Some(at) => (signs + 1 + at + end.len(), true),
        None => (rest.len(), false),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.of(text)).collect()
    }

    #[test]
    fn a_text_is_taken_apart() {
        let table: [(&str, &[&str]); 9] = [
            ("let x=1;", &["let", "x", "=", "1", ";"]),
            ("a.b::c", &["a", ".", "b", ":", ":", "c"]),
            ("\"a\\\"b\" 'c'", &["\"a\\\"b\"", "'c'"]),
            (
                "`a ${b + `c`} d` e",
                &["`a ${", "b", "+", "`c`", "} d`", "e"],
            ),
            ("`${#{a: 1}}`", &["`${", "#", "{", "a", ":", "1", "}", "}`"]),
            (
                "/* a /* b */ c */ d // e",
                &["/* a /* b */ c */", "d", "// e"],
            ),
            ("#\"a\"b\"# c", &["#\"a\"b\"#", "c"]),
            (
                "1.5 1..3 2.len",
                &["1.5", "1", ".", ".", "3", "2", ".", "len"],
            ),
            ("ü \"a\nb", &["ü", "\"a", "b"]),
        ];
        for (text, wanted) in table {
            assert_eq!(read(text), wanted);
        }
    }

    #[test]
    fn what_lacks_its_end_is_known() {
        for text in ["/* a", "\"a", "`a", "`${`", "#\"a\"", "/* /* */"] {
            assert!(tokens(text).iter().any(|token| !token.closed), "{text}");
        }
        for text in ["/* a */", "\"a\"", "`a${1}`", "#\"a\"#", "// /*"] {
            assert!(tokens(text).iter().all(|token| token.closed), "{text}");
        }
    }

    proptest! {
        #[test]
        fn tokens_are_in_order_and_whole(text in "[a-zü🦀\"'`${}#/* \\\\\n.0-9]{0,60}") {
            let mut end = 0;
            for token in tokens(&text) {
                prop_assert!(token.span.start >= end && token.span.end > token.span.start);
                prop_assert!(text.get(token.span.clone()).is_some());
                prop_assert!(text.get(end..token.span.start).unwrap().trim().is_empty());
                end = token.span.end;
            }
            prop_assert!(text.get(end..).unwrap().trim().is_empty());
        }
    }
}

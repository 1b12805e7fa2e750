//! Brackets that look like a task box but are none for GFM, and why.
//!
//! INVARIANT: links (`[text](url)`, `[text][ref]`, `[text]: url`) and escaped brackets are no
//! boxes.

use super::super::task::EMPTY_TEXT;
use std::borrow::Cow;

/// A bracket pair at the start of some text.
#[derive(Clone, Copy)]
pub struct Bracket<'a> {
    inner: &'a str,
    rest: &'a str,
}

/// Reads `[`, at most three characters, `]` at the very start.
pub fn bracket(text: &str) -> Option<Bracket<'_>> {
    let body = text.strip_prefix('[')?;
    let end = body.char_indices().take(4).find(|(_, c)| *c == ']')?.0;
    let (inner, rest) = body.split_at_checked(end)?;
    Some(Bracket {
        inner,
        rest: rest.strip_prefix(']')?,
    })
}

impl Bracket<'_> {
    /// Why a list item that begins with this bracket is no clear task; `None` for a link or text.
    pub fn miss(self) -> Option<Cow<'static, str>> {
        if self.is_link() {
            return None;
        }
        let mut chars = self.inner.chars();
        match (chars.next(), chars.next()) {
            (None, _) => Some(Cow::Borrowed("nothing between the brackets of the box")),
            (Some(' ' | '\t' | 'x' | 'X'), None) => Some(Cow::Borrowed(self.after())),
            (Some(c), None) if is_odd_blank(c) => Some(Cow::Borrowed(
                "a no-break or other special space in the box",
            )),
            (Some(c), None) => Some(Cow::Owned(format!("unknown mark `{c}` in the box"))),
            _ if self.is_mark() => Some(Cow::Borrowed("more than one character in the box")),
            _ => None,
        }
    }

    /// Blank, or a tick, whatever blanks are around it; and no link.
    pub fn is_box(self) -> bool {
        let closed = self.rest.is_empty() || self.rest.starts_with(char::is_whitespace);
        self.is_mark() && closed
    }

    fn is_mark(self) -> bool {
        let mark = self
            .inner
            .trim_matches(|c: char| c.is_whitespace() || is_odd_blank(c));
        matches!(mark, "" | "x" | "X")
    }

    fn is_link(self) -> bool {
        self.rest.starts_with(['(', '[', ':'])
    }

    fn after(self) -> &'static str {
        match self.rest.chars().next() {
            None => EMPTY_TEXT,
            Some(c) if c.is_ascii_whitespace() => "the box does not begin the item",
            Some(c) if is_odd_blank(c) => "a no-break or other special space after the box",
            Some(_) => "no blank after the box",
        }
    }
}

fn is_odd_blank(c: char) -> bool {
    (c.is_whitespace() && !c.is_ascii())
        || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_judged_one_by_one() {
        let table = [
            ("[] a", Some("nothing between")),
            ("[ ]a", Some("no blank after")),
            ("[x]a", Some("no blank after")),
            ("[ ]", Some("empty task")),
            ("[ ]\u{a0}a", Some("space after the box")),
            ("[\u{a0}] a", Some("space in the box")),
            ("[\u{200b}] a", Some("space in the box")),
            ("[~] a", Some("unknown mark `~`")),
            ("[ä] a", Some("unknown mark `ä`")),
            ("[  ] a", Some("more than one")),
            ("[ x] a", Some("more than one")),
            ("[x](url)", None),
            ("[ ][ref] a", None),
            ("[x]: url", None),
            ("[ab] a", None),
            ("[abcd] a", None),
            ("a [ ] b", None),
            ("[", None),
            ("", None),
        ];
        for (text, expected) in table {
            let found = bracket(text).and_then(Bracket::miss);
            let ok = match (&found, expected) {
                (Some(reason), Some(part)) => reason.contains(part),
                (None, None) => true,
                _ => false,
            };
            assert!(ok, "{text:?}: {found:?}");
        }
    }
}

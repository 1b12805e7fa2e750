//! A Markdown text made ready for the parser: no byte order mark, no bottomless nesting.
//!
//! INVARIANT: parsing takes time linear in the text. The parser visits every open container once
//! a line, so a line that opens containers beyond [`DEEPEST`] columns is blanked for it (same
//! length, offsets stay) and named in [`Source::too_deep`].

use super::super::lines::{self, Index, list_marker};
use super::super::without_bom;
use pulldown_cmark::{Event, OffsetIter, Options, Parser};
use std::borrow::Cow;
use std::ops::Range;

/// Columns of list markers, quote signs and blanks after which a line is not read.
const DEEPEST: usize = 200;

/// A text, what the parser gets to see of it, and its lines.
pub struct Source<'a> {
    /// The text without byte order mark; offsets of events count from here.
    pub text: &'a str,
    /// 1-based lines that nest too deep to be read.
    pub too_deep: Vec<usize>,
    seen: Cow<'a, str>,
    index: Index,
}

impl<'a> Source<'a> {
    /// Looks through the text once.
    pub fn new(text: &'a str) -> Self {
        let text = without_bom(text);
        let mut seen = Cow::Borrowed(text);
        let mut too_deep = Vec::new();
        for span in lines::spans(text).filter(|span| is_too_deep(span.text)) {
            too_deep.push(span.number);
            let blank = " ".repeat(span.text.len());
            seen.to_mut()
                .replace_range(span.start..span.start + blank.len(), &blank);
        }
        Self {
            text,
            too_deep,
            seen,
            index: Index::new(text),
        }
    }

    /// The parser's events with their byte ranges.
    pub fn events(&self) -> OffsetIter<'_> {
        let options = Options::ENABLE_TASKLISTS | Options::ENABLE_TABLES;
        Parser::new_ext(&self.seen, options).into_offset_iter()
    }

    /// The 1-based line of a byte offset.
    pub fn line(&self, offset: usize) -> usize {
        self.index.line(offset)
    }

    /// What an inline event adds to plain text: code and raw HTML literally, but on one line.
    pub fn plain<'e>(&self, event: &'e Event<'_>, range: &Range<usize>) -> Option<Cow<'e, str>> {
        match event {
            Event::Text(text) => Some(Cow::Borrowed(text)),
            Event::Code(text) | Event::InlineHtml(text) => {
                let raw = self.text.get(range.clone()).unwrap_or_default();
                let words = || text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
                let one_line = !raw.contains(['\n', '\r']);
                Some(if one_line {
                    Cow::Borrowed(text)
                } else {
                    Cow::Owned(words())
                })
            }
            Event::SoftBreak | Event::HardBreak => Some(Cow::Borrowed(" ")),
            _ => None,
        }
    }

    /// From a byte offset to the end of its line.
    pub fn rest_of_line(&self, offset: usize) -> &'a str {
        let rest = self.text.get(offset..).unwrap_or_default();
        rest.split(['\n', '\r']).next().unwrap_or_default()
    }

    /// [`Self::rest_of_line`], empty if a backslash makes the first character literal.
    pub fn unescaped(&self, offset: usize) -> &'a str {
        let before = self.text.get(..offset).unwrap_or_default();
        if before.ends_with('\\') {
            ""
        } else {
            self.rest_of_line(offset)
        }
    }
}

fn is_too_deep(line: &str) -> bool {
    if line.len() <= DEEPEST / 4 {
        return false; // a tab is worth four columns
    }
    let (mut rest, mut columns, mut opens) = (line, 0, false);
    loop {
        let (width, next) = if let Some(next) = rest.strip_prefix([' ', '\t']) {
            (if rest.starts_with('\t') { 4 } else { 1 }, next)
        } else if let Some(next) = rest.strip_prefix('>') {
            opens = true;
            (1, next)
        } else if let Some((marker, next)) = list_marker(rest) {
            opens = true;
            (marker.len(), next)
        } else {
            return false;
        };
        columns += width;
        if columns > DEEPEST && opens {
            return true;
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bottomless_nesting_is_blanked_and_named() {
        let deep = format!("- a\r\n{}ü\r\n- b\n", "- ".repeat(101));
        let source = Source::new(&deep);
        assert_eq!(source.too_deep, [2]);
        assert_eq!(source.seen.len(), deep.len());
        for fine in [
            "- ".repeat(99),
            " ".repeat(5000),
            format!("{}- x", " ".repeat(150)),
        ] {
            assert!(!is_too_deep(&fine), "{fine}");
        }
        for deep in [
            ">".repeat(201),
            format!("{}- x", "\t".repeat(51)),
            "1. ".repeat(70),
        ] {
            assert!(is_too_deep(&deep), "{deep}");
        }
    }
}

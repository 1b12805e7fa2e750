//! A text as Markdown sees it: its lines, its code blocks and its comments.
//!
//! INVARIANT: the ranges of lines hold no line end (LF, CR or CRLF); all ranges are sorted and
//! lie on character boundaries of the text.
//! INVARIANT: time is linear. The parser visits every open container once a line, so a line that
//! opens more than [`DEEPEST`] of them is blanked for it (same length, offsets stay).

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// The most list and quote markers of one line that the parser gets to see.
const DEEPEST: usize = 32;
/// How a comment begins.
const OPEN: &str = "<!--";
/// How a comment ends.
const CLOSE: &str = "-->";

/// A text and what in it is not read.
pub(super) struct Source<'a> {
    /// The text as given.
    pub text: &'a str,
    /// Its lines without their ends.
    pub lines: Vec<Range<usize>>,
    code: Vec<Range<usize>>,
    comments: Vec<Range<usize>>,
}

impl<'a> Source<'a> {
    /// Looks through the text once.
    pub fn new(text: &'a str) -> Self {
        let lines = lines(text);
        let mut source = Source {
            text,
            lines,
            code: Vec::new(),
            comments: Vec::new(),
        };
        let shown = source.shown();
        for (event, range) in Parser::new_ext(&shown, Options::empty()).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(_)) => source.code.push(range),
                Event::Start(Tag::HtmlBlock) => comments(&shown, range, &mut source.comments),
                Event::InlineHtml(html) if html.starts_with(OPEN) => source.comments.push(range),
                _ => {}
            }
        }
        source
    }

    /// A part of the text.
    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// The 1-based column of a place in its line, in characters.
    pub fn column(&self, at: usize) -> usize {
        let behind = self.lines.partition_point(|line| line.start <= at);
        let line = behind
            .checked_sub(1)
            .and_then(|index| self.lines.get(index));
        let start = line.map_or(0, |line| line.start);
        self.slice(start..at).chars().count() + 1
    }

    /// Whether a place lies in a code block.
    pub fn is_code(&self, at: usize) -> bool {
        covering(&self.code, at).is_some()
    }

    /// The end of the comment that covers a place.
    pub fn comment_end(&self, at: usize) -> Option<usize> {
        covering(&self.comments, at).map(|range| range.end)
    }

    /// What the parser gets to see.
    fn shown(&self) -> Cow<'a, str> {
        let mut shown = Cow::Borrowed(self.text);
        for line in &self.lines {
            if is_too_deep(self.slice(line.clone())) {
                let blank = " ".repeat(line.len());
                shown.to_mut().replace_range(line.clone(), &blank);
            }
            // The parser does not end every line at a lone CR; a LF is as long.
            let end = line.end..line.end + 1;
            let is_lone = self.slice(end.clone()) == "\r"
                && !self.slice(end.end..self.text.len()).starts_with('\n');
            if is_lone {
                shown.to_mut().replace_range(end, "\n");
            }
        }
        shown
    }
}

fn covering(ranges: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let behind = ranges.partition_point(|range| range.start <= at);
    let range = ranges.get(behind.checked_sub(1)?)?;
    range.contains(&at).then_some(range)
}

/// The lines of a text; a line ends with LF, CR or CRLF.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    let ends = |byte: &u8| matches!(byte, b'\n' | b'\r');
    while let Some(rest) = text.as_bytes().get(start..) {
        let Some(length) = rest.iter().position(ends) else {
            lines.push(start..text.len());
            break;
        };
        lines.push(start..start + length);
        let is_crlf = rest.get(length..length + 2) == Some(b"\r\n");
        start += length + if is_crlf { 2 } else { 1 };
    }
    lines
}

fn is_too_deep(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| {
        matches!(
            byte,
            b' ' | b'\t' | b'-' | b'*' | b'+' | b'>' | b'.' | b')' | b'0'..=b'9'
        )
    });
    let mut signs = 0;
    for byte in marks {
        signs += usize::from(matches!(byte, b'-' | b'*' | b'+' | b'>' | b'.' | b')'));
        if signs > DEEPEST {
            return true;
        }
    }
    false
}

/// The comments of an HTML block; one that is not closed goes to the block's end.
fn comments(text: &str, block: Range<usize>, found: &mut Vec<Range<usize>>) {
    let html = text.get(block.clone()).unwrap_or_default();
    let mut at = 0;
    while let Some(open) = html.get(at..).and_then(|rest| rest.find(OPEN)) {
        let start = at + open;
        let inner = start + OPEN.len();
        let close = html.get(inner..).and_then(|rest| rest.find(CLOSE));
        at = close.map_or(html.len(), |close| inner + close + CLOSE.len());
        found.push(block.start + start..block.start + at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_ends_a_line() {
        let text = "a\r\nb\rc\n\nd";
        let lines_of = |text: &str| -> Vec<String> {
            let lines = lines(text).into_iter();
            lines
                .map(|line| text.get(line).unwrap().to_string())
                .collect()
        };
        let found = lines_of(text);
        assert_eq!(found, ["a", "b", "c", "", "d"]);
        assert_eq!(lines_of(""), [""]);
    }

    #[test]
    fn code_and_comments_are_known() {
        let text = "a\n\n    code\n\n<div>\n<!-- x\ny -->\n</div>\n\nb <!-- z --> c `<!-- q`\n";
        let source = Source::new(text);
        let at = |needle: &str| text.find(needle).unwrap();
        assert!(source.is_code(at("code")));
        assert!(!source.is_code(at("b <")));
        assert_eq!(source.comment_end(at("y -->")), Some(at("\n</div>")));
        assert_eq!(source.comment_end(at("z -->")), Some(at(" c `")));
        assert_eq!(source.comment_end(at("q`")), None);
        assert_eq!(source.comment_end(at("</div>")), None);
    }

    #[test]
    fn a_lone_carriage_return_ends_a_fence_line_too() {
        let text = "```\r/if a -> b\r```\r/if c -> d\r";
        let source = Source::new(text);
        assert!(source.is_code(text.find("/if a").unwrap()));
        assert!(!source.is_code(text.find("/if c").unwrap()));
    }

    #[test]
    fn bottomless_nesting_stays_linear() {
        let text = format!(
            "{}/if a -> b\n{}",
            "- ".repeat(50_000),
            "\n".repeat(100_000)
        );
        assert_eq!(Source::new(&text).lines.len(), 100_002);
    }
}

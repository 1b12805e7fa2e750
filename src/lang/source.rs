//! A text as Markdown sees it: its lines, its code blocks and its comments.
//!
//! INVARIANT: the ranges of lines hold no line end (LF, CR or CRLF); all ranges are sorted and
//! lie on character boundaries of the text.
//! INVARIANT: time is linear. The parser visits every open container once a line, so a line that
//! opens more than [`DEEPEST`] of them is blanked for it (same length, offsets stay).

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
        let mut source = Source {
            text,
            lines: lines(text),
            code: Vec::new(),
            comments: Vec::new(),
        };
        let shown = source.shown();
        (source.code, source.comments) = unread(&shown);
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

    /// What the parser gets to see: of the same length, and with the same blocks and comments.
    ///
    /// A line without code, HTML or arrow has no inline part that counts here; behind its first
    /// letter it is filled up, because most of the parser's time would go into it.
    fn shown(&self) -> String {
        let mut shown = String::with_capacity(self.text.len());
        let mut from = 0;
        for line in &self.lines {
            // The parser does not end every line at a lone CR; a LF is as long.
            let ending = self.slice(from..line.start);
            shown.push_str(if ending == "\r" { "\n" } else { ending });
            let text = self.slice(line.clone());
            let kept = kept(text);
            shown.push_str(text.get(..kept).unwrap_or_default());
            let fill = if is_too_deep(text) { " " } else { "x" };
            shown.extend(std::iter::repeat_n(fill, text.len() - kept));
            from = line.end;
        }
        shown
    }
}

/// The code blocks and the comments of a text.
fn unread(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut code, mut hidden) = (Vec::new(), Vec::new());
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code.push(range),
            Event::Start(Tag::HtmlBlock) => comments(text, range, &mut hidden),
            Event::InlineHtml(html) if html.starts_with(OPEN) => hidden.push(range),
            _ => {}
        }
    }
    (code, hidden)
}

/// How many bytes of a line the parser gets to see.
fn kept(line: &str) -> usize {
    if is_too_deep(line) {
        return 0;
    }
    // A link's definition, and a title below it, are no paragraph: what follows depends on that.
    let may_define = line.trim_start().starts_with(['[', '"', '\'', '(']);
    if line.contains(['<', '>', '`']) || line.contains("]:") || may_define {
        return line.len();
    }
    let letter = line.char_indices().find(|(_, c)| c.is_alphabetic());
    letter.map_or(line.len(), |(at, c)| at + c.len_utf8())
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
    use proptest::prelude::*;

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

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: crate::lang::tests::cases(600),
            failure_persistence: None,
            rng_seed: crate::lang::tests::seed(),
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_the_parser_does_not_see_does_not_count(
            pieces in prop::collection::vec(prop::sample::select(&[
                "a", "ä b", "[x]: y", "*", "_", "[", "]", "(", "\\", "&amp;", "!", "1. ", "- ", "> ",
                "# ", "---", "===", "```", "~~~", "`", "<!--", "-->", "<div>", "</div>", "<a", ">",
                "\n", "\n", "\n\n", "    ", "  ", "\t", "\"", "'", "->", "?>", "<?", "/if a",
            ]), 0..40)
        ) {
            let text = pieces.concat();
            let source = Source::new(&text);
            prop_assert_eq!((source.code.clone(), source.comments.clone()), unread(&text));
        }
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

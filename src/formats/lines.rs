//! Lines with their numbers: the one place that knows byte order marks and line ends.
//!
//! INVARIANT: the spans of a text touch each other and together are the whole text; no line holds
//! a line feed, and none ends with the carriage return of its line end.

use super::without_bom;

/// One line of a text and the bytes that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    /// 1-based number.
    pub number: usize,
    /// Byte offset of the line in the text as given.
    pub start: usize,
    /// Byte offset behind the line and its line end.
    pub end: usize,
    /// The line without byte order mark and line end.
    pub text: &'a str,
}

/// The lines of a text with 1-based numbers.
///
/// One byte order mark at the start is dropped; a line ends at `\n`, and one `\r` before that (or
/// before the end of the text) is not part of it. A lone `\r` elsewhere is an ordinary character.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    spans(text).map(|span| (span.number, span.text))
}

/// The lines of a text with their byte offsets in the text as given.
pub fn spans(text: &str) -> impl Iterator<Item = Span<'_>> {
    let body = without_bom(text);
    let mut end = text.len() - body.len();
    body.split_inclusive('\n')
        .enumerate()
        .map(move |(index, raw)| {
            let start = end;
            end += raw.len();
            let line = raw.strip_suffix('\n').unwrap_or(raw);
            let text = line.strip_suffix('\r').unwrap_or(line);
            Span {
                number: index + 1,
                start,
                end,
                text,
            }
        })
}

/// Finds the line of a byte offset.
pub struct Index {
    starts: Vec<usize>,
}

impl Index {
    /// Notes where the lines of the text begin.
    pub fn new(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The 1-based line that holds the byte at `offset`.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }
}

/// Without the blanks of the other line ends: does the line begin with a Markdown list marker?
///
/// `-`, `*` or `+`, or one to nine digits with `.` or `)`, before a blank or the end of the line
/// (CommonMark 5.2). Gives the marker and what follows it, the blank included.
pub fn list_marker(line: &str) -> Option<(&str, &str)> {
    let (marker, rest) = bare_marker(line)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((marker, rest))
}

/// A list marker whatever follows it.
pub fn bare_marker(line: &str) -> Option<(&str, &str)> {
    let length = match line.as_bytes().first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let closed = matches!(line.as_bytes().get(digits), Some(b'.' | b')'));
            (digits <= 9 && closed).then_some(digits + 1)?
        }
        _ => return None,
    };
    line.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_marks_are_not_content() {
        let table: [(&str, &[(usize, &str)]); 7] = [
            ("", &[]),
            ("\n", &[(1, "")]),
            ("a", &[(1, "a")]),
            ("a\r", &[(1, "a")]),
            (
                "\u{feff}a\r\nb\n\nc\r\n",
                &[(1, "a"), (2, "b"), (3, ""), (4, "c")],
            ),
            ("\u{feff}\u{feff}a\rb\r\r\n", &[(1, "\u{feff}a\rb\r")]),
            ("a\u{feff}\n", &[(1, "a\u{feff}")]),
        ];
        for (text, expected) in table {
            assert_eq!(lines(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn spans_touch_and_count_from_the_text_as_given() {
        let text = "\u{feff}a\r\nbc\n";
        let spans: Vec<_> = spans(text).map(|s| (s.start, s.end)).collect();
        assert_eq!(spans, [(3, 6), (6, 9)]);
        let index = Index::new("a\r\nbc\n");
        assert_eq!([0, 2, 3, 5, 6].map(|at| index.line(at)), [1, 1, 2, 2, 3]);
    }

    #[test]
    fn markers_are_those_of_commonmark() {
        assert_eq!(list_marker("- a"), Some(("-", " a")));
        assert_eq!(list_marker("123456789) a"), Some(("123456789)", " a")));
        assert_eq!(list_marker("*"), Some(("*", "")));
        for none in [
            "1234567890. a",
            "1.1 a",
            "-a",
            "---",
            "a",
            "",
            "1",
            "\u{2022} a",
        ] {
            assert_eq!(list_marker(none), None, "{none}");
        }
    }
}

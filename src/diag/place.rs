//! From the engine's points (line and column) to byte spans.
//!
//! Lines are split at LF only and columns count Unicode scalar values from 1, as the engine
//! does (tabs count one, CR is a character of its line). A point has no end: it is found by
//! reading the word, string or sign that begins there. Every span is clamped to the text and
//! lies on character boundaries.

use std::ops::Range;

/// The span of the token that begins at a 1-based line and column; the end of the text (or of
/// the line) if the point lies beyond it.
pub fn span(text: &str, line: usize, column: usize) -> Range<usize> {
    let Some((start, content)) = line_at(text, line) else {
        return text.len()..text.len();
    };
    let offset = content
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(content.len(), |(i, _)| i);
    let rest = content.get(offset..).unwrap_or_default();
    start + offset..start + offset + token_len(rest)
}

/// Byte offset and content (without LF and CR) of a 1-based line.
fn line_at(text: &str, line: usize) -> Option<(usize, &str)> {
    let mut start = 0;
    for (index, content) in text.split('\n').enumerate() {
        if index + 1 == line.max(1) {
            return Some((start, content.strip_suffix('\r').unwrap_or(content)));
        }
        start += content.len() + 1;
    }
    None
}

fn token_len(rest: &str) -> usize {
    let Some(first) = rest.chars().next() else {
        return 0;
    };
    if matches!(first, '"' | '\'' | '`') {
        return quoted_len(rest, first);
    }
    if is_word(first) {
        return rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    }
    if first.is_whitespace() {
        return first.len_utf8();
    }
    rest.find(|c: char| is_word(c) || c.is_whitespace() || "\"'`()[]{},;".contains(c))
        .filter(|&n| n > 0)
        .unwrap_or(first.len_utf8())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn quoted_len(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    let mut end = rest.len();
    for (index, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return index + c.len_utf8(),
            '\n' if quote != '`' => return index,
            // A text that lacks its end is marked up to the end of its line.
            '\n' => end = end.min(index),
            _ => {}
        }
    }
    end
}

/// The 1-based line and column of a byte offset.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |last| last.chars().count())
        + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked(text: &str, line: usize, column: usize) -> &str {
        text.get(span(text, line, column)).unwrap()
    }

    #[test]
    fn a_point_becomes_the_token_that_begins_there() {
        assert_eq!(marked("let x = über + 1;", 1, 9), "über");
        assert_eq!(marked("/* 🦀ü */ foo(1)", 1, 10), "foo");
        assert_eq!(marked("\t\tfoo()", 1, 3), "foo");
        assert_eq!(marked("a\r\nbcd\r\n", 2, 1), "bcd");
        assert_eq!(marked("x == \"a\\\"b\" ;", 1, 6), "\"a\\\"b\"");
        assert_eq!(marked("a ?? b", 1, 3), "??");
        assert_eq!(marked("f(]", 1, 3), "]");
    }

    #[test]
    fn a_point_past_the_end_is_an_empty_span_at_the_end() {
        assert_eq!(span("1 +", 1, 4), 3..3);
        assert_eq!(span("1 +\r\n", 1, 9), 3..3);
        assert_eq!(span("a\nb", 7, 1), 3..3);
        assert_eq!(span("", 1, 1), 0..0);
        assert_eq!(span("ab", 0, 0), 0..2);
    }

    proptest! {
        #[test]
        fn every_span_lies_on_character_boundaries(
            text in "[a-zü🦀\"\\\\ \t\r\n(.]{0,40}", line in 0usize..9, column in 0usize..20
        ) {
            let span = span(&text, line, column);
            prop_assert!(text.get(span).is_some());
        }
    }
}

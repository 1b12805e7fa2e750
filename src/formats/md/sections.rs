//! The sections of a Markdown text: each heading with the raw text up to the next one.
//!
//! INVARIANT: the bodies are slices of the text, in order, and do not overlap. Headings inside
//! quotes and lists, code or comments divide nothing.

use super::source::Source;
use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use std::ops::Range;

/// One heading and what stands below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// 1-based line of the heading.
    pub line: usize,
    /// 1 to 6.
    pub level: u8,
    /// The heading as plain text.
    pub title: String,
    /// 1-based line on which the body begins, also if it is empty.
    pub body_start_line: usize,
    /// The raw text up to the next heading of any level; line ends as they are.
    pub body: &'a str,
}

/// The sections of the text in document order; text above the first heading is in none.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let source = Source::new(text);
    let headings = headings(&source);
    let ends = headings
        .iter()
        .skip(1)
        .map(|h| h.range.start)
        .chain([source.text.len()]);
    let pairs = headings.iter().zip(ends);
    let section = |(heading, end): (&Heading, usize)| {
        let from = heading.range.end.min(end);
        Section {
            line: source.line(heading.range.start),
            level: heading.level,
            title: heading.title.trim().to_owned(),
            body_start_line: source.line(from),
            body: source.text.get(from..end).unwrap_or_default(),
        }
    };
    pairs.map(section).collect()
}

struct Heading {
    level: u8,
    title: String,
    range: Range<usize>,
}

fn headings(source: &Source<'_>) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut current: Option<Heading> = None;
    let mut depth = 0_usize;
    for (event, range) in source.events() {
        match &event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                let level = rank(*level);
                current = Some(Heading {
                    level,
                    title: String::new(),
                    range,
                });
            }
            Event::End(TagEnd::Heading(_)) => found.extend(current.take()),
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => depth -= 1,
            _ => {
                if let (Some(heading), Some(text)) =
                    (current.as_mut(), source.plain(&event, &range))
                {
                    heading.title.push_str(&text);
                }
            }
        }
    }
    found
}

fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_carry_their_raw_text_and_places() {
        let text = "\u{feff}vorher\r\n# Eins `a` **b** #\r\n\r\ntext\r\n- # kein Abschnitt\r\n\
                    ```\r\n# code\r\n```\r\nZwei\r\n----\r\nbody\r\n### Drei";
        let found: Vec<_> = sections(text)
            .into_iter()
            .map(|s| (s.line, s.level, s.title, s.body_start_line, s.body))
            .collect();
        let first = "\r\ntext\r\n- # kein Abschnitt\r\n```\r\n# code\r\n```\r\n";
        let expected = [
            (2, 1, "Eins a b".to_owned(), 3, first),
            (9, 2, "Zwei".to_owned(), 11, "body\r\n"),
            (12, 3, "Drei".to_owned(), 12, ""),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn no_heading_no_section() {
        for text in ["", "text\n", "#kein\n", "    # code\n", "<!--\n# a\n-->\n"] {
            assert_eq!(sections(text), [], "{text}");
        }
    }
}

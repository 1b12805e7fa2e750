//! Boxes that stand at the start of a line but in no list item: GFM sees plain text there.
//!
//! INVARIANT: a line that is code, a comment or an item that the parser saw is never a stray.

use super::super::lines::{self, bare_marker, list_marker};
use super::super::task::{State, Task};
use super::boxes::{Bracket, bracket};
use std::ops::Range;

/// Signs that editors put for a list marker and that GFM does not know.
const LOOKALIKES: [char; 6] = ['•', '–', '—', '·', '‣', '−'];

/// What the parser already explained, both sorted.
pub struct Explained<'a> {
    /// Byte ranges of code and comments.
    pub masked: &'a [Range<usize>],
    /// 1-based lines on which an item or its text begins.
    pub items: &'a [usize],
}

/// The stray boxes of a text (without byte order mark) with their byte offsets.
pub fn strays(text: &str, explained: &Explained<'_>) -> Vec<(usize, Task)> {
    let mut masked = explained.masked.iter().peekable();
    let mut found = Vec::new();
    for span in lines::spans(text) {
        let content = span.text.trim_start_matches([' ', '\t', '>']);
        let Some(reason) = reason(content) else {
            continue;
        };
        let at = span.start + (span.text.len() - content.len());
        while masked.next_if(|range| range.end <= at).is_some() {}
        let hidden = masked.peek().is_some_and(|range| range.contains(&at));
        if !hidden && explained.items.binary_search(&span.number).is_err() {
            found.push((
                at,
                Task::new(span.number, State::unclear(reason), content.trim_end()),
            ));
        }
    }
    found
}

fn reason(content: &str) -> Option<&'static str> {
    let is_box = |text: &str| bracket(text).is_some_and(Bracket::is_box);
    if is_box(content) {
        return Some("a box without a list marker");
    }
    if let Some(rest) = content.strip_prefix(LOOKALIKES) {
        let sign = "a box behind a sign that is no list marker";
        return is_box(rest.trim_start()).then_some(sign);
    }
    let (_, rest) = bare_marker(content)?;
    if list_marker(content).is_none() {
        return is_box(rest).then_some("no blank between list marker and box");
    }
    let inside = "a box, but no list item: inside HTML, or a blank line is missing above";
    is_box(rest.trim_start()).then_some(inside)
}

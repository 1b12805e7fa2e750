//! A text as sentences of words, each word with its place.
//!
//! INVARIANT: a sentence does not go over a blank line, a list marker or a line of the language.

use std::ops::Range;

use super::super::head::start;
use super::Source;

/// A word of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// The word without the signs behind it.
    pub text: &'a str,
    /// The signs behind it.
    pub sign: &'a str,
    /// Where the word begins in the text.
    pub at: usize,
    /// A comma stands behind it.
    pub is_comma: bool,
}

/// The place of a sentence.
pub(super) fn span(sentence: &[Piece<'_>]) -> Range<usize> {
    let start = sentence.first().map_or(0, |piece| piece.at);
    let end = sentence.last().map(|piece| piece.at + piece.text.len());
    start..end.unwrap_or(start)
}

/// The sentences of a text. `is_prose` says of a line whether it is prose, and whether a list
/// marker stands before it.
pub(super) fn sentences<'a>(
    source: &Source<'a>,
    is_prose: &dyn Fn(Range<usize>) -> (bool, bool),
) -> Vec<Vec<Piece<'a>>> {
    let mut all = Vec::new();
    let mut sentence = Vec::new();
    for line in source.lines.iter().cloned() {
        let (at, _) = start(source, line.clone());
        let rest = source.slice(at..line.end);
        let (is_prose, has_marker) = is_prose(line);
        let is_read = is_prose && !rest.is_empty() && !rest.starts_with('>');
        if !is_read || has_marker {
            all.push(std::mem::take(&mut sentence));
        }
        if !is_read {
            continue;
        }
        for piece in pieces(rest, at) {
            let is_stop = piece.sign.contains(['.', '!', '?', ';', ':']);
            sentence.push(piece);
            if is_stop {
                all.push(std::mem::take(&mut sentence));
            }
        }
    }
    all.push(sentence);
    all.retain(|sentence| !sentence.is_empty());
    all
}

fn pieces(line: &str, start: usize) -> impl Iterator<Item = Piece<'_>> {
    let mut at = 0;
    line.split_inclusive(char::is_whitespace)
        .filter_map(move |part| {
            let begin = start + at;
            at += part.len();
            let word = part.trim_end();
            let text = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
            let sign = word.strip_prefix(text)?;
            (!text.is_empty()).then_some(Piece {
                text,
                sign,
                at: begin,
                is_comma: sign.starts_with(','),
            })
        })
}

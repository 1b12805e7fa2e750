//! Conditions that stand in plain sentences: suggestions for a person, never statements.
//!
//! A sentence with one of the table's phrases is cut into condition and step at that phrase. The
//! cut is a guess; whoever reads the suggestion decides.
//!
//! INVARIANT: what is suggested can be read without a fault, and is a single line.

use std::collections::BTreeMap;
use std::ops::Range;

use super::head::{Head, head};
use super::source::Source;
use super::words::{ARROW, Lookup, Phrase, Side, Words};

mod sentences;

use sentences::{Piece, sentences};

/// The most sentences with a phrase that are looked at.
const MOST: usize = 100;
/// The longest sentence, in words.
const LONGEST: usize = 120;
/// Stands for what the sentence does not say.
const BLANK: &str = "...";

/// A statement that a sentence may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The statement, to be checked by a person.
    pub statement: String,
    /// The phrase that was found.
    pub because: String,
    /// Where the sentence stands, in bytes.
    pub span: Range<usize>,
}

/// What the sentences of a text may mean.
pub fn prose(text: &str, words: &Words) -> Vec<Suggestion> {
    let source = Source::new(text);
    let lookup = Lookup::new(words);
    let phrases = Phrases::new(words);
    let mut found = Vec::new();
    let mut looked = 0;
    for sentence in sentences(&source, &|line| is_prose(&source, line, &lookup)) {
        if looked == MOST {
            break;
        }
        let Some((at, length, phrase)) = phrases.first_in(&sentence) else {
            continue;
        };
        looked += 1;
        if let Some(statement) = suggest(&sentence, at, length, phrase)
            && super::read("", &statement, words).faults.is_empty()
        {
            let because = told(sentence.get(at..at + length).unwrap_or_default());
            let span = sentences::span(&sentence);
            found.push(Suggestion {
                statement,
                because,
                span,
            });
        }
    }
    found
}

/// Whether a line belongs to no statement, and whether a list marker stands before it.
fn is_prose(source: &Source<'_>, line: Range<usize>, lookup: &Lookup<'_>) -> (bool, bool) {
    let is_code = source.is_code(super::head::start(source, line.clone()).0);
    let (head, is_bare) = head(source, line, lookup);
    (matches!(head, Head::Prose) && !is_code, !is_bare)
}

/// The phrases by their first word, longest first.
struct Phrases<'a> {
    by_first: BTreeMap<&'a str, Vec<(Vec<&'a str>, &'a Phrase)>>,
}

impl<'a> Phrases<'a> {
    fn new(words: &'a Words) -> Self {
        let mut by_first: BTreeMap<&str, Vec<(Vec<&str>, &Phrase)>> = BTreeMap::new();
        for (text, phrase) in &words.phrases {
            let parts: Vec<&str> = text.split(' ').collect();
            if let Some(first) = parts.first() {
                by_first.entry(first).or_default().push((parts, phrase));
            }
        }
        for list in by_first.values_mut() {
            list.sort_by_key(|(parts, _)| std::cmp::Reverse(parts.len()));
        }
        Phrases { by_first }
    }

    /// The first phrase of a sentence: where it begins and how many words it has.
    fn first_in(&self, sentence: &[Piece<'_>]) -> Option<(usize, usize, &'a Phrase)> {
        if sentence.len() > LONGEST {
            return None;
        }
        let lower: Vec<String> = sentence.iter().map(|p| p.text.to_lowercase()).collect();
        lower.iter().enumerate().find_map(|(at, word)| {
            let list = self.by_first.get(word.as_str())?;
            let rest = lower.get(at..)?;
            let is_here = |parts: &&(Vec<&str>, &Phrase)| {
                rest.len() >= parts.0.len() && parts.0.iter().zip(rest).all(|(a, b)| a == b)
            };
            let (parts, phrase) = list.iter().find(is_here)?;
            Some((at, parts.len(), *phrase))
        })
    }
}

fn suggest(sentence: &[Piece<'_>], at: usize, length: usize, phrase: &Phrase) -> Option<String> {
    let before = sentence.get(..at)?;
    let behind = sentence.get(at + length..)?;
    let (condition, step) = match phrase.condition {
        Side::Before => (before, behind),
        Side::After if !before.is_empty() => (behind, before),
        Side::After => {
            let comma = behind.iter().position(|piece| piece.is_comma);
            let cut = comma.map_or(behind.len(), |comma| comma + 1);
            let (condition, step) = behind.split_at_checked(cut)?;
            let then =
                |piece: &Piece<'_>| matches!(piece.text.to_lowercase().as_str(), "dann" | "then");
            let step = match step.split_first() {
                Some((first, rest)) if then(first) => rest,
                _ => step,
            };
            (condition, step)
        }
    };
    let or_blank = |pieces: &[Piece<'_>]| match pieces.is_empty() {
        true => BLANK.to_string(),
        false => told(pieces),
    };
    (!condition.is_empty() || !step.is_empty()).then(|| {
        let word = &phrase.word;
        format!("{word} {} {ARROW} {}", or_blank(condition), or_blank(step))
    })
}

/// The words of some pieces; the signs at the end of the last one are left out.
fn told(pieces: &[Piece<'_>]) -> String {
    let mut told = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        told.push_str(piece.text);
        if index + 1 < pieces.len() {
            told.push_str(piece.sign);
            told.push(' ');
        }
    }
    told
}

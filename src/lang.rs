//! The condition language: text with positions in, statements and faults out.
//!
//! ```text
//! text -> source (lines, code, comments) -> document (statements as written)
//!      -> token -> tree (operands, joins, parentheses) -> numbers (references) -> Statement
//! ```
//!
//! Reading is generous, and never a guess: what could mean two things is a fault that shows both
//! readings, and every fault says that the step is not protected.
//!
//! INVARIANT: nothing here looks at the world; the words come in as a table ([`Words`]).
//! INVARIANT: time and memory are linear in the text; whatever nests or repeats has a bound.
//! INVARIANT: no text of a statement holds a line end or a control character.

mod closest;
mod document;
mod faults;
mod head;
mod lookalike;
mod numbers;
#[cfg(test)]
mod properties;
mod prose;
mod source;
mod statement;
mod token;
mod tree;
mod words;

pub use prose::{Suggestion, prose};
pub use statement::{Atom, Expr, Statement};
pub use words::{Join, Phrase, Side, Timing, Word, Words};

use crate::diag::{Code, Fault};

use faults::{Complaint, Faults};
use source::Source;
use words::Lookup;

/// What a text says: its statements in the order of the text, and everything that is wrong.
///
/// A text with a fault is not understood as a whole; nothing of it should be stored.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The statements that could be read.
    pub statements: Vec<Statement>,
    /// What is wrong, in the order of the text.
    pub faults: Vec<Fault>,
}

/// Reads a whole prompt in Markdown. `name` names the text in faults.
pub fn read(name: &str, text: &str, words: &Words) -> Reading {
    let source = Source::new(text);
    let lookup = Lookup::new(words);
    let mut faults = Faults::default();
    let raws = document::collect(&source, &lookup, &mut faults);
    let statements = numbers::resolve(&raws, &mut faults);
    Reading {
        statements,
        faults: faults.finish(name, text),
    }
}

/// Reads one text that was meant as a statement: as [`read`] does, but a text without any word
/// of the language that has an arrow is taken as `/condition TEXT`, and a text without any
/// statement is a fault.
pub fn read_one(name: &str, text: &str, words: &Words) -> Reading {
    let reading = read(name, text, words);
    if !reading.statements.is_empty() || !reading.faults.is_empty() {
        return reading;
    }
    let source = Source::new(text);
    let lookup = Lookup::new(words);
    let mut faults = Faults::default();
    let raws = document::bare(&source, &lookup, &mut faults);
    if raws.is_empty() && faults.is_empty() {
        faults.add(
            Complaint::new(Code::LangNothing, "the text holds no statement").help(
                "write the condition, an arrow and the step: `/condition Tests grün -> mergen`",
            ),
        );
    }
    let statements = numbers::resolve(&raws, &mut faults);
    Reading {
        statements,
        faults: faults.finish(name, text),
    }
}

#[cfg(test)]
mod tests;

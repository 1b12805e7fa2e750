//! A syntax tree of whatever can be read of a text, and every mistake on the way.
//!
//! The parser stops at its first mistake. So a small one is mended in a copy of the text, and a
//! larger one takes its whole function out of the copy; then the parser reads on. All copies
//! keep every line and column, so the places of the tree are places of the text.
//!
//! INVARIANT: each round mends one place or takes one piece out, and the rounds are bounded.

use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, LexError, ParseError, ParseErrorType, Position};

use crate::diag::{Fault, place};
use crate::script::engine;
use crate::script::fault::{parse_fault, span_of};

use super::pieces::{Piece, pieces};

/// The most mistakes of one text that are told.
const ROUNDS: usize = 100;

/// What could be read.
pub struct Parsed {
    /// The tree; of a broken text without what could not be read.
    pub ast: AST,
    /// The mistakes.
    pub faults: Vec<Fault>,
    /// Places that were mended: what stands there in the tree is not what the author wrote.
    pub mended: Vec<Position>,
}

/// Reads a text.
pub fn parse(name: &str, text: &Arc<str>) -> Parsed {
    let mut ast = match engine::bare().compile(text.as_ref()) {
        Ok(ast) => Parsed::of(ast),
        Err(error) => Rounds::new(name, text).read(error),
    };
    ast.ast.set_source(name);
    ast
}

impl Parsed {
    fn of(ast: AST) -> Self {
        Parsed {
            ast,
            faults: Vec::new(),
            mended: Vec::new(),
        }
    }
}

struct Rounds<'a> {
    name: &'a str,
    text: &'a Arc<str>,
    pieces: Vec<Piece>,
    /// Pieces that were taken out.
    out: Vec<bool>,
    /// The copy in which unknown names are mended too.
    strict: String,
    /// The copy for the tree, in which they stand as they are.
    lax: String,
    faults: Vec<Fault>,
    mended: Vec<Position>,
    /// Places of mistakes that were told; one that stays is no longer mended.
    told: Vec<Position>,
}

impl<'a> Rounds<'a> {
    fn new(name: &'a str, text: &'a Arc<str>) -> Self {
        let pieces = pieces(text);
        Rounds {
            name,
            text,
            out: vec![false; pieces.len()],
            pieces,
            strict: text.to_string(),
            lax: text.to_string(),
            faults: Vec::new(),
            mended: Vec::new(),
            told: Vec::new(),
        }
    }

    fn read(mut self, mut error: ParseError) -> Parsed {
        for _ in 0..ROUNDS {
            if !self.round(&error) {
                break;
            }
            match engine::bare().compile(&self.strict) {
                Ok(_) => break,
                Err(next) => error = next,
            }
        }
        let mut engine = engine::bare();
        engine.set_strict_variables(false);
        Parsed {
            ast: engine.compile(&self.lax).unwrap_or_else(|_| AST::empty()),
            faults: self.faults,
            mended: self.mended,
        }
    }

    /// Tells one mistake and gets it out of the way; false if that cannot be done.
    fn round(&mut self, error: &ParseError) -> bool {
        let torn = self.torn(self.offset(error.position()));
        let own = torn.and_then(|index| self.alone(index));
        let error = own.as_ref().unwrap_or(error);
        if !self.told.contains(&error.position()) {
            self.told.push(error.position());
            self.tell(error, torn);
            if let Some(mend) = self.mend(error) {
                // Of a missing `;` the place is that of the next word, which is as it was.
                if mend.with != ";" {
                    self.mended.push(mend.position);
                }
                return self.apply(&mend);
            }
        }
        let offset = self.offset(error.position());
        let before = self
            .pieces
            .partition_point(|piece| piece.span.start <= offset);
        self.take_out(torn.unwrap_or(before.saturating_sub(1)))
    }

    fn offset(&self, position: Position) -> usize {
        span_of(self.text, position).map_or(self.text.len(), |span| span.start)
    }

    /// The first piece up to an offset whose brackets do not balance: the parser runs into the
    /// pieces behind it.
    fn torn(&self, offset: usize) -> Option<usize> {
        let all = self.pieces.iter().zip(&self.out).enumerate();
        let mut open = all.filter(|(_, (_, out))| !**out);
        open.find(|(_, (piece, _))| piece.span.start <= offset && !piece.whole)
            .map(|(index, _)| index)
    }

    /// What the parser says of one function if no other is there.
    fn alone(&self, wanted: usize) -> Option<ParseError> {
        let mut copy = self.strict.clone();
        for (index, piece) in self.pieces.iter().enumerate() {
            if index != wanted && piece.is_function {
                blank(&mut copy, &piece.span);
            }
        }
        engine::bare().compile(&copy).err()
    }

    fn tell(&mut self, error: &ParseError, piece: Option<usize>) {
        let mut error = error.clone();
        let end = piece
            .and_then(|index| self.pieces.get(index))
            .map(|piece| piece.end);
        if let Some(end) = end
            && self.offset(error.position()) > end
        {
            error.1 = position_of(self.text, end);
        }
        self.faults.push(parse_fault(self.name, self.text, &error));
    }

    /// Takes a piece out; false if it is out already.
    fn take_out(&mut self, index: usize) -> bool {
        let Some((piece, out)) = self.pieces.get(index).zip(self.out.get_mut(index)) else {
            return false;
        };
        if std::mem::replace(out, true) {
            return false;
        }
        blank(&mut self.strict, &piece.span);
        blank(&mut self.lax, &piece.span);
        true
    }

    fn apply(&mut self, mend: &Mend) -> bool {
        let at = mend.span.clone();
        if self.strict.get(at.clone()).is_none() || at.len() != mend.with.len() {
            return false;
        }
        self.strict.replace_range(at.clone(), &mend.with);
        if !mend.only_strict {
            self.lax.replace_range(at, &mend.with);
        }
        true
    }

    fn mend(&self, error: &ParseError) -> Option<Mend> {
        let position = error.position();
        let span = span_of(self.text, position)?;
        let mend = |span: Range<usize>, with: String, only_strict: bool| Mend {
            position,
            span,
            with,
            only_strict,
        };
        match error.err_type() {
            ParseErrorType::VariableUndefined(word) => {
                let with = if word.len() == 1 { "0" } else { "()" };
                let span = span.start..span.start + word.len();
                Some(mend(span, format!("{with:<0$}", word.len()), true))
            }
            ParseErrorType::ModuleUndefined(word) => {
                let span = span.start..span.start + word.len() + 2;
                let is_path = self.text.get(span.clone())?.ends_with("::");
                is_path.then(|| mend(span.clone(), " ".repeat(span.len()), true))
            }
            ParseErrorType::Reserved(word) if word != "try" => {
                Some(mend(span.start..span.start + 1, "_".into(), false))
            }
            ParseErrorType::MissingToken(token, _) if token == ";" => {
                let before = span.start.checked_sub(1)?..span.start;
                let is_blank = matches!(self.strict.get(before.clone())?, " " | "\t");
                is_blank.then(|| mend(before, ";".into(), false))
            }
            ParseErrorType::AssignmentToConstant(word) => {
                let span = assigned(self.text, span.start, word)?;
                Some(mend(span.clone(), " ".repeat(span.len()), false))
            }
            ParseErrorType::BadInput(LexError::ImproperSymbol(word, _)) if word == "eval" => {
                Some(mend(span.start..span.start + 1, "_".into(), false))
            }
            _ => None,
        }
    }
}

/// A small change of a copy that keeps its length.
struct Mend {
    position: Position,
    span: Range<usize>,
    with: String,
    only_strict: bool,
}

/// `NAME =` in front of a value.
fn assigned(text: &str, start: usize, word: &str) -> Option<Range<usize>> {
    let behind = text.get(start..)?.strip_prefix(word)?;
    let sign = behind.trim_start().strip_prefix('=')?;
    (!sign.starts_with('=')).then(|| start..text.len() - sign.len())
}

/// Keeps the lines of a piece and nothing else.
fn blank(copy: &mut String, span: &Range<usize>) {
    let Some(piece) = copy.get(span.clone()) else {
        return;
    };
    let blanks: String = piece
        .bytes()
        .map(|b| if b == b'\n' { '\n' } else { ' ' })
        .collect();
    copy.replace_range(span.clone(), &blanks);
}

/// The engine's place of an offset.
pub fn position_of(text: &str, offset: usize) -> Position {
    let (line, column) = place::line_column(text, offset);
    let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    Position::new(small(line), small(column))
}

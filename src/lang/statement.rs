//! A statement: a word, a condition, a step, and its one canonical spelling.
//!
//! INVARIANT: reading the printed statement again gives the same word, texts and step.

use std::fmt;
use std::ops::Range;

use crate::model::gate::Mode;

use super::words::{ARROW, Join, Timing};

/// One statement, with its references put in.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The word in its canonical spelling: `/if-only`.
    pub word: String,
    /// What happens to the step while the condition is not met.
    pub mode: Mode,
    /// The proof method that must recognise the condition, if the word names one.
    pub method: Option<String>,
    /// What kind of condition the word announces.
    pub timing: Timing,
    /// The condition.
    pub expr: Expr,
    /// The step that it blocks; never empty.
    pub step: String,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// What the word puts before the condition's text.
    pub says: Option<String>,
    /// Whether a number behind the word would be the condition's own.
    pub numbered: bool,
}

/// How the conditions of a statement are joined.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// One condition.
    Atom(Atom),
    /// All must be met.
    All(Vec<Expr>),
    /// One is enough.
    Any(Vec<Expr>),
}

/// One condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    /// Its text, with what the word says before it; never empty.
    pub text: String,
    /// Where it was written, in bytes; for a reference where the number is defined.
    pub span: Range<usize>,
    /// The number under which it was defined.
    pub label: Option<u32>,
}

impl Expr {
    /// Joins parts; parts that are joined in the same way become one level.
    pub fn joined(join: Join, parts: Vec<Expr>) -> Expr {
        let mut flat = Vec::new();
        for part in parts {
            match (join, part) {
                (Join::And, Expr::All(inner)) | (Join::Or, Expr::Any(inner)) => flat.extend(inner),
                (_, part) => flat.push(part),
            }
        }
        if flat.len() == 1
            && let Some(only) = flat.pop()
        {
            return only;
        }
        match join {
            Join::And => Expr::All(flat),
            Join::Or => Expr::Any(flat),
        }
    }

    /// Its conditions in the order of the text.
    pub fn atoms(&self) -> Vec<&Atom> {
        match self {
            Expr::Atom(atom) => vec![atom],
            Expr::All(parts) | Expr::Any(parts) => parts.iter().flat_map(Expr::atoms).collect(),
        }
    }

    /// How many levels of parentheses it needs.
    pub(super) fn levels(&self) -> usize {
        match self {
            Expr::Atom(_) => 0,
            Expr::All(parts) | Expr::Any(parts) => {
                let inner = parts.iter().filter(|part| !matches!(part, Expr::Atom(_)));
                inner.map(|part| 1 + part.levels()).max().unwrap_or(0)
            }
        }
    }
}

/// The text behind a number and its sign, if a text begins with a number of its own.
///
/// `1 TEXT`, `1: TEXT`, `1. TEXT` and `1) TEXT`; `16:00` and `90m` are no such numbers.
pub(super) fn numbered(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, behind) = text.split_at_checked(digits)?;
    let number = number.parse().ok()?;
    let bare = behind.strip_prefix([':', '.', ')']).unwrap_or(behind);
    let is_end = bare.is_empty() || bare.starts_with(char::is_whitespace);
    let is_colon = behind.starts_with(':') && !bare.starts_with(|c: char| c.is_ascii_digit());
    (is_end || is_colon).then_some((number, bare))
}

impl Statement {
    /// An atom's text without what the word says.
    fn own<'a>(&self, text: &'a str) -> &'a str {
        self.says
            .as_deref()
            .map_or(text, |says| own_text(says, text))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, expr: &Expr, is_first: bool) -> fmt::Result {
        let (join, parts) = match expr {
            Expr::Atom(atom) => return self.write_atom(f, &atom.text, is_first),
            Expr::All(parts) => (Join::And, parts),
            Expr::Any(parts) => (Join::Or, parts),
        };
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                write!(f, " {} ", join.word())?;
            }
            match part {
                Expr::Atom(atom) => self.write_atom(f, &atom.text, is_first && index == 0)?,
                _ => {
                    f.write_str("(")?;
                    self.write(f, part, false)?;
                    f.write_str(")")?;
                }
            }
        }
        Ok(())
    }

    /// A number at the beginning that is not meant as the condition's own stands in parentheses.
    fn write_atom(&self, f: &mut fmt::Formatter<'_>, text: &str, is_first: bool) -> fmt::Result {
        let own = match self.own(text) {
            "" => text,
            own => own,
        };
        match is_first && self.numbered && numbered(own).is_some() {
            true => write!(f, "({own})"),
            false => f.write_str(own),
        }
    }
}

/// A text without what the word says, if it begins with that.
pub(super) fn own_text<'a>(says: &str, text: &'a str) -> &'a str {
    let Some((said, own)) = text.split_at_checked(says.len()) else {
        return text;
    };
    let is_said = said.to_lowercase() == says.to_lowercase();
    match is_said && (own.is_empty() || own.starts_with(' ')) {
        true => own.trim_start(),
        false => text,
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)?;
        let is_said = matches!(&self.expr, Expr::Atom(atom) if self.own(&atom.text).is_empty());
        if !is_said {
            f.write_str(" ")?;
            self.write(f, &self.expr, true)?;
        }
        write!(f, " {ARROW} {}", self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_its_own_is_told_from_a_time() {
        for (text, expected) in [
            ("1 Tests", Some((1, " Tests"))),
            ("12: Tests", Some((12, " Tests"))),
            ("1:Tests", Some((1, "Tests"))),
            ("1", Some((1, ""))),
            ("2) x", Some((2, " x"))),
            ("16:00 Uhr", None),
            ("1.5 h", None),
            ("90m", None),
            ("99999999999 x", None),
            ("Tests 1", None),
        ] {
            assert_eq!(numbered(text), expected, "{text}");
        }
    }

    #[test]
    fn what_the_word_says_is_not_said_twice() {
        assert_eq!(own_text("after", "after 2 hours"), "2 hours");
        assert_eq!(own_text("after", "After"), "");
        assert_eq!(own_text("after", "afternoon"), "afternoon");
        assert_eq!(own_text("after", "ä"), "ä");
    }
}

//! The condition language (types only, until the reader stands).
use crate::diag::Fault;
use crate::model::gate::Mode;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Timing {
    Condition,
    Event,
    Duration,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Join {
    And,
    Or,
}
#[derive(Debug, Clone, Deserialize)]
pub struct Word {
    pub mode: Mode,
    pub timing: Timing,
    #[serde(default)]
    pub numbered: bool,
    pub says: Option<String>,
    pub method: Option<String>,
    pub about: String,
}
#[derive(Debug, Clone, Deserialize)]
pub struct Phrase {
    pub word: String,
}
pub struct Words {
    pub words: BTreeMap<String, Word>,
    pub joins: BTreeMap<String, Join>,
    pub arrows: Vec<String>,
    pub references: Vec<String>,
    pub irreversible: Vec<String>,
    pub unclear: Vec<String>,
    pub phrases: BTreeMap<String, Phrase>,
    pub methods: Vec<String>,
}
#[derive(Debug, Clone)]
pub struct Statement {
    pub word: String,
    pub mode: Mode,
    pub method: Option<String>,
    pub timing: Timing,
    pub expr: Expr,
    pub step: String,
    pub span: Range<usize>,
}
#[derive(Debug, Clone)]
pub enum Expr {
    Atom(Atom),
    All(Vec<Expr>),
    Any(Vec<Expr>),
}
#[derive(Debug, Clone)]
pub struct Atom {
    pub text: String,
    pub span: Range<usize>,
    pub label: Option<u32>,
}
pub struct Reading {
    pub statements: Vec<Statement>,
    pub faults: Vec<Fault>,
}
pub struct Suggestion {
    pub statement: String,
    pub because: String,
    pub span: Range<usize>,
}
impl std::fmt::Display for Statement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.step)
    }
}
pub fn read(_name: &str, _text: &str, _words: &Words) -> Reading {
    Reading {
        statements: vec![],
        faults: vec![],
    }
}
pub fn read_one(_name: &str, _text: &str, _words: &Words) -> Reading {
    Reading {
        statements: vec![],
        faults: vec![],
    }
}
pub fn prose(_text: &str, _words: &Words) -> Vec<Suggestion> {
    vec![]
}

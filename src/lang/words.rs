//! The words of the language, as a table gives them, and how they are looked up.
//!
//! INVARIANT: letter case never matters, and a word is only ever found whole, so `/if-only` is
//! never read as `/if`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::gate::Mode;

mod check;

/// The word that a text without one is given.
pub(super) const PLAIN: &str = "/condition";
/// The arrow of the canonical spelling.
pub(super) const ARROW: &str = "->";
/// The longest word, in characters.
const LONGEST: usize = 32;

/// The words of the language, as `rules/words.rhai` gives them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// The words that begin a statement, in lower case and with their slash.
    pub words: BTreeMap<String, Word>,
    /// The words that join conditions.
    pub joins: BTreeMap<String, Join>,
    /// The signs between condition and step.
    pub arrows: Vec<String>,
    /// What a reference to a numbered condition begins with, in lower case.
    pub references: Vec<String>,
    /// Lower-case pieces of words that name a step that cannot be taken back.
    pub irreversible: Vec<String>,
    /// Lower-case words that leave a condition vague.
    pub unclear: Vec<String>,
    /// Phrases of plain language that hint at a condition, in lower case.
    pub phrases: BTreeMap<String, Phrase>,
    /// The built-in proof methods, in the order in which they are asked.
    pub methods: Vec<String>,
}

/// One word that begins a statement.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// What happens to the step while the condition is not met.
    pub mode: Mode,
    /// What kind of condition it is.
    #[serde(default)]
    pub timing: Timing,
    /// Whether a number may follow the word, so that others can refer to the condition.
    #[serde(default)]
    pub numbered: bool,
    /// Put before the condition's text; the word may then stand without a text of its own.
    #[serde(default)]
    pub says: Option<String>,
    /// The proof method that must recognise the condition.
    #[serde(default)]
    pub method: Option<String>,
    /// What it means, in one line.
    pub about: String,
}

/// What kind of condition a word announces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Timing {
    /// A state that holds or not.
    #[default]
    Condition,
    /// Something that happens: the step follows as soon as it does.
    Event,
    /// A time from now. Such a word needs a text of its own.
    Duration,
}

/// How two conditions are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Join {
    /// Both must be met.
    And,
    /// One is enough.
    Or,
}

impl Join {
    /// Its canonical spelling.
    pub fn word(self) -> &'static str {
        match self {
            Join::And => "/and",
            Join::Or => "/or",
        }
    }
}

/// A phrase of plain language, and the word that it suggests.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// The suggested word.
    pub word: String,
    /// On which side of the phrase the condition stands.
    #[serde(default)]
    pub condition: Side,
}

/// A side of a phrase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// `sobald die Tests grün sind`: behind it.
    #[default]
    After,
    /// `Tests laufen lassen, danach mergen`: before it.
    Before,
}

impl Words {
    /// The first piece of the table's irreversible words that a step names.
    pub fn irreversible_in(&self, step: &str) -> Option<&str> {
        let step = step.to_lowercase();
        let found = self.irreversible.iter().find(|piece| step.contains(*piece));
        found.map(String::as_str)
    }

    /// The first of the table's vague words that a condition holds as whole words.
    pub fn unclear_in(&self, condition: &str) -> Option<&str> {
        let condition = whole_words(condition);
        let found = self
            .unclear
            .iter()
            .find(|vague| condition.contains(&whole_words(vague)));
        found.map(String::as_str)
    }
}

/// The words of a text in lower case, each between two blanks.
fn whole_words(text: &str) -> String {
    let text = text.to_lowercase();
    let mut words = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            words.push_str(word);
            words.push(' ');
        }
    }
    words
}

/// The table, ready to be asked.
pub(super) struct Lookup<'a> {
    /// The table itself.
    pub words: &'a Words,
    /// The arrows, longest first.
    arrows: Vec<&'a str>,
}

impl<'a> Lookup<'a> {
    /// Sorts what has an order.
    pub fn new(words: &'a Words) -> Self {
        let usable = words.arrows.iter().filter(|arrow| !arrow.is_empty());
        let mut arrows: Vec<&str> = usable.map(String::as_str).collect();
        arrows.sort_by_key(|arrow| std::cmp::Reverse(arrow.len()));
        Lookup { words, arrows }
    }

    /// The word that begins statements and is spelt like this.
    pub fn command(&self, run: &str) -> Option<(&'a str, &'a Word)> {
        let (word, row) = self.words.words.get_key_value(&lowered(run)?)?;
        Some((word, row))
    }

    /// The join that is spelt like this.
    pub fn join(&self, run: &str) -> Option<Join> {
        self.words.joins.get(&lowered(run)?).copied()
    }

    /// Every word with a slash.
    pub fn all(&self) -> impl Iterator<Item = &'a str> + Clone {
        let words = self.words.words.keys();
        words.chain(self.words.joins.keys()).map(String::as_str)
    }

    /// The arrow with which a text begins, with the variation selectors that make an emoji of it
    /// or none.
    pub fn arrow<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let found = self.arrows.iter().find(|arrow| rest.starts_with(**arrow));
        let behind = rest.get(found?.len()..)?;
        let bare = behind.trim_start_matches(['\u{fe0e}', '\u{fe0f}']);
        rest.get(..rest.len() - bare.len())
    }

    /// Whether a text is a reference as a whole, and to which number; a number that is too large
    /// is none.
    pub fn reference(&self, text: &str) -> Option<Option<u32>> {
        let (word, number) = text.split_once(' ')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let word = lowered(word)?;
        (is_number && self.words.references.contains(&word)).then(|| number.parse().ok())
    }
}

/// In lower case; nothing for what is longer than any word.
fn lowered(run: &str) -> Option<String> {
    (run.len() <= 4 * LONGEST).then(|| run.to_lowercase())
}

/// The word at the beginning of a text: a slash and what may stand in a word. A `-` at its end
/// may be the beginning of an arrow and is left out.
pub(super) fn slash_word(rest: &str) -> Option<&str> {
    let run = rest.strip_prefix('/')?;
    let length = run.find(|c| !is_word_char(c)).unwrap_or(run.len());
    let word = rest.get(..length + 1)?.trim_end_matches('-');
    (word.len() > 1).then_some(word)
}

/// Whether a character may stand in a word of the language.
pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}

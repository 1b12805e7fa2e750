//! One value of `SITE` with its path: typed reading, faults at its place.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::diag::{Code, Fault};
use crate::model::text::short;
use crate::script::names::closest;
use crate::script::site::Literal;

/// A value and where it stands.
pub(super) struct Field<'a> {
    literal: &'a Literal,
    path: Vec<&'a str>,
    value: &'a Value,
}

impl<'a> Field<'a> {
    /// `SITE` itself.
    pub(super) fn top(literal: &'a Literal) -> Self {
        Field {
            literal,
            path: Vec::new(),
            value: &literal.value,
        }
    }

    /// How the value is called in sentences.
    fn name(&self) -> String {
        match self.path.last() {
            None => "`SITE`".into(),
            Some(key) => format!("`{}`", short(key, 60)),
        }
    }

    /// A fault at this value.
    pub(super) fn wrong(&self, message: impl Into<String>) -> Fault {
        let path = &self.path;
        self.literal.fault(Code::SettingsKey, message.into(), path)
    }

    /// The fault of a key that does not exist where this value stands.
    pub(super) fn unknown(&self, keys: &[&str]) -> Fault {
        let mut path = self.path.iter().rev();
        let key = path.next().copied().unwrap_or_default();
        let outer = path.next().copied().unwrap_or("SITE");
        let known = keys.iter().copied().filter(|_| key.len() < 64);
        let hint = closest(key, known).map(|near| format!("; did you mean `{near}`?"));
        let message = format!(
            "`{}` has no key `{}`{}",
            short(outer, 60),
            short(key, 60),
            hint.unwrap_or_default()
        );
        self.wrong(message)
            .with_help(format!("its keys are: {}", keys.join(", ")))
    }

    fn expected(&self, wanted: &str) -> Fault {
        let got = match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "a map",
        };
        self.wrong(format!("{} must be {wanted}, got {got}", self.name()))
    }

    /// The map that the value must be.
    pub(super) fn map(&self) -> Result<&'a Value, Fault> {
        match self.value {
            Value::Object(_) => Ok(self.value),
            _ => Err(self.expected("a map")),
        }
    }

    /// The entries of a map, each a field of its own.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Field<'a>)>, Fault> {
        let Value::Object(map) = self.value else {
            return Err(self.expected("a map"));
        };
        let entries = map.iter().map(|(key, value)| {
            let mut path = self.path.clone();
            path.push(key.as_str());
            let literal = self.literal;
            (
                key.as_str(),
                Field {
                    literal,
                    path,
                    value,
                },
            )
        });
        Ok(entries.collect())
    }

    /// Refuses a key that is not of the wanted kind.
    pub(super) fn key_must(
        &self,
        key: &str,
        is_good: impl Fn(&str) -> bool,
        wanted: &str,
    ) -> Result<(), Fault> {
        match is_good(key) {
            true => Ok(()),
            false => Err(self.wrong(format!("`{}` is not {wanted}", short(key, 60)))),
        }
    }

    fn text(&self) -> Result<&'a str, Fault> {
        match self.value {
            Value::String(text) => Ok(text),
            _ => Err(self.expected("a text")),
        }
    }

    /// A text that is more than blanks and lies on one line.
    pub(super) fn sentence(&self) -> Result<String, Fault> {
        let text = self.text()?.trim();
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err(self.wrong(format!("{} must be one line of text", self.name())));
        }
        Ok(text.to_string())
    }

    /// A text that a reader understands; its error is a sentence.
    pub(super) fn checked<T>(&self, read: impl Fn(&str) -> Result<T, String>) -> Result<T, Fault> {
        read(self.text()?).map_err(|why| self.wrong(format!("{}: {why}", self.name())))
    }

    /// One of a few words.
    pub(super) fn one_of(&self, words: &[&'static str]) -> Result<&'static str, Fault> {
        let text = self.text()?;
        let found = words.iter().copied().find(|word| *word == text);
        found.ok_or_else(|| {
            let shown: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            let wanted = shown.join(" or ");
            let got = short(text, 60);
            self.wrong(format!("{} must be {wanted}, got `\"{got}\"`", self.name()))
        })
    }

    /// A whole number within bounds.
    pub(super) fn number(&self, bounds: RangeInclusive<u32>) -> Result<u32, Fault> {
        let Value::Number(number) = self.value else {
            return Err(self.expected("a whole number"));
        };
        let number = number
            .as_u64()
            .and_then(|number| u32::try_from(number).ok());
        number
            .filter(|number| bounds.contains(number))
            .ok_or_else(|| {
                let (from, to) = bounds.clone().into_inner();
                self.wrong(format!("{} must lie between {from} and {to}", self.name()))
            })
    }

    /// True or false.
    pub(super) fn flag(&self) -> Result<bool, Fault> {
        match self.value {
            Value::Bool(flag) => Ok(*flag),
            _ => Err(self.expected("true or false")),
        }
    }

    /// A list of texts, each understood by a reader whose error is a sentence.
    pub(super) fn list<T>(
        &self,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Vec<T>, Fault> {
        let Value::Array(values) = self.value else {
            return Err(self.expected("a list of texts"));
        };
        let one = |(index, value): (usize, &Value)| {
            let at = |message: String| {
                let number = index.to_string();
                let mut path = self.path.clone();
                path.push(&number);
                self.literal.fault(Code::SettingsKey, message, &path)
            };
            match value {
                Value::String(text) => read(text).map_err(at),
                _ => Err(at(format!("{} must be a list of texts", self.name()))),
            }
        };
        values.iter().enumerate().map(one).collect()
    }
}

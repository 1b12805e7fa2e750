//! The reference of the host API as plain data, read from what the engine itself knows.
//!
//! Words stand where a function is registered: its parameters, what it gives, one line on what
//! it does and one example. What is not registered with them is found by a test.
//!
//! INVARIANT: no type of the engine leaves this module.

use serde::Serialize;

pub mod definitions;
mod read;
mod topics;

pub use read::read;

/// What a topic is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A host module: its functions are called as `fs::read(...)`.
    Module,
    /// The constructors of answers.
    Answers,
    /// A value that scripts hold, with its properties and methods.
    Handle,
    /// Values of the engine itself, as far as the host changed them.
    Engine,
}

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// `look.ok`, and `look.ok()` as well.
    Property,
    /// `list[0]`
    Index,
    /// `fs::read(path)` or `found(items, why)`
    Function,
    /// `list.keep(test)`
    Method,
    /// `a + b`
    Operator,
}

/// One parameter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type in the words of the reference.
    #[serde(rename = "type")]
    pub kind: String,
}

/// One function, property, method or operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Function {
    /// Its name, or the sign of an operator.
    pub name: String,
    /// How it is called.
    pub form: Form,
    /// The whole of it in one line.
    pub signature: String,
    /// The parameters; without the value that a method is called on.
    pub parameters: Vec<Parameter>,
    /// The type of what it gives.
    pub gives: String,
    /// What it does, as sentences.
    pub about: String,
    /// An example; a property may go without.
    pub example: Option<String>,
}

/// Functions that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Topic {
    /// The word that `belegt doc` takes.
    pub name: String,
    /// What kind of topic.
    pub kind: Kind,
    /// What it is for, in one or two sentences.
    pub about: String,
    /// Its functions: properties first, then by name.
    pub functions: Vec<Function>,
}

/// A function of the engine that the host has closed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Closed {
    /// Its name.
    pub name: String,
    /// Why, and what to use instead.
    pub why: String,
}

/// What scripts can call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The topics in the order of the reference.
    pub topics: Vec<Topic>,
    /// Names of the engine's own functions that scripts may use, sorted.
    pub built_in: Vec<String>,
    /// What the host has closed, sorted.
    pub closed: Vec<Closed>,
}

/// The topic that lists what the engine itself brings.
pub const ENGINE: &str = "engine";

impl Reference {
    /// The words that [`Reference::narrowed`] knows.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let own = self.topics.iter().map(|topic| topic.name.as_str());
        for name in own.chain([ENGINE]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The topics of one name: a module and a handle may share theirs. A hyphen stands for a
    /// blank. `Err` with the name that is closest, if one is close.
    pub fn narrowed(self, name: &str) -> Result<Reference, Option<String>> {
        let wanted = name.trim().to_lowercase().replace(['-', '_'], " ");
        let wanted = wanted.trim_end_matches("::");
        if !self.names().contains(&wanted) {
            let near = super::names::closest(wanted, self.names());
            return Err(near.map(str::to_string));
        }
        let topics = self.topics.into_iter();
        let of_engine = |topic: &Topic| wanted == ENGINE && topic.kind == Kind::Engine;
        let topics = topics.filter(|topic| topic.name == wanted || of_engine(topic));
        let topics = topics.collect();
        Ok(match wanted {
            ENGINE => Reference {
                topics,
                built_in: self.built_in,
                closed: self.closed,
            },
            _ => Reference {
                topics,
                built_in: Vec::new(),
                closed: Vec::new(),
            },
        })
    }
}

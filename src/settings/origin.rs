//! Where a value came from.

use std::collections::BTreeMap;
use std::fmt;

/// Where a value came from; a later one replaces or adds to an earlier one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The program's own default.
    BuiltIn,
    /// What the system says of itself.
    System,
    /// The user's `site.rhai`.
    UserFile,
    /// The site's `site.rhai`.
    SiteFile,
    /// The environment variable of this name.
    Environment(String),
    /// The flag of this name.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::BuiltIn => f.write_str("built in"),
            Origin::System => f.write_str("the system"),
            Origin::UserFile => f.write_str("the user's settings"),
            Origin::SiteFile => f.write_str("the site's settings"),
            Origin::Environment(name) => write!(f, "the variable `{name}`"),
            Origin::Flag(name) => write!(f, "the flag `{name}`"),
        }
    }
}

/// For each key where its value came from; lists that add up have more than one origin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins(BTreeMap<&'static str, Vec<Origin>>);

impl Origins {
    /// Notes that a part of a key's value came from here.
    pub fn note(&mut self, key: &'static str, origin: Origin) {
        self.0.entry(key).or_default().push(origin);
    }

    /// Notes that a key has its value from here alone.
    pub fn set(&mut self, key: &'static str, origin: Origin) {
        self.0.insert(key, vec![origin]);
    }

    /// Takes what another table notes; its keys replace those of this one.
    pub fn join(&mut self, other: Origins) {
        self.0.extend(other.0);
    }

    /// Where the value of a key came from; built in if nothing was noted.
    pub fn of(&self, key: &str) -> &[Origin] {
        const BUILT_IN: &[Origin] = &[Origin::BuiltIn];
        self.0.get(key).map_or(BUILT_IN, Vec::as_slice)
    }
}

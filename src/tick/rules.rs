//! The rules of a run: tables read from the syntax tree, and functions that may choose within
//! the kernel's bounds.
//!
//! A replaced rule may lack its table: then the built-in table stands and only the function is
//! new. A missing or faulty rule is unavailable under its own name (`rules/chain`).

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::model::duration;
use crate::model::item::Sort;
use crate::script::contract;
use crate::script::layers::{Layer, Source};

use super::asking::Asking;

/// A step of the chain.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its number.
    pub step: i64,
    /// What it asks, for reports.
    pub about: String,
    /// The roles it asks, in order.
    pub roles: Vec<String>,
}

/// A row of the boundary table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The row of the boundary table, 0 to 11.
    pub row: u8,
    /// Where items of this kind go.
    pub sort: Sort,
    /// Whether they end where they live.
    pub lasting: bool,
    /// Whether a step of this kind is looked at for effects.
    #[serde(default)]
    pub effects: bool,
    /// Why.
    pub why: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct GuardTable {
    interval: String,
}

/// The rules of one run.
pub struct Rules {
    /// The steps of the chain.
    pub chain: Vec<Step>,
    /// What each role is, by language, for reports.
    pub about: BTreeMap<String, BTreeMap<String, String>>,
    /// The boundary table.
    pub rows: BTreeMap<String, Row>,
    /// Words that name an effect, in lower case.
    pub effects: Vec<(String, Vec<String>)>,
    /// The guard's interval.
    pub interval: Duration,
    /// Which rules have a function beside their table.
    functions: BTreeMap<&'static str, bool>,
    /// Rules that are unavailable, by name, with the reason.
    pub faults: BTreeMap<String, String>,
}

const FUNCTIONS: [(&str, &str); 3] = [
    ("chain", "verdict"),
    ("autonomy", "classify"),
    ("guard", "holds"),
];

impl Rules {
    /// Reads the tables of all rules that a tick needs.
    pub fn load(asking: &Asking) -> Rules {
        let mut reader = Reader {
            asking,
            faults: BTreeMap::new(),
            functions: BTreeMap::new(),
        };
        for (rule, function) in FUNCTIONS {
            reader.check(rule, function);
        }
        let chain: Vec<Step> = reader.table("chain", "CHAIN").unwrap_or_default();
        let about = reader.table("chain", "ROLES").unwrap_or_default();
        let rows = reader.table("autonomy", "ROWS").unwrap_or_default();
        let effects: BTreeMap<String, Vec<String>> =
            reader.table("autonomy", "EFFECTS").unwrap_or_default();
        let guard: Option<GuardTable> = reader.table("guard", "GUARD");
        let interval = guard.map(|g| duration::parse(&g.interval));
        if let Some(Err(why)) = &interval {
            reader.fault("guard", why.clone());
        }
        let mut rules = Rules {
            chain,
            about,
            rows,
            effects: effects
                .into_iter()
                .map(|(name, words)| (name, lowered(words)))
                .collect(),
            interval: interval
                .and_then(Result::ok)
                .unwrap_or(Duration::from_secs(15 * 60)),
            functions: reader.functions,
            faults: reader.faults,
        };
        rules.check_roles();
        rules
    }

    /// The roles in chain order.
    pub fn roles(&self) -> Vec<&str> {
        self.chain
            .iter()
            .flat_map(|step| step.roles.iter().map(String::as_str))
            .collect()
    }

    /// Whether a rule has a function of its own and can be asked.
    pub fn has_function(&self, rule: &str) -> bool {
        self.functions.get(rule).copied().unwrap_or(false)
    }

    /// The four shipped roles are the least: dropping one is a fault of the rule.
    fn check_roles(&mut self) {
        const LEAST: [&str; 4] = [
            "decisions.ledger",
            "memory.organic",
            "memory.curated",
            "user.model",
        ];
        let missing: Vec<&str> = LEAST
            .into_iter()
            .filter(|role| !self.roles().contains(role))
            .collect();
        let mut sorted = self.roles();
        sorted.sort_unstable();
        let double = sorted.windows(2).any(|pair| pair.first() == pair.last());
        if missing.is_empty() && !double {
            return;
        }
        let why = match double {
            true => "a role stands in `CHAIN` twice".to_string(),
            false => format!(
                "`CHAIN` lacks `{}`; a role is declared absent by a person, not left out",
                missing.join("`, `")
            ),
        };
        self.faults.entry("rules/chain".to_string()).or_insert(why);
    }
}

fn lowered(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| word.to_lowercase()).collect()
}

struct Reader<'a> {
    asking: &'a Asking,
    faults: BTreeMap<String, String>,
    functions: BTreeMap<&'static str, bool>,
}

impl Reader<'_> {
    fn fault(&mut self, rule: &str, why: String) {
        self.faults.entry(format!("rules/{rule}")).or_insert(why);
    }

    /// Notes whether the rule that counts compiles and has its function.
    fn check(&mut self, rule: &'static str, function: &str) {
        match self.asking.scripts.script(&format!("rules/{rule}")) {
            Ok(script) => {
                self.functions.insert(rule, script.defines(function));
            }
            Err(fault) => self.fault(rule, fault.line()),
        }
    }

    /// A table of the rule that counts; where it has none or is faulty, the built-in one.
    fn table<T: DeserializeOwned>(&mut self, rule: &str, name: &str) -> Option<T> {
        let path = format!("rules/{rule}");
        if let Ok(script) = self.asking.scripts.script(&path) {
            match contract::table(&script, name) {
                Ok(Some(table)) => return Some(table),
                Ok(None) => {}
                Err(fault) => self.fault(rule, fault.line()),
            }
        }
        let built_in = self
            .asking
            .scripts
            .in_layer(Layer::BuiltIn, &path)
            .map(Source::script);
        let table = built_in
            .and_then(Result::ok)
            .and_then(|script| contract::table(&script, name).ok().flatten());
        if table.is_none() {
            self.fault(rule, format!("`{name}` cannot be read"));
        }
        table
    }
}

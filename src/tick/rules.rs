//! The rules of a run: tables read from the syntax tree, and functions that may choose within
//! the kernel's bounds.
//!
//! A replaced rule may lack its table: then the built-in table stands and only the function is
//! new. A missing or faulty rule is unavailable under its own name (`rules/chain`).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::model::duration;
use crate::script::contract;
use crate::script::layers::{Layer, Source};

use crate::ask::Asking;

mod boundary;
mod tables;

pub use boundary::{Boundary, Row};
pub use tables::{faults, roles_of};

/// The guard's interval as it is shipped.
const INTERVAL: Duration = Duration::from_secs(15 * 60);
/// The longest interval of a rule: what time alone changes is seen once a day.
const LONGEST_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

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

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct GuardTable {
    interval: String,
}

impl GuardTable {
    fn interval(&self) -> Result<Duration, String> {
        match duration::parse(&self.interval)? {
            interval if interval <= LONGEST_INTERVAL => Ok(interval),
            _ => Err("`interval` is longer than a day".to_string()),
        }
    }
}

/// The rules of one run.
pub struct Rules {
    /// The steps of the chain.
    pub chain: Vec<Step>,
    /// What each role is, by language, for reports.
    pub about: BTreeMap<String, BTreeMap<String, String>>,
    /// The guard's interval.
    pub interval: Duration,
    boundary: Option<Boundary>,
    /// Which rules have a function beside their table.
    functions: BTreeMap<&'static str, bool>,
    /// Rules that are unavailable, by name, with the reason.
    pub faults: BTreeMap<String, String>,
}

impl Rules {
    /// Reads the tables of all rules that a tick needs.
    ///
    /// The boundary table is large and needed only once there are items. The built-in one is
    /// known to be whole, so it waits; one of another layer is read at once, because a faulty
    /// rule is unavailable whether it is needed or not.
    pub fn load(asking: &Asking) -> Rules {
        let mut reader = Reader::new(asking);
        reader.check("chain", "verdict");
        reader.check("guard", "holds");
        let chain: Vec<Step> = reader.table("chain", "CHAIN").unwrap_or_default();
        let about = reader.table("chain", "ROLES").unwrap_or_default();
        let interval = reader.interval();
        if let Some(why) = wrong_roles(&chain) {
            reader.complain("chain", "CHAIN", why);
        }
        let mut rules = Rules {
            chain,
            about,
            interval,
            boundary: None,
            functions: reader.functions,
            faults: reader.faults,
        };
        let autonomy = asking.scripts.effective("rules/autonomy");
        if autonomy.is_none_or(|source| source.layer != Layer::BuiltIn) {
            rules.load_boundary(asking);
        }
        rules
    }

    /// The boundary table, read at the first call.
    pub fn boundary(&mut self, asking: &Asking) -> &Boundary {
        if self.boundary.is_none() {
            self.load_boundary(asking);
        }
        self.boundary.get_or_insert_default()
    }

    /// `script:line` of the row of a kind.
    pub fn row_place(&mut self, asking: &Asking, kind: &str) -> Arc<str> {
        self.boundary(asking);
        self.boundary.get_or_insert_default().place(asking, kind)
    }

    fn load_boundary(&mut self, asking: &Asking) {
        let mut reader = Reader::new(asking);
        reader.check("autonomy", "classify");
        let rows = reader.table("autonomy", "ROWS").unwrap_or_default();
        let effects: BTreeMap<String, Vec<String>> =
            reader.table("autonomy", "EFFECTS").unwrap_or_default();
        let effects = effects.into_iter();
        self.boundary = Some(Boundary {
            rows,
            effects: effects
                .map(|(name, words)| (name, lowered(words)))
                .collect(),
            has_function: reader.functions.get("autonomy").copied().unwrap_or(false),
            places: None,
        });
        self.faults.extend(reader.faults);
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
}

/// The four shipped roles are the least: dropping one is a fault of the rule.
fn wrong_roles(chain: &[Step]) -> Option<String> {
    const LEAST: [&str; 4] = [
        "decisions.ledger",
        "memory.organic",
        "memory.curated",
        "user.model",
    ];
    let mut roles: Vec<&str> = chain
        .iter()
        .flat_map(|step| step.roles.iter().map(String::as_str))
        .collect();
    roles.sort_unstable();
    let double = roles.windows(2).find(|pair| pair.first() == pair.last());
    if let Some(role) = double.and_then(<[&str]>::first) {
        return Some(format!("the role `{role}` stands in `CHAIN` twice"));
    }
    let missing: Vec<&str> = LEAST
        .into_iter()
        .filter(|role| !roles.contains(role))
        .collect();
    (!missing.is_empty()).then(|| {
        let missing = missing.join("`, `");
        format!("`CHAIN` lacks `{missing}`; a role is declared absent by a person, not left out")
    })
}

fn lowered(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| word.to_lowercase()).collect()
}

struct Reader<'a> {
    asking: &'a Asking,
    faults: BTreeMap<String, String>,
    functions: BTreeMap<&'static str, bool>,
}

impl<'a> Reader<'a> {
    fn new(asking: &'a Asking) -> Self {
        Reader {
            asking,
            faults: BTreeMap::new(),
            functions: BTreeMap::new(),
        }
    }

    fn fault(&mut self, rule: &str, why: String) {
        self.faults.entry(format!("rules/{rule}")).or_insert(why);
    }

    /// A fault at a table of the rule that counts.
    fn complain(&mut self, rule: &str, table: &str, message: String) {
        let script = self.asking.scripts.script(&format!("rules/{rule}"));
        let why = match script {
            Ok(script) => contract::at_table(&script, table, message).line(),
            Err(_) => message,
        };
        self.fault(rule, why);
    }

    /// The guard's interval; the shipped one if the rule's cannot be used.
    fn interval(&mut self) -> Duration {
        let guard: Option<GuardTable> = self.table("guard", "GUARD");
        let why = match guard.map(|guard| guard.interval()) {
            Some(Ok(interval)) => return interval,
            Some(Err(why)) => why,
            None => return INTERVAL,
        };
        self.complain("guard", "GUARD", why);
        INTERVAL
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

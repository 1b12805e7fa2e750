//! The words of the language as the rule `words` gives them.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::ask::Asking;
use crate::diag::{Code, Fault};
use crate::lang::Words;
use crate::script::contract;
use crate::script::layers::{Layer, Script};

/// The rule's path.
const PATH: &str = "rules/words";

/// Reads the tables of the rule. A replaced rule may lack a table: then the built-in one stands.
///
/// # Errors
/// The rule is broken, or a table holds something else than is expected.
pub fn load(asking: &Asking) -> Result<Words, Fault> {
    let own = asking.scripts.script(PATH)?;
    let built_in = asking.scripts.in_layer(Layer::BuiltIn, PATH);
    let built_in = built_in.map(|source| source.script()).transpose()?;
    let reader = Reader {
        own: &own,
        built_in: built_in.as_deref(),
    };
    let words = Words {
        words: lowered(reader.table("WORDS")?),
        joins: lowered(reader.table("JOINS")?),
        arrows: reader.table("ARROWS")?,
        references: reader.table("REFERENCES")?,
        irreversible: reader.table("IRREVERSIBLE")?,
        unclear: reader.table("UNCLEAR")?,
        phrases: reader.table("PHRASES")?,
        methods: reader.table("METHODS")?,
    };
    match words.check() {
        Ok(()) => Ok(words),
        Err((table, why)) => Err(contract::at_table(&own, table, why)),
    }
}

fn lowered<T>(table: BTreeMap<String, T>) -> BTreeMap<String, T> {
    let rows = table.into_iter();
    rows.map(|(word, row)| (word.to_lowercase(), row)).collect()
}

struct Reader<'a> {
    own: &'a Script,
    built_in: Option<&'a Script>,
}

impl Reader<'_> {
    fn table<T: DeserializeOwned>(&self, name: &str) -> Result<T, Fault> {
        if let Some(table) = contract::table(self.own, name)? {
            return Ok(table);
        }
        let built_in = match self.built_in {
            Some(script) => contract::table(script, name)?,
            None => None,
        };
        built_in.ok_or_else(|| {
            let message = format!("`{}` lacks the table `{name}`", self.own.name);
            Fault::new(Code::MetaMissing, message)
                .with_help("copy the table from the built-in rule and change it")
        })
    }
}

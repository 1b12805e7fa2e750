//! The words of the language as the rule `words` gives them.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::ask::Asking;
use crate::diag::{Code, Fault};
use crate::lang::{Join, Phrase, Word, Words};
use crate::script::contract;
use crate::script::layers::{Layer, Script};

/// The rule's path.
const PATH: &str = "rules/words";

/// Reads the tables of the rule. A replaced rule adds its rows to the built-in tables, so that a
/// word more is one row more and no word is lost by mistake; its lists stand for themselves. It
/// may lack a table: then the built-in one stands.
///
/// # Errors
/// The rule is broken, or a table holds something else than is expected.
pub fn load(asking: &Asking) -> Result<Words, Fault> {
    let own = asking.scripts.script(PATH)?;
    let built_in = asking.scripts.in_layer(Layer::BuiltIn, PATH);
    let built_in = built_in.map(|source| source.script()).transpose()?;
    read(&own, built_in.as_deref())
}

/// What is wrong with the tables of the rule.
pub fn faults(own: &Script, built_in: Option<&Script>) -> Vec<Fault> {
    type Rows<T> = BTreeMap<String, T>;
    let mut faults = contract::table_faults::<Rows<Word>>(own, "WORDS");
    faults.extend(contract::table_faults::<Rows<Join>>(own, "JOINS"));
    faults.extend(contract::table_faults::<Rows<Phrase>>(own, "PHRASES"));
    for list in ["ARROWS", "REFERENCES", "IRREVERSIBLE", "UNCLEAR", "METHODS"] {
        faults.extend(contract::table_faults::<Vec<String>>(own, list));
    }
    if faults.is_empty() {
        faults.extend(read(own, built_in).err());
    }
    faults
}

fn read(own: &Script, built_in: Option<&Script>) -> Result<Words, Fault> {
    let reader = Reader { own, built_in };
    let words = Words {
        words: lowered(reader.rows("WORDS")?),
        joins: lowered(reader.rows("JOINS")?),
        arrows: reader.table("ARROWS")?,
        references: reader.table("REFERENCES")?,
        irreversible: reader.table("IRREVERSIBLE")?,
        unclear: reader.table("UNCLEAR")?,
        phrases: reader.rows("PHRASES")?,
        methods: reader.table("METHODS")?,
    };
    match words.check() {
        Ok(()) => Ok(words),
        Err((table, why)) => Err(contract::at_table(own, table, why)),
    }
}

fn lowered<T>(table: BTreeMap<String, T>) -> BTreeMap<String, T> {
    let rows = table.into_iter();
    rows.map(|(word, row)| (word.to_lowercase(), row)).collect()
}

/// The two layers of the rule.
struct Reader<'a> {
    own: &'a Script,
    built_in: Option<&'a Script>,
}

impl Reader<'_> {
    /// A table of rows: the built-in ones, and over them the rule's own.
    fn rows<T: DeserializeOwned>(&self, name: &str) -> Result<BTreeMap<String, T>, Fault> {
        let mut rows: BTreeMap<String, T> = match self.built_in {
            Some(script) => contract::table(script, name)?.unwrap_or_default(),
            None => BTreeMap::new(),
        };
        let own: Option<BTreeMap<String, T>> = contract::table(self.own, name)?;
        rows.extend(own.unwrap_or_default());
        Ok(rows)
    }

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

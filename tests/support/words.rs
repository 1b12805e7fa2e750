//! The words of the shipped table, read as the program reads them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

use belegt::lang::Words;
use belegt::script::contract;
use belegt::script::layers::Scripts;
use serde::de::DeserializeOwned;

/// The words of `rules/words.rhai`.
pub fn shipped() -> Words {
    Words {
        words: table("WORDS"),
        joins: table("JOINS"),
        arrows: table("ARROWS"),
        references: table("REFERENCES"),
        irreversible: table("IRREVERSIBLE"),
        unclear: table("UNCLEAR"),
        phrases: table("PHRASES"),
        methods: table("METHODS"),
    }
}

fn table<T: DeserializeOwned>(name: &str) -> T {
    let script = Scripts::built_in().script("rules/words").unwrap();
    let table = contract::table(&script, name).unwrap();
    table.expect(name)
}

//! Entries that ask the world and have no word for "it could not be asked".
//!
//! Every look can fail. An entry that never answers `unavailable` must either raise then, or
//! take a failure for an empty answer.

use std::collections::BTreeSet;

use crate::diag::Code;
use crate::script::contract::entries;
use crate::script::fault::definition;

use super::look::{Look, Out};
use super::parse::position_of;
use super::summary::{Acts, Signature, Summary, summarise};

/// The entries that may be blind.
const ENTRIES: [&str; 4] = ["locate", "read", "look", "prove"];

/// Checks the entries of probes.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    let own = summarise(look.tree);
    for (entry, arity, _) in entries(look.path) {
        if !ENTRIES.contains(entry) {
            continue;
        }
        let mut way = Way {
            look,
            seen: BTreeSet::new(),
            asks: false,
            unavailable: false,
        };
        way.follow((&look.script.name, &own), &(entry.to_string(), *arity));
        if !way.asks || way.unavailable {
            continue;
        }
        let text = look.text();
        let Some(span) = definition(text, entry) else {
            continue;
        };
        let message = format!("`{entry}` asks the world and never answers `unavailable`");
        let help = "ask the look first: `if !file.ok { return unavailable(file.why); }`";
        let position = position_of(text, span.start);
        out.warning(Code::ScriptBlind, position, (message, help.into()));
    }
}

/// What is reached from an entry.
struct Way<'a> {
    look: &'a Look<'a>,
    seen: BTreeSet<(String, Signature)>,
    asks: bool,
    unavailable: bool,
}

impl Way<'_> {
    fn follow(&mut self, (script, summary): (&str, &Summary), first: &Signature) {
        let mut open = vec![first.clone()];
        let mut outside = Vec::new();
        while let Some(signature) = open.pop() {
            let Some(acts) = summary.functions.get(&signature) else {
                continue;
            };
            if !self.seen.insert((script.to_string(), signature)) {
                continue;
            }
            self.note(acts);
            for (module, called) in &acts.calls {
                match module {
                    None => open.push(called.clone()),
                    Some(alias) => outside.push((alias, called)),
                }
            }
        }
        for (alias, called) in outside {
            let path = summary.imports.iter().find(|(own, _)| own == alias);
            let Some((_, path)) = path else { continue };
            match self.look.checker.summary(path) {
                Some(next) => self.follow((path, &next), called),
                // What cannot be read may well answer so.
                None => self.unavailable = true,
            }
        }
    }

    fn note(&mut self, acts: &Acts) {
        self.asks |= acts.asks;
        self.unavailable |= acts.unavailable;
    }
}

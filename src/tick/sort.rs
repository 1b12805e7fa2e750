//! Sorting: every item that was seen gets one of four places. Nothing vanishes.
//!
//! Order of judgement: a lock of the person; the boundary table, or the rule's function; effects
//! that need a grant; what was settled; the brake. Each step can only make an item less
//! autonomous, never more.

use std::sync::Arc;

use serde_json::json;

use crate::ledger::state::{Settled, State};
use crate::model::item::{Item, SettledAs, Sort};
use crate::model::text::hex;
use crate::script::answer::{Reply, SeenItem};
use crate::script::call::Argument;

use super::locks::Locks;
use super::outcome::{Rested, Sorted};
use super::rules::{Row, Rules};
use crate::ask::{Asking, CallRecord};

/// What sorting needs.
pub struct Sorter<'a> {
    /// To ask `classify`.
    pub asking: &'a Asking,
    /// The tables.
    pub rules: &'a mut Rules,
    /// What was settled and handed out; nothing is known without a ledger.
    pub state: Option<&'a State>,
    /// Effects that a policy allows.
    pub effects: &'a std::collections::BTreeSet<String>,
    /// The person's lock in the root.
    pub paused_by: Option<&'a str>,
    /// Locks of areas.
    pub locks: &'a mut Locks<'a>,
    /// Calls of `classify`.
    pub calls: Vec<CallRecord>,
}

/// Where an item goes, why, and what said so.
struct Judged {
    sort: Sort,
    why: String,
    by: Arc<str>,
}

impl Judged {
    /// The kernel's own judgement, with the law in a word.
    fn kernel(sort: Sort, why: String, law: &str) -> Self {
        let by = format!("the kernel ({law})").as_str().into();
        Judged { sort, why, by }
    }
}

/// The items of one source, sorted.
#[derive(Debug, Default)]
pub struct Pile {
    /// The items that stand open, in any place.
    pub items: Vec<Sorted>,
    /// News that were settled.
    pub settled: Vec<Rested>,
}

/// Digest of what an item says; where it stands (`at`) and how urgent it is do not count.
pub fn digest(item: &Item) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for part in [&item.id, &item.kind, &item.title, &item.detail] {
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize())
}

impl Sorter<'_> {
    /// Sorts the items of one source.
    pub fn pile(&mut self, source: &str, seen: Vec<SeenItem>) -> Pile {
        let mut pile = Pile::default();
        for one in seen {
            let mut item = self.sorted(source, one);
            if item.lasting {
                pile.items.push(item);
                continue;
            }
            match self.settled(&item.key, &item.digest) {
                Some(settled) if settled.how != SettledAs::User => pile.settled.push(Rested {
                    how: settled.how,
                    by: settled.by.clone(),
                    key: item.key,
                }),
                Some(settled) => {
                    item.sort = Sort::User;
                    item.sorted_by = "the kernel (settled)".into();
                    item.why = format!("{} settled it as `user`: {}", settled.by, settled.because);
                    pile.items.push(item);
                }
                None => pile.items.push(item),
            }
        }
        pile
    }

    /// An item with its sort, before anybody asks whether it was settled.
    fn sorted(&mut self, source: &str, one: SeenItem) -> Sorted {
        let lock = self.lock(&one.item);
        let locked = lock.is_some();
        let (mut judged, lasting) = self.judged(source, &one.item, lock);
        if !lasting && self.state.is_none() && judged.sort == Sort::Work {
            let why = "the ledger that knows whether it was settled cannot be read";
            judged = Judged::kernel(Sort::Unclear, why.to_string(), "ledger");
        }
        let mut sorted = Sorted {
            key: format!("{source}:{}", one.item.id),
            source: source.to_string(),
            digest: digest(&one.item),
            item: one.item,
            sort: judged.sort,
            why: judged.why,
            sorted_by: judged.by,
            source_script: one.source,
            line: one.line,
            lasting,
            handed_out: 0,
            stalled: false,
            due: one.due,
            locked,
        };
        if sorted.waits_in_inbox() && sorted.sort != Sort::Work {
            sorted.why = format!("the inbox is triaged first, although: {}", sorted.why);
            sorted.sort = Sort::Work;
            sorted.sorted_by = "the kernel (inbox)".into();
        }
        sorted
    }

    fn settled(&self, key: &str, digest: &str) -> Option<&Settled> {
        self.state?
            .settled
            .get(key)
            .filter(|settled| settled.digest == digest)
    }

    /// The person's lock over an item, if there is one.
    fn lock(&mut self, item: &Item) -> Option<String> {
        match self.paused_by {
            Some(lock) => Some(lock.to_string()),
            None => self.locks.above(&item.at),
        }
    }

    /// The place of an item, and whether it ends where it lives.
    fn judged(&mut self, source: &str, item: &Item, lock: Option<String>) -> (Judged, bool) {
        let boundary = self.rules.boundary(self.asking);
        let row = boundary.rows.get(&item.kind).cloned();
        // What lies in the inbox ends there, whatever a rule says.
        let lasting = source == "work.intake" || row.as_ref().is_none_or(|row| row.lasting);
        if let Some(lock) = lock {
            let why = format!("under the lock `{lock}`, which only the person lifts");
            return (Judged::kernel(Sort::User, why, "lock"), lasting);
        }
        let judged = match self.classified(source, item) {
            Some(judged) => judged,
            None => self.by_row(row.as_ref(), item),
        };
        // A kind without a row is looked at too: silence is no exemption.
        let effects = row.as_ref().is_none_or(|row| row.effects);
        match (judged.sort, self.effect(item)) {
            (Sort::Work, Some(effect)) if effects => {
                let why = format!(
                    "`{effect}` is irreversible or reaches outside, and no policy allows it"
                );
                (Judged::kernel(Sort::User, why, "effect"), lasting)
            }
            _ => (judged, lasting),
        }
    }

    /// What the rule's own function says; a faulty one makes the rule unavailable.
    fn classified(&mut self, source: &str, item: &Item) -> Option<Judged> {
        self.rules.boundary(self.asking);
        if self.rules.faults.contains_key("rules/autonomy") {
            let why = "`rules/autonomy` cannot be used".to_string();
            return Some(Judged::kernel(Sort::Unclear, why, "rule"));
        }
        if !self.rules.boundary(self.asking).has_function {
            return None;
        }
        let data = json!({
            "id": item.id, "title": item.title, "at": item.at, "kind": item.kind,
            "priority": item.priority, "detail": item.detail, "source": source,
        });
        let done = self.asking.answer(
            "rules/autonomy",
            "classify",
            vec![Argument::Data(data), Argument::Context],
        );
        self.calls.push(done.record);
        let why = match done.result {
            Ok(answered) => {
                let by = answered.place().as_str().into();
                match answered.reply {
                    Reply::Sorted(sort, why) => return Some(Judged { sort, why, by }),
                    _ => answered.misplaced("classify"),
                }
            }
            Err(fault) => fault.line(),
        };
        self.rules
            .faults
            .insert("rules/autonomy".to_string(), why.clone());
        Some(Judged::kernel(Sort::Unclear, why, "rule"))
    }

    fn by_row(&mut self, row: Option<&Row>, item: &Item) -> Judged {
        match row {
            Some(row) => Judged {
                sort: row.sort,
                why: row.why.clone(),
                by: self.rules.row_place(self.asking, &item.kind),
            },
            None => {
                let why = format!("`rules/autonomy` has no row for the kind `{}`", item.kind);
                Judged::kernel(Sort::Unclear, why, "no row")
            }
        }
    }

    /// The first effect that the item's words name and no policy allows.
    fn effect(&mut self, item: &Item) -> Option<String> {
        let text = format!("{}\n{}", item.title, item.detail).to_lowercase();
        let named = |words: &Vec<String>| words.iter().any(|word| text.contains(word.as_str()));
        let allowed = self.effects;
        let boundary = self.rules.boundary(self.asking);
        let mut effects = boundary.effects.iter();
        effects
            .find(|(effect, words)| !allowed.contains(effect) && named(words))
            .map(|(effect, _)| effect.clone())
    }
}

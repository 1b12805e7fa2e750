//! One suite for every engine of the ledger, and random histories on which all have to agree.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::time::{Duration, Instant};

use belegt::ledger::event::{Actor, Draft, GENESIS};
use belegt::ledger::memory::MemoryLedger;
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::verify::verify;
use belegt::ledger::{Appended, Head, Ledger};
use proptest::prelude::*;
use serde_json::{Value, json};

#[path = "ledger_conformance/gates.rs"]
mod gates;
#[path = "support/gates.rs"]
mod support;

/// Opens one and the same ledger again and again.
type Opener = Box<dyn Fn() -> Box<dyn Ledger>>;

fn memory() -> Opener {
    let ledger = MemoryLedger::new("store");
    Box::new(move || Box::new(ledger.clone()))
}

fn sqlite() -> Opener {
    let folder = tempfile::tempdir().unwrap();
    let mode = Mode::Create {
        store: "store".to_string(),
    };
    Box::new(move || {
        let until = Instant::now() + Duration::from_secs(10);
        Box::new(SqliteLedger::open(&folder.path().join("ledger.db"), &mode, until).unwrap())
    })
}

/// Makes a new ledger of one engine.
type Maker = fn() -> Opener;

const ENGINES: [(&str, Maker); 2] = [("memory", memory), ("sqlite", sqlite)];

fn draft(id: &str, kind: &str, body: Value) -> Draft {
    Draft {
        id: id.to_string(),
        at: format!("2026-11-30T10:00:00.000+01:00 {id}"),
        zone: "Europe/Berlin".to_string(),
        actor: Actor {
            kind: "person".to_string(),
            name: "Ada".to_string(),
            level: 1,
        },
        host: "h".to_string(),
        session: "unknown".to_string(),
        belegt: "0.1.0".to_string(),
        kind: kind.to_string(),
        body,
    }
}

fn note(id: &str) -> Draft {
    draft(
        id,
        "note.added",
        json!({"text": format!("note {id} \u{1f512}\n\"quoted\"")}),
    )
}

fn done(result: Appended) -> Head {
    match result {
        Appended::Done(head) => head,
        other => panic!("not stored: {other:?}"),
    }
}

fn append(ledger: &mut dyn Ledger, drafts: &[Draft]) -> Head {
    let head = ledger.head().unwrap();
    done(ledger.append(&head, drafts).unwrap())
}

/// Runs a case against every engine.
fn each(case: fn(&str, Opener)) {
    for (name, make) in ENGINES {
        case(name, make());
    }
}

#[test]
fn a_new_ledger_is_empty_and_says_who_it_is() {
    each(|name, open| {
        let ledger = open();
        let identity = ledger.identity().unwrap();
        assert_eq!(
            (identity.store.as_str(), identity.engine.as_str()),
            ("store", name)
        );
        assert!(!identity.read_only);
        let view = ledger.view().unwrap();
        assert_eq!(
            view.head,
            Head {
                seq: 0,
                hash: GENESIS.to_string()
            }
        );
        assert_eq!(view.state, Default::default());
        assert_eq!(ledger.history(0, 10), Ok(Vec::new()));
        assert_eq!(verify(ledger.as_ref()), Ok(Vec::new()));
    });
}

#[test]
fn what_was_appended_is_there_in_order_for_every_handle() {
    each(|name, open| {
        let mut ledger = open();
        let first = append(ledger.as_mut(), &[note("a"), note("b")]);
        let second = append(ledger.as_mut(), &[note("c")]);
        assert_eq!((first.seq, second.seq), (2, 3), "{name}");
        drop(ledger);
        let ledger = open();
        assert_eq!(ledger.head().unwrap(), second);
        let view = ledger.view().unwrap();
        assert_eq!(view.head, second);
        assert_eq!(view.state.notes.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(view.state.notes["b"].actor, "Ada");
        let history = ledger.history(0, 10).unwrap();
        let drafts: Vec<_> = history.iter().map(|e| e.draft.clone()).collect();
        assert_eq!(drafts, [note("a"), note("b"), note("c")]);
        assert_eq!(history[0].prev, GENESIS);
        assert_eq!(history[2].prev, first.hash);
        assert_eq!(verify(ledger.as_ref()), Ok(Vec::new()));
    });
}

#[test]
fn history_is_read_in_pages() {
    each(|name, open| {
        let mut ledger = open();
        let drafts: Vec<_> = (0..7).map(|n| note(&n.to_string())).collect();
        append(ledger.as_mut(), &drafts);
        for (from, limit, expected) in [
            (0, 3, vec![1, 2, 3]),
            (3, 3, vec![4, 5, 6]),
            (6, 3, vec![7]),
            (7, 3, vec![]),
            (99, 3, vec![]),
            (2, 0, vec![]),
            (0, u64::MAX, vec![1, 2, 3, 4, 5, 6, 7]),
            (5, u64::MAX, vec![6, 7]),
        ] {
            let page = ledger.history(from, limit).unwrap();
            let numbers: Vec<_> = page.iter().map(|e| e.seq).collect();
            assert_eq!(numbers, expected, "{name}: {from} {limit}");
        }
    });
}

#[test]
fn who_comes_second_meets_a_conflict_and_stores_nothing() {
    each(|_, open| {
        let (mut one, mut two) = (open(), open());
        let seen = two.head().unwrap();
        let now = append(one.as_mut(), &[note("a")]);
        let answer = two.append(&seen, &[note("b")]).unwrap();
        assert_eq!(answer, Appended::Conflict(now.clone()));
        let wrong_hash = Head {
            seq: now.seq,
            hash: GENESIS.to_string(),
        };
        let answer = two.append(&wrong_hash, &[note("b")]).unwrap();
        assert_eq!(answer, Appended::Conflict(now.clone()));
        let ahead = Head {
            seq: 9,
            hash: now.hash.clone(),
        };
        assert_eq!(
            two.append(&ahead, &[]).unwrap(),
            Appended::Conflict(now.clone())
        );
        assert_eq!(two.view().unwrap().state.notes.len(), 1);
        assert_eq!(done(two.append(&now, &[note("b")]).unwrap()).seq, 2);
        assert_eq!(one.head().unwrap().seq, 2);
    });
}

#[test]
fn a_retry_is_a_duplicate_wherever_the_head_stands() {
    each(|_, open| {
        let mut ledger = open();
        let start = ledger.head().unwrap();
        let pair = [note("a"), note("b")];
        append(ledger.as_mut(), &pair);
        let now = append(ledger.as_mut(), &[note("c")]);
        for expected in [&start, &now] {
            let answer = ledger.append(expected, &pair).unwrap();
            assert_eq!(answer, Appended::Duplicate(now.clone()));
        }
        assert_eq!(ledger.history(0, 9).unwrap().len(), 3);
    });
}

#[test]
fn ids_are_not_used_again_for_anything_else() {
    each(|name, open| {
        let mut ledger = open();
        let head = append(ledger.as_mut(), &[note("a"), note("b")]);
        let before = ledger.view().unwrap();
        let mut other = note("a");
        other.body = json!({"text": "other"});
        for (what, drafts) in [
            ("another event", vec![other]),
            ("some are known", vec![note("b"), note("c")]),
            ("twice in one go", vec![note("d"), note("d")]),
            ("no id", vec![note("")]),
        ] {
            let fault = ledger.append(&head, &drafts).unwrap_err();
            assert_eq!(fault.code(), "ledger::refused", "{name}: {what}");
            assert_eq!(ledger.view().unwrap(), before, "{name}: {what}");
        }
    });
}

#[test]
fn a_body_that_could_not_be_read_back_is_refused_with_all_beside_it() {
    each(|name, open| {
        let mut ledger = open();
        let head = append(ledger.as_mut(), &[note("a")]);
        let wrong = draft("t", "tick.judged", json!({"first": "yes"}));
        let fault = ledger.append(&head, &[note("b"), wrong]).unwrap_err();
        assert_eq!(fault.code(), "ledger::refused", "{name}");
        assert_eq!(ledger.head().unwrap(), head);
        assert_eq!(ledger.view().unwrap().state.notes.len(), 1);
        let unknown = draft("u", "criteria.set", json!([1, null, {"x": 1.5}]));
        assert_eq!(append(ledger.as_mut(), &[unknown]).seq, 2);
    });
}

#[test]
fn an_empty_append_only_compares() {
    each(|_, open| {
        let mut ledger = open();
        let head = append(ledger.as_mut(), &[note("a")]);
        assert_eq!(
            ledger.append(&head, &[]).unwrap(),
            Appended::Done(head.clone())
        );
        let old = Head::genesis();
        assert_eq!(ledger.append(&old, &[]).unwrap(), Appended::Conflict(head));
    });
}

/// One step of a random history.
#[derive(Debug, Clone)]
enum Step {
    /// Append at the head.
    Append(Vec<(u8, Draft)>),
    /// Append at a head that is old.
    Stale(Box<Draft>),
    /// Append again what was appended before.
    Again(usize),
    /// Close and open.
    Reopen,
}

fn any_draft() -> impl Strategy<Value = Draft> {
    let key = prop::sample::select(vec!["s:1", "s:2", "s:3"]);
    let record = prop::sample::select(vec![
        json!(null),
        json!("broken"),
        json!({"result": "blind", "fingerprint": "f", "at": "t"}),
    ]);
    let tick = (any::<bool>(), key.clone(), key.clone(), record, 0..4_u32).prop_map(
        |(first, one, two, record, count)| {
            let handed = json!([{"key": one, "digest": "d", "tree": "t", "count": count}]);
            let body = json!({"first": first, "signal": "S", "bundle_digest": count.to_string(),
                "record": record, "lapsed": [two], "handed": handed, "unhanded": [two]});
            ("tick.judged", body)
        },
    );
    let settle = (key, "[a-z\\PC]{0,12}").prop_map(|(key, because)| {
        let items = json!([{"key": key, "digest": "d"}]);
        let body = json!({"items": items, "how": "done", "because": because, "tree": "t"});
        ("news.settled", body)
    });
    let note = "\\PC{0,20}".prop_map(|text| ("note.added", json!({"text": text})));
    let other = any::<i64>().prop_map(|n| ("goal.set", json!({"n": n})));
    let broken = Just(("note.added", json!({})));
    prop_oneof![4 => tick, 3 => settle, 3 => note, 1 => other, 1 => broken]
        .prop_map(|(kind, body)| draft("", kind, body))
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => prop::collection::vec((0..40_u8, any_draft()), 0..4).prop_map(Step::Append),
        1 => any_draft().prop_map(|d| Step::Stale(Box::new(d))),
        2 => any::<usize>().prop_map(Step::Again),
        2 => Just(Step::Reopen),
    ]
}

fn with_ids(pairs: Vec<(u8, Draft)>) -> Vec<Draft> {
    let id = |(n, mut draft): (u8, Draft)| {
        draft.id = format!("id-{n}");
        draft.at = format!("at-{n}");
        draft
    };
    pairs.into_iter().map(id).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn engines_agree_on_every_history(steps in prop::collection::vec(any_step(), 1..24)) {
        let openers = ENGINES.map(|(_, make)| make());
        let mut ledgers = openers.each_ref().map(|open| open());
        let mut before: Vec<Vec<Draft>> = Vec::new();
        for step in steps {
            let drafts = match step {
                Step::Reopen => {
                    // The old ones are closed first, as between two commands.
                    for (ledger, open) in ledgers.iter_mut().zip(&openers) {
                        *ledger = Box::new(MemoryLedger::new(""));
                        *ledger = open();
                    }
                    continue;
                }
                Step::Append(pairs) => with_ids(pairs),
                Step::Again(n) if before.is_empty() => with_ids(vec![(n as u8, note(""))]),
                Step::Again(n) => before[n % before.len()].clone(),
                Step::Stale(draft) => {
                    let drafts = with_ids(vec![(200, *draft)]);
                    let answers = ledgers.each_mut().map(|l| l.append(&Head::genesis(), &drafts));
                    prop_assert_eq!(&answers[0], &answers[1]);
                    continue;
                }
            };
            let answers = ledgers.each_mut().map(|l| {
                let head = l.head().unwrap();
                l.append(&head, &drafts)
            });
            prop_assert_eq!(&answers[0], &answers[1]);
            before.push(drafts);
            prop_assert_eq!(ledgers[0].view(), ledgers[1].view());
        }
        prop_assert_eq!(ledgers[0].stored(0, 999), ledgers[1].stored(0, 999));
        prop_assert_eq!(ledgers[0].history(0, 999), ledgers[1].history(0, 999));
        for ledger in &ledgers {
            prop_assert_eq!(verify(ledger.as_ref()), Ok(Vec::new()));
        }
    }
}

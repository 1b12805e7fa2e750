//! The part of the suite that is about gates.

use belegt::ledger::gates::{GateQuery, MOST_FORBIDDEN};
use belegt::ledger::verify::verify;
use belegt::ledger::{Appended, Head, Ledger};
use belegt::model::gate::{Becomes, Class, GateChange, GateSet, GateStatus, Mode, Tree, step};
use proptest::prelude::*;
use serde_json::json;

use super::support::*;
use super::{ENGINES, append, each, note};

fn ids(ledger: &dyn Ledger, query: &GateQuery<'_>) -> Vec<String> {
    let gates = ledger.gates(query).unwrap();
    assert_eq!(gates.head, ledger.head().unwrap());
    gates.sets.into_iter().map(|set| set.id).collect()
}

fn refused(ledger: &mut dyn Ledger, drafts: &[belegt::ledger::event::Draft]) -> String {
    let head = ledger.head().unwrap();
    let before = ledger.gates(&GateQuery::All).unwrap();
    let fault = ledger.append(&head, drafts).unwrap_err();
    assert_eq!(fault.code(), "ledger::refused", "{fault}");
    assert_eq!(ledger.gates(&GateQuery::All).unwrap(), before);
    fault.to_string()
}

#[test]
fn a_new_ledger_has_no_gates() {
    each(|name, open| {
        let ledger = open();
        let one = ["g1".to_string()];
        for query in [
            GateQuery::All,
            GateQuery::Open,
            GateQuery::Due(i64::MAX),
            GateQuery::Step(&step::key("a")),
            GateQuery::Ids(&one),
        ] {
            let gates = ledger.gates(&query).unwrap();
            assert_eq!(
                (gates.head, gates.sets),
                (Head::genesis(), vec![]),
                "{name}"
            );
        }
        assert_eq!(ledger.next_wake(i64::MIN), Ok(None));
        assert_eq!(ledger.open_steps(), Ok(vec![]));
        assert_eq!(ledger.forbidden(), Ok(vec![]));
    });
}

#[test]
fn a_set_is_opened_met_opened_again_and_dropped() {
    each(|name, open| {
        let mut ledger = open();
        let whole = set(
            "g1",
            "Release  bauen.",
            Mode::Only,
            (false, &[None, Some(50)]),
        );
        append(ledger.as_mut(), &[opened(&whole)]);
        let key = step::key("release bauen");
        let now = |ledger: &dyn Ledger| {
            let sets = ledger.gates(&GateQuery::Step(&key)).unwrap().sets;
            assert_eq!(sets.len(), 1, "{name}");
            sets.into_iter().next().unwrap()
        };
        assert_eq!(now(ledger.as_ref()), whole);
        assert_eq!(ledger.open_steps().unwrap(), ["release bauen"]);
        assert_eq!(ledger.forbidden().unwrap(), [key.clone()]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Due(-1)), ["g1"]);

        append(ledger.as_mut(), &[met("m1", "g1", "g1.1")]);
        let set = now(ledger.as_ref());
        assert_eq!(set.gates[0].status, GateStatus::Met);
        assert_eq!(set.gates[0].evidence, Some(evidence()));
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Due(49)), [""; 0]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Due(50)), ["g1"]);
        assert_eq!(ledger.next_wake(49), Ok(Some(50)));
        assert_eq!(ledger.next_wake(50), Ok(None));

        append(ledger.as_mut(), &[met("m2", "g1", "g1.2")]);
        assert_eq!(now(ledger.as_ref()).status(), GateStatus::Met);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Open), [""; 0]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::All), ["g1"]);
        assert_eq!(ledger.open_steps().unwrap(), [""; 0]);
        assert_eq!(ledger.forbidden().unwrap(), [""; 0]);

        append(ledger.as_mut(), &[reopened("r", "g1", "g1.1")]);
        let set = now(ledger.as_ref());
        assert_eq!(set.status(), GateStatus::Open);
        assert_eq!(set.gates[0].because.as_deref(), Some("too old"));
        assert_eq!(ledger.forbidden().unwrap(), [key.clone()]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Due(-1)), ["g1"]);

        let both = [dropped("d1", "g1", "g1.1"), dropped("d2", "g1", "g1.2")];
        append(ledger.as_mut(), &both);
        assert_eq!(now(ledger.as_ref()).status(), GateStatus::Dropped);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Open), [""; 0]);
        assert_eq!(verify(ledger.as_ref()), Ok(vec![]), "{name}");
        drop(ledger);
        let ledger = open();
        assert_eq!(now(ledger.as_ref()).status(), GateStatus::Dropped);
        assert_eq!(ledger.view().unwrap().state, Default::default());
    });
}

#[test]
fn sets_come_in_the_order_of_their_opening() {
    each(|name, open| {
        let mut ledger = open();
        // Neither their ids nor their wakes nor their keys are in this order.
        let order = ["g9", "g2", "g5", "g1"];
        let wakes = [Some(7), None, Some(3), None];
        for (id, due) in order.into_iter().zip(wakes) {
            append(ledger.as_mut(), &[note(&format!("before-{id}"))]);
            append(ledger.as_mut(), &[opened(&single(id, id, Mode::Wait, due))]);
        }
        for query in [GateQuery::All, GateQuery::Open, GateQuery::Due(7)] {
            assert_eq!(ids(ledger.as_ref(), &query), order, "{name} {query:?}");
        }
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Due(6)), ["g2", "g5", "g1"]);
        let some = ["g1", "nothing", "g9", "g1"].map(String::from);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Ids(&some)), ["g9", "g1"]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Ids(&[])), [""; 0]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Step("")), [""; 0]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Step("\u{e4}")), [""; 0]);
        assert_eq!(ledger.open_steps().unwrap(), ["g1", "g2", "g5", "g9"]);
        assert_eq!(ledger.next_wake(i64::MIN), Ok(Some(3)));
        assert_eq!(ledger.next_wake(3), Ok(Some(7)));
        assert_eq!(ledger.next_wake(i64::MAX), Ok(None));
    });
}

#[test]
fn a_step_stays_blocked_until_its_last_set_is_gone() {
    each(|_, open| {
        let mut ledger = open();
        let sets = [
            single("a", "Deploy", Mode::Only, None),
            single("b", "deploy!", Mode::Only, Some(9)),
            single("c", "`deploy`", Mode::Wait, None),
        ];
        append(ledger.as_mut(), &sets.each_ref().map(opened));
        let forbidden = |ledger: &dyn Ledger| ledger.forbidden().unwrap().len();
        assert_eq!(ledger.open_steps().unwrap(), ["deploy"]);
        assert_eq!(forbidden(ledger.as_ref()), 1);
        append(ledger.as_mut(), &[met("1", "a", "a")]);
        assert_eq!(forbidden(ledger.as_ref()), 1);
        append(ledger.as_mut(), &[dropped("2", "b", "b")]);
        assert_eq!(forbidden(ledger.as_ref()), 0);
        assert_eq!(ledger.open_steps().unwrap(), ["deploy"]);
        append(ledger.as_mut(), &[met("3", "c", "c")]);
        assert_eq!(ledger.open_steps().unwrap(), [""; 0]);
        let key = step::key("deploy");
        assert_eq!(
            ids(ledger.as_ref(), &GateQuery::Step(&key)),
            ["a", "b", "c"]
        );
    });
}

#[test]
fn one_event_changes_many_and_opens_and_closes_in_one_go() {
    each(|_, open| {
        let mut ledger = open();
        let sets: Vec<_> = (0..40)
            .map(|n| single(&format!("g{n:02}"), "s", Mode::Wait, Some(n)))
            .collect();
        let to = || Becomes::Met(Box::new(evidence()));
        let all: Vec<_> = sets.iter().map(|s| change(&s.id, &s.id, to())).collect();
        let mut drafts: Vec<_> = sets.iter().map(opened).collect();
        drafts.push(changed("met", "gate.met", &all));
        drafts.push(reopened("again", "g07", "g07"));
        append(ledger.as_mut(), &drafts);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Open), ["g07"]);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::All).len(), 40);
        assert_eq!(verify(ledger.as_ref()), Ok(vec![]));
    });
}

#[test]
fn a_set_that_is_not_fit_is_refused() {
    let good = || set("g", "s", Mode::Only, (false, &[None, Some(1)]));
    type Spoil = fn(&mut GateSet);
    let spoils: [(&str, Spoil); 14] = [
        ("id", |s| s.id.clear()),
        ("an empty tree", |s| s.tree = Tree::All(vec![])),
        ("an empty branch", |s| {
            s.tree = Tree::All(vec![s.tree.clone(), Tree::Any(vec![])]);
        }),
        ("a gate it lacks", |s| {
            s.gates.pop();
        }),
        ("a gate without a place", |s| {
            s.tree = Tree::Gate("g.1".into())
        }),
        ("two gates of one id", |s| s.gates[1].id = "g.1".into()),
        ("a gate without an id", |s| {
            s.gates[1].id.clear();
            s.tree = Tree::All(vec![Tree::Gate("g.1".into()), Tree::Gate(String::new())]);
        }),
        ("met", |s| s.gates[1].status = GateStatus::Met),
        ("dropped", |s| s.gates[0].status = GateStatus::Dropped),
        ("evidence", |s| s.gates[0].evidence = Some(evidence())),
        ("another key", |s| s.key = step::key("t")),
        ("an upper-case key", |s| s.key = s.key.to_uppercase()),
        ("another step", |s| s.blocks = "t".into()),
        ("no gates", |s| {
            s.gates.clear();
            s.tree = Tree::Any(vec![Tree::All(vec![])]);
        }),
    ];
    for (name, make) in ENGINES {
        let open = make();
        let mut ledger = open();
        for (what, spoil) in &spoils {
            let mut set = good();
            spoil(&mut set);
            let said = refused(ledger.as_mut(), &[note("beside"), opened(&set)]);
            assert!(said.contains("event `open-"), "{name}, {what}: {said}");
        }
        for body in [json!({}), json!({"set": 1}), json!({"sets": [good()]})] {
            refused(ledger.as_mut(), &[draft("x", "gate.opened", body)]);
        }
        assert_eq!(ledger.head().unwrap(), Head::genesis());
        append(ledger.as_mut(), &[opened(&good())]);
        let mut again = opened(&good());
        again.id = "other".to_string();
        refused(ledger.as_mut(), &[again]);
    }
}

#[test]
fn a_change_that_is_not_fit_is_refused() {
    let met = |spoil: fn(&mut belegt::model::gate::Evidence)| {
        let mut evidence = evidence();
        spoil(&mut evidence);
        Becomes::Met(Box::new(evidence))
    };
    let good = || met(|_| {});
    let wrong = [
        ("gate.met", met(|e| e.receipts.clear())),
        ("gate.met", met(|e| e.sentence = " \n".into())),
        (
            "gate.met",
            met(|e| {
                e.class = Class::Consent;
                e.why.clear();
            }),
        ),
        (
            "gate.met",
            met(|e| {
                e.class = Class::Reported;
                e.receipts.clear();
            }),
        ),
        ("gate.met", Becomes::Dropped("b".into())),
        ("gate.met", Becomes::Open("b".into())),
        ("gate.dropped", Becomes::Dropped(" \t".into())),
        ("gate.dropped", Becomes::Open("b".into())),
        ("gate.dropped", good()),
        ("gate.reopened", Becomes::Open(String::new())),
        ("gate.reopened", Becomes::Dropped("b".into())),
        ("gate.reopened", good()),
    ];
    for (_, make) in ENGINES {
        let open = make();
        let mut ledger = open();
        append(
            ledger.as_mut(),
            &[opened(&single("g", "s", Mode::Only, None))],
        );
        for (kind, to) in &wrong {
            let bad = change("g", "g", to.clone());
            refused(ledger.as_mut(), &[changed("x", kind, &[bad.clone()])]);
            // And with a good one beside it.
            let fine = match *kind {
                "gate.met" => good(),
                "gate.dropped" => Becomes::Dropped("b".into()),
                _ => Becomes::Open("b".into()),
            };
            let both = [change("g", "g", fine), bad];
            refused(ledger.as_mut(), &[changed("x", kind, &both)]);
        }
        for (set, gate) in [("h", "h"), ("g", "g.1"), ("", "")] {
            let said = refused(ledger.as_mut(), &[dropped("x", set, gate)]);
            assert!(
                said.contains(&format!("there is no gate `{gate}`")),
                "{said}"
            );
        }
        for body in [
            json!({}),
            json!({"changes": 3}),
            json!({"changes": [{"set": "g"}]}),
        ] {
            refused(ledger.as_mut(), &[draft("x", "gate.met", body)]);
        }
        // A kind with a name of ours that says nothing of the projection.
        let others = [
            draft("y", "gate.answered", json!({"gate": "g", "accepted": true})),
            draft("z", "act.ran", json!({})),
        ];
        append(ledger.as_mut(), &others);
        assert_eq!(ids(ledger.as_ref(), &GateQuery::Open), ["g"]);
    }
}

#[test]
fn a_retry_is_a_duplicate_and_who_comes_second_a_conflict() {
    each(|_, open| {
        let (mut one, mut two) = (open(), open());
        let first = opened(&single("g", "s", Mode::Only, None));
        let head = append(one.as_mut(), std::slice::from_ref(&first));
        let again = two.append(&Head::genesis(), &[first]).unwrap();
        assert_eq!(again, Appended::Duplicate(head.clone()));
        let now = append(one.as_mut(), &[met("m", "g", "g")]);
        let late = two.append(&head, &[dropped("d", "g", "g")]).unwrap();
        assert_eq!(late, Appended::Conflict(now));
        let set = two.gates(&GateQuery::All).unwrap().sets.remove(0);
        assert_eq!(set.status(), GateStatus::Met);
    });
}

#[test]
fn more_forbidden_steps_than_are_answered_are_one_more() {
    each(|name, open| {
        let mut ledger = open();
        let sets = |from: usize, to: usize| -> Vec<_> {
            let set = |n| single(&format!("g{n}"), &format!("s{n}"), Mode::Only, Some(1));
            (from..to).map(|n| opened(&set(n))).collect()
        };
        append(ledger.as_mut(), &sets(0, MOST_FORBIDDEN));
        let keys = ledger.forbidden().unwrap();
        assert_eq!(keys.len(), MOST_FORBIDDEN, "{name}");
        assert!(keys.is_sorted());
        append(ledger.as_mut(), &sets(MOST_FORBIDDEN, MOST_FORBIDDEN + 3));
        assert_eq!(ledger.forbidden().unwrap().len(), MOST_FORBIDDEN + 1);
        append(
            ledger.as_mut(),
            &[dropped("d", "g1", "g1"), dropped("e", "g2", "g2")],
        );
        assert_eq!(ledger.forbidden().unwrap().len(), MOST_FORBIDDEN + 1);
        append(ledger.as_mut(), &[dropped("f", "g3", "g3")]);
        assert_eq!(ledger.forbidden().unwrap().len(), MOST_FORBIDDEN);
    });
}

/// One step of a random history of gates.
#[derive(Debug, Clone)]
enum Step {
    Open(GateSet),
    Change(&'static str, Vec<GateChange>),
    Note,
}

const STEPS: [&str; 4] = ["release", "Release.", "deploy", "tag"];

fn any_due() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![
        3 => Just(None),
        5 => (0..6_i64).prop_map(Some),
        1 => any::<i64>().prop_map(Some),
        1 => Just(Some(i64::MIN)),
        1 => Just(Some(i64::MAX)),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    let dues = prop::collection::vec(any_due(), 1..4);
    let open = (0..12_u8, 0..STEPS.len(), any::<(bool, bool)>(), dues).prop_map(
        |(id, blocks, (only, any), dues)| {
            let mode = if only { Mode::Only } else { Mode::Wait };
            Step::Open(set(&format!("g{id}"), STEPS[blocks], mode, (any, &dues)))
        },
    );
    let one = (0..12_u8, 0..4_u8);
    let kind = prop::sample::select(vec!["gate.met", "gate.dropped", "gate.reopened"]);
    let change = (kind, prop::collection::vec(one, 1..4)).prop_map(|(kind, gates)| {
        let to = || match kind {
            "gate.met" => Becomes::Met(Box::new(evidence())),
            "gate.dropped" => Becomes::Dropped("why".into()),
            _ => Becomes::Open("why".into()),
        };
        let gates = gates.into_iter().map(|(id, gate)| {
            let name = match gate {
                0 => format!("g{id}"),
                n => format!("g{id}.{n}"),
            };
            super::support::change(&format!("g{id}"), &name, to())
        });
        Step::Change(kind, gates.collect())
    });
    prop_oneof![4 => open, 5 => change, 1 => Just(Step::Note)]
}

/// Every question that there is, put to one ledger.
fn answers(ledger: &dyn Ledger) -> Vec<String> {
    let ids = ["g1", "g5", "g3", "g1", "x"].map(String::from);
    let keys = STEPS.map(step::key);
    let mut queries = vec![GateQuery::All, GateQuery::Open, GateQuery::Ids(&ids)];
    queries.extend(keys.iter().map(|key| GateQuery::Step(key)));
    let instants = [i64::MIN, -1, 0, 2, 3, 5, 1 << 40, i64::MAX];
    queries.extend(instants.map(GateQuery::Due));
    let asked = queries
        .iter()
        .map(|query| format!("{:?}", ledger.gates(query)));
    let wakes = instants.map(|after| format!("{:?}", ledger.next_wake(after)));
    let rest = [
        format!("{:?}", ledger.open_steps()),
        format!("{:?}", ledger.forbidden()),
    ];
    asked.chain(wakes).chain(rest).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn engines_agree_on_every_history_of_gates(
        batches in prop::collection::vec(prop::collection::vec(any_step(), 1..4), 1..24)
    ) {
        let openers = ENGINES.map(|(_, make)| make());
        let mut ledgers = openers.each_ref().map(|open| open());
        for (n, batch) in batches.iter().enumerate() {
            let drafts: Vec<_> = batch.iter().enumerate().map(|(m, step)| {
                let id = format!("e{n}-{m}");
                match step {
                    Step::Open(set) => draft(&id, "gate.opened", json!({"set": set})),
                    Step::Change(kind, changes) => changed(&id, kind, changes),
                    Step::Note => note(&id),
                }
            }).collect();
            // Singly where they are refused together, so that the history grows.
            let mut tries = vec![drafts.clone()];
            tries.extend(drafts.into_iter().map(|draft| vec![draft]));
            for (m, drafts) in tries.iter().enumerate() {
                let results = ledgers.each_mut().map(|l| {
                    let head = l.head().unwrap();
                    l.append(&head, drafts).map_err(|e| e.to_string())
                });
                prop_assert_eq!(&results[0], &results[1]);
                if m == 0 && results[0].is_ok() {
                    break;
                }
            }
            prop_assert_eq!(answers(ledgers[0].as_ref()), answers(ledgers[1].as_ref()));
            prop_assert_eq!(ledgers[0].view(), ledgers[1].view());
        }
        for ledger in &ledgers {
            prop_assert_eq!(verify(ledger.as_ref()), Ok(vec![]));
        }
    }
}

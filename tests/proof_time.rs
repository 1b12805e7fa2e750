//! The proof method `time`, asked as a gate would ask it: through its script, over a sealed world.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use belegt::ask::Done;
use belegt::model::receipt::Outcome;
use belegt::script::answer::{Answered, Reply};
use belegt::script::call::Argument;
use belegt::tick::probe::Answer;
use serde_json::{Value, json};
use support::Stage;

const TIME: &str = "probes/proofs/time";
const SET: &str = "2026-11-30T10:00:00+01:00";

/// What the method makes of a text that is said at an instant.
fn recognise(set: &str, text: &str) -> Option<Reply> {
    let arguments = vec![Argument::Text(text.to_string()), Argument::Context];
    let done = Stage::new()
        .at(set)
        .asking()
        .answer_or_none(TIME, "recognise", arguments);
    assert!(done.receipts.is_empty(), "a text is read without a look");
    done.result.unwrap().map(|answered| answered.reply)
}

/// Sentence and params of a phrase.
fn condition(set: &str, text: &str) -> (String, Value) {
    match recognise(set, text) {
        Some(Reply::Condition { sentence, params }) => (sentence, params),
        other => panic!("`{text}` gave {other:?}"),
    }
}

fn prove_params(now: &str, params: Value) -> Done<Answered> {
    let gate = json!({
        "condition": "c", "sentence": "s", "params": params, "created_at": SET, "mode": "wait",
    });
    let arguments = vec![Argument::Context, Argument::Data(gate)];
    Stage::new()
        .at(now)
        .asking()
        .answer(TIME, "prove", arguments)
}

/// What is proven at an instant of a gate that was set at another.
fn prove(set: &str, text: &str, now: &str) -> Reply {
    let done = prove_params(now, condition(set, text).1);
    let receipts = done.receipts;
    assert_eq!(receipts.len(), 1, "{receipts:?}");
    assert_eq!(receipts[0].function, "time::clock");
    assert_eq!(receipts[0].asked, "clock");
    assert_eq!(receipts[0].outcome, Outcome::Answered);
    done.result.unwrap().reply
}

fn is_met(set: &str, text: &str, now: &str) -> bool {
    match prove(set, text, now) {
        Reply::Found(items, why) => {
            assert!(items.is_empty() && why.contains("at least"), "{why}");
            true
        }
        Reply::Empty(why) => {
            assert!(why.contains("not before"), "{why}");
            false
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_phrases_of_the_seed() {
    let (sentence, params) = condition(SET, "time 06:00");
    assert_eq!(
        sentence,
        "the clock shows at least 2026-12-01T06:00:00+01:00 (Europe/Berlin)"
    );
    assert_eq!(
        params,
        json!({
            "rule": "time 06:00 Europe/Berlin",
            "due": 1_796_101_200,
            "instant": "2026-12-01T06:00:00+01:00",
            "civil": "2026-12-01T06:00:00",
            "zone": "Europe/Berlin",
            "tzdata": belegt::formats::when::TZDATA,
            "note": "06:00 has passed today; 2026-12-01 is taken",
            "carried": "time 2026-12-01T06:00:00 Europe/Berlin",
        })
    );
    let (sentence, params) = condition(SET, "after 2 hours");
    assert_eq!(
        sentence,
        "at least 2 hours after 2026-11-30T10:00:00+01:00: 2026-11-30T12:00:00+01:00 (Europe/Berlin)"
    );
    assert_eq!(params["civil"], "");
    assert_eq!(params["carried"], "time 2026-11-30T12:00:00+01:00");
    let (_, params) = condition(SET, "time 16:00 Europe/Berlin");
    assert_eq!(params["instant"], "2026-11-30T16:00:00+01:00");
}

#[test]
fn a_phrase_of_another_method_is_left_to_it() {
    for text in [
        "Tests grün",
        "Export fertig",
        "after the review",
        "nach dem Push",
        "",
    ] {
        assert_eq!(recognise(SET, text), None, "{text}");
    }
}

#[test]
fn a_guess_is_refused_with_its_piece() {
    for (text, wanted) in [
        ("after 90", "90"),
        ("after 2h2h", "2h"),
        ("time 22.04", "22.04"),
        ("time 16:00 IST", "IST"),
        ("morgen", "morgen"),
        ("daily 02:30", "daily"),
    ] {
        match recognise(SET, text) {
            Some(Reply::Refused { why, piece }) => {
                assert_eq!(piece, wanted, "{text}");
                assert!(!why.is_empty());
            }
            other => panic!("`{text}` gave {other:?}"),
        }
    }
}

#[test]
fn a_gate_is_met_at_its_instant_and_not_a_second_before() {
    let table = [
        (
            "after 2 hours",
            "2026-11-30T11:59:59+01:00",
            "2026-11-30T12:00:00+01:00",
        ),
        (
            "time 16:00",
            "2026-11-30T15:59:59+01:00",
            "2026-11-30T16:00:00+01:00",
        ),
        // O-A17: not at once.
        (
            "time 24:00",
            "2026-11-30T23:59:59+01:00",
            "2026-12-01T00:00:00+01:00",
        ),
        (
            "morgen 06:00",
            "2026-12-01T05:59:59+01:00",
            "2026-12-01T06:00:00+01:00",
        ),
    ];
    for (text, before, then) in table {
        assert!(!is_met(SET, text, before), "{text}");
        assert!(is_met(SET, text, then), "{text}");
        assert!(is_met(SET, text, "2031-01-01T00:00:00+01:00"), "{text}");
    }
    assert!(is_met(SET, "nach 0 Minuten", SET));
}

#[test]
fn o_a19_the_instant_counts_and_not_the_clock_face() {
    let set = "2026-11-30T23:00:00+01:00";
    assert!(is_met(set, "time 23:30", "2026-12-01T00:10:00+01:00"));
}

#[test]
fn o_a20_and_o_a21_over_the_change_to_summer_time() {
    let evening = "2027-03-27T20:00:00+01:00";
    let text = "time 02:30 Europe/Berlin";
    assert!(!is_met(evening, text, "2027-03-28T00:59:59Z"));
    assert!(is_met(evening, text, "2027-03-28T01:00:00Z"));
    let noon = "2027-03-27T12:00:00+01:00";
    assert!(!is_met(noon, "after 24 hours", "2027-03-28T12:59:59+02:00"));
    assert!(is_met(noon, "after 24 hours", "2027-03-28T13:00:00+02:00"));
    assert!(is_met(noon, "after 1 day", "2027-03-28T12:00:00+02:00"));
}

#[test]
fn row_24_changed_zone_rules_move_a_local_time_and_no_elapsed_one() {
    // As if older rules had put six o'clock an hour earlier.
    let old = json!({
        "civil": "2026-12-01T06:00:00", "zone": "Europe/Berlin", "tzdata": "1999a",
        "instant": "2026-12-01T05:00:00+01:00", "due": 1_796_097_600, "rule": "time 06:00",
    });
    let at = "2026-12-01T05:30:00+01:00";
    let Reply::Empty(why) = prove_params(at, old.clone()).result.unwrap().reply else {
        panic!("met an hour early")
    };
    let rules = belegt::formats::when::TZDATA;
    assert_eq!(
        why,
        format!(
            "it is {at}, not before 2026-12-01T06:00:00+01:00 (Europe/Berlin), by zone rules {rules} \
             instead of 1999a: 2026-12-01T05:00:00+01:00 before"
        )
    );
    let with = |key: &str, value: &str| {
        let mut params = old.clone();
        params[key] = json!(value);
        prove_params(at, params).result.unwrap().reply
    };
    assert!(matches!(with("civil", ""), Reply::Found(..)));
    assert!(matches!(with("tzdata", rules), Reply::Found(..)));
    assert!(matches!(
        with("zone", "Europe/Berln"),
        Reply::Unavailable(_)
    ));
    assert!(matches!(with("instant", "soon"), Reply::Empty(_)));
}

#[test]
fn params_that_hold_no_instant_are_not_met() {
    let broken = json!({ "civil": "", "zone": "UTC", "tzdata": "1999a", "instant": "soon" });
    let reply = prove_params(SET, broken).result.unwrap().reply;
    assert!(matches!(reply, Reply::Unavailable(_)), "{reply:?}");
    assert!(prove_params(SET, json!({})).result.is_err());
}

/// The `why` of a work probe of the site.
fn probe(body: &str) -> Answer {
    let script = format!("const META = #{{ api: 1, about: \"test\" }};\nfn look(ctx) {{ {body} }}");
    Stage::new()
        .script("probes/work/probe", &script)
        .look("probe")
}

#[test]
fn the_functions_as_a_site_uses_them() {
    let table = [
        (
            "time::phrase(\"after 1h30m\").text",
            "2026-11-30T11:30:00+01:00",
        ),
        ("time::phrase(\"16:00\").epoch", "1796050800"),
        ("time::phrase(\"Tests\").is_time", "false"),
        ("time::phrase(\"after 90\").piece", "90"),
        ("time::phrase(\"after 90\").ok", "false"),
        ("time::phrase(\"after 9s\").why", ""),
        ("time::tzdata() == time::phrase(\"06:00\").tzdata", "true"),
        (
            "time::again(\"2026-12-01T06:00:00\", \"UTC\").text",
            "2026-12-01T06:00:00+00:00",
        ),
        ("time::again(\"2026-12-01\", \"UTC\") == ()", "true"),
        ("time::clock().text", SET),
        ("time::parse(time::clock().text) == ctx.now", "true"),
    ];
    for (expression, right) in table {
        let answer = probe(&format!("unavailable(`<${{{expression}}}>`)"));
        assert_eq!(answer.why, format!("<{right}>"), "{expression}");
    }
    let unread = probe("unavailable(time::phrase(\"after 90\").text)");
    assert!(unread.why.contains("ask `.ok` first"), "{}", unread.why);
}

#[test]
fn who_looked_at_the_clock_alone_has_not_looked_for_work() {
    let answer = probe("time::clock(); empty(\"nothing\")");
    assert!(answer.why.contains("without looking"), "{}", answer.why);
    let answer = probe("time::clock(); fs::list(\".\"); empty(\"nothing\")");
    assert_eq!(answer.why, "nothing");
}

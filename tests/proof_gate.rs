//! The proof method `gate`, and two cases that every proof script of a site must fail well.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/proofs.rs"]
mod proofs;
mod support;

use std::time::{Duration, Instant};

use proofs::{compiled, condition, gate, no_method, only_this_method, refusal, said, says};
use serde_json::{Value, json};
use support::Stage;

const METHOD: &str = "gate";

#[test]
fn phrases_are_recognised_by_this_method_alone() {
    let phrases = [
        "gate g1234abcd5678 is met",
        "Gate g1234abcd5678 erfüllt",
        "wenn das Gate g1234abcd5678.2 erfüllt ist",
        "once the gate `G1234ABCD5678` is met.",
        "gate release is met",
    ];
    only_this_method(&compiled(), METHOD, &phrases);
    no_method(&compiled(), &["g1234abcd5678", "alle Gates erfüllt"]);
    let (sentence, params) = condition(&compiled(), METHOD, "Gate G1234abcd5678 erfüllt").unwrap();
    assert_eq!(sentence, "the gate g1234abcd5678 is met");
    assert_eq!(params, json!({ "gate": "g1234abcd5678" }));
    for id in ["3", "release", "g1234", "g1234abcd5678e"] {
        assert_eq!(
            refusal(&compiled(), METHOD, &format!("gate {id} is met")).1,
            id
        );
    }
}

#[test]
fn d09_a_gate_that_is_not_met_is_refused() {
    for (text, word) in [
        ("gate g1234abcd5678 is not met", "not"),
        ("Gate nicht erfüllt", "nicht"),
        ("Gate g1234abcd5678 ist noch nicht erfüllt", "noch nicht"),
    ] {
        let (why, piece) = refusal(&compiled(), METHOD, text);
        assert!(why.contains("something is not so"), "{text}: {why}");
        assert_eq!(piece, word, "{text}");
    }
}

/// What the method says where the ledger says this of the other gate.
fn ask(known: Value) -> (&'static str, String) {
    let mut stage = compiled();
    stage.gates.insert("g1234abcd5678".to_string(), known);
    said(&stage.prove(METHOD, gate(json!({ "gate": "g1234abcd5678" }), "only")))
}

fn known(status: &str, class: &str, weakened: &str) -> Value {
    json!({ "status": status, "sentence": "tests did run", "class": class, "weakened": weakened })
}

#[test]
fn the_ledger_says_whether_the_other_gate_is_met() {
    let of = |status| ask(known(status, "measured", ""));
    says(of("met"), "found", &["g1234abcd5678", "tests did run"]);
    says(of("open"), "empty", &["is open"]);
    says(of("dropped"), "empty", &["proves nothing"]);
    says(of("closed"), "unavailable", &["closed"]);
    let unknown = compiled().prove(METHOD, gate(json!({ "gate": "g1234abcd5678" }), "wait"));
    says(said(&unknown), "unavailable", &["knows no gate"]);
    let itself = compiled().prove(METHOD, gate(json!({ "gate": "g0000beef" }), "wait"));
    says(said(&itself), "unavailable", &["itself"]);
}

#[test]
fn a06_evidence_is_not_laundered_through_another_gate() {
    let met = |class, weakened| ask(known("met", class, weakened));
    says(met("measured", ""), "found", &["tests did run"]);
    says(met("consent", ""), "found", &["tests did run"]);
    says(met("reported", ""), "reported", &["tests did run"]);
    says(met("guessed", ""), "unavailable", &["guessed"]);
    for class in ["measured", "reported", "consent", "guessed"] {
        let dropped = "`.2` was dropped by agent";
        says(met(class, dropped), "unavailable", &[dropped]);
    }
}

#[test]
fn a06_what_the_ledger_does_not_say_proves_nothing() {
    for (key, others) in [
        ("class", vec![json!(null), json!(1), json!([]), json!("")]),
        (
            "weakened",
            vec![json!(null), json!(false), json!(["", "x"])],
        ),
        ("status", vec![json!(null), json!(true), json!(["met"])]),
    ] {
        let mut without = known("met", "measured", "");
        without.as_object_mut().unwrap().remove(key);
        says(ask(without), "unavailable", &[]);
        for other in others {
            let mut odd = known("met", "measured", "");
            odd[key] = other;
            says(ask(odd), "unavailable", &[]);
        }
    }
    says(ask(json!({})), "unavailable", &["knows no gate"]);
    says(ask(json!("met")), "unavailable", &["knows no gate"]);
}

/// A site's own method whose `prove` has this body.
fn own(body: &str) -> Stage {
    let text = format!(
        "const META = #{{ api: 1, about: \"a site's own proof\" }};\nfn recognise(text, ctx) {{ condition(text, #{{}}) }}\nfn prove(ctx, gate) {{\n{body}\n}}\n"
    );
    Stage::new()
        .file("evidence.json", "{\"failed\": \"3\"}")
        .script("probes/proofs/own", &text)
}

fn own_says(body: &str, params: Value, word: &str, parts: &[&str]) {
    let began = Instant::now();
    says(
        said(&own(body).prove("own", gate(params, "wait"))),
        word,
        parts,
    );
    assert!(began.elapsed() < Duration::from_secs(5), "{body}");
}

#[test]
fn o_b28_limits_end_every_proof_in_time() {
    for (body, part) in [
        ("loop {}", "script time"),
        (
            "let s = \"x\"; for i in 0..40 { s += s; } found(s)",
            "beyond its limit",
        ),
        (
            "let s = \"x\"; s.pad(200000000, 'y'); found(`${s.len()}`)",
            "closed",
        ),
        (
            "let l = [1]; for i in 0..40 { l += l; } found(\"many\")",
            "beyond its limit",
        ),
        ("prove(ctx, gate)", "deep"),
    ] {
        own_says(body, json!({}), "fault", &[]);
        let (_, why) = said(&own(body).prove("own", gate(json!({}), "wait")));
        assert!(why.to_lowercase().contains(part), "`{body}`: {why}");
    }
}

#[test]
fn o_b29_a_comparison_of_two_kinds_never_proves() {
    let read = "let evidence = json::parse(fs::read(\"evidence.json\").text);\n";
    for compared in [
        "evidence.failed > 0",
        "evidence.get(\"failed\") > 0",
        "evidence.string(\"failed\") > 0",
        "evidence.number(\"failed\") > 0",
        "gate.params.failed > 0",
        "gate.params.failed == 0",
        "gate.params.faild > 0",
    ] {
        let body =
            format!("{read}if {compared} {{ return empty(\"failed\"); }}\nfound(\"none failed\")");
        own_says(&body, json!({ "failed": "3" }), "fault", &["own.rhai:5"]);
    }
    let body = format!(
        "{read}if gate.params.failed > 0 {{ return empty(\"failed\"); }}\nfound(\"none failed\")"
    );
    own_says(&body, json!({ "failed": 3 }), "empty", &[]);
    own_says(&body, json!({ "failed": 0 }), "found", &[]);
}

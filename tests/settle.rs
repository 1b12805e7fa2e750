//! `belegt settle` through the public door: by id, by a beginning, in bulk, and what it refuses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/sealed.rs"]
mod sealed;

use sealed::{Ran, Site};

const NOW: &str = "2026-11-30T10:00:00+01:00";
const EXHAUSTED: &str = "WORK-AUTONOMOUS: STOP (exhausted)\n";
const CONTINUE: &str = "WORK-AUTONOMOUS: CONTINUE\n";

/// Three decisions that were made, one of them before the baseline.
const DONE: &str = "\
## D-20261029-001 — Long ago
ENTSCHIEDEN AM: 2026-10-29
ENTSCHEIDUNG: [A — yes]

## D-20261126-002 — Use UTC in all log files
ENTSCHIEDEN AM: 2026-11-26
ENTSCHEIDUNG: [A — yes]

## D-20261129-004 — Enable the nightly export
ENTSCHIEDEN AM: 2026-11-29
ENTSCHEIDUNG: [B — enable]
";

fn site() -> Site {
    let site = Site::with_empty_sources();
    site.file(
        "_control-center/_CONTROL/_DECISIONS/DECIDED-AND-DONE.md",
        DONE,
    );
    assert_eq!(tick(&site), CONTINUE);
    site
}

fn tick(site: &Site) -> String {
    site.at(NOW, "", &["tick", "-q"]).stdout
}

fn settle(site: &Site, answers: &str, words: &str) -> Ran {
    let mut arguments = vec!["settle"];
    arguments.extend(words.split(' '));
    site.at(NOW, answers, &arguments)
}

fn refused(ran: &Ran, code: i32, says: &str) {
    assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{ran:?}");
    // A terminal's width breaks the text.
    let text = ran.stderr.replace("\n  │ ", " ");
    assert!(text.contains(says), "{says}: {text}");
}

#[test]
fn by_id_and_by_a_beginning_and_all_of_them_end_the_work() {
    let site = site();
    let ran = settle(
        &site,
        "",
        "decisions.ledger:D-20261126-002 --as done --because x",
    );
    assert_eq!(
        ran.stdout,
        "settled 1 item\n  decisions.ledger:D-20261126-002\n"
    );
    assert_eq!(tick(&site), CONTINUE);
    let ran = settle(&site, "", "decisions.ledger:D-202611 --as done --because x");
    refused(
        &ran,
        1,
        "more than one item begins with `decisions.ledger:D-202611`",
    );
    let ran = settle(
        &site,
        "",
        "decisions.ledger:D-20261129 --as not-work --because x",
    );
    assert_eq!(
        ran.stdout,
        "settled 1 item\n  decisions.ledger:D-20261129-004\n"
    );
    assert_eq!(tick(&site), EXHAUSTED);
}

#[test]
fn settled_as_the_persons_it_waits_for_the_person() {
    let site = site();
    for id in ["D-20261126-002", "D-20261129-004"] {
        let words = format!("decisions.ledger:{id} --as user --because access");
        assert_eq!(settle(&site, "", &words).code, 0);
    }
    assert_eq!(tick(&site), "WORK-AUTONOMOUS: STOP (user-only)\n");
    let bundle = site.at(NOW, "", &["bundle"]).stdout;
    assert!(bundle.contains("Waiting for the person (2)"), "{bundle}");
    assert!(bundle.contains("settled it as `user`: access"), "{bundle}");
}

#[test]
fn one_wrong_name_and_nothing_is_settled() {
    let site = site();
    let words =
        "decisions.ledger:D-20261126-002 decisions.ledger:D-20261126-003 --as done --because x";
    let ran = settle(&site, "", words);
    refused(
        &ran,
        1,
        "there is no item `decisions.ledger:D-20261126-003`",
    );
    assert!(
        ran.stderr
            .contains("did you mean `decisions.ledger:D-20261126-002`?"),
        "{ran:?}"
    );
    let log = site.at(NOW, "", &["log"]).stdout;
    assert!(!log.contains("news.settled"), "{log}");
}

#[test]
fn what_no_tick_has_shown_cannot_be_settled() {
    let site = Site::with_empty_sources();
    let ran = settle(&site, "", "memory.curated:note-1 --as done --because x");
    refused(&ran, 1, "there is no item `memory.curated:note-1`");
    assert!(
        ran.stderr.contains("`belegt tick --json` lists the ids"),
        "{ran:?}"
    );
}

#[test]
fn what_ends_where_it_lives_is_refused() {
    let site = Site::with_empty_sources();
    site.file("TODO.md", "- [ ] write the parser\n");
    assert_eq!(tick(&site), CONTINUE);
    let ran = settle(&site, "", "work.todo: --as done --because x");
    refused(&ran, 2, "cannot be settled by word: it ends where it lives");
    assert_eq!(tick(&site), CONTINUE);
}

#[test]
fn without_a_reason_or_a_name_it_is_wrong_usage() {
    let site = site();
    let id = "decisions.ledger:D-20261126-002";
    refused(
        &settle(&site, "", &format!("{id} --as done")),
        2,
        "--because <TEXT>",
    );
    let ran = site.at(NOW, "", &["settle", id, "--as", "done", "--because", "  "]);
    refused(&ran, 2, "settling needs a reason");
    refused(
        &settle(&site, "", &format!("{id} --because x")),
        2,
        "--as <HOW>",
    );
    refused(
        &settle(&site, "", "--as done --because x"),
        2,
        "nothing was named to settle",
    );
    let words = format!("{id} --as finished --because x");
    refused(
        &settle(&site, "", &words),
        2,
        "possible values: done, not-work, user",
    );
    let words = "--source decisions.ledger --as done --because x";
    refused(&settle(&site, "", words), 2, "--before <DATE>");
    assert_eq!(tick(&site), CONTINUE);
}

const BULK: &str = "--source decisions.ledger --before 2026-11-28 --as not-work --because old";

#[test]
fn bulk_needs_a_person() {
    let site = site();
    refused(&settle(&site, "", BULK), 1, "needs a person at a terminal");
    refused(
        &settle(&site, "y\n", BULK).quiet(),
        1,
        "the answer was not `yes`",
    );
    let ran = site.run(&[
        "settle",
        "--source",
        "decisions.ledger",
        "--before",
        "2026-11-28",
        "--as",
        "done",
        "--because",
        "x",
    ]);
    refused(&ran, 1, "needs a person at a terminal");
    assert_eq!(tick(&site), CONTINUE);
}

#[test]
fn bulk_with_a_person_takes_what_is_older_and_nothing_else() {
    let site = site();
    let ran = settle(&site, "yes\n", BULK);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stdout
            .contains("settle 1 item of news of decisions.ledger from before 2026-11-28?"),
        "{ran:?}"
    );
    assert!(
        ran.stdout
            .ends_with("settled 1 item\n  decisions.ledger:D-20261126-002\n"),
        "{ran:?}"
    );
    let log = site.at(NOW, "", &["log", "--jsonl"]).stdout;
    assert!(log.contains(r#""actor":{"kind":"person""#), "{log}");
    let report = site.at(NOW, "", &["tick"]).stdout;
    assert!(report.contains("Work (1)"), "{report}");
    let again = settle(&site, "yes\n", BULK);
    refused(&again, 1, "holds no news from before 2026-11-28");
    let wrong = settle(
        &site,
        "yes\n",
        "--source decisions.ledger --before soon --as done --because x",
    );
    refused(&wrong, 2, "`soon` is no date");
}

impl Ran {
    /// Without the question that the person was asked.
    fn quiet(mut self) -> Ran {
        self.stdout.clear();
        self
    }
}

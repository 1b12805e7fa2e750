//! The ledger of a site and what its anchor says of the gates.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::fs;
use std::path::Path;

use belegt::app::book::{Book, EVERY_STEP};
use belegt::app::context::Context;
use belegt::ledger::event::Draft;
use belegt::ledger::gates::{GateQuery, MOST_FORBIDDEN};
use belegt::ledger::sqlite::{Mode as Opening, SqliteLedger};
use belegt::ledger::{Appended, Ledger};
use belegt::model::gate::{Mode, step};
use belegt::settings::flags::Flags;
use belegt::settings::surroundings::Surroundings;
use serde_json::json;

use support::*;

#[path = "support/gates.rs"]
mod support;

/// A site of its own, with a home of its own.
fn around(base: &Path) -> Surroundings {
    let root = base.join("root");
    fs::create_dir_all(root.join(".belegt")).unwrap();
    fs::create_dir_all(base.join("home")).unwrap();
    Surroundings {
        environment: [("HOME".into(), base.join("home").into())].into(),
        cwd: root,
        ..Surroundings::real()
    }
}

fn add(book: &mut Book, drafts: &[Draft]) {
    let head = book.view().unwrap().head;
    let done = book.append_all(&head, drafts).unwrap();
    assert!(matches!(done, Appended::Done(_)), "{done:?}");
}

fn note(id: &str) -> Draft {
    draft(id, "note.added", json!({"text": id}))
}

#[test]
fn the_anchor_knows_what_is_forbidden_when_the_ledger_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let around = around(folder.path());
    let settings = Context::load(&around, &Flags::default()).unwrap();
    assert_eq!(Book::blocked(&settings), Ok(None));
    let mut book = Book::create(&settings).unwrap();
    assert_eq!(Book::blocked(&settings), Ok(Some(vec![])));
    let sets = [
        single("a", "Release", Mode::Only, None),
        single("b", "deploy", Mode::Wait, None),
        single("c", "tag", Mode::Only, Some(4)),
    ];
    add(&mut book, &sets.each_ref().map(opened));
    let mut both = vec![step::key("release"), step::key("tag")];
    both.sort();
    assert_eq!(Book::blocked(&settings), Ok(Some(both.clone())));
    // Other events leave it as it is, opening too.
    add(&mut book, &[note("n")]);
    let head = book.view().unwrap().head;
    book.append(&head, &note("m")).unwrap();
    drop(book);
    let mut book = Book::create(&settings).unwrap();
    assert_eq!(Book::blocked(&settings), Ok(Some(both)));
    add(&mut book, &[met("1", "a", "a")]);
    assert_eq!(Book::blocked(&settings), Ok(Some(vec![step::key("tag")])));
    add(&mut book, &[note("o"), dropped("2", "c", "c")]);
    assert_eq!(Book::blocked(&settings), Ok(Some(vec![])));
    add(&mut book, &[reopened("3", "a", "a")]);
    drop(book);
    fs::remove_file(&settings.ledger).unwrap();
    assert!(Book::read(&settings).is_err());
    let release = vec![step::key("Release.")];
    assert_eq!(Book::blocked(&settings), Ok(Some(release)));
}

#[test]
fn who_ended_between_commit_and_anchor_is_made_good_by_the_next_who_opens() {
    let folder = tempfile::tempdir().unwrap();
    let around = around(folder.path());
    let settings = Context::load(&around, &Flags::default()).unwrap();
    drop(Book::create(&settings).unwrap());
    let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
    let mut bare = SqliteLedger::open(&settings.ledger, &Opening::Existing, until).unwrap();
    let head = bare.head().unwrap();
    let only = opened(&single("a", "release", Mode::Only, None));
    bare.append(&head, &[only]).unwrap();
    assert_eq!(Book::blocked(&settings), Ok(Some(vec![])));
    drop(bare);
    let book = Book::create(&settings).unwrap();
    assert_eq!(
        Book::blocked(&settings),
        Ok(Some(vec![step::key("release")]))
    );
    assert_eq!(book.ledger().gates(&GateQuery::Open).unwrap().sets.len(), 1);
}

#[test]
fn too_many_steps_are_every_step_and_come_back_as_keys() {
    let folder = tempfile::tempdir().unwrap();
    let around = around(folder.path());
    let settings = Context::load(&around, &Flags::default()).unwrap();
    let mut book = Book::create(&settings).unwrap();
    let set = |n| single(&format!("g{n}"), &format!("s{n}"), Mode::Only, None);
    let sets: Vec<_> = (0..MOST_FORBIDDEN).map(|n| opened(&set(n))).collect();
    add(&mut book, &sets);
    let count = || Book::blocked(&settings).unwrap().unwrap().len();
    assert_eq!(count(), MOST_FORBIDDEN);
    add(&mut book, &[opened(&set(MOST_FORBIDDEN))]);
    let every = vec![EVERY_STEP.to_string()];
    assert_eq!(Book::blocked(&settings), Ok(Some(every)));
    add(&mut book, &[dropped("d", "g0", "g0")]);
    assert_eq!(count(), MOST_FORBIDDEN);
}

#[test]
fn an_anchor_that_was_moved_on_by_another_is_moved_with_the_gates() {
    let folder = tempfile::tempdir().unwrap();
    let around = around(folder.path());
    let settings = Context::load(&around, &Flags::default()).unwrap();
    drop(Book::create(&settings).unwrap());
    // Notes and gates by turns: whoever is last, the anchor ends with all the gates.
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let around = &around;
            scope.spawn(move || {
                let settings = Context::load(around, &Flags::default()).unwrap();
                let mut book = Book::create(&settings).unwrap();
                for n in 0..6 {
                    let id = format!("w{worker}n{n}");
                    let draft = match worker % 2 {
                        0 => opened(&single(&id, &id, Mode::Only, None)),
                        _ => note(&id),
                    };
                    book.append_free(&draft).unwrap();
                }
            });
        }
    });
    let book = Book::read(&settings).unwrap().unwrap();
    let forbidden = book.ledger().forbidden().unwrap();
    assert_eq!(forbidden.len(), 12);
    assert_eq!(Book::blocked(&settings), Ok(Some(forbidden)));
}

//! The desk over a fixture: grants, shared answers, receipts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration as Span;

use chrono::{DateTime, Utc};

use super::*;
use crate::world::fixture::{FileCase, Fixture};
use crate::world::{Answer, Failure};

struct NoLedger;

impl LedgerDesk for NoLedger {
    fn answer(&self, ask: &str) -> Answer {
        Answer::Text(format!("ledger says {ask}"))
    }
}

/// Counts how often the world behind it is asked.
struct Counting<W> {
    inner: W,
    asked: AtomicUsize,
}

impl<W: World> World for Counting<W> {
    fn ask(&self, request: &Request, until: Instant) -> Answer {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.inner.ask(request, until)
    }
}

/// Answers after a while, or late if the deadline comes first.
struct Slow(Span);

impl World for Slow {
    fn ask(&self, _: &Request, until: Instant) -> Answer {
        let left = until.saturating_duration_since(Instant::now());
        std::thread::sleep(self.0.min(left));
        if left < self.0 {
            return Answer::failed(Failure::Deadline, "late");
        }
        Answer::Text("slow".into())
    }
}

fn counting<W>(inner: W) -> Counting<W> {
    let asked = AtomicUsize::new(0);
    Counting { inner, asked }
}

fn fixture() -> Fixture {
    let mut fixture = Fixture::default();
    fixture.files.insert("/p/a".into(), FileCase::text("abc"));
    fixture
}

fn desk(world: &Arc<impl World + 'static>) -> Desk {
    let grants = Grants {
        roots: vec!["/p".into()],
        ..Grants::default()
    };
    let instant: DateTime<Utc> = "2026-11-30T10:00:00Z".parse().unwrap();
    let start = Start {
        moment: Moment::new(instant, chrono_tz::Europe::Berlin),
        instant: Instant::now(),
    };
    Desk::new(
        Arc::clone(world) as Arc<dyn World>,
        Arc::new(NoLedger),
        grants,
        start,
    )
}

fn read(path: &str) -> Request {
    let path = path.to_owned();
    Request::Read { path, limit: 99 }
}

fn asker(within: Span) -> Asker<'static> {
    Asker {
        function: "fs::read",
        script: "probes/x",
        line: 7,
        until: Instant::now() + within,
    }
}

const LONG: Span = Span::from_secs(5);

#[test]
fn every_question_leaves_a_receipt() {
    let world = Arc::new(counting(fixture()));
    let desk = desk(&world);
    let receipts = Mutex::default();
    for path in ["/p/a", "/p/none", "/etc/x", "/p/a"] {
        desk.ask(&read(path), &asker(LONG), &receipts);
    }
    let receipts = receipts.into_inner().unwrap();
    let seen: Vec<_> = receipts
        .iter()
        .map(|receipt| (receipt.asked.as_str(), receipt.outcome, receipt.shared))
        .collect();
    let expected = [
        ("/p/a", Outcome::Answered, false),
        ("/p/none", Outcome::Missing, false),
        ("/etc/x", Outcome::Refused, false),
        ("/p/a", Outcome::Answered, true),
    ];
    assert_eq!(seen, expected);
    let first = &receipts[0];
    assert_eq!((first.length, first.line), (3, 7));
    assert_eq!(first.digest, receipts[3].digest);
    assert!(first.digest.starts_with("ba7816bf"));
    assert!(
        first.begin.starts_with("2026-11-30T11:00:00."),
        "{}",
        first.begin
    );
    assert!(first.begin.ends_with("+01:00"), "{}", first.begin);
    assert_eq!(world.asked.load(Ordering::SeqCst), 2);
}

#[test]
fn the_ledger_is_asked_without_a_grant_and_not_the_world() {
    let world = Arc::new(counting(fixture()));
    let desk = desk(&world);
    let request = Request::Ledger { ask: "runs".into() };
    let answer = desk.ask(&request, &asker(LONG), &Mutex::default());
    assert_eq!(answer, Answer::Text("ledger says runs".into()));
    assert_eq!(world.asked.load(Ordering::SeqCst), 0);
}

#[test]
fn equal_questions_at_the_same_time_are_asked_once() {
    let world = Arc::new(counting(Slow(Span::from_millis(60))));
    let desk = desk(&world);
    let receipts = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let answer = desk.ask(&read("/p/a"), &asker(LONG), &receipts);
                assert_eq!(answer, Answer::Text("slow".into()));
            });
        }
    });
    assert_eq!(world.asked.load(Ordering::SeqCst), 1);
    let receipts = receipts.into_inner().unwrap();
    let own = receipts.iter().filter(|receipt| !receipt.shared).count();
    assert_eq!((receipts.len(), own), (8, 1));
}

#[test]
fn different_questions_do_not_wait_for_each_other() {
    let world = Arc::new(Slow(Span::from_millis(150)));
    let desk = desk(&world);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let desk = &desk;
            scope.spawn(move || {
                let path = format!("/p/{number}");
                desk.ask(&read(&path), &asker(LONG), &Mutex::default());
            });
        }
    });
    assert!(begin.elapsed() < Span::from_millis(600));
}

#[test]
fn too_late_is_not_shared_with_somebody_who_has_more_time() {
    let world = Arc::new(counting(Slow(Span::from_millis(80))));
    let desk = desk(&world);
    let receipts = Mutex::default();
    let short = asker(Span::from_millis(10));
    let late = |answer: &Answer| {
        matches!(
            answer,
            Answer::Failed {
                kind: Failure::Deadline,
                ..
            }
        )
    };
    assert!(late(&desk.ask(&read("/p/a"), &short, &receipts)));
    assert!(late(&desk.ask(&read("/p/a"), &short, &receipts)));
    assert_eq!(world.asked.load(Ordering::SeqCst), 1);
    let answer = desk.ask(&read("/p/a"), &asker(LONG), &receipts);
    assert_eq!(answer, Answer::Text("slow".into()));
    assert_eq!(world.asked.load(Ordering::SeqCst), 2);
}

#[test]
fn nobody_waits_for_another_past_the_own_deadline() {
    let world = Arc::new(Slow(Span::from_millis(400)));
    let desk = desk(&world);
    std::thread::scope(|scope| {
        scope.spawn(|| desk.ask(&read("/p/a"), &asker(LONG), &Mutex::default()));
        std::thread::sleep(Span::from_millis(30));
        let begin = Instant::now();
        let answer = desk.ask(
            &read("/p/a"),
            &asker(Span::from_millis(30)),
            &Mutex::default(),
        );
        assert!(matches!(
            answer,
            Answer::Failed {
                kind: Failure::Deadline,
                ..
            }
        ));
        assert!(begin.elapsed() < Span::from_millis(250));
    });
}

/// Panics once, then answers.
struct Shaky(AtomicUsize);

impl World for Shaky {
    fn ask(&self, _: &Request, _: Instant) -> Answer {
        assert!(
            self.0.fetch_add(1, Ordering::SeqCst) > 0,
            "the first time it breaks off"
        );
        Answer::Text("second".into())
    }
}

#[test]
fn an_asker_that_breaks_off_does_not_block_the_next() {
    let world = Arc::new(Shaky(AtomicUsize::new(0)));
    let desk = desk(&world);
    let first = std::thread::scope(|scope| {
        scope
            .spawn(|| desk.ask(&read("/p/a"), &asker(LONG), &Mutex::default()))
            .join()
    });
    assert!(first.is_err());
    let second = desk.ask(&read("/p/a"), &asker(LONG), &Mutex::default());
    assert_eq!(second, Answer::Text("second".into()));
}

//! The main job: look, judge, store, and only then say it.
//!
//! INVARIANT (L8): a stop is said after the commit. If the ledger cannot be opened or written,
//! `ledger` joins the unavailable: open work still gives `continue` (unrecorded), everything
//! else is blind.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::ask::Asking;
use crate::ledger::event::{Draft, Event};
use crate::ledger::fault::LedgerFault;
use crate::ledger::state::State;
use crate::ledger::{Appended, Head};
use crate::model::text::short;
use crate::tick::Frame;
use crate::tick::outcome::Outcome;

use super::book::{Book, actor, draft};
use super::context::Context;
use super::stage::{Stage, Viewed, frame};

/// How long a tick looks anew because other writers change what it judges.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many events of other writers a tick looks through before it rather looks anew.
const BETWEEN: u64 = 1000;

/// What the command line asks of a tick.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Look and judge, write nothing.
    pub dry_run: bool,
    /// Do not ask the guard.
    pub no_guard: bool,
    /// What the model thought in its own step of the chain; stored, never judged.
    pub analysis: Option<String>,
}

/// A tick that ended.
#[derive(Debug)]
pub struct Ticked {
    /// What it came to.
    pub outcome: Outcome,
    /// Whether it is in the ledger.
    pub recorded: bool,
    /// Id of the tick's event; empty if it is not recorded.
    pub tick: String,
    /// The model's own analysis, as given.
    pub analysis: Option<String>,
    /// Things a person should know, such as a clock that went back.
    pub warnings: Vec<String>,
}

/// Runs the main job.
pub fn run(settings: &Context<'_>, options: &Options) -> Ticked {
    let stage = Stage::new(settings);
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if let Some(ticked) = attempt(settings, options, &stage) {
            return ticked;
        }
    }
    let mut judging = Judging::new(
        settings,
        options,
        &stage,
        Err("the ledger is too busy".into()),
    );
    ended(judging.outcome(), options, None)
}

/// One try; nothing if another writer changed what was judged.
fn attempt(settings: &Context<'_>, options: &Options, stage: &Stage) -> Option<Ticked> {
    let unstored = |viewed: Viewed| {
        let mut judging = Judging::new(settings, options, stage, viewed);
        Some(ended(judging.outcome(), options, None))
    };
    if options.dry_run {
        return unstored(looked_at(settings));
    }
    let opened =
        Book::create(settings).and_then(|book| book.view().map(|view| (book, Arc::new(view))));
    let (mut book, view) = match opened {
        Ok(opened) => opened,
        Err(fault) => return unstored(Err(fault.to_string())),
    };
    let mut judging = Judging::new(settings, options, stage, Ok(view.clone()));
    let mut outcome = judging.outcome();
    let body = with_analysis(&mut outcome, options);
    let draft = draft(settings, actor(settings), "tick.judged", body);
    match store(&mut book, view.head.clone(), &draft, &outcome) {
        Ok(true) => {
            let warning = super::mirror::write(settings, stage, &draft.body);
            let mut ticked = ended(outcome, options, Some(draft.id));
            ticked
                .warnings
                .extend(clock_went_back(settings, &view.state));
            ticked.warnings.extend(warning);
            Some(ticked)
        }
        Ok(false) => None,
        Err(fault) => {
            judging.frame.write_fault = Some(fault.to_string());
            Some(ended(judging.outcome(), options, None))
        }
    }
}

/// The ledger's view without a trace: an empty one on a first run.
fn looked_at(settings: &Context<'_>) -> Viewed {
    match Book::read(settings) {
        Ok(None) => Ok(Arc::new(empty_view())),
        Ok(Some(book)) => book.view().map(Arc::new).map_err(|fault| fault.to_string()),
        Err(fault) => Err(fault.to_string()),
    }
}

/// The body of the event, with what the model thought in its own step.
fn with_analysis(outcome: &mut Outcome, options: &Options) -> serde_json::Value {
    let mut body = std::mem::take(&mut outcome.body);
    if let (serde_json::Value::Object(fields), Some(analysis)) = (&mut body, &options.analysis) {
        fields.insert("analysis".to_string(), short(analysis, 4000).into());
    }
    body
}

/// Stores a tick; false if another writer changed what was judged, and the look starts anew.
fn store(
    book: &mut Book,
    mut expected: Head,
    draft: &Draft,
    outcome: &Outcome,
) -> Result<bool, LedgerFault> {
    loop {
        match book.append(&expected, draft)? {
            Appended::Done(_) | Appended::Duplicate(_) => return Ok(true),
            Appended::Conflict(head) => {
                let between = book.ledger().history(expected.seq, BETWEEN)?;
                let whole = reaches(&expected, between.len(), &head);
                if !whole || between.iter().any(|event| touches(event, outcome)) {
                    return Ok(false);
                }
                expected = head;
            }
        }
    }
}

/// Whether so many events after `from` lead up to `to`. What was not looked through may have
/// changed anything.
fn reaches(from: &Head, events: usize, to: &Head) -> bool {
    let events = u64::try_from(events).unwrap_or(u64::MAX);
    from.seq.saturating_add(events) >= to.seq
}

/// Whether an event changes what this tick judged. Another tick does not: both saw the same.
fn touches(event: &Event, outcome: &Outcome) -> bool {
    match event.draft.kind.as_str() {
        "tick.judged" => false,
        "note.added" => {
            let mut looks = outcome.calls.iter().flat_map(|call| &call.receipts);
            looks.any(|receipt| receipt.function == "ledger::notes")
        }
        "news.settled" => {
            let items = event
                .draft
                .body
                .get("items")
                .and_then(|items| items.as_array());
            let keys: Vec<&str> = items
                .into_iter()
                .flatten()
                .filter_map(|i| i.get("key")?.as_str())
                .collect();
            let seen = outcome
                .items
                .iter()
                .chain(&outcome.bundle)
                .chain(&outcome.rest);
            let settled = outcome.settled.iter().map(|rested| rested.key.as_str());
            seen.map(|item| item.key.as_str())
                .chain(settled)
                .any(|key| keys.contains(&key))
        }
        _ => true,
    }
}

/// A judgement that can be made again over the same looks.
struct Judging {
    asking: Asking,
    frame: Frame,
}

impl Judging {
    fn new(settings: &Context<'_>, options: &Options, stage: &Stage, viewed: Viewed) -> Self {
        Judging {
            asking: stage.asking(settings, &viewed),
            frame: frame(settings, viewed, !options.no_guard),
        }
    }

    fn outcome(&mut self) -> Outcome {
        crate::tick::run(&self.asking, &self.frame)
    }
}

/// An event may bear an earlier time than the one before it; a person should know.
fn clock_went_back(settings: &Context<'_>, state: &State) -> Option<String> {
    let last = state.last.as_ref()?;
    let at = chrono::DateTime::parse_from_rfc3339(&last.at).ok()?;
    let earlier = settings.now.instant() < at.to_utc();
    earlier.then(|| {
        format!(
            "the clock is behind the newest tick, which is of {}",
            last.at
        )
    })
}

fn empty_view() -> crate::ledger::View {
    crate::ledger::View {
        head: crate::ledger::Head::genesis(),
        state: crate::ledger::state::State::default(),
    }
}

fn ended(outcome: Outcome, options: &Options, tick: Option<String>) -> Ticked {
    Ticked {
        outcome,
        recorded: tick.is_some(),
        tick: tick.unwrap_or_default(),
        analysis: options.analysis.clone(),
        warnings: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_were_not_looked_through_make_it_look_anew() {
        let head = |seq| Head {
            seq,
            hash: String::new(),
        };
        assert!(reaches(&head(5), 5, &head(10)));
        // Another writer went on after the answer.
        assert!(reaches(&head(5), 7, &head(10)));
        assert!(!reaches(&head(5), 4, &head(10)));
        assert!(!reaches(&head(5), 1000, &head(1006)));
    }
}

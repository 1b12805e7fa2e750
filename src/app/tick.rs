//! The main job: look, judge, store, and only then say it.
//!
//! INVARIANT (L8): a stop is said after the commit. If the ledger cannot be opened or written,
//! `ledger` joins the unavailable: open work still gives `continue` (unrecorded), everything
//! else is blind.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::ask::Asking;
use crate::ledger::event::Event;
use crate::ledger::fault::LedgerFault;
use crate::ledger::state::State;
use crate::model::text::short;
use crate::tick::Frame;
use crate::tick::gates::View;
use crate::tick::outcome::Outcome;

use super::book::{Book, actor, draft};
use super::context::Context;
use super::gates::{self, new_run};
use super::stage::{Stage, frame};

/// The ledger of one moment, as a tick needs it.
type Seen = (Arc<crate::ledger::View>, View);

/// That, or why there is none.
type Viewed = Result<Seen, String>;

/// How long a tick looks anew because other writers change what it judges.
const PATIENCE: Duration = Duration::from_secs(30);

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
    let opened = Book::create(settings).and_then(|book| Ok((seen(settings, &book)?, book)));
    let (seen, mut book) = match opened {
        Ok(opened) => opened,
        Err(fault) => return unstored(Err(fault.to_string())),
    };
    let (view, mut gates) = seen?;
    gates.run = Some(new_run(settings));
    let mut judging = Judging::new(settings, options, stage, Ok((view.clone(), gates)));
    let mut outcome = judging.outcome();
    let body = with_analysis(&mut outcome, options);
    let draft = draft(settings, actor(settings), "tick.judged", body);
    let mut drafts = vec![draft.clone()];
    drafts.extend(gates::drafts(settings, &outcome.gates.changes));
    match book.append_unless(view.head.clone(), &drafts, &|event| {
        touches(event, &outcome)
    }) {
        Ok(true) => {
            let mirrored = super::mirror::write(settings, stage, &draft.body);
            let behind = clock_went_back(settings, &view.state);
            let mut ticked = ended(outcome, options, Some(draft.id));
            ticked.warnings.extend(behind.into_iter().chain(mirrored));
            Some(ticked)
        }
        Ok(false) => None,
        Err(fault) => {
            judging.frame.write_fault = Some(fault.to_string());
            // What cannot be stored is not said to be met.
            judging.frame.gates.run = None;
            Some(ended(judging.outcome(), options, None))
        }
    }
}

/// The ledger's view and its gates of one moment; nothing if another writer came between.
fn seen(settings: &Context<'_>, book: &Book) -> Result<Option<Seen>, LedgerFault> {
    let view = book.view()?;
    let gates = gates::view(settings, book)?;
    let same = gates.filter(|(head, _)| *head == view.head);
    Ok(same.map(|(_, gates)| (Arc::new(view), gates)))
}

/// The same without a trace: an empty one on a first run. Nothing is proven.
fn looked_at(settings: &Context<'_>) -> Viewed {
    let until = Instant::now() + PATIENCE;
    let read = || match Book::read(settings)? {
        None => Ok(Some((Arc::default(), View::default()))),
        Some(book) => seen(settings, &book),
    };
    while Instant::now() < until {
        match read() {
            Ok(Some(seen)) => return Ok(seen),
            Ok(None) => {}
            Err(fault) => {
                let fault: LedgerFault = fault;
                return Err(fault.to_string());
            }
        }
    }
    Err("the ledger is too busy".to_string())
}

/// The body of the event, with what the model thought in its own step.
fn with_analysis(outcome: &mut Outcome, options: &Options) -> serde_json::Value {
    let mut body = std::mem::take(&mut outcome.body);
    if let (serde_json::Value::Object(fields), Some(analysis)) = (&mut body, &options.analysis) {
        fields.insert("analysis".to_string(), short(analysis, 4000).into());
    }
    body
}

/// Whether an event changes what this tick judged. Another tick does not: both saw the same.
fn touches(event: &Event, outcome: &Outcome) -> bool {
    match event.draft.kind.as_str() {
        "tick.judged" | "gate.answered" | "act.began" | "act.ran" => false,
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
        let (viewed, gates) = match viewed {
            Ok((view, gates)) => (Ok(view), gates),
            Err(why) => (Err(why), View::default()),
        };
        Judging {
            asking: stage.asking(settings, &viewed),
            frame: frame(settings, (viewed, gates), !options.no_guard),
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

fn ended(outcome: Outcome, options: &Options, tick: Option<String>) -> Ticked {
    Ticked {
        outcome,
        recorded: tick.is_some(),
        tick: tick.unwrap_or_default(),
        analysis: options.analysis.clone(),
        warnings: Vec::new(),
    }
}

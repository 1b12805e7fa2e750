//! `gate check`: proves gates and meets what is proven.

use std::time::Instant;

use super::{PATIENCE, asking, busy, named, prove, read, store};
use crate::app::book::{Book, fault};
use crate::app::context::Context;
use crate::app::stage::Stage;
use crate::diag::Fault;
use crate::gate::check::{Checked, Purpose};
use crate::gate::judge::Answer;
use crate::ledger::gates::GateQuery;
use crate::model::gate::GateStatus;

/// What a check came to.
#[derive(Debug)]
pub struct Report {
    /// The sets that were looked at.
    pub checked: Vec<Checked>,
    /// The strictest answer over all open sets, those that were not due included.
    pub answer: Answer,
    /// The next instant at which time alone changes something, in seconds since the epoch.
    pub next: Option<i64>,
}

/// Checks the named gates, or all that can have changed.
///
/// # Errors
/// A ledger that cannot be read or written, an id that is not known.
pub fn run(settings: &Context<'_>, ids: &[String]) -> Result<Report, Fault> {
    run_until(settings, ids, None)
}

/// The same; no proof goes on beyond the deadline.
///
/// # Errors
/// As above.
pub fn run_until(
    settings: &Context<'_>,
    ids: &[String],
    deadline: Option<Instant>,
) -> Result<Report, Fault> {
    let stage = Stage::new(settings);
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(report) = attempt(settings, &stage, (ids, deadline))? {
            return Ok(report);
        }
        if Instant::now() >= until {
            return Err(busy());
        }
    }
}

/// One try; nothing if another writer changed what was judged.
fn attempt(
    settings: &Context<'_>,
    stage: &Stage,
    (ids, deadline): (&[String], Option<Instant>),
) -> Result<Option<Report>, Fault> {
    let now = settings.now.instant().timestamp();
    let query = match ids.is_empty() {
        true => GateQuery::Due(now),
        false => GateQuery::Ids(&[]),
    };
    let Some((book, mut gates)) = read(settings, &query).map_err(|f| fault(&f))? else {
        return match ids.first() {
            Some(id) => Err(super::unknown(id)),
            None => Ok(Some(nothing())),
        };
    };
    if !ids.is_empty() {
        gates = named(&book, ids)?;
    }
    let checked = match gates.sets.is_empty() {
        true => Vec::new(),
        false => {
            let mut asking = asking(settings, stage, &book);
            asking.until = deadline.map_or(asking.until, |deadline| asking.until.min(deadline));
            prove(settings, &asking, gates.sets, Purpose::Look)
        }
    };
    if !store(settings, &gates.head, &checked).map_err(|f| fault(&f))? {
        return Ok(None);
    }
    report(&book, checked, ids.is_empty().then_some(now)).map(Some)
}

fn nothing() -> Report {
    Report {
        checked: Vec::new(),
        answer: Answer::Yes,
        next: None,
    }
}

/// `all_at`: the instant, if the answer is over all open sets.
fn report(book: &Book, checked: Vec<Checked>, all_at: Option<i64>) -> Result<Report, Fault> {
    let answers = checked.iter().map(|one| one.answer);
    let mut answer = answers.max().unwrap_or(Answer::Yes);
    let is_dropped = |one: &Checked| one.set.status() == GateStatus::Dropped;
    if all_at.is_none() && checked.iter().any(is_dropped) {
        // Dropped is not met: whoever waited for the proof does not get it.
        answer = answer.max(Answer::Unasked);
    }
    let Some(now) = all_at else {
        let open = checked.iter().flat_map(|one| one.set.open());
        let next = open.filter_map(|gate| gate.due).min();
        return Ok(Report {
            checked,
            answer,
            next,
        });
    };
    let next = book.ledger().next_wake(now).map_err(|f| fault(&f))?;
    if next.is_some() {
        answer = answer.max(Answer::Wait);
    }
    let forbidden = book.ledger().forbidden().map_err(|f| fault(&f))?;
    if !forbidden.is_empty() {
        answer = Answer::Forbidden;
    }
    Ok(Report {
        checked,
        answer,
        next,
    })
}

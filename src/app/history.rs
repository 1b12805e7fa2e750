//! The history, and whether it is whole.

use crate::diag::{Code, Fault};
use crate::ledger::Ledger as _;
use crate::ledger::event::Event;
use crate::ledger::verify::{Finding, verify};

use super::book::{Book, fault};
use super::context::Context;

/// How many events are read at once.
const PAGE: u64 = 1000;

/// All events, oldest first.
pub fn all(settings: &Context<'_>) -> Result<Vec<Event>, Fault> {
    let Some(book) = Book::read(settings).map_err(|f| fault(&f))? else {
        return Ok(Vec::new());
    };
    let mut events: Vec<Event> = Vec::new();
    loop {
        let from = events.last().map_or(0, |event| event.seq);
        let page = book.ledger().history(from, PAGE).map_err(|f| fault(&f))?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(page);
    }
}

/// The newest tick events, newest first, at most `limit`.
pub fn newest_ticks(settings: &Context<'_>, limit: usize) -> Result<Vec<Event>, Fault> {
    let Some(book) = Book::read(settings).map_err(|f| fault(&f))? else {
        return Ok(Vec::new());
    };
    let head = book.ledger().head().map_err(|f| fault(&f))?.seq;
    let mut ticks: Vec<Event> = Vec::new();
    let mut upper = head;
    while upper > 0 && ticks.len() < limit {
        let lower = upper.saturating_sub(100);
        let page = book
            .ledger()
            .history(lower, upper - lower)
            .map_err(|f| fault(&f))?;
        ticks.extend(
            page.into_iter()
                .rev()
                .filter(|event| event.draft.kind == "tick.judged"),
        );
        upper = lower;
    }
    ticks.truncate(limit);
    Ok(ticks)
}

/// One tick by the beginning of its id, or the newest.
pub fn tick(settings: &Context<'_>, id: Option<&str>) -> Result<Event, Fault> {
    let help = "`belegt log` lists what is stored; `belegt tick` makes one";
    let Some(id) = id else {
        let newest = newest_ticks(settings, 1)?.into_iter().next();
        return newest
            .ok_or_else(|| Fault::new(Code::Unknown, "there is no tick yet").with_help(help));
    };
    let mut found = all(settings)?
        .into_iter()
        .filter(|event| event.draft.kind == "tick.judged" && event.draft.id.starts_with(id));
    match (found.next(), found.next()) {
        (Some(event), None) => Ok(event),
        (Some(_), Some(_)) => Err(Fault::new(
            Code::Unknown,
            format!("more than one tick begins with `{id}`"),
        )
        .with_help("give more of the id")),
        (None, _) => {
            Err(Fault::new(Code::Unknown, format!("there is no tick `{id}`")).with_help(help))
        }
    }
}

/// The findings of a check over the whole chain, its projection and its anchor. A ledger that
/// is lost, damaged or behind its anchor is a finding; the rest is looked at all the same.
pub fn check(settings: &Context<'_>) -> Result<(u64, Vec<Finding>), Fault> {
    let (ledger, trouble) = Book::examine(settings).map_err(|f| fault(&f))?;
    let mut findings: Vec<Finding> = trouble.iter().map(Finding::of).collect();
    let Some(ledger) = ledger else {
        return Ok((0, findings));
    };
    let head = match ledger.head() {
        Ok(head) => head.seq,
        Err(problem) => {
            findings.push(Finding::of(&problem));
            0
        }
    };
    findings.extend(verify(&ledger).map_err(|f| fault(&f))?);
    Ok((head, findings))
}

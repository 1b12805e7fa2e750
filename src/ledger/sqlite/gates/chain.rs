//! The chain of wakes: every open set in the order in which it wakes, each naming the next.
//!
//! INVARIANT: each link bears its mark, and the first stands in the summary. So whoever follows
//! it to some instant knows that no open set that wakes before was hidden, and has read no
//! other.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::mark::Mark;
use super::shelf::Shelf;
use super::{Summary, damaged};
use crate::ledger::fault::LedgerFault;

/// A place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    /// When the set wakes.
    pub wake: i64,
    /// Number of the event that opened it.
    pub opened: i64,
}

/// A link of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    at: At,
    next: Option<At>,
}

/// The columns in the order in which [`read`] wants them.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT wake, opened, next_wake, next_opened, mark FROM gate_wake ",
            $rest
        )
    };
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Link, Mark)> {
    let at = At {
        wake: row.get(0)?,
        opened: row.get(1)?,
    };
    let next = match (row.get(2)?, row.get(3)?) {
        (Some(wake), Some(opened)) => Some(At { wake, opened }),
        _ => None,
    };
    Ok((Link { at, next }, row.get(4)?))
}

impl Link {
    fn mark(&self) -> Mark {
        let bytes = |at: At| [at.wake.to_be_bytes(), at.opened.to_be_bytes()].concat();
        let next = self.next.map(bytes).unwrap_or_default();
        Mark::of("gate_wake", &[&bytes(self.at), &next])
    }

    fn sound((link, mark): (Link, Mark), shelf: &Shelf<'_>) -> Result<Link, LedgerFault> {
        match link.mark() == mark {
            true => Ok(link),
            false => Err(broken(shelf, link.at)),
        }
    }

    fn put(&self, shelf: &Shelf<'_>) -> Result<(), LedgerFault> {
        let sql = "INSERT INTO gate_wake (wake, opened, next_wake, next_opened, mark)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (wake, opened) DO UPDATE SET next_wake = excluded.next_wake,
            next_opened = excluded.next_opened, mark = excluded.mark";
        let (at, next) = (self.at, self.next);
        let (wake, opened) = (next.map(|n| n.wake), next.map(|n| n.opened));
        shelf.change(sql, params![at.wake, at.opened, wake, opened, self.mark()])
    }
}

fn broken(shelf: &Shelf<'_>, at: At) -> LedgerFault {
    let what = format!(
        "the chain of wakes is broken at the set of event {}",
        at.opened
    );
    damaged(shelf, &what)
}

/// The last link before that place, and where the chain goes on behind it.
fn before(
    shelf: &Shelf<'_>,
    summary: &Summary,
    at: At,
) -> Result<(Option<Link>, Option<At>), LedgerFault> {
    let sql = select!("WHERE (wake, opened) < (?1, ?2) ORDER BY wake DESC, opened DESC LIMIT 1");
    let link = shelf.one(sql, [at.wake, at.opened], read)?;
    let link = link.map(|found| Link::sound(found, shelf)).transpose()?;
    let next = link.map_or(summary.first, |link| link.next);
    match next {
        Some(next) if next < at => Err(broken(shelf, next)),
        next => Ok((link, next)),
    }
}

/// Lets the chain go on at `next` behind this link, or begin there.
fn lead(
    shelf: &Shelf<'_>,
    summary: &mut Summary,
    (link, next): (Option<Link>, Option<At>),
) -> Result<(), LedgerFault> {
    match link {
        Some(link) => Link { next, ..link }.put(shelf),
        None => {
            summary.first = next;
            Ok(())
        }
    }
}

/// Adds an open set.
pub fn insert(shelf: &Shelf<'_>, summary: &mut Summary, at: At) -> Result<(), LedgerFault> {
    let (link, next) = before(shelf, summary, at)?;
    if next == Some(at) {
        return Err(broken(shelf, at));
    }
    Link { at, next }.put(shelf)?;
    summary.open = summary.open.saturating_add(1);
    lead(shelf, summary, (link, Some(at)))
}

/// Takes a set out that is no longer open, or wakes at another time.
pub fn remove(shelf: &Shelf<'_>, summary: &mut Summary, at: At) -> Result<(), LedgerFault> {
    let (link, next) = before(shelf, summary, at)?;
    let own = shelf.one(
        select!("WHERE wake = ?1 AND opened = ?2"),
        [at.wake, at.opened],
        read,
    )?;
    let (Some(own), true) = (own, next == Some(at)) else {
        return Err(broken(shelf, at));
    };
    let own = Link::sound(own, shelf)?;
    let sql = "DELETE FROM gate_wake WHERE wake = ?1 AND opened = ?2";
    shelf.change(sql, [at.wake, at.opened])?;
    summary.open = summary.open.saturating_sub(1);
    lead(shelf, summary, (link, own.next))
}

/// Every place up to that instant, in order, with none left out.
pub fn until(shelf: &Shelf<'_>, summary: &Summary, now: i64) -> Result<Vec<At>, LedgerFault> {
    let mut places = Vec::new();
    let mut next = summary.first;
    let sql = select!("WHERE wake <= ?1 ORDER BY wake, opened");
    shelf.each(sql, [now], read, &mut |found| {
        let link = Link::sound(found, shelf)?;
        if next != Some(link.at) || link.next.is_some_and(|next| next <= link.at) {
            return Err(broken(shelf, link.at));
        }
        next = link.next;
        places.push(link.at);
        Ok(())
    })?;
    match next {
        Some(next) if next.wake <= now => Err(broken(shelf, next)),
        _ => Ok(places),
    }
}

/// The first wake after that instant.
pub fn after(shelf: &Shelf<'_>, summary: &Summary, now: i64) -> Result<Option<i64>, LedgerFault> {
    // No event has that number, so that this place is behind every set of that instant.
    let end = At {
        wake: now,
        opened: i64::MAX,
    };
    let (_, next) = before(shelf, summary, end)?;
    Ok(next.map(|at| at.wake))
}

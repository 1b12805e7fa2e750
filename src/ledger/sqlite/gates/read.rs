//! Answers about the gates, each proven to lack nothing.
//!
//! INVARIANT: what could hide an open set from an answer is a fault.

use std::collections::BTreeSet;

use super::bucket::{self, Buckets, Sum};
use super::row::{self, Row, select};
use super::shelf::Shelf;
use super::{Summary, chain, damaged, steps};
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::{GateQuery, Kept, in_order};
use crate::model::gate::GateSet;

/// The sets that are asked for, in order.
pub fn answer(
    shelf: &Shelf<'_>,
    summary: &Summary,
    query: &GateQuery<'_>,
) -> Result<Vec<GateSet>, LedgerFault> {
    let kept = match query {
        GateQuery::Step(key) => of_step(shelf, summary, key)?,
        GateQuery::Due(now) => due(shelf, summary, *now)?,
        GateQuery::Open => open(shelf, summary)?,
        GateQuery::All => all(shelf, summary)?,
        GateQuery::Ids(ids) => of_ids(shelf, summary, ids)?,
    };
    Ok(in_order(kept))
}

/// The first wake after that instant.
pub fn next_wake(
    shelf: &Shelf<'_>,
    summary: &Summary,
    after: i64,
) -> Result<Option<i64>, LedgerFault> {
    chain::after(shelf, summary, after)
}

/// Steps of open sets.
pub fn open_steps(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<String>, LedgerFault> {
    steps::open(shelf, summary)
}

/// Keys of forbidden steps.
pub fn forbidden(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<String>, LedgerFault> {
    steps::forbidden(shelf, summary)
}

/// Reads the whole bucket of the step.
fn of_step(shelf: &Shelf<'_>, summary: &Summary, key: &str) -> Result<Vec<Kept>, LedgerFault> {
    let buckets = Buckets::stored(shelf, summary)?;
    let Some(bucket) = bucket::of(key) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    let mut sum = Sum::default();
    // Behind every key that begins with these two digits: `g` follows `f`.
    let (from, to) = (format!("{bucket:02x}"), format!("{bucket:02x}g"));
    let sql = select!("WHERE key >= ?1 AND key < ?2");
    shelf.each(sql, [from, to], row::read, &mut |row: Row| {
        let row = row.sound(shelf)?;
        sum.add(&row);
        if row.key == key {
            found.push(row.kept(shelf)?);
        }
        Ok(())
    })?;
    match sum == buckets.sum(bucket) {
        true => Ok(found),
        false => Err(not_whole(shelf, bucket)),
    }
}

fn not_whole(shelf: &Shelf<'_>, bucket: u8) -> LedgerFault {
    let what = format!("a set of bucket {bucket:02x} is missing, or one too many is there");
    damaged(shelf, &what)
}

/// Follows the chain of wakes up to that instant.
fn due(shelf: &Shelf<'_>, summary: &Summary, now: i64) -> Result<Vec<Kept>, LedgerFault> {
    let places = chain::until(shelf, summary, now)?;
    let mut found = Vec::with_capacity(places.len());
    for at in places {
        match row::by_event(shelf, at.opened)? {
            Some(row) if row.at() == Some(at) => found.push(row.kept(shelf)?),
            _ => {
                let what = format!("the open set of event {} is missing", at.opened);
                return Err(damaged(shelf, &what));
            }
        }
    }
    Ok(found)
}

fn open(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<Kept>, LedgerFault> {
    let found = due(shelf, summary, i64::MAX)?;
    match found.len() as u64 == summary.open {
        true => Ok(found),
        false => Err(damaged(shelf, "the open sets do not add up")),
    }
}

fn all(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<Kept>, LedgerFault> {
    let mut found = Vec::new();
    each(shelf, summary, &mut |row| {
        found.push(row.kept(shelf)?);
        Ok(())
    })?;
    Ok(found)
}

/// Shows every row to `see`, and proves that these are all.
fn each(
    shelf: &Shelf<'_>,
    summary: &Summary,
    see: &mut dyn FnMut(&Row) -> Result<(), LedgerFault>,
) -> Result<(), LedgerFault> {
    let stored = Buckets::stored(shelf, summary)?;
    let mut found = Buckets::default();
    shelf.each(
        select!("ORDER BY opened"),
        [],
        row::read,
        &mut |row: Row| {
            let row = row.sound(shelf)?;
            found.add(&row);
            see(&row)
        },
    )?;
    match stored.differs(&found) {
        None => Ok(()),
        Some(bucket) => Err(not_whole(shelf, bucket)),
    }
}

/// Only where an id is not there all rows are read: it may be one that was changed.
fn of_ids(shelf: &Shelf<'_>, summary: &Summary, ids: &[String]) -> Result<Vec<Kept>, LedgerFault> {
    let ids: BTreeSet<&String> = ids.iter().collect();
    let mut found = Vec::with_capacity(ids.len());
    for id in &ids {
        if let Some(row) = row::by_id(shelf, id)? {
            found.push(row.kept(shelf)?);
        }
    }
    if found.len() < ids.len() {
        each(shelf, summary, &mut |row| match ids.contains(&row.id) {
            true if !found.iter().any(|kept| kept.set.id == row.id) => {
                Err(damaged(shelf, &format!("set `{}` is not found", row.id)))
            }
            _ => Ok(()),
        })?;
    }
    Ok(found)
}

/// Proves every table against the others; answers what is wrong as sentences.
///
/// # Errors
/// What keeps them from being read.
pub fn unsound(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<String>, LedgerFault> {
    let mut wrong = Vec::new();
    for check in [prove_open, prove_steps] {
        match check(shelf, summary) {
            Ok(()) => {}
            Err(LedgerFault::Corrupt { detail, .. }) => wrong.push(detail),
            Err(other) => return Err(other),
        }
    }
    Ok(wrong)
}

/// Every open row is in the chain of wakes.
fn prove_open(shelf: &Shelf<'_>, summary: &Summary) -> Result<(), LedgerFault> {
    let mut open = 0;
    each(shelf, summary, &mut |row| {
        open += u64::from(row.kept(shelf).map(|_| row.at().is_some())?);
        Ok(())
    })?;
    match open == summary.open {
        true => Ok(()),
        false => Err(damaged(shelf, "the open sets do not add up")),
    }
}

/// The chain leads to every open set, and their steps are the blocked ones.
fn prove_steps(shelf: &Shelf<'_>, summary: &Summary) -> Result<(), LedgerFault> {
    steps::prove(shelf, summary, &open(shelf, summary)?)?;
    forbidden(shelf, summary).map(|_| ())
}

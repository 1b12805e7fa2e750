//! The steps that open sets block, each once, with how many sets block and forbid it.
//!
//! INVARIANT: a step has a row exactly while an open set blocks it. Each row bears its mark, and
//! the sums of the marks stand in the summary: of all rows, and of those that are forbidden.

use std::collections::BTreeMap;

use rusqlite::params;

use super::mark::Mark;
use super::row::Row;
use super::shelf::Shelf;
use super::{Summary, damaged};
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::{Kept, MOST_FORBIDDEN};
use crate::model::gate::{Mode, step};

/// A step that is blocked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Step {
    key: String,
    normal: String,
    open: i64,
    only: i64,
}

impl Step {
    fn mark(&self) -> Mark {
        let columns: [&[u8]; 4] = [
            self.key.as_bytes(),
            self.normal.as_bytes(),
            &self.open.to_be_bytes(),
            &self.only.to_be_bytes(),
        ];
        Mark::of("gate_step", &columns)
    }

    fn sound((step, mark): (Step, Mark), shelf: &Shelf<'_>) -> Result<Step, LedgerFault> {
        match step.mark() == mark {
            true => Ok(step),
            false => Err(damaged(shelf, "the row of a blocked step was changed")),
        }
    }

    fn put(&self, shelf: &Shelf<'_>) -> Result<(), LedgerFault> {
        let Step {
            key,
            normal,
            open,
            only,
        } = self;
        if *open <= 0 {
            return shelf.change("DELETE FROM gate_step WHERE key = ?1", [key]);
        }
        let sql = "INSERT INTO gate_step (key, normal, open, only, mark)
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (key) DO UPDATE
            SET open = excluded.open, only = excluded.only, mark = excluded.mark";
        shelf.change(sql, params![key, normal, open, only, self.mark()])
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Step, Mark)> {
    let step = Step {
        key: row.get(0)?,
        normal: row.get(1)?,
        open: row.get(2)?,
        only: row.get(3)?,
    };
    Ok((step, row.get(4)?))
}

/// How many steps, and the sum of their marks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum(u64, Mark);

impl Sum {
    fn add(&mut self, step: &Step) {
        self.0 += 1;
        self.1.turn(step.mark());
    }
}

/// Changes of what is blocked, by the key of the step.
#[derive(Debug, Default)]
pub struct Blocked(BTreeMap<String, Step>);

impl Blocked {
    /// Notes what became of a set that was open before, or not (0), or not there.
    pub fn turn(&mut self, before: Option<i64>, after: &Row, kept: &Kept) {
        let change = after.open - before.unwrap_or_default();
        if change != 0 {
            self.add(kept, change);
        }
    }

    fn add(&mut self, kept: &Kept, change: i64) {
        let key = &kept.set.key;
        let step = self.0.entry(key.clone()).or_insert_with(|| Step {
            key: key.clone(),
            normal: step::normal(&kept.set.blocks),
            ..Step::default()
        });
        step.open += change;
        if kept.set.mode == Mode::Only {
            step.only += change;
        }
    }

    /// Adds these changes to the stored rows and to the summary.
    pub fn put(self, shelf: &Shelf<'_>, summary: &mut Summary) -> Result<(), LedgerFault> {
        for (key, change) in self.0 {
            let sql = "SELECT key, normal, open, only, mark FROM gate_step WHERE key = ?1";
            let there = shelf.one(sql, [&key], read)?;
            let there = there.map(|found| Step::sound(found, shelf)).transpose()?;
            let before = there.clone().unwrap_or_default();
            let after = Step {
                open: before.open.saturating_add(change.open),
                only: before.only.saturating_add(change.only),
                ..change
            };
            if after == before {
                continue;
            }
            if after.open < after.only || after.only < 0 {
                return Err(damaged(shelf, "a blocked step is missing"));
            }
            count(summary, &before, false);
            count(summary, &after, true);
            if there.is_some() || after.open > 0 {
                after.put(shelf)?;
            }
        }
        Ok(())
    }
}

/// Adds a row to the summary, or takes it out.
fn count(summary: &mut Summary, step: &Step, add: bool) {
    let counted = |n: u64| match add {
        true => n.saturating_add(1),
        false => n.saturating_sub(1),
    };
    if step.open > 0 {
        summary.steps = counted(summary.steps);
        summary.steps_mark.turn(step.mark());
    }
    if step.only > 0 {
        summary.only = counted(summary.only);
        summary.only_mark.turn(step.mark());
    }
}

/// Steps of open sets in their normal spelling, sorted.
pub fn open(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<String>, LedgerFault> {
    let mut steps = Vec::new();
    let mut sum = Sum::default();
    let sql = "SELECT key, normal, open, only, mark FROM gate_step";
    shelf.each(sql, [], read, &mut |found| {
        let step = Step::sound(found, shelf)?;
        sum.add(&step);
        steps.push(step.normal);
        Ok(())
    })?;
    if sum != Sum(summary.steps, summary.steps_mark) {
        return Err(damaged(shelf, "the blocked steps do not add up"));
    }
    steps.sort();
    Ok(steps)
}

/// Proves the rows against the open sets.
pub fn prove(shelf: &Shelf<'_>, summary: &Summary, open: &[Kept]) -> Result<(), LedgerFault> {
    self::open(shelf, summary)?;
    let mut should = Blocked::default();
    for kept in open {
        should.add(kept, 1);
    }
    let mut rows = 0;
    let sql = "SELECT key, normal, open, only, mark FROM gate_step";
    shelf.each(sql, [], read, &mut |(step, _)| {
        rows += 1;
        match should.0.get(&step.key) == Some(&step) {
            true => Ok(()),
            false => Err(damaged(shelf, "a blocked step is not the one of its sets")),
        }
    })?;
    match rows == should.0.len() {
        true => Ok(()),
        false => Err(damaged(shelf, "a blocked step is missing")),
    }
}

/// Keys of forbidden steps, sorted; of more than [`MOST_FORBIDDEN`] one more than these.
pub fn forbidden(shelf: &Shelf<'_>, summary: &Summary) -> Result<Vec<String>, LedgerFault> {
    let mut keys = Vec::new();
    let mut sum = Sum::default();
    let sql = "SELECT key, normal, open, only, mark FROM gate_step INDEXED BY gate_step_only
        WHERE only > 0 ORDER BY key LIMIT ?1";
    let most = MOST_FORBIDDEN + 1;
    shelf.each(
        sql,
        [i64::try_from(most).unwrap_or(i64::MAX)],
        read,
        &mut |found| {
            let step = Step::sound(found, shelf)?;
            sum.add(&step);
            keys.push(step.key);
            Ok(())
        },
    )?;
    // More than these is "all" for whoever asks: which ones does not matter then.
    let is_cut = keys.len() == most && summary.only > sum.0;
    match is_cut || sum == Sum(summary.only, summary.only_mark) {
        true => Ok(keys),
        false => Err(damaged(shelf, "the forbidden steps do not add up")),
    }
}

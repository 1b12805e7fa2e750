//! Buckets: 256 parts of the sets, by the first two digits of the keys of their steps.
//!
//! INVARIANT: there are always 256 rows; each holds how many sets its part has, and the sum of
//! their marks. All of them add up to the summary.

use std::collections::BTreeMap;

use rusqlite::params;

use super::mark::Mark;
use super::row::Row;
use super::shelf::Shelf;
use super::{Summary, damaged};
use crate::ledger::fault::LedgerFault;

/// How many there are.
const BUCKETS: usize = 256;

/// How many sets, and the sum of their marks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    sets: i64,
    mark: Mark,
}

impl Sum {
    /// Adds a set.
    pub fn add(&mut self, row: &Row) {
        self.sets += 1;
        self.mark.turn(row.mark);
    }
}

/// Sums by the number of the bucket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buckets(BTreeMap<u8, Sum>);

/// The bucket of a key; none for what is no key.
pub fn of(key: &str) -> Option<u8> {
    u8::from_str_radix(key.get(..2)?, 16).ok()
}

impl Buckets {
    /// Adds a set.
    pub fn add(&mut self, row: &Row) {
        self.turn(None, row);
    }

    /// Takes a set out as it was before, and adds it as it is after.
    pub fn turn(&mut self, before: Option<&Row>, after: &Row) {
        let sum = self
            .0
            .entry(of(&after.key).unwrap_or_default())
            .or_default();
        match before {
            Some(before) => sum.mark.turn(before.mark),
            None => sum.sets += 1,
        }
        sum.mark.turn(after.mark);
    }

    /// The sum of one.
    pub fn sum(&self, bucket: u8) -> Sum {
        self.0.get(&bucket).copied().unwrap_or_default()
    }

    /// Adds these to the stored ones and to the summary.
    pub fn put(&self, shelf: &Shelf<'_>, summary: &mut Summary) -> Result<(), LedgerFault> {
        for (bucket, change) in &self.0 {
            let sql = "SELECT sets, mark FROM gate_bucket WHERE bucket = ?1";
            let read = |r: &rusqlite::Row<'_>| {
                Ok(Sum {
                    sets: r.get(0)?,
                    mark: r.get(1)?,
                })
            };
            let missing = || damaged(shelf, &format!("bucket {bucket:02x} is missing"));
            let mut sum = shelf.one(sql, [bucket], read)?.ok_or_else(missing)?;
            sum.sets = sum.sets.saturating_add(change.sets);
            sum.mark.turn(change.mark);
            let sql = "UPDATE gate_bucket SET sets = ?2, mark = ?3 WHERE bucket = ?1";
            shelf.change(sql, params![bucket, sum.sets, sum.mark])?;
            summary.sets = summary.sets.saturating_add_signed(change.sets);
            summary.mark.turn(change.mark);
        }
        Ok(())
    }

    /// All that are stored, if they add up to the summary.
    pub fn stored(shelf: &Shelf<'_>, summary: &Summary) -> Result<Buckets, LedgerFault> {
        let mut all = Buckets::default();
        let mut total = Sum::default();
        let read = |r: &rusqlite::Row<'_>| Ok((r.get::<_, u8>(0)?, r.get(1)?, r.get(2)?));
        let sql = "SELECT bucket, sets, mark FROM gate_bucket";
        shelf.each(sql, [], read, &mut |(bucket, sets, mark)| {
            total.sets = total.sets.saturating_add(sets);
            total.mark.turn(mark);
            all.0.insert(bucket, Sum { sets, mark });
            Ok(())
        })?;
        let is_whole = all.0.len() == BUCKETS
            && u64::try_from(total.sets) == Ok(summary.sets)
            && total.mark == summary.mark;
        match is_whole {
            true => Ok(all),
            false => Err(damaged(shelf, "the buckets do not add up")),
        }
    }

    /// The first bucket in which the two differ.
    pub fn differs(&self, other: &Buckets) -> Option<u8> {
        (0..=u8::MAX).find(|bucket| self.sum(*bucket) != other.sum(*bucket))
    }
}

//! The row of a set.
//!
//! INVARIANT: a row is used only if it bears the mark of its columns, and its columns are those
//! of the set in it.

use rusqlite::params;

use super::chain::At;
use super::mark::Mark;
use super::shelf::Shelf;
use super::{damaged, is_open, signed};
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::Kept;
use crate::model::gate::{GateSet, Wake};

/// The columns in the order in which [`read`] wants them.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT opened, set_id, key, open, wake, json, mark FROM gate ",
            $rest
        )
    };
}
pub(super) use select;

/// The wake of a set that is looked at in every check.
pub const ALWAYS: i64 = i64::MIN;

/// A set as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Number of the event that opened it.
    pub opened: i64,
    /// Id of the set.
    pub id: String,
    /// Key of its step.
    pub key: String,
    /// 1 while it is open.
    pub open: i64,
    /// When it wakes, [`ALWAYS`] for always; 0 if it is not open.
    pub wake: i64,
    /// The set.
    pub json: String,
    /// What it bears.
    pub mark: Mark,
}

/// Reads the columns of [`select`]; nothing is checked.
pub fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        opened: row.get(0)?,
        id: row.get(1)?,
        key: row.get(2)?,
        open: row.get(3)?,
        wake: row.get(4)?,
        json: row.get(5)?,
        mark: row.get(6)?,
    })
}

/// The row of a set, checked.
pub fn by_id(shelf: &Shelf<'_>, id: &str) -> Result<Option<Row>, LedgerFault> {
    let row = shelf.one(select!("WHERE set_id = ?1"), [id], read)?;
    row.map(|row| row.sound(shelf)).transpose()
}

/// The row of the set that this event opened, checked.
pub fn by_event(shelf: &Shelf<'_>, opened: i64) -> Result<Option<Row>, LedgerFault> {
    let row = shelf.one(select!("WHERE opened = ?1"), [opened], read)?;
    row.map(|row| row.sound(shelf)).transpose()
}

impl Row {
    /// The row for a set.
    pub fn of(kept: &Kept, shelf: &Shelf<'_>) -> Result<Row, LedgerFault> {
        let json = serde_json::to_string(&kept.set)
            .map_err(|e| damaged(shelf, &format!("a set cannot be written, {e}")))?;
        let (open, wake) = columns(kept);
        let mut row = Row {
            opened: signed(kept.opened),
            id: kept.set.id.clone(),
            key: kept.set.key.clone(),
            open,
            wake,
            json,
            mark: Mark::default(),
        };
        row.mark = row.computed();
        Ok(row)
    }

    fn computed(&self) -> Mark {
        let columns: [&[u8]; 6] = [
            &self.opened.to_be_bytes(),
            self.id.as_bytes(),
            self.key.as_bytes(),
            &self.open.to_be_bytes(),
            &self.wake.to_be_bytes(),
            self.json.as_bytes(),
        ];
        Mark::of("gate", &columns)
    }

    /// Itself, if it bears the mark of its columns.
    pub fn sound(self, shelf: &Shelf<'_>) -> Result<Row, LedgerFault> {
        if self.computed() == self.mark {
            return Ok(self);
        }
        let id = crate::model::text::escape(&self.id);
        let what = format!("the row of set `{id}` was changed");
        Err(damaged(shelf, &what))
    }

    /// The set in it.
    pub fn kept(&self, shelf: &Shelf<'_>) -> Result<Kept, LedgerFault> {
        let wrong = |why: String| {
            let what = format!("the row of set `{}` {why}", self.id);
            damaged(shelf, &what)
        };
        let set: GateSet =
            serde_json::from_str(&self.json).map_err(|e| wrong(format!("cannot be read, {e}")))?;
        let opened = u64::try_from(self.opened).unwrap_or_default();
        let kept = Kept { opened, set };
        let same = kept.set.id == self.id && kept.set.key == self.key;
        match same && columns(&kept) == (self.open, self.wake) {
            true => Ok(kept),
            false => Err(wrong("says something else than its set".to_string())),
        }
    }

    /// Its place in the chain of wakes, while it is open.
    pub fn at(&self) -> Option<At> {
        (self.open != 0).then_some(At {
            wake: self.wake,
            opened: self.opened,
        })
    }

    /// Stores it: anew, or in the place of the one that is there.
    pub fn put(&self, shelf: &Shelf<'_>, is_there: bool) -> Result<(), LedgerFault> {
        let sql = match is_there {
            true => {
                "UPDATE gate SET open = ?4, wake = ?5, json = ?6, mark = ?7
                WHERE opened = ?1 AND set_id = ?2 AND key = ?3"
            }
            false => {
                "INSERT INTO gate (opened, set_id, key, open, wake, json, mark)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
            }
        };
        let Row {
            opened,
            id,
            key,
            open,
            wake,
            json,
            mark,
        } = self;
        shelf.change(sql, params![opened, id, key, open, wake, json, mark])
    }
}

/// What the columns `open` and `wake` say of a set.
fn columns(kept: &Kept) -> (i64, i64) {
    match (is_open(kept), kept.set.wake()) {
        (false, _) => (0, 0),
        (true, Wake::At(due)) => (1, due),
        (true, Wake::Always | Wake::Never) => (1, ALWAYS),
    }
}

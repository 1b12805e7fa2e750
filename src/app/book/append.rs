//! Appending what rests on something that was read before: compare and swap, and a look at what
//! others wrote between.

use super::Book;
use crate::ledger::event::{Draft, Event};
use crate::ledger::fault::LedgerFault;
use crate::ledger::{Appended, Head};

/// How many events of other writers are looked through before it is rather looked anew.
const BETWEEN: u64 = 1000;

impl Book {
    /// Appends events that rest on what was read at `expected`. Events of others that came
    /// between are looked through; `false` if one of them changes what was judged, or if they
    /// are too many to look through.
    pub fn append_unless(
        &mut self,
        mut expected: Head,
        drafts: &[Draft],
        touches: &dyn Fn(&Event) -> bool,
    ) -> Result<bool, LedgerFault> {
        loop {
            match self.append_all(&expected, drafts)? {
                Appended::Done(_) | Appended::Duplicate(_) => return Ok(true),
                Appended::Conflict(head) => {
                    let between = self.ledger().history(expected.seq, BETWEEN)?;
                    let whole = reaches(&expected, between.len(), &head);
                    if !whole || between.iter().any(touches) {
                        return Ok(false);
                    }
                    expected = head;
                }
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

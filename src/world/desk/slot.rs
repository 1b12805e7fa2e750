//! One question and its answer, shared by all who ask the same.
//!
//! INVARIANT: at most one thread asks at a time; the others wait, and nobody waits past the own
//! deadline. An answer that only says "too late" is not shared with somebody who has more time.
//! A thread that breaks off while it asks frees the slot for the next.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::digest;
use crate::world::{Answer, Failure};

/// An answer with its digest, and the deadline under which it was found.
#[derive(Debug)]
pub struct Given {
    /// The answer.
    pub answer: Answer,
    /// SHA-256 of what came back, in hex; empty if nothing did.
    pub digest: String,
    /// How many bytes came back.
    pub length: u64,
    until: Instant,
}

impl Given {
    /// Takes the digest of an answer.
    pub fn new(answer: Answer, until: Instant) -> Self {
        let (digest, length) = digest::of(&answer);
        Given {
            answer,
            digest,
            length,
            until,
        }
    }

    fn serves(&self, until: Instant) -> bool {
        let late = matches!(
            &self.answer,
            Answer::Failed {
                kind: Failure::Deadline,
                ..
            }
        );
        !late || until <= self.until
    }
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Free,
    Busy,
    Done(Arc<Given>),
}

/// Where an answer is kept.
#[derive(Debug, Default)]
pub struct Slot {
    state: Mutex<State>,
    changed: Condvar,
}

impl Slot {
    /// The answer, and whether somebody else had asked; `ask` is called only if nobody has.
    pub fn get(&self, until: Instant, ask: impl FnOnce() -> Answer) -> (Arc<Given>, bool) {
        if let Some(given) = self.take_turn(until) {
            return (given, true);
        }
        let turn = Turn { slot: self };
        let given = Arc::new(Given::new(ask(), until));
        *self.lock() = State::Done(Arc::clone(&given));
        drop(turn);
        (given, false)
    }

    /// Waits for an answer; `None` means that the caller has to ask.
    fn take_turn(&self, until: Instant) -> Option<Arc<Given>> {
        let mut state = self.lock();
        loop {
            match &*state {
                State::Done(given) if given.serves(until) => return Some(Arc::clone(given)),
                State::Free | State::Done(_) => {
                    *state = State::Busy;
                    return None;
                }
                State::Busy => {}
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let why = "the deadline passed while an equal question was being asked";
                let late = Answer::failed(Failure::Deadline, why);
                return Some(Arc::new(Given::new(late, until)));
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to ask; given back even if the asking breaks off.
struct Turn<'a> {
    slot: &'a Slot,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.slot.lock();
        if matches!(*state, State::Busy) {
            *state = State::Free;
        }
        drop(state);
        self.slot.changed.notify_all();
    }
}

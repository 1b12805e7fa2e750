//! The desk between the scripts and a world: grants, shared answers, receipts.
//!
//! INVARIANT: every question that reaches [`Desk::ask`] leaves exactly one receipt in the
//! asker's list, whatever came of it. Nothing that is not granted reaches the world. The wall
//! clock is not read here: times are derived from one given moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chrono::{Duration, SecondsFormat};

use super::grants::Grants;
use super::{Answer, Request, World};
use crate::model::moment::Moment;
use crate::model::receipt::{Outcome, Receipt};

mod asked;
mod digest;
mod slot;

use slot::{Given, Slot};

/// Answers questions to the ledger; the kernel gives one that reads this run's view.
pub trait LedgerDesk: Send + Sync {
    /// Answers `notes`, `runs`, `baseline`, `settled ID`, `gate ID`.
    fn answer(&self, ask: &str) -> Answer;
}

/// When a run began: the only reading of the wall clock, and the monotonic clock beside it.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// What the run calls "now".
    pub moment: Moment,
    /// The same instant on the monotonic clock.
    pub instant: Instant,
}

/// Who asks, and how long the answer may take.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// The host function, such as `fs::read`.
    pub function: &'a str,
    /// The script.
    pub script: &'a str,
    /// The line of the script, counted from 1; 0 for the kernel.
    pub line: usize,
    /// The deadline.
    pub until: Instant,
}

/// The desk of one run.
pub struct Desk {
    world: Arc<dyn World>,
    ledger: Arc<dyn LedgerDesk>,
    grants: Grants,
    start: Start,
    slots: Mutex<HashMap<Request, Arc<Slot>>>,
}

impl Desk {
    /// A desk that has not been asked anything yet.
    pub fn new(
        world: Arc<dyn World>,
        ledger: Arc<dyn LedgerDesk>,
        grants: Grants,
        start: Start,
    ) -> Self {
        Desk {
            world,
            ledger,
            grants,
            start,
            slots: Mutex::default(),
        }
    }

    /// Answers one question and notes it in `receipts`. Equal questions are asked once; the
    /// later ones wait for the first, at most until their own deadline.
    pub fn ask(
        &self,
        request: &Request,
        asker: &Asker<'_>,
        receipts: &Mutex<Vec<Receipt>>,
    ) -> Answer {
        let begin = Instant::now();
        let (given, shared) = match self.grants.check(request) {
            Some(refused) => (Arc::new(Given::new(refused, asker.until)), false),
            None => self
                .slot(request)
                .get(asker.until, || self.answer(request, asker.until)),
        };
        let receipt = self.receipt((request, asker), (begin, shared), &given);
        let mut receipts = receipts.lock().unwrap_or_else(PoisonError::into_inner);
        receipts.push(receipt);
        given.answer.clone()
    }

    fn slot(&self, request: &Request) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get(request) {
            return Arc::clone(slot);
        }
        let slot = Arc::new(Slot::default());
        slots.insert(request.clone(), Arc::clone(&slot));
        slot
    }

    fn answer(&self, request: &Request, until: Instant) -> Answer {
        match request {
            Request::Ledger { ask } => self.ledger.answer(ask),
            other => self.world.ask(other, until),
        }
    }

    fn receipt(
        &self,
        (request, asker): (&Request, &Asker<'_>),
        (begin, shared): (Instant, bool),
        given: &Given,
    ) -> Receipt {
        Receipt {
            function: asker.function.to_owned(),
            asked: asked::with_answer(request, &given.answer),
            outcome: outcome(&given.answer),
            digest: given.digest.clone(),
            length: given.length,
            begin: self.time(begin),
            micros: u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX),
            script: asker.script.to_owned(),
            line: asker.line,
            shared,
        }
    }

    /// RFC 3339 with milliseconds and offset.
    fn time(&self, at: Instant) -> String {
        let passed = at.saturating_duration_since(self.start.instant);
        let passed = Duration::from_std(passed).unwrap_or_else(|_| Duration::zero());
        let moment = self.start.moment.plus(passed);
        moment
            .instant()
            .with_timezone(&moment.zone())
            .to_rfc3339_opts(SecondsFormat::Millis, false)
    }
}

fn outcome(answer: &Answer) -> Outcome {
    match answer {
        Answer::Missing => Outcome::Missing,
        Answer::Refused { .. } => Outcome::Refused,
        Answer::Failed { .. } => Outcome::Failed,
        Answer::Bytes(_)
        | Answer::Entries(_)
        | Answer::Heads(_)
        | Answer::Meta(_)
        | Answer::Ran(_)
        | Answer::Text(_)
        | Answer::Data(_) => Outcome::Answered,
    }
}

#[cfg(test)]
mod tests;

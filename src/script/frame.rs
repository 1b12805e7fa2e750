//! The frame of one call: what host functions may use, and the clocks that bound the script.
//!
//! Host functions capture nothing; they find their frame in the call's tag. The frame holds the
//! desk (the way to the world), the list of receipts, and the budget.
//!
//! INVARIANT: once a clock has tripped it stays tripped. A script that swallows the error is
//! stopped again at its next step, and [`Frame::tripped`] overrides whatever it returned.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::model::moment::Moment;
use crate::model::receipt::{Outcome, Receipt};
use crate::world::desk::{Asker, Desk};
use crate::world::{Answer, Failure, Request};

use super::coverage::Coverage;

/// How many steps of a script pass between two looks at the clock.
const STEPS_PER_LOOK: u64 = 256;
/// The most steps of one call, those inside of closures counted. The stack that a script can
/// make necessary grows with them.
pub const MAX_STEPS: u64 = 10_000_000;
/// The most looks of one call.
pub const MAX_LOOKS: usize = 10_000;
/// The most bytes that `print` and `debug` may leave in one call's trace.
const TRACE_LIMIT: usize = 16 * 1024;

/// What every script of a run may know; a read-only handle shows it as `ctx`.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The instant of the run, with its zone.
    pub now: Moment,
    /// Absolute path of the project's root.
    pub root: String,
    /// Absolute path of the user's home, or empty.
    pub home: String,
    /// Name of this host.
    pub host: String,
    /// Who runs belegt.
    pub actor: String,
    /// Name of the project.
    pub project: String,
    /// `en` or `de`.
    pub language: String,
    /// News count from here.
    pub baseline: Moment,
    /// The command that runs the project's tests, word by word.
    pub tests: Option<Vec<String>>,
    /// The site's settings for this script, as plain data.
    pub settings: serde_json::Value,
    /// Settings of the site that more than one script needs: `mirror`, `user_model`, ...
    pub site: serde_json::Value,
}

/// Which clock stopped a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trip {
    /// Script time without waiting.
    Work,
    /// The deadline of the call or of the tick.
    Deadline,
    /// The number of steps, the same on a fast machine and on a slow one.
    Steps,
    /// The number of looks.
    Looks,
}

/// What a trip is called in the frame; 0 is none.
const TRIPS: [Trip; 4] = [Trip::Work, Trip::Deadline, Trip::Steps, Trip::Looks];

/// What was used of a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// So much was used.
    pub used: u64,
    /// So much there was.
    pub of: u64,
}

impl Limit {
    /// What was used of what there was.
    pub fn new(used: u64, of: u64) -> Self {
        Limit { used, of }
    }
}

/// The limits of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Steps of the script.
    pub steps: Limit,
    /// Script time without waiting, in microseconds.
    pub script_micros: Limit,
    /// The whole time until the call's deadline, in microseconds.
    pub micros: Limit,
    /// Looks.
    pub looks: Limit,
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// The clocks of one call, all monotonic.
#[derive(Debug, Clone, Copy)]
pub struct Clocks {
    /// Script time without waiting.
    pub work: Duration,
    /// When the call must have ended.
    pub until: Instant,
}

/// The frame of one call.
pub struct Frame {
    /// What `ctx` shows.
    pub facts: Arc<Facts>,
    /// The script that the host called.
    pub script: String,
    /// Where to note which statements run, if anybody wants to know.
    pub coverage: Option<Arc<Coverage>>,
    desk: Arc<Desk>,
    clocks: Clocks,
    began: Instant,
    waited: AtomicU64,
    steps: AtomicU64,
    tripped: AtomicU8,
    receipts: Mutex<Vec<Receipt>>,
    trace: Mutex<String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Frame {
    /// A frame that begins now.
    pub fn new(facts: Arc<Facts>, script: &str, desk: Arc<Desk>, clocks: Clocks) -> Self {
        Frame {
            facts,
            script: script.to_string(),
            coverage: None,
            desk,
            clocks,
            began: Instant::now(),
            waited: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            tripped: AtomicU8::new(0),
            receipts: Mutex::new(Vec::new()),
            trace: Mutex::new(String::new()),
        }
    }

    /// Asks the world for a script; `at` is the script and line of the call, which may be those
    /// of an import. The time until the answer is waiting, not script time.
    pub fn ask(&self, function: &str, request: &Request, at: &(String, usize)) -> Answer {
        if locked(&self.receipts).len() >= MAX_LOOKS {
            self.trip(Trip::Looks);
            return Answer::failed(Failure::TooLarge, "the script asks too often");
        }
        let before = Instant::now();
        let asker = Asker {
            function,
            script: match at.0.as_str() {
                "" => &self.script,
                script => script,
            },
            line: at.1,
            until: self.clocks.until,
        };
        let answer = self.desk.ask(request, &asker, &self.receipts);
        let waited = u64::try_from(before.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.waited.fetch_add(waited, Ordering::Relaxed);
        answer
    }

    /// One step of the script; the reason to stop, if there is one.
    pub fn step(&self) -> Option<Trip> {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed);
        if steps.is_multiple_of(STEPS_PER_LOOK) {
            self.look_at_clocks();
        }
        if steps >= MAX_STEPS {
            self.trip(Trip::Steps);
        }
        self.tripped()
    }

    /// How long the call may go on: the nearest of its clocks.
    pub fn left(&self) -> Duration {
        let (_, worked) = self.used();
        let until = self.clocks.until.saturating_duration_since(Instant::now());
        until.min(self.clocks.work.saturating_sub(worked))
    }

    /// Looks at the clocks; host functions that work long call it as well.
    pub fn look_at_clocks(&self) {
        let now = Instant::now();
        let waited = Duration::from_nanos(self.waited.load(Ordering::Relaxed));
        let worked = now.duration_since(self.began).saturating_sub(waited);
        match () {
            () if now >= self.clocks.until => self.trip(Trip::Deadline),
            () if worked >= self.clocks.work => self.trip(Trip::Work),
            () => {}
        }
    }

    /// Stops the call; the first reason stands.
    fn trip(&self, trip: Trip) {
        let place = TRIPS.iter().position(|known| *known == trip);
        let code = place.and_then(|place| u8::try_from(place + 1).ok());
        let (first, set) = (0, code.unwrap_or(1));
        let order = Ordering::Relaxed;
        // An earlier reason is no failure.
        let _ = self.tripped.compare_exchange(first, set, order, order);
    }

    /// The clock that stopped this call, if one did.
    pub fn tripped(&self) -> Option<Trip> {
        let code = usize::from(self.tripped.load(Ordering::Relaxed));
        TRIPS.get(code.checked_sub(1)?).copied()
    }

    /// Notes a line of `print` or `debug`; beyond the limit it is dropped.
    pub fn print(&self, text: &str) {
        let mut trace = locked(&self.trace);
        if trace.len() + text.len() < TRACE_LIMIT {
            trace.push_str(text);
            trace.push('\n');
        }
    }

    /// What the script printed.
    pub fn trace(&self) -> String {
        locked(&self.trace).clone()
    }

    /// The receipts of this call, asked or shared by it.
    pub fn receipts(&self) -> Vec<Receipt> {
        locked(&self.receipts).clone()
    }

    /// Whether a look of this call was answered.
    pub fn has_answered(&self) -> bool {
        let receipts = locked(&self.receipts);
        receipts.iter().any(|r| r.outcome == Outcome::Answered)
    }

    /// What the call used of each of its limits, and those limits.
    pub fn limits(&self) -> Limits {
        let (steps, worked) = self.used();
        let within = self.clocks.until.saturating_duration_since(self.began);
        Limits {
            steps: Limit::new(steps, MAX_STEPS),
            script_micros: Limit::new(micros(worked), micros(self.clocks.work)),
            micros: Limit::new(micros(self.began.elapsed()), micros(within)),
            looks: Limit::new(locked(&self.receipts).len() as u64, MAX_LOOKS as u64),
        }
    }

    /// How many steps the script took and how long it worked.
    fn used(&self) -> (u64, Duration) {
        let waited = Duration::from_nanos(self.waited.load(Ordering::Relaxed));
        let worked = self.began.elapsed().saturating_sub(waited);
        (self.steps.load(Ordering::Relaxed), worked)
    }
}

//! `wait`: sleeps until gates may have come true, proves them, and returns once.
//!
//! It wakes when the instant of a time gate comes, when a file changes that a gate watches or
//! when the ledger changes; what tells nobody of its change is asked again at long intervals.
//! Waking proves nothing: after it the gates are proven as ever.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::check::{self, Report};
use crate::app::context::Context;
use crate::diag::Fault;
use crate::gate::check::Checked;
use crate::gate::judge::Answer;
use crate::model::gate::GateStatus;

mod watch;

use watch::Watch;

/// How often what tells nobody of its change is asked.
const PACE: Duration = Duration::from_secs(60);
/// The longest sleep: the wall clock may be moved while this process sleeps.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// How a wait ended.
#[derive(Debug)]
pub struct Waited {
    /// The last check.
    pub report: Report,
    /// How often it slept.
    pub sleeps: u32,
}

/// Whether a wait goes on after a check.
enum Next {
    Over,
    Sleep(Duration),
}

/// Waits until the named gates (or all) are met, or the timeout.
///
/// # Errors
/// What a check cannot do.
pub fn run(
    settings: &mut Context<'_>,
    ids: &[String],
    timeout: Option<Duration>,
) -> Result<Waited, Fault> {
    let until = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let mut waiting = Waiting::default();
    let mut report = check::run_until(settings, ids, until)?;
    loop {
        let Next::Sleep(longest) = next(settings, &report, until) else {
            return Ok(waiting.over(report));
        };
        let mut watch = Watch::new();
        for place in watched(settings, &report) {
            watch.add(&place);
        }
        if is_cheap(&report) {
            watch.add(settings.ledger.parent().unwrap_or(Path::new(".")));
            // What changed since the check is seen by asking once more; the noise of asking,
            // which makes and removes files beside the ledger, is read away.
            waiting.keep(report);
            report = check::run_until(settings, ids, until)?;
            watch.forget();
            if report.answer == Answer::Yes {
                return Ok(waiting.over(report));
            }
        }
        watch.sleep(longest);
        waiting.sleeps += 1;
        settings.look_at_clock();
        let is_late = until.is_some_and(|until| Instant::now() >= until);
        if is_late && !is_cheap(&report) {
            return Ok(waiting.over(report));
        }
        waiting.keep(report);
        // The last look of a cheap wait is not cut short.
        report = check::run_until(settings, ids, until.filter(|_| !is_late))?;
    }
}

/// What a wait has seen so far.
#[derive(Default)]
struct Waiting {
    sleeps: u32,
    met: Vec<Checked>,
}

impl Waiting {
    /// Keeps what was met: the next check does not look at it again.
    fn keep(&mut self, report: Report) {
        let met = report.checked.into_iter();
        self.met
            .extend(met.filter(|one| one.set.status() == GateStatus::Met));
    }

    /// The last check, and what was met on the way to it.
    fn over(self, mut report: Report) -> Waited {
        for one in self.met {
            if !report
                .checked
                .iter()
                .any(|known| known.set.id == one.set.id)
            {
                report.checked.push(one);
            }
        }
        Waited {
            report,
            sleeps: self.sleeps,
        }
    }
}

/// Whether everything that is asked is cheap: only then is it asked at every change of the ledger.
fn is_cheap(report: &Report) -> bool {
    let proofs = report.checked.iter().flat_map(|one| one.proofs.values());
    proofs.into_iter().all(|proof| !proof.is_costly)
}

fn next(settings: &Context<'_>, report: &Report, until: Option<Instant>) -> Next {
    if report.answer == Answer::Yes {
        return Next::Over;
    }
    let mut longest = LONGEST;
    if let Some(until) = until {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Next::Over;
        }
        longest = longest.min(left);
    }
    if let Some(next) = report.next {
        let seconds = next.saturating_sub(settings.now.instant().timestamp());
        let seconds = u64::try_from(seconds).unwrap_or(0).max(1);
        longest = longest.min(Duration::from_secs(seconds));
    }
    // What tells nobody of its change.
    let mut asked = report.checked.iter().flat_map(|one| one.set.open());
    if asked.any(|gate| gate.due.is_none() && gate.params.get("watch").is_none()) {
        longest = longest.min(PACE);
    }
    Next::Sleep(longest)
}

/// The folders in which something may change that a gate waits for.
fn watched(settings: &Context<'_>, report: &Report) -> Vec<PathBuf> {
    let gates = report.checked.iter().flat_map(|one| one.set.open());
    let named = gates.filter_map(|gate| match gate.params.get("watch")? {
        Value::String(path) => Some(settings.root.join(path)),
        _ => None,
    });
    let folders = named.filter_map(|path| {
        let mut above = path.ancestors().skip(1);
        above.find(|folder| folder.is_dir()).map(Path::to_path_buf)
    });
    folders.collect()
}

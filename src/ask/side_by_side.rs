//! Jobs side by side: in the caller's thread while they are quick, as many threads as needed
//! once one is slow.
//!
//! Most looks end within a few milliseconds, and a thread for each would cost more than the look.
//! An overseer starts one more thread whenever five of them pass and a job has not begun, so
//! a source that waits for a command never holds up another.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// The stack of a further thread, in bytes: as much as a main thread has.
const STACK: usize = 8 * 1024 * 1024;
/// The stack of the overseer, which only waits.
const SMALL: usize = 64 * 1024;
/// How long a job waits before one more thread starts.
const WAIT: Duration = Duration::from_millis(5);

/// Jobs on their way.
struct Line<'a, T, R, F> {
    inputs: &'a [T],
    job: &'a F,
    next: AtomicUsize,
    done: Mutex<Vec<Option<R>>>,
    ended: Condvar,
}

/// Runs one job for each input; the results in the order of the inputs. A panic of a job is
/// raised again here.
pub fn side_by_side<T: Send + Sync, R: Send>(
    inputs: Vec<T>,
    job: impl Fn(&T) -> R + Sync,
) -> Vec<(T, R)> {
    let line = Line {
        inputs: &inputs,
        job: &job,
        next: AtomicUsize::new(0),
        done: Mutex::new(inputs.iter().map(|_| None).collect()),
        ended: Condvar::new(),
    };
    if inputs.len() < 2 {
        line.work();
    } else {
        std::thread::scope(|scope| {
            let overseer = Builder::new().stack_size(SMALL);
            let overseen = overseer.spawn_scoped(scope, || line.oversee(scope));
            line.work();
            drop(overseen);
        });
    }
    let results = line
        .done
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let mut pairs = Vec::with_capacity(inputs.len());
    for (input, result) in inputs.into_iter().zip(results) {
        // A job without a result panicked, and the scope has raised that already.
        if let Some(result) = result {
            pairs.push((input, result));
        }
    }
    pairs
}

impl<T: Sync, R: Send, F: Fn(&T) -> R + Sync> Line<'_, T, R, F> {
    /// Starts threads until every job has begun.
    fn oversee<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        while self.next.load(Ordering::Relaxed) < self.inputs.len() {
            let waited = self.ended.wait_timeout(self.locked(), WAIT);
            let timed_out = waited.unwrap_or_else(PoisonError::into_inner).1.timed_out();
            if timed_out && self.next.load(Ordering::Relaxed) < self.inputs.len() {
                self.start(scope);
            }
        }
    }

    fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let thread = Builder::new().stack_size(STACK);
        // No further thread to be had: the caller does the jobs, one after the other.
        let _ = thread.spawn_scoped(scope, || self.work());
    }

    fn work(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = self.inputs.get(index) else {
                break;
            };
            let result = (self.job)(input);
            if let Some(slot) = self.locked().get_mut(index) {
                *slot = Some(result);
            }
            self.ended.notify_all();
        }
        self.ended.notify_all();
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Option<R>>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn results_keep_the_order_of_the_inputs() {
        let pairs = side_by_side((0..100).collect(), |n| n * 2);
        assert!(
            pairs
                .iter()
                .enumerate()
                .all(|(i, (n, twice))| i == *n && *twice == n * 2)
        );
        assert!(side_by_side(Vec::<u8>::new(), |n| *n).is_empty());
    }

    #[test]
    fn slow_jobs_do_not_wait_for_one_another() {
        let began = Instant::now();
        side_by_side(vec![300; 8], |ms| {
            std::thread::sleep(Duration::from_millis(*ms))
        });
        assert!(
            began.elapsed() < Duration::from_millis(1200),
            "{:?}",
            began.elapsed()
        );
    }

    #[test]
    #[should_panic(expected = "left != right")]
    fn a_panic_is_raised_again() {
        side_by_side(vec![1, 2], |n| assert_ne!(*n, 2));
    }
}

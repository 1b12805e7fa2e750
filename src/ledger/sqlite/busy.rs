//! Waiting for another process: short sleeps of differing length, until an absolute deadline.
//!
//! SQLite's own handler sleeps too long: half the throughput under load. The lengths differ so
//! that waiting processes do not wake together; a deadline of the whole command bounds them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The shortest sleep, in microseconds.
const SHORTEST: u64 = 150;

/// How much longer a sleep may be, in microseconds.
const SPREAD: u64 = 700;

/// How long a connection waits. A clone shares the deadline.
#[derive(Debug, Clone)]
pub struct Patience {
    base: Instant,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Deadline in microseconds after `base`.
    until: AtomicU64,
    /// When the newest wait began, in microseconds after `base`.
    began: AtomicU64,
}

impl Patience {
    /// Waits until that instant at the latest.
    pub fn new(now: Instant, until: Instant) -> Self {
        let patience = Patience {
            base: now,
            inner: Arc::new(Inner {
                until: AtomicU64::new(0),
                began: AtomicU64::new(0),
            }),
        };
        patience.set(until);
        patience
    }

    /// Moves the deadline; answers the one before.
    pub fn set(&self, until: Instant) -> Instant {
        let before = self.inner.until.swap(self.micros(until), Ordering::Relaxed);
        self.base + Duration::from_micros(before)
    }

    /// Called by SQLite with the number of calls for this lock; false gives up.
    pub fn wait(&self, calls: i32) -> bool {
        let now = self.micros(Instant::now());
        if calls == 0 {
            self.inner.began.store(now, Ordering::Relaxed);
        }
        let until = self.inner.until.load(Ordering::Relaxed);
        if now >= until {
            return false;
        }
        let sleep = sleep_for(now, calls).min(until - now);
        std::thread::sleep(Duration::from_micros(sleep));
        true
    }

    /// How long the newest wait lasted until now.
    pub fn waited(&self) -> Duration {
        let now = self.micros(Instant::now());
        Duration::from_micros(now.saturating_sub(self.inner.began.load(Ordering::Relaxed)))
    }

    fn micros(&self, instant: Instant) -> u64 {
        let after = instant.saturating_duration_since(self.base);
        u64::try_from(after.as_micros()).unwrap_or(u64::MAX)
    }
}

/// A length that differs between processes: the time at which they ask is mixed, no source of
/// randomness is needed.
fn sleep_for(now: u64, calls: i32) -> u64 {
    let mixed = (now ^ u64::from(calls.unsigned_abs())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    SHORTEST + (mixed >> 32) % SPREAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deadline_ends_the_wait() {
        let now = Instant::now();
        let patience = Patience::new(now, now + Duration::from_millis(20));
        let mut calls = 0;
        while patience.wait(calls) {
            calls += 1;
        }
        let waited = now.elapsed();
        assert!(
            waited >= Duration::from_millis(20) && calls > 5,
            "{waited:?} {calls}"
        );
        assert!(waited < Duration::from_millis(500), "{waited:?}");
        patience.set(now);
        assert!(!patience.wait(0));
    }

    #[test]
    fn sleeps_differ_and_stay_short() {
        let sleeps: std::collections::BTreeSet<u64> = (0..100).map(|n| sleep_for(n, 1)).collect();
        assert!(sleeps.len() > 50);
        assert!(
            sleeps
                .iter()
                .all(|s| (SHORTEST..SHORTEST + SPREAD).contains(s))
        );
    }
}

//! belegt in a sealed world, for console stories: the clock, the terminal and the randomness
//! are given by variables. The product has no such switch.
//!
//! `SEALED_NOW` (RFC 3339) sets the clock, `SEALED_ANSWERS` (one answer a line) puts a person at
//! the terminal, `SEALED_HOST` names the host. Ids count up from `SEALED_IDS`, so that they are
//! the same in each run.

use std::collections::VecDeque;
use std::io::{stderr, stdout};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use belegt::settings::surroundings::{Person, Surroundings};

struct Script(Mutex<VecDeque<String>>);

impl Person for Script {
    fn ask(&self, question: &str) -> std::io::Result<String> {
        let mut answers = self
            .0
            .lock()
            .map_err(|_| std::io::Error::other("poisoned"))?;
        let answer = answers.pop_front().unwrap_or_default();
        use std::io::Write as _;
        writeln!(stdout(), "{question}{answer}")?;
        Ok(answer)
    }
}

fn main() -> ExitCode {
    let mut surroundings = Surroundings::real();
    let sealed = |name: &str| {
        let value = std::env::var(name).ok();
        value.filter(|value| !value.is_empty())
    };
    if let Some(now) = sealed("SEALED_NOW") {
        let Ok(now) = chrono::DateTime::parse_from_rfc3339(&now) else {
            return ExitCode::from(2);
        };
        let now = SystemTime::from(now);
        surroundings.clock = Arc::new(move || now);
    }
    surroundings.person = sealed("SEALED_ANSWERS").map(|answers| -> Arc<dyn Person> {
        Arc::new(Script(Mutex::new(
            answers.lines().map(str::to_string).collect(),
        )))
    });
    if let Some(first) = sealed("SEALED_IDS").and_then(|ids| ids.parse::<u64>().ok()) {
        let next = AtomicU64::new(first);
        surroundings.random =
            Arc::new(move || u128::from(next.fetch_add(1, Ordering::Relaxed)).to_be_bytes());
    }
    surroundings.host = sealed("SEALED_HOST").unwrap_or_else(|| "HOSTA".to_string());
    surroundings.system_zone = sealed("SEALED_ZONE");
    surroundings
        .environment
        .retain(|name, _| !name.to_string_lossy().starts_with("SEALED_"));
    let code = belegt::cli::run(&surroundings, &mut stdout(), &mut stderr());
    ExitCode::from(code)
}

//! `run`: asks for a step, does it, and keeps a receipt of the act.
//!
//! INVARIANT: nothing is started before the intention is stored; a step that may not run is
//! not started. The receipt says what ran and how it ended, not that it did any good.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};
use std::time::Instant;

use serde_json::{Value, json};

use super::may::{self, May};
use crate::app::book::{Book, actor, draft, fault};
use crate::app::context::Context;
use crate::diag::{Code, Fault};
use crate::gate::judge::Answer;
use crate::model::text::escape;

/// What became of the step.
#[derive(Debug)]
pub enum Ran {
    /// It may not run; it was not started.
    Refused(May),
    /// It ran to its end.
    Ended {
        /// What allowed it.
        may: May,
        /// Its exit code; 128 and the number of a signal that ended it.
        code: u8,
        /// Why the receipt could not be stored, if it could not.
        unrecorded: Option<String>,
    },
}

/// Asks and does.
///
/// # Errors
/// The command cannot be started, or the intention cannot be stored.
pub fn run(settings: &Context<'_>, step: &str, argv: &[OsString]) -> Result<Ran, Fault> {
    let may = may::run(settings, step)?;
    if may.answer != Answer::Yes {
        return Ok(Ran::Refused(may));
    }
    let act = settings.new_id();
    let note = |kind: &str, more: &Value| {
        let body = body(settings, &act, (&may, argv), more);
        append(settings, kind, body)
    };
    note("act.began", &json!({}))?;
    let start = Instant::now();
    let program = argv.first().cloned().unwrap_or_default();
    let status = Command::new(&program)
        .args(argv.iter().skip(1))
        .env_clear()
        .envs(settings.environment())
        .status();
    let status = status.map_err(|error| {
        let message = format!(
            "`{}` could not be started: {error}",
            escape(&program.to_string_lossy())
        );
        // The refusal of the system is the answer, whether it is on record or not.
        let _ = note("act.ran", &json!({ "started": false, "why": message }));
        Fault::new(Code::Act, message).with_help("name a command on PATH")
    })?;
    let took = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let unrecorded = note(
        "act.ran",
        &json!({
            "started": true, "exit": status.code(), "signal": status.signal(), "millis": took,
        }),
    );
    Ok(Ran::Ended {
        may,
        code: code(status),
        unrecorded: unrecorded.err().map(|fault| fault.message().to_string()),
    })
}

/// The exit code; 128 and the number of a signal, as shells say it.
fn code(status: ExitStatus) -> u8 {
    let by_signal = status.signal().map(|signal| 128_i32.saturating_add(signal));
    u8::try_from(status.code().or(by_signal).unwrap_or(1)).unwrap_or(1)
}

fn body(
    settings: &Context<'_>,
    act: &str,
    (may, argv): (&May, &[OsString]),
    more: &Value,
) -> Value {
    let argv: Vec<String> = argv
        .iter()
        .map(|word| escape(&word.to_string_lossy()))
        .collect();
    let gates: Vec<&str> = may.gates.iter().map(|one| one.set.id.as_str()).collect();
    let mut body = json!({
        "act": act, "step": may.step, "argv": argv, "gates": gates,
        "root": escape(&settings.root.to_string_lossy()),
    });
    if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
        body.extend(more.clone());
    }
    body
}

fn append(settings: &Context<'_>, kind: &str, body: Value) -> Result<(), Fault> {
    let mut book = Book::create(settings).map_err(|f| fault(&f))?;
    let draft = draft(settings, actor(settings), kind, body);
    book.append_free(&draft).map_err(|f| fault(&f))?;
    Ok(())
}

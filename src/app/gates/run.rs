//! `run`: asks for a step, does it, and keeps a receipt of the act.
//!
//! INVARIANT: nothing is started before the intention is stored; a step that may not run is
//! not started. The receipt says what ran and how it ended, not that it did any good.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;
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
    let Some((program, arguments)) = argv.split_first() else {
        return Err(Fault::new(Code::Usage, "no command was given")
            .with_help("write it after `--`: `belegt run 'STEP' -- CMD`"));
    };
    let act = settings.new_id();
    let began = body(settings, &act, (&may, argv), &json!({}));
    append(settings, "act.began", began)?;
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(settings.environment())
        .status();
    let status = match status {
        Ok(status) => status,
        Err(error) => {
            let shown = escape(&program.to_string_lossy());
            let message = format!("`{shown}` could not be started: {error}");
            let ended = json!({ "started": false, "why": message });
            let ended = body(settings, &act, (&may, argv), &ended);
            // The refusal of the system is the answer, whether it is on record or not.
            let _ = append(settings, "act.ran", ended);
            return Err(Fault::new(Code::Act, message).with_help("name a command on PATH"));
        }
    };
    let took = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let ended = json!({
        "started": true, "exit": status.code(), "signal": status.signal(), "millis": took,
    });
    let unrecorded = append(
        settings,
        "act.ran",
        body(settings, &act, (&may, argv), &ended),
    );
    let by_signal = status.signal().map(|signal| 128_i32.saturating_add(signal));
    let code = status.code().or(by_signal).unwrap_or(1);
    Ok(Ran::Ended {
        may,
        code: u8::try_from(code).unwrap_or(1),
        unrecorded: unrecorded.err().map(|fault| fault.message().to_string()),
    })
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

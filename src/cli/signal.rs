//! `belegt signal read`: the one real signal in one run's log.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::app::signal::{Reading, Said, backing, read};
use crate::diag::{Code, Fault};
use crate::model::signal::Signal;

use super::{Desk, exit, unwritable};

/// The largest log that is read, in bytes.
const LIMIT: u64 = 256 * 1024 * 1024;

/// Signals in logs
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Prints the one real signal of a log: exit code as `tick`; 3 none or two different ones,
    /// 4 not backed by a stored tick
    Read {
        /// The log, or `-` for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Whether a stored tick said it
        #[arg(long)]
        backed: bool,
    },
}

/// Runs the command.
pub fn run(command: &Command, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let Command::Read { file, backed } = command;
    let settings = desk.settings()?;
    let log = load(file)?;
    let (signal, count) = match read(&log) {
        Reading::One(signal, count) => (signal, count),
        Reading::Nothing => return nothing(desk, "the log holds no signal"),
        Reading::Conflict(a, b) => {
            return nothing(
                desk,
                &format!("the log holds two different signals: `{a}` and `{b}`"),
            );
        }
    };
    let tick = match backed {
        true => backing(&settings, &signal)?,
        false => None,
    };
    match &tick {
        // When it was said: an old tick backs a line as well as one of this run.
        Some(tick) => desk
            .printer
            .aside(&format!("said by the tick of {}\n", tick.at)),
        None if *backed => {
            desk.printer
                .aside(&format!("no stored tick of this ledger said `{signal}`\n"));
            return say(desk, &signal, (count, None), exit::UNBACKED);
        }
        None => {}
    }
    if count > 1 {
        desk.printer.aside(&format!(
            "the same signal stands in the log {count} times\n"
        ));
    }
    let code = signal.exit_code();
    say(desk, &signal, (count, tick), code)
}

/// An unbacked signal is named on stderr only: nothing that greps stdout may take it for real.
fn say(
    desk: &mut Desk<'_>,
    signal: &Signal,
    (count, tick): (usize, Option<Said>),
    code: u8,
) -> Result<u8, Fault> {
    let backed = code != exit::UNBACKED;
    let written = match (desk.printer.style.json, backed) {
        (true, _) => desk.printer.json(&json!({
            "belegt": 1, "kind": "signal", "verdict": signal.verdict(),
            "signal": signal.to_string(), "count": count, "unbacked": !backed,
            "tick": tick.as_ref().map(|said| &said.tick),
            "at": tick.as_ref().map(|tick| &tick.at),
        })),
        (false, true) => desk.printer.line(&signal.to_string()),
        (false, false) => Ok(()),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(code)
}

fn nothing(desk: &mut Desk<'_>, why: &str) -> Result<u8, Fault> {
    if desk.printer.style.json {
        let fault = Fault::new(Code::Signal, why);
        desk.printer
            .json(&crate::report::json::fault(&fault))
            .map_err(|error| unwritable(&error))?;
    } else {
        desk.printer.aside(&format!("{why}\n"));
    }
    Ok(exit::NO_SIGNAL)
}

fn load(path: &Path) -> Result<Vec<u8>, Fault> {
    let shown = crate::model::text::escape(&path.display().to_string());
    let refuse = |error: std::io::Error| {
        Fault::new(Code::Unknown, format!("`{shown}` cannot be read: {error}"))
    };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin()
            .take(LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(refuse)?;
    } else {
        File::open(path)
            .and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes))
            .map_err(refuse)?;
    }
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= LIMIT => Ok(bytes),
        _ => Err(Fault::new(
            Code::Unknown,
            format!("`{shown}` is larger than 256 MiB"),
        )),
    }
}

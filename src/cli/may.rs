//! `belegt may`, `belegt run` and `belegt wait`: may a step run now, do it, wait for it.

use std::ffi::OsString;

use crate::app::gates::run::Ran;
use crate::app::gates::{may, run, wait};
use crate::diag::{Code, Fault};
use crate::model::duration;
use crate::report::{answers, gates_json};

use super::{Desk, unwritable};

/// May this step run now? Exit code 0 yes, 20 wait, 21 forbidden, 22 could not be asked
#[derive(Debug, clap::Args)]
pub struct May {
    /// The step in its own words, or the id of a gate
    step: String,
}

/// Runs a command if its step may run, and keeps a receipt; the exit code is the command's
#[derive(Debug, clap::Args)]
pub struct Run {
    /// The step in its own words, or the id of a gate
    step: String,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Sleeps until gates may have come true, proves them and returns once
#[derive(Debug, clap::Args)]
pub struct Wait {
    /// Gates or sets of gates; all if none is named
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// How long at most (`30m`)
    #[arg(long, value_name = "DUR")]
    timeout: Option<String>,
}

/// Answers whether a step may run.
pub fn may(args: &May, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let may = may::run(&settings, &args.step).map_err(unasked)?;
    say_may(desk, &may)?;
    Ok(may.answer.exit_code())
}

fn say_may(desk: &mut Desk<'_>, may: &may::May) -> Result<(), Fault> {
    let said = match desk.printer.style.json {
        true => desk.printer.json(&gates_json::may(may)),
        false => desk.printer.text(&answers::may(may)),
    };
    said.map_err(|error| unwritable(&error))
}

/// Runs a step.
pub fn run(args: &Run, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    match run::run(&settings, &args.step, &args.command).map_err(unasked)? {
        Ran::Refused(may) => {
            say_may(desk, &may)?;
            Ok(may.answer.exit_code())
        }
        Ran::Ended {
            code, unrecorded, ..
        } => {
            if let Some(why) = unrecorded {
                desk.printer
                    .aside(&format!("the act is not on record: {why}\n"));
            }
            Ok(code)
        }
    }
}

/// Waits for gates.
pub fn wait(args: &Wait, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let timeout = args.timeout.as_deref().map(duration::parse).transpose();
    let timeout = timeout.map_err(|why| Fault::new(Code::Usage, format!("`--timeout`: {why}")))?;
    let mut settings = desk.settings()?;
    let waited = wait::run(&mut settings, &args.ids, timeout).map_err(unasked)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&gates_json::checks(&waited.report)),
        false => desk.printer.text(&answers::checks(&waited.report)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(waited.report.answer.exit_code())
}

/// What keeps a question about gates from being answered is never an answer: exit code 22.
pub fn unasked(fault: Fault) -> Fault {
    match fault.code() {
        Code::Usage | Code::Output | Code::Root | Code::Act => fault,
        _ => fault.unasked(),
    }
}

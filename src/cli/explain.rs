//! `belegt explain`: why a tick said what it said.

use crate::app::explain::tick;
use crate::diag::Fault;
use crate::report::explain;

use super::{Desk, exit, unwritable};

/// Why a tick said what it said, from what was recorded while it ran
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The beginning of a tick's id [default: the newest]
    tick: Option<String>,
    /// Only what a script had a part in: `probes/work/todo`, or `todo`
    #[arg(long, value_name = "NAME")]
    script: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let explained = tick(&settings, args.tick.as_deref(), args.script.as_deref())?;
    let written = match desk.printer.style.json {
        true => desk.printer.json(&explain::json(&explained)),
        false => desk.printer.text(&explain::tick(&explained)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

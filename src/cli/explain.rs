//! `belegt explain`: why a tick said what it said.

use serde_json::json;

use crate::app::explain::tick;
use crate::diag::Fault;
use crate::report;

use super::{Desk, exit, unwritable};

/// Why a tick said what it said, from what was stored
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The beginning of a tick's id [default: the newest]
    tick: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let explained = tick(&settings, args.tick.as_deref())?;
    let written = match desk.printer.style.json {
        true => desk
            .printer
            .json(&json!({ "belegt": 1, "kind": "explain", "event": explained.event })),
        false => desk.printer.text(&report::explain::tick(&explained)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

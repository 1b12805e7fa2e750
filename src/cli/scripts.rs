//! `belegt scripts`: where every script comes from.

use crate::app::scripts;
use crate::diag::Fault;
use crate::report::scripts as pages;

use super::{Desk, exit, unwritable};

/// Every script with its layer, and whether it counts: exit code 0, or 30 if one is broken or
/// older than the built-in script that it was made from
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only the scripts of this path, such as `probes/work/todo`
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let shelf = scripts::run(&settings, args.name.as_deref())?;
    let written = match desk.printer.style.json {
        true => desk.printer.json(&pages::json(&shelf)),
        false => desk.printer.text(&pages::text(&shelf)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(match shelf.is_faulty() {
        true => exit::FINDINGS,
        false => exit::OK,
    })
}

//! `belegt try`: a quick question at a probe's desk.

use crate::app::attempt::run as attempt;
use crate::diag::Fault;
use crate::report::attempt as report;

use super::{Desk, exit, unwritable};

/// Evaluates an expression where a probe stands: with its functions, settings and grants, over
/// the real world
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The expression, such as `fs::read("TODO.md").text.lines.len`
    #[arg(value_name = "EXPR")]
    expression: String,
    /// The script at whose desk it is asked: `probes/work/todo`
    #[arg(long, value_name = "NAME", default_value = "probes/work/todo")]
    probe: String,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let tried = attempt(&settings, &args.probe, &args.expression)?;
    let written = match desk.printer.style.json {
        true => desk.printer.json(&report::json(&tried)),
        false => desk.printer.text(&report::text(&tried)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

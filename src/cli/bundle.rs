//! `belegt bundle`: what waits for the person.

use crate::app::bundle::look;
use crate::diag::Fault;
use crate::report::{human, json};

use super::{Desk, exit, unwritable};

/// Runs the command.
pub fn run(desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let ticked = look(&settings);
    let style = desk.printer.style;
    let written = match style.json {
        true => desk.printer.json(&json::bundle(&ticked)),
        false => desk.printer.text(&human::whole_bundle(&ticked, style)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

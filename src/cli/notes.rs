//! `belegt note` and `belegt notes`: the embedded memory.

use serde_json::json;

use crate::app::note;
use crate::diag::Fault;
use crate::report::{json as shapes, lists};

use super::{Desk, exit, unwritable};

/// Stores a note for later sessions of this project
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The text
    text: String,
}

/// Stores a note and says its id after the commit.
pub fn add(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let id = note::add(&settings, &args.text)?;
    let written = match desk.printer.style.json {
        true => desk
            .printer
            .json(&json!({ "belegt": 1, "kind": "note", "id": id })),
        false => desk.printer.line(&format!("noted {id}")),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

/// Lists the notes.
pub fn list(desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let notes = note::list(&settings)?;
    let written = match desk.printer.style.json {
        true => desk.printer.json(&shapes::notes(&notes)),
        false => desk.printer.text(&lists::notes(&notes)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

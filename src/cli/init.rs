//! `belegt init` and `belegt trust`: how a site begins.

use clap::ValueEnum;
use serde_json::json;

use crate::app::init::{self, Preset};
use crate::app::trust as app_trust;
use crate::diag::Fault;
use crate::model::text::plural;
use crate::report::lists;

use super::{Desk, exit, unwritable};

/// Writes a site: settings and short, commented scripts
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which kind of site [default: `ellmos` beside a control centre, else `plain`]
    #[arg(long, value_name = "NAME")]
    preset: Option<Kind>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    /// Plain files (`DECISIONS.md`, `NOTES.md`) and the embedded notes
    Plain,
    /// A control centre with decisions, tickets, usmc and gardener
    Ellmos,
}

/// Writes a site.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let preset = match args.preset {
        Some(Kind::Plain) => Preset::Plain,
        Some(Kind::Ellmos) => Preset::Ellmos,
        None => init::fitting(&settings),
    };
    let written = init::run(&settings, preset)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&json!({
            "belegt": 1, "kind": "init", "files": written.files, "trusted": written.trusted,
        })),
        false => desk.printer.text(&lists::written(&written)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

/// Allows a site.
pub fn trust(desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let files = app_trust::run(&settings)?;
    let said = match desk.printer.style.json {
        true => desk
            .printer
            .json(&json!({ "belegt": 1, "kind": "trust", "files": files })),
        false => desk
            .printer
            .line(&format!("trusted {}", plural(files, "file", "files"))),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

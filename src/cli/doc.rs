//! `belegt doc`: what scripts can call.

use std::path::PathBuf;

use serde_json::json;

use crate::app::doc;
use crate::diag::Fault;
use crate::model::text::{escape, hex};
use crate::report::doc as pages;

use super::{Desk, exit, unwritable};

/// What scripts can call: the reference of the host API, as Markdown
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A module, a handle or another topic: `fs`, `list`, `answers`, `ctx`, `engine`
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
    /// Write definition files for editors into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "topic")]
    definitions: Option<PathBuf>,
}

/// Runs the command; no settings are read.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let written = match &args.definitions {
        Some(folder) => {
            let folder = desk.surroundings.cwd.join(folder);
            let id = hex(&(desk.surroundings.random)());
            let files = doc::write_definitions(&folder, &id)?;
            let shown = escape(&folder.to_string_lossy());
            match desk.printer.style.json {
                true => desk.printer.json(&json!({
                    "belegt": 1, "kind": "definitions", "folder": shown, "files": files,
                })),
                false => desk
                    .printer
                    .line(&format!("wrote {} into {shown}", files.join(", "))),
            }
        }
        None => {
            let reference = doc::run(args.topic.as_deref())?;
            match desk.printer.style.json {
                true => desk.printer.json(&pages::json(&reference)),
                false if args.topic.is_none() => desk.printer.text(&pages::book(&reference)),
                false => desk.printer.text(&pages::topics(&reference)),
            }
        }
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

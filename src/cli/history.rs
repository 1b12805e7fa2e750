//! `belegt log` and `belegt verify`: the history, and whether it is whole.

use serde_json::json;

use crate::app::history;
use crate::diag::Fault;
use crate::model::text::{escape, plural};
use crate::report::{json as shapes, lists};

use super::{Desk, exit, unwritable};

/// The history, oldest first
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object a line
    #[arg(long)]
    jsonl: bool,
}

/// Prints the history.
pub fn log(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let events = history::all(&settings)?;
    if desk.printer.style.json && !args.jsonl {
        let value = json!({ "belegt": 1, "kind": "log", "events": events });
        desk.printer
            .json(&value)
            .map_err(|error| unwritable(&error))?;
        return Ok(exit::OK);
    }
    for event in &events {
        let line = match args.jsonl {
            true => shapes::line(&shapes::event(event)),
            false => lists::event(event),
        };
        desk.printer
            .line(&line)
            .map_err(|error| unwritable(&error))?;
    }
    Ok(exit::OK)
}

/// Checks the whole chain.
pub fn verify(desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let (events, findings) = history::check(&settings)?;
    let code = if findings.is_empty() {
        exit::OK
    } else {
        exit::DAMAGED
    };
    let written = if desk.printer.style.json {
        let findings: Vec<_> = findings
            .iter()
            .map(|f| json!({ "code": f.code, "severity": "error", "event": f.event, "message": f.message }))
            .collect();
        desk.printer.json(
            &json!({ "belegt": 1, "kind": "findings", "events": events, "findings": findings }),
        )
    } else {
        let count = usize::try_from(events).unwrap_or(usize::MAX);
        let mut text = format!(
            "{}, {}\n",
            plural(count, "event", "events"),
            plural(findings.len(), "finding", "findings")
        );
        for finding in &findings {
            let message = escape(&finding.message);
            let place = match finding.event {
                0 => String::new(),
                event => format!("event {event}: "),
            };
            text.push_str(&format!("  {place}{}: {message}\n", finding.code));
        }
        desk.printer.text(&text)
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(code)
}

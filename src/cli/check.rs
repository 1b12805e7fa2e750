//! `belegt check`: what is wrong with scripts, before they run.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::app::check::{self, Examined};
use crate::diag::{Fault, Severity};
use crate::report::{check as report, sarif};

use super::{Desk, exit, unwritable};

/// What is wrong with the scripts of all layers or of named files; nothing runs: exit code 0, or
/// 30 with findings
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Scripts to check; without any those of all layers
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave findings below this level out
    #[arg(long, value_enum, default_value = "warning")]
    level: Level,
    /// How to print; `--json` is the same as `--format json`
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The page of a code: what it means, an example, and the same mended
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "level", "format"])]
    explain: Option<String>,
}

/// Which findings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    Error,
    Warning,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    if let Some(code) = &args.explain {
        return explain(code, desk);
    }
    let settings = desk.settings()?;
    let mut examined = check::run(&settings, &args.files)?;
    if args.level == Level::Error {
        let is_error = |severity: &Severity| *severity == Severity::Error;
        let all = examined.findings.len();
        examined.findings.retain(|(severity, _)| is_error(severity));
        examined.left_out = all - examined.findings.len();
    }
    print(&examined, args.format, desk)?;
    Ok(match examined.findings.is_empty() {
        true => exit::OK,
        false => exit::FINDINGS,
    })
}

fn print(examined: &Examined, format: Format, desk: &mut Desk<'_>) -> Result<(), Fault> {
    let style = desk.printer.style;
    let said = match format {
        Format::Sarif => desk.printer.json(&sarif::log(examined)),
        Format::Json => desk.printer.json(&report::json(examined)),
        Format::Text if style.json => desk.printer.json(&report::json(examined)),
        Format::Text => desk.printer.text(&report::text(examined, style.color)),
    };
    said.map_err(|error| unwritable(&error))
}

fn explain(code: &str, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let page = check::page(code)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&report::page_json(&page)),
        false => {
            let color = desk.printer.style.color;
            desk.printer.text(&report::page(&page, color))
        }
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

//! `belegt test`: plays the cases of the project's scripts.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::app::test::{self, Options, Report};
use crate::diag::{Code, Fault};
use crate::report::{cases, fault, junit};

use super::{Desk, exit, unwritable};

/// Plays cases over worlds made of data: exit code 0, or 30 with failing cases, with too little
/// coverage, or without a case at all
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files or folders of cases [default: `.belegt/tests` and `tests/scripts`]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only cases whose name, script or file holds this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Tell which statements of the scripts ran
    #[arg(long)]
    coverage: bool,
    /// The least coverage in percent; implies `--coverage`
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    min: Option<u8>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One object; the same as `--json`
    Json,
    /// XML for CI servers
    Junit,
}

/// Runs the command.
pub fn run(args: Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let options = Options {
        files: args.files,
        filter: args.filter,
        coverage: args.coverage || args.min.is_some(),
    };
    let report = test::run(&settings, &options);
    let written = match args.format {
        Format::Junit => desk.printer.text(&junit::xml(&report)),
        Format::Json => desk.printer.json(&cases::json(&report)),
        Format::Text if desk.printer.style.json => desk.printer.json(&cases::json(&report)),
        Format::Text => say(desk, &report),
    };
    written.map_err(|error| unwritable(&error))?;
    if report.played.is_empty() && report.faults.is_empty() {
        let text = fault::render(&no_case(&options), settings.color.stderr, 100);
        desk.printer.aside(&text);
        return Ok(exit::FINDINGS);
    }
    let (ran, points) = report.covered();
    let least = usize::from(args.min.unwrap_or(0));
    // Where there is nothing to cover, nothing was covered.
    let is_covered = ran * 100 >= least * points && (least == 0 || points > 0);
    if !is_covered {
        let percent = cases::percent(ran, points);
        let line = match points {
            0 => "there is nothing that could be covered\n".to_string(),
            _ => format!("coverage is {percent} %, less than {least} %\n"),
        };
        desk.printer.aside(&line);
    }
    Ok(
        match report.failed() == 0 && report.faults.is_empty() && is_covered {
            true => exit::OK,
            false => exit::FINDINGS,
        },
    )
}

fn say(desk: &mut Desk<'_>, report: &Report) -> std::io::Result<()> {
    for problem in &report.faults {
        let text = fault::render(problem, desk.printer.style.color, 100);
        desk.printer.text(&text)?;
    }
    desk.printer.text(&cases::text(report))
}

/// Nothing that was played proves nothing.
fn no_case(options: &Options) -> Fault {
    let message = match &options.filter {
        Some(filter) => format!("no case holds `{filter}`"),
        None => "there is no case to play".to_string(),
    };
    Fault::new(Code::Case, message).with_help(
        "write `.belegt/tests/NAME.rhai` with `const CASES = [#{ name: \"...\", at: \"...\", files: #{}, expect: #{ answer: \"...\" } }]`",
    )
}

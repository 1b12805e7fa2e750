//! `belegt tick`: the main job.

use crate::app::tick::{Options, Ticked, run as run_tick};
use crate::diag::Fault;
use crate::report::{human, json, progress};

use super::{Desk, exit, unwritable};

/// Looks for work and prints the one line: exit code 0 continue, 10 exhausted, 11 blind,
/// 12 guard, 13 user-only
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Look and judge, write nothing; stdout ends with `would print: ` and the line
    #[arg(long)]
    dry_run: bool,
    /// Do not ask the guard
    #[arg(long)]
    no_guard: bool,
    /// How long an unchanged result spares a new look; it may only shorten the site's (`15m`)
    #[arg(long, value_name = "DUR")]
    interval: Option<String>,
    /// What the model thought about it; stored, never judged
    #[arg(long, value_name = "TEXT")]
    analysis: Option<String>,
    /// Exit with 0 whatever the line says
    #[arg(long)]
    exit_zero: bool,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    desk.flags.interval.clone_from(&args.interval);
    let settings = desk.settings()?;
    let style = desk.printer.style;
    let show_progress = desk.surroundings.stderr_is_terminal && !style.json && !style.quiet;
    if show_progress {
        desk.printer.aside(progress::LOOKING);
    }
    let options = Options {
        dry_run: args.dry_run,
        no_guard: args.no_guard,
        analysis: args.analysis.clone(),
    };
    let mut ticked = run_tick(&settings, &options);
    ticked.warnings.extend(settings.warnings.iter().cloned());
    if show_progress {
        desk.printer.aside(progress::CLEAR);
    }
    say(args, desk, &ticked).map_err(|error| unwritable(&error))?;
    Ok(match args.exit_zero {
        true => exit::OK,
        false => ticked.outcome.signal.exit_code(),
    })
}

/// The report, and the line last.
fn say(args: &Args, desk: &mut Desk<'_>, ticked: &Ticked) -> std::io::Result<()> {
    let style = desk.printer.style;
    if style.json {
        return desk.printer.json(&json::tick(ticked));
    }
    if !style.quiet {
        desk.printer.text(&human::tick(ticked, style))?;
    }
    let signal = &ticked.outcome.signal;
    desk.printer.line(&match args.dry_run {
        true => format!("would print: {signal}"),
        false => signal.to_string(),
    })
}

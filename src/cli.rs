//! The command line: one file per command. A command joins parts and decides nothing.

use std::io::Write;

use clap::{Parser, Subcommand};

use crate::app::context::Context;
use crate::diag::Fault;
use crate::report::{Printer, Style, fault};
use crate::settings::{Flags, Surroundings};

pub mod attempt;
pub mod bundle;
pub mod check;
pub mod completions;
pub mod doc;
pub mod doctor;
pub mod eject;
pub mod exit;
pub mod explain;
pub mod gate;
pub mod history;
pub mod init;
pub mod may;
pub mod notes;
pub mod scripts;
pub mod settle;
pub mod signal;
pub mod test;
pub mod tick;

/// May an autonomous loop stop, and is that proven?
#[derive(Debug, Parser)]
#[command(
    name = "belegt",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    Tick(tick::Args),
    Explain(explain::Args),
    /// What waits for the person, at any time
    Bundle,
    Settle(settle::Args),
    Note(notes::Args),
    /// The notes of the embedded memory
    Notes,
    Init(init::Args),
    /// Allows exactly the scripts and settings that the site holds now; asks a person
    Trust,
    /// What is wrong here, with remedies: exit code 0, or 30 with findings
    Doctor,
    Scripts(scripts::Args),
    Eject(eject::Args),
    Doc(doc::Args),
    Check(check::Args),
    #[command(subcommand)]
    Signal(signal::Command),
    #[command(subcommand)]
    Gate(gate::Command),
    May(may::May),
    Run(may::Run),
    Wait(may::Wait),
    /// Checks that the ledger is whole: exit code 0, or 40 if it is damaged
    Verify,
    Log(history::Args),
    Test(test::Args),
    Try(attempt::Args),
    Completions(completions::Args),
    Man(completions::Man),
}

/// What a command needs.
pub struct Desk<'a> {
    /// Where belegt runs.
    pub surroundings: &'a Surroundings,
    /// The common flags.
    pub flags: Flags,
    /// The streams.
    pub printer: Printer<'a>,
}

impl<'a> Desk<'a> {
    /// The settings, with the printer set to them.
    pub fn settings(&mut self) -> Result<Context<'a>, Fault> {
        let settings = Context::load(self.surroundings, &self.flags)?;
        self.printer.style.german = settings.language == crate::settings::Language::German;
        self.printer.style.color = settings.color.stdout;
        Ok(settings)
    }
}

/// Runs belegt: arguments in, streams written, exit code out.
pub fn run(surroundings: &Surroundings, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let cli = match Cli::try_parse_from(&surroundings.args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, out, err),
    };
    let style = Style {
        json: cli.flags.json,
        quiet: cli.flags.quiet,
        ..Style::default()
    };
    let mut desk = Desk {
        surroundings,
        flags: cli.flags,
        printer: Printer::new(out, err, style),
    };
    match dispatch(cli.command, &mut desk) {
        Ok(code) => code,
        Err(fault) => failed(&fault, &mut desk),
    }
}

fn dispatch(command: Command, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    match command {
        Command::Tick(args) => tick::run(&args, desk),
        Command::Explain(args) => explain::run(&args, desk),
        Command::Bundle => bundle::run(desk),
        Command::Settle(args) => settle::run(args, desk),
        Command::Note(args) => notes::add(&args, desk),
        Command::Notes => notes::list(desk),
        Command::Init(args) => init::run(&args, desk),
        Command::Trust => init::trust(desk),
        Command::Doctor => doctor::run(desk),
        Command::Scripts(args) => scripts::run(&args, desk),
        Command::Eject(args) => eject::run(&args, desk),
        Command::Doc(args) => doc::run(&args, desk),
        Command::Completions(args) => completions::run(&args, desk),
        Command::Man(args) => completions::man(&args, desk),
        Command::Check(args) => check::run(&args, desk),
        Command::Signal(command) => signal::run(&command, desk),
        Command::Gate(command) => gate::run(command, desk),
        Command::May(args) => may::may(&args, desk),
        Command::Run(args) => may::run(&args, desk),
        Command::Wait(args) => may::wait(&args, desk),
        Command::Verify => history::verify(desk),
        Command::Log(args) => history::log(&args, desk),
        Command::Test(args) => test::run(args, desk),
        Command::Try(args) => attempt::run(&args, desk),
    }
}

/// Help and version go to stdout; what cannot be understood goes to stderr with code 2.
fn usage(error: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let text = fault::harmless(&error.render().to_string(), false);
    let stream: &mut dyn Write = if error.use_stderr() { err } else { out };
    let written = stream
        .write_all(text.as_bytes())
        .and_then(|()| stream.flush());
    match (error.use_stderr(), written) {
        (true, _) => exit::USAGE,
        (false, Ok(())) => exit::OK,
        (false, Err(_)) => exit::FAILED,
    }
}

/// Says what went wrong; the exit code is its own.
fn failed(problem: &Fault, desk: &mut Desk<'_>) -> u8 {
    if desk.printer.style.json {
        let _ = desk.printer.json(&crate::report::json::fault(problem));
    } else {
        let text = fault::render(problem, false, 100);
        desk.printer.aside(&text);
    }
    exit::of(problem)
}

/// A stream that cannot be written.
pub fn unwritable(error: &std::io::Error) -> Fault {
    Fault::new(
        crate::diag::Code::Output,
        format!("standard output cannot be written: {error}"),
    )
}

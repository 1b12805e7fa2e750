//! `belegt gate`: conditions that open a step only on evidence.

use std::io::Read as _;

use serde_json::json;

use crate::app::gates::open::{Report as Opening, Text};
use crate::app::gates::{check, consent, drop, list, open};
use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::report::{answers, gates, gates_json};

use super::{Desk, exit, unwritable};

/// The largest text that is read, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Conditions that open a step only on evidence
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Makes gates of the conditions in a text: exit code 2 if it is refused
    Open(Open),
    /// The open gates in order of opening
    List(List),
    /// Everything that is known of gates
    Show(Ids),
    /// Proves gates and meets what is proven: exit code 0 met, 20 wait, 21 forbidden, 22 could not
    /// be asked
    Check(Check),
    /// Asks the person at the terminal for consent
    Meet(Meet),
    /// Drops gates that a changed task has made needless
    Drop(Drop),
}

/// Makes gates of the conditions in a text: exit code 2 if it is refused
#[derive(Debug, clap::Args)]
pub struct Open {
    /// One condition: `/if CONDITION -> STEP`
    #[arg(required_unless_present = "from", conflicts_with = "from")]
    text: Option<String>,
    /// A whole prompt or goal; `-` is standard input. What is open already is not doubled
    #[arg(long, value_name = "FILE")]
    from: Option<std::path::PathBuf>,
    /// Open the good ones even if others are wrong
    #[arg(long)]
    keep_going: bool,
    /// Suggest gates for natural phrases (`erst wenn`, `only if`); opens nothing
    #[arg(long)]
    prose: bool,
}

/// The open gates in order of opening
#[derive(Debug, clap::Args)]
pub struct List {
    /// The met and dropped ones too
    #[arg(long)]
    all: bool,
    /// A block that a goal or a hand-over document can carry
    #[arg(long)]
    markdown: bool,
}

/// Everything that is known of gates
#[derive(Debug, clap::Args)]
pub struct Ids {
    /// Gates or sets of gates
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

/// Proves gates and meets what is proven: exit code 0 met, 20 wait, 21 forbidden, 22 could not
/// be asked
#[derive(Debug, clap::Args)]
pub struct Check {
    /// Gates or sets of gates; all if none is named
    #[arg(value_name = "ID")]
    ids: Vec<String>,
}

/// Asks the person at the terminal for consent
#[derive(Debug, clap::Args)]
pub struct Meet {
    /// The gate
    #[arg(value_name = "ID")]
    id: String,
}

/// Drops gates that a changed task has made needless
#[derive(Debug, clap::Args)]
pub struct Drop {
    /// Gates or sets of gates
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    because: String,
}

/// Runs a command of gates.
pub fn run(command: Command, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    match command {
        Command::Open(args) => run_open(&args, desk),
        Command::List(args) => run_list(&args, desk),
        Command::Show(args) => run_show(&args, desk),
        Command::Check(args) => run_check(&args, desk),
        Command::Meet(args) => run_meet(&args, desk),
        Command::Drop(args) => run_drop(&args, desk),
    }
}

fn run_open(args: &Open, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let text = text(args, desk)?;
    let settings = desk.settings()?;
    if args.prose {
        let found = open::suggest(&settings, &text)?;
        let said = match desk.printer.style.json {
            true => desk.printer.json(&gates_json::suggestions(&found)),
            false => desk.printer.text(&gates::suggestions(&found)),
        };
        said.map_err(|error| unwritable(&error))?;
        return Ok(exit::OK);
    }
    let report = match open::run(&settings, &text, args.keep_going) {
        Ok(report) => report,
        Err(fault) => {
            if !desk.printer.style.json {
                desk.printer.aside(gates::UNPROTECTED);
            }
            return Err(fault);
        }
    };
    say_opened(desk, &report).map_err(|error| unwritable(&error))?;
    Ok(match report.faults.is_empty() {
        true => exit::OK,
        false => exit::USAGE,
    })
}

fn say_opened(desk: &mut Desk<'_>, report: &Opening) -> std::io::Result<()> {
    if desk.printer.style.json {
        return desk.printer.json(&gates_json::opened(report));
    }
    if !report.faults.is_empty() {
        let text = gates::refused(&report.faults, !report.opened.is_empty());
        desk.printer.aside(&text);
    }
    desk.printer.text(&gates::opened(report))
}

fn text(args: &Open, desk: &Desk<'_>) -> Result<Text, Fault> {
    let Some(from) = &args.from else {
        return Ok(Text {
            name: "TEXT".to_string(),
            text: args.text.clone().unwrap_or_default(),
            is_one: true,
        });
    };
    let is_input = from.as_os_str() == "-";
    let name = match is_input {
        true => "standard input".to_string(),
        false => escape(&from.to_string_lossy()),
    };
    let unreadable = |why: String| {
        let message = format!("`{name}` cannot be read: {why}");
        Fault::new(Code::Input, message).with_help("nothing was stored; give a text file in UTF-8")
    };
    let mut bytes = Vec::new();
    let read = match is_input {
        true => std::io::stdin()
            .lock()
            .take(LONGEST + 1)
            .read_to_end(&mut bytes),
        false => std::fs::File::open(desk.surroundings.cwd.join(from))
            .and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| unreadable(error.to_string()))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LONGEST {
        return Err(unreadable("it is larger than 4 MiB".to_string()));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_string()))?;
    Ok(Text {
        name,
        text,
        is_one: false,
    })
}

fn run_list(args: &List, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let sets = list::list(&settings, args.all)?;
    let said = match (desk.printer.style.json, args.markdown) {
        (true, _) => desk.printer.json(&gates_json::gates(&sets)),
        (false, true) => {
            let session = session(&settings);
            desk.printer.text(&gates::markdown(&sets, &session))
        }
        (false, false) => desk.printer.text(&gates::list(&sets)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

/// The last line of documents that are written for keeps.
fn session(settings: &crate::app::context::Context<'_>) -> String {
    let actor = crate::app::book::actor(settings);
    format!(
        "session: {} | {}@{} | {}",
        escape(&settings.session),
        escape(actor.shown()),
        escape(&settings.host),
        settings.now.date()
    )
}

fn run_show(args: &Ids, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let sets = list::show(&settings, &args.ids)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&gates_json::gates(&sets)),
        false => desk.printer.text(&gates::show(&sets)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

fn run_check(args: &Check, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let report = check::run(&settings, &args.ids).map_err(super::may::unasked)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&gates_json::checks(&report)),
        false => desk.printer.text(&answers::checks(&report)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(report.answer.exit_code())
}

fn run_meet(args: &Meet, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let report = consent::run(&settings, &args.id).map_err(super::may::unasked)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&gates_json::consent(&report)),
        false => desk.printer.text(&answers::consent(&report)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(report.answer.exit_code())
}

fn run_drop(args: &Drop, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let sets = drop::run(&settings, &args.ids, &args.because)?;
    let said = match desk.printer.style.json {
        true => desk.printer.json(&json!({
            "belegt": 1, "kind": "dropped", "sets": sets.iter().map(|set| &set.id).collect::<Vec<_>>(),
        })),
        false => desk.printer.text(&gates::list(&sets)),
    };
    said.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

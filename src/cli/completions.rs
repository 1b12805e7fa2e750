//! `belegt completions` and `belegt man`: the command line described for shells and readers.
//!
//! Both are made from the definition of the commands and read nothing else: no settings, no
//! folder, no ledger.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::diag::{Code, Fault};
use crate::model::text::escape;

use super::{Cli, Desk, exit, unwritable};

/// The name that the shell completes.
const NAME: &str = "belegt";

/// A script that completes commands and flags in a shell
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// A page of the manual, as roff: `belegt man | man -l -`
#[derive(Debug, clap::Args)]
pub struct Man {
    /// The command that the page is about, such as `gate open`; none for belegt itself
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Prints the completions.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut script);
    said("completions", &script, desk)
}

/// Prints a page of the manual.
pub fn man(args: &Man, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let mut root = Cli::command();
    root.build();
    let mut page: &Command = &root;
    for name in &args.command {
        let inner = page.find_subcommand(name).filter(|c| !c.is_hide_set());
        page = inner.ok_or_else(|| unknown(page, name))?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(page.clone())
        .source(concat!("belegt ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .map_err(|error| unwritable(&error))?;
    said("man", &text, desk)
}

fn said(kind: &str, text: &[u8], desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let text = String::from_utf8_lossy(text);
    let written = match desk.printer.style.json {
        true => desk
            .printer
            .json(&json!({ "belegt": 1, "kind": kind, "text": text })),
        false => desk.printer.text(&text),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

fn unknown(page: &Command, name: &str) -> Fault {
    let known: Vec<&str> = page.get_subcommands().map(Command::get_name).collect();
    let message = format!("there is no command `{}` here", escape(name));
    let fault = Fault::new(Code::Usage, message);
    match known.is_empty() {
        true => fault,
        false => fault.with_help(format!("the commands are: {}", known.join(", "))),
    }
}

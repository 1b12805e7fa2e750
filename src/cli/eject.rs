//! `belegt eject`: a built-in script to change.

use crate::app::eject::{self, Outcome};
use crate::diag::Fault;
use crate::report::scripts as pages;

use super::{Desk, exit, unwritable};

/// Copies a built-in script into `.belegt/`, where it replaces the built-in one
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The script's path, such as `probes/work/todo`; `belegt scripts` lists them
    #[arg(value_name = "NAME")]
    name: String,
    /// Copy it into your own folder instead, where it counts for every project
    #[arg(long)]
    user: bool,
}

/// Runs the command.
pub fn run(args: &Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let json = desk.printer.style.json;
    let (written, code) = match (eject::run(&settings, &args.name, args.user)?, json) {
        (Outcome::Written(ejected), true) => {
            let value = pages::ejected_json(&ejected);
            (desk.printer.json(&value), exit::OK)
        }
        (Outcome::Written(ejected), false) => {
            let text = pages::ejected(&ejected);
            (desk.printer.text(&text), exit::OK)
        }
        (Outcome::Exists(fault, difference), true) => {
            let value = pages::exists_json(&fault, &difference);
            (desk.printer.json(&value), exit::of(&fault))
        }
        (Outcome::Exists(fault, difference), false) => {
            desk.printer.aside(&pages::difference(&difference));
            return Err(fault);
        }
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(code)
}

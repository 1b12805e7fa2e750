//! `belegt settle`: who dealt with news, how and why.

use clap::ValueEnum;
use serde_json::json;

use crate::app::settle::{Request, bulk, named};
use crate::diag::{Code, Fault};
use crate::model::item::SettledAs;
use crate::report::lists;

use super::{Desk, exit, unwritable};

/// Records that news were dealt with, so that the same are not handed out again
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Items, as the tick names them (`decisions.ledger:D-20261129-004`)
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// How
    #[arg(long = "as", value_name = "HOW")]
    how: How,
    /// Why, in words
    #[arg(long, value_name = "TEXT")]
    because: String,
    /// All news of this source; needs `--before` and a person at a terminal
    #[arg(long, requires = "before", conflicts_with = "ids")]
    source: Option<String>,
    /// Only news from before this date
    #[arg(long, requires = "source", value_name = "DATE")]
    before: Option<String>,
}

/// How news were dealt with.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum How {
    /// The work was done
    Done,
    /// There was nothing to do
    NotWork,
    /// The person has to see to it
    User,
}

/// Runs the command.
pub fn run(args: Args, desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let request = Request {
        ids: args.ids,
        how: match args.how {
            How::Done => SettledAs::Done,
            How::NotWork => SettledAs::NotWork,
            How::User => SettledAs::User,
        },
        because: args.because,
    };
    let settled = match (&args.source, &args.before) {
        (Some(source), Some(before)) => bulk(&settings, &request, (source, before))?,
        _ if request.ids.is_empty() => {
            return Err(Fault::new(Code::Usage, "nothing was named to settle")
                .with_help("name items, or use `--source` with `--before`"));
        }
        _ => named(&settings, &request)?,
    };
    let written = match desk.printer.style.json {
        true => desk
            .printer
            .json(&json!({ "belegt": 1, "kind": "settled", "settled": settled })),
        false => desk.printer.text(&lists::settled(&settled)),
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(exit::OK)
}

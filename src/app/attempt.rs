//! A quick question at a probe's desk: an expression beside the probe's own functions, with its
//! settings and the grants of this site, over the real world.
//!
//! INVARIANT: it looks and writes nothing; what an untrusted site would grant is not granted.

use std::sync::Arc;

use super::book::{Book, fault};
use super::context::Context;
use super::stage::{Stage, Viewed};
use crate::ask::CallRecord;
use crate::diag::{Code, Fault};
use crate::ledger::View;
use crate::script::layers::{Loaded, Scripts, Source};
use crate::script::names::closest;

/// The path under which the expression stands in the table of scripts.
const PATH: &str = "try";
/// The function that holds the expression.
const ENTRY: &str = "tried_expression";

/// What came of it.
#[derive(Debug)]
pub struct Tried {
    /// The value, in lines.
    pub lines: Vec<String>,
    /// The call with its looks.
    pub record: CallRecord,
}

/// Evaluates the expression.
///
/// # Errors
/// There is no such script, or the expression does not compile or fails.
pub fn run(settings: &Context<'_>, probe: &str, expression: &str) -> Result<Tried, Fault> {
    let scripts = Scripts::with(settings.layers.clone());
    let Some(source) = scripts.effective(probe) else {
        return Err(unknown(probe, &scripts));
    };
    let script = source.script()?;
    let loaded = Loaded {
        path: PATH.to_string(),
        text: Ok(beside(&script.text, expression)),
        ..loaded(source)
    };
    let stage = Stage::with(settings, vec![loaded]);
    let mut asking = stage.asking(settings, &viewed(settings)?);
    if let Some(own) = settings.scripts.get(probe) {
        asking.settings.insert(PATH.to_string(), own.clone());
    }
    let done = asking.shown(PATH, ENTRY);
    Ok(Tried {
        lines: done.result?,
        record: done.record,
    })
}

fn loaded(source: &Source) -> Loaded {
    Loaded {
        layer: source.layer,
        folder: source.folder.clone(),
        path: String::new(),
        text: Ok("".into()),
    }
}

/// The script's text, and behind it the expression in a function of its own.
fn beside(text: &str, expression: &str) -> Arc<str> {
    format!("{text}\n\nfn {ENTRY}(ctx) {{\n{expression}\n}}\n").into()
}

fn viewed(settings: &Context<'_>) -> Result<Viewed, Fault> {
    let view = match Book::read(settings).map_err(|f| fault(&f))? {
        Some(book) => book.view().map_err(|f| fault(&f))?,
        None => View::default(),
    };
    Ok(Ok(Arc::new(view)))
}

fn unknown(probe: &str, scripts: &Scripts) -> Fault {
    let all: Vec<&str> = scripts.all().map(|source| source.path.as_str()).collect();
    let end = format!("/{probe}");
    let by_end = all.iter().find(|path| path.ends_with(&end)).copied();
    let near = by_end.or_else(|| closest(probe, all.iter().copied()));
    let fault = Fault::new(Code::ScriptMissing, format!("there is no script `{probe}`"));
    match near {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => fault.with_help("`belegt scripts` lists them"),
    }
}

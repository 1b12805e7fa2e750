//! The reference of the host API, and definition files for editors.
//!
//! INVARIANT: no file is overwritten that this command did not write.

use std::path::Path;

use rustix::fs::CWD;

use super::write::{Draft, replace};
use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::script::reference::{self, definitions};
use crate::settings::files::{self, Links, Problem};

pub use crate::script::reference::{Closed, Form, Function, Kind, Reference, Topic};

/// How a file of definitions begins.
const MARK: &str = "// Written by `belegt doc --definitions`";
/// The most bytes of a file that is looked at before it is replaced.
const MAX_FILE: u64 = 1024 * 1024;

/// The whole reference, or the topics of one name.
///
/// # Errors
/// There is no such topic.
pub fn run(topic: Option<&str>) -> Result<Reference, Fault> {
    let whole = reference::read();
    let Some(topic) = topic else {
        return Ok(whole);
    };
    let known = whole.names().join(", ");
    whole.narrowed(topic).map_err(|near| {
        let hint = near.map(|near| format!("; did you mean `{near}`?"));
        let message = format!(
            "there is no topic `{}`{}",
            escape(topic),
            hint.unwrap_or_default()
        );
        Fault::new(Code::Unknown, message).with_help(format!("the topics are: {known}"))
    })
}

/// Writes the definition files into a folder; their names.
///
/// # Errors
/// A file stands there that this command did not write, or the folder cannot be written.
pub fn write_definitions(folder: &Path, id: &str) -> Result<Vec<String>, Fault> {
    let files = definitions::files(&reference::read());
    for (name, _) in &files {
        refuse_foreign(&folder.join(name))?;
    }
    let version = env!("CARGO_PKG_VERSION");
    for (name, text) in &files {
        let text = format!("{MARK}, belegt {version}; the next run replaces it.\n{text}");
        let draft = Draft {
            below: name,
            text: &text,
            id,
        };
        replace(folder, draft)?;
    }
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

fn refuse_foreign(place: &Path) -> Result<(), Fault> {
    let own = match files::read(CWD, place, Links::Refuse, MAX_FILE) {
        Ok((bytes, _)) => bytes.starts_with(MARK.as_bytes()),
        Err(Problem::Missing) => true,
        // A folder that is no folder is told when it is written to.
        Err(Problem::Kind("no folder")) => true,
        Err(_) => false,
    };
    if own {
        return Ok(());
    }
    let shown = escape(&place.to_string_lossy());
    let message =
        format!("`{shown}` exists already, this command did not write it, and nothing was written");
    Err(Fault::new(Code::Exists, message).with_help("name another folder, or move it away first"))
}

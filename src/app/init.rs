//! A new site: short, commented scripts and settings, written once.
//!
//! INVARIANT: no file that exists is changed. Trust is recorded for exactly the bytes that were
//! written, and only with a person's yes; without one the same files are written untrusted.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::context::Context;
use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::settings::Person;
use crate::settings::bundle::Bundle;

/// Which kind of site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Plain files and the embedded notes.
    Plain,
    /// A control centre: settings only, the built-in probes know the layout.
    Ellmos,
}

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// The preset.
    pub preset: Preset,
    /// The files, below the root.
    pub files: Vec<String>,
    /// Whether a person trusted them at once.
    pub trusted: bool,
}

/// Files of the plain preset that belong to the trusted bundle.
const PLAIN: &[(&str, &str)] = &[
    ("site.rhai", include_str!("init/plain/site.rhai")),
    (
        "probes/sources/decisions.ledger.rhai",
        include_str!("init/plain/probes/sources/decisions.ledger.rhai"),
    ),
    (
        "probes/sources/memory.organic.rhai",
        include_str!("init/plain/probes/sources/memory.organic.rhai"),
    ),
    (
        "probes/sources/memory.curated.rhai",
        include_str!("init/plain/probes/sources/memory.curated.rhai"),
    ),
];
/// Files of the plain preset that the person fills.
const PLAIN_TEXTS: &[(&str, &str)] = &[
    ("DECISIONS.md", include_str!("init/plain/DECISIONS.md")),
    ("NOTES.md", include_str!("init/plain/NOTES.md")),
];
const ELLMOS: &[(&str, &str)] = &[("site.rhai", include_str!("init/ellmos.rhai"))];

/// The preset that fits: a control centre if there is one, else plain.
pub fn fitting(settings: &Context<'_>) -> Preset {
    match settings.root.join("_control-center").is_dir() {
        true => Preset::Ellmos,
        false => Preset::Plain,
    }
}

/// Writes the site.
pub fn run(settings: &Context<'_>, preset: Preset) -> Result<Written, Fault> {
    let (scripts, texts) = match preset {
        Preset::Plain => (PLAIN, PLAIN_TEXTS),
        Preset::Ellmos => (ELLMOS, &[] as &[(&str, &str)]),
    };
    let scripts: Vec<(String, String)> = scripts
        .iter()
        .map(|(path, text)| (path.to_string(), filled(settings, text)))
        .collect();
    for (path, _) in &scripts {
        refuse_existing(&settings.site_folder.join(path))?;
    }
    let mut files = Vec::new();
    for (path, text) in &scripts {
        write(&settings.site_folder.join(path), text)?;
        files.push(format!(".belegt/{path}"));
    }
    for (path, text) in texts {
        let place = settings.root.join(path);
        if fs::symlink_metadata(&place).is_err() {
            write(&place, text)?;
            files.push(path.to_string());
        }
    }
    let bundle = Bundle::of(
        ".belegt",
        scripts
            .into_iter()
            .map(|(path, text)| (path, text.into_bytes())),
    );
    let trusted = match settings.person() {
        Some(person) => agreed(settings, person, &bundle)?,
        None => false,
    };
    Ok(Written {
        preset,
        files,
        trusted,
    })
}

fn agreed(settings: &Context<'_>, person: &dyn Person, bundle: &Bundle) -> Result<bool, Fault> {
    let root = escape(&settings.root.to_string_lossy());
    let what = match bundle.file_digests().len() {
        1 => "the settings".to_string(),
        count => format!("{count} scripts and settings"),
    };
    let question =
        format!("belegt wrote {what} below `{root}`. Trust exactly these bytes? [yes/no] ");
    let answer = person.ask(&question).unwrap_or_default();
    if !matches!(answer.trim(), "yes" | "ja") {
        return Ok(false);
    }
    super::trust::record(settings, bundle)?;
    Ok(true)
}

/// The end of a declaration lies a year ahead; its reason says who wrote it.
fn filled(settings: &Context<'_>, text: &str) -> String {
    let end = settings.now.plus(chrono::Duration::days(365)).date();
    text.replace("@END@", &end)
        .replace("@REASON@", "this project keeps no model of its user")
}

fn refuse_existing(path: &Path) -> Result<(), Fault> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    let shown = escape(&path.to_string_lossy());
    Err(Fault::new(
        Code::Exists,
        format!("`{shown}` exists already, and nothing was written"),
    )
    .with_help("edit it, or move it away first"))
}

fn write(path: &Path, text: &str) -> Result<(), Fault> {
    let refuse = |error: std::io::Error| {
        let shown = escape(&path.to_string_lossy());
        Fault::new(
            Code::Output,
            format!("`{shown}` cannot be written: {error}"),
        )
        .with_help("the folder must be yours and writable")
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refuse)?;
    }
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(refuse)?;
    file.write_all(text.as_bytes()).map_err(refuse)
}

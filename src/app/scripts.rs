//! Every script of every layer: where it came from, whether it counts, and what it replaces.
//!
//! Nothing is run. A site's script that is not trusted is listed with the digest of the bytes
//! that are there, and what it declares is read from its syntax tree.

use std::sync::Arc;

use super::context::Context;
use super::difference;
use super::eject::header::{self, Header};
use super::eject::unknown;
use crate::diag::{Code, Fault};
use crate::script::contract;
use crate::script::layers::{Layer, Scripts, Source};
use crate::script::value::text::digest;

/// A script that stands below another one of the same path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Below {
    /// The layer's name.
    pub layer: &'static str,
    /// The folder, empty for a built-in script.
    pub folder: String,
}

/// One script.
#[derive(Debug)]
pub struct Listed {
    /// The path without `.rhai`.
    pub path: String,
    /// The layer's name.
    pub layer: &'static str,
    /// The folder that it was read from, empty for a built-in script.
    pub folder: String,
    /// SHA-256 of the text, in hex; nothing where the text is not known.
    pub digest: Option<String>,
    /// What its `META` says it does.
    pub about: Option<String>,
    /// Whether it is the one that counts under its path.
    pub counts: bool,
    /// The scripts that it replaces, the nearest first.
    pub shadows: Vec<Below>,
    /// What its head says it was ejected from.
    pub ejected_from: Option<Header>,
    /// Whether the built-in script is another one than the one that it was ejected from.
    pub older: bool,
    /// If it is older: the lines by which it differs from the built-in script as it is now.
    pub difference: Vec<String>,
    /// Whether its layer may run: false for a site that is not trusted.
    pub trusted: bool,
    /// Why it cannot run, beside missing trust.
    pub broken: Option<Fault>,
}

/// All of them.
#[derive(Debug)]
pub struct Shelf {
    /// By path, and for one path the one that counts first.
    pub scripts: Vec<Listed>,
    /// Folders and files that could not be read, and may hide more.
    pub unread: Vec<Fault>,
}

impl Shelf {
    /// Whether there is something to mend.
    pub fn is_faulty(&self) -> bool {
        !self.unread.is_empty() || self.scripts.iter().any(|s| s.older || s.broken.is_some())
    }
}

/// Lists every script, or those of one path.
///
/// # Errors
/// There is no script of that path.
pub fn run(settings: &Context<'_>, name: Option<&str>) -> Result<Shelf, Fault> {
    let scripts = Scripts::with(settings.layers.clone());
    let wanted = name.map(|name| name.strip_suffix(".rhai").unwrap_or(name));
    if let Some(wanted) = wanted
        && scripts.effective(wanted).is_none()
    {
        let known: Vec<&str> = scripts.all().map(|s| s.path.as_str()).collect();
        return Err(unknown("script", wanted, &known)
            .with_help("`belegt scripts` lists every script by its path"));
    }
    let mut listed: Vec<Listed> = scripts
        .all()
        .filter(|source| wanted.is_none_or(|wanted| source.path == wanted))
        .map(|source| one(settings, &scripts, source))
        .collect();
    // Later layers stand last; what counts is to be seen first.
    listed.reverse();
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    let unread = settings.faults.iter();
    let unread = unread.filter(|f| matches!(f.code(), Code::ScriptRead | Code::SettingsRead));
    Ok(Shelf {
        scripts: listed,
        unread: unread.cloned().collect(),
    })
}

fn one(settings: &Context<'_>, scripts: &Scripts, source: &Source) -> Listed {
    let text = text(settings, source);
    let path = source.path.as_str();
    let read = compiled(scripts, source, text.as_ref());
    let now = scripts.in_layer(Layer::BuiltIn, path);
    let now = now.filter(|_| source.layer != Layer::BuiltIn);
    let ejected_from = now.and(text.as_ref()).and_then(|t| header::read(path, t));
    let now = now.filter(|now| {
        let was = ejected_from.as_ref().map(|header| &header.digest);
        was.is_some_and(|was| *was != now.digest())
    });
    Listed {
        path: path.to_string(),
        layer: source.layer.name(),
        folder: source.folder.to_string(),
        digest: text.as_ref().map(|text| digest(text.as_bytes())),
        about: read.as_ref().ok().cloned(),
        counts: is_effective(scripts, source),
        shadows: shadows(scripts, source),
        older: now.is_some(),
        difference: now.map_or(Vec::new(), |now| changes(source, text.as_deref(), now)),
        ejected_from,
        trusted: source.layer != Layer::Site || settings.trust.is_trusted(),
        broken: read.err(),
    }
}

/// The text as it was read, also where it may not run.
fn text(settings: &Context<'_>, source: &Source) -> Option<Arc<str>> {
    if source.layer != Layer::Site {
        return source.text().cloned();
    }
    let mut there = settings.bundle.scripts();
    let found = there.find(|(path, _)| *path == source.path);
    found.and_then(|(_, text)| text.ok())
}

/// What the script declares that it does, or why it cannot run. Missing trust alone breaks
/// nothing: then the text is only parsed.
fn compiled(scripts: &Scripts, source: &Source, text: Option<&Arc<str>>) -> Result<String, Fault> {
    let read = match is_effective(scripts, source) {
        true => scripts.script(&source.path),
        false => source.script(),
    };
    match (read, text) {
        (Ok(script), _) => Ok(script.meta.about.clone()),
        (Err(fault), Some(text)) if fault.code() == Code::ScriptUntrusted => {
            let parsed = contract::compile(&source.name(), &source.path, text.clone());
            parsed.map(|script| script.meta.about)
        }
        (Err(fault), _) => Err(fault),
    }
}

fn is_effective(scripts: &Scripts, source: &Source) -> bool {
    let counts = scripts.effective(&source.path);
    counts.is_some_and(|counts| std::ptr::eq(counts, source))
}

/// The scripts of the same path that stand before this one, the nearest first.
fn shadows(scripts: &Scripts, source: &Source) -> Vec<Below> {
    let same = scripts.all().filter(|other| other.path == source.path);
    let mut below: Vec<Below> = same
        .take_while(|other| !std::ptr::eq(*other, source))
        .map(|other| Below {
            layer: other.layer.name(),
            folder: other.folder.to_string(),
        })
        .collect();
    below.reverse();
    below
}

/// From the built-in script as it is now to the one that replaces it, without its head.
fn changes(source: &Source, text: Option<&str>, now: &Source) -> Vec<String> {
    let now_text = now.text().cloned().unwrap_or_default();
    let body = header::body(&source.path, text.unwrap_or_default());
    let file = format!("{}/{}.rhai", source.folder, source.path);
    difference::between((&now.name(), &now_text), (&file, body))
}

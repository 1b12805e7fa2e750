//! A copy of a built-in script, for a site or a person to change.
//!
//! INVARIANT: no file that exists is changed, and only built-in texts are written, under their
//! own path.

use std::fs;
use std::path::Path;

use rustix::fs::CWD;

use super::context::Context;
use super::difference;
use super::write::{self, Draft, Refusal};
use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::script::layers::{Layer, Scripts, Source};
use crate::script::names::closest;
use crate::settings::bundle::MAX_FILE;
use crate::settings::files::{self, Links};
use crate::settings::root::SITE_FOLDER;

pub mod header;

/// What was written.
#[derive(Debug)]
pub struct Ejected {
    /// The file as messages call it.
    pub file: String,
    /// The built-in script.
    pub replaces: String,
    /// SHA-256 of the built-in text, in hex.
    pub digest: String,
    /// What is unavailable without the script, in a sentence's words; nothing for a library.
    pub affects: Option<String>,
    /// Whether nothing of the site counts until a person trusts it.
    pub needs_trust: bool,
    /// Built-in scripts that import it by its built-in name, and so go on with the built-in.
    pub importers: Vec<String>,
    /// How a script imports the copy.
    pub import: String,
    /// The script of a later layer that counts in its place.
    pub hidden_by: Option<String>,
}

/// How it went.
#[derive(Debug)]
pub enum Outcome {
    /// The copy was written.
    Written(Ejected),
    /// A file stands there: the fault, and how it differs from what would be written.
    Exists(Fault, Vec<String>),
}

/// Copies a built-in script into the site's folder, or into the user's own.
///
/// # Errors
/// There is no such script, or the file cannot be written.
pub fn run(settings: &Context<'_>, name: &str, for_user: bool) -> Result<Outcome, Fault> {
    let scripts = Scripts::with(settings.layers.clone());
    let built_in = built_in(&scripts, name)?;
    let path = built_in.path.clone();
    let text = built_in.text().cloned().unwrap_or_default();
    let digest = built_in.digest();
    let text = format!("{}{text}", header::written(&path, &digest));
    let (base, below, file) = place(settings, &path, for_user)?;
    let draft = Draft {
        below: &below,
        text: &text,
        id: &settings.new_id(),
    };
    match write::create(base, draft) {
        Ok(()) => {}
        Err(Refusal::Fault(fault)) => return Err(fault),
        Err(Refusal::Exists) => return Ok(exists((&file, &text), &base.join(&below))),
    }
    let layer = if for_user { Layer::User } else { Layer::Site };
    Ok(Outcome::Written(Ejected {
        file,
        replaces: built_in.name(),
        digest,
        affects: affects(&path),
        needs_trust: !for_user,
        importers: importers(&scripts, &built_in.name()),
        import: format!("{}/{path}", layer.name()),
        hidden_by: hidden_by(&scripts, layer, &path),
    }))
}

/// The folder of a copy, its path below, and how messages call it.
fn place<'s>(
    settings: &'s Context<'_>,
    path: &str,
    for_user: bool,
) -> Result<(&'s Path, String, String), Fault> {
    if !for_user {
        let below = format!("{SITE_FOLDER}/{path}.rhai");
        return Ok((&settings.root, below.clone(), below));
    }
    let folder = settings.user_folder.as_deref().ok_or_else(|| {
        Fault::new(Code::State, "there is no folder of the user's own settings")
            .with_help("set HOME or XDG_CONFIG_HOME")
    })?;
    let below = format!("{path}.rhai");
    let file = shown(&folder.join(&below), settings.home.as_deref());
    Ok((folder, below, file))
}

/// The built-in script of a path such as `probes/work/todo`.
fn built_in<'s>(scripts: &'s Scripts, name: &str) -> Result<&'s Source, Fault> {
    let wanted = name.strip_suffix(".rhai").unwrap_or(name);
    let found = scripts.in_layer(Layer::BuiltIn, wanted);
    found.ok_or_else(|| {
        let known = scripts.all().filter(|s| s.layer == Layer::BuiltIn);
        let known: Vec<&str> = known.map(|s| s.path.as_str()).collect();
        unknown("built-in script", wanted, &known)
            .with_help("`belegt scripts` lists every script by its path")
    })
}

/// A name that nothing bears, with the path that was meant: one that ends with the name, or is
/// close to it.
pub(super) fn unknown(what: &str, name: &str, known: &[&str]) -> Fault {
    let last = |path: &str| path.rsplit('/').next().map(str::to_string);
    let same = known
        .iter()
        .find(|path| last(path).as_deref() == Some(name));
    let lasts = || known.iter().filter_map(|path| path.rsplit('/').next());
    let near = same
        .copied()
        .or_else(|| closest(name, known.iter().copied()));
    let near = near.or_else(|| {
        let near = closest(name, lasts())?;
        let mut paths = known.iter();
        paths
            .find(|path| last(path).as_deref() == Some(near))
            .copied()
    });
    let hint = near.map(|near| format!("; did you mean `{}`?", escape(near)));
    let message = format!(
        "there is no {what} `{}`{}",
        escape(name),
        hint.unwrap_or_default()
    );
    Fault::new(Code::Unknown, message)
}

/// What stands there keeps standing; if it is a text, it is compared.
fn exists((file, text): (&str, &str), place: &Path) -> Outcome {
    let is_file = fs::symlink_metadata(place).is_ok_and(|meta| meta.is_file());
    let read = files::read(CWD, place, Links::Refuse, MAX_FILE).ok();
    let there = read.and_then(|(bytes, _)| String::from_utf8(bytes).ok());
    let difference = there.map(|there| {
        let would = format!("{file} (what would be written)");
        difference::between((file, &there), (&would, text))
    });
    let what = match (is_file, &difference) {
        (false, _) => "exists already and is no file",
        (true, Some(lines)) if lines.is_empty() => "exists already, with the very same text",
        (true, _) => "exists already",
    };
    let message = format!("`{}` {what}, and nothing was written", escape(file));
    let fault = Fault::new(Code::Exists, message).with_help("edit it, or move it away first");
    Outcome::Exists(fault, difference.unwrap_or_default())
}

/// What is unavailable where a script of this path does not run.
fn affects(path: &str) -> Option<String> {
    let below = |folder: &str| path.strip_prefix(folder);
    let role = below("probes/sources/").map(|role| format!("`{role}`"));
    let work = || below("probes/work/").map(|name| format!("`work.{name}`"));
    let proof = || below("probes/proofs/").map(|method| format!("proof by `{method}`"));
    let rule = || below("rules/").map(|_| format!("`{path}`"));
    role.or_else(work).or_else(proof).or_else(rule)
}

fn importers(scripts: &Scripts, name: &str) -> Vec<String> {
    let import = format!("import \"{}\"", name.trim_end_matches(".rhai"));
    let built_in = scripts.all().filter(|s| s.layer == Layer::BuiltIn);
    let importing = built_in.filter(|s| s.text().is_some_and(|text| text.contains(&import)));
    importing.map(|s| s.path.clone()).collect()
}

/// A script of a later layer, which counts in the place of the copy.
fn hidden_by(scripts: &Scripts, layer: Layer, path: &str) -> Option<String> {
    let counts = scripts.effective(path)?;
    (counts.layer > layer).then(|| format!("{}/{path}.rhai", counts.folder))
}

fn shown(path: &Path, home: Option<&Path>) -> String {
    let below = home.and_then(|home| path.strip_prefix(home).ok());
    match below {
        Some(rest) => format!("~/{}", escape(&rest.to_string_lossy())),
        None => escape(&path.to_string_lossy()),
    }
}

//! Scripts with their layers, and what was ejected.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::eject::Ejected;
use crate::app::scripts::{Below, Listed, Shelf};
use crate::diag::Fault;
use crate::model::text::{escape, plural, short};

/// How many characters of a digest are shown.
const DIGEST: usize = 12;

/// Every script; the one that counts under its path is marked.
pub fn text(shelf: &Shelf) -> String {
    let mut text = String::new();
    let mut last = "";
    for script in &shelf.scripts {
        if script.path != last {
            let _ = writeln!(text, "{}", escape(&script.path));
            last = &script.path;
        }
        line(&mut text, script);
        notes(&mut text, script);
    }
    for fault in &shelf.unread {
        let _ = writeln!(text, "  cannot be read: {}", short(&fault.line(), 500));
    }
    let faulty = shelf.scripts.iter().filter(|s| s.broken.is_some()).count();
    let older = shelf.scripts.iter().filter(|s| s.older).count();
    let _ = write!(text, "{}", plural(shelf.scripts.len(), "script", "scripts"));
    let _ = writeln!(text, ", {faulty} broken, {older} older than the built-in");
    text
}

fn line(text: &mut String, script: &Listed) {
    let mark = if script.counts { '*' } else { ' ' };
    let digest: String = match &script.digest {
        Some(digest) => digest.chars().take(DIGEST).collect(),
        None => "-".repeat(DIGEST),
    };
    let place = place(script.layer, &script.folder);
    let about = match &script.about {
        Some(about) => format!("  {}", short(about, 100)),
        None => String::new(),
    };
    let _ = writeln!(text, "  {mark} {digest}  {place}{about}");
}

fn place(layer: &str, folder: &str) -> String {
    match folder {
        "" => layer.to_string(),
        folder => format!("{layer} {}", escape(folder)),
    }
}

fn notes(text: &mut String, script: &Listed) {
    if !script.shadows.is_empty() {
        let below = script.shadows.iter();
        let below: Vec<String> = below.map(|b| place(b.layer, &b.folder)).collect();
        let _ = writeln!(
            text,
            "      replaces {}{}",
            below.join(", "),
            origin(script)
        );
    }
    if !script.trusted {
        text.push_str("      does not run: the site is not trusted as it is; run `belegt trust`\n");
    }
    if let Some(fault) = &script.broken {
        let _ = writeln!(text, "      broken: {}", short(&fault.line(), 500));
    }
    if script.older {
        text.push_str("      warning: the built-in script has changed since; take over what you need (- now, + here):\n");
        text.push_str(&difference(&script.difference));
    }
}

/// Where the copy of a built-in script came from.
fn origin(script: &Listed) -> String {
    match &script.ejected_from {
        Some(header) => format!("; ejected from belegt {}", escape(&header.version)),
        None => String::new(),
    }
}

/// The lines of a difference: text from outside, indented and escaped.
pub fn difference(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let _ = writeln!(text, "      {}", visible(line));
    }
    text
}

/// A line of a script; a tab is no escape in it.
fn visible(line: &str) -> String {
    let line = line.replace('\t', "    ");
    escape(&line)
}

/// Every script as one object.
pub fn json(shelf: &Shelf) -> Value {
    let scripts: Vec<Value> = shelf.scripts.iter().map(one).collect();
    let unread = shelf.unread.iter();
    let unread: Vec<Value> = unread.map(|f| super::json::finding("error", f)).collect();
    json!({ "belegt": 1, "kind": "scripts", "scripts": scripts, "unread": unread })
}

fn one(script: &Listed) -> Value {
    let below = |below: &Below| json!({ "layer": below.layer, "folder": folder(&below.folder) });
    let broken = script.broken.as_ref();
    json!({
        "path": script.path,
        "layer": script.layer,
        "folder": folder(&script.folder),
        "digest": script.digest,
        "about": script.about,
        "counts": script.counts,
        "shadows": script.shadows.iter().map(below).collect::<Vec<_>>(),
        "ejected_from": script.ejected_from.as_ref().map(|header| json!({
            "version": header.version, "digest": header.digest,
        })),
        "older": script.older,
        "difference": script.difference,
        "trusted": script.trusted,
        "broken": broken.map(|fault| super::json::finding("error", fault)),
    })
}

fn folder(folder: &str) -> Option<&str> {
    (!folder.is_empty()).then_some(folder)
}

/// What `eject` wrote, and what comes next.
pub fn ejected(ejected: &Ejected) -> String {
    let digest: String = ejected.digest.chars().take(DIGEST).collect();
    let mut text = format!("  wrote {}\n", escape(&ejected.file));
    let _ = writeln!(
        text,
        "  it replaces {} ({digest})",
        escape(&ejected.replaces)
    );
    if let Some(other) = &ejected.hidden_by {
        let _ = writeln!(text, "  but `{}` counts in its place", escape(other));
    }
    if !ejected.importers.is_empty() {
        let _ = writeln!(
            text,
            "The built-in {} it by its built-in name and go on without the copy: eject them as well, and let them `import \"{}\"`.",
            importing(&ejected.importers),
            ejected.import
        );
    }
    if !ejected.needs_trust {
        if ejected.hidden_by.is_none() {
            text.push_str("It counts from now on. ");
        }
        text.push_str("Next: change it, then `belegt check` and `belegt test`.\n");
        return text;
    }
    let until = match &ejected.affects {
        Some(name) => format!("; until then {name} is unavailable"),
        None => String::new(),
    };
    let _ = writeln!(
        text,
        "No script and no setting of this site counts until a person has run `belegt trust`{until}."
    );
    text.push_str("Next: change it, then `belegt check`, `belegt test` and `belegt trust`.\n");
    text
}

fn importing(importers: &[String]) -> String {
    let names: Vec<String> = importers.iter().map(|name| format!("`{name}`")).collect();
    format!("{} import", names.join(", "))
}

/// What `eject` wrote, as one object.
pub fn ejected_json(ejected: &Ejected) -> Value {
    json!({
        "belegt": 1,
        "kind": "eject",
        "file": ejected.file,
        "replaces": ejected.replaces,
        "digest": ejected.digest,
        "needs_trust": ejected.needs_trust,
        "hidden_by": ejected.hidden_by,
        "importers": ejected.importers,
    })
}

/// A file that stands there already, as one object: an error with the difference beside it.
pub fn exists_json(fault: &Fault, difference: &[String]) -> Value {
    let mut value = super::json::fault(fault);
    if let Value::Object(fields) = &mut value {
        fields.insert("difference".to_string(), json!(difference));
    }
    value
}

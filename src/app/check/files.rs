//! Named files: read, and set into the layer to which they belong.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diag::{Code, Fault, Finding, Severity};
use crate::model::text::escape;
use crate::script::layers::Layer;
use crate::settings::bundle::SITE_FILE;
use crate::settings::files::{self, Links};
use crate::settings::paths::{Base, normal};
use crate::settings::site::{self, Whose};

use crate::app::context::Context;

use super::same;
use super::texts::Text;

/// More than this is no script, in bytes.
const LONGEST: u64 = 4 * 1024 * 1024;

/// What the named files hold.
pub struct Named {
    /// The scripts.
    pub scripts: Vec<Text>,
    /// What is wrong with files of settings.
    pub settings: Vec<Finding>,
    /// How many files of settings there are.
    pub others: usize,
}

/// Reads the files; one that belongs to a layer is named as there.
pub fn read(settings: &Context<'_>, files: &[PathBuf], all: &[Text]) -> Result<Named, Fault> {
    let mut named = Named {
        scripts: Vec::new(),
        settings: Vec::new(),
        others: 0,
    };
    for file in files {
        let shown = escape(&file.to_string_lossy());
        let place = normal(&settings.below_cwd(file));
        let text = text(&shown, &place)?;
        if place.file_name().is_some_and(|name| name == SITE_FILE) {
            named.others += 1;
            named
                .settings
                .extend(site_fault(settings, (&shown, &place), text));
            continue;
        }
        let path = script_path(&place);
        named.scripts.push(Text {
            folder: "".into(),
            layer: layer(settings, &place, &path),
            shown,
            path,
            text: Ok(text),
        });
    }
    for text in &mut named.scripts {
        // What a layer holds under that path and with that text is that layer's.
        let twin = |other: &&Text| other.path == text.path && same(&other.text, &text.text);
        text.layer = text
            .layer
            .or(all.iter().rfind(twin).and_then(|other| other.layer));
    }
    Ok(named)
}

fn text(shown: &str, place: &Path) -> Result<Arc<str>, Fault> {
    let unreadable = |why: String| {
        Fault::new(Code::Input, format!("`{shown}` {why}"))
            .with_help("name a script, or nothing to check the scripts of all layers")
    };
    let read = files::read(rustix::fs::CWD, place, Links::Follow, LONGEST);
    let (bytes, _) = read.map_err(|problem| unreadable(problem.why()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(_) => Err(unreadable("is not UTF-8".to_string())),
    }
}

fn site_fault(
    settings: &Context<'_>,
    (shown, place): (&str, &Path),
    text: Arc<str>,
) -> Option<Finding> {
    let is_user = settings.user_folder.as_deref() == place.parent();
    let whose = if is_user { Whose::User } else { Whose::Site };
    let base = Base {
        folder: Some(&settings.root),
        home: settings.home.as_deref(),
    };
    let fault = site::read(shown, text, whose, base).err()?;
    Some((Severity::Error, fault))
}

/// The longest end of a place that begins with the folder of a layer, without `.rhai`; the bare
/// name of any other file, which is a library.
pub fn script_path(place: &Path) -> String {
    let parts: Vec<&str> = place.iter().filter_map(|part| part.to_str()).collect();
    let starts = |part: &&str| matches!(*part, "probes" | "rules" | "tests");
    let last = parts.len().saturating_sub(1);
    let start = parts.iter().take(last).position(starts).unwrap_or(last);
    let path = parts.get(start..).unwrap_or_default().join("/");
    path.strip_suffix(".rhai").unwrap_or(&path).to_string()
}

fn layer(settings: &Context<'_>, place: &Path, path: &str) -> Option<Layer> {
    let file = format!("{path}.rhai");
    let real = place.canonicalize().unwrap_or_else(|_| place.to_path_buf());
    let is = |folder: &Path| {
        let there = folder.join(&file);
        there == place || there.canonicalize().is_ok_and(|there| there == real)
    };
    if is(&settings.site_folder) {
        return Some(Layer::Site);
    }
    settings
        .user_folder
        .as_deref()
        .is_some_and(is)
        .then_some(Layer::User)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_gives_the_path_of_its_script() {
        for (place, path) in [
            ("/p/.belegt/probes/work/todo.rhai", "probes/work/todo"),
            (
                "/rules/x/probes/rules/gate.rhai",
                "rules/x/probes/rules/gate",
            ),
            ("/p/lib.rhai", "lib"),
            ("/p/probes", "probes"),
            ("/p/tests/a.rhai", "tests/a"),
            ("/", "/"),
        ] {
            assert_eq!(script_path(Path::new(place)), path, "{place}");
        }
    }
}

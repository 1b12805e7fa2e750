//! Playing cases: which files hold them, over which scripts, and what was covered.
//!
//! INVARIANT: nothing of the site needs to be trusted here, because nothing of it can reach
//! outside: the scripts run over fixture worlds only. No case at all is no success.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cases::{Played, play_file};
use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::script::cases::{self, CaseFile};
use crate::script::coverage::Coverage;
pub use crate::script::coverage::{Covered, Point};
use crate::script::layers::{Layer, Loaded, Scripts};
use crate::settings::bundle::MAX_FILE;
use crate::settings::files::{self, Links};

use super::context::Context;

/// Where a project keeps its cases, below the root.
const FOLDERS: &[&str] = &[".belegt/tests", "tests/scripts"];
/// How deep those folders may be.
const MAX_DEPTH: usize = 4;
/// The most files of cases; reaching it is a fault, never a shorter list.
const MAX_FILES: usize = 2_000;

/// What to play.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Files or folders; the project's own if none.
    pub files: Vec<PathBuf>,
    /// Only cases whose name, script or file holds this text.
    pub filter: Option<String>,
    /// Whether to note which statements run.
    pub coverage: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct Report {
    /// The cases that were played, in the order of their files.
    pub played: Vec<Played>,
    /// Files and cases that cannot be read or played.
    pub faults: Vec<Fault>,
    /// Coverage of each script that counts, by name; empty if it was not asked for.
    pub coverage: Vec<(String, Covered)>,
}

impl Report {
    /// How many cases are not as expected.
    pub fn failed(&self) -> usize {
        self.played.iter().filter(|played| !played.passed()).count()
    }

    /// Points that ran and points that there are.
    pub fn covered(&self) -> (usize, usize) {
        let points: usize = self.coverage.iter().map(|(_, c)| c.points).sum();
        let missed: usize = self.coverage.iter().map(|(_, c)| c.missed.len()).sum();
        (points - missed, points)
    }
}

/// Plays the cases.
pub fn run(settings: &Context<'_>, options: &Options) -> Report {
    let scripts = Arc::new(scripts(settings));
    let coverage = options.coverage.then(|| Arc::new(Coverage::default()));
    let mut report = Report {
        played: Vec::new(),
        faults: Vec::new(),
        coverage: Vec::new(),
    };
    // What cannot be read there may hide scripts that these cases would play.
    report.faults.extend_from_slice(settings.bundle.faults());
    for file in found(settings, &options.files) {
        let file = match file.and_then(|(name, text)| cases::read(&name, text)) {
            Ok(file) => file,
            Err(fault) => {
                report.faults.push(fault);
                continue;
            }
        };
        let wanted = |case: &str, script: &str| is_wanted(options, (&file, case, script));
        for result in play_file(&file, &scripts, coverage.as_ref(), &wanted) {
            match result {
                Ok(played) => report.played.push(played),
                Err(fault) => report.faults.push(fault),
            }
        }
    }
    if let Some(coverage) = &coverage {
        report.coverage = covered(&scripts, coverage, &report.played);
        // What cannot be read has no points, and must not look like a script that has none.
        let own = scripts.all().filter(|source| source.layer == Layer::Site);
        let broken: Vec<Fault> = own.filter_map(|source| source.script().err()).collect();
        report.faults.extend(broken);
    }
    report
}

fn is_wanted(options: &Options, (file, case, script): (&CaseFile, &str, &str)) -> bool {
    let Some(filter) = &options.filter else {
        return true;
    };
    [case, script, file.name.as_str()]
        .iter()
        .any(|text| text.contains(filter.as_str()))
}

/// All scripts, those of the site as they lie there, trusted or not: over a fixture world they
/// reach nothing.
pub fn scripts(settings: &Context<'_>) -> Scripts {
    let others = settings.layers.iter().filter(|l| l.layer != Layer::Site);
    let site = settings.bundle.scripts().map(|(path, text)| Loaded {
        layer: Layer::Site,
        folder: settings.bundle.folder().into(),
        path: path.to_string(),
        text,
    });
    Scripts::with(others.cloned().chain(site).collect())
}

/// Scripts that a case played or that ran on the way, and those of the site.
fn covered(scripts: &Scripts, coverage: &Coverage, played: &[Played]) -> Vec<(String, Covered)> {
    let mut all = Vec::new();
    for source in scripts.all() {
        let Ok(script) = source.script() else {
            continue;
        };
        let covered = coverage.of(&script);
        let is_own = source.layer == Layer::Site;
        let is_played = played.iter().any(|case| case.script == source.path);
        let has_run = covered.missed.len() < covered.points;
        if covered.points > 0 && (is_own || is_played || has_run) {
            all.push((source.name(), covered));
        }
    }
    all
}

/// Name and text of a file of cases.
type Text = Result<(String, Arc<str>), Fault>;

/// The files of cases, the named ones or the project's own: name and text of each.
pub(super) fn found(settings: &Context<'_>, named: &[PathBuf]) -> Vec<Text> {
    let mut texts = Vec::new();
    if named.is_empty() {
        for folder in FOLDERS {
            let place = settings.root.join(folder);
            if place.is_dir() {
                walk(&place, folder, MAX_DEPTH, &mut texts);
            } else if place.symlink_metadata().is_ok() {
                texts.push(Err(unreadable(folder, "it is no folder")));
            }
        }
        return texts;
    }
    for named in named {
        let shown = escape(&named.to_string_lossy());
        let place = settings.below_cwd(named);
        match place.is_dir() {
            true => walk(&place, &shown, MAX_DEPTH, &mut texts),
            false => texts.push(read(&place, &shown)),
        }
    }
    once(texts)
}

/// A file that is named twice, or lies in a folder that is named too, is played once.
fn once(mut texts: Vec<Text>) -> Vec<Text> {
    let mut seen = BTreeSet::new();
    texts.retain(|text| match text {
        Ok((name, _)) => seen.insert(name.clone()),
        Err(_) => true,
    });
    texts
}

fn walk(folder: &Path, shown: &str, depth: usize, texts: &mut Vec<Text>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return texts.push(Err(unreadable(shown, &error.to_string()))),
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        let place = folder.join(&name);
        let name = name.to_string_lossy();
        let shown = format!("{shown}/{}", escape(&name));
        match () {
            () if texts.len() >= MAX_FILES => {
                return texts.push(Err(unreadable(&shown, "there are more than 2,000 files")));
            }
            () if name.starts_with('.') => {}
            () if place.is_symlink() => {
                let why = "it is a link, and links are not followed here";
                texts.push(Err(unreadable(&shown, why)));
            }
            () if place.is_dir() && depth == 0 => {
                texts.push(Err(unreadable(&shown, "it is nested too deeply")));
            }
            () if place.is_dir() => walk(&place, &shown, depth - 1, texts),
            () if name.ends_with(".rhai") => texts.push(read(&place, &shown)),
            () => {}
        }
    }
}

fn read(place: &Path, shown: &str) -> Text {
    let read = files::read(rustix::fs::CWD, place, Links::Follow, MAX_FILE);
    let (bytes, _) = read.map_err(|problem| {
        Fault::new(Code::Input, format!("`{shown}` {}", problem.why()))
            .with_help("name a file of cases, or a folder that holds some")
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((shown.to_string(), text.into())),
        Err(_) => Err(unreadable(shown, "it is not UTF-8")),
    }
}

fn unreadable(shown: &str, why: &str) -> Fault {
    Fault::new(Code::Input, format!("`{shown}` cannot be read: {why}"))
}

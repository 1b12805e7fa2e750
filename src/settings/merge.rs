//! The user's file and the site's file as one: single values replace, grants add up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use chrono_tz::Tz;
use serde_json::Value;

use super::locale::Language;
use super::origin::{Origin, Origins};
use super::site::{Absent, SiteFile};

/// What both files say together; nothing where both are silent.
#[derive(Debug, Default)]
pub struct Merged {
    /// The zone.
    pub zone: Option<Tz>,
    /// The language.
    pub language: Option<Language>,
    /// Whether the blind line is English.
    pub english_signal: Option<bool>,
    /// The interval of the guard, with the file that says it.
    pub interval: Option<(Duration, Origin)>,
    /// Whether guard records are mirrored into usmc.
    pub mirror_usmc: Option<bool>,
    /// All granted folders.
    pub roots: Vec<PathBuf>,
    /// All granted commands.
    pub commands: BTreeSet<String>,
    /// All granted variables.
    pub environment: BTreeSet<String>,
    /// Roles declared absent, and by whose file.
    pub absent: BTreeMap<String, (Absent, Origin)>,
    /// Whether the user model may be read.
    pub user_model_authorized: Option<bool>,
    /// The policy.
    pub effects: BTreeMap<String, String>,
    /// The command of the tests.
    pub tests: Option<Vec<String>>,
    /// Whether a sandbox is a must.
    pub sandbox_required: Option<bool>,
    /// How often an unchanged item is handed out.
    pub handed_out: Option<u32>,
    /// Name of the project.
    pub project: Option<String>,
    /// Settings of single scripts.
    pub scripts: BTreeMap<String, Value>,
    /// Where each key came from.
    pub origins: Origins,
}

/// Merges the two files; the caller gives only what counts.
pub fn merge(user: SiteFile, site: SiteFile) -> Merged {
    let mut merged = Merged::default();
    merged.take(user, &Origin::UserFile);
    merged.take(site, &Origin::SiteFile);
    merged
}

impl Merged {
    fn take(&mut self, file: SiteFile, origin: &Origin) {
        let interval = file.interval.map(|interval| (interval, origin.clone()));
        let absent = file.absent.into_iter();
        let absent: BTreeMap<_, _> = absent
            .map(|(role, one)| (role, (one, origin.clone())))
            .collect();
        let mut notes = Notes {
            origins: &mut self.origins,
            origin,
        };
        notes.replace("interval", &mut self.interval, interval);
        notes.replace("zone", &mut self.zone, file.zone);
        notes.replace("language", &mut self.language, file.language);
        notes.replace("signal", &mut self.english_signal, file.english_signal);
        notes.replace("mirror", &mut self.mirror_usmc, file.mirror_usmc);
        let authorized = file.user_model_authorized;
        notes.replace("user_model", &mut self.user_model_authorized, authorized);
        notes.replace("tests", &mut self.tests, file.tests);
        notes.replace("sandbox", &mut self.sandbox_required, file.sandbox_required);
        notes.replace("handed_out", &mut self.handed_out, file.handed_out);
        notes.replace("project", &mut self.project, file.project);
        notes.add("roots", &mut self.roots, file.roots);
        notes.add("commands", &mut self.commands, file.commands);
        notes.add("environment", &mut self.environment, file.environment);
        notes.add("absent", &mut self.absent, absent);
        notes.add("effects", &mut self.effects, file.effects);
        notes.add("scripts", &mut self.scripts, file.scripts);
    }
}

struct Notes<'a> {
    origins: &'a mut Origins,
    origin: &'a Origin,
}

impl Notes<'_> {
    fn replace<T>(&mut self, key: &'static str, slot: &mut Option<T>, new: Option<T>) {
        if new.is_some() {
            *slot = new;
            self.origins.set(key, self.origin.clone());
        }
    }

    /// Adds entries; in maps an entry of the same name is replaced.
    fn add<C, T>(&mut self, key: &'static str, all: &mut C, new: C)
    where
        C: IntoIterator<Item = T> + Extend<T>,
    {
        let mut new = new.into_iter().peekable();
        if new.peek().is_some() {
            all.extend(new);
            self.origins.note(key, self.origin.clone());
        }
    }
}

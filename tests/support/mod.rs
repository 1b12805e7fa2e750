//! A sealed stage for tests: a world made of data, a given moment, the built-in scripts and a
//! view of the ledger; plays a whole tick or asks one probe.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail, and not every test uses every helper"
)]

use belegt::ask::{Asking, Done};
use belegt::ledger::state::State;
use belegt::ledger::{Head, View};
use belegt::model::moment::Moment;
use belegt::script::answer::Answered;
use belegt::script::call::Argument;
use belegt::script::frame::Facts;
use belegt::script::layers::{Layer, Loaded, Scripts};
use belegt::tick::outcome::Outcome;
use belegt::tick::probe::{self, Answer, Located};
use belegt::tick::{Frame, Intervals};
use belegt::world::fixture::{CommandCase, Content, FileCase, Fixture, GitCase};
use belegt::world::grants::Grants;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use belegt::cases::stage::{HOME, ROOT};

/// A moment in Europe/Berlin.
pub fn moment(text: &str) -> Moment {
    let time = chrono::DateTime::parse_from_rfc3339(text).unwrap();
    Moment::new(time.with_timezone(&chrono::Utc), chrono_tz::Europe::Berlin)
}

/// Everything a tick depends on.
#[derive(Clone)]
pub struct Stage {
    pub world: Fixture,
    pub now: Moment,
    pub state: State,
    pub scripts: Vec<Loaded>,
    pub settings: BTreeMap<String, Value>,
    pub site: Value,
    pub grants: Grants,
    pub frame: Frame,
    pub host: String,
    pub baseline: Moment,
    /// The site's command for tests.
    pub tests: Option<Vec<String>>,
    /// What the ledger says of gates, by id.
    pub gates: BTreeMap<String, Value>,
    /// Scripts that were compiled before, to play many worlds.
    pub compiled: Option<Arc<Scripts>>,
}

impl Stage {
    /// An empty world on 2026-11-30 at ten, with the grants that are shipped.
    pub fn new() -> Self {
        let now = moment("2026-11-30T10:00:00+01:00");
        let names = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<BTreeSet<_>>();
        let view = View {
            head: Head::genesis(),
            state: State::default(),
        };
        Stage {
            world: Fixture {
                files: BTreeMap::from([(ROOT.to_string(), folder())]),
                ..Fixture::default()
            },
            now,
            state: State::default(),
            scripts: Vec::new(),
            settings: BTreeMap::new(),
            site: json!({}),
            grants: Grants {
                roots: vec![ROOT.to_string()],
                commands: names(&["git", "usmc", "gardener", "source-resolver"]),
                environment: names(&[
                    "USMC_DB",
                    "GARDENER_DATA",
                    "GARDENER_HOME",
                    "SOURCE_RESOLVER_STORE",
                ]),
                look: vec![
                    format!("{HOME}/.usmc"),
                    format!("{HOME}/.gardener"),
                    format!("{HOME}/gardener"),
                ],
            },
            frame: Frame {
                gates: Default::default(),
                now,
                view: Ok(Arc::new(view)),
                write_fault: None,
                settings_fault: None,
                settings_digest: "settings".to_string(),
                absent: BTreeMap::new(),
                effects: BTreeSet::new(),
                handed_out: 5,
                interval: Intervals::default(),
                use_guard: true,
                english: false,
                mirror: None,
            },
            host: "HOSTA".to_string(),
            baseline: moment("2026-11-23T10:00:00+01:00"),
            tests: None,
            gates: BTreeMap::new(),
            compiled: None,
        }
    }

    /// A text file; a relative path counts from the root.
    pub fn file(mut self, path: &str, text: &str) -> Self {
        self.world
            .files
            .insert(absolute(path), FileCase::text(text));
        self
    }

    /// A file or folder of another kind.
    pub fn place(mut self, path: &str, case: FileCase) -> Self {
        self.world.files.insert(absolute(path), case);
        self
    }

    /// A command that prints.
    pub fn command(mut self, case: CommandCase) -> Self {
        self.world.commands.push(case);
        self
    }

    /// A script of the site's layer.
    pub fn script(mut self, path: &str, text: &str) -> Self {
        self.scripts.push(Loaded {
            layer: Layer::Site,
            folder: ".belegt".into(),
            path: path.to_string(),
            text: Ok(text.into()),
        });
        self
    }

    /// Another moment.
    pub fn at(mut self, text: &str) -> Self {
        self.now = moment(text);
        self.frame.now = self.now;
        self
    }

    /// The way to the scripts over this stage's world.
    pub fn asking(&self) -> Asking {
        let scripts = match &self.compiled {
            Some(compiled) => compiled.clone(),
            None => Arc::new(Scripts::with(self.scripts.clone())),
        };
        let stage = belegt::cases::stage::Stage {
            world: self.world.clone(),
            fails: BTreeMap::new(),
            grants: self.grants.clone(),
            facts: Facts {
                now: self.now,
                root: ROOT.to_string(),
                home: HOME.to_string(),
                host: self.host.clone(),
                actor: "unknown".to_string(),
                project: "demo".to_string(),
                language: "en".to_string(),
                baseline: self.baseline,
                tests: self.tests.clone(),
                settings: json!({}),
                site: self.site.clone(),
            },
            settings: self.settings.clone(),
            state: Ok(self.state.clone()),
            gates: self.gates.clone(),
        };
        stage.asking(&scripts, None)
    }

    /// Plays a whole tick.
    pub fn tick(&self) -> Outcome {
        let mut frame = self.frame.clone();
        if frame.view.is_ok() {
            let view = View {
                head: Head::genesis(),
                state: self.state.clone(),
            };
            frame.view = Ok(Arc::new(view));
        }
        belegt::tick::run(&self.asking(), &frame)
    }

    /// Asks one work probe.
    pub fn look(&self, name: &str) -> Answer {
        probe::look(&self.asking(), name)
    }

    /// Locates one source.
    pub fn locate(&self, role: &str) -> Result<Located, Answer> {
        probe::locate(&self.asking(), role).map(|(located, _)| located)
    }

    /// Locates and reads one source; unavailable if it cannot be located.
    pub fn read(&self, role: &str) -> Answer {
        let asking = self.asking();
        match probe::locate(&asking, role) {
            Ok((located, _)) => probe::read(&asking, &located),
            Err(answer) => answer,
        }
    }

    /// Asks a proof method whether a text is its phrase.
    pub fn recognise(&self, method: &str, text: &str) -> Done<Option<Answered>> {
        let arguments = vec![Argument::Text(text.to_string()), Argument::Context];
        let path = format!("probes/proofs/{method}");
        self.asking().answer_or_none(&path, "recognise", arguments)
    }

    /// Has a proof method prove a gate.
    pub fn prove(&self, method: &str, gate: Value) -> Done<Answered> {
        let arguments = vec![Argument::Context, Argument::Data(gate)];
        let path = format!("probes/proofs/{method}");
        self.asking().answer(&path, "prove", arguments)
    }
}

/// A path below the root, unless it is absolute.
pub fn absolute(path: &str) -> String {
    if path.starts_with('/') {
        path.to_string()
    } else {
        format!("{ROOT}/{path}")
    }
}

/// A folder without entries.
pub fn folder() -> FileCase {
    FileCase {
        content: Content::Folder,
        ..FileCase::text("")
    }
}

/// The ids of the items, in order.
pub fn ids(answer: &Answer) -> Vec<String> {
    answer
        .items
        .iter()
        .map(|seen| seen.item.id.clone())
        .collect()
}

/// The kinds of the items by id.
pub fn kinds(answer: &Answer) -> BTreeMap<String, String> {
    let pairs = answer.items.iter();
    pairs
        .map(|seen| (seen.item.id.clone(), seen.item.kind.clone()))
        .collect()
}

/// A repository case.
pub fn repository(head: &str, tree: &str) -> GitCase {
    GitCase {
        head: head.to_string(),
        tree: tree.to_string(),
        ..GitCase::default()
    }
}

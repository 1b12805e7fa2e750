//! Settings: the only look at environment, zone, home, clock and files of settings.
//!
//! Order: built-in, the user's file, the site's file, the environment, flags; a later one
//! replaces or adds, and each value knows where it came from. [`load()`] looks once; after that
//! everything is a value.
//!
//! INVARIANT: grants come from the user's own file or from a site whose bundle is trusted.
//! What is wrong with settings is a fault in [`Settings::faults`] and never a silent default:
//! with one there, the name `settings` joins the unavailable.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use chrono::DateTime;
use chrono_tz::Tz;
use serde_json::Value;

use crate::diag::Fault;
use crate::model::moment::Moment;
use crate::script::layers::Loaded;
use crate::world::Environment;
use crate::world::grants::Grants;

pub mod absence;
pub mod bundle;
pub mod child;
mod digest;
pub mod files;
pub mod flags;
pub mod grants;
pub mod identity;
pub mod layers;
mod load;
pub mod locale;
pub mod merge;
pub mod origin;
pub mod paths;
pub mod root;
pub mod site;
pub mod surroundings;
pub mod trust;

pub use absence::Declared;
pub use flags::{ColorChoice, Flags};
pub use identity::{Actor, ActorKind};
pub use load::instant;
pub use locale::Language;
pub use origin::{Origin, Origins};
pub use surroundings::{Person, Surroundings};
pub use trust::{Trust, TrustStore};

/// Everything that a run goes by.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The project's root: an existing folder, its real path.
    pub root: PathBuf,
    /// `.belegt/` in the root, whether it exists or not.
    pub site_folder: PathBuf,
    /// The ledger's file.
    pub ledger: PathBuf,
    /// belegt's folder for state of the user; none without a home.
    pub state_folder: Option<PathBuf>,
    /// belegt's folder for settings and scripts of the user; none without a home.
    pub user_folder: Option<PathBuf>,
    /// The home of the user.
    pub home: Option<PathBuf>,
    /// The instant of the run, in its zone: the clock was read once.
    pub now: Moment,
    /// The zone.
    pub zone: Tz,
    /// The language of what people read.
    pub language: Language,
    /// Whether the signal's blind line is English.
    pub english_signal: bool,
    /// The guard's interval as the files say it; the rule's own if none.
    pub interval: Option<(Duration, Origin)>,
    /// The interval of the flag; it may only shorten the one that counts otherwise.
    pub interval_flag: Option<Duration>,
    /// Whether guard records are mirrored into usmc.
    pub mirror_usmc: bool,
    /// What scripts may ask the world.
    pub grants: Grants,
    /// Roles that a person declared absent; an expired one is asked again.
    pub absent: BTreeMap<String, Declared>,
    /// Whether a person allowed the user model to be read.
    pub user_model_authorized: bool,
    /// The policy: name of an effect, and what it allows.
    pub effects: BTreeMap<String, String>,
    /// The command that runs the project's tests, word by word.
    pub tests: Option<Vec<String>>,
    /// How often an unchanged item is handed out.
    pub handed_out: u32,
    /// Name of the project, without comma and blank.
    pub project: String,
    /// Settings of single scripts, by path such as `probes/work/todo`.
    pub scripts: BTreeMap<String, Value>,
    /// Name of the host.
    pub host: String,
    /// Who acts.
    pub actor: Actor,
    /// Id of the session, or `unknown`.
    pub session: String,
    /// The environment that commands get.
    pub child_environment: Environment,
    /// Where commands are looked for: absolute folders only.
    pub path: Option<OsString>,
    /// Where to use colour.
    pub color: Color,
    /// What is wrong with the settings.
    pub faults: Vec<Fault>,
    /// What a person should know and which changes no verdict.
    pub warnings: Vec<String>,
    /// The scripts of all layers outside of the program.
    pub layers: Vec<Loaded>,
    /// Whether the site is trusted.
    pub trust: Trust,
    /// The site's bundle as it was read, for `belegt trust`.
    pub bundle: bundle::Bundle,
    /// Where each key came from.
    pub origins: Origins,
}

/// Which streams are coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Color {
    /// Standard output.
    pub stdout: bool,
    /// Standard error.
    pub stderr: bool,
}

/// Looks at the surroundings once and gives the settings of this run.
///
/// The error is one of the root or of usage; everything else that is wrong stands in
/// [`Settings::faults`].
pub fn load(surroundings: &Surroundings, flags: &Flags) -> Result<Settings, Fault> {
    load::load(surroundings, flags)
}

impl Settings {
    /// A digest of the settings that matter to a verdict.
    pub fn digest(&self) -> String {
        digest::of(self)
    }

    /// The records of trust; none without a home.
    pub fn trust_store(&self) -> Option<TrustStore> {
        self.state_folder.as_deref().map(TrustStore::new)
    }

    /// Where the value of a key of `SITE`, `actor` or `session` came from.
    pub fn origin(&self, key: &str) -> &[Origin] {
        self.origins.of(key)
    }

    fn at(root: PathBuf, site_folder: PathBuf) -> Self {
        Settings {
            root,
            site_folder,
            ledger: PathBuf::new(),
            state_folder: None,
            user_folder: None,
            home: None,
            now: Moment::new(DateTime::UNIX_EPOCH, Tz::UTC),
            zone: Tz::UTC,
            language: Language::default(),
            english_signal: false,
            interval: None,
            interval_flag: None,
            mirror_usmc: false,
            grants: Grants::default(),
            absent: BTreeMap::new(),
            user_model_authorized: false,
            effects: BTreeMap::new(),
            tests: None,
            handed_out: 0,
            project: String::new(),
            scripts: BTreeMap::new(),
            host: String::new(),
            actor: Actor {
                kind: ActorKind::Unknown,
                name: String::new(),
            },
            session: String::new(),
            child_environment: Environment::new(),
            path: None,
            color: Color::default(),
            faults: Vec::new(),
            warnings: Vec::new(),
            layers: Vec::new(),
            trust: Trust::None,
            bundle: bundle::Bundle::default(),
            origins: Origins::default(),
        }
    }
}

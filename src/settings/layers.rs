//! The layers outside of the program: what their files say and which scripts they hold.
//!
//! INVARIANT: a script that may not run or cannot be read keeps its place as a fault, so the
//! script that it shadows does not step in. A wrong file of settings takes its whole layer
//! with it: nothing of that layer runs or grants.

use std::path::Path;
use std::sync::Arc;

use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::script::layers::{Layer, Loaded};

use super::bundle::{Bundle, SITE_FILE};
use super::files::Links;
use super::paths::Base;
use super::root::SITE_FOLDER;
use super::site::{self, SiteFile, Whose};
use super::trust::{Trust, TrustStore};

/// The user's own folder and the extra folders that it names.
#[derive(Debug, Default)]
pub struct UserLayers {
    /// What the user's file says; nothing if it is wrong.
    pub file: SiteFile,
    /// The scripts of the extra folders and of the user's own.
    pub scripts: Vec<Loaded>,
    /// What is wrong with the settings.
    pub faults: Vec<Fault>,
}

/// The site's folder.
#[derive(Debug, Default)]
pub struct SiteLayer {
    /// What the site's file says; without trust only how things are worded.
    pub file: SiteFile,
    /// The scripts.
    pub scripts: Vec<Loaded>,
    /// What is wrong with the settings.
    pub faults: Vec<Fault>,
    /// Whether the bundle is trusted.
    pub trust: Trust,
    /// The bundle as it was read.
    pub bundle: Bundle,
}

/// Reads the user's layers.
pub fn user(folder: &Path, home: Option<&Path>) -> UserLayers {
    let bundle = Bundle::read(folder, &shown(folder, home), Links::Follow);
    let mut layers = UserLayers {
        faults: bundle.faults().to_vec(),
        ..UserLayers::default()
    };
    match read_site(&bundle, Whose::User, Base { folder: None, home }) {
        Ok(file) => {
            for extra in &file.layers {
                add_extra(&mut layers, extra, home);
            }
            layers.scripts.extend(scripts(&bundle, Layer::User, None));
            layers.file = file;
        }
        Err(fault) => {
            let stop = Stop::wrong(&bundle, &fault);
            layers
                .scripts
                .extend(scripts(&bundle, Layer::User, Some(&stop)));
            push_once(&mut layers.faults, fault);
        }
    }
    layers
}

fn add_extra(layers: &mut UserLayers, folder: &Path, home: Option<&Path>) {
    let shown = shown(folder, home);
    let bundle = Bundle::read(folder, &shown, Links::Follow);
    layers.faults.extend_from_slice(bundle.faults());
    if bundle.is_empty() && !folder.is_dir() {
        let message = format!("`{shown}`, which `layers` names, is no folder that can be read");
        let help = "make the folder, or take it out of `layers` in your settings";
        layers
            .faults
            .push(Fault::new(Code::SettingsRead, message).with_help(help));
    }
    layers.scripts.extend(scripts(&bundle, Layer::Extra, None));
}

/// Reads the site's layer and asks whether it is trusted.
pub fn site(root: &Path, store: Option<&TrustStore>, home: Option<&Path>) -> SiteLayer {
    let bundle = Bundle::read(&root.join(SITE_FOLDER), SITE_FOLDER, Links::Refuse);
    let trust = match store {
        Some(store) => store.status(root, &bundle),
        None if bundle.is_empty() => Trust::None,
        None => Trust::Never,
    };
    let mut faults = bundle.faults().to_vec();
    let base = Base {
        folder: Some(root),
        home,
    };
    let read = read_site(&bundle, Whose::Site, base);
    let stop = match (&trust, &read) {
        (Trust::None, _) | (Trust::Trusted, Ok(_)) => None,
        (Trust::Trusted, Err(fault)) => Some(Stop::wrong(&bundle, fault)),
        (trust, _) => Some(Stop::untrusted(trust)),
    };
    if bundle.site().is_some() && !trust.is_trusted() {
        push_once(&mut faults, untrusted(&trust));
    }
    let scripts = scripts(&bundle, Layer::Site, stop.as_ref()).collect();
    let file = match read {
        Ok(file) if trust.is_trusted() => file,
        Ok(file) => wording(file),
        Err(fault) => {
            push_once(&mut faults, fault);
            SiteFile::default()
        }
    };
    SiteLayer {
        file,
        scripts,
        faults,
        trust,
        bundle,
    }
}

/// Without trust a site may choose between fixed texts, and nothing else.
fn wording(file: SiteFile) -> SiteFile {
    SiteFile {
        language: file.language,
        english_signal: file.english_signal,
        ..SiteFile::default()
    }
}

fn untrusted(trust: &Trust) -> Fault {
    match trust {
        Trust::Broken(fault) => fault.clone(),
        trust => {
            let state = trust.text();
            let message = format!("the settings of this site count for nothing: it is {state}");
            Fault::new(Code::SettingsTrust, message).with_help(TRUST_HELP)
        }
    }
}

fn push_once(faults: &mut Vec<Fault>, fault: Fault) {
    if faults.iter().all(|known| known.line() != fault.line()) {
        faults.push(fault);
    }
}

const TRUST_HELP: &str = "read what lies in `.belegt/`, then run `belegt trust` at a terminal";

/// Why the scripts of a layer do not run.
struct Stop {
    code: Code,
    why: String,
    help: &'static str,
}

impl Stop {
    fn wrong(bundle: &Bundle, fault: &Fault) -> Self {
        Stop {
            code: Code::SettingsRead,
            why: format!("`{}` is wrong: {}", bundle.shown(SITE_FILE), fault.line()),
            help: "put the settings right first",
        }
    }

    fn untrusted(trust: &Trust) -> Self {
        Stop {
            code: Code::ScriptUntrusted,
            why: format!("the site is {}", trust.text()),
            help: TRUST_HELP,
        }
    }

    /// The fault of a script that is there and does not run.
    fn fault(&self, shown: &str) -> Fault {
        let message = format!("`{shown}.rhai` does not run: {}", self.why);
        Fault::new(self.code, message).with_help(self.help)
    }
}

fn read_site(bundle: &Bundle, whose: Whose, base: Base<'_>) -> Result<SiteFile, Fault> {
    match bundle.site() {
        None => Ok(SiteFile::default()),
        Some(text) => site::read(&bundle.shown(SITE_FILE), text?, whose, base),
    }
}

/// The scripts of a bundle; those that are stopped get the reason in place of their text.
fn scripts(bundle: &Bundle, layer: Layer, stop: Option<&Stop>) -> impl Iterator<Item = Loaded> {
    let folder: Arc<str> = bundle.folder().into();
    bundle.scripts().map(move |(path, text)| Loaded {
        layer,
        folder: folder.clone(),
        path: path.to_string(),
        text: match (text, stop) {
            (Ok(_), Some(stop)) => Err(stop.fault(&bundle.shown(path))),
            (text, _) => text,
        },
    })
}

/// How messages call a folder of the user: `~` for the home.
fn shown(folder: &Path, home: Option<&Path>) -> String {
    let below = home.and_then(|home| folder.strip_prefix(home).ok());
    match below {
        Some(rest) => format!("~/{}", escape(&rest.to_string_lossy())),
        None => escape(&folder.to_string_lossy()),
    }
}

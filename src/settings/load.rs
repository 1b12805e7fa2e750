//! Putting it together: one look at everything, one value back.
//!
//! Only a root that cannot be and a flag that cannot be understood end a run; every other
//! problem becomes a fault beside the settings, so that the tick can go on and say so.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use crate::diag::{Code, Fault};
use crate::model::duration;
use crate::model::moment::Moment;
use crate::world::Environment;

use super::flags::{ColorChoice, Flags};
use super::grants::Ground;
use super::layers::{self, SiteLayer, UserLayers};
use super::merge::{Merged, merge};
use super::origin::{Origin, Origins};
use super::paths::{folder_variable, normal, variable};
use super::root::SITE_FOLDER;
use super::surroundings::Surroundings;
use super::trust::TrustStore;
use super::{Color, Settings, absence, child, grants, identity, locale, root};

/// How often an unchanged item is handed out where nobody says so.
const HANDED_OUT: u32 = 5;
/// The longest name of a project, in bytes.
const MAX_PROJECT: usize = 64;

/// The user's folders, as the XDG base directory specification places them.
struct Folders {
    home: Option<PathBuf>,
    user: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl Folders {
    fn of(environment: &Environment) -> Self {
        let home = folder_variable(environment, "HOME");
        let place = |name: &str, below: &str| {
            let base = folder_variable(environment, name);
            let base = base.or_else(|| Some(home.as_deref()?.join(below)));
            base.map(|base| base.join("belegt"))
        };
        Folders {
            user: place("XDG_CONFIG_HOME", ".config"),
            state: place("XDG_STATE_HOME", ".local/state"),
            home,
        }
    }
}

/// Reads the settings of a run.
pub(super) fn load(around: &Surroundings, flags: &Flags) -> Result<Settings, Fault> {
    let interval_flag = interval_flag(flags)?;
    let mut origins = Origins::default();
    let who = identity::identity(&around.environment, flags, &mut origins)?;
    let folders = Folders::of(&around.environment);
    let home = folders.home.as_deref();
    let root = root::find(&around.cwd, flags.root.as_deref(), home)?;
    let user = match &folders.user {
        Some(folder) => layers::user(folder, home),
        None => UserLayers::default(),
    };
    let store = folders.state.as_deref().map(TrustStore::new);
    let site = layers::site(&root, store.as_ref(), home);
    let mut settings = empty(around, flags, root);
    settings.interval_flag = interval_flag;
    settings.actor = who.actor;
    settings.session = who.session;
    settings.origins = origins;
    settings.home = folders.home;
    settings.user_folder = folders.user;
    settings.state_folder = folders.state;
    let merged = settings.take_layers(user, site);
    settings.fill(around, merged);
    Ok(settings)
}

fn interval_flag(flags: &Flags) -> Result<Option<Duration>, Fault> {
    let parsed = flags.interval.as_deref().map(duration::parse);
    parsed
        .transpose()
        .map_err(|why| Fault::new(Code::Usage, format!("`--interval`: {why}")))
}

/// Settings of a root where nobody says anything.
fn empty(around: &Surroundings, flags: &Flags, root: PathBuf) -> Settings {
    let site_folder = root.join(SITE_FOLDER);
    let mut faults = Vec::new();
    let instant = instant((around.clock)()).unwrap_or_else(|| {
        let message = "the clock of this machine shows no time that can be used";
        faults.push(Fault::new(Code::SettingsRead, message).with_help("set the clock"));
        DateTime::UNIX_EPOCH
    });
    Settings {
        ledger: match &flags.ledger {
            Some(file) => normal(&around.cwd.join(file)),
            None => site_folder.join("ledger.db"),
        },
        project: project(&root),
        now: Moment::new(instant, Tz::UTC),
        host: identity::host(&around.host),
        path: child::path(&around.environment),
        color: color(around, flags),
        handed_out: HANDED_OUT,
        faults,
        ..Settings::at(root, site_folder)
    }
}

/// The instant that a clock shows; nothing if it is outside of the calendar.
pub fn instant(time: SystemTime) -> Option<DateTime<Utc>> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => {
            let seconds = i64::try_from(since.as_secs()).ok()?;
            DateTime::from_timestamp(seconds, since.subsec_nanos())
        }
        Err(before) => {
            let before = chrono::Duration::from_std(before.duration()).ok()?;
            DateTime::UNIX_EPOCH.checked_sub_signed(before)
        }
    }
}

impl Settings {
    fn take_layers(&mut self, user: UserLayers, site: SiteLayer) -> Merged {
        self.faults.extend(user.faults);
        self.faults.extend(site.faults);
        self.layers.extend(user.scripts);
        self.layers.extend(site.scripts);
        self.trust = site.trust;
        self.bundle = site.bundle;
        merge(user.file, site.file)
    }

    fn fill(&mut self, around: &Surroundings, merged: Merged) {
        let environment = &around.environment;
        let ground = Ground {
            root: &self.root,
            home: self.home.as_deref(),
            environment,
        };
        self.grants = grants::grants(ground, &merged);
        self.child_environment = child::environment(environment, &self.grants.environment);
        let (zone, zone_origin) = self.zone_of(around, &merged);
        self.zone = zone;
        self.now = self.now.in_zone(zone);
        let (language, language_origin) = language_of(environment, &merged);
        self.language = language;
        for (role, (absent, origin)) in merged.absent {
            let declared = absence::declared(absent, origin, self.now);
            self.warnings.extend(declared.warning(&role));
            self.absent.insert(role, declared);
        }
        if merged.sandbox_required == Some(true) {
            self.faults.push(no_sandbox());
        }
        self.english_signal = merged.english_signal.unwrap_or(false);
        self.interval = merged.interval;
        self.mirror_usmc = merged.mirror_usmc.unwrap_or(false);
        self.user_model_authorized = merged.user_model_authorized.unwrap_or(false);
        self.effects = merged.effects;
        self.tests = merged.tests;
        self.handed_out = merged.handed_out.unwrap_or(self.handed_out);
        self.scripts = merged.scripts;
        if let Some(project) = merged.project {
            self.project = project;
        }
        self.origins.join(merged.origins);
        self.origins.set("zone", zone_origin);
        self.origins.set("language", language_origin);
    }

    /// The zone of the files, else of the system; a system that says none keeps UTC.
    fn zone_of(&self, around: &Surroundings, merged: &Merged) -> (Tz, Origin) {
        if let Some(zone) = merged.zone {
            return (zone, last(&merged.origins, "zone"));
        }
        let system = around.system_zone.as_deref().map(str::parse::<Tz>);
        match system {
            Some(Ok(zone)) => match locale::zone_variable(&around.environment) {
                Some(_) => (zone, Origin::Environment("TZ".into())),
                None => (zone, Origin::System),
            },
            _ => (Tz::UTC, Origin::BuiltIn),
        }
    }
}

fn language_of(environment: &Environment, merged: &Merged) -> (locale::Language, Origin) {
    match (merged.language, locale::language(environment)) {
        (Some(language), _) => (language, last(&merged.origins, "language")),
        (None, Some((language, name))) => (language, Origin::Environment(name.into())),
        (None, None) => (locale::Language::default(), Origin::BuiltIn),
    }
}

fn last(origins: &Origins, key: &str) -> Origin {
    origins.of(key).last().cloned().unwrap_or(Origin::BuiltIn)
}

/// A wish that cannot be kept is said, not passed over.
fn no_sandbox() -> Fault {
    let message = "`sandbox: \"required\"` cannot be kept: this belegt runs commands without one";
    Fault::new(Code::SettingsKey, message)
        .with_help("write `sandbox: \"auto\"`, or run belegt in a container")
}

/// The folder's name as one plain word.
fn project(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        let kept = if c.is_alphanumeric() || matches!(c, '.' | '_') {
            c
        } else {
            '-'
        };
        let doubled = kept == '-' && (slug.is_empty() || slug.ends_with('-'));
        if !doubled && slug.len() + kept.len_utf8() <= MAX_PROJECT {
            slug.push(kept);
        }
    }
    match slug.trim_end_matches('-') {
        "" => "project".to_string(),
        slug => slug.to_string(),
    }
}

fn color(around: &Surroundings, flags: &Flags) -> Color {
    let is_plain = variable(&around.environment, "NO_COLOR").is_some()
        || variable(&around.environment, "TERM").is_some_and(|term| term == "dumb");
    let decide = |is_terminal: bool| match flags.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && !is_plain,
    };
    Color {
        stdout: decide(around.stdout_is_terminal),
        stderr: decide(around.stderr_is_terminal),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::script::layers::Layer;
    use crate::settings::{Language, Trust, load};

    /// A home, a project in it, and what surrounds a run there.
    struct Stage {
        _keep: tempfile::TempDir,
        top: PathBuf,
        around: Surroundings,
    }

    impl Stage {
        fn new(files: &[(&str, &str)]) -> Self {
            let keep = tempfile::tempdir().unwrap();
            let top = keep.path().canonicalize().unwrap();
            fs::create_dir_all(top.join("home/My Project/.git")).unwrap();
            let instant = UNIX_EPOCH + Duration::from_secs(1_796_029_200);
            let around = Surroundings {
                args: Vec::new(),
                environment: [("HOME".into(), top.join("home").into())].into(),
                cwd: top.join("home/My Project"),
                clock: Arc::new(move || instant),
                random: Arc::new(|| [7; 16]),
                host: "box".into(),
                system_zone: None,
                person: None,
                stdout_is_terminal: true,
                stderr_is_terminal: false,
            };
            let stage = Stage {
                _keep: keep,
                top,
                around,
            };
            for (path, text) in files {
                stage.write(path, text);
            }
            stage
        }

        /// `user/...` lies in the user's folder, everything else in the project.
        fn path(&self, path: &str) -> PathBuf {
            match path.strip_prefix("user/") {
                Some(rest) => self.top.join("home/.config/belegt").join(rest),
                None => self.top.join("home/My Project").join(path),
            }
        }

        fn write(&self, path: &str, text: impl AsRef<[u8]>) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn set(&mut self, name: &str, value: &str) {
            self.around.environment.insert(name.into(), value.into());
        }

        fn load(&self) -> Settings {
            load(&self.around, &Flags::default()).unwrap()
        }

        fn trust(&self) {
            let settings = self.load();
            let store = settings.trust_store().unwrap();
            store
                .record(&settings.root, &settings.bundle, "now", "ada")
                .unwrap();
        }

        fn trusted(files: &[(&str, &str)]) -> Self {
            let stage = Stage::new(files);
            stage.trust();
            stage
        }
    }

    fn site(inner: &str) -> String {
        format!("const SITE = #{{ {inner} }};")
    }

    /// Whether a script of a layer can be used; `None` if it is not there.
    fn usable(settings: &Settings, layer: Layer, path: &str) -> Option<bool> {
        let mut all = settings.layers.iter();
        let found = all.find(|one| one.layer == layer && one.path == path)?;
        Some(found.text.is_ok())
    }

    const GRANTING: &str = "zone: \"Europe/Berlin\", language: \"de\", signal: \"en\", \
        interval: \"30d\", mirror: \"usmc\", roots: [\"/secret\"], commands: [\"rm\"], \
        environment: [\"SECRET\"], absent: #{ \"user.model\": #{ reason: \"r\" } }, \
        user_model: #{ authorized: true }, effects: #{ push: \"all\" }, tests: [\"rm\"], \
        handed_out: 1000, project: \"evil\", scripts: #{ \"probes/work/todo\": #{} }";

    #[test]
    fn nothing_said_gives_the_built_in_settings() {
        let stage = Stage::new(&[]);
        let settings = stage.load();
        let root = stage.path("");
        assert_eq!(settings.root.join(""), root);
        assert_eq!(settings.ledger, root.join(".belegt/ledger.db"));
        assert_eq!(
            settings.user_folder,
            Some(stage.path("user/").parent().unwrap().join("belegt"))
        );
        assert_eq!(
            settings.state_folder,
            Some(stage.top.join("home/.local/state/belegt"))
        );
        assert_eq!(settings.project, "my-project");
        assert_eq!(settings.handed_out, 5);
        assert_eq!(
            (settings.zone, settings.language),
            (Tz::UTC, Language::English)
        );
        assert_eq!(settings.interval, None);
        assert!(matches!(settings.trust, Trust::None));
        assert!(settings.faults.is_empty() && settings.warnings.is_empty());
        assert!(settings.layers.is_empty());
        assert_eq!(settings.now.rfc3339(), "2026-11-30T09:00:00+00:00");
        assert_eq!(settings.grants.roots.len(), 1);
        assert_eq!(settings.origin("zone"), [Origin::BuiltIn]);
        assert_eq!(
            (settings.session.as_str(), settings.actor.name.as_str()),
            ("unknown", "unknown")
        );
    }

    #[test]
    fn a_later_source_replaces_and_grants_add_up() {
        let stage = Stage::trusted(&[
            (
                "user/site.rhai",
                &site(
                    "zone: \"Asia/Tokyo\", language: \"de\", interval: \"20m\", handed_out: 3, \
                 roots: [\"/u\"], commands: [\"jq\"], environment: [\"CI\"], \
                 absent: #{ \"a\": #{ reason: \"u\" }, \"b\": #{ reason: \"u\" } }, \
                 effects: #{ push: \"u\", mail: \"u\" }, user_model: #{ authorized: true }",
                ),
            ),
            (
                ".belegt/site.rhai",
                &site(
                    "zone: \"Europe/Berlin\", interval: \"10m\", roots: [\"docs\"], \
                 commands: [\"make\"], absent: #{ \"b\": #{ reason: \"s\" } }, \
                 effects: #{ push: \"s\" }, user_model: #{ authorized: false }, project: \"p\"",
                ),
            ),
        ]);
        let settings = stage.load();
        assert!(settings.faults.is_empty(), "{:?}", settings.faults);
        let table = [
            ("zone", settings.zone.name(), vec![Origin::SiteFile]),
            ("language", settings.language.text(), vec![Origin::UserFile]),
            ("project", settings.project.as_str(), vec![Origin::SiteFile]),
            (
                "roots",
                settings.grants.roots[2].as_str(),
                vec![Origin::UserFile, Origin::SiteFile],
            ),
        ];
        let docs = stage.path("docs");
        let wanted = ["Europe/Berlin", "de", "p", docs.to_str().unwrap()];
        for ((key, value, origins), wanted) in table.into_iter().zip(wanted) {
            assert_eq!(value, wanted, "{key}");
            assert_eq!(settings.origin(key), origins, "{key}");
        }
        assert_eq!(
            settings.interval,
            Some((Duration::from_secs(600), Origin::SiteFile))
        );
        assert_eq!(settings.handed_out, 3);
        assert_eq!(settings.grants.roots[1], "/u");
        assert!(
            ["git", "jq", "make"]
                .iter()
                .all(|c| settings.grants.commands.contains(*c))
        );
        assert_eq!(settings.absent["a"].reason, "u");
        assert_eq!(settings.absent["b"].reason, "s");
        assert_eq!(settings.absent["b"].origin, Origin::SiteFile);
        assert_eq!(
            (
                settings.effects["push"].as_str(),
                settings.effects["mail"].as_str()
            ),
            ("s", "u")
        );
        assert!(!settings.user_model_authorized);
        assert_eq!(settings.now.rfc3339(), "2026-11-30T10:00:00+01:00");
    }

    #[test]
    fn an_untrusted_site_grants_nothing_and_runs_nothing() {
        let stage = Stage::new(&[
            (".belegt/site.rhai", &site(GRANTING)),
            (".belegt/probes/work/todo.rhai", "x"),
        ]);
        let before = Stage::new(&[]).load();
        let settings = stage.load();
        assert!(matches!(settings.trust, Trust::Never));
        assert_eq!(settings.faults.len(), 1);
        assert_eq!(settings.faults[0].code(), Code::SettingsTrust);
        assert_eq!(
            usable(&settings, Layer::Site, "probes/work/todo"),
            Some(false)
        );
        assert_eq!(settings.grants.roots.len(), 1);
        assert_eq!(settings.grants.commands, before.grants.commands);
        assert_eq!(settings.grants.environment, before.grants.environment);
        assert!(settings.absent.is_empty() && settings.effects.is_empty());
        assert!(!settings.user_model_authorized && !settings.mirror_usmc);
        assert_eq!(
            (settings.interval.as_ref(), settings.tests.as_ref()),
            (None, None)
        );
        assert_eq!(
            (settings.handed_out, settings.project.as_str()),
            (5, "my-project")
        );
        assert_eq!(settings.zone, Tz::UTC);
        assert!(settings.scripts.is_empty());
        // How things are worded is no grant.
        assert!(settings.english_signal);
        assert_eq!(settings.language, Language::German);
        stage.trust();
        let settings = stage.load();
        assert!(settings.faults.is_empty());
        assert_eq!(
            usable(&settings, Layer::Site, "probes/work/todo"),
            Some(true)
        );
        assert!(settings.grants.commands.contains("rm") && settings.mirror_usmc);
    }

    #[test]
    fn untrusted_scripts_without_settings_are_no_fault_of_the_settings() {
        let stage = Stage::new(&[(".belegt/rules/chain.rhai", "x")]);
        let settings = stage.load();
        assert!(settings.faults.is_empty());
        let fault = settings.layers[0].text.as_ref().unwrap_err();
        assert_eq!(fault.code(), Code::ScriptUntrusted);
        assert!(fault.help_text().unwrap().contains("`belegt trust`"));
    }

    #[test]
    fn a_byte_takes_the_trust_away() {
        let stage = Stage::trusted(&[
            (".belegt/site.rhai", &site("handed_out: 9")),
            (".belegt/probes/work/a.rhai", "a"),
        ]);
        assert_eq!(stage.load().handed_out, 9);
        stage.write(".belegt/probes/work/a.rhai", "b");
        let settings = stage.load();
        assert_eq!(settings.handed_out, 5);
        assert!(
            settings.faults[0]
                .message()
                .contains("`probes/work/a.rhai` is changed")
        );
        assert_eq!(usable(&settings, Layer::Site, "probes/work/a"), Some(false));
    }

    #[test]
    fn every_kind_of_damage_is_a_fault_and_ends_nothing() {
        type Damage = fn(&Path);
        let large = |path: &Path| fs::write(path, "x".repeat(100_000)).unwrap();
        let table: [(&str, Damage, Code); 11] = [
            (
                "syntax",
                |p| fs::write(p, "const SITE = #{").unwrap(),
                Code::ScriptCompile,
            ),
            (
                "computed",
                |p| fs::write(p, site("zone: f()")).unwrap(),
                Code::MetaLiteral,
            ),
            (
                "function",
                |p| fs::write(p, site("") + " fn f() { 1 }").unwrap(),
                Code::ScriptTopLevel,
            ),
            (
                "mark",
                |p| fs::write(p, format!("\u{feff}{}", site(""))).unwrap(),
                Code::ScriptSize,
            ),
            (
                "no UTF-8",
                |p| fs::write(p, b"const SITE = #{};\xff").unwrap(),
                Code::SettingsRead,
            ),
            ("empty", |p| fs::write(p, "").unwrap(), Code::MetaMissing),
            (
                "key",
                |p| fs::write(p, site("zoen: 1")).unwrap(),
                Code::SettingsKey,
            ),
            (
                "FIFO",
                |p| {
                    let made = std::process::Command::new("mkfifo").arg(p).status();
                    assert!(made.unwrap().success());
                },
                Code::SettingsRead,
            ),
            ("folder", |p| fs::create_dir(p).unwrap(), Code::SettingsRead),
            (
                "link",
                |p| std::os::unix::fs::symlink("nowhere", p).unwrap(),
                Code::SettingsRead,
            ),
            ("large", large, Code::SettingsRead),
        ];
        for (name, damage, code) in table {
            for whose in [".belegt", "user"] {
                let script = format!("{whose}/probes/work/a.rhai");
                let stage = Stage::new(&[(&script, "a")]);
                damage(&stage.path(&format!("{whose}/site.rhai")));
                let is_readable = stage.load().bundle.broken().is_none();
                if whose == ".belegt" && is_readable {
                    stage.trust();
                }
                let settings = stage.load();
                let codes: Vec<Code> = settings.faults.iter().map(Fault::code).collect();
                assert_eq!(codes, [code], "{name} {whose}: {:?}", settings.faults);
                let layer = if whose == "user" {
                    Layer::User
                } else {
                    Layer::Site
                };
                assert_eq!(
                    usable(&settings, layer, "probes/work/a"),
                    Some(false),
                    "{name} {whose}"
                );
            }
        }
    }

    #[test]
    fn an_untrusted_and_wrong_site_says_both() {
        let stage = Stage::new(&[(".belegt/site.rhai", "const SITE = #{")]);
        let settings = stage.load();
        let codes: Vec<Code> = settings.faults.iter().map(Fault::code).collect();
        assert_eq!(codes, [Code::SettingsTrust, Code::ScriptCompile]);
    }

    #[test]
    fn what_may_hide_scripts_is_a_fault_even_without_settings() {
        let stage = Stage::new(&[(".belegt/probes/work/a.rhai", "a")]);
        std::os::unix::fs::symlink("/", stage.path(".belegt/rules")).unwrap();
        let settings = stage.load();
        assert_eq!(settings.faults.len(), 1);
        assert_eq!(usable(&settings, Layer::Site, "probes/work/a"), Some(false));
    }

    #[test]
    fn layers_come_in_their_order_and_an_unread_script_keeps_its_place() {
        let stage = Stage::trusted(&[
            ("user/site.rhai", &site("layers: [\"~/extra\", \"~/none\"]")),
            ("user/probes/work/a.rhai", "user"),
            ("../extra/probes/work/a.rhai", "extra"),
            ("../extra/site.rhai", "never read"),
            (".belegt/probes/work/a.rhai", "site"),
        ]);
        stage.write("user/probes/work/b.rhai", b"\xff");
        let settings = stage.load();
        let texts: Vec<(&str, &str)> = settings
            .layers
            .iter()
            .map(|one| (one.layer.name(), one.text.as_deref().unwrap_or("-")))
            .collect();
        let wanted = [
            ("extra", "extra"),
            ("user", "user"),
            ("user", "-"),
            ("site", "site"),
        ];
        assert_eq!(texts, wanted);
        assert_eq!(settings.faults.len(), 1, "{:?}", settings.faults);
        assert!(
            settings.faults[0].message().contains("`~/none`"),
            "{}",
            settings.faults[0]
        );
    }

    #[test]
    fn the_environment_and_the_flags_are_heard() {
        let mut stage = Stage::new(&[]);
        stage.set("LANG", "de_DE.UTF-8");
        stage.set("TZ", "Asia/Tokyo");
        stage.set("BELEGT_SESSION", "s1");
        stage.set("XDG_STATE_HOME", "/state");
        stage.set("XDG_CONFIG_HOME", "relative");
        stage.around.system_zone = Some("Asia/Tokyo".into());
        let settings = stage.load();
        assert_eq!(settings.language, Language::German);
        assert_eq!(
            settings.origin("language"),
            [Origin::Environment("LANG".into())]
        );
        assert_eq!(settings.zone, Tz::Asia__Tokyo);
        assert_eq!(settings.origin("zone"), [Origin::Environment("TZ".into())]);
        assert_eq!(settings.session, "s1");
        assert_eq!(settings.state_folder, Some("/state/belegt".into()));
        assert_eq!(
            settings.user_folder,
            Some(stage.top.join("home/.config/belegt"))
        );
        let flags = Flags {
            session: Some("f".into()),
            ledger: Some("../l.db".into()),
            interval: Some("5m".into()),
            ..Flags::default()
        };
        let settings = load(&stage.around, &flags).unwrap();
        assert_eq!(settings.session, "f");
        assert_eq!(settings.origin("session"), [Origin::Flag("--session")]);
        assert_eq!(settings.ledger, stage.top.join("home/l.db"));
        assert_eq!(settings.interval_flag, Some(Duration::from_secs(300)));
        let flags = Flags {
            interval: Some("5".into()),
            ..Flags::default()
        };
        assert_eq!(load(&stage.around, &flags).unwrap_err().code(), Code::Usage);
        stage.around.environment.remove(std::ffi::OsStr::new("TZ"));
        assert_eq!(stage.load().origin("zone"), [Origin::System]);
    }

    #[test]
    fn without_a_home_nothing_is_trusted_and_nothing_breaks() {
        let mut stage = Stage::trusted(&[(".belegt/site.rhai", &site("handed_out: 9"))]);
        stage.around.environment.clear();
        let settings = stage.load();
        assert_eq!(
            (settings.home.as_ref(), settings.state_folder.as_ref()),
            (None, None)
        );
        assert_eq!(settings.handed_out, 5);
        assert_eq!(settings.faults.len(), 1);
    }

    #[test]
    fn colour_follows_flag_variable_and_terminal() {
        use ColorChoice::{Always, Auto, Never};
        let table = [
            (Auto, "", "xterm", true),
            (Auto, "1", "xterm", false),
            (Auto, "", "dumb", false),
            (Always, "1", "xterm", true),
            (Never, "", "xterm", false),
        ];
        for (color, no_color, term, wanted) in table {
            let mut stage = Stage::new(&[]);
            stage.set("NO_COLOR", no_color);
            stage.set("TERM", term);
            let flags = Flags {
                color,
                ..Flags::default()
            };
            let settings = load(&stage.around, &flags).unwrap();
            assert_eq!(settings.color.stdout, wanted);
            assert_eq!(settings.color.stderr, color == Always);
        }
    }

    #[test]
    fn a_folder_name_becomes_one_plain_word() {
        let table = [
            ("/x/belegt", "belegt"),
            ("/x/My, Project (2)", "my-project-2"),
            ("/x/Übersicht", "übersicht"),
            ("/x/...", "..."),
            ("/x/ ,,", "project"),
            ("/", "project"),
        ];
        for (root, wanted) in table {
            assert_eq!(project(Path::new(root)), wanted);
        }
        assert!(project(Path::new(&"ü".repeat(100))).len() <= MAX_PROJECT);
    }

    #[test]
    fn a_clock_out_of_all_bounds_is_a_fault() {
        let mut stage = Stage::new(&[]);
        stage.around.clock = Arc::new(|| UNIX_EPOCH + Duration::from_secs(1 << 60));
        assert_eq!(stage.load().faults.len(), 1);
        stage.around.clock = Arc::new(|| UNIX_EPOCH - Duration::from_secs(1));
        let settings = stage.load();
        assert_eq!(settings.now.rfc3339(), "1969-12-31T23:59:59+00:00");
        assert!(settings.faults.is_empty());
    }

    #[test]
    fn an_end_of_an_absence_is_announced() {
        let text = site(
            "absent: #{ \"a\": #{ reason: \"r\", end: \"2026-11-29\" }, \
             \"b\": #{ reason: \"r\", end: \"2026-12-10\" }, \
             \"c\": #{ reason: \"r\", end: \"2027-11-30\" } }",
        );
        let settings = Stage::new(&[("user/site.rhai", &text)]).load();
        assert_eq!(settings.warnings.len(), 2, "{:?}", settings.warnings);
        assert!(settings.absent["a"].expired && settings.absent["b"].ends_soon);
    }

    #[test]
    fn a_wish_for_a_sandbox_is_not_passed_over() {
        let wish = |word: &str| {
            let text = site(&format!("sandbox: \"{word}\""));
            Stage::new(&[("user/site.rhai", &text)]).load().faults.len()
        };
        assert_eq!((wish("auto"), wish("required")), (0, 1));
    }

    #[test]
    fn the_digest_moves_with_what_matters_alone() {
        let mut stage = Stage::new(&[("user/site.rhai", &site("handed_out: 3"))]);
        let base = stage.load().digest();
        assert_eq!(stage.load().digest(), base);
        stage.around.clock = Arc::new(|| UNIX_EPOCH);
        stage.set("BELEGT_SESSION", "other");
        stage.set("NO_COLOR", "1");
        stage.set("UNRELATED", "1");
        assert_eq!(stage.load().digest(), base);
        let mut seen = std::collections::BTreeSet::from([base]);
        for inner in [
            "",
            "handed_out: 4",
            "zone: \"Asia/Tokyo\"",
            "interval: \"1m\"",
            "mirror: \"usmc\"",
            "roots: [\"/x\"]",
            "commands: [\"x\"]",
            "environment: [\"X\"]",
            "absent: #{ a: #{ reason: \"r\" } }",
            "absent: #{ a: #{ reason: \"s\" } }",
            "absent: #{ a: #{ reason: \"r\", end: \"2020-01-01\" } }",
            "user_model: #{ authorized: true }",
            "effects: #{ push: \"x\" }",
            "tests: [\"x\"]",
            "project: \"x\"",
            "scripts: #{ \"rules/gate\": #{ a: 1 } }",
            "language: \"de\"",
        ] {
            stage.write("user/site.rhai", site(inner));
            assert!(seen.insert(stage.load().digest()), "{inner}");
        }
        stage.set("USMC_DB", "/elsewhere");
        assert!(seen.insert(stage.load().digest()));
    }
}

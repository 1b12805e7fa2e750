//! `SITE`: the settings of one file, typed, unknown keys refused with their place.
//!
//! INVARIANT: a file is right as a whole or it is a fault. Nothing of a wrong file is used, so
//! a misspelt key can never silently leave a grant or a bound at its default.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde_json::Value;

use crate::diag::Fault;
use crate::model::duration;
use crate::script::site::read_site;

use super::locale::{self, Language};
use super::paths::Base;

mod field;
mod words;

use field::Field;
use words::{command, date, is_role_name, is_script_path, path, project_name, variable_name, word};

/// The keys of `SITE`.
pub const KEYS: &[&str] = &[
    "zone",
    "language",
    "signal",
    "interval",
    "mirror",
    "roots",
    "commands",
    "environment",
    "absent",
    "user_model",
    "effects",
    "tests",
    "layers",
    "sandbox",
    "handed_out",
    "project",
    "scripts",
];

/// The most extra folders that the user's file may name.
const MAX_LAYERS: usize = 16;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The user's: it may name extra folders of scripts.
    User,
    /// A site's.
    Site,
}

/// A role that a person declared absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Why there is none.
    pub reason: String,
    /// The last day on which this counts.
    pub end: Option<NaiveDate>,
}

/// What one file says; nothing where it is silent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteFile {
    /// The zone of times and dates.
    pub zone: Option<Tz>,
    /// The language of what people read.
    pub language: Option<Language>,
    /// Whether the signal's blind line is English.
    pub english_signal: Option<bool>,
    /// How long an unchanged result spares a new look.
    pub interval: Option<Duration>,
    /// Whether guard records are mirrored into usmc.
    pub mirror_usmc: Option<bool>,
    /// Folders that may be read: absolute, lexically normal.
    pub roots: Vec<PathBuf>,
    /// Commands that may run: bare names or absolute paths.
    pub commands: BTreeSet<String>,
    /// Names of variables that scripts and commands may see.
    pub environment: BTreeSet<String>,
    /// Roles declared absent.
    pub absent: BTreeMap<String, Absent>,
    /// Whether the user model may be read.
    pub user_model_authorized: Option<bool>,
    /// The policy: name of an effect, and what it allows.
    pub effects: BTreeMap<String, String>,
    /// The command that runs the project's tests, word by word.
    pub tests: Option<Vec<String>>,
    /// Extra folders of scripts: the user's file only.
    pub layers: Vec<PathBuf>,
    /// Whether commands must run in a sandbox of the system.
    pub sandbox_required: Option<bool>,
    /// How often an unchanged item is handed out.
    pub handed_out: Option<u32>,
    /// Name of the project.
    pub project: Option<String>,
    /// Settings of single scripts, by path.
    pub scripts: BTreeMap<String, Value>,
}

/// Reads a file's text; `name` is how messages call it.
pub fn read(name: &str, text: Arc<str>, whose: Whose, base: Base<'_>) -> Result<SiteFile, Fault> {
    let literal = read_site(name, text)?;
    let top = Field::top(&literal);
    let mut file = SiteFile::default();
    for (key, field) in top.entries()? {
        match key {
            "layers" if whose == Whose::Site => {
                return Err(field
                    .wrong("`layers` may stand in the user's file only")
                    .with_help(
                        "scripts of the site live in `.belegt/probes` and `.belegt/rules`",
                    ));
            }
            "roots" | "commands" | "environment" | "absent" | "user_model" | "effects" => {
                grant(&mut file, key, &field, base)?;
            }
            "tests" | "layers" | "sandbox" | "scripts" => {
                running(&mut file, key, &field, base)?;
            }
            _ => plain(&mut file, key, &field)?,
        }
    }
    Ok(file)
}

/// The keys that say how and when, and grant nothing.
fn plain(file: &mut SiteFile, key: &str, field: &Field<'_>) -> Result<(), Fault> {
    match key {
        "zone" => file.zone = Some(field.checked(locale::zone)?),
        "language" => {
            let word = field.one_of(&["en", "de"])?;
            file.language = Language::named(word);
        }
        "signal" => file.english_signal = Some(field.one_of(&["de", "en"])? == "en"),
        "interval" => file.interval = Some(field.checked(duration::parse)?),
        "mirror" => file.mirror_usmc = Some(field.one_of(&["usmc"])? == "usmc"),
        "handed_out" => file.handed_out = Some(field.number(1..=1000)?),
        "project" => file.project = Some(field.checked(project_name)?),
        _ => return Err(field.unknown(KEYS)),
    }
    Ok(())
}

/// The keys that only a person may set.
fn grant(file: &mut SiteFile, key: &str, field: &Field<'_>, base: Base<'_>) -> Result<(), Fault> {
    match key {
        "roots" => file.roots = field.list(|text| path(text, base))?,
        "commands" => file.commands = to_set(field.list(|text| command(text, base))?),
        "environment" => file.environment = to_set(field.list(variable_name)?),
        "absent" => {
            for (role, inner) in field.entries()? {
                inner.key_must(role, is_role_name, "a role such as `user.model`")?;
                file.absent.insert(role.to_string(), absent(&inner)?);
            }
        }
        "user_model" => {
            for (key, inner) in field.entries()? {
                match key {
                    "authorized" => file.user_model_authorized = Some(inner.flag()?),
                    _ => return Err(inner.unknown(&["authorized"])),
                }
            }
        }
        _ => {
            for (name, inner) in field.entries()? {
                inner.key_must(name, is_role_name, "a name such as `push`")?;
                file.effects.insert(name.to_string(), inner.sentence()?);
            }
        }
    }
    Ok(())
}

/// The keys that say what runs, and with which settings.
fn running(file: &mut SiteFile, key: &str, field: &Field<'_>, base: Base<'_>) -> Result<(), Fault> {
    match key {
        "tests" => {
            let words = field.list(word)?;
            if words.is_empty() {
                return Err(field
                    .wrong("`tests` is an empty list")
                    .with_help("write the command word by word: `tests: [\"make\", \"test\"]`"));
            }
            file.tests = Some(words);
        }
        "layers" => {
            file.layers = field.list(|text| path(text, base))?;
            if file.layers.len() > MAX_LAYERS {
                return Err(field.wrong("`layers` names more than 16 folders"));
            }
        }
        "sandbox" => {
            file.sandbox_required = Some(field.one_of(&["auto", "required"])? == "required")
        }
        _ => {
            for (path, inner) in field.entries()? {
                inner.key_must(path, is_script_path, "a script such as `probes/work/todo`")?;
                file.scripts.insert(path.to_string(), inner.map()?.clone());
            }
        }
    }
    Ok(())
}

fn absent(field: &Field<'_>) -> Result<Absent, Fault> {
    let mut reason = None;
    let mut end = None;
    for (key, inner) in field.entries()? {
        match key {
            "reason" => reason = Some(inner.sentence()?),
            "end" => end = Some(inner.checked(date)?),
            "until" => return Err(inner.wrong("`absent` has no key `until`; did you mean `end`?")),
            _ => return Err(inner.unknown(&["reason", "end"])),
        }
    }
    match reason {
        Some(reason) => Ok(Absent { reason, end }),
        None => Err(field
            .wrong("a role that is declared absent needs its `reason`")
            .with_help("`\"user.model\": #{ reason: \"there is none\", end: \"2027-11-30\" }`")),
    }
}

fn to_set(list: Vec<String>) -> BTreeSet<String> {
    list.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::diag::Code;

    const BASE: Base<'static> = Base {
        folder: None,
        home: None,
    };

    fn base() -> Base<'static> {
        Base {
            folder: Some(Path::new("/site")),
            home: Some(Path::new("/home/ada")),
        }
    }

    fn read_as(whose: Whose, inner: &str) -> Result<SiteFile, Fault> {
        let text = format!("const SITE = #{{\n{inner}\n}};");
        read("site.rhai", text.as_str().into(), whose, base())
    }

    fn good(inner: &str) -> SiteFile {
        read_as(Whose::User, inner).unwrap_or_else(|fault| panic!("{inner}: {}", fault.line()))
    }

    #[test]
    fn every_key_is_read() {
        assert_eq!(good(""), SiteFile::default());
        let file = good(
            r#"zone: "Europe/Berlin", language: "de", signal: "en", interval: "1h30m",
            mirror: "usmc", roots: ["docs", "~/notes/", "/srv/../data"],
            commands: ["jq", "/opt/x/bin/y", "~/bin/z"], environment: ["A_1", "_b"],
            absent: #{ "user.model": #{ reason: " none here ", end: "2027-11-30" }, "x": #{ reason: "r" } },
            user_model: #{ authorized: true }, effects: #{ push: "own branches only" },
            tests: ["make", "test all"], layers: ["~/scripts"], sandbox: "auto",
            handed_out: 7, project: "belegt", scripts: #{ "probes/work/todo": #{ files: ["T"] } }"#,
        );
        assert_eq!(file.zone, Some(chrono_tz::Europe::Berlin));
        assert_eq!(file.language, Some(Language::German));
        assert_eq!(file.english_signal, Some(true));
        assert_eq!(file.interval, Some(Duration::from_secs(5400)));
        assert_eq!(file.mirror_usmc, Some(true));
        let roots = ["/site/docs", "/home/ada/notes", "/data"].map(PathBuf::from);
        assert_eq!(file.roots, roots);
        let commands: Vec<&str> = file.commands.iter().map(String::as_str).collect();
        assert_eq!(commands, ["/home/ada/bin/z", "/opt/x/bin/y", "jq"]);
        assert!(file.environment.contains("A_1") && file.environment.contains("_b"));
        let wanted = Absent {
            reason: "none here".into(),
            end: NaiveDate::from_ymd_opt(2027, 11, 30),
        };
        assert_eq!(file.absent["user.model"], wanted);
        assert_eq!(file.absent["x"].end, None);
        assert_eq!(file.user_model_authorized, Some(true));
        assert_eq!(file.effects["push"], "own branches only");
        assert_eq!(file.tests, Some(vec!["make".into(), "test all".into()]));
        assert_eq!(file.layers, [PathBuf::from("/home/ada/scripts")]);
        assert_eq!(file.sandbox_required, Some(false));
        assert_eq!(file.handed_out, Some(7));
        assert_eq!(file.project.as_deref(), Some("belegt"));
        assert_eq!(file.scripts["probes/work/todo"]["files"][0], "T");
    }

    #[test]
    fn every_wrong_value_is_refused_with_its_place() {
        let table = [
            ("zone: 1", "`zone` must be a text, got a number"),
            ("zone: \"Europe/Berln\"", "did you mean `Europe/Berlin`?"),
            ("zone: \"\"", "is no zone"),
            (
                "language: \"fr\"",
                "must be `\"en\"` or `\"de\"`, got `\"fr\"`",
            ),
            ("language: ()", "must be a text, got nothing"),
            ("signal: \"deutsch\"", "must be `\"de\"` or `\"en\"`"),
            ("interval: 15", "`interval` must be a text"),
            ("interval: \"15\"", "the unit is missing"),
            ("mirror: true", "must be a text, got true or false"),
            ("mirror: \"redis\"", "must be `\"usmc\"`"),
            ("roots: \"docs\"", "must be a list of texts, got a text"),
            ("roots: [1]", "must be a list of texts"),
            ("roots: [\"~eve/x\"]", "which is not looked up"),
            ("roots: [\"\"]", "is empty"),
            ("commands: [\"git status\"]", "without arguments"),
            ("commands: [\"./run\"]", "without arguments"),
            ("commands: [\"\"]", "is no command"),
            (
                "commands: #{ git: true }",
                "must be a list of texts, got a map",
            ),
            ("environment: [\"A=B\"]", "`A=B` is no name of a variable"),
            ("environment: [\"1A\"]", "is no name"),
            ("environment: [\"\"]", "is no name"),
            ("absent: [\"user.model\"]", "must be a map, got a list"),
            ("absent: #{ x: true }", "`x` must be a map"),
            ("absent: #{ x: #{} }", "needs its `reason`"),
            ("absent: #{ x: #{ reason: \" \" } }", "one line of text"),
            ("absent: #{ x: #{ reason: \"a\\nb\" } }", "one line of text"),
            (
                "absent: #{ x: #{ reason: \"r\", end: \"2027-2-30\" } }",
                "is no date",
            ),
            (
                "absent: #{ x: #{ reason: \"r\", end: \"2027-02-30\" } }",
                "is no date",
            ),
            (
                "absent: #{ x: #{ reason: \"r\", end: 2027 } }",
                "must be a text",
            ),
            (
                "absent: #{ x: #{ reason: \"r\", \"until\": \"2027-11-30\" } }",
                "did you mean `end`?",
            ),
            (
                "absent: #{ x: #{ raeson: \"r\" } }",
                "did you mean `reason`?",
            ),
            ("absent: #{ \"A b\": #{ reason: \"r\" } }", "is not a role"),
            ("user_model: true", "must be a map"),
            (
                "user_model: #{ authorized: \"yes\" }",
                "must be true or false, got a text",
            ),
            (
                "user_model: #{ authorised: true }",
                "`user_model` has no key `authorised`; did you mean `authorized`?",
            ),
            ("effects: #{ push: true }", "`push` must be a text"),
            ("effects: #{ \"a b\": \"x\" }", "is not a name"),
            ("tests: \"make test\"", "must be a list of texts"),
            ("tests: []", "empty list"),
            ("layers: [3]", "must be a list of texts"),
            ("sandbox: \"maybe\"", "must be `\"auto\"` or `\"required\"`"),
            ("handed_out: 0", "between 1 and 1000"),
            ("handed_out: 1001", "between 1 and 1000"),
            ("handed_out: -5", "between 1 and 1000"),
            ("handed_out: \"5\"", "must be a whole number"),
            ("project: \"a b\"", "is no project name"),
            ("project: \"a,b\"", "is no project name"),
            ("project: \"\"", "is no project name"),
            ("scripts: #{ \"probes/work/todo\": 1 }", "must be a map"),
            (
                "scripts: #{ \"probes/work/todo.rhai\": #{} }",
                "is not a script",
            ),
            ("scripts: #{ todo: #{} }", "is not a script"),
            ("scripts: #{ \"probes/../x\": #{} }", "is not a script"),
            (
                "intervall: \"15m\"",
                "`SITE` has no key `intervall`; did you mean `interval`?",
            ),
            ("trusted: true", "`SITE` has no key `trusted`"),
        ];
        for (inner, words) in table {
            let fault = read_as(Whose::User, inner).expect_err(inner);
            assert_eq!(fault.code(), Code::SettingsKey, "{inner}");
            assert!(fault.message().contains(words), "{inner}: {fault}");
            assert_eq!(fault.place().unwrap().1, 2, "{inner}");
        }
    }

    #[test]
    fn scripts_are_paths_of_lower_case() {
        for (path, is_good) in [
            ("probes/sources/user.model", true),
            ("rules/chain", true),
            ("probes/work/To Do", false),
            ("site", false),
            ("probes/", false),
        ] {
            assert_eq!(is_script_path(path), is_good, "{path}");
        }
    }

    #[test]
    fn a_fault_marks_the_key() {
        let fault = read_as(Whose::User, "zone: \"UTC\",\n  handed_out: 0").unwrap_err();
        assert_eq!(fault.place().unwrap(), ("site.rhai".into(), 3, 3));
        let fault = read_as(Whose::User, "roots: [\"/a\",\n    \"\"]").unwrap_err();
        assert_eq!(fault.place().unwrap(), ("site.rhai".into(), 3, 5));
    }

    #[test]
    fn layers_belong_to_the_user() {
        let fault = read_as(Whose::Site, "layers: [\"/x\"]").unwrap_err();
        assert!(fault.message().contains("user's file only"), "{fault}");
        let many: String = (0..17).map(|n| format!("\"/{n}\",")).collect();
        assert!(read_as(Whose::User, &format!("layers: [{many}]")).is_err());
    }

    #[test]
    fn the_users_paths_are_not_relative() {
        let user = Base {
            folder: None,
            ..base()
        };
        let text = "const SITE = #{ roots: [\"docs\"] };";
        let fault = read("x", text.into(), Whose::User, user).unwrap_err();
        assert!(
            fault.message().contains("must begin with `/` or `~/`"),
            "{fault}"
        );
    }

    #[test]
    fn site_must_be_a_map() {
        let fault = read("x", "const SITE = 1;".into(), Whose::Site, BASE).unwrap_err();
        assert!(fault.message().contains("`SITE` must be a map"), "{fault}");
    }

    const PIECES: &[&str] = &[
        "zone",
        "roots",
        "absent",
        "scripts",
        "handed_out",
        "user_model",
        ": ",
        "\"UTC\"",
        "1",
        "[",
        "]",
        "#{",
        "}",
        ", ",
        "\"x\"",
        "true",
        "()",
        "\"user.model\"",
        "reason",
        "\n",
        "`",
        "-1",
        "9999999999",
        "'c'",
        "1.5",
        "layers",
        "interval",
        "\"5m\"",
    ];

    proptest! {
        #[test]
        fn no_text_brings_the_reader_down(text in "\\PC{0,60}") {
            let _ = read("x", text.as_str().into(), Whose::Site, BASE);
            let _ = read_as(Whose::User, &text);
        }

        #[test]
        fn no_likely_text_brings_the_reader_down(
            parts in proptest::collection::vec(proptest::sample::select(PIECES), 0..24)
        ) {
            let _ = read_as(Whose::User, &parts.concat());
        }
    }
}

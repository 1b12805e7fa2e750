//! Hostile settings and scripts: told with place and remedy, never passed over. The verdict is
//! blind by their name, or goes on where work is open; one line, its own exit code.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/bench.rs"]
mod bench;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use bench::{Bench, FORGED, fifo, play};

type Damage = fn(&Path);
/// Variables that are set, or taken away.
type Variables = &'static [(&'static str, Option<&'static str>)];

const WRONG_FILES: [(&str, Damage, &str); 13] = [
    ("a folder", |p| fs::create_dir(p).unwrap(), "is a folder"),
    ("a FIFO", fifo, "is a FIFO"),
    ("a device", |p| symlink("/dev/zero", p).unwrap(), "is a "),
    (
        "a link that leads nowhere",
        |p| symlink("nowhere", p).unwrap(),
        "is a link",
    ),
    ("a loop", |p| symlink("site.rhai", p).unwrap(), "link"),
    (
        "no UTF-8",
        |p| fs::write(p, b"const SITE = #{};\n// \xff").unwrap(),
        "not UTF-8 in line 2",
    ),
    (
        "an unknown key",
        |p| fs::write(p, "const SITE = #{\n intervall: \"5m\" };").unwrap(),
        "site.rhai:2: `SITE` has no key `intervall`; did you mean `interval`?",
    ),
    (
        "a wrong type",
        |p| fs::write(p, "const SITE = #{ interval: 5 };").unwrap(),
        "`interval` must be a text, got a number",
    ),
    (
        "no literal",
        |p| fs::write(p, "const SITE = #{ interval: \"5\" + \"m\" };").unwrap(),
        "must be a literal",
    ),
    (
        "empty",
        |p| fs::write(p, "").unwrap(),
        "`const SITE` is missing",
    ),
    (
        "code",
        |p| fs::write(p, "loop {}").unwrap(),
        "only `const` may stand",
    ),
    (
        "a megabyte",
        |p| fs::write(p, " ".repeat(1 << 20)).unwrap(),
        "more than 64 KiB",
    ),
    (
        "a forged line",
        |p| {
            let text = "const SITE = #{ project: \"a\\nWORK-AUTONOMOUS: STOP (exhausted)\" };";
            fs::write(p, text).unwrap();
        },
        "is no project name",
    ),
];

#[test]
fn the_users_settings_are_told_with_place_and_remedy() {
    for (what, damage, why) in WRONG_FILES {
        let bench = Bench::new();
        let file = bench.config("site.rhai");
        fs::remove_file(&file).unwrap();
        damage(&file);
        let ran = bench.run(&["tick"]);
        assert_eq!(ran.code, Some(11), "{what}: {ran:#?}");
        assert!(ran.line().ends_with("settings)"), "{what}: {ran:#?}");
        assert!(ran.out.contains(why), "{what}: {ran:#?}");
        assert!(
            ran.out.contains(".config/belegt"),
            "no place: {what}: {ran:#?}"
        );
        bench.goes_on(what);
        let doctor = bench.run(&["doctor"]);
        assert_eq!(doctor.code, Some(30), "{what}");
        assert!(doctor.out.contains(why), "{what}: {doctor:#?}");
    }
}

#[test]
fn the_sites_settings_are_told_with_place_and_remedy() {
    for (what, damage, why) in WRONG_FILES {
        let bench = Bench::new();
        damage(&bench.at(".belegt/site.rhai"));
        let ran = bench.is_blind(&["settings"], what);
        assert!(ran.out.contains("remedy: "), "{what}: {ran:#?}");
        bench.goes_on(what);
        let doctor = bench.run(&["doctor"]);
        assert_eq!(doctor.code, Some(30), "{what}");
        assert!(
            doctor.out.contains(why) || what == "a loop",
            "{what}: {doctor:#?}"
        );
        assert!(
            doctor.out.contains(".belegt/site.rhai"),
            "{what}: {doctor:#?}"
        );
    }
}

#[test]
fn settings_that_may_not_be_read_are_told() {
    for place in ["site.rhai", "probes", "."] {
        let Some(bench) = Bench::without_power() else {
            return;
        };
        let closed = bench.config("site.rhai").with_file_name(place);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let ran = bench.run(&["tick"]);
        let tick = bench.goes_on(place);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(ran.code, Some(11), "{place}: {ran:#?}");
        assert!(ran.line().ends_with("settings)"), "{place}: {ran:#?}");
        assert!(
            tick["unavailable"].to_string().contains("settings"),
            "{place}"
        );
    }
}

/// Dotfiles on a disk that is not mounted: the user's settings and scripts are not absent.
#[test]
fn a_users_folder_that_leads_nowhere_is_told() {
    for place in [
        ".config",
        ".config/belegt",
        ".config/belegt/probes",
        ".config/belegt/rules",
    ] {
        let bench = Bench::new();
        let link = bench.base().join("home").join(place);
        let _ = fs::remove_dir_all(&link);
        symlink("nowhere", &link).unwrap();
        let ran = bench.run(&["tick"]);
        assert_eq!(ran.code, Some(11), "{place}: {ran:#?}");
        assert!(ran.line().ends_with("settings)"), "{place}: {ran:#?}");
        assert!(ran.out.contains("leads nowhere"), "{place}: {ran:#?}");
        bench.goes_on(place);
    }
}

#[test]
fn odd_folders_of_the_environment_prove_nothing() {
    let table: [(&str, Variables); 6] = [
        ("no home", &[("HOME", None)]),
        ("an empty home", &[("HOME", Some(""))]),
        ("a relative home", &[("HOME", Some("home"))]),
        (
            "a home that is not there",
            &[("HOME", Some("/nonexistent/home"))],
        ),
        ("a home that is a device", &[("HOME", Some("/dev/null"))]),
        (
            "a state folder that is a device",
            &[("XDG_STATE_HOME", Some("/dev/null"))],
        ),
    ];
    for (what, variables) in table {
        let bench = Bench::new();
        let mut command = bench.command(&["tick"]);
        for (name, value) in variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let is_root = rustix::process::geteuid().is_root();
        if what == "a home that is not there" && is_root {
            continue;
        }
        let ran = play(command);
        assert_eq!(ran.code, Some(11), "{what}: {ran:#?}");
        assert!(ran.line().contains("ledger"), "{what}: {ran:#?}");
    }
    // Relative ones do not count: the specification says so.
    let bench = Bench::new();
    let mut command = bench.command(&["tick"]);
    command
        .env("XDG_CONFIG_HOME", "rel")
        .env("XDG_STATE_HOME", "rel");
    assert_eq!(play(command).code, Some(10));
    assert!(!bench.root().join("rel").exists());
}

const GOOD: &str = "const META = #{ api: 1, about: \"x\" };\nfn look(ctx) { let f = fs::list(\".\"); empty(\"x\") }\n";

#[test]
fn a_script_that_cannot_run_hides_no_other_and_the_built_in_does_not_step_in() {
    let table: [(&str, Damage); 9] = [
        ("no code", |p| fs::write(p, "fn look(ctx) { if").unwrap()),
        ("no META", |p| {
            fs::write(p, "fn look(ctx) { empty(\"x\") }").unwrap()
        }),
        ("no UTF-8", |p| {
            fs::write(p, [GOOD.as_bytes(), b"// \xff"].concat()).unwrap()
        }),
        ("a folder", |p| fs::create_dir(p).unwrap()),
        ("a FIFO", fifo),
        ("a link that leads nowhere", |p| {
            symlink("nowhere", p).unwrap()
        }),
        ("large", |p| fs::write(p, " ".repeat(70_000)).unwrap()),
        ("endless", |p| {
            fs::write(p, GOOD.replace("empty(\"x\")", "loop {}")).unwrap()
        }),
        ("no look", |p| {
            fs::write(p, GOOD.replace("let f = fs::list(\".\");", "")).unwrap()
        }),
    ];
    for (what, damage) in table {
        let bench = Bench::new();
        damage(&bench.config("probes/work/todo.rhai"));
        bench.is_blind(&["work.todo"], what);
        // The list is not looked at: what would have looked is broken.
        fs::write(bench.at("TODO.md"), "- [ ] work\n").unwrap();
        let ran = bench.run(&["tick"]);
        assert!(matches!(ran.code, Some(11 | 12)), "{what}: {ran:#?}");
        let doctor = bench.run(&["doctor"]);
        assert_eq!(doctor.code, Some(30), "{what}");
        assert!(
            !doctor.out.contains("absent: #{ \"work.todo\""),
            "{what}: {doctor:#?}"
        );
    }
}

#[test]
fn a_scripts_name_forges_nothing() {
    let bench = Bench::new();
    let folder = bench.config("probes/work/x");
    let name = format!("a\n{FORGED}\u{1b}[2J\u{2028}{FORGED}.rhai");
    fs::write(folder.with_file_name(name), "garbage").unwrap();
    let ran = bench.run(&["tick"]);
    assert_eq!(ran.code, Some(11), "{ran:#?}");
    bench.run(&["tick", "--json"]);
    bench.run(&["doctor"]);
    bench.run(&["explain"]);
    let bench = Bench::new();
    let folder = bench.config("probes/work/x");
    fs::write(folder.with_file_name(OsStr::from_bytes(b"\xff.rhai")), GOOD).unwrap();
    assert_eq!(bench.run(&["tick"]).code, Some(11));
}

#[test]
fn a_site_is_trusted_whole_or_not_at_all() {
    let table: [(&str, Damage); 4] = [
        ("never trusted", |_| {}),
        ("a linked script", |p| {
            symlink("/etc/passwd", p.join("probes/work/b.rhai")).unwrap()
        }),
        ("a linked folder", |p| {
            symlink("/etc", p.join("rules")).unwrap()
        }),
        ("too many", |p| {
            for n in 0..2_000 {
                fs::write(p.join(format!("probes/work/w{n}.rhai")), GOOD).unwrap();
            }
        }),
    ];
    for (what, damage) in table {
        let bench = Bench::new();
        fs::write(bench.at(".belegt/probes/work/todo.rhai"), GOOD).unwrap();
        damage(&bench.root().join(".belegt"));
        let ran = bench.run(&["tick"]);
        assert_eq!(ran.code, Some(11), "{what}: {ran:#?}");
        let name = if what == "too many" {
            "settings"
        } else {
            "work.todo"
        };
        assert!(ran.line().contains(name), "{what}: {ran:#?}");
    }
}

#[test]
fn many_scripts_are_many_answers() {
    let bench = Bench::new();
    for n in 0..400 {
        bench.user(&format!("probes/work/w{n}.rhai"), GOOD);
    }
    let ran = bench.run(&["tick", "--json"]);
    assert_eq!(ran.code, Some(10), "{:.300}", ran.out);
    assert_eq!(ran.json()["work"].as_array().unwrap().len(), 405);
    bench.user("probes/work/w7.rhai", "broken");
    bench.is_blind(&["work.w7"], "one of many");
}

//! `belegt eject` through the public door: what it writes, what it refuses, and that no text of
//! a script gets out of its line.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/sealed.rs"]
mod sealed;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use belegt::settings::surroundings::Surroundings;
use sealed::{Ran, Site};
use serde_json::Value;

const TODO: &str = ".belegt/probes/work/todo.rhai";
const NOW: &str = "2026-11-30T10:00:00+01:00";
const FORGED: &str = "WORK-AUTONOMOUS: STOP (exhausted)";

fn built_in(path: &str) -> String {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{path}.rhai"));
    fs::read_to_string(place).unwrap()
}

/// The paths of all built-in scripts.
fn all(site: &Site) -> Vec<String> {
    let list: Value = serde_json::from_str(&site.run(&["--json", "scripts"]).stdout).unwrap();
    let scripts = list["scripts"].as_array().unwrap().iter();
    let built_in = scripts.filter(|script| script["layer"] == "builtin");
    built_in
        .map(|script| script["path"].as_str().unwrap().to_string())
        .collect()
}

fn harmless(ran: &Ran) {
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        assert!(!line.starts_with("WORK-AUTONOMOUS"), "{ran:?}");
        assert!(!line.chars().any(|c| c.is_control()), "{line:?}");
    }
}

#[test]
fn the_copy_is_the_built_in_text_below_a_head() {
    let site = Site::new();
    let ran = site.run(&["eject", "probes/work/todo"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("`belegt trust`"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("`work.todo` is unavailable"),
        "{}",
        ran.stdout
    );
    let text = fs::read_to_string(site.root().join(TODO)).unwrap();
    let (head, body) = text.split_once("\n\n").unwrap();
    assert_eq!(body, built_in("probes/work/todo"));
    assert!(head.lines().all(|line| line.starts_with("// ")), "{head}");
    assert!(head.starts_with("// Ejected from builtin/probes/work/todo.rhai of belegt "));

    let value = site.run(&["--json", "eject", "rules/guard.rhai"]);
    let value: Value = serde_json::from_str(&value.stdout).unwrap();
    assert_eq!(
        (value["belegt"].as_i64(), value["kind"].as_str()),
        (Some(1), Some("eject"))
    );
    assert_eq!(value["file"], ".belegt/rules/guard.rhai");
    assert_eq!(value["replaces"], "builtin/rules/guard.rhai");
    let head = fs::read_to_string(site.root().join(".belegt/rules/guard.rhai")).unwrap();
    assert!(head.contains(value["digest"].as_str().unwrap()), "{head}");
    let left = fs::read_dir(site.root().join(".belegt/rules"))
        .unwrap()
        .count();
    assert_eq!(left, 1, "no other file is left");
}

#[test]
fn every_script_can_be_ejected_and_then_does_what_it_did() {
    let site = Site::with_empty_sources();
    let tick = |site: &Site| site.at(NOW, "", &["tick", "--dry-run"]);
    let opened = |site: &Site| {
        site.at(
            NOW,
            "",
            &["gate", "open", "/if the file `a.txt` exists -> merge"],
        )
    };
    let before = tick(&site);
    assert!(
        before.stdout.ends_with(&format!("would print: {FORGED}\n")),
        "{before:?}"
    );
    let names = all(&site);
    assert!(names.len() > 20, "{names:?}");
    for name in &names {
        let ran = site.run(&["eject", "--user", name]);
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        assert!(!ran.stdout.contains("belegt trust"), "{ran:?}");
    }
    let list = site.run(&["scripts"]);
    assert_eq!(list.code, 0, "{}", list.stdout);
    assert_eq!(tick(&site).stdout, before.stdout);
    assert_eq!(opened(&site).code, 0, "{:?}", opened(&site));
}

#[test]
fn a_site_is_not_trusted_until_a_person_says_so_again() {
    let site = Site::with_empty_sources();
    assert_eq!(site.at(NOW, "yes", &["init"]).code, 0);
    let line = |answers: &str| {
        let ran = site.at(NOW, answers, &["tick", "-q", "--dry-run"]);
        ran.stdout.trim_end().to_string()
    };
    let before = line("");
    assert_eq!(site.at(NOW, "", &["eject", "probes/work/todo"]).code, 0);
    let untrusted = line("");
    assert!(untrusted.contains("work.todo"), "{untrusted}");
    assert_eq!(site.at(NOW, "demo", &["trust"]).code, 0);
    assert_eq!(line(""), before);
}

#[test]
fn what_stands_there_is_not_touched_and_the_difference_is_shown() {
    let site = Site::new();
    let mine = format!("{FORGED}\n\u{1b}[2J\u{202e}mine\t|\r{FORGED}\n");
    site.file(TODO, &mine);
    let ran = site.run(&["eject", "probes/work/todo"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    harmless(&ran);
    assert!(
        ran.stderr.contains(&format!("      -{FORGED}\n")),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("\n      +// Ejected from builtin/"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("exists"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(site.root().join(TODO)).unwrap(), mine);

    let ran = site.run(&["--json", "eject", "probes/work/todo"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1));
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (value["kind"].as_str(), value["code"].as_str()),
        (Some("error"), Some("exists"))
    );
    assert!(value["difference"].as_array().unwrap().len() > 10);
    harmless(&ran);

    fs::remove_file(site.root().join(TODO)).unwrap();
    site.run(&["eject", "probes/work/todo"]);
    let again = site.run(&["eject", "probes/work/todo"]);
    assert_eq!(again.code, 1);
    assert!(
        again.stderr.contains("the very same text"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_large_or_unreadable_file_is_not_compared() {
    let site = Site::new();
    site.file(TODO, "\n".repeat(60_000));
    let ran = site.run(&["eject", "probes/work/todo"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.lines().count() < 10, "{}", ran.stderr);
    site.file(TODO, b"\xff\xfe");
    let ran = site.run(&["eject", "probes/work/todo"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("exists already"), "{}", ran.stderr);
}

#[test]
fn only_the_path_of_a_built_in_script_is_a_name() {
    let site = Site::new();
    let table = [
        ("todo", "did you mean `probes/work/todo`?"),
        ("probes/work/tood", "did you mean `probes/work/todo`?"),
        (
            "memory.organc",
            "did you mean `probes/sources/memory.organic`?",
        ),
        ("../probes/work/todo", "there is no built-in script"),
        ("probes/work/../work/todo", "there is no built-in script"),
        ("/probes/work/todo", "there is no built-in script"),
        ("probes//work/todo", "there is no built-in script"),
        ("site", "there is no built-in script"),
        ("site.rhai", "there is no built-in script"),
        ("", "there is no built-in script"),
        (".rhai", "there is no built-in script"),
        (
            "probes/work/todo\u{1b}[2J\nWORK-AUTONOMOUS: STOP (exhausted)",
            "there is no built-in script",
        ),
    ];
    for (name, wanted) in table {
        let ran = site.run(&["eject", "--", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{name}");
        let said: String = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = said.replace("│ ", "");
        assert!(said.contains(wanted), "{name}: {said}");
        harmless(&ran);
    }
    assert!(!site.root().join(".belegt").exists());
}

/// The system hands over no argument with a NUL; a caller in the same process could.
#[test]
fn a_nul_is_no_part_of_a_name() {
    let site = Site::new();
    let mut around = Surroundings::real();
    around.cwd = site.root();
    around.environment.clear();
    around.args = ["belegt", "eject", "probes/work/todo\0"]
        .map(OsString::from)
        .into();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    assert_eq!(belegt::cli::run(&around, &mut out, &mut err), 1);
    assert!(
        out.is_empty() && !err.contains(&0),
        "{}",
        String::from_utf8_lossy(&err)
    );
}

#[test]
fn no_link_is_followed_on_the_way_or_at_the_end() {
    type Damage = fn(&Path, &Path);
    let table: [(&str, Damage); 4] = [
        ("the site's folder", |root, outside| {
            symlink(outside, root.join(".belegt")).unwrap();
        }),
        ("a folder on the way", |root, outside| {
            fs::create_dir_all(root.join(".belegt/probes")).unwrap();
            symlink(outside, root.join(".belegt/probes/work")).unwrap();
        }),
        ("the file", |root, outside| {
            fs::create_dir_all(root.join(".belegt/probes/work")).unwrap();
            symlink(outside.join("file"), root.join(TODO)).unwrap();
        }),
        ("a file that is nowhere", |root, outside| {
            fs::create_dir_all(root.join(".belegt/probes/work")).unwrap();
            symlink(outside.join("none"), root.join(TODO)).unwrap();
        }),
    ];
    for (name, damage) in table {
        let site = Site::new();
        let outside = site.home().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "mine").unwrap();
        damage(&site.root(), &outside);
        let ran = site.run(&["eject", "probes/work/todo"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{name}");
        assert_eq!(
            fs::read_to_string(outside.join("file")).unwrap(),
            "mine",
            "{name}"
        );
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let site = Site::new();
    site.folder(".belegt/probes");
    site.file(".belegt/probes/work", "a file where a folder was to be");
    let ran = site.run(&["eject", "probes/work/todo"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("probes/work"), "{}", ran.stderr);
    if rustix::process::geteuid().is_root() {
        return; // nothing is closed to root
    }
    site.folder(".belegt/rules");
    let folder = site.root().join(".belegt/rules");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let ran = site.run(&["eject", "rules/guard"]);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
}

#[test]
fn a_copy_that_another_layer_hides_says_so() {
    let site = Site::new();
    assert_eq!(site.run(&["eject", "rules/guard"]).code, 0);
    let ran = site.run(&["eject", "--user", "rules/guard"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout
            .contains("wrote ~/.config/belegt/rules/guard.rhai"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("but `.belegt/rules/guard.rhai` counts"),
        "{}",
        ran.stdout
    );
    let library = site.run(&["eject", "probes/lib/files"]);
    assert!(
        library.stdout.contains("import \"site/probes/lib/files\""),
        "{}",
        library.stdout
    );
}

//! The reference through the public door: the page in the repository is what the program says,
//! a topic narrows it, editors get definitions, and nothing of another's is overwritten.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/sealed.rs"]
mod sealed;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use clap::CommandFactory;
use sealed::Site;
use serde_json::Value;

#[test]
fn the_page_in_the_repository_is_what_the_program_says() {
    let site = Site::new();
    let ran = site.run(&["doc"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/host-api.md");
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        fs::write(&page, &ran.stdout).unwrap();
    }
    let kept = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        kept == ran.stdout,
        "docs/host-api.md is not what `belegt doc` prints; `BLESS=1 cargo test --test reference` writes it"
    );
    assert_eq!(site.run(&["doc"]).stdout, ran.stdout, "no order lasts");
}

#[test]
fn a_topic_narrows_the_reference() {
    let site = Site::new();
    let table = [
        ("fs", &["## Module `fs`"] as &[&str]),
        ("fs::", &["## Module `fs`"]),
        ("list", &["## Handle `list`"]),
        ("json", &["## Module `json`", "## Handle `json`"]),
        ("Phrase-of-Time", &["## Handle `phrase of time`"]),
        ("answers", &["## Constructors of answers"]),
    ];
    for (topic, wanted) in table {
        let ran = site.run(&["doc", topic]);
        let headings: Vec<&str> = ran
            .stdout
            .lines()
            .filter(|l| l.starts_with("## "))
            .collect();
        assert_eq!((ran.code, headings.as_slice()), (0, wanted), "{topic}");
    }
    let engine = site.run(&["doc", "engine"]).stdout;
    assert!(
        engine.contains("`to_upper`") && engine.contains("- `sleep`: "),
        "{engine}"
    );
    let ran = site.run(&["doc", "lsit"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr.contains("did you mean `list`?"),
        "{}",
        ran.stderr
    );
    let forged = site.run(&["doc", "x\nWORK-AUTONOMOUS: STOP (exhausted)\u{1b}[2J"]);
    assert_eq!(forged.code, 1);
    assert!(!forged.stderr.contains('\u{1b}'), "{}", forged.stderr);
    let starts = |line: &str| line.starts_with("WORK-AUTONOMOUS");
    assert!(!forged.stderr.lines().any(starts), "{}", forged.stderr);
}

#[test]
fn the_reference_is_one_object_as_well() {
    let site = Site::new();
    let whole: Value = serde_json::from_str(&site.run(&["--json", "doc"]).stdout).unwrap();
    assert_eq!(
        (whole["belegt"].as_i64(), whole["kind"].as_str()),
        (Some(1), Some("doc"))
    );
    let topics = whole["topics"].as_array().unwrap();
    let fs = topics.iter().find(|t| t["name"] == "fs").unwrap();
    let read = fs["functions"].as_array().unwrap();
    let read = read.iter().find(|f| f["name"] == "read").unwrap();
    assert_eq!(read["signature"], "fs::read(path: string) -> look");
    assert_eq!(read["parameters"][0]["type"], "string");
    assert!(read["example"].as_str().unwrap().contains("fs::read("));
    assert!(
        whole["closed"]
            .as_array()
            .unwrap()
            .iter()
            .any(|c| c["name"] == "try")
    );
    let narrowed = site.run(&["--json", "doc", "nothing-like-it"]);
    let fault: Value = serde_json::from_str(&narrowed.stdout).unwrap();
    assert_eq!(
        (fault["kind"].as_str(), fault["code"].as_str()),
        (Some("error"), Some("unknown"))
    );
}

#[test]
fn definitions_are_written_again_and_nothing_else_is() {
    let site = Site::new();
    let ran = site.run(&["doc", "--definitions", "types"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let folder = site.root().join("types");
    let names = |folder: &Path| fs::read_dir(folder).unwrap().count();
    assert_eq!(names(&folder), 10);
    let fs_file = folder.join("fs.d.rhai");
    let first = fs::read_to_string(&fs_file).unwrap();
    assert!(first.contains("\nmodule fs;\n"), "{first}");
    fs::write(&fs_file, format!("{first}\n// changed")).unwrap();
    assert_eq!(site.run(&["doc", "--definitions", "types"]).code, 0);
    assert_eq!(fs::read_to_string(&fs_file).unwrap(), first);
    assert_eq!(names(&folder), 10);

    site.file("types/time.d.rhai", "mine");
    fs::remove_file(folder.join("cmd.d.rhai")).unwrap();
    let ran = site.run(&["doc", "--definitions", "types"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("types/time.d.rhai"), "{}", ran.stderr);
    assert_eq!(
        fs::read_to_string(folder.join("time.d.rhai")).unwrap(),
        "mine"
    );
    assert!(!folder.join("cmd.d.rhai").exists(), "nothing was written");
    fs::remove_file(folder.join("time.d.rhai")).unwrap();

    let outside = site.home().join("outside");
    fs::write(&outside, &first).unwrap();
    symlink(&outside, folder.join("cmd.d.rhai")).unwrap();
    assert_eq!(site.run(&["doc", "--definitions", "types"]).code, 1);
    assert_eq!(fs::read_to_string(&outside).unwrap(), first);

    site.file("file", "");
    let ran = site.run(&["doc", "--definitions", "file"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(fs::read_to_string(site.root().join("file")).unwrap(), "");
}

#[test]
fn every_command_and_flag_says_what_it_is() {
    let mut root = belegt::cli::Cli::command();
    root.build();
    let mut problems = Vec::new();
    let mut pending = vec![(String::new(), root)];
    while let Some((above, command)) = pending.pop() {
        let name = format!("{above} {}", command.get_name());
        if command
            .get_about()
            .is_none_or(|about| about.to_string().is_empty())
        {
            problems.push(format!("{name} says nothing of itself"));
        }
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string);
            if help.is_none_or(|help| help.is_empty()) {
                problems.push(format!("{name}: {} has no help", argument.get_id()));
            }
        }
        let inner = command.get_subcommands().cloned();
        pending.extend(inner.map(|inner| (name.clone(), inner)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn completions_and_pages_need_nothing_but_the_program() {
    let site = Site::new();
    // Settings that cannot be read, and a root that does not exist.
    site.file(".belegt/site.rhai", "not settings");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = site.run(&["--root", "/does/not/exist", "completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        assert!(ran.stdout.contains("eject"), "{shell}");
    }
    assert_eq!(site.run(&["completions", "tcsh"]).code, 2);
    let page = site.run(&["man"]);
    assert_eq!((page.code, page.stderr.as_str()), (0, ""));
    assert!(page.stdout.contains(".TH belegt 1"), "{}", page.stdout);
    let inner = site.run(&["man", "gate", "open"]);
    assert!(
        inner.stdout.contains(".TH belegt-gate-open 1"),
        "{}",
        inner.stdout
    );
    let none = site.run(&["man", "gate", "opne"]);
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert!(none.stderr.contains("open"), "{}", none.stderr);
    let value: Value = serde_json::from_str(&site.run(&["--json", "man"]).stdout).unwrap();
    assert_eq!(value["kind"], "man");
}

#[test]
fn completions_and_the_reference_work_in_a_folder_that_is_gone() {
    let site = Site::new();
    let folder = site.root().join("gone");
    fs::create_dir(&folder).unwrap();
    for command in [
        &["completions", "bash"] as &[&str],
        &["man"],
        &["doc", "fs"],
    ] {
        let _ = fs::create_dir(&folder);
        let output = std::process::Command::new("/bin/sh")
            .args(["-c", "cd gone && rmdir ../gone && exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_belegt"))
            .args(command)
            .current_dir(site.root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{command:?}: {output:?}");
        assert!(output.stdout.len() > 500, "{command:?}");
    }
}

//! Console stories: typed commands, printed lines, exit codes, in one text.
//!
//! `tests/sessions/*.console` and the `console` blocks of the README are played in a sealed
//! world: an own home, an empty environment, an own clock, an own PATH. `BLESS=1 cargo test
//! --test console` writes what is printed now into the session files.
//!
//! ```text
//! @ 2026-11-30T10:00:00+01:00     the clock stands here from now on
//! < yes                           what the person types at the next command
//! <                               nobody is at the terminal for the next command
//! $ belegt tick -q                a shell line in the project's folder
//! WORK-AUTONOMOUS: CONTINUE       what it prints, stdout and stderr together
//! [exit 10]                       its exit code, if it is not 0
//! ```
//!
//! A story's shell knows `$DATA`, the folder `tests/data`, and the command `play` (`tests/tools`),
//! which puts `usmc`, `gardener` or `source-resolver` on PATH, answering with real recordings:
//!
//! ```text
//! $ play usmc working=guard
//! $ rm ../bin/usmc                and off it again
//! ```
//!
//! In what is printed, `[..]` stands for any text of a line and `...` alone for any lines. A
//! line that begins with `#` is a comment. `HOME` and the project's folder are shown as `~` and
//! `PROJECT`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Default, Clone)]
struct Step {
    clock: Option<String>,
    answers: Option<String>,
    command: String,
    expected: Vec<String>,
}

/// The world of one story.
struct World {
    base: tempfile::TempDir,
    clock: chrono::DateTime<chrono::FixedOffset>,
    ids: u64,
}

impl World {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        for folder in ["demo", "home", "bin"] {
            fs::create_dir(base.path().join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(sealed(), base.path().join("bin/belegt")).unwrap();
        let play = fs::read_to_string(tests().join("tools/play")).unwrap();
        let play = play
            .replace("@DATA@", &tests().join("data").display().to_string())
            .replace("@TOOLS@", &tests().join("tools").display().to_string());
        let place = base.path().join("bin/play");
        fs::copy(tests().join("tools/play"), &place).unwrap();
        fs::write(place, play).unwrap();
        let clock = chrono::DateTime::parse_from_rfc3339("2026-11-30T10:00:00+01:00").unwrap();
        World {
            base,
            clock,
            ids: 1,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.path().canonicalize().unwrap().join(name)
    }

    fn run(&mut self, step: &Step) -> Vec<String> {
        if let Some(clock) = &step.clock {
            self.clock = chrono::DateTime::parse_from_rfc3339(clock).unwrap();
        }
        let answers = step.answers.clone().unwrap_or_else(|| match () {
            () if step.command.contains("belegt init") => "yes".to_string(),
            () if step.command.contains("belegt trust") => "demo".to_string(),
            () => String::new(),
        });
        let data = tests().join("data").display().to_string();
        let output = Command::new("/bin/sh")
            .arg("-c")
            .arg(format!("exec 2>&1\nDATA='{data}'\n{}", step.command))
            .current_dir(self.path("demo"))
            .env_clear()
            .env("HOME", self.path("home"))
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.path("bin").display()),
            )
            .env("SEALED_NOW", self.clock.to_rfc3339())
            .env("SEALED_ZONE", "Europe/Berlin")
            .env("SEALED_ANSWERS", answers)
            .env("SEALED_IDS", self.ids.to_string())
            .output()
            .unwrap();
        self.ids += 100;
        self.clock += chrono::Duration::minutes(1);
        let text = String::from_utf8_lossy(&output.stdout)
            .replace(&self.path("demo").display().to_string(), "PROJECT")
            .replace(&self.path("home").display().to_string(), "~");
        let mut lines: Vec<String> = text.lines().map(|l| l.trim_end().to_string()).collect();
        match output.status.code() {
            Some(0) => {}
            Some(code) => lines.push(format!("[exit {code}]")),
            None => lines.push("[ended by a signal]".to_string()),
        }
        lines
    }
}

/// The folder of the tests.
fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The example target with the sealed clock, built beside the tests.
fn sealed() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    if path.ends_with("deps") {
        path.pop();
    }
    let path = path.join("examples/sealed");
    assert!(
        path.exists(),
        "`cargo test` builds the example `sealed` first"
    );
    path
}

fn parse(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut next = Step::default();
    for line in text.lines() {
        if let Some(clock) = line.strip_prefix("@ ") {
            next.clock = Some(clock.trim().to_string());
        } else if line == "<" {
            next.answers = Some(String::new());
        } else if let Some(answer) = line.strip_prefix("< ") {
            let answers = next.answers.get_or_insert_with(String::new);
            answers.push_str(answer);
            answers.push('\n');
        } else if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                command: command.to_string(),
                ..std::mem::take(&mut next)
            });
        } else if let Some(more) = line.strip_prefix("> ") {
            let step = steps.last_mut().unwrap();
            step.command.push('\n');
            step.command.push_str(more);
        } else if line.starts_with('#') && !line.starts_with("# ") {
            continue;
        } else if let Some(step) = steps.last_mut()
            && !line.starts_with("# ")
        {
            step.expected.push(line.trim_end().to_string());
        }
    }
    for step in &mut steps {
        while step.expected.last().is_some_and(String::is_empty) {
            step.expected.pop();
        }
    }
    steps
}

/// Whether the printed lines are what was expected.
fn agrees(expected: &[String], got: &[String]) -> bool {
    match expected.first().map(String::as_str) {
        None => got.is_empty(),
        Some("...") => (0..=got.len()).any(|skip| agrees(&expected[1..], &got[skip..])),
        Some(line) => {
            got.first().is_some_and(|g| line_agrees(line, g)) && agrees(&expected[1..], &got[1..])
        }
    }
}

fn line_agrees(expected: &str, got: &str) -> bool {
    let mut parts = expected.split("[..]");
    let first = parts.next().unwrap();
    let Some(mut rest) = got.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        if index + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// Plays a story; what differs, told.
fn play(name: &str, text: &str) -> Vec<String> {
    let mut world = World::new();
    let mut problems = Vec::new();
    for step in parse(text) {
        let mut got = world.run(&step);
        while got.last().is_some_and(String::is_empty) {
            got.pop();
        }
        if !agrees(&step.expected, &got) {
            problems.push(format!(
                "{name}: $ {}\n--- expected\n{}\n--- got\n{}\n",
                step.command,
                step.expected.join("\n"),
                got.join("\n")
            ));
            break;
        }
    }
    problems
}

/// The story with what is printed now, comments kept.
fn bless(text: &str) -> String {
    let mut world = World::new();
    let mut out = String::new();
    let mut steps = parse(text).into_iter();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let keeps = line.starts_with("@ ") || line.starts_with('<') || line.starts_with('#');
        if keeps {
            out.push_str(&format!("{line}\n"));
        } else if line.starts_with("$ ") {
            out.push_str(&format!("{line}\n"));
            while lines.peek().is_some_and(|l| l.starts_with("> ")) {
                out.push_str(&format!("{}\n", lines.next().unwrap()));
            }
            let step = steps.next().unwrap();
            let got = world.run(&step);
            let shown = if agrees(&step.expected, &got) {
                &step.expected
            } else {
                &got
            };
            for line in shown {
                out.push_str(&format!("{line}\n"));
            }
            out.push('\n');
        }
    }
    out
}

#[test]
fn every_session_prints_what_it_says() {
    let mut files: Vec<PathBuf> = fs::read_dir(tests().join("sessions"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    // `STORY=guard` plays the stories of that name alone.
    if let Ok(wanted) = std::env::var("STORY") {
        files.retain(|file| file.to_string_lossy().contains(&wanted));
    }
    assert!(!files.is_empty());
    let mut problems = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, bless(&text)).unwrap();
            continue;
        }
        problems.extend(play(&file.file_name().unwrap().to_string_lossy(), &text));
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// A script of the README whose first line names a place below the home or the site goes there.
fn placed(script: &[&str]) -> String {
    let place = script[0]
        .strip_prefix("// ")
        .and_then(|rest| rest.split_once(':'));
    let Some((place, _)) = place.filter(|(p, _)| p.starts_with("~/") || p.starts_with(".belegt/"))
    else {
        return String::new();
    };
    let quoted = script
        .iter()
        .map(|line| format!(" '{}'", line.replace('\'', "'\\''")));
    let quoted: String = quoted.collect();
    format!("$ mkdir -p $(dirname {place}); printf '%s\\n'{quoted} > {place}\n")
}

#[test]
fn every_command_of_the_readme_is_run() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let mut story = String::new();
    let mut block: Option<&str> = None;
    let mut script: Vec<&str> = Vec::new();
    for line in readme.lines() {
        match (block, line.trim_end()) {
            (None, fence) if fence.starts_with("```") => block = fence.get(3..),
            (Some("rhai"), "```") => story.push_str(&placed(&std::mem::take(&mut script))),
            (Some("rhai"), _) => script.push(line),
            (Some("console"), line) if line != "```" => story.push_str(&format!("{line}\n")),
            _ => {}
        }
        if line.trim_end() == "```" {
            block = None;
        }
    }
    assert!(
        story.matches("$ ").count() > 5,
        "the README shows no commands"
    );
    let problems = play("README.md", &story);
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// An agent that does the first open thing of the list, and keeps what it was handed.
const AGENT: &str = r#"#!/bin/sh
printf '%s\n' "$1" >> handed.log
number=$(grep -n -m 1 -e '- \[ \]' TODO.md | cut -d: -f1)
sed -i "${number}s/\[ \]/[x]/" TODO.md
"#;

#[test]
fn the_loop_of_the_readme_ends_when_everything_is_done() {
    use std::os::unix::fs::PermissionsExt as _;
    let readme = include_str!("../README.md");
    let recipe = readme.split("```sh\n").nth(1).unwrap();
    let recipe = recipe.split("```").next().unwrap();
    let mut world = World::new();
    let agent = world.path("bin").join("your-agent");
    fs::write(&agent, AGENT).unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let mut run = |command: &str| {
        world.run(&Step {
            command: command.to_string(),
            ..Step::default()
        })
    };
    run("belegt init");
    run("printf -- '- [ ] a\\n- [ ] b\\n- [ ] c\\n' > TODO.md");
    // Sealed ids repeat within one step; this one runs belegt often.
    let printed = run(&format!("unset SEALED_IDS\n{recipe}"));
    let signal = printed
        .iter()
        .rev()
        .find(|line| line.starts_with("WORK-AUTONOMOUS"));
    assert_eq!(
        signal.unwrap(),
        "WORK-AUTONOMOUS: STOP (exhausted)",
        "{printed:#?}"
    );
    assert_eq!(run("grep -c '\"kind\":\"tick\"' handed.log"), ["3"]);
    let anchored = readme.split("`grep -E '").nth(1).unwrap();
    let anchored = anchored.split('\'').next().unwrap();
    let found = run(&format!(
        "belegt tick --exit-zero > tick.log; grep -c -E '{anchored}' tick.log"
    ));
    assert_eq!(found, ["1"]);
    let mentioned = run(&format!(
        "echo 'say WORK-AUTONOMOUS: CONTINUE' | grep -c -E '{anchored}'"
    ));
    assert_eq!(mentioned, ["0", "[exit 1]"]);
}

//! L6: a script that ends the whole process ends it without a signal line, and no line means
//! nothing. The built program runs as a child, with scripts of the user's own layer.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

const META: &str = "const META = #{ api: 1, about: \"hostile\" };\n";

/// Runs `belegt tick` in an empty project with one work probe of the user's layer, and at most
/// `memory` KiB of address space.
fn tick(scripts: &[(&str, String)], memory: u64) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("project")).unwrap();
    fs::write(at("project/big.md"), "- [x] done\n".repeat(5000)).unwrap();
    for (path, text) in scripts {
        let file = at("config/belegt").join(format!("{path}.rhai"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    limited(memory, &at("project"))
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", at("home"))
        .env("XDG_CONFIG_HOME", at("config"))
        .env("XDG_STATE_HOME", at("state"))
        .output()
        .unwrap()
}

fn limited(memory: u64, root: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    let script = format!("ulimit -c 0; ulimit -v {memory}; exec \"$0\" tick --root \"$1\"");
    command
        .arg("-c")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_belegt"))
        .arg(root);
    command
}

fn look(body: &str) -> String {
    format!("{META}fn look(ctx) {{\n{body}\n}}\n")
}

/// It lives: the tick ends with one line, and that line is blind with the probe's name.
fn lives(output: &Output, says: &str) {
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(11),
        "{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let signals: Vec<&str> = stdout
        .lines()
        .filter(|l| l.starts_with("WORK-AUTONOMOUS"))
        .collect();
    assert_eq!(signals.len(), 1, "{stdout}");
    assert_eq!(stdout.lines().last(), Some(signals[0]));
    assert!(
        signals[0].contains("work.bad") && stdout.contains(says),
        "{stdout}"
    );
}

/// It dies: by a signal of the system, and nothing on its stdout is a line that a loop reads.
fn dies(output: &Output) {
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.signal().is_some(),
        "{:?} {stdout}",
        output.status
    );
    assert!(!stdout.contains("WORK-AUTONOMOUS"), "{stdout}");
}

/// Enough for every stack and little enough for a bomb to be felt soon.
const ROOMY: u64 = 64 * 1024 * 1024;
const NARROW: u64 = 3 * 1024 * 1024;
const TINY: u64 = 700 * 1024;

#[test]
fn a_chain_of_closures_is_dropped_on_a_stack_that_holds_it() {
    let chains = [
        "let f = || 0; loop { let g = f; f = || g; }",
        "let f = || 0; loop { let g = f; f = || g.call(); }",
        "let f = || 0; let l = [1]; loop { let g = f; l.map(|x| { f = || g; x }); }",
        "let f = || 0; loop { let g = f; let h = f; f = || [g, h]; }",
        "let f = || 0; let n = 0; while n < 900000 { let g = f; f = || g; n += 1; } empty(\"x\")",
    ];
    for chain in chains {
        lives(
            &tick(&[("probes/work/bad", look(chain))], ROOMY),
            "unavailable",
        );
    }
}

#[test]
fn a_chain_in_a_rule_is_dropped_as_well() {
    let rule =
        format!("{META}fn verdict(facts) {{\nlet f = || 0; loop {{ let g = f; f = || g; }}\n}}\n");
    let output = tick(&[("rules/chain", rule)], ROOMY);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(11), "{stdout}");
    assert!(
        stdout.lines().last().unwrap().contains("rules/chain"),
        "{stdout}"
    );
}

#[test]
fn little_address_space_gives_smaller_stacks_and_the_same_answer() {
    let output = tick(&[("probes/work/bad", look("loop { }"))], NARROW);
    lives(&output, "used up its script time");
}

#[test]
fn a_memory_bomb_ends_in_its_script_time_or_without_a_line() {
    // Of memory a script takes what it can get in two seconds. The system may end the process
    // for that, and then there is no line; else the probe is unavailable like any other.
    let big = "let s = \"x\"; for n in 0..15 { s += s; } let n = 0;";
    let table = [
        format!("{big} let m = #{{}}; loop {{ n += 1; m[`k${{n}}`] = s + n; }}"),
        format!("{big} let a = []; for n in 0..1900 {{ a.push(0); }} loop {{ for n in 0..1900 {{ a[n] = s + n; }} }}"),
        format!("{big} let f = || 0; loop {{ n += 1; let t = s + n; let g = f; f = || [g, t]; }}"),
        "loop { let a = [1]; let f = || a; a.push(f); }".to_string(),
        "let t = fs::read(\"big.md\").text; for n in 0..8 { t = t + t; } let a = []; loop { a.push(t + \"x\"); if a.len > 900 { a = []; } }".to_string(),
    ];
    let mut died = 0;
    for bomb in table {
        for memory in [NARROW, TINY] {
            let output = tick(&[("probes/work/bad", look(&bomb))], memory);
            match output.status.signal() {
                Some(_) => dies(&output),
                None => lives(&output, "unavailable"),
            }
            died += usize::from(output.status.signal().is_some());
        }
    }
    assert!(died > 0, "no bomb ended the process, so nothing was shown");
}

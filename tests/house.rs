//! The rules of the house, executed: directions, sizes, purposes, one place for each thing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Which of our own top modules a module may import. `main` and `lib` join everything.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("formats", &["model"]),
    ("diag", &["model"]),
    ("world", &["model", "diag"]),
    ("ledger", &["model", "diag"]),
    ("script", &["model", "diag", "formats", "world"]),
    ("settings", &["model", "diag", "world", "script"]),
    ("lang", &["model", "diag"]),
    ("ask", &["model", "diag", "world", "script", "ledger"]),
    (
        "gate",
        &["model", "diag", "world", "script", "ledger", "lang", "ask"],
    ),
    (
        "tick",
        &["model", "diag", "world", "script", "ledger", "ask", "gate"],
    ),
    (
        "cases",
        &[
            "model", "diag", "world", "script", "ledger", "lang", "ask", "gate", "tick",
        ],
    ),
    (
        "app",
        &[
            "model", "diag", "world", "script", "ledger", "settings", "lang", "ask", "gate",
            "tick", "cases",
        ],
    ),
    (
        "report",
        &[
            "model", "diag", "ledger", "lang", "ask", "gate", "tick", "cases", "app",
        ],
    ),
    ("cli", &["model", "diag", "settings", "app", "report"]),
];

/// Lines of a file without its tests.
const FILE_LINES: usize = 300;
/// Lines of a function.
const FUNCTION_LINES: usize = 40;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below `src/`, by its path there.
fn sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    walk(&root().join("src"), &mut found);
    assert!(found.len() > 50, "the sources were not found");
    found
}

fn walk(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.strip_prefix(root().join("src")).unwrap();
            found.insert(
                name.display().to_string(),
                fs::read_to_string(&path).unwrap(),
            );
        }
    }
}

/// The text without `#[cfg(test)]` modules, which stand at the end of a file.
fn product(text: &str) -> &str {
    text.split("\n#[cfg(test)]").next().unwrap()
}

fn is_test_file(name: &str) -> bool {
    name.ends_with("/tests.rs")
        || name.contains("/tests/")
        || name.ends_with("/speed.rs")
        || name.ends_with("/properties.rs")
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

fn top(name: &str) -> &str {
    name.split('/').next().unwrap().trim_end_matches(".rs")
}

fn complain(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn imports_point_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = DIRECTIONS.iter().copied().collect();
    let mut problems = Vec::new();
    for (name, text) in sources() {
        let module = top(&name);
        if matches!(module, "main" | "lib") || is_test_file(&name) {
            continue;
        }
        let may = allowed
            .get(module)
            .unwrap_or_else(|| panic!("`{module}` has no row in DIRECTIONS"));
        for line in code_lines(product(&text)) {
            for part in line.split("crate::").skip(1) {
                let target: String = part
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let known = allowed.contains_key(target.as_str());
                if known && target != module && !may.contains(&target.as_str()) {
                    problems.push(format!("src/{name} imports `{target}`: {}", line.trim()));
                }
            }
        }
    }
    complain(&problems);
}

#[test]
fn every_file_begins_with_its_purpose() {
    let mut problems = Vec::new();
    for (name, text) in sources() {
        if !text.starts_with("//! ") {
            problems.push(format!("src/{name} does not begin with `//!`"));
        }
    }
    complain(&problems);
}

#[test]
fn files_and_functions_stay_small() {
    let mut problems = Vec::new();
    for (name, text) in sources() {
        if is_test_file(&name) {
            continue;
        }
        let text = product(&text);
        let lines = text.lines().count();
        if lines > FILE_LINES {
            problems.push(format!("src/{name} has {lines} lines"));
        }
        for (function, lines) in functions(text) {
            // A list of registrations is read like a table, a row for each function.
            let is_table = name.starts_with("script/")
                && (function == "module" || function.starts_with("register"));
            if lines > FUNCTION_LINES && !is_table {
                problems.push(format!("src/{name}: `{function}` has {lines} lines"));
            }
        }
    }
    complain(&problems);
}

/// The functions of a formatted file with their lengths: from the signature to the closing
/// brace of the same indentation.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        let Some(at) = trimmed
            .find("fn ")
            .filter(|at| *at == 0 || trimmed[..*at].ends_with(' '))
        else {
            continue;
        };
        let is_head = trimmed[..at]
            .split(' ')
            .all(|w| matches!(w, "" | "pub" | "pub(crate)" | "pub(super)" | "const"));
        if !is_head {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let ends = |l: &&str| l.ends_with(';') || l.ends_with('{') || l.ends_with("{}");
        if lines[index..]
            .iter()
            .find(|l| ends(l))
            .is_some_and(|l| l.ends_with(';'))
        {
            continue;
        }
        let close = format!("{}}}", " ".repeat(indent));
        let length = lines[index..]
            .iter()
            .position(|l| *l == close)
            .map_or(1, |end| end + 1);
        let name: String = trimmed[at + 3..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        found.push((name, length));
    }
    found
}

/// Where a word may stand in product code.
fn only_in(word: &str, places: &[&str]) {
    let mut problems = Vec::new();
    for (name, text) in sources() {
        let allowed = places.iter().any(|place| name.starts_with(place));
        if allowed || is_test_file(&name) {
            continue;
        }
        for line in code_lines(product(&text)) {
            if line.contains(word) {
                problems.push(format!("src/{name} says `{word}`: {}", line.trim()));
            }
        }
    }
    complain(&problems);
}

#[test]
fn rhai_is_named_in_one_place() {
    only_in("rhai::", &["script.rs", "script/"]);
}

#[test]
fn only_reports_print() {
    for word in [
        "println!",
        "print!(",
        "eprintln!",
        "eprint!(",
        "io::stdout",
        "io::stderr",
    ] {
        only_in(
            word,
            &[
                "report.rs",
                "report/",
                "main.rs",
                "settings/surroundings.rs",
            ],
        );
    }
}

#[test]
fn the_surroundings_are_looked_at_in_one_place() {
    for word in [
        "env::var",
        "env::args",
        "env::current_dir",
        "SystemTime::now",
        "Utc::now",
        "Local::now",
    ] {
        only_in(word, &["settings/surroundings.rs"]);
    }
}

#[test]
fn nothing_is_left_over() {
    for word in ["todo!(", "unimplemented!(", "dbg!(", "FIXME", "XXX"] {
        only_in(word, &[]);
    }
}

#[test]
fn scripts_are_short_and_say_what_they_do() {
    let mut problems = Vec::new();
    for folder in ["rules", "probes"] {
        let mut pending = vec![root().join(folder)];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    pending.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                if !text.starts_with("// ") {
                    problems.push(format!("{} does not say what it does", path.display()));
                }
                if text.lines().count() > 200 {
                    problems.push(format!("{} is long", path.display()));
                }
            }
        }
    }
    complain(&problems);
}

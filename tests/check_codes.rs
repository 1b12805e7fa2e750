//! The pages of the codes: each code that `check` raises has examples, each example raises its
//! own code and no other, and what is said of it stands in a snapshot, word for word.
//!
//! The snapshots are `tests/check_codes/<code>.txt`. `BELEGT_WRITE_PAGES=1` writes them anew;
//! read what changed before it is kept.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::fs;
use std::path::{Path, PathBuf};

use belegt::app::check::{self, Page};
use belegt::diag::Code;
use belegt::report::check::rendered;

/// Codes of scripts that no text alone can raise.
const WITHOUT: [Code; 3] = [Code::ScriptMissing, Code::ScriptRead, Code::ScriptUntrusted];

fn raised() -> Vec<Code> {
    let all = Code::ALL.iter().copied();
    all.filter(|code| {
        let is_of_scripts = ["script::", "meta::"]
            .iter()
            .any(|start| code.text().starts_with(start));
        (is_of_scripts && !WITHOUT.contains(code)) || matches!(code, Code::SettingsKey | Code::Case)
    })
    .collect()
}

fn folder(code: Code) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("codes");
    root.join(code.text().replace("::", "."))
}

fn pages() -> Vec<Page> {
    raised()
        .into_iter()
        .map(|code| check::page(code.text()).unwrap())
        .collect()
}

#[test]
fn every_code_that_is_raised_has_a_page_with_examples() {
    for page in pages() {
        let code = page.code.text();
        assert!(!page.broken.is_empty(), "{code} has no broken example");
        assert_eq!(page.mended.len(), 1, "{code} has no mended example");
        assert!(
            page.text.contains("What to do:"),
            "{code} does not say what to do"
        );
        assert!(
            !page.text.contains("Said by:"),
            "{code} has no page of its own"
        );
    }
    let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("codes")).unwrap();
    let known: Vec<PathBuf> = raised().into_iter().map(folder).collect();
    for entry in folders {
        let path = entry.unwrap().path();
        assert!(
            known.contains(&path),
            "{} is of no code that is raised",
            path.display()
        );
    }
}

#[test]
fn every_example_raises_its_own_code_and_no_other() {
    let mut problems = Vec::new();
    for page in pages() {
        for (example, findings) in &page.broken {
            let name = format!("{} {}", page.code.text(), example.name);
            if findings.is_empty() {
                problems.push(format!("{name} raises nothing"));
            }
            for (_, fault) in findings {
                if fault.code() != page.code {
                    problems.push(format!(
                        "{name} raises {}: {}",
                        fault.code().text(),
                        fault.line()
                    ));
                }
            }
        }
        for example in &page.mended {
            for (_, fault) in check::examples::check(&example.text) {
                problems.push(format!("{} mended: {}", page.code.text(), fault.line()));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn every_example_is_told_as_it_stands_in_its_snapshot() {
    let write = std::env::var_os("BELEGT_WRITE_PAGES").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check_codes");
    fs::create_dir_all(&folder).unwrap();
    let mut problems = Vec::new();
    for page in pages() {
        let file = folder.join(format!("{}.txt", page.code.text().replace("::", ".")));
        let mut now = String::new();
        for (example, findings) in &page.broken {
            now.push_str(&format!(
                "==== {}\n\n{}",
                example.name,
                rendered(findings, false)
            ));
        }
        if write {
            fs::write(&file, &now).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        if kept != now {
            problems.push(format!("{}:\n{now}\ninstead of\n{kept}", file.display()));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert_eq!(fs::read_dir(folder).unwrap().count(), pages().len());
}

#[test]
fn every_example_says_where_it_stands() {
    for page in pages() {
        let broken = page.broken.iter().map(|(example, _)| example);
        for example in broken.chain(&page.mended) {
            assert!(example.text.starts_with("// .belegt/"), "{}", example.name);
        }
    }
}

#[test]
fn every_other_code_has_its_lines() {
    for code in Code::ALL.iter().filter(|code| !raised().contains(code)) {
        let page = check::page(code.text()).unwrap();
        assert!(page.text.contains("Said by: `") || page.text.contains("Said by: every"));
        assert!(page.text.contains("What to do:"), "{}", code.text());
    }
}

#[test]
fn an_unknown_code_is_refused_with_what_was_meant() {
    let help = |code: &str| {
        let fault = check::page(code).err().unwrap();
        assert_eq!(fault.code(), Code::Unknown);
        fault.help_text().unwrap().to_string()
    };
    assert_eq!(help("script::functoin"), "did you mean `script::function`?");
    assert_eq!(help("optional"), "did you mean `script::optional`?");
    assert!(help("zzz").contains("each finding shows its code"));
}

//! The built-in scripts, played by their cases in `tests/scripts/`: as `belegt test` plays them
//! in a checkout.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::path::Path;
use std::process::Command;

use belegt::script::layers::Scripts;
use serde_json::Value;

/// `belegt test` in this checkout, with a home of its own.
fn played() -> (Option<i32>, Value, String) {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_belegt"))
        .args(["test", "--json", "--min", "95", "--root"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")))
        .current_dir(home.path())
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (
        output.status.code(),
        serde_json::from_str(&text).unwrap(),
        errors,
    )
}

#[test]
fn every_built_in_script_does_what_its_cases_say_and_is_covered() {
    let (code, report, errors) = played();
    let failed: Vec<&Value> = report["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case["passed"] == false)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(
        report["findings"].as_array().unwrap().len(),
        0,
        "{report:#}"
    );
    assert!(report["passed"].as_u64().unwrap() > 500);
    assert_eq!(code, Some(0), "{errors}");
    // A script that no case plays would not stand in the sum.
    let covered = report["coverage"]["scripts"].as_array().unwrap();
    for source in Scripts::built_in().all() {
        let script = source.script().unwrap();
        let has_functions = script.ast.iter_functions().next().is_some();
        let row = covered
            .iter()
            .find(|row| row["script"] == script.name.as_str());
        assert_eq!(row.is_some(), has_functions, "{}", script.name);
        if let Some(row) = row {
            let (ran, points) = (
                row["ran"].as_u64().unwrap(),
                row["points"].as_u64().unwrap(),
            );
            assert!(ran * 100 >= points * 85, "{row}");
        }
    }
}

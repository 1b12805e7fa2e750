//! The proof method `tests`: an exit code alone is weak, so the runner's own words count too.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/proofs.rs"]
mod proofs;
mod support;

use belegt::world::fixture::{CommandCase, Outcome};
use proofs::{compiled, condition, gate, no_method, only_this_method, proven, refusal, said, says};
use serde_json::{Value, json};
use support::Stage;

const METHOD: &str = "tests";

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

/// A site whose tests are run by `run-tests`, which is granted and does this.
fn runs(outcome: Outcome) -> Stage {
    let mut stage = compiled().command(CommandCase {
        argv: words(&["run-tests", "all"]),
        prefix: false,
        outcome,
        delay: 0,
    });
    stage.tests = Some(words(&["run-tests", "all"]));
    stage.grants.commands.insert("run-tests".to_string());
    stage
}

/// The command ends with this code and prints this on standard output.
fn prints(status: i32, stdout: &str) -> Stage {
    let (stdout, stderr) = (stdout.to_string(), String::new());
    runs(Outcome::Ran {
        status,
        stdout,
        stderr,
    })
}

fn with_settings(stage: Stage, settings: Value) -> Stage {
    let mut stage = stage;
    let path = format!("probes/proofs/{METHOD}");
    stage.settings.insert(path, settings);
    stage
}

fn asks(stage: &Stage, mode: &str, word: &str, parts: &[&str]) {
    says(proven(stage, METHOD, "Tests grün", mode), word, parts);
}

#[test]
fn phrases_are_recognised_by_this_method_alone() {
    let phrases = [
        "Tests grün",
        "Tests gruen",
        "Tests erfolgreich",
        "wenn Tests grün sind",
        "wenn alle Tests grün sind.",
        "sobald die Tests erfolgreich laufen",
        "Tests laufen durch",
        "Tests bestanden",
        "der Testlauf ist erfolgreich",
        "wenn der Testlauf erfolgreich endet",
        "tests pass",
        "if all the tests pass",
        "tests are green",
        "Tests passed",
        "the test suite passes",
        "tests `run-tests all --lib` pass",
        "wenn die Tests `run-tests` grün sind",
    ];
    only_this_method(&prints(0, ""), METHOD, &phrases);
}

#[test]
fn what_is_not_said_is_not_guessed() {
    let texts = [
        "Tests grün und Review da",
        "Tests grün oder Notfallregel aktiv",
        "unit tests pass",
        "tests pass on Windows",
        "Worker A sagt, dass die Tests grün sind",
        "tests",
    ];
    no_method(&prints(0, ""), &texts);
}

#[test]
fn the_command_is_settled_when_the_gate_is_set() {
    let stage = prints(0, "");
    let (sentence, params) = condition(&stage, METHOD, "Tests grün").unwrap();
    assert_eq!(
        sentence,
        "the test run `run-tests all` ends with exit code 0, and tests did run"
    );
    assert_eq!(params, json!({ "argv": ["run-tests", "all"] }));
    let (_, params) = condition(&stage, METHOD, "tests `cargo  test --lib` pass").unwrap();
    assert_eq!(params, json!({ "argv": ["cargo", "test", "--lib"] }));

    let (why, piece) = refusal(&compiled(), METHOD, "wenn Tests grün sind");
    assert!(
        why.contains("tests: [\"cargo\", \"test\"] in site.rhai"),
        "{why}"
    );
    assert_eq!(piece, "wenn Tests grün sind");
}

#[test]
fn o_b01_a_command_whose_exit_code_is_not_the_tests_own_is_refused() {
    let stage = prints(0, "");
    for command in [
        "cargo test 2>&1 | tee test.log",
        "cargo test | tail",
        "cargo test; true",
        "cargo test && echo ok",
        "cargo test || true",
        "cargo test > log",
        "cargo test $(cat args)",
        "RUST_LOG=1 cargo test",
        "cargo test &",
    ] {
        let (why, piece) = refusal(&stage, METHOD, &format!("tests `{command}` pass"));
        assert!(why.contains("exit code not attributable"), "{why}");
        assert_eq!(piece, command);
    }
    let (why, _) = refusal(&stage, METHOD, "tests `cargo test \"two words\"` pass");
    assert!(why.contains("quotes"), "{why}");
    for shell in ["sh", "/bin/bash", "cmd"] {
        let mut stage = prints(0, "");
        let flag = if shell == "cmd" { "/c" } else { "-lc" };
        stage.tests = Some(words(&[shell, flag, "cargo test | tee log"]));
        let (why, piece) = refusal(&stage, METHOD, "Tests grün");
        assert!(why.contains("exit code not attributable"), "{why}");
        assert_eq!(piece, shell);
    }
}

#[test]
fn o_b01_a_summary_with_a_failure_beats_exit_code_0() {
    let summary = "test result: FAILED. 1006 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.5s\n";
    asks(
        &prints(0, summary),
        "wait",
        "empty",
        &["1 failed", "exit code 0"],
    );
}

#[test]
fn o_b02_a_run_without_tests_proves_nothing() {
    let none = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.00s\n";
    asks(&prints(0, none), "wait", "empty", &["0 tests ran"]);
    asks(&prints(0, none), "only", "empty", &["0 tests ran"]);
    let some = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
    let several = format!("{none}\n{some}\n{none}\n{some}");
    asks(
        &prints(0, &several),
        "only",
        "found",
        &["exit code 0", "tests_run=6"],
    );
}

#[test]
fn o_b03_a_test_that_passed_when_repeated_does_not_prove() {
    let summary = "     Summary [   0.123s] 10 tests run: 10 passed (1 flaky), 2 skipped\n";
    for printed in [summary, "10 passed (1 flaky)\n"] {
        asks(&prints(0, printed), "wait", "empty", &["flaky=1"]);
        asks(&prints(0, printed), "only", "empty", &["flaky=1"]);
    }
    let allowed = with_settings(prints(0, summary), json!({ "allow_flaky": true }));
    asks(&allowed, "wait", "found", &["flaky=1", "tests_run=10"]);
    asks(&allowed, "only", "empty", &["flaky=1"]);
}

#[test]
fn o_b05_a_command_that_could_not_be_started_was_not_asked() {
    asks(
        &runs(Outcome::Missing),
        "wait",
        "unavailable",
        &["run-tests all"],
    );
    asks(&runs(Outcome::Hangs), "wait", "unavailable", &["deadline"]);
    for (code, text) in [
        (127, "sh: 1: pytset: not found\n"),
        (126, "sh: ./t: Permission denied\n"),
        (137, "Killed\n"),
    ] {
        asks(
            &prints(code, text),
            "wait",
            "unavailable",
            &[text.trim(), &code.to_string()],
        );
    }
    // As many failures: mocha's exit code is their number.
    let failures = "  3 passing (12ms)\n  127 failing\n";
    asks(&prints(127, failures), "wait", "empty", &["127 failing"]);

    let mut refused = prints(0, "");
    refused.grants.commands.remove("run-tests");
    asks(
        &refused,
        "wait",
        "unavailable",
        &["not a granted command", "commands"],
    );
}

#[test]
fn o_b06_the_end_of_a_worker_says_nothing_about_the_tests() {
    let stage = prints(1, "test result: FAILED. 2 passed; 1 failed; 0 ignored\n");
    no_method(&stage, &["Worker A fertig ist und Tests grün sind"]);
    asks(
        &stage,
        "wait",
        "empty",
        &["exit code 1", "2 passed; 1 failed"],
    );
}

#[test]
fn a_runner_that_does_not_say_how_many_is_enough_for_waiting_only() {
    for printed in ["", "all good\n", "BUILD SUCCESSFUL in 3s\n"] {
        asks(
            &prints(0, printed),
            "wait",
            "found",
            &["does not say how many"],
        );
        asks(
            &prints(0, printed),
            "only",
            "unavailable",
            &["number of tests is not known"],
        );
    }
    let (word, _) = said(&prints(0, "").prove(
        METHOD,
        gate(json!({ "argv": ["run-tests", "all"] }), "new mode"),
    ));
    assert_eq!(word, "unavailable");
}

/// What runners print at the end, and how many tests passed.
const GREEN: &[(&str, &str, i64)] = &[
    (
        "cargo test",
        "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        2,
    ),
    (
        "nextest",
        "────────────\n     Summary [   1.204s] 1 test run: 1 passed, 3 skipped\n",
        1,
    ),
    (
        "nextest in colour",
        "\u{1b}[32;1m     Summary\u{1b}[0m [   1.204s] \u{1b}[1m4\u{1b}[0m tests run: \u{1b}[1m4\u{1b}[0m \u{1b}[32;1mpassed\u{1b}[0m, \u{1b}[1m0\u{1b}[0m skipped\n",
        4,
    ),
    (
        "pytest",
        "collected 8 items\n\n======== 5 passed, 1 skipped, 1 xfailed, 1 xpassed, 2 warnings in 65.01s (0:01:05) ========\n",
        5,
    ),
    ("pytest -q", ".....\n5 passed in 0.12s\n", 5),
    (
        "unittest",
        "......\n----------------------------------------------------------------------\nRan 6 tests in 0.001s\n\nOK (skipped=2)\n",
        4,
    ),
    (
        "jest",
        "Test Suites: 1 passed, 1 total\nTests:       2 skipped, 5 passed, 7 total\nSnapshots:   0 total\nTime:        1.2 s\n",
        5,
    ),
    (
        "vitest",
        " Test Files  2 passed (2)\n      Tests  7 passed | 1 skipped (8)\n   Start at  10:00:00\n",
        7,
    ),
    (
        "go",
        "?   \texample.com/demo\t[no test files]\nok  \texample.com/demo/a\t0.005s\nok  \texample.com/demo/b\t(cached)\nok  \texample.com/demo/c\t0.002s [no tests to run]\n",
        2,
    ),
    ("mocha", "\n  5 passing (12ms)\n  1 pending\n\n", 5),
    (
        "dotnet",
        "Passed!  - Failed:     0, Passed:     9, Skipped:     1, Total:    10, Duration: 12 ms - Demo.Tests.dll (net8.0)\n",
        9,
    ),
    (
        "dotnet, German",
        "Bestanden!   : Fehler:     0, erfolgreich:     3, übersprungen:     0, gesamt:     3, Dauer: 4 ms - Demo.dll (net8.0)\n",
        3,
    ),
    (
        "dotnet 9",
        "Test summary: total: 5, failed: 0, succeeded: 4, skipped: 1, duration: 1.2s\n",
        4,
    ),
    (
        "maven",
        "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in demo.ATest\n[INFO] Results:\n[INFO] \n[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 2\n[INFO] BUILD SUCCESS\n",
        3,
    ),
    (
        "junit 4",
        "JUnit version 4.13\n..\nTime: 0.01\n\nOK (2 tests)\n",
        2,
    ),
    (
        "junit 5",
        "[         2 containers successful ]\n[         8 tests found           ]\n[         8 tests successful      ]\n[         0 tests failed          ]\n",
        8,
    ),
    ("phpunit", "OK (5 tests, 10 assertions)\n", 5),
    ("node", "ℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ cancelled 0\n", 3),
    (
        "playwright",
        "Running 5 tests using 2 workers\n\n  5 passed (3.2s)\n",
        5,
    ),
    (
        "ctest",
        "100% tests passed, 0 tests failed out of 12\n\nTotal Test time (real) =   0.05 sec\n",
        12,
    ),
    (
        "windows",
        "test result: ok. 2 passed; 0 failed; 0 ignored\r\n\r\n",
        2,
    ),
];

#[test]
fn summaries_of_runners_are_read() {
    for (runner, printed, passed) in GREEN {
        let got = proven(&prints(0, printed), METHOD, "tests pass", "only");
        assert_eq!(got.0, "found", "{runner}: {}", got.1);
        let counted = format!("tests_run={passed} (");
        assert!(got.1.contains(&counted), "{runner}: {}", got.1);
        let (stdout, stderr) = (String::new(), printed.to_string());
        let on_stderr = runs(Outcome::Ran {
            status: 0,
            stdout,
            stderr,
        });
        assert_eq!(
            proven(&on_stderr, METHOD, "tests pass", "only"),
            got,
            "{runner}"
        );
    }
}

/// Runs that end with 0 although no test ran.
const NONE: &[(&str, &str)] = &[
    (
        "pytest",
        "============ no tests ran in 0.01s ============\n",
    ),
    ("pytest", "============ 3 skipped in 0.02s ============\n"),
    ("unittest", "Ran 2 tests in 0.000s\n\nOK (skipped=2)\n"),
    ("jest", "No tests found, exiting with code 0\n"),
    ("jest", "Tests:       3 skipped, 3 total\n"),
    ("vitest", "No test files found, exiting with code 0\n"),
    ("go", "?   \texample.com/demo\t[no test files]\n"),
    (
        "go",
        "testing: warning: no tests to run\nPASS\nok  \texample.com/demo\t0.002s [no tests to run]\n",
    ),
    ("mocha", "\n  0 passing (1ms)\n"),
    (
        "dotnet",
        "No test is available in /p/Demo.dll. Make sure that test discoverer & executors are registered\n",
    ),
    (
        "maven",
        "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2\n",
    ),
    ("maven", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"),
    (
        "gradle",
        "> Task :compileJava\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n",
    ),
    ("phpunit", "No tests executed!\n"),
    ("node", "ℹ tests 0\nℹ pass 0\nℹ fail 0\n"),
    ("ctest", "No tests were found!!!\n"),
];

#[test]
fn o_b02_no_runner_is_green_without_a_test() {
    for (runner, printed) in NONE {
        let (word, why) = proven(&prints(0, printed), METHOD, "tests pass", "wait");
        assert_eq!(word, "empty", "{runner}: {why}");
        assert!(why.contains("0 tests ran"), "{runner}: {why}");
    }
    let gradle = "> Task :test UP-TO-DATE\n> Task :other:test\n> Task :empty:test NO-SOURCE\n\nBUILD SUCCESSFUL\n";
    asks(
        &prints(0, gradle),
        "wait",
        "found",
        &["does not say how many"],
    );
    asks(&prints(0, gradle), "only", "unavailable", &["not known"]);
}

/// Runs that end with 0 after a test was repeated.
const FLAKY: &[(&str, &str, u32)] = &[
    (
        "nextest",
        "     Summary [   9s] 10 tests run: 10 passed (2 slow, 1 flaky), 2 skipped\n",
        1,
    ),
    ("pytest", "======= 5 passed, 2 rerun in 0.30s =======\n", 2),
    (
        "maven",
        "[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n",
        1,
    ),
    (
        "playwright",
        "  1 flaky\n    a.spec.ts:3:1\n  4 passed (3.2s)\n",
        1,
    ),
    (
        "vitest",
        " ✓ adds (retry x2)\n      Tests  5 passed (5)\n",
        2,
    ),
];

#[test]
fn o_b03_repeated_tests_are_told_by_each_runner() {
    for (runner, printed, flaky) in FLAKY {
        let (word, why) = proven(&prints(0, printed), METHOD, "tests pass", "wait");
        assert_eq!(word, "empty", "{runner}: {why}");
        assert!(why.contains(&format!("flaky={flaky},")), "{runner}: {why}");
    }
}

/// What runners say of a failure that their counts and their exit code may hide.
const SAYS_FAILED: &[(&str, &str)] = &[
    ("cargo", "  test result: FAILED. 2 passed; 1 failed\n"),
    ("cargo", "test result: FAILED. 3 passed; 0 failed\n"),
    ("cargo", "[12:00] test result: FAILED.\n"),
    ("cargo", "\u{1b}[31mtest result: \u{1b}[0mFAILED\n"),
    ("cargo", "test a::b ... FAILED\n"),
    ("cargo", "error: test failed, to rerun pass `--lib`\n"),
    ("nextest", "        FAIL [   0.004s] demo tests::adds\n"),
    ("nextest", "error: test run failed\r\n"),
    (
        "pytest",
        "FAILED tests/test_a.py::test_adds - assert 1 == 2\n",
    ),
    ("pytest", "=========== FAILURES ===========\n"),
    ("unittest", "FAIL: test_adds (demo.A.test_adds)\n"),
    ("unittest", "FAILED (unexpected successes=1)\n"),
    ("jest", "Test Suites: 1 failed, 2 passed, 3 total\n"),
    ("jest", "FAIL src/a.test.js\n"),
    ("vitest", " Test Files  1 failed | 1 passed (2)\n"),
    ("node", "not ok 2 - adds\n"),
    ("go", "    --- FAIL: TestAdds/two (0.00s)\n"),
    ("go", "FAIL\n"),
    ("go", "FAIL\texample.com/demo [build failed]\n"),
    ("dotnet", "Failed!  - Demo.dll\n"),
    ("maven", "[WARNING] There are test failures.\n"),
    ("maven", "[INFO] BUILD FAILURE\n"),
    ("gradle", "> Task :test FAILED\n"),
    ("gradle", "DemoTest > adds() FAILED\n"),
    ("gradle", "There were failing tests. See the report\n"),
    ("junit 4", "FAILURES!!!\n"),
    ("junit 5", "[         1 containers failed      ]\n"),
    ("phpunit", "ERRORS!\n"),
    ("ctest", "The following tests FAILED:\n"),
];

#[test]
fn a10_a_runner_that_says_failed_is_never_green() {
    let ok = "test result: ok. 4 passed; 0 failed; 0 ignored\n";
    let why = "the runner says that tests failed";
    for (runner, red) in SAYS_FAILED {
        for printed in [
            red.to_string(),
            format!("{ok}{red}"),
            format!("{red}\n{ok}"),
        ] {
            for (status, mode) in [(0, "wait"), (0, "only"), (1, "wait"), (127, "only")] {
                let got = proven(&prints(status, &printed), METHOD, "tests pass", mode);
                assert_eq!(got.0, "empty", "{runner}, {status}: {printed}: {}", got.1);
                assert!(got.1.contains(why), "{runner}: {printed}: {}", got.1);
            }
        }
    }
    let beside = "test result: ok. 4 passed; 0 failed; test result: FAILED. 0 passed; 1 failed\n";
    asks(&prints(0, beside), "only", "empty", &[why]);
    let green =
        "not ok 2 - adds # TODO later\n  TRY 1 FAIL [   0.1s] demo adds\nFAIL: 0\n0 FAILED\n";
    asks(&prints(0, &format!("{green}{ok}")), "only", "found", &[]);
}

#[test]
fn d09_tests_that_are_not_green_are_refused() {
    for text in [
        "Tests nicht grün",
        "tests do not pass",
        "tests aren't green",
    ] {
        let (why, _) = refusal(&prints(0, ""), METHOD, text);
        assert!(why.contains("something is not so"), "{text}: {why}");
    }
}

/// Runs that failed, and what of their output says so.
const RED: &[(i32, &str, &str)] = &[
    (
        101,
        "test result: ok. 2 passed; 0 failed\n\ntest result: FAILED. 1 passed; 1 failed\n\nerror: test failed\n",
        "FAILED. 1 passed; 1 failed",
    ),
    (
        1,
        "=== 1 failed, 4 passed in 0.1s ===\n",
        "1 failed, 4 passed in 0.1s",
    ),
    (
        1,
        "FAIL\texample.com/demo\t0.01s\nok  \texample.com/b\t0.01s\nFAIL\n",
        "FAIL",
    ),
    (5, "=== no tests ran in 0.01s ===\n", "no tests ran"),
    (2, "make: *** [test] Error 2\n", "Error 2"),
];

#[test]
fn failed_runs_say_what_failed() {
    for (code, printed, part) in RED {
        let code_said = format!("exit code {code}, ");
        asks(
            &prints(*code, printed),
            "wait",
            "empty",
            &[part, &code_said],
        );
    }
}

#[test]
fn a_site_adds_its_own_runner() {
    let printed = "checked 12 cases, 0 broken\n";
    let row = json!({ "name": "own", "line": "^checked .*", "passed": "checked (\\d+)", "failed": "(\\d+) broken" });
    let stage = with_settings(prints(0, printed), json!({ "runners": [row] }));
    asks(&stage, "only", "found", &["tests_run=12 (own)"]);
}

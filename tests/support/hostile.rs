//! What the hostile tests share: a site where everything was asked and everything is empty, and
//! one way to put hostile scripts into it and to look at what the kernel made of them.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail, and not every test uses every helper"
)]

use std::time::{Duration, Instant};

use belegt::model::status::Status;
use belegt::tick::outcome::Outcome;

use crate::support::{ROOT, Stage};

/// The four shipped roles in chain order.
pub const ROLES: [&str; 4] = [
    "decisions.ledger",
    "memory.organic",
    "memory.curated",
    "user.model",
];
/// The line of signal that only a proof earns.
pub const EXHAUSTED: &str = "WORK-AUTONOMOUS: STOP (exhausted)";
/// The first line of every hostile script; the rest begins on line 2.
pub const META: &str = "const META = #{ api: 1, about: \"hostile\" };\n";
/// Two seconds of script time, and a margin for a debug build on a busy machine.
pub const SOON: Duration = Duration::from_millis(4500);

/// A site where everything can be asked and everything is empty: its tick is `exhausted`.
pub fn quiet() -> Stage {
    let mut stage = Stage::new();
    for role in ROLES {
        let place = format!("{ROOT}/{role}.md");
        let text = format!(
            "{META}fn locate(ctx) {{ place(\"path\", \"{place}\") }}\nfn situation(ctx, place) {{ #{{}} }}\nfn read(ctx, place) {{ let file = fs::read(place); if !file.ok {{ return unavailable(file.why); }} empty(\"nothing\") }}\n"
        );
        stage = stage
            .file(&format!("{role}.md"), "")
            .script(&format!("probes/sources/{role}"), &text);
    }
    for name in ["intake", "tickets", "todo", "unfinished", "routine"] {
        let text =
            format!("{META}fn look(ctx) {{ fs::stat(\"none\"); absent(\"no such thing\") }}\n");
        stage = stage.script(&format!("probes/work/{name}"), &text);
    }
    stage
}

/// The same with another script under a path; a script given twice counts as given last.
pub fn with(stage: Stage, path: &str, text: &str) -> Stage {
    let mut stage = stage;
    stage.scripts.retain(|script| script.path != path);
    stage.script(path, text)
}

/// A work probe: `META` on line 1, `fn look(ctx) {` on line 2, the body from line 3 on.
pub fn look(body: &str) -> String {
    format!("{META}fn look(ctx) {{\n{body}\n}}\n")
}

/// Plays a tick that must not take longer than the script time and a margin.
pub fn timed(stage: &Stage) -> Outcome {
    let began = Instant::now();
    let outcome = stage.tick();
    let took = began.elapsed();
    assert!(took < SOON, "the tick took {took:?}");
    outcome
}

/// One hostile work probe: its name, its whole text, and what the refusal must say; `line` 0
/// stands for a refusal that has no line.
pub struct Case<'a> {
    pub name: &'a str,
    pub text: String,
    pub says: &'a str,
    pub line: usize,
}

/// A case whose body stands in `fn look(ctx)`; its first line is line 3.
pub fn case<'a>(name: &'a str, body: &str, says: &'a str, line: usize) -> Case<'a> {
    let text = look(body);
    Case {
        name,
        text,
        says,
        line,
    }
}

/// A case whose text stands below `META`, from line 2 on.
pub fn whole<'a>(name: &'a str, text: &str, says: &'a str, line: usize) -> Case<'a> {
    let text = format!("{META}{text}\n");
    Case {
        name,
        text,
        says,
        line,
    }
}

/// Plays all cases side by side in one quiet site. Each must be unavailable with its reason and
/// its place, and the tick must be blind.
pub fn all_refused(stage: Stage, cases: &[Case<'_>]) -> Outcome {
    let mut stage = stage;
    for case in cases {
        stage = with(stage, &format!("probes/work/{}", case.name), &case.text);
    }
    let outcome = timed(&stage);
    let signal = outcome.signal.to_string();
    assert!(
        signal.starts_with("WORK-AUTONOMOUS: STOP (blind, "),
        "{signal}"
    );
    let mut problems = Vec::new();
    for case in cases {
        let name = format!("work.{}", case.name);
        let report = outcome.work.iter().find(|work| work.name == name).unwrap();
        let place = format!("site/probes/work/{}.rhai:{}", case.name, case.line);
        let placed = case.line == 0 || report.why.contains(&place);
        let good = report.status == Status::Unavailable && placed && report.why.contains(case.says);
        if !good || !signal.contains(&name) {
            problems.push(format!(
                "{name}: {:?} `{}`\n   wanted `{place}` and `{}`",
                report.status, report.why, case.says
            ));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    outcome
}

/// Plays a quiet site with one rule replaced; gives the outcome and the reason of its fault.
pub fn with_rule(stage: Stage, rule: &str, text: &str) -> (Outcome, Option<String>) {
    let stage = with(stage, &format!("rules/{rule}"), text);
    let outcome = timed(&stage);
    let name = format!("rules/{rule}");
    let fault = outcome.unavailable.iter().find(|u| u.name == name);
    let why = fault.map(|fault| fault.why.clone());
    (outcome, why)
}

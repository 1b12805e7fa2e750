//! Cases: worlds made of data in which a script is played, and what must come out.
//!
//! ```text
//! CASES -> case (typed) -> world (fixture, clock, ledger view) -> play (the same door as a run) -> compare
//! ```
//!
//! INVARIANT: a case reaches nothing outside: files, commands, clock and ledger are its own. A
//! case that cannot be read is a fault and never a case that passed; no case at all is no
//! success either.

pub mod case;
pub mod compare;
pub mod needs;
pub mod play;
pub mod read;
pub mod stage;
pub mod told;
pub mod world;

use std::sync::Arc;

use serde_json::Value;

use crate::diag::Fault;
use crate::script::cases::CaseFile;
use crate::script::coverage::Coverage;
use crate::script::layers::Scripts;

use compare::Difference;

/// A case that was played.
#[derive(Debug)]
pub struct Played {
    /// The file of the case, as messages call it.
    pub file: String,
    /// The line of the case, counted from 1.
    pub line: usize,
    /// The case's name.
    pub name: String,
    /// What it plays: the path of a script, `gates` or `tick`.
    pub script: String,
    /// What is not as expected; empty if the case passed.
    pub differences: Vec<Difference>,
    /// `script:line` of what made the answer, if a line made it.
    pub made_at: Option<String>,
    /// What came out, whole.
    pub got: Value,
}

impl Played {
    /// Whether everything was as expected.
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What is wrong with the cases of a file, without playing them.
pub fn faults(file: &CaseFile) -> Vec<Fault> {
    let cases = file.cases.iter().enumerate();
    let read = cases.filter_map(|(index, value)| match read::read(file, index, value) {
        Err(fault) => Some(fault),
        Ok(case) => {
            let why = world::stage(&case).err()?;
            Some(file.fault(index, None, why))
        }
    });
    read.collect()
}

/// Plays the cases of a file whose name and script are wanted; a fault for each that cannot be
/// read.
pub fn play_file(
    file: &CaseFile,
    scripts: &Arc<Scripts>,
    coverage: Option<&Arc<Coverage>>,
    wanted: &dyn Fn(&str, &str) -> bool,
) -> Vec<Result<Played, Fault>> {
    let mut results = Vec::new();
    for (index, value) in file.cases.iter().enumerate() {
        let case = match read::read(file, index, value) {
            Ok(case) => case,
            Err(fault) => {
                results.push(Err(fault));
                continue;
            }
        };
        if wanted(&case.name, &case.script) {
            let played = play::play(&case, scripts, coverage);
            results.push(
                played
                    .map(|outcome| told(file, index, case, outcome))
                    .map_err(|(key, why)| file.fault(index, key, why)),
            );
        }
    }
    results
}

fn told(file: &CaseFile, index: usize, case: case::Case, outcome: told::Told) -> Played {
    let expected = Value::Object(case.expect);
    Played {
        file: file.name.clone(),
        line: file.line(index),
        name: case.name,
        script: case.script,
        differences: compare::compare(&expected, &outcome.got),
        made_at: outcome.made_at,
        got: outcome.got,
    }
}

//! Commands of the stage: made up, or as recorded from the real tools.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail, and not every test uses every helper"
)]

use belegt::world::fixture::{CommandCase, Outcome};

/// A file below `tests/data`; an empty text if there is none.
pub fn data(path: &str) -> String {
    let path = format!("{}/tests/data/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap_or_default()
}

/// A command line, its words apart by blanks, that does this.
pub fn case(line: &str, outcome: Outcome) -> CommandCase {
    CommandCase {
        argv: line.split(' ').map(str::to_string).collect(),
        prefix: false,
        outcome,
        delay: 0,
    }
}

/// A command line that prints and ends with 0.
pub fn prints(line: &str, stdout: &str) -> CommandCase {
    ends(line, 0, stdout, "")
}

/// A command line that prints and ends with a code.
pub fn ends(line: &str, status: i32, stdout: &str, stderr: &str) -> CommandCase {
    case(
        line,
        Outcome::Ran {
            status,
            stdout: stdout.to_string(),
            stderr: stderr.to_string(),
        },
    )
}

/// A command line that does what was recorded.
pub fn recorded(line: &str, name: &str) -> CommandCase {
    let status = data(&format!("{name}.status")).trim().parse().unwrap();
    ends(
        line,
        status,
        &data(&format!("{name}.stdout")),
        &data(&format!("{name}.stderr")),
    )
}

/// A command that is not on PATH, with whatever words.
pub fn missing(command: &str) -> CommandCase {
    CommandCase {
        prefix: true,
        ..case(command, Outcome::Missing)
    }
}

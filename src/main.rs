//! Arguments in, exit code out.

use std::io::{stderr, stdout};
use std::panic::catch_unwind;
use std::process::ExitCode;

use belegt::cli::{self, exit};
use belegt::settings::surroundings::Surroundings;

fn main() -> ExitCode {
    // A fault of our own ends without a line and with the code that says so.
    let run = catch_unwind(|| {
        let surroundings = Surroundings::real();
        cli::run(&surroundings, &mut stdout().lock(), &mut stderr().lock())
    });
    ExitCode::from(run.unwrap_or(exit::FAILED))
}

//! Arguments in, exit code out.

use std::io::{stderr, stdout};
use std::process::ExitCode;

use belegt::settings::surroundings::Surroundings;

fn main() -> ExitCode {
    let surroundings = Surroundings::real();
    let code = belegt::cli::run(&surroundings, &mut stdout().lock(), &mut stderr().lock());
    ExitCode::from(code)
}

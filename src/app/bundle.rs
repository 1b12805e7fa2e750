//! The user bundle at any time: a look without a trace.

use super::context::Context;
use super::tick::{Options, Ticked, run};

/// Looks at everything, without the guard and without writing.
pub fn look(settings: &Context<'_>) -> Ticked {
    let options = Options {
        dry_run: true,
        no_guard: true,
        analysis: None,
    };
    run(settings, &options)
}

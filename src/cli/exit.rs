//! The exit codes. The verdicts' own stand with the signal.

use crate::diag::{Code, Fault};

/// Done.
pub const OK: u8 = 0;
/// belegt could not run: no line was printed, and no line means nothing.
pub const FAILED: u8 = 1;
/// The command line could not be understood.
pub const USAGE: u8 = 2;
/// `signal read`: no signal, or two different ones.
pub const NO_SIGNAL: u8 = 3;
/// `signal read --backed`: no stored tick said it.
pub const UNBACKED: u8 = 4;
/// A question about gates was not answered; [`crate::gate::judge::Answer`] has the others.
pub const UNASKED: u8 = 22;
/// `doctor` and `check`: there are findings.
pub const FINDINGS: u8 = 30;
/// `verify`: the ledger is damaged.
pub const DAMAGED: u8 = 40;

/// The exit code of a fault that ended a command.
pub fn of(fault: &Fault) -> u8 {
    if fault.is_unasked() {
        return UNASKED;
    }
    match fault.code() {
        Code::Usage => USAGE,
        _ => FAILED,
    }
}

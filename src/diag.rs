//! Diagnostics: what is wrong, where, why, and what to do.
//!
//! Every module's error turns into a [`Fault`]. Codes are stable and listed in [`code`]; points
//! of the script engine become byte spans in [`place`].

pub mod code;
pub mod fault;
pub mod place;

pub use code::Code;
pub use fault::{Fault, Finding, Label, Severity};

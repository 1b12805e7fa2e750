//! The script host: the only module that names rhai.
//!
//! A script is data first: [`contract`] reads what it declares from the syntax tree, without
//! running it. [`call`] is the one door through which a script runs: an engine of its own,
//! every limit set, three clocks, and an opaque [`answer::Answered`] back. What goes wrong
//! becomes a [`crate::diag::Fault`] in [`fault`], never an empty answer.
//!
//! INVARIANT: a script cannot make a receipt, cannot reach the world but through [`frame`], and
//! cannot return anything that the host did not construct.

pub mod answer;
pub mod call;
pub mod cases;
pub mod check;
pub mod clash;
pub mod contract;
pub mod coverage;
pub mod engine;
pub mod fault;
pub mod frame;
pub mod host;
pub mod layers;
pub mod literal;
pub mod names;
pub mod reference;
pub mod resolver;
pub mod shown;
pub mod site;
pub mod token;
pub mod value;

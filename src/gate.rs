//! Gates: statements of the language become sets of gates, and gates are met by evidence.
//!
//! ```text
//! text -> lang::read -> normal (recognise) -> GateSet -> ledger
//! ledger -> check (prove) -> judge (what it does to its step) -> changes -> ledger
//! ```
//!
//! Everything here takes sets of gates and gives changes back; it opens nothing, stores nothing
//! and prints nothing.
//!
//! INVARIANT (L3): [`prove`] is the only place that makes measured evidence, and only from a
//! `found` or `reported` of the gate's own method with a successful look of this very call;
//! [`consent`] the only one that makes consent, and only from a person's answer.

pub mod check;
pub mod consent;
pub mod judge;
pub mod methods;
pub mod near;
pub mod normal;
pub mod prove;
pub mod words;

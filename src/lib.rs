//! `belegt` (German: proven, on record) answers one question for a loop of autonomous work:
//! may it stop, and is that proven?
//!
//! Probes look, rules judge, the kernel keeps both honest. Every source answers found, empty or
//! unavailable; what could not be asked is never empty. Scripts decide what an answer means;
//! they cannot pretend that a question was asked.
//!
//! # The walk of a tick
//!
//! ```text
//! argv -> settings -> scripts -> ledger view -> look -> judge -> append -> one line
//! ```
//!
//! | stop | module | takes | gives |
//! | --- | --- | --- | --- |
//! | 1 | [`cli`] | arguments | one command with its flags |
//! | 2 | [`settings`] | the surroundings, once | settings, grants, trust, script texts |
//! | 3 | [`script`] | texts of all layers | scripts that keep their contract |
//! | 4 | [`ledger`] | the file and its anchor | one consistent view |
//! | 5 | [`tick`] (intake, work, guard, chain) | scripts over a [`world`] | findings with receipts |
//! | 6 | [`tick::judge`] and [`model::verdict`] | findings | one verdict that is true |
//! | 7 | [`app::tick`] | the event | a commit, and only then |
//! | 8 | [`report`] | the outcome | the report, and the line last |
//!
//! # The walk of a gate
//!
//! ```text
//! text -> lang -> gate::normal (recognise) -> ledger -> gate::check (prove) -> gate::judge -> ledger -> one answer
//! ```
//!
//! [`lang`] reads statements and knows nothing of proofs; [`gate`] asks the proof scripts and
//! gives changes back; [`app::gates`] reads and stores them. A gate is met only by evidence that
//! the ledger holds before anybody is told.
//!
//! # The walk of a case
//!
//! ```text
//! CASES -> cases::read -> cases::world (fixture, clock, grants, view) -> cases::play (tick::probe, gate::prove, tick::run) -> cases::compare
//! ```
//!
//! A case plays a script through the door of a real run over a world made of data. [`cases`]
//! knows neither files nor the terminal: [`app::test`] reads the files, [`report`] tells what
//! failed. [`app::check`] runs nothing: [`script::check`] reads the syntax trees.
//!
//! # Directions
//!
//! `cli -> app, report -> cases -> tick -> gate -> ask, settings -> script, ledger, lang -> world, formats ->
//! diag -> model`.
//! The real world and SQLite are named in [`app`], where they are plugged in; rhai only in
//! [`script`]; printing only in [`report`]; clock, environment and terminal only in
//! [`settings::surroundings`]. `tests/house.rs` holds these.

pub mod app;
pub mod ask;
pub mod cases;
pub mod cli;
pub mod diag;
pub mod formats;
pub mod gate;
pub mod lang;
pub mod ledger;
pub mod model;
pub mod report;
pub mod script;
pub mod settings;
pub mod tick;
pub mod world;

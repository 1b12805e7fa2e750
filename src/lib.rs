//! `belegt`: may an autonomous loop stop, and is that proven?
pub mod diag;
pub mod formats;
pub mod ledger;
pub mod model;
pub mod script;
pub mod tick;
pub mod world;

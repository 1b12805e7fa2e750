//! `belegt`: may an autonomous loop stop, and is that proven?
pub mod diag;
pub mod formats;
pub mod model;
pub mod script;
pub mod settings;
pub mod world;

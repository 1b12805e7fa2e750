//! `belegt`: may an autonomous loop stop, and is that proven?
pub mod model;
pub mod script;
pub mod tick;
pub mod world;

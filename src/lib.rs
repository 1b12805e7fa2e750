//! `belegt`: may an autonomous loop stop, and is that proven?
pub mod formats;
pub mod model;

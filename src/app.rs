//! One verb a file: what the command line calls, and later hooks and other surfaces.
//!
//! Here the real world and SQLite are plugged in; verbs take settings and give plain results.
//! They print nothing.

pub mod attempt;
pub mod book;
pub mod bundle;
pub mod check;
pub mod context;
pub mod difference;
pub mod doc;
pub mod doctor;
pub mod eject;
pub mod explain;
pub mod gates;
pub mod history;
pub mod init;
pub mod mirror;
pub mod note;
pub mod scripts;
pub mod settle;
pub mod signal;
pub mod stage;
pub mod test;
pub mod tick;
pub mod trust;
pub mod write;

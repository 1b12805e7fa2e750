//! Markdown as GitHub reads it (GFM 0.29): tasks, tables, sections.
//!
//! INVARIANT: what is code or a comment is never taken for content, and a box that GFM would
//! overlook is told as unclear, not dropped.

mod boxes;
mod sections;
mod source;
mod strays;
mod tables;
mod tasks;

pub use sections::{Section, sections};
pub use tables::{Row, Table, tables};
pub use tasks::tasks;

//! A word on stderr while a tick looks, on a terminal only, cleared before the line.

/// What is written while a tick runs.
pub const LOOKING: &str = "\r  looking ...";
/// What takes it away again.
pub const CLEAR: &str = "\r\u{1b}[2K";

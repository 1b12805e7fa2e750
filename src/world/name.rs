//! File names as text and back, without loss. Stand-in: the spelling alone.

use std::ffi::OsStr;

/// The spelling of a name as text.
pub fn encode(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

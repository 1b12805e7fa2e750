//! Where the gates live, and whether that outlives this session.
//!
//! Facts: the numbers are those of `linux/magic.h`.

use std::path::Path;

use crate::model::text::escape;

/// File systems that end with the machine's memory or with a container.
#[cfg(target_os = "linux")]
const PASSING: [(u32, &str); 3] = [
    (
        0x0102_1994,
        "a tmpfs: it ends when this machine restarts or the folder is unmounted",
    ),
    (0x8584_58f6, "a ramfs: it ends when this machine restarts"),
    (
        0x794c_7630,
        "an overlay, as containers have: it ends with the container unless a volume lies here",
    ),
];

/// A place and how long it lasts.
#[derive(Debug, Clone)]
pub struct Place {
    /// The ledger's path, harmless.
    pub path: String,
    /// Why it does not last; nothing if it is a plain disk.
    pub passing: Option<String>,
}

/// Looks at the file system of the ledger.
pub fn place(ledger: &Path) -> Place {
    Place {
        path: escape(&ledger.to_string_lossy()),
        passing: passing(ledger),
    }
}

#[cfg(target_os = "linux")]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the magic is the lower 32 bits of a number whose width differs between systems"
)]
fn passing(ledger: &Path) -> Option<String> {
    let there = ledger.ancestors().find(|place| place.exists())?;
    let stat = match rustix::fs::statfs(there) {
        Ok(stat) => stat,
        Err(errno) => {
            return Some(format!(
                "nobody knows: its file system cannot be asked ({errno})"
            ));
        }
    };
    let magic = stat.f_type as u32;
    let known = PASSING.iter().find(|(number, _)| *number == magic);
    known.map(|(_, what)| (*what).to_string())
}

#[cfg(not(target_os = "linux"))]
fn passing(_ledger: &Path) -> Option<String> {
    None
}

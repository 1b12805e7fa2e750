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
    named(stat.f_type as u32).map(str::to_string)
}

#[cfg(target_os = "linux")]
fn named(magic: u32) -> Option<&'static str> {
    let known = PASSING.iter().find(|(number, _)| *number == magic);
    known.map(|(_, what)| *what)
}

#[cfg(not(target_os = "linux"))]
fn passing(_ledger: &Path) -> Option<String> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_last_is_named() {
        assert!(named(0x0102_1994).is_some_and(|what| what.contains("tmpfs")));
        assert!(named(0x794c_7630).is_some_and(|what| what.contains("container")));
        assert_eq!(named(0xef53), None, "ext4 lasts");
        let shared = Path::new("/dev/shm");
        let is_tmpfs = rustix::fs::statfs(shared).is_ok_and(|stat| stat.f_type == 0x0102_1994);
        if is_tmpfs {
            let place = place(&shared.join("demo/.belegt/ledger.db"));
            assert!(place.passing.is_some_and(|why| why.contains("tmpfs")));
        }
    }
}

//! What the system reported, as an answer.
//!
//! INVARIANT: only `no such file` (and no dangling link on the way) and `not a folder on the
//! way` become `Missing`; everything
//! else that kept a look from its place is a failure with its kind.

use rustix::io::Errno;

use crate::model::text::escape;
use crate::world::{Answer, Failure, name};

/// The answer for an error at a path.
pub fn answer(errno: Errno, path: &str) -> Answer {
    let shown = escape(path);
    let (kind, why) = match errno {
        Errno::NOENT if leads_nowhere(path) => {
            let why = format!("`{shown}` goes through a link that leads nowhere");
            return Answer::failed(Failure::WrongKind, why);
        }
        Errno::NOENT | Errno::NOTDIR => return Answer::Missing,
        Errno::ACCESS | Errno::PERM => {
            let why = format!("no permission to reach or read `{shown}`");
            (Failure::Permission, why)
        }
        Errno::LOOP => {
            let why = format!("`{shown}` goes round in links, or through a link of the kernel");
            (Failure::WrongKind, why)
        }
        Errno::XDEV => {
            let why =
                format!("`{shown}` leads outside the granted roots, or through an absolute link");
            (Failure::WrongKind, why)
        }
        Errno::NXIO | Errno::NODEV => {
            let why = format!("`{shown}` is a socket or device, not a regular file");
            (Failure::WrongKind, why)
        }
        other => (Failure::Io, format!("`{shown}`: {}", text(other))),
    };
    Answer::failed(kind, why)
}

/// Whether the first place on the way that exists is a link to nothing. Somebody meant
/// something to be there, so it is not the same as a place where nothing is.
fn leads_nowhere(path: &str) -> bool {
    let mut place = std::path::PathBuf::from(name::decode(path));
    loop {
        match std::fs::symlink_metadata(&place) {
            Ok(meta) => return meta.is_symlink() && std::fs::metadata(&place).is_err(),
            Err(_) if place.pop() => {}
            Err(_) => return false,
        }
    }
}

/// The answer for an error of the standard library at a path.
pub fn io_answer(error: &std::io::Error, path: &str) -> Answer {
    match Errno::from_io_error(error) {
        Some(errno) => answer(errno, path),
        None => Answer::failed(Failure::Io, format!("`{}`: {error}", escape(path))),
    }
}

/// The answer for a place where something else stands than was asked for.
pub fn wrong_kind(path: &str, is: &str, wanted: &str) -> Answer {
    let why = format!("`{}` is {is}, not {wanted}", escape(path));
    Answer::failed(Failure::WrongKind, why)
}

/// The system's own words for an error.
pub fn text(errno: Errno) -> String {
    let words = std::io::Error::from(errno).to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    words.to_lowercase()
}

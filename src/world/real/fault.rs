//! What the system reported, as an answer.
//!
//! INVARIANT: only `no such file` and `not a folder on the way` become `Missing`, and a link
//! that leads nowhere is neither; everything else that kept a look from its place is a failure with its kind.

use rustix::io::Errno;

use crate::model::text::escape;
use crate::world::{Answer, Failure};

/// The answer for an error at a path.
pub fn answer(errno: Errno, path: &str) -> Answer {
    let path = escape(path);
    let (kind, why) = match errno {
        Errno::NOENT | Errno::NOTDIR => return Answer::Missing,
        Errno::ACCESS | Errno::PERM => {
            let why = format!("no permission to reach or read `{path}`");
            (Failure::Permission, why)
        }
        Errno::LOOP => {
            let why = format!("`{path}` goes round in links, or through a link of the kernel");
            (Failure::WrongKind, why)
        }
        Errno::XDEV => {
            let why =
                format!("`{path}` leads outside the granted roots, or through an absolute link");
            (Failure::WrongKind, why)
        }
        Errno::NXIO | Errno::NODEV => {
            let why = format!("`{path}` is a socket or device, not a regular file");
            (Failure::WrongKind, why)
        }
        other => (Failure::Io, format!("`{path}`: {}", text(other))),
    };
    Answer::failed(kind, why)
}

/// The answer for a place that is there as a link, with nothing at the link's end.
pub fn hanging(path: &str) -> Answer {
    let why = format!("`{}` is a link that leads nowhere", escape(path));
    Answer::failed(Failure::WrongKind, why)
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

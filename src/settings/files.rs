//! One read of one file through one handle.
//!
//! INVARIANT: no call here waits on a FIFO, opens a device's driver by accident of a race, or
//! reads more than the limit; what was read is what is judged, there is no second read.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, openat, statat};
use rustix::io::Errno;
use rustix::path::Arg;

/// Whether a link is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// A link is a problem: the site's folder.
    Refuse,
    /// A link stands for what it leads to: the user's own folders.
    Follow,
}

/// Why a file or folder could not be read.
#[derive(Debug)]
pub enum Problem {
    /// Nothing is there.
    Missing,
    /// A link, where none is followed.
    Link,
    /// Something else than what was to be read.
    Kind(&'static str),
    /// More bytes than the limit.
    TooLarge(u64),
    /// What the system reported.
    System(io::Error),
}

impl Problem {
    /// The rest of a sentence that begins with the file.
    pub fn why(&self) -> String {
        match self {
            Problem::Missing => "does not exist".into(),
            Problem::Link => "is a link, and links are not followed here".into(),
            Problem::Kind(kind) => format!("is {kind}"),
            Problem::TooLarge(limit) => format!("has more than {} KiB", limit / 1024),
            Problem::System(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                "may not be read by this user".into()
            }
            Problem::System(error) => format!("cannot be read: {error}"),
        }
    }
}

impl From<Errno> for Problem {
    fn from(error: Errno) -> Self {
        match error {
            Errno::NOENT => Problem::Missing,
            Errno::LOOP => Problem::Link,
            Errno::NXIO => Problem::Kind("a socket or a device"),
            Errno::NOTDIR => Problem::Kind("no folder"),
            other => Problem::System(other.into()),
        }
    }
}

/// What a file type is called.
pub fn kind_name(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "a file",
        FileType::Directory => "a folder",
        FileType::Symlink => "a link",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        _ => "a device",
    }
}

/// Opens a folder for reading its entries.
pub fn open_folder(
    base: impl AsFd,
    name: impl Arg + Copy,
    links: Links,
) -> Result<OwnedFd, Problem> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | no_follow(links);
    openat(&base, name, flags, Mode::empty()).map_err(|error| {
        if error == Errno::NOENT {
            return absent(&base, name);
        }
        if error != Errno::NOTDIR || links == Links::Follow {
            return error.into();
        }
        // Some systems call a link that was to be opened as a folder "no folder".
        let stat = statat(&base, name, AtFlags::SYMLINK_NOFOLLOW);
        let is_link = stat.is_ok_and(|s| FileType::from_raw_mode(s.st_mode) == FileType::Symlink);
        if is_link { Problem::Link } else { error.into() }
    })
}

/// The bytes of a regular file, at most `limit`, and what the system says of it.
pub fn read(
    base: impl AsFd,
    name: impl Arg + Copy,
    links: Links,
    limit: u64,
) -> Result<(Vec<u8>, Stat), Problem> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = openat(&base, name, flags | no_follow(links), Mode::empty());
    let handle = opened.map_err(|error| match error {
        Errno::NOENT => absent(&base, name),
        other => other.into(),
    })?;
    let stat = rustix::fs::fstat(&handle)?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind != FileType::RegularFile {
        return Err(Problem::Kind(kind_name(kind)));
    }
    let expected = u64::try_from(stat.st_size).unwrap_or(0).min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0) + 1);
    let read = File::from(handle).take(limit + 1).read_to_end(&mut bytes);
    match read {
        Err(error) => Err(Problem::System(error)),
        Ok(count) if count as u64 > limit => Err(Problem::TooLarge(limit)),
        Ok(_) => Ok((bytes, stat)),
    }
}

/// Nothing is there, or a link that leads nowhere: what it stood for is not known.
fn absent(base: impl AsFd, name: impl Arg) -> Problem {
    match statat(base, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Problem::Kind("a link that leads nowhere"),
        Err(_) => Problem::Missing,
    }
}

fn no_follow(links: Links) -> OFlags {
    match links {
        Links::Refuse => OFlags::NOFOLLOW,
        Links::Follow => OFlags::empty(),
    }
}

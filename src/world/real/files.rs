//! Single files: their bytes, and what stands at a place.
//!
//! INVARIANT: only a regular file is read, from one handle, at most one byte more than the
//! limit. If it changed meanwhile it is read once more, then the answer is `Changed`: never a
//! mixture of two states.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::sync::Arc;

use super::path::{Roots, metadata};
use super::{decoded, fault};
use crate::model::text::escape;
use crate::world::{Answer, Failure, Kind, Meta};

/// The bytes of a regular file.
///
/// # Errors
/// The answer to give instead.
pub fn read(roots: &Roots, path: &str, limit: u64) -> Result<Answer, Answer> {
    for _ in 0..2 {
        if let Some(bytes) = read_once(roots, path, limit)? {
            return Ok(Answer::Bytes(Arc::new(bytes)));
        }
    }
    let why = format!("`{}` changed while it was read, twice", escape(path));
    Err(Answer::failed(Failure::Changed, why))
}

/// One try; `None` if the file changed during it.
fn read_once(roots: &Roots, path: &str, limit: u64) -> Result<Option<Vec<u8>>, Answer> {
    let looked = roots.look(path)?;
    require_file(&looked, path)?;
    let mut file = File::from(roots.open_file(path)?);
    let before = metadata(&file).map_err(|errno| fault::answer(errno, path))?;
    require_file(&before, path)?;
    if before.len() > limit {
        return Err(too_large(path, limit));
    }
    let mut bytes = Vec::new();
    let expected = usize::try_from(before.len()).unwrap_or(usize::MAX);
    if bytes.try_reserve_exact(expected).is_err() {
        let why = format!("`{}` does not fit into memory", escape(path));
        return Err(Answer::failed(Failure::TooLarge, why));
    }
    // The size is no proof: a file of the kernel says 0, a growing one lies.
    let longest = limit.saturating_add(1);
    let read = (&mut file).take(longest).read_to_end(&mut bytes);
    read.map_err(|error| fault::io_answer(&error, path))?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > limit {
        return Err(too_large(path, limit));
    }
    let after = metadata(&file).map_err(|errno| fault::answer(errno, path))?;
    let whole = before.len() == length || before.len() == 0;
    let same = looked.ino() == before.ino() && state(&before) == state(&after);
    Ok((whole && same).then_some(bytes))
}

/// What changes when a file does.
fn state(meta: &Metadata) -> [i64; 5] {
    [
        meta.len().cast_signed(),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec(),
    ]
}

fn too_large(path: &str, limit: u64) -> Answer {
    let why = format!("`{}` is larger than {limit} bytes", escape(path));
    Answer::failed(Failure::TooLarge, why)
}

fn require_file(meta: &Metadata, path: &str) -> Result<(), Answer> {
    if meta.is_file() {
        return Ok(());
    }
    Err(fault::wrong_kind(path, describe(meta), "a regular file"))
}

fn describe(meta: &Metadata) -> &'static str {
    let kind = meta.file_type();
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_symlink() => "a link",
        () if kind.is_fifo() => "a FIFO",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

/// What stands at a place. Below the roots links cannot lead out; a place that may only be
/// looked at is judged as the system sees it.
///
/// # Errors
/// The answer to give instead.
pub fn stat(roots: &Roots, path: &str) -> Result<Answer, Answer> {
    let place = decoded(path)?;
    let meta = if roots.contain(&place) {
        roots.look(path)?
    } else {
        std::fs::metadata(&place).map_err(|error| fault::io_answer(&error, path))?
    };
    let kind = match () {
        () if meta.is_file() => Kind::File,
        () if meta.is_dir() => Kind::Folder,
        () if meta.is_symlink() => Kind::Link,
        () => Kind::Special,
    };
    let mtime = meta
        .mtime()
        .saturating_mul(1_000_000_000)
        .saturating_add(meta.mtime_nsec());
    Ok(Answer::Meta(Meta {
        kind,
        size: meta.len(),
        mtime,
    }))
}

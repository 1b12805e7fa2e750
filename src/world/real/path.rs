//! Confined opening: from the granted roots, never out of them.
//!
//! On Linux the kernel confines the walk (`openat2` with `RESOLVE_BENEATH` and
//! `RESOLVE_NO_MAGICLINKS`, openat2(2)). Where it cannot, the path is made canonical first and
//! must then lie below the canonical root.
//!
//! INVARIANT: a look (kind, size, time) never opens what it looks at, so that it wakes no FIFO
//! and touches no device; what is opened for reading never blocks in `open`.

use std::fs::Metadata;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{decoded, fault};
use crate::world::{Answer, Failure};

/// For reading, and never waiting nor taking a terminal.
const READING: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// The granted roots; each is opened once.
#[derive(Debug)]
pub struct Roots {
    /// Longest first, so that the most special root of a path comes first.
    list: Vec<Root>,
}

#[derive(Debug)]
struct Root {
    path: PathBuf,
    handle: Mutex<Option<Arc<OwnedFd>>>,
}

impl Roots {
    /// Roots that are not opened yet.
    pub fn new(mut paths: Vec<PathBuf>) -> Self {
        paths.retain(|path| path.is_absolute());
        paths.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
        let list = paths.into_iter().map(|path| Root {
            path,
            handle: Mutex::new(None),
        });
        Roots {
            list: list.collect(),
        }
    }

    /// Whether a path lies below a root by its name.
    pub fn contain(&self, path: &Path) -> bool {
        self.list.iter().any(|root| path.starts_with(&root.path))
    }

    /// Whether a real path (links resolved) lies below a root as that really is.
    pub fn hold(&self, real: &Path) -> bool {
        let roots = self
            .list
            .iter()
            .filter_map(|root| root.path.canonicalize().ok());
        roots.into_iter().any(|root| real.starts_with(root))
    }

    /// What stands at a path, links inside the roots followed.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn look(&self, path: &str) -> Result<Metadata, Answer> {
        self.each_root(path, Root::look)
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn open_file(&self, path: &str) -> Result<OwnedFd, Answer> {
        self.each_root(path, |root, rest| root.open(rest, READING))
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// The answer to give instead; something else than a folder is [`Failure::WrongKind`].
    pub fn open_folder(&self, path: &str) -> Result<OwnedFd, Answer> {
        if !self.look(path)?.is_dir() {
            return Err(fault::wrong_kind(path, "something else", "a folder"));
        }
        self.each_root(path, |root, rest| {
            root.open(rest, READING | OFlags::DIRECTORY)
        })
    }

    /// Tries the roots of a path, the most special first; a wider root is asked only if the
    /// path led out of the narrower one.
    fn each_root<T>(
        &self,
        path: &str,
        act: impl Fn(&Root, &Path) -> Result<T, Errno>,
    ) -> Result<T, Answer> {
        let place = decoded(path)?;
        let mut left = None;
        for root in &self.list {
            let Ok(rest) = place.strip_prefix(&root.path) else {
                continue;
            };
            match act(root, rest) {
                Ok(value) => return Ok(value),
                Err(Errno::XDEV) => left = Some(fault::answer(Errno::XDEV, path)),
                Err(Errno::NOENT) if root.hangs(rest) => return Err(fault::hanging(path)),
                Err(errno) => return Err(fault::answer(errno, path)),
            }
        }
        Err(left.unwrap_or_else(|| outside(path)))
    }
}

fn outside(path: &str) -> Answer {
    let shown = crate::model::text::escape(path);
    Answer::failed(
        Failure::WrongKind,
        format!("`{shown}` is outside the granted roots"),
    )
}

impl Root {
    /// The handle of the root itself; a root that could not be opened is tried again next time.
    fn handle(&self) -> Result<Arc<OwnedFd>, Errno> {
        let mut handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = handle.as_ref() {
            return Ok(Arc::clone(open));
        }
        let open = rustix::fs::open(&self.path, ROOT, Mode::empty())?;
        let open = Arc::new(open);
        *handle = Some(Arc::clone(&open));
        Ok(open)
    }

    fn open(&self, rest: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        let rest = if rest.as_os_str().is_empty() {
            Path::new(".")
        } else {
            rest
        };
        match confined(&*self.handle()?, rest, flags) {
            Err(Errno::NOSYS) => open_canonical(&self.path, rest, flags),
            other => other,
        }
    }

    /// Whether a link on the way, or at its end, leads to nothing: something was put there, and
    /// what it stands for cannot be asked. That is not the same as nothing.
    fn hangs(&self, rest: &Path) -> bool {
        let mut prefix = PathBuf::new();
        rest.components().any(|part| {
            prefix.push(part);
            let Ok(handle) = self.handle() else {
                return false;
            };
            let stat = rustix::fs::statat(&*handle, &prefix, AtFlags::SYMLINK_NOFOLLOW);
            stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
                && matches!(self.look(&prefix), Err(Errno::NOENT))
        })
    }

    #[cfg(target_os = "linux")]
    fn look(&self, rest: &Path) -> Result<Metadata, Errno> {
        let handle = self.open(rest, OFlags::PATH | OFlags::CLOEXEC)?;
        metadata(&std::fs::File::from(handle))
    }

    #[cfg(not(target_os = "linux"))]
    fn look(&self, rest: &Path) -> Result<Metadata, Errno> {
        let place = canonical(&self.path, rest)?;
        std::fs::symlink_metadata(place).map_err(|error| errno(&error))
    }
}

#[cfg(target_os = "linux")]
const ROOT: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const ROOT: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

/// Opens below a handle; `NOSYS` where the kernel cannot confine.
#[cfg(target_os = "linux")]
fn confined(root: &OwnedFd, rest: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    // A rename elsewhere during the walk gives AGAIN: openat2(2) says to try again.
    const TRIES: usize = 16;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let mut last = Errno::AGAIN;
    for _ in 0..TRIES {
        match rustix::fs::openat2(root, rest, flags, Mode::empty(), resolve) {
            Err(again @ (Errno::AGAIN | Errno::INTR)) => last = again,
            other => return other,
        }
    }
    Err(last)
}

#[cfg(not(target_os = "linux"))]
fn confined(_root: &OwnedFd, _rest: &Path, _flags: OFlags) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}

/// The way without the kernel's help: canonical first, then below the canonical root, then
/// opened without following a last link.
fn open_canonical(root: &Path, rest: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let place = canonical(root, rest)?;
    rustix::fs::open(place, flags | OFlags::NOFOLLOW, Mode::empty())
}

fn canonical(root: &Path, rest: &Path) -> Result<PathBuf, Errno> {
    let real = |path: &Path| path.canonicalize().map_err(|error| errno(&error));
    let (root, place) = (real(root)?, real(&root.join(rest))?);
    if place.starts_with(&root) {
        Ok(place)
    } else {
        Err(Errno::XDEV)
    }
}

/// What an open handle stands for.
///
/// # Errors
/// What the system reported.
pub fn metadata(file: &std::fs::File) -> Result<Metadata, Errno> {
    file.metadata().map_err(|error| errno(&error))
}

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// The way without `openat2` must confine like the way with it.
    #[test]
    fn the_canonical_way_confines_too() {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a"), "a").unwrap();
        std::fs::write(top.path().join("secret"), "s").unwrap();
        symlink("../secret", root.join("out")).unwrap();
        symlink("a", root.join("in")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let open = |rest: &str| open_canonical(&root, Path::new(rest), READING).map(|_| ());
        assert_eq!(open("a"), Ok(()));
        assert_eq!(open("in"), Ok(()));
        assert_eq!(open("."), Ok(()));
        assert_eq!(open("out"), Err(Errno::XDEV));
        assert_eq!(open("../secret"), Err(Errno::XDEV));
        assert_eq!(open("loop"), Err(Errno::LOOP));
        assert_eq!(open("none"), Err(Errno::NOENT));
    }

    #[test]
    fn a_wider_root_serves_what_leaves_a_narrower_one() {
        let top = tempfile::tempdir().unwrap();
        let inner = top.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(top.path().join("a"), "a").unwrap();
        symlink("../a", inner.join("up")).unwrap();
        let up = inner.join("up").to_str().unwrap().to_owned();
        let narrow = Roots::new(vec![inner.clone()]);
        let both = Roots::new(vec![top.path().to_owned(), inner]);
        assert!(narrow.look(&up).is_err());
        assert!(both.look(&up).unwrap().is_file());
    }
}

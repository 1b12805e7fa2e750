//! The first bytes of many files, fast: opened by name from the folder's own handle.
//!
//! INVARIANT: a regular file is opened without following a link; a link goes the confined way
//! from the roots and counts only if a regular file stands at its end.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;
use std::time::Instant;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::super::fault;
use super::super::path::{Roots, metadata};
use super::join;
use crate::world::walk::late;
use crate::world::{Answer, Failure, Head, Kind, name};

/// Most bytes of all heads of one question together.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// From how many files on a second thread pays.
const MANY: usize = 512;
/// Most threads that read.
const MOST_THREADS: usize = 4;

/// What is read, and how much of it.
pub struct Reader<'a> {
    /// The roots, for links.
    pub roots: &'a Roots,
    /// The open folder.
    pub folder: &'a OwnedFd,
    /// The folder's path.
    pub path: &'a str,
    /// How many bytes of each file.
    pub head: u64,
    /// When to stop.
    pub until: Instant,
}

impl Reader<'_> {
    /// The heads of these files, in no particular order.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn read(&self, files: &[(OsString, Kind)]) -> Result<Vec<Head>, Answer> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(MOST_THREADS).min(files.len() / MANY).max(1);
        let share = files.len().div_ceil(threads).max(1);
        let budget = MOST_BYTES / u64::try_from(threads).unwrap_or(1);
        let parts = std::thread::scope(|scope| {
            let running: Vec<_> = files
                .chunks(share)
                .map(|part| scope.spawn(move || self.read_part(part, budget)))
                .collect();
            let ended = running.into_iter().map(|thread| thread.join());
            ended.collect::<Vec<_>>()
        });
        let mut heads = Vec::with_capacity(files.len());
        for part in parts {
            let part = part
                .unwrap_or_else(|_| Err(Answer::failed(Failure::Io, "a reading thread broke off")));
            heads.extend(part?);
        }
        Ok(heads)
    }

    fn read_part(&self, files: &[(OsString, Kind)], budget: u64) -> Result<Vec<Head>, Answer> {
        let mut heads = Vec::with_capacity(files.len());
        let mut left = budget;
        for (number, (file, kind)) in files.iter().enumerate() {
            let Some(head) = self.one(file, *kind) else {
                continue;
            };
            let length = head.bytes.as_ref().map_or(0, Vec::len);
            left = u64::try_from(length)
                .ok()
                .and_then(|length| left.checked_sub(length))
                .ok_or_else(|| self.too_much())?;
            heads.push(head);
            if number % 256 == 255 && Instant::now() >= self.until {
                return Err(late(self.path));
            }
        }
        Ok(heads)
    }

    fn too_much(&self) -> Answer {
        let path = crate::model::text::escape(self.path);
        let why = format!("the heads of `{path}` are larger than {MOST_BYTES} bytes together");
        Answer::failed(Failure::TooLarge, why)
    }

    /// `None` for a link that ends at something else than a regular file.
    fn one(&self, file: &OsStr, kind: Kind) -> Option<Head> {
        let name = name::encode(file);
        let path = join(self.path, &name);
        let (bytes, size) = match self.open(file, kind, &path)? {
            Ok(open) => self.first_bytes(&open),
            Err(why) => (Err(why), 0),
        };
        Some(Head {
            name,
            path,
            bytes,
            size,
        })
    }

    fn open(&self, file: &OsStr, kind: Kind, path: &str) -> Option<Result<File, String>> {
        if kind == Kind::Link {
            return match self.roots.look(path) {
                Ok(meta) if !meta.is_file() => None,
                Ok(_) => Some(self.roots.open_file(path).map(File::from).map_err(why)),
                Err(answer) => Some(Err(why(answer))),
            };
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(self.folder, file, flags | OFlags::NOFOLLOW, Mode::empty());
        Some(opened.map(File::from).map_err(|errno| match errno {
            Errno::LOOP => "became a link while the folder was read".to_owned(),
            other => why(fault::answer(other, path)),
        }))
    }

    fn first_bytes(&self, file: &File) -> (Result<Vec<u8>, String>, u64) {
        let meta = match metadata(file) {
            Ok(meta) if meta.is_file() => meta,
            Ok(_) => return (Err("is not a regular file any more".to_owned()), 0),
            Err(errno) => return (Err(fault::text(errno)), 0),
        };
        let size = meta.len();
        let Ok(wanted) = usize::try_from(size.min(self.head).min(MOST_BYTES + 1)) else {
            return (Err("is too large".to_owned()), size);
        };
        let mut bytes = vec![0; wanted];
        let bytes = match file.read_exact_at(&mut bytes, 0) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                Err("became shorter while it was read".to_owned())
            }
            Err(error) => Err(error.to_string()),
        };
        (bytes, size)
    }
}

fn why(answer: Answer) -> String {
    match answer {
        Answer::Missing => "nothing is there any more".to_owned(),
        Answer::Failed { why, .. } | Answer::Refused { why, .. } => why,
        _ => "cannot be read".to_owned(),
    }
}

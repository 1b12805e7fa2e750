//! The walk through a layer's folder: by handles, links not followed unless allowed, bounded.
//!
//! INVARIANT: reaching a bound is a fault, never a shorter list.

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, statat};
use rustix::io::Errno;

use crate::diag::{Code, Fault};

use super::super::files::{self, Links, Problem};
use super::{Bundle, MAX_ENTRIES, MAX_FILE, SITE_FILE, SUFFIX, read_code};

/// The most bytes of a bundle.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// How deep the folders of a bundle may be.
const MAX_DEPTH: usize = 8;

const HANGING: &str = "below a link that leads nowhere";

/// Whether a folder on the way is a link that leads nowhere: a home that is not mounted.
fn hangs(folder: &Path) -> bool {
    let mut way = folder.ancestors();
    way.any(|place| place.is_symlink() && !place.exists())
}

/// The walk through a layer's folder.
pub(super) struct Walk {
    bundle: Bundle,
    links: Links,
    entries: usize,
    bytes: usize,
}

impl Walk {
    /// A walk whose bundle is called `shown` in messages.
    pub(super) fn new(shown: &str, links: Links) -> Self {
        Walk {
            bundle: Bundle::of(shown, []),
            links,
            entries: 0,
            bytes: 0,
        }
    }

    /// Reads a layer's folder; one that does not exist is empty.
    pub(super) fn through(mut self, folder: &Path) -> Bundle {
        match files::open_folder(CWD, folder, self.links) {
            Ok(handle) => self.layer(&handle),
            Err(Problem::Missing) if hangs(folder) => {
                self.fault(Code::SettingsRead, "", &Problem::Kind(HANGING));
            }
            Err(Problem::Missing) => {}
            Err(problem) => self.fault(Code::SettingsRead, "", &problem),
        }
        self.bundle
    }

    fn layer(&mut self, handle: &OwnedFd) {
        match files::read(handle, SITE_FILE, self.links, MAX_FILE) {
            Err(Problem::Missing) => {}
            read => self.keep(SITE_FILE, read.map(|(bytes, _)| bytes)),
        }
        for name in ["probes", "rules"] {
            match files::open_folder(handle, name, self.links) {
                Ok(inner) => self.folder(inner, name, 1),
                Err(Problem::Missing) => {}
                Err(problem) => self.fault(Code::ScriptRead, name, &problem),
            }
        }
    }

    fn folder(&mut self, handle: OwnedFd, path: &str, depth: usize) {
        let listed = match Dir::new(handle) {
            Ok(mut dir) => self.list(&mut dir).map(|entries| (dir, entries)),
            Err(error) => Err(error.into()),
        };
        match listed {
            Ok((dir, entries)) => {
                for (name, kind) in entries {
                    self.entry(&dir, (&format!("{path}/{name}"), &name), kind, depth);
                }
            }
            Err(problem) => self.fault(Code::ScriptRead, path, &problem),
        }
    }

    fn list(&mut self, dir: &mut Dir) -> Result<Vec<(String, FileType)>, Problem> {
        let mut entries = Vec::new();
        while let Some(entry) = dir.read() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name.starts_with(b".") {
                continue;
            }
            let Ok(name) = std::str::from_utf8(name) else {
                return Err(Problem::Kind("a folder with a name that is not UTF-8"));
            };
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                return Err(Problem::Kind("one of more than 2000 files and folders"));
            }
            entries.push((name.to_string(), entry.file_type()));
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(entries)
    }

    fn entry(&mut self, dir: &Dir, (path, name): (&str, &str), kind: FileType, depth: usize) {
        let handle = match dir.fd() {
            Ok(handle) => handle,
            Err(error) => return self.fault(Code::ScriptRead, path, &error.into()),
        };
        let is_script = name.ends_with(SUFFIX);
        match self.resolve(handle, name, kind) {
            Ok(FileType::RegularFile) if is_script => {
                let read = files::read(handle, name, self.links, MAX_FILE);
                self.keep(path, read.map(|(bytes, _)| bytes));
            }
            Ok(FileType::Directory) if is_script => {
                self.keep(path, Err(Problem::Kind("a folder and no script")));
            }
            Ok(FileType::Directory) if depth >= MAX_DEPTH => {
                self.fault(Code::ScriptRead, path, &Problem::Kind("nested too deeply"));
            }
            Ok(FileType::Directory) => match files::open_folder(handle, name, self.links) {
                Ok(inner) => self.folder(inner, path, depth + 1),
                Err(problem) => self.fault(Code::ScriptRead, path, &problem),
            },
            Ok(kind) if is_script => self.keep(path, Err(Problem::Kind(files::kind_name(kind)))),
            Ok(_) => {}
            Err(problem) if is_script => self.keep(path, Err(problem)),
            Err(problem) => self.fault(Code::ScriptRead, path, &problem),
        }
    }

    /// What an entry is; a link is followed or a problem.
    fn resolve(&self, base: impl AsFd, name: &str, kind: FileType) -> Result<FileType, Problem> {
        let flags = match (kind, self.links) {
            (FileType::Symlink, Links::Refuse) => return Err(Problem::Link),
            (FileType::Symlink | FileType::Unknown, Links::Follow) => AtFlags::empty(),
            (FileType::Unknown, Links::Refuse) => AtFlags::SYMLINK_NOFOLLOW,
            (kind, _) => return Ok(kind),
        };
        let stat = statat(base, name, flags).map_err(|error| match (error, kind) {
            (Errno::NOENT, FileType::Symlink) => Problem::Kind("a link that leads nowhere"),
            (error, _) => error.into(),
        });
        match FileType::from_raw_mode(stat?.st_mode) {
            FileType::Symlink => Err(Problem::Link),
            kind => Ok(kind),
        }
    }

    fn keep(&mut self, path: &str, read: Result<Vec<u8>, Problem>) {
        let kept = match read {
            Ok(bytes) => {
                self.bytes += bytes.len();
                if self.bytes > MAX_BYTES {
                    Err(Problem::Kind("one of more than 8 MiB of scripts"))
                } else {
                    Ok(bytes)
                }
            }
            Err(problem) => Err(problem),
        };
        let kept = kept.map_err(|problem| self.describe(read_code(path), path, &problem));
        self.bundle.files.insert(path.to_string(), kept);
    }

    fn fault(&mut self, code: Code, path: &str, problem: &Problem) {
        let fault = self.describe(code, path, problem);
        self.bundle.faults.push(fault);
    }

    fn describe(&self, code: Code, path: &str, problem: &Problem) -> Fault {
        let shown = match path {
            "" => self.bundle.shown.clone(),
            path => self.bundle.shown(path),
        };
        Fault::new(code, format!("`{shown}` {}", problem.why()))
            .with_help("put plain files and folders there, readable by you")
    }
}

//! The git folder around a folder, found without git.
//!
//! INVARIANT: starts no process and reads nothing but the `.git` link file and the presence of
//! names, so an evil configuration cannot matter.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{fault, spelled};
use crate::model::text::escape;
use crate::world::{Answer, Failure, name};

/// A work tree and its git folder.
#[derive(Debug, PartialEq, Eq)]
pub struct Repository {
    /// The top folder of the work tree: the one that holds `.git`.
    pub top: PathBuf,
    /// The git folder of this work tree.
    pub folder: PathBuf,
}

/// What git leaves in its folder while an operation waits for the user, the outermost first:
/// a rebase makes merges and cherry-picks of its own (gitrepository-layout(5), git-status(1)).
const TRACES: [(&str, &str); 6] = [
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
];

/// The repository around a folder (a real path, links resolved); `None` if there is none.
///
/// # Errors
/// The answer to give if this cannot be told.
pub fn find(root: &Path) -> Result<Option<Repository>, Answer> {
    for top in root.ancestors() {
        let place = top.join(".git");
        let meta = match fs::metadata(&place) {
            Ok(meta) => meta,
            Err(error) if is_absent(&error) && exists(&place)? => {
                return Err(fault::hanging(&spelled(&place)));
            }
            Err(error) if is_absent(&error) => continue,
            Err(error) => return Err(fault::io_answer(&error, &spelled(&place))),
        };
        let folder = if meta.is_dir() {
            // A folder of that name without a HEAD is no repository for git either.
            if !exists(&place.join("HEAD"))? {
                continue;
            }
            place
        } else {
            linked(top, &place)?
        };
        let top = top.to_owned();
        return Ok(Some(Repository { top, folder }));
    }
    Ok(None)
}

/// The operation that waits for the user; empty for none.
///
/// # Errors
/// The answer to give if this cannot be told.
pub fn interrupted(repository: &Repository) -> Result<&'static str, Answer> {
    for (trace, operation) in TRACES {
        if exists(&repository.folder.join(trace))? {
            return Ok(operation);
        }
    }
    Ok("")
}

/// The folder that a `.git` file of a linked work tree or submodule names.
fn linked(top: &Path, place: &Path) -> Result<PathBuf, Answer> {
    const LONGEST: u64 = 16 * 1024;
    let spelling = spelled(place);
    let meta = fs::metadata(place).map_err(|error| fault::io_answer(&error, &spelling))?;
    if !meta.is_file() || meta.len() > LONGEST {
        return Err(broken(&spelling, "is neither a folder nor a short file"));
    }
    let bytes = fs::read(place).map_err(|error| fault::io_answer(&error, &spelling))?;
    let target = bytes
        .strip_prefix(b"gitdir: ")
        .map(<[u8]>::trim_ascii_end)
        .filter(|target| !target.is_empty())
        .ok_or_else(|| broken(&spelling, "does not begin with `gitdir: `"))?;
    let target = std::os::unix::ffi::OsStrExt::from_bytes(target);
    let folder = top.join(Path::new::<std::ffi::OsStr>(target));
    if !exists(&folder.join("HEAD"))? {
        return Err(broken(&spelling, "names a folder that is no git folder"));
    }
    Ok(folder)
}

fn exists(place: &Path) -> Result<bool, Answer> {
    match fs::symlink_metadata(place) {
        Ok(_) => Ok(true),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(fault::io_answer(&error, &name::encode(place.as_os_str()))),
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn broken(place: &str, why: &str) -> Answer {
    Answer::failed(Failure::Io, format!("`{}` {why}", escape(place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> (tempfile::TempDir, PathBuf) {
        let top = tempfile::tempdir().unwrap();
        let real = top.path().canonicalize().unwrap();
        fs::create_dir_all(real.join(".git")).unwrap();
        fs::write(real.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::create_dir_all(real.join("sub/deep")).unwrap();
        (top, real)
    }

    #[test]
    fn each_trace_names_its_operation() {
        let (_keep, top) = repository();
        let found = find(&top.join("sub/deep")).unwrap().unwrap();
        assert_eq!(found.top, top);
        assert_eq!(interrupted(&found), Ok(""));
        for (trace, operation) in TRACES.into_iter().rev() {
            fs::write(top.join(".git").join(trace), "").unwrap();
            assert_eq!(interrupted(&found), Ok(operation), "{trace}");
        }
    }

    #[test]
    fn a_linked_work_tree_has_its_own_state() {
        let (_keep, top) = repository();
        let own = top.join(".git/worktrees/w");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("HEAD"), "").unwrap();
        fs::write(own.join("MERGE_HEAD"), "").unwrap();
        let linked = top.join("sub/deep");
        fs::write(linked.join(".git"), "gitdir: ../../.git/worktrees/w\n").unwrap();
        let found = find(&linked).unwrap().unwrap();
        assert_eq!(interrupted(&found), Ok("merge"));
        assert_eq!(interrupted(&find(&top).unwrap().unwrap()), Ok(""));
    }

    #[test]
    fn what_cannot_be_understood_is_not_nothing() {
        let (_keep, top) = repository();
        let inner = top.join("sub");
        for text in ["", "gitdir: ", "gitdir: nowhere", "something"] {
            fs::write(inner.join(".git"), text).unwrap();
            assert!(matches!(find(&inner), Err(Answer::Failed { .. })), "{text}");
        }
        fs::remove_file(inner.join(".git")).unwrap();
        std::os::unix::fs::symlink(".git", inner.join(".git")).unwrap();
        assert!(matches!(find(&inner), Err(Answer::Failed { .. })));
    }
}

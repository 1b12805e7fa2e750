//! Which folder is the project's root.
//!
//! The nearest folder upward with a `.belegt/`, else the nearest with a `.git`, else the
//! current folder. Only the existence of `.git` is asked; what it points to is never followed.
//!
//! INVARIANT: the root is an existing folder and its path is the real one, links resolved:
//! trust and history are kept per real path.

use std::io;
use std::path::{Path, PathBuf};

use crate::diag::{Code, Fault};
use crate::model::text::escape;

/// The folder of a site, below its root.
pub const SITE_FOLDER: &str = ".belegt";

/// What makes a `.belegt/` in the home folder one of ours.
const OURS: &[&str] = &["site.rhai", "ledger.db", "probes", "rules"];

/// Finds the root, or says why there is none.
pub fn find(cwd: &Path, flag: Option<&Path>, home: Option<&Path>) -> Result<PathBuf, Fault> {
    if let Some(flag) = flag {
        return folder(&cwd.join(flag), "the root");
    }
    let here = folder(cwd, "the current folder")?;
    let mut repository = None;
    for candidate in here.ancestors() {
        if candidate.join(SITE_FOLDER).is_dir() && is_site(candidate, home) {
            return Ok(candidate.to_path_buf());
        }
        if repository.is_none() && candidate.join(".git").symlink_metadata().is_ok() {
            repository = Some(candidate.to_path_buf());
        }
    }
    Ok(repository.unwrap_or(here))
}

/// The real path of a folder.
fn folder(path: &Path, what: &str) -> Result<PathBuf, Fault> {
    let shown = escape(&path.to_string_lossy());
    let refuse = |why: &str| {
        let fault = Fault::new(Code::Root, format!("{what} `{shown}` {why}"));
        Err(fault.with_help("name an existing folder: `--root DIR`"))
    };
    match path.canonicalize() {
        Ok(real) if real.is_dir() => Ok(real),
        Ok(_) => refuse("is no folder"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => refuse("does not exist"),
        Err(error) => refuse(&format!("cannot be reached: {error}")),
    }
}

/// A `.belegt` in the home folder may be anything; elsewhere it is ours.
fn is_site(candidate: &Path, home: Option<&Path>) -> bool {
    let is_home = home.is_some_and(|home| {
        home == candidate || home.canonicalize().is_ok_and(|real| real == candidate)
    });
    let site = candidate.join(SITE_FOLDER);
    !is_home
        || OURS
            .iter()
            .any(|name| site.join(name).symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn tree(entries: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for entry in entries {
            let path = top.join(entry);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match entry.ends_with('/') {
                true => fs::create_dir_all(path).unwrap(),
                false => fs::write(path, "").unwrap(),
            }
        }
        (folder, top)
    }

    #[test]
    fn the_nearest_site_counts_then_the_repository_then_here() {
        let table: [(&[&str], &str, &str); 9] = [
            (&["a/b/c/"], "a/b/c", "a/b/c"),
            (&["a/.git/", "a/b/c/"], "a/b/c", "a"),
            (&["a/.git", "a/b/c/"], "a/b/c", "a"),
            (&["a/.git/", "a/b/.git/", "a/b/c/"], "a/b/c", "a/b"),
            (&["a/.belegt/", "a/b/.git/", "a/b/c/"], "a/b/c", "a"),
            (&["a/.belegt/", "a/b/.belegt/", "a/b/c/"], "a/b/c", "a/b"),
            (&["a/.belegt", "a/b/"], "a/b", "a/b"),
            (&["a/.belegt/"], "a/.belegt", "a"),
            (&[".belegt/", "a/.git/", "a/b/"], "a/b", ""),
        ];
        for (entries, cwd, wanted) in table {
            let (_keep, top) = tree(entries);
            let got = find(&top.join(cwd), None, None).unwrap();
            assert_eq!(got, top.join(wanted).canonicalize().unwrap(), "{entries:?}");
        }
    }

    #[test]
    fn the_home_is_no_root_by_accident() {
        let table: [(&[&str], &str); 6] = [
            (&["home/.belegt/", "home/p/"], "home/p"),
            (&["home/.belegt/cache", "home/p/"], "home/p"),
            (
                &[
                    "home/.config/belegt/site.rhai",
                    "home/.local/state/belegt/",
                    "home/p/",
                ],
                "home/p",
            ),
            (&["home/.belegt/site.rhai", "home/p/"], "home"),
            (&["home/.belegt/ledger.db", "home/p/"], "home"),
            (&["home/.belegt/rules/", "home/p/"], "home"),
        ];
        for (entries, wanted) in table {
            let (_keep, top) = tree(entries);
            let home = top.join("home");
            let got = find(&home.join("p"), None, Some(&home)).unwrap();
            assert_eq!(got, top.join(wanted), "{entries:?}");
        }
    }

    #[test]
    fn a_linked_home_is_recognised_and_paths_are_real() {
        let (_keep, top) = tree(&["real/.belegt/", "real/p/"]);
        std::os::unix::fs::symlink(top.join("real"), top.join("link")).unwrap();
        let home = top.join("link");
        let got = find(&home.join("p"), None, Some(&home)).unwrap();
        assert_eq!(got, top.join("real/p"));
    }

    #[test]
    fn the_flag_is_taken_as_it_is() {
        let (_keep, top) = tree(&["a/.belegt/", "a/b/", "a/file"]);
        let cwd = top.join("a");
        assert_eq!(
            find(&cwd, Some(Path::new("b")), None).unwrap(),
            top.join("a/b")
        );
        assert_eq!(find(&cwd, Some(&top), None).unwrap(), top);
        for (flag, why) in [("none", "does not exist"), ("file", "is no folder")] {
            let fault = find(&cwd, Some(Path::new(flag)), None).unwrap_err();
            assert_eq!(fault.code(), Code::Root);
            assert!(fault.message().contains(why), "{fault}");
        }
        assert_eq!(
            find(Path::new(""), None, None).unwrap_err().code(),
            Code::Root
        );
    }
}

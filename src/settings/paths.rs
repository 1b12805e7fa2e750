//! Paths as a person writes them, made absolute and lexically normal.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use crate::world::Environment;

/// From where written paths count.
#[derive(Debug, Clone, Copy, Default)]
pub struct Base<'a> {
    /// The folder of relative paths; none if they are not allowed.
    pub folder: Option<&'a Path>,
    /// The home that `~` means, if it is known.
    pub home: Option<&'a Path>,
}

/// Removes `.`, `..` and empty segments without looking at any disk.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Makes a written path absolute and normal. The error is the rest of a sentence that begins
/// with the path.
pub fn expand(written: &str, base: Base<'_>) -> Result<PathBuf, String> {
    if written.is_empty() || written.chars().any(char::is_control) {
        return Err("is empty or holds a control character".into());
    }
    let below_home = written
        .strip_prefix('~')
        .map(|rest| rest.strip_prefix('/').unwrap_or(rest));
    let path = match (below_home, base) {
        (Some(rest), _) if written != "~" && !written.starts_with("~/") => {
            return Err(format!(
                "means the home of `{rest}`, which is not looked up"
            ));
        }
        (
            Some(rest),
            Base {
                home: Some(home), ..
            },
        ) => home.join(rest),
        (Some(_), _) => return Err("needs a home, and `HOME` is not set".into()),
        (None, _) if written.starts_with('/') => PathBuf::from(written),
        (
            None,
            Base {
                folder: Some(folder),
                ..
            },
        ) => folder.join(written),
        (None, _) => return Err("must begin with `/` or `~/`".into()),
    };
    Ok(normal(&path))
}

/// The value of a variable, unless it is missing or empty.
pub fn variable<'a>(environment: &'a Environment, name: &str) -> Option<&'a OsStr> {
    let value = environment.get(OsStr::new(name))?;
    (!value.is_empty()).then_some(value.as_os_str())
}

/// The folder that a variable names; a relative one is ignored, as the XDG base directory
/// specification demands.
pub fn folder_variable(environment: &Environment, name: &str) -> Option<PathBuf> {
    let path = Path::new(variable(environment, name)?);
    path.is_absolute().then(|| normal(path))
}

/// A search path without entries that depend on the current folder: a checkout must not be
/// able to put its own `git` in front.
pub fn search_path(path: &OsStr) -> OsString {
    let entries = std::env::split_paths(path).filter(|entry| entry.is_absolute());
    std::env::join_paths(entries).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_paths_become_absolute_and_normal() {
        let site = Base {
            folder: Some(Path::new("/site")),
            home: Some(Path::new("/home/ada")),
        };
        let user = Base {
            folder: None,
            ..site
        };
        let homeless = Base { home: None, ..site };
        let table = [
            ("docs", site, Some("/site/docs")),
            ("./docs//x/", site, Some("/site/docs/x")),
            ("../shared", site, Some("/shared")),
            ("../../../..", site, Some("/")),
            ("~/notes/../x", site, Some("/home/ada/x")),
            ("~", site, Some("/home/ada")),
            ("/a/./b/..", site, Some("/a")),
            ("a~", site, Some("/site/a~")),
            ("~eve/x", site, None),
            ("", site, None),
            ("a\nb", site, None),
            ("docs", user, None),
            ("~/x", user, Some("/home/ada/x")),
            ("~/x", homeless, None),
            ("x", homeless, Some("/site/x")),
        ];
        for (written, base, wanted) in table {
            let got = expand(written, base).ok();
            assert_eq!(got.as_deref(), wanted.map(Path::new), "{written}");
        }
    }

    #[test]
    fn a_search_path_keeps_absolute_entries_only() {
        let table = [
            ("/usr/bin:/bin", "/usr/bin:/bin"),
            (".:/bin::bin:../x:/usr/bin", "/bin:/usr/bin"),
            ("", ""),
        ];
        for (path, wanted) in table {
            assert_eq!(search_path(OsStr::new(path)), wanted);
        }
    }

    #[test]
    fn a_folder_variable_must_be_absolute() {
        let table = [("/x/../y", Some("/y")), ("x", None), ("", None)];
        for (value, wanted) in table {
            let environment = Environment::from([("A".into(), value.into())]);
            let got = folder_variable(&environment, "A");
            assert_eq!(got.as_deref(), wanted.map(Path::new));
        }
        assert_eq!(folder_variable(&Environment::new(), "A"), None);
    }
}

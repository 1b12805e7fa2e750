//! The environment of commands: what they need, what was granted, and nothing else.

use std::ffi::OsString;

use crate::world::Environment;

use super::paths::{search_path, variable};

/// Set for every command, so that its output can be read by a program.
const FIXED: &[(&str, &str)] = &[
    ("LANG", "C.UTF-8"),
    ("PYTHONIOENCODING", "utf-8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
];

/// Passed on if they are set.
const PASSED: &[&str] = &["HOME", "TZ", "TMPDIR"];

/// The search path for commands: absolute folders only.
pub fn path(environment: &Environment) -> Option<OsString> {
    variable(environment, "PATH").map(search_path)
}

/// The environment that commands get. A granted name cannot replace what is fixed.
pub fn environment<'a>(
    environment: &Environment,
    granted: impl IntoIterator<Item = &'a String>,
) -> Environment {
    let mut child = Environment::new();
    let granted = granted.into_iter().map(String::as_str);
    for name in granted.chain(PASSED.iter().copied()) {
        if let Some(value) = environment.get(std::ffi::OsStr::new(name)) {
            child.insert(name.into(), value.clone());
        }
    }
    for (name, value) in FIXED {
        child.insert(name.into(), value.into());
    }
    child.remove(std::ffi::OsStr::new("PATH"));
    if let Some(path) = path(environment) {
        child.insert("PATH".into(), path);
    }
    child
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Environment {
        let pairs = variables.iter();
        pairs
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    }

    #[test]
    fn commands_get_what_they_need_and_what_was_granted() {
        let outer = of(&[
            ("PATH", ".:/usr/bin:bin"),
            ("HOME", "/home/ada"),
            ("LANG", "de_DE.UTF-8"),
            ("TZ", "Asia/Tokyo"),
            ("SECRET", "s"),
            ("USMC_DB", "/u.db"),
            ("LD_PRELOAD", "/x.so"),
        ]);
        let granted = [
            "USMC_DB".to_string(),
            "LANG".into(),
            "PATH".into(),
            "NONE".into(),
        ];
        let wanted = of(&[
            ("PATH", "/usr/bin"),
            ("HOME", "/home/ada"),
            ("LANG", "C.UTF-8"),
            ("TZ", "Asia/Tokyo"),
            ("USMC_DB", "/u.db"),
            ("PYTHONIOENCODING", "utf-8"),
            ("PYTHONDONTWRITEBYTECODE", "1"),
        ]);
        assert_eq!(environment(&outer, &granted), wanted);
    }

    #[test]
    fn nothing_is_made_up() {
        let child = environment(&Environment::new(), &[]);
        assert_eq!(child.len(), FIXED.len());
        assert_eq!(path(&Environment::new()), None);
        // An empty search path would mean the current folder.
        let child = environment(&of(&[("PATH", "")]), &["PATH".to_string()]);
        assert_eq!(child.len(), FIXED.len());
    }
}

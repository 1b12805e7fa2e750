//! The settings of a repository: its remotes and the upstream of its branch.
//!
//! INVARIANT: read as data with one `config --list`; nothing that a setting names is run. An
//! address leaves this file only as [`address::shown`], but for the question to the remote.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Asked, failed};
use crate::world::{Answer, address};

/// The settings in the order in which git reads them.
pub struct Config {
    entries: Vec<(String, String)>,
}

/// What a remote is called by and where it is.
const REMOTE: (&str, &str) = ("remote.", ".url");

impl Asked<'_> {
    /// The settings that git would use here, but for those of the user and of the machine.
    pub fn config(&self) -> Result<Config, Answer> {
        let output = self.output(&["config", "--list", "-z"])?;
        let text = String::from_utf8_lossy(&output);
        let entries = text.split_terminator('\0').map(|entry| {
            let (key, value) = entry.split_once('\n').unwrap_or((entry, ""));
            (key.to_owned(), value.to_owned())
        });
        Ok(Config {
            entries: entries.collect(),
        })
    }

    /// `{ branch, remote, reference, lacks }` of HEAD.
    pub fn upstream(&self) -> Result<Value, Answer> {
        const DETACHED: i32 = 1;
        let ended = self.run(&["symbolic-ref", "-q", "HEAD"])?;
        let head = match ended.status {
            0 => Self::line(&ended, "the branch of HEAD")?,
            DETACHED => return Ok(lacking("branch", None)),
            _ => return Err(Self::refused(&ended)),
        };
        let Some(branch) = head.strip_prefix("refs/heads/") else {
            return Ok(lacking("branch", None));
        };
        let config = self.config()?;
        let remote = config.last(&format!("branch.{branch}.remote"));
        let merge = config.all(&format!("branch.{branch}.merge"));
        match (remote, merge.as_slice()) {
            // `.` is this very repository: the branch follows another branch of it.
            (Some(remote), [reference]) if remote != "." => Ok(json!({
                "branch": branch, "remote": remote, "reference": reference, "lacks": "",
            })),
            _ => Ok(lacking("upstream", Some(branch))),
        }
    }
}

fn lacking(what: &str, branch: Option<&str>) -> Value {
    json!({ "branch": branch, "remote": null, "reference": null, "lacks": what })
}

impl Config {
    fn all(&self, key: &str) -> Vec<&str> {
        let entries = self.entries.iter().filter(|(known, _)| known == key);
        entries.map(|(_, value)| value.as_str()).collect()
    }

    fn last(&self, key: &str) -> Option<&str> {
        self.all(key).pop()
    }

    /// The remotes with their addresses as they may be shown.
    pub fn remotes(&self) -> Value {
        let mut remotes = BTreeMap::new();
        for (key, url) in &self.entries {
            let name = key.strip_prefix(REMOTE.0);
            if let Some(name) = name.and_then(|rest| rest.strip_suffix(REMOTE.1)) {
                // The first one is fetched from (git-fetch(1)).
                remotes.entry(name).or_insert_with(|| address::shown(url));
            }
        }
        let remotes = remotes.into_iter();
        remotes
            .map(|(name, url)| json!({ "name": name, "url": url }))
            .collect()
    }

    /// Whether objects may be missing here that a remote has promised.
    pub fn is_partial(&self) -> bool {
        self.entries.iter().any(|(key, value)| {
            key == "extensions.partialclone"
                || (key.starts_with("remote.") && key.ends_with(".promisor") && value != "false")
        })
    }

    /// The one address of a remote, as it was written, with its secrets.
    ///
    /// # Errors
    /// There is no such remote, it has several addresses, or git would rewrite the address.
    pub fn url(&self, remote: &str) -> Result<&str, Answer> {
        let urls = self.all(&format!("{}{remote}{}", REMOTE.0, REMOTE.1));
        let url = match urls.as_slice() {
            [url] => *url,
            [] => return Err(failed(format!("there is no remote `{remote}` here"))),
            many => {
                let count = many.len();
                let why = format!("the remote `{remote}` has {count} URLs; belegt asks only one");
                return Err(failed(why));
            }
        };
        let is_rewrite = |(key, begin): &&(String, String)| {
            key.starts_with("url.") && key.ends_with(".insteadof") && url.starts_with(begin)
        };
        match self.entries.iter().find(is_rewrite) {
            None => Ok(url),
            Some(_) => Err(failed(format!(
                "the repository replaces the URL of `{remote}` by another (`url.*.insteadOf`); write the whole URL into `remote.{remote}.url`"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(entries: &[(&str, &str)]) -> Config {
        let entries = entries.iter();
        Config {
            entries: entries
                .map(|(k, v)| (k.to_string(), v.to_string()))
                .collect(),
        }
    }

    #[test]
    fn remotes_are_listed_without_secrets() {
        let config = config(&[
            ("remote.b.c.url", "https://u:s@h/x"),
            ("remote.a.url", "/x"),
            ("remote.a.url", "/y"),
            ("remote.a.fetch", "+refs/*"),
            ("remote.pushdefault", "a"),
        ]);
        let expected =
            json!([{ "name": "a", "url": "/x" }, { "name": "b.c", "url": "https://***@h/x" }]);
        assert_eq!(config.remotes(), expected);
    }

    #[test]
    fn only_one_plain_address_is_asked() {
        let config = config(&[
            ("remote.two.url", "/x"),
            ("remote.two.url", "/y"),
            ("remote.moved.url", "gh:x"),
            ("url.ext::sh -c x.insteadof", "gh:"),
            ("remote.good.url", "https://u:s@h/x"),
        ]);
        assert_eq!(config.url("good"), Ok("https://u:s@h/x"));
        for remote in ["two", "moved", "none"] {
            assert!(config.url(remote).is_err(), "{remote}");
        }
    }
}

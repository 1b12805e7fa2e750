//! Commits and their history, as far as they are here.
//!
//! INVARIANT: `merge-base --is-ancestor` says "no" also where the history between was cut off
//! by a shallow clone, so its "no" counts only in a whole one. A name never begins with `-`.

use serde_json::{Value, json};

use super::{Asked, failed};
use crate::model::text::escape;
use crate::world::{Answer, name};

/// What a file mode in a tree says of a submodule (gitglossary(7), "gitlink").
const GITLINK: &[u8] = b"160000 ";

/// The shortest abbreviation that git knows.
const SHORTEST: usize = 4;

impl Asked<'_> {
    /// The commit that a name or an abbreviated id stands for; `None` if there is none.
    pub fn commit(&self, wanted: &str) -> Result<Option<String>, Answer> {
        plain_name(wanted)?;
        if is_hex(wanted) && wanted.len() >= SHORTEST && !is_id(wanted) {
            // Asked of the objects first: somebody may have made a branch of this very name.
            match self.abbreviated(wanted)?.as_slice() {
                [] => {}
                [commit] => return Ok(Some(commit.clone())),
                many => {
                    let count = many.len();
                    let why = format!("`{wanted}` stands for {count} commits; write more of it");
                    return Err(failed(why));
                }
            }
        }
        self.peeled(wanted)
    }

    fn peeled(&self, wanted: &str) -> Result<Option<String>, Answer> {
        const NOT_THERE: i32 = 1;
        let peeled = format!("{wanted}^{{commit}}");
        let verb = ["rev-parse", "--verify", "-q", "--end-of-options", &peeled];
        let ended = self.run(&verb)?;
        match ended.status {
            0 => Self::line(&ended, "the id of a commit").map(Some),
            NOT_THERE if !String::from_utf8_lossy(&ended.stderr).contains("ambiguous") => Ok(None),
            _ => Err(Self::refused(&ended)),
        }
    }

    fn abbreviated(&self, prefix: &str) -> Result<Vec<String>, Answer> {
        const MOST: usize = 8;
        let all = self.output(&["rev-parse", &format!("--disambiguate={prefix}")])?;
        let all = String::from_utf8_lossy(&all);
        let mut commits = Vec::new();
        for (index, id) in all.lines().enumerate() {
            if index >= MOST {
                let why = format!("`{prefix}` stands for very many objects; write more of it");
                return Err(failed(why));
            }
            if self.is_here(id)? {
                commits.push(id.to_owned());
            }
        }
        Ok(commits)
    }

    /// Whether this very object is here, and a commit.
    fn is_here(&self, id: &str) -> Result<bool, Answer> {
        // Told from a tag, which `^{commit}` would follow.
        let ended = self.run(&["cat-file", "-t", id])?;
        Ok(ended.status == 0 && ended.stdout.trim_ascii() == b"commit")
    }

    /// `{ shallow, partial }`.
    pub fn shallow(&self) -> Result<Value, Answer> {
        let partial = self.config()?.is_partial();
        Ok(json!({ "shallow": self.is_shallow()?, "partial": partial }))
    }

    fn is_shallow(&self) -> Result<bool, Answer> {
        let ended = self.run(&["rev-parse", "--is-shallow-repository"])?;
        match (ended.status, ended.stdout.trim_ascii()) {
            (0, b"true") => Ok(true),
            (0, b"false") => Ok(false),
            _ => Err(Self::refused(&ended)),
        }
    }

    /// `{ commit, tip, contains }`.
    pub fn contains(&self, commit: &str, tip: &str) -> Result<Value, Answer> {
        const NO: i32 = 1;
        for id in [commit, tip] {
            whole_id(id)?;
            if !self.is_here(id)? {
                return Err(failed(format!("the commit {id} is not here; fetch first")));
            }
        }
        let ended = self.run(&["merge-base", "--is-ancestor", commit, tip])?;
        let contains = match ended.status {
            0 => true,
            NO if self.is_shallow()? => {
                let why = "shallow history: fetch first (`git fetch --unshallow`)";
                return Err(failed(why));
            }
            NO => false,
            _ => return Err(Self::refused(&ended)),
        };
        Ok(json!({ "commit": commit, "tip": tip, "contains": contains }))
    }

    /// The submodules of a commit.
    pub fn gitlinks(&self, commit: &str) -> Result<Value, Answer> {
        whole_id(commit)?;
        if !self.is_here(commit)? {
            let why = format!("the commit {commit} is not here; fetch first");
            return Err(failed(why));
        }
        let tree = self.output(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let entries = tree.split(|byte| *byte == 0);
        let links = entries.filter(|entry| entry.starts_with(GITLINK));
        Ok(links.filter_map(link).collect())
    }
}

/// `160000 commit ID<tab>PATH`.
fn link(entry: &[u8]) -> Option<Value> {
    let tab = entry.iter().position(|byte| *byte == b'\t')?;
    let (about, path) = entry.split_at_checked(tab)?;
    let id = String::from_utf8_lossy(about);
    let id = id.rsplit(' ').next()?;
    let path = std::os::unix::ffi::OsStrExt::from_bytes(path.get(1..)?);
    Some(json!({ "path": name::encode(path), "commit": id }))
}

/// A name that can be nothing but a name: no option, no range, no path, no pattern.
fn plain_name(wanted: &str) -> Result<(), Answer> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || ":?*[\\".contains(c);
    let is_plain = !wanted.is_empty()
        && !wanted.starts_with(['-', '^'])
        && !wanted.contains("..")
        && !wanted.contains(is_odd);
    if is_plain {
        return Ok(());
    }
    let shown = escape(wanted);
    Err(failed(format!("`{shown}` is not the name of a commit")))
}

fn whole_id(id: &str) -> Result<(), Answer> {
    if is_id(id) {
        return Ok(());
    }
    let why = format!("`{}` is not the whole id of a commit", escape(id));
    Err(failed(why))
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// SHA-1 or SHA-256, in hex.
pub fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && is_hex(text)
}

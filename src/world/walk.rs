//! The walk of a glob through folders, real ones or those of a fixture.
//!
//! INVARIANT: reaching a limit or a folder that cannot be read is a failure, never a short list.
//! Links are followed only where the pattern spells their name literally, and never out of the
//! roots; a wildcard can match a link but does not descend into it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::Instant;

use super::pattern::{PathPattern, Places};
use super::{Answer, Entry, Failure, Kind, name};
use crate::model::text::escape;

/// Most entries of a folder, and most that a whole walk looks at.
pub const MOST_ENTRIES: usize = 100_000;
/// Deepest folder that a walk enters, counted from its root.
pub const DEEPEST: usize = 64;
/// Most matches of one walk.
pub const MOST_MATCHES: usize = 10_000;

/// Folders that can be walked.
pub trait Folders {
    /// A folder that was entered.
    type Folder;

    /// What stands at a name of a folder, links not followed; `None` if nothing does.
    ///
    /// # Errors
    /// The answer to give if this cannot be told.
    fn kind(&self, folder: &Self::Folder, name: &OsStr) -> Result<Option<Kind>, Answer>;

    /// All names of a folder.
    ///
    /// # Errors
    /// The answer to give if they cannot be told, or are more than [`MOST_ENTRIES`].
    fn entries(&self, folder: &Self::Folder) -> Result<Vec<(OsString, Kind)>, Answer>;

    /// The folder at a name and its whole path (`at`); `None` if it is no folder any more.
    /// With `follow`, a link inside the roots is followed.
    ///
    /// # Errors
    /// The answer to give if it cannot be entered.
    fn enter(
        &self,
        folder: &Self::Folder,
        at: (&OsStr, &str),
        follow: bool,
    ) -> Result<Option<Self::Folder>, Answer>;
}

/// All matches of a pattern below `top`, sorted by path.
pub fn walk<F: Folders>(
    folders: &F,
    (top, root): (&F::Folder, &str),
    pattern: &PathPattern,
    until: Instant,
) -> Answer {
    let mut walk = Walk {
        folders,
        pattern,
        until,
        seen: 0,
        matches: Vec::new(),
    };
    let prefix = if root == "/" { "" } else { root };
    if let Err(answer) = walk.visit((top, prefix), &pattern.start(), 0) {
        return answer;
    }
    let mut matches = walk.matches;
    matches.sort_by(|a, b| a.path.cmp(&b.path));
    Answer::Entries(Arc::new(matches))
}

struct Walk<'a, F: Folders> {
    folders: &'a F,
    pattern: &'a PathPattern,
    until: Instant,
    seen: usize,
    matches: Vec<Entry>,
}

impl<F: Folders> Walk<'_, F> {
    fn visit(
        &mut self,
        (folder, path): (&F::Folder, &str),
        at: &Places,
        depth: usize,
    ) -> Result<(), Answer> {
        if depth > DEEPEST {
            return Err(too_large(path, "folders", DEEPEST));
        }
        let (found, names) = self.names(folder, at)?;
        self.seen += names.len();
        if self.seen > MOST_ENTRIES {
            return Err(too_large(path, "entries on the way to it", MOST_ENTRIES));
        }
        if Instant::now() >= self.until {
            return Err(late(path));
        }
        for (name, kind) in names {
            let taken = self.pattern.take(at, &found, &name);
            let taken = taken.map_err(|why| Answer::failed(Failure::Io, why))?;
            if !taken.matched && taken.next.is_empty() {
                continue;
            }
            let spelled = name::encode(&name);
            let child = format!("{path}/{spelled}");
            let follow = taken.named && kind == Kind::Link;
            if !taken.next.is_empty() && (kind == Kind::Folder || follow) {
                let entered = self.folders.enter(folder, (&name, &child), follow)?;
                if let Some(entered) = entered {
                    self.visit((&entered, &child), &taken.next, depth + 1)?;
                }
            }
            if taken.matched {
                self.keep(spelled, child, kind)?;
            }
        }
        Ok(())
    }

    /// Which literal names exist here, and every name that the pattern could match.
    fn names(
        &self,
        folder: &F::Folder,
        at: &Places,
    ) -> Result<(Places, BTreeMap<OsString, Kind>), Answer> {
        let mut found = Places::new();
        let mut names = BTreeMap::new();
        for (place, literal) in self.pattern.literals(at) {
            if let Some(kind) = self.folders.kind(folder, literal)? {
                found.insert(place);
                names.insert(literal.to_owned(), kind);
            }
        }
        if self.pattern.needs_listing(at, &found) {
            names.extend(self.folders.entries(folder)?);
        }
        Ok((found, names))
    }

    fn keep(&mut self, name: String, path: String, kind: Kind) -> Result<(), Answer> {
        if self.matches.len() >= MOST_MATCHES {
            return Err(too_large(&path, "matches before it", MOST_MATCHES));
        }
        self.matches.push(Entry { name, path, kind });
        Ok(())
    }
}

/// The answer for a folder or walk that holds more than a limit.
pub fn too_large(path: &str, what: &str, limit: usize) -> Answer {
    let path = escape(path);
    let why = format!("`{path}` has more than {limit} {what}, which is the limit");
    Answer::failed(Failure::TooLarge, why)
}

/// The answer for a look that its deadline ended.
pub fn late(path: &str) -> Answer {
    let why = format!("the deadline passed while `{}` was read", escape(path));
    Answer::failed(Failure::Deadline, why)
}

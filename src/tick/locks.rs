//! Locks of the person: `LOCK.user*` blocks an area absolutely; in the root it is the pause
//! button.
//!
//! Only the person lifts such a lock. The kernel looks itself, so that no probe and no rule can
//! overlook one.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::world::desk::Asker;
use crate::world::{Answer, Request};

use crate::ask::Asking;

/// Looks for locks, once per folder.
pub struct Locks<'a> {
    asking: &'a Asking,
    known: BTreeMap<String, Option<String>>,
}

impl<'a> Locks<'a> {
    /// No folder was looked at yet.
    pub fn new(asking: &'a Asking) -> Self {
        Locks {
            asking,
            known: BTreeMap::new(),
        }
    }

    /// The lock in the root itself, or why the root could not be looked at.
    pub fn in_root(&mut self) -> Result<Option<String>, String> {
        let root = self.asking.facts.root.clone();
        match self.list(&root) {
            Ok(lock) => {
                self.known.insert(root, lock.clone());
                Ok(lock)
            }
            Err(why) => Err(why),
        }
    }

    /// The lock above a place (`path`, `path:line`), if there is one. A folder that cannot be
    /// looked at counts as locked: nobody may work where a lock may stand unseen.
    pub fn above(&mut self, at: &str) -> Option<String> {
        let path = without_line(at);
        let root = self.asking.facts.root.clone();
        let absolute = crate::script::host::fs::absolute(&self.asking.facts, path);
        let absolute = without_detours(&absolute);
        let inside = absolute
            .strip_prefix(&root)
            .is_some_and(|rest| rest.starts_with('/'));
        let mut folder = parent(&absolute)?;
        loop {
            if let Some(lock) = self.in_folder(&folder) {
                return Some(lock);
            }
            if !inside || folder == root {
                return None;
            }
            folder = parent(&folder)?;
        }
    }

    fn in_folder(&mut self, folder: &str) -> Option<String> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let found = self.list(folder).unwrap_or_else(Some);
        self.known.insert(folder.to_string(), found.clone());
        found
    }

    fn list(&self, folder: &str) -> Result<Option<String>, String> {
        let request = Request::List {
            path: folder.to_string(),
        };
        let asker = Asker {
            function: "kernel::locks",
            script: "kernel",
            line: 0,
            until: self.asking.until,
        };
        match self
            .asking
            .desk
            .ask(&request, &asker, &Mutex::new(Vec::new()))
        {
            Answer::Entries(entries) => Ok(entries
                .iter()
                .find(|e| is_lock(&e.name))
                .map(|e| e.path.clone())),
            Answer::Missing | Answer::Refused { .. } => Ok(None),
            Answer::Failed { why, .. } => {
                Err(format!("`{folder}` cannot be looked at for locks: {why}"))
            }
            _ => Ok(None),
        }
    }
}

/// Whether a file name is a lock of the person. Upstream's pattern is
/// `LOCK.user[.<scope>].txt` in any letter case; anything that begins like it counts.
pub fn is_lock(name: &str) -> bool {
    name.get(..9)
        .is_some_and(|start| start.eq_ignore_ascii_case("lock.user"))
}

/// The same place without `..`, so that no spelling goes around a lock.
fn without_detours(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        match segment {
            ".." => drop(kept.pop()),
            segment => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

fn without_line(at: &str) -> &str {
    match at.rsplit_once(':') {
        Some((path, line)) if !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()) => path,
        _ => at,
    }
}

fn parent(path: &str) -> Option<String> {
    let (folder, _) = path.trim_end_matches('/').rsplit_once('/')?;
    (!folder.is_empty()).then(|| folder.to_string())
}

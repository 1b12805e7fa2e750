//! Trust: which bytes of a site a person has allowed to run.
//!
//! A record in the user's state folder names the real path of the site and the digest of its
//! bundle. Attacks that this is made against: a repository that brings its own record (kept
//! outside of it, readable by its owner alone), that moves or links its folder (keyed on the
//! real path), that points `.git` at a trusted one (never asked), that adds a file beside the
//! trusted ones (the digest is over all of them).
//!
//! INVARIANT: deny by default. Only [`Trust::Trusted`] lets anything of a site run or grant; a
//! record that cannot be read is a fault, not trust.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use serde::{Deserialize, Serialize};

use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::script::value::text::digest;
use crate::world::name;

use super::bundle::Bundle;
use super::files::{self, Links, Problem};

/// The largest record, in bytes: 2,000 files with their digests.
const MAX_RECORD: u64 = 1024 * 1024;

/// Whether a site may run.
#[derive(Debug, Clone, Default)]
pub enum Trust {
    /// The site has no scripts and no settings.
    #[default]
    None,
    /// The bytes that are there are the bytes that a person allowed.
    Trusted,
    /// They were allowed once and are different now.
    Changed {
        /// What is different.
        files: Vec<Change>,
    },
    /// Nobody allowed them.
    Never,
    /// The bundle or the record cannot be read, so nothing can be said.
    Broken(Fault),
}

/// One file that differs from what was allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path below the site's folder.
    pub path: String,
    /// `new`, `changed` or `gone`.
    pub how: &'static str,
}

impl Trust {
    /// Whether the site's scripts may run and its settings may grant.
    pub fn is_trusted(&self) -> bool {
        matches!(self, Trust::Trusted)
    }

    /// The state in words, for people.
    pub fn text(&self) -> String {
        match self {
            Trust::None => "nothing to trust".into(),
            Trust::Trusted => "trusted".into(),
            Trust::Never => "not trusted yet".into(),
            Trust::Broken(fault) => format!("not trusted: {fault}"),
            Trust::Changed { files } => {
                let shown = files.iter().take(5);
                let mut list: Vec<String> = shown
                    .map(|change| format!("`{}` is {}", escape(&change.path), change.how))
                    .collect();
                if files.len() > list.len() {
                    list.push(format!("{} more", files.len() - list.len()));
                }
                format!("changed since it was trusted: {}", list.join(", "))
            }
        }
    }
}

/// What a person allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Real path of the root, in the lossless spelling.
    pub path: String,
    /// Digest of the whole bundle.
    pub digest: String,
    /// Digest of each file, to say later which one changed.
    pub files: BTreeMap<String, String>,
    /// When, RFC 3339.
    pub at: String,
    /// Who, as typed.
    pub actor: String,
}

/// The records in a user's state folder.
#[derive(Debug, Clone)]
pub struct TrustStore {
    folder: PathBuf,
}

impl TrustStore {
    /// The records below belegt's state folder.
    pub fn new(state_folder: &Path) -> Self {
        TrustStore {
            folder: state_folder.join("trust"),
        }
    }

    /// Where the record of a root lies, whether it exists or not.
    pub fn file(&self, root: &Path) -> PathBuf {
        let key = digest(name::encode(root.as_os_str()).as_bytes());
        self.folder.join(format!("{key}.json"))
    }

    /// Whether the bundle at a root (a real path) is the one that was allowed.
    pub fn status(&self, root: &Path, bundle: &Bundle) -> Trust {
        if bundle.is_empty() {
            return Trust::None;
        }
        if let Some(fault) = bundle.broken() {
            return Trust::Broken(fault.clone());
        }
        match self.record_of(root) {
            Err(fault) => Trust::Broken(fault),
            Ok(None) => Trust::Never,
            Ok(Some(record)) if record.digest == bundle.digest() => Trust::Trusted,
            Ok(Some(record)) => Trust::Changed {
                files: changes(&record.files, &bundle.file_digests()),
            },
        }
    }

    /// The record of a root, if there is one.
    pub fn record_of(&self, root: &Path) -> Result<Option<Record>, Fault> {
        let file = self.file(root);
        let fault = |why: &str| {
            let shown = escape(&file.to_string_lossy());
            Fault::new(Code::State, format!("the record of trust `{shown}` {why}"))
                .with_help("look at it, take it away, and run `belegt trust` again")
        };
        let (bytes, stat) = match files::read(CWD, file.as_path(), Links::Refuse, MAX_RECORD) {
            Ok(read) => read,
            Err(Problem::Missing) => return Ok(None),
            Err(problem) => return Err(fault(&problem.why())),
        };
        if stat.st_uid != rustix::process::geteuid().as_raw() || stat.st_mode & 0o077 != 0 {
            return Err(fault("is not private to this user"));
        }
        let record: Record = serde_json::from_slice(&bytes)
            .map_err(|error| fault(&format!("is damaged: {error}")))?;
        if record.path != name::encode(root.as_os_str()) {
            return Err(fault("is one of another folder"));
        }
        Ok(Some(record))
    }

    /// Allows exactly the bytes of this bundle at this root. The caller has asked a person.
    pub fn record(&self, root: &Path, bundle: &Bundle, at: &str, actor: &str) -> Result<(), Fault> {
        if let Some(fault) = bundle.broken() {
            return Err(fault.clone());
        }
        if bundle.is_empty() {
            let message = "there are no scripts and no settings here to trust";
            return Err(Fault::new(Code::Unknown, message));
        }
        let record = Record {
            path: name::encode(root.as_os_str()),
            digest: bundle.digest(),
            files: bundle.file_digests(),
            at: at.to_string(),
            actor: actor.to_string(),
        };
        let file = self.file(root);
        self.write(&file, &record).map_err(|error| {
            let shown = escape(&file.to_string_lossy());
            Fault::new(
                Code::State,
                format!("the record of trust `{shown}` cannot be written: {error}"),
            )
            .with_help("the state folder must be yours and writable")
        })
    }

    fn write(&self, file: &Path, record: &Record) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        fs::set_permissions(&self.folder, Permissions::from_mode(0o700))?;
        let new = file.with_extension("json.new");
        if let Err(error) = fs::remove_file(&new)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error);
        }
        let mut handle = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        handle.write_all(&serde_json::to_vec_pretty(record)?)?;
        handle.sync_all()?;
        fs::rename(&new, file)?;
        File::open(&self.folder)?.sync_all()
    }
}

fn changes(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let mut found = Vec::new();
    for path in old
        .keys()
        .chain(new.keys().filter(|path| !old.contains_key(*path)))
    {
        let how = match (old.get(path), new.get(path)) {
            (Some(a), Some(b)) if a == b => continue,
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "gone",
            (None, _) => "new",
        };
        found.push(Change {
            path: path.clone(),
            how,
        });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Place {
        _keep: tempfile::TempDir,
        root: PathBuf,
        store: TrustStore,
    }

    fn place() -> Place {
        let keep = tempfile::tempdir().unwrap();
        let top = keep.path().canonicalize().unwrap();
        let root = top.join("project");
        fs::create_dir_all(root.join(".belegt/probes/work")).unwrap();
        fs::write(root.join(".belegt/site.rhai"), "const SITE = #{};").unwrap();
        fs::write(root.join(".belegt/probes/work/a.rhai"), "A").unwrap();
        Place {
            store: TrustStore::new(&top.join("state/belegt")),
            _keep: keep,
            root,
        }
    }

    fn bundle(root: &Path) -> Bundle {
        Bundle::read(&root.join(".belegt"), ".belegt", Links::Refuse)
    }

    impl Place {
        fn status(&self) -> Trust {
            self.store.status(&self.root, &bundle(&self.root))
        }

        fn trust(&self) {
            let now = "2026-11-30T10:00:00+01:00";
            self.store
                .record(&self.root, &bundle(&self.root), now, "ada")
                .unwrap();
        }
    }

    #[test]
    fn only_recorded_bytes_are_trusted() {
        let place = place();
        assert!(matches!(place.status(), Trust::Never));
        place.trust();
        assert!(place.status().is_trusted());
        let record = place.store.record_of(&place.root).unwrap().unwrap();
        assert_eq!((record.actor.as_str(), record.files.len()), ("ada", 2));
    }

    #[test]
    fn every_change_is_seen_and_named() {
        type Attack = fn(&Path);
        let table: [(&str, Attack, &str); 7] = [
            (
                "a byte",
                |site| fs::write(site.join("probes/work/a.rhai"), "B").unwrap(),
                "`probes/work/a.rhai` is changed",
            ),
            (
                "a file",
                |site| fs::write(site.join("probes/work/b.rhai"), "").unwrap(),
                "`probes/work/b.rhai` is new",
            ),
            (
                "a rule",
                |site| {
                    fs::create_dir(site.join("rules")).unwrap();
                    fs::write(site.join("rules/chain.rhai"), "").unwrap();
                },
                "`rules/chain.rhai` is new",
            ),
            (
                "less",
                |site| fs::remove_file(site.join("site.rhai")).unwrap(),
                "`site.rhai` is gone",
            ),
            (
                "a name",
                |site| {
                    fs::rename(
                        site.join("probes/work/a.rhai"),
                        site.join("probes/work/b.rhai"),
                    )
                    .unwrap()
                },
                "is gone, `probes/work/b.rhai` is new",
            ),
            (
                "a link",
                |site| symlink("a.rhai", site.join("probes/work/b.rhai")).unwrap(),
                "is a link",
            ),
            (
                "a linked folder",
                |site| symlink("work", site.join("probes/more")).unwrap(),
                "is a link",
            ),
        ];
        for (name, attack, words) in table {
            let place = place();
            place.trust();
            attack(&place.root.join(".belegt"));
            let status = place.status();
            assert!(!status.is_trusted(), "{name}");
            assert!(status.text().contains(words), "{name}: {}", status.text());
        }
    }

    #[test]
    fn tests_and_other_files_are_no_part() {
        let place = place();
        place.trust();
        fs::create_dir(place.root.join(".belegt/tests")).unwrap();
        fs::write(place.root.join(".belegt/tests/x.rhai"), "").unwrap();
        fs::write(place.root.join(".belegt/ledger.db"), "").unwrap();
        assert!(place.status().is_trusted());
    }

    #[test]
    fn trust_does_not_move_with_the_folder() {
        let place = place();
        place.trust();
        let moved = place.root.with_file_name("moved");
        fs::rename(&place.root, &moved).unwrap();
        assert!(matches!(
            place.store.status(&moved, &bundle(&moved)),
            Trust::Never
        ));
        fs::copy(place.store.file(&place.root), place.store.file(&moved)).unwrap();
        let status = place.store.status(&moved, &bundle(&moved));
        assert!(
            status.text().contains("one of another folder"),
            "{}",
            status.text()
        );
    }

    #[test]
    fn nothing_to_trust_is_not_trusted() {
        let place = place();
        fs::remove_dir_all(place.root.join(".belegt")).unwrap();
        assert!(matches!(place.status(), Trust::None));
        assert!(!place.status().is_trusted());
        let refused = place
            .store
            .record(&place.root, &bundle(&place.root), "", "");
        assert_eq!(refused.unwrap_err().code(), Code::Unknown);
    }

    #[test]
    fn a_broken_bundle_cannot_be_trusted() {
        let place = place();
        symlink("a.rhai", place.root.join(".belegt/probes/work/b.rhai")).unwrap();
        let refused = place
            .store
            .record(&place.root, &bundle(&place.root), "", "");
        assert_eq!(refused.unwrap_err().code(), Code::ScriptRead);
        assert!(!place.store.file(&place.root).exists());
    }

    #[test]
    fn a_record_that_cannot_be_believed_is_a_fault() {
        type Damage = fn(&Path);
        let table: [(&str, Damage); 8] = [
            ("empty", |file| fs::write(file, "").unwrap()),
            ("no JSON", |file| fs::write(file, "{").unwrap()),
            ("another key", |file| {
                let text = fs::read_to_string(file).unwrap();
                fs::write(file, text.replacen('{', "{\"allow\":true,", 1)).unwrap();
            }),
            ("two digests", |file| {
                let text = fs::read_to_string(file).unwrap();
                fs::write(file, text.replacen('{', "{\"digest\":\"x\",", 1)).unwrap();
            }),
            ("for all to write", |file| {
                fs::set_permissions(file, Permissions::from_mode(0o666)).unwrap();
            }),
            ("for all to read", |file| {
                fs::set_permissions(file, Permissions::from_mode(0o644)).unwrap();
            }),
            ("a link", |file| {
                let other = file.with_extension("other");
                fs::rename(file, &other).unwrap();
                symlink(other, file).unwrap();
            }),
            ("a folder", |file| {
                fs::remove_file(file).unwrap();
                fs::create_dir(file).unwrap();
            }),
        ];
        for (name, damage) in table {
            let place = place();
            place.trust();
            damage(&place.store.file(&place.root));
            match place.status() {
                Trust::Broken(fault) => assert_eq!(fault.code(), Code::State, "{name}"),
                other => panic!("{name}: {}", other.text()),
            }
        }
    }

    #[test]
    fn the_record_is_private_and_replaced_whole() {
        let place = place();
        place.trust();
        let file = place.store.file(&place.root);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&file), 0o600);
        assert_eq!(mode(file.parent().unwrap()), 0o700);
        fs::write(file.with_extension("json.new"), "left behind by a crash").unwrap();
        fs::write(place.root.join(".belegt/probes/work/a.rhai"), "B").unwrap();
        assert!(!place.status().is_trusted());
        place.trust();
        assert!(place.status().is_trusted());
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_git_pointer_carries_no_trust() {
        let place = place();
        place.trust();
        let other = place.root.with_file_name("other");
        fs::create_dir_all(other.join(".belegt/probes/work")).unwrap();
        for path in [".belegt/site.rhai", ".belegt/probes/work/a.rhai"] {
            fs::copy(place.root.join(path), other.join(path)).unwrap();
        }
        fs::write(
            other.join(".git"),
            format!("gitdir: {}", place.root.display()),
        )
        .unwrap();
        assert!(matches!(
            place.store.status(&other, &bundle(&other)),
            Trust::Never
        ));
    }
}

//! The bundle of a layer: `site.rhai` and every script below `rules/` and `probes/`.
//!
//! INVARIANT: every file is read once, through a handle; the bytes that are digested are the
//! bytes that are compiled. What could not be read stays in the bundle as its fault: it can be
//! neither trusted nor overlooked. Names that begin with a dot are no scripts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::diag::{Code, Fault};
use crate::model::text::{escape, hex};

use super::files::Links;

mod walk;

/// The file of settings in a layer's folder.
pub const SITE_FILE: &str = "site.rhai";
/// The largest file of a bundle, in bytes.
pub const MAX_FILE: u64 = 64 * 1024;
/// The most entries of a bundle's folders.
pub const MAX_ENTRIES: usize = 2_000;
const SUFFIX: &str = ".rhai";

/// A layer's files as they were read.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    shown: String,
    files: BTreeMap<String, Result<Vec<u8>, Fault>>,
    faults: Vec<Fault>,
}

impl Bundle {
    /// A bundle of known bytes, as `belegt init` writes them: path below the folder, bytes.
    pub fn of(shown: &str, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        Bundle {
            shown: shown.to_string(),
            files: files
                .into_iter()
                .map(|(path, bytes)| (path, Ok(bytes)))
                .collect(),
            faults: Vec::new(),
        }
    }

    /// Reads a layer's folder; `shown` is how messages call it. A folder that does not exist
    /// is an empty bundle.
    pub fn read(folder: &Path, shown: &str, links: Links) -> Self {
        walk::Walk::new(shown, links).through(folder)
    }

    /// Whether there is nothing at all, not even something unreadable.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.faults.is_empty()
    }

    /// Why this bundle is not wholly known, if it is not.
    pub fn broken(&self) -> Option<&Fault> {
        let unread = self.files.values().find_map(|file| file.as_ref().err());
        self.faults.first().or(unread)
    }

    /// What could not be read and may hide scripts nobody knows of.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// How messages call the folder.
    pub fn folder(&self) -> &str {
        &self.shown
    }

    /// How messages call a file of the bundle.
    pub fn shown(&self, path: &str) -> String {
        format!("{}/{}", self.shown, escape(path))
    }

    /// The text of the settings file, if there is one.
    pub fn site(&self) -> Option<Result<Arc<str>, Fault>> {
        let bytes = self.files.get(SITE_FILE)?;
        Some(self.text(SITE_FILE, bytes))
    }

    /// The scripts: path without `.rhai`, and the text.
    pub fn scripts(&self) -> impl Iterator<Item = (&str, Result<Arc<str>, Fault>)> {
        let files = self.files.iter().filter(|(path, _)| *path != SITE_FILE);
        files.filter_map(|(path, bytes)| Some((path.strip_suffix(SUFFIX)?, self.text(path, bytes))))
    }

    fn text(&self, path: &str, bytes: &Result<Vec<u8>, Fault>) -> Result<Arc<str>, Fault> {
        let bytes = bytes.as_ref().map_err(Fault::clone)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.into()),
            Err(error) => {
                let line = bytes
                    .iter()
                    .take(error.valid_up_to())
                    .filter(|b| **b == b'\n')
                    .count()
                    + 1;
                let message = format!("`{}` is not UTF-8 in line {line}", self.shown(path));
                Err(Fault::new(read_code(path), message).with_help("save it as plain UTF-8"))
            }
        }
    }

    /// SHA-256 over path, length and bytes of every file, in hex. A file that could not be read
    /// counts by its path alone: see [`Bundle::broken`].
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(b"belegt bundle 1\n");
        for (path, bytes) in &self.files {
            let bytes = bytes.as_deref().unwrap_or_default();
            for part in [path.as_bytes(), bytes] {
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part);
            }
        }
        hex(&hash.finalize())
    }

    /// SHA-256 of every file that was read, in hex.
    pub fn file_digests(&self) -> BTreeMap<String, String> {
        let read = self.files.iter();
        read.filter_map(|(path, bytes)| {
            let bytes = bytes.as_ref().ok()?;
            Some((path.clone(), hex(&Sha256::digest(bytes))))
        })
        .collect()
    }
}

fn read_code(path: &str) -> Code {
    if path == SITE_FILE {
        Code::SettingsRead
    } else {
        Code::ScriptRead
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn read(folder: &tempfile::TempDir, links: Links) -> Bundle {
        Bundle::read(folder.path(), ".belegt", links)
    }

    fn names(bundle: &Bundle) -> Vec<&str> {
        bundle.scripts().map(|(path, _)| path).collect()
    }

    #[test]
    fn a_bundle_holds_the_settings_and_the_scripts_and_nothing_else() {
        let folder = folder(&[
            ("site.rhai", "S"),
            ("probes/work/b.rhai", "B"),
            ("probes/sources/a.rhai", "A"),
            ("probes/deep/er/c.rhai", "C"),
            ("rules/chain.rhai", "D"),
            ("probes/work/README.md", "-"),
            ("probes/work/.hidden.rhai", "-"),
            ("tests/x.rhai", "-"),
            ("other.rhai", "-"),
            ("ledger.db", "-"),
        ]);
        let bundle = read(&folder, Links::Refuse);
        assert_eq!(
            names(&bundle),
            [
                "probes/deep/er/c",
                "probes/sources/a",
                "probes/work/b",
                "rules/chain"
            ]
        );
        assert_eq!(&*bundle.site().unwrap().unwrap(), "S");
        assert!(bundle.broken().is_none());
    }

    #[test]
    fn a_folder_that_does_not_exist_is_empty() {
        let folder = folder(&[("tests/x.rhai", "")]);
        assert!(read(&folder, Links::Refuse).is_empty());
        assert!(Bundle::read(&folder.path().join("none"), "x", Links::Refuse).is_empty());
    }

    #[test]
    fn the_digest_moves_with_name_length_and_bytes() {
        let of = |files: &[(&str, &str)]| {
            let files = files
                .iter()
                .map(|(p, b)| (p.to_string(), b.as_bytes().to_vec()));
            Bundle::of("x", files).digest()
        };
        let all = [
            of(&[]),
            of(&[("a", "")]),
            of(&[("a", "b")]),
            of(&[("ab", "")]),
            of(&[("a", ""), ("b", "")]),
            of(&[("a", "b"), ("c", "")]),
            of(&[("a", ""), ("bc", "")]),
        ];
        let unique: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(unique.len(), all.len());
        assert_eq!(of(&[("a", "1"), ("b", "2")]), of(&[("b", "2"), ("a", "1")]));
        let read = read(&folder(&[("rules/gate.rhai", "1")]), Links::Refuse);
        assert_eq!(read.digest(), of(&[("rules/gate.rhai", "1")]));
    }

    #[test]
    fn what_cannot_be_read_keeps_its_place_and_breaks_the_bundle() {
        type Damage = fn(&Path);
        let table: [(&str, Damage, &str); 6] = [
            (
                "link",
                |path| symlink("/dev/null", path).unwrap(),
                "is a link",
            ),
            (
                "dangling",
                |path| symlink("nowhere", path).unwrap(),
                "is a link",
            ),
            ("fifo", |path| fifo(path), "is a FIFO"),
            (
                "large",
                |path| fs::write(path, "x".repeat(65_537)).unwrap(),
                "more than 64 KiB",
            ),
            (
                "closed",
                |path| {
                    fs::write(path, "x").unwrap();
                    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
                },
                "may not be read",
            ),
            (
                "socket",
                |path| drop(std::os::unix::net::UnixListener::bind(path).unwrap()),
                "is a socket",
            ),
        ];
        for (name, damage, why) in table {
            if name == "closed" && rustix::process::geteuid().is_root() {
                continue;
            }
            for path in ["probes/work/x.rhai", "site.rhai"] {
                let folder = folder(&[("probes/work/good.rhai", "1")]);
                damage(&folder.path().join(path));
                let bundle = read(&folder, Links::Refuse);
                let fault = bundle.broken().expect(name);
                assert!(name == "socket" || fault.message().contains(why), "{fault}");
                let kept = bundle.files.get(path).expect(name);
                assert!(kept.is_err(), "{name} {path}");
                assert!(bundle.files["probes/work/good.rhai"].is_ok());
            }
        }
    }

    fn fifo(path: &Path) {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    }

    #[test]
    fn a_folder_that_cannot_be_known_is_a_fault_of_the_layer() {
        type Damage = fn(&Path);
        let table: [(&str, Damage); 6] = [
            ("linked folder", |top| {
                symlink("/", top.join("probes/out")).unwrap()
            }),
            ("linked probes", |top| {
                symlink("probes", top.join("rules")).unwrap()
            }),
            ("file for a folder", |top| {
                fs::write(top.join("rules"), "").unwrap()
            }),
            ("too many", |top| {
                for n in 0..2_001 {
                    fs::write(top.join(format!("probes/{n}.rhai")), "").unwrap();
                }
            }),
            ("too deep", |top| {
                fs::create_dir_all(top.join("probes/1/2/3/4/5/6/7/8/9")).unwrap()
            }),
            ("no UTF-8", |top| {
                use std::os::unix::ffi::OsStrExt;
                let name = std::ffi::OsStr::from_bytes(b"probes/\xff.rhai");
                fs::write(top.join(name), "").unwrap();
            }),
        ];
        for (name, damage) in table {
            let folder = folder(&[("probes/work/good.rhai", "1")]);
            damage(folder.path());
            let bundle = read(&folder, Links::Refuse);
            assert_eq!(bundle.faults().len(), 1, "{name}");
            assert!(bundle.broken().is_some());
        }
    }

    #[test]
    fn a_bundle_is_bounded_in_all() {
        let folder = folder(&[("site.rhai", "S")]);
        fs::create_dir(folder.path().join("rules")).unwrap();
        for n in 0..128 {
            let path = folder.path().join(format!("rules/{n:03}.rhai"));
            fs::write(path, "x".repeat(65_536)).unwrap();
        }
        let fault = read(&folder, Links::Refuse).broken().unwrap().clone();
        assert!(fault.message().contains("more than 8 MiB"), "{fault}");
        fs::remove_file(folder.path().join("rules/000.rhai")).unwrap();
        assert!(read(&folder, Links::Refuse).broken().is_none());
    }

    #[test]
    fn the_site_folder_itself_may_be_no_link() {
        let real = folder(&[("site.rhai", "S")]);
        let outer = tempfile::tempdir().unwrap();
        let link = outer.path().join("link");
        symlink(real.path(), &link).unwrap();
        let bundle = Bundle::read(&link, ".belegt", Links::Refuse);
        assert!(bundle.site().is_none());
        assert!(bundle.broken().unwrap().message().contains("is a link"));
        let bundle = Bundle::read(&link, ".belegt", Links::Follow);
        assert_eq!(&*bundle.site().unwrap().unwrap(), "S");
    }

    #[test]
    fn the_user_may_link_their_own_files() {
        let target = folder(&[("a.rhai", "A"), ("in/b.rhai", "B")]);
        let user = folder(&[("probes/work/own.rhai", "O")]);
        symlink(
            target.path().join("a.rhai"),
            user.path().join("probes/work/a.rhai"),
        )
        .unwrap();
        symlink(target.path().join("in"), user.path().join("rules")).unwrap();
        let bundle = read(&user, Links::Follow);
        assert_eq!(
            names(&bundle),
            ["probes/work/a", "probes/work/own", "rules/b"]
        );
        assert!(bundle.broken().is_none());
        symlink(".", user.path().join("probes/loop")).unwrap();
        assert!(read(&user, Links::Follow).broken().is_some());
    }

    #[test]
    fn bytes_that_are_no_text_count_but_give_no_script() {
        let folder = folder(&[]);
        fs::write(folder.path().join("site.rhai"), b"ok\n\xff").unwrap();
        let bundle = read(&folder, Links::Refuse);
        assert!(bundle.broken().is_none());
        let fault = bundle.site().unwrap().unwrap_err();
        assert_eq!(fault.code(), Code::SettingsRead);
        assert!(fault.message().contains("line 2"), "{fault}");
    }
}

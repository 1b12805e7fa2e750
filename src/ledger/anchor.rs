//! The anchor: what was last seen of a ledger, kept outside of it in the user's state folder.
//!
//! One small file per ledger, named after the path of the ledger. It tells a first run from a
//! lost ledger, and shows a ledger that was rolled back, copied without its log, or replaced.
//!
//! INVARIANT: it is never lowered. It is written after the commit and may lag behind; so a
//! ledger is rolled back only if it is behind its anchor, or beside it. An anchor that cannot
//! be read is a fault and never a first run.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::fault::LedgerFault;
use super::{Head, Ledger};
use crate::model::text::{escape, hex};

/// How often the lock of an anchor is tried, one millisecond apart, before it is left to lag.
const TRIES: u32 = 20;

/// Most bytes of an anchor that are read.
const LONGEST: u64 = 1 << 20;

/// What was last seen of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Version of this file: 1.
    pub belegt: u32,
    /// The path of the ledger, for a person who looks here.
    pub ledger: String,
    /// Id of the store.
    pub store: String,
    /// Number of its last event.
    pub seq: u64,
    /// Hash of its last event.
    pub hash: String,
    /// Digests of the steps that open `only` gates block.
    pub blocked: Vec<String>,
}

/// How a ledger stands to its anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Neither was ever there.
    FirstRun,
    /// Both say the same.
    Fine,
    /// The ledger goes on from its anchor, or was never seen here.
    Lagging,
    /// The ledger was seen here and is not there.
    Lost(Anchor),
    /// Another store stands there.
    Foreign(Anchor),
    /// The ledger no longer holds what was seen.
    RolledBack(Anchor, Head),
}

impl Standing {
    /// The fault that this is, if it is one.
    pub fn fault(&self, ledger: &str) -> Option<LedgerFault> {
        let path = ledger.to_string();
        match self {
            Standing::FirstRun | Standing::Fine | Standing::Lagging => None,
            Standing::Lost(anchor) => Some(LedgerFault::Missing {
                path,
                why: format!("it held {} events when it was last seen here", anchor.seq),
            }),
            Standing::Foreign(_) => Some(LedgerFault::Foreign {
                path,
                why: "it is another store than the one that was seen here".to_string(),
            }),
            Standing::RolledBack(anchor, head) => Some(LedgerFault::RolledBack {
                path,
                known: anchor.seq,
                found: match head.seq < anchor.seq {
                    true => format!("now it ends at {}", head.seq),
                    false => "now another one stands there".to_string(),
                },
            }),
        }
    }
}

/// The anchor of one ledger: where it is kept.
#[derive(Debug, Clone)]
pub struct Mooring {
    folder: PathBuf,
    name: String,
    lock: PathBuf,
    ledger: String,
}

impl Mooring {
    /// The anchor of the ledger at `ledger` in the state folder `folder`. Links in the path of
    /// the ledger are followed, so that all its names share one anchor.
    pub fn new(folder: &Path, ledger: &Path) -> Self {
        let whole = canonical(ledger);
        let digest = Sha256::digest(whole.as_os_str().as_encoded_bytes());
        let name = hex(&digest);
        Mooring {
            folder: folder.to_path_buf(),
            lock: folder.join(format!("{name}.lock")),
            name,
            ledger: escape(&whole.to_string_lossy()),
        }
    }

    /// The file of the anchor.
    pub fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.name))
    }

    /// Everything that must be writable for the anchor to move.
    pub fn places(&self) -> [&Path; 2] {
        [&self.folder, &self.lock]
    }

    /// Reads the anchor; `None` if none was ever written.
    pub fn read(&self) -> Result<Option<Anchor>, LedgerFault> {
        let mut bytes = Vec::new();
        match plain(&self.file(), OFlags::RDONLY) {
            Ok(file) => file.take(LONGEST).read_to_end(&mut bytes),
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => Err(e),
        }
        .map_err(|e| self.fault(e.to_string()))?;
        let anchor: Anchor =
            serde_json::from_slice(&bytes).map_err(|e| self.fault(e.to_string()))?;
        match anchor.belegt {
            1 => Ok(Some(anchor)),
            n => Err(self.fault(format!("its version is {n}, 1 is known"))),
        }
    }

    /// Notes where a ledger stands, after the commit. Answers whether the file now says this:
    /// one that is ahead stays as it is, and one that others hold may lag. Without `blocked` the
    /// digests that stand there stay.
    ///
    /// # Errors
    /// An anchor that cannot be read or written, or that knows another store.
    pub fn write(
        &self,
        store: &str,
        head: &Head,
        blocked: Option<&[String]>,
    ) -> Result<bool, LedgerFault> {
        let io = |e: std::io::Error| self.fault(e.to_string());
        fs::create_dir_all(&self.folder).map_err(io)?;
        let Some(_lock) = self.lock().map_err(io)? else {
            return Ok(false);
        };
        let old = self.read()?;
        let kept = || old.as_ref().map(|old| old.blocked.clone());
        let new = Anchor {
            belegt: 1,
            ledger: self.ledger.clone(),
            store: store.to_string(),
            seq: head.seq,
            hash: head.hash.clone(),
            blocked: blocked
                .map(<[String]>::to_vec)
                .or_else(kept)
                .unwrap_or_default(),
        };
        if let Some(old) = old {
            if old.store != new.store {
                return Err(self.fault("it knows another store"));
            }
            if old.seq == new.seq && old.hash != new.hash {
                return Err(self.fault(format!("it knows another event {}", old.seq)));
            }
            if old.seq > new.seq || old == new {
                return Ok(old == new);
            }
        }
        self.replace(&new).map_err(io)?;
        Ok(true)
    }

    fn replace(&self, anchor: &Anchor) -> std::io::Result<()> {
        let temp = self.folder.join(format!("{}.tmp", self.name));
        // What a crash left there, or somebody put there.
        let _ = fs::remove_file(&temp);
        let mut file = File::create_new(&temp)?;
        file.write_all(&serde_json::to_vec(anchor)?)?;
        fs::rename(&temp, self.file())
    }

    /// Only one process at a time may read and replace; the lock ends with the handle.
    fn lock(&self) -> std::io::Result<Option<File>> {
        let file = plain(&self.lock, OFlags::WRONLY | OFlags::CREATE)?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
                Err(TryLockError::Error(e)) => return Err(e),
            }
        }
        Ok(None)
    }

    fn fault(&self, detail: impl Into<String>) -> LedgerFault {
        LedgerFault::Anchor {
            path: escape(&self.file().to_string_lossy()),
            detail: detail.into(),
        }
    }
}

/// Opens a plain file; whatever else stands there is an error and never waited for.
fn plain(path: &Path, how: OFlags) -> std::io::Result<File> {
    let flags = how | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::from(0o644))?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(std::io::Error::other("it is no plain file")),
    }
}

/// The path with all links followed as far as it is there.
fn canonical(path: &Path) -> PathBuf {
    if let Ok(whole) = fs::canonicalize(path) {
        return whole;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if folder != path => canonical(folder).join(name),
        _ => path.to_path_buf(),
    }
}

/// How a ledger stands to its anchor. `None` for a ledger that is not there.
///
/// # Errors
/// What the ledger answers when it is read.
pub fn compare(
    anchor: Option<&Anchor>,
    ledger: Option<&dyn Ledger>,
) -> Result<Standing, LedgerFault> {
    let (anchor, ledger) = match (anchor, ledger) {
        (None, None) => return Ok(Standing::FirstRun),
        (Some(anchor), None) => return Ok(Standing::Lost(anchor.clone())),
        (None, Some(_)) => return Ok(Standing::Lagging),
        (Some(anchor), Some(ledger)) => (anchor, ledger),
    };
    if ledger.identity()?.store != anchor.store {
        return Ok(Standing::Foreign(anchor.clone()));
    }
    let head = ledger.head()?;
    if head.seq == anchor.seq && head.hash == anchor.hash {
        return Ok(Standing::Fine);
    }
    let same = match anchor.seq {
        0 => anchor.hash == Head::genesis().hash,
        seq if seq < head.seq => {
            let rows = ledger.stored(seq - 1, 1)?;
            rows.first()
                .is_some_and(|r| r.seq == seq && r.hash == anchor.hash)
        }
        _ => false,
    };
    match same {
        true => Ok(Standing::Lagging),
        false => Ok(Standing::RolledBack(anchor.clone(), head)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Appended;
    use crate::ledger::event::tests::draft;
    use crate::ledger::memory::MemoryLedger;
    use serde_json::json;

    fn grown(store: &str, events: usize) -> MemoryLedger {
        let mut ledger = MemoryLedger::new(store);
        for n in 0..events {
            let draft = draft(&format!("e{n}"), "note.added", json!({"text": "x"}));
            let head = ledger.head().unwrap();
            let done = ledger.append(&head, &[draft]).unwrap();
            assert!(matches!(done, Appended::Done(_)));
        }
        ledger
    }

    fn mooring(folder: &Path) -> Mooring {
        Mooring::new(&folder.join("state"), &folder.join("ledger.db"))
    }

    fn anchor(ledger: &MemoryLedger) -> Anchor {
        let folder = tempfile::tempdir().unwrap();
        let mooring = mooring(folder.path());
        let store = ledger.identity().unwrap().store;
        assert!(
            mooring
                .write(&store, &ledger.head().unwrap(), None)
                .unwrap()
        );
        mooring.read().unwrap().unwrap()
    }

    #[test]
    fn each_standing_is_told_from_the_others() {
        let (two, three) = (grown("s", 2), grown("s", 3));
        let mut beside = grown("s", 1);
        let other = draft("other", "note.added", json!({"text": "y"}));
        let head = beside.head().unwrap();
        beside.append(&head, &[other]).unwrap();
        let seen = anchor(&two);
        let code = |anchor: Option<&Anchor>, ledger: Option<&MemoryLedger>| {
            let standing = compare(anchor, ledger.map(|l| l as &dyn Ledger)).unwrap();
            let fault = standing.fault("L").map(|f| f.code());
            (standing, fault)
        };
        assert_eq!(code(None, None), (Standing::FirstRun, None));
        assert_eq!(code(Some(&seen), Some(&two)), (Standing::Fine, None));
        assert_eq!(code(Some(&seen), Some(&three)), (Standing::Lagging, None));
        assert_eq!(code(None, Some(&two)), (Standing::Lagging, None));
        let empty = anchor(&grown("s", 0));
        assert_eq!(code(Some(&empty), Some(&two)), (Standing::Lagging, None));
        assert_eq!(code(Some(&seen), None).1, Some("ledger::missing"));
        assert_eq!(
            code(Some(&seen), Some(&grown("t", 2))).1,
            Some("ledger::foreign")
        );
        for wrong in [&grown("s", 1), &grown("s", 0), &beside] {
            assert_eq!(
                code(Some(&seen), Some(wrong)).1,
                Some("ledger::rolled-back")
            );
        }
        let ahead = {
            let head = beside.head().unwrap();
            let more = draft("more", "note.added", json!({"text": "z"}));
            beside.append(&head, &[more]).unwrap();
            beside
        };
        assert_eq!(
            code(Some(&seen), Some(&ahead)).1,
            Some("ledger::rolled-back")
        );
    }

    #[test]
    fn an_anchor_is_never_lowered() {
        let folder = tempfile::tempdir().unwrap();
        let mooring = mooring(folder.path());
        let head = |seq| Head {
            seq,
            hash: format!("h{seq}"),
        };
        assert!(mooring.write("s", &head(5), None).unwrap());
        assert!(!mooring.write("s", &head(4), None).unwrap());
        assert_eq!(mooring.read().unwrap().unwrap().seq, 5);
        let blocked = ["d".to_string()];
        assert!(mooring.write("s", &head(5), Some(&blocked)).unwrap());
        assert_eq!(mooring.read().unwrap().unwrap().blocked, blocked);
        assert!(mooring.write("s", &head(6), None).unwrap());
        assert_eq!(mooring.read().unwrap().unwrap().blocked, blocked);
        assert!(mooring.write("s", &head(6), Some(&[])).unwrap());
        assert_eq!(mooring.read().unwrap().unwrap().blocked, [""; 0]);
        let fault = mooring.write("other", &head(9), None).unwrap_err();
        assert_eq!(fault.code(), "ledger::anchor");
        let beside = Head {
            seq: 6,
            hash: "x".to_string(),
        };
        let fault = mooring.write("s", &beside, None).unwrap_err();
        assert_eq!(fault.code(), "ledger::anchor");
        assert_eq!(mooring.read().unwrap().unwrap().seq, 6);
    }

    #[test]
    fn many_writers_leave_the_highest() {
        let folder = tempfile::tempdir().unwrap();
        let mooring = mooring(folder.path());
        std::thread::scope(|scope| {
            for start in 0..4 {
                let mooring = &mooring;
                scope.spawn(move || {
                    for seq in (start..200).step_by(4) {
                        let head = Head {
                            seq,
                            hash: format!("h{seq}"),
                        };
                        while !mooring.write("s", &head, None).unwrap() {
                            if mooring.read().unwrap().is_some_and(|a| a.seq > seq) {
                                break;
                            }
                        }
                    }
                });
            }
        });
        assert_eq!(mooring.read().unwrap().unwrap().seq, 199);
    }

    #[test]
    fn an_unreadable_anchor_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let mooring = mooring(folder.path());
        assert_eq!(mooring.read(), Ok(None));
        fs::create_dir_all(&mooring.folder).unwrap();
        let whole = r#"{"belegt":1,"ledger":"l","store":"s","seq":1,"hash":"h","blocked":[]}"#;
        fs::write(mooring.file(), whole).unwrap();
        assert!(mooring.read().unwrap().is_some());
        let newer = whole.replace(":1,\"l", ":2,\"l");
        for wrong in ["", "{}", "null", newer.as_str()] {
            fs::write(mooring.file(), wrong).unwrap();
            assert_eq!(
                mooring.read().unwrap_err().code(),
                "ledger::anchor",
                "{wrong}"
            );
            let head = Head {
                seq: 9,
                hash: String::new(),
            };
            assert!(mooring.write("s", &head, None).is_err(), "{wrong}");
        }
        fs::remove_file(mooring.file()).unwrap();
        fs::create_dir(mooring.file()).unwrap();
        assert_eq!(mooring.read().unwrap_err().code(), "ledger::anchor");
    }

    #[test]
    fn all_names_of_a_ledger_share_one_anchor() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, folder.path().join("link")).unwrap();
        let names = ["real/ledger.db", "link/ledger.db", "link/../real/ledger.db"];
        let file = |name: &str| Mooring::new(folder.path(), &folder.path().join(name)).file();
        let before = names.map(file);
        assert!(before.iter().all(|f| *f == before[0]));
        fs::write(real.join("ledger.db"), "x").unwrap();
        assert_eq!(names.map(file), before);
        assert_ne!(file("real/other.db"), before[0]);
    }
}

//! The ledger of a site, opened the way a verb needs it, and its anchor.
//!
//! INVARIANT: no ledger and no anchor is a first run; a ledger that an anchor knows and that is
//! gone, foreign or behind is a fault. Nothing stands in for it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::SecondsFormat;
use rustix::fs::{Access, access};
use serde_json::Value;

use self::blocked::forbidden;
use super::context::Context;
use crate::diag::{Code, Fault};
use crate::ledger::anchor::{Mooring, Standing, compare};
use crate::ledger::event::{Actor, Draft};
use crate::ledger::fault::LedgerFault;
use crate::ledger::sqlite::{Mode, SqliteLedger};
use crate::ledger::{Appended, Head, Ledger, View};
use crate::model::text::escape;

mod append;
mod blocked;

pub use self::blocked::EVERY_STEP;

/// How long a verb waits for another writer.
const PATIENCE: Duration = Duration::from_secs(10);
/// What keeps the ledger out of version control, beside its own folder.
const IGNORE: &str = "# Written by belegt: the ledger is local state.\nledger.db\nledger.db-*\n";

/// An open ledger with its anchor.
pub struct Book {
    ledger: SqliteLedger,
    mooring: Mooring,
    store: String,
    moored: bool,
}

/// A ledger's trouble as a diagnostic.
pub fn fault(fault: &LedgerFault) -> Fault {
    Fault::new(Code::Ledger, fault.to_string()).with_help(fault.help())
}

impl Book {
    /// Opens the ledger for writing; makes it on a first run.
    pub fn create(settings: &Context<'_>) -> Result<Book, LedgerFault> {
        let mode = Mode::Create {
            store: settings.new_id(),
        };
        refuse_linked(settings)?;
        prepare_folder(settings);
        Book::open(settings, &mode).and_then(|book| {
            book.ok_or_else(|| LedgerFault::Missing {
                path: settings.ledger.display().to_string(),
                why: "it could not be made".to_string(),
            })
        })
    }

    /// Opens the ledger for reading; nothing on a first run.
    pub fn read(settings: &Context<'_>) -> Result<Option<Book>, LedgerFault> {
        Book::open(settings, &Mode::Read)
    }

    fn open(settings: &Context<'_>, mode: &Mode) -> Result<Option<Book>, LedgerFault> {
        refuse_linked(settings)?;
        let mooring = mooring(settings)?;
        let anchor = mooring.read()?;
        let shown = settings.ledger.display().to_string();
        let there = fs::symlink_metadata(&settings.ledger).is_ok();
        if !there && (anchor.is_some() || matches!(mode, Mode::Read)) {
            let standing = compare(anchor.as_ref(), None)?;
            return standing.fault(&shown).map_or(Ok(None), Err);
        }
        let ledger = SqliteLedger::open(&settings.ledger, mode, Instant::now() + PATIENCE)?;
        let standing = compare(anchor.as_ref(), Some(&ledger))?;
        if let Some(fault) = standing.fault(&shown) {
            return Err(fault);
        }
        let store = ledger.identity()?.store;
        if !matches!(mode, Mode::Read) {
            // Where no anchor can be kept, a ledger that is lost later would look like a first
            // run: so it is moored before anything is said, not only after the commit.
            let blocked = match standing {
                // Whoever appended before may have ended before its anchor.
                Standing::Lagging => Some(forbidden(&ledger)),
                _ => None,
            };
            mooring.write(&store, &ledger.head()?, blocked.as_deref())?;
        }
        Ok(Some(Book {
            ledger,
            mooring,
            store,
            moored: true,
        }))
    }

    /// Opens the ledger for a check, whatever is wrong with it or its anchor: the ledger if it
    /// can be opened at all, and the trouble; nothing on a first run.
    pub fn examine(
        settings: &Context<'_>,
    ) -> Result<(Option<SqliteLedger>, Option<LedgerFault>), LedgerFault> {
        match Book::read(settings) {
            Ok(book) => Ok((book.map(|book| book.ledger), None)),
            Err(
                fault @ (LedgerFault::Anchor { .. }
                | LedgerFault::RolledBack { .. }
                | LedgerFault::Foreign { .. }),
            ) => {
                let until = Instant::now() + PATIENCE;
                let ledger = SqliteLedger::open(&settings.ledger, &Mode::Read, until);
                Ok((ledger.ok(), Some(fault)))
            }
            Err(fault @ (LedgerFault::Corrupt { .. } | LedgerFault::Missing { .. }))
                if settings.state_folder.is_some() =>
            {
                Ok((None, Some(fault)))
            }
            Err(fault) => Err(fault),
        }
    }

    /// What would keep a tick from storing itself, looked at without writing anything.
    pub fn cannot_write(settings: &Context<'_>) -> Option<LedgerFault> {
        let refuse = |path: &Path| LedgerFault::Permission {
            path: settings.ledger.display().to_string(),
            detail: format!("`{}` cannot be written", escape(&path.to_string_lossy())),
        };
        if let Err(fault) = refuse_linked(settings) {
            return Some(fault);
        }
        let state = settings.state_folder.as_ref()?;
        let mooring = Mooring::new(&state.join("anchors"), &settings.ledger);
        let folder = settings.ledger.parent().unwrap_or(Path::new("."));
        let places = [settings.ledger.as_path(), folder];
        let places = places.into_iter().chain(mooring.places());
        places
            .into_iter()
            .find(|place| !is_writable(place))
            .map(refuse)
    }

    /// One consistent read.
    pub fn view(&self) -> Result<View, LedgerFault> {
        self.ledger.view()
    }

    /// The port, for reading.
    pub fn ledger(&self) -> &dyn Ledger {
        &self.ledger
    }

    /// Whether the anchor knows of the last append. It may lag: others hold it, or it cannot be
    /// written.
    pub fn is_moored(&self) -> bool {
        self.moored
    }

    /// Appends one event and moves the anchor after the commit.
    pub fn append(&mut self, expected: &Head, draft: &Draft) -> Result<Appended, LedgerFault> {
        self.append_all(expected, std::slice::from_ref(draft))
    }

    /// Appends all of these events or none, and moves the anchor after the commit.
    pub fn append_all(
        &mut self,
        expected: &Head,
        drafts: &[Draft],
    ) -> Result<Appended, LedgerFault> {
        let mut appended = self.ledger.append(expected, drafts);
        if matches!(appended, Err(LedgerFault::CommitUnknown { .. })) {
            appended = self.ledger.append(expected, drafts);
        }
        let appended = appended?;
        if let Appended::Done(head) | Appended::Duplicate(head) = &appended {
            let gates = drafts.iter().any(|draft| draft.kind.starts_with("gate."));
            self.moored = self.moor(head, gates);
        }
        Ok(appended)
    }

    /// Appends an event that rests on nothing that another writer could change.
    pub fn append_free(&mut self, draft: &Draft) -> Result<Head, LedgerFault> {
        let until = Instant::now() + PATIENCE;
        loop {
            let head = self.ledger.head()?;
            match self.append(&head, draft)? {
                Appended::Done(head) | Appended::Duplicate(head) => return Ok(head),
                Appended::Conflict(_) if Instant::now() < until => {}
                Appended::Conflict(_) => {
                    return Err(LedgerFault::Busy {
                        path: "the ledger".to_string(),
                        waited_ms: u64::try_from(PATIENCE.as_millis()).unwrap_or(u64::MAX),
                    });
                }
            }
        }
    }
}

/// Where the ledger's anchor is kept.
fn mooring(settings: &Context<'_>) -> Result<Mooring, LedgerFault> {
    let state = settings.state_folder.as_ref();
    let state = state.ok_or_else(|| LedgerFault::Missing {
        path: settings.ledger.display().to_string(),
        why: "there is no home folder for its anchor (set HOME or XDG_STATE_HOME)".to_string(),
    })?;
    Ok(Mooring::new(&state.join("anchors"), &settings.ledger))
}

/// Whether a place, or the nearest folder above it where one could be made, may be written.
fn is_writable(place: &Path) -> bool {
    let is_plain = |meta: &fs::Metadata| meta.is_dir() || meta.is_file();
    for place in place.ancestors() {
        match fs::metadata(place) {
            Ok(meta) => return is_plain(&meta) && access(place, Access::WRITE_OK).is_ok(),
            Err(error) if error.kind() == ErrorKind::NotFound && !place.is_symlink() => {}
            Err(_) => return false,
        }
    }
    false
}

/// A checkout may bring `.belegt` or the ledger in it as a link. Nothing is read or written
/// where it leads: the anchor would be that of another ledger.
fn refuse_linked(settings: &Context<'_>) -> Result<(), LedgerFault> {
    let folder = settings.ledger.parent();
    let is_ours = folder == Some(&settings.site_folder);
    let what = match () {
        () if is_ours && settings.site_folder.is_symlink() => {
            "below a link that stands for the site's folder"
        }
        () if settings.ledger.is_symlink() => "a link to another place",
        () => return Ok(()),
    };
    Err(LedgerFault::NotAFile {
        path: settings.ledger.display().to_string(),
        what: what.to_string(),
    })
}

/// Makes `.belegt/` and its ignore file. A failure shows itself when the ledger is opened.
fn prepare_folder(settings: &Context<'_>) {
    let folder = settings.ledger.parent().unwrap_or(Path::new("."));
    let _ = fs::create_dir_all(folder);
    let ignore = folder.join(".gitignore");
    if folder == settings.site_folder && fs::symlink_metadata(&ignore).is_err() {
        let _ = fs::write(ignore, IGNORE);
    }
}

/// An event that is about to be stored.
pub fn draft(settings: &Context<'_>, actor: Actor, kind: &str, body: Value) -> Draft {
    let now = settings.now;
    let at = now.instant().with_timezone(&now.zone());
    Draft {
        id: settings.new_id(),
        at: at.to_rfc3339_opts(SecondsFormat::Millis, false),
        zone: now.zone().name().to_string(),
        actor,
        host: settings.host.clone(),
        session: settings.session.clone(),
        belegt: env!("CARGO_PKG_VERSION").to_string(),
        kind: kind.to_string(),
        body,
    }
}

/// Who runs belegt, as far as that is known.
pub fn actor(settings: &Context<'_>) -> Actor {
    Actor {
        kind: settings.actor.kind.text().to_string(),
        name: settings.actor.name.clone(),
        level: 0,
    }
}

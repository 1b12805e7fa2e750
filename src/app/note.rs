//! The embedded memory, for sites without one.

use serde_json::json;

use crate::diag::{Code, Fault};
use crate::ledger::state::Note;

use super::book::{Book, actor, draft, fault};
use super::context::Context;

/// The longest note, in characters.
const LONGEST: usize = 10_000;

/// Stores a note; its id once it is committed.
pub fn add(settings: &Context<'_>, text: &str) -> Result<String, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::new(Code::Usage, "a note needs a text"));
    }
    if text.chars().count() > LONGEST {
        return Err(Fault::new(
            Code::Usage,
            format!("a note has at most {LONGEST} characters"),
        )
        .with_help("put the text into a file and note where it is"));
    }
    let mut book = Book::create(settings).map_err(|f| fault(&f))?;
    let draft = draft(
        settings,
        actor(settings),
        "note.added",
        json!({ "text": text }),
    );
    book.append_free(&draft).map_err(|f| fault(&f))?;
    Ok(draft.id)
}

/// A note as it is listed.
pub struct Listed {
    /// Its id.
    pub id: String,
    /// The note.
    pub note: Note,
    /// How it was settled, if it was.
    pub settled: Option<String>,
}

/// The notes, oldest first.
pub fn list(settings: &Context<'_>) -> Result<Vec<Listed>, Fault> {
    let Some(book) = Book::read(settings).map_err(|f| fault(&f))? else {
        return Ok(Vec::new());
    };
    let state = book.view().map_err(|f| fault(&f))?.state;
    let mut notes: Vec<Listed> = state
        .notes
        .iter()
        .map(|(id, note)| Listed {
            id: id.clone(),
            note: note.clone(),
            settled: state
                .settled
                .get(&format!("memory.curated:{id}"))
                .map(|s| s.because.clone()),
        })
        .collect();
    notes.sort_by(|a, b| a.note.at.cmp(&b.note.at));
    Ok(notes)
}

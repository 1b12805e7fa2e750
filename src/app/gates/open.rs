//! `gate open`: conditions of a text become gates, or nothing of it does.
//!
//! INVARIANT: if one statement is wrong nothing is stored (unless the good ones were asked
//! for), and what was not stored is said to be unprotected. A statement that is open already
//! is not opened twice.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::json;

use super::durable::{Place, place};
use super::{DIGITS, PATIENCE, asking, busy, drafts, prove, set_id};
use crate::app::book::{Book, actor, draft, fault};
use crate::app::context::Context;
use crate::app::stage::Stage;
use crate::ask::Asking;
use crate::diag::{Code, Fault};
use crate::gate::check::{Checked, Purpose};
use crate::gate::methods;
use crate::gate::normal::Document;
use crate::gate::words;
use crate::lang::{self, Statement, Suggestion, Words};
use crate::ledger::Head;
use crate::ledger::event::Event;
use crate::ledger::gates::GateQuery;
use crate::model::gate::{Gate, GateSet, GateStatus, step};
use crate::model::text::escape;

/// A text that holds conditions.
#[derive(Debug, Clone)]
pub struct Text {
    /// How it is named in messages: `TEXT`, a file, `standard input`.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whether it is one statement, given as an argument.
    pub is_one: bool,
}

/// What became of a statement.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The set as it stands.
    pub set: GateSet,
    /// Whether it stood there already.
    pub already: bool,
    /// Whether its condition was true when it was set.
    pub true_now: bool,
}

/// What became of a text.
#[derive(Debug)]
pub struct Report {
    /// The statements that are gates now.
    pub opened: Vec<Opened>,
    /// What is wrong with the others.
    pub faults: Vec<Fault>,
    /// Where the gates live.
    pub place: Place,
    /// Whether the anchor knows of them: what tells a lost ledger from none.
    pub moored: bool,
}

/// Opens the gates of a text.
///
/// # Errors
/// A ledger that cannot be written, or a broken rule of words. What is wrong with the text
/// stands in the report.
pub fn run(settings: &Context<'_>, text: &Text, keep_going: bool) -> Result<Report, Fault> {
    let stage = Stage::new(settings);
    let until = Instant::now() + PATIENCE;
    let reader = stage.asking(settings, &Err("not asked".to_string()));
    let words = words::load(&reader)?;
    let (statements, mut faults) = read(text, &words);
    if statements.is_empty() && faults.is_empty() {
        faults.push(nothing_found(text));
    }
    let report = |(opened, moored), faults| Report {
        opened,
        faults,
        place: place(&settings.ledger),
        moored,
    };
    let nothing = || (Vec::new(), true);
    if !faults.is_empty() && !keep_going {
        // Everything that is wrong is said at once, also what the methods refuse.
        let (_, more) = sets(settings, &reader, text, (&words, &statements));
        faults.extend(more);
        return Ok(report(nothing(), faults));
    }
    loop {
        let book = Book::create(settings).map_err(|f| fault(&f))?;
        let asking = asking(settings, &stage, &book);
        let (sets, more) = sets(settings, &asking, text, (&words, &statements));
        if !more.is_empty() && !keep_going {
            return Ok(report(nothing(), more));
        }
        if let Some(opened) = open(settings, book, &asking, sets)? {
            faults.extend(more);
            return Ok(report(opened, faults));
        }
        if Instant::now() >= until {
            return Err(busy());
        }
    }
}

/// Natural phrases of a text as suggestions; nothing is opened.
///
/// # Errors
/// A broken rule of words.
pub fn suggest(settings: &Context<'_>, text: &Text) -> Result<Vec<Suggestion>, Fault> {
    let stage = Stage::new(settings);
    let words = words::load(&stage.asking(settings, &Err("not asked".to_string())))?;
    Ok(lang::prose(&text.text, &words))
}

fn read(text: &Text, words: &Words) -> (Vec<Statement>, Vec<Fault>) {
    let reading = match text.is_one {
        true => lang::read_one(&text.name, &text.text, words),
        false => lang::read(&text.name, &text.text, words),
    };
    (reading.statements, reading.faults)
}

fn nothing_found(text: &Text) -> Fault {
    let message = "there is no condition in this text; nothing is protected";
    Fault::new(Code::GateNothing, message)
        .with_source(&text.name, text.text.as_str().into())
        .with_help("write it as `/if CONDITION -> STEP`, or try `--prose` for plain sentences")
}

/// The sets that the statements mean, and what cannot be read.
fn sets(
    settings: &Context<'_>,
    asking: &Asking,
    text: &Text,
    (words, statements): (&Words, &[Statement]),
) -> (Vec<GateSet>, Vec<Fault>) {
    let order = methods::order(asking, words);
    let document = Document {
        asking,
        words,
        order: &order,
        name: &text.name,
        text: &text.text,
        at: settings.now.rfc3339(),
        by: actor(settings).shown().to_string(),
    };
    let (mut sets, mut faults) = (Vec::new(), Vec::new());
    for (order, statement) in (0..).zip(statements) {
        let id = settings.new_id();
        let id = id.get(id.len().saturating_sub(DIGITS)..).unwrap_or(&id);
        match document.set(&format!("g{id}"), order, statement) {
            Ok(set) if is_askable(&set.blocks) => sets.push(set),
            Ok(_) => faults.push(unaskable(text, statement)),
            Err(more) => faults.extend(more),
        }
    }
    (sets, faults)
}

/// Whether a step can be asked for by its words.
fn is_askable(step: &str) -> bool {
    let normal = step::normal(step);
    !normal.is_empty() && set_id(&normal).is_none()
}

fn unaskable(text: &Text, statement: &Statement) -> Fault {
    let message = format!(
        "`{}` is no step that can be asked for",
        escape(&statement.step)
    );
    Fault::new(Code::GateRefused, message)
        .with_source(&text.name, text.text.as_str().into())
        .with_label(statement.span.clone(), "here")
        .with_help(
            "name the step in words that are no id of a gate; until then it is not protected",
        )
}

/// Stores what is not there yet; nothing if another writer opened gates meanwhile.
fn open(
    settings: &Context<'_>,
    mut book: Book,
    asking: &Asking,
    sets: Vec<GateSet>,
) -> Result<Option<(Vec<Opened>, bool)>, Fault> {
    let known = book
        .ledger()
        .gates(&GateQuery::Open)
        .map_err(|f| fault(&f))?;
    let now = settings.now.instant().timestamp();
    let (mut new, mut opened) = (Vec::new(), Vec::new());
    for set in sets {
        let same = |other: &&GateSet| is_same(other, &set, now);
        let stored = known.sets.iter().find(same);
        let before = || new.iter().find(same);
        match stored.or_else(before) {
            Some(there) => opened.push(Opened {
                set: there.clone(),
                already: true,
                true_now: false,
            }),
            None => new.push(set),
        }
    }
    let checked = prove(settings, asking, new.clone(), Purpose::Tick);
    if !new.is_empty() && !append(settings, &mut book, (&known.head, &new), &checked)? {
        return Ok(None);
    }
    opened.extend(checked.into_iter().map(|one| Opened {
        true_now: one.set.status() == GateStatus::Met,
        set: one.set,
        already: false,
    }));
    opened.sort_by_key(|one| one.set.order);
    Ok(Some((opened, book.is_moored())))
}

/// Words, condition and step: as they were written, or as another document carries them; and
/// what was fixed when they were set: the same words may mean another instant, commit or process.
fn is_same(known: &GateSet, set: &GateSet, now: i64) -> bool {
    let says_the_same =
        known.source == set.source || known.carried == set.source || known.carried == set.carried;
    let pairs = known.gates.iter().zip(&set.gates);
    says_the_same
        && known.mode == set.mode
        && known.gates.len() == set.gates.len()
        && pairs
            .into_iter()
            .all(|(known, gate)| means_the_same(known, gate, now))
}

/// A time that has not come yet is still the one that was meant: reading a text again does not
/// put it off.
fn means_the_same(known: &Gate, gate: &Gate, now: i64) -> bool {
    if known.proof_method != gate.proof_method {
        return false;
    }
    match (known.due, gate.due) {
        (Some(before), Some(due)) => before == due || before > now,
        _ => known.params == gate.params,
    }
}

fn append(
    settings: &Context<'_>,
    book: &mut Book,
    (head, new): (&Head, &[GateSet]),
    checked: &[Checked],
) -> Result<bool, Fault> {
    let opening = new.iter().map(|set| {
        let body = json!({ "set": set });
        draft(settings, actor(settings), "gate.opened", body)
    });
    let changes: Vec<_> = checked.iter().flat_map(|one| one.changes.clone()).collect();
    let all: Vec<_> = opening.chain(drafts(settings, &changes)).collect();
    let keys: BTreeSet<&str> = new.iter().map(|set| set.key.as_str()).collect();
    let opens_same = |event: &Event| {
        let key = event.draft.body.pointer("/set/key");
        let key = key.and_then(serde_json::Value::as_str);
        event.draft.kind == "gate.opened" && key.is_none_or(|key| keys.contains(key))
    };
    let stored = book.append_unless(head.clone(), &all, &opens_same);
    stored.map_err(|f| fault(&f))
}

/// Opens one more set for a step, such as the condition of a conditional consent. It is not
/// stored here.
pub(super) fn further(
    settings: &Context<'_>,
    asking: &Asking,
    (set, condition): (&GateSet, &str),
) -> Result<GateSet, Fault> {
    let words = words::load(asking)?;
    let word = words.words.iter();
    let mut word = word.filter(|(_, row)| row.mode == set.mode && row.says.is_none());
    let word = word.next().map_or("/if", |(word, _)| word.as_str());
    // The step is quoted, so that nothing in it is read as part of the language.
    let text = format!("{word} {condition} -> {}", set.blocks);
    let text = Text {
        name: "the answer".to_string(),
        text,
        is_one: true,
    };
    let (statements, mut faults) = read(&text, &words);
    let (mut sets, more) = sets(settings, asking, &text, (&words, &statements));
    faults.extend(more);
    match (sets.pop(), faults.pop()) {
        (Some(further), None) if sets.is_empty() => Ok(further),
        (_, Some(fault)) => Err(fault),
        _ => Err(Fault::new(
            Code::GateRefused,
            "the condition of the answer cannot be read",
        )),
    }
}

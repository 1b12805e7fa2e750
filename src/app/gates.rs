//! The verbs of gates, and what they share: the ledger as they need it, ids, storing changes.
//!
//! INVARIANT (L8): a met gate is said after the commit. A change that could not be stored is
//! taken back: the gate counts as not asked.
//! INVARIANT (L9): gates that cannot be read are never "no gates".

pub mod check;
pub mod consent;
pub mod drop;
pub mod durable;
pub mod list;
pub mod may;
pub mod open;
mod outer;
pub mod run;
pub mod wait;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::book::{Book, actor, draft, fault};
use super::context::Context;
use super::stage::Stage;
use crate::ask::Asking;
use crate::diag::{Code, Fault};
use crate::gate::check::{Checked, Checker, NOT_NEEDED, Purpose};
use crate::gate::judge::GateRule;
use crate::gate::prove::Run;
use crate::ledger::Ledger as _;
use crate::ledger::event::{Draft, Event};
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::{GateQuery, Gates};
use crate::ledger::sqlite::{Mode as Access, SqliteLedger};
use crate::model::gate::{Becomes, Class, Gate, GateChange, GateSet, GateStatus, Mode};
use crate::model::text::escape;
use crate::tick::gates::View;
use crate::tick::view_desk::FindGate;

/// How many hex digits the id of a set has: few to type, and enough for a hundred thousand.
pub(super) const DIGITS: usize = 12;

/// How long a verb looks anew because other writers change what it judges.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// How long a proof waits for another writer when it looks at a gate.
const WAIT: Duration = Duration::from_secs(5);

/// The deadline of all proofs of one verb: a test run may take its half hour.
const PROOFS: Duration = Duration::from_secs(31 * 60);

/// The gates that a query finds; nothing at all on a first run.
pub(super) fn read(
    settings: &Context<'_>,
    query: &GateQuery<'_>,
) -> Result<Option<(Book, Gates)>, LedgerFault> {
    let Some(book) = Book::read(settings)? else {
        return Ok(None);
    };
    let gates = book.ledger().gates(query)?;
    Ok(Some((book, gates)))
}

/// The way to scripts and world for proofs.
pub(super) fn asking(settings: &Context<'_>, stage: &Stage, book: &Book) -> Asking {
    let viewed = book.view().map(std::sync::Arc::new);
    let viewed = viewed.map_err(|fault| fault.to_string());
    let mut asking = stage.asking(settings, &viewed);
    asking.until = Instant::now() + PROOFS;
    asking
}

/// The run in which proofs are made.
pub(super) fn new_run(settings: &Context<'_>) -> Run {
    Run {
        id: settings.new_id(),
        at: settings.now.rfc3339(),
    }
}

/// Proves sets of gates; nothing is stored.
pub(super) fn prove(
    settings: &Context<'_>,
    asking: &Asking,
    sets: Vec<GateSet>,
    purpose: Purpose,
) -> Vec<Checked> {
    let rule = GateRule::load(asking);
    let checker = Checker {
        asking,
        rule: &rule,
        run: new_run(settings),
        now: settings.now,
        purpose,
    };
    checker.check(sets)
}

/// The events for changes of gates, by what becomes of them.
pub(super) fn drafts(settings: &Context<'_>, changes: &[GateChange]) -> Vec<Draft> {
    let kind = |change: &GateChange| match change.to {
        Becomes::Open(_) => "gate.reopened",
        Becomes::Met(_) => "gate.met",
        Becomes::Dropped(_) => "gate.dropped",
    };
    let of_kind = |wanted: &str| {
        let changes = changes.iter().filter(|change| kind(change) == wanted);
        let changes: Vec<&GateChange> = changes.collect();
        (!changes.is_empty()).then(|| {
            let body = json!({ "changes": changes });
            draft(settings, actor(settings), wanted, body)
        })
    };
    ["gate.reopened", "gate.met", "gate.dropped"]
        .into_iter()
        .filter_map(of_kind)
        .collect()
}

/// Whether an event changes one of these sets, or opens one for one of these steps.
pub(super) fn touches(event: &Event, sets: &BTreeSet<&str>, keys: &BTreeSet<&str>) -> bool {
    if !event.draft.kind.starts_with("gate.") {
        return false;
    }
    let body = &event.draft.body;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_string);
    if let Some(set) = body.get("set") {
        return text(set.get("key")).is_none_or(|key| keys.contains(key.as_str()));
    }
    let Some(changes) = body.get("changes").and_then(Value::as_array) else {
        return false;
    };
    let mut changed = changes.iter().map(|change| text(change.get("set")));
    changed.any(|set| set.is_none_or(|set| sets.contains(set.as_str())))
}

/// Stores what a check changed. `false`: somebody changed what was judged, look anew.
pub(super) fn store(
    settings: &Context<'_>,
    head: &crate::ledger::Head,
    checked: &[Checked],
) -> Result<bool, LedgerFault> {
    let changes = checked.iter().flat_map(|one| one.changes.iter().cloned());
    let changes: Vec<GateChange> = changes.collect();
    if changes.is_empty() {
        return Ok(true);
    }
    let sets = checked.iter().map(|one| one.set.id.as_str()).collect();
    let keys = checked.iter().map(|one| one.set.key.as_str()).collect();
    let mut book = Book::create(settings)?;
    book.append_unless(head.clone(), &drafts(settings, &changes), &|event| {
        touches(event, &sets, &keys)
    })
}

/// How many forbidden steps a tick names; of more it says the number.
const NAMED: usize = 20;

/// The gates as a tick needs them, with the head they belong to; nothing if another writer
/// came between the questions.
pub(super) fn view(
    settings: &Context<'_>,
    book: &Book,
) -> Result<Option<(crate::ledger::Head, View)>, LedgerFault> {
    let ledger = book.ledger();
    let now = settings.now.instant().timestamp();
    let due = ledger.gates(&GateQuery::Due(now))?;
    let forbidden = ledger.forbidden()?;
    let mut forbidding = Vec::new();
    for key in forbidden.iter().take(NAMED) {
        let sets = ledger.gates(&GateQuery::Step(key))?.sets;
        let open = sets.into_iter();
        forbidding
            .extend(open.filter(|set| set.mode == Mode::Only && set.status() == GateStatus::Open));
    }
    let view = View {
        due: due.sets,
        forbidding,
        forbidden: forbidden.len(),
        next: ledger.next_wake(now)?,
        run: None,
    };
    Ok((ledger.head()? == due.head).then_some((due.head, view)))
}

/// The id of a set, if a text is the id of a set or of one of its gates.
pub(super) fn set_id(text: &str) -> Option<String> {
    let (set, number) = text.split_once('.').unwrap_or((text, "1"));
    let digits = set.strip_prefix('g')?;
    let is_hex = digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_hex && is_number).then(|| set.to_lowercase())
}

/// The sets of these ids (of sets or of gates), each once, in the order of opening.
pub(super) fn named(book: &Book, ids: &[String]) -> Result<Gates, Fault> {
    let mut sets: Vec<String> = Vec::new();
    for id in ids {
        let set = set_id(id).ok_or_else(|| unknown(id))?;
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let query = GateQuery::Ids(&sets);
    let gates = book.ledger().gates(&query).map_err(|f| fault(&f))?;
    for id in ids {
        let known = gates
            .sets
            .iter()
            .find(|set| Some(&set.id) == set_id(id).as_ref());
        let is_there = known.is_some_and(|set| set.id == *id || set.gate(id).is_some());
        if !is_there {
            return Err(unknown(id));
        }
    }
    Ok(gates)
}

/// The way of a proof to another gate. It opens the ledger by itself, for reading; that it is
/// the one its anchor knows was checked by the verb that asks.
pub(super) fn finder(settings: &Context<'_>) -> FindGate {
    let ledger = settings.ledger.clone();
    Box::new(move |id| {
        let Some(set) = set_id(id) else {
            return Ok(None);
        };
        let until = Instant::now() + WAIT;
        let ledger = SqliteLedger::open(&ledger, &Access::Read, until);
        let ids = [set];
        let found = ledger.and_then(|ledger| ledger.gates(&GateQuery::Ids(&ids)));
        let sets = found.map_err(|fault| fault.to_string())?.sets;
        let set = sets.into_iter().next();
        Ok(set.and_then(|set| match set.gate(id) {
            // The id of a set means the whole of it.
            _ if set.id == id => {
                let gates: Vec<&Gate> = set.gates.iter().collect();
                Some(shown(set.status(), &set.source, &gates))
            }
            Some(gate) => Some(shown(gate.status, &gate.sentence, &[gate])),
            None => None,
        }))
    })
}

/// What a proof may know of gates: how they stand, the weakest evidence behind it, and whether
/// somebody took a part away.
fn shown(status: GateStatus, sentence: &str, gates: &[&Gate]) -> Value {
    let evidence = gates.iter().filter_map(|gate| gate.evidence.as_ref());
    let classes: Vec<Class> = evidence.map(|evidence| evidence.class).collect();
    let class = match () {
        () if classes.contains(&Class::Reported) => "reported",
        () if classes.contains(&Class::Consent) => "consent",
        () => "measured",
    };
    let dropped = gates.iter().filter_map(|gate| match gate.status {
        GateStatus::Dropped => gate.because.as_deref(),
        _ => None,
    });
    let mut weakened = dropped.filter(|because| *because != NOT_NEEDED);
    let weakened = weakened.next().map_or_else(String::new, |because| {
        format!("a part of it was dropped: {because}")
    });
    json!({ "status": status, "sentence": sentence, "class": class, "weakened": weakened })
}

/// There is no gate of that id.
pub(super) fn unknown(id: &str) -> Fault {
    Fault::new(Code::Unknown, format!("there is no gate `{}`", escape(id)))
        .with_help("`belegt gate list --all` shows the ids; a step is asked for by `belegt may`")
}

/// A first run: there is no ledger and there was none.
pub(super) fn nothing_known() -> Fault {
    Fault::new(Code::Unknown, "no gate was ever opened here")
        .with_help("`belegt gate open '/if CONDITION -> STEP'` opens one")
}

/// The ledger stayed too busy.
pub(super) fn busy() -> Fault {
    Fault::new(
        Code::Ledger,
        "the ledger is too busy: others keep changing these gates",
    )
    .with_help("try again")
}

//! Numbered conditions: what `condition 1` stands for, put in where it is used.
//!
//! INVARIANT: a reference names exactly one definition; a number that is defined twice, never, or
//! by itself gives no statement.
//! INVARIANT: an expanded condition keeps the bounds of a written one, so what refers to what
//! cannot grow without end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diag::Code;

use super::document::{LENGTH, Raw};
use super::faults::{Complaint, Faults};
use super::statement::{Atom, Expr, Statement};
use super::tree::{LEVELS, Node, OPERANDS};

mod order;

/// The most places of one number that a fault shows.
const SHOWN: usize = 8;

/// What each number stands for; nothing for one that cannot be used.
type Meanings = BTreeMap<u32, Option<Expr>>;

/// Puts in the references and gives the statements that block a step.
pub(super) fn resolve(raws: &[Raw<'_>], faults: &mut Faults) -> Vec<Statement> {
    let mut defined: BTreeMap<u32, Vec<&Raw<'_>>> = BTreeMap::new();
    for raw in raws {
        if let Some((number, _)) = &raw.label {
            defined.entry(*number).or_default().push(raw);
        }
    }
    check_twice(&defined, faults);
    check_undefined(raws, &defined, faults);
    check_unused(raws, &defined, faults);
    let once = defined
        .iter()
        .filter_map(|(number, raws)| match raws.as_slice() {
            [raw] => Some((*number, raw.node.as_ref()?)),
            _ => None,
        });
    let once: BTreeMap<u32, &Node> = once.collect();
    let mut meanings = Meanings::new();
    for number in order::inner_first(&once, faults) {
        let meaning = once.get(&number).and_then(|node| {
            let span = defined.get(&number)?.first()?.span.clone();
            expand(node, Some(number), &meanings).and_then(|expr| bounded(expr, span, faults))
        });
        meanings.insert(number, meaning);
    }
    let blocking = raws.iter().filter(|raw| raw.step.is_some());
    blocking
        .filter_map(|raw| statement(raw, &meanings, faults))
        .collect()
}

fn statement(raw: &Raw<'_>, meanings: &Meanings, faults: &mut Faults) -> Option<Statement> {
    let expr = match &raw.label {
        Some((number, _)) => meanings.get(number)?.clone()?,
        None => {
            let expr = expand(raw.node.as_ref()?, None, meanings)?;
            bounded(expr, raw.span.clone(), faults)?
        }
    };
    Some(Statement {
        word: raw.word.to_string(),
        mode: raw.row.mode,
        method: raw.row.method.clone(),
        timing: raw.row.timing,
        expr,
        step: raw.step.clone()?,
        span: raw.span.clone(),
        says: raw.row.says.clone(),
        numbered: raw.row.numbered,
    })
}

/// The condition with its references put in; nothing if one of them cannot be used.
fn expand(node: &Node, label: Option<u32>, meanings: &Meanings) -> Option<Expr> {
    match node {
        Node::Atom(text, span) => Some(Expr::Atom(Atom {
            text: text.clone(),
            span: span.clone(),
            label,
        })),
        Node::Reference(number, _) => meanings.get(&(*number)?)?.clone(),
        Node::Joined(join, parts) => {
            let parts = parts.iter().map(|part| expand(part, label, meanings));
            Some(Expr::joined(*join, parts.collect::<Option<Vec<_>>>()?))
        }
    }
}

/// The expanded condition, if it keeps the bounds.
fn bounded(expr: Expr, span: Range<usize>, faults: &mut Faults) -> Option<Expr> {
    let atoms = expr.atoms();
    let length: usize = atoms.iter().map(|atom| atom.text.chars().count()).sum();
    let why = if atoms.len() > OPERANDS {
        format!("the condition has more than {OPERANDS} operands")
    } else if length > LENGTH {
        format!("the condition has {length} characters, more than {LENGTH}")
    } else if expr.levels() > LEVELS {
        format!("the condition is nested more than {LEVELS} levels deep")
    } else {
        return Some(expr);
    };
    faults.add(
        Complaint::new(
            Code::LangBounds,
            format!("{why}, with its references put in"),
        )
        .at(span, "in this statement")
        .help("split the statement"),
    );
    None
}

fn check_twice(defined: &BTreeMap<u32, Vec<&Raw<'_>>>, faults: &mut Faults) {
    for (number, raws) in defined.iter().filter(|(_, raws)| raws.len() > 1) {
        let message = format!("condition {number} is defined {} times", raws.len());
        let mut complaint = Complaint::new(Code::LangTwice, message)
            .help("give each condition a number of its own");
        let spans = raws.iter().filter_map(|raw| raw.label.as_ref());
        let mut spans: Vec<&Range<usize>> = spans.map(|(_, span)| span).take(SHOWN).collect();
        // The second definition is the place; the first is shown beside it.
        spans.sort_by_key(|span| {
            raws.first()
                .and_then(|raw| raw.label.as_ref())
                .is_some_and(|(_, first)| first == *span)
        });
        for span in spans {
            complaint = complaint.at(span.clone(), format!("number {number}"));
        }
        faults.add(complaint);
    }
}

fn check_undefined(raws: &[Raw<'_>], defined: &BTreeMap<u32, Vec<&Raw<'_>>>, faults: &mut Faults) {
    let mut unknown: BTreeMap<Option<u32>, Vec<Range<usize>>> = BTreeMap::new();
    let nodes = raws.iter().filter_map(|raw| raw.node.as_ref());
    for (number, span) in nodes.flat_map(Node::references) {
        if number.is_none_or(|number| !defined.contains_key(&number)) {
            unknown.entry(number).or_default().push(span);
        }
    }
    for (number, spans) in unknown {
        let (message, help) = match number {
            Some(number) => (
                format!("condition {number} is not defined"),
                format!("add a line `/condition {number} TEXT`, or put the text in quotes"),
            ),
            None => (
                "the number of a condition is too large".to_string(),
                "number the conditions from 1".to_string(),
            ),
        };
        let mut complaint = Complaint::new(Code::LangUndefined, message).help(help);
        for span in spans.into_iter().take(SHOWN) {
            complaint = complaint.at(span, "referred to here");
        }
        faults.add(complaint);
    }
}

fn check_unused(raws: &[Raw<'_>], defined: &BTreeMap<u32, Vec<&Raw<'_>>>, faults: &mut Faults) {
    let nodes = raws.iter().filter_map(|raw| raw.node.as_ref());
    let numbers = nodes.flat_map(Node::references).filter_map(|(n, _)| n);
    let mentions = raws.iter().flat_map(|raw| raw.mentions.iter().copied());
    let used: BTreeSet<u32> = numbers.chain(mentions).collect();
    for (number, raws) in defined {
        let [raw] = raws.as_slice() else { continue };
        if used.contains(number) || raw.step.is_some() || raw.node.is_none() {
            continue;
        }
        let message = format!("condition {number} blocks nothing");
        faults.add(
            Complaint::new(Code::LangUnused, message)
                .at(raw.span.clone(), "it has no step, and nothing refers to it")
                .help(format!(
                    "add a step behind an arrow, or a line `/if condition {number} -> STEP`"
                )),
        );
    }
}

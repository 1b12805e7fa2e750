//! Both readings of a level that mixes `/and` and `/or`, with parentheses, to copy from.

use super::{Join, Node};
use crate::model::text::short;

/// The most characters of one condition that are shown, so that the help stays readable.
const SHOWN: usize = 60;

/// What to write instead: the one reading or the other.
pub(super) fn both(parts: &[Node], joins: &[Join]) -> String {
    let and_first = reading(parts, joins, Join::And);
    let or_first = reading(parts, joins, Join::Or);
    format!("write what is meant:\n  {and_first}\n  {or_first}")
}

/// The level with parentheses around the runs of the join that binds tighter.
fn reading(parts: &[Node], joins: &[Join], tight: Join) -> String {
    let mut runs: Vec<Vec<String>> = Vec::new();
    let mut before = None;
    for (index, part) in parts.iter().enumerate() {
        match runs.last_mut().filter(|_| before == Some(tight)) {
            Some(run) => run.push(shown(part)),
            None => runs.push(vec![shown(part)]),
        }
        before = joins.get(index).copied();
    }
    let inner = format!(" {} ", tight.word());
    let loose = match tight {
        Join::And => Join::Or,
        Join::Or => Join::And,
    };
    let runs: Vec<String> = runs
        .into_iter()
        .map(|run| match run.len() {
            1 => run.concat(),
            _ => format!("({})", run.join(&inner)),
        })
        .collect();
    runs.join(&format!(" {} ", loose.word()))
}

fn shown(node: &Node) -> String {
    match node {
        Node::Atom(text, _) => short(text, SHOWN),
        Node::Reference(number, _) => {
            format!("condition {}", number.unwrap_or_default())
        }
        Node::Joined(join, parts) => {
            let parts: Vec<String> = parts.iter().map(shown).collect();
            format!("({})", parts.join(&format!(" {} ", join.word())))
        }
    }
}

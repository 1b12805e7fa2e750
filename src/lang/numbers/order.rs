//! In which order numbers are put in: what a condition refers to comes before it.
//!
//! INVARIANT: no recursion; a chain of references may be as long as the text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Complaint, Faults, Node, SHOWN};
use crate::diag::Code;

/// A number, what it refers to, and the next of these to look at.
struct Visit {
    number: u32,
    references: Vec<(u32, Range<usize>)>,
    next: usize,
}

/// The numbers, inner ones first. A circle is a fault; its numbers come in any order.
pub(super) fn inner_first(defined: &BTreeMap<u32, &Node>, faults: &mut Faults) -> Vec<u32> {
    let mut order = Vec::new();
    let mut is_done: BTreeMap<u32, bool> = BTreeMap::new();
    for (number, node) in defined {
        if is_done.contains_key(number) {
            continue;
        }
        is_done.insert(*number, false);
        let mut stack = vec![visit(*number, node)];
        while let Some(top) = stack.last_mut() {
            let Some((target, _)) = top.references.get(top.next) else {
                is_done.insert(top.number, true);
                order.push(top.number);
                stack.pop();
                continue;
            };
            let target = *target;
            top.next += 1;
            match (is_done.get(&target), defined.get(&target)) {
                (None, Some(node)) => {
                    is_done.insert(target, false);
                    stack.push(visit(target, node));
                }
                (Some(false), _) => faults.add(circle(&stack, target)),
                _ => {}
            }
        }
    }
    order
}

fn visit(number: u32, node: &Node) -> Visit {
    let references = node.references().into_iter();
    Visit {
        number,
        references: references
            .filter_map(|(n, span)| Some((n?, span)))
            .collect(),
        next: 0,
    }
}

/// The way from a number back to itself.
fn circle(stack: &[Visit], target: u32) -> Complaint {
    let way = stack.iter().skip_while(|visit| visit.number != target);
    let mut numbers: Vec<String> = Vec::new();
    let mut complaint = Complaint::new(Code::LangCircle, "")
        .help("let one of them say what must be true instead of referring to another");
    for visit in way.take(SHOWN) {
        numbers.push(visit.number.to_string());
        let last = visit.next.checked_sub(1);
        if let Some((to, span)) = last.and_then(|at| visit.references.get(at)) {
            complaint = complaint.at(span.clone(), format!("{} refers to {to}", visit.number));
        }
    }
    numbers.push(target.to_string());
    complaint.say(format!(
        "numbered conditions go in a circle: {}",
        numbers.join(" -> ")
    ))
}

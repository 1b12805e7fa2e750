//! How the gates of a set add up: all of them, any of them, nested.
//!
//! INVARIANT: a dropped gate neither proves nor blocks; it is left out. A branch whose gates
//! are all dropped is left out too, and a tree that is left out whole is dropped, never met.
//! INVARIANT: what could not be asked is never true: see [`Tree::finding`].

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::GateStatus;
use crate::model::status::Status;

/// A tree of gates by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tree {
    /// One gate.
    Gate(String),
    /// All must be met.
    All(Vec<Tree>),
    /// One is enough.
    Any(Vec<Tree>),
}

impl Tree {
    /// What the gates' statuses add up to.
    pub fn status(&self, of: &dyn Fn(&str) -> GateStatus) -> GateStatus {
        use GateStatus::{Dropped, Met, Open};
        let counted = |parts: &[Tree]| -> Vec<GateStatus> {
            let all = parts.iter().map(|part| part.status(of));
            all.filter(|status| *status != Dropped).collect()
        };
        match self {
            Tree::Gate(id) => of(id),
            Tree::All(parts) | Tree::Any(parts) => {
                let parts = counted(parts);
                let is_met = match self {
                    Tree::Any(_) => parts.contains(&Met),
                    _ => parts.iter().all(|part| *part == Met),
                };
                match (parts.is_empty(), is_met) {
                    (true, _) => Dropped,
                    (false, true) => Met,
                    (false, false) => Open,
                }
            }
        }
    }

    /// What the answers of this run add up to: `found` only if that is proven whatever the
    /// unavailable would say, `empty` only if it is refuted whatever they would say. `Absent`
    /// stands for a dropped gate, which is left out.
    pub fn finding(&self, of: &dyn Fn(&str) -> Status) -> Status {
        match self {
            Tree::Gate(id) => match of(id) {
                Status::Located => Status::Unavailable,
                status => status,
            },
            Tree::All(parts) => join(parts, of, Status::Empty, Status::Found),
            Tree::Any(parts) => join(parts, of, Status::Found, Status::Empty),
        }
    }

    /// The open gates that still decide something: all but those that stand only in the open
    /// branches of an `/or` that is met. A gate may stand in several places.
    pub fn needed(&self, of: &dyn Fn(&str) -> GateStatus, needed: &mut BTreeSet<String>) {
        match self {
            Tree::Gate(id) if of(id) == GateStatus::Open => {
                needed.insert(id.clone());
            }
            Tree::Gate(_) => {}
            Tree::All(parts) | Tree::Any(parts) => {
                let is_decided = matches!(self, Tree::Any(_)) && self.status(of) == GateStatus::Met;
                for part in parts {
                    if !is_decided || part.status(of) == GateStatus::Met {
                        part.needed(of, needed);
                    }
                }
            }
        }
    }

    /// Every gate of the tree, in the order of the text.
    pub fn each(&self, see: &mut dyn FnMut(&str)) {
        match self {
            Tree::Gate(id) => see(id),
            Tree::All(parts) | Tree::Any(parts) => {
                for part in parts {
                    part.each(see);
                }
            }
        }
    }
}

/// `decides` ends the matter, `neutral` is what all have to be for the contrary.
fn join(parts: &[Tree], of: &dyn Fn(&str) -> Status, decides: Status, neutral: Status) -> Status {
    let parts = parts.iter().map(|part| part.finding(of));
    let parts: Vec<Status> = parts.filter(|part| *part != Status::Absent).collect();
    if parts.is_empty() {
        return Status::Absent;
    }
    if parts.contains(&decides) {
        return decides;
    }
    match parts.iter().all(|part| *part == neutral) {
        true => neutral,
        false => Status::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(id: &str) -> Tree {
        Tree::Gate(id.to_string())
    }

    #[test]
    fn an_unavailable_answer_is_never_true() {
        let all = Tree::All(vec![gate("a"), gate("b")]);
        let any = Tree::Any(vec![gate("a"), gate("b")]);
        let of = |a, b| move |id: &str| if id == "a" { a } else { b };
        use Status::{Absent, Empty, Found, Unavailable};
        assert_eq!(all.finding(&of(Found, Unavailable)), Unavailable);
        assert_eq!(all.finding(&of(Empty, Unavailable)), Empty);
        assert_eq!(any.finding(&of(Found, Unavailable)), Found);
        assert_eq!(any.finding(&of(Empty, Unavailable)), Unavailable);
        assert_eq!(all.finding(&of(Found, Absent)), Found);
        assert_eq!(all.finding(&of(Absent, Absent)), Absent);
    }

    #[test]
    fn an_empty_tree_is_never_met() {
        let of = |_: &str| GateStatus::Met;
        assert_eq!(Tree::All(Vec::new()).status(&of), GateStatus::Dropped);
        assert_eq!(Tree::Any(Vec::new()).status(&of), GateStatus::Dropped);
    }

    #[test]
    fn open_alternatives_of_a_met_or_are_superfluous() {
        let tree = Tree::All(vec![
            Tree::Any(vec![gate("a"), Tree::All(vec![gate("b"), gate("c")])]),
            gate("d"),
        ]);
        let of = |id: &str| match id {
            "a" => GateStatus::Met,
            _ => GateStatus::Open,
        };
        let mut needed = BTreeSet::new();
        tree.needed(&of, &mut needed);
        assert_eq!(needed.iter().collect::<Vec<_>>(), ["d"]);
        // What stands elsewhere too still decides there.
        let tree = Tree::All(vec![tree, gate("b")]);
        tree.needed(&of, &mut needed);
        assert_eq!(needed.iter().collect::<Vec<_>>(), ["b", "d"]);
    }
}

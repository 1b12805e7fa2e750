//! The verdict and its laws: what the kernel finds, and what a rule may choose within that.
//!
//! INVARIANT (L1, L9): [`Exhausted`] has no public constructor. It exists only if [`kernel`] saw
//! at least one role, every role answered `empty` or was declared absent, nothing at all was
//! unavailable, the inbox is closed or does not exist, and nothing waits for the user.
//! INVARIANT (L2): [`Verdict::Continue`] exists only with an open item behind it.

use super::status::Status;

/// What the inbox of the ticket system is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inbox {
    /// There is no ticket system.
    Absent,
    /// Read, and everything is triaged.
    Closed,
    /// Read, and something waits for triage.
    Open,
    /// Could not be read.
    Unreadable,
}

impl Inbox {
    /// The word as it is shown and stored.
    pub fn word(self) -> &'static str {
        match self {
            Inbox::Absent => "absent",
            Inbox::Closed => "closed",
            Inbox::Open => "open",
            Inbox::Unreadable => "unreadable",
        }
    }
}

/// What a tick found, as the kernel judges it.
#[derive(Debug, Clone)]
pub struct Basis {
    /// Each role that was to be asked, in chain order. Declared absent ones stand as `Absent`.
    pub roles: Vec<(String, Status)>,
    /// The inbox.
    pub inbox: Inbox,
    /// Open work items of level 1 and 2, the inbox's included.
    pub open_work: usize,
    /// Items that wait for the user, unclear ones included.
    pub user_items: usize,
    /// The names beside the roles that are unavailable, in their fixed order.
    pub others_unavailable: Vec<String>,
}

/// Proof that everything was asked and everything was empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhausted {
    asked: usize,
}

/// Proof that there is at least one open item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWork {
    items: usize,
}

/// What the tick says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// There is autonomous work.
    Continue(OpenWork),
    /// All asked, all empty.
    Exhausted(Exhausted),
    /// Not all could be asked: the names in their fixed order, and of how many.
    Blind {
        /// The names.
        names: Vec<String>,
        /// Number of roles, raised by each further name.
        of: usize,
    },
    /// Only the user's items are left.
    UserOnly,
}

impl Exhausted {
    /// How many roles answered.
    pub fn asked(&self) -> usize {
        self.asked
    }
}

impl OpenWork {
    /// How many items are open.
    pub fn items(&self) -> usize {
        self.items
    }
}

impl Basis {
    /// The names of everything that is unavailable, in their fixed order. A source that was
    /// located and never read did not answer either.
    pub fn unavailable(&self) -> Vec<String> {
        let silent = |status: Status| matches!(status, Status::Unavailable | Status::Located);
        let roles = self.roles.iter().filter(|(_, status)| silent(*status));
        let roles = roles.map(|(name, _)| name.clone());
        roles
            .chain(self.others_unavailable.iter().cloned())
            .collect()
    }

    /// The blind verdict over these names.
    pub fn blind(&self) -> Verdict {
        let roles = self
            .roles
            .iter()
            .filter(|(_, status)| *status != Status::Absent)
            .count();
        Verdict::Blind {
            names: self.unavailable(),
            of: roles + self.others_unavailable.len(),
        }
    }
}

/// The kernel's own verdict.
pub fn kernel(basis: &Basis) -> Verdict {
    if basis.inbox == Inbox::Open || basis.open_work > 0 {
        return Verdict::Continue(OpenWork {
            items: basis.open_work.max(1),
        });
    }
    let asked = basis
        .roles
        .iter()
        .filter(|(_, status)| *status != Status::Absent);
    let asked: Vec<_> = asked.collect();
    let all_empty = asked.iter().all(|(_, status)| *status == Status::Empty);
    let proven = all_empty
        && !asked.is_empty()
        && basis.inbox != Inbox::Unreadable
        && basis.others_unavailable.is_empty();
    match (proven, basis.user_items) {
        (true, 0) => Verdict::Exhausted(Exhausted { asked: asked.len() }),
        (true, _) => Verdict::UserOnly,
        (false, _) => basis.blind(),
    }
}

/// Whether a rule may say `wanted` where the kernel found `found`: work stays work, and a stop
/// may only become weaker.
pub fn allows(found: &Verdict, wanted: &str) -> bool {
    match found {
        Verdict::Continue(_) => wanted == "go_on",
        Verdict::Blind { .. } => wanted == "blind",
        Verdict::UserOnly => matches!(wanted, "user_only" | "blind"),
        Verdict::Exhausted(_) => matches!(wanted, "exhausted" | "blind"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(statuses: &[Status]) -> Basis {
        Basis {
            roles: statuses.iter().map(|s| ("r".to_string(), *s)).collect(),
            inbox: Inbox::Absent,
            open_work: 0,
            user_items: 0,
            others_unavailable: Vec::new(),
        }
    }

    #[test]
    fn nothing_asked_is_no_proof() {
        assert!(matches!(kernel(&basis(&[])), Verdict::Blind { .. }));
        assert!(matches!(
            kernel(&basis(&[Status::Found])),
            Verdict::Blind { .. }
        ));
    }

    #[test]
    fn one_blind_role_refutes_the_proof() {
        let statuses = [Status::Empty, Status::Unavailable];
        assert!(matches!(
            kernel(&basis(&statuses)),
            Verdict::Blind { of: 2, .. }
        ));
        assert!(matches!(
            kernel(&basis(&[Status::Empty, Status::Absent])),
            Verdict::Exhausted(_)
        ));
    }

    #[test]
    fn an_unreadable_inbox_leaves_only_blind() {
        let mut basis = basis(&[Status::Empty]);
        basis.inbox = Inbox::Unreadable;
        basis.others_unavailable.push("work.intake".into());
        assert!(matches!(kernel(&basis), Verdict::Blind { of: 2, .. }));
        basis.open_work = 1;
        assert!(matches!(kernel(&basis), Verdict::Continue(_)));
    }

    #[test]
    fn a_rule_cannot_strengthen_a_stop() {
        let exhausted = kernel(&basis(&[Status::Empty]));
        assert!(allows(&exhausted, "blind") && !allows(&exhausted, "go_on"));
        let blind = kernel(&basis(&[Status::Unavailable]));
        assert!(
            allows(&blind, "blind") && !allows(&blind, "exhausted") && !allows(&blind, "user_only")
        );
    }
}

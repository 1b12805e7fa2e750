//! The sources in their two stages: located side by side for the guard, read side by side for
//! the chain.
//!
//! INVARIANT (L4): only a source that was located is read; until then its status is `located`,
//! which proves nothing.

use std::collections::BTreeMap;

use crate::model::status::Status;

use super::outcome::RoleReport;
use super::probe::{self, Answer, Located};
use super::stages::{Tick, derived};
use crate::ask::CallRecord;
use crate::ask::side_by_side::side_by_side;

impl Tick<'_> {
    /// Locates every role that is not declared absent.
    pub(super) fn locate(&mut self) {
        let roles: Vec<String> = self.rules.roles().into_iter().map(str::to_string).collect();
        let asked = roles
            .iter()
            .filter(|role| !self.frame.absent.contains_key(*role));
        let found = side_by_side(asked.cloned().collect(), |role| {
            probe::locate(self.asking, role)
        });
        let mut found: BTreeMap<String, _> = found.into_iter().collect();
        for role in roles {
            match found.remove(&role) {
                Some(Ok((located, calls))) => self.role_located(&role, located, calls),
                Some(Err(answer)) => self.role_unavailable(&role, answer),
                None => self.role_absent(&role),
            }
        }
        if self.roles.iter().all(|role| role.status == Status::Absent) {
            let why = "no role is left to ask: every one is declared absent".to_string();
            let chain = "rules/chain".to_string();
            self.rules.faults.entry(chain).or_insert(why);
        }
    }

    fn role_located(&mut self, role: &str, located: Located, calls: Vec<CallRecord>) {
        let mut report = role_report(role, Status::Located, "located, not read".to_string());
        report.way = Some(located.way().to_string());
        report.at = Some(located.at().to_string());
        self.roles.push(report);
        self.calls.extend(calls);
        self.located.push(located);
    }

    fn role_absent(&mut self, role: &str) {
        let why = self.frame.absent.get(role).cloned().unwrap_or_default();
        let why = format!("declared absent: {why}");
        self.roles.push(role_report(role, Status::Absent, why));
    }

    fn role_unavailable(&mut self, role: &str, answer: Answer) {
        let mut report = role_report(role, Status::Unavailable, answer.why);
        report.help = answer.help;
        self.roles.push(report);
        self.calls.extend(answer.calls);
    }

    /// Stage 4: read every located source, side by side.
    pub fn chain(&mut self) {
        self.chain_ran = true;
        let located = std::mem::take(&mut self.located);
        let answers = side_by_side(located, |located| probe::read(self.asking, located));
        for (located, answer) in answers {
            let role = located.role().to_string();
            self.calls.extend(answer.calls);
            let open = self.take_items(&role, answer.items);
            if answer.status != Status::Unavailable {
                self.answered.insert(role.clone());
            }
            if let Some(report) = self.roles.iter_mut().find(|report| report.name == role) {
                report.read = true;
                (report.status, report.why) = derived(answer.status, answer.why, open);
                report.help = answer.help;
            }
            self.located.push(located);
        }
        super::brake::brake(self);
    }
}

fn role_report(role: &str, status: Status, why: String) -> RoleReport {
    RoleReport {
        name: role.to_string(),
        status,
        why,
        help: None,
        way: None,
        at: None,
        read: false,
    }
}

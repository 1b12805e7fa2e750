//! The stages of a tick, in running order. Each fills in what the judgement rests on.

use std::collections::{BTreeMap, BTreeSet};

use crate::ledger::state::{Record, State};
use crate::model::item::Sort;
use crate::model::status::Status;
use crate::model::verdict::Inbox;
use crate::script::answer::SeenItem;

use super::Frame;
use super::locks::Locks;
use super::outcome::{GuardReport, Rested, RoleReport, Sorted, Unavailable, WorkReport};
use super::probe::{self, Answer, Located};
use super::rules::Rules;
use super::sort::Sorter;
use crate::ask::side_by_side::side_by_side;
use crate::ask::{Asking, CallRecord};

/// A tick on its way.
pub struct Tick<'a> {
    pub(super) asking: &'a Asking,
    pub(super) frame: &'a Frame,
    pub(super) rules: Rules,
    pub(super) state: State,
    pub(super) paused_by: Option<String>,
    pub(super) inbox: Inbox,
    pub(super) roles: Vec<RoleReport>,
    pub(super) work: Vec<WorkReport>,
    pub(super) all: Vec<Sorted>,
    pub(super) settled: Vec<Rested>,
    pub(super) answered: BTreeSet<String>,
    pub(super) located: Vec<Located>,
    pub(super) gates: super::gates::Report,
    pub(super) guard: GuardReport,
    pub(super) held: Option<Record>,
    pub(super) chain_ran: bool,
    pub(super) calls: Vec<CallRecord>,
    others: BTreeMap<String, Unavailable>,
}

impl<'a> Tick<'a> {
    /// Nothing was asked yet.
    pub fn new(asking: &'a Asking, frame: &'a Frame, rules: Rules) -> Self {
        let mut tick = Tick {
            asking,
            frame,
            rules,
            state: frame
                .view
                .as_ref()
                .map(|v| v.state.clone())
                .unwrap_or_default(),
            paused_by: None,
            inbox: Inbox::Absent,
            roles: Vec::new(),
            work: Vec::new(),
            all: Vec::new(),
            settled: Vec::new(),
            answered: BTreeSet::new(),
            located: Vec::new(),
            gates: super::gates::Report::default(),
            guard: GuardReport::default(),
            held: None,
            chain_ran: false,
            calls: Vec::new(),
            others: BTreeMap::new(),
        };
        if let Some(why) = frame.view.as_ref().err().or(frame.write_fault.as_ref()) {
            tick.miss("ledger", why, Some("see `belegt doctor`"));
        }
        if let Some(why) = &frame.settings_fault {
            tick.miss("settings", why, Some("see `belegt doctor`"));
        }
        tick
    }

    /// Notes that something beside the roles is unavailable.
    pub(super) fn miss(&mut self, name: &str, why: &str, help: Option<&str>) {
        let entry = Unavailable {
            name: name.to_string(),
            why: why.to_string(),
            help: help.map(str::to_string),
        };
        self.others.entry(name.to_string()).or_insert(entry);
    }

    /// The names beside the roles, in the order of the line: `work.*`, `rules/*`, `ledger`,
    /// `settings`.
    pub(super) fn others(&self) -> Vec<Unavailable> {
        let rules = self.rules.faults.iter().map(|(name, why)| Unavailable {
            name: name.clone(),
            why: why.clone(),
            help: Some("mend the rule; `belegt doctor` shows the place".to_string()),
        });
        let pick = |prefix: &str| {
            let of_kind = |(name, _): &(&String, &Unavailable)| name.starts_with(prefix);
            self.others
                .iter()
                .filter(of_kind)
                .map(|(_, u)| u.clone())
                .collect::<Vec<_>>()
        };
        let mut all = pick("work.");
        all.extend(rules);
        all.extend(pick("ledger"));
        all.extend(pick("settings"));
        all
    }

    /// The person's pause button, before everything else.
    pub fn look_at_locks(&mut self) {
        match Locks::new(self.asking).in_root() {
            Ok(lock) => self.paused_by = lock,
            Err(why) => self.miss("work.intake", &why, None),
        }
    }

    /// Stage 1: the inbox, alone and first.
    pub fn intake(&mut self) {
        if self
            .asking
            .scripts
            .effective(&probe::work_path("intake"))
            .is_none()
        {
            return;
        }
        let answers = side_by_side(vec!["intake".to_string()], |name| {
            probe::look(self.asking, name)
        });
        for (_, answer) in answers {
            self.inbox = match answer.status {
                Status::Absent => Inbox::Absent,
                Status::Empty => Inbox::Closed,
                Status::Found => Inbox::Open,
                Status::Unavailable | Status::Located => Inbox::Unreadable,
            };
            self.take_work("intake", answer);
        }
        let waits = self.all.iter().any(|item| item.waits_in_inbox());
        if self.inbox == Inbox::Open && !waits {
            self.inbox = Inbox::Closed;
        }
        if self.inbox_is_open() {
            super::brake::brake(self);
        }
    }

    /// Whether the inbox holds back every stop.
    pub fn inbox_is_open(&self) -> bool {
        self.inbox == Inbox::Open
    }

    /// Stage 2: the other work probes, side by side.
    pub fn work(&mut self) {
        let names = self.asking.scripts.below("probes/work/");
        let names = names
            .into_iter()
            .filter(|name| *name != "intake")
            .map(str::to_string);
        let answers = side_by_side(names.collect(), |name| probe::look(self.asking, name));
        for (name, answer) in answers {
            self.take_work(&name, answer);
        }
        super::brake::brake(self);
    }

    fn take_work(&mut self, probe: &str, answer: Answer) {
        let name = format!("work.{probe}");
        if answer.status == Status::Unavailable {
            self.miss(&name, &answer.why, answer.help.as_deref());
        } else {
            self.answered.insert(name.clone());
        }
        self.calls.extend(answer.calls);
        let open = self.take_items(&name, answer.items);
        let (status, why) = derived(answer.status, answer.why, open);
        self.work.push(WorkReport {
            name,
            status,
            why,
            help: answer.help,
        });
    }

    /// Sorts the items of a source; how many of them are open work.
    pub(super) fn take_items(&mut self, source: &str, items: Vec<SeenItem>) -> usize {
        if items.is_empty() {
            return 0;
        }
        let mut locks = Locks::new(self.asking);
        let mut sorter = Sorter {
            asking: self.asking,
            rules: &mut self.rules,
            state: self.frame.view.is_ok().then_some(&self.state),
            effects: &self.frame.effects,
            paused_by: self.paused_by.as_deref(),
            locks: &mut locks,
            calls: Vec::new(),
        };
        let pile = sorter.pile(source, items);
        let calls = sorter.calls;
        self.calls.extend(calls);
        let open = pile
            .items
            .iter()
            .filter(|item| item.sort == Sort::Work)
            .count();
        self.all.extend(pile.items);
        self.settled.extend(pile.settled);
        open
    }

    /// Whether something can be done without the person.
    pub fn has_open_work(&self) -> bool {
        self.all.iter().any(|item| item.sort == Sort::Work)
    }

    /// Stage 3: locate the sources, take the fingerprint, ask the guard. True if it holds.
    pub fn guard(&mut self) -> bool {
        self.locate();
        super::guard::ask(self)
    }
}

/// The source's word: what it found counts as found only if some of it is open work.
pub(super) fn derived(status: Status, why: String, open: usize) -> (Status, String) {
    match status {
        Status::Found if open == 0 => (Status::Empty, format!("{why}; none of it is open work")),
        status => (status, why),
    }
}

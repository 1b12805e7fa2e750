//! The descendants of a command, and their end.
//!
//! On Linux this process becomes a child subreaper (prctl(2)), so that whatever outlives its
//! parents is adopted here and can be found. A [`Family`] learns its members while the command
//! runs, by ancestry, and knows adopted ones by process group, session or a pipe they hold.
//!
//! INVARIANT: only members are signalled, each by a handle on the very process that was seen,
//! and only they are reaped, one by one: never a child of another command. An adopted process
//! that no family knows is ended by the last command that runs. This presumes that all children
//! of this process with a process group of their own are started by [`spawn`].

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::AsFd;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

pub mod table;

use table::Seen;

/// How long descendants are looked for before the sweep gives up.
const SWEEP: Duration = Duration::from_millis(400);

/// The commands that were started and not reaped yet.
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<i32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command and what descends from it.
#[derive(Debug)]
pub struct Family {
    leader: Pid,
    /// The leader's number in the process table.
    shown: i32,
    /// Numbers in the process table with the start time that tells a process from a later one of the same id.
    members: BTreeMap<i32, u64>,
    /// Process groups and sessions that members made.
    groups: BTreeSet<i32>,
    /// Inode numbers of the pipes that the command was given.
    pipes: Vec<u64>,
}

/// Starts a command in a process group of its own.
///
/// # Errors
/// The system's error.
pub fn spawn(command: &mut Command) -> std::io::Result<(Child, Family)> {
    use std::os::unix::process::CommandExt as _;
    static ADOPT: Once = Once::new();
    ADOPT.call_once(table::adopt_orphans);
    command.process_group(0);
    // Locked until the child is known: nobody may take it for an adopted one.
    let mut running = running();
    let child = command.spawn()?;
    let leader = Pid::from_child(&child);
    // Without a table nobody is found there, and any number will do.
    let shown = table::shown(leader).unwrap_or(leader.as_raw_pid());
    running.insert(shown);
    let pipes = [
        child.stdout.as_ref().and_then(inode),
        child.stderr.as_ref().and_then(inode),
    ];
    let family = Family {
        leader,
        shown,
        members: BTreeMap::new(),
        groups: BTreeSet::from([shown]),
        pipes: pipes.into_iter().flatten().collect(),
    };
    Ok((child, family))
}

/// The number by which a pipe is known to all that hold it.
fn inode(pipe: &impl AsFd) -> Option<u64> {
    rustix::fs::fstat(pipe).ok().map(|stat| stat.st_ino)
}

impl Family {
    /// Learns who belongs to the family now.
    pub fn look(&mut self) {
        let running = running();
        self.learn(&running, false);
    }

    /// Asks the process group to end.
    pub fn ask_to_end(&self) {
        // It may have ended by itself: then there is nobody to ask.
        let _ = kill_process_group(self.leader, Signal::TERM);
    }

    /// Ends every member that still lives, and says whether all are known to be gone. The command itself
    /// must not be reaped yet.
    pub fn end(&mut self) -> bool {
        let give_up = Instant::now() + SWEEP;
        loop {
            // Unreaped, the leader keeps its id, and the id of its group, from others.
            let _ = kill_process_group(self.leader, Signal::KILL);
            let _ = kill_process(self.leader, Signal::KILL);
            let living = {
                let running = running();
                let alone = running.len() == 1 && running.contains(&self.shown);
                self.learn(&running, alone);
                self.kill_members()
            };
            if living == 0 || Instant::now() >= give_up {
                return living == 0 && table::own().is_some();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Takes the exit status of the ended command and forgets it.
    ///
    /// # Errors
    /// The system's error.
    pub fn reap(&self, child: &mut Child) -> std::io::Result<std::process::ExitStatus> {
        let mut running = running();
        let status = child.wait();
        running.remove(&self.shown);
        status
    }

    /// Adds adopted processes that are known to belong here (or, with `strays`, all of them),
    /// then all descendants.
    fn learn(&mut self, running: &BTreeSet<i32>, strays: bool) {
        let mut open = vec![self.shown];
        open.extend(self.members.keys());
        let Some(own) = table::own() else {
            return;
        };
        for pid in table::own_children() {
            if running.contains(&pid) || self.members.contains_key(&pid) {
                continue;
            }
            let Some(seen) = table::seen(pid) else {
                continue;
            };
            // Somebody else's child: until it has become its program it even holds our pipes.
            if seen.group == own.group {
                continue;
            }
            if strays || self.claims(pid, &seen) {
                self.add(pid, &seen, &own);
                open.push(pid);
            }
        }
        while let Some(parent) = open.pop() {
            for pid in table::children(parent) {
                if running.contains(&pid) || self.members.contains_key(&pid) {
                    continue;
                }
                if let Some(seen) = table::seen(pid) {
                    self.add(pid, &seen, &own);
                    open.push(pid);
                }
            }
        }
    }

    fn claims(&self, pid: i32, seen: &Seen) -> bool {
        self.groups.contains(&seen.group)
            || self.groups.contains(&seen.session)
            || table::holds(pid, &self.pipes)
    }

    fn add(&mut self, pid: i32, seen: &Seen, own: &Seen) {
        self.members.insert(pid, seen.start);
        for group in [seen.group, seen.session] {
            if group != own.group && group != own.session {
                self.groups.insert(group);
            }
        }
    }

    /// Kills the living members, reaps the ended ones that were adopted, forgets the others.
    fn kill_members(&mut self) -> usize {
        let mut living = 0;
        self.members.retain(|pid, start| {
            match table::seen(*pid) {
                Some(seen) if seen.start == *start && seen.ended => {
                    // Fails if it is not ours to reap: its parent is still there to do it.
                    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
                    table::real(*pid).is_none_or(|real| waitid(WaitId::Pid(real), options).is_err())
                }
                Some(seen) if seen.start == *start => {
                    living += 1;
                    table::kill(*pid, *start);
                    true
                }
                _ => false,
            }
        });
        living
    }
}

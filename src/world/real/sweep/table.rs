//! The process table as proc(5) shows it. Elsewhere than on Linux it is empty: there only the
//! process group of a command can be ended.
//!
//! In a container whose `/proc` is that of an outer PID namespace the table shows other numbers
//! than the system calls take. All numbers here are those of the table, but for those of the
//! type `Pid`, which are the system's; [`shown`] and [`real`] lead from one to the other.
//!
//! INVARIANT: reads only; nothing here signals a process without checking that it is the one
//! that was seen.

use rustix::process::Pid;

/// What is known of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its process group.
    pub group: i32,
    /// Its session.
    pub session: i32,
    /// When it started, in clock ticks since boot: with the id it names one process.
    pub start: u64,
    /// Whether it ended and only waits to be reaped.
    pub ended: bool,
}

/// What the table shows of this process; `None` if there is no table.
pub fn own() -> Option<Seen> {
    seen(own_number()?)
}

/// All children of this process, started or adopted.
pub fn own_children() -> Vec<i32> {
    own_number().map_or_else(Vec::new, children)
}

/// The number under which the table shows a child of this process.
pub fn shown(child: Pid) -> Option<i32> {
    let raw = child.as_raw_pid();
    if real(raw) == Some(child) && own_children().contains(&raw) {
        return Some(raw);
    }
    own_children()
        .into_iter()
        .find(|number| real(*number) == Some(child))
}

#[cfg(target_os = "linux")]
pub use linux::{adopt_orphans, children, depth, holds, kill, numbers, own_number, real, seen};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::sync::OnceLock;

    use rustix::process::{
        Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open, pidfd_send_signal,
        set_child_subreaper,
    };

    use super::Seen;

    /// Makes this process the parent of all orphans below it.
    pub fn adopt_orphans() {
        // Refused by no kernel since 3.4; without it descendants are found by ancestry only.
        let _ = set_child_subreaper(Some(getpid()));
    }

    /// The number under which the table shows this process.
    pub fn own_number() -> Option<i32> {
        fs::read_link("/proc/self").ok()?.to_str()?.parse().ok()
    }

    /// The system's number of a process that descends from this one.
    pub fn real(number: i32) -> Option<Pid> {
        match depth()? {
            0 => Pid::from_raw(number),
            depth => Pid::from_raw(*numbers(number)?.get(depth)?),
        }
    }

    /// How many PID namespaces lie between the table's and this process's own.
    pub fn depth() -> Option<usize> {
        static DEPTH: OnceLock<Option<usize>> = OnceLock::new();
        *DEPTH.get_or_init(|| {
            let (own, number) = (getpid().as_raw_pid(), own_number()?);
            match numbers(number) {
                // This process runs in the innermost namespace that has a number for it.
                Some(all) if all.last() == Some(&own) => Some(all.len() - 1),
                // Kernels before 4.1 show no such line.
                None if own == number => Some(0),
                _ => None,
            }
        })
    }

    /// The numbers of a process in the table's namespace and in each one further in.
    pub fn numbers(number: i32) -> Option<Vec<i32>> {
        let status = fs::read(format!("/proc/{number}/status")).ok()?;
        let status = String::from_utf8_lossy(&status);
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("NSpid:"))?;
        line.split_whitespace().map(|id| id.parse().ok()).collect()
    }

    /// The children of a process; none if it is gone.
    pub fn children(pid: i32) -> Vec<i32> {
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for thread in threads.flatten() {
            match fs::read_to_string(thread.path().join("children")) {
                Ok(text) => all.extend(
                    text.split_whitespace()
                        .filter_map(|id| id.parse::<i32>().ok()),
                ),
                Err(_) if is_without_children_files() => return search_children(pid),
                // The thread ended; its children moved to another one.
                Err(_) => {}
            }
        }
        all
    }

    /// Whether the kernel was built without the files that list children.
    fn is_without_children_files() -> bool {
        own_number().is_some_and(|own| {
            !fs::exists(format!("/proc/{own}/task/{own}/children")).unwrap_or(true)
        })
    }

    /// The slow way: asks every process for its parent.
    fn search_children(parent: i32) -> Vec<i32> {
        let Ok(all) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        all.flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid| stat(*pid).is_some_and(|(of, _)| of == parent))
            .collect()
    }

    /// What is known of a process; `None` if it is gone.
    pub fn seen(pid: i32) -> Option<Seen> {
        stat(pid).map(|(_, seen)| seen)
    }

    /// The parent of a process and the rest; the name in brackets can hold anything.
    fn stat(pid: i32) -> Option<(i32, Seen)> {
        let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
        parse(&String::from_utf8_lossy(&bytes))
    }

    fn parse(text: &str) -> Option<(i32, Seen)> {
        const STATE: usize = 0;
        const PARENT: usize = 1;
        const GROUP: usize = 2;
        const SESSION: usize = 3;
        const START: usize = 19;
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse().ok();
        let seen = Seen {
            group: number(GROUP)?,
            session: number(SESSION)?,
            start: fields.get(START)?.parse().ok()?,
            ended: matches!(*fields.get(STATE)?, "Z" | "X" | "x"),
        };
        Some((number(PARENT)?, seen))
    }

    /// Whether a process holds one of these pipes.
    pub fn holds(pid: i32, pipes: &[u64]) -> bool {
        let Ok(handles) = fs::read_dir(format!("/proc/{pid}/fd")) else {
            return false;
        };
        let held = handles.flatten().filter_map(|handle| {
            let target = fs::read_link(handle.path()).ok()?;
            let number = target.to_str()?.strip_prefix("pipe:[")?.strip_suffix(']')?;
            number.parse::<u64>().ok()
        });
        held.into_iter().any(|number| pipes.contains(&number))
    }

    /// Kills the process of this number that started at this time, if it is still there.
    pub fn kill(number: i32, start: u64) {
        let Some(pid) = real(number) else {
            return;
        };
        let is_same =
            || seen(number).is_some_and(|seen| seen.start == start) && real(number) == Some(pid);
        match pidfd_open(pid, PidfdFlags::empty()) {
            // Checked after opening: the handle cannot come to mean another process.
            Ok(handle) if is_same() => {
                // It may end by itself in this moment: then there is nobody to kill.
                let _ = pidfd_send_signal(handle, Signal::KILL);
            }
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) if is_same() => {
                let _ = kill_process(pid, Signal::KILL);
            }
            _ => {}
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_name_with_brackets_and_blanks_is_read_over() {
            let text = "42 (a) b (c) S 7 42 40 0 -1 1 2 3 4 5 6 7 8 9 10 11 12 13 9001 14 15";
            let (parent, seen) = parse(text).unwrap();
            assert_eq!(parent, 7);
            let expected = Seen {
                group: 42,
                session: 40,
                start: 9001,
                ended: false,
            };
            assert_eq!(seen, expected);
            assert_eq!(parse("42 (x"), None);
        }

        #[test]
        fn this_process_is_seen() {
            let own = own_number().unwrap();
            assert!(!seen(own).unwrap().ended);
            assert_eq!(real(own), Some(getpid()));
            assert_eq!(search_children(i32::MAX), Vec::<i32>::new());
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{adopt_orphans, children, holds, kill, own_number, real, seen};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::Seen;

    /// Nothing to do here.
    pub fn adopt_orphans() {}

    /// Not known here.
    pub fn children(_pid: i32) -> Vec<i32> {
        Vec::new()
    }

    /// Not known here.
    pub fn seen(_pid: i32) -> Option<Seen> {
        None
    }

    /// Not known here.
    pub fn holds(_pid: i32, _pipes: &[u64]) -> bool {
        false
    }

    /// Nobody is known here.
    pub fn kill(_pid: i32, _start: u64) {}

    /// There is no table here.
    pub fn own_number() -> Option<i32> {
        None
    }

    /// Nobody is known here.
    pub fn real(_number: i32) -> Option<rustix::process::Pid> {
        None
    }
}

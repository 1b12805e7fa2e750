//! Processes of this machine as a person names them, from proc(5).
//!
//! A number names a process only together with the time at which it started, and that only
//! within one boot and one PID namespace.
//!
//! INVARIANT: "there is none" is the system's own word (`kill(pid, 0)` says `ESRCH`). A process
//! that exists and that the table hides, or shows under a number that cannot be told, is a
//! failure.

use serde_json::json;

use crate::world::{Answer, Failure};

#[cfg(not(target_os = "linux"))]
fn unknown() -> Answer {
    Answer::failed(Failure::Io, "processes are not known on this system")
}

/// Not known here.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn info(_pid: u32) -> Result<Answer, Answer> {
    Err(unknown())
}

/// Not known here.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn machine() -> Result<Answer, Answer> {
    Err(unknown())
}

#[cfg(target_os = "linux")]
pub use linux::{info, machine};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::io::ErrorKind;
    use std::path::PathBuf;
    use std::sync::Arc;

    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    use super::super::fault;
    use super::super::sweep::table;
    use super::{Answer, Failure, json};

    /// `{ pid, start, state, name }` of the process of this number; `start` is the boot id and
    /// the clock ticks since that boot.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn info(pid: u32) -> Result<Answer, Answer> {
        let Some(real) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
            return Err(failed(pid, "is not the number of a process"));
        };
        if !is_there(real)? {
            return Ok(Answer::Missing);
        }
        let seen = shown(real)?.and_then(|number| {
            let stat = fs::read(format!("/proc/{number}/stat")).ok()?;
            let seen = parse(&String::from_utf8_lossy(&stat))?;
            Some((number, seen))
        });
        match seen {
            Some((number, _)) if is_thread(number) => {
                Err(failed(pid, "is a thread of another process"))
            }
            Some((_, seen)) => Ok(Answer::Data(Arc::new(json!({
                "pid": pid,
                "start": format!("{}:{}", boot()?, seen.start),
                "state": seen.state,
                "name": seen.name,
            })))),
            // It may have ended in this moment.
            None if !is_there(real)? => Ok(Answer::Missing),
            None => Err(failed(
                pid,
                "exists, but the process table does not show it",
            )),
        }
    }

    /// `{ boot, space }`: the id of this boot and the PID namespace.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn machine() -> Result<Answer, Answer> {
        const PLACE: &str = "/proc/self/ns/pid";
        let space = fs::read_link(PLACE).map_err(|error| fault::io_answer(&error, PLACE))?;
        let space = space.to_string_lossy();
        Ok(Answer::Data(Arc::new(
            json!({ "boot": boot()?, "space": space }),
        )))
    }

    fn boot() -> Result<String, Answer> {
        const PLACE: &str = "/proc/sys/kernel/random/boot_id";
        let id = fs::read_to_string(PLACE).map_err(|error| match error.kind() {
            ErrorKind::NotFound => Answer::failed(Failure::Io, "the boot id cannot be read"),
            _ => fault::io_answer(&error, PLACE),
        })?;
        Ok(id.trim().to_owned())
    }

    fn is_there(pid: Pid) -> Result<bool, Answer> {
        match test_kill_process(pid) {
            Ok(()) | Err(Errno::PERM) => Ok(true),
            Err(Errno::SRCH) => Ok(false),
            Err(errno) => Err(failed(pid.as_raw_pid(), &fault::text(errno))),
        }
    }

    /// The number under which the table shows a process that exists; `None` if it does not.
    fn shown(pid: Pid) -> Result<Option<i32>, Answer> {
        let raw = pid.as_raw_pid();
        let depth = table::depth().ok_or_else(|| {
            failed(
                raw,
                "cannot be found: the process table is that of another machine",
            )
        })?;
        if depth == 0 {
            return Ok(Some(raw));
        }
        let place = "/proc";
        let all = fs::read_dir(place).map_err(|error| fault::io_answer(&error, place))?;
        let numbers = all
            .flatten()
            .filter_map(|e| e.file_name().to_str()?.parse().ok());
        let bears =
            |number: &i32| table::numbers(*number).is_some_and(|all| all.get(depth) == Some(&raw));
        let bearers: Vec<i32> = numbers.filter(bears).collect();
        // Another namespace beside this one may have given the same number.
        let own = space("self".to_owned());
        let same = |number: &&i32| own.is_some() && space(number.to_string()) == own;
        let ours: Vec<&i32> = bearers.iter().filter(same).collect();
        match (ours.as_slice(), bearers.as_slice()) {
            ([one], _) => Ok(Some(**one)),
            ([], []) => Ok(None),
            _ => Err(failed(
                raw,
                "cannot be told from one of another PID namespace",
            )),
        }
    }

    fn space(process: String) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{process}/ns/pid")).ok()
    }

    /// Numbers of threads are taken by the system calls, but are no processes.
    fn is_thread(number: i32) -> bool {
        let status = fs::read(format!("/proc/{number}/status")).unwrap_or_default();
        let status = String::from_utf8_lossy(&status);
        let leader = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
        leader.is_some_and(|leader| leader.trim() != number.to_string())
    }

    #[derive(Debug, PartialEq)]
    struct Seen {
        name: String,
        state: &'static str,
        start: u64,
    }

    /// One line of `/proc/PID/stat`; the name in brackets can hold anything.
    fn parse(text: &str) -> Option<Seen> {
        const START: usize = 19;
        let (_, rest) = text.split_once('(')?;
        let (name, rest) = rest.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let state = match *fields.first()? {
            "R" => "running",
            "S" | "D" | "I" => "sleeping",
            "T" | "t" => "stopped",
            // Ended, and waits to be reaped by its parent.
            "Z" | "X" | "x" => "ended",
            _ => "unknown",
        };
        Some(Seen {
            name: name.to_owned(),
            state,
            start: fields.get(START)?.parse().ok()?,
        })
    }

    fn failed(pid: impl std::fmt::Display, why: &str) -> Answer {
        Answer::failed(Failure::Io, format!("process {pid} {why}"))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_name_can_hold_brackets() {
            let text = "42 (a) (b) Z 7 42 40 0 -1 1 2 3 4 5 6 7 8 9 10 11 12 13 9001 14 15";
            let seen = parse(text).unwrap();
            assert_eq!(
                (seen.name.as_str(), seen.state, seen.start),
                ("a) (b", "ended", 9001)
            );
            assert_eq!(parse("42 (x"), None);
        }

        #[test]
        fn this_process_and_none() {
            let Ok(Answer::Data(own)) = info(std::process::id()) else {
                panic!("this process is not seen")
            };
            let boot = boot().unwrap();
            assert!(own["start"].as_str().unwrap().starts_with(&boot));
            assert_eq!(info(i32::MAX as u32), Ok(Answer::Missing));
            assert!(info(0).is_err() && info(u32::MAX).is_err());
            assert!(machine().is_ok());
        }
    }
}

//! Everything that is read from the machine, as one argument.
//!
//! INVARIANT: [`Surroundings::real`] is the only place of the crate that looks at the
//! process's environment, current folder, clock, random numbers, host name and terminals. All
//! other code takes them from here, so a test can give its own.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use crate::world::Environment;

use super::locale;

/// The longest answer that a person may type, in bytes.
const MAX_ANSWER: u64 = 4096;

/// A person at a terminal.
pub trait Person: Send + Sync {
    /// Shows a question and waits for one line; the line end is cut off.
    fn ask(&self, question: &str) -> io::Result<String>;
}

/// What surrounds one run.
#[derive(Clone)]
pub struct Surroundings {
    /// The command line, the program's name first.
    pub args: Vec<OsString>,
    /// The environment variables.
    pub environment: Environment,
    /// The current folder; empty if it cannot be read.
    pub cwd: PathBuf,
    /// The wall clock.
    pub clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// Random bytes, for ids.
    pub random: Arc<dyn Fn() -> [u8; 16] + Send + Sync>,
    /// The host's name up to the first dot.
    pub host: String,
    /// The system's IANA zone, if it says one.
    pub system_zone: Option<String>,
    /// The person at the terminal, if there is one.
    pub person: Option<Arc<dyn Person>>,
    /// Whether standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Whether standard error is a terminal.
    pub stderr_is_terminal: bool,
}

impl Surroundings {
    /// What really surrounds this process.
    pub fn real() -> Self {
        let environment: Environment = std::env::vars_os().collect();
        let stdout_is_terminal = io::stdout().is_terminal();
        let is_attended = stdout_is_terminal && io::stdin().is_terminal();
        let person = is_attended.then(|| -> Arc<dyn Person> { Arc::new(AtTerminal) });
        Surroundings {
            args: std::env::args_os().collect(),
            cwd: std::env::current_dir().unwrap_or_default(),
            clock: Arc::new(SystemTime::now),
            random: Arc::new(random),
            host: host(),
            system_zone: system_zone(&environment, Path::new("/etc/localtime")),
            environment,
            person,
            stdout_is_terminal,
            stderr_is_terminal: io::stderr().is_terminal(),
        }
    }
}

fn host() -> String {
    let name = rustix::system::uname();
    let name = name.nodename().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_string()
}

/// The zone that `TZ` names, else the one that the system's link names.
fn system_zone(environment: &Environment, link: &Path) -> Option<String> {
    if let Some(zone) = locale::zone_variable(environment) {
        return Some(zone);
    }
    let target = std::fs::read_link(link).ok()?;
    let (_, name) = target.to_str()?.rsplit_once("zoneinfo/")?;
    let name = name.strip_prefix("posix/").unwrap_or(name);
    let name = name.strip_prefix("right/").unwrap_or(name);
    locale::is_zone(name).then(|| name.to_string())
}

/// Random bytes of the system. Where it has none, the clock and the process id stand in: ids
/// are then still different from one another.
fn random() -> [u8; 16] {
    let mut bytes = [0_u8; 16];
    if fill(&mut bytes).is_ok() {
        return bytes;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut hash = Sha256::new();
    hash.update(since.unwrap_or_default().as_nanos().to_be_bytes());
    hash.update(std::process::id().to_be_bytes());
    for (byte, new) in bytes.iter_mut().zip(hash.finalize()) {
        *byte = new;
    }
    bytes
}

#[cfg(target_os = "linux")]
fn fill(bytes: &mut [u8]) -> io::Result<()> {
    use rustix::rand::{GetRandomFlags, getrandom};
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match getrandom(rest, GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn fill(bytes: &mut [u8]) -> io::Result<()> {
    File::open("/dev/urandom")?.read_exact(bytes)
}

/// Whoever sits at the controlling terminal.
struct AtTerminal;

impl Person for AtTerminal {
    fn ask(&self, question: &str) -> io::Result<String> {
        let mut terminal = File::options().read(true).write(true).open("/dev/tty")?;
        // What was typed before the question is no answer to it. A terminal that cannot forget
        // it is asked all the same.
        let _ = rustix::termios::tcflush(&terminal, rustix::termios::QueueSelector::IFlush);
        terminal.write_all(question.as_bytes())?;
        terminal.write_all(b" ")?;
        terminal.flush()?;
        one_line(terminal)
    }
}

/// One whole line; the end of the input or a line that is too long is an error.
fn one_line(input: impl Read) -> io::Result<String> {
    let mut line = String::new();
    BufReader::new(input.take(MAX_ANSWER)).read_line(&mut line)?;
    match line.strip_suffix('\n') {
        Some(answer) => Ok(answer.strip_suffix('\r').unwrap_or(answer).to_string()),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_whole_line() {
        assert_eq!(one_line(&b"yes\nno\n"[..]).unwrap(), "yes");
        assert_eq!(one_line(&b"yes\r\n"[..]).unwrap(), "yes");
        assert_eq!(one_line(&b"\n"[..]).unwrap(), "");
        assert!(one_line(&b"yes"[..]).is_err());
        assert!(one_line(&b""[..]).is_err());
        assert!(one_line("x".repeat(5000).as_bytes()).is_err());
        assert!(one_line(&b"\xff\n"[..]).is_err());
    }

    #[test]
    fn the_system_says_its_zone_by_variable_or_link() {
        let folder = tempfile::tempdir().unwrap();
        let table = [
            (
                None,
                "../usr/share/zoneinfo/Europe/Berlin",
                Some("Europe/Berlin"),
            ),
            (
                None,
                "/var/db/timezone/zoneinfo/America/Indiana/Knox",
                Some("America/Indiana/Knox"),
            ),
            (
                None,
                "/usr/share/zoneinfo/posix/Asia/Tokyo",
                Some("Asia/Tokyo"),
            ),
            (None, "/usr/share/zoneinfo/Mars/Base", None),
            (None, "/somewhere/else", None),
            (
                Some("Asia/Tokyo"),
                "/usr/share/zoneinfo/UTC",
                Some("Asia/Tokyo"),
            ),
            (
                Some(":Asia/Tokyo"),
                "/usr/share/zoneinfo/UTC",
                Some("Asia/Tokyo"),
            ),
            (Some("CET-1CEST"), "/usr/share/zoneinfo/UTC", Some("UTC")),
            (Some(""), "/nothing", None),
        ];
        for (index, (variable, target, wanted)) in table.into_iter().enumerate() {
            let link = folder.path().join(index.to_string());
            std::os::unix::fs::symlink(target, &link).unwrap();
            let environment: Environment = variable
                .map(|value| ("TZ".into(), value.into()))
                .into_iter()
                .collect();
            assert_eq!(
                system_zone(&environment, &link).as_deref(),
                wanted,
                "{target}"
            );
        }
        assert_eq!(
            system_zone(&Environment::new(), &folder.path().join("none")),
            None
        );
    }

    #[test]
    fn the_real_surroundings_are_whole() {
        let real = Surroundings::real();
        assert!(!real.host.contains('.'));
        assert!(real.cwd.is_absolute());
        assert_ne!((real.random)(), (real.random)());
        assert!((real.clock)() > UNIX_EPOCH);
    }
}

//! One run of a program: started, followed, ended, reaped.
//!
//! INVARIANT: after [`run`] returns, the program and what descends from it have ended, and it
//! returns within the deadline plus [`GRACE`] and a short sweep. The whole group is ended also
//! when the program ended by itself. The end of a pipe is never waited for without a limit.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::pipes::{self, Message, Stream};
use super::sweep::{self, Family};
use crate::model::text::escape;
use crate::world::{Answer, Environment, Failure};

/// Between the request to end and the end by force.
const GRACE: Duration = Duration::from_millis(80);
/// For output that is still in the pipes when the program ended but a descendant holds them.
const DRAIN: Duration = Duration::from_millis(100);
/// For the pipes to close, once everybody was ended.
const LAST: Duration = Duration::from_millis(500);

/// What is to run.
pub struct Launch<'a> {
    /// The program's absolute path.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<&'a OsStr>,
    /// The folder in which it runs.
    pub folder: &'a Path,
    /// Its whole environment.
    pub environment: &'a Environment,
    /// Most bytes of each stream.
    pub limit: u64,
}

/// A program that ended by itself.
#[derive(Debug)]
pub struct Ended {
    /// The exit code.
    pub status: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

/// Runs a program to its end or the deadline.
///
/// # Errors
/// The answer to give if it did not end by itself with an exit code.
pub fn run(launch: &Launch<'_>, until: Instant) -> Result<Ended, Answer> {
    let shown = escape(&launch.program.to_string_lossy());
    let (mut child, mut family) = start(launch, &shown)?;
    let messages = match pipes::follow(&mut child, launch.limit) {
        Ok(messages) => messages,
        Err(error) => {
            family.end();
            // Ended by force just now; its status says nothing.
            let _ = family.reap(&mut child);
            let why = format!("`{shown}` could not be followed: {error}");
            return Err(Answer::failed(Failure::Spawn, why));
        }
    };
    let mut run = Run {
        shown,
        child,
        family,
        messages,
        limit: launch.limit,
        seen: Progress::default(),
    };
    let end = run.watch(until);
    run.finish(end)
}

fn start(launch: &Launch<'_>, shown: &str) -> Result<(Child, Family), Answer> {
    // A program that another thread has just written may be held open for a moment by a child
    // that is being started: it counts as busy until then.
    const TRIES: usize = 20;
    let mut command = Command::new(launch.program);
    command
        .args(&launch.arguments)
        .current_dir(launch.folder)
        .env_clear()
        .envs(launch.environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut started = sweep::spawn(&mut command);
    for _ in 0..TRIES {
        match &started {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
                started = sweep::spawn(&mut command);
            }
            _ => break,
        }
    }
    started.map_err(|error| {
        let why = format!("`{shown}` could not be started: {error}");
        Answer::failed(Failure::Spawn, why)
    })
}

struct Run {
    shown: String,
    child: Child,
    family: Family,
    messages: Receiver<Message>,
    limit: u64,
    seen: Progress,
}

/// What was seen of a run so far.
#[derive(Default)]
struct Progress {
    exited: Option<Instant>,
    out: Option<Vec<u8>>,
    err: Option<Vec<u8>>,
}

impl Progress {
    fn is_complete(&self) -> bool {
        self.exited.is_some() && self.out.is_some() && self.err.is_some()
    }
}

/// Why a run is over.
enum End {
    ByItself,
    Late,
    TooMuch(Stream),
    Broken(String),
}

impl Run {
    /// Follows the program until it ended or must be ended.
    fn watch(&mut self, until: Instant) -> End {
        let begin = Instant::now();
        while !self.seen.is_complete() {
            let now = Instant::now();
            let limit = self.seen.exited.map_or(until, |at| until.min(at + DRAIN));
            if now >= limit {
                break;
            }
            // Often at first, when programs fork and vanish; rarely in a long run.
            let pace = (now - begin) / 8;
            let pace = pace.clamp(Duration::from_millis(2), Duration::from_millis(50));
            match self.messages.recv_timeout(pace.min(limit - now)) {
                Err(RecvTimeoutError::Timeout) => self.family.look(),
                Err(RecvTimeoutError::Disconnected) => {
                    return End::Broken("its end was not seen".to_owned());
                }
                Ok(message) => {
                    if let Some(end) = self.note(message) {
                        return end;
                    }
                }
            }
        }
        if self.seen.exited.is_some() {
            End::ByItself
        } else {
            End::Late
        }
    }

    fn note(&mut self, message: Message) -> Option<End> {
        match message {
            Message::Exited => self.seen.exited = Some(Instant::now()),
            Message::Closed(Stream::Out, bytes) => self.seen.out = Some(bytes),
            Message::Closed(Stream::Err, bytes) => self.seen.err = Some(bytes),
            Message::TooMuch(stream) => return Some(End::TooMuch(stream)),
            Message::Broken(why) => return Some(End::Broken(why)),
        }
        None
    }

    /// Ends what is left, takes the status and makes the answer.
    fn finish(mut self, mut end: End) -> Result<Ended, Answer> {
        if matches!(end, End::Late) {
            self.family.look();
            self.family.ask_to_end();
            self.collect(GRACE);
        }
        let mut all_gone = self.family.end();
        if let Some(other) = self.collect(LAST)
            && matches!(end, End::ByItself)
        {
            end = other;
        }
        let status = if self.seen.exited.is_some() {
            self.family.reap(&mut self.child).ok()
        } else {
            all_gone = false;
            None
        };
        match end {
            End::ByItself => self.by_itself(status),
            End::Late => Err(self.late(all_gone)),
            End::TooMuch(stream) => Err(self.too_much(stream)),
            End::Broken(why) => Err(self.failed(Failure::Io, &why)),
        }
    }

    /// Waits a while for the command's end and its streams; gives back what went wrong.
    fn collect(&mut self, patience: Duration) -> Option<End> {
        let until = Instant::now() + patience;
        let mut wrong = None;
        while !self.seen.is_complete() {
            let now = Instant::now();
            if now >= until {
                break;
            }
            let pace = (until - now).min(Duration::from_millis(5));
            match self.messages.recv_timeout(pace) {
                Ok(message) => wrong = self.note(message).or(wrong),
                Err(RecvTimeoutError::Timeout) => self.family.look(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        wrong
    }

    fn by_itself(&mut self, status: Option<std::process::ExitStatus>) -> Result<Ended, Answer> {
        let Some(status) = status else {
            return Err(self.failed(Failure::Io, "its exit status could not be read"));
        };
        if let Some(signal) = status.signal() {
            let why = format!("it was ended by signal {signal}");
            return Err(self.failed(Failure::Signal, &why));
        }
        let streams = (self.seen.out.take(), self.seen.err.take());
        match (status.code(), streams) {
            (Some(status), (Some(stdout), Some(stderr))) => Ok(Ended {
                status,
                stdout,
                stderr,
            }),
            _ => Err(self.failed(
                Failure::Io,
                "its output is held open by a process that could not be ended",
            )),
        }
    }

    fn late(&self, all_gone: bool) -> Answer {
        let rest = if all_gone {
            "it was ended with all that it had started"
        } else {
            "it is not known whether all that it had started has ended"
        };
        let why = format!("it did not end before its deadline; {rest}");
        self.failed(Failure::Deadline, &why)
    }

    fn too_much(&self, stream: Stream) -> Answer {
        let stream = match stream {
            Stream::Out => "standard output",
            Stream::Err => "standard error",
        };
        let why = format!("its {stream} is larger than {} bytes", self.limit);
        self.failed(Failure::TooLarge, &why)
    }

    fn failed(&self, kind: Failure, why: &str) -> Answer {
        Answer::failed(kind, format!("`{}`: {why}", self.shown))
    }
}

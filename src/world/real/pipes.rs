//! The output of a command, read while it runs.
//!
//! Three threads block so that nobody else has to: one a stream, one for the end of the
//! command. Each tells one [`Message`].
//!
//! INVARIANT: nobody joins these threads. A pipe that an escaped process holds for ever costs
//! one thread that waits, never the caller's deadline. The waiting thread leaves the ended
//! command unreaped, so that its id cannot be given away while it may still be signalled.

use std::io::Read;
use std::process::Child;
use std::sync::mpsc::{Receiver, Sender, channel};

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// What a thread has to tell.
#[derive(Debug)]
pub enum Message {
    /// The command ended (it is not reaped yet).
    Exited,
    /// A stream was read to its end.
    Closed(Stream, Vec<u8>),
    /// A stream brought more than the limit.
    TooMuch(Stream),
    /// A stream or the command could not be followed.
    Broken(String),
}

/// The two streams of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Follows a child's streams, each up to `limit` bytes, and its end.
///
/// # Errors
/// The system's error if a thread cannot be started.
pub fn follow(child: &mut Child, limit: u64) -> std::io::Result<Receiver<Message>> {
    let (sender, receiver) = channel();
    if let Some(pipe) = child.stdout.take() {
        start(&sender, move || drain(pipe, limit, Stream::Out))?;
    }
    if let Some(pipe) = child.stderr.take() {
        start(&sender, move || drain(pipe, limit, Stream::Err))?;
    }
    let pid = Pid::from_child(child);
    start(&sender, move || wait(pid))?;
    Ok(receiver)
}

fn start(
    sender: &Sender<Message>,
    work: impl FnOnce() -> Message + Send + 'static,
) -> std::io::Result<()> {
    let sender = sender.clone();
    let thread = std::thread::Builder::new().name("belegt-command".to_owned());
    thread.spawn(move || {
        // Nobody listens any more once the command was given up: that is no fault.
        let _ = sender.send(work());
    })?;
    Ok(())
}

fn drain(mut pipe: impl Read, limit: u64, stream: Stream) -> Message {
    let mut bytes = Vec::new();
    let read = (&mut pipe)
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes);
    match read {
        Err(error) => Message::Broken(format!("its output could not be read: {error}")),
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= limit) => {
            Message::Closed(stream, bytes)
        }
        Ok(_) => Message::TooMuch(stream),
    }
}

fn wait(pid: Pid) -> Message {
    loop {
        match waitid(
            WaitId::Pid(pid),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        ) {
            Ok(_) => return Message::Exited,
            Err(Errno::INTR) => {}
            Err(errno) => return Message::Broken(format!("its end could not be seen: {errno}")),
        }
    }
}

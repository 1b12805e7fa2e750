//! Long work of the host under the clocks of the call.
//!
//! A function of the host cannot be interrupted. A pattern over a text takes, at its worst, the
//! product of both lengths: over a large file that was six minutes. Work on a text that is not
//! short runs on a thread of its own, and who asked waits only as long as the call may last;
//! what comes later is dropped, and the call ends with its clock.

use std::sync::mpsc;
use std::thread;

use rhai::NativeCallContext;

use super::{Fallible, frame, misuse};

/// Texts up to this size, in bytes, are worked on at once: the worst pattern takes them less
/// than a second.
const SHORT: usize = 16 * 1024;
/// The stack of the thread, in bytes.
const STACK: usize = 16 * 1024 * 1024;

/// Does a job on a text of this size.
pub fn clocked<R: Send + 'static>(
    ctx: &NativeCallContext,
    size: usize,
    job: impl FnOnce() -> R + Send + 'static,
) -> Fallible<R> {
    if size <= SHORT {
        return Ok(job());
    }
    let frame = frame(ctx)?;
    let (give, take) = mpsc::channel();
    let work = move || drop(give.send(job()));
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    let done = started
        .ok()
        .and_then(|_| take.recv_timeout(frame.left()).ok());
    frame.look_at_clocks();
    done.ok_or_else(|| misuse(ctx, format!("a text of {size} bytes took too long")))
}

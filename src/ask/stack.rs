//! A stack that is big enough for whatever a script leaves behind.
//!
//! INVARIANT: what a script that is not the program's own leaves behind is dropped on such a
//! thread. A script can chain closures, and dropping the chain takes stack for each link: about
//! 210 bytes, and a link takes ten steps (measured). [`MAX_STEPS`] of them need 210 MB, so
//! `DEEP` is more than twice of what any script can reach. Of such a stack only the pages that
//! were touched cost memory.

use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use crate::script::frame::MAX_STEPS;

/// The stack in bytes.
const DEEP: usize = 512 * 1024 * 1024;
/// The same where the system does not give so much.
const SMALLER: usize = 32 * 1024 * 1024;

const _: () = assert!(DEEP as u64 > MAX_STEPS / 10 * 210 * 2);

/// Runs a job on a thread with a deep stack; in the caller's if the system gives no thread. A
/// panic is raised again here.
pub fn with_deep_stack<R: Send>(job: impl FnOnce() -> R + Send) -> Option<R> {
    let slot = Mutex::new(Some(job));
    let take = || {
        let job = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        job.map(|job| job())
    };
    std::thread::scope(|scope| {
        let mut sizes = [DEEP, SMALLER].into_iter();
        let started = sizes.find_map(|size| {
            let thread = Builder::new().stack_size(size);
            thread.spawn_scoped(scope, take).ok()
        });
        match started {
            Some(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => take(),
        }
    })
}

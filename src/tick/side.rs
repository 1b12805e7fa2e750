//! Side by side: one job for each input, on threads whose stack is big enough for scripts.
//!
//! INVARIANT: whatever a script leaves behind is dropped on such a thread. A script can chain
//! closures, and dropping the chain takes stack for each link: about 210 bytes, and a link takes
//! ten steps (measured). [`MAX_STEPS`] of them need 210 MB, so [`STACK`] is more than twice of
//! what any script can reach. Of such a stack only the pages that were touched cost memory.

use crate::script::frame::MAX_STEPS;

/// The stack of a thread that runs scripts, in bytes.
const STACK: usize = 512 * 1024 * 1024;
/// The same where the system does not give so much.
const SMALL_STACK: usize = 32 * 1024 * 1024;
/// How many jobs run at once.
const WIDTH: usize = 16;

const _: () = assert!(STACK as u64 > MAX_STEPS / 10 * 210 * 2);

/// Runs the jobs; the results in the order of the inputs. A job that panics raises its panic
/// again in the caller, so the process as a whole refuses to go on from there.
pub fn side_by_side<T: Send + Sync, R: Send>(
    inputs: Vec<T>,
    job: impl Fn(&T) -> R + Sync,
) -> Vec<(T, R)> {
    let mut results = Vec::with_capacity(inputs.len());
    for some in inputs.chunks(WIDTH) {
        results.extend(at_once(some, &job));
    }
    inputs.into_iter().zip(results).collect()
}

/// Runs one job with a big stack.
pub fn with_stack<R: Send>(job: impl Fn() -> R + Sync) -> R {
    std::thread::scope(|scope| joined(spawn(scope, &job), &job))
}

fn at_once<T: Sync, R: Send>(inputs: &[T], job: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    let jobs: Vec<_> = inputs.iter().map(|input| move || job(input)).collect();
    std::thread::scope(|scope| {
        let started: Vec<_> = jobs.iter().map(|job| spawn(scope, job)).collect();
        let started = started.into_iter().zip(&jobs);
        started.map(|(handle, job)| joined(handle, job)).collect()
    })
}

type Started<'scope, R> = Option<std::thread::ScopedJoinHandle<'scope, R>>;

fn spawn<'scope, 'env, R: Send + 'scope>(
    scope: &'scope std::thread::Scope<'scope, 'env>,
    job: &'scope (impl Fn() -> R + Sync),
) -> Started<'scope, R> {
    [STACK, SMALL_STACK].into_iter().find_map(|size| {
        let thread = std::thread::Builder::new().stack_size(size);
        thread.spawn_scoped(scope, job).ok()
    })
}

/// The result of a thread; a system that gives no thread at all has the caller do the job.
fn joined<R>(handle: Started<'_, R>, job: &impl Fn() -> R) -> R {
    match handle {
        Some(handle) => handle
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        None => job(),
    }
}

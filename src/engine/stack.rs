//! Threads with a stack that is large enough for the deepest search.

use std::cell::Cell;
use std::io;
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};

/// Stack size in bytes.
pub const BYTES: usize = 16 << 20;

thread_local! {
    static HAS_LARGE_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Marks the current thread as having a stack of [`BYTES`], so that [`run`] uses it.
/// For thread pools, which start their threads themselves.
pub fn mark_large() {
    HAS_LARGE_STACK.set(true);
}

/// Starts a thread with a stack of [`BYTES`].
///
/// # Errors
/// The thread could not be started.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let thread = thread::Builder::new().name(name.to_owned()).stack_size(BYTES);
    thread.spawn(|| {
        mark_large();
        work()
    })
}

/// Starts a scoped thread with a stack of [`BYTES`].
///
/// # Errors
/// The thread could not be started.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().stack_size(BYTES).spawn_scoped(scope, || {
        mark_large();
        work()
    })
}

/// Runs `work` on the current thread if its stack is large enough, else on a new
/// thread while this one waits. A panic of `work` resumes on this thread.
///
/// # Errors
/// The thread could not be started.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if HAS_LARGE_STACK.get() {
        return Ok(work());
    }
    let joined: io::Result<_> = thread::scope(|scope| Ok(spawn_scoped(scope, work)?.join()));
    joined?.map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recurses `depth` calls deep, with a stack frame of at least 1 KiB each.
    fn deep(depth: usize) -> usize {
        let frame = std::hint::black_box([depth as u8; 1024]);
        if depth == 0 { 0 } else { deep(depth - 1) + usize::from(frame[0] == depth as u8) }
    }

    #[test]
    fn deep_work_runs_from_a_small_thread() {
        let small = thread::Builder::new().stack_size(256 << 10);
        let done = small.spawn(|| {
            let here = thread::current().id();
            let result = run(|| (deep(8_000), thread::current().id())).unwrap();
            assert!(result.1 != here);
            result.0
        });
        assert_eq!(done.unwrap().join().unwrap(), 8_000);
        let inside = spawn("large", || {
            let here = thread::current().id();
            run(|| thread::current().id()).unwrap() == here
        });
        assert!(inside.unwrap().join().unwrap());
    }
}

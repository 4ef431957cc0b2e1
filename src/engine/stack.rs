//! Threads with enough stack for the deepest search.

use std::cell::Cell;
use std::io;
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};

/// Bytes of such a stack.
pub const BYTES: usize = 16 << 20;

thread_local! {
    static LARGE: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the stack of this thread has [`BYTES`]: for pools that make their
/// threads themselves.
pub fn is_large() {
    LARGE.set(true);
}

/// Starts a thread on which searches run without further ado.
///
/// # Errors
/// The system gives no thread.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let thread = thread::Builder::new().name(name.to_owned()).stack_size(BYTES);
    thread.spawn(|| {
        is_large();
        work()
    })
}

/// The same for a thread that borrows.
///
/// # Errors
/// The system gives no thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().stack_size(BYTES).spawn_scoped(scope, || {
        is_large();
        work()
    })
}

/// Runs some work here if the stack of this thread is large enough, else on a
/// thread of its own while this one waits. A panic goes on here.
///
/// # Errors
/// The system gives no thread.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if LARGE.get() {
        return Ok(work());
    }
    let joined: io::Result<_> = thread::scope(|scope| Ok(spawn_scoped(scope, work)?.join()));
    joined?.map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes `depth` calls deep, of a kilobyte each.
    fn deep(depth: usize) -> usize {
        let frame = std::hint::black_box([depth as u8; 1024]);
        if depth == 0 { 0 } else { deep(depth - 1) + usize::from(frame[0] == depth as u8) }
    }

    #[test]
    fn deep_work_runs_from_a_small_thread() {
        let small = thread::Builder::new().stack_size(256 << 10);
        let done = small.spawn(|| {
            let here = thread::current().id();
            let there = run(|| (deep(8_000), thread::current().id())).unwrap();
            assert!(there.1 != here);
            there.0
        });
        assert_eq!(done.unwrap().join().unwrap(), 8_000);
        let inside = spawn("large", || {
            let here = thread::current().id();
            run(|| thread::current().id()).unwrap() == here
        });
        assert!(inside.unwrap().join().unwrap());
    }
}

//! Long work: other Python threads run meanwhile, and Ctrl-C ends it.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use goren_engine::stack;

/// Time between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on its own thread, with the stack that a search needs. Calls `on_message`, with
/// the interpreter attached, for each message that the work sends. If the handler of a signal
/// raises or `on_message` fails, calls `stop`, and returns the error once the work has ended.
///
/// # Errors
/// Such an exception, or the thread cannot be started.
pub(crate) fn attended<T: Send, M: Send>(
    py: Python<'_>,
    stop: &(dyn Fn() + Sync),
    work: impl FnOnce(&Sender<M>) -> T + Send,
    mut on_message: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let worker = stack::spawn_scoped(scope, move || work(&sender))?;
            let (mut raised, mut last_check) = (None, Instant::now());
            loop {
                let message = match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Err(RecvTimeoutError::Disconnected) => break,
                    _ if raised.is_some() => continue,
                    received => received.ok(),
                };
                let handled = Python::attach(|py| {
                    if let Some(message) = message {
                        on_message(py, message)?;
                    }
                    // Messages may come faster than signals are checked.
                    if last_check.elapsed() < SIGNAL_INTERVAL {
                        return Ok(());
                    }
                    last_check = Instant::now();
                    py.check_signals()
                });
                if let Err(error) = handled {
                    raised = Some(error);
                    stop();
                }
            }
            match (worker.join(), raised) {
                (_, Some(error)) => Err(error),
                (Ok(result), None) => Ok(result),
                // PyO3 turns the panic into a Python exception.
                (Err(panic), None) => std::panic::resume_unwind(panic),
            }
        })
    })
}

/// As [`attended`], for work that sends nothing.
///
/// # Errors
/// As [`attended`].
pub(crate) fn quietly<T: Send>(
    py: Python<'_>,
    stop: &(dyn Fn() + Sync),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    attended(py, stop, |_: &Sender<()>| work(), |_, ()| Ok(()))
}

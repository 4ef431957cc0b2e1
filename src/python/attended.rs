//! Work that takes long: other threads of Python go on meanwhile, and Ctrl-C ends it.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use goren_engine::stack;

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(20);

/// Runs `work` on a thread of its own, with the stack that a search needs. What it sends
/// is handed to `on_message`, which holds the interpreter. A signal whose handler raises, or
/// an error of `on_message`, calls `stop` and is returned once the work has ended.
///
/// # Errors
/// Such an exception, or there is no thread.
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
            let (mut raised, mut looked) = (None, Instant::now());
            loop {
                let message = match receiver.recv_timeout(LOOK) {
                    Err(RecvTimeoutError::Disconnected) => break,
                    _ if raised.is_some() => continue,
                    received => received.ok(),
                };
                let handled = Python::attach(|py| {
                    if let Some(message) = message {
                        on_message(py, message)?;
                    }
                    // Messages may come more quickly than the time between two looks.
                    if looked.elapsed() < LOOK {
                        return Ok(());
                    }
                    looked = Instant::now();
                    py.check_signals()
                });
                if let Err(error) = handled {
                    raised = Some(error);
                    stop();
                }
            }
            match (worker.join(), raised) {
                (_, Some(error)) => Err(error),
                (Ok(done), None) => Ok(done),
                // It becomes an exception of Python.
                (Err(panic), None) => std::panic::resume_unwind(panic),
            }
        })
    })
}

/// The same for work that sends nothing.
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

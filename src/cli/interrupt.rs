//! Searches that the user may interrupt by Enter or Ctrl-C.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use goren_engine::Control;

/// How often the terminal is polled for input.
const POLL_INTERVAL: Duration = Duration::from_millis(30);

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C interrupts a watched search instead of ending the program.
pub(crate) fn take_interrupts() {
    static TAKEN: OnceLock<()> = OnceLock::new();
    TAKEN.get_or_init(|| {
        // If the system refuses the handler, Ctrl-C ends the program.
        let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Relaxed));
    });
}

/// Runs `work` and stops it by `control` when the user interrupts it.
pub(crate) fn while_watched<T>(control: &Control, work: impl FnOnce() -> T) -> T {
    INTERRUPTED.store(false, Relaxed);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                if INTERRUPTED.load(Relaxed) || is_typed(POLL_INTERVAL) {
                    return control.stop();
                }
            }
        });
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

/// The key that interrupts the search.
pub(crate) const INTERRUPT_KEY: &str = if cfg!(unix) { "Enter" } else { "Ctrl-C" };

/// Whether the user types a line within `wait`. Consumes the line.
#[cfg(unix)]
fn is_typed(wait: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::{BufRead, Read};
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let nanos = wait.subsec_nanos().into();
    let waited = poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: nanos }));
    let typed = matches!(waited, Ok(1..)) && fds[0].revents().contains(PollFlags::IN);
    if typed {
        // A terminal delivers a line at a time; the limit is for input without line ends.
        let mut line = Vec::new();
        let _ = stdin.lock().take(4096).read_until(b'\n', &mut line);
    }
    typed
}

/// On other systems only Ctrl-C interrupts.
#[cfg(not(unix))]
fn is_typed(wait: Duration) -> bool {
    thread::sleep(wait);
    false
}

//! Progress of work that may take longer than people wait in silence: a line that
//! changes at a terminal, a line now and then in a log. Both on standard error.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Before this nothing is shown.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a log hears of it.
const TELL: Duration = Duration::from_secs(10);
/// How often the line of a terminal changes.
const TICK: Duration = Duration::from_millis(100);

/// Does some work of unknown length, and shows `what` it is and how long it takes.
pub(crate) fn while_waiting<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (end, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || wait(what, &ended));
        let done = work();
        drop(end);
        done
    })
}

fn wait(what: &str, ended: &mpsc::Receiver<()>) {
    let begun = Instant::now();
    let more = |wait| matches!(ended.recv_timeout(wait), Err(mpsc::RecvTimeoutError::Timeout));
    if !more(PATIENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner().with_elapsed(begun.elapsed());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    if bar.is_hidden() {
        while more(TELL) {
            eprintln!("{what}: {:.0} s", begun.elapsed().as_secs_f64());
        }
        return;
    }
    while more(TICK) {
        bar.tick();
    }
    bar.finish_and_clear();
}

/// Steps of a known number that are done.
pub(crate) struct Steps {
    bar: ProgressBar,
    what: &'static str,
    told: Mutex<Instant>,
}

impl Steps {
    /// So many steps, called `what`, of which some were `done` before.
    pub(crate) fn new(steps: u64, done: u64, what: &'static str) -> Steps {
        let bar = ProgressBar::new(steps);
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}}, {{eta}} to go");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        Steps { bar, what, told: Mutex::new(Instant::now()) }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
        if self.bar.is_hidden() {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.elapsed() >= TELL {
                *told = Instant::now();
                let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
                eprintln!("{done} of {all} {}", self.what);
            }
        }
    }

    /// Prints something on standard output beside it.
    pub(crate) fn print(&self, text: &str) {
        self.bar.suspend(|| println!("{text}"));
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

//! Progress of work that may take longer than people wait in silence: a line that
//! changes at a terminal, a line now and then in a log. Both on standard error.

use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::lock::lock;

/// Before this nothing is shown.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between the lines in a log.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);
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
        while more(REPORT_INTERVAL) {
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
    reported: Mutex<Instant>,
}

impl Steps {
    /// Progress of `steps` steps, called `what`, of which `done` were done before.
    pub(crate) fn new(steps: u64, done: u64, what: &'static str) -> Steps {
        let bar = ProgressBar::new(steps);
        let template =
            format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}}, {{eta}} to go{{msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        Steps { bar, what, reported: Mutex::new(Instant::now()) }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.set_message("");
        self.bar.inc(1);
        self.log();
    }

    /// The next step was tried `tries` times.
    pub(crate) fn tried(&self, tries: u64) {
        self.bar.set_message(format!(", {tries} tries at the next"));
        self.log();
    }

    /// Tells a log, if it is time to, how far it is.
    fn log(&self) {
        if !self.bar.is_hidden() {
            return;
        }
        let mut reported = lock(&self.reported);
        if reported.elapsed() >= REPORT_INTERVAL {
            *reported = Instant::now();
            eprintln!("{}", self.text());
        }
    }

    /// How far it is, in words.
    fn text(&self) -> String {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        format!("{done} of {all} {}{}", self.what, self.bar.message())
    }

    /// Prints something on standard output beside it.
    pub(crate) fn print(&self, text: &str) {
        self.beside(|| println!("{text}"));
    }

    /// Does something that may print on standard output beside it.
    pub(crate) fn beside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_at_the_next_step_are_told_until_it_is_done() {
        let steps = Steps::new(3, 1, "openings");
        assert_eq!(steps.text(), "1 of 3 openings");
        steps.tried(40);
        assert_eq!(steps.text(), "1 of 3 openings, 40 tries at the next");
        steps.step();
        assert_eq!(steps.text(), "2 of 3 openings");
    }
}

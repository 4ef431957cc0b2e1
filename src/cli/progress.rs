//! Progress display of long work, on standard error: a changing line at a terminal,
//! a line now and then in a log.

use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::lock::lock;

/// Delay before anything is shown.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between the lines in a log.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);
/// Update interval of the line at a terminal.
const TICK: Duration = Duration::from_millis(100);

/// Runs `work` of unknown length; shows its name `what` and the time it takes.
pub(crate) fn with_spinner<T>(what: &str, work: impl FnOnce() -> T) -> T {
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

/// Progress of work with a known number of steps.
pub(crate) struct Steps {
    bar: ProgressBar,
    what: &'static str,
    last_report: Mutex<Instant>,
}

impl Steps {
    /// Progress of `steps` steps, named `what`, of which `done` are done already.
    pub(crate) fn new(steps: u64, done: u64, what: &'static str) -> Steps {
        let bar = ProgressBar::new(steps);
        let template =
            format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}}, {{eta}} to go{{msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        Steps { bar, what, last_report: Mutex::new(Instant::now()) }
    }

    /// Counts another step as done.
    pub(crate) fn step(&self) {
        self.bar.set_message("");
        self.bar.inc(1);
        self.log();
    }

    /// Shows that the next step was tried `tries` times.
    pub(crate) fn tried(&self, tries: u64) {
        self.bar.set_message(format!(", {tries} tries at the next"));
        self.log();
    }

    /// Without a terminal, prints a line if the last one is old enough.
    fn log(&self) {
        if !self.bar.is_hidden() {
            return;
        }
        let mut last_report = lock(&self.last_report);
        if last_report.elapsed() >= REPORT_INTERVAL {
            *last_report = Instant::now();
            eprintln!("{}", self.text());
        }
    }

    /// The progress in words.
    fn text(&self) -> String {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        format!("{done} of {all} {}{}", self.what, self.bar.message())
    }

    /// Prints a line on standard output; hides the bar meanwhile.
    pub(crate) fn print(&self, text: &str) {
        self.beside(|| println!("{text}"));
    }

    /// Runs `work`, which may print on standard output; hides the bar meanwhile.
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
    fn tries_are_shown_until_the_step_is_done() {
        let steps = Steps::new(3, 1, "openings");
        assert_eq!(steps.text(), "1 of 3 openings");
        steps.tried(40);
        assert_eq!(steps.text(), "1 of 3 openings, 40 tries at the next");
        steps.step();
        assert_eq!(steps.text(), "2 of 3 openings");
    }
}

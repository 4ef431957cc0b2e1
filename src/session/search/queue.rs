//! The running search, and the commands queued until its answer.
//!
//! At the end of input, a script that has piped its commands still wants all answers, but
//! a manager that closes the pipe to stop the engine must not wait long. So every queued
//! command is answered: the running search keeps the rest of its time, at most
//! [`MAX_CLOSING_TIME`], and the queued searches share as much again, each within its own
//! time. The clock of a queued search runs from its start, since no manager measures it any
//! more. Only a stop command cuts a search short. The engine does not ponder then, and
//! `END` still ends everything at once.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use goren_protocol::{Event, Reply};

use super::active_search::ActiveSearch;
use super::closing::{Closing, MAX_CLOSING_TIME};
use super::command_kind::CommandKind;
use super::job::{Job, SearchEvent};
use super::overtaking::{Handling, Running};
use super::thread::SearchThread;
use crate::state::settings::RuleVariant;
use goren_engine::Clock;

/// Maximum number of queued commands: no client needs as many, and it bounds the memory that
/// a runaway client can fill.
pub const MAX_WAITING: usize = 1 << 14;

/// The running search, if any, and the commands queued behind it.
pub struct SearchQueue {
    thread: SearchThread,
    active: Option<ActiveSearch>,
    /// Commands queued until the answer, each with the time of its arrival.
    waiting: VecDeque<(Event, Instant)>,
    /// Set after the end of input.
    closing: Option<Closing>,
}

impl SearchQueue {
    /// Starts the search thread, which calls `observer`.
    ///
    /// # Errors
    /// The system provides no thread.
    pub fn start(observer: Box<dyn FnMut(SearchEvent) + Send>) -> io::Result<SearchQueue> {
        let thread = SearchThread::start(observer)?;
        Ok(SearchQueue { thread, active: None, waiting: VecDeque::new(), closing: None })
    }

    /// Kind of the running search, if any.
    pub fn running(&self) -> Option<Running> {
        self.active.as_ref().map(|active| Running::of(active.task))
    }

    /// Whether an answer is due: a search for a command runs, or commands wait behind
    /// pondering.
    pub fn is_answer_due(&self) -> bool {
        match self.running() {
            None => false,
            Some(Running::Pondering) => !self.waiting.is_empty(),
            Some(_) => true,
        }
    }

    /// Whether no command is queued.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether no more commands can be queued.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= MAX_WAITING
    }

    /// Whether commands are queued, and all of them are asides ([`CommandKind::Aside`]).
    pub fn only_asides_wait(&self) -> bool {
        !self.waiting.is_empty() && self.all_are_asides()
    }

    /// Whether no queued command is anything but an aside.
    fn all_are_asides(&self) -> bool {
        self.waiting.iter().all(|(event, _)| CommandKind::of(event) == CommandKind::Aside)
    }

    /// Whether the input has ended.
    pub fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// The search in progress.
    pub fn active(&mut self) -> Option<&mut ActiveSearch> {
        self.active.as_mut()
    }

    /// Hands a job to the search thread.
    ///
    /// # Errors
    /// The search thread has ended; the job comes back.
    pub fn begin(&mut self, job: Job, mut active: ActiveSearch) -> Result<(), Box<Job>> {
        let started = active.allowance.started();
        active.latest_end = self.closing.as_ref().map(|closing| started + closing.share());
        active.control.set_end(active.latest_end);
        self.thread.begin(job)?;
        self.active = Some(active);
        Ok(())
    }

    /// Removes the search that has ended, and returns it.
    pub fn end(&mut self) -> Option<ActiveSearch> {
        self.active.take()
    }

    /// Stops the search, if one is running.
    pub fn stop(&self) {
        if let Some(active) = &self.active {
            active.control.stop();
        }
    }

    /// Stops the search, or suppresses its answer, as the handling of a new command requires.
    /// Returns whether to obey the command at once; otherwise it must be queued.
    pub fn admits(&mut self, handling: Handling) -> bool {
        let Some(active) = &mut self.active else { return true };
        match handling {
            Handling::StopNow => {
                active.control.stop();
                active.halted = true;
            }
            Handling::StopAndQueue => active.control.stop(),
            Handling::SuppressAndQueue => {
                let stopped_before = active.control.stopped();
                active.control.stop();
                // The fork of Yixin-Board stops such a step before it shows another position.
                active.answer_suppressed |= active.discards_move || !stopped_before;
            }
            Handling::Now
            | Handling::NowAndApplyClock
            | Handling::ApplyClockPastAsides
            | Handling::Queue => {}
        }
        match handling {
            Handling::Now | Handling::NowAndApplyClock | Handling::StopNow => {
                self.waiting.is_empty()
            }
            Handling::ApplyClockPastAsides => self.all_are_asides(),
            Handling::Queue | Handling::StopAndQueue | Handling::SuppressAndQueue => false,
        }
    }

    /// Applies a changed clock to the search.
    pub fn apply_clock(&self, clock: &Clock) {
        let Some(active) = &self.active else { return };
        let ends = [active.allowance.end_by(clock), active.latest_end];
        let end = ends.into_iter().flatten().min();
        active.control.set_end(end);
        if end.is_some_and(|end| end <= Instant::now()) {
            // The search is out of time and stops; a longer time sent later is for the next
            // move.
            active.control.stop();
        }
    }

    /// Queues a command that arrived at `arrived`.
    pub fn push(&mut self, event: Event, arrived: Instant) {
        self.waiting.push_back((event, arrived));
    }

    /// Keeps the forbidden points for a query during the search.
    pub fn keep_forbidden(&mut self, known: Option<(RuleVariant, Reply)>) {
        if let Some(active) = &mut self.active {
            active.forbidden = known;
        }
    }

    /// Drops the kept forbidden points unless they are those of the rule `current`.
    pub fn forget_forbidden_unless(&mut self, current: Option<RuleVariant>) {
        if let Some(active) = &mut self.active {
            active.forbidden.take_if(|(rule, _)| current != Some(*rule));
        }
    }

    /// The forbidden points kept for the search.
    pub fn forbidden(&self) -> Option<&Reply> {
        self.active.as_ref()?.forbidden.as_ref().map(|(_, reply)| reply)
    }

    /// Records the end of input, and limits the time of the search.
    pub fn close(&mut self) {
        self.closing = Some(Closing { until: None, queued_behind: 0 });
        if let Some(active) = &mut self.active {
            let latest = Instant::now() + MAX_CLOSING_TIME;
            let end = active.control.end().map_or(latest, |earlier| earlier.min(latest));
            active.latest_end = Some(end);
            active.control.set_end(active.latest_end);
        }
    }

    /// Takes the queued commands after the search has ended. After the end of input, the
    /// common time of their searches starts here.
    pub fn take_waiting(&mut self) -> VecDeque<(Event, Instant)> {
        if let Some(closing) = &mut self.closing {
            closing.until.get_or_insert_with(|| Instant::now() + MAX_CLOSING_TIME);
        }
        std::mem::take(&mut self.waiting)
    }

    /// Returns when the clock of a queued command starts, which arrived at `arrived` and has
    /// the commands `behind` queued after it: on arrival, or now after the end of input.
    pub fn clock_start(
        &mut self,
        arrived: Instant,
        behind: &VecDeque<(Event, Instant)>,
    ) -> Instant {
        let Some(closing) = &mut self.closing else { return arrived };
        let is_search = |event: &Event| CommandKind::of(event) == CommandKind::Search;
        let searches = behind.iter().filter(|(event, _)| is_search(event)).count();
        closing.queued_behind = u32::try_from(searches).unwrap_or(u32::MAX - 1);
        Instant::now()
    }
}

impl Drop for SearchQueue {
    /// Stops the search, as nobody waits for its answer any more.
    fn drop(&mut self) {
        self.stop();
    }
}

//! The running search, and the commands that wait for its answer.
//!
//! At the end of the input a script that pipes its commands and closes the pipe
//! wants all answers; a manager that closes it to stop the engine must not wait
//! long. So every pending command is answered: the running search keeps the rest of
//! its time, at most [`LONGEST`]; the queued searches share as long again, each
//! within its own time. The clock of a queued search runs from its start, as no
//! manager measures it any more, and only a stop command cuts a search short. There
//! is no pondering, and `END` ends everything at once.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use goren_protocol::{Event, Reply};

use super::active_search::ActiveSearch;
use super::closing::{Closing, LONGEST, is_search};
use super::job::{Job, SearchEvent};
use super::overtaking::{Rule, Running, is_aside};
use super::thread::SearchThread;
use crate::state::settings::RuleVariant;
use goren_engine::Clock;

/// The running search, if any, and what waits for its answer.
pub struct SearchQueue {
    thread: SearchThread,
    active: Option<ActiveSearch>,
    /// What came during the search and must wait for its answer.
    waiting: VecDeque<(Event, Instant)>,
    /// That no more commands will come.
    closing: Option<Closing>,
}

impl SearchQueue {
    /// Starts the search thread. `tell` is called from it.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(tell: Box<dyn FnMut(SearchEvent) + Send>) -> io::Result<SearchQueue> {
        let thread = SearchThread::start(tell)?;
        Ok(SearchQueue { thread, active: None, waiting: VecDeque::new(), closing: None })
    }

    /// What is being searched.
    pub fn running(&self) -> Option<Running> {
        self.active.as_ref().map(|active| Running::of(active.task))
    }

    /// Whether an answer is due.
    pub fn is_answer_due(&self) -> bool {
        match self.running() {
            None => false,
            Some(Running::Pondering) => !self.waiting.is_empty(),
            Some(_) => true,
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the input has ended.
    pub fn is_closing(&self) -> bool {
        self.closing.is_some()
    }

    /// The search in progress.
    pub fn active(&mut self) -> Option<&mut ActiveSearch> {
        self.active.as_mut()
    }

    /// Begins a search.
    ///
    /// # Errors
    /// The search thread is gone; the job comes back.
    pub fn begin(&mut self, job: Job, mut active: ActiveSearch) -> Result<(), Box<Job>> {
        active.latest_end = self.closing.as_ref().map(Closing::share);
        active.latest_end.into_iter().for_each(|end| active.control.cap(end));
        self.thread.begin(job)?;
        self.active = Some(active);
        Ok(())
    }

    /// The search has ended.
    pub fn end(&mut self) -> Option<ActiveSearch> {
        self.active.take()
    }

    /// Stops the search.
    pub fn stop(&self) {
        if let Some(active) = &self.active {
            active.control.stop();
        }
    }

    /// Does to the search what a rule says when a command comes. Whether the command
    /// is to be obeyed at once; otherwise it waits.
    pub fn admits(&mut self, rule: Rule) -> bool {
        let Some(active) = &mut self.active else { return true };
        match rule {
            Rule::StopNow | Rule::StopAndQueue => active.control.stop(),
            Rule::ForsakeAndQueue => {
                let asked_for = active.control.stopped();
                active.control.stop();
                active.forsaken |= !asked_for;
            }
            Rule::Now | Rule::Hurry | Rule::HurryBehindAsides | Rule::Queue => {}
        }
        match rule {
            Rule::Now | Rule::Hurry | Rule::StopNow => self.waiting.is_empty(),
            Rule::HurryBehindAsides => self.waiting.iter().all(|(event, _)| is_aside(event)),
            Rule::Queue | Rule::StopAndQueue | Rule::ForsakeAndQueue => false,
        }
    }

    /// Applies changed times to the search.
    pub fn hurry(&self, clock: &Clock) {
        let Some(active) = &self.active else { return };
        let hard = active.allowance.end_by(clock);
        let hard = active.latest_end.map_or(hard, |end| end.min(hard));
        active.control.cap(hard);
        if hard <= active.allowance.started().elapsed() {
            // For good: a longer time that comes later is for the next move.
            active.control.stop();
        }
    }

    /// Has a command wait that came at `arrived`.
    pub fn push(&mut self, event: Event, arrived: Instant) {
        self.waiting.push_back((event, arrived));
    }

    /// Keeps the forbidden points for a question during the search.
    pub fn keep_forbidden(&mut self, known: Option<(RuleVariant, Reply)>) {
        if let Some(active) = &mut self.active {
            active.forbidden = known;
        }
    }

    /// Forgets the forbidden points unless they are those of this rule.
    pub fn forget_forbidden_unless(&mut self, now: Option<RuleVariant>) {
        if let Some(active) = &mut self.active {
            active.forbidden.take_if(|(rule, _)| now != Some(*rule));
        }
    }

    /// The forbidden points, if they are known during the search.
    pub fn forbidden(&self) -> Option<&Reply> {
        self.active.as_ref()?.forbidden.as_ref().map(|(_, reply)| reply)
    }

    /// No more commands will come.
    pub fn close(&mut self) {
        self.closing = Some(Closing { until: None, behind: 0 });
        if let Some(active) = &mut self.active {
            let end = active.allowance.started().elapsed() + LONGEST;
            let end = active.control.latest_end().map_or(end, |earlier| earlier.min(end));
            active.latest_end = Some(end);
            active.control.cap(end);
        }
    }

    /// Takes out all that waited for the search that has ended. After the end of the
    /// input the time of those searches begins.
    pub fn take_waiting(&mut self) -> VecDeque<(Event, Instant)> {
        if let Some(closing) = &mut self.closing {
            closing.until.get_or_insert_with(|| Instant::now() + LONGEST);
        }
        std::mem::take(&mut self.waiting)
    }

    /// Since when the clock of a command runs that came at `arrived` and waited
    /// before others.
    pub fn since_when(&mut self, arrived: Instant, behind: &VecDeque<(Event, Instant)>) -> Instant {
        let Some(closing) = &mut self.closing else { return arrived };
        let searches = behind.iter().filter(|(event, _)| is_search(event)).count();
        closing.behind = u32::try_from(searches).unwrap_or(u32::MAX - 1);
        Instant::now()
    }
}

impl Drop for SearchQueue {
    /// Nobody waits for the answer any more.
    fn drop(&mut self) {
        self.stop();
    }
}

//! The search thread, which leaves the session free to read commands.
//!
//! A job lends it games, and the decision returns them. The thread never reads commands and
//! never prints. All its events go through one function, reports before their decision.

use std::hint::black_box;
use std::io;
use std::sync::mpsc::{self, Sender};

use super::job::{Decision, Job, Lent, SearchEvent};
use super::progress::ProgressReporter;
use crate::order::task::Task;
use goren_engine::stack;

/// Handle of the search thread. The thread ends after its job when this is dropped.
pub struct SearchThread {
    jobs: Sender<Job>,
}

impl SearchThread {
    /// Starts the thread, which calls `observer`.
    ///
    /// # Errors
    /// The system provides no thread.
    pub fn start(mut observer: Box<dyn FnMut(SearchEvent) + Send>) -> io::Result<SearchThread> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        stack::spawn("think", move || {
            touch_stack(STACK_TOUCHED);
            for job in inbox {
                let (lent, decision) = work(job, &mut observer);
                observer(SearchEvent::Done { lent, decision });
            }
        })?;
        Ok(SearchThread { jobs })
    }

    /// Hands over a job.
    ///
    /// # Errors
    /// The thread has ended; the job comes back.
    pub fn begin(&self, job: Job) -> Result<(), Box<Job>> {
        self.jobs.send(job).map_err(|returned| Box::new(returned.0))
    }
}

/// Stack that most searches need.
const STACK_TOUCHED: usize = 512 << 10;

/// Touches `bytes` of the stack, so that no search waits for page faults.
#[inline(never)]
fn touch_stack(bytes: usize) {
    let page = black_box([0_u8; 4096]);
    if bytes > page.len() {
        touch_stack(bytes - page.len());
    }
    black_box(page);
}

fn work(job: Job, observer: &mut (dyn FnMut(SearchEvent) + Send)) -> (Lent, Decision) {
    let Job { mut lent, task, request, strength, seed, verbosity } = job;
    let mut reporter = ProgressReporter::new(observer, verbosity);
    let game = lent.searched();
    let decision = match task {
        Task::Balance(wanted) => {
            Decision::Balance(wanted, game.decider.balance(&game.game_state, wanted, &request))
        }
        Task::Move | Task::Analyse | Task::Ponder | Task::Opening | Task::OpeningStep => {
            game.decider.report_choices(task == Task::Opening);
            game.decider.limit_strength(strength, seed);
            let decided =
                game.decide(&request, &mut |report| reporter.on_report(report)).map(Box::new);
            // The last search says nothing about opening stones, nor about a move chosen
            // at random.
            let opens = task == Task::Opening && game.game_state.actions().is_empty();
            let info = decided.as_ref().map(|decided| &decided.info);
            reporter.end(info.filter(|_| !opens && strength.is_full()));
            Decision::Ply(decided)
        }
    };
    if request.defend {
        let (moves_not_losing, lost) = reporter.moves_not_losing();
        if lost > 0 || !moves_not_losing.is_empty() {
            observer(SearchEvent::Holding(moves_not_losing.iter().collect(), lost));
        }
    }
    (lent, decision)
}

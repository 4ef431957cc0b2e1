//! The thread that thinks, so that the session can go on reading.
//!
//! A game is lent to it with a job and comes back with the decision. Never
//! reads commands, never prints; what it has to tell goes through one
//! function, reports before the decision they belong to.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::swap2;
use crate::search::{Answer, Control, Game, Info, Limits, STACK_BYTES};
use crate::tt::Table;
use crate::types::{Cell, Move};

/// Reports nearer to each other are held back: managers with slow readers
/// choke on floods. The last one before a decision always comes.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// What to decide.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// The next move.
    Move,
    /// The three stones that begin swap2.
    Open,
    /// Swap2 after three or five stones: which colour to play.
    Choose,
}

/// What was decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A move of the side to move.
    Move(Move),
    /// To take the other colour.
    Swap,
    /// The stones that begin swap2.
    Open([Cell; 3]),
}

/// A game, and what to decide about it.
pub struct Job {
    /// The game; lent.
    pub game: Box<dyn Game>,
    /// What to decide.
    pub task: Task,
    /// The table to use.
    pub table: Arc<Table>,
    /// What bounds the search.
    pub limits: Limits,
    /// The strings to pull.
    pub control: Arc<Control>,
}

/// What the thinking thread tells.
pub enum Thought {
    /// An iteration is finished.
    Report(Info),
    /// The job is done.
    Done {
        /// The game, as it was before.
        game: Box<dyn Game>,
        /// What was decided.
        decision: Decision,
    },
}

/// The thinking thread. It ends when this is dropped, once its job is done.
pub struct Thinker {
    jobs: Sender<Job>,
}

impl Thinker {
    /// Starts the thread. `tell` is called from it.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(mut tell: Box<dyn FnMut(Thought) + Send>) -> io::Result<Thinker> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        thread::Builder::new().name("think".into()).stack_size(STACK_BYTES).spawn(move || {
            for job in inbox {
                let (game, decision) = work(job, &mut tell);
                tell(Thought::Done { game, decision });
            }
        })?;
        Ok(Thinker { jobs })
    }

    /// Hands over a job.
    ///
    /// # Errors
    /// The thread is gone; the job comes back.
    pub fn begin(&self, job: Job) -> Result<(), Box<Job>> {
        self.jobs.send(job).map_err(|returned| Box::new(returned.0))
    }
}

fn work(job: Job, tell: &mut dyn FnMut(Thought)) -> (Box<dyn Game>, Decision) {
    let Job { mut game, task, table, limits, control } = job;
    let mut printed = Duration::ZERO;
    let mut last = None;
    let mut report = |info: &Info| {
        if info.elapsed >= printed + REPORT_INTERVAL {
            printed = info.elapsed;
            last = Some(what_matters(info));
            tell(Thought::Report(info.clone()));
        }
    };
    let decided = match task {
        Task::Move => {
            let answer = game.think(&table, &limits, &control, &mut report);
            Some((Decision::Move(answer.best), answer))
        }
        Task::Choose => Some(swap2::choose(game.as_mut(), &table, &limits, &control, &mut report)),
        Task::Open => None,
    };
    let decision = match decided {
        Some((decision, Answer { info, .. })) => {
            if info.depth > 0 && last != Some(what_matters(&info)) {
                tell(Thought::Report(info));
            }
            decision
        }
        None => Decision::Open(swap2::open(game.as_mut(), &table, &limits, &control)),
    };
    (game, decision)
}

/// A report without what grows by itself.
fn what_matters(info: &Info) -> (u32, i32, Vec<Move>) {
    (info.depth, info.score, info.pv.clone())
}

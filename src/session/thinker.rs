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

use super::decide::{Decision as PlyDecision, Means};
use super::swap2;
use super::table::{self, TableGame};
use crate::search::{Answer, Control, Game, Info, Limits, Report, STACK_BYTES};
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
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// A ply of a table game; none if it is over.
    Ply(Option<Box<PlyDecision>>),
    /// A move of the side to move.
    Move(Move),
    /// To take the other colour.
    Swap,
    /// The stones that begin swap2.
    Open([Cell; 3]),
}

/// A game that is lent to the thinking thread.
pub enum Lent {
    /// One of the Gomocup protocol.
    Game(Box<dyn Game>),
    /// Any other, or with an opening.
    Table(Box<TableGame>),
}

/// A game, and what to decide about it.
pub struct Job {
    /// The game.
    pub lent: Lent,
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
        lent: Lent,
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
                let (lent, decision) = work(job, &mut tell);
                tell(Thought::Done { lent, decision });
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

fn work(job: Job, tell: &mut dyn FnMut(Thought)) -> (Lent, Decision) {
    let Job { mut lent, task, table, limits, control } = job;
    let mut printed = Duration::ZERO;
    let mut last = None;
    let mut report = |report: &Report| {
        let Some(info) = report.best_line() else { return };
        if info.elapsed >= printed + REPORT_INTERVAL {
            printed = info.elapsed;
            last = Some(what_matters(info));
            tell(Thought::Report(info.clone()));
        }
    };
    let decided = match &mut lent {
        Lent::Table(game) => {
            let means = Means { table: &table, limits: &limits, control: &control };
            let decided = table::decide(game, &means, &mut report).map(Box::new);
            let info = decided.as_ref().map(|decided| decided.info.clone());
            Some((Decision::Ply(decided), info))
        }
        Lent::Game(game) => match task {
            Task::Move => {
                let Answer { best, info } = game.think(&table, &limits, &control, &mut report);
                Some((Decision::Move(best), Some(info)))
            }
            Task::Choose => {
                let (decision, answer) =
                    swap2::choose(game.as_mut(), &table, &limits, &control, &mut report);
                Some((decision, Some(answer.info)))
            }
            Task::Open => None,
        },
    };
    let decision = match (decided, &mut lent) {
        (Some((decision, info)), _) => {
            if let Some(info) = info
                && info.depth > 0
                && last != Some(what_matters(&info))
            {
                tell(Thought::Report(info));
            }
            decision
        }
        (None, Lent::Game(game)) => {
            Decision::Open(swap2::open(game.as_mut(), &table, &limits, &control))
        }
        (None, Lent::Table(_)) => Decision::Ply(None),
    };
    (lent, decision)
}

/// A report without what grows by itself.
fn what_matters(info: &Info) -> (u32, i32, Vec<Move>) {
    (info.depth, info.score, info.pv.clone())
}

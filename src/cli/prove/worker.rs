//! One thread that works on a tree: takes a position, searches for a win by threats or
//! tries a move there, and returns the result.

use fxhash::FxHashMap;

use crate::prove::finder::MoveFinder;
use crate::prove::tree::{NewAttack, PositionTask, SURE_SCORE, TaskResult, ThreadJob, Tried};
use goren_core::types::{Cell, CellSet, Color, Stone};
use goren_proof::{Answers, Checker, Claim};

/// Factors of the budgets for the first moves of a tree, by their number: there are few of
/// them, and much depends on each. The first factor is for answers to replies to the root.
const EARLY_FACTORS: [u64; 4] = [1_000, 64, 8, 2];

/// Limits of the searches of one position, in nodes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Budgets {
    /// Quick search for a win by threats, at every reply.
    pub(crate) quick_nodes: u64,
    /// Longer search for a win by threats, where the quick one fails.
    pub(crate) vct_nodes: u64,
    /// Search for a win by threats in which the defender passes.
    pub(crate) pass_nodes: u64,
    /// Search for a move to try; grows with the number of moves tried before.
    pub(crate) move_nodes: u64,
}

impl Budgets {
    /// Budgets without options.
    pub(crate) const DEFAULT: Budgets =
        Budgets { quick_nodes: 1_000, vct_nodes: 10_000, pass_nodes: 10_000, move_nodes: 20_000 };
}

/// Checker and solvers of a thread.
pub(super) struct ProofWorker {
    pub(super) checker: Checker<MoveFinder>,
    attacker: Color,
    /// Whether the attacker is to move at the root.
    attacks_first: bool,
    budgets: Budgets,
}

impl ProofWorker {
    pub(super) fn new(claim: &Claim, finder: MoveFinder, budgets: Budgets) -> ProofWorker {
        let Claim { setup, attacker, ref root } = *claim;
        let checker = Checker::new(setup, attacker, finder).without_paths();
        let attacks_first = root.to_move == attacker;
        ProofWorker { checker, attacker, attacks_first, budgets }
    }

    /// Sets up a position.
    pub(super) fn set_up(&mut self, stones: &[(Cell, Stone)]) {
        let board = &mut self.checker.board;
        let same = board.stones().iter().zip(stones).take_while(|(a, b)| a == b).count();
        while board.stones().len() > same {
            board.take_back();
        }
        for &(cell, stone) in &stones[same..] {
            if let Stone::Of(color) = stone {
                // Cannot fail: the stones were placed before.
                let _ = board.place(cell, color);
            }
        }
    }

    /// Sets up a position for a quick search.
    fn quick_set_up(&mut self, stones: &[(Cell, Stone)]) {
        self.set_up(stones);
        self.checker.answers.threats = self.budgets.quick_nodes;
        self.checker.answers.passed = self.budgets.pass_nodes;
    }

    /// Returns the defender's replies that need an answer; `None` if the defender wins or
    /// draws.
    pub(super) fn replies(&mut self, stones: &[(Cell, Stone)]) -> Option<CellSet> {
        self.quick_set_up(stones);
        self.checker.to_answer(true).ok()
    }

    /// Returns the position after such a reply for the tree; `None` if a quick search proves
    /// it.
    pub(super) fn reply(&mut self, stones: &[(Cell, Stone)], reply: Cell) -> Option<NewAttack> {
        self.quick_set_up(stones);
        let open = self.checker.answer(reply, true).is_err();
        open.then(|| self.after(reply))
    }

    /// Returns the position after a reply for the tree.
    pub(super) fn after(&self, reply: Cell) -> NewAttack {
        let board = &self.checker.board;
        let keys = board.toggled(board.keys(), reply, !self.attacker);
        let canonical = board.canonical(&keys);
        let added = [(reply, Stone::Of(!self.attacker))];
        let stones = [board.stones(), &added].concat().into_boxed_slice();
        NewAttack { stones, whole: canonical.whole, key: canonical.key() }
    }

    /// Returns the positions after the defender's replies that a quick search does not prove;
    /// `None` if the defender wins or draws.
    fn open_replies(&mut self, stones: &[(Cell, Stone)]) -> Option<Vec<NewAttack>> {
        self.quick_set_up(stones);
        let replies = self.checker.left(true).ok()?;
        Some(replies.into_iter().map(|reply| self.after(reply)).collect())
    }

    /// Returns the attacker's position for the tree; `None` if a quick search proves it.
    pub(super) fn open(&mut self, stones: &[(Cell, Stone)]) -> Option<NewAttack> {
        self.quick_set_up(stones);
        if self.checker.attack(true).is_ok() {
            return None;
        }
        let board = &self.checker.board;
        let canonical = board.canonical(&board.keys());
        Some(NewAttack { stones: stones.into(), whole: canonical.whole, key: canonical.key() })
    }

    /// Runs a job.
    pub(super) fn work(&mut self, job: &ThreadJob) -> TaskResult {
        self.set_up(&job.stones);
        // Cleared for each job, as it would take gigabytes over a whole run.
        self.checker.needed = FxHashMap::default();
        self.checker.answers.passed = self.budgets.pass_nodes;
        match &job.task {
            PositionTask::Vct => {
                self.checker.answers.threats = self.budgets.vct_nodes;
                match self.checker.attack(true) {
                    Ok(()) => TaskResult::Won,
                    Err(_) => TaskResult::Nothing,
                }
            }
            // The position may have been proven meanwhile.
            PositionTask::Try(_) if self.is_known() && self.checker.attack(false).is_ok() => {
                TaskResult::Won
            }
            PositionTask::Try(excluded) => {
                let tried = self.try_move(job, excluded);
                // A stopped search proves nothing.
                let stopped = self.checker.answers.is_stopped();
                if stopped { TaskResult::Nothing } else { TaskResult::Tried(tried) }
            }
        }
    }

    fn is_known(&mut self) -> bool {
        let Checker { board, answers, .. } = &mut self.checker;
        !answers.known(board, &board.canonical(&board.keys())).is_empty()
    }

    fn try_move(&mut self, job: &ThreadJob, excluded: &[Cell]) -> Option<Tried> {
        let answers = &mut self.checker.answers;
        let number = job.depth() + usize::from(self.attacks_first);
        let board = &self.checker.board;
        let suggestion = answers.advised_move(board, excluded).or_else(|| {
            // Not for the first move, as a move from a similar position may win slowly here.
            let suggestion = if number > 0 { answers.suggest(board) } else { None };
            suggestion.filter(|m| !excluded.contains(m))
        });
        let (m, score) = match suggestion {
            Some(m) => (m, SURE_SCORE),
            None => {
                answers.solver.set_up(&job.stones, self.attacker);
                let early = EARLY_FACTORS.get(number).copied().unwrap_or(1);
                let factor = early + excluded.len() as u64;
                answers.best(self.budgets.move_nodes * factor, excluded)?
            }
        };
        let board = &self.checker.board;
        let canonical = board.canonical(&board.keys());
        let image = board.to_image(&canonical, m);
        let foul = board.fouls(self.attacker, m).0.any();
        let stones = [&job.stones[..], &[(m, Stone::Of(self.attacker))]].concat();
        let open = if foul { None } else { self.open_replies(&stones) };
        Some(Tried { m, image, score, open })
    }
}

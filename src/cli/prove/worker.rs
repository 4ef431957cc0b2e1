//! One thread that works on a tree: takes a position, searches for a win by threats or
//! tries a move there, and returns the result.

use fxhash::FxHashMap;

use crate::prove::finder::MoveFinder;
use crate::prove::tree::{NewAttack, PositionTask, SURE, TaskResult, ThreadJob, Tried};
use goren_core::types::{Cell, CellSet, Color, Stone};
use goren_proof::{Answers, Checker, Claim};

/// Factors of the budgets for the first moves of a tree, by their number: there are few of
/// them, and much depends on each. The first is for the moves against replies to the
/// position that a tree is about.
const EARLY: [u64; 4] = [1_000, 64, 8, 2];

/// Limits of the searches of one position, in nodes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Budgets {
    /// The quick search for a win by threats, at every reply.
    pub(crate) quick_nodes: u64,
    /// A longer one, at what is left.
    pub(crate) vct_nodes: u64,
    /// Where the defender is thought to pass.
    pub(crate) pass_nodes: u64,
    /// The search for a move to try; more for each one tried before.
    pub(crate) move_nodes: u64,
}

impl Budgets {
    /// Those that are used without options.
    pub(crate) const USUAL: Budgets =
        Budgets { quick_nodes: 1_000, vct_nodes: 10_000, pass_nodes: 10_000, move_nodes: 20_000 };
}

/// A thread's checker and solvers.
pub(super) struct ProofWorker {
    pub(super) checker: Checker<MoveFinder>,
    attacker: Color,
    /// Whether the tree is about a position of the attacker.
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

    /// Goes to a position.
    pub(super) fn set_up(&mut self, stones: &[(Cell, Stone)]) {
        let board = &mut self.checker.board;
        let same = board.stones().iter().zip(stones).take_while(|(a, b)| a == b).count();
        while board.stones().len() > same {
            board.take_back();
        }
        for &(cell, stone) in &stones[same..] {
            if let Stone::Of(color) = stone {
                // They were placed before.
                let _ = board.place(cell, color);
            }
        }
    }

    /// Goes to a position for a quick search.
    fn quick_set_up(&mut self, stones: &[(Cell, Stone)]) {
        self.set_up(stones);
        self.checker.answers.threats = self.budgets.quick_nodes;
        self.checker.answers.passed = self.budgets.pass_nodes;
    }

    /// The replies to a position of the defender that need an answer; `None` if
    /// the defender wins or draws.
    pub(super) fn replies(&mut self, stones: &[(Cell, Stone)]) -> Option<CellSet> {
        self.quick_set_up(stones);
        self.checker.to_answer(true).ok()
    }

    /// The position after such a reply, as it enters the tree; `None` if a quick
    /// search settles it.
    pub(super) fn reply(&mut self, stones: &[(Cell, Stone)], reply: Cell) -> Option<NewAttack> {
        self.quick_set_up(stones);
        let open = self.checker.answer(reply, true).is_err();
        open.then(|| self.after(reply))
    }

    /// The position after a reply, as it enters the tree.
    pub(super) fn after(&self, reply: Cell) -> NewAttack {
        let board = &self.checker.board;
        let keys = board.toggled(board.keys(), reply, !self.attacker);
        let canonical = board.canonical(&keys);
        let more = [(reply, Stone::Of(!self.attacker))];
        let stones = [board.stones(), &more].concat().into_boxed_slice();
        NewAttack { stones, whole: canonical.whole, key: canonical.key() }
    }

    /// The replies to a position of the defender that a quick search leaves
    /// open; `None` if the defender wins or draws.
    fn left(&mut self, stones: &[(Cell, Stone)]) -> Option<Vec<NewAttack>> {
        self.quick_set_up(stones);
        let left = self.checker.left(true).ok()?;
        Some(left.into_iter().map(|reply| self.after(reply)).collect())
    }

    /// The position of the attacker, as it enters the tree; `None` if a quick
    /// search settles it.
    pub(super) fn open(&mut self, stones: &[(Cell, Stone)]) -> Option<NewAttack> {
        self.quick_set_up(stones);
        if self.checker.attack(true).is_ok() {
            return None;
        }
        let board = &self.checker.board;
        let canonical = board.canonical(&board.keys());
        Some(NewAttack { stones: stones.into(), whole: canonical.whole, key: canonical.key() })
    }

    /// Does a job.
    pub(super) fn work(&mut self, job: &ThreadJob) -> TaskResult {
        self.set_up(&job.stones);
        // Cleared for each job: over a whole run it would take gigabytes.
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
            // It may have been proven meanwhile.
            PositionTask::Try(_) if self.is_known() && self.checker.attack(false).is_ok() => {
                TaskResult::Won
            }
            PositionTask::Try(but) => {
                let tried = self.try_move(job, but);
                // A search that was stopped proves nothing.
                let stopped = self.checker.answers.is_stopped();
                if stopped { TaskResult::Nothing } else { TaskResult::Tried(tried) }
            }
        }
    }

    fn is_known(&mut self) -> bool {
        let Checker { board, answers, .. } = &mut self.checker;
        !answers.known(board, &board.canonical(&board.keys())).is_empty()
    }

    fn try_move(&mut self, job: &ThreadJob, but: &[Cell]) -> Option<Tried> {
        let answers = &mut self.checker.answers;
        let number = job.depth() + usize::from(self.attacks_first);
        let board = &self.checker.board;
        let alike = answers.advised(board, but).or_else(|| {
            // A move taken over from a similar position may win slowly here.
            let alike = if number > 0 { answers.suggest(board) } else { None };
            alike.filter(|m| !but.contains(m))
        });
        let (m, score) = match alike {
            Some(m) => (m, SURE),
            None => {
                answers.solver.set_up(&job.stones, self.attacker);
                let more = EARLY.get(number).copied().unwrap_or(1) + but.len() as u64;
                answers.best(self.budgets.move_nodes * more, but)?
            }
        };
        let board = &self.checker.board;
        let canonical = board.canonical(&board.keys());
        let image = board.to_image(&canonical, m);
        let foul = board.fouls(self.attacker, m).0.any();
        let stones = [&job.stones[..], &[(m, Stone::Of(self.attacker))]].concat();
        let open = if foul { None } else { self.left(&stones) };
        Some(Tried { m, image, score, open })
    }
}

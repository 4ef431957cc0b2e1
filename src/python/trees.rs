//! Winning trees and their check.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::Result;
use pyo3::prelude::*;

use crate::attended::quietly;
use crate::error::{bad, of_file};
use crate::position::{cell, color_name};
use goren_core::rules::{Contest, Setup};
use goren_core::types::{Cell, Color};
use goren_proof::{Answers, CanonicalKey, Checker, Claim, Flaw, FlawKind, Moves, ProofBoard};
use goren_trees::replies::{board, can_move, check_reply, equivalent_reply, replies_to_check};
use goren_trees::{TreeFile, open};

/// The result of a check; true if the tree holds.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct TreeCheck {
    holds: bool,
    /// The first flaw; None if there is none.
    flaw: Option<String>,
    /// Replies checked.
    replies: usize,
    /// Number of the attacker's moves that were needed, summed over the replies.
    moves: usize,
    /// Positions visited.
    visits: u64,
}

#[pymethods]
impl TreeCheck {
    fn __repr__(&self) -> String {
        let what = self.flaw.as_deref().unwrap_or("holds");
        format!("TreeCheck({what}, {} replies, {} moves)", self.replies, self.moves)
    }

    fn __bool__(&self) -> bool {
        self.holds
    }
}

/// A file of a winning tree, as a table or packed.
#[pyclass(frozen, module = "goren")]
pub(crate) struct WinningTree {
    tree: TreeFile,
    board: ProofBoard,
    asked: Vec<Option<Cell>>,
}

/// Answers that end when the user stops the check.
struct Stoppable<'a, A> {
    answers: A,
    stop: &'a AtomicBool,
}

impl<A: Answers> Answers for Stoppable<'_, A> {
    fn known(&mut self, board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        // Without an answer the check fails at once.
        if self.stop.load(Relaxed) { Moves::new() } else { self.answers.known(board, canonical) }
    }
}

/// Result of checking one reply.
struct Checked {
    outcome: Result<(), Flaw>,
    moves: usize,
    visits: u64,
}

impl WinningTree {
    fn contest(&self) -> Contest {
        Contest::five(self.tree.claim().setup)
    }

    /// Checks a reply, or the position.
    fn check_one(&self, reply: Option<Cell>, stop: &AtomicBool) -> Checked {
        fn run<A: Answers>(
            answers: A,
            claim: &Claim,
            board: &ProofBoard,
            reply: Option<Cell>,
            stop: &AtomicBool,
        ) -> (Checked, A) {
            let answers = Stoppable { answers, stop };
            let mut checker = Checker::new(claim.setup, claim.attacker, answers);
            checker.board = board.clone();
            let outcome = check_reply(&mut checker, reply);
            let (moves, visits) = (checker.needed.len(), checker.visits);
            (Checked { outcome, moves, visits }, checker.answers.answers)
        }
        let claim = self.tree.claim();
        match &self.tree {
            TreeFile::Table(proof) => run(proof, claim, &self.board, reply, stop).0,
            TreeFile::Packed(packed) => {
                let answers = packed.answers(reply);
                let (checked, mut answers) = run(answers, claim, &self.board, reply, stop);
                let has_part = packed.part(reply).is_some();
                let outcome = match checked.outcome {
                    Ok(()) => packed.settle(reply, &mut answers),
                    // A part with fewer answers than the check asks for seems to know no move.
                    Err(flaw) if flaw.kind == FlawKind::NoMove && has_part && !answers.ends() => {
                        Err(Flaw { kind: FlawKind::Damaged, ..flaw })
                    }
                    flawed => flawed,
                };
                Checked { outcome, ..checked }
            }
        }
    }

    /// Describes a flaw.
    fn flaw_text(&self, reply: Option<Cell>, flaw: &Flaw) -> String {
        let height = self.tree.claim().setup.height;
        let label = |cell: &Option<Cell>| cell.map_or("-".to_owned(), |cell| cell.label(height));
        let path: Vec<String> = flaw.path.iter().map(label).collect();
        let reply = reply.map_or("the position".to_owned(), |cell| cell.label(height));
        format!("{reply}: {} {}", path.join(" "), flaw.kind)
    }
}

#[pymethods]
impl WinningTree {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<WinningTree> {
        let read = || -> Result<WinningTree> {
            let tree = open(&path)?;
            let board = board(tree.claim())?;
            let asked = replies_to_check(tree.claim(), &board);
            Ok(WinningTree { tree, board, asked })
        };
        py.detach(read).map_err(|error| of_file(&error))
    }

    #[getter]
    fn game(&self) -> String {
        self.contest().variant.to_string()
    }

    /// Columns and rows.
    #[getter]
    fn size(&self) -> (usize, usize) {
        let Setup { width, height, .. } = self.tree.claim().setup;
        (width, height)
    }

    /// The side that wins, according to the file.
    #[getter]
    fn attacker(&self) -> &'static str {
        color_name(self.tree.claim().attacker)
    }

    #[getter]
    fn to_move(&self) -> &'static str {
        color_name(self.tree.claim().root.to_move)
    }

    /// Stones of the position.
    #[getter]
    fn stones(&self) -> Vec<(String, &'static str)> {
        let Claim { setup, root, .. } = self.tree.claim();
        let stone = |&(cell, color): &(Cell, Color)| (cell.label(setup.height), color_name(color));
        root.stones.iter().map(stone).collect()
    }

    /// The defender's moves that a check covers, one of each symmetric set; empty if the
    /// attacker is to move.
    #[getter]
    fn replies(&self) -> Vec<String> {
        let height = self.tree.claim().setup.height;
        self.asked.iter().flatten().map(|cell| cell.label(height)).collect()
    }

    /// Checks the tree, or some of its replies, by the rules alone. A whole game takes
    /// from minutes to more than an hour on one core. Ctrl-C ends it.
    #[pyo3(signature = (replies = None))]
    fn check(&self, py: Python<'_>, replies: Option<Vec<String>>) -> PyResult<TreeCheck> {
        let claim = self.tree.claim();
        let named = |text: &String| -> PyResult<Option<Cell>> {
            let reply = cell(&self.contest(), text)?;
            let found = equivalent_reply(claim, &self.board, &self.asked, reply);
            found.map(Some).ok_or_else(|| bad(format!("{text} is not a reply")))
        };
        let wanted: Vec<Option<Cell>> = match &replies {
            Some(texts) => texts.iter().map(named).collect::<PyResult<_>>()?,
            None => self.asked.clone(),
        };
        // If the defender has no reply, or nothing but fouls, nothing is proven.
        let flaw = if wanted.is_empty() {
            Some("there is no reply".to_owned())
        } else if can_move(claim, &self.board, &self.asked) {
            None
        } else {
            Some("every reply is a foul".to_owned())
        };
        let mut sum = TreeCheck { holds: flaw.is_none(), flaw, replies: 0, moves: 0, visits: 0 };
        let stop = AtomicBool::new(false);
        quietly(py, &|| stop.store(true, Relaxed), || {
            for &reply in wanted.iter().take_while(|_| !stop.load(Relaxed)) {
                let Checked { outcome, moves, visits } = self.check_one(reply, &stop);
                sum.replies += 1;
                sum.moves += moves;
                sum.visits += visits;
                if let Err(flaw) = outcome {
                    sum.holds = false;
                    sum.flaw = Some(self.flaw_text(reply, &flaw));
                    break;
                }
            }
            sum
        })
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size();
        format!("WinningTree({} {width}x{height}, {} wins)", self.game(), self.attacker())
    }
}

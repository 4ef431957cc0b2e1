//! Walks through a winning tree: the attacker plays from the tree, the user plays the defender.
//!
//! A table is looked up in its file. The part of a packed tree that answers a reply is read in
//! the background when that reply is played (`reading.rs`). Until the answer to a later move is
//! read, the solvers search for a win as well (`seeking.rs`).

mod answer;
mod reading;
mod remaining_replies;
mod seeking;
mod source;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::replies::board;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::Cell;
use goren_engine::{Control, TableHandle};
use goren_proof::{Claim, Keys, ProofBoard};
use reading::ReadState;
use source::TreeSource;

pub use remaining_replies::RemainingReplies;

/// Size of the solvers' transposition table in bytes.
const TABLE_BYTES: usize = 32 << 20;

/// The result of asking for a move of the attacker.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The move, which has been played, and whether it comes from the tree; otherwise the
    /// solvers found it.
    Move(Cell, bool),
    /// The tree has no move.
    None,
    /// No move yet, and the memory is full.
    Full,
    /// The wait was ended before a move was found.
    Ended,
}

/// A game that a tree plays.
pub struct Walk {
    source: TreeSource,
    board: ProofBoard,
    /// `base` and the number of stones before each of the defender's moves.
    before: Vec<(Keys, usize)>,
    /// The position of the tree that answers the position on the board: some stones of the
    /// defender may be missing in it.
    base: Keys,
    /// Number of stones of the claim's position.
    root: usize,
    /// The attacker's moves so far, by the moves before them: the move, the base that it is
    /// known for, and whether it comes from the tree.
    answered: HashMap<Vec<Cell>, (Cell, Keys, bool)>,
    /// The solvers' transposition table.
    hash: TableHandle,
}

impl Walk {
    /// Opens a file; reading the part of a packed tree takes about `memory` bytes at most.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn open(path: &Path, memory: usize) -> Result<Walk> {
        let mut source = TreeSource::open(path, memory)?;
        let board = board(source.claim())?;
        if source.claim().root.to_move == source.claim().attacker {
            source.turn_to(&board, None)?;
        }
        let (base, root) = (board.keys(), board.stones().len());
        let (before, answered) = (Vec::new(), HashMap::new());
        let hash = TableHandle::exactly(TABLE_BYTES);
        Ok(Walk { source, board, before, base, root, answered, hash })
    }

    /// The claim of the tree.
    pub fn claim(&self) -> &Claim {
        self.source.claim()
    }

    /// The stones, those of the claim first.
    pub fn board(&self) -> &ProofBoard {
        &self.board
    }

    /// Number of replies that a packed tree answers, each in a part of its own; `None` for a
    /// table.
    pub fn parts(&self) -> Option<usize> {
        self.source.answered().map(|replies| replies.len())
    }

    /// Whether a part of the tree is still being read in the background.
    pub fn is_reading(&self) -> bool {
        self.source.state() == ReadState::Reading
    }

    /// Checks that no fault of the file has been found.
    ///
    /// # Errors
    /// The fault of the file.
    pub fn sound(&self) -> Result<()> {
        self.source.sound()
    }

    /// Whether the attacker moves first.
    pub fn attacks_first(&self) -> bool {
        self.claim().root.to_move == self.claim().attacker
    }

    /// Whether it is the attacker's move.
    pub fn attacker_moves(&self) -> bool {
        let played = self.board.stones().len() - self.root;
        played.is_multiple_of(2) == self.attacks_first()
    }

    /// Whether the attacker has just made a five.
    pub fn is_won(&self) -> bool {
        let mut referee = FiveReferee::new(self.claim().setup);
        for &(cell, stone) in self.board.stones() {
            // The other board has accepted these stones.
            let _ = referee.set_up(cell, stone);
        }
        !referee.winning_lines().is_empty()
    }

    /// Plays a move of the defender.
    ///
    /// # Errors
    /// The move is illegal, a foul, or makes five, which no tree that proves its claim allows;
    /// nothing changes. Or no thread can be started to read the tree.
    pub fn reply(&mut self, cell: Cell) -> Result<()> {
        let Claim { setup, attacker, .. } = *self.claim();
        let label = || cell.label(setup.height);
        ensure!(!self.is_won(), "the attacker has won");
        ensure!(!self.attacker_moves(), "the attacker is to move");
        let mut after = self.board.clone();
        after.place(cell, !attacker).with_context(label)?;
        let foul = self.board.fouls(!attacker, cell).0.any();
        ensure!(!foul, "{} is forbidden", label());
        let five = self.board.wins(!attacker).contains(&cell);
        ensure!(!five, "{} makes five: the tree is wrong; run `goren check` on it", label());
        if self.board.stones().len() == self.root && !self.attacks_first() {
            self.source.turn_to(&self.board, Some(cell))?;
        }
        self.before.push((self.base, self.board.stones().len()));
        self.board = after;
        Ok(())
    }

    /// Finds and plays the attacker's move, if there is one. `observer` is called now and then
    /// with the share of the reply's part that is read, from 0 to 1.
    ///
    /// # Errors
    /// No move was found and the file has a fault; or no thread can be started.
    pub fn attack(&mut self, control: &Control, observer: &mut dyn FnMut(f64)) -> Result<Answer> {
        let attacker = self.claim().attacker;
        let moves = self.moves();
        if let Some(&(m, base, read)) = self.answered.get(&moves) {
            self.play(m, base)?;
            return Ok(Answer::Move(m, read));
        }
        // The position of the tree may include the newest stone or not.
        let newest = self.board.stones().last().filter(|_| self.board.stones().len() > self.root);
        let with =
            newest.map_or(self.base, |&(cell, _)| self.board.toggled(self.base, cell, !attacker));
        let bases = [with, self.base];
        let found =
            answer::wait(&mut self.source, &self.board, bases, &self.hash, control, observer)?;
        Ok(match found {
            answer::FoundMove::Move { m, base, read } => {
                self.answered.insert(moves, (m, base, read));
                self.play(m, base)?;
                Answer::Move(m, read)
            }
            answer::FoundMove::None => Answer::None,
            answer::FoundMove::Full => Answer::Full,
            answer::FoundMove::Ended => Answer::Ended,
        })
    }

    fn play(&mut self, m: Cell, base: Keys) -> Result<()> {
        let attacker = self.claim().attacker;
        self.board.place(m, attacker)?;
        self.base = self.board.toggled(base, m, attacker);
        Ok(())
    }

    /// The moves after the position of the claim.
    pub fn moves(&self) -> Vec<Cell> {
        self.board.stones()[self.root..].iter().map(|&(cell, _)| cell).collect()
    }

    /// Takes back the newest move of the defender and the moves after it; returns whether there
    /// was such a move.
    pub fn back(&mut self) -> bool {
        let Some((base, stones)) = self.before.pop() else { return false };
        while self.board.stones().len() > stones {
            self.board.take_back();
        }
        self.base = base;
        true
    }

    /// Goes to a position that the walk has reached before, or to one with further moves of the
    /// defender; moves of the attacker must be those that the walk has played.
    ///
    /// # Errors
    /// As in [`Walk::reply`], or the attacker has played another move; the walk stays at the
    /// last position that it could reach.
    pub fn go(&mut self, moves: &[Cell]) -> Result<()> {
        while !moves.starts_with(&self.moves()) && !self.before.is_empty() {
            self.back();
        }
        if !moves.starts_with(&self.moves()) {
            // Only the attacker's first move is left, and `moves` begins with another.
            self.board.take_back();
            self.base = self.board.keys();
        }
        for (at, &cell) in moves.iter().enumerate().skip(self.moves().len()) {
            if self.attacker_moves() {
                let known = self.answered.get(&moves[..at]).filter(|(m, ..)| *m == cell);
                let &(m, base, _) = known.context("the tree has played another move")?;
                self.play(m, base)?;
            } else {
                self.reply(cell)?;
            }
        }
        Ok(())
    }
}

//! Walks through a winning tree: the attacker plays by the tree, a person plays the
//! defender.
//!
//! A table is looked up where it lies. Of a packed tree the part of a reply is read
//! when that reply is played, in the background (`reading.rs`). Until the answer to a
//! later move is read, the solvers look for a win as well (`seeking.rs`).

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
use goren_engine::{Control, Hash};
use goren_proof::{Claim, Keys, ProofBoard};
use reading::ReadState;
use source::TreeSource;

pub use remaining_replies::RemainingReplies;

/// Bytes of the table of the solvers.
const TABLE_BYTES: usize = 32 << 20;

/// The result of asking for a move of the attacker.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, which was played, and whether it was read in the tree; else the solvers
    /// found it.
    Move(Cell, bool),
    /// The tree has none.
    None,
    /// None yet, and the memory is full.
    Full,
    /// None until the wait was ended.
    Ended,
}

/// A game that a tree plays.
pub struct Walk {
    source: TreeSource,
    board: ProofBoard,
    /// The stones of the tree that may apply, before each of the defender's
    /// moves, and how many stones there were.
    before: Vec<(Keys, usize)>,
    base: Keys,
    /// Stones of the position that the tree is about.
    root: usize,
    /// The attacker's moves so far by the moves before them, with the stones of the tree
    /// that they are known for, and whether they were read there.
    answered: HashMap<Vec<Cell>, (Cell, Keys, bool)>,
    /// The table of the solvers.
    hash: Hash,
}

impl Walk {
    /// Opens a file; parts of a packed tree are read in about `memory` bytes.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn open(path: &Path, memory: usize) -> Result<Walk> {
        let mut source = TreeSource::open(path, memory)?;
        let board = board(source.claim())?;
        if source.claim().root.to_move == source.claim().attacker {
            source.turn_to(&board, None)?;
        }
        let (base, root) = (board.keys(), board.stones().len());
        let (before, answered) = (Vec::new(), HashMap::new());
        let hash = Hash::exactly(TABLE_BYTES);
        Ok(Walk { source, board, before, base, root, answered, hash })
    }

    /// What the tree is about.
    pub fn claim(&self) -> &Claim {
        self.source.claim()
    }

    /// The stones, those of the claim first.
    pub fn board(&self) -> &ProofBoard {
        &self.board
    }

    /// Replies that a packed tree answers, each read by itself.
    pub fn parts(&self) -> Option<usize> {
        self.source.answered().map(|replies| replies.len())
    }

    /// Whether more of the tree is read meanwhile.
    pub fn is_reading(&self) -> bool {
        self.source.state() == ReadState::Reads
    }

    /// # Errors
    /// Something was wrong with the file.
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
            // They were placed on the other board.
            let _ = referee.set_up(cell, stone);
        }
        !referee.winning_lines().is_empty()
    }

    /// A move of the defender.
    ///
    /// # Errors
    /// It is illegal, a foul, or makes five, which no tree that proves its claim allows;
    /// nothing changes. Or there is no thread to read what the tree says.
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
        ensure!(!five, "{} makes five: the tree is wrong, as `goren check` will tell", label());
        if self.board.stones().len() == self.root && !self.attacks_first() {
            self.source.turn_to(&self.board, Some(cell))?;
        }
        self.before.push((self.base, self.board.stones().len()));
        self.board = after;
        Ok(())
    }

    /// The attacker's move, which is played, if there is one. `tell` hears, now and then,
    /// how much of what the tree says of the reply was read, from 0 to 1.
    ///
    /// # Errors
    /// Something is wrong with the file, where a move may be; or there is no thread.
    pub fn attack(&mut self, control: &Control, observer: &mut dyn FnMut(f64)) -> Result<Answer> {
        let attacker = self.claim().attacker;
        let moves = self.moves();
        if let Some(&(m, base, read)) = self.answered.get(&moves) {
            self.play(m, base)?;
            return Ok(Answer::Move(m, read));
        }
        // The stones of the tree may be all, or those without the newest one.
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

    /// The moves behind the position of the claim.
    pub fn moves(&self) -> Vec<Cell> {
        self.board.stones()[self.root..].iter().map(|&(cell, _)| cell).collect()
    }

    /// Takes back the newest move of the defender and what was played behind it; whether
    /// there was one.
    pub fn back(&mut self) -> bool {
        let Some((base, stones)) = self.before.pop() else { return false };
        while self.board.stones().len() > stones {
            self.board.take_back();
        }
        self.base = base;
        true
    }

    /// Goes to a position that the walk has come to before, or to one with further moves
    /// of the defender; moves of the attacker must be those that the walk has played.
    ///
    /// # Errors
    /// As in [`Walk::reply`], or a move of the attacker is another; the walk stands where
    /// it could still go.
    pub fn go(&mut self, moves: &[Cell]) -> Result<()> {
        while !moves.starts_with(&self.moves()) && !self.before.is_empty() {
            self.back();
        }
        if !moves.starts_with(&self.moves()) {
            // Only the attacker's first move is left, and another one is asked for.
            self.board.take_back();
            self.base = self.board.keys();
        }
        for (at, &cell) in moves.iter().enumerate().skip(self.moves().len()) {
            if self.attacker_moves() {
                let known = self.answered.get(&moves[..at]).filter(|(m, ..)| *m == cell);
                let &(m, base, _) = known.context("the tree has played something else")?;
                self.play(m, base)?;
            } else {
                self.reply(cell)?;
            }
        }
        Ok(())
    }
}

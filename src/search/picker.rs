//! Moves in the order worth searching: the table's move, then the best of the
//! rest, found one at a time.

use super::history::History;
use super::params::Params;
use crate::game::{MoveList, Position, Stage};
use crate::types::Move;

/// Gives out the moves of a node.
pub struct Picker {
    table_move: Move,
    killers: [Move; 2],
    phase: Phase,
    moves: MoveList,
    next: usize,
    best_prior: i32,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Phase {
    Table,
    Generate,
    Pick,
    Rest,
    Done,
}

impl Picker {
    /// For a node with a move from the table, if any, and killers.
    pub fn new(table_move: Move, killers: [Move; 2]) -> Picker {
        Picker {
            table_move,
            killers,
            phase: Phase::Table,
            moves: MoveList::new(),
            next: 0,
            best_prior: 0,
        }
    }

    /// The next move, legal or not. `None` when [`Stage::Main`] is exhausted.
    pub fn next<P: Position>(
        &mut self,
        p: &mut P,
        history: &History,
        params: &Params,
    ) -> Option<Move> {
        if self.phase == Phase::Table {
            self.phase = Phase::Generate;
            if self.table_move.is_some() {
                if p.is_pseudo_legal(self.table_move) {
                    return Some(self.table_move);
                }
                self.table_move = Move::NONE;
            }
        }
        if self.phase == Phase::Generate {
            self.phase = Phase::Pick;
            self.generate(p, history, params);
        }
        while self.phase == Phase::Pick || self.phase == Phase::Rest {
            if self.next >= self.moves.len() {
                self.phase = Phase::Done;
                break;
            }
            if self.phase == Phase::Pick {
                self.select();
            }
            let m = self.moves[self.next].m;
            self.next += 1;
            if m != self.table_move {
                return Some(m);
            }
        }
        None
    }

    fn generate<P: Position>(&mut self, p: &mut P, history: &History, params: &Params) {
        p.moves(Stage::Main, &mut self.moves);
        let (color, counter) = (p.to_move(), history.counter(p.to_move(), p.last()));
        self.best_prior = self.moves.iter().map(|entry| entry.score).max().unwrap_or(0);
        for entry in &mut self.moves {
            entry.score += history.main(color, entry.m.cell()) * params.order_main / 1024;
            if self.killers.contains(&entry.m) {
                entry.score += params.order_killer;
            }
            if entry.m == counter {
                entry.score += params.order_counter;
            }
        }
    }

    /// Best prior of the moves; 0 before more than the table's move was asked
    /// for.
    pub fn best_prior(&self) -> i32 {
        self.best_prior
    }

    /// After the main moves: goes on with all that were left out.
    pub fn open_rest<P: Position>(&mut self, p: &mut P) {
        self.moves.clear();
        self.next = 0;
        p.moves(Stage::Rest, &mut self.moves);
        self.phase = Phase::Rest;
    }

    /// Brings the best of the remaining moves to the front of them.
    #[inline]
    fn select(&mut self) {
        let from = self.next;
        let (mut best, mut top) = (from, self.moves[from].score);
        for (i, entry) in self.moves.iter().enumerate().skip(from + 1) {
            if entry.score > top {
                (best, top) = (i, entry.score);
            }
        }
        self.moves.swap(from, best);
    }
}

//! A prover that uses only the referee: the defender may play every legal reply,
//! the attacker any stone.

use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, DIRECTIONS, Stone};

pub struct Prover {
    pub referee: FiveReferee,
    cells: Vec<Cell>,
    /// Stones that won elsewhere, by the plies left; tried first.
    killers: Vec<Vec<Cell>>,
    /// Stones placed so far.
    pub nodes: u64,
    /// Number of stones beyond which [`Prover::wins`] believes any claim.
    pub node_limit: u64,
}

impl Prover {
    pub fn new(referee: FiveReferee) -> Prover {
        let setup = referee.setup();
        let row = |y| (0..setup.width).map(move |x| Cell::new(x, y));
        let cells: Vec<Cell> = (0..setup.height).flat_map(row).collect();
        Prover { referee, cells, killers: vec![Vec::new(); 100], nodes: 0, node_limit: u64::MAX }
    }

    pub fn put(&mut self, color: Color, cell: Cell) {
        self.nodes += 1;
        self.referee.set_up(cell, Stone::Of(color)).expect("a legal point");
    }

    pub fn back(&mut self) {
        self.referee.take_back();
    }

    /// The points a side may play without losing by a foul.
    pub fn legal(&self, color: Color) -> Vec<Cell> {
        let legal = |&c: &Cell| self.referee.is_empty(c) && !self.referee.fouls(color, c).any();
        self.cells.iter().copied().filter(legal).collect()
    }

    /// The points where a side wins at once.
    pub fn fives(&self, color: Color) -> Vec<Cell> {
        self.cells.iter().copied().filter(|&c| self.referee.wins(color, c)).collect()
    }

    /// The points among [`Prover::fives`] in line with a stone just placed: no others are new.
    fn fives_around(&self, color: Color, at: Cell) -> Vec<Cell> {
        let around = (-5..=5).flat_map(|n| DIRECTIONS.map(|dir| at.step(dir, n)));
        around.filter(|&c| self.referee.wins(color, c)).collect()
    }

    /// Whether `me`, to move, wins within `plies` plies, whatever the opponent does.
    pub fn wins(&mut self, me: Color, plies: usize) -> bool {
        if !self.fives(me).is_empty() {
            return plies > 0;
        }
        if plies < 3 || self.nodes > self.node_limit {
            return plies >= 3;
        }
        let mut moves = self.killers[plies].clone();
        moves.retain(|&c| self.referee.is_empty(c) && !self.referee.fouls(me, c).any());
        let rest = self.legal(me);
        moves.extend(rest.iter().filter(|c| !moves.contains(c)).copied().collect::<Vec<_>>());
        for m in moves {
            self.put(me, m);
            // With three plies left, the attacker's stones must be a four and a five.
            let wins =
                (plies > 4 || !self.fives_around(me, m).is_empty()) && self.holds(me, plies - 1);
            self.back();
            if wins {
                self.killers[plies].retain(|&k| k != m);
                self.killers[plies].insert(0, m);
                return true;
            }
        }
        false
    }

    /// Whether `me` wins within `plies` plies with the opponent to move.
    pub fn holds(&mut self, me: Color, plies: usize) -> bool {
        self.all_replies_lose(me, |p| plies > 3 && p.wins(me, plies - 1))
    }

    /// Whether `me`, to move, wins within `plies` plies by fours alone. `None` if that
    /// takes more than `budget` stones to find out.
    pub fn wins_by_fours(&mut self, me: Color, plies: usize, budget: u64) -> Option<bool> {
        if !self.fives(me).is_empty() {
            return Some(true);
        }
        if plies < 3 {
            return Some(false);
        }
        for m in self.legal(me) {
            if self.nodes > budget {
                return None;
            }
            self.put(me, m);
            let wins = if self.fives_around(me, m).is_empty() {
                Some(false)
            } else {
                self.holds_by_fours(me, plies - 1, budget)
            };
            self.back();
            if wins != Some(false) {
                return wins;
            }
        }
        Some(false)
    }

    /// As [`Prover::wins_by_fours`], with the opponent to move.
    pub fn holds_by_fours(&mut self, me: Color, plies: usize, budget: u64) -> Option<bool> {
        let mut is_exhaustive = true;
        let wins = self.all_replies_lose(me, |p| {
            let wins = p.wins_by_fours(me, plies.saturating_sub(1), budget);
            is_exhaustive &= wins.is_some();
            wins == Some(true)
        });
        (wins || is_exhaustive).then_some(wins)
    }

    /// Whether `me` wins after every reply: at once, or as `later` finds.
    fn all_replies_lose(&mut self, me: Color, mut later: impl FnMut(&mut Prover) -> bool) -> bool {
        if !self.fives(!me).is_empty() {
            return false;
        }
        let fives = self.fives(me);
        let replies = self.legal(!me);
        if replies.is_empty() {
            // A side that has only fouls left loses; a full board is a draw.
            return self.cells.iter().any(|&c| self.referee.is_empty(c));
        }
        // Replies on the points of the fives first: only these may refute the win.
        let (hot, cold): (Vec<Cell>, Vec<Cell>) =
            replies.into_iter().partition(|r| fives.contains(r));
        hot.into_iter().chain(cold).all(|reply| {
            self.put(!me, reply);
            let wins = fives.iter().any(|&f| self.referee.wins(me, f)) || later(self);
            self.back();
            wins
        })
    }
}

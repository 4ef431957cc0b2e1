//! A prover that knows nothing but the referee's word: the defender may use
//! every legal reply, the attacker may use any stone.

use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, DIRECTIONS, Stone};

pub struct Prover {
    pub referee: FiveReferee,
    cells: Vec<Cell>,
    /// Stones that won elsewhere, by the plies left: tried first.
    killers: Vec<Vec<Cell>>,
    /// Stones placed so far.
    pub nodes: u64,
    /// Stones beyond which [`Prover::wins`] believes whatever is claimed.
    pub patience: u64,
}

impl Prover {
    pub fn new(referee: FiveReferee) -> Prover {
        let setup = referee.setup();
        let row = |y| (0..setup.width).map(move |x| Cell::new(x, y));
        let cells: Vec<Cell> = (0..setup.height).flat_map(row).collect();
        Prover { referee, cells, killers: vec![Vec::new(); 100], nodes: 0, patience: u64::MAX }
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

    /// Those of them in line with a stone just placed: no others are new.
    fn fives_around(&self, color: Color, at: Cell) -> Vec<Cell> {
        let around = (-5..=5).flat_map(|n| DIRECTIONS.map(|dir| at.step(dir, n)));
        around.filter(|&c| self.referee.wins(color, c)).collect()
    }

    /// Whether `me`, to move, places a winning stone as ply `plies` or sooner,
    /// whatever the opponent does.
    pub fn wins(&mut self, me: Color, plies: usize) -> bool {
        if !self.fives(me).is_empty() {
            return plies > 0;
        }
        if plies < 3 || self.nodes > self.patience {
            return plies >= 3;
        }
        let mut moves = self.killers[plies].clone();
        moves.retain(|&c| self.referee.is_empty(c) && !self.referee.fouls(me, c).any());
        let rest = self.legal(me);
        moves.extend(rest.iter().filter(|c| !moves.contains(c)).copied().collect::<Vec<_>>());
        for m in moves {
            self.put(me, m);
            // The last two stones of the three must be a four and a five.
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

    /// Whether `me` wins within `plies` plies though the opponent is to move.
    pub fn holds(&mut self, me: Color, plies: usize) -> bool {
        self.all_replies_lose(me, |p| plies > 3 && p.wins(me, plies - 1))
    }

    /// Whether `me`, to move, wins within `plies` plies by nothing but fours.
    /// `None` if more than `budget` stones would have to be placed.
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

    /// The same with the opponent to move.
    pub fn holds_by_fours(&mut self, me: Color, plies: usize, budget: u64) -> Option<bool> {
        let mut enough = true;
        let wins = self.all_replies_lose(me, |p| {
            let wins = p.wins_by_fours(me, plies.saturating_sub(1), budget);
            enough &= wins.is_some();
            wins == Some(true)
        });
        (wins || enough).then_some(wins)
    }

    /// Whether every reply to `me` lets it win at once, or by `later`.
    fn all_replies_lose(&mut self, me: Color, mut later: impl FnMut(&mut Prover) -> bool) -> bool {
        if !self.fives(!me).is_empty() {
            return false;
        }
        let fives = self.fives(me);
        let replies = self.legal(!me);
        if replies.is_empty() {
            // Nothing but fouls loses; a full board is a draw.
            return self.cells.iter().any(|&c| self.referee.is_empty(c));
        }
        // The points where the defender could win first: those are where it may fail.
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

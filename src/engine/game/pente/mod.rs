//! Pente and its options: five in a row or captures win.
//!
//! With overtime (Boat) the opponent may break a five by a capture, so a five is a proven
//! win only after every capture has been tried against it. If overlines are ignored, a five
//! counts as a proven win only if its stone captures nothing: removing opponent's stones may
//! shorten one of the opponent's overlines to a five.

mod fouls;
mod prohibited;
mod weights;

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::line_game::{LineGame, LineState, Past};
use super::lines::{self, LinePolicy};
use super::position::{Ladder, ThreatLevel};
use crate::board::Geometry;
use crate::eval::tuples::TupleWeights;
use crate::threat::Verdict;
use goren_core::rules::{self, Contest, Outcome, Overlines};
use weights::{FIVE, SPAN};

use goren_core::types::{Cell, CellSet, Color, Move, keys};
pub(super) use weights::{FAMILIES, family as tuple_family};

/// Maximum number of stones that one move can remove: three in each of eight directions, and
/// nine of its own side.
const MAX_REMOVED: usize = 8 * 3 + 9;

/// Policy points for each captured stone; two thirds for each own stone saved from
/// capture.
const CAPTURE: i32 = 90;
/// Policy points lost by a stone that forms a pair which can be captured at once.
const EXPOSED: i32 = 60;

/// Undo information of a move.
#[derive(Clone)]
pub(super) struct Undo {
    /// Opponent's stones that the move captured.
    captured: ArrayVec<Cell, MAX_REMOVED>,
    /// Own stones lost because the move is between two opponent's stones (poof).
    poofed: ArrayVec<Cell, MAX_REMOVED>,
}

/// A position of Pente.
#[derive(Clone)]
pub struct Pente {
    game: rules::Pente,
    lines: LineState<Undo>,
    /// Number of stones captured by Black and by White.
    captured: [usize; 2],
}

impl Pente {
    /// Creates an empty board.
    pub fn new(game: rules::Pente, contest: &Contest, weights: Arc<TupleWeights>) -> Pente {
        let (width, height) = (contest.width, contest.height);
        let board = CellSet::board(width, height);
        let geometry = Geometry::new(width, height, false, FIVE, SPAN, &board);
        let options = game.keryo as u64
            | (game.poof as u64) << 1
            | (game.boat as u64) << 2
            | (game.safe as u64) << 3
            | (game.overlines as u64) << 4
            | (game.restrictions as u64) << 6;
        let lines = LineState::new(geometry, 1 << 8 | options, weights);
        Pente { game, lines, captured: [0, 0] }
    }

    /// Returns the opponent's stones that a stone of `color` on `cell` captures.
    fn captured_by(&self, cell: Cell, color: Color) -> ArrayVec<Cell, MAX_REMOVED> {
        let mut captured = ArrayVec::new();
        let geometry = self.lines.board.geometry();
        for heading in 0..8 {
            let mut at = geometry.neighbours(cell)[heading];
            let mut length = 0;
            while length <= self.game.most() && self.lines.board.is(at, !color) {
                length += 1;
                at = geometry.neighbours(at)[heading];
            }
            if (2..=self.game.most()).contains(&length) && self.lines.board.is(at, color) {
                for _ in 0..length {
                    at = geometry.neighbours(at)[heading ^ 1];
                    // Runs in different directions share no stone, so there is no need to
                    // look for duplicates.
                    let _ = captured.try_push(at);
                }
            }
        }
        captured
    }

    /// Returns the own stones that are removed (poof) because a stone of `color` was placed on
    /// `cell`.
    fn poofed(&self, cell: Cell, color: Color) -> ArrayVec<Cell, MAX_REMOVED> {
        let mut poofed = ArrayVec::<Cell, MAX_REMOVED>::new();
        let geometry = self.lines.board.geometry();
        for direction in 0..4 {
            let mut run = ArrayVec::<Cell, 8>::new();
            run.push(cell);
            let mut flanked = true;
            for heading in [2 * direction, 2 * direction + 1] {
                let mut at = geometry.neighbours(cell)[heading];
                while self.lines.board.is(at, color) && run.len() <= self.game.most() {
                    run.push(at);
                    at = geometry.neighbours(at)[heading];
                }
                flanked &= self.lines.board.is(at, !color);
            }
            if flanked && (2..=self.game.most()).contains(&run.len()) {
                for at in run {
                    if !poofed.contains(&at) {
                        let _ = poofed.try_push(at);
                    }
                }
            }
        }
        poofed
    }

    /// Whether a colour has captured enough to win, and more than the other.
    fn has_captured_enough(&self, color: Color) -> bool {
        let [own, others] = [color, !color].map(|c| self.captured[c.index()]);
        own >= self.game.goal() && own > others
    }

    /// Returns the result after a stone of `mover`, if the game is over.
    fn judge(&self, mover: Color) -> Option<Outcome> {
        if self.game.overlines == Overlines::Ignored {
            let won = self.has_five(mover) || self.has_captured_enough(mover);
            return match (won, self.has_five(!mover)) {
                (false, false) => self.is_over(!mover).then_some(Outcome::Draw),
                (true, true) => Some(Outcome::Draw),
                (true, false) => Some(Outcome::Win(mover)),
                (false, true) => Some(Outcome::Win(!mover)),
            };
        }
        let judged = if self.game.boat { !mover } else { mover };
        let line = self.has_five(judged);
        let by_captures = Color::ALL.into_iter().find(|&color| self.has_captured_enough(color));
        match (line, by_captures) {
            (false, None) => self.is_over(!mover).then_some(Outcome::Draw),
            (false, Some(color)) => Some(Outcome::Win(color)),
            (true, Some(color)) if color != judged && !self.game.boat => Some(Outcome::Draw),
            (true, _) => Some(Outcome::Win(judged)),
        }
    }

    /// Whether a colour has a winning row.
    fn has_five(&self, color: Color) -> bool {
        let board = &self.lines.board;
        if board.level(color, FIVE) == 0 || self.game.is_winning(color, FIVE + 1) {
            return board.level(color, FIVE) > 0;
        }
        board.lines_missing(color, 0).any(|line| {
            let cells = board.geometry().line(line);
            self.rows(cells[0], color).contains(&FIVE)
        })
    }

    /// Returns the empty cells where a colour may place a stone that completes a winning row.
    /// The stone wins unless it is itself removed (poof).
    fn fives(&self, color: Color) -> CellSet {
        let completions = self.lines.board.completions(color);
        if self.game.has_plain_rows() {
            return completions;
        }
        let wins = |&at: &Cell| {
            let rows = self.rows(at, color);
            rows.into_iter().any(|row| self.game.is_winning(color, row))
                && !self.is_prohibited(at, color)
                && (self.game.overlines != Overlines::Ignored
                    || self.captured_by(at, color).is_empty())
        };
        completions.iter().filter(wins).collect()
    }

    /// Whether a colour can complete a five with a stone that is not removed at once.
    fn can_make_five(&self, color: Color) -> bool {
        if self.lines.board.level(color, FIVE - 1) == 0 {
            false
        } else if self.game.poof {
            self.fives(color).iter().any(|at| self.poofed(at, color).is_empty())
        } else {
            self.game.has_plain_rows() || !self.fives(color).is_empty()
        }
    }

    /// Whether the side to move can win with its next stone by captures.
    fn wins_by_captures(&mut self) -> bool {
        let (me, goal) = (self.lines.to_move, self.game.goal());
        let own = self.captured[me.index()];
        // Bound for captures in two directions. A stone may capture in more directions, but
        // that rarely decides a game.
        if own + 2 * self.game.most() < goal {
            return false;
        }
        // If not simple, the mover may lose stones too, the opponent's five may survive the
        // captures, or the stone may be a foul.
        let is_simple =
            !self.game.poof && self.lines.board.level(!me, FIVE) == 0 && !self.game.fouls(me).any();
        self.lines.board.near().iter().any(|cell| {
            let captured = self.captured_by(cell, me).len();
            captured > 0
                && own + captured >= goal
                && !self.is_prohibited(cell, me)
                && (is_simple || self.wins_by(cell))
        })
    }

    /// Whether placing a stone of the side to move on a cell wins at once.
    fn wins_by(&mut self, cell: Cell) -> bool {
        let me = self.lines.to_move;
        self.make(Move::at(cell));
        let won = self.lines.outcome() == Some(Outcome::Win(me));
        self.unmake();
        won
    }

    /// Whether, with overtime, the side to move can complete a five that no capture breaks.
    fn can_make_lasting_five(&mut self) -> bool {
        let me = self.lines.to_move;
        self.lines.board.level(me, FIVE - 1) > 0
            && self.fives(me).iter().any(|cell| {
                self.make(Move::at(cell));
                let lasts = self.lines.outcome().is_none() && self.five_lasts();
                self.unmake();
                lasts
            })
    }

    /// Whether the side that has just moved has a five that wins after every capture; no
    /// other answer can break it.
    fn five_lasts(&mut self) -> bool {
        let owner = !self.lines.to_move;
        self.lines.board.level(owner, FIVE) > 0
            && self.captures().iter().all(|cell| {
                self.make(Move::at(cell));
                let won = self.lines.outcome() == Some(Outcome::Win(owner));
                self.unmake();
                won
            })
    }

    /// Returns the cells where the side to move may place a stone that captures.
    fn captures(&self) -> CellSet {
        let (near, me) = (self.lines.board.near(), self.lines.to_move);
        let captures = |&cell: &Cell| self.is_capture(cell) && !self.is_prohibited(cell, me);
        near.iter().filter(captures).collect()
    }

    /// Returns the empty cells at both ends of the runs that stones of `color` on `cells`
    /// would make.
    fn run_ends(&self, cells: &CellSet, color: Color) -> CellSet {
        let geometry = self.lines.board.geometry();
        let end = |cell: Cell, heading: usize| {
            let mut at = geometry.neighbours(cell)[heading];
            while self.lines.board.is(at, color) {
                at = geometry.neighbours(at)[heading];
            }
            at
        };
        let ends = cells.iter().flat_map(|cell| (0..8).map(move |heading| end(cell, heading)));
        ends.filter(|&at| self.lines.board.is_empty(at)).collect()
    }

    /// Whether a stone of `color` on `cell` would form a pair with a neighbour that the
    /// opponent can capture with its next stone.
    fn is_exposed(&self, cell: Cell, color: Color) -> bool {
        let geometry = self.lines.board.geometry();
        let around = geometry.neighbours(cell);
        (0..8).any(|heading| {
            let (partner, behind) = (around[heading], around[heading ^ 1]);
            let beyond = geometry.neighbours(partner)[heading];
            let can_close =
                |a: Cell, b: Cell| self.lines.board.is(a, !color) && self.lines.board.is_empty(b);
            self.lines.board.is(partner, color)
                && (can_close(behind, beyond) || can_close(beyond, behind))
        })
    }

    /// Returns the moves to search first, without a check for prohibited cells; under a threat,
    /// all defences.
    fn search_moves(&mut self) -> CellSet {
        if self.threat_level() != ThreatLevel::Immediate {
            return lines::near(&self.lines.board);
        }
        let (me, opponent) = (self.lines.to_move, !self.lines.to_move);
        let captures = self.captures();
        if self.game.boat {
            // Only a capture stops a completed five.
            return captures;
        }
        // A stone on its last cell also stops a threatened five. With poof, or if a stone
        // must not be placed between two opponent's stones, so does a stone at the end of its
        // run: the last stone would then be between two of ours.
        let fives = self.fives(opponent);
        let mut stops = captures.union(&fives);
        if self.game.poof || self.game.safe {
            stops = stops.union(&self.run_ends(&fives, opponent));
        }
        // Include the winning moves: the root does not test for an own win.
        if self.can_make_five(me) { stops.union(&self.fives(me)) } else { stops }
    }

    /// Returns the cells of `cells` where the side to move may place a stone.
    fn placeable(&self, cells: CellSet) -> CellSet {
        if !self.game.has_barriers() {
            return cells;
        }
        cells.iter().filter(|&cell| !self.is_prohibited(cell, self.lines.to_move)).collect()
    }
}

impl LineGame for Pente {
    type Undo = Undo;

    const LADDER: Ladder = [65, 127, 201, 274, 351, 461, 602, 738, 864, 970, 1000];
    const LINE_POLICY: LinePolicy =
        LinePolicy { own: [2, 6, 22, 90, 900, 0, 0, 0], deny: [0, 5, 18, 70, 500, 0, 0, 0] };

    fn lines(&self) -> &LineState<Undo> {
        &self.lines
    }

    fn lines_mut(&mut self) -> &mut LineState<Undo> {
        &mut self.lines
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.lines.to_move);
        let foul = self.is_foul(cell, color);
        self.lines.put(cell, color);
        let captured = self.captured_by(cell, color);
        let poofed = if self.game.poof { self.poofed(cell, color) } else { ArrayVec::new() };
        for &removed in &captured {
            self.lines.lift(removed, !color);
        }
        for &removed in &poofed {
            self.lines.lift(removed, color);
        }
        self.captured[color.index()] += captured.len();
        self.captured[(!color).index()] += poofed.len();
        let outcome = if foul { Some(Outcome::Win(!color)) } else { self.judge(color) };
        self.lines.past.push(Past { cell, outcome, undo: Undo { captured, poofed } });
        self.lines.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(Past { cell, undo, .. }) = self.lines.past.pop() else { return };
        let color = !self.lines.to_move;
        self.lines.to_move = color;
        self.captured[color.index()] -= undo.captured.len();
        self.captured[(!color).index()] -= undo.poofed.len();
        // In reverse, so that each stone cancels its removal among the pending changes of the
        // evaluation.
        for &restored in undo.poofed.iter().rev() {
            self.lines.put(restored, color);
        }
        for &restored in undo.captured.iter().rev() {
            self.lines.put(restored, !color);
        }
        self.lines.lift(cell, color);
    }

    fn main_moves(&mut self) -> CellSet {
        let moves = self.search_moves();
        self.placeable(moves)
    }

    fn other_moves(&mut self) -> CellSet {
        let main = self.main_moves();
        self.placeable(self.lines.board.empty().difference(&main))
    }

    fn fours(&self) -> CellSet {
        self.placeable(self.lines.makes_missing(1))
    }

    fn is_legal(&mut self, m: Move) -> bool {
        let me = self.lines.to_move;
        !self.is_prohibited(m.cell(), me) && !self.is_foul(m.cell(), me)
    }

    fn placements(&self) -> CellSet {
        self.placeable(*self.lines.board.empty())
    }

    fn is_placement(&self, cell: Cell) -> bool {
        !self.is_prohibited(cell, self.lines.to_move)
    }

    fn forbidden(&self, color: Color) -> Vec<Cell> {
        if !self.game.fouls(color).any() {
            return Vec::new();
        }
        self.lines.board.empty().iter().filter(|&cell| self.is_foul(cell, color)).collect()
    }

    fn verdict(&mut self) -> Verdict {
        let me = self.lines.to_move;
        if !self.game.boat && self.can_make_five(me) || self.wins_by_captures() {
            Verdict::Win(1)
        } else if self.game.boat && self.can_make_lasting_five() {
            Verdict::Win(2)
        } else {
            Verdict::Unknown
        }
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let opponent = !self.lines.to_move;
        // If overlines are ignored, the stone that completes the five may capture two stones
        // of our longer row and leave a five of ours: a draw. Moves that prepare this are not
        // among the defences of `search_moves`.
        if self.game.overlines == Overlines::Ignored && self.lines.board.level(!opponent, FIVE) > 0
        {
            return ThreatLevel::None;
        }
        let threatened = if self.game.boat {
            self.lines.board.level(opponent, FIVE) > 0
        } else {
            self.can_make_five(opponent)
        };
        if threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }

    /// Returns the captured stones of the side to move times `goal + 1`, plus the captured
    /// stones of the opponent; both capped at `goal`, the number that wins.
    fn state(&self) -> usize {
        let (me, goal) = (self.lines.to_move, self.game.goal());
        let [own, others] = [me, !me].map(|color| self.captured[color.index()].min(goal));
        own * (goal + 1) + others
    }

    fn captured(&self) -> [usize; 2] {
        self.captured
    }

    fn policy_by_hand(&self, m: Move) -> i32 {
        let (cell, me) = (m.cell(), self.lines.to_move);
        let mut score = Self::LINE_POLICY.of(&self.lines.board, me, cell);
        score += CAPTURE * self.captured_by(cell, me).len() as i32;
        score += CAPTURE * self.captured_by(cell, !me).len() as i32 * 2 / 3;
        score -= EXPOSED * self.is_exposed(cell, me) as i32;
        score
    }

    fn is_capture(&self, cell: Cell) -> bool {
        !self.captured_by(cell, self.lines.to_move).is_empty()
    }

    fn state_key(&self) -> u64 {
        let captured = (self.captured[0] as u64) << 8 | self.captured[1] as u64;
        keys::mix(captured | 1 << 20)
    }
}

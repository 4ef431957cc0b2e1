//! Pente and its options: five in a row, or captures.
//!
//! With overtime (Boat) a five is a proven win only once every capture has been
//! tried against it.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::lines::{self, LinePolicy};
use super::{GenType, MoveClass, MoveList, Position, Replay, Scored, ThreatLevel};
use crate::board::{Geometry, LineCountBoard};
use crate::eval::tuples::{TupleEval, TupleWeights};
use crate::threat::Verdict;
use goren_core::rules::{self, Contest, Outcome};
use goren_core::types::{Cell, CellSet, Color, Move, Score, keys};

/// Stones in a row that win.
const FIVE: usize = 5;
/// Cells of the evaluation's tuples: a five and what is next to it, so that
/// pairs which can be captured are seen.
const SPAN: usize = 6;
/// Most stones that one stone can take off: threes in eight directions, and
/// nine of its own side.
const MOST_GONE: usize = 8 * 3 + 9;

/// Worths of lines by hand, until weights are tuned: points by stones.
const STEPS: [i32; FIVE + 1] = [0, 1, 5, 22, 60, 0];

/// How moves look by the lines they are on.
const LINE_POLICY: LinePolicy =
    LinePolicy { own: [2, 6, 22, 90, 900, 0, 0, 0], deny: [0, 5, 18, 70, 500, 0, 0, 0] };
/// More for each stone captured, and for each own one that is saved.
const CAPTURE: i32 = 90;
/// Less for a stone that makes a pair which can be taken at once.
const EXPOSED: i32 = 60;
/// Points by stones captured, in parts of what wins.
const CAPTURED: i32 = 700;

/// What a stone changed.
#[derive(Clone, Debug)]
struct Past {
    cell: Cell,
    /// Opponent stones that were captured.
    captured: ArrayVec<Cell, MOST_GONE>,
    /// Own stones that were captured by moving between opponents.
    poofed: ArrayVec<Cell, MOST_GONE>,
    outcome: Option<Outcome>,
}

/// A game of Pente.
#[derive(Clone)]
pub struct Pente {
    game: rules::Pente,
    board: LineCountBoard,
    eval: TupleEval,
    to_move: Color,
    /// Key of the game and the board.
    base: u64,
    /// Stones captured by Black and White.
    captured: [usize; 2],
    past: Vec<Past>,
}

impl Pente {
    /// The value of tuples and of captures until weights are tuned.
    pub fn weights_by_hand(game: &rules::Pente) -> TupleWeights {
        let goal = game.goal() as i32;
        // The last stones count more than the first.
        let part = |captured: i32| CAPTURED * captured * (goal + captured) / (2 * goal * goal);
        let of_own = |own: i32| (0..=goal).map(move |others| (part(own) - part(others)) as i16);
        let states = (0..=goal).flat_map(of_own).collect();
        TupleWeights::by_count(SPAN, FIVE, &STEPS).with_states(states)
    }

    /// An empty board.
    ///
    /// # Panics
    /// The contest is of another game.
    pub fn new(contest: &Contest, weights: Arc<TupleWeights>) -> Pente {
        let rules::Variant::Pente(game) = contest.variant else { panic!("no game of Pente") };
        let (width, height) = (contest.width, contest.height);
        let board = CellSet::board(width, height);
        let geometry = Geometry::new(width, height, false, FIVE, SPAN, &board);
        let board = LineCountBoard::new(Arc::new(geometry));
        let eval = TupleEval::new(&board, weights);
        let options = game.keryo as u64 | (game.poof as u64) << 1 | (game.boat as u64) << 2;
        let base = keys::mix(1 << 40 | options << 32 | (width as u64) << 16 | height as u64);
        let (to_move, captured, past) = (Color::Black, [0, 0], Vec::new());
        Pente { game, board, eval, to_move, base, captured, past }
    }

    /// The stones.
    pub fn board(&self) -> &LineCountBoard {
        &self.board
    }

    /// The running evaluation.
    pub(super) fn eval(&self) -> &TupleEval {
        &self.eval
    }

    /// Stones captured by Black and White.
    pub fn captured(&self) -> [usize; 2] {
        self.captured
    }

    /// Number of the state for the evaluation: the stones that the side to move
    /// has captured, times one more than what wins, and those that the opponent
    /// has, neither counted beyond what wins.
    pub fn state(&self) -> usize {
        let goal = self.game.goal();
        let [own, others] =
            [self.to_move, !self.to_move].map(|color| self.captured[color.index()].min(goal));
        own * (goal + 1) + others
    }

    /// The stones of a colour captured by an opponent stone on a cell.
    fn prey(&self, cell: Cell, color: Color) -> ArrayVec<Cell, MOST_GONE> {
        let mut prey = ArrayVec::new();
        let geometry = self.board.geometry();
        for way in 0..8 {
            let mut at = geometry.neighbours(cell)[way];
            let mut length = 0;
            while length <= self.game.most() && self.board.is(at, !color) {
                length += 1;
                at = geometry.neighbours(at)[way];
            }
            if (2..=self.game.most()).contains(&length) && self.board.is(at, color) {
                for _ in 0..length {
                    at = geometry.neighbours(at)[way ^ 1];
                    // Runs in different directions share no stone.
                    let _ = prey.try_push(at);
                }
            }
        }
        prey
    }

    /// Own stones that vanish with a stone of `color` just placed on a cell.
    fn poofed(&self, cell: Cell, color: Color) -> ArrayVec<Cell, MOST_GONE> {
        let mut poofed = ArrayVec::<Cell, MOST_GONE>::new();
        let geometry = self.board.geometry();
        for direction in 0..4 {
            let mut run = ArrayVec::<Cell, 8>::new();
            run.push(cell);
            let mut flanked = true;
            for way in [2 * direction, 2 * direction + 1] {
                let mut at = geometry.neighbours(cell)[way];
                while self.board.is(at, color) && run.len() <= self.game.most() {
                    run.push(at);
                    at = geometry.neighbours(at)[way];
                }
                flanked &= self.board.is(at, !color);
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

    /// Whether a colour has captured enough, and more than the other.
    fn enough(&self, color: Color) -> bool {
        let [own, others] = [color, !color].map(|c| self.captured[c.index()]);
        own >= self.game.goal() && own > others
    }

    /// How the game stands after a stone of `mover`.
    fn judge(&self, mover: Color) -> Option<Outcome> {
        let judged = if self.game.boat { !mover } else { mover };
        let line = self.board.level(judged, FIVE) > 0;
        let by_captures = Color::ALL.into_iter().find(|&color| self.enough(color));
        match (line, by_captures) {
            (false, None) => self.board.empty().is_empty().then_some(Outcome::Draw),
            (false, Some(color)) => Some(Outcome::Win(color)),
            (true, Some(color)) if color != judged && !self.game.boat => Some(Outcome::Draw),
            (true, _) => Some(Outcome::Win(judged)),
        }
    }

    /// Whether a colour can complete a five with a stone that stays.
    fn can_make_five(&self, color: Color) -> bool {
        let board = &self.board;
        board.level(color, FIVE - 1) > 0
            && (!self.game.poof
                || board.completions(color).iter().any(|at| self.poofed(at, color).is_empty()))
    }

    /// Whether the side to move wins with its next stone by captures.
    fn can_capture_out(&mut self) -> bool {
        let (me, goal) = (self.to_move, self.game.goal());
        let own = self.captured[me.index()];
        // Stones in a second direction are counted too, but seldom decide.
        if own + 2 * self.game.most() < goal {
            return false;
        }
        // Own stones may go too, or a five of the opponent's outlast the captures.
        let sure = !self.game.poof && self.board.level(!me, FIVE) == 0;
        self.board.near().iter().any(|cell| {
            let prey = self.prey(cell, me).len();
            prey > 0 && own + prey >= goal && (sure || self.wins_by(cell))
        })
    }

    /// Whether a stone of the side to move wins at once.
    fn wins_by(&mut self, cell: Cell) -> bool {
        let me = self.to_move;
        self.make(Move::at(cell));
        let won = self.outcome() == Some(Outcome::Win(me));
        self.unmake();
        won
    }

    /// With overtime: whether the side to move can complete a five that stands
    /// whatever the opponent takes.
    fn can_make_lasting_five(&mut self) -> bool {
        let me = self.to_move;
        self.board.level(me, FIVE - 1) > 0
            && self.board.completions(me).iter().any(|cell| {
                self.make(Move::at(cell));
                let lasts = self.outcome().is_none() && self.five_lasts();
                self.unmake();
                lasts
            })
    }

    /// Whether the five of the side that has just placed a stone, if it has
    /// one, wins after every answer. Only captures can break it.
    fn five_lasts(&mut self) -> bool {
        let owner = !self.to_move;
        self.board.level(owner, FIVE) > 0
            && self.captures().iter().all(|cell| {
                self.make(Move::at(cell));
                let won = self.outcome() == Some(Outcome::Win(owner));
                self.unmake();
                won
            })
    }

    /// The cells where a stone of the side to move captures something.
    fn captures(&self) -> CellSet {
        let near = self.board.near();
        near.iter().filter(|&cell| !self.prey(cell, self.to_move).is_empty()).collect()
    }

    fn main_moves(&mut self) -> CellSet {
        if self.threat_level() != ThreatLevel::Immediate {
            return lines::near(&self.board);
        }
        let (me, opponent) = (self.to_move, !self.to_move);
        let captures = self.captures();
        if self.game.boat {
            // A five that stands already is stopped by a capture alone.
            return captures;
        }
        // One that is threatened also where it would be made, or where its last
        // stone would then be moved between two of ours.
        let fives = self.board.completions(opponent);
        let mut stops = captures.union(&fives);
        if self.game.poof {
            stops = stops.union(&self.run_ends(&fives, opponent));
        }
        // The root has not asked for a win of its own.
        if self.can_make_five(me) { stops.union(&self.board.completions(me)) } else { stops }
    }

    /// The empty cells at the ends of the runs that stones of a colour on some
    /// cells would make.
    fn run_ends(&self, cells: &CellSet, color: Color) -> CellSet {
        let geometry = self.board.geometry();
        let end = |cell: Cell, way: usize| {
            let mut at = geometry.neighbours(cell)[way];
            while self.board.is(at, color) {
                at = geometry.neighbours(at)[way];
            }
            at
        };
        let ends = cells.iter().flat_map(|cell| (0..8).map(move |way| end(cell, way)));
        ends.filter(|&at| self.board.is_empty(at)).collect()
    }

    /// The cells where a stone makes a line of four.
    fn fours(&self) -> CellSet {
        let board = &self.board;
        board.lines_missing(self.to_move, 2).flat_map(|line| board.gaps(line)).collect()
    }

    /// Whether the stone on a cell and a neighbour would be a pair that the
    /// opponent can take.
    fn is_exposed(&self, cell: Cell, color: Color) -> bool {
        let geometry = self.board.geometry();
        let around = geometry.neighbours(cell);
        (0..8).any(|way| {
            let (partner, behind) = (around[way], around[way ^ 1]);
            let beyond = geometry.neighbours(partner)[way];
            let can_close = |a: Cell, b: Cell| self.board.is(a, !color) && self.board.is_empty(b);
            self.board.is(partner, color)
                && (can_close(behind, beyond) || can_close(beyond, behind))
        })
    }
}

impl Position for Pente {
    fn to_move(&self) -> Color {
        self.to_move
    }

    fn key(&self) -> u64 {
        let captured = (self.captured[0] as u64) << 8 | self.captured[1] as u64;
        let turned = self.base.rotate_left(self.to_move.index() as u32);
        self.board.key() ^ turned ^ keys::mix(captured | 1 << 20)
    }

    fn key_after(&self, m: Move) -> u64 {
        // Captures are left out: then the wrong line is fetched.
        let captured = (self.captured[0] as u64) << 8 | self.captured[1] as u64;
        let turned = self.base.rotate_left((!self.to_move).index() as u32);
        let stone = keys::stone(goren_core::types::Stone::Of(self.to_move), m.cell());
        self.board.key() ^ stone ^ turned ^ keys::mix(captured | 1 << 20)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.past.last().and_then(|past| past.outcome)
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.to_move);
        let eval = &mut self.eval;
        self.board.put(cell, color, |a, b| eval.change(a, b));
        let captured = self.prey(cell, color);
        let poofed = if self.game.poof { self.poofed(cell, color) } else { ArrayVec::new() };
        let eval = &mut self.eval;
        for &gone in &captured {
            self.board.lift(gone, !color, |a, b| eval.change(a, b));
        }
        for &gone in &poofed {
            self.board.lift(gone, color, |a, b| eval.change(a, b));
        }
        self.captured[color.index()] += captured.len();
        self.captured[(!color).index()] += poofed.len();
        let outcome = self.judge(color);
        self.past.push(Past { cell, captured, poofed, outcome });
        self.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        let color = !self.to_move;
        self.to_move = color;
        self.captured[color.index()] -= past.captured.len();
        self.captured[(!color).index()] -= past.poofed.len();
        let eval = &mut self.eval;
        for &back in &past.poofed {
            self.board.put(back, color, |a, b| eval.change(a, b));
        }
        for &back in &past.captured {
            self.board.put(back, !color, |a, b| eval.change(a, b));
        }
        self.board.lift(past.cell, color, |a, b| eval.change(a, b));
    }

    fn is_legal(&mut self, _m: Move) -> bool {
        true
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        m.is_some() && self.board.is_empty(m.cell())
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        let set = match gen_type {
            GenType::Main => self.main_moves(),
            GenType::Fours => self.fours(),
            GenType::StrongFours => {
                let fours = self.fours();
                fours
                    .iter()
                    .filter(|&cell| self.move_class(Move::at(cell)) == MoveClass::StrongFour)
                    .collect()
            }
            // Captures spoil most proofs by threats alone.
            GenType::Threats | GenType::Attacks => CellSet::EMPTY,
            GenType::Rest => {
                let main = self.main_moves();
                self.board.empty().difference(&main)
            }
        };
        out.extend(set.iter().map(Move::at).map(|m| Scored::new(m, self.policy_score(m))));
    }

    fn verdict(&mut self) -> Verdict {
        let me = self.to_move;
        if !self.game.boat && self.can_make_five(me) || self.can_capture_out() {
            Verdict::Win(1)
        } else if self.game.boat && self.can_make_lasting_five() {
            Verdict::Win(2)
        } else {
            Verdict::Unknown
        }
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let opponent = !self.to_move;
        let threatened = if self.game.boat {
            self.board.level(opponent, FIVE) > 0
        } else {
            self.can_make_five(opponent)
        };
        if threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }

    fn evaluate(&mut self) -> Score {
        self.eval.score(self.to_move, self.state())
    }

    fn policy_score(&self, m: Move) -> i32 {
        let (cell, me) = (m.cell(), self.to_move);
        let mut score = LINE_POLICY.of(&self.board, me, cell);
        score += CAPTURE * self.prey(cell, me).len() as i32;
        score += CAPTURE * self.prey(cell, !me).len() as i32 * 2 / 3;
        score -= EXPOSED * self.is_exposed(cell, me) as i32;
        score
    }

    fn move_class(&self, m: Move) -> MoveClass {
        let (cell, me) = (m.cell(), self.to_move);
        lines::kind_capturing(&self.board, me, cell, || !self.prey(cell, me).is_empty())
    }

    fn shape(&self, m: Move) -> usize {
        lines::shape(&self.board, self.to_move, m.cell())
    }

    fn last(&self) -> Option<Cell> {
        self.past.last().map(|past| past.cell)
    }
}

impl Replay for Pente {
    fn place(&mut self, cell: Cell, color: Color) {
        self.to_move = color;
        self.make(Move::at(cell));
    }

    fn lay(&mut self, cell: Cell, color: Color) {
        let eval = &mut self.eval;
        self.board.put(cell, color, |a, b| eval.change(a, b));
    }

    fn placements(&self) -> CellSet {
        *self.board.empty()
    }

    fn hand_to(&mut self, color: Color, _stones: usize) {
        self.to_move = color;
    }
}

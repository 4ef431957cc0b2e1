//! Common code of all games on a [`LineCountBoard`]. A game implements [`LineGame`], which
//! makes it a [`Position`], [`Replay`] and [`Tupled`].

use std::sync::Arc;

use super::lines::{self, LinePolicy};
use super::position::{
    GenType, Ladder, MoveClass, MoveList, Position, Replay, Scored, ThreatLevel, USUAL_LADDER,
};
use crate::board::{Codes, Geometry, LineCountBoard};
use crate::eval::tuples::{TupleEval, TupleWeights};
use crate::threat::{Meter, Verdict};
use goren_core::rules::Outcome;
use goren_core::types::{Cell, CellSet, Color, Move, Score, Stone, keys};

/// A stone that was placed as a move.
#[derive(Clone)]
pub(super) struct Past<U> {
    pub(super) cell: Cell,
    /// The result, if this stone ended the game.
    pub(super) outcome: Option<Outcome>,
    /// See [`LineGame::Undo`].
    pub(super) undo: U,
}

/// Board, evaluation, side to move and the moves so far. `U` is [`LineGame::Undo`].
#[derive(Clone)]
pub(super) struct LineState<U> {
    pub(super) board: LineCountBoard,
    pub(super) eval: TupleEval,
    pub(super) to_move: Color,
    /// Key of the game, its options and the size of the board.
    base: u64,
    /// The stones placed as moves and not unmade, oldest first.
    pub(super) past: Vec<Past<U>>,
}

impl<U> LineState<U> {
    /// Creates an empty board. `game` must be unique for every game with its options: the
    /// number of the game times 2^8, plus one bit for each option.
    pub(super) fn new(geometry: Geometry, game: u64, weights: Arc<TupleWeights>) -> LineState<U> {
        let size = (geometry.width() as u64) << 16 | geometry.height() as u64;
        let base = keys::mix(game << 32 | size);
        let geometry = Arc::new(geometry);
        let eval = TupleEval::new(geometry.clone(), weights);
        let board = LineCountBoard::new(geometry);
        LineState { board, eval, to_move: Color::Black, base, past: Vec::new() }
    }

    /// Removes all stones from the board. The moves so far and the side to move remain.
    pub(super) fn clear(&mut self) {
        (self.board, self.eval) = (self.board.emptied(), self.eval.emptied());
    }

    /// Returns the result, if the last move ended the game.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.past.last().and_then(|past| past.outcome)
    }

    /// Places a stone on an empty cell.
    pub(super) fn put(&mut self, cell: Cell, color: Color) {
        self.board.put(cell, color);
        self.eval.flip(cell, color);
    }

    /// Removes a stone.
    pub(super) fn lift(&mut self, cell: Cell, color: Color) {
        self.board.lift(cell, color);
        self.eval.flip(cell, color);
    }

    /// Returns the key of the stones, the game, and the turn. `turn` is 0 for Black and 1 for
    /// White; a game with several stones a turn adds twice the number of stones left.
    pub(super) fn key(&self, turn: u32) -> u64 {
        self.board.key() ^ self.base.rotate_left(turn)
    }

    /// Returns [`LineState::key`] after one more stone of the side to move.
    pub(super) fn key_with(&self, cell: Cell, turn: u32) -> u64 {
        self.key(turn) ^ keys::stone(Stone::Of(self.to_move), cell)
    }

    /// Returns the empty cells where a stone of the side to move makes a line that only it
    /// occupies and that then misses `missing` stones.
    pub(super) fn makes_missing(&self, missing: usize) -> CellSet {
        let lines = self.board.lines_missing(self.to_move, missing + 1);
        lines.flat_map(|line| self.board.gaps(line)).collect()
    }
}

/// A game on a line-count board. The defaults fit games in which a completed line wins. If
/// it loses, [`LineGame::fours`], `move_class` and [`LineGame::LINE_POLICY`] must reflect
/// that, because the search tries first the moves that they prefer.
pub(super) trait LineGame: Clone + Send + Sync + 'static {
    /// What [`LineGame::unmake`] needs to know of a stone besides its cell.
    type Undo;

    /// See [`Position::TURN`].
    const TURN: usize = 1;
    /// See [`Position::LADDER`].
    const LADDER: Ladder = USUAL_LADDER;
    /// See [`Position::SOLVE_IN_TREE`].
    const SOLVE_IN_TREE: bool = false;
    /// See [`Position::PASSES`].
    const PASSES: bool = false;
    /// Policy scores by the lines through a cell.
    const LINE_POLICY: LinePolicy;

    /// Returns the board, the evaluation, the side to move and the moves so far.
    fn lines(&self) -> &LineState<Self::Undo>;
    /// Returns the mutable version of [`LineGame::lines`].
    fn lines_mut(&mut self) -> &mut LineState<Self::Undo>;

    /// Places a stone of the side to move, with its captures, and adds it with the result to
    /// [`LineState::past`].
    fn make(&mut self, m: Move);
    /// Unmakes the last move and removes it from [`LineState::past`].
    fn unmake(&mut self);
    /// See [`Position::make_pass`].
    fn make_pass(&mut self) {}
    /// See [`Position::unmake_pass`].
    fn unmake_pass(&mut self) {}

    /// Returns the moves searched first; under a threat, all defences.
    fn main_moves(&mut self) -> CellSet;
    /// Returns the moves that force an answer. By default, moves after which a line misses one
    /// stone.
    fn fours(&self) -> CellSet {
        self.lines().makes_missing(1)
    }
    /// Returns all moves not among [`LineGame::main_moves`]; some may be illegal.
    fn other_moves(&mut self) -> CellSet {
        let main = self.main_moves();
        self.lines().board.empty().difference(&main)
    }
    /// See [`Position::is_legal`].
    fn is_legal(&mut self, _m: Move) -> bool {
        true
    }
    /// Returns the empty cells where the rules allow a stone of the side to move, including
    /// losing moves.
    fn placements(&self) -> CellSet {
        *self.lines().board.empty()
    }
    /// Whether an empty cell is pseudo-legal; see [`Position::is_pseudo_legal`].
    fn is_placement(&self, _cell: Cell) -> bool {
        true
    }

    /// Returns the forbidden points of a colour (renju fouls).
    fn forbidden(&self, _color: Color) -> Vec<Cell> {
        Vec::new()
    }

    /// See [`Position::verdict`].
    fn verdict(&mut self) -> Verdict;
    /// See [`Position::threat_level`].
    fn threat_level(&mut self) -> ThreatLevel;
    /// Returns the number of the state for the evaluation, below the family's number of
    /// states: captures, or stones left in the turn.
    fn state(&self) -> usize {
        0
    }
    /// Returns the numbers of stones captured by Black and by White.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }
    /// See [`Position::evaluate`].
    fn evaluate(&mut self) -> Score {
        let state = self.state();
        let lines = self.lines_mut();
        lines.eval.score(lines.to_move, state)
    }
    /// Returns the hand-made policy score of a move, for weights without policy values of
    /// windows.
    fn policy_by_hand(&self, m: Move) -> i32 {
        let lines = self.lines();
        Self::LINE_POLICY.of(&lines.board, lines.to_move, m.cell())
    }
    /// Whether a stone of the side to move on an empty cell captures anything.
    fn is_capture(&self, _cell: Cell) -> bool {
        false
    }
    /// See [`Position::move_class`]. By default, the class follows from the lines through the
    /// cell, and a capture is at least a threat.
    fn move_class(&self, m: Move) -> MoveClass {
        let lines = self.lines();
        let class = lines::move_class(&lines.board, lines.to_move, m.cell());
        let raised = class < MoveClass::Threat && self.is_capture(m.cell());
        if raised { MoveClass::Threat } else { class }
    }

    /// Returns the key of everything that distinguishes positions besides stones and turn:
    /// captures, a ko.
    fn state_key(&self) -> u64 {
        0
    }
    /// See [`Position::key`].
    fn key(&self) -> u64 {
        let lines = self.lines();
        lines.key(lines.to_move.index() as u32) ^ self.state_key()
    }
    /// See [`Position::key_after`].
    fn key_after(&self, m: Move) -> u64 {
        let lines = self.lines();
        lines.key_with(m.cell(), (!lines.to_move).index() as u32) ^ self.state_key()
    }
    /// See [`Position::begins_turn`].
    fn begins_turn(&self) -> bool {
        true
    }
    /// See [`Position::solve`].
    fn solve(&mut self, _meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        None
    }

    /// See [`Replay::place`].
    fn place(&mut self, cell: Cell, color: Color) {
        self.lines_mut().to_move = color;
        self.make(Move::at(cell));
    }
    /// See [`Replay::pass`].
    fn pass(&mut self) {}
    /// See [`Replay::hand_to`].
    fn hand_to(&mut self, color: Color, _stones: usize) {
        self.lines_mut().to_move = color;
    }
    /// See [`Replay::forget`].
    fn forget(&mut self) {}
}

/// A position whose evaluation uses tuples and a state number.
pub trait Tupled: Replay {
    /// Returns the board.
    fn board(&self) -> &LineCountBoard;
    /// Returns the codes of the board's tuples and windows.
    fn codes(&mut self) -> &Codes;
    /// Returns the number of the state for the evaluation.
    fn state(&self) -> usize;
    /// Returns the numbers of stones captured by Black and by White.
    fn captured(&self) -> [usize; 2];
    /// Returns the forbidden points of a colour (renju fouls).
    fn forbidden(&self, color: Color) -> Vec<Cell>;
    /// Returns the weights.
    fn weights(&self) -> &TupleWeights;
}

impl<G: LineGame> Tupled for G {
    fn board(&self) -> &LineCountBoard {
        &self.lines().board
    }

    fn codes(&mut self) -> &Codes {
        self.lines_mut().eval.codes()
    }

    fn state(&self) -> usize {
        LineGame::state(self)
    }

    fn captured(&self) -> [usize; 2] {
        LineGame::captured(self)
    }

    fn forbidden(&self, color: Color) -> Vec<Cell> {
        LineGame::forbidden(self, color)
    }

    fn weights(&self) -> &TupleWeights {
        self.lines().eval.weights()
    }
}

impl<G: LineGame> Position for G {
    const TURN: usize = G::TURN;
    const LADDER: Ladder = G::LADDER;
    const SOLVE_IN_TREE: bool = G::SOLVE_IN_TREE;
    const PASSES: bool = G::PASSES;

    fn begins_turn(&self) -> bool {
        LineGame::begins_turn(self)
    }

    fn to_move(&self) -> Color {
        self.lines().to_move
    }

    fn key(&self) -> u64 {
        LineGame::key(self)
    }

    fn key_after(&self, m: Move) -> u64 {
        LineGame::key_after(self, m)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.lines().outcome()
    }

    fn make(&mut self, m: Move) {
        LineGame::make(self, m);
    }

    fn unmake(&mut self) {
        LineGame::unmake(self);
    }

    fn make_pass(&mut self) {
        LineGame::make_pass(self);
    }

    fn unmake_pass(&mut self) {
        LineGame::unmake_pass(self);
    }

    fn is_legal(&mut self, m: Move) -> bool {
        LineGame::is_legal(self, m)
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        m.is_some() && self.lines().board.is_empty(m.cell()) && self.is_placement(m.cell())
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        let set = match gen_type {
            GenType::Main => self.main_moves(),
            GenType::Fours => self.fours(),
            GenType::StrongFours => {
                let fours = self.fours();
                let class = |cell| LineGame::move_class(self, Move::at(cell));
                fours.iter().filter(|&cell| class(cell) == MoveClass::StrongFour).collect()
            }
            // A capture or a second stone in the turn can refute proofs by threats alone, so
            // the threat solvers get no moves.
            GenType::Threats | GenType::Attacks => CellSet::EMPTY,
            GenType::Rest => self.other_moves(),
        };
        let scored = |m| Scored::new(m, Position::policy_score(self, m));
        out.extend(set.iter().map(Move::at).map(scored));
    }

    fn verdict(&mut self) -> Verdict {
        LineGame::verdict(self)
    }

    fn threat_level(&mut self) -> ThreatLevel {
        LineGame::threat_level(self)
    }

    fn evaluate(&mut self) -> Score {
        LineGame::evaluate(self)
    }

    fn policy_score(&mut self, m: Move) -> i32 {
        let lines = self.lines_mut();
        let trained = lines.eval.policy_score(m.cell(), lines.to_move);
        trained.unwrap_or_else(|| self.policy_by_hand(m))
    }

    fn move_class(&self, m: Move) -> MoveClass {
        LineGame::move_class(self, m)
    }

    fn shape(&self, m: Move) -> usize {
        let lines = self.lines();
        lines::shape(&lines.board, lines.to_move, m.cell())
    }

    fn solve(&mut self, meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        LineGame::solve(self, meter)
    }

    fn last(&self) -> Option<Cell> {
        self.lines().past.last().map(|past| past.cell)
    }
}

impl<G: LineGame> Replay for G {
    fn place(&mut self, cell: Cell, color: Color) {
        LineGame::place(self, cell, color);
    }

    fn set_up_stone(&mut self, cell: Cell, stone: Stone) {
        match stone {
            Stone::Of(color) => self.lines_mut().put(cell, color),
            Stone::Wall => debug_assert!(false, "only five in a row has walls"),
        }
    }

    fn pass(&mut self) {
        LineGame::pass(self);
    }

    fn hand_to(&mut self, color: Color, stones: usize) {
        LineGame::hand_to(self, color, stones);
    }

    fn placements(&self) -> CellSet {
        LineGame::placements(self)
    }

    fn forget(&mut self) {
        LineGame::forget(self);
    }
}

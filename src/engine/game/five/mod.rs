//! Five in a row, one stone a turn, under every rule: freestyle, standard, renju, Caro
//! and their variants.

#[cfg(test)]
mod tests;
mod weights;

use std::sync::Arc;

use super::position::{
    ClassCounts, DENIED_SHAPES, GenType, Ladder, MoveClass, MoveList, Position, Replay, Scored,
    ThreatLevel,
};
use crate::board::Board;
use crate::eval::near::{self, EarlierMove};
use crate::eval::{Eval, Weights, weights_rule};
use crate::pattern::Class;
use crate::threat::{self, FOURS, Found, Meter, Vcf, Verdict};
use goren_core::rules::{Ends, Outcome, Rule, Setup};
use goren_core::types::{Cell, CellSet, Color, Move, Score, Stone, keys};

pub(crate) use weights::FILES;

/// Classes that make an open three and no four.
const THREES: [Class; 3] = [Class::DoubleThree, Class::ThreePlus, Class::Three];
/// Classes that make a strong four.
const STRONG_FOURS: [Class; 3] = [Class::OpenFour, Class::FourThree, Class::FourPlus];

/// A position of five in a row.
#[derive(Clone)]
pub struct Five<R: Rule> {
    board: Board<R>,
    eval: Eval,
    to_move: Color,
    /// Key of the rule and the size of the board.
    base: u64,
    /// The winner by a five or a foul, and the number of stones and walls when it won.
    won: Option<(Color, usize)>,
    vcf: Vcf,
    /// The last result of [`Five::defences`], with the key of its position.
    defences: Option<(u64, Option<CellSet>)>,
}

impl<R: Rule> Five<R> {
    /// Creates an empty board with Black to move and the embedded weights.
    pub fn new(setup: Setup) -> Five<R> {
        Five::with_weights(setup, Weights::embedded(setup.rule))
    }

    /// Creates an empty board with Black to move and these weights.
    ///
    /// # Panics
    /// In debug builds, if the weights are for another rule.
    pub fn with_weights(setup: Setup, weights: Arc<Weights>) -> Five<R> {
        debug_assert_eq!(weights.rule(), weights_rule(setup.rule));
        let board = Board::new(setup);
        let eval = Eval::new(&board, weights);
        let base =
            keys::mix((setup.rule as u64) << 32 | (setup.width as u64) << 16 | setup.height as u64);
        Five {
            board,
            eval,
            to_move: Color::Black,
            base,
            won: None,
            vcf: Vcf::default(),
            defences: None,
        }
    }

    /// Returns the board.
    pub fn board(&self) -> &Board<R> {
        &self.board
    }

    /// Returns the weights of the evaluation.
    pub fn weights(&self) -> &Arc<Weights> {
        self.eval.weights()
    }

    /// Sets the side to move.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// Places a stone as a move of its colour and judges it: a five wins, a foul loses.
    /// The other colour is to move afterwards.
    pub fn put(&mut self, cell: Cell, color: Color) {
        self.to_move = color;
        let foul = self.board.is_forbidden(color, cell);
        self.make(Move::at(cell));
        if foul {
            self.won = Some((!color, self.board.placed()));
        }
    }

    /// Puts a stone or a wall on an empty cell to set up a position, without judging it.
    pub fn set_up(&mut self, cell: Cell, stone: Stone) {
        match stone {
            Stone::Of(color) => self.board.make(cell, color),
            Stone::Wall => self.board.make_wall(cell),
        }
    }

    /// Takes back the last stone or wall, if there is one. After a stone, its colour is
    /// to move.
    pub fn take_back(&mut self) -> Option<(Cell, Stone)> {
        let last = self.board.last()?;
        match last.1 {
            Stone::Of(color) => {
                self.unmake();
                self.to_move = color;
            }
            Stone::Wall => {
                self.board.unmake();
                self.eval.keep(self.board.placed());
            }
        }
        Some(last)
    }

    /// Returns the forbidden points of a colour.
    pub fn forbidden(&self, color: Color) -> Vec<Cell> {
        self.board.empty().iter().filter(|&c| self.board.is_forbidden(color, c)).collect()
    }

    /// Returns [`threat::defences`] of the side to move. Cached, because the search requests
    /// the threat level of a position first and then its moves, which both depend on it.
    fn defences(&mut self) -> Option<&CellSet> {
        let key = self.key();
        if self.defences.as_ref().is_none_or(|&(of, _)| of != key) {
            self.defences = Some((key, threat::defences(&self.board, self.to_move)));
        }
        self.defences.as_ref().and_then(|(_, set)| set.as_ref())
    }

    /// Returns the cells of the moves of a generation type.
    fn cells_of(&mut self, gen_type: GenType) -> CellSet {
        match gen_type {
            GenType::Main => self.main_moves(),
            GenType::Fours => self.fours(),
            GenType::Threats => self.threats(),
            GenType::Attacks => self.threats().union(&self.builders()),
            GenType::StrongFours => self.cells_with(STRONG_FOURS),
            GenType::Rest => {
                let main = self.main_moves();
                self.board.empty().difference(&main)
            }
        }
    }

    fn main_moves(&mut self) -> CellSet {
        let (board, me) = (&self.board, self.to_move);
        if board.count(me, Class::Five) > 0 {
            return *board.cells_of(me, Class::Five);
        }
        if let Some(answers) = threat::forced_cells(board, me) {
            // If nothing stops all fives, any answer will do.
            return if answers.is_empty() { *board.cells_of(!me, Class::Five) } else { answers };
        }
        if board.count(me, Class::OpenFour) > 0 {
            return *board.cells_of(me, Class::OpenFour);
        }
        let threats = [Class::OpenFour, Class::FourThree];
        if threats.iter().any(|&class| board.count(!me, class) > 0)
            && let Some(set) = self.defences().copied()
        {
            return set.union(&self.fours());
        }
        let near = self.board.near();
        if near.is_empty() { self.center() } else { near }
    }

    /// Returns the cells where the side to move makes a four that needs an answer. If the side
    /// has fouls, suspected fouls are included: they may be legal and make a four.
    fn fours(&self) -> CellSet {
        let set = self.cells_with([Class::OpenFour]).union(&self.cells_with(FOURS));
        if R::has_fouls(self.to_move) {
            return set.union(&self.cells_with([Class::FoulSuspect]));
        }
        set
    }

    /// Returns the cells where the side to move makes a four or an open three.
    fn threats(&self) -> CellSet {
        self.fours().union(&self.cells_with(THREES))
    }

    /// Returns the cells where the side to move makes neither a four nor an open three, but
    /// prepares a four-three or two fours.
    fn builders(&self) -> CellSet {
        let class = |cell: &Cell| self.board.class(self.to_move, *cell);
        let builds = |cell: &Cell| matches!(class(cell), Class::ClosedThree | Class::TwoTwos);
        self.board.near().iter().filter(builds).collect()
    }

    /// Returns the only move that stops a five of the opponent; `None` if there is no single
    /// one, or if the side to move can make a five itself. Needs no set of cells.
    #[inline]
    fn only_answer(&self) -> Option<Cell> {
        let (board, me) = (&self.board, self.to_move);
        let single = R::ENDS == Ends::Any
            && board.count(!me, Class::Five) == 1
            && board.count(me, Class::Five) == 0;
        if single { board.cells_of(!me, Class::Five).first() } else { None }
    }

    /// Whether a stone of the side to move would have one of these classes somewhere.
    #[inline]
    fn has_any<const N: usize>(&self, classes: [Class; N]) -> bool {
        classes.iter().any(|&class| self.board.count(self.to_move, class) > 0)
    }

    /// Returns the cells where a stone of the side to move would have one of these classes,
    /// each at least [`Class::Three`].
    #[inline]
    fn cells_with<const N: usize>(&self, classes: [Class; N]) -> CellSet {
        let (board, me) = (&self.board, self.to_move);
        let present = classes.into_iter().filter(|&class| board.count(me, class) > 0);
        present.fold(CellSet::EMPTY, |set, class| set.union(board.cells_of(me, class)))
    }

    /// Returns the empty cell nearest to the middle of the board.
    fn center(&self) -> CellSet {
        let setup = self.board.setup();
        let (cx, cy) = (setup.width / 2, setup.height / 2);
        let distance = |c: &Cell| (c.x().abs_diff(cx).max(c.y().abs_diff(cy)), *c);
        self.board.empty().iter().min_by_key(distance).into_iter().collect()
    }
}

impl<R: Rule> Position for Five<R> {
    /// In Caro, the search misses a VCT just beyond the horizon several times as often as
    /// under other rules.
    const CHECKS_ROOT_MOVES: bool = matches!(R::ENDS, Ends::NotBothEnemy);
    const KEY_AFTER_IS_EXACT: bool = true;
    const LADDER: Ladder = if R::FOULS[0].any() {
        [88, 213, 313, 441, 553, 673, 778, 868, 913, 974, 1000]
    } else {
        [0, 163, 302, 454, 588, 702, 797, 861, 914, 966, 1000]
    };
    const PASSES: bool = R::CARD.game.passes;

    #[inline]
    fn to_move(&self) -> Color {
        self.to_move
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board.key() ^ self.base.rotate_left(self.to_move.index() as u32)
    }

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        let turned = self.base.rotate_left((!self.to_move).index() as u32);
        self.board.key_after(m.cell(), self.to_move) ^ turned
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.won {
            Some((winner, _)) => Some(Outcome::Win(winner)),
            None if self.board.empty().is_empty() => {
                let winner = self.board.setup().rule.card().full_board;
                Some(winner.map_or(Outcome::Draw, Outcome::Win))
            }
            None => None,
        }
    }

    #[inline]
    fn make(&mut self, m: Move) {
        let five = self.board.wins(self.to_move, m.cell());
        self.board.make(m.cell(), self.to_move);
        if five && self.won.is_none() {
            self.won = Some((self.to_move, self.board.placed()));
        }
        self.to_move = !self.to_move;
    }

    #[inline]
    fn unmake(&mut self) {
        if self.won.is_some_and(|(_, stones)| stones == self.board.placed()) {
            self.won = None;
        }
        self.board.unmake();
        self.eval.keep(self.board.placed());
        self.to_move = !self.to_move;
    }

    fn make_pass(&mut self) {
        self.to_move = !self.to_move;
    }

    fn unmake_pass(&mut self) {
        self.to_move = !self.to_move;
    }

    #[inline]
    fn is_legal(&mut self, m: Move) -> bool {
        !self.board.is_forbidden(self.to_move, m.cell())
    }

    #[inline]
    fn is_pseudo_legal(&self, m: Move) -> bool {
        m.is_some() && self.board.is_empty(m.cell())
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        if gen_type == GenType::Main
            && let Some(cell) = self.only_answer()
        {
            let m = Move::at(cell);
            out.push(Scored::new(m, self.policy_score(m)));
            return;
        }
        if gen_type == GenType::StrongFours && !self.has_any(STRONG_FOURS) {
            // The usual case: return without scanning a set of cells.
            return;
        }
        let set = self.cells_of(gen_type);
        let score = self.eval.weights().policy_scores(self.to_move);
        let board = &self.board;
        out.extend(set.iter().map(|cell| Scored::new(Move::at(cell), score(board.cell(cell)))));
    }

    fn count_moves(&mut self, gen_type: GenType) -> usize {
        if gen_type == GenType::Main && self.only_answer().is_some() {
            return 1;
        }
        self.cells_of(gen_type).len()
    }

    #[inline]
    fn verdict(&mut self) -> Verdict {
        threat::verdict(&self.board, self.to_move)
    }

    #[inline]
    fn threat_level(&mut self) -> ThreatLevel {
        let count = |class| self.board.count(!self.to_move, class);
        if count(Class::Five) > 0 {
            ThreatLevel::Immediate
        } else if count(Class::OpenFour) > 0
            || count(Class::FourThree) > 0 && self.defences().is_some()
        {
            ThreatLevel::Threat
        } else {
            ThreatLevel::None
        }
    }

    #[inline]
    fn must_answer_five(&mut self) -> bool {
        self.board.count(!self.to_move, Class::Five) > 0
    }

    #[inline]
    fn evaluate(&mut self) -> Score {
        self.eval.score(&self.board, self.to_move)
    }

    #[inline]
    fn policy_score(&mut self, m: Move) -> i32 {
        self.eval.weights().policy_score(self.to_move, self.board.cell(m.cell()))
    }

    #[inline]
    fn add_near(&self, own: bool, earlier: EarlierMove, moves: &mut MoveList) {
        let value = self.eval.weights().near(self.to_move, own, earlier);
        for entry in moves {
            entry.score += value(entry.m.cell());
        }
    }

    #[inline]
    fn add_near_both(&self, last: [Option<EarlierMove>; 2], moves: &mut MoveList) {
        let value = self.eval.weights().near_both(self.to_move, last);
        for entry in moves {
            entry.score += value(entry.m.cell());
        }
    }

    fn add_policy(&mut self, last: [Option<EarlierMove>; 2], moves: &mut MoveList) {
        self.eval.add_policy(&self.board, self.to_move, last, moves);
    }

    #[inline]
    fn move_class(&self, m: Move) -> MoveClass {
        let own = self.board.class(self.to_move, m.cell());
        let denied = self.board.class(!self.to_move, m.cell());
        match own {
            // If legal, one of its threes is false, or a four excuses them.
            Class::FoulSuspect => MoveClass::Threat,
            Class::Four => MoveClass::Four,
            c if c > Class::Four => MoveClass::StrongFour,
            _ if denied > Class::Four && denied != Class::FoulSuspect => MoveClass::Threat,
            c if c >= Class::Three => MoveClass::Threat,
            c if c >= Class::ClosedThree => MoveClass::Active,
            _ if denied >= Class::Three && denied != Class::FoulSuspect => MoveClass::Active,
            _ => MoveClass::Quiet,
        }
    }

    #[inline]
    fn shape(&self, m: Move) -> usize {
        let own = near::grade(self.board.class(self.to_move, m.cell()));
        let denied = match self.board.class(!self.to_move, m.cell()) {
            Class::ClosedThree | Class::TwoTwos => 1,
            Class::Three | Class::ThreePlus => 2,
            Class::DoubleThree | Class::Four => 3,
            Class::FourPlus | Class::FourThree | Class::OpenFour | Class::Five => 4,
            _ => 0,
        };
        own * DENIED_SHAPES + denied
    }

    fn solve(&mut self, meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        match self.vcf.solve(&mut self.board, self.to_move, meter) {
            Found::Win(cell, plies) => Some((Move::at(cell), plies)),
            Found::Nothing | Found::OutOfNodes => None,
        }
    }

    fn shortest(&mut self, meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        let line = threat::shortest(&mut self.board, self.to_move, meter)?;
        Some(line.into_iter().map(Move::at).collect())
    }

    fn zone(&mut self, meter: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        let (plies, zone) = self.vcf.zone(&mut self.board, !self.to_move, meter)?;
        Some((plies, zone.union(&self.fours())))
    }

    fn stones_from(&self, first: usize) -> Vec<Cell> {
        self.board.stones().skip(first).map(|(cell, _)| cell).collect()
    }

    #[inline]
    fn last(&self) -> Option<Cell> {
        self.board.last().map(|(cell, _)| cell)
    }
}

impl<R: Rule> Replay for Five<R> {
    fn place(&mut self, cell: Cell, color: Color) {
        self.put(cell, color);
    }

    fn set_up_stone(&mut self, cell: Cell, stone: Stone) {
        self.set_up(cell, stone);
    }

    fn placements(&self) -> CellSet {
        *self.board.empty()
    }

    fn hand_to(&mut self, color: Color, _stones: usize) {
        self.set_to_move(color);
    }

    fn class_counts(&self) -> Option<ClassCounts> {
        let mut counts = [[0; Class::COUNT]; 2];
        for cell in self.board.empty().iter() {
            for color in Color::ALL {
                counts[color.index()][self.board.class(color, cell) as usize] += 1;
            }
        }
        Some(counts)
    }
}

//! Irensei: seven in a row on a Go board.

use std::sync::{Arc, OnceLock};

use super::lines::{self, LinePolicy};
use super::{GenType, MoveClass, MoveList, Position, Replay, Scored, ThreatLevel};
use crate::board::{Geometry, LineCountBoard};
use crate::eval::tuples::{TupleEval, TupleWeights};
use crate::threat::Verdict;
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Cell, CellSet, Color, Move, SCORE_LIMIT, Score, keys};

/// Stones in a row that win.
const SEVEN: usize = 7;
/// Rings of the board where stones count for no seven.
const RINGS: usize = 2;
/// Cells of the evaluation's tuples.
const SPAN: usize = 7;
/// Ways to the neighbours along rows and columns.
const BESIDE: std::ops::Range<usize> = 0..4;

/// Worths of lines by hand, until weights are tuned: points by stones.
const STEPS: [i32; SEVEN + 1] = [0, 1, 3, 8, 22, 60, 120, 0];

/// How moves look by the lines they are on.
const LINE_POLICY: LinePolicy =
    LinePolicy { own: [1, 4, 10, 25, 80, 250, 900, 0], deny: [0, 3, 8, 20, 70, 200, 600, 0] };
/// More for a stone that takes others, and for each of them.
const CAPTURE: i32 = 60;
/// More for a stone that helps own ones out of being taken next.
const RESCUE: i32 = 45;

/// Points for each stone of the opponent that could be taken now.
const HANGING: i32 = 14;
/// Points lost with each own one that the opponent could take next.
const IN_ATARI: i32 = 5;

/// What a stone changed.
#[derive(Clone, Debug)]
struct Past {
    cell: Cell,
    captured: Vec<Cell>,
    ko: Option<(Cell, Cell)>,
    outcome: Option<Outcome>,
}

/// A game of Irensei.
#[derive(Clone)]
pub struct Irensei {
    board: LineCountBoard,
    eval: TupleEval,
    to_move: Color,
    base: u64,
    /// The point that one stone has just vacated, and the stone that took it:
    /// it may not be taken back at once.
    ko: Option<(Cell, Cell)>,
    past: Vec<Past>,
}

impl Irensei {
    /// The value of tuples until weights are tuned, made once.
    pub fn weights_by_hand() -> Arc<TupleWeights> {
        static MADE: OnceLock<Arc<TupleWeights>> = OnceLock::new();
        let make = || TupleWeights::by_count(SPAN, SEVEN, &STEPS).into();
        MADE.get_or_init(make).clone()
    }

    /// An empty board.
    pub fn new(contest: &Contest, weights: Arc<TupleWeights>) -> Irensei {
        let (width, height) = (contest.width, contest.height);
        let is_inner = |cell: &Cell| {
            (RINGS..width - RINGS).contains(&cell.x())
                && (RINGS..height - RINGS).contains(&cell.y())
        };
        let inner: CellSet = CellSet::board(width, height).iter().filter(is_inner).collect();
        let geometry = Geometry::new(width, height, false, SEVEN, SPAN, &inner);
        let board = LineCountBoard::new(Arc::new(geometry));
        let eval = TupleEval::new(&board, weights);
        let base = keys::mix(4 << 40 | (width as u64) << 16 | height as u64);
        Irensei { board, eval, to_move: Color::Black, base, ko: None, past: Vec::new() }
    }

    /// The stones.
    pub fn board(&self) -> &LineCountBoard {
        &self.board
    }

    /// The running evaluation.
    pub(super) fn eval(&self) -> &TupleEval {
        &self.eval
    }

    /// Calls for each neighbour on the board beside a cell.
    fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let around = self.board.geometry().neighbours(cell);
        BESIDE.map(|way| around[way]).filter(|&at| at != Move::NONE.cell())
    }

    /// The stones connected to the one on a cell, or `None` if they have more
    /// liberties than `most`. A stone of `color` on `added` counts as placed.
    fn group(&self, cell: Cell, color: Color, added: Cell, most: usize) -> Option<Vec<Cell>> {
        let is_free = |at: Cell| self.board.is_empty(at) && at != added;
        // Most groups show at one stone that they are safe.
        if self.beside(cell).filter(|&at| is_free(at)).count() > most {
            return None;
        }
        let is_own = |at: Cell| self.board.is(at, color) || at == added;
        let mut seen = CellSet::EMPTY;
        let mut liberties = CellSet::EMPTY;
        let mut group = vec![cell];
        seen.insert(cell);
        let mut next = 0;
        let mut free = 0;
        while let Some(&stone) = group.get(next) {
            next += 1;
            for at in self.beside(stone) {
                if is_own(at) && !seen.contains(at) {
                    seen.insert(at);
                    group.push(at);
                } else if is_free(at) && !liberties.contains(at) {
                    liberties.insert(at);
                    free += 1;
                    if free > most {
                        return None;
                    }
                }
            }
        }
        Some(group)
    }

    /// Stones of each colour in groups that the next stone could take.
    fn in_atari(&self) -> [i32; 2] {
        let mut stones = [0; 2];
        let mut seen = CellSet::EMPTY;
        for cell in self.board.stones().iter() {
            let Some(color) = self.board.color(cell).filter(|_| !seen.contains(cell)) else {
                continue;
            };
            if let Some(group) = self.group(cell, color, Move::NONE.cell(), 1) {
                group.iter().for_each(|&stone| seen.insert(stone));
                stones[color.index()] += group.len() as i32;
            }
        }
        stones
    }

    /// Whether the side to move can take anything.
    fn can_take(&self) -> bool {
        let [black, white] = self.in_atari();
        let others = if self.to_move == Color::Black { white } else { black };
        others > 0
    }

    /// The stones that a stone of a colour on an empty cell takes.
    fn prey(&self, cell: Cell, color: Color) -> Vec<Cell> {
        let mut prey: Vec<Cell> = Vec::new();
        for at in self.beside(cell) {
            if self.board.is(at, !color) && !prey.contains(&at) {
                // Its last liberty is the cell itself.
                if let Some(group) = self.group(at, !color, Move::NONE.cell(), 1) {
                    prey.extend(group);
                }
            }
        }
        prey
    }

    /// Whether a stone of a colour on an empty cell would have a liberty, or
    /// take something.
    fn lives(&self, cell: Cell, color: Color) -> bool {
        self.beside(cell).any(|at| self.board.is_empty(at))
            || self.group(cell, color, cell, 0).is_none()
            || !self.prey(cell, color).is_empty()
    }

    /// Whether Black would have more than seven in a row with a stone on a
    /// cell.
    fn is_overline(&self, cell: Cell) -> bool {
        let geometry = self.board.geometry();
        (0..4).any(|direction| {
            let length: usize = [2 * direction, 2 * direction + 1]
                .into_iter()
                .map(|way| {
                    let next = |at: &Cell| Some(geometry.neighbours(*at)[way]);
                    let path = std::iter::successors(next(&cell), next);
                    path.take_while(|&at| self.board.is(at, Color::Black)).count()
                })
                .sum();
            length + 1 > SEVEN
        })
    }

    /// Whether a stone of a colour on an empty cell wins at once.
    fn wins(&self, cell: Cell, color: Color) -> bool {
        let completes = self.board.geometry().lines_through(cell).iter().any(|&line| {
            let count = self.board.count(line as usize);
            count[color.index()] == SEVEN - 1 && count[(!color).index()] == 0
        });
        completes && !(color == Color::Black && self.is_overline(cell))
    }

    /// Whether the rules let the side to move place a stone on an empty cell.
    fn may_place(&self, cell: Cell) -> bool {
        let me = self.to_move;
        if let Some((vacated, taker)) = self.ko
            && vacated == cell
            && self.prey(cell, me) == [taker]
        {
            return false;
        }
        self.lives(cell, me) || self.wins(cell, me)
    }
    fn main_moves(&mut self) -> CellSet {
        if self.threat_level() == ThreatLevel::None {
            return lines::near(&self.board);
        }
        // A seven is stopped where it would be made, or by taking a stone. The
        // root has not asked for one of its own.
        let [own, others] = [self.to_move, !self.to_move].map(|c| self.board.completions(c));
        let stops = own.union(&others);
        let takes = lines::near(&self.board);
        let takes = takes.iter().filter(|&cell| !self.prey(cell, self.to_move).is_empty());
        stops.union(&takes.collect())
    }

    /// The cells where a stone makes a line of six.
    fn sixes(&self) -> CellSet {
        let board = &self.board;
        board.lines_missing(self.to_move, 2).flat_map(|line| board.gaps(line)).collect()
    }
}

impl Position for Irensei {
    fn to_move(&self) -> Color {
        self.to_move
    }

    fn key(&self) -> u64 {
        let ko = self.ko.map_or(0, |(cell, _)| keys::mix(cell.index() as u64 | 1 << 30));
        self.board.key() ^ ko ^ self.base.rotate_left(self.to_move.index() as u32)
    }

    fn key_after(&self, m: Move) -> u64 {
        let stone = keys::stone(goren_core::types::Stone::Of(self.to_move), m.cell());
        self.board.key() ^ stone ^ self.base.rotate_left((!self.to_move).index() as u32)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.past.last().and_then(|past| past.outcome)
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.to_move);
        let captured = self.prey(cell, color);
        let overline = color == Color::Black && self.is_overline(cell);
        let eval = &mut self.eval;
        self.board.put(cell, color, |a, b| eval.change(a, b));
        for &gone in &captured {
            self.board.lift(gone, !color, |a, b| eval.change(a, b));
        }
        let outcome = if overline {
            Some(Outcome::Win(Color::White))
        } else if self.board.level(color, SEVEN) > 0 {
            Some(Outcome::Win(color))
        } else {
            self.board.empty().is_empty().then_some(Outcome::Draw)
        };
        let ko = match captured[..] {
            [vacated] => Some((vacated, cell)),
            _ => None,
        };
        let before = std::mem::replace(&mut self.ko, ko);
        self.past.push(Past { cell, captured, ko: before, outcome });
        self.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(past) = self.past.pop() else { return };
        let color = !self.to_move;
        (self.to_move, self.ko) = (color, past.ko);
        let eval = &mut self.eval;
        for &back in &past.captured {
            self.board.put(back, !color, |a, b| eval.change(a, b));
        }
        self.board.lift(past.cell, color, |a, b| eval.change(a, b));
    }

    fn is_legal(&mut self, m: Move) -> bool {
        // An overline is allowed but loses: no use.
        let loses = self.to_move == Color::Black && self.is_overline(m.cell());
        !loses && self.may_place(m.cell())
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        m.is_some() && self.board.is_empty(m.cell())
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        let set = match gen_type {
            GenType::Main => self.main_moves(),
            GenType::Fours => self.sixes(),
            GenType::StrongFours => {
                let sixes = self.sixes();
                sixes
                    .iter()
                    .filter(|&cell| self.move_class(Move::at(cell)) == MoveClass::StrongFour)
                    .collect()
            }
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
        if self.board.level(me, SEVEN - 1) > 0 {
            let wins = |cell: Cell| self.wins(cell, me) && self.may_place(cell);
            if self.board.completions(me).iter().any(wins) {
                return Verdict::Win(1);
            }
        }
        // One of two sevens stays, unless a stone of it is taken.
        let opponent = !me;
        if self.board.level(opponent, SEVEN - 1) > 1 {
            let completions = self.board.completions(opponent);
            let sevens = completions.iter().filter(|&cell| self.wins(cell, opponent)).count();
            if sevens > 1 && !self.can_take() {
                return Verdict::Loss(2);
            }
        }
        Verdict::Unknown
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let opponent = !self.to_move;
        let threatened = self.board.level(opponent, SEVEN - 1) > 0
            && self.board.completions(opponent).iter().any(|cell| self.wins(cell, opponent));
        if threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }

    fn evaluate(&mut self) -> Score {
        let [black, white] = self.in_atari();
        let (own, others) =
            if self.to_move == Color::Black { (black, white) } else { (white, black) };
        let score = self.eval.score(self.to_move, 0) + HANGING * others - IN_ATARI * own;
        score.clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    fn policy_score(&self, m: Move) -> i32 {
        let (cell, me) = (m.cell(), self.to_move);
        let mut score = LINE_POLICY.of(&self.board, me, cell);
        let taken = self.prey(cell, me).len() as i32;
        score += CAPTURE * taken.min(6);
        let in_danger =
            |at: Cell| self.board.is(at, me) && self.group(at, me, Move::NONE.cell(), 1).is_some();
        score += RESCUE * self.beside(cell).any(in_danger) as i32;
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

impl Replay for Irensei {
    fn place(&mut self, cell: Cell, color: Color) {
        self.to_move = color;
        self.make(Move::at(cell));
    }

    fn lay(&mut self, cell: Cell, color: Color) {
        let eval = &mut self.eval;
        self.board.put(cell, color, |a, b| eval.change(a, b));
    }

    fn pass(&mut self) {
        self.ko = None;
    }

    fn placements(&self) -> CellSet {
        self.board.empty().iter().filter(|&cell| self.may_place(cell)).collect()
    }

    fn hand_to(&mut self, color: Color, _stones: usize) {
        self.to_move = color;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{OpeningId, Variant};
    use goren_core::types::keys::mix;

    /// The stones of a group and its liberties, from all cells again and again.
    fn spread(game: &Irensei, cell: Cell, color: Color) -> (CellSet, CellSet) {
        let mut group = CellSet::EMPTY;
        group.insert(cell);
        loop {
            let around = |set: &CellSet| -> CellSet {
                set.iter().flat_map(|at| game.beside(at).collect::<Vec<_>>()).collect()
            };
            let beside = around(&group);
            let own = beside.iter().filter(|&at| game.board.is(at, color)).collect();
            let grown = group.union(&own);
            if grown == group {
                return (group, beside.intersection(game.board.empty()));
            }
            group = grown;
        }
    }

    #[test]
    fn stones_in_atari_are_those_with_one_liberty() {
        let contest = Contest::new(Variant::Irensei).opened(OpeningId::Free).unwrap();
        let contest = contest.on(11, 11).unwrap();
        let mut seen = 0;
        for seed in 0..40 {
            let mut game = Irensei::new(&contest, Irensei::weights_by_hand());
            let mut at = mix(seed);
            for _ in 0..70 {
                at = mix(at);
                let cell = Cell::new(at as usize % 11, (at >> 20) as usize % 11);
                if game.board.is_empty(cell) && game.may_place(cell) {
                    game.make(Move::at(cell));
                }
                let mut expected = [0; 2];
                let mut prey = [CellSet::EMPTY; 2];
                for stone in game.board.stones().iter() {
                    let Some(color) = game.board.color(stone) else { panic!("no stone") };
                    let (group, liberties) = spread(&game, stone, color);
                    if liberties.len() == 1 {
                        expected[color.index()] += 1;
                        prey[color.index()] = prey[color.index()].union(&group);
                    }
                }
                assert_eq!(game.in_atari(), expected);
                for color in Color::ALL {
                    let empty = game.board.empty().iter();
                    let taken = empty.flat_map(|cell| game.prey(cell, !color)).collect();
                    assert_eq!(prey[color.index()], taken);
                }
                seen += expected.iter().sum::<i32>();
            }
        }
        assert!(seen > 200, "{seen}");
    }
}

//! Irensei: seven in a row on a Go board, with captures as in Go.

mod weights;

use std::sync::Arc;

use super::line_game::{LineGame, LineState, Past};
use super::lines::{self, LinePolicy};
use super::position::ThreatLevel;
use crate::board::Geometry;
use crate::eval::tuples::TupleWeights;
use crate::threat::Verdict;
use goren_core::rules::{self, Contest, Outcome};
use weights::{SEVEN, SPAN};

use goren_core::types::{Cell, CellSet, Color, Move, SCORE_LIMIT, Score, keys};
pub(super) use weights::{FAMILIES, family as tuple_family};

/// Width of the border on which stones do not count for a seven.
const RINGS: usize = 2;
/// Headings along rows and columns.
const BESIDE: std::ops::Range<usize> = 0..4;

/// Policy points for each captured stone, up to six.
const CAPTURE: i32 = 60;
/// Policy points for a stone beside an own group in atari.
const RESCUE: i32 = 45;

/// Evaluation points for each opponent's stone in atari.
const HANGING: i32 = 14;
/// Points lost for each own stone in atari, which the side to move may still save.
const IN_ATARI: i32 = 5;

/// Undo information of a move.
#[derive(Clone)]
pub(super) struct Undo {
    captured: Vec<Cell>,
    /// `ko` before the move.
    ko: Option<(Cell, Cell)>,
}

/// A position of Irensei.
#[derive(Clone)]
pub struct Irensei {
    lines: LineState<Undo>,
    /// The point where a single stone was just captured, and the capturing stone: the
    /// opponent may not recapture that stone alone at once.
    ko: Option<(Cell, Cell)>,
    /// `ko` before each pass of the search.
    ko_before_passes: Vec<Option<(Cell, Cell)>>,
}

impl Irensei {
    /// Creates an empty board.
    pub fn new(_game: rules::Irensei, contest: &Contest, weights: Arc<TupleWeights>) -> Irensei {
        let (width, height) = (contest.width, contest.height);
        let is_inner = |cell: &Cell| {
            (RINGS..width - RINGS).contains(&cell.x())
                && (RINGS..height - RINGS).contains(&cell.y())
        };
        let inner: CellSet = CellSet::board(width, height).iter().filter(is_inner).collect();
        let geometry = Geometry::new(width, height, false, SEVEN, SPAN, &inner);
        let lines = LineState::new(geometry, 4 << 8, weights);
        Irensei { lines, ko: None, ko_before_passes: Vec::new() }
    }

    /// Returns the neighbours of a cell along rows and columns.
    fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let around = self.lines.board.geometry().neighbours(cell);
        BESIDE.map(|heading| around[heading]).filter(|&at| at != Move::NONE.cell())
    }

    /// Returns the group of the stone on `cell`, or `None` if it has more than
    /// `max_liberties` liberties. The cell `added` counts as a stone of `color`.
    fn group(
        &self,
        cell: Cell,
        color: Color,
        added: Cell,
        max_liberties: usize,
    ) -> Option<Vec<Cell>> {
        let is_free = |at: Cell| self.lines.board.is_empty(at) && at != added;
        // Fast path: the liberties of this stone alone often decide.
        if self.beside(cell).filter(|&at| is_free(at)).count() > max_liberties {
            return None;
        }
        let is_own = |at: Cell| self.lines.board.is(at, color) || at == added;
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
                    if free > max_liberties {
                        return None;
                    }
                }
            }
        }
        Some(group)
    }

    /// Counts the stones of each colour in atari, i.e. in groups with one liberty.
    fn in_atari(&self) -> [i32; 2] {
        let mut stones = [0; 2];
        let mut seen = CellSet::EMPTY;
        for cell in self.lines.board.stones().iter() {
            let Some(color) = self.lines.board.color(cell).filter(|_| !seen.contains(cell)) else {
                continue;
            };
            if let Some(group) = self.group(cell, color, Move::NONE.cell(), 1) {
                group.iter().for_each(|&stone| seen.insert(stone));
                stones[color.index()] += group.len() as i32;
            }
        }
        stones
    }

    /// Whether the side to move can capture anything.
    fn can_take(&self) -> bool {
        let [black, white] = self.in_atari();
        let others = if self.lines.to_move == Color::Black { white } else { black };
        others > 0
    }

    /// Returns the stones that a stone of `color` on an empty cell captures.
    fn captured_by(&self, cell: Cell, color: Color) -> Vec<Cell> {
        let mut captured: Vec<Cell> = Vec::new();
        for at in self.beside(cell) {
            if self.lines.board.is(at, !color) && !captured.contains(&at) {
                // The only liberty of this group is `cell`.
                if let Some(group) = self.group(at, !color, Move::NONE.cell(), 1) {
                    captured.extend(group);
                }
            }
        }
        captured
    }

    /// Whether a stone of `color` on an empty cell would have a liberty or capture
    /// something; otherwise it is suicide.
    fn lives(&self, cell: Cell, color: Color) -> bool {
        self.beside(cell).any(|at| self.lines.board.is_empty(at))
            || self.group(cell, color, cell, 0).is_none()
            || !self.captured_by(cell, color).is_empty()
    }

    /// Whether a black stone on `cell` would make a row of more than seven.
    fn is_overline(&self, cell: Cell) -> bool {
        let geometry = self.lines.board.geometry();
        (0..4).any(|direction| {
            let length: usize = [2 * direction, 2 * direction + 1]
                .into_iter()
                .map(|heading| {
                    let next = |at: &Cell| Some(geometry.neighbours(*at)[heading]);
                    let path = std::iter::successors(next(&cell), next);
                    path.take_while(|&at| self.lines.board.is(at, Color::Black)).count()
                })
                .sum();
            length + 1 > SEVEN
        })
    }

    /// Whether a stone of a colour on an empty cell wins at once.
    fn wins(&self, cell: Cell, color: Color) -> bool {
        let completes = self.lines.board.geometry().lines_through(cell).iter().any(|&line| {
            let count = self.lines.board.count(line as usize);
            count[color.index()] == SEVEN - 1 && count[(!color).index()] == 0
        });
        completes && !(color == Color::Black && self.is_overline(cell))
    }

    /// Whether the rules allow a stone of the side to move on an empty cell.
    fn may_place(&self, cell: Cell) -> bool {
        let me = self.lines.to_move;
        if let Some((vacated, taker)) = self.ko
            && vacated == cell
            && self.captured_by(cell, me) == [taker]
        {
            return false;
        }
        self.lives(cell, me) || self.wins(cell, me)
    }
}

impl LineGame for Irensei {
    type Undo = Undo;

    const PASSES: bool = true;
    const LINE_POLICY: LinePolicy =
        LinePolicy { own: [1, 4, 10, 25, 80, 250, 900, 0], deny: [0, 3, 8, 20, 70, 200, 600, 0] };

    fn lines(&self) -> &LineState<Undo> {
        &self.lines
    }

    fn lines_mut(&mut self) -> &mut LineState<Undo> {
        &mut self.lines
    }

    fn make(&mut self, m: Move) {
        let (cell, color) = (m.cell(), self.lines.to_move);
        let captured = self.captured_by(cell, color);
        let overline = color == Color::Black && self.is_overline(cell);
        self.lines.put(cell, color);
        for &removed in &captured {
            self.lines.lift(removed, !color);
        }
        let outcome = if overline {
            Some(Outcome::Win(Color::White))
        } else if self.lines.board.level(color, SEVEN) > 0 {
            Some(Outcome::Win(color))
        } else {
            self.lines.board.empty().is_empty().then_some(Outcome::Draw)
        };
        let ko = match captured[..] {
            [vacated] => Some((vacated, cell)),
            _ => None,
        };
        let before = std::mem::replace(&mut self.ko, ko);
        self.lines.past.push(Past { cell, outcome, undo: Undo { captured, ko: before } });
        self.lines.to_move = !color;
    }

    fn unmake(&mut self) {
        let Some(Past { cell, undo, .. }) = self.lines.past.pop() else { return };
        let color = !self.lines.to_move;
        (self.lines.to_move, self.ko) = (color, undo.ko);
        for &restored in undo.captured.iter().rev() {
            self.lines.put(restored, !color);
        }
        self.lines.lift(cell, color);
    }

    fn make_pass(&mut self) {
        self.ko_before_passes.push(self.ko.take());
        self.lines.to_move = !self.lines.to_move;
    }

    fn unmake_pass(&mut self) {
        self.ko = self.ko_before_passes.pop().flatten();
        self.lines.to_move = !self.lines.to_move;
    }

    fn main_moves(&mut self) -> CellSet {
        if self.threat_level() == ThreatLevel::None {
            return lines::near(&self.lines.board);
        }
        // A stone on its last cell or a capture stops a seven. Include the winning moves: the
        // root does not test for an own win.
        let [own, others] =
            [self.lines.to_move, !self.lines.to_move].map(|c| self.lines.board.completions(c));
        let stops = own.union(&others);
        let near = lines::near(&self.lines.board);
        let captures = near.iter().filter(|&cell| self.is_capture(cell));
        stops.union(&captures.collect())
    }

    fn is_legal(&mut self, m: Move) -> bool {
        // An overline of Black is allowed, but loses.
        let loses = self.lines.to_move == Color::Black && self.is_overline(m.cell());
        !loses && self.may_place(m.cell())
    }

    fn placements(&self) -> CellSet {
        self.lines.board.empty().iter().filter(|&cell| self.may_place(cell)).collect()
    }

    fn is_placement(&self, cell: Cell) -> bool {
        self.may_place(cell)
    }

    fn verdict(&mut self) -> Verdict {
        let me = self.lines.to_move;
        if self.lines.board.level(me, SEVEN - 1) > 0 {
            let wins = |cell: Cell| self.wins(cell, me) && self.may_place(cell);
            if self.lines.board.completions(me).iter().any(wins) {
                return Verdict::Win(1);
            }
        }
        // One of two sevens can still be made, unless a capture changes that.
        let opponent = !me;
        if self.lines.board.level(opponent, SEVEN - 1) > 1 {
            let completions = self.lines.board.completions(opponent);
            let sevens = completions.iter().filter(|&cell| self.wins(cell, opponent)).count();
            if sevens > 1 && !self.can_take() {
                return Verdict::Loss(2);
            }
        }
        Verdict::Unknown
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let opponent = !self.lines.to_move;
        let threatened = self.lines.board.level(opponent, SEVEN - 1) > 0
            && self.lines.board.completions(opponent).iter().any(|cell| self.wins(cell, opponent));
        if threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }

    fn evaluate(&mut self) -> Score {
        let [black, white] = self.in_atari();
        let (own, others) =
            if self.lines.to_move == Color::Black { (black, white) } else { (white, black) };
        let score =
            self.lines.eval.score(self.lines.to_move, 0) + HANGING * others - IN_ATARI * own;
        score.clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    fn policy_by_hand(&self, m: Move) -> i32 {
        let (cell, me) = (m.cell(), self.lines.to_move);
        let mut score = Self::LINE_POLICY.of(&self.lines.board, me, cell);
        let taken = self.captured_by(cell, me).len() as i32;
        score += CAPTURE * taken.min(6);
        let in_danger = |at: Cell| {
            self.lines.board.is(at, me) && self.group(at, me, Move::NONE.cell(), 1).is_some()
        };
        score += RESCUE * self.beside(cell).any(in_danger) as i32;
        score
    }

    fn is_capture(&self, cell: Cell) -> bool {
        !self.captured_by(cell, self.lines.to_move).is_empty()
    }

    fn state_key(&self) -> u64 {
        self.ko.map_or(0, |(cell, _)| keys::mix(cell.index() as u64 | 1 << 30))
    }

    fn pass(&mut self) {
        self.ko = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{OpeningId, Variant};
    use goren_core::types::keys::mix;

    /// The slow twin: finds a group and its liberties by repeated expansion over all cells.
    fn spread(game: &Irensei, cell: Cell, color: Color) -> (CellSet, CellSet) {
        let mut group = CellSet::EMPTY;
        group.insert(cell);
        loop {
            let around = |set: &CellSet| -> CellSet {
                set.iter().flat_map(|at| game.beside(at).collect::<Vec<_>>()).collect()
            };
            let beside = around(&group);
            let own = beside.iter().filter(|&at| game.lines.board.is(at, color)).collect();
            let grown = group.union(&own);
            if grown == group {
                return (group, beside.intersection(game.lines.board.empty()));
            }
            group = grown;
        }
    }

    #[test]
    fn a_pass_ends_the_ko_and_unmaking_it_restores_the_ko() {
        let contest = Contest::new(Variant::Irensei(rules::Irensei)).on(11, 11).unwrap();
        let mut game =
            Irensei::new(rules::Irensei, &contest, tuple_family(rules::Irensei).weights());
        let black = [(3, 2), (2, 3), (3, 4)].map(|at| (at, Color::Black));
        let white = [(4, 2), (5, 3), (4, 4), (3, 3)].map(|at| (at, Color::White));
        for ((x, y), color) in black.into_iter().chain(white) {
            game.lines.put(Cell::new(x, y), color);
        }
        game.make(Move::at(Cell::new(4, 3)));
        let (taken, key) = (Cell::new(3, 3), LineGame::key(&game));
        assert!(game.lines.board.is_empty(taken) && !game.may_place(taken));
        game.make_pass();
        game.make_pass();
        assert!(game.may_place(taken) && game.lines.to_move == Color::White);
        game.make(Move::at(taken));
        game.unmake();
        game.unmake_pass();
        game.unmake_pass();
        assert!(!game.may_place(taken) && game.lines.to_move == Color::White);
        assert_eq!(LineGame::key(&game), key);
    }

    #[test]
    fn stones_in_atari_are_those_with_one_liberty() {
        let contest =
            Contest::new(Variant::Irensei(rules::Irensei)).opened(OpeningId::Free).unwrap();
        let contest = contest.on(11, 11).unwrap();
        let mut seen = 0;
        for seed in 0..40 {
            let mut game =
                Irensei::new(rules::Irensei, &contest, tuple_family(rules::Irensei).weights());
            let mut at = mix(seed);
            for _ in 0..70 {
                at = mix(at);
                let cell = Cell::new(at as usize % 11, (at >> 20) as usize % 11);
                if game.lines.board.is_empty(cell) && game.may_place(cell) {
                    game.make(Move::at(cell));
                }
                let mut expected = [0; 2];
                let mut in_atari = [CellSet::EMPTY; 2];
                for stone in game.lines.board.stones().iter() {
                    let Some(color) = game.lines.board.color(stone) else { panic!("no stone") };
                    let (group, liberties) = spread(&game, stone, color);
                    if liberties.len() == 1 {
                        expected[color.index()] += 1;
                        in_atari[color.index()] = in_atari[color.index()].union(&group);
                    }
                }
                for cell in game.lines.board.empty().iter() {
                    let legal = crate::game::Position::is_pseudo_legal(&game, Move::at(cell));
                    assert_eq!(legal, game.placements().contains(cell));
                }
                assert_eq!(game.in_atari(), expected);
                for color in Color::ALL {
                    let empty = game.lines.board.empty().iter();
                    let taken = empty.flat_map(|cell| game.captured_by(cell, !color)).collect();
                    assert_eq!(in_atari[color.index()], taken);
                }
                seen += expected.iter().sum::<i32>();
            }
        }
        assert!(seen > 200, "{seen}");
    }
}

//! Fouls by the text of renju's definition (Renju International Federation rules,
//! 3, 9.2 and 9.3): stones are placed to see what they make, to any depth.

use super::grid::{AXES, Axis, Content, Point, PointBoard};
use crate::rules::{Excuse, Fouls};
use crate::types::Color;

/// Which rows win: [`crate::rules::Card::wins`].
pub(in crate::rules) type Wins = fn(Color, usize, bool) -> bool;

/// The fouls of a colour.
#[derive(Copy, Clone, Debug)]
pub(in crate::rules) struct FoulRule {
    /// The colour.
    pub(in crate::rules) color: Color,
    /// The kinds of foul that it has.
    pub(in crate::rules) kinds: Fouls,
    /// What excuses a double three.
    pub(in crate::rules) excuse: Excuse,
    /// Which rows win.
    pub(in crate::rules) wins: Wins,
}

impl FoulRule {
    /// Whether a row of `row` stones is a five.
    pub(in crate::rules) fn is_five(self, row: usize) -> bool {
        // In no rule with fouls do the stones at the ends matter.
        (self.wins)(self.color, row, false)
    }

    /// Whether a double three on the empty point `p` is excused, if the stone makes `fours`
    /// fours.
    pub(in crate::rules) fn excuses(self, grid: &impl PointBoard, p: Point, fours: usize) -> bool {
        match self.excuse {
            Excuse::None => false,
            Excuse::Four => fours > 0,
            Excuse::FourOrDefence => fours > 0 || self.is_defence(grid, p),
        }
    }

    /// Whether the opponent would make a five on the empty point `p`.
    fn is_defence(self, grid: &impl PointBoard, p: Point) -> bool {
        let opponent = !self.color;
        let wins = |&axis: &Axis| (self.wins)(opponent, grid.length_with(p, axis, opponent), false);
        AXES.iter().any(wins)
    }
}

/// The fouls of a stone on an empty point. A stone that makes a five commits none, whatever else
/// it makes; overlines that win count as fives.
pub(in crate::rules) fn fouls(grid: &impl PointBoard, p: Point, rule: FoulRule) -> Fouls {
    let placed = grid.with(p, rule.color);
    if makes_five(&placed, p, rule) {
        return Fouls::default();
    }
    let fours = AXES.map(|axis| fours(&placed, p, axis, rule));
    // If overlines win, a four may also look like a three. Nevertheless every axis is searched
    // for threes: packed proofs of renju were written by a checker that takes all points read
    // here for those that the verdict depends on.
    let threes = AXES.iter().zip(fours);
    let threes = threes.filter(|&(&axis, fours)| is_three(&placed, p, axis, rule) && fours == 0);
    let overline = AXES.iter().any(|&axis| placed.run(p, axis, rule.color).len() > 5);
    let fours: usize = fours.iter().sum();
    Fouls {
        overline: rule.kinds.overline && overline,
        double_four: rule.kinds.double_four && fours >= 2,
        double_three: rule.kinds.double_three
            && !rule.excuses(grid, p, fours)
            && threes.count() >= 2,
    }
}

/// Whether the stone on `p` is one of a five.
fn makes_five(grid: &impl PointBoard, p: Point, rule: FoulRule) -> bool {
    AXES.iter().any(|&axis| rule.is_five(grid.run(p, axis, rule.color).len()))
}

/// Whether a stone on `q` would make a five along the axis.
pub(in crate::rules) fn completes_five(
    grid: &impl PointBoard,
    q: Point,
    axis: Axis,
    rule: FoulRule,
) -> bool {
    grid.at(q) == Content::Empty && rule.is_five(grid.length_with(q, axis, rule.color))
}

/// Number of fours that the stone on `p` makes along the axis: the points next to its row that
/// complete a five. A straight four has two such points but is one four.
fn fours(grid: &impl PointBoard, p: Point, axis: Axis, rule: FoulRule) -> usize {
    if is_straight_four(grid, p, axis, rule) {
        return 1;
    }
    let ends = grid.run(p, axis, rule.color).ends;
    ends.iter().filter(|&&end| completes_five(grid, end, axis, rule)).count()
}

/// Whether the stone on `p` is one of exactly four in a row that both ends
/// complete to a five.
pub(in crate::rules) fn is_straight_four(
    grid: &impl PointBoard,
    p: Point,
    axis: Axis,
    rule: FoulRule,
) -> bool {
    let run = grid.run(p, axis, rule.color);
    run.len() == 4 && run.ends.iter().all(|&end| completes_five(grid, end, axis, rule))
}

/// Whether the stone on `p` makes a three along the axis: a stone next to its row
/// turns it into a straight four, without a five elsewhere at the same time and
/// without a foul.
fn is_three(grid: &impl PointBoard, p: Point, axis: Axis, rule: FoulRule) -> bool {
    grid.run(p, axis, rule.color).ends.iter().any(|&q| {
        // Copies the board only for four in a row: most points make no such row.
        if grid.at(q) != Content::Empty || grid.length_with(q, axis, rule.color) != 4 {
            return false;
        }
        let next = grid.with(q, rule.color);
        is_straight_four(&next, q, axis, rule)
            && !makes_five(&next, q, rule)
            && !fouls(grid, q, rule).any()
    })
}

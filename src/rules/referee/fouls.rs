//! Black's fouls in renju by the words of the definition (Renju International
//! Federation rules, 3, 9.2 and 9.3): stones are put down to see what they
//! make, to whatever depth it takes.

use super::grid::{AXES, Axis, Content, Look, Point};
use crate::rules::Fouls;
use crate::types::Color;

/// The fouls Black commits with a stone on an empty point. A stone that makes
/// a five commits none, whatever else it makes.
pub(super) fn fouls(grid: &impl Look, p: Point) -> Fouls {
    let placed = grid.with(p, Color::Black);
    if makes_five(&placed, p) {
        return Fouls::default();
    }
    let fours: usize = AXES.iter().map(|&axis| fours(&placed, p, axis)).sum();
    let threes = AXES.iter().filter(|&&axis| is_three(&placed, p, axis)).count();
    Fouls {
        overline: AXES.iter().any(|&axis| placed.run(p, axis, Color::Black).len() > 5),
        double_four: fours >= 2,
        double_three: threes >= 2,
    }
}

/// Whether the black stone on `p` is one of exactly five in a row.
fn makes_five(grid: &impl Look, p: Point) -> bool {
    AXES.iter().any(|&axis| grid.run(p, axis, Color::Black).len() == 5)
}

/// Whether Black on `q` would have exactly five in a row along the axis.
pub(super) fn completes_five(grid: &impl Look, q: Point, axis: Axis) -> bool {
    grid.at(q) == Content::Empty && grid.length_with(q, axis, Color::Black) == 5
}

/// Number of fours the black stone on `p` makes along the axis: points next to
/// its row that complete a five, where a straight four has two but is one four.
fn fours(grid: &impl Look, p: Point, axis: Axis) -> usize {
    if is_straight_four(grid, p, axis) {
        return 1;
    }
    let ends = grid.run(p, axis, Color::Black).ends;
    ends.iter().filter(|&&end| completes_five(grid, end, axis)).count()
}

/// Whether the black stone on `p` is one of exactly four in a row that both
/// ends complete to exactly five.
pub(super) fn is_straight_four(grid: &impl Look, p: Point, axis: Axis) -> bool {
    let run = grid.run(p, axis, Color::Black);
    run.len() == 4 && run.ends.iter().all(|&end| completes_five(grid, end, axis))
}

/// Whether the black stone on `p` makes a three along the axis: a point next
/// to its row turns it into a straight four, without a five elsewhere at the
/// same time and without a foul.
fn is_three(grid: &impl Look, p: Point, axis: Axis) -> bool {
    grid.run(p, axis, Color::Black).ends.iter().any(|&q| {
        // Most boards need not be copied: four in a row it must be.
        if grid.at(q) != Content::Empty || grid.length_with(q, axis, Color::Black) != 4 {
            return false;
        }
        let next = grid.with(q, Color::Black);
        is_straight_four(&next, q, axis) && !makes_five(&next, q) && !fouls(grid, q).any()
    })
}

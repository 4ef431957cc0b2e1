//! Black's fouls in renju by the words of the definition (Renju International
//! Federation rules, 3, 9.2 and 9.3): stones are put down to see what they
//! make, to whatever depth it takes.

use crate::rules::Fouls;
use crate::rules::referee::grid::{AXES, Axis, Content, Look, Point};
use crate::types::Color;

/// Which rows win: [`crate::rules::Card::wins`].
pub(super) type Wins = fn(Color, usize, bool) -> bool;

/// The fouls Black commits with a stone on an empty point. A stone that makes
/// a five commits none, whatever else it makes; where overlines win they are
/// fives here.
pub(super) fn fouls(grid: &impl Look, p: Point, wins: Wins) -> Fouls {
    let placed = grid.with(p, Color::Black);
    if makes_five(&placed, p, wins) {
        return Fouls::default();
    }
    let fours = AXES.map(|axis| fours(&placed, p, axis, wins));
    // Where overlines win, what is a four may look like a three as well.
    let threes = AXES.iter().zip(fours);
    let threes = threes.filter(|&(&axis, fours)| is_three(&placed, p, axis, wins) && fours == 0);
    Fouls {
        overline: AXES.iter().any(|&axis| placed.run(p, axis, Color::Black).len() > 5),
        double_four: fours.iter().sum::<usize>() >= 2,
        double_three: threes.count() >= 2,
    }
}

/// Whether a black row of so many stones is a five.
pub(super) fn is_five(row: usize, wins: Wins) -> bool {
    // No rule with fouls asks what stands at the ends.
    wins(Color::Black, row, false)
}

/// Whether the black stone on `p` is one of a five.
fn makes_five(grid: &impl Look, p: Point, wins: Wins) -> bool {
    AXES.iter().any(|&axis| is_five(grid.run(p, axis, Color::Black).len(), wins))
}

/// Whether Black on `q` would have a five along the axis.
pub(super) fn completes_five(grid: &impl Look, q: Point, axis: Axis, wins: Wins) -> bool {
    grid.at(q) == Content::Empty && is_five(grid.length_with(q, axis, Color::Black), wins)
}

/// Number of fours the black stone on `p` makes along the axis: points next to
/// its row that complete a five, where a straight four has two but is one four.
fn fours(grid: &impl Look, p: Point, axis: Axis, wins: Wins) -> usize {
    if is_straight_four(grid, p, axis, wins) {
        return 1;
    }
    let ends = grid.run(p, axis, Color::Black).ends;
    ends.iter().filter(|&&end| completes_five(grid, end, axis, wins)).count()
}

/// Whether the black stone on `p` is one of exactly four in a row that both
/// ends complete to a five.
pub(super) fn is_straight_four(grid: &impl Look, p: Point, axis: Axis, wins: Wins) -> bool {
    let run = grid.run(p, axis, Color::Black);
    run.len() == 4 && run.ends.iter().all(|&end| completes_five(grid, end, axis, wins))
}

/// Whether the black stone on `p` makes a three along the axis: a point next
/// to its row turns it into a straight four, without a five elsewhere at the
/// same time and without a foul.
fn is_three(grid: &impl Look, p: Point, axis: Axis, wins: Wins) -> bool {
    grid.run(p, axis, Color::Black).ends.iter().any(|&q| {
        // Most boards need not be copied: four in a row it must be.
        if grid.at(q) != Content::Empty || grid.length_with(q, axis, Color::Black) != 4 {
            return false;
        }
        let next = grid.with(q, Color::Black);
        is_straight_four(&next, q, axis, wins)
            && !makes_five(&next, q, wins)
            && !fouls(grid, q, wins).any()
    })
}

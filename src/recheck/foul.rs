//! Black's fouls in renju by their definition (section 5.4 of the description), with the cells
//! that a verdict depends on.

use crate::bits::Bits;
use crate::grid::{BLACK, Grid, Rule, Sides};

/// Returns whether a stone of `colour` on `cell` is a foul, and the empty cells that the verdict
/// depends on.
pub fn foul<const W: usize, const S: usize>(
    grid: &Grid<W, S>,
    sides: &Sides<W>,
    colour: usize,
    cell: usize,
) -> (bool, Bits<W>) {
    if grid.rule != Rule::Renju || colour != BLACK || !may_be_foul(grid, sides, cell) {
        return (false, Bits::default());
    }
    let mut judge = Judge { grid, black: sides[0], white: sides[1], seen: Bits::default() };
    let verdict = judge.foul(cell);
    (verdict, judge.seen)
}

/// Whether the windows without white stones leave a foul possible.
fn may_be_foul<const W: usize, const S: usize>(
    grid: &Grid<W, S>,
    sides: &Sides<W>,
    cell: usize,
) -> bool {
    if !grid.empty(sides).has(cell) {
        return false;
    }
    let (mut threes, mut pairs) = (0, 0);
    for line in grid.windows(sides, BLACK) {
        let step = line.step();
        // First cells of the windows through the cell.
        let mut through = Bits::default();
        (0..5).filter_map(|i| cell.checked_sub(i * step)).for_each(|first| through.add(first));
        if !(line.with(4) & through).is_empty() {
            return true;
        }
        threes += (line.with(3) & through).len();
        let two = line.with(2) & through;
        pairs += usize::from(!(two & two.up(step)).is_empty());
    }
    threes >= 2 || pairs >= 2
}

/// Judge of fouls that notes the empty cells it looks at.
struct Judge<'a, const W: usize, const S: usize> {
    grid: &'a Grid<W, S>,
    black: Bits<W>,
    white: Bits<W>,
    seen: Bits<W>,
}

impl<const W: usize, const S: usize> Judge<'_, W, S> {
    /// Looks at a cell, which may be off the board; returns whether it is empty.
    fn look(&mut self, cell: Option<usize>) -> bool {
        let empty = self.grid.all & !(self.black | self.white);
        let Some(cell) = cell.filter(|&cell| empty.has(cell)) else { return false };
        self.seen.add(cell);
        true
    }

    /// Returns the length of the run through `cell` and its ends, which it looks at.
    fn run(&mut self, cell: usize, step: usize) -> (usize, [Option<usize>; 2]) {
        let (back, length, front) = self.grid.run(&self.black, cell, step);
        // (1, -1) goes up the board: its backward end is the lower one.
        let ends = if step == S - 1 { [Some(front), back] } else { [back, Some(front)] };
        for end in ends {
            self.look(end);
        }
        (length, ends)
    }

    fn completes(&mut self, end: Option<usize>, step: usize) -> bool {
        self.look(end) && end.is_some_and(|end| self.run(end, step).0 == 5)
    }

    fn straight(&mut self, cell: usize, step: usize) -> bool {
        let (length, [back, front]) = self.run(cell, step);
        length == 4 && self.completes(back, step) && self.completes(front, step)
    }

    fn fours(&mut self, cell: usize, step: usize) -> usize {
        if self.straight(cell, step) {
            return 1;
        }
        let (_, ends) = self.run(cell, step);
        ends.into_iter().map(|end| usize::from(self.completes(end, step))).sum()
    }

    fn five(&mut self, cell: usize) -> bool {
        Grid::<W, S>::STEPS.into_iter().any(|step| self.run(cell, step).0 == 5)
    }

    fn three(&mut self, cell: usize, step: usize) -> bool {
        let (_, ends) = self.run(cell, step);
        ends.into_iter().any(|end| {
            if !self.look(end) {
                return false;
            }
            let Some(end) = end else { return false };
            if self.run(end, step).0 != 4 {
                return false;
            }
            self.black.add(end);
            let open = self.straight(end, step) && !self.five(end);
            self.black.remove(end);
            open && !self.foul(end)
        })
    }

    fn foul(&mut self, cell: usize) -> bool {
        self.seen.add(cell);
        self.black.add(cell);
        let verdict = !self.five(cell) && self.forbidden(cell);
        self.black.remove(cell);
        verdict
    }

    /// Whether a stone on the board that makes no five is forbidden.
    fn forbidden(&mut self, cell: usize) -> bool {
        let (mut long, mut fours, mut threes) = (false, 0, 0);
        for step in Grid::<W, S>::STEPS {
            long |= self.run(cell, step).0 > 5;
            let four = self.fours(cell, step);
            let three = self.three(cell, step);
            fours += four;
            threes += usize::from(three && four == 0);
        }
        long || fours >= 2 || threes >= 2
    }
}

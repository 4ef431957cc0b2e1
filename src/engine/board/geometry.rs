//! Geometry of a board, with or without joined edges: every line of the winning
//! length, the longer tuples of cells for the evaluation, and the surroundings
//! of a cell.

use arrayvec::ArrayVec;

use goren_core::types::{Cell, CellSet, DIRECTIONS, FRAME, Move};

/// Steps of a neighbourhood.
const REACH: i32 = 2;

/// Most cells of a tuple: two bits each of a code.
const MOST_SPAN: usize = 8;

/// Most lines through a cell: as many as a line has cells, in each direction.
pub const MOST_LINES: usize = 4 * 7;

/// The lines of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Geometry {
    width: usize,
    height: usize,
    torus: bool,
    /// Greatest common divisor of width and height.
    common: usize,
    length: usize,
    span: usize,
    /// Cells of all lines, one line after the other.
    lines: Vec<Cell>,
    lines_through: Lists<u16>,
    stars: Lists<Ray>,
    /// Contents of each tuple on an empty board.
    empty_tuples: Vec<u16>,
    /// The tuples of a cell, and where in the code it stands.
    tuples_through: Lists<(u16, u8)>,
    around: Lists<Cell>,
    /// The neighbours of each cell: along each direction forwards, then back.
    neighbours: Box<[[Cell; 8]; FRAME]>,
}

/// A cell that shares lines with another one, and which of the lines through
/// that one they are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ray {
    /// The cell.
    pub cell: Cell,
    /// Index among the lines of the other cell of the first they share.
    pub from: u8,
    /// Index behind the last one.
    pub to: u8,
}

/// A list for each cell of the frame.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Lists<T> {
    entries: Vec<T>,
    starts: Vec<u32>,
}

impl<T: Copy> Lists<T> {
    fn new(lists: Vec<Vec<T>>) -> Lists<T> {
        let mut starts = vec![0];
        let mut entries = Vec::new();
        for list in lists {
            entries.extend(list);
            starts.push(entries.len() as u32);
        }
        Lists { entries, starts }
    }

    #[inline]
    fn of(&self, cell: Cell) -> &[T] {
        let (from, to) = (self.starts[cell.index()], self.starts[cell.index() + 1]);
        &self.entries[from as usize..to as usize]
    }
}

impl Geometry {
    /// A board whose lines of `length` cells lie inside `area`, with tuples of
    /// `span` cells, at most eight, around them.
    pub fn new(
        width: usize,
        height: usize,
        torus: bool,
        length: usize,
        span: usize,
        area: &CellSet,
    ) -> Geometry {
        assert!(length <= span && span <= MOST_SPAN, "a code has sixteen bits");
        assert!(DIRECTIONS.len() * length <= MOST_LINES, "lines through a cell");
        let board = CellSet::board(width, height);
        let mut geometry = Geometry {
            width,
            height,
            torus,
            common: divisor(width, height),
            length,
            span,
            lines: Vec::new(),
            lines_through: Lists::new(vec![Vec::new(); FRAME]),
            stars: Lists::new(vec![Vec::new(); FRAME]),
            empty_tuples: Vec::new(),
            tuples_through: Lists::new(vec![Vec::new(); FRAME]),
            around: Lists::new(vec![Vec::new(); FRAME]),
            neighbours: Box::new([[Move::NONE.cell(); 8]; FRAME]),
        };
        let mut starts = vec![[None; 4]; FRAME];
        let mut tuples_through = vec![Vec::new(); FRAME];
        let mut around = vec![Vec::new(); FRAME];
        for cell in board.iter() {
            for (d, dir) in DIRECTIONS.into_iter().enumerate() {
                for (back, sign) in [1, -1].into_iter().enumerate() {
                    let to = geometry.walk(cell, dir.steps(), sign);
                    geometry.neighbours[cell.index()][2 * d + back] =
                        to.unwrap_or(Move::NONE.cell());
                }
                let line = geometry.stretch(cell, dir.steps(), 0, length as i32, area);
                if line.len() == length {
                    let number = (geometry.lines.len() / length) as u16;
                    starts[cell.index()][d] = Some(number);
                    geometry.lines.extend(line);
                }
                // A tuple begins at the first of its cells that is in the
                // area, or one before the edge.
                for start in [0, -1] {
                    let first = geometry.walk(cell, dir.steps(), -1).filter(|c| area.contains(*c));
                    if start == -1 && first.is_some() {
                        continue;
                    }
                    let cells: ArrayVec<Option<Cell>, MOST_SPAN> = (0..span as i32)
                        .map(|k| geometry.walk(cell, dir.steps(), start + k))
                        .map(|at| at.filter(|at| area.contains(*at)))
                        .collect();
                    let usable = cells.iter().flatten().count();
                    if usable < length || !area.contains(cell) || span > usable + 1 {
                        continue;
                    }
                    let number = geometry.empty_tuples.len() as u16;
                    let mut code = 0;
                    for (k, at) in cells.iter().enumerate() {
                        let Some(at) = at else { continue };
                        code |= 0b11 << (2 * k);
                        tuples_through[at.index()].push((number, 2 * k as u8));
                    }
                    geometry.empty_tuples.push(code);
                }
            }
            for dy in -REACH..=REACH {
                for dx in -REACH..=REACH {
                    let to = geometry.walk(cell, (dx, dy), 1);
                    around[cell.index()].extend(to.filter(|&to| to != cell));
                }
            }
        }
        geometry.list_lines(&starts);
        geometry.tuples_through = Lists::new(tuples_through);
        geometry.around = Lists::new(around);
        geometry
    }

    /// Lists the lines of each cell, one direction after the other and along
    /// each in order, and the cells they lead to. `starts` has the line from
    /// each cell in each direction.
    fn list_lines(&mut self, starts: &[[Option<u16>; 4]]) {
        let length = self.length as i32;
        let mut lines_through = vec![Vec::new(); FRAME];
        let mut stars = vec![Vec::new(); FRAME];
        for cell in CellSet::board(self.width, self.height).iter() {
            let (through, star) = (&mut lines_through[cell.index()], &mut stars[cell.index()]);
            for (d, dir) in DIRECTIONS.into_iter().enumerate() {
                // By how many steps before the cell they start.
                let first = through.len();
                let mut steps = ArrayVec::<i32, MOST_SPAN>::new();
                for back in (0..length).rev() {
                    let start = self.walk(cell, dir.steps(), -back);
                    if let Some(line) = start.and_then(|start| starts[start.index()][d]) {
                        through.push(line);
                        steps.push(back);
                    }
                }
                for step in (1 - length..length).filter(|&step| step != 0) {
                    let Some(to) = self.walk(cell, dir.steps(), step) else { continue };
                    let shared = |back: &i32| (-step..length - step).contains(back);
                    let Some(skip) = steps.iter().position(shared) else { continue };
                    let count = steps.iter().filter(|back| shared(back)).count();
                    let from = (first + skip) as u8;
                    star.push(Ray { cell: to, from, to: from + count as u8 });
                }
            }
            star.push(Ray { cell, from: 0, to: through.len() as u8 });
        }
        self.lines_through = Lists::new(lines_through);
        self.stars = Lists::new(stars);
    }

    /// The cell so many steps away; `None` beyond an edge.
    fn walk(&self, cell: Cell, (dx, dy): (i32, i32), times: i32) -> Option<Cell> {
        let (w, h) = (self.width as i32, self.height as i32);
        let (mut x, mut y) = (cell.x() as i32 + dx * times, cell.y() as i32 + dy * times);
        if self.torus {
            (x, y) = (x.rem_euclid(w), y.rem_euclid(h));
        }
        let inside = (0..w).contains(&x) && (0..h).contains(&y);
        inside.then(|| Cell::new(x as usize, y as usize))
    }

    /// The cells from `from` up to before `to` steps away, as long as they lie
    /// in the area.
    fn stretch(
        &self,
        cell: Cell,
        step: (i32, i32),
        from: i32,
        to: i32,
        area: &CellSet,
    ) -> ArrayVec<Cell, MOST_SPAN> {
        let cells = (from..to).map_while(|k| self.walk(cell, step, k));
        cells.take_while(|at| area.contains(*at)).collect()
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Cells of a line.
    #[inline]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Cells of a tuple.
    pub fn span(&self) -> usize {
        self.span
    }

    /// Number of lines.
    pub fn lines(&self) -> usize {
        self.lines.len() / self.length
    }

    /// The cells of a line, in order.
    #[inline]
    pub fn line(&self, line: usize) -> &[Cell] {
        &self.lines[line * self.length..(line + 1) * self.length]
    }

    /// The lines of a cell, at most `MOST_LINES`.
    #[inline]
    pub fn lines_through(&self, cell: Cell) -> &[u16] {
        self.lines_through.of(cell)
    }

    /// The cells that share lines with a cell, itself among them. On a small
    /// board with joined edges one may be met from both sides.
    #[inline]
    pub fn star(&self, cell: Cell) -> &[Ray] {
        self.stars.of(cell)
    }

    /// Number of tuples.
    pub fn tuples(&self) -> usize {
        self.empty_tuples.len()
    }

    /// Contents of a tuple on an empty board.
    pub fn empty_tuple(&self, tuple: usize) -> u16 {
        self.empty_tuples[tuple]
    }

    /// The tuples of a cell, and where its two bits stand in their codes.
    #[inline]
    pub fn tuples_through(&self, cell: Cell) -> &[(u16, u8)] {
        self.tuples_through.of(cell)
    }

    /// The cells within two steps of a cell.
    #[inline]
    pub fn around(&self, cell: Cell) -> &[Cell] {
        self.around.of(cell)
    }

    /// The eight neighbours of a cell: along each direction forwards and back.
    /// A wall cell stands for what is beyond an edge.
    #[inline]
    pub fn neighbours(&self, cell: Cell) -> &[Cell; 8] {
        &self.neighbours[cell.index()]
    }

    /// Whether two cells share a row, a column or a diagonal.
    pub fn collinear(&self, a: Cell, b: Cell) -> bool {
        let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
        if a == b || dx == 0 || dy == 0 {
            return a != b;
        }
        if !self.torus {
            return dx == dy;
        }
        // A step along a diagonal k times is k modulo the width and modulo the
        // height: both come true for one k if they agree modulo their divisor.
        (dx + dy).is_multiple_of(self.common) || dx.abs_diff(dy).is_multiple_of(self.common)
    }
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: usize, torus: bool, length: usize, span: usize) -> Geometry {
        Geometry::new(side, side, torus, length, span, &CellSet::board(side, side))
    }

    #[test]
    fn lines_and_tuples_are_as_many_as_there_are() {
        let flat = square(15, false, 5, 6);
        assert_eq!(flat.lines(), 2 * 15 * 11 + 2 * 11 * 11);
        // As many tuples inside a row as places for six, and one with the edge
        // at each end; short diagonals of five are walled in on both sides.
        assert!(flat.tuples() >= flat.lines());
        let torus = square(15, true, 6, 7);
        assert_eq!((torus.lines(), torus.tuples()), (4 * 225, 4 * 225));
        assert!(torus.lines_through(Cell::new(0, 0)).len() == 24);
    }

    #[test]
    fn stars_lead_along_the_lines_that_are_shared() {
        for geometry in [square(9, false, 6, 7), square(9, true, 6, 7), square(15, false, 5, 6)] {
            for cell in CellSet::board(9, 9).iter() {
                let lines = geometry.lines_through(cell);
                let star = geometry.star(cell);
                for line in 0..geometry.lines() {
                    let cells = geometry.line(line);
                    assert_eq!(lines.contains(&(line as u16)), cells.contains(&cell));
                    let Some(at) = lines.iter().position(|&l| l as usize == line) else { continue };
                    let leads = star.iter().filter(|r| (r.from..r.to).contains(&(at as u8)));
                    let mut reached: Vec<Cell> = leads.map(|ray| ray.cell).collect();
                    reached.sort_unstable();
                    let mut expected = cells.to_vec();
                    expected.sort_unstable();
                    assert_eq!(reached, expected);
                }
            }
        }
    }

    #[test]
    fn collinear_points_wrap_on_a_torus() {
        let (flat, torus) = (square(15, false, 6, 7), square(15, true, 6, 7));
        let (a, b) = (Cell::new(0, 1), Cell::new(14, 0));
        assert!(!flat.collinear(a, b) && torus.collinear(a, b));
        assert!(flat.collinear(Cell::new(3, 3), Cell::new(9, 9)));
        assert!(!torus.collinear(Cell::new(0, 0), Cell::new(1, 2)));
        assert!(!flat.collinear(a, a));
    }

    #[test]
    fn collinear_points_are_those_that_a_walk_comes_to() {
        for (width, height, torus) in
            [(9, 9, false), (7, 12, false), (9, 9, true), (6, 9, true), (8, 12, true), (7, 5, true)]
        {
            let board = CellSet::board(width, height);
            let geometry = Geometry::new(width, height, torus, 5, 6, &board);
            for a in board.iter() {
                let mut walked = CellSet::default();
                for way in 0..8 {
                    let mut at = geometry.neighbours(a)[way];
                    while at != a && at != Move::NONE.cell() {
                        walked.insert(at);
                        at = geometry.neighbours(at)[way];
                    }
                }
                let told: CellSet = board.iter().filter(|&b| geometry.collinear(a, b)).collect();
                assert_eq!(told, walked, "{a:?} on {width}x{height}, torus {torus}");
            }
        }
    }

    #[test]
    fn neighbours_come_in_opposite_pairs() {
        let flat = square(5, false, 4, 5);
        for cell in CellSet::board(5, 5).iter() {
            for (way, &to) in flat.neighbours(cell).iter().enumerate() {
                if to != Move::NONE.cell() {
                    assert_eq!(flat.neighbours(to)[way ^ 1], cell);
                }
            }
        }
    }
}

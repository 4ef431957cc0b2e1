//! Lists of cells that depend only on the shape of a board, with or without joined edges:
//! all lines of the winning length, the tuples of the evaluation, the neighbourhood of a
//! cell.

mod build;

use goren_core::types::{Cell, CellSet, FRAME, MAX_SIDE};

/// Radius of [`Geometry::around`].
const REACH: usize = 2;

/// Number of cells of a window on either side of its centre.
const WINDOW_REACH: i32 = 4;

/// Number of cells of a window along a direction. The centre is not in its code.
pub const WINDOW_CELLS: usize = 2 * WINDOW_REACH as usize;

/// Maximum number of lines through a cell: up to seven, the longest winning length, in each
/// direction.
pub const MAX_LINES: usize = 4 * 7;

/// The lines, tuples and neighbourhoods of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Geometry {
    width: usize,
    height: usize,
    torus: bool,
    /// Greatest common divisor of width and height.
    gcd: usize,
    length: usize,
    span: usize,
    /// Cells of all lines, `length` for each line.
    lines: Vec<Cell>,
    lines_through: Lists<u16>,
    stars: Lists<Ray>,
    /// The code of each tuple on an empty board: 11 for a cell inside the area, 00 for a cell
    /// outside.
    empty_tuples: Vec<u16>,
    /// For each cell, its tuples and the mask of its places in their codes.
    tuples_through: Lists<(u16, u16)>,
    /// The codes of the windows of each cell on an empty board, by direction.
    empty_windows: Box<[Windows; FRAME]>,
    /// For each cell, the windows that contain it.
    windows_through: Lists<InWindow>,
    /// Maximum number of missing stones of the lines that a board lists.
    listed: usize,
    /// The neighbours of each cell: forwards and backwards along each direction.
    neighbours: Box<[[Cell; 8]; FRAME]>,
}

/// A cell on the star of a centre, with the lines through both: the range `from..to` of
/// [`Geometry::lines_through`] of the centre.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Ray {
    /// The cell.
    pub cell: Cell,
    /// Index of the first line through both.
    pub from: u8,
    /// Index after the last one.
    pub to: u8,
}

/// The codes of the four windows of a cell, by direction: [`WINDOW_CELLS`] cells, from the
/// farthest backwards to the farthest forwards, coded like the cells of a tuple.
pub type Windows = [u16; 4];

/// The place of a cell in the window of another cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InWindow {
    /// The centre of the window.
    pub center: Cell,
    /// The direction of the window.
    pub direction: u8,
    /// The lowest bit of the cell in the code.
    pub shift: u8,
}

/// A list for each cell of the frame, all stored in one vector.
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
    /// Returns the cell `times` steps away; `None` beyond an edge.
    fn walk(&self, cell: Cell, (dx, dy): (i32, i32), times: i32) -> Option<Cell> {
        let (w, h) = (self.width as i32, self.height as i32);
        let (mut x, mut y) = (cell.x() as i32 + dx * times, cell.y() as i32 + dy * times);
        if self.torus {
            (x, y) = (x.rem_euclid(w), y.rem_euclid(h));
        }
        let inside = (0..w).contains(&x) && (0..h).contains(&y);
        inside.then(|| Cell::new(x as usize, y as usize))
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the number of cells in a line.
    #[inline]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the number of cells in a tuple.
    pub fn span(&self) -> usize {
        self.span
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> usize {
        self.lines.len() / self.length
    }

    /// Returns the cells of a line, in order.
    #[inline]
    pub fn line(&self, line: usize) -> &[Cell] {
        &self.lines[line * self.length..(line + 1) * self.length]
    }

    /// Returns the numbers of the lines through a cell, at most `MAX_LINES`.
    #[inline]
    pub fn lines_through(&self, cell: Cell) -> &[u16] {
        self.lines_through.of(cell)
    }

    /// Returns the cells that share lines with a cell, including the cell itself. On a small
    /// board with joined edges a cell may occur twice, reached in both directions.
    #[inline]
    pub fn star(&self, cell: Cell) -> &[Ray] {
        self.stars.of(cell)
    }

    /// Returns the number of tuples.
    pub fn tuples(&self) -> usize {
        self.empty_tuples.len()
    }

    /// Returns the code of a tuple on an empty board.
    pub fn empty_tuple(&self, tuple: usize) -> u16 {
        self.empty_tuples[tuple]
    }

    /// Returns the numbers of the tuples that contain a cell, each with a mask of the cell's
    /// places in the code: the lower of the two bits of each place. On a small board with
    /// joined edges a tuple may contain the cell twice.
    #[inline]
    pub fn tuples_through(&self, cell: Cell) -> &[(u16, u16)] {
        self.tuples_through.of(cell)
    }

    /// Returns the codes of the windows of all cells on an empty board.
    pub fn empty_windows(&self) -> &[Windows; FRAME] {
        &self.empty_windows
    }

    /// Returns the windows that contain a cell. On a small board with joined edges a window
    /// may contain it twice.
    #[inline]
    pub fn windows_through(&self, cell: Cell) -> &[InWindow] {
        self.windows_through.of(cell)
    }

    /// Returns the maximum number of missing stones of the lines that a board lists.
    #[inline]
    pub fn listed(&self) -> usize {
        self.listed
    }

    /// Returns the cells within two steps, in each coordinate, of a cell of a set.
    pub fn around(&self, set: &CellSet) -> CellSet {
        let mask = ((1u64 << self.width) - 1) as u32;
        let wide = |y: usize| {
            let row = (set.word(y / 2) >> (y % 2 * 32)) as u32 & mask;
            let flat = (1..=REACH).fold(row, |wide, k| wide | row << k | row >> k);
            let over = |wide, k| wide | row >> (self.width - k) | row << (self.width - k);
            if self.torus { (1..=REACH).fold(flat, over) } else { flat }
        };
        // `rows` includes rows beyond the edges, before and after those of the board.
        let mut rows = [0; MAX_SIDE + 2 * REACH];
        for (y, row) in rows[REACH..][..self.height].iter_mut().enumerate() {
            *row = wide(y) & mask;
        }
        if self.torus {
            for k in 0..REACH {
                rows[k] = rows[self.height + k];
                rows[REACH + self.height + k] = rows[REACH + k];
            }
        }
        let mut around = CellSet::EMPTY;
        for y in 0..self.height {
            around.or_row(y, rows[y..=y + 2 * REACH].iter().fold(0, |all, row| all | row));
        }
        around
    }

    /// Returns the eight neighbours of a cell by heading: forwards and backwards along each
    /// direction, so that headings `i` and `i ^ 1` are opposite. The cell of
    /// [`Move::NONE`](goren_core::types::Move::NONE), a wall, stands for a neighbour beyond an
    /// edge.
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
        // `k` steps along a diagonal add `k` modulo the width to x and `k` modulo the
        // height to y. Both congruences have a common solution if they agree modulo the
        // greatest common divisor of width and height.
        (dx + dy).is_multiple_of(self.gcd) || dx.abs_diff(dy).is_multiple_of(self.gcd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{Move, keys::mix};

    fn square(side: usize, torus: bool, length: usize, span: usize) -> Geometry {
        Geometry::new(side, side, torus, length, span, &CellSet::board(side, side))
    }

    #[test]
    fn numbers_of_lines_and_tuples_are_correct() {
        let flat = square(15, false, 5, 6);
        assert_eq!(flat.lines(), 2 * 15 * 11 + 2 * 11 * 11);
        // A row has ten tuples of six cells, and one more at each end that includes a
        // wall; diagonals of five cells have a wall at both ends.
        assert!(flat.tuples() >= flat.lines());
        let torus = square(15, true, 6, 7);
        assert_eq!((torus.lines(), torus.tuples()), (4 * 225, 4 * 225));
        assert!(torus.lines_through(Cell::new(0, 0)).len() == 24);
    }

    #[test]
    fn stars_follow_the_shared_lines() {
        for geometry in [square(9, false, 6, 7), square(9, true, 6, 7), square(15, false, 5, 6)] {
            for cell in CellSet::board(9, 9).iter() {
                let lines = geometry.lines_through(cell);
                let star = geometry.star(cell);
                for line in 0..geometry.lines() {
                    let cells = geometry.line(line);
                    assert_eq!(lines.contains(&(line as u16)), cells.contains(&cell));
                    let Some(at) = lines.iter().position(|&l| l as usize == line) else { continue };
                    let rays = star.iter().filter(|r| (r.from..r.to).contains(&(at as u8)));
                    let mut reached: Vec<Cell> = rays.map(|ray| ray.cell).collect();
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
    fn collinear_points_are_those_that_a_walk_reaches() {
        for (width, height, torus) in
            [(9, 9, false), (7, 12, false), (9, 9, true), (6, 9, true), (8, 12, true), (7, 5, true)]
        {
            let board = CellSet::board(width, height);
            let geometry = Geometry::new(width, height, torus, 5, 6, &board);
            for a in board.iter() {
                let mut walked = CellSet::default();
                for heading in 0..8 {
                    let mut at = geometry.neighbours(a)[heading];
                    while at != a && at != Move::NONE.cell() {
                        walked.insert(at);
                        at = geometry.neighbours(at)[heading];
                    }
                }
                let collinear: CellSet =
                    board.iter().filter(|&b| geometry.collinear(a, b)).collect();
                assert_eq!(collinear, walked, "{a:?} on {width}x{height}, torus {torus}");
            }
        }
    }

    #[test]
    fn cells_around_are_at_most_two_steps_away() {
        for (width, height, torus) in [(19, 19, false), (22, 4, false), (9, 7, true), (5, 5, true)]
        {
            let board = CellSet::board(width, height);
            let geometry = Geometry::new(width, height, torus, 4, 5, &board);
            let mut seed = 11;
            for stones in 0..12 {
                let set: CellSet = (0..stones)
                    .map(|_| {
                        seed = mix(seed);
                        Cell::new(seed as usize % width, (seed >> 20) as usize % height)
                    })
                    .collect();
                let steps = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy)));
                let (steps, geometry) = (&steps, &geometry);
                let reached =
                    |cell: Cell| steps.clone().filter_map(move |step| geometry.walk(cell, step, 1));
                let expected: CellSet = set.iter().flat_map(reached).collect();
                assert_eq!(geometry.around(&set), expected, "{width}x{height}, torus {torus}");
            }
        }
    }

    #[test]
    fn neighbours_come_in_opposite_pairs() {
        let flat = square(5, false, 4, 5);
        for cell in CellSet::board(5, 5).iter() {
            for (heading, &to) in flat.neighbours(cell).iter().enumerate() {
                if to != Move::NONE.cell() {
                    assert_eq!(flat.neighbours(to)[heading ^ 1], cell);
                }
            }
        }
    }
}

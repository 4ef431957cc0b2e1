//! Construction of a [`Geometry`]: the lists of lines, tuples and windows.

use arrayvec::ArrayVec;

use super::{Geometry, InWindow, Lists, MAX_LINES, Ray, WINDOW_REACH};
use goren_core::types::{Cell, CellSet, DIRECTIONS, FRAME, Move};

/// Maximum number of missing stones of listed lines, unless a game requests more.
const LISTED: usize = 2;

/// Maximum number of cells of a tuple: a code has 16 bits, two for each cell.
const MAX_SPAN: usize = 8;

impl Geometry {
    /// Creates the geometry of a board of `width` columns and `height` rows. A line has
    /// `length` cells, all inside `area`. A tuple has `span` cells, at most one of them
    /// outside `area`, which is coded as wall.
    ///
    /// # Panics
    /// Unless `length <= span <= 8` and `length <= 7`.
    pub fn new(
        width: usize,
        height: usize,
        torus: bool,
        length: usize,
        span: usize,
        area: &CellSet,
    ) -> Geometry {
        assert!(length <= span && span <= MAX_SPAN, "a code has sixteen bits");
        assert!(LISTED < length, "a listed line has stones");
        assert!(DIRECTIONS.len() * length <= MAX_LINES, "lines through a cell");
        let board = CellSet::board(width, height);
        let mut geometry = Geometry {
            width,
            height,
            torus,
            gcd: gcd(width, height),
            length,
            span,
            lines: Vec::new(),
            lines_through: Lists::new(vec![Vec::new(); FRAME]),
            stars: Lists::new(vec![Vec::new(); FRAME]),
            empty_tuples: Vec::new(),
            tuples_through: Lists::new(vec![Vec::new(); FRAME]),
            empty_windows: Box::new([[0; 4]; FRAME]),
            windows_through: Lists::new(vec![Vec::new(); FRAME]),
            listed: LISTED,
            neighbours: Box::new([[Move::NONE.cell(); 8]; FRAME]),
        };
        let mut starts = vec![[None; 4]; FRAME];
        let mut tuples_through = vec![Vec::<(u16, u16)>::new(); FRAME];
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
                // A tuple starts at this cell, or at the cell before it if that is outside
                // the area.
                for start in [0, -1] {
                    let first = geometry.walk(cell, dir.steps(), -1).filter(|c| area.contains(*c));
                    if start == -1 && first.is_some() {
                        continue;
                    }
                    let cells: ArrayVec<Option<Cell>, MAX_SPAN> = (0..span as i32)
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
                        let (through, place) = (&mut tuples_through[at.index()], 1 << (2 * k));
                        match through.last_mut().filter(|(tuple, _)| *tuple == number) {
                            Some((_, places)) => *places |= place,
                            None => through.push((number, place)),
                        }
                    }
                    geometry.empty_tuples.push(code);
                }
            }
        }
        geometry.list_lines(&starts);
        geometry.list_windows(area);
        geometry.tuples_through = Lists::new(tuples_through);
        geometry
    }

    /// Makes boards list all lines that miss at most this many stones.
    ///
    /// # Panics
    /// If lines without stones are among them.
    #[must_use]
    pub fn listing(self, missing: usize) -> Geometry {
        assert!(missing < self.length, "a listed line has stones");
        Geometry { listed: missing, ..self }
    }

    /// Fills `lines_through` and `stars`. The lines through a cell are ordered by
    /// direction, and within a direction by their first cell. `starts` has the number of
    /// the line that starts at a cell in a direction, if there is one.
    fn list_lines(&mut self, starts: &[[Option<u16>; 4]]) {
        let length = self.length as i32;
        let mut lines_through = vec![Vec::new(); FRAME];
        let mut stars = vec![Vec::new(); FRAME];
        for cell in CellSet::board(self.width, self.height).iter() {
            let (through, star) = (&mut lines_through[cell.index()], &mut stars[cell.index()]);
            for (d, dir) in DIRECTIONS.into_iter().enumerate() {
                // Number of steps from the start of each of these lines to the cell.
                let first = through.len();
                let mut steps = ArrayVec::<i32, MAX_SPAN>::new();
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

    /// Fills `empty_windows` and `windows_through`. Cells outside `area` are walls.
    fn list_windows(&mut self, area: &CellSet) {
        let mut windows_through = vec![Vec::new(); FRAME];
        for center in CellSet::board(self.width, self.height).iter() {
            for (d, dir) in DIRECTIONS.into_iter().enumerate() {
                let steps = (-WINDOW_REACH..=WINDOW_REACH).filter(|&step| step != 0);
                for (k, step) in steps.enumerate() {
                    let to = self.walk(center, dir.steps(), step).filter(|to| area.contains(*to));
                    let Some(to) = to else { continue };
                    let (direction, shift) = (d as u8, 2 * k as u8);
                    self.empty_windows[center.index()][d] |= 0b11 << shift;
                    windows_through[to.index()].push(InWindow { center, direction, shift });
                }
            }
        }
        self.windows_through = Lists::new(windows_through);
    }

    /// Returns the cells `from..to` steps away, up to the first one outside the board or the
    /// area.
    fn stretch(
        &self,
        cell: Cell,
        step: (i32, i32),
        from: i32,
        to: i32,
        area: &CellSet,
    ) -> ArrayVec<Cell, MAX_SPAN> {
        let cells = (from..to).map_while(|k| self.walk(cell, step, k));
        cells.take_while(|at| area.contains(*at)).collect()
    }
}

/// Returns the greatest common divisor.
fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

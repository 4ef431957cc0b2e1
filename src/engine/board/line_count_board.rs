//! The line-count board, for all games beyond five in a row: stones may be captured,
//! fall, or come in pairs. It counts stones line by line, knows no other rule and does
//! not evaluate.
//!
//! For every line of the winning length (listed in `geometry.rs`, joined edges included)
//! it counts the stones of both colours. Lines that only one colour occupies are listed
//! by the number of stones they miss, so immediate wins, moves that must be stopped and
//! pairs that complete a line are found without a search. For each cell and colour it
//! counts the live lines by their stones, eight one-byte counters in a word, updated
//! along the star of a stone. Placing and removing a stone are inverse operations, so
//! there is no journal.

use std::sync::Arc;

use super::geometry::{Geometry, MOST_LINES, Windows};
use goren_core::types::{Cell, CellSet, Color, FRAME, Stone, keys};

/// Longest winning length.
pub const LONGEST: usize = 7;

/// Lines that miss at most this many stones are listed.
const LISTED: usize = 4;

/// A set of line numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LineSet(Vec<u64>);

impl LineSet {
    fn toggle(&mut self, line: usize) {
        self.0[line / 64] ^= 1 << (line % 64);
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|&w| w != 0)
                .map(move |w| 64 * i + w.trailing_zeros() as usize)
        })
    }
}

/// Bits of a counter in [`Live`]: a cell is on at most [`MOST_LINES`] lines, so one never
/// overflows.
const COUNT_BITS: usize = 8;

/// The live lines of a colour through a cell, those without an opponent's stone, counted
/// by the colour's stones on them: byte `n` counts the lines with `n` stones.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Live(u64);

impl Live {
    /// Number of lines with this many stones.
    #[inline]
    pub fn of(self, stones: usize) -> usize {
        (self.0 >> (COUNT_BITS * stones)) as usize & ((1 << COUNT_BITS) - 1)
    }

    /// Number of lines with 0, 1, ... stones.
    #[inline]
    pub fn counts(self) -> [u8; LONGEST + 1] {
        self.0.to_le_bytes()
    }

    /// Stones on the fullest line; 0 if there is no live line.
    #[inline]
    pub fn most(self) -> usize {
        (u64::BITS - 1).saturating_sub(self.0.leading_zeros()) as usize / COUNT_BITS
    }

    /// The word that counts one line, given the stones of both colours on it.
    #[inline]
    fn line(own: u8, others: u8) -> u64 {
        u64::from(others == 0) << (COUNT_BITS * own as usize)
    }
}

/// Colour and stones of a line that only one colour occupies.
type Level = Option<(usize, usize)>;

/// The stones of a board and the counts derived from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCountBoard {
    geometry: Arc<Geometry>,
    /// Two bits a cell: wall 00, black stone 01, white stone 10, empty 11.
    cells: Box<[u8; FRAME]>,
    empty: CellSet,
    empties: usize,
    /// For each cell, the number of stones within two steps.
    neighbours: Box<[u8; FRAME]>,
    near: CellSet,
    /// Stones of Black and White in each line.
    counts: Vec<[u8; 2]>,
    /// The live lines through each cell, by colour.
    live: Box<[[Live; 2]; FRAME]>,
    /// Number of lines that only one colour occupies, by colour and stones.
    levels: [[u16; LONGEST + 1]; 2],
    /// The same lines as sets, by colour and missing stones; up to [`LISTED`] missing.
    lists: [[LineSet; LISTED + 1]; 2],
    /// The code of each tuple, two bits for each cell.
    tuples: Vec<u16>,
    /// The codes of the windows of each cell.
    windows: Box<[Windows; FRAME]>,
    key: u64,
}

impl LineCountBoard {
    /// An empty board.
    pub fn new(geometry: Arc<Geometry>) -> LineCountBoard {
        let board = CellSet::board(geometry.width(), geometry.height());
        let mut cells = Box::new([0; FRAME]);
        let mut live = Box::new([[Live::default(); 2]; FRAME]);
        for cell in board.iter() {
            cells[cell.index()] = 0b11;
            let through = geometry.lines_through(cell).len();
            live[cell.index()] = [Live(through as u64 * Live::line(0, 0)); 2];
        }
        let lines = geometry.lines();
        let lists = || std::array::from_fn(|_| LineSet(vec![0; lines.div_ceil(64)]));
        let tuples = (0..geometry.tuples()).map(|tuple| geometry.empty_tuple(tuple)).collect();
        LineCountBoard {
            cells,
            empty: board,
            empties: board.len(),
            live,
            neighbours: Box::new([0; FRAME]),
            near: CellSet::EMPTY,
            counts: vec![[0; 2]; lines],
            levels: [[0; LONGEST + 1]; 2],
            lists: [lists(), lists()],
            tuples,
            windows: Box::new(*geometry.empty_windows()),
            key: 0,
            geometry,
        }
    }

    /// A board of the same geometry without stones.
    pub fn emptied(&self) -> LineCountBoard {
        LineCountBoard::new(self.geometry.clone())
    }

    /// Lines, tuples and neighbourhoods of the board.
    #[inline]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// The cells with stones.
    #[inline]
    pub fn stones(&self) -> CellSet {
        let board = CellSet::board(self.geometry.width(), self.geometry.height());
        board.difference(&self.empty)
    }

    /// Number of empty cells.
    #[inline]
    pub fn empties(&self) -> usize {
        self.empties
    }

    /// The lines through a cell without a stone of the colour's opponent.
    #[inline]
    pub fn live(&self, color: Color, cell: Cell) -> Live {
        self.live[cell.index()][color.index()]
    }

    /// The empty cells within two steps of a stone in each coordinate.
    #[inline]
    pub fn near(&self) -> CellSet {
        self.near.intersection(&self.empty)
    }

    /// Whether a cell is on the board and empty.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.cells[cell.index()] == 0b11
    }

    /// Whether a stone of a colour stands on a cell.
    #[inline]
    pub fn is(&self, cell: Cell, color: Color) -> bool {
        self.cells[cell.index()] == 0b01 << color.index()
    }

    /// The colour of the stone on a cell, if one is there.
    #[inline]
    pub fn color(&self, cell: Cell) -> Option<Color> {
        match self.cells[cell.index()] {
            0b01 => Some(Color::Black),
            0b10 => Some(Color::White),
            _ => None,
        }
    }

    /// Hash key of the stones; neither game nor side to move is in it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Number of lines with `stones` stones of a colour, at least one, and none of the
    /// opponent.
    #[inline]
    pub fn level(&self, color: Color, stones: usize) -> usize {
        self.levels[color.index()][stones] as usize
    }

    /// Lines that only this colour occupies and that miss `missing` stones, at most four.
    pub fn lines_missing(&self, color: Color, missing: usize) -> impl Iterator<Item = usize> + '_ {
        self.lists[color.index()][missing].iter()
    }

    /// Stones of Black and White on a line.
    #[inline]
    pub fn count(&self, line: usize) -> [usize; 2] {
        self.counts[line].map(usize::from)
    }

    /// The empty cells of a line.
    pub fn gaps(&self, line: usize) -> impl Iterator<Item = Cell> + '_ {
        self.geometry.line(line).iter().copied().filter(|&cell| self.is_empty(cell))
    }

    /// The empty cells that complete a line of a colour.
    pub fn completions(&self, color: Color) -> CellSet {
        self.lines_missing(color, 1).flat_map(|line| self.gaps(line)).collect()
    }

    /// The codes of all tuples.
    pub fn tuples(&self) -> &[u16] {
        &self.tuples
    }

    /// The codes of the windows of a cell.
    #[inline]
    pub fn windows(&self, cell: Cell) -> Windows {
        self.windows[cell.index()]
    }

    /// Places a stone on an empty cell. `watch` is called with the old and the new code
    /// of each tuple that changes.
    #[inline]
    pub fn put(&mut self, cell: Cell, color: Color, watch: impl FnMut(u16, u16)) {
        debug_assert!(self.is_empty(cell));
        self.flip(cell, color, true, watch);
    }

    /// Removes a stone of a colour from its cell; `watch` as in [`LineCountBoard::put`].
    #[inline]
    pub fn lift(&mut self, cell: Cell, color: Color, watch: impl FnMut(u16, u16)) {
        debug_assert!(self.is(cell, color));
        self.flip(cell, color, false, watch);
    }

    #[inline]
    fn flip(&mut self, cell: Cell, color: Color, put: bool, mut watch: impl FnMut(u16, u16)) {
        let bits = 0b10u8 >> color.index();
        self.cells[cell.index()] ^= bits;
        self.empty.toggle(cell);
        self.empties = if put { self.empties - 1 } else { self.empties + 1 };
        self.key ^= keys::stone(Stone::Of(color), cell);
        let geometry = &*self.geometry;
        // Prefix sums of the changes of [`Live`] over the lines through the cell. The
        // lines that a cell of the star shares are a range, so its change is the
        // difference of two sums.
        let mut sums = [[0u64; 2]; MOST_LINES + 1];
        let mut sum = [0u64; 2];
        for (i, &line) in geometry.lines_through(cell).iter().enumerate() {
            let line = line as usize;
            let [black, white] = self.counts[line];
            let before = level(self.counts[line]);
            let count = &mut self.counts[line][color.index()];
            *count = if put { *count + 1 } else { *count - 1 };
            let [now_black, now_white] = self.counts[line];
            let own = Live::line(now_black, now_white).wrapping_sub(Live::line(black, white));
            let others = Live::line(now_white, now_black).wrapping_sub(Live::line(white, black));
            sum = [sum[0].wrapping_add(own), sum[1].wrapping_add(others)];
            sums[i + 1] = sum;
            let after = level(self.counts[line]);
            for (level, more) in [(before, false), (after, true)] {
                let Some((c, stones)) = level else { continue };
                let number = &mut self.levels[c][stones];
                *number = if more { *number + 1 } else { *number - 1 };
                let missing = geometry.length() - stones;
                if missing <= LISTED {
                    self.lists[c][missing].toggle(line);
                }
            }
        }
        for ray in geometry.star(cell) {
            let (from, to) = (sums[ray.from as usize], sums[ray.to as usize]);
            for (c, live) in self.live[ray.cell.index()].iter_mut().enumerate() {
                live.0 = live.0.wrapping_add(to[c].wrapping_sub(from[c]));
            }
        }
        for &(tuple, shift) in geometry.tuples_through(cell) {
            let code = &mut self.tuples[tuple as usize];
            let before = *code;
            *code ^= u16::from(bits) << shift;
            watch(before, *code);
        }
        for at in geometry.windows_through(cell) {
            let windows = &mut self.windows[at.center.index()];
            // Both are in range: the remainders only spare checks.
            windows[usize::from(at.direction) % 4] ^= u16::from(bits) << (at.shift % 16);
        }
        for &at in geometry.around(cell) {
            let stones = &mut self.neighbours[at.index()];
            if put {
                *stones += 1;
                self.near.insert(at);
            } else {
                *stones -= 1;
                if *stones == 0 {
                    self.near.remove(at);
                }
            }
        }
    }
}

/// Colour and stones of a line that only one colour occupies.
#[inline]
fn level([black, white]: [u8; 2]) -> Level {
    match (black, white) {
        (0, 0) => None,
        (stones, 0) => Some((0, stones as usize)),
        (0, stones) => Some((1, stones as usize)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::keys::mix;

    /// The same board built from its stones.
    fn afresh(board: &LineCountBoard) -> LineCountBoard {
        let mut fresh = LineCountBoard::new(board.geometry.clone());
        for cell in CellSet::board(board.geometry.width(), board.geometry.height()).iter() {
            if let Some(color) = board.color(cell) {
                fresh.put(cell, color, |_, _| {});
            }
        }
        fresh
    }

    #[test]
    fn stones_that_come_and_go_leave_what_the_others_make() {
        let board = |w, h| CellSet::board(w, h);
        let shapes = [
            Geometry::new(15, 15, false, 5, 6, &board(15, 15)),
            Geometry::new(19, 19, false, 6, 7, &board(19, 19)),
            Geometry::new(15, 15, true, 6, 7, &board(15, 15)),
            Geometry::new(7, 6, false, 4, 5, &board(7, 6)),
        ];
        for geometry in shapes {
            let geometry = Arc::new(geometry);
            let mut board = LineCountBoard::new(geometry.clone());
            let mut seed = 7;
            let mut sum = 0i64;
            for _ in 0..400 {
                seed = mix(seed);
                let (x, y) = (seed as usize % geometry.width(), (seed >> 20) as usize);
                let cell = Cell::new(x, y % geometry.height());
                let watch = |old: u16, new: u16| sum += i64::from(new) - i64::from(old);
                match board.color(cell) {
                    Some(color) => board.lift(cell, color, watch),
                    None => board.put(cell, Color::ALL[(seed >> 50) as usize % 2], watch),
                }
                let fresh = afresh(&board);
                assert_eq!(board, fresh);
                let codes = |board: &LineCountBoard| {
                    board.tuples.iter().map(|&c| i64::from(c)).sum::<i64>()
                };
                assert_eq!(codes(&board) - codes(&LineCountBoard::new(geometry.clone())), sum);
            }
        }
    }

    #[test]
    fn live_lines_of_cells_are_those_the_lines_show() {
        for (side, torus, length) in [(15, false, 5), (9, true, 6), (11, false, 7)] {
            let all_cells = CellSet::board(side, side);
            let geometry = Geometry::new(side, side, torus, length, length, &all_cells);
            let mut board = LineCountBoard::new(Arc::new(geometry));
            let mut seed = 3;
            for _ in 0..60 {
                seed = mix(seed);
                let cell = Cell::new(seed as usize % side, (seed >> 20) as usize % side);
                let color = Color::ALL[(seed >> 50) as usize % 2];
                match board.color(cell) {
                    Some(there) => board.lift(cell, there, |_, _| {}),
                    None => board.put(cell, color, |_, _| {}),
                }
                for (cell, color) in
                    all_cells.iter().flat_map(|c| Color::ALL.map(|color| (c, color)))
                {
                    let mut counts = [0; LONGEST + 1];
                    for line in 0..board.geometry.lines() {
                        let cells = board.geometry.line(line);
                        let opponent = cells.iter().any(|&at| board.is(at, !color));
                        if cells.contains(&cell) && !opponent {
                            counts[cells.iter().filter(|&&at| board.is(at, color)).count()] += 1;
                        }
                    }
                    let live = board.live(color, cell);
                    assert_eq!(live.counts(), counts);
                    let most = (0..=LONGEST).rev().find(|&stones| counts[stones] > 0);
                    assert_eq!(live.most(), most.unwrap_or(0));
                    assert!((0..=LONGEST).all(|n| live.of(n) == counts[n] as usize));
                }
                assert_eq!(board.empties(), board.empty().len());
            }
        }
    }

    #[test]
    fn windows_show_four_cells_on_either_side() {
        // Of the last board only the cells inside a border of two count.
        let inner = |cell: &Cell| (2..9).contains(&cell.x()) && (2..9).contains(&cell.y());
        let boards = [
            (15, 13, false, CellSet::board(15, 13)),
            (9, 9, true, CellSet::board(9, 9)),
            (11, 11, false, CellSet::board(11, 11).iter().filter(inner).collect()),
        ];
        for (width, height, torus, area) in boards {
            let geometry = Geometry::new(width, height, torus, 5, 6, &area);
            let mut board = LineCountBoard::new(Arc::new(geometry));
            let mut seed = 5;
            for _ in 0..80 {
                seed = mix(seed);
                let cell = Cell::new(seed as usize % width, (seed >> 20) as usize % height);
                match board.color(cell) {
                    Some(there) => board.lift(cell, there, |_, _| {}),
                    None => board.put(cell, Color::ALL[(seed >> 50) as usize % 2], |_, _| {}),
                }
                for center in CellSet::board(width, height).iter() {
                    let neighbours = |cell: Cell| board.geometry.neighbours(cell);
                    let expected: [u16; 4] = std::array::from_fn(|dir| {
                        let walk = |way: usize| {
                            let next = move |at: &Cell| Some(neighbours(*at)[way]);
                            std::iter::successors(Some(center), next).skip(1).take(4)
                        };
                        let mut cells: Vec<Cell> = walk(2 * dir + 1).collect();
                        cells.reverse();
                        cells.extend(walk(2 * dir));
                        let code = |(k, &at): (usize, &Cell)| match board.color(at) {
                            _ if !area.contains(at) => 0,
                            None => 0b11 << (2 * k),
                            Some(color) => (0b01 << color.index()) << (2 * k),
                        };
                        cells.iter().enumerate().map(code).sum()
                    });
                    assert_eq!(board.windows(center), expected, "{center:?}");
                }
            }
        }
    }

    #[test]
    fn lines_are_counted_by_what_they_miss() {
        let geometry = Geometry::new(15, 15, false, 5, 6, &CellSet::board(15, 15));
        let mut board = LineCountBoard::new(Arc::new(geometry));
        for x in 3..7 {
            board.put(Cell::new(x, 7), Color::Black, |_, _| {});
        }
        assert_eq!(board.level(Color::Black, 4), 2);
        let ends: CellSet = [Cell::new(2, 7), Cell::new(7, 7)].into_iter().collect();
        assert_eq!(board.completions(Color::Black), ends);
        board.put(Cell::new(2, 7), Color::White, |_, _| {});
        assert_eq!(board.level(Color::Black, 4), 1);
        board.put(Cell::new(7, 7), Color::Black, |_, _| {});
        assert_eq!(board.level(Color::Black, 5), 1);
    }
}

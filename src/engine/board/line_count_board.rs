//! The line-count board, for all games beyond five in a row: stones may be captured,
//! fall, or come in pairs. It counts stones line by line, knows no other rule and does
//! not evaluate.
//!
//! For every line of the winning length (listed in `geometry.rs`, joined edges included)
//! it counts the stones of both colours. It lists the lines that only one colour occupies
//! by the number of missing stones, as far as the game requests ([`Geometry::listed`]), so
//! that immediate wins, moves that must be stopped and pairs that complete a line are
//! found without a search. For each cell and colour it counts the live lines by their
//! stones, eight one-byte counters in a word, updated along the star of a stone. Placing
//! and removing a stone are inverse operations, so there is no journal.

use std::sync::Arc;

use super::geometry::{Geometry, MAX_LINES};
use super::live::{Levels, LineStones, Live, LiveChange};
use goren_core::types::{Cell, CellSet, Color, FRAME, Stone, keys};

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

/// Indices of the colours.
const BLACK: usize = Color::Black.index();
const WHITE: usize = Color::White.index();

/// The stones of a board and the counts derived from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCountBoard {
    geometry: Arc<Geometry>,
    /// Two bits a cell: wall 00, black stone 01, white stone 10, empty 11.
    cells: Box<[u8; FRAME]>,
    empty: CellSet,
    empties: usize,
    /// The stones on each line.
    counts: Vec<LineStones>,
    /// The live lines through each cell, by colour.
    live: Box<[[Live; 2]; FRAME]>,
    /// Number of live lines, by colour and stones.
    levels: [Levels; 2],
    /// Sets of the live lines with a stone, by colour and missing stones, as far as
    /// [`Geometry::listed`].
    lists: [Vec<LineSet>; 2],
    key: u64,
}

impl LineCountBoard {
    /// Creates an empty board.
    pub fn new(geometry: Arc<Geometry>) -> LineCountBoard {
        let board = CellSet::board(geometry.width(), geometry.height());
        let mut cells = Box::new([0; FRAME]);
        let mut live = Box::new([[Live::default(); 2]; FRAME]);
        for cell in board.iter() {
            cells[cell.index()] = 0b11;
            let through = geometry.lines_through(cell).len();
            live[cell.index()] = [Live::empty(through); 2];
        }
        let lines = geometry.lines();
        let list = LineSet(vec![0; lines.div_ceil(64)]);
        let lists = vec![list; geometry.listed() + 1];
        LineCountBoard {
            cells,
            empty: board,
            empties: board.len(),
            live,
            counts: vec![LineStones::default(); lines],
            levels: [Levels::empty(lines); 2],
            lists: [lists.clone(), lists],
            key: 0,
            geometry,
        }
    }

    /// Creates a board of the same geometry without stones.
    pub fn emptied(&self) -> LineCountBoard {
        LineCountBoard::new(self.geometry.clone())
    }

    /// Returns the lines, tuples and neighbourhoods of the board.
    #[inline]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// Returns the cells with stones.
    #[inline]
    pub fn stones(&self) -> CellSet {
        let board = CellSet::board(self.geometry.width(), self.geometry.height());
        board.difference(&self.empty)
    }

    /// Returns the number of empty cells.
    #[inline]
    pub fn empties(&self) -> usize {
        self.empties
    }

    /// Returns the live lines of a colour through a cell.
    #[inline]
    pub fn live(&self, color: Color, cell: Cell) -> Live {
        self.live[cell.index()][color.index()]
    }

    /// Returns the empty cells within two steps of a stone in each coordinate.
    pub fn near(&self) -> CellSet {
        self.geometry.around(&self.stones()).intersection(&self.empty)
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

    /// Returns the colour of the stone on a cell, if there is one.
    #[inline]
    pub fn color(&self, cell: Cell) -> Option<Color> {
        match self.cells[cell.index()] {
            0b01 => Some(Color::Black),
            0b10 => Some(Color::White),
            _ => None,
        }
    }

    /// Returns the hash key of the stones, without the game and the side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the number of lines with `stones` stones of a colour (at least 1) and none of the
    /// opponent.
    #[inline]
    pub fn level(&self, color: Color, stones: usize) -> usize {
        self.levels[color.index()].of(stones)
    }

    /// Returns the lines that only this colour occupies and that miss `missing` stones, at
    /// most [`Geometry::listed`].
    pub fn lines_missing(&self, color: Color, missing: usize) -> impl Iterator<Item = usize> + '_ {
        self.lists[color.index()][missing].iter()
    }

    /// Counts the stones of Black and White on a line.
    #[inline]
    pub fn count(&self, line: usize) -> [usize; 2] {
        self.counts[line].by_color()
    }

    /// Returns the empty cells of a line.
    pub fn gaps(&self, line: usize) -> impl Iterator<Item = Cell> + '_ {
        self.geometry.line(line).iter().copied().filter(|&cell| self.is_empty(cell))
    }

    /// Returns the empty cells that complete a line of a colour.
    pub fn completions(&self, color: Color) -> CellSet {
        self.lines_missing(color, 1).flat_map(|line| self.gaps(line)).collect()
    }

    /// Places a stone on an empty cell.
    #[inline]
    pub fn put(&mut self, cell: Cell, color: Color) {
        debug_assert!(self.is_empty(cell));
        self.empties -= 1;
        match color {
            Color::Black => self.flip::<true, BLACK>(cell),
            Color::White => self.flip::<true, WHITE>(cell),
        }
    }

    /// Removes a stone of a colour from its cell.
    #[inline]
    pub fn lift(&mut self, cell: Cell, color: Color) {
        debug_assert!(self.is(cell, color));
        self.empties += 1;
        match color {
            Color::Black => self.flip::<false, BLACK>(cell),
            Color::White => self.flip::<false, WHITE>(cell),
        }
    }

    /// Places (`PUT`) or removes a stone of a colour, given by its index.
    fn flip<const PUT: bool, const COLOR: usize>(&mut self, cell: Cell) {
        let color = Color::ALL[COLOR];
        self.cells[cell.index()] ^= 0b10u8 >> color.index();
        self.empty.toggle(cell);
        self.key ^= keys::stone(Stone::Of(color), cell);
        let geometry = &*self.geometry;
        let (c, o) = (color.index(), (!color).index());
        // Minimum number of stones on listed lines.
        let least = geometry.length() - geometry.listed();
        // Prefix sums of the changes of the live lines over the lines through the cell, as for
        // placing the stone. The lines shared with a cell of the star are a range, so its
        // change is the difference of two sums.
        let mut sums = [LiveChange::default(); MAX_LINES + 1];
        let mut sum = LiveChange::default();
        for (i, &line) in geometry.lines_through(cell).iter().enumerate() {
            let line = usize::from(line);
            let count = &mut self.counts[line];
            let without = if PUT { *count } else { count.without(color) };
            *count = if PUT { without.with(color) } else { without };
            sum += without.change(color);
            sums[i + 1] = sum;
            let [own, others] = [color, !color].map(|color| without.of(color));
            if others == 0 && own + 1 >= least {
                toggle(&mut self.lists[c], geometry.length() - own, line);
                toggle(&mut self.lists[c], geometry.length() - own - 1, line);
            } else if own == 0 && others >= least {
                toggle(&mut self.lists[o], geometry.length() - others, line);
            }
        }
        for (c, levels) in self.levels.iter_mut().enumerate() {
            levels.change::<PUT>(sum.of(c));
        }
        for ray in geometry.star(cell) {
            let change = sums[ray.to as usize] - sums[ray.from as usize];
            for (c, live) in self.live[ray.cell.index()].iter_mut().enumerate() {
                live.change::<PUT>(change.of(c));
            }
        }
    }
}

/// Adds a line to the set of lines that miss this many stones, or removes it, if such lines
/// are listed.
#[inline(always)]
fn toggle(lists: &mut [LineSet], missing: usize, line: usize) {
    if let Some(list) = lists.get_mut(missing) {
        list.toggle(line);
    }
}

#[cfg(test)]
mod tests {
    use super::super::codes::Codes;
    use super::super::live::LONGEST;
    use super::*;
    use goren_core::types::keys::mix;

    /// Builds the same board from its stones.
    fn rebuilt(board: &LineCountBoard) -> LineCountBoard {
        let mut fresh = LineCountBoard::new(board.geometry.clone());
        for cell in CellSet::board(board.geometry.width(), board.geometry.height()).iter() {
            if let Some(color) = board.color(cell) {
                fresh.put(cell, color);
            }
        }
        fresh
    }

    /// Builds the codes of the board from its stones.
    fn codes_of(board: &LineCountBoard) -> Codes {
        let mut codes = Codes::new(&board.geometry);
        for cell in board.stones().iter() {
            codes.flip(&board.geometry, (cell, board.color(cell).unwrap()), |_, _| {});
        }
        codes
    }

    #[test]
    fn placing_and_removing_stones_agree_with_a_rebuilt_board() {
        let board = |w, h| CellSet::board(w, h);
        let shapes = [
            Geometry::new(15, 15, false, 5, 6, &board(15, 15)),
            Geometry::new(19, 19, false, 6, 7, &board(19, 19)).listing(4),
            Geometry::new(15, 15, true, 6, 7, &board(15, 15)),
            Geometry::new(7, 6, false, 4, 5, &board(7, 6)),
        ];
        for geometry in shapes {
            let geometry = Arc::new(geometry);
            let mut board = LineCountBoard::new(geometry.clone());
            let mut seed = 7;
            let mut codes = Codes::new(&geometry);
            for _ in 0..400 {
                seed = mix(seed);
                let (x, y) = (seed as usize % geometry.width(), (seed >> 20) as usize);
                let cell = Cell::new(x, y % geometry.height());
                let color = board.color(cell).unwrap_or(Color::ALL[(seed >> 50) as usize % 2]);
                if board.is_empty(cell) {
                    board.put(cell, color);
                } else {
                    board.lift(cell, color);
                }
                codes.flip(&geometry, (cell, color), |_, _| {});
                assert_eq!((&board, &codes), (&rebuilt(&board), &codes_of(&board)));
            }
        }
    }

    #[test]
    fn live_lines_agree_with_a_count_over_all_lines() {
        for (side, torus, length, listed) in [
            (15, false, 5, 2),
            (9, true, 6, 2),
            (6, true, 6, 4),
            (11, false, 6, 4),
            (11, false, 7, 2),
        ] {
            let all_cells = CellSet::board(side, side);
            let geometry = Geometry::new(side, side, torus, length, length, &all_cells);
            let geometry = geometry.listing(listed);
            let mut board = LineCountBoard::new(Arc::new(geometry));
            let mut seed = 3;
            for _ in 0..60 {
                seed = mix(seed);
                let cell = Cell::new(seed as usize % side, (seed >> 20) as usize % side);
                let color = Color::ALL[(seed >> 50) as usize % 2];
                match board.color(cell) {
                    Some(there) => board.lift(cell, there),
                    None => board.put(cell, color),
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
                    let fullest = (0..=LONGEST).rev().find(|&stones| counts[stones] > 0);
                    assert_eq!(live.most(), fullest.unwrap_or(0));
                    assert!((0..=LONGEST).all(|n| live.of(n) == counts[n] as usize));
                }
                for color in Color::ALL {
                    let live = |&line: &usize| {
                        !board.geometry.line(line).iter().any(|&at| board.is(at, !color))
                    };
                    let stones = |line: usize| {
                        board.geometry.line(line).iter().filter(|&&at| board.is(at, color)).count()
                    };
                    let lines: Vec<usize> = (0..board.geometry.lines()).filter(live).collect();
                    for n in 1..=length {
                        let with = lines.iter().copied().filter(|&line| stones(line) == n);
                        assert_eq!(board.level(color, n), with.clone().count());
                        if length - n <= board.geometry.listed() {
                            assert!(board.lines_missing(color, length - n).eq(with));
                        }
                    }
                }
                assert_eq!(board.empties(), board.empty().len());
            }
        }
    }

    #[test]
    fn windows_show_four_cells_on_either_side() {
        // On the last board only the cells inside a border of two count.
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
                    Some(there) => board.lift(cell, there),
                    None => board.put(cell, Color::ALL[(seed >> 50) as usize % 2]),
                }
                let codes = codes_of(&board);
                for center in CellSet::board(width, height).iter() {
                    let neighbours = |cell: Cell| board.geometry.neighbours(cell);
                    let expected: [u16; 4] = std::array::from_fn(|dir| {
                        let walk = |heading: usize| {
                            let next = move |at: &Cell| Some(neighbours(*at)[heading]);
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
                    assert_eq!(codes.windows(center), expected, "{center:?}");
                }
            }
        }
    }

    #[test]
    fn lines_are_counted_by_missing_stones() {
        let geometry = Geometry::new(15, 15, false, 5, 6, &CellSet::board(15, 15));
        let mut board = LineCountBoard::new(Arc::new(geometry));
        for x in 3..7 {
            board.put(Cell::new(x, 7), Color::Black);
        }
        assert_eq!(board.level(Color::Black, 4), 2);
        let ends: CellSet = [Cell::new(2, 7), Cell::new(7, 7)].into_iter().collect();
        assert_eq!(board.completions(Color::Black), ends);
        board.put(Cell::new(2, 7), Color::White);
        assert_eq!(board.level(Color::Black, 4), 1);
        board.put(Cell::new(7, 7), Color::Black);
        assert_eq!(board.level(Color::Black, 5), 1);
    }
}

//! Proof board: stones, the lines of five that are still possible, and the keys of
//! the position in all its symmetric images. Wins follow the text of the rule; the
//! referee judges fouls unless the lines rule them out.

use std::cmp::Reverse;
use std::sync::Arc;

use fxhash::FxHashMap;
use smallvec::SmallVec;

use goren_core::rules::referee::{FiveReferee, IllegalMove};
use goren_core::rules::{Fouls, Setup};
use goren_core::types::{
    Cell, CellSet, Color, DIRECTIONS, Direction, FRAME, Stone, Symmetry, keys,
};

/// Number of stones in a row that wins.
const FIVE: usize = 5;
/// Promise of a line of five for its cells, by the number of stones of the only colour on it.
const OWN_PROMISE: [u32; FIVE] = [0, 1, 12, 100, 2_000];
const OTHER_PROMISE: [u32; FIVE] = [0, 1, 6, 50, 1_000];
/// Images of a square board.
const IMAGES: usize = 8;
/// Number of bits of a key that files store.
const KEY_BITS: u32 = 56;

/// Tables of the geometry of a board, computed once.
#[derive(Debug)]
struct Layout {
    /// All lines of five cells.
    lines: Vec<[Cell; FIVE]>,
    /// Direction of each line, by its number.
    directions: Vec<Direction>,
    /// The line one step further in the same direction, by the line's number.
    next: Vec<Option<u16>>,
    /// The lines through a cell, by its index.
    through: Vec<SmallVec<[u16; 20]>>,
    /// Key of a stone in each image: by colour, by cell.
    keys: [Vec<[u128; IMAGES]>; 2],
    /// Where each image maps a cell to, and from.
    to_image: Vec<[Cell; IMAGES]>,
    from_image: Vec<[Cell; IMAGES]>,
    /// Number of images of the board.
    images: usize,
}

impl Layout {
    fn new(width: usize, height: usize) -> Layout {
        let cells = CellSet::board(width, height);
        let (mut lines, mut directions) = (Vec::new(), Vec::new());
        for dir in DIRECTIONS {
            for cell in cells.iter() {
                let (dx, dy) = dir.steps();
                let end = (cell.x() as i32 + 4 * dx, cell.y() as i32 + 4 * dy);
                let inside =
                    (0..width as i32).contains(&end.0) && (0..height as i32).contains(&end.1);
                if inside {
                    lines.push(std::array::from_fn(|i| cell.step(dir, i as i32)));
                    directions.push(dir);
                }
            }
        }
        let numbers: FxHashMap<[Cell; 2], u16> =
            lines.iter().map(|line| [line[0], line[1]]).zip(0..).collect();
        let shifted = |line: &[Cell; FIVE]| numbers.get(&[line[1], line[2]]).copied();
        let next = lines.iter().map(shifted).collect();
        let mut through = vec![SmallVec::new(); FRAME];
        for (number, line) in lines.iter().enumerate() {
            for cell in line {
                through[cell.index()].push(number as u16);
            }
        }
        let symmetries: Vec<Symmetry> = Symmetry::all(width, height).collect();
        let mut keys = [(); 2].map(|()| vec![[0; IMAGES]; FRAME]);
        // Cells off the board map to a cell off the board.
        let mut to_image = vec![[Cell::from_index(FRAME - 1); IMAGES]; FRAME];
        let mut from_image = to_image.clone();
        for cell in cells.iter() {
            for (i, symmetry) in symmetries.iter().enumerate() {
                let image = symmetry.apply(cell);
                to_image[cell.index()][i] = image;
                from_image[image.index()][i] = cell;
                for color in Color::ALL {
                    keys[color.index()][cell.index()][i] = stone_key(color, image);
                }
            }
        }
        let images = symmetries.len();
        Layout { lines, directions, next, through, keys, to_image, from_image, images }
    }
}

/// Returns the key of a stone: 128 bits, so that no two positions share a key by chance.
fn stone_key(color: Color, cell: Cell) -> u128 {
    let high = keys::stone(Stone::Of(color), cell);
    (high as u128) << 64 | keys::mix(high) as u128
}

/// Encodes the number of stones of a colour for `ProofBoard::counts`.
const fn stone_count(color: Color, stones: u8) -> u8 {
    match color {
        Color::Black => stones,
        Color::White => stones << 4,
    }
}

/// Returns the colour and number of the stones on a line, if they are three or four of one
/// colour only.
fn alive(count: u8) -> Option<(Color, usize)> {
    match count {
        3 | 4 => Some((Color::Black, count.into())),
        0x30 | 0x40 => Some((Color::White, usize::from(count >> 4))),
        _ => None,
    }
}

/// Keys of a set of stones in all images of the board.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Keys([u128; IMAGES]);

impl Keys {
    /// Returns the key of the stones as they stand, which differs from image to image.
    pub fn own(&self) -> u128 {
        self.0[0]
    }
}

/// Key of a position in tables, the same for all its images.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct CanonicalKey {
    /// Least key of all images.
    pub whole: u128,
    /// Image with the least key.
    image: usize,
}

impl CanonicalKey {
    /// Returns the part of the key that files store.
    pub fn key(&self) -> u64 {
        (self.whole >> (128 - KEY_BITS)) as u64
    }
}

/// Board of the tree checker.
#[derive(Clone, Debug)]
pub struct ProofBoard {
    referee: FiveReferee,
    layout: Arc<Layout>,
    /// Stones on each line of five: Black's in the low half, White's in the
    /// high half.
    counts: Vec<u8>,
    /// Lines with three and with four stones of one colour and no others, by colour.
    alive: [[SmallVec<[u16; 16]>; 2]; 2],
    keys: Keys,
    empty: CellSet,
}

impl ProofBoard {
    /// Creates an empty board.
    pub fn new(setup: Setup) -> ProofBoard {
        let layout = Arc::new(Layout::new(setup.width, setup.height));
        let counts = vec![0; layout.lines.len()];
        let empty = CellSet::board(setup.width, setup.height);
        let (keys, referee) = (Keys::default(), FiveReferee::new(setup));
        ProofBoard { referee, layout, counts, alive: Default::default(), keys, empty }
    }

    /// Returns rule and board size.
    pub fn setup(&self) -> Setup {
        self.referee.setup()
    }

    /// Returns the stones in the order they were placed.
    pub fn stones(&self) -> &[(Cell, Stone)] {
        self.referee.stones()
    }

    /// Returns the empty cells.
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// Returns the keys of the stones.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// Places a stone without judging it.
    ///
    /// # Errors
    /// The point is outside or occupied; nothing changes.
    pub fn place(&mut self, cell: Cell, color: Color) -> Result<(), IllegalMove> {
        self.referee.set_up(cell, Stone::Of(color))?;
        self.empty.remove(cell);
        self.keys = self.toggled(self.keys, cell, color);
        self.count(cell, |count| *count += stone_count(color, 1));
        Ok(())
    }

    /// Takes back the last stone.
    pub fn take_back(&mut self) {
        let Some((cell, Stone::Of(color))) = self.referee.take_back() else { return };
        self.empty.insert(cell);
        self.keys = self.toggled(self.keys, cell, color);
        self.count(cell, |count| *count -= stone_count(color, 1));
    }

    /// Updates the counts of the lines through a cell.
    fn count(&mut self, cell: Cell, change: impl Fn(&mut u8)) {
        for &line in &self.layout.through[cell.index()] {
            let count = &mut self.counts[line as usize];
            let before = *count;
            change(count);
            if let Some((color, stones)) = alive(before) {
                self.alive[color.index()][stones - 3].retain(|&mut other| other != line);
            }
            if let Some((color, stones)) = alive(*count) {
                self.alive[color.index()][stones - 3].push(line);
            }
        }
    }

    /// Returns the keys with a stone added, or removed if it is among the stones.
    pub fn toggled(&self, keys: Keys, cell: Cell, color: Color) -> Keys {
        let mut keys = keys;
        let stone = &self.layout.keys[color.index()][cell.index()];
        keys.0.iter_mut().zip(stone).for_each(|(key, stone)| *key ^= stone);
        keys
    }

    /// Returns all cells of the board: empty cells first, then by their promise for `color`,
    /// highest first. The promise sums over the lines of five through a cell with stones of
    /// one colour only.
    pub fn promising(&self, color: Color) -> Vec<Cell> {
        let promise = |cell: Cell| -> u32 {
            let counts = self.layout.through[cell.index()].iter().map(|&line| {
                let count = self.counts[line as usize];
                let sides = [count & 0xf, count >> 4];
                [color, !color].map(|side| usize::from(sides[side.index()]))
            });
            counts.fold(0, |sum, count| match count {
                [own, 0] => sum + OWN_PROMISE[own.min(4)],
                [0, others] => sum + OTHER_PROMISE[others.min(4)],
                _ => sum,
            })
        };
        let cells = CellSet::board(self.setup().width, self.setup().height);
        let mut cells: Vec<(bool, Reverse<u32>, Cell)> = cells
            .iter()
            .map(|cell| (!self.empty.contains(cell), Reverse(promise(cell)), cell))
            .collect();
        cells.sort_unstable();
        cells.into_iter().map(|(_, _, cell)| cell).collect()
    }

    /// Returns the canonical key of a position.
    pub fn canonical(&self, keys: &Keys) -> CanonicalKey {
        let images = keys.0.iter().copied().zip(0..).take(self.layout.images);
        let (whole, image) = images.min().unwrap_or((keys.0[0], 0));
        CanonicalKey { whole, image }
    }

    /// Maps a cell to the image of a canonical key.
    pub fn to_image(&self, canonical: &CanonicalKey, cell: Cell) -> Cell {
        self.layout.to_image[cell.index()][canonical.image]
    }

    /// Maps a cell back from the image of a canonical key.
    pub fn from_image(&self, canonical: &CanonicalKey, cell: Cell) -> Cell {
        self.layout.from_image[cell.index()][canonical.image]
    }

    /// Returns the cells where a stone of a colour wins at once.
    pub fn wins(&self, color: Color) -> SmallVec<[Cell; 4]> {
        let mut cells = SmallVec::new();
        for &line in &self.alive[color.index()][1] {
            let gap = self.empty_of(line).next();
            cells.extend(gap.filter(|cell| !cells.contains(cell)));
        }
        // Independent of the order in which the stones were placed.
        cells.sort_unstable();
        cells.retain(|&mut cell| self.wins_at(color, cell));
        cells
    }

    fn empty_of(&self, line: u16) -> impl Iterator<Item = Cell> {
        let cells = self.layout.lines[line as usize].into_iter();
        cells.filter(|&cell| self.empty.contains(cell))
    }

    /// Returns the cells where a stone of a colour makes a line of four. With `twice` only
    /// those that leave two or more cells where a line of five could be completed: no others
    /// leave two fives.
    pub fn fours(&self, color: Color, twice: bool) -> CellSet {
        let [threes, fours] = &self.alive[color.index()];
        let mut cells = CellSet::EMPTY;
        // A line of four that cannot win as it stands may become one that can.
        if !twice || !fours.is_empty() {
            threes.iter().flat_map(|&line| self.empty_of(line)).for_each(|cell| cells.insert(cell));
            return cells;
        }
        let mut firsts: SmallVec<[(Cell, Cell); 32]> = SmallVec::new();
        for &line in threes {
            let mut gaps = self.empty_of(line);
            let Some(gaps) = gaps.next().zip(gaps.next()) else { continue };
            for (cell, five) in [gaps, (gaps.1, gaps.0)] {
                match firsts.iter().find(|(other, _)| *other == cell) {
                    Some(&(_, first)) if first != five => cells.insert(cell),
                    Some(_) => {}
                    None => firsts.push((cell, five)),
                }
            }
        }
        cells
    }

    /// Whether a stone of a colour on an empty cell wins, by the text of the rule.
    fn wins_at(&self, color: Color, cell: Cell) -> bool {
        let stone = |at: Cell| self.referee.stone(at);
        DIRECTIONS.into_iter().any(|dir| {
            let [(before, start), (after, end)] = self.row(color, cell, dir);
            let blocked = [start, end].into_iter().all(|at| stone(at) == Some(Stone::Of(!color)));
            (self.setup().rule.card().wins)(color, before + 1 + after, blocked)
        })
    }

    /// Counts the stones of a colour that adjoin a cell in a direction, backward and forward.
    /// Returns each count with the first cell beyond.
    fn row(&self, color: Color, cell: Cell, dir: Direction) -> [(usize, Cell); 2] {
        [-1, 1].map(|sense| {
            let mut end = cell.step(dir, sense);
            let mut stones = 0;
            while self.referee.stone(end) == Some(Stone::Of(color)) {
                end = end.step(dir, sense);
                stones += 1;
            }
            (stones, end)
        })
    }

    /// Returns the cells where stones of the opponent decide whether a stone of a colour wins
    /// on `cell`: the cell itself and, unless a row wins whatever stands at its ends, the empty
    /// cells at the ends of its rows.
    pub fn around_win(&self, color: Color, cell: Cell) -> CellSet {
        let wins = self.setup().rule.card().wins;
        let mut around = CellSet::EMPTY;
        around.insert(cell);
        let mut beside = around;
        for dir in DIRECTIONS {
            let [(before, start), (after, end)] = self.row(color, cell, dir);
            let length = before + 1 + after;
            if wins(color, length, false) && wins(color, length, true) {
                return around;
            }
            let ends = [start, end].into_iter();
            ends.filter(|&end| self.empty.contains(end)).for_each(|end| beside.insert(end));
        }
        beside
    }

    /// Returns the empty cells of lines on which a colour has `least` to three stones and the
    /// opponent none.
    pub fn gaps(&self, color: Color, least: usize) -> CellSet {
        let wanted = stone_count(color, least as u8)..=stone_count(color, 3);
        let others = stone_count(!color, 7);
        let mut gaps = CellSet::EMPTY;
        let lines = self.layout.lines.iter().zip(&self.counts);
        for (line, _) in lines.filter(|&(_, count)| wanted.contains(count) && count & others == 0) {
            line.iter().for_each(|&cell| gaps.insert(cell));
        }
        gaps.intersection(&self.empty)
    }

    /// Returns the fouls of a stone of a colour on a cell, and the empty cells that the verdict
    /// depends on. The opponent's stones elsewhere do not change the verdict. The colour's own
    /// stones elsewhere do not undo a foul, but may cause one.
    pub fn fouls(&self, color: Color, cell: Cell) -> (Fouls, CellSet) {
        if self.may_foul(color, cell) {
            self.referee.fouls_seen(color, cell)
        } else {
            (Fouls::default(), CellSet::EMPTY)
        }
    }

    /// Whether a stone may be a foul of its colour, by the lines of five without stones of the
    /// opponent: an overline needs a line with four stones, a double four two lines with
    /// three, a three two neighbouring lines with two each (the straight four to come and a
    /// free end), a double three such lines in two directions.
    fn may_foul(&self, color: Color, cell: Cell) -> bool {
        if !self.setup().rule.card().fouls[color.index()].any() {
            return false;
        }
        let Layout { lines, through, directions, next, .. } = &*self.layout;
        // Bring the colour's count to the low half, where Black's is.
        let shift = 4 * color.index() as u32;
        let stones = |line: u16| self.counts[line as usize].rotate_right(shift);
        let (mut fours, mut three) = (0, None);
        through[cell.index()].iter().any(|&line| match stones(line) {
            4 => true,
            3 => {
                fours += 1;
                fours == 2
            }
            2 => {
                let dir = directions[line as usize];
                // The next line goes through this cell too.
                let inside = lines[line as usize][0] != cell;
                let beside = next[line as usize].is_some_and(|next| stones(next) == 2);
                inside && beside && *three.get_or_insert(dir) != dir
            }
            _ => false,
        })
    }
}

//! Proof board: stones, the lines of five that are still possible, and the keys of
//! the position in all its symmetric images. Wins follow the text of the rule,
//! fouls are judged by the referee unless the lines rule them out.

use std::cmp::Reverse;
use std::sync::Arc;

use fxhash::FxHashMap;
use smallvec::SmallVec;

use goren_core::rules::referee::{FiveReferee, IllegalMove};
use goren_core::rules::{Fouls, Setup};
use goren_core::types::{
    Cell, CellSet, Color, DIRECTIONS, Direction, FRAME, Stone, Symmetry, keys,
};

/// Stones in a row that win.
const FIVE: usize = 5;
/// Weight of a line of five for its cells, by its stones of one colour.
const OWN_PROMISE: [u32; FIVE] = [0, 1, 12, 100, 2_000];
const OTHER_PROMISE: [u32; FIVE] = [0, 1, 6, 50, 1_000];
/// Images of a square board.
const IMAGES: usize = 8;
/// Bits of a key that are kept in files.
const KEY_BITS: u32 = 56;

/// Tables of the geometry of a board, computed once.
#[derive(Debug)]
struct Layout {
    /// All lines of five cells.
    lines: Vec<[Cell; FIVE]>,
    /// The directions of the lines, by their numbers.
    directions: Vec<Direction>,
    /// The line one step further in the same direction, by the number.
    next: Vec<Option<u16>>,
    /// The lines through a cell, by its index.
    through: Vec<SmallVec<[u16; 20]>>,
    /// Key of a stone in each image: by colour, by cell.
    keys: [Vec<[u128; IMAGES]>; 2],
    /// Where a cell goes in each image, and where it comes from.
    there: Vec<[Cell; IMAGES]>,
    back: Vec<[Cell; IMAGES]>,
    /// How many images the board has.
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
        // What is not on the board stays outside.
        let mut there = vec![[Cell::from_index(FRAME - 1); IMAGES]; FRAME];
        let mut back = there.clone();
        for cell in cells.iter() {
            for (i, symmetry) in symmetries.iter().enumerate() {
                let image = symmetry.apply(cell);
                there[cell.index()][i] = image;
                back[image.index()][i] = cell;
                for color in Color::ALL {
                    keys[color.index()][cell.index()][i] = stone_key(color, image);
                }
            }
        }
        Layout { lines, directions, next, through, keys, there, back, images: symmetries.len() }
    }
}

/// Key of a stone: 128 bits, so that no two positions share theirs by chance.
fn stone_key(color: Color, cell: Cell) -> u128 {
    let high = keys::stone(Stone::Of(color), cell);
    (high as u128) << 64 | keys::mix(high) as u128
}

/// A number of `stones` of a colour on a line, as they are counted.
const fn stone_count(color: Color, stones: u8) -> u8 {
    match color {
        Color::Black => stones,
        Color::White => stones << 4,
    }
}

/// Whose line it is if there are three or four stones of one colour on it and no
/// others, and how many.
fn alive(count: u8) -> Option<(Color, usize)> {
    match count {
        3 | 4 => Some((Color::Black, count.into())),
        0x30 | 0x40 => Some((Color::White, usize::from(count >> 4))),
        _ => None,
    }
}

/// The keys of some stones in all images of the board.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Keys([u128; IMAGES]);

impl Keys {
    /// The key of the stones as they stand, another for each image.
    pub fn own(&self) -> u128 {
        self.0[0]
    }
}

/// A place in a table of positions: the same for all images.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct CanonicalKey {
    /// The least key of all images.
    pub whole: u128,
    /// The image that has it.
    image: usize,
}

impl CanonicalKey {
    /// What files know it by.
    pub fn key(&self) -> u64 {
        (self.whole >> (128 - KEY_BITS)) as u64
    }
}

/// A position of stones.
#[derive(Clone, Debug)]
pub struct ProofBoard {
    referee: FiveReferee,
    layout: Arc<Layout>,
    /// Stones on each line of five: Black's in the low half, White's in the
    /// high half.
    counts: Vec<u8>,
    /// The lines that have three stones of Black, or of White, and no other;
    /// and those that have four.
    alive: [[SmallVec<[u16; 16]>; 2]; 2],
    keys: Keys,
    empty: CellSet,
}

impl ProofBoard {
    /// An empty board.
    pub fn new(setup: Setup) -> ProofBoard {
        let layout = Arc::new(Layout::new(setup.width, setup.height));
        let counts = vec![0; layout.lines.len()];
        let empty = CellSet::board(setup.width, setup.height);
        let (keys, referee) = (Keys::default(), FiveReferee::new(setup));
        ProofBoard { referee, layout, counts, alive: Default::default(), keys, empty }
    }

    /// The variant and the size.
    pub fn setup(&self) -> Setup {
        self.referee.setup()
    }

    /// The stones in the order they were placed.
    pub fn stones(&self) -> &[(Cell, Stone)] {
        self.referee.stones()
    }

    /// The empty cells.
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// The keys of the stones.
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

    /// Takes the newest stone off.
    pub fn take_back(&mut self) {
        let Some((cell, Stone::Of(color))) = self.referee.take_back() else { return };
        self.empty.insert(cell);
        self.keys = self.toggled(self.keys, cell, color);
        self.count(cell, |count| *count -= stone_count(color, 1));
    }

    /// Changes the counts of the lines through a cell.
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

    /// Keys with a stone more, or with one less if it is among them.
    pub fn toggled(&self, keys: Keys, cell: Cell, color: Color) -> Keys {
        let mut keys = keys;
        let stone = &self.layout.keys[color.index()][cell.index()];
        keys.0.iter_mut().zip(stone).for_each(|(key, stone)| *key ^= stone);
        keys
    }

    /// All cells of the board, the empty ones first, and of these those first
    /// where a colour's next stone does the most: by the stones on the lines of
    /// five through them that are of one colour alone.
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

    /// Where a position is to be looked up.
    pub fn canonical(&self, keys: &Keys) -> CanonicalKey {
        let images = keys.0.iter().copied().zip(0..).take(self.layout.images);
        let (whole, image) = images.min().unwrap_or((keys.0[0], 0));
        CanonicalKey { whole, image }
    }

    /// A cell as it is called in the image of a canonical key.
    pub fn to_image(&self, canonical: &CanonicalKey, cell: Cell) -> Cell {
        self.layout.there[cell.index()][canonical.image]
    }

    /// The cell that is called so in the image of a canonical key.
    pub fn from_image(&self, canonical: &CanonicalKey, cell: Cell) -> Cell {
        self.layout.back[cell.index()][canonical.image]
    }

    /// Where a stone of a colour wins at once.
    pub fn wins(&self, color: Color) -> SmallVec<[Cell; 4]> {
        let mut cells = SmallVec::new();
        for &line in &self.alive[color.index()][1] {
            let gap = self.empty_of(line).next();
            cells.extend(gap.filter(|cell| !cells.contains(cell)));
        }
        // The same whatever order the stones came in.
        cells.sort_unstable();
        cells.retain(|&mut cell| self.wins_at(color, cell));
        cells
    }

    fn empty_of(&self, line: u16) -> impl Iterator<Item = Cell> {
        let cells = self.layout.lines[line as usize].into_iter();
        cells.filter(|&cell| self.empty.contains(cell))
    }

    /// Where a stone of a colour makes a line of four. With `twice` only those
    /// after which there are two cells or more where a line of five could be
    /// filled: no others leave two fives.
    pub fn fours(&self, color: Color, twice: bool) -> CellSet {
        let [threes, fours] = &self.alive[color.index()];
        let mut cells = CellSet::EMPTY;
        // A line of four that is no win, as it stands, may become one.
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

    /// Whether a stone of a colour on an empty cell wins, by the words of the
    /// rule.
    fn wins_at(&self, color: Color, cell: Cell) -> bool {
        let stone = |at: Cell| self.referee.stone(at);
        DIRECTIONS.into_iter().any(|dir| {
            let [(before, start), (after, end)] = self.row(color, cell, dir);
            let blocked = [start, end].into_iter().all(|at| stone(at) == Some(Stone::Of(!color)));
            (self.setup().rule.card().wins)(color, before + 1 + after, blocked)
        })
    }

    /// How many stones of a colour follow a cell in a direction, backwards and
    /// onwards, and the first cell behind them.
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

    /// The cells where stones of the opponent decide whether a stone of a colour
    /// wins on `cell`: the cell itself, and the empty ones next to its rows if
    /// what lies there matters to each of them.
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

    /// The empty cells of lines without stones of the opponent on which a colour
    /// has from `least` to three stones.
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

    /// The fouls of a colour with a stone on a cell, and the empty cells that this
    /// hangs on. The opponent's stones elsewhere change nothing, nor do its own where
    /// it is a foul; where it is none, they could only make it one.
    pub fn fouls(&self, color: Color, cell: Cell) -> (Fouls, CellSet) {
        if self.may_foul(color, cell) {
            self.referee.fouls_seen(color, cell)
        } else {
            (Fouls::default(), CellSet::EMPTY)
        }
    }

    /// Whether a stone could be a foul of its colour, by the lines of five without the
    /// opponent: an overline takes one with four stones, a double four two with
    /// three, a three two lines side by side with two each (the straight four
    /// to come and a free end), a double three such in two directions.
    fn may_foul(&self, color: Color, cell: Cell) -> bool {
        if !self.setup().rule.card().fouls[color.index()].any() {
            return false;
        }
        let Layout { lines, through, directions, next, .. } = &*self.layout;
        // Black's stones are counted in the low half.
        let turn = 4 * color.index() as u32;
        let stones = |line: u16| self.counts[line as usize].rotate_right(turn);
        let (mut fours, mut three) = (0, None);
        through[cell.index()].iter().any(|&line| match stones(line) {
            4 => true,
            3 => {
                fours += 1;
                fours == 2
            }
            2 => {
                let dir = directions[line as usize];
                // The next line is one of this cell's as well.
                let inside = lines[line as usize][0] != cell;
                let beside = next[line as usize].is_some_and(|next| stones(next) == 2);
                inside && beside && *three.get_or_insert(dir) != dir
            }
            _ => false,
        })
    }
}

//! Fields of the board and read access to them.

use std::marker::PhantomData;

use super::cells::{CellInfo, Change, Classes, RankChange, lines_of};
use super::line::Lines;
use super::near;
use crate::pattern::{Class, Tables};
use goren_core::rules::{Rule, Setup};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, Direction, FRAME, Stone, keys};

/// Undo information for one stone or wall.
#[derive(Clone)]
pub(super) struct Past {
    pub(super) cell: Cell,
    pub(super) stone: Stone,
    /// Length of the journal of changes before it.
    pub(super) journal: u32,
    /// Length of the journal of rank changes before it.
    pub(super) rank_changes: u32,
    /// Words of `Board::near` around the cell before it.
    pub(super) near: [u64; near::WORDS],
}

/// A board under the rule `R`. It has no side to move.
#[derive(Clone)]
pub struct Board<R: Rule> {
    pub(super) setup: Setup,
    pub(super) tables: &'static Tables,
    pub(super) lines: Lines,
    pub(super) cells: Box<[CellInfo; FRAME]>,
    pub(super) classes: Classes,
    pub(super) empty: CellSet,
    pub(super) near: CellSet,
    pub(super) key: u64,
    /// Changes of cells by all stones placed; entries from `journal_len` on are unused
    /// capacity.
    pub(super) journal: Vec<Change>,
    pub(super) journal_len: usize,
    /// Changes of rank in the census; entries from `rank_changes_len` on are unused
    /// capacity.
    pub(super) rank_changes: Vec<RankChange>,
    pub(super) rank_changes_len: usize,
    pub(super) past: Vec<Past>,
    rule: PhantomData<R>,
}

impl<R: Rule> Board<R> {
    /// Creates an empty board.
    ///
    /// # Panics
    /// In debug builds, if the setup has a rule that uses another rule sheet.
    pub fn new(setup: Setup) -> Board<R> {
        debug_assert_eq!(setup.rule.implemented_as(), R::ID);
        let tables = Tables::of::<R>();
        let empty = CellSet::board(setup.width, setup.height);
        let mut board = Board {
            setup,
            tables,
            lines: Lines::new(&empty),
            cells: Box::new([CellInfo::WALL; FRAME]),
            classes: Classes::new(),
            empty,
            near: CellSet::EMPTY,
            key: 0,
            journal: Vec::new(),
            journal_len: 0,
            rank_changes: Vec::new(),
            rank_changes_len: 0,
            past: Vec::with_capacity(FRAME),
            rule: PhantomData,
        };
        for cell in empty.iter() {
            let lines = board.lines_at(&board.lines, cell);
            let info = CellInfo { lines, marks: tables.marks::<R>(lines) };
            board.cells[cell.index()] = info;
            board.classes.add(cell, info.marks);
        }
        board
    }

    /// Returns the rule and the size.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// Whether a cell of the board is empty.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.empty.contains(cell)
    }

    /// Returns the empty cells near stones: within two steps, or three along a line. No cells
    /// on an empty board.
    #[inline]
    pub fn near(&self) -> CellSet {
        self.near.intersection(&self.empty)
    }

    /// Returns the hash key of the stones and walls, without the side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the key after one more stone.
    #[inline]
    pub fn key_after(&self, cell: Cell, color: Color) -> u64 {
        self.key ^ keys::stone(Stone::Of(color), cell)
    }

    /// Returns the stones and walls in the order in which they were placed.
    pub fn stones(&self) -> impl DoubleEndedIterator<Item = (Cell, Stone)> + '_ {
        self.past.iter().map(|p| (p.cell, p.stone))
    }

    /// Returns the stone or wall number `n`, from 0; `None` from [`Board::placed`] on.
    #[inline]
    pub fn stone(&self, n: usize) -> Option<(Cell, Stone)> {
        self.past.get(n).map(|p| (p.cell, p.stone))
    }

    /// Returns the number of stones and walls placed.
    #[inline]
    pub fn placed(&self) -> usize {
        self.past.len()
    }

    /// Returns the cells changed by stone or wall number `n`, from 0; empty from
    /// [`Board::placed`] on.
    #[inline]
    pub fn changes(&self, n: usize) -> &[Change] {
        let start = |n: usize| self.past.get(n).map_or(self.journal_len, |p| p.journal as usize);
        &self.journal[start(n)..start(n + 1)]
    }

    /// Returns the last stone or wall, if there is one.
    #[inline]
    pub fn last(&self) -> Option<(Cell, Stone)> {
        self.past.last().map(|p| (p.cell, p.stone))
    }

    /// Returns the record of a cell.
    #[inline]
    pub fn cell(&self, cell: Cell) -> &CellInfo {
        &self.cells[cell.index()]
    }

    /// Returns the class of a stone of a colour on an empty cell; [`Class::None`] on other cells.
    #[inline]
    pub fn class(&self, color: Color, cell: Cell) -> Class {
        self.tables.class(color, self.cells[cell.index()].code(color))
    }

    /// Returns the number of empty cells where a stone of a colour would have a class, at least
    /// [`Class::Three`].
    #[inline]
    pub fn count(&self, color: Color, class: Class) -> u16 {
        self.classes.count(color, class)
    }

    /// Returns the empty cells where a stone of a colour would have a class, at least
    /// [`Class::Three`].
    #[inline]
    pub fn cells_of(&self, color: Color, class: Class) -> &CellSet {
        self.classes.cells(color, class)
    }

    /// Whether a stone of a colour on a cell makes a five.
    #[inline]
    pub fn wins(&self, color: Color, cell: Cell) -> bool {
        self.class(color, cell) == Class::Five
    }

    /// Computes the line classes of a cell in one direction for both colours from the line
    /// words.
    #[inline]
    pub(super) fn line_at(&self, lines: &Lines, dir: Direction, cell: Cell) -> u8 {
        let (back, front) = lines.halves(R::HALF, dir, cell);
        self.tables.window(back, front)
    }

    /// Returns the line words.
    #[inline]
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Returns the tables of the rule.
    #[inline]
    pub(crate) fn tables(&self) -> &'static Tables {
        self.tables
    }

    /// Returns the number of the window around a cell in one direction; see
    /// [`Tables::window_number`].
    #[inline]
    pub fn window_number(&self, dir: Direction, cell: Cell) -> u16 {
        let (back, front) = self.lines.halves(R::HALF, dir, cell);
        self.tables.window_number(back, front)
    }

    /// Computes the line classes of a cell in all directions from the line words.
    #[inline]
    pub(super) fn lines_at(&self, lines: &Lines, cell: Cell) -> u32 {
        lines_of(DIRECTIONS.map(|dir| self.line_at(lines, dir, cell)))
    }
}

//! Lookup tables of a rule, built from its sheet: the line class of every window, the
//! code of every multiset of four line classes, and the class of a stone with that
//! code. Built once per rule; independent of any board.

mod code;
mod line;
mod rows;

use std::sync::{Mutex, PoisonError};

use goren_core::rules::{Ends, Excuse, Fouls, Overline, Rule};

pub(crate) use code::TABLE_SIZE;
pub use code::{
    CODES, Class, Code, Marks, RANKS, STONE, class_of, code_lines, code_number, rank_of,
};
pub use line::LineClass;
pub use rows::WindowRows;

/// The lookup tables of a rule.
pub struct Tables {
    /// Line classes and numbers of all windows.
    windows: line::Windows,
    /// Marks by the four line classes of a cell, for Black and White.
    marks: [&'static code::MarkTable; 2],
    /// Class of each code, for Black and White.
    class: [Box<[Class; code::TABLE_SIZE]>; 2],
}

/// The mark tables of Black and White. A loop that writes to memory keeps these pointers in
/// registers, but would reload them from [`Tables`] each time.
#[derive(Copy, Clone)]
pub(crate) struct MarkTables([&'static code::MarkTable; 2]);

impl MarkTables {
    /// See [`Tables::marks`].
    #[inline(always)]
    pub(crate) fn marks(self, lines: u32) -> Marks {
        let [black, white] = self.0;
        Marks::new(black[(lines & 0xffff) as usize], white[(lines >> 16) as usize])
    }
}

/// The constants of a rule sheet that determine its tables.
type Shape = (usize, usize, [Overline; 2], Ends, [Fouls; 2], Excuse);

/// All tables built so far; never freed.
static TABLES: Mutex<Vec<(Shape, &'static Tables)>> = Mutex::new(Vec::new());

impl Tables {
    /// Returns the tables of a rule, built at the first call. Rules with equal constants
    /// share them.
    pub fn of<R: Rule>() -> &'static Tables {
        let shape = (R::WIN_LEN, R::HALF, R::OVERLINE, R::ENDS, R::FOULS, R::EXCUSE);
        // A poisoned lock is safe to use: entries are pushed only when complete.
        let mut built = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&(_, tables)) = built.iter().find(|(other, _)| *other == shape) {
            return tables;
        }
        let marks = R::FOULS.map(|fouls| code::mark_table(fouls, R::EXCUSE));
        let class = R::FOULS.map(|fouls| code::class_table(fouls, R::EXCUSE));
        let tables = Tables { windows: line::Windows::new::<R>(), marks, class };
        let tables: &'static Tables = Box::leak(Box::new(tables));
        built.push((shape, tables));
        tables
    }

    /// Returns the line classes of a window for both colours: Black's in the low four bits,
    /// White's in the high four.
    ///
    /// `back` and `front` are the keys of the `HALF` cells before and after the centre:
    /// two bits a cell, in the order of the line, the first cell lowest. Bit 0 of a
    /// cell is set if Black may still use it, bit 1 if White may (wall 00, black stone
    /// 01, white stone 10, empty 11).
    #[inline]
    pub fn window(&self, back: usize, front: usize) -> u8 {
        self.windows.class(back, front)
    }

    /// Returns the number of a window; parameters as for [`Tables::window`]. Lossless, unlike
    /// a line class: two windows share a number only if they look the same to both colours.
    #[inline]
    pub fn window_number(&self, back: usize, front: usize) -> u16 {
        self.windows.number(back, front)
    }

    /// Returns the row of each window number in the embeddings of windows.
    pub fn window_rows<R: Rule>(&self) -> WindowRows {
        WindowRows::new(&self.windows, R::HALF)
    }

    /// Returns the marks of a cell from its line classes: Black's in the low half word,
    /// White's in the high one, four bits per direction.
    #[inline]
    pub fn marks<R: Rule>(&self, lines: u32) -> Marks {
        self.mark_tables::<R>().marks(lines)
    }

    /// Returns the tables of [`Tables::marks`], for a loop.
    #[inline]
    pub(crate) fn mark_tables<R: Rule>(&self) -> MarkTables {
        // Without fouls both colours have the same table: index it once, so that only
        // one pointer is loaded.
        MarkTables([self.marks[!R::HAS_FOULS as usize], self.marks[1]])
    }

    /// Returns the class of a stone of `color` on a cell with this code; [`Class::None`] for
    /// [`STONE`].
    #[inline]
    pub fn class(&self, color: goren_core::types::Color, code: Code) -> Class {
        self.class[color.index()][code as usize % code::TABLE_SIZE]
    }
}

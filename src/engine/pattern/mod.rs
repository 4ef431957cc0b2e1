//! From a sheet to tables: the class of every window, the code of every set of
//! four line classes, and what a stone with that code is. Built once per
//! variant; knows no board.

mod code;
mod line;
mod rows;

use std::sync::{Mutex, PoisonError};

use goren_core::rules::{Ends, Fouls, Overline, Rule};

pub use code::{
    CODES, Class, Code, Marks, RANKS, STONE, class_of, code_lines, code_number, rank_of,
};
pub use line::LineClass;
pub use rows::WindowRows;

/// The tables of a variant.
pub struct Tables {
    /// Both colours' line class of every window.
    windows: line::Windows,
    /// What a cell is from its line classes, for Black and White.
    marks: [&'static code::MarkTable; 2],
    /// Class of each code, for Black and White.
    class: [Box<[Class; code::TABLE]>; 2],
}

/// All of a sheet that its tables depend on.
type Shape = (usize, usize, [Overline; 2], Ends, [Fouls; 2]);

/// The tables made so far; few enough to be looked through.
static TABLES: Mutex<Vec<(Shape, &'static Tables)>> = Mutex::new(Vec::new());

impl Tables {
    /// The tables of a sheet, built at the first call.
    pub fn of<R: Rule>() -> &'static Tables {
        let shape = (R::WIN_LEN, R::HALF, R::OVERLINE, R::ENDS, R::FOULS);
        // What was pushed by then is whole, whoever panicked.
        let mut made = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&(_, tables)) = made.iter().find(|(other, _)| *other == shape) {
            return tables;
        }
        let marks = R::FOULS.map(code::mark_table);
        let class = R::FOULS.map(code::class_table);
        let tables = Tables { windows: line::Windows::new::<R>(), marks, class };
        let tables: &'static Tables = Box::leak(Box::new(tables));
        made.push((shape, tables));
        tables
    }

    /// Both colours' line class of a window: Black's in the low four bits,
    /// White's in the high four.
    ///
    /// The window is given by the keys of the `HALF` cells before and after
    /// its centre, two bits a cell in the order of the line: bit 0 is set if
    /// Black may still use the cell, bit 1 for White (wall 00, stones 01 and
    /// 10, empty 11).
    #[inline]
    pub fn window(&self, back: usize, front: usize) -> u8 {
        self.windows.class(back, front)
    }

    /// Number of a window given as for [`Tables::window`]. Unlike its class it
    /// tells apart all windows that differ for one of the colours.
    #[inline]
    pub fn window_number(&self, back: usize, front: usize) -> u16 {
        self.windows.number(back, front)
    }

    /// Which numbers stand for the same window, seen by one of the colours.
    pub fn window_rows<R: Rule>(&self) -> WindowRows {
        WindowRows::new(&self.windows, R::HALF)
    }

    /// Marks of the line classes of a cell: Black's in the
    /// low half, White's in the high half, four bits a direction.
    #[inline]
    pub fn marks<R: Rule>(&self, lines: u32) -> Marks {
        // Where no colour has fouls it is one table, and one register.
        let fouls = R::FOULS[0].any() || R::FOULS[1].any();
        let black = self.marks[!fouls as usize];
        Marks::new(black[(lines & 0xffff) as usize], self.marks[1][(lines >> 16) as usize])
    }

    /// What a stone of a colour with this code is.
    #[inline]
    pub fn class(&self, color: goren_core::types::Color, code: Code) -> Class {
        self.class[color.index()][code as usize % code::TABLE]
    }
}

//! From a sheet to tables: the class of every window, the code of every set of
//! four line classes, and what a stone with that code is. Built once per
//! variant; knows no board.

mod code;
mod line;

use std::sync::OnceLock;

use crate::rules::{Rule, RuleId};

pub use code::{
    CODES, Class, Code, Marks, RANKS, STONE, class_of, code_lines, code_number, rank_of,
};
pub use line::Line;

/// The tables of a variant.
pub struct Tables {
    /// Both colours' line class of every window.
    windows: line::Windows,
    /// What a cell is from its line classes, for Black and White.
    marks: [&'static code::MarkTable; 2],
    /// Class of each code, for Black and White.
    class: [Box<[Class; code::TABLE]>; 2],
}

static TABLES: [OnceLock<Tables>; RuleId::ALL.len()] = [const { OnceLock::new() }; 5];

impl Tables {
    /// The tables of a sheet, built at the first call.
    pub fn of<R: Rule>() -> &'static Tables {
        TABLES[R::ID as usize].get_or_init(|| {
            let marks = [code::mark_table(R::BLACK_FOULS), code::mark_table(false)];
            let class = [code::class_table(R::BLACK_FOULS), code::class_table(false)];
            Tables { windows: line::Windows::new::<R>(), marks, class }
        })
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

    /// Marks of the line classes of a cell: Black's in the
    /// low half, White's in the high half, four bits a direction.
    #[inline]
    pub fn marks<R: Rule>(&self, lines: u32) -> Marks {
        // Where no colour has fouls it is one table, and one register.
        let black = self.marks[!R::BLACK_FOULS as usize];
        Marks::new(black[(lines & 0xffff) as usize], self.marks[1][(lines >> 16) as usize])
    }

    /// What a stone of a colour with this code is.
    #[inline]
    pub fn class(&self, color: crate::types::Color, code: Code) -> Class {
        self.class[color.index()][code as usize % code::TABLE]
    }
}

//! Questions about lines that solvers ask: where a four is completed, which
//! stones spoil a threat. Answers come from line words with a stone flipped.

use super::Board;
use super::cells::line_of;
use crate::pattern::{Class, Line};
use crate::rules::{Ends, Rule};
use crate::types::{Cell, CellSet, Color, DIRECTIONS, Direction};

impl<R: Rule> Board<R> {
    /// The empty cells of the window around a cell along a line.
    pub fn window(&self, cell: Cell, dir: Direction) -> CellSet {
        let mut set = CellSet::EMPTY;
        let half = R::HALF as i32;
        for step in -half..=half {
            let at = cell.step(dir, step);
            if step != 0 && self.empty.contains(at) {
                set.insert(at);
            }
        }
        set
    }

    /// Where `color` makes a five along `dir` once it has a stone at `cell`,
    /// the first such point along the line.
    pub fn five_after(&self, color: Color, cell: Cell, dir: Direction) -> Option<Cell> {
        let mut lines = self.lines.clone();
        lines.flip_stone(cell, color);
        self.window(cell, dir)
            .iter()
            .find(|&at| line_of(self.line_at(&lines, dir, at), color) == Line::F5)
    }

    /// The cells where an enemy stone leaves `color` at `cell` with a class
    /// that is `harmless`, `cell` itself among them.
    pub fn spoilers(&self, color: Color, cell: Cell, harmless: impl Fn(Class) -> bool) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.insert(cell);
        let mut lines = self.lines.clone();
        let info = self.cell(cell);
        for dir in DIRECTIONS {
            if info.line(dir, color) < Line::B3 {
                continue;
            }
            for at in self.window(cell, dir).iter() {
                lines.flip_stone(at, !color);
                let byte = self.line_at(&lines, dir, cell);
                lines.flip_stone(at, !color);
                let marks = self.tables.marks::<R>(info.with_line(dir as usize, byte));
                let class = self.tables.class(color, marks.codes()[color.index()]);
                if class == Class::Foul || harmless(class) {
                    set.insert(at);
                }
            }
        }
        set
    }

    /// Whether some point on the three at `cell` along `dir` looks like a foul
    /// of Black's, so that stones elsewhere could make it one.
    pub fn suspects_around(&self, cell: Cell, dir: Direction) -> bool {
        let mut lines = self.lines.clone();
        lines.flip_stone(cell, Color::Black);
        self.window(cell, dir).iter().any(|at| {
            let marks = self.tables.marks::<R>(self.lines_at(&lines, at));
            self.tables.class(Color::Black, marks.codes()[0]) == Class::Foul
        })
    }

    /// The empty cells where a stone of `defender` stops the five that the
    /// attacker could make at `five` next: the cell itself and, where the rule
    /// looks at the ends of a five, its ends.
    pub fn five_answers(&self, attacker: Color, five: Cell) -> CellSet {
        debug_assert_eq!(self.class(attacker, five), Class::Five);
        let mut answers = CellSet::EMPTY;
        answers.insert(five);
        if R::ENDS == Ends::Any {
            return answers;
        }
        let is_five = |dir: &Direction| self.cell(five).line(*dir, attacker) == Line::F5;
        for dir in DIRECTIONS.into_iter().filter(is_five) {
            for sign in [1, -1] {
                let mut at = five.step(dir, sign);
                while self.lines.at(at) == 0b01 << attacker.index() {
                    at = at.step(dir, sign);
                }
                if self.lines.at(at) == 0b11 {
                    answers.insert(at);
                }
            }
        }
        answers
    }
}

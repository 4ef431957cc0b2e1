//! Line queries of the solvers: which cells complete a four, which cells stop a threat.
//! They read line words with stones flipped on a copy, without making a move.

use arrayvec::ArrayVec;

use super::cells::line_of;
use super::line::{halves, stone_bits};
use super::state::Board;
use crate::pattern::{Class, LineClass};
use goren_core::rules::{Ends, Rule};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, Direction};

/// Rotates a line word so that the cell `steps` from the lowest becomes the lowest.
#[inline]
fn turn(word: u64, steps: i32) -> u64 {
    word.rotate_right(2 * steps.rem_euclid(32) as u32)
}

impl<R: Rule> Board<R> {
    /// Returns the empty cells of the window around a cell along a line.
    pub fn window(&self, cell: Cell, dir: Direction) -> CellSet {
        self.around(cell, dir).map(|(at, _)| at).collect()
    }

    /// Returns the empty cells of the window around a cell along a line, in ascending order
    /// of their indices, with the number of steps to each (negative backwards).
    fn around(&self, cell: Cell, dir: Direction) -> impl Iterator<Item = (Cell, i32)> {
        let half = R::HALF as i32;
        let sign = dir.delta().signum();
        (-half..=half).filter(|&step| step != 0).filter_map(move |step| {
            let at = cell.step(dir, sign * step);
            self.empty.contains(at).then_some((at, sign * step))
        })
    }

    /// Returns the empty cells where `color` would make a five on the line `word`, rotated to
    /// `cell`, with the number of steps to each.
    fn fives_in(
        &self,
        word: u64,
        color: Color,
        cell: Cell,
        dir: Direction,
    ) -> impl Iterator<Item = (Cell, i32)> {
        self.around(cell, dir).filter(move |&(_, step)| {
            line_of(self.line_in(turn(word, step)), color) == LineClass::Five
        })
    }

    /// Returns the cells where an opponent's stone stops the four that `color` makes along `dir`
    /// with a stone at `cell`: the cell that completes the five and, in Caro, the ends of that
    /// five. Empty if the stone makes no four. `color` must not have had a five on this line
    /// before.
    pub fn four_answers(&self, color: Color, cell: Cell, dir: Direction) -> ArrayVec<Cell, 3> {
        let word = self.lines.turned_to(dir, cell) ^ stone_bits(color);
        let mut answers = ArrayVec::new();
        let Some((five, step)) = self.fives_in(word, color, cell, dir).next() else {
            return answers;
        };
        if R::ENDS == Ends::Any {
            answers.push(five);
            return answers;
        }
        // A stone that stops every five also stops the first one found, so only three cells
        // can: the cell that completes that five, and its two ends.
        let own = 0b01 << color.index();
        let end = |sign: i32| {
            let mut end = step + sign;
            while turn(word, end) & 3 == own {
                end += sign;
            }
            end
        };
        for reply in [step, end(-1), end(1)] {
            let at = cell.step(dir, reply);
            let after = word ^ turn(stone_bits(!color), -reply);
            let empty = turn(word, reply) & 3 == 0b11;
            if empty && self.fives_in(after, color, cell, dir).all(|(five, _)| five == at) {
                answers.push(at);
            }
        }
        answers
    }

    /// Returns the cells where an opponent's stone lowers the class of `color` at `cell` to a
    /// `harmless` class or to a suspected foul, and `cell` itself.
    pub fn spoilers(&self, color: Color, cell: Cell, harmless: impl Fn(Class) -> bool) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.insert(cell);
        let info = self.cell(cell);
        for dir in DIRECTIONS {
            if info.line(dir, color) < LineClass::ClosedThree {
                continue;
            }
            let word = self.lines.turned_to(dir, cell);
            for (at, step) in self.around(cell, dir) {
                let byte = self.line_in(word ^ turn(stone_bits(!color), -step));
                let marks = self.tables.marks::<R>(info.with_line(dir as usize, byte));
                let class = self.tables.class(color, marks.code(color));
                if class == Class::FoulSuspect || harmless(class) {
                    set.insert(at);
                }
            }
        }
        set
    }

    /// Whether, with a stone of a colour at `cell`, some empty cell of its window along
    /// `dir` is a suspected foul of that colour. Stones off the line decide whether it is a
    /// real foul.
    pub fn suspects_around(&self, color: Color, cell: Cell, dir: Direction) -> bool {
        let word = self.lines.turned_to(dir, cell) ^ stone_bits(color);
        self.around(cell, dir).any(|(at, step)| {
            let byte = self.line_in(turn(word, step));
            let marks = self.tables.marks::<R>(self.cell(at).with_line(dir as usize, byte));
            self.tables.class(color, marks.code(color)) == Class::FoulSuspect
        })
    }

    /// Returns the line classes of the lowest cell of a rotated line word, for both colours.
    #[inline]
    fn line_in(&self, word: u64) -> u8 {
        let (back, front) = halves(R::HALF, word);
        self.tables.window(back, front)
    }

    /// Returns the empty cells where the defender stops a five that the attacker can make at `five`
    /// next: that cell and, in Caro, the ends of the five.
    pub fn five_answers(&self, attacker: Color, five: Cell) -> CellSet {
        debug_assert_eq!(self.class(attacker, five), Class::Five);
        let mut answers = CellSet::EMPTY;
        answers.insert(five);
        if R::ENDS == Ends::Any {
            return answers;
        }
        let is_five = |dir: &Direction| self.cell(five).line(*dir, attacker) == LineClass::Five;
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

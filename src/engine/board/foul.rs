//! Forbidden points of a colour, exact at any depth of recursion.
//!
//! The class `FoulSuspect` from the tables means that a stone may be a foul. This module
//! decides whether it is, by placing stones on a copy of the line words. Definitions: Renju
//! International Federation rules, 9.2-9.3. A three counts only if its straight four can be
//! made at a point that makes no five and, with the first stone on the board, is no foul
//! itself. Under some editions of the renju rules a double three is excused if the stone
//! also makes a four, or if it answers a four ([`Excuse`]).
//!
//! The exact test (`Board::is_forbidden`) is expensive, so it runs only for moves about
//! to be used: moves that the search has picked or a solver tries, and the only answer
//! to a four.

use std::marker::PhantomData;

use super::cells::line_of;
use super::line::Lines;
use super::state::Board;
use crate::pattern::{Class, LineClass, Tables};
use goren_core::rules::{Excuse, Fouls, Rule};
use goren_core::types::{Cell, Color, DIRECTIONS, Direction};

impl<R: Rule> Board<R> {
    /// Whether an empty cell is a forbidden point of a colour; false where the colour
    /// has no fouls.
    #[inline]
    pub fn is_forbidden(&self, color: Color, cell: Cell) -> bool {
        R::has_fouls(color)
            && self.class(color, cell) == Class::FoulSuspect
            && self.fouls(color, cell).any()
    }

    /// Returns the fouls that a stone of a colour on an empty cell would commit.
    pub fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        if !R::has_fouls(color) || self.class(color, cell) != Class::FoulSuspect {
            return Fouls::default();
        }
        self.foul_checker(color).fouls(cell)
    }

    /// Whether the stone of a colour at `cell` has a real three along `dir`, i.e. one that can
    /// become a straight four, with the stones `placed` (colour and cell) on the board. The
    /// stone at `cell` is one of these.
    pub fn real_three(
        &self,
        color: Color,
        cell: Cell,
        dir: Direction,
        placed: &[(Color, Cell)],
    ) -> bool {
        let mut checker = self.foul_checker(color);
        for &(color, at) in placed {
            checker.lines.flip_stone(at, color);
        }
        checker.is_three(cell, dir)
    }

    fn foul_checker(&self, color: Color) -> FoulChecker<R> {
        let (lines, rule) = (self.lines.clone(), PhantomData);
        FoulChecker { lines, tables: self.tables, color, rule }
    }
}

/// Line words without cell records, used to judge the fouls of one colour.
struct FoulChecker<R> {
    lines: Lines,
    tables: &'static Tables,
    color: Color,
    rule: PhantomData<R>,
}

impl<R: Rule> FoulChecker<R> {
    fn line(&self, cell: Cell, dir: Direction) -> LineClass {
        self.line_for(self.color, cell, dir)
    }

    fn line_for(&self, color: Color, cell: Cell, dir: Direction) -> LineClass {
        let (back, front) = self.lines.halves(R::HALF, dir, cell);
        line_of(self.tables.window(back, front), color)
    }

    /// Whether a double three on the empty cell `p` is excused, given that the stone makes
    /// `fours` fours.
    fn excuses(&self, p: Cell, fours: u32) -> bool {
        let five = |&dir: &Direction| self.line_for(!self.color, p, dir) == LineClass::Five;
        match R::EXCUSE {
            Excuse::None => false,
            Excuse::Four => fours > 0,
            Excuse::FourOrDefence => fours > 0 || DIRECTIONS.iter().any(five),
        }
    }

    /// Returns the fouls of a stone on the empty cell `p`; none if it makes a five.
    fn fouls(&mut self, p: Cell) -> Fouls {
        let lines = DIRECTIONS.map(|dir| self.line(p, dir));
        if lines.contains(&LineClass::Five) {
            return Fouls::default();
        }
        let fours = lines.iter().map(|&line| match line {
            LineClass::Four | LineClass::OpenFour => 1,
            LineClass::DoubleFour => 2,
            _ => 0,
        });
        let suspects = || DIRECTIONS.into_iter().filter(|&dir| lines[dir as usize].is_open_three());
        let kinds = R::FOULS[self.color.index()];
        let fours = fours.sum();
        let double_four = kinds.double_four && fours >= 2;
        let mut double_three = false;
        if kinds.double_three && !self.excuses(p, fours) && suspects().count() >= 2 {
            self.lines.flip_stone(p, self.color);
            double_three = suspects().filter(|&dir| self.is_three(p, dir)).nth(1).is_some();
            self.lines.flip_stone(p, self.color);
        }
        Fouls { overline: lines.contains(&LineClass::Overline), double_four, double_three }
    }

    /// Whether the stone on `p` has an open three along `dir`: the row has an end cell that is
    /// empty, makes a straight four and no five, and is no foul.
    fn is_three(&mut self, p: Cell, dir: Direction) -> bool {
        let own = 0b01 << self.color.index();
        [1, -1].into_iter().any(|sign| {
            let mut q = p.step(dir, sign);
            while self.lines.at(q) == own {
                q = q.step(dir, sign);
            }
            self.lines.at(q) == 0b11
                && self.line(q, dir) == LineClass::OpenFour
                && DIRECTIONS.into_iter().all(|other| self.line(q, other) != LineClass::Five)
                && !self.fouls(q).any()
        })
    }
}

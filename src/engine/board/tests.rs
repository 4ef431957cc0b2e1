//! Tests of the board against itself: the incremental state equals that of a board built
//! from its stones, and unmaking restores the earlier state.

use super::cells::{CellInfo, Classes};
use super::{Board, near};
use crate::pattern::{Class, Code, LineClass, Marks, STONE};
use goren_core::rules::{
    Caro, CaroExact, EarlyOverlineBoth, EarlyRenju, Freestyle, Renju, Renju1899, Renju1903,
    Renju1916, RenjuBoth, RenjuOverline, RenjuOverlineBoth, Rule, RuleId, Setup, Standard,
    StandardDoubleThree,
};
use goren_core::types::keys::{self, mix};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, FRAME, Stone};

const SIZES: [(usize, usize); 5] = [(15, 15), (5, 5), (26, 26), (7, 19), (20, 20)];

/// Returns a value whose sum over the board would differ if a change were missed or
/// counted twice.
fn value(at: Cell, codes: [Code; 2]) -> i64 {
    (codes[0] as i64 * 3 + codes[1] as i64 * 7) * (at.index() as i64 + 1)
}

fn total<R: Rule>(board: &Board<R>) -> i64 {
    let cells = CellSet::board(board.setup.width, board.setup.height);
    cells.iter().map(|cell| value(cell, board.cell(cell).codes())).sum()
}

fn last_changes<R: Rule>(board: &Board<R>) -> i64 {
    let changes = board.changes(board.placed() - 1).iter();
    changes.map(|c| value(c.cell, c.after()) - value(c.cell, c.before())).sum()
}

/// Builds a board from the stones, without making moves.
fn rebuilt<R: Rule>(board: &Board<R>) -> Board<R> {
    let mut fresh = Board::<R>::new(board.setup);
    for (cell, stone) in board.stones() {
        let bits = match stone {
            Stone::Of(color) => 0b10 >> color.index(),
            Stone::Wall => 0b11,
        };
        fresh.lines.flip(cell, bits);
        fresh.empty.remove(cell);
        fresh.key ^= keys::stone(stone, cell);
        if stone != Stone::Wall {
            near::add(&mut fresh.near, cell);
        }
    }
    fresh.classes = Classes::new();
    for cell in CellSet::board(board.setup.width, board.setup.height).iter() {
        let lines = fresh.lines_at(&fresh.lines, cell);
        let open = fresh.is_empty(cell);
        let marks = if open { fresh.tables.marks::<R>(lines) } else { Marks::STONE };
        fresh.cells[cell.index()] = CellInfo { lines, marks };
        fresh.classes.add(cell, marks);
    }
    fresh
}

fn assert_same<R: Rule>(a: &Board<R>, b: &Board<R>, stones_too: bool) {
    assert!(a.lines == b.lines && a.empty == b.empty && a.near == b.near && a.key == b.key);
    assert!(a.classes == b.classes, "{:?}", a.stones().collect::<Vec<_>>());
    for i in 0..FRAME {
        // Line classes under stones are not updated.
        if stones_too || a.cells[i].codes()[0] != STONE {
            assert_eq!(a.cells[i], b.cells[i], "cell {:?}", Cell::from_index(i));
        } else {
            assert_eq!(a.cells[i].marks, b.cells[i].marks);
        }
    }
}

fn play_and_take_back<R: Rule>() {
    for (n, (w, h)) in SIZES.into_iter().enumerate() {
        let setup = Setup::new(R::ID, w, h).unwrap();
        let mut board = Board::<R>::new(setup);
        let empty = board.clone();
        let mut sum = total(&board);
        let mut seed = mix(n as u64 + 77);
        let mut copies = Vec::new();
        while !board.empty().is_empty() {
            seed = mix(seed);
            let at = seed as usize % board.empty().len();
            let cell = board.empty().iter().nth(at).unwrap();
            copies.push((board.clone(), sum));
            match seed >> 40 & 15 {
                0 => board.make_wall(cell),
                s => board.make(cell, Color::ALL[s as usize % 2]),
            }
            sum += last_changes(&board);
            if board.placed().is_multiple_of(7) {
                assert_same(&board, &rebuilt(&board), false);
                assert_eq!(sum, total(&board));
            }
        }
        while let Some((copy, sum)) = copies.pop() {
            board.unmake();
            assert_eq!(sum, total(&board));
            assert_same(&board, &copy, true);
            assert_eq!(
                (board.journal_len, board.rank_changes_len),
                (copy.journal_len, copy.rank_changes_len)
            );
        }
        assert_same(&board, &empty, true);
    }
}

#[test]
fn incremental_boards_equal_fresh_ones_and_unmaking_restores_them() {
    play_and_take_back::<Freestyle>();
    play_and_take_back::<Standard>();
    play_and_take_back::<Renju>();
    play_and_take_back::<RenjuOverline>();
    play_and_take_back::<EarlyRenju>();
    play_and_take_back::<RenjuBoth>();
    play_and_take_back::<StandardDoubleThree>();
    play_and_take_back::<RenjuOverlineBoth>();
    play_and_take_back::<EarlyOverlineBoth>();
    play_and_take_back::<Renju1899>();
    play_and_take_back::<Renju1903>();
    play_and_take_back::<Renju1916>();
    play_and_take_back::<Caro>();
    play_and_take_back::<CaroExact>();
}

#[test]
fn line_classes_are_those_of_the_textbooks() {
    use crate::pattern::LineClass::*;
    let class = |rule: RuleId, row: &str, x: usize, color: Color| {
        struct Put<'a>(&'a str, usize, Color);
        impl goren_core::rules::Visitor for Put<'_> {
            type Out = crate::pattern::LineClass;
            fn visit<R: Rule>(self) -> Self::Out {
                let mut b = Board::<R>::new(Setup::new(R::ID, 15, 15).unwrap());
                for (x, c) in self.0.bytes().enumerate() {
                    match c {
                        b'X' => b.make(Cell::new(x, 7), Color::Black),
                        b'O' => b.make(Cell::new(x, 7), Color::White),
                        _ => {}
                    }
                }
                b.cell(Cell::new(self.1, 7)).line(goren_core::types::Direction::Row, self.2)
            }
        }
        goren_core::rules::with_rule(rule, Put(row, x, color))
    };
    use Color::*;
    use RuleId::*;
    let cases = [
        (Freestyle, "...XX.XX.......", 5, Black, Five),
        (Freestyle, "...XX.XXX......", 5, Black, Five),
        (Standard, "...XX.XXX......", 5, Black, Dead),
        (Renju, "...XX.XXX......", 5, Black, Overline),
        (Renju, "...OO.OOO......", 5, White, Five),
        (RenjuOverline, "...XX.XXX......", 5, Black, Five),
        (RenjuOverline, "..XX..XX.......", 4, Black, Four),
        (RenjuOverline, "..XX.X.X.XX....", 6, Black, DoubleFour),
        (Freestyle, "....XX.X.......", 6, Black, OpenFour),
        (Freestyle, "...OXX.X.......", 6, Black, Four),
        (Freestyle, "...X.XX.X......", 4, Black, OpenFour),
        (Freestyle, "..X.X.X.X......", 5, Black, OpenFour),
        (Renju, "..X.X.X.X......", 5, Black, DoubleFour),
        (Freestyle, "...X.X..XX.....", 7, Black, Four),
        (Renju, "..X..XX.X......", 4, Black, DoubleFour),
        (Renju, "..X.X.XX.......", 3, Black, ClosedThree),
        (Renju, "...X.XX..X.....", 7, Black, DoubleFour),
        (Freestyle, "...X.XX..X.....", 7, Black, OpenFour),
        (Renju, "..XX..XX.......", 4, Black, ClosedThree),
        (Freestyle, ".....XX........", 7, Black, StrongOpenThree),
        (Freestyle, "....OXX........", 7, Black, ClosedThree),
        (Caro, "...OXXXX.......", 8, Black, Five),
        (Caro, "...OXXXX.O.....", 8, Black, Dead),
        (CaroExact, "XXXX.O.........", 4, Black, Five),
        (Caro, "...OXXXX.X.....", 8, Black, Five),
        (CaroExact, "...OXXXX.X.....", 8, Black, Dead),
        (Caro, "...O.XXX.......", 8, Black, Four),
        (Caro, "...O..XXX......", 9, Black, OpenFour),
    ];
    for (rule, row, x, color, expected) in cases {
        assert_eq!(class(rule, row, x, color), expected, "{rule} {row} {x}");
    }
}

/// Compares line queries on flipped line words with stones placed on the board.
fn check_lookups<R: Rule>() {
    let mut found = [0; 3];
    for seed in 0..40 {
        let mut board = Board::<R>::new(Setup::new(R::ID, 15, 15).unwrap());
        let mut seed = mix(seed);
        let mut next = |n: usize| {
            seed = mix(seed);
            (seed >> 20) as usize % n
        };
        while board.placed() < 40 {
            let cell = Cell::new(3 + next(9), next(8));
            if board.is_empty(cell) {
                board.make(cell, Color::ALL[next(2)]);
            }
        }
        let cells = board.near();
        for cell in cells.iter() {
            for color in Color::ALL {
                let mut spoilers: CellSet = [cell].into_iter().collect();
                for dir in DIRECTIONS {
                    let four = board.cell(cell).line(dir, color) == LineClass::Four
                        && board.count(color, Class::Five) == 0;
                    board.make(cell, color);
                    let five = |board: &Board<R>, at: Cell| {
                        board.cell(at).line(dir, color) == LineClass::Five
                    };
                    let suspect = |at| board.class(color, at) == Class::FoulSuspect;
                    let suspects = board.window(cell, dir).iter().any(suspect);
                    let mut answers = CellSet::EMPTY;
                    for at in board.window(cell, dir).iter().filter(|_| four) {
                        board.make(at, !color);
                        if !board.window(cell, dir).iter().any(|at| five(&board, at)) {
                            answers.insert(at);
                        }
                        board.unmake();
                    }
                    board.unmake();
                    if four {
                        let found_answers = board.four_answers(color, cell, dir);
                        assert_eq!(found_answers.into_iter().collect::<CellSet>(), answers);
                        found[0] += 1;
                    }
                    assert_eq!(board.suspects_around(color, cell, dir), suspects);
                    found[1] += suspects as usize;
                    if board.cell(cell).line(dir, color) >= LineClass::ClosedThree {
                        for at in board.window(cell, dir).iter() {
                            board.make(at, !color);
                            let class = board.class(color, cell);
                            board.unmake();
                            if class < Class::Four || class == Class::FoulSuspect {
                                spoilers.insert(at);
                            }
                        }
                    }
                }
                assert_eq!(board.spoilers(color, cell, |class| class < Class::Four), spoilers);
                found[2] += (spoilers.len() > 1) as usize;
            }
        }
    }
    assert!(found[0] > 99 && found[2] > 99 && (found[1] > 0) == R::HAS_FOULS, "{found:?}");
}

#[test]
fn line_queries_agree_with_placed_stones() {
    check_lookups::<Freestyle>();
    check_lookups::<Standard>();
    check_lookups::<Renju>();
    check_lookups::<RenjuOverline>();
    check_lookups::<EarlyRenju>();
    check_lookups::<RenjuBoth>();
    check_lookups::<StandardDoubleThree>();
    check_lookups::<RenjuOverlineBoth>();
    check_lookups::<EarlyOverlineBoth>();
    check_lookups::<Renju1899>();
    check_lookups::<Renju1903>();
    check_lookups::<Renju1916>();
    check_lookups::<Caro>();
}

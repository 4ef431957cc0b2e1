//! Named positions for every rule. In the diagrams `X` is Black, `O` White,
//! `#` a wall, `.` and small letters are empty; a diagram is the whole board.

use super::*;
use crate::rules::referee::IllegalMove;
use crate::rules::{Outcome, Setup};
use crate::types::{Cell, Color, Stone};
use Color::{Black, White};

/// A position and the points named in its diagram.
pub(super) struct Diagram {
    pub(super) referee: FiveReferee,
    names: Vec<(char, Cell)>,
}

impl Diagram {
    pub(super) fn new(rule: RuleId, text: &str) -> Diagram {
        let rows: Vec<&str> = text.split_whitespace().collect();
        let setup = Setup::new(rule, rows[0].len(), rows.len()).unwrap();
        let mut diagram = Diagram { referee: FiveReferee::new(setup), names: Vec::new() };
        for (y, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), rows[0].len());
            for (x, c) in row.chars().enumerate() {
                let cell = Cell::new(x, y);
                let stone = match c {
                    'X' => Stone::Of(Black),
                    'O' => Stone::Of(White),
                    '#' => Stone::Wall,
                    '.' => continue,
                    name => {
                        diagram.names.push((name, cell));
                        continue;
                    }
                };
                diagram.referee.set_up(cell, stone).unwrap();
            }
        }
        diagram
    }

    pub(super) fn point(&self, name: char) -> Cell {
        self.names.iter().find(|(n, _)| *n == name).unwrap().1
    }

    pub(super) fn wins(&self, color: Color, name: char) -> bool {
        let cell = self.point(name);
        let wins = self.referee.wins(color, cell);
        let outcome = self.referee.clone().place(color, cell).unwrap();
        assert_eq!(wins, outcome == Some(Outcome::Win(color)));
        wins
    }

    /// The fouls at a point, as a text like "overline+44".
    pub(super) fn fouls(&self, name: char) -> String {
        let cell = self.point(name);
        let fouls = self.referee.fouls(Black, cell);
        let outcome = self.referee.clone().place(Black, cell).unwrap();
        assert_eq!(fouls.any(), outcome == Some(Outcome::Win(White)));
        let kinds =
            [(fouls.overline, "overline"), (fouls.double_four, "44"), (fouls.double_three, "33")];
        kinds.into_iter().filter(|k| k.0).map(|k| k.1).collect::<Vec<_>>().join("+")
    }
}

fn renju(text: &str) -> Diagram {
    Diagram::new(RuleId::Renju, text)
}

/// One row in the middle of an otherwise empty board.
fn row(rule: RuleId, text: &str) -> Diagram {
    let blank = ".".repeat(text.len());
    Diagram::new(rule, &[&blank, &blank, text, &blank, &blank].join("\n"))
}

#[test]
fn lines_win_by_length_and_variant() {
    use RuleId::*;
    let cases = [
        // Rule, row, Black wins at a, White wins at a with colours exchanged.
        (Freestyle, "..XXaXX..", [true, true]),
        (Freestyle, "..XXaXXX.", [true, true]),
        (Freestyle, "..XXaX...", [false, false]),
        (Standard, "OXXaXXO..", [true, true]),
        (Standard, "..XXaXXX.", [false, false]),
        (Renju, "..XXaXX..", [true, true]),
        (Renju, "..XXaXXX.", [false, true]),
        (Renju, "XXXXaXXXX", [false, true]),
    ];
    for (rule, text, expected) in cases {
        assert_eq!(row(rule, text).wins(Black, 'a'), expected[0], "{rule} {text}");
        let other = text.replace('X', "o").replace('O', "X").replace('o', "O");
        assert_eq!(row(rule, &other).wins(White, 'a'), expected[1], "{rule} {other}");
    }
}

#[test]
fn only_opponent_stones_block_a_five_in_caro() {
    let cases = [
        // Row, wins in Caro, wins in Caro with exact five.
        (".XXaXX...", true, true),
        ("OXXaXX...", true, true),
        ("OXXaXXO..", false, false),
        ("OXXaXX#..", true, true),
        ("XXaXXO...", true, true),
        ("OXXaXXXO.", true, false),
        ("..XXaXXX.", true, false),
        ("#XXaXX#..", true, true),
    ];
    for (text, caro, exact) in cases {
        assert_eq!(row(RuleId::Caro, text).wins(Black, 'a'), caro, "{text}");
        assert_eq!(row(RuleId::CaroExact, text).wins(Black, 'a'), exact, "{text}");
    }
}

#[test]
fn an_exact_five_wins_beside_an_overline_on_another_axis() {
    let text = "....X....
                ....X....
                ....X....
                ..XXaXX..
                ....X....
                ....X....
                .........";
    for rule in [RuleId::Standard, RuleId::CaroExact, RuleId::Renju] {
        let d = Diagram::new(rule, text);
        assert!(d.wins(Black, 'a'), "{rule}");
        assert_eq!(d.fouls('a'), "", "{rule}");
    }
}

#[test]
fn every_axis_counts_and_lines_do_not_wrap() {
    let d = Diagram::new(
        RuleId::Freestyle,
        "X...b
         .X.X.
         ..X..
         .X.X.
         X...a",
    );
    assert!(d.wins(Black, 'a') && d.wins(Black, 'b'));
    let d = Diagram::new(
        RuleId::Freestyle,
        "..aXX
         XX...
         .....
         .....
         .....",
    );
    assert!(!d.wins(Black, 'a'));
}

#[test]
fn a_foul_of_each_kind_loses() {
    assert_eq!(row(RuleId::Renju, "..XXXaXX..").fouls('a'), "overline");
    let double_three = renju(
        ".......
         .......
         ..XXa..
         ...X...
         ..X....
         .......
         .......",
    );
    assert_eq!(double_three.fouls('a'), "33");
    let double_four = renju(
        "..O....
         .OXXXb.
         ..X....
         ..X....
         ..a.XX.
         .......
         .......",
    );
    assert_eq!(double_four.fouls('a'), "");
    assert_eq!(double_four.fouls('b'), "");
    let double_four = renju(
        "..O....
         ..X....
         ..X....
         ..X....
         ..aXXXO
         .......
         .......",
    );
    assert_eq!(double_four.fouls('a'), "44");
}

#[test]
fn only_colours_with_fouls_commit_them() {
    let text = ".......
                .......
                ..XXa..
                ...X...
                ..X....
                .......
                .......";
    for rule in RuleId::ALL {
        let d = Diagram::new(rule, text);
        assert_eq!(!d.fouls('a').is_empty(), rule.card().fouls[0].any(), "{rule}");
        let cell = d.point('a');
        assert_eq!(d.referee.clone().place(White, cell), Ok(None), "{rule}");
        let d = Diagram::new(rule, &text.replace('X', "O"));
        let lost = rule.card().fouls[1].any().then_some(Outcome::Win(Black));
        assert_eq!(d.referee.clone().place(White, cell), Ok(lost), "{rule}");
        assert_eq!(d.referee.clone().place(Black, cell), Ok(None), "{rule}");
    }
}

#[test]
fn a_four_and_a_three_are_legal_but_a_four_and_two_threes_are_not() {
    let four_three = renju(
        ".........
         .........
         ..OXXXa..
         .....X...
         ....X....
         .........
         .........",
    );
    assert_eq!(four_three.fouls('a'), "");
    let four_three_three = renju(
        ".........
         .........
         ..OXXXa..
         .....XX..
         ....X.X..
         .........
         .........",
    );
    assert_eq!(four_three_three.fouls('a'), "33");
}

#[test]
fn two_fours_in_one_line_are_a_double_four() {
    for text in ["..X.XaX.X..", "..XX.aX.XX..", "..XXX.a.XXX.."] {
        assert_eq!(row(RuleId::Renju, text).fouls('a'), "44", "{text}");
    }
    // Straight fours, and one completing point only.
    for text in ["...XXaX....", "..OXXaX....", "..X.XaX....", "..XX.aX.O.."] {
        assert_eq!(row(RuleId::Renju, text).fouls('a'), "", "{text}");
    }
    // The outer points would make six.
    assert_eq!(row(RuleId::Renju, ".XX.XaX.XX.").fouls('a'), "");
}

#[test]
fn a_four_that_only_an_overline_completes_does_not_count() {
    let text = "..........
                ...O......
                ...X......
                ...X......
                ...X......
                OXXa..X...
                ..........";
    assert_eq!(renju(text).fouls('a'), "");
    let one_four = text.replace("OXXa..X", "OXXaX..");
    assert_eq!(renju(&one_four).fouls('a'), "44");
    let six = text.replace("OXXa..X", "OXXaX.X");
    assert_eq!(renju(&six).fouls('a'), "");
}

#[test]
fn allowed_overlines_count_as_fives_and_complete_fours_and_threes() {
    let allowed = |text: &str| row(RuleId::RenjuOverline, text);
    let forbidden = |text: &str| row(RuleId::Renju, text);
    for text in ["..XXXaXX..", "XXXaXX....", ".XXXXaXXXX", "...XXaXX.."] {
        assert!(allowed(text).wins(Black, 'a'), "{text}");
        assert!(allowed(&text.replace('X', "O")).wins(White, 'a'), "{text}");
        assert_eq!(allowed(text).fouls('a'), "", "{text}");
    }
    // Two fours in one line whose fives are rows of six or seven.
    for text in [".XX.XaX.XX.", ".XXX.aX.XX.", ".XXX.aXX.XXX"] {
        assert_eq!(
            (forbidden(text).fouls('a'), allowed(text).fouls('a')),
            ("".into(), "44".into())
        );
    }
    // A straight four stays one four, whatever lies beyond its ends.
    for text in ["X.XXaX.X...", ".X.XXaX....", "..X.XaX...."] {
        assert_eq!(allowed(text).fouls('a'), "", "{text}");
    }
    let crossing = |line: &str, rule| {
        let text = format!("{0}\n{0}\n{line}\n{1}\n{1}\n{0}\n{0}", "...........", ".....X.....");
        Diagram::new(rule, &text).fouls('a')
    };
    for (line, renju, option) in [
        // The straight four is completed by an overline, at one end or both.
        ("X..XXa..X..", "", "33"),
        (".O.XXa..X..", "", "33"),
        (".O.XXa.XO..", "", ""),
        // A four, though one more stone would make a straight four of it.
        ("XX.XXa.....", "", ""),
        ("..OXXa.....", "", ""),
    ] {
        assert_eq!(crossing(line, RuleId::Renju), renju, "{line}");
        assert_eq!(crossing(line, RuleId::RenjuOverline), option, "{line}");
    }
}

#[test]
fn five_overrides_every_foul() {
    let d = renju(
        "..........
         ...X..X...
         ...X.X....
         ...XX.....
         .XXaXX....
         ..........
         ..........",
    );
    assert!(d.wins(Black, 'a'));
    assert_eq!(d.fouls('a'), "");
    let without_five = renju(
        "..........
         ...X..X...
         ...X.X....
         ...XX.....
         .OXaXX....
         ..........
         ..........",
    );
    assert_eq!(without_five.fouls('a'), "44");
}

#[test]
fn a_three_needs_room_for_a_straight_four() {
    let base = |line: &str| {
        renju(&format!(
            "...........
             ...........
             {line}
             .....X.....
             .....X.....
             ...........
             ..........."
        ))
    };
    assert_eq!(base("...XXa.....").fouls('a'), "33");
    // Blocked at one side, shut in between stones, at the edge.
    assert_eq!(base("..OXXa.....").fouls('a'), "");
    assert_eq!(base(".O.XXa.O...").fouls('a'), "");
    assert_eq!(base(".O.XXa..O..").fouls('a'), "33");
    assert_eq!(base("...#.a.XX..").fouls('a'), "33");
    assert_eq!(base("..#.XaX.#..").fouls('a'), "");
    // Either straight four would be completed by an overline.
    assert_eq!(base("X..XXa..X..").fouls('a'), "");
    assert_eq!(base("X..XXa...X.").fouls('a'), "33");
}

/// A row in which `a` makes a three whose only straight four is made at `b`, a column that is a
/// certain three, and more stones around `b`.
fn around_b(rows: [&str; 11]) -> Diagram {
    renju(&rows.join("\n"))
}

#[test]
fn a_three_is_fake_if_its_straight_four_is_a_foul() {
    let with_column = |above: [&str; 3]| {
        around_b([
            ".............",
            ".............",
            &format!(".......{}.....", above[0]),
            &format!(".......{}.....", above[1]),
            &format!(".......{}.....", above[2]),
            "..O.XXab.....",
            "......XX.....",
            "......XX.....",
            ".............",
            ".............",
            ".............",
        ])
    };
    // b is an overline, a five in the column, a double four, nothing.
    assert_eq!(with_column(["X", "X", "X"]).fouls('b'), "overline");
    assert_eq!(with_column(["X", "X", "X"]).fouls('a'), "");
    assert!(with_column([".", "X", "X"]).wins(Black, 'b'));
    assert_eq!(with_column([".", "X", "X"]).fouls('a'), "");
    assert_eq!(with_column([".", ".", "X"]).fouls('a'), "");
    assert_eq!(with_column([".", ".", "."]).fouls('a'), "33");
}

#[test]
fn the_straight_four_is_judged_to_any_depth() {
    let with_end = |end: &str| {
        around_b([
            ".............",
            ".............",
            ".............",
            ".............",
            "......c......",
            "..O.XXab.....",
            "......XXX....",
            "......XX.X...",
            ".............",
            &format!("...........{end}."),
            ".............",
        ])
    };
    // b is a double three, so the row is no three.
    assert_eq!(with_end(".").fouls('a'), "");
    // White at the far end leaves the diagonal through b only c for its
    // straight four; after a and b that is a double four. So b has one three
    // only and is legal, and a is the foul.
    assert_eq!(with_end("O").fouls('a'), "33");
}

#[test]
fn a_full_board_is_a_draw_unless_the_last_stone_decides() {
    let text = "XXOOX
                OOXXO
                XXOOX
                OOXXO
                XXOOa";
    let d = Diagram::new(RuleId::Renju, text);
    let mut game = d.referee.clone();
    assert_eq!(game.place(Black, d.point('a')), Ok(Some(Outcome::Draw)));
    assert_eq!(game.place(White, d.point('a')), Err(IllegalMove::GameOver));
    assert_eq!(game.take_back(), Some((d.point('a'), Stone::Of(Black))));
    assert_eq!(game.outcome(), None);

    let five = Diagram::new(RuleId::Renju, &text.replace("XXOOa", "XXXXa"));
    assert!(five.wins(Black, 'a'));
    let foul = Diagram::new(
        RuleId::Renju,
        "XXXaXX
         OOXXOO
         XXOOXX
         OOXXOO
         XXOOXX",
    );
    assert_eq!(foul.fouls('a'), "overline");
}

#[test]
fn illegal_stones_change_nothing() {
    let mut game = FiveReferee::new(Setup::new(RuleId::Freestyle, 7, 5).unwrap());
    let at = |x, y| Cell::new(x, y);
    assert_eq!(game.place(Black, at(7, 0)), Err(IllegalMove::Outside));
    assert_eq!(game.place(Black, at(0, 5)), Err(IllegalMove::Outside));
    assert_eq!(game.set_up(at(3, 3), Stone::Wall), Ok(()));
    assert_eq!(game.place(White, at(3, 3)), Err(IllegalMove::Occupied));
    assert_eq!(game.stones(), [(at(3, 3), Stone::Wall)]);
    for x in 0..5 {
        assert_eq!(game.outcome(), None);
        game.place(Black, at(x, 0)).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Black)));
    assert_eq!(game.winning_lines(), [(0..5).map(|x| at(x, 0)).collect::<Vec<_>>()]);
    assert_eq!(game.place(White, at(6, 4)), Err(IllegalMove::GameOver));
    game.take_back();
    assert_eq!(game.outcome(), None);
    assert!(game.wins(Black, at(4, 0)) && !game.wins(White, at(4, 0)));
}

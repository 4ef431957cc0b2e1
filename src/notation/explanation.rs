//! Why a stone is a foul or not, in words.

use crate::lettering::Lettering;
use crate::words::foul_names;
use goren_core::rules::Fouls;
use goren_core::rules::referee::{Explanation, Row, Three};
use goren_core::types::{Cell, Direction};

/// The name of a direction: the diagonal goes down to the right, the
/// antidiagonal up to the right.
pub const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Row => "row",
        Direction::Column => "column",
        Direction::Diagonal => "diagonal",
        Direction::AntiDiagonal => "antidiagonal",
    }
}

/// The verdict on a stone: its fouls, or none.
pub fn verdict(stone: &Explanation) -> String {
    fouls_or_none(stone.fouls())
}

/// The verdict on a stone by its fouls.
pub fn fouls_or_none(fouls: Fouls) -> String {
    let kinds = foul_names(fouls);
    if kinds.is_empty() { "no foul".into() } else { kinds.join(" and ") }
}

/// Why a stone is a foul, or is not although it looks like one: the lines of a tree,
/// indented by two blanks a level.
pub fn tree(stone: &Explanation, lettering: Lettering) -> Vec<String> {
    let mut tree = Tree { lettering, lines: Vec::new() };
    tree.reasons(stone, 0);
    tree.lines
}

struct Tree {
    lettering: Lettering,
    lines: Vec<String>,
}

impl Tree {
    fn say(&mut self, level: usize, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(level)));
    }

    /// Points in a row.
    fn points(&self, cells: &[Cell]) -> String {
        cells.iter().map(|&cell| self.lettering.label(cell)).collect::<Vec<_>>().join(" ")
    }

    fn row(&self, row: &Row) -> String {
        let name = direction_name(row.direction);
        format!("{name} {}", self.points(&row.stones))
    }

    fn reasons(&mut self, stone: &Explanation, level: usize) {
        for row in &stone.overlines {
            let text = format!("{} is an overline", self.row(row));
            self.say(level, &text);
        }
        if stone.fours.len() >= 2 {
            for four in &stone.fours {
                let fives = self.points(&four.fives);
                let text = format!("{} is a four: a five at {fives}", self.row(&four.row));
                self.say(level, &text);
            }
        }
        if stone.is_plain_foul() {
            return;
        }
        if stone.excused && stone.has_two_threes() {
            stone.threes.iter().filter(|three| three.is_real()).for_each(|three| {
                self.real(three, level);
            });
            let excuse = match stone.fours.first() {
                Some(four) => format!("makes a four as well, {}", self.row(&four.row)),
                None => "answers a four".into(),
            };
            self.say(level, &format!("by this rule they are no foul, as the stone {excuse}"));
            return;
        }
        // For a foul only its real threes matter; for any other stone the text shows what its
        // threes lack.
        let fouls = stone.fouls().any();
        for three in &stone.threes {
            match (three.is_real(), fouls) {
                (true, true) => self.real(three, level),
                (true, false) => {
                    let text = format!("{} is the only three", self.row(&three.row));
                    self.say(level, &text);
                }
                (false, true) => {}
                (false, false) => self.false_three(three, level),
            }
        }
    }

    /// Adds a real three, with the straight four that is easiest to judge.
    fn real(&mut self, three: &Three, level: usize) {
        let points = three.points.iter().filter(|point| point.makes_straight_four());
        let Some(point) = points.min_by_key(|point| (point.looks_forbidden(), point.depth()))
        else {
            return;
        };
        let (row, at) = (self.row(&three.row), self.lettering.label(point.at));
        if point.looks_forbidden() {
            self.say(level, &format!("{row} is a three: a straight four at {at}, legal as"));
            self.reasons(point, level + 1);
        } else {
            self.say(level, &format!("{row} is a three: a straight four at {at}"));
        }
    }

    fn false_three(&mut self, three: &Three, level: usize) {
        let row = self.row(&three.row);
        self.say(level, &format!("{row} is no three"));
        for point in &three.points {
            let at = self.lettering.label(point.at);
            if let Some(five) = point.fives.first() {
                let five = self.row(five);
                self.say(level + 1, &format!("{at} makes a five at the same time, {five}"));
            } else {
                self.say(level + 1, &format!("{at} is a foul, {}, as", verdict(point)));
                self.reasons(point, level + 2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::referee::FiveReferee;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::{Color, Stone};

    /// The verdict on a black stone on a 9x9 board, and the reasons.
    fn explained(
        rule: RuleId,
        black: &[(usize, usize)],
        white: &[(usize, usize)],
        at: (usize, usize),
    ) -> (String, Vec<String>) {
        let mut referee = FiveReferee::new(Setup::new(rule, 9, 9).unwrap());
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for &(x, y) in stones {
                referee.set_up(Cell::new(x, y), Stone::Of(color)).unwrap();
            }
        }
        let stone = referee.explain(Color::Black, Cell::new(at.0, at.1)).unwrap();
        (verdict(&stone), tree(&stone, Lettering::of((9, 9))))
    }

    #[test]
    fn an_excused_double_three_is_explained_with_the_excuse() {
        let black = [(3, 2), (4, 2), (5, 2), (5, 3), (6, 3), (4, 4), (6, 4)];
        let (verdict, reasons) = explained(RuleId::Renju1912, &black, &[(2, 2)], (6, 2));
        assert_eq!((verdict.as_str(), reasons.len()), ("no foul", 3), "{reasons:?}");
        let excuse =
            "by this rule they are no foul, as the stone makes a four as well, row d7 e7 f7 g7";
        assert_eq!(reasons[2], excuse);
        let (verdict, _) = explained(RuleId::EarlyRenju, &black, &[(2, 2)], (6, 2));
        assert_eq!(verdict, "double three");

        let black = [(2, 2), (3, 2), (3, 3), (2, 4)];
        let white = [(4, 3), (4, 4), (4, 5), (4, 6)];
        let (verdict, reasons) = explained(RuleId::Renju1903, &black, &white, (4, 2));
        assert_eq!((verdict.as_str(), reasons.len()), ("no foul", 3), "{reasons:?}");
        assert_eq!(reasons[2], "by this rule they are no foul, as the stone answers a four");
        let (verdict, _) = explained(RuleId::Renju1912, &black, &white, (4, 2));
        assert_eq!(verdict, "double three");
    }
}

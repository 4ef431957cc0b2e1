//! Features of the evaluation in words.

use goren_core::types::{Color, Score, win_rate};
use goren_engine::game::ClassCounts;
use goren_engine::pattern::Class;

/// The classes to print, the strongest first.
const NAMES: [(Class, &str); 12] = [
    (Class::Five, "five"),
    (Class::OpenFour, "open four"),
    (Class::FourThree, "four and three"),
    (Class::FourPlus, "four and more"),
    (Class::Four, "four"),
    (Class::DoubleThree, "double three"),
    (Class::ThreePlus, "three and more"),
    (Class::Three, "three"),
    (Class::TwoTwos, "twos"),
    (Class::ClosedThree, "closed three"),
    (Class::Two, "two"),
    (Class::FoulSuspect, "suspected foul"),
];

/// Returns a line for the position, and one for each colour with the number of empty cells
/// of each class.
pub fn lines(score: Score, counts: &ClassCounts, to_move: Color) -> [String; 3] {
    let name = |color| if color == Color::Black { "black" } else { "white" };
    let cells = |color: Color| {
        let counts = &counts[color.index()];
        let count = |&(class, name): &(Class, &str)| match counts[class as usize] {
            0 => None,
            count => Some(format!("{name} {count}")),
        };
        let words: Vec<String> = NAMES.iter().filter_map(count).collect();
        let words = if words.is_empty() { "nothing".to_owned() } else { words.join(", ") };
        format!("{} could make: {words}", name(color))
    };
    let rate = win_rate(score);
    let whole = format!("{} to move, evaluation {score:+}, win rate {rate:.3}", name(to_move));
    [whole, cells(Color::Black), cells(Color::White)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::{Action, GameState};
    use goren_core::rules::{Contest, RuleId, Setup};
    use goren_core::types::Cell;
    use goren_engine::{WeightSet, position_of};

    #[test]
    fn an_open_three_is_reported() {
        let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
        let mut game_state = GameState::new(Contest::five(setup));
        for (x, y) in [(7, 7), (0, 0), (8, 7), (14, 14), (9, 7), (0, 14)] {
            game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
        }
        let mut position = position_of(&game_state, &WeightSet::default());
        let counts = position.class_counts().unwrap();
        let [whole, black, white] = lines(position.evaluate(), &counts, Color::Black);
        assert!(whole.starts_with("black to move, evaluation +"), "{whole}");
        // Both ends of the three make an open four, the cells beyond them a four.
        assert!(black.contains("open four 2") && black.contains(", four "), "{black}");
        assert!(!white.contains("four") && !white.contains("five"), "{white}");
    }
}

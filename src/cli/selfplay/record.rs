//! Training games of the games beyond five in a row, as JSON Lines: a line
//! with the settings, then one for each game.
//!
//! ```json
//! {"seed":5,"opening":["k10","l9"],"stones":["k11","l12"],"scores":[12,-30],
//!  "astray":[1],"result":"black"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `seed` | what all chance in the game was drawn from |
//! | `opening` | stones placed before the search took over, in order |
//! | `stones` | stones placed then, in order; passes are not played |
//! | `scores` | for each of them what the search thought of the position before it, for the side to move, proven ones included; one more where the game ended with a proven one |
//! | `astray` | which of them, from 0, were not the best on purpose; absent if none |
//! | `result` | black, white or draw; null if broken off |

use serde::{Deserialize, Serialize};

use goren_core::types::Score;

/// A training game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Game {
    pub seed: u64,
    pub opening: Vec<String>,
    pub stones: Vec<String>,
    pub scores: Vec<Score>,
    #[serde(rename = "astray", default, skip_serializing_if = "Vec::is_empty")]
    pub random_moves: Vec<usize>,
    pub result: Option<Winner>,
}

/// Who won.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Winner {
    Black,
    White,
    Draw,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_example;

    #[test]
    fn a_game_is_read_and_written_as_documented() {
        let example = json_example::text(include_str!("record.rs"));
        let game: Game = serde_json::from_str(&example).unwrap();
        assert_eq!(serde_json::to_string(&game).unwrap(), example);
    }
}

//! The referee: judges wins, fouls and draws, for every game and board size.
//! It reads stones point by point and follows the text of the rules. It shares no
//! table and no constants with the fast boards, which are tested against it. Slow,
//! and never used in search.
//!
//! This module has the parts that all games share. The referee of a game is in the
//! folder of the game.

mod boards;
pub(in crate::rules) mod fouls;
mod game;
pub(in crate::rules) mod grid;
mod illegal_move;
mod unordered;

pub use super::games::five::{Explanation, FiveReferee, Four, Row, Three};
pub use boards::referee;
pub(crate) use boards::{judge_list, judge_position, set_up_position};
pub use game::{End, PlyEnd, Reason, Referee};
pub(in crate::rules) use game::{free, label, set_up_stone, stone_at};
pub use illegal_move::IllegalMove;
pub(in crate::rules) use unordered::{FinalRow, check_makers, final_rows, newest, without};
pub use unordered::{Impossible, Next};

//! Reviews of games: values of the moves, the losing move, and missed wins and defences.
//!
//! - [`review`]: a review in progress, search by search;
//! - [`judge`]: values and grades of moves;
//! - [`puzzle`], [`maker`]: puzzles, and their making from missed wins and defences;
//! - [`shipped`]: the puzzles of the program;
//! - [`tally`], [`words`]: counts of each side's moves, and descriptions of a game in words;
//! - [`work`]: work that waits for searches, whoever runs them.
//!
//! A review goes from the end of a game to its beginning, so that proofs help the earlier moves.
//!
//! ```
//! use goren_core::opening::{Action, GameState};
//! use goren_core::rules::{Contest, RuleId, Variant};
//! use goren_core::types::Cell;
//! use goren_engine::Info;
//! use goren_review::review::Review;
//!
//! let mut game = GameState::new(Contest::new(Variant::Five(RuleId::Freestyle)));
//! game.apply(&Action::stone(Cell::new(7, 7))).unwrap();
//! let mut review = Review::new(&game);
//! let mut searches = 0;
//! while review.wanted().is_some() {
//!     searches += 1;
//!     // An engine would search here.
//!     review.found(Info::NOTHING);
//! }
//! assert!(searches > 0);
//! assert_eq!(review.judged().len(), 1);
//! ```

mod distance;
mod game_position;
pub mod judge;
pub mod maker;
pub mod puzzle;
pub mod review;
pub mod shipped;
mod study;
pub mod tally;
pub mod words;
pub mod work;

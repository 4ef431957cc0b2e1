//! Reviews of games: what each move was worth, which one lost, and what was missed.
//!
//! - [`review`]: a review in progress, search by search;
//! - [`judge`]: what a move was worth, and how bad it was;
//! - [`puzzle`], [`maker`]: puzzles, and how they are made of what was missed;
//! - [`shipped`]: the puzzles of the program;
//! - [`tally`], [`words`]: the moves of each side counted, and what happened in words;
//! - [`work`]: how a review waits for its searches, whoever runs them.
//!
//! A game is judged from its end, so that proofs help the earlier moves.
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
//!     // Here an engine would search.
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

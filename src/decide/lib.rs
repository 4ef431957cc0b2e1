//! Decisions of a seat in any game and opening, by search: which stones to open with,
//! whether to swap, how many fifths to declare, which to offer and to keep, and the moves
//! of the game.
//!
//! Begin with a [`Decider`]: it takes a game and the limits of a search, and returns the ply of the
//! seat to decide, with the options that it has compared.
//!
//! ```
//! use goren_core::opening::{Action, GameState};
//! use goren_core::rules::{Contest, OpeningId, Variant};
//! use goren_decide::Decider;
//! use goren_engine::{TableHandle, Request, WeightSet};
//!
//! let contest = Contest::new(Variant::from_name("freestyle")?).opened(OpeningId::Swap2)?;
//! let mut game = GameState::new(contest);
//! let mut decider = Decider::new(&contest, &WeightSet::default(), &TableHandle::exactly(1 << 20));
//! let request = Request::nodes(2_000);
//! // Three stones, after which the other seat may swap.
//! let opened = decider.decide(&game, &request, &mut |_| {}).expect("the game is not over");
//! assert!(matches!(&opened.action, Action::Stones { cells, .. } if cells.len() == 3));
//! game.apply(&opened.action)?;
//! // Its options with their values, of which the best is chosen.
//! let answered = decider.decide(&game, &request, &mut |_| {}).expect("the game is not over");
//! assert!(answered.why.iter().any(|option| option.action == answered.action));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The value of an option is the score after it for the deciding seat. If the other
//! seat may swap next, it takes the better side, so the value is at most 0, and highest
//! in a balanced position. A swap is worth the negated value of the best other option
//! that the other seat still has after it, so all values come from the same searches.
//!
//! | file | holds |
//! |---|---|
//! | `decider.rs` | the decisions of a seat |
//! | `decision_search.rs`, `search.rs` | a decision in progress: its time, its searches |
//! | `options.rs`, `decision_option.rs` | the options of an opening decision, and their values |
//! | `opening_stones.rs`, `sample.rs` | stones after which the other seat may swap; random plies |
//! | `balance.rs` | stones that bring a position near a wanted score |
//! | `open_fifths.rs` | value of a position whose fifths are open |
//! | `ties.rs` | when to pass where the first to pass wins a drawn game |
//! | `strength.rs`, `habits.rs`, `attention.rs`, `level.rs` | limited strength: its choices, its habits, what it notices, its names |

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod attention;
mod balance;
mod decider;
mod decision_option;
mod decision_search;
mod habits;
mod level;
mod open_fifths;
mod opening_stones;
mod options;
mod sample;
mod search;
mod strength;
mod ties;

pub use balance::{Balance, Balanced};
pub use decider::{Decider, Decision, is_plain_turn};
pub use decision_option::OptionValue;
pub use level::{LEVELS, Level, LevelError, NamedLevel};
pub use sample::{sample, swap_follows};
pub use search::search;
pub use strength::Strength;

//! Alpha-beta over any [`crate::game::Position`]: one search for all games.
//! Finds moves; prints nothing.

mod alpha_beta;
mod bans;
mod claims;
mod control;
mod defend;
mod ending;
mod forced;
mod game;
mod history;
#[cfg(test)]
mod laid_tests;
mod lines;
#[cfg(feature = "serde")]
mod millis;
mod mind;
mod params;
mod picker;
mod player;
mod prover;
mod quiescence;
mod report;
mod request;
mod root;
mod scene;
mod searchable;
#[cfg(all(test, feature = "serde"))]
mod serde_tests;
mod solver;
mod stored;
pub mod time;
mod worker;

pub use control::Control;
pub use game::{Features, Game};
pub(crate) use mind::Mind;
pub use params::{ParamError, Params, Spec};
pub use player::{new_game, new_game_with};
pub use report::{Answer, Basis, Info, Report, RootEvent};
pub use request::{Bans, Known, Request};
pub use scene::{Replayed, Scene, new_position};
pub use searchable::{Own, Searchable};
pub use solver::Solver;
pub(crate) use solver::new_solver;

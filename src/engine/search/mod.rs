//! Alpha-beta over any [`crate::game::Position`]: one search for all games.
//! Finds moves; prints nothing.

mod alpha_beta;
mod bans;
mod brain;
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
mod mind;
mod params;
mod picker;
mod player;
mod prover;
mod quiescence;
mod root;
mod seeker;
pub mod time;
mod worker;

pub use brain::{Brain, Scene, new_brain};
pub use control::Control;
pub use game::{
    Answer, Bans, Basis, Features, Game, IllegalMove, Impossible, Info, Known, Limits, Report,
    RootEvent,
};
pub use mind::STACK_BYTES;
pub use params::{ParamError, Params, Spec};
pub use player::{new_game, new_game_with, prove_position, search_position, search_position_with};
pub use seeker::{Seeker, new_seeker};

//! The games as the search sees them, one folder each: the fast position, its solvers and
//! its weights. The search is monomorphised for each game.
//!
//! `GenType::Main` must contain every immediate win: the root searches moves without a
//! static verdict first.
//!
//! The registry of `goren_core::rules` lists the games. The folder of a game here has the
//! name given there and needs a `mod` line below; its position has the name of the game.

pub(crate) mod connect6;
pub(crate) mod families;
pub(crate) mod five;
pub(crate) mod four_in_a_row;
mod inspect;
pub(crate) mod irensei;
mod line_game;
mod lines;
pub(crate) mod pente;
mod position;
mod registry;
pub(crate) mod torus_four;

pub use connect6::Connect6;
pub use families::{families as tuple_families, family as tuple_family};
pub use five::Five;
pub use four_in_a_row::FourInARow;
pub use inspect::Inspect;
pub use irensei::Irensei;
pub use line_game::Tupled;
pub use pente::Pente;
pub use position::{
    ClassCounts, DENIED_SHAPES, GenType, Ladder, MoveClass, MoveList, Position, Replay, SHAPES,
    Scored, THREATENING, ThreatLevel,
};
pub use registry::{GameVisitor, with_game};

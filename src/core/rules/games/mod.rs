//! The games of the family and their options, each on a sheet that the
//! registry lists: what `goren games` shows, what names on the command line
//! and in the protocol mean, and what referee and openings read.

mod connect6;
mod contest;
mod five;
mod four_in_a_row;
mod irensei;
mod names;
mod opening_id;
mod options;
mod pente;
mod registry;
mod sheet;
#[cfg(test)]
mod tests;
mod variant;

pub use contest::Contest;
pub use five::five;
pub use names::{Named, named};
pub use opening_id::OpeningId;
pub use options::{Connect6, FourInARow, Pairs, Pente, Placement};
pub use registry::{BadGame, GAMES};
pub use sheet::{GameOption, GameSheet};
pub use variant::Variant;

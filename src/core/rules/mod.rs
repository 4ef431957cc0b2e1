//! The games, each in a folder of its own; the registry that lists them; their names; and the
//! slow referee that judges by the text of the rules.

mod bad_game;
mod contest;
mod game;
mod games;
mod names;
mod opening_id;
pub mod referee;
#[cfg(feature = "serde")]
mod serial;
mod setup;
mod sheet;
mod size;
#[cfg(test)]
mod tests;
mod variant;
mod verdict;

pub use bad_game::BadGame;
pub use contest::Contest;
pub use game::{Boards, GameRules, WinningLines};
pub use games::connect6::Pairs;
pub use games::five::sheets::*;
pub use games::five::{Card, Ends, Overline, Rule, Visitor, five, half, with_rule};
pub use games::four_in_a_row::Placement;
pub use games::pente::{Overlines, Restrictions};
pub use names::{Named, named};
pub use opening_id::OpeningId;
pub use setup::{BadSize, Setup};
pub use sheet::{Alias, BalancedOpenings, Bench, BenchPosition, GameOption, GameSheet};
pub use size::{read_size, read_size_or_side};
pub use variant::Variant;
pub use verdict::{Excuse, Fouls, Outcome};

/// Exports the options type of each game.
macro_rules! options {
    ($($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*) => {
        $(pub use games::$folder::$Options;)*
    };
}

crate::for_each_game!(options);

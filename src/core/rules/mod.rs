//! What a variant is: a sheet of constants for each, the registry that
//! names them, and the slow referee that judges by the words of the rules.

mod caro;
mod freestyle;
mod games;
mod id;
pub mod referee;
mod registry;
mod renju;
mod rule;
#[cfg(feature = "serde")]
mod serial;
mod setup;
mod standard;
mod verdict;

pub use caro::{Caro, CaroExact};
pub use freestyle::Freestyle;
pub use games::{
    BadGame, Connect6, Contest, FourInARow, GAMES, GameOption, GameSheet, Named, OpeningId, Pairs,
    Pente, Placement, Variant, five, named,
};
pub use id::RuleId;
pub use registry::{Visitor, with_rule};
pub use renju::{Renju, RenjuOverline};
pub use rule::{Card, Ends, Overline, Rule, half};
pub use setup::{BadSize, Setup};
pub use standard::Standard;
pub use verdict::{Fouls, Outcome};

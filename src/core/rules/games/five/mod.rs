//! Five in a row without captures, one stone per turn: freestyle, standard, renju, Caro. A rule
//! is a sheet of constants in a file for rules of its kind; `id.rs` lists it.

mod bench;
mod by_plies;
mod caro;
mod explain;
mod freestyle;
mod id;
mod laid;
mod referee;
mod registry;
mod renju;
mod rule;
mod sheet;
#[cfg(test)]
mod stage_tests;
mod stages;
mod standard;
#[cfg(test)]
mod tests;

pub use explain::{Explanation, Four, Row, Three};
pub use id::RuleId;
pub use referee::FiveReferee;
pub use registry::{Visitor, with_rule};
pub use rule::{Card, Ends, Overline, Rule, half};
pub use sheet::five;
pub(in crate::rules) use standard::GOMOKU;

/// Exports the sheet, or the card alone, of each rule.
macro_rules! sheets {
    ($($(#[$doc:meta])* $Sheet:ident: $file:ident $(as $Other:ident)?;)*) => {
        /// The sheets of all rules.
        pub mod sheets {
            $(pub use super::$file::$Sheet;)*
        }
    };
}

id::for_each_rule!(sheets);

//! Statistics of match results: Elo with error bars, sequential tests, ratings.
//! Pure arithmetic on counts.
//!
//! Elo is logistic throughout: a difference of `d` points means an expected
//! score of `1 / (1 + 10^(-d/400))` a game.

mod elo;
mod ratings;
mod simulate;
mod sprt;

use std::fmt;

pub use elo::{elo_of_games, elo_of_score, score_of_elo};
pub use ratings::{Encounter, ratings};
pub use simulate::{BadModel, PairModel, Simulated, simulate};
pub use sprt::{BadSprt, Sprt, SprtVerdict};

/// Pairs of games on one opening with colours swapped, by the points of the
/// first engine in half points: 0, 1, 2, 3, 4.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Pentanomial(pub [u64; 5]);

/// An estimate with its 95% interval. Where the data set no limit on a side,
/// that end is infinite.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl fmt::Display for Estimate {
    /// The value and the two ends, each with its sign and one decimal unless
    /// a precision is given: `+12.3 [-4.5, +29.1]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        let Estimate { value, low, high } = self;
        write!(f, "{value:+.decimals$} [{low:+.decimals$}, {high:+.decimals$}]")
    }
}

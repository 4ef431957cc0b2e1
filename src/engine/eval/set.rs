//! Weights of every game, and weights files of any game.

use std::sync::Arc;

use super::container::{Head, head};
use super::error::WeightsError;
use super::tuple_family::TupleFamily;
use super::tuple_file;
use super::tuples::TupleWeights;
use super::weights::{Weights, family};
use crate::game::families::families;
use goren_core::rules::RuleId;

/// The weights of a file.
#[derive(Clone, PartialEq)]
pub enum WeightFile {
    /// Five in a row.
    Five(Box<Weights>),
    /// Games that are evaluated by tuples.
    Tuples(&'static TupleFamily, TupleWeights),
}

impl WeightFile {
    /// The weights in a file.
    ///
    /// # Errors
    /// The bytes are no weights or are damaged.
    pub fn read(bytes: &[u8]) -> Result<WeightFile, WeightsError> {
        let Head { version, game, .. } = head(bytes)?;
        if version == tuple_file::VERSION {
            let family = families().find(|family| family.game() == game);
            let family = family.ok_or(WeightsError::UnknownRule(game))?;
            return Ok(WeightFile::Tuples(family, tuple_file::read(bytes, family)?));
        }
        Ok(WeightFile::Five(Box::new(Weights::read_any(bytes)?)))
    }
}

/// Weights for every game: those given, and the embedded ones for other games.
#[derive(Clone, Default)]
pub struct WeightSet {
    five: Vec<Arc<Weights>>,
    tuples: Vec<(&'static TupleFamily, Arc<TupleWeights>)>,
}

impl WeightSet {
    /// Weights to use for their games from now on.
    pub fn give(&mut self, file: WeightFile) {
        match file {
            WeightFile::Five(weights) => {
                self.five.retain(|other| other.rule() != weights.rule());
                self.five.push(Arc::new(*weights));
            }
            WeightFile::Tuples(family, weights) => {
                self.tuples.retain(|&(other, _)| other != family);
                self.tuples.push((family, Arc::new(weights)));
            }
        }
    }

    /// Whether these are the weights of their games already.
    pub fn holds(&self, file: &WeightFile) -> bool {
        match file {
            WeightFile::Five(weights) => *self.of(weights.rule()) == **weights,
            WeightFile::Tuples(family, weights) => *self.tuples(family) == *weights,
        }
    }

    /// The weights for a variant of five in a row.
    pub fn of(&self, rule: RuleId) -> Arc<Weights> {
        let given = self.five.iter().find(|weights| weights.rule() == family(rule));
        given.cloned().unwrap_or_else(|| Weights::embedded(rule))
    }

    /// The weights of games that are evaluated by tuples.
    pub fn tuples(&self, family: &TupleFamily) -> Arc<TupleWeights> {
        let given = self.tuples.iter().find(|&&(other, _)| other == family);
        given.map_or_else(|| family.weights(), |(_, weights)| weights.clone())
    }
}

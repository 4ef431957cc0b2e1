//! Weights files of any game, and the set of weights in use for all games.

use std::sync::Arc;

use super::container::{Header, read_header};
use super::error::WeightsError;
use super::tuple_family::TupleFamily;
use super::tuple_file;
use super::tuples::TupleWeights;
use super::weights::{Weights, plays_as_black, weights_rule};
use crate::game::families::families;
use goren_core::rules::RuleId;

/// The contents of a weights file.
#[derive(Clone, PartialEq)]
pub enum WeightFile {
    /// Weights of a rule of five in a row.
    Five(Box<Weights>),
    /// Weights of a tuple family.
    Tuples(&'static TupleFamily, TupleWeights),
}

impl WeightFile {
    /// Reads a weights file of any game.
    ///
    /// # Errors
    /// The bytes are not a weights file or are damaged.
    pub fn read(bytes: &[u8]) -> Result<WeightFile, WeightsError> {
        let Header { version, game, .. } = read_header(bytes)?;
        if version == tuple_file::VERSION {
            let family = families().find(|family| family.game() == game);
            let family = family.ok_or(WeightsError::UnknownRule(game))?;
            return Ok(WeightFile::Tuples(family, tuple_file::read(bytes, family)?));
        }
        Ok(WeightFile::Five(Box::new(Weights::read_any(bytes)?)))
    }
}

/// Weights for every game: those given, else the embedded ones.
#[derive(Clone, Default)]
pub struct WeightSet {
    five: Vec<Arc<Weights>>,
    tuples: Vec<(&'static TupleFamily, Arc<TupleWeights>)>,
}

impl WeightSet {
    /// Uses the weights of a file for its games from now on.
    pub fn insert(&mut self, file: WeightFile) {
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

    /// Whether the weights of a file are already in use for its games.
    pub fn holds(&self, file: &WeightFile) -> bool {
        match file {
            WeightFile::Five(weights) => *self.of(weights.rule()) == **weights,
            WeightFile::Tuples(family, weights) => *self.tuples(family) == *weights,
        }
    }

    /// The weights for a rule of five in a row.
    pub fn of(&self, rule: RuleId) -> Arc<Weights> {
        match self.five.iter().find(|weights| weights.rule() == weights_rule(rule)) {
            Some(given) if plays_as_black(rule) => {
                Arc::new(Weights::clone(given).for_variant(rule))
            }
            Some(given) => given.clone(),
            None => Weights::embedded(rule),
        }
    }

    /// The weights for a tuple family.
    pub fn tuples(&self, family: &TupleFamily) -> Arc<TupleWeights> {
        let given = self.tuples.iter().find(|&&(other, _)| other == family);
        given.map_or_else(|| family.weights(), |(_, weights)| weights.clone())
    }
}

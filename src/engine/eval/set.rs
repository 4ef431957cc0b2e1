//! Weights files of any game, and the set of weights in use for all games.

use std::fmt;
use std::sync::Arc;

use super::container::{Header, read_header};
use super::error::WeightsError;
use super::tuple_family::TupleFamily;
use super::tuple_file;
use super::tuples::TupleWeights;
use super::weights::{Weights, plays_as_black, weights_rule};
use crate::game::families::{self, families};
use goren_core::rules::{RuleId, Variant};

/// Games that share weights.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WeightGames {
    /// Games of five in a row that use the weights of a rule.
    Five(RuleId),
    /// Games of a family.
    Tuples(&'static TupleFamily),
}

impl WeightGames {
    /// Whether a game is among them.
    pub fn has(self, variant: Variant) -> bool {
        match (self, variant) {
            (WeightGames::Five(rule), Variant::Five(other)) => weights_rule(other) == rule,
            (WeightGames::Five(_), _) => false,
            (WeightGames::Tuples(tuples), _) => families::family(variant) == Some(tuples),
        }
    }
}

impl fmt::Display for WeightGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightGames::Five(rule) => rule.fmt(f),
            WeightGames::Tuples(tuples) => tuples.fmt(f),
        }
    }
}

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
        if tuple_file::VERSIONS.contains(&version) {
            let family = families().find(|family| family.game() == game);
            let family = family.ok_or(WeightsError::UnknownGame(game))?;
            return Ok(WeightFile::Tuples(family, tuple_file::read(bytes, family)?));
        }
        Ok(WeightFile::Five(Box::new(Weights::read_any(bytes)?)))
    }

    /// Returns the games that use these weights.
    pub fn games(&self) -> WeightGames {
        match self {
            WeightFile::Five(weights) => WeightGames::Five(weights.rule()),
            WeightFile::Tuples(family, _) => WeightGames::Tuples(family),
        }
    }
}

/// Weights for every game: the embedded ones unless replaced.
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

    /// Returns the weights for a rule of five in a row.
    pub fn of(&self, rule: RuleId) -> Arc<Weights> {
        match self.five.iter().find(|weights| weights.rule() == weights_rule(rule)) {
            Some(given) if plays_as_black(rule) => {
                Arc::new(Weights::clone(given).for_variant(rule))
            }
            Some(given) => given.clone(),
            None => Weights::embedded(rule),
        }
    }

    /// Returns the weights for a tuple family.
    pub fn tuples(&self, family: &TupleFamily) -> Arc<TupleWeights> {
        let given = self.tuples.iter().find(|&&(other, _)| other == family);
        given.map_or_else(|| family.weights(), |(_, weights)| weights.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_serve_the_games_that_use_them() {
        let has = |games: WeightGames, name: &str| games.has(Variant::from_name(name).unwrap());
        let caro = WeightGames::Five(RuleId::Caro);
        assert!(has(caro, "caro") && has(caro, "caro-exact"));
        assert!(!has(caro, "renju") && !has(caro, "pente"));
        assert_eq!(caro.to_string(), "caro");
        for family in families() {
            let games = WeightGames::Tuples(family);
            assert!(has(games, family.name()) && !has(games, "freestyle"), "{family}");
            let others = families().filter(|other| *other != family);
            assert!(others.into_iter().all(|other| !has(games, other.name())), "{family}");
        }
    }
}

//! Random openings for many games.

use anyhow::{Result, bail};
use rand::RngExt;
use rand::rngs::SmallRng;

use super::maker::{Maker, Recipe};
use goren_core::opening::Action;
use goren_core::types::keys;

/// Maximum number of openings tried for a game.
const TRIES: u64 = 2000;

/// A source of random openings.
pub(crate) enum RandomOpenings<'a> {
    /// Made by search, each time a new one.
    Made(Box<Maker>),
    /// Picked from these, at least one.
    Given(&'a [Vec<Action>]),
}

impl<'a> RandomOpenings<'a> {
    /// The `given` openings, or new ones if there are none.
    ///
    /// # Errors
    /// No memory for the table.
    pub(crate) fn new(recipe: &Recipe, given: &'a [Vec<Action>]) -> Result<RandomOpenings<'a>> {
        Ok(match given {
            [] => RandomOpenings::Made(Box::new(Maker::new(recipe)?)),
            given => RandomOpenings::Given(given),
        })
    }

    /// Picks an opening, which depends only on the recipe and `rng`.
    ///
    /// # Errors
    /// No balanced opening is found, or no memory for a search.
    pub(crate) fn pick(&mut self, rng: &mut SmallRng) -> Result<Vec<Action>> {
        match self {
            RandomOpenings::Given(given) => Ok(given[rng.random_range(0..given.len())].clone()),
            RandomOpenings::Made(maker) => {
                let first: u64 = rng.random();
                for i in 0..TRIES {
                    if let Some(opening) = maker.make(keys::mix(first.wrapping_add(i)))? {
                        return Ok(opening.actions);
                    }
                }
                bail!("none of {TRIES} random openings is balanced enough")
            }
        }
    }
}

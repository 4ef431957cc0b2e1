//! Schedule of a match: pairings, openings and seats as a function of the
//! settings alone, so that an interrupted match can be resumed.

use std::fmt;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// Which engines play each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Every engine plays every other.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// Order in which openings are played.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// Shuffled by --seed.
    #[default]
    Random,
    /// As in the file.
    File,
}

/// A scheduled game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// Number of the game, from 0.
    pub(super) game: u64,
    /// Which two engines meet: index into [`Schedule::pairings`].
    pub(super) pairing: usize,
    /// Number of the pair of games between the two, from 0.
    pub(super) pair: u64,
    /// Numbers of the engine that acts first (Black, unless colours are swapped) and of the
    /// other.
    pub(super) players: [usize; 2],
    /// Index of the opening.
    pub(super) opening: usize,
}

/// All games of a match. Games `2n` and `2n + 1` are a pair: the same opening with the
/// seats exchanged. Pairings alternate, and all play the same openings.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pairings: Vec<[usize; 2]>,
    openings: Vec<usize>,
    /// Pairs of games of each pairing; `None`: without end.
    pairs: Option<u64>,
}

impl Schedule {
    /// `openings` is the number of openings, at least 1.
    pub(super) fn new(
        engines: usize,
        tournament: Tournament,
        openings: usize,
        order: OpeningOrder,
        seed: u64,
        pairs: Option<u64>,
    ) -> Schedule {
        let firsts = match tournament {
            Tournament::RoundRobin => 0..engines,
            Tournament::Gauntlet => 0..1,
        };
        let pairings = firsts.flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect();
        let mut openings: Vec<usize> = (0..openings).collect();
        if order == OpeningOrder::Random {
            openings.shuffle(&mut SmallRng::seed_from_u64(seed));
        }
        Schedule { pairings, openings, pairs }
    }

    /// The engines of each pairing, by their numbers.
    pub(super) fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Number of games; `None`: without end.
    pub(super) fn games(&self) -> Option<u64> {
        Some(self.pairs?.saturating_mul(2 * self.pairings.len() as u64))
    }

    /// Returns a game by its number, if the match has that many.
    pub(super) fn slot(&self, game: u64) -> Option<Slot> {
        let beyond = self.games().is_some_and(|games| game >= games);
        (!beyond).then(|| self.endless(game))
    }

    /// Returns a game by its number as if the match had no end.
    pub(super) fn endless(&self, game: u64) -> Slot {
        let pairings = self.pairings.len() as u64;
        let pairing = (game / 2 % pairings) as usize;
        let pair = game / 2 / pairings;
        let [a, b] = self.pairings[pairing];
        Slot {
            game,
            pairing,
            pair,
            players: if game.is_multiple_of(2) { [a, b] } else { [b, a] },
            opening: self.openings[(pair % self.openings.len() as u64) as usize],
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(tournament: Tournament, order: OpeningOrder, seed: u64) -> Vec<Slot> {
        let schedule = Schedule::new(3, tournament, 4, order, seed, Some(8));
        (0..).map_while(|game| schedule.slot(game)).collect()
    }

    #[test]
    fn every_pairing_plays_every_opening_with_both_colours() {
        for (tournament, pairings) in [(Tournament::RoundRobin, 3), (Tournament::Gauntlet, 2)] {
            let slots = schedule(tournament, OpeningOrder::Random, 1);
            assert_eq!(slots.len(), pairings * 16);
            for pair in slots.chunks(2) {
                let [a, b] = pair[0].players;
                assert_eq!(pair[1].players, [b, a]);
                assert!(a < b && (tournament == Tournament::RoundRobin || a == 0));
                assert_eq!(
                    (pair[0].pair, pair[0].pairing, pair[0].opening),
                    (pair[1].pair, pair[1].pairing, pair[1].opening)
                );
            }
            for pairing in 0..pairings {
                let mut openings: Vec<usize> =
                    slots.iter().filter(|s| s.pairing == pairing).map(|s| s.opening).collect();
                openings.sort_unstable();
                // 8 pairs on 4 openings: each twice, in two games each.
                assert_eq!(openings, (0..4).flat_map(|o| [o; 4]).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_order_depends_on_the_seed_alone() {
        let random = |seed| schedule(Tournament::RoundRobin, OpeningOrder::Random, seed);
        assert_eq!(random(3), random(3));
        assert!((2..9).any(|seed| random(seed) != random(1)));
        let file = schedule(Tournament::Gauntlet, OpeningOrder::File, 1);
        assert_eq!((file[0].opening, file[4].opening, file[15].opening), (0, 1, 3));
    }
}

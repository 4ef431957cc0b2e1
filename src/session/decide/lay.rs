//! Laying a position of which the other seat then chooses its side.
//!
//! Many candidates are searched briefly, the more level half of them twice as
//! long, and so on until few are left (successive halving; Karnin, Koren and
//! Somekh, 2013). One of those that are as level as the best is drawn at random,
//! so that nobody can prepare for it.

use std::hash::{BuildHasher, RandomState};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::decision_search::DecisionSearch;
use super::sample::{SEED, after, sample};
use super::way::Way;
use goren_core::opening::{GameState, PendingDecision};
use goren_core::types::{Cell, Color, Score, Symmetry};

/// Candidates of the first round.
const CANDIDATES: usize = 64;
/// Candidates of the last round.
const FINALISTS: usize = 4;
/// Random plies tried for each candidate: some are images of others.
const TRIES: usize = 4;
/// Candidates that are worth at most so many points less than the best one count as
/// level with it. One more ply of search changes scores as much.
const LEVEL: Score = 20;

/// A candidate.
struct Candidate {
    way: Way,
    next: GameState,
    /// The round in which it was searched last, from 1; 0 before it was.
    round: usize,
}

impl DecisionSearch<'_> {
    /// The plies of one choice that leave the position most level, with what it is
    /// worth then: at most 0, as the other seat takes the better side.
    pub(super) fn lay(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        parts: usize,
    ) -> Option<Way> {
        let mut rng = self.rng();
        let mut candidates = candidates(game_state, &mut rng);
        let rounds = rounds(candidates.len());
        for round in 1..=rounds {
            let number = candidates.len();
            for i in 0..number {
                if self.is_spent() && candidates.iter().any(|candidate| candidate.round > 0) {
                    return pick(candidates, &mut rng);
                }
                // As much for each candidate and round that is to come.
                let parts = parts * ((rounds + 1 - round) * number - i);
                let candidate = &mut candidates[i];
                let value = self.position_value(&candidate.next, pending.seat, parts);
                if self.info.searched().is_some() || candidate.next.result().is_some() {
                    candidate.way.value = value;
                    candidate.round = round;
                }
            }
            candidates.retain(|candidate| candidate.round == round);
            candidates.sort_by_key(|candidate| -candidate.way.value);
            if round < rounds {
                candidates.truncate(number.div_ceil(2).max(FINALISTS));
            }
        }
        pick(candidates, &mut rng)
    }

    /// A source of chance: without a clock, the same each time.
    fn rng(&self) -> SmallRng {
        let seed = if self.has_clock() { RandomState::new().hash_one(SEED) } else { SEED };
        SmallRng::seed_from_u64(seed)
    }
}

/// Rounds in which so many candidates become few.
fn rounds(candidates: usize) -> usize {
    1 + (0..).take_while(|halved| candidates.div_ceil(1 << halved) > FINALISTS).count()
}

/// Random plies that no symmetry of the board makes the same.
fn candidates(game_state: &GameState, rng: &mut SmallRng) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut seen = Vec::new();
    for _ in 0..TRIES * CANDIDATES {
        if candidates.len() == CANDIDATES {
            break;
        }
        let Some(action) = sample(game_state, rng) else { break };
        let Some(next) = after(game_state, &action) else { break };
        let image = image(&next);
        if !seen.contains(&image) {
            seen.push(image);
            candidates.push(Candidate { way: Way { action, value: 0 }, next, round: 0 });
        }
    }
    candidates
}

/// The least of the symmetric images of the stones.
fn image(game_state: &GameState) -> Vec<(Cell, Color)> {
    let contest = game_state.contest();
    let image = |symmetry: Symmetry| {
        let stones = game_state.stones().into_iter();
        let mut stones: Vec<(Cell, Color)> =
            stones.map(|(cell, color)| (symmetry.apply(cell), color)).collect();
        stones.sort_unstable_by_key(|&(cell, color)| (cell, color.index()));
        stones
    };
    let images = Symmetry::all(contest.width, contest.height).map(image);
    let key = |stones: &Vec<(Cell, Color)>| {
        stones.iter().map(|&(cell, color)| (cell, color.index())).collect::<Vec<_>>()
    };
    images.min_by_key(key).unwrap_or_default()
}

/// One of the candidates that are level with the best of those that were searched
/// longest.
fn pick(candidates: Vec<Candidate>, rng: &mut SmallRng) -> Option<Way> {
    let round = candidates.iter().map(|candidate| candidate.round).max()?;
    let last = candidates.into_iter().filter(|candidate| candidate.round == round);
    let ways: Vec<Way> = last.map(|candidate| candidate.way).collect();
    let best = ways.iter().map(|way| way.value).max()?;
    let level: Vec<Way> = ways.into_iter().filter(|way| way.value >= best - LEVEL).collect();
    Some(level[rng.random_range(0..level.len())].clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::Action;
    use goren_core::rules::{Contest, OpeningId, Variant};

    #[test]
    fn candidates_are_halved_to_the_finalists() {
        for (candidates, expected) in [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (64, 5)] {
            assert_eq!(rounds(candidates), expected, "{candidates}");
        }
    }

    #[test]
    fn no_candidate_is_the_image_of_another() {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap()).on(5, 5).unwrap();
        let game_state = GameState::new(contest.opened(OpeningId::Swap1st).unwrap());
        let mut rng = SmallRng::seed_from_u64(1);
        // A board of 5x5 has six cells that no symmetry makes the same.
        assert_eq!(candidates(&game_state, &mut rng).len(), 6);
    }

    #[test]
    fn only_what_was_searched_longest_is_picked_from() {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap());
        let next = GameState::new(contest);
        let at = |x: usize, value: Score, round: usize| {
            let way = Way { action: Action::stone(Cell::new(x, 0)), value };
            Candidate { way, next: next.clone(), round }
        };
        let mut rng = SmallRng::seed_from_u64(1);
        let mut picked = Vec::new();
        for _ in 0..50 {
            let all = vec![at(0, 0, 1), at(1, -30, 2), at(2, -30 - LEVEL, 2), at(3, -60, 2)];
            picked.push(pick(all, &mut rng).unwrap().action);
        }
        for (x, drawn) in [(0, false), (1, true), (2, true), (3, false)] {
            assert_eq!(picked.contains(&Action::stone(Cell::new(x, 0))), drawn, "{x}");
        }
        assert_eq!(pick(Vec::new(), &mut rng), None);
    }
}

//! Opening stones after which the other seat may swap.
//!
//! All candidates are searched briefly, then the more balanced half again, four times as long each,
//! and so on until few are left. This is successive halving (Karnin, Koren and Somekh, 2013), but
//! with twice the time for each round, because choosing an unbalanced winner costs more than
//! missing a good candidate. One of the candidates about as balanced as the best is drawn at
//! random, so that no opponent can prepare for it.
//!
//! If the game has balanced openings for the board, some of these are the candidates: they were
//! searched longer than is possible here.

use std::hash::{BuildHasher, RandomState};

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::decision_option::{DecisionOption, better};
use super::decision_search::DecisionSearch;
use super::sample::{SEED, after, sample_of, swap_follows};
use goren_core::opening::{self, Action, Choice, GameState, PendingDecision};
use goren_core::rules::Contest;
use goren_core::types::{Cell, Color, Score, Symmetry};

/// Maximum number of candidates of the first round. The number is halved until the limits allow the
/// shortest search of each.
const CANDIDATES: usize = 64;
/// Number of candidates if only depth is limited.
const UNLIMITED: usize = 16;
/// Maximum number of balanced openings used as candidates.
const BALANCED: usize = 8;
/// Maximum number of figures compared if a number of fifths is declared with the figure.
const FIGURES: usize = 5;
/// Candidates of the last round.
const FINALISTS: usize = 4;
/// Random plies drawn per candidate wanted: some are images of others.
const TRIES: usize = 4;
/// Candidates within this many points of the best count as equally balanced: one more
/// ply of depth may change a score as much.
pub(super) const LEVEL: Score = 20;
/// The same if further opening stones follow, which can restore the balance.
const ROUGHLY_LEVEL: Score = 80;

/// The chosen stones.
pub(super) struct OpeningStones {
    /// The ply and its value.
    pub(super) option: DecisionOption,
    /// Whether it was searched; false if time ran out before.
    pub(super) searched: bool,
    /// Whether the value takes into account the fifths to come.
    pub(super) includes_fifths: bool,
}

/// A candidate.
struct Candidate {
    option: DecisionOption,
    next: GameState,
    /// The last round that searched it, from 1; 0 before the first.
    round: usize,
    /// Its value in that round.
    latest: Score,
    /// Whether `latest` takes into account the fifths to come.
    includes_fifths: bool,
}

impl Candidate {
    /// Stores the value of a round. The lower one of the last two rounds counts: unstable scores
    /// are not trusted. A value that takes into account the fifths to come is not compared with
    /// one that does not.
    fn note(&mut self, round: usize, value: Score, includes_fifths: bool) {
        let comparable = self.round > 0 && self.includes_fifths == includes_fifths;
        self.option.value = if comparable { value.min(self.latest) } else { value };
        (self.round, self.latest, self.includes_fifths) = (round, value, includes_fifths);
    }
}

/// Candidates whose positions are no symmetric images of each other.
#[derive(Default)]
struct Distinct {
    candidates: Vec<Candidate>,
    /// Canonical keys of their positions.
    images: Vec<Vec<(Cell, Color)>>,
}

impl Distinct {
    /// Adds the ply that leads to `next`, unless another candidate leads to an image of it.
    fn add(&mut self, action: Action, next: GameState) {
        let image = image(&next);
        if !self.images.contains(&image) {
            self.images.push(image);
            let option = DecisionOption { action, value: 0 };
            let candidate = Candidate { option, next, round: 0, latest: 0, includes_fifths: false };
            self.candidates.push(candidate);
        }
    }
}

impl DecisionSearch<'_> {
    /// Returns the ply of a choice that leaves the position most balanced. Its value is at most 0,
    /// as the other seat then takes the better side.
    pub(super) fn balanced_stones(
        &mut self,
        game_state: &GameState,
        choice: &Choice,
        parts: usize,
    ) -> Option<OpeningStones> {
        let mut rng = self.rng();
        let mut candidates = balanced(game_state, &mut rng);
        if candidates.is_empty() {
            let number = self.room().map_or(UNLIMITED, |room| affordable(room / parts.max(1)));
            candidates = random(game_state, choice, number, &mut rng);
        }
        // The only ply needs no value if there is no other option.
        let is_only = |pending: PendingDecision| !pending.swap && pending.choices.len() == 1;
        if candidates.len() == 1 && game_state.pending_decision().is_some_and(is_only) {
            return pick(candidates, &mut rng);
        }
        // A depth limit is the same in all rounds: more rounds would bring nothing.
        let rounds = if self.is_limited() { rounds(candidates.len()) } else { 1 };
        for round in 1..=rounds {
            let number = candidates.len();
            for i in 0..number {
                if self.is_spent() {
                    return pick(candidates, &mut rng);
                }
                // Each round has twice the time of the one before, so all later rounds
                // together have this many times the time of this one.
                let to_come = (2 << (rounds - round)) - 2;
                let parts = parts * (to_come * number + number - i);
                let candidate = &mut candidates[i];
                // The other seat takes the better side.
                let opening_value = self.opening_value(&candidate.next, parts);
                if self.info.searched().is_some() || candidate.next.result().is_some() {
                    let value = -opening_value.best();
                    candidate.note(round, value, opening_value.includes_fifths);
                }
            }
            if candidates.iter().all(|candidate| candidate.round < round) {
                break;
            }
            candidates.retain(|candidate| candidate.round == round);
            candidates.sort_by_key(|candidate| -candidate.option.value);
            if round < rounds {
                candidates.truncate(number.div_ceil(2).max(FINALISTS));
            }
        }
        pick(candidates, &mut rng)
    }

    /// Returns a figure with the number of fifths that leaves the position most balanced: one of
    /// the game's balanced openings, or else a random figure with the number found here.
    pub(super) fn declared_figure(
        &mut self,
        game_state: &GameState,
        bounds: (usize, usize),
        parts: usize,
    ) -> Option<DecisionOption> {
        let mut rng = self.rng();
        let known = balanced(game_state, &mut rng).into_iter().map(|known| known.option.action);
        let known = known.filter_map(|action| match action {
            Action::Stones { cells, count: Some(count) } => Some((cells, (count, count))),
            _ => None,
        });
        let mut figures_and_bounds: Vec<_> = known.take(FIGURES).collect();
        if figures_and_bounds.is_empty() {
            let figures = game_state.figures();
            let any = |_| (figures[rng.random_range(0..figures.len())].to_vec(), bounds);
            figures_and_bounds = (0..FIGURES).map(any).collect();
        }
        let number = figures_and_bounds.len();
        let mut best: Option<DecisionOption> = None;
        for (i, (cells, bounds)) in figures_and_bounds.into_iter().enumerate() {
            if best.is_some() && self.is_spent() {
                break;
            }
            let option = self.declared(game_state, cells, bounds, parts * (number - i));
            best = better(best, option);
        }
        best
    }

    /// Returns the random generator: at full strength with a fixed seed if there is no clock.
    fn rng(&mut self) -> SmallRng {
        let default_seed = if self.has_clock() { RandomState::new().hash_one(SEED) } else { SEED };
        SmallRng::seed_from_u64(self.seed(default_seed))
    }
}

/// Number of candidates if `room` shortest searches are affordable.
fn affordable(room: usize) -> usize {
    let mut number = CANDIDATES;
    while number > FINALISTS && ((1 << rounds(number)) - 1) * number > room {
        number /= 2;
    }
    number
}

/// Number of rounds that reduce the candidates to the finalists.
fn rounds(candidates: usize) -> usize {
    1 + (0..).take_while(|halved| candidates.div_ceil(1 << halved) > FINALISTS).count()
}

/// Returns the next plies of some of the game's balanced openings, in random symmetric images.
/// Empty if the game has none for this board and opening, or if none leads through this position.
fn balanced(game_state: &GameState, rng: &mut SmallRng) -> Vec<Candidate> {
    let Contest { variant, width, height, opening, .. } = *game_state.contest();
    let openings = variant.sheet().balanced.iter();
    let mut openings: Vec<&str> = openings
        .filter(|known| known.board == (width, height) && known.opening == opening)
        .filter(|_| variant == variant.plain())
        .flat_map(|openings| openings.lines())
        .collect();
    let mut symmetries: Vec<Symmetry> = Symmetry::all(width, height).collect();
    openings.shuffle(rng);
    let mut found = Distinct::default();
    for line in openings {
        if found.candidates.len() == BALANCED {
            break;
        }
        symmetries.shuffle(rng);
        let Some(action) = next_ply(line, game_state, &symmetries) else { continue };
        let Some(next) = after(game_state, &action) else { continue };
        // Several openings may share their first plies.
        found.add(action, next);
    }
    found.candidates
}

/// Returns the next ply of an opening, in its first image that matches the stones of the game.
/// `line`: the plies of the opening, separated by blanks.
fn next_ply(line: &str, game_state: &GameState, symmetries: &[Symmetry]) -> Option<Action> {
    let stones = |of: &GameState, symmetry: Option<&Symmetry>| {
        let turned = |(cell, color): (Cell, Color)| {
            (symmetry.map_or(cell, |symmetry| symmetry.apply(cell)), color.index())
        };
        let mut stones: Vec<(Cell, usize)> = of.stones().into_iter().map(turned).collect();
        stones.sort_unstable();
        stones
    };
    let here = stones(game_state, None);
    let mut known = GameState::new(*game_state.contest());
    for ply in line.split_whitespace() {
        let action = opening::read(&known, ply).ok()?;
        if known.stones().len() < here.len() {
            known.apply(&action).ok()?;
            continue;
        }
        let Action::Stones { cells, count } = action else { return None };
        // The opening rule may forbid some of the images.
        return symmetries.iter().find_map(|symmetry| {
            let cells = cells.iter().map(|&cell| symmetry.apply(cell)).collect();
            let action = Action::Stones { cells, count };
            let fits = stones(&known, Some(symmetry)) == here;
            (fits && after(game_state, &action).is_some()).then_some(action)
        });
    }
    None
}

/// Returns up to `number` random plies of a choice, none of which is an image of another.
fn random(
    game_state: &GameState,
    choice: &Choice,
    number: usize,
    rng: &mut SmallRng,
) -> Vec<Candidate> {
    let mut found = Distinct::default();
    for _ in 0..TRIES * number {
        if found.candidates.len() == number {
            break;
        }
        let Some(action) = sample_of(game_state, choice, rng) else { break };
        let Some(next) = after(game_state, &action) else { break };
        found.add(action, next);
    }
    found.candidates
}

/// Returns the least of the symmetric images of the stones, as a canonical key.
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

/// Picks at random one of the candidates about as balanced as the best, among those searched in the
/// last round; among all if none was searched.
fn pick(candidates: Vec<Candidate>, rng: &mut SmallRng) -> Option<OpeningStones> {
    let round = candidates.iter().map(|candidate| candidate.round).max()?;
    let last = candidates.into_iter().filter(|candidate| candidate.round == round);
    let last: Vec<Candidate> = last.collect();
    let best = last.iter().map(|candidate| candidate.option.value).max()?;
    let includes_fifths = last.iter().all(|candidate| candidate.includes_fifths);
    let more_stones_follow = last.iter().any(|candidate| swap_follows(&candidate.next));
    let margin = if more_stones_follow && !includes_fifths { ROUGHLY_LEVEL } else { LEVEL };
    let level = last.into_iter().map(|candidate| candidate.option);
    let level: Vec<DecisionOption> = level.filter(|option| option.value >= best - margin).collect();
    let option = level[rng.random_range(0..level.len())].clone();
    Some(OpeningStones { option, searched: round > 0, includes_fifths })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{OpeningId, Variant};
    use goren_engine::{Engine, Request, WeightSet, new_position};

    #[test]
    fn candidates_are_halved_to_the_finalists() {
        for (candidates, expected) in [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (64, 5)] {
            assert_eq!(rounds(candidates), expected, "{candidates}");
        }
    }

    #[test]
    fn there_are_no_more_candidates_than_can_be_searched() {
        // 64 candidates in 5 rounds cost 31 * 64 shortest searches.
        for (room, expected) in [(31 * 64, 64), (31 * 64 - 1, 32), (15 * 32 - 1, 16), (0, 4)] {
            assert_eq!(affordable(room), expected, "{room}");
        }
    }

    #[test]
    fn an_unstable_score_is_not_trusted() {
        let next = GameState::new(Contest::new(Variant::from_name("freestyle").unwrap()));
        let option = DecisionOption { action: Action::Swap, value: 0 };
        let mut candidate = Candidate { option, next, round: 0, latest: 0, includes_fifths: false };
        for (round, value, includes_fifths, counted) in [
            (1, -40, false, -40),
            (2, -10, false, -40),
            (3, -5, false, -10),
            (4, -70, false, -70),
            // The fifths to come make another value of it.
            (5, -20, true, -20),
            (6, -10, true, -20),
        ] {
            candidate.note(round, value, includes_fifths);
            assert_eq!((candidate.option.value, candidate.round), (counted, round));
        }
    }

    #[test]
    fn no_candidate_is_the_image_of_another() {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap()).on(5, 5).unwrap();
        let game_state = GameState::new(contest.opened(OpeningId::Swap1st).unwrap());
        let mut rng = SmallRng::seed_from_u64(1);
        // A board of 5x5 has six cells that are no images of each other.
        let choice = &game_state.pending_decision().unwrap().choices[0];
        assert_eq!(random(&game_state, choice, CANDIDATES, &mut rng).len(), 6);
    }

    #[test]
    fn balanced_openings_are_legal_and_no_image_of_another() {
        let mut files = 0;
        for game in Variant::games() {
            for openings in game.sheet().balanced {
                let (width, height) = openings.board;
                let contest = Contest::new(game).on(width, height).unwrap();
                let game_state = GameState::new(contest.opened(openings.opening).unwrap());
                let (mut images, mut first) = (Vec::new(), Vec::new());
                for line in openings.lines() {
                    let mut position = game_state.clone();
                    for ply in line.split_whitespace() {
                        // In any image of the earlier plies.
                        let turned = balanced(&position, &mut SmallRng::seed_from_u64(1));
                        assert!(!turned.is_empty(), "{game} {width} {line} {ply}");
                        let action = opening::read(&position, ply).unwrap();
                        position.apply(&action).unwrap();
                        first.extend((position.actions().len() == 1).then(|| image(&position)));
                    }
                    // Now the other seat may swap, for the last time.
                    assert!(position.pending_decision().unwrap().swap, "{game} {width} {line}");
                    assert!(!swap_follows(&position), "{game} {width} {line}");
                    images.push(image(&position));
                }
                let number = images.len();
                for images in [&mut images, &mut first] {
                    images.sort_unstable_by_key(|stones| format!("{stones:?}"));
                    images.dedup();
                }
                assert!(number > FINALISTS && images.len() == number, "{game} {width}");
                let candidates = balanced(&game_state, &mut SmallRng::seed_from_u64(1));
                assert_eq!(candidates.len(), first.len().min(BALANCED));
                files += 1;
            }
        }
        assert!(files > 0);
        // Balanced openings belong to the plain game and to one opening.
        for (game, opening) in
            [("freestyle", OpeningId::Swap1st), ("pente+keryo", OpeningId::Swap2)]
        {
            let contest = Contest::new(Variant::from_name(game).unwrap()).opened(opening);
            let game_state = GameState::new(contest.unwrap());
            assert!(balanced(&game_state, &mut SmallRng::seed_from_u64(1)).is_empty(), "{game}");
        }
    }

    #[test]
    fn a_figure_with_a_number_is_one_of_the_balanced_openings() {
        let contest = Contest::new(Variant::from_name("renju").unwrap());
        let game_state = GameState::new(contest.opened(OpeningId::Yamaguchi).unwrap());
        let keyed = |action: &Action| {
            let Action::Stones { count, .. } = action else { panic!("{action:?}") };
            (image(&after(&game_state, action).unwrap()), *count)
        };

        let mut openings = contest.variant.sheet().balanced.iter();
        let openings = openings.find(|known| known.opening == OpeningId::Yamaguchi).unwrap();
        let known = openings.lines().map(|line| keyed(&opening::read(&game_state, line).unwrap()));
        let known: Vec<_> = known.collect();
        let mut position = new_position(game_state.contest(), &WeightSet::default());
        let (mut engine, request) = (Engine::default(), Request::nodes(4_000));
        let mut search = DecisionSearch::new(&mut *position, &mut engine, &request, None);
        let option = search.declared_figure(&game_state, (1, 12), 1).unwrap();
        assert!(known.contains(&keyed(&option.action)), "{:?}", option.action);
    }

    #[test]
    fn only_candidates_of_the_last_round_are_picked() {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap());
        let next = GameState::new(contest);
        let at = |x: usize, value: Score, round: usize| {
            let option = DecisionOption { action: Action::stone(Cell::new(x, 0)), value };
            Candidate { option, next: next.clone(), round, latest: value, includes_fifths: false }
        };
        let mut rng = SmallRng::seed_from_u64(1);
        let mut picked = Vec::new();
        for _ in 0..50 {
            let all = vec![at(0, 0, 1), at(1, -30, 2), at(2, -30 - LEVEL, 2), at(3, -60, 2)];
            picked.push(pick(all, &mut rng).unwrap().option.action);
        }
        for (x, drawn) in [(0, false), (1, true), (2, true), (3, false)] {
            assert_eq!(picked.contains(&Action::stone(Cell::new(x, 0))), drawn, "{x}");
        }
        assert!(pick(Vec::new(), &mut rng).is_none());
    }
}

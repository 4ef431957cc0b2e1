//! Makes an opening from a seed.

use std::iter;

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::searched_game::{SearchedGame, new_engine};
use goren_core::opening::{self, Action, GameState};
use goren_core::rules::{Contest, OpeningId};
use goren_core::types::{Cell, Color, PROVEN, Score, Symmetry};
use goren_decide::{Decider, sample, swap_follows};
use goren_engine::{Engine, Request, WeightSet};

/// Bytes of the transposition table of a searching thread.
const TABLE_BYTES: usize = 4 << 20;
/// Last turns that are compared for one opening.
const LAST_TURNS: usize = 16;
/// The rounds in which they are compared (successive halving): divisor of the nodes of
/// each search, turns left afterwards, and multiple of the maximum score that a turn
/// may have, as short searches err.
const ROUNDS: [(u64, usize, Score); 3] = [(128, 4, 4), (32, 2, 3), (8, 1, 2)];
/// Lower bound of the maximum score in the rounds.
const MIN_BOUND: Score = 20;
/// Maximum number of nodes for the value of a position; the position is dropped if its
/// value is still unknown.
const MAX_VALUE_NODES: u64 = 1 << 14;
/// Random turns that are tried before the opening is dropped.
const TURN_TRIES: usize = 50;

/// Requirements on openings.
#[derive(Clone)]
pub(crate) struct Recipe {
    /// Game, board and opening.
    pub contest: Contest,
    /// Weights of the evaluation.
    pub weights: WeightSet,
    /// Minimum and maximum number of stones; the last turn is played to its end.
    /// Openings with swaps go up to a swap instead.
    pub stones: (usize, usize),
    /// Whether they go up to the last swap on offer if nobody swaps before, instead of
    /// the first.
    pub to_last_swap: bool,
    /// Nodes of the search that measures the score; more if these do not suffice for a
    /// decision search.
    pub nodes: u64,
    /// Maximum score for either side, in points.
    pub max_score: Score,
}

impl Recipe {
    /// An empty game, evaluated by the weights.
    pub(crate) fn new_game(&self) -> SearchedGame {
        SearchedGame::new(&self.contest, &self.weights)
    }

    /// A recipe of quickly made openings.
    #[cfg(test)]
    pub(crate) fn quick(contest: Contest) -> Recipe {
        Recipe {
            contest,
            weights: WeightSet::default(),
            stones: (1, 2),
            to_last_swap: false,
            nodes: 100,
            max_score: 200,
        }
    }
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    /// Its plies.
    pub actions: Vec<Action>,
    /// Score for the side to move, in points.
    pub score: Score,
}

/// Equal for all openings whose positions are equal by a symmetry of the board: the
/// least of the symmetric images, Black's stones and White's in order.
pub(crate) fn canonical(actions: &[Action], contest: &Contest) -> [Vec<Cell>; 2] {
    let mut game_state = GameState::new(*contest);
    // Openings are legal.
    let _ = actions.iter().try_for_each(|action| game_state.apply(action));
    let stones = game_state.stones();
    let image = |symmetry: Symmetry| {
        Color::ALL.map(|side| {
            let own = stones.iter().filter(|&&(_, color)| color == side);
            let mut cells: Vec<Cell> = own.map(|&(cell, _)| symmetry.apply(cell)).collect();
            cells.sort_unstable();
            cells
        })
    };
    Symmetry::all(contest.width, contest.height).map(image).min().unwrap_or_default()
}

/// Equal for all openings that begin the same game: [`canonical`], and what their plies do
/// besides placing stones.
pub(crate) fn identity(actions: &[Action], contest: &Contest) -> ([Vec<Cell>; 2], Vec<PlyKind>) {
    let kind = |action: &Action| match action {
        Action::Stones { count, .. } => PlyKind::Stones(*count),
        Action::Swap => PlyKind::Swap,
        Action::Pass => PlyKind::Pass,
        Action::Offer(cells) => PlyKind::Offer(cells.clone()),
        Action::Choose { .. } => PlyKind::Choose,
    };
    (canonical(actions, contest), actions.iter().map(kind).collect())
}

/// What a ply does besides placing stones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PlyKind {
    /// Places stones, and may declare a number of fifths.
    Stones(Option<usize>),
    Swap,
    Pass,
    Offer(Vec<Cell>),
    Choose,
}

/// Makes openings. An opening depends only on its recipe and seed.
pub(crate) struct Maker {
    recipe: Recipe,
    game: SearchedGame,
    engine: Engine,
    /// Judges positions that the other seat may swap.
    decider: Option<Decider>,
}

impl Maker {
    /// # Errors
    /// No memory for the table.
    pub(crate) fn new(recipe: &Recipe) -> Result<Maker> {
        let engine = new_engine(TABLE_BYTES)?;
        let decider = || Decider::new(&recipe.contest, &recipe.weights, engine.hash());
        let decider = has_swaps(recipe.contest.opening).then(decider);
        Ok(Maker { recipe: recipe.clone(), game: recipe.new_game(), engine, decider })
    }

    /// Makes the opening of a seed; `None` if it is not balanced.
    ///
    /// # Errors
    /// No memory or no thread for a search.
    pub(crate) fn make(&mut self, seed: u64) -> Result<Option<Opening>> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (min, max) = self.recipe.stones;
        let stones = rng.random_range(min..=max);
        let area = Area::random(&self.recipe.contest, stones, &mut rng);
        self.game.begin(&[], &mut self.engine)?;
        let played = if self.decider.is_some() {
            self.play_to_a_swap(&area, &mut rng)?
        } else {
            self.play_stones(stones, &area, &mut rng)?
        };
        if !played {
            return Ok(None);
        }
        let score = self.measure(self.recipe.nodes)?;
        let actions = self.game.game_state().actions().to_vec();
        Ok((score.abs() <= self.recipe.max_score).then_some(Opening { actions, score }))
    }

    /// Plays `stones` stones, the last turn to its end. Returns whether they could be played.
    fn play_stones(&mut self, stones: usize, area: &Area, rng: &mut SmallRng) -> Result<bool> {
        let mut placed = 0;
        while placed < stones {
            let Some(due) = self.game.turn() else { return Ok(false) };
            placed += due;
            let played = if placed < stones {
                self.play_somewhere(area, due, rng).is_some()
            } else {
                self.play_balanced(area, due, rng)?
            };
            if !played {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Plays the plies up to the swap of the recipe. Returns whether they could be played.
    fn play_to_a_swap(&mut self, area: &Area, rng: &mut SmallRng) -> Result<bool> {
        loop {
            let mut next = self.game.game_state().clone();
            let Some(action) = sample(&next, rng) else { return Ok(false) };
            next.apply(&action)?;
            let more = self.recipe.to_last_swap && swap_follows(&next);
            if next.pending_decision().is_some_and(|pending| pending.swap) && !more {
                return self.play_balanced(area, 0, rng);
            }
            if !self.game.play_on(&action) {
                return Ok(false);
            }
        }
    }

    /// Plays a random turn of `due` stones that does not end the game, in the area
    /// if possible; in openings with swaps, a random ply of the opening.
    fn play_somewhere(&mut self, area: &Area, due: usize, rng: &mut SmallRng) -> Option<Action> {
        if self.decider.is_some() {
            let action = sample(self.game.game_state(), rng)?;
            return self.game.play_on(&action).then_some(action);
        }
        let all = self.game.free();
        let near: Vec<Cell> = all.iter().copied().filter(|&cell| area.contains(cell)).collect();
        let mut cells = if near.len() < due { all } else { near };
        (0..TURN_TRIES).find_map(|_| {
            let stones = cells.partial_shuffle(rng, due).0;
            let action = ordered(self.game.game_state(), Action::stones(stones))?;
            self.game.play_on(&action).then_some(action)
        })
    }

    /// Plays, of some turns, the one that leaves the position most balanced. Returns
    /// whether there is one.
    fn play_balanced(&mut self, area: &Area, due: usize, rng: &mut SmallRng) -> Result<bool> {
        let mut turns: Vec<Action> = Vec::new();
        for _ in 0..LAST_TURNS {
            let Some(action) = self.play_somewhere(area, due, rng) else { break };
            self.game.take_back();
            if !turns.contains(&action) {
                turns.push(action);
            }
        }
        for (part, left, factor) in ROUNDS {
            let bound = factor * self.recipe.max_score.max(MIN_BOUND);
            let mut balanced = Vec::new();
            for action in turns {
                self.game.play_on(&action);
                let imbalance = self.measure((self.recipe.nodes / part).max(1))?.abs();
                self.game.take_back();
                if imbalance < PROVEN && imbalance <= bound {
                    balanced.push((imbalance, action));
                }
            }
            balanced.sort_by_key(|&(imbalance, _)| imbalance);
            turns = balanced.into_iter().take(left).map(|(_, action)| action).collect();
        }
        Ok(turns.first().is_some_and(|action| self.game.play_on(action)))
    }

    fn measure(&mut self, nodes: u64) -> Result<Score> {
        // From a cleared state, so that the score depends on the position alone.
        self.game.forget(&mut self.engine);
        if let Some(decider) = &mut self.decider {
            decider.forget();
            // A position without a value is not balanced.
            return Ok(opening_value(decider, self.game.game_state(), nodes).unwrap_or(PROVEN));
        }
        Ok(self.game.search(&mut self.engine, nodes, Vec::new())?.1.score)
    }
}

/// Value of a position that may be swapped, for the side to move. A decision splits its nodes
/// among several searches: if they do not suffice for one of these, they are doubled.
fn opening_value(decider: &mut Decider, game_state: &GameState, nodes: u64) -> Option<Score> {
    let doubled = |nodes: &u64| nodes.checked_mul(2).filter(|&nodes| nodes <= MAX_VALUE_NODES);
    iter::successors(Some(nodes), doubled)
        .find_map(|nodes| decider.opening_value(game_state, &Request::nodes(nodes)))
}

/// Whether a seat may swap in an opening.
pub(super) fn has_swaps(opening: OpeningId) -> bool {
    use OpeningId::{Centre, Free, LongPro, Pro};
    !matches!(opening, Free | Centre | Pro | LongPro)
}

/// A turn with its stones in the order in which they are written; `None` if it is
/// illegal.
fn ordered(game_state: &GameState, action: Action) -> Option<Action> {
    game_state.clone().apply(&action).ok()?;
    Some(opening::canonical(game_state, action))
}

/// A box of the board for the stones of an opening.
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// A box for `stones` stones, most often near the middle.
    fn random(contest: &Contest, stones: usize, rng: &mut SmallRng) -> Area {
        let min = (1..).find(|side| side * side >= 2 * stones).unwrap_or(1).max(3);
        let side = rng.random_range(min..=min + 3);
        let (width, height) = (side.min(contest.width), side.min(contest.height));
        // The mean of two numbers is more often near the middle than a single number.
        let mut place = |room: usize| (rng.random_range(0..=room) + rng.random_range(0..=room)) / 2;
        let (left, top) = (place(contest.width - width), place(contest.height - height));
        Area { left, top, width, height }
    }

    fn contains(&self, cell: Cell) -> bool {
        (self.left..self.left + self.width).contains(&cell.x())
            && (self.top..self.top + self.height).contains(&cell.y())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::contest_of;
    use crate::with_search_stack;
    use goren_core::rules::Variant;

    #[test]
    fn openings_are_balanced_legal_and_depend_on_the_seed_alone() {
        for name in [
            "freestyle",
            "standard",
            "renju",
            "caro",
            "caro-exact",
            "renju+overline",
            "pente",
            "connect6",
            "connect6+noncollinear",
            "four-in-a-row",
            "irensei",
        ] {
            let contest = contest_of(name, None).unwrap();
            let recipe =
                Recipe { stones: (1, 7), nodes: 300, max_score: 60, ..Recipe::quick(contest) };
            let make = |seeds: Vec<u64>| {
                with_search_stack(|| {
                    let mut maker = Maker::new(&recipe)?;
                    seeds.into_iter().map(|seed| maker.make(seed)).collect::<Result<Vec<_>>>()
                })
            };
            let openings = make((0..60).collect()).unwrap();
            let mut repeated = make((40..60).rev().collect()).unwrap();
            repeated.reverse();
            assert_eq!(openings[40..], repeated);
            let found: Vec<&Opening> = openings.iter().flatten().collect();
            assert!(found.len() >= 4, "{name}: {}", found.len());
            for opening in found {
                assert!(opening.score.abs() <= 60 && (1..=8).contains(&opening.actions.len()));
                let mut game_state = GameState::new(contest);
                for action in &opening.actions {
                    game_state.apply(action).unwrap();
                }
                assert!(game_state.result().is_none());
            }
        }
    }

    #[test]
    fn openings_go_up_to_the_first_or_the_last_swap() {
        for (game, opening, stones) in [
            ("gomoku", "swap-5", [1, 5]),
            ("gomoku", "swap-2", [3, 3]),
            ("connect6", "swap-3rd", [5, 5]),
        ] {
            let contest = Contest::new(Variant::from_name(game).unwrap());
            let contest = contest.opened(OpeningId::from_name(opening).unwrap()).unwrap();
            for (to_last_swap, stones) in [false, true].into_iter().zip(stones) {
                let recipe = Recipe {
                    stones: (3, 8),
                    to_last_swap,
                    nodes: 2_000,
                    max_score: 20_000,
                    ..Recipe::quick(contest)
                };
                let opening = with_search_stack(|| {
                    let mut maker = Maker::new(&recipe)?;
                    let made = (0..20).map(|seed| maker.make(seed));
                    made.collect::<Result<Vec<_>>>()
                });
                let opening = opening.unwrap().into_iter().flatten().next().unwrap();
                let mut game_state = GameState::new(contest);
                opening.actions.iter().for_each(|action| game_state.apply(action).unwrap());
                assert_eq!(game_state.stones().len(), stones, "{game} {to_last_swap}");
                assert!(game_state.pending_decision().unwrap().swap, "{game} {to_last_swap}");
            }
        }
    }

    #[test]
    fn openings_with_swaps_are_found_with_few_nodes() {
        for (game, opening, to_last_swap, nodes) in [
            ("gomoku", "swap-2", false, 1),
            ("renju", "rif", false, 200),
            ("caro", "swap-5", true, 50),
        ] {
            let contest = Contest::new(Variant::from_name(game).unwrap());
            let contest = contest.opened(OpeningId::from_name(opening).unwrap()).unwrap();
            let recipe =
                Recipe { to_last_swap, nodes, max_score: 20_000, ..Recipe::quick(contest) };
            let found = with_search_stack(|| {
                let mut maker = Maker::new(&recipe)?;
                (0..8).map(|seed| maker.make(seed)).collect::<Result<Vec<_>>>()
            });
            let found = found.unwrap().into_iter().flatten().count();
            assert!(found >= 2, "{game} {opening}: {found}");
        }
    }

    #[test]
    fn mirrored_openings_are_the_same_but_swapped_colours_are_not() {
        let contest = contest_of("freestyle", None).unwrap();
        let at = Cell::new;
        let moves = [at(7, 7), at(8, 6), at(9, 7)];
        let mirrored = [at(7, 5), at(8, 6), at(7, 7)];
        let swapped = [at(8, 6), at(7, 7), at(9, 7)];
        let canonical = |moves: &[Cell]| {
            let actions: Vec<Action> = moves.iter().copied().map(Action::stone).collect();
            canonical(&actions, &contest)
        };
        assert_eq!(canonical(&moves), canonical(&mirrored.map(|c| at(14 - c.y(), c.x()))));
        assert_ne!(canonical(&moves), canonical(&swapped));
    }
}

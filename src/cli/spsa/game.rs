//! Pairs of games between the two sides of an iteration.

use std::ops::AddAssign;

use anyhow::Result;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde::{Deserialize, Serialize};

use super::tuner::Trial;
use crate::openings::{RandomOpenings, Recipe};
use crate::run::stop::{RESUMED, Stop};
use crate::searched_game::{SearchedGame, new_engine};
use goren_core::opening::{Action, Seat};
use goren_core::record::Ending;
use goren_core::rules::Contest;
use goren_core::types::{PROVEN, Score};
use goren_engine::{Engine, Params, WeightSet};

/// Bytes of a transposition table for each node of a move: a slot for each
/// node of sixteen moves.
const TABLE_BYTES: u64 = 16 * 16;
/// Minimum and maximum bytes of a transposition table.
const TABLE_RANGE: (u64, u64) = (1 << 16, 64 << 20);

/// Minimum and maximum number of stones of new openings.
const STONES: (usize, usize) = (2, 8);
/// Maximum score of new openings for either side, in points.
const MAX_SCORE: Score = 100;
/// New openings are searched with the nodes of a move divided by this.
const OPENING_NODES: u64 = 4;

/// Stones per cell of the board after which a game is drawn, as captures may go on
/// for ever.
const MAX_STONES_PER_CELL: usize = 2;

/// A game of the run, with its weights and openings.
#[derive(Clone)]
pub(super) struct Condition {
    /// Game, board and opening.
    pub contest: Contest,
    /// Weights of the evaluation.
    pub weights: WeightSet,
    /// Openings; new ones are made if there are none.
    pub openings: Vec<Vec<Action>>,
}

/// Games won, lost and drawn by the first side.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct Results(pub u64, pub u64, pub u64);

impl AddAssign for Results {
    fn add_assign(&mut self, other: Results) {
        *self = Results(self.0 + other.0, self.1 + other.1, self.2 + other.2);
    }
}

/// Plays pairs of games. A pair depends only on the nodes, the condition, the sides and
/// a seed.
pub(super) struct PairPlayer<'a> {
    nodes: u64,
    condition_games: Vec<ConditionGames<'a>>,
    /// One for each side, so that neither uses what the other has learnt.
    engines: [Engine; 2],
    stop: Stop,
}

/// The state of a condition between games.
struct ConditionGames<'a> {
    openings: RandomOpenings<'a>,
    /// The game as each side sees it.
    views: [SearchedGame; 2],
}

impl<'a> PairPlayer<'a> {
    /// A player of games at `nodes` nodes a move, which `stop` ends.
    ///
    /// # Errors
    /// No memory for the tables.
    pub(super) fn new(
        nodes: u64,
        conditions: &'a [Condition],
        stop: Stop,
    ) -> Result<PairPlayer<'a>> {
        let bytes = nodes.saturating_mul(TABLE_BYTES).clamp(TABLE_RANGE.0, TABLE_RANGE.1) as usize;
        let games = |condition: &'a Condition| {
            let recipe = Recipe {
                contest: condition.contest,
                weights: condition.weights.clone(),
                stones: STONES,
                to_last_swap: false,
                nodes: nodes.div_ceil(OPENING_NODES),
                max_score: MAX_SCORE,
            };
            let openings = RandomOpenings::new(&recipe, &condition.openings)?;
            Ok(ConditionGames { openings, views: [recipe.new_game(), recipe.new_game()] })
        };
        let condition_games = conditions.iter().map(games).collect::<Result<_>>()?;
        let engines = [new_engine(bytes)?, new_engine(bytes)?];
        Ok(PairPlayer { nodes, condition_games, engines, stop })
    }

    /// Plays an opening twice under a condition, each side beginning once.
    ///
    /// # Errors
    /// No balanced opening is found, or the run was stopped.
    pub(super) fn play_pair(
        &mut self,
        condition: usize,
        trial: &Trial,
        seed: u64,
    ) -> Result<Results> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let opening = self.condition_games[condition].openings.pick(&mut rng)?;
        let mut score = Results::default();
        for seat in Seat::ALL {
            score += match self.play(condition, &opening, seat, &trial.sides)? {
                Ending::Win(winner) if winner == seat => Results(1, 0, 0),
                Ending::Win(_) => Results(0, 1, 0),
                Ending::Draw => Results(0, 0, 1),
            };
        }
        Ok(score)
    }

    /// Plays a game with the first side at `seat`. It ends with the first proven
    /// score.
    fn play(
        &mut self,
        condition: usize,
        opening: &[Action],
        seat: Seat,
        sides: &[Params; 2],
    ) -> Result<Ending> {
        let views = &mut self.condition_games[condition].views;
        for ((view, engine), params) in views.iter_mut().zip(&mut self.engines).zip(sides) {
            view.begin(opening, engine)?;
            engine.set_params(params);
        }
        let Contest { width, height, .. } = *views[0].game_state().contest();
        for _ in 0..MAX_STONES_PER_CELL * width * height {
            if self.stop.asked().is_some() {
                return Err(self.stop.stopped(RESUMED).into());
            }
            if let Some(end) = views[0].ended() {
                return Ok(end.ending);
            }
            let mover = views[0].game_state().seat();
            let side = usize::from(mover != seat);
            let (best, info) = views[side].search(&mut self.engines[side], self.nodes, vec![])?;
            if info.score.abs() >= PROVEN {
                return Ok(Ending::Win(if info.score > 0 { mover } else { !mover }));
            }
            for view in views.iter_mut() {
                // The search does not know every turn that is forbidden.
                if view.stone(best).is_err() {
                    return Ok(Ending::Draw);
                }
            }
        }
        Ok(Ending::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::contest_of;
    use crate::with_search_stack;
    use rand::RngExt;

    fn condition(name: &str) -> Condition {
        let contest = contest_of(name, None).unwrap();
        Condition { contest, weights: WeightSet::default(), openings: Vec::new() }
    }

    /// Random values in their ranges, one in three at an end.
    fn random_params(rng: &mut SmallRng) -> Params {
        let mut params = Params::default();
        for spec in Params::SPECS {
            let value = match rng.random_range(0..6) {
                0 => spec.min,
                1 => spec.max,
                _ => rng.random_range(spec.min..=spec.max),
            };
            params.set(spec.name, &value.to_string()).unwrap();
        }
        params
    }

    #[test]
    fn any_values_in_range_play_complete_games() {
        with_search_stack(|| {
            let conditions = ["freestyle", "renju", "connect6", "pente"].map(condition);
            let mut player = PairPlayer::new(400, &conditions, Stop::after(None))?;
            let mut rng = SmallRng::seed_from_u64(3);
            for seed in 0..20 {
                let trial = Trial { sides: [random_params(&mut rng), random_params(&mut rng)] };
                let pair = player.play_pair(seed as usize % 4, &trial, seed)?;
                assert_eq!(pair.0 + pair.1 + pair.2, 2);
            }
            Ok(())
        })
        .unwrap();
    }

    #[test]
    fn a_pair_does_not_depend_on_earlier_games() {
        with_search_stack(|| {
            let conditions = ["freestyle", "caro"].map(condition);
            let mut rng = SmallRng::seed_from_u64(5);
            let mut trial = || Trial { sides: [random_params(&mut rng), random_params(&mut rng)] };
            let trials: Vec<Trial> = (0..8).map(|_| trial()).collect();
            let mut used = PairPlayer::new(100, &conditions, Stop::after(None))?;
            let mut decided = 0;
            for (i, trial) in trials.iter().enumerate() {
                let pair = used.play_pair(i % 2, trial, i as u64)?;
                let alone = PairPlayer::new(100, &conditions, Stop::after(None))?.play_pair(
                    i % 2,
                    trial,
                    i as u64,
                )?;
                assert_eq!(pair, alone);
                // With the sides exchanged, wins become losses.
                let exchanged = Trial { sides: [trial.sides[1].clone(), trial.sides[0].clone()] };
                let exchanged = used.play_pair(i % 2, &exchanged, i as u64)?;
                assert_eq!(exchanged, Results(pair.1, pair.0, pair.2));
                decided += usize::from(pair.0 != pair.1);
                // Equal sides win as often as they lose.
                let same = Trial { sides: [trial.sides[0].clone(), trial.sides[0].clone()] };
                let same = used.play_pair(i % 2, &same, i as u64)?;
                assert_eq!(same.0, same.1);
            }
            assert!(decided > 0);
            Ok(())
        })
        .unwrap();
    }
}

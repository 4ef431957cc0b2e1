//! One training game.

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::chance::{BLUNDER, jittered};
use crate::data::{Game as Record, Ply};
use crate::drawn::nobody_can_win;
use crate::openings::{Recipe, Source, search};
use goren_core::rules::Outcome;
use goren_core::types::{Cell, PROVEN};
use goren_engine::{Engine, Game, Hash, Params, Request};

/// Bytes of the transposition table of a playing thread.
const TABLE_BYTES: usize = 8 << 20;

/// How games are played.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Nodes a move, on average.
    pub nodes: u64,
    /// By which part of them the nodes of a move vary at random.
    pub jitter: f64,
    /// Chance that a move of the first plies is not the best one.
    pub random_move_rate: f64,
    /// How many plies after the opening these are.
    pub random_move_plies: usize,
}

/// Plays games; each depends on nothing but the rules, the recipe of the
/// openings and its seed.
pub(super) struct SelfPlayer<'a> {
    rules: &'a Rules,
    recipe: &'a Recipe,
    openings: Source<'a>,
    engine: Engine,
}

impl<'a> SelfPlayer<'a> {
    /// A player of games that begin with one of the `given` openings, or with
    /// new ones if there are none.
    ///
    /// # Errors
    /// No memory for the tables.
    pub(super) fn new(
        rules: &'a Rules,
        recipe: &'a Recipe,
        given: &'a [Vec<Cell>],
    ) -> Result<SelfPlayer<'a>> {
        let openings = Source::new(recipe, given)?;
        let engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
        engine.hash().for_search(&Request::default())?;
        Ok(SelfPlayer { rules, recipe, openings, engine })
    }

    /// The game of a seed.
    ///
    /// # Errors
    /// No level opening is found.
    pub(super) fn play(&mut self, seed: u64) -> Result<Record> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let opening = self.openings.pick(&mut rng)?;
        let mut game = self.recipe.new_game();
        for &cell in &opening {
            game.play(cell)?;
        }
        self.engine.hash().clear();
        self.engine.forget();
        let mut plies = Vec::new();
        let params = Params::default();
        let (result, played_out) = loop {
            if let Some(outcome) = game.outcome() {
                break (outcome, true);
            }
            if nobody_can_win(&*game) {
                break (Outcome::Draw, false);
            }
            let nodes = self.nodes(&mut rng);
            let (best, info) = search(&mut self.engine, &*game, nodes, Vec::new());
            let score = info.score;
            // What evaluations are to learn from is not compressed.
            let told = params.decompress(score);
            let mut played = best;
            if score.abs() >= PROVEN {
                plies.push(Ply { played, best, score: told });
                let winner = if score > 0 { game.to_move() } else { !game.to_move() };
                break (Outcome::Win(winner), false);
            }
            if plies.len() < self.rules.random_move_plies
                && rng.random_bool(self.rules.random_move_rate)
            {
                let others = neighbours(&*game, best);
                if !others.is_empty() {
                    let (second, info) = search(&mut self.engine, &*game, nodes, others);
                    if info.score > score - BLUNDER {
                        played = second;
                    }
                }
            }
            game.play(played)?;
            plies.push(Ply { played, best, score: told });
        };
        Ok(Record { setup: self.recipe.setup, seed, opening, plies, result, played_out })
    }

    fn nodes(&self, rng: &mut SmallRng) -> u64 {
        jittered(self.rules.nodes, self.rules.jitter, rng)
    }
}

/// Empty cells at most two steps from a stone, but for one.
fn neighbours(game: &dyn Game, except: Cell) -> Vec<Cell> {
    let setup = game.setup();
    let stones = game.stones();
    let near = |cell: Cell| {
        let close = |at: Cell| cell.x().abs_diff(at.x()).max(cell.y().abs_diff(at.y())) <= 2;
        stones.iter().all(|&(at, _)| at != cell) && stones.iter().any(|&(at, _)| close(at))
    };
    let cells = (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    cells.filter(|&cell| cell != except && near(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_search_stack;
    use goren_core::rules::referee::FiveReferee;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Color;
    use goren_engine::eval::Weights;

    #[test]
    fn games_are_legal_repeatable_and_rightly_labelled() {
        with_search_stack(|| {
            for rule in RuleId::ALL {
                let setup = Setup::new(rule, 15, 15).unwrap();
                let weights = Weights::embedded(rule);
                let recipe = Recipe { setup, weights, stones: (2, 6), nodes: 100, max_score: 200 };
                let rules =
                    Rules { nodes: 150, jitter: 0.5, random_move_rate: 0.3, random_move_plies: 6 };
                let mut player = SelfPlayer::new(&rules, &recipe, &[]).unwrap();
                let games: Vec<Record> = (0..6).map(|s| player.play(s).unwrap()).collect();
                assert_eq!(player.play(0).unwrap(), games[0]);
                let random_move = games.iter().flat_map(|g| &g.plies).any(|p| p.played != p.best);
                assert!(random_move, "{rule}");
                for game in games {
                    check(&game);
                }
            }
            Ok(())
        })
        .unwrap();
    }

    /// Replays a game on the referee.
    fn check(game: &Record) {
        let mut referee = FiveReferee::new(game.setup);
        let (last, before) = game.plies.split_last().unwrap();
        let cells = game.opening.iter().copied().chain(before.iter().map(|p| p.played));
        let mut count = 0;
        for (i, cell) in cells.enumerate() {
            assert_eq!(referee.place(Color::ALL[i % 2], cell), Ok(None));
            count = i + 1;
        }
        assert!(before.iter().all(|ply| ply.score.abs() < PROVEN));
        let mover = Color::ALL[count % 2];
        if game.played_out {
            assert_eq!(referee.place(mover, last.played), Ok(Some(game.result)));
        } else if game.result != Outcome::Draw {
            assert!(last.score.abs() >= PROVEN);
            assert_eq!(game.result == Outcome::Win(mover), last.score > 0);
        }
    }
}

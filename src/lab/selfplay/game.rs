//! One training game.

use anyhow::{Result, bail};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::lab::data::{Game as Record, Ply};
use crate::lab::openings::{Maker, Recipe, search};
use crate::rules::Outcome;
use crate::search::Game;
use crate::tt::Table;
use crate::types::{Cell, Color, DIRECTIONS, PROVEN, Score, Stone, keys};

/// Bytes of the transposition table of a playing thread.
const TABLE_BYTES: usize = 8 << 20;
/// Openings that are tried for a game.
const TRIES: u64 = 2000;
/// Nobody is led astray to a move that costs more than this, in points.
const BLUNDER: Score = 200;

/// How games are played.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Nodes a move, on average.
    pub nodes: u64,
    /// By which part of them the nodes of a move vary at random.
    pub jitter: f64,
    /// Chance that a move of the first plies is not the best one.
    pub astray: f64,
    /// How many plies after the opening these are.
    pub astray_plies: usize,
}

/// Plays games; each depends on nothing but the rules, the recipe of the
/// openings and its seed.
pub(super) struct Player<'a> {
    rules: &'a Rules,
    recipe: &'a Recipe,
    openings: Source<'a>,
    table: Table,
}

/// Where openings come from.
enum Source<'a> {
    Made(Box<Maker>),
    Given(&'a [Vec<Cell>]),
}

impl<'a> Player<'a> {
    /// A player of games that begin with one of the `given` openings, or with
    /// new ones if there are none.
    ///
    /// # Errors
    /// No memory for the tables.
    pub(super) fn new(
        rules: &'a Rules,
        recipe: &'a Recipe,
        given: &'a [Vec<Cell>],
    ) -> Result<Player<'a>> {
        let openings = match given {
            [] => Source::Made(Box::new(Maker::new(recipe)?)),
            given => Source::Given(given),
        };
        let table = Table::with_bytes(TABLE_BYTES)?;
        Ok(Player { rules, recipe, openings, table })
    }

    /// The game of a seed.
    ///
    /// # Errors
    /// No level opening is found.
    pub(super) fn play(&mut self, seed: u64) -> Result<Record> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let opening = self.opening(&mut rng)?;
        let mut game = self.recipe.new_game();
        for &cell in &opening {
            game.play(cell)?;
        }
        self.table.clear();
        let mut plies = Vec::new();
        let (result, played_out) = loop {
            if let Some(outcome) = game.outcome() {
                break (outcome, true);
            }
            if nobody_can_win(&*game) {
                break (Outcome::Draw, false);
            }
            let nodes = self.nodes(&mut rng);
            let (best, info) = search(&mut *game, &self.table, nodes, Vec::new());
            let score = info.score;
            let mut played = best;
            if score.abs() >= PROVEN {
                plies.push(Ply { played, best, score });
                let winner = if score > 0 { game.to_move() } else { !game.to_move() };
                break (Outcome::Win(winner), false);
            }
            if plies.len() < self.rules.astray_plies && rng.random_bool(self.rules.astray) {
                let others = neighbours(&*game, best);
                if !others.is_empty() {
                    let (second, info) = search(&mut *game, &self.table, nodes, others);
                    if info.score > score - BLUNDER {
                        played = second;
                    }
                }
            }
            game.play(played)?;
            plies.push(Ply { played, best, score });
        };
        Ok(Record { setup: self.recipe.setup, seed, opening, plies, result, played_out })
    }

    fn opening(&mut self, rng: &mut SmallRng) -> Result<Vec<Cell>> {
        match &mut self.openings {
            Source::Given(given) => Ok(given[rng.random_range(0..given.len())].clone()),
            Source::Made(maker) => {
                let first: u64 = rng.random();
                let opening = (0..TRIES).find_map(|i| maker.make(keys::mix(first.wrapping_add(i))));
                match opening {
                    Some(opening) => Ok(opening.moves),
                    None => bail!("none of {TRIES} random openings is level enough"),
                }
            }
        }
    }

    fn nodes(&self, rng: &mut SmallRng) -> u64 {
        let jitter = self.rules.jitter;
        let factor = 1.0 + if jitter > 0.0 { rng.random_range(-jitter..=jitter) } else { 0.0 };
        ((self.rules.nodes as f64 * factor) as u64).max(1)
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

/// Whether no five cells in a row are free of one colour's stones any more:
/// then the game is drawn whatever is played.
fn nobody_can_win(game: &dyn Game) -> bool {
    let setup = game.setup();
    let stones = game.stones();
    if stones.len() * 2 < setup.area() {
        return false;
    }
    let mut board = vec![None; setup.area()];
    for &(cell, stone) in &stones {
        board[cell.y() * setup.width + cell.x()] = Some(stone);
    }
    // Signed columns and rows, as a line may leave the board.
    let stone_at = |x: i64, y: i64| {
        let inside = (0..setup.width as i64).contains(&x) && (0..setup.height as i64).contains(&y);
        inside.then(|| board[y as usize * setup.width + x as usize])
    };
    let can_win = |color: Color, x: usize, y: usize| {
        DIRECTIONS.iter().any(|direction| {
            let delta = i64::from(direction.delta());
            // Steps of the frame: a row is 32 cells.
            let (dx, dy) = match delta {
                1 => (1, 0),
                32 => (0, 1),
                33 => (1, 1),
                _ => (1, -1),
            };
            (0..5).all(|step| {
                let at = stone_at(x as i64 + dx * step, y as i64 + dy * step);
                matches!(at, Some(stone) if stone.is_none_or(|s| s == Stone::Of(color)))
            })
        })
    };
    let cells = || (0..setup.area()).map(|i| (i % setup.width, i / setup.width));
    !cells().any(|(x, y)| Color::ALL.iter().any(|&color| can_win(color, x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::lab::with_search_stack;
    use crate::rules::referee::Referee;
    use crate::rules::{RuleId, Setup};
    use crate::search::new_game;

    #[test]
    fn games_are_legal_repeatable_and_rightly_labelled() {
        with_search_stack(|| {
            for rule in RuleId::ALL {
                let setup = Setup::new(rule, 15, 15).unwrap();
                let weights = Weights::embedded(rule);
                let recipe = Recipe { setup, weights, stones: (2, 6), nodes: 100, max_score: 200 };
                let rules = Rules { nodes: 150, jitter: 0.5, astray: 0.3, astray_plies: 6 };
                let mut player = Player::new(&rules, &recipe, &[]).unwrap();
                let games: Vec<Record> = (0..6).map(|s| player.play(s).unwrap()).collect();
                assert_eq!(player.play(0).unwrap(), games[0]);
                let astray = games.iter().flat_map(|g| &g.plies).any(|p| p.played != p.best);
                assert!(astray, "{rule}");
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
        let mut referee = Referee::new(game.setup);
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

    #[test]
    fn a_game_is_drawn_early_only_when_no_five_is_left() {
        let setup = Setup::new(RuleId::Freestyle, 7, 6).unwrap();
        // A full board without a five.
        let full = |c: Cell| Color::ALL[(c.x() / 2 + c.y()) % 2];
        let mut rng = SmallRng::seed_from_u64(5);
        let mut seen = [0; 2];
        for _ in 0..300 {
            let gaps = rng.random_range(0..14);
            let mut cells: Vec<Cell> = (0..42).map(|i| Cell::new(i % 7, i / 7)).collect();
            for _ in 0..gaps {
                cells.swap_remove(rng.random_range(0..cells.len()));
            }
            let stones: Vec<_> = cells.iter().map(|&c| (c, Stone::Of(full(c)))).collect();
            let mut game = new_game(setup);
            game.set_up(&stones, Color::Black).unwrap();
            // A colour can win if its stones in all the gaps make a five.
            let all: Vec<Cell> = (0..42).map(|i| Cell::new(i % 7, i / 7)).collect();
            let missing: Vec<Cell> = all.into_iter().filter(|c| !cells.contains(c)).collect();
            let wins_all = |color: Color| {
                missing.iter().any(|&last| {
                    let mut referee = Referee::new(setup);
                    let rest = missing.iter().filter(|&&c| c != last);
                    for (cell, stone) in
                        stones.iter().copied().chain(rest.map(|&c| (c, Stone::Of(color))))
                    {
                        referee.set_up(cell, stone).unwrap();
                    }
                    referee.wins(color, last)
                })
            };
            let lost = !Color::ALL.into_iter().any(wins_all);
            assert_eq!(nobody_can_win(&*game), lost);
            seen[usize::from(lost)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
    }
}

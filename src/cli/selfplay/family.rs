//! Training games of the games beyond five in a row.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::args::Args;
use super::chance::{BLUNDER, jittered};
use super::record::{Game, Winner};
use crate::journal::Journal;
use crate::openings::progress;
use crate::ordered_jobs::ordered_jobs;
use crate::weights;
use goren_core::opening::{Action, Choice, GameState};
use goren_core::rules::{Contest, OpeningId};
use goren_core::types::{Cell, Color, PROVEN};
use goren_engine::{
    Engine, Hash, Info, Params, Replayed, Request, RootPosition, WeightSet, new_position,
};

/// Bytes of the transposition table of a playing thread.
const TABLE_BYTES: usize = 8 << 20;
/// Openings that are tried for one game.
const OPENINGS: usize = 200;
/// Pairs that are tried for a random turn.
const PAIRS: usize = 50;
/// Random stones lie at most so far from the middle.
const REACH: usize = 4;
/// Stones of a game for each cell of the board, until it is broken off:
/// captures may go on for ever.
const LONGEST: usize = 2;

/// Plays games until there are enough.
///
/// # Errors
/// Settings that do not suit the game, a file of another run or one that
/// cannot be written, no memory for the searches.
pub(super) fn run(args: &Args, contest: Contest) -> Result<bool> {
    ensure!(args.openings.is_none(), "{} has no files of openings", contest.variant);
    ensure!(args.positions.is_none(), "say how many --games of {}", contest.variant);
    let contest = Contest { opening: OpeningId::Free, ..contest };
    let set = weights::load(args.weights.as_slice())?;
    let mut tally = Tally::default();
    let (mut journal, _) =
        Journal::open(&args.out, "run", &header(args, &contest), true, |line, _| {
            let game: Game = serde_json::from_slice(line)?;
            ensure!(game.seed == args.seed_of(tally.games), "a game of another run");
            tally.count(&game);
            Ok(())
        })?;
    let kept = tally.games;
    if kept > 0 {
        println!("{}: {kept} games kept", args.out.display());
    }
    let games = args.games.unwrap_or_default();
    let bar = progress(games, "games");
    let started = Instant::now();
    if kept < games {
        let state = || Ok(SelfPlayer::new(args, &contest, &set));
        let work = |player: &mut SelfPlayer, item| player.play(args.seed_of(item));
        ordered_jobs(kept, args.threads, state, work, |_, game| {
            let game = game?;
            journal.append(&format!("{}\n", serde_json::to_string(&game)?))?;
            tally.count(&game);
            bar.set_position(tally.games);
            Ok(tally.games < games)
        })?;
    }
    bar.finish_and_clear();
    let Tally { games, stones, won, drawn, unfinished } = tally;
    println!(
        "{games} games, {stones} positions; Black won {}, White {}, {drawn} drawn, {unfinished} \
         broken off",
        won[0], won[1]
    );
    let hours = started.elapsed().as_secs_f64() / 3600.0;
    if games > kept {
        println!("{:.0} games an hour on {} threads", (games - kept) as f64 / hours, args.threads);
    }
    Ok(true)
}

/// What makes the games of a run what they are.
fn header(args: &Args, contest: &Contest) -> Value {
    json!({
        "game": contest.variant.to_string(),
        "width": contest.width,
        "height": contest.height,
        "nodes": args.nodes,
        "jitter": args.jitter,
        "astray": args.random_move_rate,
        "astray_plies": args.random_move_plies,
        "stones": [args.min_stones, args.max_stones],
        "max_score": args.max_score,
        "seed": args.seed,
        "shard": [args.shard.number, args.shard.of],
        "weights": args.weights.as_ref().map(|path| path.display().to_string()),
    })
}

/// What the games of a file come to.
#[derive(Clone, Default)]
struct Tally {
    games: u64,
    stones: usize,
    won: [u64; 2],
    drawn: u64,
    unfinished: u64,
}

impl Tally {
    fn count(&mut self, game: &Game) {
        self.games += 1;
        self.stones += game.scores.len();
        match game.result {
            Some(Winner::Black) => self.won[0] += 1,
            Some(Winner::White) => self.won[1] += 1,
            Some(Winner::Draw) => self.drawn += 1,
            None => self.unfinished += 1,
        }
    }
}

/// Plays games; each depends on nothing but the settings and its seed.
struct SelfPlayer<'a> {
    args: &'a Args,
    contest: Contest,
    position: Box<dyn Replayed>,
    engine: Engine,
}

/// A turn in progress.
struct Turn {
    game_state: GameState,
    placed: Vec<Cell>,
}

impl Turn {
    fn left(&self) -> usize {
        stones_due(&self.game_state) - self.placed.len()
    }

    /// Places a stone of the turn. Whether the rules allow it.
    fn place(&mut self, cell: Cell) -> bool {
        self.placed.push(cell);
        if self.left() > 0 {
            return true;
        }
        let cells = std::mem::take(&mut self.placed);
        self.game_state.apply(&Action::stones(&cells)).is_ok()
    }
}

/// Stones of the turn that is due.
fn stones_due(game_state: &GameState) -> usize {
    let choices = game_state.pending_decision().map_or(Vec::new(), |pending| pending.choices);
    match &choices[..] {
        [Choice::Stones { colors, .. }] => colors.len(),
        _ => 0,
    }
}

impl<'a> SelfPlayer<'a> {
    fn new(args: &'a Args, contest: &Contest, set: &WeightSet) -> SelfPlayer<'a> {
        let position = new_position(contest, set);
        let engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
        SelfPlayer { args, contest: *contest, position, engine }
    }

    /// Forgets all that was learnt.
    fn forget(&mut self) {
        self.engine.hash().clear();
        self.engine.forget();
        self.position.forget();
    }

    /// The game of a seed.
    fn play(&mut self, seed: u64) -> Result<Game> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (game_state, opening) = self.opening(&mut rng)?;
        self.forget();
        let longest = LONGEST * self.contest.width * self.contest.height;
        let mut game = Game {
            seed,
            opening: self.texts(&opening),
            stones: Vec::new(),
            scores: Vec::new(),
            random_moves: Vec::new(),
            result: None,
        };
        let mut turn = Turn { game_state, placed: Vec::new() };
        let params = Params::default();
        while game.stones.len() < longest {
            if let Some(result) = turn.game_state.result() {
                game.result = Some(match result.colors[..] {
                    [Color::Black] => Winner::Black,
                    [Color::White] => Winner::White,
                    _ => Winner::Draw,
                });
                break;
            }
            if turn.game_state.placements().is_empty() && stones_due(&turn.game_state) == 1 {
                // Nothing but a pass is left.
                game.result = Some(Winner::Draw);
                break;
            }
            let nodes = self.nodes(&mut rng);
            let (best, info) = self.search(&turn, nodes, Vec::new())?;
            // What evaluations are to learn from is not compressed.
            game.scores.push(params.decompress(info.score));
            if info.score.abs() >= PROVEN {
                let own = turn.game_state.to_move();
                let winner = if info.score > 0 { own } else { !own };
                game.result = Some([Winner::Black, Winner::White][winner.index()]);
                break;
            }
            let mut played = best;
            let early = game.stones.len() < self.args.random_move_plies;
            if early && rng.random_bool(self.args.random_move_rate) {
                let others = self.others(&turn, best);
                if !others.is_empty() {
                    let (second, other) = self.search(&turn, nodes, others)?;
                    if other.score > info.score - BLUNDER {
                        game.random_moves.push(game.stones.len());
                        played = second;
                    }
                }
            }
            game.stones.extend(self.texts(&[played]));
            if !turn.place(played) {
                // The search does not know every turn that is forbidden: one
                // that repeats a position, say. What was played before counts.
                game.stones.pop();
                game.scores.pop();
                break;
            }
        }
        Ok(game)
    }

    /// A level position after random stones, and these.
    fn opening(&mut self, rng: &mut SmallRng) -> Result<(GameState, Vec<Cell>)> {
        let (least, most) = (self.args.min_stones, self.args.max_stones);
        let level = self.args.max_score;
        for _ in 0..OPENINGS {
            let wanted = rng.random_range(least..=most);
            let mut game_state = GameState::new(self.contest);
            let mut stones = Vec::new();
            while stones.len() < wanted && game_state.result().is_none() {
                match random_turn(&mut game_state, rng) {
                    Some(cells) => stones.extend(cells),
                    None => break,
                }
            }
            if game_state.result().is_some() || stones.len() < wanted {
                continue;
            }
            self.forget();
            let turn = Turn { game_state, placed: Vec::new() };
            let (_, info) = self.search(&turn, self.args.nodes.div_ceil(2), Vec::new())?;
            if info.score.abs() <= level {
                return Ok((turn.game_state, stones));
            }
        }
        let limit = level as f64;
        Err(anyhow::anyhow!("no level opening of {least} to {most} stones"))
            .with_context(|| format!("--max-score {limit} may be too little"))
    }

    fn search(&mut self, turn: &Turn, nodes: u64, root_moves: Vec<Cell>) -> Result<(Cell, Info)> {
        let request = Request { root_moves, ..Request::nodes(nodes) };
        let (game_state, placed) = (&turn.game_state, &turn.placed[..]);
        let root = RootPosition::of(game_state, placed, game_state.to_move(), turn.left());
        self.position.set(&root);
        let answer = self.engine.go(&*self.position, &request, &mut |_| {})?;
        Ok((answer.best.cell(), answer.info))
    }

    /// Cells about the stones that could be played instead of the best.
    fn others(&self, turn: &Turn, best: Cell) -> Vec<Cell> {
        let stones = turn.game_state.stones();
        let close = |cell: &Cell| {
            let near = |at: Cell| cell.x().abs_diff(at.x()).max(cell.y().abs_diff(at.y())) <= 2;
            stones.iter().any(|&(at, _)| near(at))
        };
        let free = match stones_due(&turn.game_state) {
            1 => turn.game_state.placements(),
            _ => turn.game_state.empty(),
        };
        let cells = free.into_iter().filter(|c| *c != best && !turn.placed.contains(c));
        cells.filter(close).collect()
    }

    fn nodes(&self, rng: &mut SmallRng) -> u64 {
        jittered(self.args.nodes, self.args.jitter, rng)
    }

    fn texts(&self, cells: &[Cell]) -> Vec<String> {
        let height = self.contest.height;
        cells.iter().map(|cell| cell.label(height)).collect()
    }
}

/// Plays a turn at random, about the middle of the board where that can be.
fn random_turn(game_state: &mut GameState, rng: &mut SmallRng) -> Option<Vec<Cell>> {
    let due = stones_due(game_state);
    let cells = if due == 1 { game_state.placements() } else { game_state.empty() };
    let centre = game_state.centre();
    let close =
        |cell: &Cell| cell.x().abs_diff(centre.x()).max(cell.y().abs_diff(centre.y())) <= REACH;
    let central: Vec<Cell> = cells.iter().copied().filter(close).collect();
    let mut from = if central.len() < due { cells } else { central };
    if from.len() < due || due == 0 {
        return None;
    }
    (0..PAIRS).find_map(|_| {
        let cells = from.partial_shuffle(rng, due).0.to_vec();
        game_state.apply(&Action::stones(&cells)).is_ok().then_some(cells)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::tests::args;
    use crate::tune::families::cell;
    use crate::with_search_stack;
    use goren_core::rules::Variant;

    /// A game again, stone by stone by its rules.
    fn replay(contest: &Contest, game: &Game) -> GameState {
        let mut game_state = GameState::new(*contest);
        let mut turn = Vec::new();
        for text in game.opening.iter().chain(&game.stones) {
            turn.push(cell(contest, text).unwrap());
            if turn.len() == stones_due(&game_state) {
                game_state.apply(&Action::stones(&std::mem::take(&mut turn))).unwrap();
            }
        }
        game_state
    }

    #[test]
    fn games_of_every_family_are_legal_repeatable_and_rightly_labelled() {
        with_search_stack(|| {
            for name in [
                "pente",
                "pente+keryo+poof+boat",
                "connect6",
                "connect6+torus+noncollinear",
                "connect6+collinear",
                "four-in-a-row+clear",
                "irensei",
            ] {
                let contest = Contest::new(Variant::from_name(name)?);
                let contest = Contest { opening: OpeningId::Free, ..contest };
                let args = args("--out x --games 3 --nodes 60 --astray 0.5 --max-score 9000");
                let mut player = SelfPlayer::new(&args, &contest, &WeightSet::default());
                let games: Vec<Game> = (0..3).map(|seed| player.play(seed).unwrap()).collect();
                assert_eq!(player.play(1)?, games[1], "{name}");
                assert!(games.iter().any(|game| !game.random_moves.is_empty()), "{name}");
                for game in &games {
                    // The referee accepts it, and knows of no earlier end.
                    let game_state = replay(&contest, game);
                    let result = game_state.result().map(|result| result.colors.clone());
                    let claimed = game.scores.last().is_some_and(|s| s.abs() >= PROVEN);
                    let won = match game.result {
                        Some(Winner::Black) => Some(vec![Color::Black]),
                        Some(Winner::White) => Some(vec![Color::White]),
                        _ => None,
                    };
                    assert!(
                        claimed && result.is_none() || won.is_none() || result == won,
                        "{name}"
                    );
                }
            }
            Ok(())
        })
        .unwrap();
    }
}

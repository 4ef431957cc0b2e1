//! Training games of the games beyond five in a row.

use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::args::Args;
use super::chance::{BLUNDER, jittered};
use super::record::{FORMAT, TrainingGame, players};
use crate::forms::Typed;
use crate::journal::Journal;
use crate::openings::progress;
use crate::ordered_jobs::ordered_jobs;
use crate::weights;
use goren_core::opening::{Action, Seat};
use goren_core::record::import::MoveStats;
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::rules::referee::Reason;
use goren_core::rules::{Contest, OpeningId, Outcome};
use goren_core::types::{Cell, PROVEN};
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
            let game = TrainingGame::read(str::from_utf8(line)?)?;
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
            journal.append(&game.line()?)?;
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
        "format": FORMAT,
        "game": contest.variant.to_string(),
        "width": contest.width,
        "height": contest.height,
        "nodes": args.nodes,
        "jitter": args.jitter,
        "random_moves": args.random_move_rate,
        "random_move_plies": args.random_move_plies,
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
    fn count(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.stones += game.scores.len();
        match game.record.result() {
            Some(Outcome::Win(color)) => self.won[color.index()] += 1,
            Some(Outcome::Draw) => self.drawn += 1,
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
    fn play(&mut self, seed: u64) -> Result<TrainingGame> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut typed = self.opening(&mut rng)?;
        let opening = typed.game_state.actions().to_vec();
        self.forget();
        let longest = LONGEST * self.contest.width * self.contest.height;
        let (mut stones, mut scores, mut random_moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut end = None;
        let params = Params::default();
        while stones.len() < longest {
            end = ended(&typed);
            if end.is_some() {
                break;
            }
            let nodes = self.nodes(&mut rng);
            let (best, info) = self.search(&typed, nodes, Vec::new())?;
            // What evaluations are to learn from is not compressed.
            scores.push(params.decompress(info.score));
            if info.score.abs() >= PROVEN {
                let own = typed.game_state.to_move();
                let winner = if info.score > 0 { own } else { !own };
                end = Some((Ending::Win(typed.game_state.owner(winner)), "proven"));
                break;
            }
            let mut played = best;
            let early = stones.len() < self.args.random_move_plies;
            if early && rng.random_bool(self.args.random_move_rate) {
                let others = self.others(&typed, best);
                if !others.is_empty() {
                    let (second, other) = self.search(&typed, nodes, others)?;
                    if other.score > info.score - BLUNDER {
                        random_moves.push(stones.len());
                        played = second;
                    }
                }
            }
            if typed.stone(played).is_err() {
                // The search does not know every turn that is forbidden: one
                // that repeats a position, say. What was played before counts.
                scores.pop();
                break;
            }
            stones.push(played);
        }
        let actions = typed.game_state.actions()[opening.len()..].iter().cloned();
        let stats = MoveStats::default();
        let record = GameRecord {
            contest: self.contest,
            players: players(),
            opening,
            plies: actions.map(|action| PlayedPly { action, stats: stats.clone() }).collect(),
            black: Seat::First,
            ending: end.map(|(ending, _)| ending),
            reason: end.map_or("", |(_, reason)| reason).to_owned(),
        };
        Ok(TrainingGame { record, seed, stones, scores, random_moves })
    }

    /// A level position after random stones.
    fn opening(&mut self, rng: &mut SmallRng) -> Result<Typed> {
        let (least, most) = (self.args.min_stones, self.args.max_stones);
        let level = self.args.max_score;
        for _ in 0..OPENINGS {
            let wanted = rng.random_range(least..=most);
            let mut typed = Typed::new(&self.contest);
            let mut stones = 0;
            while stones < wanted && typed.game_state.result().is_none() {
                match random_turn(&mut typed, rng) {
                    Some(cells) => stones += cells,
                    None => break,
                }
            }
            if typed.game_state.result().is_some() || stones < wanted {
                continue;
            }
            self.forget();
            let (_, info) = self.search(&typed, self.args.nodes.div_ceil(2), Vec::new())?;
            if info.score.abs() <= level {
                return Ok(typed);
            }
        }
        Err(anyhow!("no level opening of {least} to {most} stones"))
            .with_context(|| format!("--max-score {level} may be too little"))
    }

    fn search(&mut self, typed: &Typed, nodes: u64, root_moves: Vec<Cell>) -> Result<(Cell, Info)> {
        let request = Request { root_moves, ..Request::nodes(nodes) };
        let (game_state, placed) = (&typed.game_state, &typed.placed[..]);
        let root = RootPosition::of(game_state, placed, game_state.to_move(), typed.left());
        self.position.set(&root);
        let answer = self.engine.go(&*self.position, &request, &mut |_| {})?;
        Ok((answer.best.cell(), answer.info))
    }

    /// Cells about the stones that could be played instead of the best.
    fn others(&self, typed: &Typed, best: Cell) -> Vec<Cell> {
        let stones = typed.game_state.stones();
        let close = |cell: &Cell| {
            let near = |at: Cell| cell.x().abs_diff(at.x()).max(cell.y().abs_diff(at.y())) <= 2;
            stones.iter().any(|&(at, _)| near(at))
        };
        let free = free_cells(typed).into_iter();
        free.filter(|c| *c != best && !typed.placed.contains(c)).filter(close).collect()
    }

    fn nodes(&self, rng: &mut SmallRng) -> u64 {
        jittered(self.args.nodes, self.args.jitter, rng)
    }
}

/// How the game ended by its rules, if it has; a draw where nothing but a pass
/// is left.
fn ended(typed: &Typed) -> Option<(Ending, &'static str)> {
    let game_state = &typed.game_state;
    match game_state.result() {
        Some(result) => {
            let ending = match result.seats[..] {
                [seat] => Ending::Win(seat),
                _ => Ending::Draw,
            };
            Some((ending, result.reason.name()))
        }
        None => (typed.turn() == Some(1) && game_state.placements().is_empty())
            .then_some((Ending::Draw, Reason::NoMoves.name())),
    }
}

/// Cells on which a stone of the turn may go, as far as that is known of a
/// single one.
fn free_cells(typed: &Typed) -> Vec<Cell> {
    match typed.turn() {
        Some(1) => typed.game_state.placements(),
        _ => typed.game_state.empty(),
    }
}

/// Plays a turn at random, about the middle of the board where that can be;
/// the number of its stones.
fn random_turn(typed: &mut Typed, rng: &mut SmallRng) -> Option<usize> {
    let due = typed.turn()?;
    let cells = free_cells(typed);
    let centre = typed.game_state.centre();
    let close =
        |cell: &Cell| cell.x().abs_diff(centre.x()).max(cell.y().abs_diff(centre.y())) <= REACH;
    let central: Vec<Cell> = cells.iter().copied().filter(close).collect();
    let mut from = if central.len() < due { cells } else { central };
    if from.len() < due {
        return None;
    }
    let applied = (0..PAIRS).any(|_| {
        let action = Action::stones(from.partial_shuffle(rng, due).0);
        typed.game_state.apply(&action).is_ok()
    });
    applied.then_some(due)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::tests::args;
    use crate::with_search_stack;
    use goren_core::opening::GameState;
    use goren_core::rules::Variant;

    /// A game again, stone by stone by its rules.
    fn replay(game: &TrainingGame) -> GameState {
        let mut typed = Typed::new(&game.record.contest);
        for action in &game.record.opening {
            typed.game_state.apply(action).unwrap();
        }
        game.stones.iter().for_each(|&cell| typed.stone(cell).unwrap());
        let plies = game.record.actions().cloned().collect::<Vec<_>>();
        assert_eq!(typed.game_state.actions(), plies);
        typed.game_state
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
                let games: Vec<TrainingGame> =
                    (0..3).map(|seed| player.play(seed).unwrap()).collect();
                assert_eq!(player.play(1)?, games[1], "{name}");
                assert!(games.iter().any(|game| !game.random_moves.is_empty()), "{name}");
                for game in &games {
                    // The referee accepts it, and knows of no earlier end.
                    let game_state = replay(game);
                    let result = game_state.result().map(|result| result.colors.clone());
                    let claimed = game.scores.last().is_some_and(|s| s.abs() >= PROVEN);
                    let won = match game.record.result() {
                        Some(Outcome::Win(color)) => Some(vec![color]),
                        _ => None,
                    };
                    let read = TrainingGame::read(game.line()?.trim_end())?;
                    assert_eq!((&read.stones, &read.scores), (&game.stones, &game.scores));
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

//! `goren baseline`: games of the engine against a player that looks one ply
//! ahead and knows only the referee. A check of any game: an engine that loses
//! to it, or plays an illegal ply, does not know the rules.

use std::time::Duration;

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::plies;
use super::search_pool;
use super::selfplay::jittered;
use super::variant::GameArgs;
use crate::number::whole;
use goren_core::opening::{Action, Choice, GameState, Seat};
use goren_core::rules::Contest;
use goren_core::types::{Cell, Color, DIRECTIONS, Stone, keys};
use goren_decide::Decider;
use goren_engine::{Request, TableHandle, WeightSet};

/// Bytes of each table.
const TABLE_BYTES: usize = 16 << 20;

/// Arguments of `goren baseline`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren baseline --game connect6 --games 100
  goren baseline --game irensei --alone --games 20

The baseline player looks one ply ahead and knows nothing but the rules. An engine that
loses to it, or plays an illegal move, does not know the game.")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Number of games; the engine moves first in every other one.
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(1..))]
    games: u32,
    /// Nodes per move of the engine.
    #[arg(long, default_value_t = 1000, value_parser = whole::<u64>(1..))]
    nodes: u64,
    /// Declare a draw after this many plies.
    #[arg(long, alias = "plies", default_value_t = 400, value_parser = whole::<usize>(0..))]
    draw_after: usize,
    /// Random seed; equal seeds give equal games.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Let the engine play both sides and check only that all moves are legal.
    /// Its node limit varies by half at random, so that games differ.
    #[arg(long)]
    alone: bool,
    /// Print the moves of each game that the engine did not win, with the
    /// number of the game and the engine's seat; with --alone of each that nobody won.
    #[arg(long)]
    show: bool,
}

/// Results of the games, for the engine; if it plays both sides, for the first player.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
struct BaselineResults {
    won: usize,
    lost: usize,
    drawn: usize,
    /// Games broken off.
    unfinished: usize,
    /// Plies of the engine that the rules refused.
    illegal: usize,
    plies: usize,
    nodes: u64,
}

/// Plays the games and prints their results. Returns whether all plies of the
/// engine were legal and it lost no game; if it plays both sides, losses do not count.
///
/// # Errors
/// An unknown game, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.game.contest()?;
    let pool = search_pool(None)?;
    let games: Result<Vec<(BaselineResults, Duration)>> = pool.install(|| {
        (0..args.games as usize)
            .into_par_iter()
            .map(|number| {
                let mut engine = Engine::new(args, &contest, number)?;
                let (tally, game_state) = play(args, &contest, number, &mut engine);
                if args.show && tally.won == 0 && !(args.alone && tally.lost > 0) {
                    println!("{}", game_line(args, &contest, number, tally, &game_state));
                }
                Ok((tally, engine.thinking_time))
            })
            .collect()
    });
    let (tallies, thinking_times): (Vec<BaselineResults>, Vec<Duration>) =
        games?.into_iter().unzip();
    let tally = tallies.into_iter().fold(BaselineResults::default(), |a, b| BaselineResults {
        won: a.won + b.won,
        lost: a.lost + b.lost,
        drawn: a.drawn + b.drawn,
        unfinished: a.unfinished + b.unfinished,
        illegal: a.illegal + b.illegal,
        plies: a.plies + b.plies,
        nodes: a.nodes + b.nodes,
    });
    let Contest { width, height, opening, .. } = contest;
    let game = args.game.name(&contest);
    // The opponent and the referee are slower than the engine.
    let speed =
        tally.nodes as f64 / thinking_times.iter().sum::<Duration>().as_secs_f64().max(1e-9);
    println!(
        "{game} {width}x{height} {opening}: {}; {} plies, {} illegal; {speed:.0} nodes/s while it \
         thinks",
        results_text(tally, args.alone),
        tally.plies,
        tally.illegal
    );
    Ok(tally.illegal == 0 && (args.alone || tally.lost == 0))
}

/// The results in words.
fn results_text(tally: BaselineResults, alone: bool) -> String {
    let BaselineResults { won, lost, drawn, unfinished, .. } = tally;
    let decided = if alone {
        format!("{won} won by the first player, {lost} by the second")
    } else {
        format!("{won} won, {lost} lost")
    };
    format!("{decided}, {drawn} drawn, {unfinished} broken off")
}

/// A game as a line: number, seat of the engine, result and plies.
fn game_line(
    args: &Args,
    contest: &Contest,
    number: usize,
    tally: BaselineResults,
    game_state: &GameState,
) -> String {
    let seat = if args.alone { "both" } else { ["first", "second"][number % 2] };
    let how = match tally {
        BaselineResults { lost: 1, .. } => "lost",
        BaselineResults { drawn: 1, .. } => "drawn",
        BaselineResults { illegal: 1, .. } => "illegal",
        _ => "broken off",
    };
    format!("{number} {seat} {how}: {}", plies::texts(contest, game_state.actions()).join(" "))
}

/// Chooses the plies of the engine's seat; returns the ply and the nodes searched.
trait PlyChooser {
    fn decide(&mut self, game_state: &GameState) -> (Option<Action>, u64);
}

/// The engine itself.
struct Engine {
    decider: Decider,
    nodes: u64,
    /// Draws the node limit of each ply; `None` if the limit is constant.
    chance: Option<SmallRng>,
    /// Time spent on decisions.
    thinking_time: Duration,
}

/// Fraction by which the node limit varies when the engine plays both sides.
const JITTER: f64 = 0.5;

impl Engine {
    /// The engine of game `number`, with its own random numbers.
    fn new(args: &Args, contest: &Contest, number: usize) -> Result<Engine> {
        let hash = TableHandle::exactly(TABLE_BYTES);
        hash.for_search(&Request::default())?;
        let decider = Decider::new(contest, &WeightSet::default(), &hash);
        let chance = args.alone.then(|| chance_of(args, number));
        Ok(Engine { decider, nodes: args.nodes, chance, thinking_time: Duration::ZERO })
    }
}

impl PlyChooser for Engine {
    fn decide(&mut self, game_state: &GameState) -> (Option<Action>, u64) {
        let request = Request::nodes(match &mut self.chance {
            Some(rng) => jittered(self.nodes, JITTER, rng),
            None => self.nodes,
        });
        let decision = self.decider.decide(game_state, &request, &mut |_| {});
        self.thinking_time += request.started.elapsed();
        match decision {
            Some(decision) => (Some(decision.action), decision.info.nodes),
            None => (None, 0),
        }
    }
}

/// The random numbers of game `number`.
fn chance_of(args: &Args, number: usize) -> SmallRng {
    SmallRng::seed_from_u64(keys::derive(args.seed, number as u64))
}

/// Plays game `number` to its end, or until the engine breaks the rules.
fn play(
    args: &Args,
    contest: &Contest,
    number: usize,
    player: &mut dyn PlyChooser,
) -> (BaselineResults, GameState) {
    let mut rng = chance_of(args, number);
    let engine = if args.alone { Seat::First } else { Seat::ALL[number % 2] };
    let mut game_state = GameState::new(*contest);
    let mut tally = BaselineResults::default();
    while let Some(pending) = game_state.pending_decision() {
        if game_state.actions().len() >= args.draw_after {
            tally.unfinished += 1;
            return (tally, game_state);
        }
        tally.plies += 1;
        if pending.seat == engine || args.alone {
            let (action, nodes) = player.decide(&game_state);
            tally.nodes += nodes;
            if action.is_none_or(|action| game_state.apply(&action).is_err()) {
                tally.illegal += 1;
                return (tally, game_state);
            }
        } else {
            play_baseline(&mut game_state, &mut rng);
        }
    }
    let seats = game_state.result().map_or(Vec::new(), |result| result.seats.clone());
    match seats[..] {
        [seat] if seat == engine => tally.won += 1,
        [_] => tally.lost += 1,
        _ => tally.drawn += 1,
    }
    (tally, game_state)
}

/// Plays a ply that wins at once, or else the one that makes and blocks the
/// longest rows; in openings any legal ply.
pub(super) fn play_baseline(game_state: &mut GameState, rng: &mut SmallRng) {
    let Some(pending) = game_state.pending_decision() else { return };
    let empty = game_state.empty();
    let stones = match &pending.choices[..] {
        [Choice::Stones { colors, declare: None, .. }] => colors.len(),
        _ => 0,
    };
    if stones > 0 {
        let singles = if stones == 1 { game_state.placements() } else { empty.clone() };
        let mut ranked: Vec<(i64, u32, Cell)> = singles
            .into_iter()
            .map(|cell| (-static_value(game_state, cell, pending.color), rng.random(), cell))
            .collect();
        ranked.sort_unstable();
        let best: Vec<Cell> = ranked.into_iter().map(|(_, _, cell)| cell).collect();
        let actions: Vec<Action> = match stones {
            1 => best.iter().map(|&cell| Action::stone(cell)).collect(),
            _ => {
                let pair = |i: usize, j: usize| Action::stones(&[best[i], best[j]]);
                let n = best.len();
                (0..n)
                    .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
                    .map(|(i, j)| pair(i, j))
                    .collect()
            }
        };
        // The longest rows show wins by lines; wins by captures must be tried.
        for action in actions.iter().take(12) {
            let mut next = game_state.clone();
            if next.apply(action).is_ok()
                && next.result().is_some_and(|r| r.seats == [pending.seat])
            {
                *game_state = next;
                return;
            }
        }
        if actions.iter().any(|action| game_state.apply(action).is_ok()) {
            return;
        }
    }
    for _ in 0..10_000 {
        let mut cells = |n: usize| -> Vec<Cell> {
            (0..n).map(|_| empty[rng.random_range(0..empty.len())]).collect()
        };
        let choice = pending.choices.first();
        let action = match choice {
            Some(Choice::Stones { colors, declare, .. }) => {
                Action::Stones { cells: cells(colors.len()), count: declare.map(|(_, max)| max) }
            }
            Some(Choice::Figure { declare, .. }) => {
                let figures = game_state.figures();
                let count = declare.map(|(min, _)| min);
                let cells = figures[rng.random_range(0..figures.len())].to_vec();
                Action::Stones { cells, count }
            }
            Some(Choice::Offer { count }) => Action::Offer(cells(*count)),
            Some(Choice::Choose) => {
                let offers = game_state.offers();
                let sixth = cells(1)[0];
                Action::Choose { fifth: offers[rng.random_range(0..offers.len())], sixth }
            }
            None => Action::Pass,
        };
        if game_state.apply(&action).is_ok() {
            return;
        }
    }
    // No stone can be placed.
    let _ = game_state.apply(&Action::Pass).or_else(|_| game_state.apply(&Action::Swap));
}

/// Static value of a stone: the rows it makes and blocks, the longest first.
fn static_value(game_state: &GameState, cell: Cell, color: Color) -> i64 {
    let (width, height) = (game_state.contest().width as i32, game_state.contest().height as i32);
    let row = |color: Color, (dx, dy): (i32, i32)| -> u32 {
        [(dx, dy), (-dx, -dy)]
            .into_iter()
            .map(|(dx, dy)| {
                let at = |k: i32| (cell.x() as i32 + k * dx, cell.y() as i32 + k * dy);
                let own = |&(x, y): &(i32, i32)| {
                    (0..width).contains(&x)
                        && (0..height).contains(&y)
                        && game_state.stone(Cell::new(x as usize, y as usize))
                            == Some(Stone::Of(color))
                };
                (1..).map(at).take_while(own).count() as u32
            })
            .sum()
    };
    let value = |color: Color, weight: i64| -> i64 {
        let rows = DIRECTIONS.into_iter().map(|dir| row(color, dir.steps()));
        rows.map(|length| weight * 10i64.pow(length)).sum()
    };
    value(color, 3) + value(!color, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;
    use crate::with_search_stack;

    fn args(line: &str) -> (Args, Contest) {
        let args: Args = parse(line).unwrap();
        let contest = args.game.contest().unwrap();
        (args, contest)
    }

    /// Plays the first `number` games; returns the tally and the plies of each.
    fn games(line: &str, number: usize) -> Vec<(BaselineResults, Vec<Action>)> {
        let (args, contest) = args(line);
        let game = |i| {
            let mut engine = Engine::new(&args, &contest, i).unwrap();
            let (tally, game_state) = play(&args, &contest, i, &mut engine);
            (tally, game_state.actions().to_vec())
        };
        with_search_stack(|| Ok((0..number).map(game).collect())).unwrap()
    }

    #[test]
    fn games_are_tallied_and_the_same_for_the_same_seed() {
        for line in [
            "--game freestyle --opening free --nodes 200",
            "--game pente+keryo --nodes 100",
            "--game connect6 --nodes 100 --draw-after 30",
            "--game four-in-a-row --size 7x6 --nodes 200",
        ] {
            let played = games(line, 3);
            for (tally, actions) in &played {
                let ends = tally.won + tally.lost + tally.drawn + tally.unfinished;
                assert_eq!((ends, tally.illegal), (1, 0), "{line}");
                assert_eq!(tally.plies, actions.len(), "{line}");
                assert!(tally.nodes > 0, "{line}");
            }
            assert_eq!(games(line, 3), played, "{line}");
            let others = games(&format!("{line} --seed 2"), 3);
            let actions = |games: &[(BaselineResults, Vec<Action>)]| -> Vec<Vec<Action>> {
                games.iter().map(|(_, actions)| actions.clone()).collect()
            };
            assert_ne!(actions(&others), actions(&played), "{line}");
        }
        // The engine beats a player that looks one ply ahead.
        let won: usize = games("--game freestyle --opening free --nodes 500", 4)
            .iter()
            .map(|(tally, _)| tally.won)
            .sum();
        assert!(won >= 3, "{won} of 4");
        // Alone it does not play the same game over and over.
        let alone = games("--game pente --nodes 200 --alone", 4);
        assert!(alone[1..].iter().any(|(_, actions)| *actions != alone[0].1));
        assert!(alone.iter().all(|(tally, _)| tally.illegal == 0));
        // With --alone the engine cannot lose: results are printed by seat.
        let tally = BaselineResults { won: 3, lost: 2, drawn: 1, ..BaselineResults::default() };
        let text = results_text(tally, true);
        assert_eq!(text, "3 won by the first player, 2 by the second, 1 drawn, 0 broken off");
        assert_eq!(results_text(tally, false), "3 won, 2 lost, 1 drawn, 0 broken off");
        let (tally, actions) =
            &games("--game freestyle --opening free --nodes 50 --draw-after 5", 1)[0];
        assert_eq!((tally.unfinished, tally.plies, actions.len()), (1, 5, 5));
    }

    /// Plays some legal plies, then breaks the rules.
    struct Cheat {
        legal_plies: usize,
        cheat: fn(&GameState) -> Option<Action>,
    }

    impl PlyChooser for Cheat {
        fn decide(&mut self, game_state: &GameState) -> (Option<Action>, u64) {
            if self.legal_plies == 0 {
                return ((self.cheat)(game_state), 7);
            }
            self.legal_plies -= 1;
            (game_state.placements().first().map(|&cell| Action::stone(cell)), 7)
        }
    }

    #[test]
    fn illegal_plies_are_counted() {
        let occupied = |game_state: &GameState| Some(Action::stone(game_state.stones()[0].0));
        let passes = |_: &GameState| Some(Action::Pass);
        for (line, cheat) in [
            ("--game freestyle --opening free", occupied as fn(&GameState) -> Option<Action>),
            ("--game freestyle --opening free", passes),
            ("--game pente --opening free", occupied),
            ("--game four-in-a-row --opening free", |_| Some(Action::stone(Cell::new(0, 0)))),
            ("--game four-in-a-row --opening free", |_| None),
        ] {
            let (args, contest) = args(line);
            // Game number 1: the engine's seat is the second.
            let mut player = Cheat { legal_plies: 1, cheat };
            let (tally, game_state) = play(&args, &contest, 1, &mut player);
            let expected =
                BaselineResults { illegal: 1, plies: 4, nodes: 14, ..BaselineResults::default() };
            assert_eq!(tally, expected, "{line}");
            assert_eq!(
                game_state.actions().len(),
                3,
                "{line}: the refused ply must change nothing"
            );
            let line = game_line(&args, &contest, 1, tally, &game_state);
            let (head, texts) = line.split_once(": ").unwrap();
            assert_eq!(head, "1 second illegal");
            let replayed = plies::game(&contest, texts.split(' ')).unwrap();
            assert_eq!(replayed.actions(), game_state.actions());
        }
    }
}

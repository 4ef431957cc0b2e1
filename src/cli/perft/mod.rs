//! `goren perft`: counts the legal sequences of plies from a position of any
//! game, to check making and unmaking moves and to time them; or plays at
//! random, and compares every ply with the referee.
//!
//! A ply is one stone, also where a turn has two (Connect6). A ply is legal if the
//! rules allow it while the game is not over: a foul, or an overline in Irensei,
//! is legal and ends the game. Swaps and passes are not counted.

mod family;
pub mod random;

use std::time::Instant;

use anyhow::{Result, ensure};

use super::moves::played;
use super::variant::BoardArgs;
use crate::number::whole;
use family::{FamilyTask, with_family};
use goren_core::opening::{Action, Event};
use goren_core::rules::Contest;
use goren_core::types::Cell;
use goren_engine::game::Inspect;

/// Arguments of `goren perft`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren perft --game renju --depth 3
  goren perft --game connect6 --size 15 --depth 2 --divide
  goren perft --depth 2 h8 i9
  goren perft --game pente --random 100000 --seed 7")]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// Length of the counted sequences, in plies.
    #[arg(long, default_value_t = 3, value_parser = whole::<u32>(1..))]
    depth: u32,
    /// Also print the count after each first ply.
    #[arg(long)]
    divide: bool,
    /// Instead of counting, play this many random plies, game after game, and compare
    /// the board of the engine with the referee, which is slow and plain.
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["depth", "divide", "moves"],
        value_parser = whole::<u64>(1..))]
    random: Option<u64>,
    /// Random seed; equal seeds give equal games.
    #[arg(long, default_value_t = 1, requires = "random",
        conflicts_with_all = ["depth", "divide", "moves"], value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Compare the full lists of legal plies only at every Nth ply, for games
    /// with a slow referee.
    #[arg(long, requires = "random", conflicts_with_all = ["depth", "divide", "moves"],
        value_parser = whole::<u64>(1..))]
    every: Option<u64>,
    /// Plies that lead to the position, such as h8 i9; Black moves first.
    moves: Vec<String>,
}

/// Counts, or plays at random, and prints the results; returns true.
///
/// # Errors
/// An unknown game or board, impossible moves; a random ply at which board and referee
/// differ.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.board.contest()?;
    match args.random {
        Some(plies) => {
            let every = args.every.unwrap_or_else(|| random::usual_step(&contest));
            random::run(&contest, plies, args.seed, every)?;
        }
        None => {
            let game_state = played(&contest, &args.moves.join(" "))?;
            let cells = game_state.events().iter().filter_map(|event| match *event {
                Event::Stone(cell, _) => Some(cell),
                Event::Pass => None,
            });
            let moves: Vec<Cell> = cells.collect();
            let skips = |action: &Action| matches!(action, Action::Swap | Action::Pass);
            let skipped = game_state.actions().iter().any(skips);
            ensure!(!skipped, "passes and swaps are not counted");
            with_family(&contest, Count { contest: &contest, args, moves: &moves });
        }
    }
    Ok(true)
}

struct Count<'a> {
    contest: &'a Contest,
    args: &'a Args,
    moves: &'a [Cell],
}

impl FamilyTask for Count<'_> {
    type Out = ();

    fn run<P: Inspect>(self, empty: P) {
        let mut counter = Counter::after(empty, self.moves);
        println!("{:>5} {:>18} {:>9} {:>12}", "depth", "sequences", "seconds", "pairs/s");
        for depth in 1..=self.args.depth {
            let started = Instant::now();
            counter.pairs = 0;
            let sequences = counter.sequences(depth);
            let seconds = started.elapsed().as_secs_f64();
            let speed = counter.pairs as f64 / seconds.max(1e-9);
            println!("{depth:>5} {sequences:>18} {seconds:>9.3} {speed:>12.0}");
        }
        if self.args.divide {
            for at in counter.legal() {
                let sequences = counter.following(at, self.args.depth - 1);
                println!("{} {sequences}", at.label(self.contest.height));
            }
        }
    }
}

/// A position on which plies are counted.
struct Counter<P> {
    position: P,
    /// Stones placed and taken back.
    pairs: u64,
}

impl<P: Inspect> Counter<P> {
    /// The position after some stones.
    fn after(mut position: P, moves: &[Cell]) -> Counter<P> {
        for &cell in moves {
            position.play(cell);
        }
        Counter { position, pairs: 0 }
    }

    /// The legal plies; none when the game is over.
    fn legal(&self) -> Vec<Cell> {
        match self.position.outcome() {
            Some(_) => Vec::new(),
            None => self.position.placements().iter().collect(),
        }
    }

    /// Number of sequences of `depth` plies from here.
    fn sequences(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.legal().into_iter().map(|at| self.following(at, depth - 1)).sum(),
        }
    }

    /// Number of sequences of `depth` plies after a stone here.
    fn following(&mut self, at: Cell, depth: u32) -> u64 {
        self.position.play(at);
        let number = self.sequences(depth);
        self.position.unmake();
        self.pairs += 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::{Choice, GameState};
    use goren_core::rules::{OpeningId, Pairs, Variant};

    impl FamilyTask for (&[Cell], u32) {
        type Out = u64;
        fn run<P: Inspect>(self, empty: P) -> u64 {
            Counter::after(empty, self.0).sequences(self.1)
        }
    }

    fn fast(contest: &Contest, moves: &[Cell], depth: u32) -> u64 {
        with_family(contest, (moves, depth))
    }

    /// The same by the referee, ply by ply; two stones of a turn in both orders, unless
    /// the rules of pairs distinguish the first from the second.
    fn slow(game_state: &GameState, depth: u32) -> u64 {
        let Some(pending) = game_state.pending_decision().filter(|_| depth > 0) else {
            return (depth == 0).into();
        };
        let [Choice::Stones { colors, .. }] = &pending.choices[..] else { panic!("no plain ply") };
        let empty = game_state.empty();
        let after = |cells: &[Cell]| {
            let mut next = game_state.clone();
            next.apply(&Action::stones(cells)).is_ok().then_some(next)
        };
        if colors.len() == 1 {
            let next = empty.iter().filter_map(|&cell| after(&[cell]));
            return next.map(|next| slow(&next, depth - 1)).sum();
        }
        let mut number = 0;
        for &first in empty.iter().filter(|&&cell| game_state.referee().check_first(cell)) {
            let others = || empty.iter().filter(|&&other| other != first);
            let turns = others().filter_map(|&second| Some((second, after(&[first, second])?)));
            let turns: Vec<(Cell, GameState)> = turns.collect();
            let mut alone = game_state.referee().copy();
            let me = game_state.to_move();
            alone.place(me, first).unwrap();
            let end = goren_core::rules::referee::PlyEnd { mover: me, to_move: !me, seat: 0 };
            if depth == 1 {
                number += u64::from(!turns.is_empty());
            } else if !turns.is_empty() && alone.end_ply(end).is_none_or(|e| e.lines.is_empty()) {
                number += turns.iter().map(|(_, next)| slow(next, depth - 2)).sum::<u64>();
            }
        }
        number
    }

    #[test]
    fn options_of_random_plies_are_refused_without_them() {
        for line in ["--every 3 --depth 1", "--every 3", "--seed 3 --divide", "--seed 3 h8"] {
            assert!(crate::test_args::parse::<Args>(line).is_err(), "{line}");
        }
        assert!(crate::test_args::parse::<Args>("--random 9 --every 3 --seed 3").is_ok());
    }

    #[test]
    fn a_pass_is_refused_in_games_with_two_stones_a_turn() {
        let line = "--game connect6 --size 6 --depth 1 b2 a1,a3 pass c3,d4";
        let error = run(&crate::test_args::parse(line).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "passes and swaps are not counted");
    }

    #[test]
    fn an_empty_board_gives_falling_factorials() {
        for variant in Variant::all() {
            let free = Contest::new(variant).opened(OpeningId::Free).unwrap();
            let everywhere = match variant {
                Variant::Five(_) | Variant::Pente(_) => true,
                Variant::Connect6(game) => game.pairs == Pairs::Any,
                _ => false,
            };
            let Ok(contest) = free.on(6, 6) else { continue };
            if everywhere {
                assert_eq!(fast(&contest, &[], 0), 1);
                assert_eq!(fast(&contest, &[], 3), 36 * 35 * 34, "{variant}");
            }
        }
        let four = Contest::new(Variant::from_name("four-in-a-row").unwrap()).on(7, 6).unwrap();
        assert_eq!(fast(&four, &[], 6), 7u64.pow(6));
        // The first column is full, and the first wins are made.
        assert_eq!(fast(&four, &[], 8), 5_673_234);
    }

    #[test]
    fn counts_match_the_referee() {
        // Positions with wins, captures, fouls and full columns close by.
        for (game, size, plies, depth) in [
            ("freestyle", (7, 7), "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6", 3),
            ("gomoku", (7, 7), "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6", 3),
            ("renju", (7, 7), "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6", 3),
            ("renju+overline", (7, 7), "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6", 3),
            ("renju+overline", (7, 7), "a4 a1 b4 b1 d4 c1 f4 e1 g4 g1 c6 a7", 3),
            ("caro", (7, 7), "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6", 3),
            ("caro-exact", (7, 7), "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6", 3),
            ("pente", (6, 6), "c3 c4 d3 b5 e3 d5 f3 e5", 3),
            ("pente+keryo+poof+boat", (6, 6), "c3 c4 d3 b5 e3 d5 b3 e5", 3),
            ("connect6", (6, 6), "b2 a1,a3 c3,d4 a4,a5 e5,f1", 3),
            ("connect6+torus", (6, 6), "b2 a1,a3 c3,d4 a4,a5 e5,f1", 2),
            ("connect6+collinear", (6, 6), "c3 c4,c5 e4,e5", 2),
            ("connect6+noncollinear", (6, 6), "c3 a1,b3 c6,d4 a2,b4", 2),
            ("four-in-a-row", (5, 5), "c1 d1 c2 d2 a1 d3", 6),
            ("four-in-a-row+clear", (5, 5), "a1 b1 c1 e1 a2", 5),
            ("four-in-a-row+edge-grow", (5, 5), "a1 e5 c1 c5 d1", 3),
            ("four-in-a-row+interior-gravity+clear", (6, 6), "a1 f6 c1 c6 d1", 3),
            ("irensei", (11, 11), "a1 a2 f6 b1 e6 f7", 2),
        ] {
            let contest = Contest::new(Variant::from_name(game).unwrap());
            let contest = contest.opened(OpeningId::Free).unwrap().on(size.0, size.1).unwrap();
            let game_state = played(&contest, plies).unwrap();
            let cells = game_state.events().iter().map(|event| match *event {
                Event::Stone(cell, _) => cell,
                Event::Pass => unreachable!(),
            });
            let cells: Vec<Cell> = cells.collect();
            for depth in 1..=depth {
                assert_eq!(
                    fast(&contest, &cells, depth),
                    slow(&game_state, depth),
                    "{game} {depth}"
                );
            }
        }
    }
}

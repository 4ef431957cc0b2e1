//! `goren perft`: counts the legal sequences of plies from a position, to
//! check making and unmaking moves and to time them.
//!
//! Legal is every empty point while the game is not over. A foul is legal and
//! ends the game.

use std::time::Instant;

use anyhow::{Result, ensure};

use super::point;
use super::variant::Variant;
use crate::board::Board;
use crate::rules::{Rule, Setup, Visitor, with_rule};
use crate::types::{Cell, Color};

/// Arguments of `goren perft`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: Variant,
    /// Longest sequences to count, in plies.
    #[arg(long, default_value_t = 3)]
    depth: u32,
    /// Also show the number of sequences after each first ply.
    #[arg(long)]
    divide: bool,
    /// Stones played before, such as h8 i9; Black begins.
    moves: Vec<String>,
}

/// Counts and prints.
///
/// # Errors
/// A board size that is not supported, or impossible moves.
pub fn run(args: &Args) -> Result<bool> {
    let setup = args.variant.setup()?;
    let mut moves = Vec::new();
    for text in &args.moves {
        moves.push(point::cell(text, setup)?);
    }
    with_rule(setup.rule, Run { setup, args, moves })?;
    Ok(true)
}

struct Run<'a> {
    setup: Setup,
    args: &'a Args,
    moves: Vec<Cell>,
}

impl Visitor for Run<'_> {
    type Out = Result<()>;

    fn visit<R: Rule>(self) -> Result<()> {
        let mut position = Position::<R>::new(self.setup);
        for (&at, text) in self.moves.iter().zip(&self.args.moves) {
            ensure!(!position.over, "the game is over before {text}");
            ensure!(position.board.is_empty(at), "{text} is occupied");
            position.over = position.play(at);
        }
        println!("{:>5} {:>18} {:>9} {:>12}", "depth", "sequences", "seconds", "pairs/s");
        for depth in 1..=self.args.depth {
            let started = Instant::now();
            position.pairs = 0;
            let sequences = if position.over { 0 } else { position.sequences(depth) };
            let seconds = started.elapsed().as_secs_f64();
            let speed = position.pairs as f64 / seconds.max(1e-9);
            println!("{depth:>5} {sequences:>18} {seconds:>9.3} {speed:>12.0}");
        }
        if self.args.divide && self.args.depth > 0 && !position.over {
            for at in position.empty() {
                let sequences = position.after(at, self.args.depth - 1);
                println!("{} {sequences}", at.label(self.setup.height));
            }
        }
        Ok(())
    }
}

/// A position with the side to move.
struct Position<R: Rule> {
    board: Board<R>,
    to_move: Color,
    /// Whether the game had ended before the count began.
    over: bool,
    /// Stones placed and taken back.
    pairs: u64,
}

impl<R: Rule> Position<R> {
    fn new(setup: Setup) -> Position<R> {
        Position { board: Board::new(setup), to_move: Color::Black, over: false, pairs: 0 }
    }

    fn empty(&self) -> Vec<Cell> {
        self.board.empty().iter().collect()
    }

    /// Places a stone. Whether that ends the game, but for a full board, which
    /// leaves nothing to count anyway.
    fn play(&mut self, at: Cell) -> bool {
        let wins = self.board.wins(self.to_move, at);
        let foul = self.to_move == Color::Black && self.board.is_forbidden(at);
        self.board.make(at, self.to_move);
        self.to_move = !self.to_move;
        wins || foul
    }

    /// Number of sequences of `depth` plies from here.
    fn sequences(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.empty().into_iter().map(|at| self.after(at, depth - 1)).sum(),
        }
    }

    /// Number of ways to go on for `depth` plies after a stone here.
    fn after(&mut self, at: Cell, depth: u32) -> u64 {
        let ends = self.play(at);
        let number = if ends && depth > 0 { 0 } else { self.sequences(depth) };
        self.board.unmake();
        self.to_move = !self.to_move;
        self.pairs += 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleId;
    use crate::rules::referee::Referee;

    struct Count<'a>(Setup, &'a [Cell], u32);

    impl Visitor for Count<'_> {
        type Out = u64;
        fn visit<R: Rule>(self) -> u64 {
            let mut position = Position::<R>::new(self.0);
            for &at in self.1 {
                assert!(!position.play(at));
            }
            position.sequences(self.2)
        }
    }

    fn slow(referee: &mut Referee, to_move: Color, depth: u32) -> u64 {
        let setup = referee.setup();
        if depth == 0 {
            return 1;
        }
        let mut number = 0;
        for at in (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width)) {
            if referee.place(to_move, at).is_ok() {
                number += slow(referee, !to_move, depth - 1);
                referee.take_back();
            }
        }
        number
    }

    #[test]
    fn an_empty_board_gives_falling_factorials() {
        for rule in RuleId::ALL {
            let setup = Setup::new(rule, 5, 6).unwrap();
            assert_eq!(with_rule(rule, Count(setup, &[], 0)), 1);
            assert_eq!(with_rule(rule, Count(setup, &[], 3)), 30 * 29 * 28);
        }
    }

    #[test]
    fn wins_fouls_and_full_boards_end_sequences_as_for_the_referee() {
        // Four in a row for either side, and black threes that cross.
        let text = "c5 a1 d5 b1 e5 c1 f5 d1 b3 g7 b4 g6";
        for rule in RuleId::ALL {
            let setup = Setup::new(rule, 7, 7).unwrap();
            let moves: Vec<Cell> =
                text.split(' ').map(|text| point::cell(text, setup).unwrap()).collect();
            let mut referee = Referee::new(setup);
            for (i, &at) in moves.iter().enumerate() {
                assert_eq!(referee.place(Color::ALL[i % 2], at), Ok(None));
            }
            let expected = slow(&mut referee, Color::Black, 3);
            assert_eq!(with_rule(rule, Count(setup, &moves, 3)), expected, "{rule}");
            assert!(expected < 37 * 36 * 35);
        }
    }
}

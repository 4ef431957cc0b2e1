//! Positions in which a best move was found, by game and ply: the board is
//! replayed when a position is learnt from, as all its windows take hundreds of
//! times the room of its game.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::args::Args;
use super::game_position::{GamePosition, set_up};
use super::load::{Choice, held_out, refused};
use super::per_thread::PerThread;
use super::positions::Label;
use super::trace::traced;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, Move, PROVEN, Score};
use goren_engine::board::Board;
use goren_engine::eval::near::EarlierMove;
use goren_engine::eval::{Eval, Weights};
use goren_engine::game::{MoveList, Scored};
use goren_engine::pattern::Class;
use goren_engine::threat::{self, Verdict};
use goren_training_data::{PackedGame, Reader};

/// Positions of many games.
pub(super) struct Samples<R: Rule> {
    games: Vec<PackedGame>,
    /// By game, whether it is for judging and not for learning.
    held_out: Vec<bool>,
    /// Number of a game, and of one of its positions ([`GamePosition::of`]).
    samples: Vec<(u32, u16)>,
    /// A board, with the position that it was used for last.
    boards: PerThread<Option<Board<R>>>,
}

/// A sample: the board, the last two moves, the side to move and the best move.
pub(super) struct Sample<'a, R: Rule> {
    pub board: &'a Board<R>,
    pub to_move: Color,
    /// The enemy's last move and the mover's own before it.
    pub last: [Option<EarlierMove>; 2],
    pub best: Cell,
}

impl<R: Rule> Samples<R> {
    /// Reads the files of training games, and keeps the positions that are `useful`.
    ///
    /// # Errors
    /// A file cannot be read or is damaged, a game cannot be replayed, or there
    /// is no game of the rule.
    pub fn read(args: &Args, useful: Useful<R>) -> Result<Samples<R>> {
        let choice = Choice::of(args, R::ID);
        let mut games = Vec::new();
        let (mut others, mut positions) = (0, 0);
        'files: for file in &args.data {
            for game in Reader::open(file)? {
                match game {
                    Ok(game) if choice.takes(&game) => {
                        positions += game.plies.len() + game.sampled.len();
                        games.push(game);
                    }
                    Ok(_) => others += 1,
                    Err(error) if args.whole_games => eprintln!("warning: {error}"),
                    Err(error) => return Err(refused(error)),
                }
                if positions >= args.positions {
                    break 'files;
                }
            }
        }
        if games.is_empty() {
            bail!("no games of {} among the {others} there are", R::ID);
        }
        println!("{positions} positions of {} games; {others} of other rules.", games.len());
        let held_out = games.iter().map(|game| held_out(game, &choice)).collect();
        let useful: Vec<Result<Vec<u16>>> =
            games.par_iter().map(|game| useful_numbers(game, useful)).collect();
        let mut samples = Vec::new();
        for (game, numbers) in useful.into_iter().enumerate() {
            samples.extend(numbers?.into_iter().map(|number| (game as u32, number)));
        }
        Ok(Samples { games, held_out, samples, boards: PerThread::new(|| None) })
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// The positions to learn from, and those that are held out; their numbers are
    /// printed.
    pub fn split(&self) -> [Vec<u32>; 2] {
        let all = 0..self.len() as u32;
        let (valid, train): (Vec<u32>, Vec<u32>) =
            all.partition(|&at| self.is_held_out(at as usize));
        println!("{} positions to learn from, {} to judge by.", train.len(), valid.len());
        [train, valid]
    }

    /// Whether a position is for judging.
    fn is_held_out(&self, at: usize) -> bool {
        self.held_out[self.samples[at].0 as usize]
    }

    /// What the game of a position says about it.
    pub fn label(&self, at: usize) -> Label {
        let (game, position) = self.position(at);
        Label::of(game, position, self.is_held_out(at))
    }

    /// A position and its game.
    fn position(&self, at: usize) -> (&PackedGame, GamePosition<'_>) {
        let (game, number) = self.samples[at];
        let game = &self.games[game as usize];
        (game, GamePosition::of(game, number.into()))
    }

    /// The chance to win that a position has by the search in it and in those after it; see
    /// [`traced`].
    pub fn traced(&self, at: usize, lambda: f32, worth: impl Fn(Score) -> f32) -> f32 {
        match self.position(at) {
            (game, GamePosition::Played(ply)) => traced(game, ply, lambda, worth),
            (_, GamePosition::Sampled(sampled)) => worth(sampled.score),
        }
    }

    /// Does something with a position.
    pub fn with<T>(&self, at: usize, work: impl FnOnce(&Sample<'_, R>) -> T) -> T {
        self.boards.with(|board| self.with_board(at, board, work))
    }

    /// Does something with a position, played on a board that may have another one.
    fn with_board<T>(
        &self,
        at: usize,
        board: &mut Option<Board<R>>,
        work: impl FnOnce(&Sample<'_, R>) -> T,
    ) -> T {
        let (game, position) = self.position(at);
        let board = match board {
            Some(board) if board.setup() == game.setup => board,
            board => board.insert(Board::new(game.setup)),
        };
        let stones = position.stones(game);
        let last = set_up(board, &stones);
        work(&Sample {
            board,
            to_move: Color::ALL[stones.len() % 2],
            last,
            best: position.best(game),
        })
    }

    /// The loss of weights at a position, and how many moves they prefer to the
    /// best one. Ties count against it.
    pub fn judged(&self, at: usize, weights: &Arc<Weights>) -> (f64, usize) {
        self.with(at, |sample| {
            let mut moves = sample.moves(weights);
            Eval::new(sample.board, weights.clone()).add_policy(
                sample.board,
                sample.to_move,
                sample.last,
                &mut moves,
            );
            let worth = |entry: &Scored| f64::from(entry.score) / 100.0;
            let found = moves.iter().find(|entry| entry.m.cell() == sample.best);
            let best = found.map_or(f64::NEG_INFINITY, worth);
            let most = moves.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = moves.iter().map(|entry| (worth(entry) - most).exp()).sum();
            let better = moves.iter().filter(|entry| worth(entry) >= best).count();
            (most + sum.ln() - best, better)
        })
    }
}

impl<R: Rule> Sample<'_, R> {
    /// The moves to choose from, with what weights say of them without the
    /// policy net.
    pub fn moves(&self, weights: &Weights) -> MoveList {
        let mut moves = MoveList::new();
        let score = |cell: Cell| weights.policy_score(self.to_move, self.board.cell(cell));
        moves.extend(self.board.near().iter().map(|cell| Scored::new(Move::at(cell), score(cell))));
        for (own, made) in [(false, self.last[0]), (true, self.last[1])] {
            if let Some(made) = made {
                let seen = weights.near(self.to_move, own, made);
                moves.iter_mut().for_each(|entry| entry.score += seen(entry.m.cell()));
            }
        }
        moves
    }
}

/// Whether a position is of use, given the board, the side to move, the best move that the
/// search found and its score.
pub(crate) type Useful<R> = fn(&Board<R>, Color, Cell, Score) -> bool;

/// Whether a position says something about the choice of a move: it was free, among the
/// moves that the search tries, and not lost anyway.
pub(crate) fn is_choice<R: Rule>(board: &Board<R>, me: Color, best: Cell, score: Score) -> bool {
    is_undecided(board, me, best, score)
        && threat::defences(board, me).is_none()
        && score > -PROVEN
        && board.near().contains(best)
}

/// Whether the search asks the evaluation about a position: no threat decides it at once.
pub(crate) fn is_undecided<R: Rule>(board: &Board<R>, me: Color, _: Cell, _: Score) -> bool {
    board.count(!me, Class::Five) == 0 && threat::verdict(board, me) == Verdict::Unknown
}

/// The numbers of the useful positions of a game.
///
/// # Errors
/// A stone on another.
fn useful_numbers<R: Rule>(game: &PackedGame, useful: Useful<R>) -> Result<Vec<u16>> {
    let mut board = Board::<R>::new(game.setup);
    let mut numbers = Vec::new();
    let all = GamePosition::all(game).with_context(|| format!("game {:x}", game.seed))?;
    for (number, position) in all.into_iter().enumerate() {
        let stones = position.stones(game);
        set_up(&mut board, &stones);
        let (to_move, best) = (Color::ALL[stones.len() % 2], position.best(game));
        if stones.len() >= 2 && useful(&board, to_move, best, position.score(game)) {
            numbers.push(u16::try_from(number)?);
        }
    }
    Ok(numbers)
}

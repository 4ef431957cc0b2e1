//! Positions of five in a row that are stored as a game and an index in it. The board is
//! replayed whenever a fit needs the position, as all its windows would take hundreds of
//! times the memory of its game.

use std::sync::Arc;

use anyhow::Result;

use super::args::Args;
use super::game_position::{TrainingPosition, is_evaluated, set_up};
use super::label::TrainingLabel;
use super::load::load;
use super::ordering::FIVE_SCALE;
use super::per_thread::PerThread;
use super::trace::td_target;
use goren_core::rules::{Rule, Variant};
use goren_core::types::{Cell, Color, Move, PROVEN, Score};
use goren_engine::board::Board;
use goren_engine::eval::near::EarlierMove;
use goren_engine::eval::{Eval, Weights};
use goren_engine::game::{MoveList, Scored};
use goren_engine::threat;
use goren_training_data::PackedGame;

/// Positions of many games.
pub(super) struct ReplayedPositions<R: Rule> {
    games: Vec<PackedGame>,
    /// By position, the index of its game and its number there ([`TrainingPosition::of`]).
    places: Vec<(u32, u16)>,
    /// By position.
    labels: Vec<TrainingLabel>,
    /// A board, still with the position that it was last used for.
    boards: PerThread<Option<Board<R>>>,
}

/// A position set up on a board.
pub(super) struct ReplayedPosition<'a, R: Rule> {
    pub board: &'a Board<R>,
    pub to_move: Color,
    /// The opponent's last move and the mover's own before it.
    pub last: [Option<EarlierMove>; 2],
    /// The move that the search found best.
    pub best: Cell,
}

impl<R: Rule> ReplayedPositions<R> {
    /// Reads the training games, and keeps the positions that are `useful`. Reading ends when
    /// the games have `--positions` positions, useful or not.
    ///
    /// # Errors
    /// Those of [`load`].
    pub fn read(args: &Args, useful: Useful<R>) -> Result<ReplayedPositions<R>> {
        let boards = PerThread::new(|| None);
        let mut read =
            ReplayedPositions { games: Vec::new(), places: Vec::new(), labels: Vec::new(), boards };
        let take = |game: PackedGame, held_out| -> Result<(PackedGame, bool, Vec<u16>)> {
            let numbers = useful_numbers(&game, useful)?;
            Ok((game, held_out, numbers))
        };
        let mut positions = 0;
        let is_wanted = |variant| variant == Variant::Five(R::ID);
        load(args, is_wanted, take, |(game, held_out, numbers)| {
            positions += game.plies.len() + game.sampled.len();
            for number in numbers {
                read.places.push((read.games.len() as u32, number));
                let position = TrainingPosition::of(&game, number.into());
                read.labels.push(TrainingLabel::of(&game, position, held_out));
            }
            read.games.push(game);
            positions >= args.positions
        })?;
        println!("{positions} positions; {} of them are useful.", read.len());
        Ok(read)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The label of each position.
    pub fn labels(&self) -> &[TrainingLabel] {
        &self.labels
    }

    /// A position and its game.
    fn position(&self, at: usize) -> (&PackedGame, TrainingPosition<'_>) {
        let (game, number) = self.places[at];
        let game = &self.games[game as usize];
        (game, TrainingPosition::of(game, number.into()))
    }

    /// The expected result of a position, 0 to 1, by its search score and those of later
    /// positions; see [`td_target`].
    pub fn td_target(&self, at: usize, lambda: f32, value: impl Fn(Score) -> f32) -> f32 {
        match self.position(at) {
            (game, TrainingPosition::Played(ply)) => td_target(game, ply, lambda, value),
            (_, TrainingPosition::Sampled(sampled)) => value(sampled.score),
        }
    }

    /// Calls `work` with a position, set up on the board of this thread.
    pub fn with<T>(&self, at: usize, work: impl FnOnce(&ReplayedPosition<'_, R>) -> T) -> T {
        self.boards.with(|board| self.with_board(at, board, work))
    }

    /// Calls `work` with a position, set up on a board that may have another one.
    fn with_board<T>(
        &self,
        at: usize,
        board: &mut Option<Board<R>>,
        work: impl FnOnce(&ReplayedPosition<'_, R>) -> T,
    ) -> T {
        let (game, position) = self.position(at);
        let board = match board {
            Some(board) if board.setup() == game.setup => board,
            board => board.insert(Board::new(game.setup)),
        };
        work(&ReplayedPosition::new(board, game, position))
    }

    /// The loss of weights at a position, and the rank that they give to the best move, from 1.
    /// Ties count against it.
    pub fn loss_and_rank(&self, at: usize, weights: &Arc<Weights>) -> (f64, usize) {
        self.with(at, |position| {
            let mut moves = position.moves(weights);
            Eval::new(position.board, weights.clone()).add_policy(
                position.board,
                position.to_move,
                position.last,
                &mut moves,
            );
            let odds = |entry: &Scored| f64::from(entry.score) / f64::from(FIVE_SCALE);
            let found = moves.iter().find(|entry| entry.m.cell() == position.best);
            let best = found.map_or(f64::NEG_INFINITY, odds);
            let max = moves.iter().map(odds).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = moves.iter().map(|entry| (odds(entry) - max).exp()).sum();
            let rank = moves.iter().filter(|entry| odds(entry) >= best).count();
            (max + sum.ln() - best, rank)
        })
    }
}

impl<'a, R: Rule> ReplayedPosition<'a, R> {
    /// Sets up a position of a game on a board that may have another one.
    fn new(
        board: &'a mut Board<R>,
        game: &PackedGame,
        position: TrainingPosition<'_>,
    ) -> ReplayedPosition<'a, R> {
        let stones = position.stones(game);
        let last = set_up(board, &stones);
        let to_move = Color::ALL[stones.len() % 2];
        ReplayedPosition { board, to_move, last, best: position.best(game) }
    }

    /// The moves to choose from, with their policy scores without the policy net.
    pub fn moves(&self, weights: &Weights) -> MoveList {
        let mut moves = MoveList::new();
        let score = |cell: Cell| weights.policy_score(self.to_move, self.board.cell(cell));
        moves.extend(self.board.near().iter().map(|cell| Scored::new(Move::at(cell), score(cell))));
        for (own, earlier) in [(false, self.last[0]), (true, self.last[1])] {
            if let Some(earlier) = earlier {
                let near = weights.near(self.to_move, own, earlier);
                moves.iter_mut().for_each(|entry| entry.score += near(entry.m.cell()));
            }
        }
        moves
    }
}

/// Whether a position is useful, given the score of the search.
pub(super) type Useful<R> = fn(&ReplayedPosition<'_, R>, Score) -> bool;

/// Whether a position teaches something about the choice of a move: the choice was free, the
/// best move is among those that the search tries, and the position is not lost.
pub(super) fn is_choice<R: Rule>(position: &ReplayedPosition<'_, R>, score: Score) -> bool {
    let ReplayedPosition { board, to_move, best, .. } = *position;
    is_evaluated(board, to_move)
        && threat::defences(board, to_move).is_none()
        && score > -PROVEN
        && board.near().contains(best)
}

/// Whether the search evaluates a position, whatever its score; see [`is_evaluated`].
pub(super) fn is_undecided<R: Rule>(position: &ReplayedPosition<'_, R>, _: Score) -> bool {
    is_evaluated(position.board, position.to_move)
}

/// The numbers of the useful positions of a game.
///
/// # Errors
/// A stone on another; more positions than a `u16` can count.
fn useful_numbers<R: Rule>(game: &PackedGame, useful: Useful<R>) -> Result<Vec<u16>> {
    let mut board = Board::<R>::new(game.setup);
    let mut numbers = Vec::new();
    for (number, position) in TrainingPosition::all(game)?.into_iter().enumerate() {
        let replayed = ReplayedPosition::new(&mut board, game, position);
        if replayed.board.placed() >= 2 && useful(&replayed, position.score(game)) {
            numbers.push(u16::try_from(number)?);
        }
    }
    Ok(numbers)
}

//! The searched positions of training games as rows of numbers.
//!
//! A [`PositionColumns`] holds `N` rows, column by column. `goren data export` writes these
//! columns, and the Python package has them as arrays, under these names:
//!
//! | name | shape | type | meaning |
//! |---|---|---|---|
//! | `board` | `N`, height, width | `u8` | stones before the move: 0 none, 1 Black, 2 White; row 0 is the top one |
//! | `to_move` | `N` | `u8` | side to move: 1 Black, 2 White |
//! | `left` | `N` | `u8` | stones that it has still to place in this turn |
//! | `best` | `N` | `i16` | best move of the search, `width * y + x` with `y` from the top; -1 if unknown |
//! | `played` | `N` | `i16` | move that was played, in the same way; -1 where the game ended here |
//! | `score` | `N` | `i16` | score of the search in points for the side to move; from 28500 on a proven win in 30000 - score plies, and the same below 0 for losses |
//! | `result` | `N` | `i8` | result of the game for the side to move: 1 won, 0 drawn, -1 lost |
//! | `ply` | `N` | `u16` | stones placed before, those of the opening and captured ones too |
//! | `game` | `N` | `u32` | number of the game, from 0 in the order of the files |
//!
//! The rows of a game are contiguous and in order. Unfinished games have no result:
//! [`PositionReader`] counts and skips them, and sampled positions
//! ([`SampledPosition`](crate::SampledPosition)) too.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use crate::files::GameReader;
use crate::training_game::{SearchedPosition, TrainingGame};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Cell, Color, Score, WIN};
use goren_notation::forms::Typed;

/// Searched positions, column by column; see the module's table.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct PositionColumns {
    /// `height * width` cells for each position, row by row from the top.
    pub board: Vec<u8>,
    /// Side to move.
    pub to_move: Vec<u8>,
    /// Stones that it still has to place in this turn.
    pub left: Vec<u8>,
    /// Best move.
    pub best: Vec<i16>,
    /// Move played.
    pub played: Vec<i16>,
    /// Score in points for the side to move.
    pub score: Vec<i16>,
    /// Result for the side to move.
    pub result: Vec<i8>,
    /// Stones placed before.
    pub ply: Vec<u16>,
    /// Number of the game.
    pub game: Vec<u32>,
}

/// Returns the number of a colour in a column.
fn color_number(color: Color) -> u8 {
    1 + color.index() as u8
}

/// Board of a game while its stones are placed.
enum Replay {
    /// Five in a row: stones stay, and sides alternate.
    Plain(Vec<u8>),
    /// Any game, by its rules.
    Ruled(Box<Typed>),
}

impl Replay {
    fn of(game: &TrainingGame) -> Replay {
        let contest = game.contest();
        match game {
            TrainingGame::Packed(_) => Replay::Plain(vec![0; contest.width * contest.height]),
            TrainingGame::Json(_) => Replay::Ruled(Box::new(Typed::new(&contest))),
        }
    }

    /// Places stone number `ply`, from 0.
    ///
    /// # Errors
    /// The stone is illegal.
    fn place(&mut self, index: usize, cell: Cell, ply: usize) -> Result<()> {
        match self {
            Replay::Plain(board) => {
                ensure!(board[index] == 0, "the point is occupied");
                board[index] = color_number(Color::ALL[ply % 2]);
                Ok(())
            }
            Replay::Ruled(typed) => typed.stone(cell),
        }
    }

    /// Returns the side to move and the stones it has to place, before stone number `ply`.
    fn turn(&self, ply: usize) -> (Color, usize) {
        match self {
            Replay::Plain(_) => (Color::ALL[ply % 2], 1),
            Replay::Ruled(typed) => (typed.game_state.to_move(), typed.left()),
        }
    }

    /// Appends the board.
    fn draw(&self, contest: &Contest, out: &mut Vec<u8>) {
        match self {
            Replay::Plain(board) => out.extend(board),
            Replay::Ruled(typed) => {
                let from = out.len();
                let Contest { width, height, .. } = *contest;
                out.resize(from + width * height, 0);
                let board = &mut out[from..];
                let mut set =
                    |cell: Cell, color| board[width * cell.y() + cell.x()] = color_number(color);
                let to_move = typed.game_state.to_move();
                for (cell, color) in typed.game_state.stones() {
                    set(cell, color);
                }
                typed.placed.iter().for_each(|&cell| set(cell, to_move));
            }
        }
    }
}

impl PositionColumns {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.to_move.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.to_move.is_empty()
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.truncate(0, 0);
    }

    /// Keeps the first `rows` rows, with `cells` cells in all.
    fn truncate(&mut self, rows: usize, cells: usize) {
        self.board.truncate(cells);
        self.to_move.truncate(rows);
        self.left.truncate(rows);
        self.best.truncate(rows);
        self.played.truncate(rows);
        self.score.truncate(rows);
        self.result.truncate(rows);
        self.ply.truncate(rows);
        self.game.truncate(rows);
    }

    /// Appends the searched positions of game number `number`; none if it has no result. The
    /// game must have the board of the existing rows.
    ///
    /// # Errors
    /// A stone is illegal, or a score is out of range; no row is added.
    pub fn add(&mut self, number: u32, game: &TrainingGame) -> Result<()> {
        let (rows, cells) = (self.len(), self.board.len());
        let outcome = self.append(number, game, &game.contest());
        if outcome.is_err() {
            self.truncate(rows, cells);
        }
        outcome
    }

    fn append(&mut self, number: u32, game: &TrainingGame, contest: &Contest) -> Result<()> {
        let Some(result) = game.result() else { return Ok(()) };
        let index = |cell: Cell| contest.width * cell.y() + cell.x();
        let entry = |cell: Option<Cell>| cell.map_or(-1, |cell| index(cell) as i16);
        let mut replay = Replay::of(game);
        let opening = game.opening();
        let label = |cell: Cell| cell.label(contest.height);
        for (ply, &cell) in opening.iter().enumerate() {
            let why = || format!("stone {} ({})", ply + 1, label(cell));
            replay.place(index(cell), cell, ply).with_context(why)?;
        }
        for (i, searched) in game.searched().into_iter().enumerate() {
            let SearchedPosition { played, best, score } = searched;
            let ply = opening.len() + i;
            ensure!(score.abs() <= WIN, "{score} is no score");
            let (to_move, left) = replay.turn(ply);
            replay.draw(contest, &mut self.board);
            self.to_move.push(color_number(to_move));
            self.left.push(left as u8);
            self.best.push(entry(best));
            self.played.push(entry(played));
            self.score.push(score as i16);
            self.result.push(match result {
                Outcome::Draw => 0,
                Outcome::Win(color) if color == to_move => 1,
                Outcome::Win(_) => -1,
            });
            self.ply.push(ply as u16);
            self.game.push(number);
            if let Some(cell) = played {
                let why = || format!("stone {} ({})", ply + 1, label(cell));
                replay.place(index(cell), cell, ply).with_context(why)?;
            }
        }
        Ok(())
    }
}

/// Reader of the positions in files of training games, file by file, with little memory. All
/// games must be of one variant and board size.
pub struct PositionReader {
    files: GameReader,
    contest: Option<Contest>,
    games: u32,
    without_result: u64,
    sampled: u64,
}

impl PositionReader {
    /// Creates a reader of `files`. A damaged or truncated file is an error, unless
    /// `whole_games`: then its whole games are used.
    pub fn new(files: Vec<PathBuf>, whole_games: bool) -> PositionReader {
        PositionReader {
            files: GameReader::new(files, whole_games),
            contest: None,
            games: 0,
            without_result: 0,
            sampled: 0,
        }
    }

    /// Returns the variant and board of the positions, once a game was read.
    pub fn contest(&self) -> Option<Contest> {
        self.contest
    }

    /// Returns the number of games read, skipped ones included.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Returns the number of games skipped because they are unfinished.
    pub fn without_result(&self) -> u64 {
        self.without_result
    }

    /// Returns the number of sampled positions skipped because they have no result.
    pub fn sampled(&self) -> u64 {
        self.sampled
    }

    /// Returns the faults of the files so far; always empty without `whole_games`.
    pub fn faults(&self) -> &[String] {
        self.files.faults()
    }

    /// Returns the undamaged files so far that have no game, such as empty ones.
    pub fn without_game(&self) -> &[Arc<Path>] {
        self.files.without_game()
    }

    /// Appends the positions of whole games until there are at least `rows` rows or the files
    /// end. Returns whether anything may be left.
    ///
    /// # Errors
    /// A file cannot be read, is damaged without `whole_games` ([`Damaged`](crate::Damaged)), or
    /// has another variant or board than those before. The error names the file and the game.
    pub fn read(&mut self, rows: usize, into: &mut PositionColumns) -> Result<bool> {
        while into.len() < rows {
            let Some((place, game)) = self.files.next_game()? else { return Ok(false) };
            match self.take(&game, into) {
                Ok(()) => {}
                Err(error) if error.is::<OtherContest>() => return Err(error.context(place)),
                Err(error) => self.files.pass_over(error.context(place))?,
            }
        }
        Ok(true)
    }

    fn take(&mut self, game: &TrainingGame, into: &mut PositionColumns) -> Result<()> {
        let contest = game.contest();
        let name =
            |contest: &Contest| format!("{} {}x{}", contest.variant, contest.width, contest.height);
        let other = self.contest.as_ref().map(name).filter(|before| *before != name(&contest));
        if let Some(before) = other {
            return Err(OtherContest { here: name(&contest), before }.into());
        }
        into.add(self.games, game)?;
        self.contest = Some(contest);
        self.games += 1;
        self.without_result += u64::from(game.result().is_none());
        self.sampled += game.sampled().len() as u64;
        Ok(())
    }
}

/// A game of another variant or board than those before.
#[derive(Debug, thiserror::Error)]
#[error("it is {here}, those before are {before}: export each game and board separately")]
struct OtherContest {
    here: String,
    before: String,
}

/// Proven scores fit into the column.
const _: () = assert!(WIN <= i16::MAX as Score);

#[cfg(test)]
mod tests;

//! Training games of either kind, packed or as lines.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, Result};
use serde_json::Value;

use crate::file::{DataError, PackedReader};
use crate::lines::{JsonGame, LineFormat};
use crate::{PackedGame, PackedPly, SampledPosition};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::keys::mix;
use goren_core::types::{Cell, PROVEN, Score};

/// A training game of either form.
#[derive(Clone, PartialEq, Debug)]
pub enum TrainingGame {
    /// Five in a row.
    Packed(Box<PackedGame>),
    /// Any other game.
    Json(Box<JsonGame>),
}

/// A searched position and the move that was played there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SearchedPosition {
    /// The stone placed; `None` if the game ended with a proven score.
    pub played: Option<Cell>,
    /// Best stone, if known.
    pub best: Option<Cell>,
    /// Score of the search for the side to move.
    pub score: Score,
}

impl TrainingGame {
    /// Returns the variant and its board, with a free opening.
    pub fn contest(&self) -> Contest {
        match self {
            TrainingGame::Packed(game) => Contest::five(game.setup),
            TrainingGame::Json(game) => game.record.contest,
        }
    }

    /// Returns the random seed of the game.
    pub fn seed(&self) -> u64 {
        match self {
            TrainingGame::Packed(game) => game.seed,
            TrainingGame::Json(game) => game.seed,
        }
    }

    /// Returns the result; `None` if the game is unfinished.
    pub fn result(&self) -> Option<Outcome> {
        match self {
            TrainingGame::Packed(game) => Some(game.result),
            TrainingGame::Json(game) => game.record.result(),
        }
    }

    /// Whether the game was played to its last stone.
    pub fn played_out(&self) -> bool {
        match self {
            TrainingGame::Packed(game) => game.played_out,
            TrainingGame::Json(game) => {
                game.record.ending.is_some() && game.scores.len() == game.stones.len()
            }
        }
    }

    /// Returns the stones before the search took over, in order.
    pub fn opening(&self) -> Vec<Cell> {
        match self {
            TrainingGame::Packed(game) => game.opening.clone(),
            TrainingGame::Json(game) => goren_notation::plies::stones(&game.record.opening),
        }
    }

    /// Whether a fit holds the game out for validation, if it holds out a `share` of the games
    /// by a random `seed` of its own. Copies of a game are treated alike in all files.
    ///
    /// The recipe, for programs that need the same games: with [`mix`] the hash is
    /// `mix(seed ^ mix(seed of the game))`, then for each stone of the opening
    /// `mix(hash ^ (32 * y + x))`, `y` from the top; the game is held out if the upper 53 bits
    /// of the hash, as a fraction of 2<sup>53</sup>, are at most `share`.
    pub fn is_held_out(&self, seed: u64, share: f64) -> bool {
        let hash = mix(seed ^ mix(self.seed()));
        let cells = self.opening().into_iter();
        let hash = cells.fold(hash, |hash, cell| mix(hash ^ (32 * cell.y() + cell.x()) as u64));
        (hash >> 11) as f64 / (1u64 << 53) as f64 <= share
    }

    /// Returns a random sample of the positions that the searches evaluated.
    pub fn sampled(&self) -> &[SampledPosition] {
        match self {
            TrainingGame::Packed(game) => &game.sampled,
            TrainingGame::Json(_) => &[],
        }
    }

    /// Returns the searched positions, in order.
    pub fn searched(&self) -> Vec<SearchedPosition> {
        match self {
            TrainingGame::Packed(game) => {
                // If a score ended the game, the last move in the file was not placed.
                let last = game.plies.len().saturating_sub(1);
                let searched = |(at, &PackedPly { played, best, score }): (usize, &PackedPly)| {
                    let ends = at == last && !game.played_out && score.abs() >= PROVEN;
                    SearchedPosition {
                        played: Some(played).filter(|_| !ends),
                        best: Some(best),
                        score,
                    }
                };
                game.plies.iter().enumerate().map(searched).collect()
            }
            TrainingGame::Json(game) => {
                let searched = |(i, &score): (usize, &Score)| {
                    let played = game.stones.get(i).copied();
                    let best = played.filter(|_| !game.random_moves.contains(&i));
                    SearchedPosition { played, best, score }
                };
                game.scores.iter().enumerate().map(searched).collect()
            }
        }
    }
}

/// A game as stored in a file. A packed game is already decoded; a line is not parsed yet, as
/// parsing takes most of the time and can run on several threads.
pub struct StoredGame(Stored);

enum Stored {
    Packed(Box<PackedGame>),
    Line { format: Arc<LineFormat>, text: String, place: LinePlace },
}

/// Place of a line: `FILE: line NUMBER`.
#[derive(Clone, Debug)]
struct LinePlace {
    file: Arc<str>,
    /// From 1.
    number: u64,
}

impl fmt::Display for LinePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}", self.file, self.number)
    }
}

impl StoredGame {
    /// Parses the game.
    ///
    /// # Errors
    /// The line is no training game; the error names the file and the line.
    pub fn read(self) -> Result<TrainingGame> {
        match self.0 {
            Stored::Packed(game) => Ok(TrainingGame::Packed(game)),
            Stored::Line { format, text, place } => {
                let game = format.read(&text).context(place)?;
                Ok(TrainingGame::Json(Box::new(game)))
            }
        }
    }
}

/// Iterator over the games of a file.
pub type TrainingGames = Box<dyn Iterator<Item = Result<TrainingGame>> + Send>;

/// Iterator over the games of a file, with lines not parsed yet.
pub(crate) type StoredGames = Box<dyn Iterator<Item = Result<StoredGame>> + Send>;

/// Returns the games of a file of either kind, in order, up to the first fault of a packed file.
///
/// # Errors
/// The file cannot be read, or is no file of training games.
pub fn games(path: &Path) -> Result<TrainingGames> {
    Ok(Box::new(stored_games(path)?.map(|game| game?.read())))
}

/// As [`games`], with lines not parsed yet.
///
/// # Errors
/// As [`games`].
pub(crate) fn stored_games(path: &Path) -> Result<StoredGames> {
    let cannot = || format!("cannot read {}", path.display());
    // Opened once: a pipe can be read only once.
    let mut input = BufReader::with_capacity(1 << 16, File::open(path).with_context(cannot)?);
    let is_text = matches!(input.fill_buf().with_context(cannot)?, [b'{' | 0xef, ..]);
    if !is_text {
        let games = PackedReader::new(path, input);
        return Ok(Box::new(games.map(|game| Ok(StoredGame(Stored::Packed(Box::new(game?)))))));
    }
    let file: Arc<str> = path.display().to_string().into();
    let mut header = String::new();
    let read = input.read_line(&mut header);
    if read.is_ok() && is_cut(&header) {
        let place = LinePlace { file, number: 1 };
        let fault = Error::msg("the file was cut short here, before its first game");
        let only: Result<StoredGame> = Err(fault.context(place));
        return Ok(Box::new(std::iter::once(only)));
    }
    let format = read.map_err(Error::from).and_then(|_| LineFormat::of_header(&header));
    let format = Arc::new(format.with_context(|| file.to_string())?);
    let mut ended = false;
    Ok(Box::new((2..).zip(input.lines()).map_while(move |(number, line)| {
        if ended {
            return None;
        }
        // Invalid UTF-8 damages only one line. Any other I/O error may repeat forever.
        ended = line.as_ref().is_err_and(|error| error.kind() != ErrorKind::InvalidData);
        let place = LinePlace { file: file.clone(), number };
        Some(match line {
            Ok(text) => Ok(StoredGame(Stored::Line { format: format.clone(), text, place })),
            Err(error) => Err(Error::from(error).context(place)),
        })
    })))
}

/// Whether the settings in the first line are incomplete: the file was truncated there.
fn is_cut(header: &str) -> bool {
    let text = header.trim_start_matches('\u{feff}');
    let is_whole = header.ends_with('\n');
    !is_whole && serde_json::from_str::<Value>(text).is_err_and(|error| error.is_eof())
}

/// Returns why a file is no file of training games, by its beginning, so that a reader of several
/// files can report it before reading the first. `None` if it is one, damaged or not, or cannot
/// be read.
pub fn other_kind(path: &Path) -> Option<Error> {
    let is_of_other =
        |fault: &Error| fault.downcast_ref::<DataError>().is_some_and(DataError::is_other_kind);
    // Invalid UTF-8 is no settings line; any other I/O error does not show the kind.
    let is_of_file = |fault: &Error| {
        let error = fault.downcast_ref::<io::Error>();
        error.is_none_or(|error| error.kind() == ErrorKind::InvalidData)
    };
    match stored_games(path) {
        Ok(mut games) => games.next()?.err().filter(is_of_other),
        Err(fault) => Some(fault).filter(is_of_file),
    }
}

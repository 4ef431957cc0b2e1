//! Training games of either kind, packed or as lines.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, Result};

use crate::file::Reader;
use crate::lines::{LineFormat, TrainingGame};
use crate::{PackedGame, Ply, SampledPosition};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Cell, PROVEN, Score};

/// A training game of either form.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// Five in a row.
    Packed(Box<PackedGame>),
    /// Any other game.
    Line(Box<TrainingGame>),
}

/// A searched position and what was done there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The stone placed; `None` where the game ended with a proven score.
    pub played: Option<Cell>,
    /// The best one, as far as it is known.
    pub best: Option<Cell>,
    /// Score of the search for the side to move.
    pub score: Score,
}

impl Entry {
    /// The game and its board, opened freely.
    pub fn contest(&self) -> Contest {
        match self {
            Entry::Packed(game) => Contest::five(game.setup),
            Entry::Line(game) => game.record.contest,
        }
    }

    /// Random seed of the game.
    pub fn seed(&self) -> u64 {
        match self {
            Entry::Packed(game) => game.seed,
            Entry::Line(game) => game.seed,
        }
    }

    /// The result; `None` if the game was broken off.
    pub fn result(&self) -> Option<Outcome> {
        match self {
            Entry::Packed(game) => Some(game.result),
            Entry::Line(game) => game.record.result(),
        }
    }

    /// Whether it was played to its last stone.
    pub fn played_out(&self) -> bool {
        match self {
            Entry::Packed(game) => game.played_out,
            Entry::Line(game) => {
                game.record.ending.is_some() && game.scores.len() == game.stones.len()
            }
        }
    }

    /// Stones before the search took over, in order.
    pub fn opening(&self) -> Vec<Cell> {
        match self {
            Entry::Packed(game) => game.opening.clone(),
            Entry::Line(game) => goren_notation::plies::stones(&game.record.opening),
        }
    }

    /// Random sample of the positions that its searches evaluated.
    pub fn sampled(&self) -> &[SampledPosition] {
        match self {
            Entry::Packed(game) => &game.sampled,
            Entry::Line(_) => &[],
        }
    }

    /// The searched positions, in order.
    pub fn searched(&self) -> Vec<Searched> {
        match self {
            Entry::Packed(game) => {
                // Where a score ended the game the file has a move that was not placed.
                let last = game.plies.len().saturating_sub(1);
                let searched = |(at, &Ply { played, best, score }): (usize, &Ply)| {
                    let ends = at == last && !game.played_out && score.abs() >= PROVEN;
                    Searched { played: Some(played).filter(|_| !ends), best: Some(best), score }
                };
                game.plies.iter().enumerate().map(searched).collect()
            }
            Entry::Line(game) => {
                let searched = |(i, &score): (usize, &Score)| {
                    let played = game.stones.get(i).copied();
                    let best = played.filter(|_| !game.random_moves.contains(&i));
                    Searched { played, best, score }
                };
                game.scores.iter().enumerate().map(searched).collect()
            }
        }
    }
}

/// A game of a file as it stands there. A packed game is decoded already; a line is not
/// parsed yet, as that takes longer than all else and can be done on several threads.
pub struct StoredGame(Stored);

enum Stored {
    Packed(Box<PackedGame>),
    Line { format: Arc<LineFormat>, text: String, place: LinePlace },
}

/// The place of a line: `FILE: line NUMBER`.
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
    /// A line that is no training game; the file and the line are named.
    pub fn read(self) -> Result<Entry> {
        match self.0 {
            Stored::Packed(game) => Ok(Entry::Packed(game)),
            Stored::Line { format, text, place } => {
                let game = format.read(&text).context(place)?;
                Ok(Entry::Line(Box::new(game)))
            }
        }
    }
}

/// The games of a file.
pub type Games = Box<dyn Iterator<Item = Result<Entry>> + Send>;

/// The games of a file, lines not parsed yet.
pub(crate) type StoredGames = Box<dyn Iterator<Item = Result<StoredGame>> + Send>;

/// The games of a file of either kind, in order, up to the first fault of a
/// packed one.
///
/// # Errors
/// The file cannot be read, or is none of training games.
pub fn games(path: &Path) -> Result<Games> {
    Ok(Box::new(stored_games(path)?.map(|game| game?.read())))
}

/// As [`games`], lines not parsed yet.
///
/// # Errors
/// Those of [`games`].
pub(crate) fn stored_games(path: &Path) -> Result<StoredGames> {
    let cannot = || format!("cannot read {}", path.display());
    // Opened once: a pipe can be read only once.
    let mut input = BufReader::with_capacity(1 << 16, File::open(path).with_context(cannot)?);
    let is_text = matches!(input.fill_buf().with_context(cannot)?, [b'{' | 0xef, ..]);
    if !is_text {
        let games = Reader::new(path, input);
        return Ok(Box::new(games.map(|game| Ok(StoredGame(Stored::Packed(Box::new(game?)))))));
    }
    let file: Arc<str> = path.display().to_string().into();
    let mut lines = input.lines();
    let header = lines.next().unwrap_or_else(|| Ok(String::new()));
    let format = header.map_err(Error::from).and_then(|header| LineFormat::of_header(&header));
    let format = Arc::new(format.with_context(|| file.to_string())?);
    let mut ended = false;
    Ok(Box::new((2..).zip(lines).map_while(move |(number, line)| {
        if ended {
            return None;
        }
        // Bytes that are no text spoil one line. Another error of the system may come back
        // for ever.
        ended = line.as_ref().is_err_and(|error| error.kind() != ErrorKind::InvalidData);
        let place = LinePlace { file: file.clone(), number };
        Some(match line {
            Ok(text) => Ok(StoredGame(Stored::Line { format: format.clone(), text, place })),
            Err(error) => Err(Error::from(error).context(place)),
        })
    })))
}

//! Training games as NumPy arrays.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{bad, of_file, warn};
use crate::game::Game;
use crate::number::whole;
use crate::position::{color_name, labels};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::Cell;
use goren_notation::forms::Typed;
use goren_notation::words::plural;
use goren_training_data::positions::{PositionColumns, PositionReader};
use goren_training_data::{self as training_data, DataError, SearchedPosition, games};

/// Searched positions of training games as arrays, n positions each.
///
/// The rows of a game are adjacent, in order. A cell is ``width * y + x``, with ``y``
/// from the top; ``divmod(cell, width)`` is its index in `board`.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Positions {
    /// (n, height, width): 0 empty, 1 Black, 2 White; row 0 is the top one.
    board: Py<PyArray3<u8>>,
    /// Side to move: 1 Black, 2 White.
    to_move: Py<PyArray1<u8>>,
    /// Stones that it still has to place in this turn.
    left: Py<PyArray1<u8>>,
    /// Best move of the search, a cell; -1 if unknown.
    best: Py<PyArray1<i16>>,
    /// Move that was played, a cell; -1 if the game ended here.
    played: Py<PyArray1<i16>>,
    /// Score in points for the side to move; from 28500 on a proven win.
    score: Py<PyArray1<i16>>,
    /// Result of the game for the side to move: 1 won, 0 drawn, -1 lost.
    result: Py<PyArray1<i8>>,
    /// Stones placed before.
    ply: Py<PyArray1<u16>>,
    /// Number of the game, from 0 in the order of the files.
    game: Py<PyArray1<u32>>,
}

impl Positions {
    fn of(py: Python<'_>, rows: PositionColumns, contest: Option<Contest>) -> PyResult<Positions> {
        let sides = contest.map_or((0, 0), |Contest { width, height, .. }| (width, height));
        let (count, (width, height)) = (rows.len(), sides);
        Ok(Positions {
            board: PyArray1::from_vec(py, rows.board).reshape([count, height, width])?.unbind(),
            to_move: PyArray1::from_vec(py, rows.to_move).unbind(),
            left: PyArray1::from_vec(py, rows.left).unbind(),
            best: PyArray1::from_vec(py, rows.best).unbind(),
            played: PyArray1::from_vec(py, rows.played).unbind(),
            score: PyArray1::from_vec(py, rows.score).unbind(),
            result: PyArray1::from_vec(py, rows.result).unbind(),
            ply: PyArray1::from_vec(py, rows.ply).unbind(),
            game: PyArray1::from_vec(py, rows.game).unbind(),
        })
    }
}

#[pymethods]
impl Positions {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.to_move.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Positions({})", self.__len__(py)?))
    }
}

/// Reader of a stream of positions.
struct Source {
    reader: PositionReader,
    /// Whether reading has ended or failed: nothing is read after a gap.
    is_over: bool,
    /// The error, until it is raised after the rows before it.
    error: Option<anyhow::Error>,
}

impl Source {
    /// Returns the next rows, at least `least` if as many are left; none at the end.
    ///
    /// # Errors
    /// The error that ended the reading, once, after all rows before it.
    fn next_rows(&mut self, least: usize) -> anyhow::Result<PositionColumns> {
        let mut rows = PositionColumns::default();
        if !self.is_over {
            let read = self.reader.read(least, &mut rows);
            self.is_over = !read.as_ref().is_ok_and(|&more| more);
            self.error = read.err();
        }
        let error = if rows.is_empty() { self.error.take() } else { None };
        error.map_or(Ok(rows), Err)
    }
}

/// Iterator over the positions of files, batch by batch.
#[pyclass(frozen, module = "goren")]
pub(crate) struct PositionStream {
    source: Mutex<Source>,
    batch: usize,
}

impl PositionStream {
    fn source(&self) -> MutexGuard<'_, Source> {
        self.source.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn ask<T: Send>(&self, py: Python<'_>, query: impl FnOnce(&PositionReader) -> T + Send) -> T {
        py.detach(|| query(&self.source().reader))
    }
}

#[pymethods]
impl PositionStream {
    fn __iter__(this: Py<PositionStream>) -> Py<PositionStream> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Positions>> {
        let (rows, contest) = py.detach(|| {
            let mut source = self.source();
            (source.next_rows(self.batch), source.reader.contest())
        });
        let rows = rows.map_err(|error| of_file(&error))?;
        let batch = (!rows.is_empty()).then(|| Positions::of(py, rows, contest));
        batch.transpose()
    }

    /// The game; None before the first batch.
    #[getter]
    fn game(&self, py: Python<'_>) -> Option<String> {
        self.ask(py, |reader| reader.contest().map(|contest| contest.variant.to_string()))
    }

    /// Number of games read so far.
    #[getter]
    fn games(&self, py: Python<'_>) -> u32 {
        self.ask(py, PositionReader::games)
    }

    /// Games left out because they were broken off.
    #[getter]
    fn without_result(&self, py: Python<'_>) -> u64 {
        self.ask(py, PositionReader::without_result)
    }

    /// Sampled positions left out because they have no result.
    #[getter]
    fn sampled(&self, py: Python<'_>) -> u64 {
        self.ask(py, PositionReader::sampled)
    }

    /// Damage found in the files, with ``whole_games``.
    #[getter]
    fn faults(&self, py: Python<'_>) -> Vec<String> {
        self.ask(py, |reader| reader.faults().to_vec())
    }
}

/// One file or several.
#[derive(FromPyObject)]
pub(crate) enum Paths {
    /// A single file.
    One(PathBuf),
    /// Several files.
    Several(Vec<PathBuf>),
}

impl Paths {
    fn all(self) -> Vec<PathBuf> {
        match self {
            Paths::One(path) => vec![path],
            Paths::Several(paths) => paths,
        }
    }
}

/// The searched positions of files of training games, read batch by batch to save memory.
///
/// A batch has whole games with at least ``batch`` positions, except the last. All files
/// must be of the same game and board size. Games that were broken off are left out. A
/// damaged file raises GorenError, which ends the reading after the games before the damage;
/// with ``whole_games`` all its whole games are read, and `PositionStream.faults` reports
/// the damage.
#[pyfunction]
#[pyo3(signature = (paths, *, batch = 65536, whole_games = false))]
pub(crate) fn read_positions(
    paths: Paths,
    #[pyo3(from_py_with = whole)] batch: usize,
    whole_games: bool,
) -> PyResult<PositionStream> {
    if batch == 0 {
        return Err(bad("batch must be at least 1"));
    }
    let reader = PositionReader::new(paths.all(), whole_games);
    let source = Mutex::new(Source { reader, is_over: false, error: None });
    Ok(PositionStream { source, batch })
}

/// Number of positions between two checks for signals.
const SIGNAL_INTERVAL: usize = 1 << 16;

/// All searched positions of the files at once. Warnings report what is left out and, with
/// ``whole_games``, damage. Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (paths, *, whole_games = false))]
pub(crate) fn load_positions(
    py: Python<'_>,
    paths: Paths,
    whole_games: bool,
) -> PyResult<Positions> {
    let mut reader = PositionReader::new(paths.all(), whole_games);
    let mut rows = PositionColumns::default();
    loop {
        let least = rows.len() + SIGNAL_INTERVAL;
        let more = py.detach(|| reader.read(least, &mut rows));
        if !more.map_err(|error| of_file(&error))? {
            break;
        }
        py.check_signals()?;
    }
    for fault in reader.faults() {
        warn(py, fault)?;
    }
    if reader.without_result() > 0 {
        let games = plural(reader.without_result(), "game", "games");
        warn(py, &format!("{games} without a result left out"))?;
    }
    if reader.sampled() > 0 {
        let positions = plural(reader.sampled(), "sampled position", "sampled positions");
        warn(py, &format!("{positions} without a result left out"))?;
    }
    if rows.is_empty() {
        return Err(bad("there is no position with a result in the files"));
    }
    Positions::of(py, rows, reader.contest())
}

/// A game of ``goren selfplay``.
#[pyclass(frozen, module = "goren")]
pub(crate) struct TrainingGame(training_data::TrainingGame);

impl TrainingGame {
    fn points(&self, cells: impl Iterator<Item = Option<Cell>>) -> Vec<Option<String>> {
        let height = self.0.contest().height;
        cells.map(|cell| Some(cell?.label(height))).collect()
    }
}

#[pymethods]
impl TrainingGame {
    #[getter]
    fn game(&self) -> String {
        self.0.contest().variant.to_string()
    }

    /// Columns and rows.
    #[getter]
    fn size(&self) -> (usize, usize) {
        let Contest { width, height, .. } = self.0.contest();
        (width, height)
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed()
    }

    /// The winner or ``"draw"``; None if the game was broken off.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.0.result().map(|outcome| match outcome {
            Outcome::Win(color) => color_name(color),
            Outcome::Draw => "draw",
        })
    }

    /// Whether the game was played to its last stone; if not, a score proved the result, or
    /// no line was left to complete.
    #[getter]
    fn played_out(&self) -> bool {
        self.0.played_out()
    }

    /// Stones before the search took over.
    #[getter]
    fn opening(&self) -> Vec<String> {
        labels(&self.0.contest(), &self.0.opening())
    }

    /// Stones played in the searched positions; None where the game ended.
    #[getter]
    fn played(&self) -> Vec<Option<String>> {
        self.points(self.0.searched().iter().map(|&SearchedPosition { played, .. }| played))
    }

    /// Best moves in the searched positions; None if unknown.
    #[getter]
    fn best(&self) -> Vec<Option<String>> {
        self.points(self.0.searched().iter().map(|&SearchedPosition { best, .. }| best))
    }

    /// Scores of the searched positions for the side to move.
    #[getter]
    fn score<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        PyArray1::from_vec(py, self.0.searched().iter().map(|searched| searched.score).collect())
    }

    /// Returns the game after its last whole turn.
    fn replay(&self) -> PyResult<Game> {
        let mut typed = Typed::new(&self.0.contest());
        let searched = self.0.searched();
        let played = searched.iter().filter_map(|searched| searched.played);
        for cell in self.0.opening().into_iter().chain(played) {
            let placed = typed.stone(cell);
            placed.map_err(|error| {
                crate::error::illegal(format!("{}: {error}", cell.label(self.size().1)))
            })?;
        }
        Ok(Game { state: typed.game_state })
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size();
        let result = self.result().unwrap_or("no result");
        format!("TrainingGame({} {width}x{height}, {result})", self.game())
    }
}

/// Iterator over the games of a file.
#[pyclass(frozen, module = "goren")]
pub(crate) struct TrainingGames {
    games: Mutex<training_data::TrainingGames>,
    whole_games: bool,
    faults: Mutex<Vec<String>>,
}

#[pymethods]
impl TrainingGames {
    fn __iter__(this: Py<TrainingGames>) -> Py<TrainingGames> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<TrainingGame>> {
        loop {
            let next = py.detach(|| {
                self.games.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next()
            });
            match next.transpose() {
                Ok(game) => return Ok(game.map(TrainingGame)),
                Err(error) if self.whole_games && !is_of_another_kind(&error) => self
                    .faults
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner())
                    .push(format!("{error:#}")),
                Err(error) => return Err(of_file(&error)),
            }
        }
    }

    /// Damage found in the file, with ``whole_games``.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.faults.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// Whether a file is no file of training games at all, which is no damage.
fn is_of_another_kind(error: &anyhow::Error) -> bool {
    error.downcast_ref::<DataError>().is_some_and(DataError::is_other_kind)
}

/// The training games of a file, read on demand.
///
/// A damaged file raises GorenError at the damage; with ``whole_games`` all its whole games
/// are read, and `TrainingGames.faults` reports the damage.
#[pyfunction]
#[pyo3(signature = (path, *, whole_games = false))]
pub(crate) fn read_training(path: PathBuf, whole_games: bool) -> PyResult<TrainingGames> {
    let games = games(&path).map_err(|error| of_file(&error))?;
    Ok(TrainingGames { games: Mutex::new(games), whole_games, faults: Mutex::default() })
}

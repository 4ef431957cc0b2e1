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
/// The rows of a game stand together, in order. A cell is ``width * y + x``, with ``y``
/// from the top; ``divmod(cell, width)`` is its index in `board`.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Positions {
    /// (n, height, width): 0 empty, 1 Black, 2 White; row 0 is the top one.
    board: Py<PyArray3<u8>>,
    /// Side to move: 1 Black, 2 White.
    to_move: Py<PyArray1<u8>>,
    /// Stones that it has still to place in this turn.
    left: Py<PyArray1<u8>>,
    /// Best move of the search, a cell; -1 if unknown.
    best: Py<PyArray1<i16>>,
    /// Move that was played, a cell; -1 where the game ended here.
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

/// The reader of a stream of positions.
struct Source {
    reader: PositionReader,
    /// Whether it has come to the end, or to an error: nothing is read behind a gap.
    is_over: bool,
    /// The error, until it is raised. The rows before it come first.
    error: Option<anyhow::Error>,
}

impl Source {
    /// The next rows, at least `least` while there are so many; none at the end.
    ///
    /// # Errors
    /// What ended the reading, once, after all rows before it.
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

/// The positions of files, batch by batch.
#[pyclass(frozen, module = "goren")]
pub(crate) struct PositionStream {
    source: Mutex<Source>,
    batch: usize,
}

impl PositionStream {
    fn source(&self) -> MutexGuard<'_, Source> {
        self.source.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn ask<T: Send>(&self, py: Python<'_>, what: impl FnOnce(&PositionReader) -> T + Send) -> T {
        py.detach(|| what(&self.source().reader))
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

    /// The game, once a batch was read.
    #[getter]
    fn game(&self, py: Python<'_>) -> Option<String> {
        self.ask(py, |reader| reader.contest().map(|contest| contest.variant.to_string()))
    }

    /// Games read so far.
    #[getter]
    fn games(&self, py: Python<'_>) -> u32 {
        self.ask(py, PositionReader::games)
    }

    /// Games left out, as they were broken off.
    #[getter]
    fn without_result(&self, py: Python<'_>) -> u64 {
        self.ask(py, PositionReader::without_result)
    }

    /// Sampled positions left out, as they have no result.
    #[getter]
    fn sampled(&self, py: Python<'_>) -> u64 {
        self.ask(py, PositionReader::sampled)
    }

    /// What was wrong with the files, where whole games were enough.
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
    /// Several.
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

/// The searched positions of files of training games, in little memory.
///
/// A batch has whole games, of at least ``batch`` positions but for the last. All games
/// must be of one game and board size. Games that were broken off are left out. A damaged
/// file raises GorenError, which ends the reading after the games before the damage; with
/// ``whole_games`` it is read as far as games are whole, and `PositionStream.faults` tells
/// the damage.
#[pyfunction]
#[pyo3(signature = (paths, *, batch = 65536, whole_games = false))]
pub(crate) fn read_positions(
    paths: Paths,
    #[pyo3(from_py_with = whole)] batch: usize,
    whole_games: bool,
) -> PyResult<PositionStream> {
    if batch == 0 {
        return Err(bad("a batch has at least 1 position"));
    }
    let reader = PositionReader::new(paths.all(), whole_games);
    let source = Mutex::new(Source { reader, is_over: false, error: None });
    Ok(PositionStream { source, batch })
}

/// Positions between two looks at signals.
const LOOK: usize = 1 << 16;

/// All of them at once. What is left out, damage with ``whole_games`` too, is told by
/// warnings. Ctrl-C ends it.
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
        let least = rows.len() + LOOK;
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
        warn(py, &format!("{games} left out, without a result"))?;
    }
    if reader.sampled() > 0 {
        let positions = plural(reader.sampled(), "sampled position", "sampled positions");
        warn(py, &format!("{positions} left out, without a result"))?;
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

    /// Who won; None if it was broken off.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.0.result().map(|outcome| match outcome {
            Outcome::Win(color) => color_name(color),
            Outcome::Draw => "draw",
        })
    }

    /// Whether it was played to its last stone; else a score proved the result, or no line
    /// was left to complete.
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

    /// Best moves there; None if unknown.
    #[getter]
    fn best(&self) -> Vec<Option<String>> {
        self.points(self.0.searched().iter().map(|&SearchedPosition { best, .. }| best))
    }

    /// Scores there for the side to move.
    #[getter]
    fn score<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        PyArray1::from_vec(py, self.0.searched().iter().map(|searched| searched.score).collect())
    }

    /// The game after its last whole turn.
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

/// The games of a file, one by one.
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

    /// What was wrong with the file, where whole games were enough.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.faults.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// Whether a file holds no training games at all, which is no damage.
fn is_of_another_kind(error: &anyhow::Error) -> bool {
    error.downcast_ref::<DataError>().is_some_and(DataError::is_other_kind)
}

/// The training games of a file, read as they are asked for.
///
/// A damaged file raises GorenError where the damage is; with ``whole_games`` its whole
/// games are read to the end, and `TrainingGames.faults` tells the damage.
#[pyfunction]
#[pyo3(signature = (path, *, whole_games = false))]
pub(crate) fn read_training(path: PathBuf, whole_games: bool) -> PyResult<TrainingGames> {
    let games = games(&path).map_err(|error| of_file(&error))?;
    Ok(TrainingGames { games: Mutex::new(games), whole_games, faults: Mutex::default() })
}

//! Training games as NumPy arrays.

use std::path::PathBuf;
use std::sync::Mutex;

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::of_file;
use crate::game::Game;
use crate::position::{color_name, labels};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::Cell;
use goren_notation::forms::Typed;
use goren_training_data::positions::{PositionColumns, PositionReader};
use goren_training_data::{self as training_data, SearchedPosition, games};

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
    fn of(py: Python<'_>, rows: PositionColumns, sides: (usize, usize)) -> PyResult<Positions> {
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

/// The positions of files, batch by batch.
#[pyclass(frozen, module = "goren")]
pub(crate) struct PositionStream {
    reader: Mutex<PositionReader>,
    batch: usize,
}

impl PositionStream {
    /// The next batch; `None` at the end.
    fn read(&self, py: Python<'_>, least: usize) -> PyResult<Option<Positions>> {
        let (rows, contest) = py.detach(|| {
            let mut reader = self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let mut rows = PositionColumns::default();
            let read = reader.read(least, &mut rows);
            (read.map(|_| rows), reader.contest())
        });
        let rows = rows.map_err(|error| of_file(&error))?;
        if rows.is_empty() {
            return Ok(None);
        }
        let sides = contest.map_or((0, 0), |Contest { width, height, .. }| (width, height));
        Positions::of(py, rows, sides).map(Some)
    }

    fn ask<T: Send>(&self, py: Python<'_>, what: impl FnOnce(&PositionReader) -> T + Send) -> T {
        py.detach(|| what(&self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner())))
    }
}

#[pymethods]
impl PositionStream {
    fn __iter__(this: Py<PositionStream>) -> Py<PositionStream> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Positions>> {
        self.read(py, self.batch)
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
/// must be of one game and board size. Games that were broken off are left out. Damaged
/// files raise GorenError, or with ``whole_games`` are read as far as games are whole.
#[pyfunction]
#[pyo3(signature = (paths, *, batch = 65536, whole_games = false))]
pub(crate) fn read_positions(
    paths: Paths,
    batch: usize,
    whole_games: bool,
) -> PyResult<PositionStream> {
    if batch == 0 {
        return Err(crate::error::bad("a batch has at least 1 position"));
    }
    let reader = Mutex::new(PositionReader::new(paths.all(), whole_games));
    Ok(PositionStream { reader, batch })
}

/// All of them at once.
#[pyfunction]
#[pyo3(signature = (paths, *, whole_games = false))]
pub(crate) fn load_positions(
    py: Python<'_>,
    paths: Paths,
    whole_games: bool,
) -> PyResult<Positions> {
    let stream = read_positions(paths, 1, whole_games)?;
    let all = stream.read(py, usize::MAX)?;
    all.ok_or_else(|| crate::error::bad("there is no position with a result in the files"))
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
                Err(error) if self.whole_games => self
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

/// The training games of a file, read as they are asked for.
///
/// A damaged file raises GorenError, with ``whole_games`` not before its end: its whole
/// games are read, and `TrainingGames.faults` tells the damage.
#[pyfunction]
#[pyo3(signature = (path, *, whole_games = false))]
pub(crate) fn read_training(path: PathBuf, whole_games: bool) -> PyResult<TrainingGames> {
    let games = games(&path).map_err(|error| of_file(&error))?;
    Ok(TrainingGames { games: Mutex::new(games), whole_games, faults: Mutex::default() })
}

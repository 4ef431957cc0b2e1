//! Files of games.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use pyo3::prelude::*;

use crate::error::{bad, of_file, warn};
use crate::game::Game;
use crate::position::{Size, color_name, variant};
use goren_core::record::import::{Hints, ImportedGame, UnreadableGame, Weight};
use goren_core::record::lib::{SIDE, Step, Tree};
use goren_core::rules::Outcome;
use goren_notation::forms::{Games, Opened, PlayOptions, Refusal, play};

/// A game from a file.
#[pyclass(frozen, module = "goren")]
pub(crate) struct RecordedGame {
    game: Game,
    /// Name of the player; may be empty.
    #[pyo3(get)]
    black: String,
    #[pyo3(get)]
    white: String,
    /// Result according to the file.
    #[pyo3(get)]
    result: Option<&'static str>,
    #[pyo3(get)]
    reason: String,
    /// Doubts about the game that were accepted.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl RecordedGame {
    /// A copy of the game after all moves.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    fn __repr__(&self) -> String {
        let result = self.result.unwrap_or("no result");
        format!(
            "RecordedGame({} - {}, {result}, {} plies)",
            self.black,
            self.white,
            self.game.state.actions().len()
        )
    }
}

/// Options for reading files.
struct Reading {
    options: PlayOptions,
    skip_bad: bool,
}

/// Plays a game of a file.
fn recorded(game: ImportedGame, games: &Games<'_>, options: &PlayOptions) -> Result<RecordedGame> {
    ensure!(game.board.is_none(), "a board has no moves: a game is needed");
    let played = play(game, options).map_err(|Refusal { place, why, .. }| {
        // The text names options of the command-line tool.
        let why = why.replace("--lenient", "lenient=True").replace("--", "");
        anyhow!("{}: {why}", games.place(place))
    })?;
    ensure!(played.typed.placed.is_empty(), "the last turn is not over");
    let doubts = played.notes.iter().filter(|note| note.weight == Weight::Doubt);
    let [black, white] = played.players;
    Ok(RecordedGame {
        notes: doubts.map(|note| games.placed(note).to_string()).collect(),
        game: Game { state: played.typed.game_state },
        black,
        white,
        result: played.result.map(|outcome| match outcome {
            Outcome::Win(color) => color_name(color),
            Outcome::Draw => "draw",
        }),
        reason: played.reason,
    })
}

/// Number of games between two checks for signals.
const SIGNAL_INTERVAL: usize = 256;

/// Returns all games of a file, and a message for each game that cannot be used.
///
/// # Errors
/// A fault of the file, or an exception that the handler of a signal raised (a `PyErr`).
fn all(opened: &Opened, reading: &Reading) -> Result<(Vec<RecordedGame>, Vec<String>)> {
    opened.games(None, &reading.options.hints, |games| {
        let (mut found, mut messages, mut number) = (Vec::new(), Vec::new(), 0);
        while let Some(game) = games.next() {
            number += 1;
            if number % SIGNAL_INTERVAL == 0 {
                Python::attach(|py| py.check_signals())?;
            }
            let unreadable =
                |UnreadableGame { place, reason }| anyhow!("{}: {reason}", games.place(place));
            let game = game
                .map_err(unreadable)
                .and_then(|game| recorded(game, games, &reading.options))
                .with_context(|| format!("game {number}"));
            match game {
                Ok(game) => found.push(game),
                Err(error) if reading.skip_bad => messages.push(format!("{error:#}")),
                Err(error) => return Err(error),
            }
        }
        ensure!(number > 0, "no game was found");
        Ok((found, messages))
    })
}

fn reading(
    game: Option<&str>,
    size: Option<Size>,
    lenient: bool,
    skip_bad: bool,
) -> PyResult<Reading> {
    let variant = game.map(variant).transpose()?;
    let hints = Hints { variant, size: size.map(Size::sides), ..Hints::default() };
    Ok(Reading { options: PlayOptions { hints, lenient, file_first: false }, skip_bad })
}

fn with_warnings(
    py: Python<'_>,
    read: Result<(Vec<RecordedGame>, Vec<String>)>,
) -> PyResult<Vec<RecordedGame>> {
    let (games, messages) = read.map_err(|error| of_file(&error))?;
    for text in messages {
        warn(py, &text)?;
    }
    Ok(games)
}

/// The games of a file in any form: SGF, psq, PGN, lists of moves, pos, RIF, JSON
/// Lines and others.
///
/// ``game`` and ``size`` are for files that omit them. A doubt about a game raises
/// GorenError unless ``lenient``. A game that cannot be used raises GorenError; with
/// ``skip_bad`` it is left out with a warning. Only main lines are read.
#[pyfunction]
#[pyo3(signature = (path, *, game = None, size = None, lenient = false, skip_bad = false))]
pub(crate) fn read_games(
    py: Python<'_>,
    path: PathBuf,
    game: Option<&str>,
    size: Option<Size>,
    lenient: bool,
    skip_bad: bool,
) -> PyResult<Vec<RecordedGame>> {
    let reading = reading(game, size, lenient, skip_bad)?;
    let read = py.detach(|| Opened::of_path(&path).and_then(|opened| all(&opened, &reading)));
    with_warnings(py, read)
}

/// Like `read_games`, for a text.
#[pyfunction]
#[pyo3(signature = (text, *, game = None, size = None, lenient = false, skip_bad = false))]
pub(crate) fn parse_games(
    py: Python<'_>,
    text: &str,
    game: Option<&str>,
    size: Option<Size>,
    lenient: bool,
    skip_bad: bool,
) -> PyResult<Vec<RecordedGame>> {
    let reading = reading(game, size, lenient, skip_bad)?;
    let read = py.detach(|| all(&Opened::of_text(text), &reading));
    with_warnings(py, read)
}

/// A position of a RenLib library.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Variation {
    /// Moves to the position.
    moves: Vec<String>,
    comment: String,
    /// Text on the cell of the last move.
    text: String,
    marked: bool,
    /// Whether no move follows.
    leaf: bool,
}

#[pymethods]
impl Variation {
    fn __repr__(&self) -> String {
        format!("Variation({})", self.moves.join(" "))
    }
}

/// All positions of a RenLib library (.lib, 15x15), the root first, each before those
/// below it. Their moves are not checked for legality.
#[pyfunction]
pub(crate) fn read_renlib(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Variation>> {
    let name = path.display().to_string();
    let open = || -> Result<Tree> {
        let file = File::open(&path).with_context(|| name.clone())?;
        Tree::read(BufReader::new(file)).map_err(|error| anyhow!("{name}: {error}"))
    };
    let tree = py.detach(open).map_err(|error| of_file(&error))?;
    let page = tree.code_page();
    let text = |bytes: Option<&[u8]>| bytes.map_or(String::new(), |bytes| page.decode(bytes));
    let mut walk = tree.walk();
    let mut found = Vec::new();
    while let Some(node) = walk.next() {
        let label = |step: &Step| match *step {
            Step::Stone(cell) => Some(cell.label(SIDE)),
            Step::Pass => Some("pass".to_owned()),
            Step::Root | Step::Label(_) => None,
        };
        let moves: Vec<String> = walk.path().iter().filter_map(label).collect();
        // A byte 08 separates the first line from the others.
        let comment = text(node.comment()).replace('\u{8}', "\n");
        found.push(Variation {
            moves,
            comment,
            text: text(node.board_text()),
            marked: node.is_marked(),
            leaf: node.below() == 0,
        });
        if found.len() % 4096 == 0 {
            py.check_signals()?;
        }
    }
    if tree.unmet() > 0 {
        return Err(bad(format!(
            "{name}: {} nodes are missing: the file is only part of a library",
            tree.unmet()
        )));
    }
    Ok(found)
}

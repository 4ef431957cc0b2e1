//! What arguments say of games and points.

use pyo3::prelude::*;

use crate::error::{bad, illegal};
use crate::number::whole;
use goren_core::rules::{Contest, OpeningId, Variant, named};
use goren_core::types::{Cell, Color};
use goren_notation::point;

/// Board sides as Python has them: one number, or columns and rows.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// Both.
    Square(usize),
    /// Columns and rows.
    Sides(usize, usize),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Size {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Size> {
        match value.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>() {
            Ok((width, height)) => Ok(Size::Sides(whole(&width)?, whole(&height)?)),
            Err(_) => whole(&value).map(Size::Square),
        }
    }
}

impl Size {
    /// Columns and rows.
    pub(crate) fn sides(self) -> (usize, usize) {
        match self {
            Size::Square(side) => (side, side),
            Size::Sides(width, height) => (width, height),
        }
    }
}

/// The game of a name.
///
/// # Errors
/// Not the name of a game.
pub(crate) fn variant(name: &str) -> PyResult<Variant> {
    // The words of the library name a command of the tool.
    let unknown = || bad(format!("there is no game {name:?}; goren.games() lists them"));
    Variant::from_name(name).map_err(|error| match error {
        goren_core::rules::BadGame::Game(_) => unknown(),
        error => bad(error),
    })
}

/// A game with its opening, on the board that is asked for, or the one that its name stands
/// for, or the usual one.
///
/// # Errors
/// There is no such game, board or opening.
pub(crate) fn contest(game: &str, size: Option<Size>, opening: &str) -> PyResult<Contest> {
    let id = OpeningId::from_name(opening)
        .ok_or_else(|| bad(format!("there is no opening {opening:?}")))?;
    let contest = Contest::new(variant(game)?).opened(OpeningId::Free).map_err(bad)?;
    let of_name = || named(game).and_then(|named| named.size);
    let contest = match size.map(Size::sides).or_else(of_name) {
        Some((width, height)) => contest.on(width, height).map_err(bad)?,
        None => contest,
    };
    contest.opened(id).map_err(bad)
}

/// The colour of a name.
///
/// # Errors
/// Not the name of a colour.
pub(crate) fn color(name: &str) -> PyResult<Color> {
    match name {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err(bad(format!("{name:?} is no colour: \"black\" or \"white\""))),
    }
}

/// The name of a colour.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The cell of a point.
///
/// # Errors
/// Not a point of the board.
pub(crate) fn cell(contest: &Contest, text: &str) -> PyResult<Cell> {
    point::cell(text, (contest.width, contest.height)).map_err(illegal)
}

/// The names of points.
pub(crate) fn labels(contest: &Contest, cells: &[Cell]) -> Vec<String> {
    cells.iter().map(|cell| cell.label(contest.height)).collect()
}

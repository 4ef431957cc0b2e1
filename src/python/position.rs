//! Arguments for games, boards, colours and points.

use pyo3::prelude::*;

use crate::error::{bad, illegal};
use crate::number::whole;
use goren_core::rules::{Contest, OpeningId, Variant, named};
use goren_core::types::{Cell, Color};
use goren_notation::point;

/// Board size as Python passes it: one number, or columns and rows.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// Both sides.
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
    /// Returns columns and rows.
    pub(crate) fn sides(self) -> (usize, usize) {
        match self {
            Size::Square(side) => (side, side),
            Size::Sides(width, height) => (width, height),
        }
    }
}

/// Returns the variant with a name.
///
/// # Errors
/// No variant has this name.
pub(crate) fn variant(name: &str) -> PyResult<Variant> {
    // The library's message names a command of the tool.
    let unknown = || bad(format!("there is no game {name:?}; goren.games() lists them"));
    Variant::from_name(name).map_err(|error| match error {
        goren_core::rules::BadGame::Game(_) => unknown(),
        error => bad(error),
    })
}

/// Returns a variant with its opening, on the board asked for, else on the board that its name
/// implies, else on the usual one.
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

/// Returns the colour with a name.
///
/// # Errors
/// No colour has this name.
pub(crate) fn color(name: &str) -> PyResult<Color> {
    match name {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err(bad(format!("{name:?} is not a colour; use \"black\" or \"white\""))),
    }
}

/// Returns the name of a colour.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Returns the cell of a point.
///
/// # Errors
/// The text is no point of the board.
pub(crate) fn cell(contest: &Contest, text: &str) -> PyResult<Cell> {
    point::cell(text, (contest.width, contest.height)).map_err(illegal)
}

/// Returns the names of points.
pub(crate) fn labels(contest: &Contest, cells: &[Cell]) -> Vec<String> {
    cells.iter().map(|cell| cell.label(contest.height)).collect()
}

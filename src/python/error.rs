//! Exceptions.

use std::fmt::Display;
use std::io;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(goren, GorenError, PyValueError, "Input that cannot be used.");
create_exception!(goren, IllegalMove, GorenError, "A move that cannot be read or played.");

/// Input that cannot be used.
pub(crate) fn bad(error: impl Display) -> PyErr {
    GorenError::new_err(error.to_string())
}

/// A move that cannot be read or played.
pub(crate) fn illegal(error: impl Display) -> PyErr {
    IllegalMove::new_err(error.to_string())
}

/// What went wrong with a file: an `OSError` if the system refused it, such as
/// `FileNotFoundError`, else a `GorenError`.
pub(crate) fn of_file(error: &anyhow::Error) -> PyErr {
    let system = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    match system.and_then(io::Error::raw_os_error) {
        Some(number) => PyOSError::new_err((number, format!("{error:#}"))),
        None => bad(format!("{error:#}")),
    }
}

//! Exceptions.

use std::ffi::CString;
use std::fmt::Display;
use std::io;

use pyo3::exceptions::{PyIsADirectoryError, PyOSError, PyUserWarning, PyValueError};
use pyo3::{PyErr, PyResult, Python, create_exception};

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

/// Warns the user.
///
/// # Errors
/// The user takes warnings for errors.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    // A zero within would end the text.
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// What went wrong with a file: an `OSError` if the system refused it, such as
/// `FileNotFoundError`, the exception if there was one, as of a signal, else a `GorenError`.
pub(crate) fn of_file(error: &anyhow::Error) -> PyErr {
    if let Some(raised) = error.downcast_ref::<PyErr>() {
        return Python::attach(|py| raised.clone_ref(py));
    }
    let system = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    let said = format!("{error:#}");
    match system {
        Some(system) if system.kind() == io::ErrorKind::IsADirectory => {
            PyIsADirectoryError::new_err(said)
        }
        Some(system) => match system.raw_os_error() {
            Some(number) => PyOSError::new_err((number, said)),
            None => bad(said),
        },
        None => bad(said),
    }
}

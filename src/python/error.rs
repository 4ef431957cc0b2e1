//! Exceptions.

use std::ffi::CString;
use std::fmt::Display;
use std::io;

use pyo3::exceptions::{PyIsADirectoryError, PyOSError, PyUserWarning, PyValueError};
use pyo3::{PyErr, PyResult, Python, create_exception};

create_exception!(goren, GorenError, PyValueError, "Input that cannot be used.");
create_exception!(goren, IllegalMove, GorenError, "A move that cannot be read or played.");

/// Returns the exception for input that cannot be used.
pub(crate) fn bad(error: impl Display) -> PyErr {
    GorenError::new_err(error.to_string())
}

/// Returns the exception for a move that cannot be read or played.
pub(crate) fn illegal(error: impl Display) -> PyErr {
    IllegalMove::new_err(error.to_string())
}

/// Warns the user.
///
/// # Errors
/// The user has turned warnings into errors.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    // A NUL would end the text.
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Returns the exception for the error of a file: an `OSError` if the system refused the file,
/// such as `FileNotFoundError`; the original exception if there was one, such as a signal's; else
/// a `GorenError`.
pub(crate) fn of_file(error: &anyhow::Error) -> PyErr {
    if let Some(raised) = error.downcast_ref::<PyErr>() {
        return Python::attach(|py| raised.clone_ref(py));
    }
    let system = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    let text = format!("{error:#}");
    match system {
        Some(system) if system.kind() == io::ErrorKind::IsADirectory => {
            PyIsADirectoryError::new_err(text)
        }
        Some(system) => match system.raw_os_error() {
            Some(number) => PyOSError::new_err((number, text)),
            None => bad(text),
        },
        None => bad(text),
    }
}

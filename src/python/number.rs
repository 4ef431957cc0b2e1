//! Whole numbers from Python.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::bad;

/// Reads a number from 0 on.
///
/// # Errors
/// The value is below 0 or too large, or no whole number.
pub(crate) fn whole<'a, 'py, T>(value: &'a Bound<'py, PyAny>) -> PyResult<T>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract::<T>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            bad(format!("{value} is below 0 or too large"))
        } else {
            error
        }
    })
}

/// Reads a number from 0 on, or None.
///
/// # Errors
/// As [`whole`].
pub(crate) fn optional<'a, 'py, T>(value: &'a Bound<'py, PyAny>) -> PyResult<Option<T>>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

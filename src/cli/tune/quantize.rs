//! Fitted numbers as the integers of a weights file, and back.

use anyhow::{Result, ensure};

/// The integer that stands for a number in a file, in units of 1 / `scale`. Numbers out of
/// range become the nearest integer that there is.
pub(super) fn stored(number: f32, scale: f32) -> i16 {
    // A cast from a float keeps to the range of the integer.
    (number * scale).round() as i16
}

/// Writes the integers of numbers; see [`stored`].
pub(super) fn store(out: &mut [i16], numbers: &[f32], scale: f32) {
    out.iter_mut().zip(numbers).for_each(|(out, &number)| *out = stored(number, scale));
}

/// The numbers that the integers of a file stand for.
pub(super) fn restored(table: &[i16], scale: f32) -> impl Iterator<Item = f32> + '_ {
    table.iter().map(move |&n| f32::from(n) / scale)
}

/// Checks the numbers of a fit before they are written. `what` names them in the error.
///
/// # Errors
/// One is not finite.
pub(super) fn check_finite(numbers: &[f32], what: &str) -> Result<()> {
    ensure!(numbers.iter().all(|n| n.is_finite()), "a number of the {what} is not finite");
    Ok(())
}

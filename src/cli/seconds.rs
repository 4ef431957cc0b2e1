//! Durations as arguments.

use std::time::Duration;

/// A number of seconds.
///
/// # Errors
/// It is none, or below zero.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "a number of seconds is needed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_counted() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["-1", "nan", "inf", "1e300", "", "5s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}

//! Durations as arguments.

use std::time::Duration;

/// Maximum time per position without a unit: a larger number was meant as milliseconds,
/// the former unit of `goren suite`.
const MAX_WITHOUT_UNIT: Duration = Duration::from_secs(60);
const MAX_EACH: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a number of seconds, with or without a unit: `0.5`, `0.5s`, `500ms`.
///
/// # Errors
/// Not a duration, or negative.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let number: Option<f64> = number.trim_end().parse().ok();
    let time = number.and_then(|number| Duration::try_from_secs_f64(number * unit).ok());
    time.ok_or_else(|| "a number of seconds, 0 or more, is needed, such as 0.5 or 500ms".into())
}

/// Reads a time per position.
///
/// # Errors
/// As for [`seconds`]; zero, more than a day, or more than a minute without a unit.
pub(super) fn seconds_each(text: &str) -> Result<Duration, String> {
    let time = seconds(text)?;
    if time.is_zero() {
        return Err("the time must be more than 0".into());
    }
    if time > MAX_EACH {
        return Err("at most a day per position is possible".into());
    }
    if time > MAX_WITHOUT_UNIT && !text.ends_with('s') {
        return Err(format!("times are in seconds: say {text}ms or {text}s"));
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        for text in ["0.25", "0.25s", "0.25 s", "250ms", "250 ms"] {
            assert_eq!(seconds(text), Ok(Duration::from_millis(250)), "{text}");
        }
        for text in ["-1", "nan", "inf", "1e300", "", "s", "ms", "5m", "5ss", "-5ms"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn milliseconds_are_not_taken_for_seconds() {
        assert_eq!(seconds_each("60"), Ok(Duration::from_secs(60)));
        assert_eq!(seconds_each("4000ms"), Ok(Duration::from_secs(4)));
        assert_eq!(seconds_each("4000s"), Ok(Duration::from_secs(4000)));
        assert_eq!(seconds_each("4000").unwrap_err(), "times are in seconds: say 4000ms or 4000s");
        assert!(seconds_each("0").is_err() && seconds_each("-1").is_err());
        assert!(seconds_each("1e6s").is_err());
    }
}

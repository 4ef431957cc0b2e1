//! Parsers of numeric arguments; errors name the range.

use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// Reads a whole number in a range; without an upper bound the range ends at the maximum of
/// the unsigned type of that size.
pub(super) fn whole<T: TryFrom<u64>>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    let min = match range.start_bound() {
        Bound::Included(&min) => min,
        Bound::Excluded(&below) => below.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let type_max = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    let max = match range.end_bound() {
        Bound::Included(&max) => max,
        Bound::Excluded(&end) => end.saturating_sub(1),
        Bound::Unbounded => type_max,
    };
    move |text| {
        let number: Option<u64> = text.parse().ok().filter(|n| (min..=max).contains(n));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("a whole number from {min} to {max} is needed"))
    }
}

/// Reads a finite number above 0.
///
/// # Errors
/// The text is no such number.
pub(super) fn positive<T: FromStr + Copy + Into<f64>>(text: &str) -> Result<T, String> {
    let is_positive = |&number: &T| {
        let number: f64 = number.into();
        number.is_finite() && number > 0.0
    };
    text.parse().ok().filter(is_positive).ok_or_else(|| "a number above 0 is needed".into())
}

/// Reads a fraction from 0 to 1.
///
/// # Errors
/// The text is no such number.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is needed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_fractions_name_the_range() {
        assert_eq!((positive::<f32>("0.5"), positive::<f64>("1e300")), (Ok(0.5), Ok(1e300)));
        for bad in ["0", "-1", "inf", "nan", "1e39", "", "many"] {
            assert_eq!(positive::<f32>(bad).unwrap_err(), "a number above 0 is needed", "{bad}");
        }
        assert_eq!((share("0"), share("1"), share("0.25")), (Ok(0.0), Ok(1.0), Ok(0.25)));
        for bad in ["-0.1", "1.1", "nan", "inf", ""] {
            assert_eq!(share(bad).unwrap_err(), "a number from 0 to 1 is needed", "{bad}");
        }
    }

    #[test]
    fn errors_of_whole_numbers_name_the_range() {
        let threads = whole::<u16>(1..);
        assert_eq!((threads("1"), threads("65535")), (Ok(1), Ok(65_535)));
        let message = "a whole number from 1 to 65535 is needed";
        for bad in ["0", "-5", "65536", "1.5", "", "many", "99999999999999999999"] {
            assert_eq!(threads(bad).unwrap_err(), message, "{bad}");
        }
        let memory = whole::<u32>(1..=1024);
        assert_eq!(memory("1025").unwrap_err(), "a whole number from 1 to 1024 is needed");
        assert_eq!(whole::<u64>(0..)("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(whole::<i32>(0..=20_000)("20000"), Ok(20_000));
    }
}

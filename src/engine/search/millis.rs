//! Durations in formats of serde: whole milliseconds, or null for no limit.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The milliseconds of a duration, parts of one left out; null where there are
/// more than a number holds, as of [`Duration::MAX`].
pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    u64::try_from(time.as_millis()).ok().serialize(serializer)
}

/// So many milliseconds; [`Duration::MAX`] of null.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    let millis = Option::<u64>::deserialize(deserializer)?;
    Ok(millis.map_or(Duration::MAX, Duration::from_millis))
}

//! Durations in serde formats: whole milliseconds, or null for no limit.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a duration in whole milliseconds, rounded down; null if it exceeds
/// `u64::MAX` milliseconds, as [`Duration::MAX`] does.
pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    u64::try_from(time.as_millis()).ok().serialize(serializer)
}

/// Reads a duration in milliseconds; [`Duration::MAX`] from null.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    let millis = Option::<u64>::deserialize(deserializer)?;
    Ok(millis.map_or(Duration::MAX, Duration::from_millis))
}

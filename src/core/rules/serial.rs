//! Rules, variants and openings in formats of serde, by their names.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::games::five::RuleId;
use super::opening_id::OpeningId;
use super::variant::Variant;

/// Serialises a type by `name` and `from_name`.
macro_rules! by_name {
    ($type:ty, $what:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let name = String::deserialize(deserializer)?;
                let unknown = || D::Error::custom(format_args!("there is no {} {name:?}", $what));
                <$type>::from_name(&name).ok_or_else(unknown)
            }
        }
    };
}

by_name!(RuleId, "rule");
by_name!(OpeningId, "opening");

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
        let name = String::deserialize(deserializer)?;
        Variant::from_name(&name).map_err(D::Error::custom)
    }
}

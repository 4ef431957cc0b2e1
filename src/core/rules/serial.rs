//! Rules, variants and openings by their names, in formats of serde.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::games::five::RuleId;
use super::opening_id::OpeningId;
use super::variant::Variant;

impl Serialize for RuleId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleId, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format_args!("there is no rule {name:?}"));
        RuleId::from_name(&name).ok_or_else(unknown)
    }
}

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

impl Serialize for OpeningId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for OpeningId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OpeningId, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format_args!("there is no opening {name:?}"));
        OpeningId::from_name(&name).ok_or_else(unknown)
    }
}

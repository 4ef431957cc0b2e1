//! The registry of the variants of five in a row: the sheet of each.

use std::fmt;

use super::caro::{Caro, CaroExact};
use super::freestyle::Freestyle;
use super::games::Variant;
use super::id::RuleId;
use super::renju::{Renju, RenjuOverline};
use super::rule::{Card, Rule};
use super::standard::Standard;

/// Something to be done with the sheet of a variant known only at run time.
pub trait Visitor {
    /// What it gives.
    type Out;
    /// Does it.
    fn visit<R: Rule>(self) -> Self::Out;
}

/// Defines what needs all sheets: the card of a variant, and the call of a
/// visitor with the sheet of a variant.
macro_rules! registry {
    ($($sheet:ident,)*) => {
        // The matches below name every variant, and so must `ALL`.
        const _: () = assert!([$(RuleId::$sheet),*].len() == RuleId::ALL.len());

        impl RuleId {
            /// What is said of it in words.
            pub const fn card(self) -> &'static Card {
                match self {
                    $(RuleId::$sheet => const { &<$sheet as Rule>::CARD },)*
                }
            }
        }

        /// Hands the sheet of `id` to the visitor.
        pub fn with_rule<V: Visitor>(id: RuleId, visitor: V) -> V::Out {
            match id {
                $(RuleId::$sheet => visitor.visit::<$sheet>(),)*
            }
        }
    };
}

registry! {
    Freestyle,
    Standard,
    Renju,
    Caro,
    CaroExact,
    RenjuOverline,
}

impl RuleId {
    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        self.card().name
    }

    /// The variant of a name.
    pub fn from_name(name: &str) -> Option<RuleId> {
        RuleId::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name))
    }

    /// Whether it is a game of its own: no option of another, which has no
    /// number in Gomocup's list and shares the sheet of that game.
    pub const fn is_plain(self) -> bool {
        matches!(self.card().game.plain, Variant::Five(id) if id as usize == self as usize)
    }

    /// The number of the variant in the Gomocup protocol (`INFO rule`).
    pub const fn gomocup(self) -> i64 {
        self.card().gomocup
    }

    /// The variant of a Gomocup rule number without its "continuous" bit.
    pub fn from_gomocup(number: i64) -> Option<RuleId> {
        RuleId::ALL.into_iter().find(|id| id.gomocup() == number)
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Half;
    impl Visitor for Half {
        type Out = (RuleId, usize);
        fn visit<R: Rule>(self) -> Self::Out {
            (R::ID, R::HALF)
        }
    }

    #[test]
    fn the_registry_is_whole() {
        for (place, id) in RuleId::ALL.into_iter().enumerate() {
            assert_eq!(id as usize, place);
            let plain = matches!(id, RuleId::Freestyle | RuleId::RenjuOverline);
            let expected = if plain { 4 } else { 5 };
            assert_eq!(with_rule(id, Half), (id, expected));
            assert_eq!(RuleId::from_name(id.name()), Some(id));
            assert_eq!(RuleId::from_gomocup(id.gomocup()), Some(id));
            // Its bit marks continuous games.
            assert_eq!(id.gomocup() & 2, 0);
            assert_eq!(id.is_plain(), id != RuleId::RenjuOverline);
            assert_eq!(Variant::Five(id).sheet().name, id.card().game.name);
        }
        assert_eq!(RuleId::from_gomocup(2), None);
    }
}

//! The tuple weights of all games in the registry.

use crate::eval::TupleFamily;
use goren_core::rules::Variant;

/// Generates the functions below from the lines of the registry.
macro_rules! lists {
    (
        $(#[$five:meta])* Five(RuleId): five;
        $($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*
    ) => {
        /// Returns all families of games that share tuple weights.
        pub fn families() -> impl Iterator<Item = &'static TupleFamily> {
            let families = std::iter::empty();
            $(let families = families.chain(super::$folder::FAMILIES.iter().copied());)*
            families
        }

        /// Returns the family of a game; `None` for five in a row, whose evaluation uses no
        /// tuples.
        pub fn family(variant: Variant) -> Option<&'static TupleFamily> {
            match variant {
                Variant::Five(_) => None,
                $(Variant::$Game(game) => Some(super::$folder::tuple_family(game)),)*
            }
        }
    };
}

goren_core::for_each_game!(lists);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_share_neither_names_nor_games() {
        let all: Vec<_> = families().collect();
        for (i, family) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != family && other.name() != family.name()));
            let without_options = Variant::from_name(family.name()).unwrap();
            assert_eq!(super::family(without_options), Some(*family));
        }
    }
}

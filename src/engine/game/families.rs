//! The tuple weights of all games in the registry.

use crate::eval::TupleFamily;
use goren_core::rules::Variant;

/// Writes the functions below from the lines of the registry.
macro_rules! lists {
    ($($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*) => {
        /// All families: games that share tuple weights.
        pub fn families() -> impl Iterator<Item = &'static TupleFamily> {
            let families = std::iter::empty();
            $(let families = families.chain(super::$folder::FAMILIES.iter().copied());)*
            families
        }

        /// The family of a game; `None` for five in a row, which is not evaluated by
        /// tuples.
        pub fn family(variant: Variant) -> Option<&'static TupleFamily> {
            match variant { $(Variant::$Game(game) => super::$folder::tuple_family(game).into(),)* }
        }
    };
}

goren_core::for_each_game!(lists);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_families_share_a_name_or_a_game() {
        let all: Vec<_> = families().collect();
        for (i, family) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != family && other.name() != family.name()));
            let plainest = Variant::from_name(family.name()).unwrap();
            assert_eq!(super::family(plainest), Some(*family));
        }
    }
}

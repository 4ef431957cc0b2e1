//! The rules of five in a row by name.

/// The rules of five in a row: calls a macro with the sheet of each and the file it
/// stands in. New ones come last: keys and files of weights hold their places.
macro_rules! for_each_rule {
    ($then:ident) => {
        $then! {
            /// Five or more wins.
            Freestyle: freestyle;
            /// Exactly five wins.
            Standard: standard;
            /// Black: exactly five wins; overline, double four and double three are
            /// fouls. White: five or more wins.
            Renju: renju;
            /// Exactly five wins unless opponent's stones stand at both its ends; six or
            /// more wins.
            Caro: caro;
            /// Exactly five wins unless opponent's stones stand at both its ends.
            CaroExact: caro;
            /// Five or more wins; double four and double three are fouls of Black.
            RenjuOverline: renju;
            /// Black: exactly five wins; overline and double three are fouls. White: five
            /// or more wins.
            EarlyRenju: renju;
            /// Exactly five wins; players may pass from the first ply on.
            StandardPass: standard;
            /// Exactly five wins; White wins when the board is full.
            StandardFull: standard;
            /// Exactly five wins; overline, double four and double three are fouls of
            /// both colours.
            RenjuBoth: renju;
            /// Exactly five wins; double three is a foul of both colours.
            StandardDoubleThree: standard;
        }
    };
}
pub(super) use for_each_rule;

/// Makes [`RuleId`] from the list.
macro_rules! id {
    ($($(#[$doc:meta])* $Sheet:ident: $file:ident;)*) => {
        /// The rules of five in a row.
        ///
        /// In formats of serde a rule is its name, such as `renju`.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum RuleId {
            $($(#[$doc])* $Sheet,)*
        }

        impl RuleId {
            /// Every rule.
            pub const ALL: [RuleId; [$(RuleId::$Sheet),*].len()] = [$(RuleId::$Sheet),*];
        }
    };
}

for_each_rule!(id);

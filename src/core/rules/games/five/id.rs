//! The rules of five in a row by name.

/// The list of all rules of five in a row. Calls a macro with the type of each rule and the
/// file that defines it. Add new rules at the end: hash keys and weights files contain the
/// index of a rule. `as Other` marks a rule that differs from `Other` only in its card; it
/// shares the constants, and so the compiled board and search, of `Other`.
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
            /// Exactly five wins; players may pass after the opening.
            StandardPass: standard as Standard;
            /// Exactly five wins; White wins when the board is full.
            StandardFull: standard as Standard;
            /// Exactly five wins; overline, double four and double three are fouls of
            /// both colours.
            RenjuBoth: renju;
            /// Exactly five wins; double three is a foul of both colours.
            StandardDoubleThree: standard;
            /// Exactly five wins; players may pass after the opening; White wins when
            /// the board is full.
            StandardPassFull: standard as Standard;
            /// Exactly five wins; double three is a foul of both colours; players may pass
            /// after the opening.
            StandardPassDoubleThree: standard as StandardDoubleThree;
            /// Exactly five wins; double three is a foul of both colours; White wins when
            /// the board is full.
            StandardFullDoubleThree: standard as StandardDoubleThree;
            /// Exactly five wins; double three is a foul of both colours; players may pass
            /// after the opening; White wins when the board is full.
            StandardPassFullDoubleThree: standard as StandardDoubleThree;
            /// Five or more wins; double three is a foul of Black.
            EarlyOverline: renju;
            /// Five or more wins; double four and double three are fouls of both colours.
            RenjuOverlineBoth: renju;
            /// Exactly five wins; overline and double three are fouls of both colours.
            EarlyBoth: renju;
            /// Five or more wins; double three is a foul of both colours.
            EarlyOverlineBoth: renju;
            /// Five or more wins; double three is a foul of both colours, except with a
            /// four or in answer to one.
            Renju1899: stages;
            /// Five or more wins; double three is a foul of Black, except with a four or
            /// in answer to one.
            Renju1903: stages;
            /// Five or more wins; double three is a foul of Black, except with a four.
            Renju1912: stages;
            /// Black: exactly five wins; overline is a foul, and double three except with
            /// a four. White: five or more wins.
            Renju1916: stages;
            /// As renju; players may pass after the opening.
            RenjuPass: renju as Renju;
        }
    };
}
pub(super) use for_each_rule;

/// Makes [`RuleId`] from the list.
macro_rules! id {
    ($($(#[$doc:meta])* $Sheet:ident: $file:ident $(as $Other:ident)?;)*) => {
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

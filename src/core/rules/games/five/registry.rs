//! The registry of the rules of five in a row: the sheet of each.

use std::fmt;

use super::by_plies::FiveByPlies;
use super::id::{RuleId, for_each_rule};
use super::rule::{Card, Rule};
use crate::rules::game::{GameRules, WinningLines};
use crate::rules::referee::Referee;
use crate::rules::sheet::GameSheet;
use crate::rules::verdict::Fouls;
use crate::types::Color;

/// An operation on the sheet of a rule that is known only at run time.
pub trait Visitor {
    /// The result of the operation.
    type Out;
    /// Performs the operation.
    fn visit<R: Rule>(self) -> Self::Out;
}

/// The sheet that implements a line of the list.
macro_rules! sheet {
    ($file:ident $Sheet:ident) => {
        super::$file::$Sheet
    };
    ($file:ident $Sheet:ident $Other:ident) => {
        super::$file::$Other
    };
}

/// Defines the functions that need all sheets: the card of a rule, and the call of a visitor
/// with the sheet of a rule.
macro_rules! lookups {
    ($($(#[$doc:meta])* $Sheet:ident: $file:ident $(as $Other:ident)?;)*) => {
        impl RuleId {
            /// The card of the rule: names and rules as data.
            pub const fn card(self) -> &'static Card {
                match self {
                    $(RuleId::$Sheet => const { &super::$file::$Sheet::CARD },)*
                }
            }

            /// The rule whose sheet implements it: itself, or the rule from which it differs
            /// only in its card.
            pub const fn implemented_as(self) -> RuleId {
                match self {
                    $(RuleId::$Sheet => <sheet!($file $Sheet $($Other)?) as Rule>::ID,)*
                }
            }
        }

        /// Calls the visitor with the sheet that implements `id`. Its [`Rule::ID`] is
        /// [`RuleId::implemented_as`] of `id`.
        pub fn with_rule<V: Visitor>(id: RuleId, visitor: V) -> V::Out {
            match id {
                $(RuleId::$Sheet => visitor.visit::<sheet!($file $Sheet $($Other)?)>(),)*
            }
        }
    };
}

for_each_rule!(lookups);

/// Number of rules that are games of their own, without options.
const PLAIN: usize = {
    let (mut plain, mut i) = (0, 0);
    while i < RuleId::ALL.len() {
        plain += RuleId::ALL[i].is_plain() as usize;
        i += 1;
    }
    plain
};

impl RuleId {
    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        self.card().name
    }

    /// The rule with this name.
    pub fn from_name(name: &str) -> Option<RuleId> {
        RuleId::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name))
    }

    /// Whether the rule is a game without options. A rule with options has no number in
    /// Gomocup's list.
    pub const fn is_plain(self) -> bool {
        self.card().options_of.is_none()
    }

    /// The game without options, and the options that are on.
    fn game_and_options(self) -> (RuleId, &'static [&'static str]) {
        self.card().options_of.unwrap_or((self, &[]))
    }

    /// The number of the rule in the Gomocup protocol (`INFO rule`). Rules with options
    /// have numbers of our own. Files contain these numbers too.
    pub const fn gomocup(self) -> i64 {
        self.card().gomocup
    }

    /// The rule with a Gomocup number, without its "continuous" bit: a game without options.
    pub fn from_gomocup(number: i64) -> Option<RuleId> {
        RuleId::from_number(number).filter(|id| id.is_plain())
    }

    /// The rule with a number from a file of our own, with or without options.
    pub fn from_number(number: i64) -> Option<RuleId> {
        RuleId::ALL.into_iter().find(|id| id.gomocup() == number)
    }
}

impl GameRules for RuleId {
    const PLAIN: &'static [RuleId] = &{
        let mut plain = [RuleId::ALL[0]; PLAIN];
        let (mut at, mut i) = (0, 0);
        while i < RuleId::ALL.len() {
            if RuleId::ALL[i].is_plain() {
                plain[at] = RuleId::ALL[i];
                at += 1;
            }
            i += 1;
        }
        plain
    };

    fn sheet(self) -> &'static GameSheet {
        &self.card().game
    }

    fn with(self, option: &str) -> Option<RuleId> {
        let (game, on) = self.game_and_options();
        let wanted = on.len() + usize::from(!on.contains(&option));
        RuleId::ALL.into_iter().find(|id| {
            let (of, options) = id.game_and_options();
            let has_all = on.iter().chain([&option]).all(|option| options.contains(option));
            of == game && options.len() == wanted && has_all
        })
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        Box::new(FiveByPlies::new(self, width, height))
    }

    fn fouls(self, color: Color) -> Fouls {
        self.card().fouls[color.index()]
    }

    fn lasting_lines(self) -> Option<WinningLines> {
        // If a full board is a win, a side without a line left may still win.
        let lines = WinningLines { length: 5, torus: false };
        self.card().full_board.is_none().then_some(lines)
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule::{Ends, Overline};
    use super::*;

    struct Half;
    impl Visitor for Half {
        type Out = (RuleId, usize);
        fn visit<R: Rule>(self) -> Self::Out {
            (R::ID, R::HALF)
        }
    }

    #[test]
    fn windows_reach_one_cell_further_if_more_than_a_five_matters() {
        // Renju with overlines allowed has the windows of renju, because it has its weights.
        for (id, half) in [
            (RuleId::Freestyle, 4),
            (RuleId::RenjuOverline, 5),
            (RuleId::Renju, 5),
            (RuleId::Caro, 5),
        ] {
            assert_eq!(with_rule(id, Half), (id, half));
        }
        for id in RuleId::ALL {
            let [own, of_weights] = [id, id.card().weights].map(|id| with_rule(id, Half).1);
            assert_eq!(own, of_weights, "{id}");
        }
    }

    /// Compares the constants of a rule with its card.
    struct CardCheck(RuleId);
    impl Visitor for CardCheck {
        type Out = ();
        fn visit<R: Rule>(self) {
            let CardCheck(id) = self;
            let card = id.card();
            assert_eq!(R::ID, id.implemented_as());
            assert_eq!(R::ID.implemented_as(), R::ID);
            assert_eq!(R::EXCUSE, card.excuse, "{id}");
            for color in Color::ALL {
                let overline = R::OVERLINE[color.index()];
                assert_eq!(overline == Overline::Wins, (card.wins)(color, 6, false), "{id}");
                assert_eq!(overline == Overline::Foul, card.fouls[color.index()].overline, "{id}");
                let [sheet, data] = [R::FOULS, card.fouls].map(|fouls| fouls[color.index()]);
                assert_eq!(sheet, data, "{id}");
                for (row, blocked) in [(4, false), (5, false), (5, true)] {
                    let wins = row == 5 && (R::ENDS == Ends::Any || !blocked);
                    assert_eq!((card.wins)(color, row, blocked), wins, "{id} {row} {blocked}");
                }
            }
        }
    }

    #[test]
    fn sheets_agree_with_their_cards() {
        for id in RuleId::ALL {
            with_rule(id, CardCheck(id));
        }
    }

    #[test]
    fn numbers_and_names_of_rules_are_unique() {
        for (place, id) in RuleId::ALL.into_iter().enumerate() {
            assert_eq!(id as usize, place);
            let (code, letter) = id.card().database;
            for other in &RuleId::ALL[..place] {
                let (other_code, other_letter) = other.card().database;
                assert!(code != other_code && letter != other_letter, "{id} and {other}");
            }
            assert_eq!(RuleId::from_name(id.name()), Some(id));
            assert_eq!(RuleId::from_number(id.gomocup()), Some(id));
            let published = RuleId::from_gomocup(id.gomocup());
            assert_eq!(published, id.is_plain().then_some(id));
            // Bit 2 marks continuous games, and training games store the number in a byte.
            assert!(id.gomocup() & 2 == 0 && u8::try_from(id.gomocup()).is_ok());
            assert_eq!(RuleId::PLAIN.contains(&id), id.is_plain());
            assert_eq!(id.is_plain(), id.game_and_options().1.is_empty());
        }
        assert_eq!(RuleId::from_gomocup(2), None);
    }
}

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

/// Something to be done with the sheet of a rule known only at run time.
pub trait Visitor {
    /// What it gives.
    type Out;
    /// Does it.
    fn visit<R: Rule>(self) -> Self::Out;
}

/// The sheet that a line of the list is played by.
macro_rules! sheet {
    ($file:ident $Sheet:ident) => {
        super::$file::$Sheet
    };
    ($file:ident $Sheet:ident $Other:ident) => {
        super::$file::$Other
    };
}

/// Defines what needs all sheets: the card of a rule, and the call of a visitor
/// with the sheet of a rule.
macro_rules! lookups {
    ($($(#[$doc:meta])* $Sheet:ident: $file:ident $(as $Other:ident)?;)*) => {
        impl RuleId {
            /// Its card: names and rules in words.
            pub const fn card(self) -> &'static Card {
                match self {
                    $(RuleId::$Sheet => const { &super::$file::$Sheet::CARD },)*
                }
            }

            /// The rule by whose sheet it is played: itself, or one that only its card
            /// tells from it.
            pub const fn played_as(self) -> RuleId {
                match self {
                    $(RuleId::$Sheet => <sheet!($file $Sheet $($Other)?) as Rule>::ID,)*
                }
            }
        }

        /// Hands the sheet that `id` is played by to the visitor. Its [`Rule::ID`] is
        /// [`RuleId::played_as`] of `id`.
        pub fn with_rule<V: Visitor>(id: RuleId, visitor: V) -> V::Out {
            match id {
                $(RuleId::$Sheet => visitor.visit::<sheet!($file $Sheet $($Other)?)>(),)*
            }
        }
    };
}

for_each_rule!(lookups);

/// The rules that are games of their own, without options.
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

    /// The rule of a name.
    pub fn from_name(name: &str) -> Option<RuleId> {
        RuleId::ALL.into_iter().find(|id| id.name().eq_ignore_ascii_case(name))
    }

    /// Whether it is a game without options. With options it has no number in Gomocup's
    /// list.
    pub const fn is_plain(self) -> bool {
        self.card().options_of.is_none()
    }

    /// The game without options, and the options that are on.
    fn game_and_options(self) -> (RuleId, &'static [&'static str]) {
        self.card().options_of.unwrap_or((self, &[]))
    }

    /// The number of the rule in the Gomocup protocol (`INFO rule`). Rules with options
    /// have numbers of our own, which files hold too.
    pub const fn gomocup(self) -> i64 {
        self.card().gomocup
    }

    /// The rule of a Gomocup number without its "continuous" bit: a game without options.
    pub fn from_gomocup(number: i64) -> Option<RuleId> {
        RuleId::from_number(number).filter(|id| id.is_plain())
    }

    /// The rule of a number in a file of our own, with or without options.
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
        // Where a full board is a win, whoever has no line left may win all the same.
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
    fn windows_reach_one_further_where_more_than_a_five_matters() {
        // A renju in which overlines win has the windows of renju, for its weights.
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

    /// What the board knows of a rule, and what its card says of the same.
    struct Words(RuleId);
    impl Visitor for Words {
        type Out = ();
        fn visit<R: Rule>(self) {
            let Words(id) = self;
            let card = id.card();
            assert_eq!(R::ID, id.played_as());
            assert_eq!(R::ID.played_as(), R::ID);
            assert_eq!(R::EXCUSE, card.excuse, "{id}");
            for color in Color::ALL {
                let overline = R::OVERLINE[color.index()];
                assert_eq!(overline == Overline::Wins, (card.wins)(color, 6, false), "{id}");
                assert_eq!(overline == Overline::Foul, card.fouls[color.index()].overline, "{id}");
                let [sheet, words] = [R::FOULS, card.fouls].map(|fouls| fouls[color.index()]);
                assert_eq!(sheet, words, "{id}");
                for (row, blocked) in [(4, false), (5, false), (5, true)] {
                    let wins = row == 5 && (R::ENDS == Ends::Any || !blocked);
                    assert_eq!((card.wins)(color, row, blocked), wins, "{id} {row} {blocked}");
                }
            }
        }
    }

    #[test]
    fn sheets_are_what_the_cards_say() {
        for id in RuleId::ALL {
            with_rule(id, Words(id));
        }
    }

    #[test]
    fn the_registry_is_whole() {
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
            // Its bit marks continuous games, and training games have a byte for it.
            assert!(id.gomocup() & 2 == 0 && u8::try_from(id.gomocup()).is_ok());
            assert_eq!(RuleId::PLAIN.contains(&id), id.is_plain());
            assert_eq!(id.is_plain(), id.game_and_options().1.is_empty());
        }
        assert_eq!(RuleId::from_gomocup(2), None);
    }
}

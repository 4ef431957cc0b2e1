//! What a variant is: a sheet of constants for each, the registry that
//! names them, and the slow referee that judges by the words of the rules.

mod caro;
mod freestyle;
mod games;
mod names;
pub mod referee;
mod renju;
mod standard;

use std::fmt;
use std::hash::Hash;

use crate::types::{Color, MAX_SIDE, MIN_SIDE};

pub use caro::{Caro, CaroExact};
pub use freestyle::Freestyle;
pub use games::{
    BadGame, Connect6, Contest, FourInARow, GAMES, GameOption, GameSheet, OpeningId, Pairs, Pente,
    Placement, Variant, five,
};
pub use names::{Named, named};
pub use renju::{Renju, RenjuOverline};
pub use standard::Standard;

/// What a run longer than [`Rule::WIN_LEN`] is to a colour.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Overline {
    /// It wins.
    Wins,
    /// It is worth nothing; play goes on.
    Nothing,
    /// It is a foul: placing it loses.
    Foul,
}

/// What the ends of an exact five must look like for it to win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// Anything.
    Any,
    /// At least one end without an enemy stone. The edge is no enemy.
    NotBothEnemy,
}

/// The sheet of a variant: all that making moves and classifying lines need.
pub trait Rule: Copy + Clone + Send + Sync + fmt::Debug + 'static {
    /// Which variant this is.
    const ID: RuleId;
    /// What is said of it in words.
    const CARD: Card;
    /// Stones in a row that win.
    const WIN_LEN: usize = 5;
    /// What longer runs are, for Black and White.
    const OVERLINE: [Overline; 2] = [Overline::Wins; 2];
    /// Condition on the ends of a run of exactly [`Rule::WIN_LEN`].
    const ENDS: Ends = Ends::Any;
    /// Whether a double three or a double four by Black is a foul.
    const BLACK_FOULS: bool = false;
    /// Cells a window sees to each side of its centre.
    const HALF: usize = half(Self::WIN_LEN, Self::OVERLINE, Self::ENDS);
}

/// Cells that decide about a five through a stone, on each side of it: the
/// five itself, and one more where its neighbours matter.
pub const fn half(win_len: usize, overline: [Overline; 2], ends: Ends) -> usize {
    let plain = matches!(overline, [Overline::Wins, Overline::Wins]) && matches!(ends, Ends::Any);
    if plain { win_len - 1 } else { win_len }
}

/// What is said of a variant in words: for people, files and the referee.
#[derive(Copy, Clone, Debug)]
pub struct Card {
    /// The name used on the command line and in files.
    pub name: &'static str,
    /// Its number in the Gomocup protocol (`INFO rule`), without the bit of
    /// continuous games, 2; or one of our own, which differs from all others.
    pub gomocup: i64,
    /// The game as the registry of games lists it.
    pub game: GameSheet,
    /// For the referee: whether a row of so many stones of a colour wins,
    /// given whether enemy stones stand at both its ends.
    pub wins: fn(Color, usize, bool) -> bool,
    /// For the referee: whether Black has renju's fouls.
    pub fouls: bool,
    /// The variant whose weights it is evaluated by: itself, if it comes with
    /// some.
    pub weights: RuleId,
}

/// Something to be done with the sheet of a variant known only at run time.
pub trait Visitor {
    /// What it gives.
    type Out;
    /// Does it.
    fn visit<R: Rule>(self) -> Self::Out;
}

/// Makes of a list of sheets all that has to know every one of them.
macro_rules! registry {
    ($($(#[$doc:meta])* $sheet:ident,)*) => {
        /// The variants.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum RuleId {
            $($(#[$doc])* $sheet,)*
        }

        impl RuleId {
            /// Every variant.
            pub const ALL: [RuleId; [$(RuleId::$sheet),*].len()] = [$(RuleId::$sheet),*];

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

// New ones come last: keys and files of weights hold their places.
registry! {
    /// Five or more wins.
    Freestyle,
    /// Exactly five wins.
    Standard,
    /// Black: exactly five wins; overline, double four and double three are
    /// fouls. White: five or more wins.
    Renju,
    /// Exactly five wins unless enemy stones stand at both its ends; six or
    /// more wins.
    Caro,
    /// Exactly five wins unless enemy stones stand at both its ends.
    CaroExact,
    /// Five or more wins; double four and double three are fouls of Black.
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

/// A variant on a board of a size.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The variant.
    pub rule: RuleId,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// A board size the engine does not play.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
// Piskvork offers 20x20 if it finds that number in the answer.
#[error(
    "board size {width}x{height} is not supported, sides must be {MIN_SIDE} to {MAX_SIDE}, as in 20x20"
)]
pub struct BadSize {
    /// Columns asked for.
    pub width: usize,
    /// Rows asked for.
    pub height: usize,
}

impl Setup {
    /// A variant on a board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// Sides outside [`MIN_SIDE`]..=[`MAX_SIDE`].
    pub fn new(rule: RuleId, width: usize, height: usize) -> Result<Setup, BadSize> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if sides.contains(&width) && sides.contains(&height) {
            Ok(Setup { rule, width, height })
        } else {
            Err(BadSize { width, height })
        }
    }

    /// Number of cells of the board.
    pub const fn area(&self) -> usize {
        self.width * self.height
    }
}

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A side won, by a line or by the other side's foul.
    Win(Color),
    /// The board is full.
    Draw,
}

/// The kinds of foul a black stone would commit on a point (renju).
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Fouls {
    /// Six or more in a row.
    pub overline: bool,
    /// Two fours or more, also in one line.
    pub double_four: bool,
    /// Two threes or more.
    pub double_three: bool,
}

impl Fouls {
    /// Whether the point is forbidden at all.
    pub const fn any(self) -> bool {
        self.overline || self.double_four || self.double_three
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
        for id in RuleId::ALL {
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

    #[test]
    fn sizes_outside_the_frame_are_refused() {
        assert!(Setup::new(RuleId::Renju, 26, 5).is_ok());
        assert!(Setup::new(RuleId::Renju, 27, 15).is_err());
        assert!(Setup::new(RuleId::Renju, 15, 4).is_err());
    }
}

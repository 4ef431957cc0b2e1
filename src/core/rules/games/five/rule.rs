//! A rule of five in a row: [`Rule`], its constants for boards and search, and [`Card`], the
//! same rule as data for people, files and the referee.

use std::fmt;

use super::id::RuleId;
use crate::rules::sheet::GameSheet;
use crate::rules::verdict::{Excuse, Fouls};
use crate::types::Color;

/// Effect of a run longer than [`Rule::WIN_LEN`] for a colour.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Overline {
    /// It wins.
    Wins,
    /// It is worth nothing; play goes on.
    Nothing,
    /// It is a foul: placing it loses.
    Foul,
}

/// Condition on the ends of an exact five for it to win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// Anything.
    Any,
    /// At least one end without an opponent stone. The edge is no opponent.
    NotBothEnemy,
}

/// The constants of a rule of five in a row: all that making moves and classifying lines
/// need.
pub trait Rule: Copy + Clone + Send + Sync + fmt::Debug + 'static {
    /// The rule. If several rules share these constants, the first of them.
    const ID: RuleId;
    /// Its card: names and rules in words.
    const CARD: Card;
    /// Stones in a row that win.
    const WIN_LEN: usize = 5;
    /// Effect of a run longer than [`Rule::WIN_LEN`], for Black and White.
    const OVERLINE: [Overline; 2] = [Overline::Wins; 2];
    /// Condition on the ends of a run of exactly [`Rule::WIN_LEN`].
    const ENDS: Ends = Ends::Any;
    /// The kinds of foul of Black and of White. A colour has the overline foul here exactly
    /// if its [`Rule::OVERLINE`] is [`Overline::Foul`].
    const FOULS: [Fouls; 2] = Self::CARD.fouls;
    /// When a double three is excused, in rules where it is a foul.
    const EXCUSE: Excuse = Excuse::None;
    /// Whether anything is a foul of some colour.
    const HAS_FOULS: bool = Self::FOULS[0].any() || Self::FOULS[1].any();
    /// Cells a window sees to each side of its centre: at least as many as decide about a
    /// five, and as many as under the rule whose weights evaluate it ([`Card::weights`]),
    /// which have numbers for each window.
    const HALF: usize = half(Self::WIN_LEN, Self::OVERLINE, Self::ENDS);

    /// Whether anything is a foul of a colour.
    #[inline]
    fn has_fouls(color: Color) -> bool {
        Self::FOULS[color.index()].any()
    }
}

/// Cells that decide about a five through a stone, on each side of it: the
/// five itself, and one more where its neighbours matter.
pub const fn half(win_len: usize, overline: [Overline; 2], ends: Ends) -> usize {
    let plain = matches!(overline, [Overline::Wins, Overline::Wins]) && matches!(ends, Ends::Any);
    if plain { win_len - 1 } else { win_len }
}

/// The card of a rule: its names and rules as data, for people, files and the referee.
#[derive(Copy, Clone, Debug)]
pub struct Card {
    /// The name used on the command line and in files.
    pub name: &'static str,
    /// Its number in the Gomocup protocol (`INFO rule`), without the bit of
    /// continuous games, 2; or one of our own, which differs from all others. Below 256:
    /// files of training games give it a byte.
    pub gomocup: i64,
    /// Its number in database files, that of Yixin where Yixin has it, and its letter
    /// in the CSV of a database. No other rule has them.
    pub database: (u8, char),
    /// The game as the registry of games lists it.
    pub game: GameSheet,
    /// The rule that this is with options, and the names of these in the order of the
    /// game's sheet; `None` if it is a game without options.
    pub options_of: Option<(RuleId, &'static [&'static str])>,
    /// For the referee: whether a row of a colour with a number of stones wins,
    /// given whether opponent's stones stand at both its ends.
    pub wins: fn(Color, usize, bool) -> bool,
    /// For the referee: the kinds that are fouls of Black and of White.
    pub fouls: [Fouls; 2],
    /// For the referee: what excuses a double three where it is a foul.
    pub excuse: Excuse,
    /// For the referee and the boards: who wins when the board is full; `None` if it is a draw.
    pub full_board: Option<Color>,
    /// The rule whose weights evaluate it: itself, or another one if it has no weights of
    /// its own.
    pub weights: RuleId,
}

impl Card {
    /// Whether anything is a foul of Black's or White's.
    pub const fn has_fouls(&self) -> bool {
        self.fouls[0].any() || self.fouls[1].any()
    }
}

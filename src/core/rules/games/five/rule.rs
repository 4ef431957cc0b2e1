//! A rule of five in a row: [`Rule`], its constants for boards and search, and [`Card`], the
//! same rule as data for users, files and the referee.

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
    /// It has no effect; play goes on.
    Nothing,
    /// It is a foul: making it loses.
    Foul,
}

/// Condition on the ends of an exact five for it to win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ends {
    /// No condition.
    Any,
    /// At least one end without an opponent stone. The edge does not count as one.
    NotBothEnemy,
}

/// The constants of a rule of five in a row: everything that is needed to make moves and to
/// classify lines.
pub trait Rule: Copy + Clone + Send + Sync + fmt::Debug + 'static {
    /// The rule. If several rules share these constants, the first of them.
    const ID: RuleId;
    /// The card of the rule: names and rules as data.
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
    /// What excuses a double three, in rules where it is a foul.
    const EXCUSE: Excuse = Excuse::None;
    /// Whether any colour has fouls.
    const HAS_FOULS: bool = Self::FOULS[0].any() || Self::FOULS[1].any();
    /// Number of cells that a window covers on each side of its centre: at least those that
    /// decide about a five, and as many as under the rule whose weights evaluate it
    /// ([`Card::weights`]), because the weights have a value for each window.
    const HALF: usize = half(Self::WIN_LEN, Self::OVERLINE, Self::ENDS);

    /// Whether a colour has fouls.
    #[inline]
    fn has_fouls(color: Color) -> bool {
        Self::FOULS[color.index()].any()
    }
}

/// Number of cells on each side of a stone that decide about a five through it: those of the five
/// itself, and one more if its neighbours matter.
pub const fn half(win_len: usize, overline: [Overline; 2], ends: Ends) -> usize {
    let plain = matches!(overline, [Overline::Wins, Overline::Wins]) && matches!(ends, Ends::Any);
    if plain { win_len - 1 } else { win_len }
}

/// The card of a rule: its names and rules as data, for users, files and the referee.
#[derive(Copy, Clone, Debug)]
pub struct Card {
    /// The name used on the command line and in files.
    pub name: &'static str,
    /// The number in the Gomocup protocol (`INFO rule`), without bit 2 of continuous games; or
    /// a unique number of our own. Below 256: files of training games store it in a byte.
    pub gomocup: i64,
    /// The number in database files, Yixin's number if Yixin has the rule, and the letter in the
    /// CSV of a database. Both are unique.
    pub database: (u8, char),
    /// The game as the registry of games lists it.
    pub game: GameSheet,
    /// The rule of which this is a version with options, and the names of these options in the
    /// order of the game's sheet; `None` if it is a game without options.
    pub options_of: Option<(RuleId, &'static [&'static str])>,
    /// For the referee: whether a row of a colour with a number of stones wins, given whether
    /// opponent's stones stand at both its ends.
    pub wins: fn(Color, usize, bool) -> bool,
    /// For the referee: the kinds of foul of Black and of White.
    pub fouls: [Fouls; 2],
    /// For the referee: what excuses a double three, if it is a foul.
    pub excuse: Excuse,
    /// For the referee and the boards: the winner if the board is full; `None` for a draw.
    pub full_board: Option<Color>,
    /// The rule whose weights evaluate it: itself, or another rule if it has no weights of its
    /// own.
    pub weights: RuleId,
}

impl Card {
    /// Whether any colour has fouls.
    pub const fn has_fouls(&self) -> bool {
        self.fouls[0].any() || self.fouls[1].any()
    }
}

//! The registry of games: their sheets, and what they are called here.

use std::fmt;

use super::connect6::CONNECT6;
use super::four_in_a_row::FOUR_IN_A_ROW;
use super::irensei::IRENSEI;
use super::opening_id::OpeningId;
use super::pente::PENTE;
use super::sheet::{GameOption, GameSheet};
use super::variant::Variant;
use crate::rules::id::RuleId;

/// The games beyond five in a row.
const OTHERS: [&GameSheet; 4] = [&PENTE, &CONNECT6, &FOUR_IN_A_ROW, &IRENSEI];

/// Games of five in a row.
const FIVES: usize = {
    let (mut fives, mut i) = (0, 0);
    while i < RuleId::ALL.len() {
        fives += RuleId::ALL[i].is_plain() as usize;
        i += 1;
    }
    fives
};

/// The registry: every game, those of five in a row first.
pub const GAMES: [&GameSheet; FIVES + OTHERS.len()] = {
    let mut games = [OTHERS[0]; FIVES + OTHERS.len()];
    let (mut at, mut i) = (0, 0);
    while i < RuleId::ALL.len() {
        if RuleId::ALL[i].is_plain() {
            games[at] = &RuleId::ALL[i].card().game;
            at += 1;
        }
        i += 1;
    }
    while at < games.len() {
        games[at] = OTHERS[at - FIVES];
        at += 1;
    }
    games
};

/// A name that is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadGame {
    /// There is no game of this name.
    #[error("there is no game {0:?}; see `goren games`")]
    Game(String),
    /// The game has no such option.
    #[error("{game} has no option {option:?}")]
    Option {
        /// The game.
        game: &'static str,
        /// What was asked for.
        option: String,
    },
    /// Two options that exclude each other.
    #[error("{game} cannot have {option:?} besides what was named before")]
    Clash {
        /// The game.
        game: &'static str,
        /// The second of the two.
        option: String,
    },
    /// The game is not played by this opening.
    #[error("{game} is not opened by {opening}")]
    Opening {
        /// The game.
        game: &'static str,
        /// The opening.
        opening: OpeningId,
    },
    /// A board on which the opening leaves no room.
    #[error("{width}x{height} is too small for the opening {opening}")]
    Room {
        /// The opening.
        opening: OpeningId,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A board that the engine or the game does not know.
    #[error("{game} cannot be played on {width}x{height}: {boards}")]
    Size {
        /// The game.
        game: Variant,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The boards there are.
        boards: String,
    },
}

impl Variant {
    /// Its sheet.
    pub const fn sheet(self) -> &'static GameSheet {
        match self {
            Variant::Five(rule) => &rule.card().game,
            Variant::Pente(_) => &PENTE,
            Variant::Connect6(_) => &CONNECT6,
            Variant::FourInARow(_) => &FOUR_IN_A_ROW,
            Variant::Irensei => &IRENSEI,
        }
    }

    /// Every game with every set of options.
    pub fn all() -> Vec<Variant> {
        let mut all = Vec::new();
        for sheet in GAMES {
            let mut of_game = vec![sheet.plain];
            for option in sheet.options {
                let more = of_game.iter().filter_map(|&v| (sheet.with)(v, option.name));
                let more: Vec<Variant> = more.collect();
                of_game.extend(more);
            }
            all.extend(of_game);
        }
        all
    }

    /// Options that are on, in the order of the sheet.
    pub fn options(self) -> impl Iterator<Item = &'static GameOption> {
        let sheet = self.sheet();
        // An option is on where naming it changes nothing.
        sheet.options.iter().filter(move |option| (sheet.with)(self, option.name) == Some(self))
    }

    /// The variant of a text such as `pente+keryo+boat`, by the names of the
    /// registry alone. `standard` is another name of gomoku.
    ///
    /// # Errors
    /// As [`Variant::from_name`].
    pub(super) fn registered(text: &str) -> Result<Variant, BadGame> {
        let mut parts = text.split('+');
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let wanted = if name == RuleId::Standard.name() { "gomoku" } else { &name };
        let sheet = GAMES.into_iter().find(|sheet| sheet.name == wanted);
        let sheet = sheet.ok_or_else(|| BadGame::Game(text.to_owned()))?;
        let mut variant = sheet.plain;
        for part in parts {
            let option = part.to_ascii_lowercase();
            let known = sheet.options.iter().find(|o| o.name == option || o.alias == option);
            let unknown = || BadGame::Option { game: sheet.name, option: part.to_owned() };
            let known = known.ok_or_else(unknown)?;
            let clash = || BadGame::Clash { game: sheet.name, option: part.to_owned() };
            variant = (sheet.with)(variant, known.name).ok_or_else(clash)?;
        }
        Ok(variant)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sheet().name)?;
        self.options().try_for_each(|option| write!(f, "+{}", option.name))
    }
}

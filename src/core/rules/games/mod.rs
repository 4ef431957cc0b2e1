//! The games of the family and their options, each on a sheet that the
//! registry lists: what `goren games` shows, what names on the command line
//! and in the protocol mean, and what referee and openings read.

mod connect6;
mod five;
mod four_in_a_row;
mod irensei;
mod pente;

use std::fmt;

use super::{Named, RuleId, names};
use crate::types::{MAX_SIDE, MIN_SIDE};

pub use connect6::{Connect6, Pairs};
pub use five::five;
pub use four_in_a_row::{FourInARow, Placement};
pub use pente::Pente;

/// A game with its options, apart from the board and the opening.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Five in a row without captures, one stone a turn.
    Five(RuleId),
    /// Five in a row, or captures.
    Pente(Pente),
    /// Six in a row, two stones a turn.
    Connect6(Connect6),
    /// Four in a row of pieces that fall.
    FourInARow(FourInARow),
    /// Seven in a row on a Go board.
    Irensei,
}

/// The opening protocols. What they are: `opening/`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum OpeningId {
    /// Anything from the first stone on.
    Free,
    /// The first stone in the centre.
    Centre,
    /// The first stone in the centre, the third outside the central 5x5.
    Pro,
    /// The first stone in the centre, the third outside the central 7x7.
    LongPro,
    /// Swap after the first stone.
    Swap1st,
    /// Three stones; then swap, a stone, or two stones and the other chooses.
    Swap2,
    /// Swaps after each of the first five stones.
    Swap5,
    /// Connect6: swap after the third turn.
    Swap3rd,
    /// Renju, the classic rule of 1996.
    Rif,
    /// Renju, with a declared number of fifths.
    Yamaguchi,
    /// Renju, the number of fifths declared with the fourth stone.
    Soosorv8,
    /// Renju, swaps all along, or ten fifths.
    Taraguchi10,
}

impl OpeningId {
    /// Every opening.
    pub const ALL: [OpeningId; 12] = [
        OpeningId::Free,
        OpeningId::Centre,
        OpeningId::Pro,
        OpeningId::LongPro,
        OpeningId::Swap1st,
        OpeningId::Swap2,
        OpeningId::Swap5,
        OpeningId::Swap3rd,
        OpeningId::Rif,
        OpeningId::Yamaguchi,
        OpeningId::Soosorv8,
        OpeningId::Taraguchi10,
    ];

    /// The name used on the command line and in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningId::Free => "free",
            OpeningId::Centre => "centre",
            OpeningId::Pro => "pro",
            OpeningId::LongPro => "long-pro",
            OpeningId::Swap1st => "swap-1st",
            OpeningId::Swap2 => "swap-2",
            OpeningId::Swap5 => "swap-5",
            OpeningId::Swap3rd => "swap-3rd",
            OpeningId::Rif => "rif",
            OpeningId::Yamaguchi => "yamaguchi",
            OpeningId::Soosorv8 => "soosorv-8",
            OpeningId::Taraguchi10 => "taraguchi-10",
        }
    }

    /// The opening of a name, in any of its spellings.
    pub fn from_name(name: &str) -> Option<OpeningId> {
        names::opening(&names::folded(name))
    }
}

impl fmt::Display for OpeningId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An option of a game.
#[derive(Copy, Clone, Debug)]
pub struct GameOption {
    /// Its name.
    pub name: &'static str,
    /// The name that Abstract Play uses, or the same.
    pub alias: &'static str,
    /// What it changes, in a line.
    pub text: &'static str,
}

/// A game as the registry knows it.
#[derive(Copy, Clone, Debug)]
pub struct GameSheet {
    /// The name on the command line and in the protocol.
    pub name: &'static str,
    /// What it is, in a line.
    pub text: &'static str,
    /// The game without options.
    pub plain: Variant,
    /// The game with one more option, by its name; `None` if two exclude each
    /// other.
    pub with: fn(Variant, &str) -> Option<Variant>,
    /// All options.
    pub options: &'static [GameOption],
    /// Usual boards, columns and rows, the default first.
    pub sizes: &'static [(usize, usize)],
    /// Openings, the default first.
    pub openings: &'static [OpeningId],
    /// Whether players may pass.
    pub passes: bool,
}

/// The games beyond five in a row.
const OTHERS: [&GameSheet; 4] =
    [&pente::PENTE, &connect6::CONNECT6, &four_in_a_row::FOUR_IN_A_ROW, &irensei::IRENSEI];

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
            Variant::Pente(_) => &pente::PENTE,
            Variant::Connect6(_) => &connect6::CONNECT6,
            Variant::FourInARow(_) => &four_in_a_row::FOUR_IN_A_ROW,
            Variant::Irensei => &irensei::IRENSEI,
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

    /// The variant of a text such as `pente+keryo+boat`, or of another name of
    /// the game that says nothing of the opening ([`named`](names::named)).
    ///
    /// # Errors
    /// There is no such game or option, or options exclude each other.
    pub fn from_name(text: &str) -> Result<Variant, BadGame> {
        let other = |error| match names::named(text) {
            Some(Named { variant, opening: None, .. }) => Ok(variant),
            _ => Err(error),
        };
        Variant::registered(text).or_else(other)
    }

    /// The variant of a text such as `pente+keryo+boat`, by the names of the
    /// registry alone. `standard` is another name of gomoku.
    ///
    /// # Errors
    /// As [`Variant::from_name`].
    pub(in crate::rules) fn registered(text: &str) -> Result<Variant, BadGame> {
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

/// A game as it is agreed on before the first stone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Contest {
    /// The game and its options.
    pub variant: Variant,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// How it is opened.
    pub opening: OpeningId,
    /// Whether the first to pass wins what would be a draw.
    pub tie_break: bool,
    /// Whether of mirrored and turned renju openings only one is allowed.
    pub strict: bool,
}

impl Contest {
    /// A game on its usual board with its usual opening.
    pub fn new(variant: Variant) -> Contest {
        let sheet = variant.sheet();
        let (width, height) = match variant {
            Variant::Connect6(Connect6 { torus: true, .. }) => connect6::TORUS,
            _ => sheet.sizes[0],
        };
        let opening = sheet.openings[0];
        Contest { variant, width, height, opening, tie_break: false, strict: false }
    }

    /// The same on another board.
    ///
    /// # Errors
    /// The engine has no room for it, or the game needs another.
    pub fn on(self, width: usize, height: usize) -> Result<Contest, BadGame> {
        let game = self.variant;
        let inward =
            matches!(game, Variant::FourInARow(FourInARow { placement: Placement::Inward, .. }));
        let (least, square) = match game {
            Variant::Irensei => (irensei::LEAST_SIDE, false),
            // A line must not meet itself.
            Variant::Connect6(game) if game.torus => (game.goal(), true),
            _ => (MIN_SIDE, inward),
        };
        let sides = least..=MAX_SIDE;
        let fits = sides.contains(&width) && sides.contains(&height);
        if fits && (width == height || !square) && (!inward || width.is_multiple_of(2)) {
            return Contest { width, height, ..self }.with_room();
        }
        let even = if inward { ", even" } else { "" };
        let both = if square { ", both alike" } else { "" };
        let boards = format!("sides are {least} to {MAX_SIDE}{even}{both}");
        Err(BadGame::Size { game, width, height, boards })
    }

    /// Itself, if its opening leaves room for the third stone.
    fn with_room(self) -> Result<Contest, BadGame> {
        let least = match self.opening {
            OpeningId::Pro => 6,
            OpeningId::LongPro => 8,
            _ => MIN_SIDE,
        };
        let Contest { width, height, opening, .. } = self;
        match width.max(height) >= least {
            true => Ok(self),
            false => Err(BadGame::Room { opening, width, height }),
        }
    }

    /// The same with another opening.
    ///
    /// # Errors
    /// The game does not know it.
    pub fn opened(self, opening: OpeningId) -> Result<Contest, BadGame> {
        let sheet = self.variant.sheet();
        match sheet.openings.contains(&opening) || opening == OpeningId::Free {
            true => Contest { opening, ..self }.with_room(),
            false => Err(BadGame::Opening { game: sheet.name, opening }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_every_variant() {
        let all = Variant::all();
        assert_eq!(all.len(), RuleId::ALL.len() + 8 + 6 + 6 + 1);
        for variant in all {
            assert_eq!(Variant::from_name(&variant.to_string()), Ok(variant));
            assert_eq!(variant.sheet().plain.sheet().name, variant.sheet().name);
        }
        for id in OpeningId::ALL {
            assert_eq!(OpeningId::from_name(id.name()), Some(id));
        }
        for name in [
            "soosyrv-8",
            "Soosyrv8",
            "soosorv8",
            "SOOSORV 8",
            "soos\u{f5}rv-8",
            "Soos\u{f5}rv-8",
            "SOOS\u{d5}RV-8",
            "soos\u{f5}rv8",
            "Sooso\u{303}rv-8",
            "SOOSO\u{303}RV_8",
            "soos\u{fffd}rv-8",
        ] {
            assert_eq!(OpeningId::from_name(name), Some(OpeningId::Soosorv8), "{name}");
        }
        for name in ["", "8", "soos\u{f5}rv", "castling"] {
            assert_eq!(OpeningId::from_name(name), None, "{name}");
        }
        assert_eq!(Variant::from_name("Keryo-Pente"), Variant::from_name("pente+keryo"));
        assert!(Variant::from_name("taraguchi-10").is_err());
        assert_eq!(Variant::from_name("Standard"), Ok(Variant::Five(RuleId::Standard)));
        let keryo = Variant::from_name("pente+capture-2-3").unwrap();
        assert_eq!(keryo.to_string(), "pente+keryo");
        for name in ["renju+overline", "Renju+Overline-Allowed"] {
            let renju = Variant::from_name(name).unwrap();
            assert_eq!(renju, Variant::Five(RuleId::RenjuOverline));
            assert_eq!(renju.to_string(), "renju+overline");
            assert_eq!(Contest::new(renju).opening, OpeningId::Centre);
        }
    }

    #[test]
    fn bad_names_say_what_is_wrong() {
        let error = |text| Variant::from_name(text).unwrap_err().to_string();
        assert!(error("chess").starts_with("there is no game \"chess\""));
        assert_eq!(error("renju+keryo"), "renju has no option \"keryo\"");
        assert!(error("connect6+collinear+noncollinear").contains("besides"));
        let renju = Contest::new(Variant::Five(RuleId::Renju));
        assert!(renju.opened(OpeningId::Swap3rd).is_err());
        assert!(renju.opened(OpeningId::Rif).is_ok() && renju.on(27, 15).is_err());
        assert!(Contest::new(Variant::Irensei).on(9, 9).is_err());
        let pro = Contest::new(Variant::Five(RuleId::Standard));
        assert!(pro.on(5, 5).is_err() && pro.on(6, 6).is_ok());
        assert!(pro.opened(OpeningId::LongPro).unwrap().on(7, 7).is_err());
        let torus = Contest::new(Variant::from_name("connect6+torus").unwrap());
        assert!(torus.on(5, 5).is_err() && torus.on(6, 6).is_ok());
    }
}

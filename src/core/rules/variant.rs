//! [`Variant`]: any game of the registry with its options.

use std::fmt;

use super::game::{Boards, GameRules, WinningLines};
use super::referee::Referee;
use super::sheet::{GameOption, GameSheet};
use super::verdict::Fouls;
use crate::types::Color;

/// Makes [`Variant`] from the lines of the registry.
macro_rules! variant {
    ($($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*) => {
        /// A game with its options, apart from the board and the opening.
        ///
        /// In serde formats it is its name, such as `pente+keryo`; any name that
        /// [`Variant::from_name`] knows is read.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $($(#[$doc])* $Game(super::games::$folder::$Options),)*
        }

        impl Variant {
            /// Every game without options, in the order of the registry.
            pub fn games() -> impl Iterator<Item = Variant> {
                let games = std::iter::empty();
                $(
                    let plain = super::games::$folder::$Options::PLAIN.iter().copied();
                    let games = games.chain(plain.map(Variant::$Game));
                )*
                games
            }

            /// The sheet of the game: its data for the rules and the interfaces.
            pub fn sheet(self) -> &'static GameSheet {
                match self { $(Variant::$Game(game) => game.sheet(),)* }
            }

            /// The game with one more option, or unchanged if the option is on; `None` if
            /// there is no such option or another one excludes it.
            pub fn with(self, option: &str) -> Option<Variant> {
                match self { $(Variant::$Game(game) => game.with(option).map(Variant::$Game),)* }
            }

            /// Number of stones in a turn after the first, which has one.
            pub fn turn(self) -> usize {
                match self { $(Variant::$Game(_) => super::games::$folder::$Options::TURN,)* }
            }

            /// The referee with an empty board.
            pub(super) fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
                match self { $(Variant::$Game(game) => game.referee(width, height),)* }
            }

            /// The boards that the game can be played on.
            pub fn boards(self) -> Boards {
                match self { $(Variant::$Game(game) => game.boards(),)* }
            }

            /// The default board: columns, rows.
            pub fn usual_board(self) -> (usize, usize) {
                match self { $(Variant::$Game(game) => game.usual_board(),)* }
            }

            /// The winning lines, if stones never move or leave the board; `None` in games
            /// with captures or moving stones, and if a full board can be a win.
            pub fn lasting_lines(self) -> Option<WinningLines> {
                match self { $(Variant::$Game(game) => game.lasting_lines(),)* }
            }

            /// The kinds of foul of a colour.
            pub fn fouls(self, color: Color) -> Fouls {
                match self { $(Variant::$Game(game) => game.fouls(color),)* }
            }

            /// Whether stones may leave the board.
            pub fn takes_stones(self) -> bool {
                match self { $(Variant::$Game(game) => game.takes_stones(),)* }
            }

            /// Whether pieces move on when they are placed, so that a column alone can
            /// be a move.
            pub fn falls(self) -> bool {
                match self { $(Variant::$Game(game) => game.falls(),)* }
            }

            /// Number of rings of points at the edge of the board that do not count in a line.
            pub fn idle_rings(self) -> usize {
                match self { $(Variant::$Game(game) => game.idle_rings(),)* }
            }
        }
    };
}

crate::for_each_game!(variant);

impl Variant {
    /// The game without options.
    pub fn plain(self) -> Variant {
        let name = self.sheet().name;
        Variant::games().find(|game| game.sheet().name == name).unwrap_or(self)
    }

    /// Every game with every combination of options.
    pub fn all() -> Vec<Variant> {
        let mut all = Vec::new();
        for game in Variant::games() {
            let mut of_game = vec![game];
            for option in game.sheet().options {
                let more = of_game.iter().filter_map(|game| game.with(option.name));
                let more: Vec<Variant> = more.collect();
                of_game.extend(more);
            }
            all.extend(of_game);
        }
        all
    }

    /// The options that are on, in the order of the sheet.
    pub fn options(self) -> impl Iterator<Item = &'static GameOption> {
        // An option is on if adding it changes nothing.
        self.sheet().options.iter().filter(move |option| self.with(option.name) == Some(self))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sheet().name)?;
        self.options().try_for_each(|option| write!(f, "+{}", option.name))
    }
}

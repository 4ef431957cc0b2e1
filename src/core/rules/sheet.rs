//! The sheet of a game: its names, boards, openings and texts, for people, files and the
//! registry.

use super::opening_id::OpeningId;

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

/// Names that sites, programs and people use for a game, written in small letters
/// and digits of any script, without anything else.
#[derive(Copy, Clone, Debug)]
pub struct Alias {
    /// The names.
    pub names: &'static [&'static str],
    /// The options they stand for, by name.
    pub options: &'static [&'static str],
    /// Columns and rows, where they stand for a board too.
    pub size: Option<(usize, usize)>,
    /// What should be told where one of them is read.
    pub hint: Option<&'static str>,
}

/// Plies after the opening in which nobody may pass, as Abstract Play has it.
pub(super) const USUAL_WAIT: usize = 2;

impl Alias {
    /// Names of the game without options.
    pub const fn plain(names: &'static [&'static str]) -> Alias {
        Alias { names, options: &[], size: None, hint: None }
    }

    /// Names of the game with some options.
    pub const fn with(names: &'static [&'static str], options: &'static [&'static str]) -> Alias {
        Alias { names, options, size: None, hint: None }
    }

    /// The same with something to be told.
    pub const fn hinted(self, hint: &'static str) -> Alias {
        Alias { hint: Some(hint), ..self }
    }
}

/// A position that `goren bench` searches.
#[derive(Copy, Clone, Debug)]
pub struct BenchPosition {
    /// The options of the game, each with a plus sign before it.
    pub options: &'static str,
    /// Columns and rows.
    pub board: (usize, usize),
    /// The plies played, with blanks between them.
    pub plies: &'static str,
}

/// The positions that `goren bench` searches. Their node counts are the signature
/// of the search in a game.
#[derive(Copy, Clone, Debug)]
pub struct Bench {
    /// Plies searched in each unless others are asked for.
    pub depth: u32,
    /// Plies searched by the test of the signature, which has to be fast.
    pub quick_depth: u32,
    /// Positions of the game and of its options.
    pub positions: &'static [BenchPosition],
}

/// Balanced openings by an opening rule on a board, found by search, one a line: the
/// plies up to the choice of colours that they are made for, with blanks between them.
/// What follows a `#` is the score for the side to move.
#[derive(Copy, Clone, Debug)]
pub struct BalancedOpenings {
    /// Columns and rows.
    pub board: (usize, usize),
    /// The opening.
    pub opening: OpeningId,
    /// The lines.
    pub text: &'static str,
}

impl BalancedOpenings {
    /// Three stones of swap-2 on a square board.
    pub const fn swap_2(side: usize, text: &'static str) -> BalancedOpenings {
        BalancedOpenings::of(OpeningId::Swap2, side, text)
    }

    /// First plies of an opening on a square board.
    pub const fn of(opening: OpeningId, side: usize, text: &'static str) -> BalancedOpenings {
        BalancedOpenings { board: (side, side), opening, text }
    }

    /// The openings, each as its plies with blanks between them.
    pub fn lines(self) -> impl Iterator<Item = &'static str> {
        let plies = |line: &'static str| line.split('#').next().unwrap_or_default().trim();
        self.text.lines().map(plies).filter(|plies| !plies.is_empty())
    }
}

/// The sheet of a game: names, boards, openings and texts.
#[derive(Copy, Clone, Debug)]
pub struct GameSheet {
    /// The name on the command line and in the protocol.
    pub name: &'static str,
    /// What it is, in a line.
    pub text: &'static str,
    /// The rules for who does not know them, without those that options change: a few
    /// sentences each about a side of the game.
    pub rules: &'static [&'static str],
    /// All options.
    pub options: &'static [GameOption],
    /// Usual boards, columns and rows, the default first.
    pub sizes: &'static [(usize, usize)],
    /// Openings, the default first.
    pub openings: &'static [OpeningId],
    /// Whether players may pass.
    pub passes: bool,
    /// Plies after the opening in which nobody may pass yet.
    pub plies_before_passes: usize,
    /// Other names of it.
    pub aliases: &'static [Alias],
    /// Names of openings that others play in it and we do not; a number may follow.
    pub unknown_openings: &'static [&'static str],
    /// Positions for measuring the search.
    pub bench: Bench,
    /// Balanced openings, where they were made.
    pub balanced: &'static [BalancedOpenings],
}

impl GameSheet {
    /// When players may pass, in words that follow "players"; `None` where they never may.
    pub fn passing(&self) -> Option<String> {
        let when = match self.plies_before_passes {
            0 => "at any point after the opening".to_owned(),
            1 => "once 1 ply has been played after the opening".to_owned(),
            wait => format!("once {wait} plies have been played after the opening"),
        };
        self.passes.then(|| format!("may pass {when}; two passes in a row end the game"))
    }
}

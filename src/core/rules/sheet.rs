//! The sheet of a game: its names, boards, openings and texts, for users, files and the
//! registry.

use super::opening_id::OpeningId;

/// An option of a game.
#[derive(Copy, Clone, Debug)]
pub struct GameOption {
    /// The name of the option.
    pub name: &'static str,
    /// The name that Abstract Play uses, or the same.
    pub alias: &'static str,
    /// What the option changes, in one line.
    pub text: &'static str,
}

/// Names that sites, programs and users have for a game, in lower-case letters and digits of any
/// script, without other characters.
#[derive(Copy, Clone, Debug)]
pub struct Alias {
    /// The names.
    pub names: &'static [&'static str],
    /// The options that the names imply, by name.
    pub options: &'static [&'static str],
    /// Columns and rows, if the names imply a board.
    pub size: Option<(usize, usize)>,
    /// A hint to show when one of the names is read.
    pub hint: Option<&'static str>,
}

/// Default number of plies after the opening in which nobody may pass, as on Abstract Play.
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

    /// The same names with a hint.
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
    /// The plies played, separated by blanks.
    pub plies: &'static str,
}

/// The positions that `goren bench` searches. Their node counts are the signature
/// of the search in a game.
#[derive(Copy, Clone, Debug)]
pub struct Bench {
    /// Default search depth in plies.
    pub depth: u32,
    /// Search depth in plies of the signature test, which has to be fast.
    pub quick_depth: u32,
    /// Positions of the game and of its options.
    pub positions: &'static [BenchPosition],
}

/// Balanced openings of an opening protocol on a board, found by search, one per line: the plies
/// up to the choice of colours that they are made for, separated by blanks. The score for the
/// side to move follows a `#`.
#[derive(Copy, Clone, Debug)]
pub struct BalancedOpenings {
    /// Columns and rows.
    pub board: (usize, usize),
    /// The opening.
    pub opening: OpeningId,
    /// The text, one opening per line.
    pub text: &'static str,
}

impl BalancedOpenings {
    /// Three-stone openings of swap-2 on a square board.
    pub const fn swap_2(side: usize, text: &'static str) -> BalancedOpenings {
        BalancedOpenings::of(OpeningId::Swap2, side, text)
    }

    /// Balanced openings of an opening protocol on a square board.
    pub const fn of(opening: OpeningId, side: usize, text: &'static str) -> BalancedOpenings {
        BalancedOpenings { board: (side, side), opening, text }
    }

    /// The openings, each as its plies separated by blanks.
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
    /// A description in one line.
    pub text: &'static str,
    /// The rules for beginners, without those that options change: a few sentences for each
    /// aspect of the game.
    pub rules: &'static [&'static str],
    /// All options.
    pub options: &'static [GameOption],
    /// Usual boards, columns and rows, the default first.
    pub sizes: &'static [(usize, usize)],
    /// Openings, the default first.
    pub openings: &'static [OpeningId],
    /// Whether players may pass.
    pub passes: bool,
    /// Number of plies after the opening in which nobody may pass yet.
    pub plies_before_passes: usize,
    /// Other names of the game.
    pub aliases: &'static [Alias],
    /// Names of openings of the game that Goren does not support; a number may follow.
    pub unknown_openings: &'static [&'static str],
    /// Positions for measuring the search.
    pub bench: Bench,
    /// Balanced openings, if there are any.
    pub balanced: &'static [BalancedOpenings],
}

impl GameSheet {
    /// When players may pass, as text after "players"; `None` if they never may.
    pub fn passing(&self) -> Option<String> {
        let when = match self.plies_before_passes {
            0 => "at any point after the opening".to_owned(),
            1 => "once 1 ply has been played after the opening".to_owned(),
            wait => format!("once {wait} plies have been played after the opening"),
        };
        self.passes.then(|| format!("may pass {when}; two passes in a row end the game"))
    }
}

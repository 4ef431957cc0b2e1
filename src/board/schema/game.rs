//! The parts of events that tell which games there are, which one is played, and how.

use serde::{Deserialize, Serialize};

use super::values::Player;

/// A game of the catalogue.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameInfo {
    /// Its name.
    pub name: String,
    /// What it is, in a line.
    pub text: String,
    /// Its rules, a few sentences each.
    pub rules: Vec<String>,
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// Usual boards, columns and rows, the default first.
    pub sizes: Vec<(usize, usize)>,
    /// All boards.
    pub boards: Boards,
    /// Its openings, the default first.
    pub openings: Vec<OpeningInfo>,
    /// Whether players may pass.
    pub passes: bool,
}

/// An option of a game.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// What it changes.
    pub text: String,
    /// The options that exclude it.
    pub excluded_by: Vec<String>,
    /// The usual board with it, columns and rows; absent where that is the game's own.
    pub size: Option<(usize, usize)>,
    /// All boards with it.
    pub boards: Boards,
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningInfo {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence without its end.
    pub text: String,
}

/// The boards a game can be played on.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Boards {
    /// The shortest side.
    pub least: usize,
    /// The longest side.
    pub most: usize,
    /// Whether both sides are alike.
    pub square: bool,
    /// Whether sides are even.
    pub even: bool,
}

/// A level of strength that has a name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelInfo {
    /// Its name.
    pub name: String,
    /// What to expect of it, in a sentence.
    pub text: String,
}

/// What there is to choose from.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Catalogue {
    /// The version of the program.
    pub version: String,
    /// All games.
    pub games: Vec<GameInfo>,
    /// The levels of strength that have names, the weakest first.
    pub levels: Vec<LevelInfo>,
    /// Most search threads.
    pub threads: usize,
    /// Most lines of an analysis.
    pub lines: usize,
    /// Whether there is a folder for files.
    pub folder: bool,
    /// Whether winning trees can be walked through.
    pub trees: bool,
    /// Most bytes of a command.
    pub bytes: usize,
}

/// How the engine plays.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Setting {
    /// Who acts for the first and the second seat.
    pub players: [Player; 2],
    /// Its level for each of them.
    pub levels: [String; 2],
    /// Milliseconds for a ply, in a game without a clock.
    pub time_ms: u64,
    /// Search threads.
    pub threads: usize,
    /// Lines of the analysis; 0 if it is off.
    pub lines: usize,
}

/// The game that is played.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Game {
    /// Its name with options.
    pub variant: String,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The opening.
    pub opening: String,
    /// Whether the first to pass wins what would be a draw.
    pub tie_break: bool,
    /// Whether of mirrored and turned renju openings only one is allowed.
    pub strict: bool,
    /// Whether lines run across the edges.
    pub torus: bool,
    /// Whether pieces fall.
    pub falls: bool,
    /// Whether a colour has forbidden points.
    pub fouls: bool,
    /// Whether wins by fours and by threats are searched for.
    pub threats: bool,
    /// Outermost rings of the board on which stones count for nothing.
    pub idle_rings: usize,
    /// Stones to capture for a win, where stones are counted.
    pub goal: Option<usize>,
    /// The rules in sentences.
    pub rules: Vec<String>,
    /// Who plays it, by the seats, as its file says; absent where that is not known.
    pub names: [Option<String>; 2],
    /// What its file says that it is, such as the event and the date; absent for nothing.
    pub title: Option<String>,
}

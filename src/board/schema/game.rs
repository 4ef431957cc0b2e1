//! The parts of events that carry the catalogue, the game and the settings of the engine.

use serde::{Deserialize, Serialize};

use super::values::Player;

/// A game of the catalogue.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameInfo {
    /// Its name.
    pub name: String,
    /// Its description, a line.
    pub text: String,
    /// Its rules, a few sentences each.
    pub rules: Vec<String>,
    /// Its options.
    pub options: Vec<OptionInfo>,
    /// Usual boards, columns and rows, the default first.
    pub sizes: Vec<(usize, usize)>,
    /// All possible boards.
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
    /// The default board with it, columns and rows; absent for the default of the game.
    pub size: Option<(usize, usize)>,
    /// All possible boards with it.
    pub boards: Boards,
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningInfo {
    /// Its name.
    pub name: String,
    /// Its description, a sentence without a full stop.
    pub text: String,
}

/// The boards a game can be played on.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Boards {
    /// Minimum side length.
    pub least: usize,
    /// Maximum side length.
    pub most: usize,
    /// Whether both sides must be equal.
    pub square: bool,
    /// Whether sides must be even.
    pub even: bool,
}

/// A named playing level.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelInfo {
    /// Its name.
    pub name: String,
    /// Its description, a sentence.
    pub text: String,
}

/// The games, levels and limits to choose from.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Catalogue {
    /// The version of the program.
    pub version: String,
    /// All games.
    pub games: Vec<GameInfo>,
    /// The named playing levels, the weakest first.
    pub levels: Vec<LevelInfo>,
    /// Maximum number of search threads.
    pub threads: usize,
    /// Maximum number of lines of an analysis.
    pub lines: usize,
    /// Whether there is a folder for files.
    pub folder: bool,
    /// Whether winning trees can be walked through.
    pub trees: bool,
    /// Maximum size of a command in bytes.
    pub bytes: usize,
}

/// Who plays, and the settings of the engine.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Setting {
    /// Who acts for the first and the second seat.
    pub players: [Player; 2],
    /// The engine's level for each seat.
    pub levels: [String; 2],
    /// Milliseconds for a ply, in a game without a clock.
    pub time_ms: u64,
    /// Search threads.
    pub threads: usize,
    /// Lines of the analysis; 0 if it is off.
    pub lines: usize,
}

/// The game being played.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Game {
    /// Name with options.
    pub variant: String,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The opening.
    pub opening: String,
    /// Whether the first to pass wins what would be a draw.
    pub tie_break: bool,
    /// Whether only one of the mirrored and rotated forms of a renju opening is allowed.
    pub strict: bool,
    /// Whether lines run across the edges.
    pub torus: bool,
    /// Whether pieces fall.
    pub falls: bool,
    /// Whether a colour has forbidden points.
    pub fouls: bool,
    /// Whether the engine can search for wins by fours and by threats.
    pub threats: bool,
    /// Outermost rings of the board on which stones do not count for lines.
    pub idle_rings: usize,
    /// Number of stones to capture for a win; absent if captures do not win.
    pub goal: Option<usize>,
    /// The rules in sentences.
    pub rules: Vec<String>,
    /// The players' names in the file of the game, by seat; absent if unknown.
    pub names: [Option<String>; 2],
    /// The title in the file of the game, such as the event and the date; absent for none.
    pub title: Option<String>,
}

//! Imported games, as given by files.

use super::hints::Columns;
use super::note::{Note, Place};
use crate::record::diagram::Diagram;
use crate::rules::{OpeningId, Outcome, Variant};
use crate::types::{Cell, Color};

/// One event of an imported game.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ImportedEvent {
    /// A stone; its colour if the file gives it.
    Stone(Cell, Option<Color>),
    /// A piece dropped into a column, from 0, in games where pieces fall.
    Drop(usize),
    /// A pass.
    Pass(Option<Color>),
    /// The players exchange colours.
    Swap,
}

/// Statistics of an event in a file: time, evaluation, depth and nodes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveStats {
    /// Time in milliseconds.
    pub ms: u64,
    /// Evaluation in the notation of the engine (`35`, `+M13`); empty if unknown.
    pub eval: String,
    /// Reported depth, 0 if unknown.
    pub depth: u32,
    /// Reported number of nodes, 0 if unknown.
    pub nodes: u64,
}

/// A game as given by a file. Each stone of a turn of Connect6 is a separate event.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ImportedGame {
    /// The game and its options, if the file names a known one.
    pub variant: Option<Variant>,
    /// The opening, if the file names a known one.
    pub opening: Option<OpeningId>,
    /// Columns and rows, if the file or its format gives them.
    pub size: Option<(usize, usize)>,
    /// Names of Black and White at the end; empty if unknown.
    pub players: [String; 2],
    /// One line that distinguishes the game from the others of its file, such as event, date and
    /// round; may be empty.
    pub title: String,
    /// Events in order.
    pub events: Vec<ImportedEvent>,
    /// Places of the events, by index; empty if the format has no better place than the number of
    /// the move.
    pub places: Vec<Place>,
    /// Column lettering of the file, if it uses letters.
    pub columns: Option<Columns>,
    /// Statistics of the events, by index. Ends with the last event that has any; mostly empty.
    pub move_stats: Vec<MoveStats>,
    /// Number of events in the opening, before the players took over.
    pub prelude: usize,
    /// The plies in the notation of `opening::text`, if the file has them: with the opening and
    /// all swaps, offers and declared numbers. If present, they define the game, and the events
    /// are their stones and passes.
    pub plies: Vec<String>,
    /// Whether the first player to pass wins what would be a draw.
    pub tie_break: bool,
    /// Whether only one of several mirrored or rotated renju openings is allowed.
    pub strict: bool,
    /// A position without its moves, instead of events.
    pub board: Option<Diagram>,
    /// Result; `None` if unknown or broken off.
    pub result: Option<Outcome>,
    /// How the game ended, such as `resign`; empty if unknown.
    pub reason: String,
    /// Notes on what was skipped, guessed or not understood.
    pub notes: Vec<Note>,
}

/// Why a game of a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct UnreadableGame {
    /// Place of the fault.
    pub place: Place,
    /// What is wrong.
    pub reason: String,
}

/// The games of a file, in order. A game that cannot be used does not hide the others.
pub type Imported = Vec<Result<ImportedGame, UnreadableGame>>;

//! Games as files tell them.

use super::hints::Columns;
use super::note::{Note, Place};
use crate::record::diagram::Diagram;
use crate::rules::{OpeningId, Outcome, Variant};
use crate::types::{Cell, Color};

/// One event of an imported game.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ImportedEvent {
    /// A stone; its colour where the file names it.
    Stone(Cell, Option<Color>),
    /// A piece dropped into a column, from 0, where pieces fall.
    Drop(usize),
    /// A pass.
    Pass(Option<Color>),
    /// The players exchange colours.
    Swap,
}

/// Statistics of an event in a file: time, evaluation, depth and nodes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveStats {
    /// Milliseconds it took.
    pub ms: u64,
    /// What the mover thought of the position, in the words of its engine (`35`,
    /// `+M13`); empty if nothing is known.
    pub eval: String,
    /// Depth that was reported, 0 if unknown.
    pub depth: u32,
    /// Nodes that were reported, 0 if unknown.
    pub nodes: u64,
}

/// A game as a file tells it. Stones of one turn of Connect6 are events of
/// their own.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ImportedGame {
    /// The game and its options, if the file names one that is known.
    pub variant: Option<Variant>,
    /// The opening it was played with, if the file names one that is known.
    pub opening: Option<OpeningId>,
    /// Columns and rows, if the file or its form says so.
    pub size: Option<(usize, usize)>,
    /// Names of Black and White at the end; empty if unknown.
    pub players: [String; 2],
    /// What tells the game from the others of its file, such as event, date
    /// and round, in a line; may be empty.
    pub title: String,
    /// What happened, in order.
    pub events: Vec<ImportedEvent>,
    /// Where the events stand, by their numbers; empty if a form has no better
    /// place than the number of the move.
    pub places: Vec<Place>,
    /// How the file letters columns, if it does.
    pub columns: Option<Columns>,
    /// What is known of the events beyond that, by their numbers. Shorter where
    /// nothing is known of the later ones, and mostly empty.
    pub move_stats: Vec<MoveStats>,
    /// How many events are the opening, made before the players took over.
    pub prelude: usize,
    /// The plies in the notation of `opening::text`, where the file has them:
    /// with the opening and all swaps, offers and declared numbers. Then they
    /// are what is played, and the events are their stones and passes.
    pub plies: Vec<String>,
    /// Whether the first to pass wins what would be a draw.
    pub tie_break: bool,
    /// Whether of mirrored and turned renju openings only one is allowed.
    pub strict: bool,
    /// A position without its moves, instead of events.
    pub board: Option<Diagram>,
    /// The result; `None` if unknown or broken off.
    pub result: Option<Outcome>,
    /// How it ended, such as `resign`; empty if unknown.
    pub reason: String,
    /// What was skipped, guessed or not understood.
    pub notes: Vec<Note>,
}

/// The reason why a game of a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct UnreadableGame {
    /// Where the trouble is.
    pub place: Place,
    /// What is wrong.
    pub reason: String,
}

/// The games of a file, in order. A game that cannot be used does not hide the
/// others.
pub type Imported = Vec<Result<ImportedGame, UnreadableGame>>;

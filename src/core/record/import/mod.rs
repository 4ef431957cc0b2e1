//! What readers of other programs' files hand on: games as the file tells
//! them, and notes on what could not be used.
//!
//! A reader knows the form of its file and no rules: it tells moves in order
//! with the colours that the file names, leaves fields `None` where the file is
//! silent, and adds a [`Note`] for whatever it skipped or guessed. Whether the
//! moves are legal is for whoever plays them.

pub mod list;
pub(in crate::record) mod notes;
pub mod pente_org;
pub mod pgn;
pub(in crate::record) mod points;
pub mod pos;
pub mod rif;
pub mod sav;
mod tagged;

use std::fmt;

use super::diagram::Diagram;
use super::text::CodePage;
use crate::rules::{Contest, OpeningId, Outcome, RuleId, Variant};
use crate::types::{Cell, Color, MAX_SIDE, MIN_SIDE};

/// How columns are lettered.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Columns {
    /// A to Z, as on renju boards.
    WithI,
    /// The letter I is left out, as on Go boards.
    WithoutI,
}

/// What the user says about a file. A reader believes it before the file.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Hints {
    /// The game and its options.
    pub variant: Option<Variant>,
    /// Columns and rows of the board.
    pub size: Option<(usize, usize)>,
    /// How columns are lettered.
    pub columns: Option<Columns>,
    /// Whether rows with numbers count from the top.
    pub from_top: Option<bool>,
    /// How the text is encoded.
    pub code_page: Option<CodePage>,
    /// What the first column and row of points in numbers is: 0 or 1.
    pub origin: Option<usize>,
    /// Whether each line of a list of moves is a game.
    pub per_line: Option<bool>,
}

/// What a user can say that settles a doubt.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Which game it is.
    Game,
    /// How large the board is.
    Size,
    /// How the text is encoded.
    Encoding,
    /// How columns are lettered.
    Columns,
    /// From which side rows count.
    Rows,
    /// Whether columns and rows in numbers begin with 0 or 1.
    Origin,
    /// Whether the lines of a list are games.
    Lines,
}

/// Where in a file something stands.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte, from 0.
    Byte(usize),
    /// A line, from 1.
    Line(usize),
    /// A move of the game, from 1.
    Move(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => f.write_str("file"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Move(number) => write!(f, "move {number}"),
        }
    }
}

/// How much a note matters.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// The stones and the rule are right all the same: a comment or a mark that
    /// is not used, a form that was recognised.
    Remark,
    /// The stones or the rule may be wrong because of it. Commands refuse such
    /// a game unless they are told to go on.
    Doubt,
}

/// Something that a reader skipped, guessed or could not use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where it stands.
    pub place: Place,
    /// How much it matters.
    pub weight: Weight,
    /// What it is, in a sentence without a full stop.
    pub text: String,
    /// What the user can say about it. A doubt that has been answered is one no
    /// longer.
    pub question: Option<Question>,
}

impl Note {
    /// A note that leaves stones and rule beyond doubt.
    pub fn remark(place: Place, text: impl Into<String>) -> Note {
        Note { place, weight: Weight::Remark, text: text.into(), question: None }
    }

    /// A note because of which stones or rule may be wrong.
    pub fn doubt(place: Place, text: impl Into<String>) -> Note {
        Note { place, weight: Weight::Doubt, text: text.into(), question: None }
    }

    /// The same, for the user to answer.
    pub fn asking(self, question: Question) -> Note {
        Note { question: Some(question), ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

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

/// What a file says of an event besides what happened.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Thought {
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
    /// What is known of the events beyond that, by their numbers. Shorter where
    /// nothing is known of the later ones, and mostly empty.
    pub thoughts: Vec<Thought>,
    /// How many events are the opening, made before the players took over.
    pub prelude: usize,
    /// The plies in the notation of `opening::text`, where the file has them:
    /// with the opening and all swaps, offers and declared numbers. Then they
    /// are what is played, and the events are their stones and passes.
    pub plies: Vec<String>,
    /// Whether the first to pass wins what would be a draw.
    pub tie_break: bool,
    /// A position without its moves, instead of events.
    pub board: Option<Diagram>,
    /// The result; `None` if unknown or broken off.
    pub result: Option<Outcome>,
    /// How it ended, such as `resign`; empty if unknown.
    pub reason: String,
    /// What was skipped, guessed or not understood.
    pub notes: Vec<Note>,
}

/// The board of a game where a file does not say it: the usual one, or 15x15
/// where the game is not known either.
pub fn usual_size(variant: Option<Variant>) -> (usize, usize) {
    let contest = Contest::new(variant.unwrap_or(Variant::Five(RuleId::Freestyle)));
    (contest.width, contest.height)
}

/// Why one game of a file cannot be used.
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

/// Columns and rows of a text such as `15` or `20x15`, if there is such a board.
fn board_size(text: &str) -> Option<(usize, usize)> {
    let (width, height) = text.split_once(['x', 'X', '*']).unwrap_or((text, text));
    let size = (width.trim().parse().ok()?, height.trim().parse().ok()?);
    let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
    Some(size).filter(|&(width, height)| is_side(width) && is_side(height))
}

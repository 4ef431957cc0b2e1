//! The messages from the board to the page.

use goren_core::types::{Cell, Color};
use serde::{Deserialize, Serialize};

use super::clock::ClockView;
use super::database::Database;
use super::game::{Catalogue, Game, Setting};
use super::lesson::{Exercise, PuzzleInfo, ReviewView};
use super::line::Line;
use super::values::{Mark, Query};
use super::walk::{TreeInfo, Walk};

/// A stone or a wall on the board.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stone {
    /// Where.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// Whose; absent for a wall.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<Color>,
    /// Number of the stone in the game, from 1; absent for a wall, for a stone of a set-up
    /// position and for one of an unfinished ply.
    pub number: Option<usize>,
}

/// A way to go on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Way {
    /// What is done, in words.
    pub text: String,
    /// The colours of its stones, in order.
    #[cfg_attr(test, ts(type = "Color[]"))]
    pub colors: Vec<Color>,
    /// Least and largest number to declare with them.
    pub declare: Option<(usize, usize)>,
}

/// What the seat to act has to decide.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decision {
    /// The seat, 0 or 1.
    pub seat: usize,
    /// The colour whose stone or answer is due.
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: Color,
    /// Whether it may swap.
    pub swap: bool,
    /// Whether it may pass.
    pub pass: bool,
    /// The ways to go on with stones.
    pub ways: Vec<Way>,
    /// The one that was chosen.
    pub way: usize,
    /// The colour of the next stone of this way; absent when all are placed.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub next: Option<Color>,
    /// Stones of this way that are still to come.
    pub left: usize,
    /// What the opening asks, in a sentence; absent in plain moves.
    pub stage: Option<String>,
}

/// A forbidden point.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Foul {
    /// Where.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// What a stone there would be.
    pub kinds: Vec<String>,
}

/// What a stone would make, by all four lines of its point.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ThreatKind {
    /// A five.
    Five,
    /// An open four, or several fours.
    OpenFour,
    /// A four and an open three.
    FourThree,
    /// A four.
    Four,
    /// Several open threes.
    DoubleThree,
    /// An open three.
    OpenThree,
}

/// A point where a stone of a side would make a threat.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Threat {
    /// Where.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// Whose.
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: Color,
    /// Which.
    pub kind: ThreatKind,
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Outcome {
    /// Who won; absent for a draw.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub winner: Option<Color>,
    /// That in a sentence, with the reason.
    pub text: String,
    /// The winning lines.
    #[cfg_attr(test, ts(type = "Cell[][]"))]
    pub lines: Vec<Vec<Cell>>,
}

/// A position as it is shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Position {
    /// Its node in the tree.
    pub node: usize,
    /// The stones on the board.
    pub stones: Vec<Stone>,
    /// Stones of a turn that is not over.
    pub placed: Vec<Stone>,
    /// The stones of the newest ply.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub last: Vec<Cell>,
    /// The colour to move.
    #[cfg_attr(test, ts(type = "Color"))]
    pub to_move: Color,
    /// The seat that has Black, 0 or 1.
    pub black: usize,
    /// What is to be decided; absent when the game is over.
    pub decision: Option<Decision>,
    /// Where the next stone may go.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub legal: Vec<Cell>,
    /// Points where the side to move would lose by a foul.
    pub forbidden: Vec<Foul>,
    /// Points where a stone of either side would make a threat, fouls left out. None where
    /// the game is over, or is not five in a row.
    pub threats: Vec<Threat>,
    /// The fifths on offer.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub offers: Vec<Cell>,
    /// Stones that Black and White have captured.
    pub captured: [usize; 2],
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

/// A position of the line shown, as a part of a moving picture.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// The stones on the board.
    pub stones: Vec<Stone>,
    /// The stones of the newest ply.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub last: Vec<Cell>,
}

/// A score that was recorded with a ply: by the engine that played it, or in its file.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecordedScore {
    /// The score for the side that played, such as `+35` or `+M5`.
    pub text: String,
    /// The share of games that Black should win after the ply, 0 to 1.
    pub black: f64,
    /// Plies of the search; 0 if that is not known.
    pub depth: u32,
    /// Milliseconds that the ply took; 0 if that is not known.
    pub time_ms: u64,
}

/// A node of the tree: a position and the ply that led to it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Node {
    /// Its number; 0 is the beginning.
    pub id: usize,
    /// The node before; absent for the beginning.
    pub parent: Option<usize>,
    /// The ply in words; empty for the beginning.
    pub text: String,
    /// The colour that moved.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<Color>,
    /// A comment; may be empty.
    pub comment: String,
    /// Marked points.
    #[cfg_attr(test, ts(type = "[Cell, Mark][]"))]
    pub marks: Vec<(Cell, Mark)>,
    /// Texts on points.
    #[cfg_attr(test, ts(type = "[Cell, string][]"))]
    pub labels: Vec<(Cell, String)>,
    /// The score that was recorded with the ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub score: Option<RecordedScore>,
    /// The nodes after it, the first line first.
    pub children: Vec<usize>,
}

/// The tree of variations.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeView {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// The nodes from the beginning to the end of the line shown.
    pub line: Vec<usize>,
    /// Whether it was just told for the page to keep ([`Event::Kept`]): of a large tree
    /// the page asks for that once in a while.
    pub kept: bool,
}

/// What a search has found.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lines {
    /// The node whose position it is of.
    pub node: usize,
    /// What was searched for; absent in the running analysis.
    pub query: Option<Query>,
    /// The lines, the best first.
    pub lines: Vec<Line>,
    /// Plies of the iteration.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// How long it took so far.
    pub elapsed_ms: u64,
    /// Whether the search is over.
    pub done: bool,
}

/// A game of a file in short.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileGame {
    /// Black and White at the end; empty if unknown.
    pub players: [String; 2],
    /// What tells it from the others of its file; may be empty.
    pub title: String,
    /// Who won; absent for a draw, and where that is not known.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub winner: Option<Color>,
    /// Whether it was drawn.
    pub drawn: bool,
    /// Its stones.
    pub stones: usize,
    /// Why it cannot be read; absent where it can.
    pub fault: Option<String>,
}

/// A message to the page.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// What there is to choose from.
    Catalogue(Catalogue),
    /// Another game.
    Game(Game),
    /// How the engine plays.
    Setting(Setting),
    /// How the clock stands.
    Clock(ClockView),
    /// Another position, or more of its turn.
    Position(Box<Position>),
    /// The tree has changed.
    Tree(TreeView),
    /// The tree is as it was told last, and another line of it is shown.
    Line {
        /// The nodes from the beginning to the end of that line.
        line: Vec<usize>,
    },
    /// What is searched.
    Searching {
        /// Whether the engine decides on a ply that it will play.
        acts: bool,
        /// Whether anything is searched.
        on: bool,
    },
    /// What a search has found.
    Lines(Lines),
    /// The engine advises a ply.
    Hint {
        /// In a sentence.
        text: String,
        /// Its stones.
        #[cfg_attr(test, ts(type = "Cell[]"))]
        cells: Vec<Cell>,
    },
    /// The defences of the position shown that a search has found.
    Defences {
        /// Its node.
        node: usize,
        /// The moves that are not proven to lose, where others are.
        #[cfg_attr(test, ts(type = "Cell[]"))]
        cells: Vec<Cell>,
    },
    /// A message for the user.
    Message {
        /// In a sentence.
        text: String,
    },
    /// Why a stone is a foul, or is none.
    Explanation {
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The verdict.
        verdict: String,
        /// The reasons, two blanks a level.
        lines: Vec<String>,
    },
    /// A file as it was asked for.
    File {
        /// A name for it.
        name: String,
        /// The type of its text.
        mime: String,
        /// The text; of `application/octet-stream` the bytes, a character each.
        text: String,
    },
    /// The tree, for the page to keep.
    Kept {
        /// As [`Form::Tree`](super::Form::Tree) has it.
        text: String,
    },
    /// A tree that was given up for another one, or for less of it: the page keeps the last
    /// few of these too.
    Replaced {
        /// As [`Form::Tree`](super::Form::Tree) has it.
        text: String,
        /// The name of the game, with options.
        game: String,
        /// Its positions after the first.
        positions: usize,
        /// Whether the game goes on, with less of it: a branch or a review is gone.
        part: bool,
    },
    /// The tree of an exercise or a walk, into which something was written: the page keeps
    /// the latest one, as it may be closed before the exercise or the walk ends.
    Noted {
        /// As [`Form::Tree`](super::Form::Tree) has it.
        text: String,
        /// The name of the game, with options.
        game: String,
        /// Its positions after the first.
        positions: usize,
    },
    /// The line shown, as a part of an address.
    Link {
        /// What stands behind the `#`.
        text: String,
    },
    /// The positions of the line shown.
    Frames {
        /// From the beginning on.
        frames: Vec<Frame>,
    },
    /// The names in the folder.
    Files {
        /// In order.
        names: Vec<String>,
    },
    /// A file holds several games: the page chooses one by its number.
    Games {
        /// The name of the file.
        name: String,
        /// Its games, from the first on.
        games: Vec<FileGame>,
        /// Whether there are more of them.
        more: bool,
    },
    /// What is known of the game by its review.
    Review(ReviewView),
    /// A line was put into the tree, to be shown move by move.
    Shown {
        /// Its nodes.
        nodes: Vec<usize>,
    },
    /// Puzzles.
    Puzzles {
        /// Whether they belong to the program; else they were made of what was missed.
        shipped: bool,
        /// The puzzles; those that are made come as they are found.
        puzzles: Vec<PuzzleInfo>,
        /// Misses that are still to be looked at.
        left: usize,
    },
    /// The winning trees that can be walked through.
    Trees {
        /// In order of their names.
        trees: Vec<TreeInfo>,
    },
    /// The databases of the folder.
    Databases {
        /// Their names, in order.
        names: Vec<String>,
    },
    /// The open database and what it knows of the position shown.
    Database(Box<Database>),
    /// How the walk at hand stands.
    Walk(Box<Walk>),
    /// How the exercise at hand stands.
    Exercise(Exercise),
    /// A command could not be obeyed. Everything is as it was.
    Refused {
        /// Why, in a sentence.
        text: String,
    },
}

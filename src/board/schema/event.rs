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
    /// The point.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// Its colour; absent for a wall.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<Color>,
    /// Number of the stone in the game, from 1; absent for a wall, and for stones of a set-up
    /// position or of an unfinished ply.
    pub number: Option<usize>,
}

/// A choice of a pending decision that places stones.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Way {
    /// Its description.
    pub text: String,
    /// The colours of its stones, in order.
    #[cfg_attr(test, ts(type = "Color[]"))]
    pub colors: Vec<Color>,
    /// Least and largest number to declare with them.
    pub declare: Option<(usize, usize)>,
}

/// The pending decision of the seat to act.
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
    /// The choices that place stones.
    pub ways: Vec<Way>,
    /// Index of the selected choice.
    pub way: usize,
    /// The colour of its next stone; absent when all are placed.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub next: Option<Color>,
    /// Number of its stones still to place.
    pub left: usize,
    /// The question of the opening, as a sentence; absent for plain moves.
    pub stage: Option<String>,
}

/// A forbidden point.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Foul {
    /// The point.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// The fouls that a stone there would make.
    pub kinds: Vec<String>,
}

/// The threat that a stone would make, on all four lines of its point together.
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
    /// The point.
    #[cfg_attr(test, ts(type = "Cell"))]
    pub cell: Cell,
    /// The side.
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: Color,
    /// The threat.
    pub kind: ThreatKind,
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Outcome {
    /// The winner; absent for a draw.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub winner: Option<Color>,
    /// The result and its reason, as a sentence.
    pub text: String,
    /// The winning lines.
    #[cfg_attr(test, ts(type = "Cell[][]"))]
    pub lines: Vec<Vec<Cell>>,
}

/// The position shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Position {
    /// Its node in the tree.
    pub node: usize,
    /// The stones on the board.
    pub stones: Vec<Stone>,
    /// The stones of an unfinished turn.
    pub placed: Vec<Stone>,
    /// The stones of the last ply.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub last: Vec<Cell>,
    /// The colour to move.
    #[cfg_attr(test, ts(type = "Color"))]
    pub to_move: Color,
    /// The seat that plays Black, 0 or 1.
    pub black: usize,
    /// The pending decision; absent when the game is over.
    pub decision: Option<Decision>,
    /// The legal points of the next stone.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub legal: Vec<Cell>,
    /// Points where the side to move would lose by a foul.
    pub forbidden: Vec<Foul>,
    /// Points where a stone of either side would make a threat, without fouls. Empty if the
    /// game is over or is not five in a row.
    pub threats: Vec<Threat>,
    /// The fifths on offer.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub offers: Vec<Cell>,
    /// Numbers of stones that Black and White have captured.
    pub captured: [usize; 2],
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

/// A position of the line shown, as a frame of an animation.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// The stones on the board.
    pub stones: Vec<Stone>,
    /// The stones of the last ply.
    #[cfg_attr(test, ts(type = "Cell[]"))]
    pub last: Vec<Cell>,
}

/// The score recorded with a ply: by the engine that played it, or in the file of the game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecordedScore {
    /// The score for the side that played, such as `+35` or `+M5`.
    pub text: String,
    /// Black's win rate after the ply, 0 to 1.
    pub black: f64,
    /// Search depth; 0 if unknown.
    pub depth: u32,
    /// Milliseconds that the ply took; 0 if unknown.
    pub time_ms: u64,
}

/// A node of the tree: a position and the ply that led to it.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Node {
    /// Its number; 0 is the root.
    pub id: usize,
    /// The node before; absent for the root.
    pub parent: Option<usize>,
    /// The ply in words; empty for the root.
    pub text: String,
    /// The colour that moved.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub color: Option<Color>,
    /// A comment; may be empty.
    pub comment: String,
    /// Marked points.
    #[cfg_attr(test, ts(type = "[Cell, Mark][]"))]
    pub marks: Vec<(Cell, Mark)>,
    /// Labels on points.
    #[cfg_attr(test, ts(type = "[Cell, string][]"))]
    pub labels: Vec<(Cell, String)>,
    /// The score recorded with the ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub score: Option<RecordedScore>,
    /// The nodes after it, the main line first.
    pub children: Vec<usize>,
}

/// The tree of variations.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TreeView {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// The nodes from the root to the end of the line shown.
    pub line: Vec<usize>,
    /// Whether an [`Event::Kept`] with this tree was just sent. For a large tree the page
    /// requests it only now and then.
    pub kept: bool,
}

/// The lines that a search has found.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lines {
    /// The node of the searched position.
    pub node: usize,
    /// The query that is answered; absent in the running analysis.
    pub query: Option<Query>,
    /// The lines, the best first.
    pub lines: Vec<Line>,
    /// Depth of the iteration.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds since the start of the search.
    pub elapsed_ms: u64,
    /// Whether the search is over.
    pub done: bool,
}

/// Summary of a game of a file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileGame {
    /// The players of Black and White at the end; empty if unknown.
    pub players: [String; 2],
    /// Text that distinguishes it from the other games of its file; may be empty.
    pub title: String,
    /// The winner; absent for a draw, and if unknown.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub winner: Option<Color>,
    /// Whether it was drawn.
    pub drawn: bool,
    /// Number of stones.
    pub stones: usize,
    /// Why it cannot be read; absent if it can.
    pub fault: Option<String>,
}

/// A message to the page.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The games, levels and limits to choose from.
    Catalogue(Catalogue),
    /// Another game is shown.
    Game(Game),
    /// Who plays, and the settings of the engine.
    Setting(Setting),
    /// The state of the clock.
    Clock(ClockView),
    /// Another position is shown, or more stones of its turn.
    Position(Box<Position>),
    /// The tree has changed.
    Tree(TreeView),
    /// Another line of the unchanged tree is shown.
    Line {
        /// The nodes from the root to the end of that line.
        line: Vec<usize>,
    },
    /// The state of the search.
    Searching {
        /// Whether the engine decides on a ply that it will play.
        acts: bool,
        /// Whether a search is running.
        on: bool,
    },
    /// The lines that a search has found.
    Lines(Lines),
    /// The engine advises a ply.
    Hint {
        /// The advice as a sentence.
        text: String,
        /// The stones of the ply.
        #[cfg_attr(test, ts(type = "Cell[]"))]
        cells: Vec<Cell>,
    },
    /// The defences in the position shown that a search has found.
    Defences {
        /// Its node.
        node: usize,
        /// The moves that are not proven to lose, if others are.
        #[cfg_attr(test, ts(type = "Cell[]"))]
        cells: Vec<Cell>,
    },
    /// A message for the user.
    Message {
        /// The message, a sentence.
        text: String,
    },
    /// Why a stone is a foul, or why not.
    Explanation {
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The verdict.
        verdict: String,
        /// The reasons, two blanks a level.
        lines: Vec<String>,
    },
    /// The requested file.
    File {
        /// Suggested name.
        name: String,
        /// MIME type.
        mime: String,
        /// The text; for `application/octet-stream` the bytes, a character each.
        text: String,
    },
    /// The tree, for the page to store.
    Kept {
        /// The tree as [`Form::Tree`](super::Form::Tree).
        text: String,
    },
    /// A tree that was replaced by another, or that lost a part: the page stores the last few
    /// of these too.
    Replaced {
        /// The tree as [`Form::Tree`](super::Form::Tree).
        text: String,
        /// The name of the game, with options.
        game: String,
        /// Number of positions after the root.
        positions: usize,
        /// Whether the game continues without a part: a branch or a review was removed.
        part: bool,
    },
    /// The tree of an exercise or a walk to which the user added notes: the page stores the
    /// latest one, as it may be closed before the exercise or the walk ends.
    Noted {
        /// The tree as [`Form::Tree`](super::Form::Tree).
        text: String,
        /// The name of the game, with options.
        game: String,
        /// Number of positions after the root.
        positions: usize,
    },
    /// The line shown, as the fragment of a URL.
    Link {
        /// The fragment after the `#`.
        text: String,
    },
    /// The positions of the line shown.
    Frames {
        /// The positions, from the root on.
        frames: Vec<Frame>,
    },
    /// The files of the folder.
    Files {
        /// Their names, in order.
        names: Vec<String>,
    },
    /// A file has several games: the page chooses one by its number.
    Games {
        /// The name of the file.
        name: String,
        /// Its games, from the first on.
        games: Vec<FileGame>,
        /// Whether the file has more games than these.
        more: bool,
    },
    /// The review of the game.
    Review(ReviewView),
    /// A line was added to the tree, for the page to show move by move.
    Shown {
        /// Its nodes.
        nodes: Vec<usize>,
    },
    /// Puzzles.
    Puzzles {
        /// Whether the program ships them; else they were made from misses of the review.
        shipped: bool,
        /// The puzzles; made ones are sent as they are found.
        puzzles: Vec<PuzzleInfo>,
        /// Number of misses still to check.
        left: usize,
    },
    /// The winning trees that can be walked through.
    Trees {
        /// The trees, in order of their names.
        trees: Vec<TreeInfo>,
    },
    /// The databases of the folder.
    Databases {
        /// Their names, in order.
        names: Vec<String>,
    },
    /// The open database and its knowledge of the position shown.
    Database(Box<Database>),
    /// The state of the walk.
    Walk(Box<Walk>),
    /// The state of the exercise.
    Exercise(Exercise),
    /// A command was refused. It has changed nothing.
    Refused {
        /// The reason, a sentence.
        text: String,
    },
}

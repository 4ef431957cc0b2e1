//! The messages from the page to the board.

use goren_core::types::Cell;
use serde::{Deserialize, Serialize};

use super::clock::TimeControl;
use super::database::Known;
use super::values::{Form, Mark, Player, Query};

/// A request for a game.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameChoice {
    /// Name with options, such as `pente+keryo`.
    pub variant: String,
    /// Columns and rows; absent for the default board.
    #[serde(default)]
    pub size: Option<(usize, usize)>,
    /// The opening; absent for the default one.
    #[serde(default)]
    pub opening: Option<String>,
    /// Whether the first to pass wins what would be a draw.
    #[serde(default)]
    pub tie_break: bool,
    /// Whether only one of the mirrored and rotated forms of a renju opening is allowed.
    #[serde(default)]
    pub strict: bool,
}

/// A message from the page. Cells are `[x, y]`, from the upper left.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Requests everything that the page shows.
    Show {},
    /// Starts a game.
    New {
        /// The game.
        game: GameChoice,
        /// Who acts for the first and the second seat.
        players: [Player; 2],
        /// The time control; absent for a game without a clock.
        #[serde(default)]
        time: Option<TimeControl>,
    },
    /// Places a stone of the turn, or takes back a stone of the turn that is on this cell.
    Place {
        /// The cell; in a game with gravity any cell of the column.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
    },
    /// Selects one of the choices of the pending decision.
    Choose {
        /// Its index in [`Decision::ways`](super::Decision::ways).
        way: usize,
    },
    /// Declares the number that goes with the placed stones.
    Declare {
        /// The number.
        count: usize,
    },
    /// Plays a ply that the user has typed.
    Play {
        /// The ply, such as `h8`, `h8 j9`, `swap`, `pass`.
        text: String,
    },
    /// Exchanges the colours.
    Swap {},
    /// Passes.
    Pass {},
    /// Takes back the stones of the turn, or goes back to the last decision of a person.
    Undo {},
    /// Goes forward along the line shown last.
    Redo {},
    /// Goes to a position of the tree.
    Go {
        /// Its node.
        node: usize,
    },
    /// Removes a node of the tree with its subtree.
    Remove {
        /// The node.
        node: usize,
    },
    /// Makes the line to a node the main line.
    Promote {
        /// The node.
        node: usize,
    },
    /// Comments on a position.
    Comment {
        /// Its node.
        node: usize,
        /// The comment; empty for none.
        text: String,
    },
    /// Marks a point of a position.
    Mark {
        /// The node.
        node: usize,
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The mark; absent for none.
        mark: Option<Mark>,
    },
    /// Writes a label on a point of a position.
    Label {
        /// The node.
        node: usize,
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The text; empty for none.
        text: String,
    },
    /// Sets who plays from now on.
    Players {
        /// Who acts for the first and the second seat.
        players: [Player; 2],
    },
    /// Sets how the engine plays from now on.
    Engine {
        /// Its level for the first and the second seat: a name of the catalogue, or a number
        /// from 0 to 100.
        levels: [String; 2],
        /// Milliseconds for a ply, in a game without a clock.
        time_ms: u64,
        /// Search threads.
        threads: usize,
    },
    /// Stops or resumes the clock. The engine does not play while it is stopped.
    Clock {
        /// Whether it runs.
        run: bool,
    },
    /// Requests the state of the clock. A seat that is out of time loses with this command.
    Time {},
    /// Gives the game another time control; both sides get the full time at the position
    /// shown.
    TimeControl {
        /// The time control; absent for a game without a clock.
        time: Option<TimeControl>,
    },
    /// Has the engine act for the seat to act, once.
    Move {},
    /// Analyses the position shown, and every position shown later.
    Analyse {
        /// Number of lines; 0 ends the analysis.
        lines: usize,
    },
    /// Searches for something once.
    Search {
        /// What to search for.
        query: Query,
    },
    /// Ends the running search. If the engine is deciding, it plays the best move found. After
    /// a search on demand, analysis and review continue.
    Stop {},
    /// Explains whether a stone on a point would be a foul, and why: a stone of the side to
    /// move if that side has fouls in this game, else a stone of the other side.
    Explain {
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
    },
    /// Opens a file.
    Open {
        /// Its name, for messages.
        name: String,
        /// Its bytes, a character each, U+0000 to U+00FF.
        bytes: String,
        /// The number of its game, from 1; if absent and the file has several games, the
        /// answer is their list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        number: Option<usize>,
    },
    /// Requests the game as a file.
    Save {
        /// Its format.
        form: Form,
    },
    /// Requests the tree, for the page to store.
    Keep {},
    /// Continues with a stored tree.
    Restore {
        /// The tree as [`Form::Tree`].
        text: String,
    },
    /// Requests the line shown as the fragment of a URL.
    Link {},
    /// Continues with the game of a URL.
    OpenLink {
        /// The fragment after the `#`, or the whole URL.
        text: String,
    },
    /// Requests the positions of the line shown, up to the position shown.
    Frames {},
    /// Adds stones to the tree, in turns of the side to move, and shows the last of them.
    Follow {
        /// The node that they follow. If another node is shown by now, the command does
        /// nothing, unless `stay` is set.
        node: usize,
        /// The stones.
        #[cfg_attr(test, ts(type = "Cell[]"))]
        cells: Vec<Cell>,
        /// Whether to only add the line and keep showing the same position.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(as = "Option<bool>", optional))]
        stay: bool,
    },
    /// Lists the files of the folder.
    Files {},
    /// Opens a file of the folder.
    OpenFile {
        /// Its name.
        name: String,
        /// The number of its game, as in [`Command::Open`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        number: Option<usize>,
    },
    /// Writes the game to a file of the folder, in the format of its extension.
    SaveFile {
        /// Its name.
        name: String,
        /// Whether to overwrite an existing file.
        over: bool,
    },
    /// Reviews the game of the line shown, whenever no other search runs.
    Review {
        /// Milliseconds of a search; a ply takes one or two searches.
        time_ms: u64,
    },
    /// Ends the review and no other search.
    StopReview {},
    /// Adds a line of the review to the tree; searches for it if the review does not have it.
    Why {
        /// The node after a judged ply.
        node: usize,
        /// Whether to add the best line instead of the ply, else the line after the ply.
        better: bool,
    },
    /// Makes puzzles from the misses that the review found.
    MakePuzzles {},
    /// Lists the puzzles that the program ships.
    Puzzles {},
    /// Sets the game aside and starts a puzzle.
    Train {
        /// The puzzle as a line of JSON.
        puzzle: String,
    },
    /// Returns to the initial position of the exercise.
    Again {},
    /// Shows the solution of the exercise.
    Solve {},
    /// Lists the databases of positions in the folder.
    Databases {},
    /// Opens a database.
    OpenDatabase {
        /// Its name.
        name: String,
        /// Whether to create it: it must not exist yet.
        new: bool,
    },
    /// Writes the database record of a position of the tree.
    SetRecord {
        /// The node of the position; another node may be shown by now.
        node: usize,
        /// The record; a new value counts as exact.
        record: Known,
        /// The record that the page showed when the user edited it; absent for none. Fields
        /// of `record` that are equal to it stay as they are in the database.
        #[serde(default)]
        seen: Option<Known>,
    },
    /// Writes a text on a point of a position, in the database.
    SetPointText {
        /// The node of the position, as in `SetRecord`.
        node: usize,
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The text, without blanks; empty for none.
        text: String,
    },
    /// Removes the record of a position from the database.
    ForgetRecord {
        /// The node of the position, as in `SetRecord`.
        node: usize,
    },
    /// Writes the file of the database.
    SaveDatabase {},
    /// Closes the database.
    CloseDatabase {},
    /// Lists the winning trees that can be walked through.
    Trees {},
    /// Sets the game aside and walks through a winning tree, as its defender. `move` then
    /// queries the tree again.
    Walk {
        /// The name of the tree.
        name: String,
    },
    /// Ends the exercise or the walk and returns to the game that was set aside.
    Leave {},
}

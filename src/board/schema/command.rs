//! The messages from the page to the board.

use goren_core::types::Cell;
use serde::{Deserialize, Serialize};

use super::clock::TimeControl;
use super::database::Known;
use super::values::{Form, Mark, Player, Query};

/// A game as it is asked for.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct GameChoice {
    /// Its name with options, such as `pente+keryo`.
    pub variant: String,
    /// Columns and rows; absent for the usual board.
    #[serde(default)]
    pub size: Option<(usize, usize)>,
    /// The opening; absent for the usual one.
    #[serde(default)]
    pub opening: Option<String>,
    /// Whether the first to pass wins what would be a draw.
    #[serde(default)]
    pub tie_break: bool,
    /// Whether of mirrored and turned renju openings only one is allowed.
    #[serde(default)]
    pub strict: bool,
}

/// A message from the page. Cells are `[x, y]`, from the upper left.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Asks for everything that is shown.
    Show {},
    /// Begins a game.
    New {
        /// The game.
        game: GameChoice,
        /// Who acts for the first and the second seat.
        players: [Player; 2],
        /// The time control; absent for a game without a clock.
        #[serde(default)]
        time: Option<TimeControl>,
    },
    /// A stone of the turn; one that was placed in it is taken up again.
    Place {
        /// Where. Where pieces fall, any cell of the column.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
    },
    /// Chooses among the ways to go on that an opening offers.
    Choose {
        /// Its number in [`Decision::ways`](super::Decision::ways).
        way: usize,
    },
    /// Declares the number that goes with the stones placed.
    Declare {
        /// The number.
        count: usize,
    },
    /// Plays a ply as it is typed.
    Play {
        /// Such as `h8`, `h8 j9`, `swap`, `pass`.
        text: String,
    },
    /// Exchanges the colours.
    Swap {},
    /// Passes.
    Pass {},
    /// Takes up the stones of the turn or goes back, to where a person decides.
    Undo {},
    /// Goes on along the line that was seen last.
    Redo {},
    /// Goes to a position of the tree.
    Go {
        /// Its node.
        node: usize,
    },
    /// Removes a node of the tree with all that follows.
    Remove {
        /// The node.
        node: usize,
    },
    /// Makes the line to a node the first one.
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
    /// Puts a text on a point of a position.
    Label {
        /// The node.
        node: usize,
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The text; empty for none.
        text: String,
    },
    /// Says who plays from now on.
    Players {
        /// Who acts for the first and the second seat.
        players: [Player; 2],
    },
    /// Says how the engine plays from now on.
    Engine {
        /// Its strength for the first and the second seat: a name of the catalogue, or a
        /// number from 0 to 100.
        levels: [String; 2],
        /// Milliseconds for a ply, in a game without a clock.
        time_ms: u64,
        /// Search threads.
        threads: usize,
    },
    /// Stops the clock, or has it run on; with it play rests.
    Clock {
        /// Whether it runs.
        run: bool,
    },
    /// Asks how the clock stands. A seat whose time is out has lost from then on.
    Time {},
    /// Gives the game at hand another clock, with the whole time for both sides from the
    /// position shown on.
    TimeControl {
        /// The time control; absent for a game without a clock.
        time: Option<TimeControl>,
    },
    /// Has the engine act for the seat to act, once.
    Move {},
    /// Analyses the position shown, as long as it is, and every one shown later.
    Analyse {
        /// Number of lines; 0 ends it.
        lines: usize,
    },
    /// Searches for something once.
    Search {
        /// What for.
        query: Query,
    },
    /// Ends the search that runs. The engine plays what it has found. Where a search was asked
    /// for beside the analysis or a review, these go on.
    Stop {},
    /// Explains whether a stone on a point would be a foul, and why: a stone of the side to
    /// move if that side has fouls in this game, else one of the other side.
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
        /// The number of its game, from 1; absent for the only one: of several the page is
        /// told a list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        number: Option<usize>,
    },
    /// Asks for the game as a file.
    Save {
        /// In which form.
        form: Form,
    },
    /// Asks for the tree, to be kept by the page.
    Keep {},
    /// Goes on with a tree as [`Form::Tree`] has it.
    Restore {
        /// The text.
        text: String,
    },
    /// Asks for the line shown as a part of an address.
    Link {},
    /// Goes on with the game of an address.
    OpenLink {
        /// What stands behind its `#`, or the whole address.
        text: String,
    },
    /// Asks for the positions of the line shown, up to the one shown.
    Frames {},
    /// Adds stones to the tree, in turns of the side to move, and shows the last of them.
    Follow {
        /// The node of the position that they follow on: where another one is shown by now,
        /// nothing is done, unless the position stays.
        node: usize,
        /// The stones.
        #[cfg_attr(test, ts(type = "Cell[]"))]
        cells: Vec<Cell>,
        /// Whether the position that is shown stays so: the line is only added.
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
    /// Writes the game to a file of the folder, in the form that its name ends with.
    SaveFile {
        /// Its name.
        name: String,
        /// Whether one that is there is written over.
        over: bool,
    },
    /// Reviews the game of the line shown, whenever nothing else is searched.
    Review {
        /// Milliseconds of a search; a ply takes one or two.
        time_ms: u64,
    },
    /// Ends the review alone.
    StopReview {},
    /// Puts a line into the tree that the review knows, or that is searched for.
    Why {
        /// The node after a ply that was judged.
        node: usize,
        /// Whether the best line instead of the ply is meant, else what follows on it.
        better: bool,
    },
    /// Makes puzzles of what was missed by the review.
    MakePuzzles {},
    /// Lists the puzzles of the program.
    Puzzles {},
    /// Puts the game aside and asks a puzzle.
    Train {
        /// The puzzle as a line of JSON.
        puzzle: String,
    },
    /// Goes back to the question of the exercise.
    Again {},
    /// Shows the solution of the exercise.
    Solve {},
    /// Lists the databases of positions in the folder.
    Databases {},
    /// Opens a database.
    OpenDatabase {
        /// Its name.
        name: String,
        /// Whether it is begun: then it is not there yet.
        new: bool,
    },
    /// Files what is known of a position of the tree.
    SetRecord {
        /// The node of that position: another one may be shown by now.
        node: usize,
        /// What is known; a value that is new counts as exact.
        record: Known,
        /// What the page showed as known when that was typed; absent for nothing. Whatever is
        /// no different from it stays as it is in the database.
        #[serde(default)]
        seen: Option<Known>,
    },
    /// Puts a text on a point of a position, in the database.
    SetPointText {
        /// The node of that position, as in `SetRecord`.
        node: usize,
        /// The point.
        #[cfg_attr(test, ts(type = "Cell"))]
        cell: Cell,
        /// The text, without blanks; empty for none.
        text: String,
    },
    /// Takes what is known of a position out of the database.
    ForgetRecord {
        /// The node of that position, as in `SetRecord`.
        node: usize,
    },
    /// Writes the file of the database.
    SaveDatabase {},
    /// Closes the database.
    CloseDatabase {},
    /// Lists the winning trees that can be walked through.
    Trees {},
    /// Puts the game aside and walks through a winning tree, as its defender. `move` then
    /// asks the tree again.
    Walk {
        /// The name of the tree.
        name: String,
    },
    /// Ends the exercise or the walk: the game that was put aside is shown again.
    Leave {},
}

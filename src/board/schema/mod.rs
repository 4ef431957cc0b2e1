//! The messages between page and board, as JSON: [`Command`]s from the page and
//! [`Event`]s to it. `page/schema.d.ts`, the types that the page's scripts use, is
//! generated from these, and a test fails where it differs.

mod command;
mod database;
mod event;
mod lesson;
mod line;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub use command::{Command, GameChoice};
pub use database::{Database, Known, KnownMove};
pub use event::{
    Boards, Catalogue, Decision, Event, FileGame, Foul, Frame, Game, GameInfo, LevelInfo, Lines,
    Node, OpeningInfo, OptionInfo, Outcome, Position, Setting, Stone, TreeView, Way,
};
pub use lesson::{
    Exercise, ExerciseState, Grade, PuzzleInfo, PuzzleKind, ReviewPly, ReviewSide, ReviewState,
    ReviewView,
};
pub use line::{Line, LineStone};
pub use values::{Form, Mark, Player, Query};
pub use walk::{TreeInfo, Walk, WalkState};

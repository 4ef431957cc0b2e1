//! The messages between page and board, as JSON: [`Command`]s from the page and
//! [`Event`]s to it. `page/schema.d.ts`, the types that the page's scripts use, is
//! generated from them; a test fails if it is out of date.

mod clock;
mod command;
mod database;
mod event;
mod game;
mod lesson;
mod line;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub use clock::{ClockView, TimeControl};
pub use command::{Command, GameChoice};
pub use database::{Database, Known, KnownBranch, KnownMove};
pub use event::{
    Decision, Event, FileGame, Foul, Frame, Lines, Node, Outcome, Position, RecordedScore, Stone,
    Threat, ThreatKind, TreeView, Way,
};
pub use game::{Boards, Catalogue, Game, GameInfo, LevelInfo, OpeningInfo, OptionInfo, Setting};
pub use lesson::{
    Exercise, ExerciseState, Grade, PuzzleInfo, PuzzleKind, ReviewPly, ReviewSide, ReviewState,
    ReviewView,
};
pub use line::{Line, LineStone};
pub use values::{Form, Mark, Player, Query};
pub use walk::{TreeInfo, Walk, WalkState};

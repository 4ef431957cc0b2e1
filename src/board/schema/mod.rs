//! What the page says ([`Command`]) and what it is told ([`Event`]), as JSON. The
//! page's types are made of it: `page/schema.d.ts`, held to it by a test.

mod command;
mod event;
mod lesson;
#[cfg(test)]
mod tests;
mod values;

pub use command::{Command, GameChoice};
pub use event::{
    Boards, Catalogue, Decision, Event, Foul, Frame, Game, GameInfo, LevelInfo, Line, LineStone,
    Lines, Node, OpeningInfo, OptionInfo, Outcome, Position, Setting, Stone, TreeView, Way,
};
pub use lesson::{
    Exercise, ExerciseState, Grade, PuzzleInfo, PuzzleKind, ReviewPly, ReviewSide, ReviewState,
    ReviewView,
};
pub use values::{Form, Mark, Player, Query};

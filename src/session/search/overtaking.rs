//! Which commands may overtake a running search: the rules, as one table.
//!
//! A command that arrives during a search is obeyed at once or queued until the answer,
//! and may stop the search. The handling depends on the client ([`Client`]), on the running
//! search ([`Running`]) and on the class of the command ([`Class`]); `TABLE` has the
//! [`Handling`] of each combination. `END` is not in the table: it ends the process at once.

use goren_protocol::{Command, DatabaseCommand, Event, Setting, YixinCommand};

use self::Handling::{
    ApplyClockPastAsides, Now, NowAndApplyClock, Queue, StopAndQueue, StopNow, SuppressAndQueue,
};
use crate::order::task::Task;

/// Kind of client, as far as the rules differ.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Client {
    /// Any client but those below: managers, gomocalc, the fork of Yixin-Board.
    Any,
    /// The original Yixin-Board, up to 2.1.
    FirstYixinBoard,
    /// None: the input has ended, and its last commands are still obeyed.
    Gone,
}

/// Kind of the running search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Running {
    /// A move, or another ply that the game needs.
    Move,
    /// An analysis for the user.
    Analysis,
    /// A step of an opening that is played separately from the game.
    OpeningStep,
    /// Pondering on the opponent's time.
    Pondering,
}

impl Running {
    /// The kind of search of a task.
    pub fn of(task: Task) -> Running {
        match task {
            Task::Move | Task::Opening => Running::Move,
            Task::Analyse | Task::Balance(_) => Running::Analysis,
            Task::OpeningStep => Running::OpeningStep,
            Task::Ponder => Running::Pondering,
        }
    }
}

/// Class of a command.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// The command to move now.
    Stop,
    /// A setting of the clock.
    Time,
    /// Any other setting that is only stored.
    Setting,
    /// The setting that ends pondering.
    PonderingOff,
    /// A query or edit of one database record, which takes no time.
    DatabaseRecord,
    /// A command that opens, reads or writes a database file.
    DatabaseFile,
    /// A query of the forbidden points, if they are known.
    KnownForbidden,
    /// A command to lift exclusions, if there are none.
    NothingToLift,
    /// A new game (START).
    NewGame,
    /// The position of the opening step that is being searched.
    PositionOfStep,
    /// Another position, the first step of an opening that we begin, RECTSTART or RESTART.
    NewPosition,
    /// A later step of an opening, or the same step again.
    LaterStep,
    /// A command that orders a move, or another ply of the game.
    Move,
    /// Anything else, malformed lines included.
    Other,
}

/// Session state that the class of a command depends on.
#[derive(Copy, Clone, Default, Debug)]
pub struct Facts {
    /// Whether the command shows the position of the opening step being searched.
    pub shows_step: bool,
    /// Whether the forbidden points are known.
    pub forbidden_known: bool,
    /// Whether the user excludes any move.
    pub excludes: bool,
}

impl Class {
    /// The class of a command.
    pub fn of(event: &Event, facts: &Facts) -> Class {
        use YixinCommand as Yx;
        match event {
            Ok(Command::Stop) => Class::Stop,
            Ok(Command::Info(info)) => match info {
                Setting::UseDatabase(_) | Setting::Folder(_) => Class::DatabaseFile,
                Setting::Pondering(false) => Class::PonderingOff,
                _ if is_time(info) => Class::Time,
                _ => Class::Setting,
            },
            Ok(Command::Start { .. }) => Class::NewGame,
            Ok(Command::RectStart { .. } | Command::Restart) => Class::NewPosition,
            Ok(Command::Yixin(command)) => match command {
                Yx::Database(command) if is_about_record(command) => Class::DatabaseRecord,
                Yx::Database(_) => Class::DatabaseFile,
                Yx::ShowForbid if facts.forbidden_known => Class::KnownForbidden,
                Yx::BlockReset | Yx::BlockPathReset if !facts.excludes => Class::NothingToLift,
                Yx::Board(_) if facts.shows_step => Class::PositionOfStep,
                Yx::Board(_) | Yx::Swap2Step1 | Yx::SoosorvStep1 => Class::NewPosition,
                Yx::Swap2Step2
                | Yx::Swap2Step3
                | Yx::SoosorvStep2(_)
                | Yx::SoosorvStep3(_)
                | Yx::SoosorvStep4 { .. }
                | Yx::SoosorvStep5 { .. }
                | Yx::SoosorvStep6(_) => Class::LaterStep,
                _ => Class::Other,
            },
            Ok(
                Command::Begin
                | Command::Turn(_)
                | Command::TurnPly(_)
                | Command::Plies(_)
                | Command::Board(_)
                | Command::Swap2Board(_),
            ) => Class::Move,
            _ => Class::Other,
        }
    }
}

/// Whether a setting is about the clock.
fn is_time(info: &Setting) -> bool {
    use Setting::{TimeIncrement, TimeLeft, TimeoutMatch, TimeoutTurn};
    matches!(info, TimeoutTurn(_) | TimeoutMatch(_) | TimeLeft(_) | TimeIncrement(_))
}

/// Whether a command is about one record.
fn is_about_record(command: &DatabaseCommand) -> bool {
    use DatabaseCommand as Db;
    matches!(
        command,
        Db::Query { .. }
            | Db::EditTvd { .. }
            | Db::EditText { .. }
            | Db::EditLabel { .. }
            | Db::SetBestMove(_)
            | Db::ClearBestMove(_)
            | Db::DeleteOne(_)
    )
}

/// Handling of a command that arrives during a search. If other commands are queued, a
/// command that would be obeyed at once is queued behind them, as it may depend on them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Handling {
    /// Obey it at once.
    Now,
    /// Obey it at once, then apply the clock to the search.
    NowAndApplyClock,
    /// As [`Handling::NowAndApplyClock`], even while commands are queued, if all of those
    /// are asides ([`CommandKind::Aside`](super::command_kind::CommandKind::Aside)).
    ApplyClockPastAsides,
    /// Stop the search, then as [`Handling::Now`].
    StopNow,
    /// Queue it until the answer.
    Queue,
    /// Stop the search and queue the command until the answer.
    StopAndQueue,
    /// As [`Handling::StopAndQueue`], and suppress the answer, unless the search had been
    /// stopped before: then the client expects it (except [`discards_move`](super::active_search::ActiveSearch::discards_move)).
    SuppressAndQueue,
}

/// A row of the table: clients, class of command, and the handling for each [`Running`] in
/// order. The first matching row applies.
type Row = (&'static [Client], Class, [Handling; 4]);

const ALL: &[Client] = &[Client::Any, Client::FirstYixinBoard, Client::Gone];
const ANY: &[Client] = &[Client::Any];
const FIRST: &[Client] = &[Client::FirstYixinBoard];
const GONE: &[Client] = &[Client::Gone];

/// The rules. Settings and queries do not stop pondering; anything else does, because
/// pondering has no answer to wait for.
const TABLE: [Row; 21] = [
    //                                Move, Analysis, OpeningStep, Pondering
    // STOP ends the search even if commands are queued.
    (ALL, Class::Stop, [StopNow, StopNow, StopNow, StopNow]),
    // Piskvork's "move now" is a timeout_turn of 0 during a search. A setting behind
    // queued commands is meant for those commands, but a clock setting is meant for this
    // search unless one of them starts another. Pondering uses none of our time.
    (ALL, Class::Time, [ApplyClockPastAsides, ApplyClockPastAsides, ApplyClockPastAsides, Now]),
    // A depth or node limit changes which default clock applies.
    (ALL, Class::Setting, [NowAndApplyClock, NowAndApplyClock, NowAndApplyClock, Now]),
    (ALL, Class::PonderingOff, [NowAndApplyClock, NowAndApplyClock, NowAndApplyClock, StopNow]),
    // Both Yixin-Boards query the database during a search; the list of such a command is
    // not a position to play.
    (ALL, Class::DatabaseRecord, [Now, Now, Now, Now]),
    // Opening a database takes time.
    (ALL, Class::DatabaseFile, [Queue, Queue, Queue, StopAndQueue]),
    // Yixin-Board asks for the forbidden points after every move of ours, and lifts
    // exclusions after every move of its own.
    (ALL, Class::KnownForbidden, [Queue, Queue, Queue, Now]),
    (ALL, Class::NothingToLift, [Queue, Queue, Queue, Now]),
    // After the end of input every answer counts: a script wants all of them in full.
    (GONE, Class::NewGame, [Queue, Queue, Queue, StopAndQueue]),
    (GONE, Class::NewPosition, [Queue, Queue, Queue, StopAndQueue]),
    (GONE, Class::LaterStep, [Queue, Queue, Queue, StopAndQueue]),
    // Yixin-Boards send the position, START included, right after they ask for the step
    // of an opening. That is not a new game; only another position is.
    (ALL, Class::PositionOfStep, [Queue, Queue, Queue, StopAndQueue]),
    // After a new position this search is useless, but its answer is still expected:
    // Yixin-Board 2.1 sends yxstop afterwards and discards one move. It does not do so for
    // an analysis, though, and would play its answer in the new position.
    (ANY, Class::NewGame, [StopAndQueue, StopAndQueue, Queue, StopAndQueue]),
    (FIRST, Class::NewGame, [StopAndQueue, SuppressAndQueue, Queue, StopAndQueue]),
    // Likewise. A game whose opening we begin starts with the command of its first step
    // alone. Every board would take the answer to a step of the old opening for an answer
    // to a step of the new one.
    (ANY, Class::NewPosition, [StopAndQueue, StopAndQueue, SuppressAndQueue, StopAndQueue]),
    (FIRST, Class::NewPosition, [StopAndQueue, SuppressAndQueue, SuppressAndQueue, StopAndQueue]),
    // The fork of Yixin-Board does not report that a stone was taken back; only its next
    // query shows it. It would take the answer to the previous query for the answer to this
    // one, and two answers to one query would place stones twice.
    (FIRST, Class::LaterStep, [Queue, SuppressAndQueue, SuppressAndQueue, StopAndQueue]),
    (ALL, Class::LaterStep, [Queue, Queue, SuppressAndQueue, StopAndQueue]),
    // The first Yixin-Board lets its user play on during an analysis, also with a later step,
    // and would take the answer to the analysis for that to the command.
    (FIRST, Class::Move, [Queue, SuppressAndQueue, Queue, StopAndQueue]),
    (ALL, Class::Move, [Queue, Queue, Queue, StopAndQueue]),
    (ALL, Class::Other, [Queue, Queue, Queue, StopAndQueue]),
];

/// Returns the handling of a command during a search.
pub fn handling(client: Client, running: Running, class: Class) -> Handling {
    let fits = |row: &&Row| row.1 == class && row.0.contains(&client);
    TABLE.iter().find(fits).map_or(Queue, |row| row.2[running as usize])
}

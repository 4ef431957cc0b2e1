//! What may overtake a running search: the rules, as one table.
//!
//! A command that comes during a search is obeyed at once, or waits in a queue for
//! the answer, and may end the search. That depends on who the client is
//! ([`Client`]), what is being searched ([`Running`]) and what the command is about
//! ([`Class`]); `TABLE` has the [`Rule`] for each. `END` is no matter of rules: it
//! ends the process.

use goren_protocol::{Command, DatabaseCommand, Event, Setting, YixinCommand};

use self::Rule::{ForsakeAndQueue, Hurry, HurryBehindAsides, Now, Queue, StopAndQueue, StopNow};
use super::job::Task;

/// Who sends the commands, as far as the rules differ.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Client {
    /// Managers, gomocalc, the fork of Yixin-Board: all but those below.
    Any,
    /// The first Yixin-Board, up to 2.1.
    FirstYixinBoard,
    /// Nobody any more: the input has ended, and what came before is obeyed.
    Gone,
}

/// What is being searched.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Running {
    /// A move, or another answer that the game needs.
    Move,
    /// What a user wants to know of the position.
    Analysis,
    /// A step of an opening that is told apart from the game.
    OpeningStep,
    /// The position, on the opponent's time.
    Pondering,
}

impl Running {
    /// That of a task.
    pub fn of(task: Task) -> Running {
        match task {
            Task::Move | Task::Opening => Running::Move,
            Task::Analyse | Task::Balance(_) => Running::Analysis,
            Task::OpeningStep => Running::OpeningStep,
            Task::Ponder => Running::Pondering,
        }
    }
}

/// What a command is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// To move now.
    Stop,
    /// A setting of times.
    Time,
    /// Any other setting that is only noted.
    Setting,
    /// The setting that ends pondering.
    PonderingOff,
    /// A query or an edit of the database, done in a moment.
    DatabaseRecord,
    /// To open, read or write a file of the database.
    DatabaseFile,
    /// The question for the forbidden points, where they are known.
    KnownForbidden,
    /// To take exclusions back where there are none.
    NothingToLift,
    /// A new game.
    NewGame,
    /// The position that the step of an opening being searched is about.
    PositionOfStep,
    /// Another position, or a new game that begins with an opening of ours.
    NewPosition,
    /// Anything else, malformed lines too.
    Other,
}

/// What the class of a command depends on, besides the command.
#[derive(Copy, Clone, Default, Debug)]
pub struct Facts {
    /// Whether it shows the position of the step being searched.
    pub shows_step: bool,
    /// Whether the forbidden points are known.
    pub forbidden_known: bool,
    /// Whether the user excludes anything.
    pub excludes: bool,
}

impl Class {
    /// What a command is about.
    pub fn of(event: &Event, facts: &Facts) -> Class {
        use YixinCommand as Yx;
        match event {
            Ok(Command::Stop) => Class::Stop,
            Ok(Command::Info(info)) => match info {
                Setting::UseDatabase(_) => Class::DatabaseFile,
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
                _ => Class::Other,
            },
            _ => Class::Other,
        }
    }
}

/// Whether a setting is about time.
fn is_time(info: &Setting) -> bool {
    use Setting::{TimeIncrement, TimeLeft, TimeoutMatch, TimeoutTurn};
    matches!(info, TimeoutTurn(_) | TimeoutMatch(_) | TimeLeft(_) | TimeIncrement(_))
}

/// Whether a command is about the record of one position.
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

/// Whether a queued command concerns neither another search nor another position.
pub fn is_aside(event: &Event) -> bool {
    use YixinCommand::{Database, ShowForbid, ShowInfo};
    match event {
        Err(_) | Ok(Command::About | Command::Stop | Command::Info(_)) => true,
        Ok(Command::Yixin(command)) => matches!(command, Database(_) | ShowForbid | ShowInfo),
        Ok(_) => false,
    }
}

/// What becomes of a command that comes during a search. If commands wait already, one
/// that would be obeyed at once waits behind them, as it is about the state after them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Obeyed at once.
    Now,
    /// Obeyed at once, and the search takes over the new times.
    Hurry,
    /// The same, also if only commands wait that concern neither another search nor
    /// another position ([`is_aside`]).
    HurryBehindAsides,
    /// The search ends; then as [`Rule::Now`].
    StopNow,
    /// Waits for the answer.
    Queue,
    /// The search ends, and the command waits for its answer.
    StopAndQueue,
    /// The same, but nobody is told the answer, unless the search was stopped
    /// before: then it is expected.
    ForsakeAndQueue,
}

/// A row of the table: the clients that it holds for, the class of a command, and
/// the rule for each of [`Running`] in order. The first row that fits holds.
type Row = (&'static [Client], Class, [Rule; 4]);

const ALL: &[Client] = &[Client::Any, Client::FirstYixinBoard, Client::Gone];
const ANY: &[Client] = &[Client::Any];
const FIRST: &[Client] = &[Client::FirstYixinBoard];
const GONE: &[Client] = &[Client::Gone];

/// The rules. Pondering goes on while settings and questions are served; all else
/// ends it, as it has no answer that anything could wait for.
const TABLE: [Row; 16] = [
    //                                Move, Analysis, OpeningStep, Pondering
    // A stop has nothing to answer, and ends what waits before it too.
    (ALL, Class::Stop, [StopNow, StopNow, StopNow, StopNow]),
    // Piskvork's "move now" is a timeout_turn of 0 during a search. A setting that
    // comes after waiting commands is for those; but a time is for this search if
    // none of them starts another. Pondering uses none of our time.
    (ALL, Class::Time, [HurryBehindAsides, HurryBehindAsides, HurryBehindAsides, Now]),
    // A limit of depth or nodes changes which clock is used by default.
    (ALL, Class::Setting, [Hurry, Hurry, Hurry, Now]),
    (ALL, Class::PonderingOff, [Hurry, Hurry, Hurry, StopNow]),
    // Both Yixin-Boards query the database during a search; a list of coordinates
    // that is no position to play.
    (ALL, Class::DatabaseRecord, [Now, Now, Now, Now]),
    // To open a database takes its time.
    (ALL, Class::DatabaseFile, [Queue, Queue, Queue, StopAndQueue]),
    // Yixin-Board asks for the forbidden points after every move of ours, and takes
    // exclusions back after every move of its own.
    (ALL, Class::KnownForbidden, [Queue, Queue, Queue, Now]),
    (ALL, Class::NothingToLift, [Queue, Queue, Queue, Now]),
    // Nobody is left to whom an answer could come too late: a script wants each in
    // full, whatever follows.
    (GONE, Class::NewGame, [Queue, Queue, Queue, StopAndQueue]),
    (GONE, Class::NewPosition, [Queue, Queue, Queue, StopAndQueue]),
    // Yixin-Boards show the position, START and all, right behind the step of an
    // opening that they ask for: that is no new game. Only another position is.
    (ALL, Class::PositionOfStep, [Queue, Queue, Queue, StopAndQueue]),
    // A new position: nobody needs this search any more, but its one answer is
    // still expected. Yixin-Board 2.1 sends its yxstop after these, and swallows one
    // move. But it does not count the searches of a user who wants to know, and
    // would play their answer in the new position.
    (ANY, Class::NewGame, [StopAndQueue, StopAndQueue, Queue, StopAndQueue]),
    (FIRST, Class::NewGame, [StopAndQueue, ForsakeAndQueue, Queue, StopAndQueue]),
    // Likewise; a new game whose opening is ours begins with its first step alone.
    // What is said of an opening all boards take for the one at hand.
    (ANY, Class::NewPosition, [StopAndQueue, StopAndQueue, ForsakeAndQueue, StopAndQueue]),
    (FIRST, Class::NewPosition, [StopAndQueue, ForsakeAndQueue, ForsakeAndQueue, StopAndQueue]),
    (ALL, Class::Other, [Queue, Queue, Queue, StopAndQueue]),
];

/// The rule for a command of a class that a client sends during a search.
pub fn rule(client: Client, running: Running, class: Class) -> Rule {
    let fits = |row: &&Row| row.1 == class && row.0.contains(&client);
    TABLE.iter().find(fits).map_or(Queue, |row| row.2[running as usize])
}

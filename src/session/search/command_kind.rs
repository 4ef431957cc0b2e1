//! Kinds of commands, as far as queued commands differ.

use goren_protocol::{Command, Event, YixinCommand};

/// Kind of a command: what it does to searches.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CommandKind {
    /// It orders a search.
    Search,
    /// An aside: a query, a setting or a database command, which neither orders a search nor
    /// changes what is searched.
    Aside,
    /// Anything else.
    Other,
}

impl CommandKind {
    /// The kind of a command. A malformed line is an aside.
    pub fn of(event: &Event) -> CommandKind {
        let Ok(command) = event else { return CommandKind::Aside };
        match command {
            Command::Begin
            | Command::Turn(_)
            | Command::TurnPly(_)
            | Command::Plies(_)
            | Command::Board(_)
            | Command::Swap2Board(_) => CommandKind::Search,
            Command::Start { .. }
            | Command::RectStart { .. }
            | Command::Restart
            | Command::Takeback(_)
            | Command::Play(_)
            | Command::End => CommandKind::Other,
            Command::Info(_) | Command::About | Command::Stop => CommandKind::Aside,
            Command::Yixin(command) => of_yixin(command),
        }
    }
}

fn of_yixin(command: &YixinCommand) -> CommandKind {
    use YixinCommand as Yx;
    match command {
        Yx::NBest(_)
        | Yx::SearchDefend
        | Yx::BalanceOne(_)
        | Yx::BalanceTwo(_)
        | Yx::Swap2Step1
        | Yx::Swap2Step2
        | Yx::Swap2Step3
        | Yx::SoosorvStep1
        | Yx::SoosorvStep2(_)
        | Yx::SoosorvStep3(_)
        | Yx::SoosorvStep4 { .. }
        | Yx::SoosorvStep5 { .. }
        | Yx::SoosorvStep6(_) => CommandKind::Search,
        Yx::Board(_)
        | Yx::HashClear
        | Yx::HashDump(_)
        | Yx::HashLoad(_)
        | Yx::Block(_)
        | Yx::BlockUndo(_)
        | Yx::BlockReset
        | Yx::BlockPath(_)
        | Yx::BlockPathUndo(_)
        | Yx::BlockPathReset
        | Yx::Forbid { .. } => CommandKind::Other,
        Yx::Database(_)
        | Yx::ShowForbid
        | Yx::ShowInfo
        | Yx::ShowHashUsage
        | Yx::PrintFeature
        | Yx::Draw
        | Yx::Resign
        | Yx::ReloadConfig(_) => CommandKind::Aside,
    }
}

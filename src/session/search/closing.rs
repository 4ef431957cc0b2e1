//! Time of searches after the end of input.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Event, YixinCommand};

/// Most time for the search that is running at the end of the input, and for
/// all that wait behind it together.
pub const LONGEST: Duration = Duration::from_secs(5);

/// That the input has ended.
pub struct Closing {
    /// When the last of the searches that waited has to answer; not known before
    /// the first begins.
    pub until: Option<Instant>,
    /// Searches that wait behind the command that is being obeyed.
    pub behind: u32,
}

impl Closing {
    /// Time for a search that begins now.
    pub fn share(&self) -> Duration {
        let left =
            self.until.map_or(LONGEST, |until| until.saturating_duration_since(Instant::now()));
        left / (self.behind + 1)
    }
}

/// Whether a command asks for a search.
pub fn is_search(event: &Event) -> bool {
    use YixinCommand as Yx;
    match event {
        Ok(
            Command::Begin
            | Command::Turn(_)
            | Command::TurnPly(_)
            | Command::Plies(_)
            | Command::Board(_)
            | Command::Swap2Board(_),
        ) => true,
        Ok(Command::Yixin(command)) => matches!(
            command,
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
                | Yx::SoosorvStep6(_)
        ),
        _ => false,
    }
}

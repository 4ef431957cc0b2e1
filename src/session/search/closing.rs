//! Time limits of searches after the end of input.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Event, YixinCommand};

/// Maximum time of the search that runs at the end of input, and again of all queued searches
/// together.
pub const MAX_CLOSING_TIME: Duration = Duration::from_secs(5);

/// State after the end of input.
pub struct Closing {
    /// When the last of the queued searches must answer; `None` before the first of them
    /// begins.
    pub until: Option<Instant>,
    /// Number of searches queued behind the current command.
    pub queued_behind: u32,
}

impl Closing {
    /// Time for a search that begins now: an equal share of the rest.
    pub fn share(&self) -> Duration {
        let left = self
            .until
            .map_or(MAX_CLOSING_TIME, |until| until.saturating_duration_since(Instant::now()));
        left / (self.queued_behind + 1)
    }
}

/// Whether a command orders a search.
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
        Ok(
            Command::Start { .. }
            | Command::RectStart { .. }
            | Command::Restart
            | Command::Takeback(_)
            | Command::Play(_)
            | Command::Info(_)
            | Command::About
            | Command::Stop
            | Command::End,
        )
        | Err(_) => false,
    }
}

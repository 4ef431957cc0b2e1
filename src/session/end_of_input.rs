//! End of input. A script that pipes its commands and closes the pipe wants all
//! answers; a manager that closes it to stop the engine must not wait long.
//!
//! So every pending command is answered: the running search keeps the rest of
//! its time, at most [`LONGEST`]; the queued searches share as long again, each
//! within its own time. Then the process ends. The clock of a queued search runs
//! from its start, as no manager measures it any more, and only a stop command
//! cuts a search short. There is no pondering, and `END` ends everything at
//! once.

use std::collections::VecDeque;
use std::time::Instant;

use goren_protocol::{Command, Event, YixinCommand};

use super::closing::{Closing, LONGEST};
use super::state::{Flow, Session, State};

impl Session {
    /// No more commands will come. Whether an answer is still due: then the
    /// search events come until it has been given.
    pub fn end_of_input(&mut self) -> Flow {
        if !self.is_searching() {
            return Flow::Quit;
        }
        self.closing = Some(Closing { until: None, behind: 0 });
        let State::Searching(active) = &mut self.state else { return Flow::Quit };
        let end = active.allowance.started().elapsed() + LONGEST;
        let end = active.control.latest_end().map_or(end, |earlier| earlier.min(end));
        active.latest_end = Some(end);
        active.control.cap(end);
        Flow::Continue
    }

    /// The searches that waited for the one at the end of the input may begin.
    pub(super) fn begin_last_searches(&mut self) {
        if let Some(closing) = &mut self.closing {
            closing.until.get_or_insert_with(|| Instant::now() + LONGEST);
        }
    }

    /// Since when the clock of a command runs that came at `arrived` and waited
    /// before others.
    pub(super) fn since_when(
        &mut self,
        arrived: Instant,
        behind: &VecDeque<(Event, Instant)>,
    ) -> Instant {
        let Some(closing) = &mut self.closing else { return arrived };
        let searches = behind.iter().filter(|(event, _)| is_search(event)).count();
        closing.behind = u32::try_from(searches).unwrap_or(u32::MAX - 1);
        Instant::now()
    }
}

/// Whether a command asks for a search.
fn is_search(event: &Event) -> bool {
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

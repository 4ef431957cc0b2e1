//! Pondering: during the opponent's time its position is searched, so that the
//! transposition table is filled when it has moved. Pondering reports nothing, uses
//! none of our time, and any command about the game ends it.

use std::time::Instant;

use goren_protocol::{Command, Event, Info, Reply, YixinCommand};

use super::job::Task;
use super::out::Out;
use super::state::{Session, State};
use goren_engine::{Budget, Request};

impl Session {
    /// Whether the opponent's time is being used.
    pub(super) fn is_pondering(&self) -> bool {
        matches!(&self.state, State::Searching(active) if active.task == Task::Ponder)
    }

    /// Begins to, if that is wanted and of use.
    pub(super) fn ponder(&mut self) {
        let State::Idle(game) = &self.state else { return };
        let wanted = self.settings.pondering() && self.settings.strength().is_full();
        let wanted = wanted && self.closing.is_none();
        if !wanted || game.outcome().is_some() {
            return;
        }
        // Yixin-Board asks for the forbidden points after every move of ours.
        let forbidden = self.forbidden().ok();
        self.arrived = Instant::now();
        let Ok(allowance) = self.allow_here() else { return };
        let request = Request {
            budget: Budget::UNLIMITED,
            max_depth: None,
            max_nodes: None,
            pondering: true,
            ..self.request(&allowance)
        };
        // Without it nothing is missing but strength.
        if self.think_within(Task::Ponder, request, allowance).is_ok()
            && let State::Searching(active) = &mut self.state
        {
            active.forbidden = forbidden;
        }
    }

    /// Queries and settings are served while the search goes on; all else ends
    /// it and is obeyed then. A command to stop has nothing to answer.
    pub(super) fn during_pondering(&mut self, event: Event, out: Out) {
        use YixinCommand::{BlockPathReset, BlockReset, Database, ShowForbid};
        let rule = self.settings.variant().ok();
        let State::Searching(active) = &self.state else { return };
        let quick = self.waiting.is_empty();
        let mut stop = false;
        match &event {
            Ok(Command::Stop) if quick => stop = true,
            Ok(Command::Yixin(ShowForbid)) if quick && active.forbidden.is_some() => {
                let none = || Reply::Forbid(Vec::new());
                out(active.forbidden.clone().unwrap_or_else(none));
            }
            Ok(Command::Yixin(BlockReset | BlockPathReset))
                if quick && !self.user_exclusions.any() => {}
            Ok(Command::Info(_) | Command::Yixin(Database(_))) if quick => {
                stop = event == Ok(Command::Info(Info::Pondering(false)));
                self.during_thought(event, out);
                if self.settings.variant().ok() != rule
                    && let State::Searching(active) = &mut self.state
                {
                    // They were those of another rule.
                    active.forbidden = None;
                }
            }
            _ => self.waiting.push_back((event, self.arrived)),
        }
        if (stop || !self.waiting.is_empty())
            && let State::Searching(active) = &self.state
        {
            active.control.stop();
        }
    }
}

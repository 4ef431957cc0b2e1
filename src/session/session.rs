//! The type [`Session`]: takes commands and events of the search thread, and passes each
//! on to the code that obeys it.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use goren_protocol::{Command, Event, ParseError, Reply, Setting, YixinCommand};

use super::dialect::dispatch::dispatch;
use super::dialect::state::State;
use super::help;
use super::out::Out;
use super::search::job::SearchEvent;
use super::search::overtaking::{Class, Client, Facts, Handling, Running, handling};
use super::search::queue::SearchQueue;
use super::state::command_error::CommandError;

/// Whether the process goes on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// Waiting for further commands and events.
    Continue,
    /// The process must exit at once and print nothing more.
    Quit,
}

/// All state between commands, and the running search.
pub struct Session {
    pub(super) state: State,
    pub(super) searches: SearchQueue,
    /// Whether a person types the commands.
    human: bool,
}

impl Session {
    /// Creates a session before START. `observer` is called on the search thread; pass every
    /// event it receives to [`Session::search_event`], in order.
    ///
    /// # Errors
    /// The system provides no thread.
    pub fn new(observer: Box<dyn FnMut(SearchEvent) + Send>) -> io::Result<Session> {
        let searches = SearchQueue::start(observer)?;
        Ok(Session { state: State::default(), searches, human: false })
    }

    /// Sets the database that `INFO usedatabase 1` opens. Without this call that setting
    /// opens none.
    pub fn set_default_database(&mut self, path: PathBuf) {
        self.state.sources.database.set_usual(path);
    }

    /// Greets a person at a terminal. From then on malformed lines and unknown
    /// settings are answered with help.
    pub fn greet(&mut self, out: Out) {
        self.human = true;
        help::greeting().for_each(out);
    }

    /// Whether an answer is due: a search for a command runs, or a command waits behind
    /// pondering.
    pub fn is_searching(&self) -> bool {
        self.searches.is_answer_due()
    }

    /// Obeys a command, or answers a malformed line. Its clock starts now.
    pub fn handle(&mut self, event: Event, out: Out) -> Flow {
        self.handle_since(event, Instant::now(), out)
    }

    /// [`Session::handle`] for a command that arrived at `arrived`, when its clock started.
    pub fn handle_since(&mut self, event: Event, arrived: Instant, out: Out) -> Flow {
        let leaves = self.human && event.as_ref().is_err_and(help::leaves);
        if event == Ok(Command::End) || leaves {
            self.searches.stop();
            return Flow::Quit;
        }
        self.state.arrived = arrived;
        if self.searches.running().is_none() {
            // The previous command may have used up the memory reserve.
            self.state.at_hand.hash.hold_reserve();
        }
        let handling = self.handling(&event);
        if !self.searches.admits(handling) {
            self.queue(event, arrived, out);
            return Flow::Continue;
        }
        let is_time_left = matches!(event, Ok(Command::Info(Setting::TimeLeft(_))));
        self.obey(event, out);
        if let Some(active) = self.searches.active().filter(|_| is_time_left) {
            active.time_left_at = Some(arrived);
        }
        if matches!(handling, Handling::NowAndApplyClock | Handling::ApplyClockPastAsides) {
            self.searches.apply_clock(&self.state.limits().clock);
        }
        // The kept forbidden points are valid only while the rule is unchanged.
        self.searches.forget_forbidden_unless(self.state.settings.variant().ok());
        Flow::Continue
    }

    /// Ends the input. Quits if no answer is due; otherwise the caller passes on search
    /// events until [`Session::search_event`] returns [`Flow::Quit`].
    pub fn end_of_input(&mut self) -> Flow {
        if !self.is_searching() {
            return Flow::Quit;
        }
        self.searches.close();
        Flow::Continue
    }

    /// Queues a command until the answer, or refuses it if too many are queued.
    fn queue(&mut self, event: Event, arrived: Instant, out: Out) {
        if !self.searches.is_full() {
            self.searches.push(event, arrived);
            return;
        }
        let text = CommandError::TooMany.to_string();
        match event {
            // STOP has stopped the search already.
            Ok(Command::Stop) => {}
            // Clients take any other answer to an INFO for a move.
            Ok(Command::Info(_)) => out(Reply::Message(text)),
            _ => out(Reply::Error(text)),
        }
    }

    /// Returns the handling of a command: obey it now, stop the search, or queue it.
    fn handling(&self, event: &Event) -> Handling {
        let Some(running) = self.searches.running() else { return Handling::Now };
        let State { settings, opening_steps, sources, .. } = &self.state;
        let client = if self.searches.is_closing() {
            Client::Gone
        } else if settings.is_first_yixin_board() {
            Client::FirstYixinBoard
        } else {
            Client::Any
        };
        let shown = match event {
            Ok(Command::Yixin(YixinCommand::Board(list))) => Some(list),
            _ => None,
        };
        let facts = Facts {
            shows_step: running == Running::OpeningStep
                && shown.is_some_and(|list| opening_steps.is_about(list)),
            forbidden_known: self.searches.forbidden().is_some(),
            excludes: sources.exclusions.any(),
        };
        handling(client, running, Class::of(event, &facts))
    }

    /// Obeys a command, which may start a search, or answers a malformed line.
    fn obey(&mut self, event: Event, out: Out) {
        let command = match event {
            Ok(command) => command,
            Err(error) => {
                self.answer_malformed(&error, out);
                return;
            }
        };
        if let (Command::Yixin(YixinCommand::ShowForbid), Some(known)) =
            (&command, self.searches.forbidden())
        {
            out(self.state.settings.marking(known.clone()));
            return;
        }
        let typed = self.human.then(|| command.clone());
        let ordered = dispatch(&mut self.state, command, out);
        let warning = typed.and_then(|typed| help::unknown_setting(&typed));
        warning.into_iter().for_each(&mut *out);
        let result = ordered.and_then(|order| order.map_or(Ok(()), |order| self.search(order)));
        // The command may have looked up a move in a winning tree.
        let faults = self.state.sources.proofs.faults();
        faults.into_iter().for_each(|fault| out(Reply::Message(fault)));
        if let Err(error) = result {
            out(Reply::Error(error.to_string()));
        }
    }

    fn answer_malformed(&mut self, error: &ParseError, out: Out) {
        self.state.at_hand.refused |= matches!(
            error,
            ParseError::Invalid { command: "BOARD" | "SWAP2BOARD" | "YXBOARD" | "PLIES", .. }
        );
        if self.human {
            let advice = help::advice(error, &mut self.state);
            if !advice.is_empty() {
                return advice.into_iter().for_each(out);
            }
        }
        match error {
            // Yixin-Board 2.1 takes unknown lines for moves, and the coordinate lines of
            // an unknown command remain as stray lines.
            ParseError::Unknown { .. } | ParseError::Stray { .. }
                if self.state.settings.yixin() || error.is_extension() => {}
            _ => out(error.reply()),
        }
    }
}

//! Dispatcher of events. It obeys a command at once or queues it until the
//! running search has answered, and stores what `INFO` sets.

use std::path::Path;
use std::time::Instant;

use goren_protocol::{About, Command, Event, Info, ParseError, Ply, Reply, YixinCommand};

use super::command_error::CommandError;
use super::job::Task;
use super::out::Out;
use super::state::{Flow, REHEARSAL, Session, State};
use super::yixin::dialogue;
use super::{database, help, yixin};

impl Session {
    /// Greets a human at a terminal, who will then also be helped.
    pub fn greet(&mut self, out: Out) {
        self.human = true;
        help::greeting().for_each(out);
    }

    /// Whether an answer is due.
    pub fn is_searching(&self) -> bool {
        let busy = matches!(self.state, State::Searching(_));
        busy && !(self.is_pondering() && self.waiting.is_empty())
    }

    /// Obeys a command, or answers a malformed line.
    pub fn handle(&mut self, event: Event, out: Out) -> Flow {
        self.handle_since(event, Instant::now(), out)
    }

    /// The same with a command that arrived at `arrived`, from when its clock runs.
    pub fn handle_since(&mut self, event: Event, arrived: Instant, out: Out) -> Flow {
        if event == Ok(Command::End) {
            if let State::Searching(active) = &self.state {
                active.control.stop();
            }
            return Flow::Quit;
        }
        self.arrived = arrived;
        if self.is_pondering() {
            self.during_pondering(event, out);
        } else if self.is_searching() {
            self.during_thought(event, out);
        } else {
            self.obey(event, out);
        }
        Flow::Continue
    }

    /// Obeys what may overtake the running search, and queues the rest.
    pub(super) fn during_thought(&mut self, event: Event, out: Out) {
        let same = matches!(&event, Ok(Command::Yixin(YixinCommand::Board(list)))
            if dialogue::is_of_the_step(self, list));
        let closing = self.closing.is_some();
        let State::Searching(active) = &mut self.state else { return };
        match &event {
            Ok(Command::Stop) => {
                active.control.stop();
                if self.waiting.is_empty() {
                    return;
                }
            }
            // Piskvork's "move now" is a timeout_turn of 0 during a search.
            // Behind waiting commands a setting is about them, and waits too.
            // To open a database takes its time.
            // But where none of them is for a search, a time is about this one.
            Ok(Command::Info(info))
                if self.waiting.is_empty() && !matches!(info, Info::UseDatabase(_))
                    || is_time(info) && self.waiting.iter().all(|(event, _)| is_aside(event)) =>
            {
                self.inform(info, out);
                self.hurry();
                return;
            }
            // Both Yixin-Boards query the database during a search; a list of
            // coordinates that is no position to play.
            Ok(Command::Yixin(YixinCommand::Database(command)))
                if self.waiting.is_empty() && database::is_quick(command) =>
            {
                database::obey(self, command, out);
                return;
            }
            // Yixin-Boards show the position, START and all, right behind the
            // step of an opening that they ask for: that is no new game. Only
            // another position is.
            Ok(Command::Start { .. }) if active.task == Task::Dialogue => {}
            Ok(Command::Yixin(YixinCommand::Board(_))) if active.task == Task::Dialogue && same => {
            }
            // A new position: nobody needs this search any more, but its one
            // answer is still expected. Yixin-Board 2.1 sends its yxstop after
            // these, and swallows one move. A new game whose opening is ours
            // begins with the first step alone.
            Ok(
                Command::Start { .. }
                | Command::RectStart { .. }
                | Command::Restart
                | Command::Yixin(
                    YixinCommand::Board(_) | YixinCommand::Swap2Step1 | YixinCommand::SoosorvStep1,
                ),
            ) if !closing => {
                let asked_for = active.control.stopped();
                active.control.stop();
                // But it does not count the searches of a user who wants to
                // know, and would play their answer in the new position. What
                // is said of an opening all of them take for the one at hand.
                active.forsaken |= !asked_for
                    && (active.task == Task::Dialogue
                        || self.settings.is_first_yixin_board()
                            && matches!(active.task, Task::Analyse | Task::Balance(_)));
            }
            _ => {}
        }
        self.waiting.push_back((event, self.arrived));
    }

    /// Stores a setting. Unusable values are reported as MESSAGE: clients take any other
    /// answer to an INFO for a move.
    fn inform(&mut self, info: &Info, out: Out) {
        match info {
            Info::Weights(path) => {
                if let Err(error) = self.weights.load(Path::new(path)) {
                    out(Reply::Message(format!("weights {path} not used: {error}")));
                }
                self.dialogue = None;
            }
            Info::Proof(path) => {
                if let Err(error) = self.proofs.load(Path::new(path)) {
                    out(Reply::Message(format!("proof {path} not used: {error}")));
                }
                self.tell_faults(out);
            }
            Info::Params(list) => {
                if let Err(error) = self.params.set_all(list) {
                    out(Reply::Message(format!("params not used: {error}")));
                }
            }
            Info::Variant(name) => {
                if let Err(error) = self.requested_game.variant(name) {
                    out(Reply::Message(format!("variant not used: {error}")));
                }
            }
            Info::Opening(name) => {
                if let Err(error) = self.requested_game.opening(name) {
                    out(Reply::Message(format!("opening not used: {error}")));
                }
            }
            Info::TieBreak(on) => self.requested_game.tie_break(*on),
            Info::Malformed { key, value } => {
                self.requested_game.unreadable(key, value);
                self.settings.apply(info);
            }
            Info::Folder(path) => self.database_state.keep_files_in(Path::new(path)),
            Info::UseDatabase(on) => database::use_database(self, *on, out),
            Info::DatabaseReadonly(on) => self.database_state.keep_database(*on),
            Info::Rule(_) => {
                self.settings.apply(info);
                self.turn_to_rule();
            }
            _ => self.settings.apply(info),
        }
    }

    /// Builds a game that has not begun under the current rule, before a command whose
    /// time counts has to.
    fn turn_to_rule(&mut self) {
        let (State::Idle(game), Ok(variant)) = (&self.state, self.settings.variant()) else {
            return;
        };
        if game.setup().rule == variant.rule || !game.stones().is_empty() {
            return;
        }
        let until = self.arrived + REHEARSAL / 3;
        if self.game().is_ok()
            && let State::Idle(game) = &self.state
        {
            self.engine.rehearse(&**game, until);
        }
    }

    /// Applies changed times to the running search.
    fn hurry(&self) {
        if let State::Searching(active) = &self.state
            && active.task != Task::Ponder
        {
            let hard = active.allowance.end_by(&self.clock());
            let hard = active.latest_end.map_or(hard, |end| end.min(hard));
            active.control.cap(hard);
            if hard <= active.allowance.started().elapsed() {
                // A longer time behind it is for the next move.
                active.control.stop();
            }
        }
    }

    fn obey(&mut self, event: Event, out: Out) {
        let in_family = matches!(self.state, State::Family(_));
        let done = match event {
            Err(error) => {
                self.refused |= matches!(
                    error,
                    ParseError::Invalid {
                        command: "BOARD" | "SWAP2BOARD" | "YXBOARD" | "PLIES",
                        ..
                    }
                );
                self.complain(&error, out);
                Ok(())
            }
            Ok(Command::Start { width, height } | Command::RectStart { width, height }) => {
                self.start(width, height, out)
            }
            Ok(Command::Restart) => self.restart(out),
            Ok(Command::Begin) if in_family => self.begin_family(),
            Ok(Command::Turn(at)) if in_family => self.turn_ply(&Ply::one(at), out),
            Ok(Command::Takeback(at)) if in_family => self.take_back_ply(at, out),
            Ok(Command::TurnPly(ply)) => match ply.first() {
                // Words after the coordinate mean nothing to Gomocup.
                Some(at) if !in_family && ply.is_single() => self.turn(at, out),
                _ => self.turn_ply(&ply, out),
            },
            Ok(Command::Plies(texts)) => self.plies(&texts, out),
            Ok(command @ (Command::Board(_) | Command::Play(_) | Command::Swap2Board(_)))
                if in_family =>
            {
                Err(CommandError::NotHere(command.keyword()))
            }
            Ok(Command::Begin) => self.begin(),
            Ok(Command::Turn(at)) => self.turn(at, out),
            Ok(Command::Board(list)) => self.board(&list, out),
            Ok(Command::Takeback(at)) => self.take_back(at, out),
            Ok(Command::Play(at)) => self.play(at, out),
            Ok(Command::Swap2Board(list)) => self.swap2(&list, out),
            Ok(Command::Info(info)) => {
                self.inform(&info, out);
                Ok(())
            }
            Ok(Command::About) => {
                out(Reply::About(about()));
                Ok(())
            }
            // Idle already. Yixin-Board sends yxstop with every undo.
            Ok(Command::Stop) | Ok(Command::End) => Ok(()),
            Ok(Command::Yixin(command)) => yixin::obey(self, command, out),
        };
        // A move may have been looked up.
        self.tell_faults(out);
        if let Err(error) = done {
            out(Reply::Error(error.to_string()));
        }
    }

    /// Reports errors of the files in use.
    fn tell_faults(&mut self, out: Out) {
        self.proofs.faults().into_iter().for_each(|fault| out(Reply::Message(fault)));
    }

    fn complain(&self, error: &ParseError, out: Out) {
        match error {
            ParseError::Unknown { text } if self.human && help::wanted(text) => {
                help::lines().for_each(out);
            }
            // Yixin-Board 2.1 takes lines it does not know for moves, and an
            // unknown list leaves its lines behind.
            ParseError::Unknown { .. } | ParseError::Stray { .. }
                if self.settings.yixin() || error.is_extension() => {}
            _ => out(error.reply()),
        }
    }
}

/// Whether a setting is about time.
fn is_time(info: &Info) -> bool {
    use Info::{TimeIncrement, TimeLeft, TimeoutMatch, TimeoutTurn};
    matches!(info, TimeoutTurn(_) | TimeoutMatch(_) | TimeLeft(_) | TimeIncrement(_))
}

/// Whether a queued command concerns neither another search nor another position.
fn is_aside(event: &Event) -> bool {
    use YixinCommand::{Database, ShowForbid, ShowInfo};
    match event {
        Err(_) | Ok(Command::About | Command::Stop | Command::Info(_)) => true,
        Ok(Command::Yixin(command)) => matches!(command, Database(_) | ShowForbid | ShowInfo),
        Ok(_) => false,
    }
}

fn about() -> About {
    About::new("Goren", env!("CARGO_PKG_VERSION"), "the Goren authors", "international")
}

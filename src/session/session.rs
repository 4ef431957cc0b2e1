//! The type [`Session`]: takes commands and events of the search thread, and passes
//! each on to who obeys it.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use goren_protocol::{About, Command, Event, ParseError, Ply, Reply, YixinCommand};

use super::command_error::CommandError;
use super::dialect::{family, game, gomocup, info, yixin};
use super::help;
use super::out::Out;
use super::search::job::SearchEvent;
use super::search::order::SearchOrder;
use super::search::overtaking::{Class, Client, Facts, Rule, Running, rule};
use super::search::queue::SearchQueue;
use super::state::State;

/// Whether to go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// More events are welcome.
    Continue,
    /// The process must exit at once, without another word.
    Quit,
}

/// The state of a game and of all settings, and the running search.
pub struct Session {
    pub(super) state: State,
    pub(super) searches: SearchQueue,
    /// Whether a human types the commands.
    human: bool,
}

impl Session {
    /// A session before START. `tell` is called from the search thread; what
    /// it gets must be handed to [`Session::search_event`], in order.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn new(tell: Box<dyn FnMut(SearchEvent) + Send>) -> io::Result<Session> {
        let searches = SearchQueue::start(tell)?;
        Ok(Session { state: State::default(), searches, human: false })
    }

    /// Names the database that `INFO usedatabase 1` opens; without a name it
    /// opens none.
    pub fn set_usual_database(&mut self, path: PathBuf) {
        self.state.sources.database.set_usual(path);
    }

    /// Greets a human at a terminal, who will then also be helped.
    pub fn greet(&mut self, out: Out) {
        self.human = true;
        help::greeting().for_each(out);
    }

    /// Whether an answer is due.
    pub fn is_searching(&self) -> bool {
        self.searches.is_answer_due()
    }

    /// Obeys a command, or answers a malformed line.
    pub fn handle(&mut self, event: Event, out: Out) -> Flow {
        self.handle_since(event, Instant::now(), out)
    }

    /// The same with a command that arrived at `arrived`, from when its clock runs.
    pub fn handle_since(&mut self, event: Event, arrived: Instant, out: Out) -> Flow {
        if event == Ok(Command::End) {
            self.searches.stop();
            return Flow::Quit;
        }
        self.state.arrived = arrived;
        let rule = self.rule(&event);
        if !self.searches.admits(rule) {
            self.searches.push(event, arrived);
            return Flow::Continue;
        }
        self.obey(event, out);
        if matches!(rule, Rule::Hurry | Rule::HurryBehindAsides) {
            self.searches.hurry(&self.state.limits().clock);
        }
        // They were those of another rule.
        self.searches.drop_forbidden_but(self.state.settings.variant().ok());
        Flow::Continue
    }

    /// No more commands will come. Whether an answer is still due: then the
    /// search events come until it has been given.
    pub fn end_of_input(&mut self) -> Flow {
        if !self.is_searching() {
            return Flow::Quit;
        }
        self.searches.close();
        Flow::Continue
    }

    /// What becomes of a command.
    fn rule(&self, event: &Event) -> Rule {
        let Some(running) = self.searches.running() else { return Rule::Now };
        let client = if self.searches.is_closing() {
            Client::Gone
        } else if self.state.settings.is_first_yixin_board() {
            Client::FirstYixinBoard
        } else {
            Client::Any
        };
        let shown = match event {
            Ok(Command::Yixin(YixinCommand::Board(list))) if running == Running::Dialogue => {
                self.state.opening.is_about(list)
            }
            _ => false,
        };
        let facts = Facts {
            shows_step: shown,
            forbidden_known: self.searches.forbidden().is_some(),
            excludes: self.state.sources.exclusions.any(),
        };
        rule(client, running, Class::of(event, &facts))
    }

    /// Obeys a command, which may begin a search.
    fn obey(&mut self, event: Event, out: Out) {
        let ordered = self.order(event, out);
        let done = ordered.and_then(|order| order.map_or(Ok(()), |order| self.search(order)));
        // A move may have been looked up.
        let faults = self.state.sources.proofs.faults();
        faults.into_iter().for_each(|fault| out(Reply::Message(fault)));
        if let Err(error) = done {
            out(Reply::Error(error.to_string()));
        }
    }

    /// The search that a command asks for; none if it is obeyed without.
    fn order(&mut self, event: Event, out: Out) -> Result<Option<SearchOrder>, CommandError> {
        let command = match event {
            Ok(command) => command,
            Err(error) => {
                self.complain(&error, out);
                return Ok(None);
            }
        };
        let limits = self.state.limits();
        let State { settings, at_hand, .. } = &mut self.state;
        let (in_family, axes) = (at_hand.is_family(), settings.axes());
        let order = match command {
            Command::Start { width, height } | Command::RectStart { width, height } => {
                game::start(&mut self.state, width, height, out)?;
                return Ok(None);
            }
            Command::Restart => {
                game::restart(&mut self.state, out)?;
                return Ok(None);
            }
            Command::Begin => game::begin(at_hand, settings, &limits),
            Command::Takeback(at) => {
                game::take_back(at_hand, settings, at)?;
                out(Reply::Ok);
                return Ok(None);
            }
            Command::Turn(at) if in_family => {
                family::turn_ply(at_hand, axes, &limits, &Ply::one(at), out)
            }
            Command::TurnPly(ply) => match ply.first() {
                // Words after the coordinate mean nothing to Gomocup.
                Some(at) if !in_family && ply.is_single() => {
                    gomocup::turn(at_hand, settings, &limits, at, out)
                }
                _ => family::turn_ply(at_hand, axes, &limits, &ply, out),
            },
            Command::Plies(texts) => family::plies(at_hand, &limits, &texts, out),
            Command::Board(_) | Command::Play(_) | Command::Swap2Board(_) if in_family => {
                Err(CommandError::NotHere(command.keyword()))
            }
            Command::Turn(at) => gomocup::turn(at_hand, settings, &limits, at, out),
            Command::Board(list) => gomocup::board(at_hand, settings, &limits, &list, out),
            Command::Swap2Board(list) => gomocup::swap2(at_hand, settings, &limits, &list, out),
            Command::Play(at) => {
                gomocup::play(at_hand, settings, at, out)?;
                return Ok(None);
            }
            Command::Info(info) => {
                info::inform(&mut self.state, &info, out);
                return Ok(None);
            }
            Command::About => {
                out(Reply::About(about()));
                return Ok(None);
            }
            // Idle already. Yixin-Board sends yxstop with every undo.
            Command::Stop | Command::End => return Ok(None),
            Command::Yixin(YixinCommand::ShowForbid) => {
                let known = self.searches.forbidden().cloned();
                out(known.map_or_else(|| at_hand.forbidden(settings), Ok)?);
                return Ok(None);
            }
            Command::Yixin(command) => return yixin::obey(&mut self.state, command, out),
        };
        // gomocalc alone may have us swap.
        let State { settings, at_hand, .. } = &mut self.state;
        gomocup::swap_first(at_hand, settings, order?).map(Some)
    }

    /// Answers a malformed line.
    fn complain(&mut self, error: &ParseError, out: Out) {
        self.state.at_hand.refused |= matches!(
            error,
            ParseError::Invalid { command: "BOARD" | "SWAP2BOARD" | "YXBOARD" | "PLIES", .. }
        );
        match error {
            ParseError::Unknown { text } if self.human && help::wanted(text) => {
                help::lines().for_each(out);
            }
            // Yixin-Board 2.1 takes lines it does not know for moves, and an
            // unknown list leaves its lines behind.
            ParseError::Unknown { .. } | ParseError::Stray { .. }
                if self.state.settings.yixin() || error.is_extension() => {}
            _ => out(error.reply()),
        }
    }
}

fn about() -> About {
    About::new("Goren", env!("CARGO_PKG_VERSION"), "the Goren authors", "international")
}

//! The type [`Session`], the states of its game, and the time limits of START.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use goren_protocol::{Event, Point};

use super::active_search::ActiveSearch;
use super::closing::Closing;
use super::database::DatabaseState;
use super::family_game::FamilyGame;
use super::job::SearchEvent;
use super::proofs::Proofs;
use super::requested_game::RequestedGame;
use super::search_thread::SearchThread;
use super::settings::Settings;
use super::weights::Loaded;
use super::yixin::{Opinion, Step, UserExclusions};
use goren_engine::{Engine, Game, Hash, Overshoot, Params};

/// How long after START a rehearsal may last, and all that is done before its
/// OK. Managers wait for that a hundred times as long, but measure it.
pub(super) const REHEARSAL: Duration = Duration::from_millis(15);
pub(super) const WARM_UP: Duration = Duration::from_millis(30);

/// Whether to go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// More events are welcome.
    Continue,
    /// The process must exit at once, without another word.
    Quit,
}

/// The state of a game and of all settings.
pub struct Session {
    pub(super) settings: Settings,
    pub(super) requested_game: RequestedGame,
    pub(super) state: State,
    /// The table of all searches.
    pub(super) hash: Hash,
    /// What searches the game at hand, unless it is lent to the search thread.
    pub(super) engine: Engine,
    pub(super) weights: Loaded,
    pub(super) proofs: Proofs,
    pub(super) params: Params,
    pub(super) database_state: DatabaseState,
    pub(super) user_exclusions: UserExclusions,
    /// The step of an opening that is being thought about, or was last, and
    /// what decided it.
    pub(super) step: Option<Step>,
    /// Its stones, and the fifths offered.
    pub(super) step_stones: Vec<Point>,
    pub(super) dialogue: Option<Box<FamilyGame>>,
    /// Whether the position that was shown last, to be searched by another
    /// command, was none.
    pub(super) refused: bool,
    /// What we thought of the game when we moved last.
    pub(super) opinion: Option<Opinion>,
    /// Games begun.
    pub(super) games: u64,
    pub(super) search_thread: SearchThread,
    pub(super) overshoot: Overshoot,
    /// What came during a search and must wait for the answer.
    pub(super) waiting: VecDeque<(Event, Instant)>,
    /// When the command being obeyed arrived.
    pub(super) arrived: Instant,
    /// That no more commands will come.
    pub(super) closing: Option<Closing>,
    /// Whether a human types the commands.
    pub(super) human: bool,
}

/// What the session is doing, with the game at hand.
pub(super) enum State {
    /// Before START.
    Unstarted,
    /// Waiting for a command.
    Idle(Box<dyn Game>),
    /// Likewise, in a game named by `INFO variant`.
    Family(Box<FamilyGame>),
    /// The game is with the search thread.
    Searching(Box<ActiveSearch>),
}

impl Session {
    /// A session before START. `tell` is called from the search thread; what
    /// it gets must be handed to [`Session::search_event`], in order.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn new(tell: Box<dyn FnMut(SearchEvent) + Send>) -> io::Result<Session> {
        let hash = Hash::default();
        Ok(Session {
            settings: Settings::default(),
            requested_game: RequestedGame::default(),
            state: State::Unstarted,
            engine: Engine::with_hash(hash.clone()),
            hash,
            weights: Loaded::default(),
            proofs: Proofs::default(),
            params: Params::default(),
            database_state: DatabaseState::default(),
            user_exclusions: UserExclusions::default(),
            step: None,
            step_stones: Vec::new(),
            dialogue: None,
            refused: false,
            opinion: None,
            games: 0,
            search_thread: SearchThread::start(tell)?,
            overshoot: Overshoot::default(),
            waiting: VecDeque::new(),
            arrived: Instant::now(),
            closing: None,
            human: false,
        })
    }

    /// Names the database that `INFO usedatabase 1` opens; without a name it
    /// opens none.
    pub fn set_usual_database(&mut self, path: PathBuf) {
        self.database_state.set_usual(path);
    }
}

impl Drop for Session {
    /// Nobody waits for the answer any more.
    fn drop(&mut self) {
        if let State::Searching(active) = &self.state {
            active.control.stop();
        }
    }
}

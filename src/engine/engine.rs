//! [`Engine`], through which all searches are started.

use std::io;
use std::time::Instant;

use crate::hash::TableHandle;
use crate::search::{
    Answer, Params, Report, Request, Sampler, SearchState, Searchable, Solver, new_solver,
};
use crate::stack;
use crate::tt::TableError;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Move};

/// Why a search could not start.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Not even the smallest transposition table could be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No thread with a large enough stack could be started.
    #[error("cannot start a search thread: {0}")]
    Thread(#[from] io::Error),
}

/// Searches positions. It keeps the transposition table, and the histories and
/// parameters of the search, from one search to the next.
///
/// A search takes a position and a [`Request`], sends [`Report`]s while it runs and
/// returns one [`Answer`]. One engine can search positions of different games.
///
/// The best move of a position:
///
/// ```
/// use std::time::Duration;
///
/// use goren_core::opening::{Action, GameState};
/// use goren_core::rules::{Contest, RuleId, Setup};
/// use goren_core::types::Cell;
/// use goren_engine::{Engine, Request, WeightSet, position_of};
///
/// let mut game = GameState::new(Contest::five(Setup::new(RuleId::Freestyle, 15, 15)?));
/// for (x, y) in [(7, 7), (8, 6), (7, 6)] {
///     game.apply(&Action::stone(Cell::new(x, y)))?;
/// }
/// let position = position_of(&game, &WeightSet::default());
/// let request = Request::per_move(Duration::from_millis(200));
/// let answer = Engine::new().go(&*position, &request, &mut |_| {})?;
/// println!("{} {}", answer.best.cell().label(15), answer.info.score);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Analysis with several PVs (multi-PV), here of a game of Pente:
///
/// ```
/// use goren_core::opening::{Action, GameState};
/// use goren_core::rules::{Contest, Variant};
/// use goren_core::types::Cell;
/// use goren_engine::{Engine, Report, Request, WeightSet, position_of};
///
/// let contest = Contest::new(Variant::from_name("pente")?);
/// let mut game_state = GameState::new(contest);
/// game_state.apply(&Action::stone(Cell::new(9, 9)))?;
/// let position = position_of(&game_state, &WeightSet::default());
/// let request = Request { multi_pv: 3, ..Request::nodes(5_000) };
/// let mut lines = Vec::new();
/// Engine::new().go(&*position, &request, &mut |report| {
///     if let Report::Pv(info) = report {
///         if info.pv_index == 0 {
///             lines.clear();
///         }
///         lines.push(info.clone());
///     }
/// })?;
/// assert_eq!(lines.len(), 3);
/// assert!(lines[0].score >= lines[1].score);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A win by continuous fours (VCF):
///
/// ```
/// use goren_core::rules::{RuleId, Setup};
/// use goren_core::types::{Cell, Color, Stone};
/// use goren_engine::Engine;
///
/// let setup = Setup::new(RuleId::Freestyle, 15, 15)?;
/// // Two open threes of Black's cross; White's stones are far away.
/// let black = [(5, 7), (6, 7), (7, 7), (8, 4), (8, 5), (8, 6)];
/// let white = [(0, 0), (2, 0), (4, 0), (0, 14), (2, 14), (4, 14)];
/// let stone = |color: Color| move |(x, y)| (Cell::new(x, y), Stone::Of(color));
/// let stones: Vec<_> =
///     black.map(stone(Color::Black)).into_iter().chain(white.map(stone(Color::White))).collect();
/// let mut solver = Engine::new().solver(setup)?;
/// solver.set_up(&stones, Color::Black);
/// let (first, plies) = solver.vcf(10_000, &Default::default()).expect("a win by fours");
/// println!("{} wins in {plies}", first.label(15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Engine {
    state: SearchState,
    hash: TableHandle,
}

impl Engine {
    /// Creates an engine with its own transposition table of at most 256 MiB.
    pub fn new() -> Engine {
        Engine::default()
    }

    /// Creates an engine with the given transposition table. Engines with clones of one
    /// [`TableHandle`] share the table.
    pub fn with_hash(hash: TableHandle) -> Engine {
        Engine { state: SearchState::default(), hash }
    }

    /// The transposition table.
    pub fn hash(&self) -> &TableHandle {
        &self.hash
    }

    /// Sets the parameters of later searches.
    pub fn set_params(&mut self, params: &Params) {
        self.state.params.clone_from(params);
    }

    /// Makes each later search sample `count` of the positions that its first thread
    /// evaluates, all with the same chance; 0 turns this off. Equal seeds and searches
    /// give equal samples. Only for five in a row.
    pub fn set_sampling(&mut self, seed: u64, count: usize) {
        self.state.sampler = (count > 0).then(|| Sampler::new(seed, count));
    }

    /// Returns the moves from the root to each position sampled in the last search
    /// ([`Engine::set_sampling`]); no moves for the root itself.
    pub fn sampled(&self) -> &[Vec<Cell>] {
        self.state.sampler.as_ref().map_or(&[], Sampler::lines)
    }

    /// Searches a position for the best move of the side to move, until a limit of the
    /// request is met or [`Request::control`] stops it. Progress reports go to
    /// `observer`.
    ///
    /// # Errors
    /// The transposition table or a thread could not be allocated; nothing was
    /// searched.
    pub fn go(
        &mut self,
        position: &dyn Searchable,
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Result<Answer, EngineError> {
        let table = self.hash.for_search(request)?;
        let state = &mut self.state;
        Ok(stack::run(|| position.search(state, &table, request, observer))?)
    }

    /// Searches for a win of the side to move by threats alone (VCT), within the node
    /// and time limits of the request. Returns its first move and its length in plies;
    /// `None` does not mean that there is no win.
    ///
    /// # Errors
    /// The transposition table or a thread could not be allocated; nothing was
    /// searched.
    pub fn vct(
        &mut self,
        position: &dyn Searchable,
        request: &Request,
    ) -> Result<Option<(Move, usize)>, EngineError> {
        let table = self.hash.for_search(request)?;
        let state = &mut self.state;
        Ok(stack::run(|| position.vct(state, &table, request))?)
    }

    /// Creates a VCF and VCT solver for positions of a rule of five in a row on one board size. It
    /// shares the transposition table of the engine.
    ///
    /// # Errors
    /// The transposition table could not be allocated.
    pub fn solver(&self, setup: Setup) -> Result<Box<dyn Solver>, TableError> {
        Ok(new_solver(setup, self.hash.for_search(&Request::default())?))
    }

    /// Warm-up: a short search in the game of `position`, until `until` at the latest,
    /// so that code, lookup tables and memory are loaded before a search whose time
    /// counts. Clears the histories, as [`Engine::forget`] does.
    pub fn warm_up(&mut self, position: &dyn Searchable, until: Instant) {
        position.warm_up(&mut self.state, until);
    }

    /// Clears the histories and the score of the last search, but not the transposition
    /// table.
    pub fn forget(&mut self) {
        self.state.forget();
    }
}

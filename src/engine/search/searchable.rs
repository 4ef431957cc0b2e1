//! [`Searchable`], the object-safe interface between an [`Engine`](crate::Engine) and
//! the search, which is monomorphised for each game.

use std::time::Instant;

use super::report::{Answer, Report};
use super::request::Request;
use super::state::SearchState;
use super::worker::{Shared, Worker};
use crate::game::Position;
use crate::tt::Table;
use goren_core::types::{MAX_SIDE, Move};

/// A position that an engine can search. Only this crate implements it; to search a
/// position of your own type, wrap it in [`SearchablePosition`].
pub trait Searchable: Sync {
    /// Number of stones on the board and of cells of the board, the arguments of
    /// [`Clock::budget`](super::time::Clock::budget).
    fn stones_and_area(&self) -> (usize, usize);
    /// Searches for the best move and reports progress.
    #[doc(hidden)]
    fn search(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
        observer: &mut dyn FnMut(&Report),
    ) -> Answer;
    /// Runs a warm-up search in the game of this position, until `until` at the latest; its
    /// starting position makes no difference to later searches.
    #[doc(hidden)]
    fn warm_up(&self, state: &mut SearchState, until: Instant);
    /// Searches for a VCT. Returns its first move and length in plies.
    #[doc(hidden)]
    fn vct(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
    ) -> Option<(Move, usize)>;
}

/// A type that holds a position to search; every such type is [`Searchable`].
pub(super) trait HasPosition: Sync {
    /// The type of the position.
    type Position: Position;
    /// The position.
    fn position(&self) -> &Self::Position;
    /// Returns the position where the warm-up search starts: the empty board of the same game, or
    /// the position itself if the type has no empty board.
    fn warm_up_position(&self) -> Self::Position;
    /// Number of stones on the board, and of cells of the board.
    fn size(&self) -> (usize, usize);
    /// Whether a pass is known to have led to the position.
    fn passed(&self) -> bool {
        false
    }
}

impl<H: HasPosition> Searchable for H {
    fn stones_and_area(&self) -> (usize, usize) {
        self.size()
    }

    fn search(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
        observer: &mut dyn FnMut(&Report),
    ) -> Answer {
        state.think(self.position(), self.size().0, self.passed(), table, request, observer)
    }

    fn warm_up(&self, state: &mut SearchState, until: Instant) {
        state.warm_up(self.warm_up_position(), until);
    }

    fn vct(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
    ) -> Option<(Move, usize)> {
        let position = self.position();
        let shared = Shared::new(position, table, request);
        let (params, history) = state.first_history();
        Worker::new(position.clone(), &shared, params, history).vct(shared.max_nodes())
    }
}

/// Makes any [`Position`] searchable.
///
/// ```
/// use goren_core::rules::{Freestyle, RuleId, Setup};
/// use goren_core::types::{Cell, Color};
/// use goren_engine::game::Five;
/// use goren_engine::{Engine, Request, SearchablePosition};
///
/// let setup = Setup::new(RuleId::Freestyle, 15, 15)?;
/// let mut position = Five::<Freestyle>::new(setup);
/// position.put(Cell::new(7, 7), Color::Black);
/// let position = SearchablePosition(position);
/// let answer = Engine::new().go(&position, &Request::nodes(1_000), &mut |_| {})?;
/// assert!(answer.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchablePosition<P>(pub P);

impl<P: Position> HasPosition for SearchablePosition<P> {
    type Position = P;

    fn position(&self) -> &P {
        &self.0
    }

    fn warm_up_position(&self) -> P {
        self.0.clone()
    }

    /// Neither number is known: no stones on the largest board.
    fn size(&self) -> (usize, usize) {
        (0, MAX_SIDE * MAX_SIDE)
    }
}

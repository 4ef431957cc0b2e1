//! What an [`Engine`](crate::Engine) can search: one object per kind of position.

use std::time::Instant;

use super::report::{Answer, Report};
use super::request::Request;
use super::state::SearchState;
use super::worker::{Shared, Worker};
use crate::game::Position;
use crate::tt::Table;
use goren_core::types::{MAX_SIDE, Move};

/// A position that an engine searches. Implemented by the positions of this crate
/// alone; one of your own is handed over as [`Own`].
pub trait Searchable: Sync {
    /// Stones placed and cells of the board, for the time manager.
    fn measures(&self) -> (usize, usize);
    /// Searches for the best move and reports progress.
    #[doc(hidden)]
    fn search(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
        report: &mut dyn FnMut(&Report),
    ) -> Answer;
    /// Warm-up search from the empty board, until some time at the latest.
    #[doc(hidden)]
    fn rehearse(&self, state: &mut SearchState, until: Instant);
    /// Searches for a VCT: its first move and length in plies.
    #[doc(hidden)]
    fn threats(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
    ) -> Option<(Move, usize)>;
}

/// What holds a position to search.
pub(super) trait HasPosition: Sync {
    /// The kind of position.
    type Position: Position;
    /// The position.
    fn position(&self) -> &Self::Position;
    /// A position of the same kind on the empty board, for the warm-up.
    fn empty(&self) -> Self::Position;
    /// Stones placed and cells of the board.
    fn size(&self) -> (usize, usize);
}

impl<H: HasPosition> Searchable for H {
    fn measures(&self) -> (usize, usize) {
        self.size()
    }

    fn search(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        state.think(self.position(), self.size().0, table, request, report)
    }

    fn rehearse(&self, state: &mut SearchState, until: Instant) {
        state.rehearse(self.empty(), until);
    }

    fn threats(
        &self,
        state: &mut SearchState,
        table: &Table,
        request: &Request,
    ) -> Option<(Move, usize)> {
        let position = self.position();
        let shared = Shared::new(position, table, request);
        let (params, history) = state.first_history();
        Worker::new(position.clone(), &shared, params, history).prove(shared.max_nodes())
    }
}

/// A position of your own kind: whatever implements [`Position`].
///
/// ```
/// use goren_core::rules::{Freestyle, RuleId, Setup};
/// use goren_core::types::{Cell, Color};
/// use goren_engine::game::Five;
/// use goren_engine::{Engine, Own, Request};
///
/// let setup = Setup::new(RuleId::Freestyle, 15, 15)?;
/// let mut position = Five::<Freestyle>::new(setup);
/// position.put(Cell::new(7, 7), Color::Black);
/// let answer = Engine::new().go(&Own(position), &Request::nodes(1_000), &mut |_| {})?;
/// assert!(answer.best.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Own<P>(pub P);

impl<P: Position> HasPosition for Own<P> {
    type Position = P;

    fn position(&self) -> &P {
        &self.0
    }

    fn empty(&self) -> P {
        self.0.clone()
    }

    /// How large the board is, is not known.
    fn size(&self) -> (usize, usize) {
        (0, MAX_SIDE * MAX_SIDE)
    }
}

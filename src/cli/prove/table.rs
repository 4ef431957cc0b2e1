//! Transposition table shared by the solvers of a run.

use goren_core::rules::Setup;
use goren_engine::{Engine, Request, Solver, TableError, TableHandle};

/// Allocates a table of `mib` MiB.
///
/// # Errors
/// Not enough memory.
pub(crate) fn hash_of(mib: usize) -> Result<TableHandle, TableError> {
    let hash = TableHandle::exactly(mib.saturating_mul(1 << 20));
    hash.for_search(&Request::default())?;
    Ok(hash)
}

/// Creates a solver that uses a table made by [`hash_of`].
pub(crate) fn solver_of(hash: &TableHandle, setup: Setup) -> Box<dyn Solver> {
    Engine::with_hash(hash.clone()).solver(setup).expect("a table that is there")
}

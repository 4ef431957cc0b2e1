//! Table shared by the solvers of a run.

use goren_core::rules::Setup;
use goren_engine::{Engine, Hash, Request, Solver, TableError};

/// A table of `mib` MiB.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn hash_of(mib: usize) -> Result<Hash, TableError> {
    let hash = Hash::exactly(mib.saturating_mul(1 << 20));
    hash.for_search(&Request::default())?;
    Ok(hash)
}

/// A solver that uses a table made by [`hash_of`].
pub(crate) fn solver_of(hash: &Hash, setup: Setup) -> Box<dyn Solver> {
    Engine::with_hash(hash.clone()).solver(setup).expect("a table that is there")
}

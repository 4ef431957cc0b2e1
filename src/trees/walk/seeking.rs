//! The solvers' search for a win while a tree is still being read.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, PROVEN, Stone};
use goren_engine::{Control, Engine, Request, TableHandle, stack};

/// Number of attacker's stones that the VCF search may place.
const VCF_STONES: u64 = 2_000;
/// Node limit of the first VCT search, and the factor by which it grows for each further one.
const FIRST_NODES: u64 = 10_000;
const GROWTH: u64 = 4;

/// A search for a proven win on a thread of its own; dropping it stops the search.
pub(super) struct Seeking {
    found: Arc<Mutex<Option<Cell>>>,
    control: Arc<Control>,
}

impl Seeking {
    /// Starts the search for a win of `attacker`, who is to move, with the transposition table
    /// `hash`.
    ///
    /// # Errors
    /// No thread can be started, or there is no memory for the table.
    pub(super) fn begin(
        setup: Setup,
        stones: Vec<(Cell, Stone)>,
        attacker: Color,
        hash: &TableHandle,
    ) -> Result<Seeking> {
        hash.for_search(&Request::default())?;
        let (found, control) = (Arc::new(Mutex::new(None)), Arc::new(Control::default()));
        let seeking = Seeking { found: found.clone(), control: control.clone() };
        let mut solver = Engine::with_hash(hash.clone()).solver(setup)?;
        let work = move || {
            solver.set_up(&stones, attacker);
            let mut win = solver.vcf(VCF_STONES, &control).map(|(m, _)| m);
            let mut nodes = FIRST_NODES;
            while win.is_none() && !control.stopped() {
                win = solver.vct_in_thread(nodes, 0, &control).map(|(m, _)| m);
                if win.is_none() {
                    let best = solver.best(nodes, &[], &control);
                    win = best.filter(|&(_, score)| score >= PROVEN).map(|(m, _)| m);
                }
                nodes = nodes.saturating_mul(GROWTH);
            }
            *found.lock().unwrap_or_else(PoisonError::into_inner) = win;
        };
        stack::spawn("seeking", work).context("cannot start a thread for the search")?;
        Ok(seeking)
    }

    /// The winning move, if the search has found one.
    pub(super) fn found(&self) -> Option<Cell> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seeking {
    fn drop(&mut self) {
        self.control.stop();
    }
}

//! A win looked for by the solvers while a tree is still being read.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, PROVEN, Stone};
use goren_engine::{Control, Engine, Hash, Request, stack};

/// Stones of the attacker that the look for a win by fours may place.
const FOURS: u64 = 2_000;
/// Positions that the first look for a win by threats may see, and how many times
/// as many each further one.
const FIRST: u64 = 10_000;
const GROWTH: u64 = 4;

/// A search for a proven win on a thread of its own, which ends with it.
pub(super) struct Seeking {
    found: Arc<Mutex<Option<Cell>>>,
    control: Arc<Control>,
}

impl Seeking {
    /// Looks for a win of a side that is to move, by the table.
    ///
    /// # Errors
    /// There is no thread, or no memory for the table.
    pub(super) fn begin(
        setup: Setup,
        stones: Vec<(Cell, Stone)>,
        attacker: Color,
        hash: &Hash,
    ) -> Result<Seeking> {
        hash.for_search(&Request::default())?;
        let (found, control) = (Arc::new(Mutex::new(None)), Arc::new(Control::default()));
        let seeking = Seeking { found: found.clone(), control: control.clone() };
        let mut solver = Engine::with_hash(hash.clone()).solver(setup)?;
        let work = move || {
            solver.set_up(&stones, attacker);
            let mut win = solver.vcf(FOURS, &control).map(|(m, _)| m);
            let mut nodes = FIRST;
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
        stack::spawn("seeking", work).context("no thread for the search")?;
        Ok(seeking)
    }

    /// A move that wins, if one is found.
    pub(super) fn found(&self) -> Option<Cell> {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seeking {
    fn drop(&mut self) {
        self.control.stop();
    }
}

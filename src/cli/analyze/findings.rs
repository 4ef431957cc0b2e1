//! The lines of a search for display.

use goren_core::types::Cell;
use goren_engine::Info;

/// Returns the stones of a line.
pub(crate) fn cells(info: &Info) -> Vec<Cell> {
    info.pv.iter().map(|m| m.cell()).collect()
}

//! The lines of a search as they are shown.

use goren_core::types::Cell;
use goren_engine::Info;

/// The stones of a line.
pub(crate) fn cells(info: &Info) -> Vec<Cell> {
    info.pv.iter().map(|m| m.cell()).collect()
}

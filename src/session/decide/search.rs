//! A search that always answers.

use goren_core::types::Move;
use goren_engine::{Answer, Engine, Info, Report, Request, Searchable};

/// Searches a position. Where there is no memory or no thread for it, nothing is
/// known and no move is best.
pub(crate) fn search(
    engine: &mut Engine,
    position: &dyn Searchable,
    request: &Request,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Answer {
    let nothing = |_| Answer { best: Move::NONE, info: Info::NOTHING };
    engine.go(position, request, report).unwrap_or_else(nothing)
}

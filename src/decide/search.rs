//! A search that cannot fail.

use goren_core::types::Move;
use goren_engine::{Answer, Engine, Info, Report, Request, Searchable};

/// Searches a position. Without memory or a thread for it, the answer has no move and no
/// info.
pub fn search(
    engine: &mut Engine,
    position: &dyn Searchable,
    request: &Request,
    observer: &mut (dyn FnMut(&Report) + Send),
) -> Answer {
    let nothing = |_| Answer { best: Move::NONE, info: Info::NOTHING };
    engine.go(position, request, observer).unwrap_or_else(nothing)
}

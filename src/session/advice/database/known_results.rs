//! Results of the database for the search, and the result of the search for the database.
//!
//! Labels in the file come from the user and are trusted, for root moves and below. A
//! result that is written back may depend on a label; it remains when the user deletes
//! that label.

use std::time::{Duration, Instant};

use super::probe::place_of;
use super::proves::Proves;
use super::state::DatabaseState;
use crate::search::allowance::Allowance;
use crate::search::job::Task;
use crate::state::five_position::FivePosition;
use goren_core::types::{Score, loss_in, plies_to_end, win_in};
use goren_database::below::{Proof, Reach, below};
use goren_database::{Bound, Key, Label, MATE, MATES, Record};
use goren_engine::{Info, KnownResult};

/// Most positions visited before a search, at about 0.14 ms each on a busy machine.
/// Meanwhile no command is obeyed, not even a stop.
const MOST_POSITIONS: usize = 200;
/// Most plies from the root of a result passed to the search.
const MOST_PLIES: usize = 16;
/// One part in this many of the time of a move may be used.
const SHARE: u32 = 10;
/// Most time used.
const MOST_TIME: Duration = Duration::from_millis(30);
/// Plies to the end for a result of unknown length: more than a record can hold.
const UNKNOWN: usize = (MATE - MATES) as usize;

/// The results that the database has below the position of a game, for a task that
/// searches it.
pub fn known_results(
    state: &DatabaseState,
    game: &FivePosition,
    task: Task,
    allowance: &Allowance,
) -> Vec<KnownResult> {
    let Some(database) = &state.open else { return Vec::new() };
    let whole = matches!(task, Task::Move | Task::Analyse | Task::Ponder);
    let Some(place) = place_of(game).filter(|_| whole) else { return Vec::new() };
    let hard = allowance.budget().hard;
    // Without a clock the search must depend on the position alone.
    let until = (hard != Duration::MAX).then(|| Instant::now() + (hard / SHARE).min(MOST_TIME));
    let reach = Reach { positions: MOST_POSITIONS, plies: MOST_PLIES, until };
    let found = below(database.store(), &place, &reach);
    found.proofs.into_iter().map(known_result).collect()
}

/// The record to write for a result that a search has proven for the position of a game.
/// `None` if nothing is proven or the position has a label already.
pub fn proven(
    state: &DatabaseState,
    game: &FivePosition,
    proves: Proves,
    told: &Info,
) -> Option<(Key, Record)> {
    let counts = if told.score > 0 { proves.win } else { proves.loss };
    // Since then the user may have deleted what the result depends on.
    let kept = counts && !state.read_only && !state.changed;
    let plies = plies_to_end(told.score).filter(|_| kept)?;
    let database = state.open.as_ref()?;
    let place = place_of(game).filter(|place| place.count() > 0)?;
    let key = place.key()?;
    let mut record = database.store().get(&key).unwrap_or_default();
    if record.label != Label::NONE && record.label != Label::NULL {
        return None;
    }
    // A label is relative to the side that has just moved.
    record.label = if told.score > 0 { Label::LOSE } else { Label::WIN };
    let value = i32::from(MATE) - plies.min(UNKNOWN) as i32;
    record.value = (value * told.score.signum()) as i16;
    record.set_depth(told.depth.into(), Bound::Exact);
    Some((key, record))
}

/// Converts a result of the database for the search.
fn known_result(proof: Proof) -> KnownResult {
    let plies = proof.plies.unwrap_or(UNKNOWN);
    let score: Score = if proof.wins { win_in(plies) } else { loss_in(plies) };
    KnownResult { path: proof.path, score }
}

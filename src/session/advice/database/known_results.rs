//! Known results for a search from the database, and the result of the search back
//! into it.
//!
//! Labels of the file come from the user and are believed, at the root moves and
//! below. A result written back may rest on a label, and stays after the user
//! deletes that label.

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

/// Most positions that are looked at before a search, some 0.14 ms each on a
/// busy machine: nothing is heard meanwhile, and a stop must not have to wait.
const MOST_POSITIONS: usize = 200;
/// Farthest results that a search is told of, in plies.
const MOST_PLIES: usize = 16;
/// Share of the time for a move that the look may take: one in so many.
const SHARE: u32 = 10;
/// The most it may take.
const MOST_TIME: Duration = Duration::from_millis(30);
/// Plies that stand for a number nobody knows: more than a record can say.
const UNKNOWN: usize = (MATE - MATES) as usize;

/// What the database knows below the position of a game that a task is about.
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
    // Without a clock a search depends on nothing but its position.
    let until = (hard != Duration::MAX).then(|| Instant::now() + (hard / SHARE).min(MOST_TIME));
    let reach = Reach { positions: MOST_POSITIONS, plies: MOST_PLIES, until };
    let found = below(database.store(), &place, &reach);
    found.proofs.into_iter().map(known_result).collect()
}

/// The record that a search has proven of the position of a game, unless there is
/// one with a label.
pub fn proven(
    state: &DatabaseState,
    game: &FivePosition,
    proves: Proves,
    told: &Info,
) -> Option<(Key, Record)> {
    let counts = if told.score > 0 { proves.win } else { proves.loss };
    // It may rest on what the user has taken back meanwhile.
    let kept = counts && !state.read_only && !state.changed;
    let plies = plies_to_end(told.score).filter(|_| kept)?;
    let database = state.open.as_ref()?;
    let place = place_of(game).filter(|place| place.count() > 0)?;
    let key = place.key()?;
    let mut record = database.store().get(&key).unwrap_or_default();
    if record.label != Label::NONE && record.label != Label::NULL {
        return None;
    }
    // A label is told from the side that has just moved.
    record.label = if told.score > 0 { Label::LOSE } else { Label::WIN };
    let value = i32::from(MATE) - plies.min(UNKNOWN) as i32;
    record.value = (value * told.score.signum()) as i16;
    record.set_depth(told.depth.into(), Bound::Exact);
    Some((key, record))
}

/// A proof as a search is told of it.
fn known_result(proof: Proof) -> KnownResult {
    let plies = proof.plies.unwrap_or(UNKNOWN);
    let score: Score = if proof.wins { win_in(plies) } else { loss_in(plies) };
    KnownResult { path: proof.path, score }
}

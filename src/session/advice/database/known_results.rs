//! Results of the database as known results of the search.
//!
//! Labels in the file come from the user and are trusted, for root moves and below.

use std::time::{Duration, Instant};

use super::probe::place_of;
use super::state::DatabaseState;
use crate::order::allowance::Allowance;
use crate::order::task::Task;
use crate::state::five_position::FivePosition;
use goren_core::types::{Score, loss_in, win_in};
use goren_database::below::{Proof, Reach, below};
use goren_database::{MATE, MATES};
use goren_engine::KnownResult;

/// Maximum number of positions visited before a search, at about 0.14 ms each on a busy
/// machine. Meanwhile the engine obeys no command, not even a stop.
const MAX_POSITIONS: usize = 200;
/// Maximum number of plies from the root to a result passed to the search.
const MAX_PLIES: usize = 16;
/// Divisor of the time of a move that the lookup may use.
const TIME_DIVISOR: u32 = 10;
/// Maximum time of the lookup.
const MAX_TIME: Duration = Duration::from_millis(30);
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
    let uses_results = matches!(task, Task::Move | Task::Analyse | Task::Ponder);
    let Some(place) = place_of(game).filter(|_| uses_results) else { return Vec::new() };
    let hard = allowance.budget().hard;
    // Without a clock the search must depend on the position alone.
    let until =
        (hard != Duration::MAX).then(|| Instant::now() + (hard / TIME_DIVISOR).min(MAX_TIME));
    let reach = Reach { positions: MAX_POSITIONS, plies: MAX_PLIES, until };
    let found = below(database.store(), &place, &reach);
    found.proofs.into_iter().map(known_result).collect()
}

/// Converts a result of the database for the search.
fn known_result(proof: Proof) -> KnownResult {
    let plies = proof.plies.unwrap_or(UNKNOWN);
    let score: Score = if proof.wins { win_in(plies) } else { loss_in(plies) };
    KnownResult { path: proof.path, score }
}

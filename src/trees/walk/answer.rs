//! The attacker's move in a position of the walk: the move of the tree, or, while the tree is
//! still being read, one that the solvers find.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::reading::ReadState;
use super::seeking::Seeking;
use super::source::TreeSource;
use goren_core::types::Cell;
use goren_engine::{Control, TableHandle};
use goren_proof::{Checker, Claim, Keys, ProofBoard};

/// Time for which only the tree is asked, before the solvers start.
const HEAD_START: Duration = Duration::from_millis(1_000);
/// Time limit of the wait for a move once reading has stopped for lack of memory.
const LONGEST: Duration = Duration::from_secs(60);
/// The first pause between two queries of the tree, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];
/// Interval at which a pause checks whether the wait was ended.
const POLL: Duration = Duration::from_millis(20);

/// The result of asking for a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum FoundMove {
    /// The move, the base that it is known for, and whether it comes from the tree.
    Move { m: Cell, base: Keys, read: bool },
    /// The tree has no move.
    None,
    /// No move yet, and the memory is full.
    Full,
    /// The wait was ended before a move was found.
    Ended,
}

/// Finds the attacker's move on a board; `bases` are the positions of the tree that may answer
/// it, `hash` is the solvers' transposition table. `control` ends the wait; `observer` is called
/// with the share of the tree that is read.
///
/// # Errors
/// No move was found and the file has a fault; or no thread can be started.
pub(super) fn wait(
    source: &mut TreeSource,
    board: &ProofBoard,
    bases: [Keys; 2],
    hash: &TableHandle,
    control: &Control,
    observer: &mut dyn FnMut(f64),
) -> Result<FoundMove> {
    let Claim { setup, attacker, .. } = *source.claim();
    let mut checker = Checker::new(setup, attacker, source);
    checker.board = board.clone();
    let start = Instant::now();
    let [mut pause, longest] = PAUSES;
    let mut seeking = None;
    loop {
        // The state before the query: more may be read while the checker searches.
        let state = checker.answers.state();
        checker.until = (state != ReadState::Whole).then(|| Instant::now() + pause);
        if let Some((m, base)) = checker.advise(bases, u64::MAX) {
            return Ok(FoundMove::Move { m, base, read: true });
        }
        if matches!(state, ReadState::Whole | ReadState::Wrong) {
            return checker.answers.sound().map(|()| FoundMove::None);
        }
        if let Some(m) = seeking.as_ref().and_then(Seeking::found) {
            return Ok(FoundMove::Move { m, base: board.keys(), read: false });
        }
        if seeking.is_none() && start.elapsed() >= HEAD_START {
            seeking = Some(Seeking::begin(setup, board.stones().to_vec(), attacker, hash)?);
        }
        if state == ReadState::Full && start.elapsed() >= LONGEST {
            return Ok(FoundMove::Full);
        }
        observer(checker.answers.share());
        if is_stopped_within(control, pause) {
            return Ok(FoundMove::Ended);
        }
        pause = (pause + pause / 4).min(longest);
    }
}

/// Sleeps for `pause`, or until the search is stopped; returns whether it was stopped.
fn is_stopped_within(control: &Control, pause: Duration) -> bool {
    let end = Instant::now() + pause;
    loop {
        if control.stopped() {
            return true;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        thread::sleep(left.min(POLL));
    }
}

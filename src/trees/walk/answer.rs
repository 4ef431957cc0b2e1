//! The attacker's move in a position of the walk: that of the tree, or, while the
//! tree is still being read, one that the solvers find.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::reading::ReadState;
use super::seeking::Seeking;
use super::source::TreeSource;
use goren_core::types::Cell;
use goren_engine::{Control, Hash};
use goren_proof::{Checker, Claim, Keys, ProofBoard};

/// Time in which the tree alone is asked, before the solvers help.
const HEAD_START: Duration = Duration::from_millis(1_000);
/// Time limit of the solvers once the tree is read to its end.
const LONGEST: Duration = Duration::from_secs(60);
/// The first pause between two looks into what was read, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];
/// How often it is looked meanwhile whether the wait was ended.
const LOOK: Duration = Duration::from_millis(20);

/// The result of asking for a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum FoundMove {
    /// A move, with the stones of the tree that it is known for, and whether it was
    /// read in the tree.
    Move { m: Cell, base: Keys, read: bool },
    /// The tree has none.
    None,
    /// None yet, and the memory is full.
    Full,
    /// None until the wait was ended.
    Ended,
}

/// The attacker's move on a board, where `bases` are stones of the tree that may apply;
/// the solvers use a table. `control` ends the wait, `tell` hears how much is read.
///
/// # Errors
/// Something is wrong with the file, where a move may be; or there is no thread.
pub(super) fn wait(
    source: &mut TreeSource,
    board: &ProofBoard,
    bases: [Keys; 2],
    hash: &Hash,
    control: &Control,
    observer: &mut dyn FnMut(f64),
) -> Result<FoundMove> {
    let Claim { setup, attacker, .. } = *source.claim();
    let mut checker = Checker::new(setup, attacker, source);
    checker.board = board.clone();
    let asked = Instant::now();
    let [mut pause, longest] = PAUSES;
    let mut seeking = None;
    loop {
        // What is read by now; the rest may come while it is gone through.
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
        if seeking.is_none() && asked.elapsed() >= HEAD_START {
            seeking = Some(Seeking::begin(setup, board.stones().to_vec(), attacker, hash)?);
        }
        if state == ReadState::Full && asked.elapsed() >= LONGEST {
            return Ok(FoundMove::Full);
        }
        observer(checker.answers.share());
        if is_stopped_within(control, pause) {
            return Ok(FoundMove::Ended);
        }
        pause = (pause + pause / 4).min(longest);
    }
}

/// Sleeps for `pause`, or until the search is stopped; whether it was.
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
        thread::sleep(left.min(LOOK));
    }
}

//! Reads a part of a packed tree in the background while the walk plays from it.
//!
//! A packed tree has no keys: its moves are in the order in which a checker asks for them. So a
//! checker on its own thread goes through the part of a reply, and a move is known as soon as
//! the checker has reached its position. The answer to the reply itself is the first of all.

use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};

use crate::packed::{Packed, Part};
use crate::replies::check_reply;
use goren_core::types::Cell;
use goren_engine::stack;
use goren_proof::{Answers, CanonicalKey, Checker, Claim, Moves, Playback, ProofBoard};

/// Maximum memory in bytes of the checker and the moves for each move that the checker asks
/// for, as measured on the trees of whole games.
const BYTES_PER_QUERY: usize = 110;

/// The progress of reading a part.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ReadState {
    /// The rest is still being read.
    Reading,
    /// The whole part is read, and the check has accepted it.
    Whole,
    /// The check has rejected the part.
    Wrong,
    /// The rest would take too much memory.
    Full,
}

/// The state that both threads share.
struct Shared {
    player: Mutex<Playback<Box<dyn Read + Send>>>,
    state: Mutex<ReadState>,
    /// Whether the reader shall stop.
    stop: AtomicBool,
    /// Number of bytes of the part read so far.
    taken: Arc<AtomicUsize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answers given to the reading checker.
struct Feed {
    shared: Arc<Shared>,
    /// Number of queries that the memory still allows.
    queries_left: usize,
}

impl Answers for Feed {
    fn known(&mut self, board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        if self.queries_left == 0 || self.shared.stop.load(Relaxed) {
            // Without answers the checker ends soon.
            return Moves::new();
        }
        self.queries_left -= 1;
        lock(&self.shared.player).known(board, canonical)
    }
}

/// A part that is being read or has been read.
pub(super) struct PartReading {
    /// The reply that the part answers, as it is in the file; `None` for the position itself.
    pub(super) reply: Option<Cell>,
    shared: Arc<Shared>,
    bytes: usize,
}

impl PartReading {
    /// Starts to read a part in about `memory` bytes. `board` has the position of the claim.
    ///
    /// # Errors
    /// No thread can be started.
    pub(super) fn begin(
        packed: &Packed,
        part: &Part,
        board: ProofBoard,
        memory: usize,
    ) -> Result<PartReading> {
        let Claim { setup, attacker, .. } = packed.claim;
        let taken = Arc::new(AtomicUsize::new(0));
        let script: Box<dyn Read + Send> = Box::new(part.counted_script(taken.clone()));
        let player = Mutex::new(Playback::new(packed.claim.clone(), script));
        let (state, stop) = (Mutex::new(ReadState::Reading), AtomicBool::new(false));
        let shared = Arc::new(Shared { player, state, stop, taken });
        let feed = Feed { shared: shared.clone(), queries_left: memory / BYTES_PER_QUERY };
        let mut checker = Checker::new(setup, attacker, feed);
        checker.board = board;
        let reply = part.reply;
        let work = move || {
            let checked = check_reply(&mut checker, reply);
            let Feed { shared, queries_left } = checker.answers;
            let state = match checked {
                _ if queries_left == 0 => ReadState::Full,
                Ok(()) if lock(&shared.player).ends() => ReadState::Whole,
                _ => ReadState::Wrong,
            };
            *lock(&shared.state) = state;
        };
        stack::spawn("reading", work).context("no thread to read the tree")?;
        Ok(PartReading { reply, shared, bytes: part.bytes() })
    }

    /// The progress so far.
    pub(super) fn state(&self) -> ReadState {
        *lock(&self.shared.state)
    }

    /// The share that is read, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        self.shared.taken.load(Relaxed) as f64 / self.bytes as f64
    }

    /// The moves of a position, if it is already read.
    pub(super) fn get(&self, canonical: &CanonicalKey) -> Moves {
        lock(&self.shared.player).proof.get(canonical)
    }
}

impl Drop for PartReading {
    fn drop(&mut self) {
        self.shared.stop.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::file::{self, TreeFile};
    use crate::replies::board;

    /// A packed tree of one part.
    fn packed() -> Packed {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = path.join("../../tests/data/trees/rapfi-issue-32.packed");
        match file::open(&path).unwrap() {
            TreeFile::Packed(packed) => packed,
            TreeFile::Table(_) => panic!("it is packed"),
        }
    }

    /// Reads a part to its end.
    fn read(packed: &Packed, part: &Part, memory: usize) -> PartReading {
        let board = board(&packed.claim).unwrap();
        let reading = PartReading::begin(packed, part, board, memory).unwrap();
        while reading.state() == ReadState::Reading {
            thread::sleep(Duration::from_millis(1));
        }
        reading
    }

    #[test]
    fn all_moves_of_a_part_are_read_in_the_end() {
        let packed = packed();
        let [part] = packed.parts() else { panic!("one part") };
        let whole = part.moves(&packed.claim, &board(&packed.claim).unwrap()).unwrap();
        let reading = read(&packed, part, usize::MAX);
        assert_eq!(reading.state(), ReadState::Whole);
        assert!(lock(&reading.shared.player).proof == whole);
        assert!(reading.share() > 0.9 && reading.share() <= 1.0);
    }

    #[test]
    fn reading_ends_when_the_memory_is_full() {
        let packed = packed();
        let reading = read(&packed, &packed.parts()[0], 5 * BYTES_PER_QUERY);
        assert_eq!(reading.state(), ReadState::Full);
        let read = lock(&reading.shared.player).proof.len();
        assert!((1..=5).contains(&read), "{read}");
    }

    #[test]
    fn a_part_that_proves_nothing_is_noticed() {
        let packed = packed();
        for script in [&[][..], &[0], &[1, 1, 1]] {
            let part = Part::new(None, script).unwrap();
            assert_eq!(read(&packed, &part, usize::MAX).state(), ReadState::Wrong, "{script:?}");
        }
    }
}

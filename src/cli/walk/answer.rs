//! The attacker's move in a position of the walk: that of the tree, or, while the
//! tree is still being read, one that the solvers find.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::reading::State;
use super::seeking::Seeking;
use super::tree::Tree;
use crate::cut::while_watched;
use goren_core::types::Cell;
use goren_engine::{Control, Hash};
use goren_proof::{Checker, Claim, Keys, ProofBoard};

/// How long the tree alone is asked before the solvers help.
const HEAD_START: Duration = Duration::from_millis(1_000);
/// How long the solvers look where no more of the tree is read.
const LONGEST: Duration = Duration::from_secs(60);
/// The first pause between two looks into what was read, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];
/// How often a log, where there is no terminal, hears of the progress.
const TELL: Duration = Duration::from_secs(10);

/// What came of the question for a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// A move, with the stones of the tree that it is known for, and whether it was
    /// read in the tree.
    Move { m: Cell, base: Keys, read: bool },
    /// The tree has none.
    None,
    /// None yet, and the memory is full.
    Full,
    /// None until the person ended the wait.
    Ended,
}

/// The attacker's move on a board, where `bases` are stones of the tree that may apply;
/// the solvers use a table. A `person` can end the wait.
///
/// # Errors
/// Something is wrong with the file, where a move may be; or there is no thread.
pub(super) fn answer(
    tree: &mut Tree,
    board: &ProofBoard,
    bases: [Keys; 2],
    hash: &Hash,
    person: bool,
) -> Result<Answer> {
    let control = Control::default();
    if person && tree.state() == State::Reads {
        return while_watched(&control, || wait(tree, board, bases, hash, &control));
    }
    wait(tree, board, bases, hash, &control)
}

fn wait(
    tree: &mut Tree,
    board: &ProofBoard,
    bases: [Keys; 2],
    hash: &Hash,
    control: &Control,
) -> Result<Answer> {
    let Claim { setup, attacker, .. } = *tree.claim();
    let mut checker = Checker::new(setup, attacker, tree);
    checker.board = board.clone();
    let asked = Instant::now();
    let [mut pause, longest] = PAUSES;
    let mut seeking = None;
    let mut progress = Progress::new();
    loop {
        // What is read by now; the rest may come while it is gone through.
        let state = checker.answers.state();
        checker.until = (state != State::Whole).then(|| Instant::now() + pause);
        if let Some((m, base)) = checker.advise(bases, u64::MAX) {
            return Ok(Answer::Move { m, base, read: true });
        }
        if matches!(state, State::Whole | State::Wrong) {
            return checker.answers.sound().map(|()| Answer::None);
        }
        if let Some(m) = seeking.as_ref().and_then(Seeking::found) {
            return Ok(Answer::Move { m, base: board.keys(), read: false });
        }
        if control.stopped() {
            return Ok(Answer::Ended);
        }
        if seeking.is_none() && asked.elapsed() >= HEAD_START {
            seeking = Some(Seeking::begin(setup, board.stones().to_vec(), attacker, hash)?);
        }
        if state == State::Full && asked.elapsed() >= LONGEST {
            return Ok(Answer::Full);
        }
        progress.show(checker.answers.share());
        thread::sleep(pause);
        pause = (pause + pause / 4).min(longest);
    }
}

/// What is shown of a wait.
struct Progress {
    bar: ProgressBar,
    told: Option<Instant>,
}

impl Progress {
    fn new() -> Progress {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Progress { bar, told: None }
    }

    fn show(&mut self, share: f64) {
        let words = format!("reading the tree: {:.0} %, and searching", 100.0 * share);
        if self.bar.is_hidden() && self.told.is_none_or(|told| told.elapsed() >= TELL) {
            self.told = Some(Instant::now());
            eprintln!("{words}");
        }
        // Elsewhere keys are not seen meanwhile.
        let end = if cfg!(unix) { "; Enter ends the wait" } else { "" };
        self.bar.set_message(words + end);
        self.bar.tick();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

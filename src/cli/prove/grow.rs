//! Work of all threads on one tree.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::advice::Advice;
use super::finder::{MoveFinder, MoveStore};
use super::table::{hash_of, solver_of};
use super::tree::{Cost, GrowingTree, NewAttack, RootReply, WorkState};
use super::worker::{Budgets, ProofWorker};
use crate::lock::lock;
use crate::run::run_file::{RETRY_TIME, persist};
use crate::run::stop::signalled;
use crate::search_pool;
use goren_core::types::{Cell, Stone};
use goren_engine::TableHandle;
use goren_files::{AppendError, with_suffix, write_new};
use goren_notation::words::plural;
use goren_proof::{Claim, Journal, Proof};
use goren_protocol::abbreviated_count;
use goren_trees::replies::replies;

/// Time between writes of moves to the file.
const SAVE_INTERVAL: Duration = Duration::from_millis(500);

/// Time between progress lines without a terminal.
const REPORT_INTERVAL: Duration = Duration::from_secs(30);

/// Maximum length of the progress line without its time.
const MAX_CHARACTERS: usize = 88;

/// Selection of replies to the root position to work on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReplySelection {
    /// All replies.
    All,
    /// These replies, by the whole keys of the positions after them.
    Only(Vec<u128>),
}

impl ReplySelection {
    /// Whether the reply that leads to a position is selected.
    fn has(&self, after: &NewAttack) -> bool {
        match self {
            ReplySelection::All => true,
            ReplySelection::Only(keys) => keys.contains(&after.whole),
        }
    }
}

/// Limits of the work on a tree.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TreeLimits {
    /// Threads; default: one per core.
    pub(crate) threads: Option<usize>,
    /// Size of the transposition table in MiB.
    pub(crate) memory: usize,
    /// Time limit.
    pub(crate) time: Option<Duration>,
    /// Nodes by kind of work.
    pub(crate) budgets: Budgets,
}

/// Result of the work on a tree.
pub(crate) struct GrowResult {
    /// All moves of the tree.
    pub(crate) proof: Proof,
    /// State of the tree.
    pub(crate) state: WorkState,
    /// The replies to the root position that had no answer at first.
    pub(crate) replies: Vec<RootReply>,
    /// Number of unproven positions of the attacker.
    pub(crate) open: usize,
    /// Nodes of all solvers.
    pub(crate) nodes: u64,
}

/// State shared by all threads.
struct Work {
    claim: Claim,
    store: Arc<MoveStore>,
    hash: TableHandle,
    budgets: Budgets,
    pool: ThreadPool,
    tree: Mutex<GrowingTree>,
    /// Replies, with the costs from earlier trees included.
    replies: Mutex<Vec<RootReply>>,
    /// Number of replies still to verify before there is a tree.
    unverified: AtomicUsize,
    /// Notified when there may be new jobs.
    changed: Condvar,
    done: AtomicBool,
    nodes: AtomicU64,
}

impl Work {
    /// Creates a checker and solvers for a thread, with empty caches.
    fn worker(&self) -> ProofWorker {
        let solver = solver_of(&self.hash, self.claim.setup);
        let finder = MoveFinder::new(self.store.clone(), solver, self.claim.attacker);
        ProofWorker::new(&self.claim, finder, self.budgets)
    }

    /// Adds the nodes of a worker that has ended.
    fn add_nodes(&self, worker: &ProofWorker) {
        self.nodes.fetch_add(worker.checker.answers.solver.nodes(), Relaxed);
    }

    fn moves(&self) -> usize {
        self.store.proof().len()
    }
}

/// Extends a tree by answers to the selected replies. New moves go to the journal, if there is
/// one; moves of `advice` are tried first.
///
/// # Errors
/// A file that cannot be written, no memory, or no threads.
pub(crate) fn grow(
    proof: Proof,
    selection: &ReplySelection,
    limits: &TreeLimits,
    advice: Vec<Advice>,
    journal: Option<&mut Journal>,
) -> Result<GrowResult> {
    let started = Instant::now();
    let claim = proof.claim.clone();
    let work = Work {
        claim,
        store: Arc::new(MoveStore::new(proof).with_advice(advice)),
        hash: hash_of(limits.memory)?,
        budgets: limits.budgets,
        pool: search_pool(limits.threads)?,
        tree: Mutex::new(GrowingTree::of_defence(Some(Vec::new()))),
        replies: Mutex::new(Vec::new()),
        unverified: AtomicUsize::new(1),
        changed: Condvar::new(),
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
    };
    let whole = thread::scope(|scope| -> Result<bool> {
        let work = &work;
        let body = move || {
            let whole = work.pool.install(|| prove(work, selection));
            work.done.store(true, Relaxed);
            whole
        };
        let search_thread = thread::Builder::new().spawn_scoped(scope, body);
        let search_thread = search_thread.context("cannot start a thread for the search")?;
        let saved = save_and_report(work, limits, started, journal);
        if saved.is_err() {
            // The journal failed: further work could not be saved.
            work.store.stop();
        }
        let whole = search_thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        saved.map(|()| whole)
    })?;
    let tree = lock(&work.tree);
    let open = tree.open();
    let state = match tree.state() {
        // An incomplete tree is not proven: moves may be missing.
        WorkState::Proven if !whole => WorkState::Open,
        state => state,
    };
    let replies = std::mem::take(&mut *lock(&work.replies));
    let proof = work.store.proof().clone();
    Ok(GrowResult { proof, state, replies, open, nodes: work.nodes.load(Relaxed) })
}

/// Extends the tree until it is proven and complete. Returns whether nothing was missing in
/// the last verification.
fn prove(work: &Work, selection: &ReplySelection) -> bool {
    let stage = || {
        record_replies(work);
        let state = lock(&work.tree).state();
        Stage { state, found: work.store.found(), stopped: work.store.is_stopped() }
    };
    let verify = || {
        work.unverified.store(1, Relaxed);
        *lock(&work.tree) = verify_tree(work, selection);
        stage()
    };
    let extend = || {
        rayon::broadcast(|_| run_jobs(work));
        stage()
    };
    verify_and_extend(work.store.found(), verify, extend)
}

/// State of a tree after a stage of the work.
struct Stage {
    state: WorkState,
    /// Moves found since the work began.
    found: u64,
    stopped: bool,
}

/// Verifies the whole tree from the start and extends it where moves are missing; repeats this
/// until nothing is missing or no new moves are found. The checkers of `extend` keep their
/// caches, those of `verify` start with empty ones. `found` is the number of moves found
/// before. Returns whether nothing was missing in the last verification.
fn verify_and_extend(
    mut found: u64,
    verify: impl Fn() -> Stage,
    extend: impl Fn() -> Stage,
) -> bool {
    loop {
        let verified = verify();
        let whole = verified.state == WorkState::Proven && verified.found == found;
        if whole || verified.state == WorkState::Exhausted || verified.stopped {
            return whole;
        }
        let extended = extend();
        // Without new moves the next pass would be the same.
        if extended.state != WorkState::Proven || extended.found == found || extended.stopped {
            return false;
        }
        found = extended.found;
    }
}

/// Adds the states and costs of the replies of the tree to those of earlier trees.
fn record_replies(work: &Work) {
    let (tree, mut all) = (lock(&work.tree), lock(&work.replies));
    for reply in tree.replies() {
        match all.iter_mut().find(|other| other.m == reply.m) {
            Some(other) => {
                other.proven = reply.proven;
                other.cost += reply.cost;
            }
            None => all.push(reply),
        }
    }
}

/// Verifies the tree by quick searches and returns a new tree of the positions that they leave
/// open.
fn verify_tree(work: &Work, selection: &ReplySelection) -> GrowingTree {
    let claim = &work.claim;
    let stones: Vec<(Cell, Stone)> = stones(claim);
    let mut worker = work.worker();
    if claim.root.to_move == claim.attacker {
        let root = worker.open(&stones);
        worker.checker.answers.publish(Vec::new());
        work.add_nodes(&worker);
        work.unverified.store(0, Relaxed);
        return root
            .map_or_else(|| GrowingTree::of_defence(Some(Vec::new())), GrowingTree::of_attack);
    }
    let needed = worker.replies(&stones);
    worker.checker.answers.publish(Vec::new());
    work.add_nodes(&worker);
    let open = needed.map(|needed| {
        let mut replies = replies(claim, &worker.checker.board, needed.iter());
        // Distant replies first, as they are easier.
        replies.reverse();
        replies.retain(|&reply| selection.has(&worker.after(reply)));
        work.unverified.store(replies.len(), Relaxed);
        let verify = |&reply: &Cell| verify_reply(work, &stones, reply);
        let open: Vec<_> = replies.par_iter().with_max_len(1).map(verify).collect();
        open.into_iter().flatten().collect()
    });
    work.unverified.store(0, Relaxed);
    GrowingTree::of_defence(open)
}

/// Verifies the answer to a reply by a quick search; returns the position after the reply if
/// it has no answer.
fn verify_reply(work: &Work, stones: &[(Cell, Stone)], reply: Cell) -> Option<NewAttack> {
    let mut worker = work.worker();
    let open = if work.store.is_stopped() {
        worker.set_up(stones);
        Some(worker.after(reply))
    } else {
        worker.reply(stones, reply)
    };
    worker.checker.answers.publish(Vec::new());
    work.add_nodes(&worker);
    work.unverified.fetch_sub(1, Relaxed);
    open
}

/// Runs jobs of the tree until it is proven or exhausted, or the work is stopped.
fn run_jobs(work: &Work) {
    let mut worker = work.worker();
    loop {
        let job = {
            let mut tree = lock(&work.tree);
            loop {
                if work.store.is_stopped() || tree.state() != WorkState::Open {
                    work.changed.notify_all();
                    work.add_nodes(&worker);
                    return;
                }
                match tree.next() {
                    Some(job) => break job,
                    None => {
                        let wait = work.changed.wait_timeout(tree, Duration::from_millis(100));
                        tree = wait.unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            }
        };
        let (started, nodes_before) = (Instant::now(), worker.checker.answers.solver.nodes());
        let result = worker.work(&job);
        // Moves are published before the results that depend on them.
        let mut moves = worker.checker.answers.publish(Vec::new());
        let new_moves = lock(&work.tree).apply(&job, result);
        moves += worker.checker.answers.publish(new_moves);
        let nodes = worker.checker.answers.solver.nodes() - nodes_before;
        let cost = Cost { seconds: started.elapsed().as_secs_f64(), nodes, moves };
        lock(&work.tree).add_cost(&job, cost);
        work.changed.notify_all();
    }
}

/// Saves proven moves and reports the progress until the work is done; stops the work when the
/// time is up or a signal arrives.
fn save_and_report(
    work: &Work,
    limits: &TreeLimits,
    started: Instant,
    mut journal: Option<&mut Journal>,
) -> Result<()> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {wide_msg}")?);
    let (mut last_save, mut last_report) = (Instant::now(), Instant::now());
    loop {
        let done = work.done.load(Relaxed);
        if signalled().is_some() || limits.time.is_some_and(|time| started.elapsed() >= time) {
            work.store.stop();
            work.changed.notify_all();
        }
        if done || last_save.elapsed() >= SAVE_INTERVAL {
            last_save = Instant::now();
            let mut new_moves = work.store.take_unsaved();
            if let Some(journal) = &mut journal {
                match persist("the tree", RETRY_TIME, || journal.append(&mut new_moves)) {
                    Err(AppendError::Foreign(path)) => {
                        let copy = save_aside(&work.store.proof(), &path)?;
                        bail!(
                            "another program has changed or replaced the file, which is left as \
                             it is; all proven moves are in {}",
                            copy.display()
                        );
                    }
                    Err(AppendError::Io(error)) => return Err(error).context("cannot write"),
                    Ok(()) => {}
                }
            }
            let text = progress(work, started);
            if bar.is_hidden() && last_report.elapsed() >= REPORT_INTERVAL {
                last_report = Instant::now();
                eprintln!("{:.0} s: {text}", started.elapsed().as_secs_f64());
            }
            bar.set_message(text);
        }
        if done {
            bar.finish_and_clear();
            return Ok(());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Writes a tree to a new file beside its own file, which another program has changed. Returns
/// the name of the new file.
///
/// # Errors
/// An I/O error.
fn save_aside(proof: &Proof, path: &Path) -> Result<PathBuf> {
    let mut bytes = Vec::new();
    goren_proof::write(proof, &mut bytes)?;
    let names = (1..=u32::MAX).map(|number| with_suffix(path, &format!(".kept{number}")));
    write_new(names, &bytes).context("cannot write the proven moves to a file beside it")
}

/// Formats the progress as a line of less than 100 characters.
fn progress(work: &Work, started: Instant) -> String {
    let moves = abbreviated_count(work.moves() as u64);
    let unverified = work.unverified.load(Relaxed);
    if unverified > 0 {
        return format!("checking {moves} moves, {} to go", plural(unverified, "reply", "replies"));
    }
    let tree = lock(&work.tree);
    let (left, all) = (tree.open_at_root(), tree.replies().count());
    let mut words = if work.claim.root.to_move == work.claim.attacker {
        String::new()
    } else {
        format!("{} left, ", plural(left, "reply", "replies"))
    };
    if left > 0 && left < all {
        // An estimate: every reply is assumed to take the same time.
        let rest = tree.since.elapsed().mul_f64(left as f64 / (all - left) as f64);
        words += &format!("about {}, ", HumanDuration(rest));
    }
    let [open, proven] = [tree.open(), tree.proven].map(|count| abbreviated_count(count as u64));
    let rate = work.store.found() as f64 / started.elapsed().as_secs_f64();
    words += &format!("positions {open} open {proven} proven, hardness {}, ", tree.hardness());
    words += &format!("{moves} moves, {rate:.0}/s");
    let (root_stones, height) = (work.claim.root.stones.len(), work.claim.setup.height);
    let focus = tree.focus().iter().skip(root_stones).map(|(cell, _)| cell.label(height));
    let mut at = ", at";
    for cell in focus {
        if words.len() + at.len() + cell.len() + 1 > MAX_CHARACTERS {
            break;
        }
        words += at;
        words += &format!(" {cell}");
        at = "";
    }
    words
}

/// Returns the stones of the root position of a claim.
pub(crate) fn stones(claim: &Claim) -> Vec<(Cell, Stone)> {
    claim.root.stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use WorkState::{Exhausted, Open, Proven};

    /// Runs `verify_and_extend` with these stages and 5 moves found before; returns the result
    /// and the number of unused stages.
    fn result(stages: &[(WorkState, u64)]) -> (bool, usize) {
        let stages = stages.iter().map(|&(state, found)| Stage { state, found, stopped: false });
        let stages = RefCell::new(stages);
        let next = || stages.borrow_mut().next().expect("no end");
        let whole = verify_and_extend(5, next, next);
        (whole, stages.borrow().len())
    }

    #[test]
    fn a_tree_is_whole_if_its_verification_misses_nothing() {
        assert_eq!(result(&[(Proven, 5), (Open, 9)]), (true, 1));
        assert_eq!(result(&[(Open, 5), (Proven, 7), (Proven, 7), (Open, 9)]), (true, 1));
        // The verification itself finds the missing moves.
        let completed = [(Proven, 6), (Proven, 6), (Proven, 6)];
        assert_eq!(result(&completed), (true, 0));
    }

    #[test]
    fn work_ends_without_new_moves() {
        // The missing position counts as proven, so no move is found for it.
        assert_eq!(result(&[(Open, 5), (Proven, 5), (Open, 9)]), (false, 1));
        let later = [(Open, 5), (Proven, 8), (Open, 8), (Proven, 8), (Open, 9)];
        assert_eq!(result(&later), (false, 1));
    }

    #[test]
    fn work_ends_if_there_is_nothing_more_to_try() {
        assert_eq!(result(&[(Exhausted, 5), (Open, 9)]), (false, 1));
        assert_eq!(result(&[(Open, 6), (Exhausted, 9), (Open, 9)]), (false, 1));
    }

    #[test]
    fn work_ends_when_it_is_stopped() {
        let open = |stopped| move || Stage { state: Open, found: 6, stopped };
        let proven = |stopped| move || Stage { state: Proven, found: 6, stopped };
        assert!(!verify_and_extend(5, open(true), || panic!("more work")));
        assert!(!verify_and_extend(5, proven(true), || panic!("more work")));
        assert!(!verify_and_extend(5, open(false), proven(true)));
    }
}

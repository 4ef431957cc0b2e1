//! `goren prove`: builds a winning tree and keeps it in a file.

mod finder;
mod tree;
mod worker;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::position::{self, Position, Source, name};
use crate::proof::{Claim, Journal, Proof, Root};
use crate::rules::{Setup, Variant};
use crate::search::{STACK_BYTES, new_seeker};
use crate::tt::Table;
use crate::types::{Cell, Color, Stone};
use finder::Finder;
pub(super) use tree::State;
use tree::Tree;
pub(super) use worker::Budgets;
use worker::Worker;

/// How often moves go to the disk.
const SAVE: Duration = Duration::from_millis(500);

/// How often a log, where there is no terminal, hears of the progress.
const TELL: Duration = Duration::from_secs(30);

/// Arguments of `goren prove`.
#[derive(clap::Args)]
pub struct Args {
    /// The file of the tree; one that exists is gone on with.
    file: PathBuf,
    #[command(flatten)]
    source: Source,
    /// Who is to win: black or white. Without it Black.
    #[arg(long, value_name = "COLOR", value_parser = position::color)]
    attacker: Option<Color>,
    /// Works on part I of N of the replies to the position, as 1/4: each part
    /// in a file of its own, to be merged.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Threads; without it one for each core.
    #[arg(long)]
    threads: Option<usize>,
    /// MiB of the table of positions that all threads share.
    #[arg(long, default_value_t = 1024)]
    memory: usize,
    /// Seconds after which to stop; a later run goes on.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Nodes of a quick look for a win by threats.
    #[arg(long, default_value_t = Budgets::USUAL.glance, hide_short_help = true)]
    glance: u64,
    /// Nodes of a longer one.
    #[arg(long, default_value_t = Budgets::USUAL.seek, hide_short_help = true)]
    seek: u64,
    /// Nodes of one where the defender is thought to pass.
    #[arg(long, default_value_t = Budgets::USUAL.passed, hide_short_help = true)]
    passed: u64,
    /// Nodes of a search for a move to try.
    #[arg(long, default_value_t = Budgets::USUAL.search, hide_short_help = true)]
    search: u64,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((i, n)) if (1..=n).contains(&i) => Ok((i, n)),
        _ => Err("a part is a number of a number, such as 1/4".into()),
    }
}

/// What a position is said to be won for.
///
/// # Errors
/// It is of another game than five in a row, or over.
pub(super) fn claim(position: &Position, attacker: Color) -> Result<Claim> {
    let contest = &position.contest;
    let Variant::Five(rule) = contest.variant else {
        bail!("{} has no winning trees; the games of five in a row have", contest.variant)
    };
    ensure!(position.ending.is_none(), "the game is over");
    let setup = Setup::new(rule, contest.width, contest.height)?;
    let stones = match &position.history {
        Some(history) => {
            let color = |cell: &Cell| position.stones.iter().find(|stone| stone.cell == *cell);
            history.iter().filter_map(|cell| Some((*cell, color(cell)?.color))).collect()
        }
        None => position.stones.iter().map(|stone| (stone.cell, stone.color)).collect(),
    };
    Ok(Claim { setup, attacker, root: Root { stones, to_move: position.to_move() } })
}

/// What all threads work on.
struct Work {
    claim: Claim,
    proof: Arc<RwLock<Proof>>,
    table: Arc<Table>,
    budgets: Budgets,
    tree: Mutex<Tree>,
    /// Told when there may be something to do again.
    changed: Condvar,
    /// Moves that are proven and not on the disk yet.
    facts: Mutex<Vec<(u64, Cell)>>,
    /// How many were handed over, in all.
    found: AtomicU64,
    stop: AtomicBool,
    done: AtomicBool,
    nodes: AtomicU64,
}

impl Work {
    /// A thread's checker and solvers, with nothing remembered.
    fn worker(&self) -> Worker {
        let seeker = new_seeker(self.claim.setup, self.table.clone());
        let finder = Finder::new(self.proof.clone(), seeker, self.claim.attacker);
        Worker::new(self.claim.setup, self.claim.attacker, finder, self.budgets)
    }

    fn publish(&self, worker: &mut Worker, more: Vec<(u64, Cell)>) {
        let mut facts = lock(&self.facts);
        let before = facts.len();
        worker.checker.answers.publish(more, &mut facts);
        self.found.fetch_add((facts.len() - before) as u64, Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What may be spent on a tree.
#[derive(Copy, Clone, Debug)]
pub(super) struct Effort {
    /// Threads; one for each core if it is not said.
    pub(super) threads: Option<usize>,
    /// MiB of the table of positions.
    pub(super) memory: usize,
    /// Seconds.
    pub(super) time: Option<f64>,
    /// Nodes by kind of work.
    pub(super) budgets: Budgets,
}

/// What became of a tree.
pub(super) struct Grown {
    /// All its moves.
    pub(super) proof: Proof,
    /// How far it is.
    pub(super) state: State,
    /// Replies to the position that have no answer yet.
    pub(super) replies: usize,
    /// Positions of the attacker that are not proven, and that are.
    pub(super) positions: (usize, usize),
    /// Nodes of all solvers.
    pub(super) nodes: u64,
}

/// Works on a tree: on what is in it already, and on the replies of a part.
/// Its new moves go to the journal, if there is one.
///
/// # Errors
/// A file that cannot be written, no memory, or no threads.
pub(super) fn grow(
    proof: Proof,
    shard: Option<(usize, usize)>,
    effort: &Effort,
    journal: Option<&mut Journal>,
) -> Result<Grown> {
    let started = Instant::now();
    let claim = proof.claim.clone();
    ensure!(
        shard.is_none() || claim.root.to_move != claim.attacker,
        "parts are of the defender's replies, but it is the attacker's move"
    );
    let table = Arc::new(Table::with_bytes(effort.memory.saturating_mul(1 << 20))?);
    let threads = effort.threads.or(thread::available_parallelism().ok().map(Into::into));
    let work = Work {
        claim,
        proof: Arc::new(RwLock::new(proof)),
        table,
        budgets: effort.budgets,
        tree: Mutex::new(Tree::of_defence(Some(Vec::new()))),
        changed: Condvar::new(),
        facts: Mutex::new(Vec::new()),
        found: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
    };
    thread::scope(|scope| -> Result<()> {
        let work = &work;
        let chief = spawn(scope, move || {
            let result = chief(scope, work, shard, threads.unwrap_or(1).max(1));
            work.done.store(true, Relaxed);
            result
        })?;
        let kept = keep(work, effort, started, journal);
        if kept.is_err() {
            // Nothing would be saved of what they do.
            work.stop.store(true, Relaxed);
        }
        let led = chief.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        kept.and(led)
    })?;
    let tree = lock(&work.tree);
    let (state, replies) = (tree.state(), tree.first_open());
    let positions = (tree.open(), tree.proven);
    let proof = work.proof.read().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Grown { proof, state, replies, positions, nodes: work.nodes.load(Relaxed) })
}

/// Has the tree grown until it is proven and stands as it is: what was proven
/// piece by piece, and remembered in pieces, is gone through once more from the
/// start, and what is missing then is worked on again.
fn chief<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    work: &'scope Work,
    shard: Option<(usize, usize)>,
    threads: usize,
) -> Result<()> {
    loop {
        let before = work.found.load(Relaxed);
        begin(work, shard);
        let state = lock(&work.tree).state();
        let whole = state == State::Proven && work.found.load(Relaxed) == before;
        if whole || state == State::Spent || work.stop.load(Relaxed) {
            return Ok(());
        }
        let hands = (0..threads).map(|_| spawn(scope, move || labour(work)));
        let hands = hands.collect::<Result<Vec<_>>>();
        if hands.is_err() {
            work.stop.store(true, Relaxed);
        }
        for hand in hands? {
            hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        let state = lock(&work.tree).state();
        if state != State::Proven || work.stop.load(Relaxed) {
            return Ok(());
        }
    }
}

/// Saves what is proven and tells how far it is, until the work is done or the
/// time is up.
fn keep(
    work: &Work,
    effort: &Effort,
    started: Instant,
    mut journal: Option<&mut Journal>,
) -> Result<()> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {msg}")?);
    let (mut saved, mut told) = (Instant::now(), Instant::now());
    loop {
        let done = work.done.load(Relaxed);
        if effort.time.is_some_and(|time| started.elapsed().as_secs_f64() >= time) {
            work.stop.store(true, Relaxed);
            work.changed.notify_all();
        }
        if done || saved.elapsed() >= SAVE {
            saved = Instant::now();
            let mut facts = std::mem::take(&mut *lock(&work.facts));
            if let Some(journal) = &mut journal {
                journal.append(&mut facts)?;
            }
            let moves = work.proof.read().unwrap_or_else(PoisonError::into_inner).len();
            let words = format!("{}, {moves} moves kept", progress(&lock(&work.tree)));
            if bar.is_hidden() && told.elapsed() >= TELL {
                told = Instant::now();
                eprintln!("{:.0} s: {words}", started.elapsed().as_secs_f64());
            }
            bar.set_message(words);
        }
        if done {
            bar.finish_and_clear();
            return Ok(());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The win of the attacker, who is to move, by fours alone or by threats, with
/// so many positions looked at for each of these: its tree, and the nodes.
pub(super) fn forced(claim: &Claim, table: &Arc<Table>, threats: u64) -> (Option<Proof>, u64) {
    let proof = Arc::new(RwLock::new(Proof::new(claim.clone())));
    let seeker = new_seeker(claim.setup, table.clone());
    let finder = Finder::new(proof.clone(), seeker, claim.attacker);
    let budgets = Budgets { glance: threats, passed: threats, ..Budgets::USUAL };
    let mut worker = Worker::new(claim.setup, claim.attacker, finder, budgets);
    let won = worker.open(&stones(claim)).is_none();
    worker.checker.answers.publish(Vec::new(), &mut Vec::new());
    let proof = proof.read().unwrap_or_else(PoisonError::into_inner).clone();
    (won.then_some(proof), worker.checker.answers.seeker.nodes())
}

fn stones(claim: &Claim) -> Vec<(Cell, Stone)> {
    claim.root.stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect()
}

fn progress(tree: &Tree) -> String {
    let (replies, open) = (tree.first_open(), tree.open());
    let (proven, hardness) = (tree.proven, tree.hardness());
    format!("{replies} replies left, {open} positions open, {proven} proven, hardness {hardness}")
}

/// Proves and tells; whether it is proven.
///
/// # Errors
/// A position without a tree, a file that cannot be used, no memory, or no
/// threads.
pub fn run(args: &Args) -> Result<bool> {
    let started = Instant::now();
    let position = args.source.position()?;
    let claim = claim(&position, args.attacker.unwrap_or(Color::Black))?;
    let place = || args.file.display().to_string();
    let (mut journal, proof, damage) = Journal::open(&args.file, &claim).with_context(place)?;
    if let Some(damage) = damage {
        eprintln!(
            "{}: {} bytes from byte {} on made no sense",
            place(),
            damage.lost,
            damage.offset
        );
    }
    println!("{} on {}x{}", claim.setup.rule, claim.setup.width, claim.setup.height);
    println!("Claim: {} wins", name(claim.attacker));
    println!("Known: {} moves", proof.len());
    let Args { threads, memory, time, glance, seek, passed, search, .. } = *args;
    let budgets = Budgets { glance, seek, passed, search };
    let effort = Effort { threads, memory, time, budgets };
    let grown = grow(proof, args.shard, &effort, Some(&mut journal)).with_context(place)?;
    let seconds = started.elapsed().as_secs_f64();
    println!("Result: {}", words(grown.state));
    println!("Replies left: {}", grown.replies);
    println!("Positions: {} open, {} proven", grown.positions.0, grown.positions.1);
    println!("Moves: {}", grown.proof.len());
    println!("Nodes: {}", grown.nodes);
    println!("Time: {seconds:.1} s");
    println!("Speed: {:.0} nodes/s", grown.nodes as f64 / seconds.max(1e-9));
    Ok(grown.state == State::Proven)
}

/// How far a tree is.
pub(super) fn words(state: State) -> &'static str {
    match state {
        State::Proven => "proven",
        State::Open => "open",
        State::Spent => "nothing more to try",
    }
}

fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<thread::ScopedJoinHandle<'scope, T>> {
    let builder = thread::Builder::new().stack_size(STACK_BYTES);
    builder.spawn_scoped(scope, work).context("no thread for the search")
}

/// Looks at the position itself: the tree begins with what that leaves open.
fn begin(work: &Work, shard: Option<(usize, usize)>) {
    let (claim, mut worker) = (&work.claim, work.worker());
    let stones = stones(claim);
    let tree = if claim.root.to_move == claim.attacker {
        match worker.open(&stones) {
            Some(root) => Tree::of_attack(root),
            None => Tree::of_defence(Some(Vec::new())),
        }
    } else {
        let mut open = worker.replies(&stones);
        if let (Some((part, parts)), Some(open)) = (shard, &mut open) {
            // The same replies in every run, whatever is proven already.
            open.retain(|new| new.key as usize % parts == part - 1);
        }
        Tree::of_defence(open)
    };
    work.publish(&mut worker, Vec::new());
    work.nodes.fetch_add(worker.checker.answers.seeker.nodes(), Relaxed);
    *lock(&work.tree) = tree;
}

/// Works until there is nothing left to do.
fn labour(work: &Work) {
    let mut worker = work.worker();
    loop {
        let job = {
            let mut tree = lock(&work.tree);
            loop {
                if work.stop.load(Relaxed) || tree.state() != State::Open {
                    work.changed.notify_all();
                    work.nodes.fetch_add(worker.checker.answers.seeker.nodes(), Relaxed);
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
        let found = worker.work(&job);
        let facts = lock(&work.tree).take(&job, found);
        work.publish(&mut worker, facts);
        work.changed.notify_all();
    }
}

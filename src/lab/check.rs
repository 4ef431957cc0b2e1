//! `goren check`: goes through a winning tree with nothing but the referee.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fxhash::FxHashMap;

use super::position::name;
use crate::proof::{self, Checker, Claim, Flaw, Ground, Proof};
use crate::rules::referee::Referee;
use crate::search::STACK_BYTES;
use crate::types::{Cell, Color};

/// Arguments of `goren check`.
#[derive(clap::Args)]
pub struct Args {
    /// The file of the tree, or several of one claim.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Threads; without it one for each core.
    #[arg(long)]
    threads: Option<usize>,
    /// Writes a file with the moves that are needed and no others, if they
    /// prove the claim.
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
}

/// Reads trees of one claim into one.
///
/// # Errors
/// A file that cannot be read or is damaged, or claims that differ.
pub(super) fn read(files: &[PathBuf]) -> Result<Proof> {
    let one = |path: &PathBuf| -> Result<Proof> {
        let place = || path.display().to_string();
        let bytes = fs::read(path).with_context(place)?;
        let (proof, damage) = proof::read(&bytes).with_context(place)?;
        let words = |damage: proof::Damage| {
            format!("{}: damaged at byte {}, {} bytes lost", place(), damage.offset, damage.lost)
        };
        ensure!(damage.is_none(), damage.map_or(String::new(), words));
        Ok(proof)
    };
    let (first, others) = files.split_first().context("no file")?;
    let mut all = one(first)?;
    for path in others {
        let more = one(path)?;
        let place = || path.display().to_string();
        ensure!(more.claim == all.claim, "{}: it is about another position or rule", place());
        for (key, m) in more.moves() {
            all.insert(key, m);
        }
    }
    Ok(all)
}

/// Writes a tree beside the place of its file, and puts it there at once.
///
/// # Errors
/// What the system says.
pub(super) fn write(proof: &Proof, path: &Path) -> Result<()> {
    let place = || path.display().to_string();
    let mut beside = path.as_os_str().to_owned();
    beside.push(".unfinished");
    let mut bytes = Vec::new();
    proof::write(proof, &mut bytes)?;
    fs::write(&beside, bytes).with_context(place)?;
    fs::rename(&beside, path).with_context(place)
}

/// Arguments of `goren merge`.
#[derive(clap::Args)]
pub struct MergeArgs {
    /// The file to write.
    out: PathBuf,
    /// Files of trees of one claim.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Joins trees of one claim.
///
/// # Errors
/// A file that cannot be read or written, or claims that differ.
pub fn merge(args: &MergeArgs) -> Result<bool> {
    let proof = read(&args.files)?;
    write(&proof, &args.out)?;
    println!("Moves: {}", proof.len());
    Ok(true)
}

/// What was gone through for one reply to the position, or for the position.
struct Part {
    reply: Option<Cell>,
    needed: FxHashMap<(u64, Cell), u16>,
    visits: u64,
    seconds: f64,
    outcome: Result<(), Flaw>,
}

/// The position of a claim on a board.
///
/// # Errors
/// Its stones cannot be placed, or the game is over.
pub(super) fn ground(claim: &Claim) -> Result<Ground> {
    let (mut ground, mut referee) = (Ground::new(claim.setup), Referee::new(claim.setup));
    for &(cell, color) in &claim.root.stones {
        ground.place(cell, color).context("the position makes no sense")?;
        let outcome = referee.place(color, cell).context("the position makes no sense")?;
        ensure!(outcome.is_none(), "the game is over in the position");
    }
    Ok(ground)
}

/// The replies to a position, one of each image; none where the attacker is to
/// move.
fn replies(claim: &Claim, ground: &Ground) -> Vec<Option<Cell>> {
    if claim.root.to_move == claim.attacker {
        return vec![None];
    }
    let mut seen = HashSet::new();
    let new = |cell: &Cell| {
        let keys = ground.toggled(ground.keys(), *cell, claim.root.to_move);
        seen.insert(ground.spot(&keys).whole)
    };
    let mut replies: Vec<Cell> = ground.empty().iter().filter(new).collect();
    let from = claim.root.stones.last().map(|&(cell, _)| cell);
    let far = |cell: &Cell| {
        let by = |from: Cell| (cell.x().abs_diff(from.x()), cell.y().abs_diff(from.y()));
        from.map(by).map(|(x, y)| (x.max(y), x.min(y)))
    };
    replies.sort_by_key(|cell| (far(cell), *cell));
    replies.into_iter().map(Some).collect()
}

fn part(proof: &Proof, ground: &Ground, reply: Option<Cell>) -> Part {
    let started = Instant::now();
    let mut checker = Checker::new(proof.claim.setup, proof.claim.attacker, proof);
    checker.ground = ground.clone();
    let outcome = match reply {
        Some(reply) => checker.answer(reply),
        None => checker.attack(false),
    };
    let seconds = started.elapsed().as_secs_f64();
    Part { reply, needed: checker.needed, visits: checker.visits, seconds, outcome }
}

/// Checks and prints; whether the tree proves its claim.
///
/// # Errors
/// A file that cannot be read or written, or no threads.
pub fn run(args: &Args) -> Result<bool> {
    let proof = read(&args.files)?;
    let claim = &proof.claim;
    let height = claim.setup.height;
    let label = |cell: Cell| cell.label(height).to_lowercase();
    let ground = ground(claim)?;
    println!("{} on {}x{}", claim.setup.rule, claim.setup.width, height);
    for side in Color::ALL {
        let own = claim.root.stones.iter().filter(|&&(_, color)| color == side);
        let own: Vec<String> = own.map(|&(cell, _)| label(cell)).collect();
        println!("{}: {}", name(side), own.join(" "));
    }
    println!("Claim: {} wins, {} to move", name(claim.attacker), name(claim.root.to_move));
    println!("Moves: {}", proof.len());
    let started = Instant::now();
    let replies = replies(claim, &ground);
    let parts = in_parallel(args.threads, &replies, |&reply| part(&proof, &ground, reply))?;
    println!("{:>6} {:>10} {:>8} {:>12} {:>8}", "reply", "moves", "depth", "visits", "seconds");
    let base = claim.root.stones.iter().filter(|&&(_, color)| color == claim.attacker).count();
    let mut all: FxHashMap<(u64, Cell), u16> = FxHashMap::default();
    for part in &parts {
        let depth = part.needed.values().map(|&own| f64::from(own) - base as f64).sum::<f64>();
        println!(
            "{:>6} {:>10} {:>8.3} {:>12} {:>8.1}{}",
            part.reply.map_or("-".into(), label),
            part.needed.len(),
            depth / (part.needed.len() as f64).max(1.0),
            part.visits,
            part.seconds,
            if part.outcome.is_ok() { "" } else { "  open" },
        );
        all.extend(&part.needed);
    }
    println!("Needed: {} moves", all.len());
    println!("Time: {:.1} s", started.elapsed().as_secs_f64());
    if let Some(flaw) = parts.iter().find_map(|part| part.outcome.as_ref().err()) {
        let path = flaw.path.iter().map(|m| m.map_or("pass".into(), label));
        println!("Flaw: after {}: {}", path.collect::<Vec<_>>().join(" "), flaw.kind);
    }
    // Without a reply the board is full, and nobody has won.
    let whole = !parts.is_empty() && parts.iter().all(|part| part.outcome.is_ok());
    println!("Result: {}", if whole { "proven" } else { "not proven" });
    if let Some(path) = args.pack.as_ref().filter(|_| whole) {
        let mut packed = Proof::new(claim.clone());
        let needed = proof.moves().into_iter().filter(|fact| all.contains_key(fact));
        for (key, m) in needed {
            packed.insert(key, m);
        }
        write(&packed, path)?;
        println!("Packed: {} bytes", fs::metadata(path)?.len());
    }
    Ok(whole)
}

/// Does something for each item, on so many threads or one for each core.
///
/// # Errors
/// The system gives no threads.
fn in_parallel<T: Sync, O: Send>(
    threads: Option<usize>,
    items: &[T],
    work: impl Fn(&T) -> O + Sync,
) -> Result<Vec<O>> {
    let threads = threads.or(thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done: Mutex<Vec<(usize, O)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let hand = || {
                while let number = next.fetch_add(1, Relaxed)
                    && let Some(item) = items.get(number)
                {
                    let out = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((number, out));
                }
            };
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            failed.fetch_or(thread.spawn_scoped(scope, hand).is_err(), Relaxed);
        }
    });
    ensure!(!failed.load(Relaxed), "no thread to check on");
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(number, _)| number);
    Ok(done.into_iter().map(|(_, out)| out).collect())
}

//! `goren check`: goes through a winning tree with nothing but the referee.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fxhash::FxHashMap;
use rayon::prelude::*;

use super::position::name;
use crate::database::write::replace;
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
    /// Writes a file with the moves that are needed and no others: those for
    /// the replies that are proven, whether all are or not.
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

/// Writes the file of a tree; at any moment there is the old one or the new.
///
/// # Errors
/// What the system says.
pub(super) fn write(proof: &Proof, path: &Path) -> Result<()> {
    let content = |mut file: &fs::File| proof::write(proof, &mut file);
    replace(path, 0, content).with_context(|| path.display().to_string())
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

/// How far a reply is from the last stone along the edges of the board, the
/// longer way first; 0 and 0 where there is no stone.
fn apart(claim: &Claim, reply: Cell) -> (usize, usize) {
    let by =
        |&(last, _): &(Cell, Color)| (last.x().abs_diff(reply.x()), last.y().abs_diff(reply.y()));
    let (x, y) = claim.root.stones.last().map_or((0, 0), by);
    (x.max(y), x.min(y))
}

/// The same in words: 21 two columns or rows away and one row or column.
pub(super) fn way(claim: &Claim, reply: Cell) -> String {
    let (long, short) = apart(claim, reply);
    if long < 10 { format!("{long}{short}") } else { format!("{long}-{short}") }
}

/// Those of the replies to a position that are no images of each other, the
/// nearest to the last stone first.
pub(super) fn replies(
    claim: &Claim,
    ground: &Ground,
    among: impl Iterator<Item = Cell>,
) -> Vec<Cell> {
    let mut seen = HashSet::new();
    let new = |cell: &Cell| {
        let keys = ground.toggled(ground.keys(), *cell, claim.root.to_move);
        seen.insert(ground.spot(&keys).whole)
    };
    let mut replies: Vec<Cell> = among.filter(new).collect();
    replies.sort_by_key(|&cell| (apart(claim, cell), cell));
    replies
}

fn part(proof: &Proof, ground: &Ground, reply: Option<Cell>) -> Part {
    let started = Instant::now();
    let mut checker = Checker::new(proof.claim.setup, proof.claim.attacker, proof);
    checker.ground = ground.clone();
    let outcome = match reply {
        Some(reply) => checker.answer(reply, false),
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
    let replies: Vec<Option<Cell>> = match claim.root.to_move == claim.attacker {
        true => vec![None],
        false => replies(claim, &ground, ground.empty().iter()).into_iter().map(Some).collect(),
    };
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES);
    let pool = pool.num_threads(args.threads.unwrap_or(0)).build()?;
    let gone_through = |&reply: &Option<Cell>| part(&proof, &ground, reply);
    let parts: Vec<Part> =
        pool.install(|| replies.par_iter().with_max_len(1).map(gone_through).collect());
    let [reply, apart, moves, depth] = ["reply", "apart", "moves", "depth"];
    let [bytes, visits, seconds] = ["bytes", "visits", "seconds"];
    println!("{reply:>6} {apart:>5} {moves:>10} {depth:>8} {bytes:>10} {visits:>12} {seconds:>8}");
    let base = claim.root.stones.iter().filter(|&&(_, color)| color == claim.attacker).count();
    let mut all: FxHashMap<(u64, Cell), u16> = FxHashMap::default();
    for Part { reply, needed, visits, seconds, outcome } in &parts {
        let depth: f64 = needed.values().map(|&own| f64::from(own) - base as f64).sum();
        println!(
            "{:>6} {:>5} {:>10} {:>8.3} {:>10} {visits:>12} {seconds:>8.1}{}",
            reply.map_or("-".into(), label),
            reply.map_or("-".into(), |reply| way(claim, reply)),
            needed.len(),
            // No moves make up minus zero.
            depth.abs() / (needed.len() as f64).max(1.0),
            proof::packed_size(&select(&proof, needed)),
            if outcome.is_ok() { "" } else { "  open" },
        );
        if outcome.is_ok() {
            all.extend(needed);
        }
    }
    println!("Needed: {} moves", all.len());
    println!("Time: {:.1} s", started.elapsed().as_secs_f64());
    if let Some(flaw) = parts.iter().find_map(|part| part.outcome.as_ref().err()) {
        let path = flaw.path.iter().map(|m| m.map_or("pass".into(), label));
        println!("Flaw: after {}: {}", path.collect::<Vec<_>>().join(" "), flaw.kind);
    }
    // Who has nothing to play, or nothing but fouls, has not lost.
    let judged = claim.root.to_move == Color::Black && claim.setup.rule.card().fouls;
    let foul = |reply: Cell| judged && ground.fouls(reply).0.any();
    let can_move = parts.iter().any(|part| part.reply.is_none_or(|reply| !foul(reply)));
    let whole = can_move && parts.iter().all(|part| part.outcome.is_ok());
    println!("Result: {}", if whole { "proven" } else { "not proven" });
    if let Some(path) = &args.pack {
        let place = |path: &PathBuf| fs::canonicalize(path).ok();
        let same = |file| place(file).is_some_and(|file| Some(file) == place(path));
        let lost = !whole && args.files.iter().any(same);
        ensure!(!lost, "{}: what is open would be lost; name another file", path.display());
        write(&select(&proof, &all), path)?;
        println!("Packed: {} bytes", fs::metadata(path)?.len());
    }
    Ok(whole)
}

/// A tree of these moves alone.
fn select(proof: &Proof, needed: &FxHashMap<(u64, Cell), u16>) -> Proof {
    let mut selected = Proof::new(proof.claim.clone());
    let mut moves: Vec<(u64, Cell)> = needed.keys().copied().collect();
    // The same file whatever the order of the map.
    moves.sort_unstable();
    for (key, m) in moves {
        selected.insert(key, m);
    }
    selected
}

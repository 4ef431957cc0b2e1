//! `goren check`: checks a winning tree with the referee alone.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Result, ensure};
use fxhash::FxHashMap;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::output_path::same;
use super::position::name;
use super::replies::named;
use super::search_pool;
use super::trees::{read, replaceable};
use goren_core::types::{Cell, Color};
use goren_proof::{Answers, Checker, Claim, Flaw, FlawKind, Playback, Proof, ProofBoard, Recorder};
use goren_trees::packed::{self, Packed};
use goren_trees::replies::{asked, board, through, way};
use goren_trees::{TreeFile as Tree, open};

/// Arguments of `goren check`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren check corner.tree
  goren check corner.tree --pack corner.packed
  goren check --reply a1,b1 src/proof/trees/renju-15x15.packed

The checker uses nothing but the rules. It prints moves and average depth for each reply, and
names the first flaw. The exit status is 0 only if the tree proves its claim. Of a tree that
`goren prove` has not finished, the first flaw is a position that has no move yet.

The table: reply, a move of the defender; apart, its columns and rows from the last stone, the
larger number first (21: two and one); moves, those needed against it; depth, after how many
moves of the attacker they come, on average; bytes in a packed file; visits, positions looked at.")]
pub struct Args {
    /// Tree file, or several for the same claim.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Threads; default: one per core.
    #[arg(long)]
    threads: Option<usize>,
    /// Write a compact proof of the proven replies, under one byte per move for
    /// a large tree.
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
    /// Pack in the pass that checks, in one pass instead of three. The file is
    /// larger, as it includes moves that failed.
    #[arg(long, requires = "pack")]
    quick: bool,
    /// Check only these replies to the position, such as a15,b15.
    #[arg(long, value_name = "CELL,...", value_delimiter = ',')]
    reply: Vec<String>,
}

/// What was gone through for one reply to the position, or for the position.
struct Part {
    reply: Option<Cell>,
    needed: FxHashMap<(u64, Cell), u16>,
    visits: u64,
    seconds: f64,
    outcome: Result<(), Flaw>,
    /// What it takes in a packed file.
    bytes: Option<usize>,
    /// All that was asked for on the way, if that was to be written down.
    script: Option<Vec<u8>>,
}

impl Part {
    /// Stones of the attacker played up to each move, the move too, on average;
    /// `base` stand there from the start.
    fn depth(&self, base: usize) -> f64 {
        let depth: f64 = self.needed.values().map(|&own| f64::from(own) - base as f64).sum();
        // An empty sum is -0.0.
        depth.abs() / (self.needed.len() as f64).max(1.0)
    }
}

/// # Errors
/// A packed part that cannot be read.
fn part(tree: &Tree, board: &ProofBoard, reply: Option<Cell>, record: bool) -> Result<Part> {
    fn gone<A: Answers>(
        mut checker: Checker<A>,
        board: &ProofBoard,
        reply: Option<Cell>,
    ) -> (Part, A) {
        let started = Instant::now();
        checker.board = board.clone();
        let outcome = through(&mut checker, reply);
        let seconds = started.elapsed().as_secs_f64();
        let Checker { needed, visits, answers, .. } = checker;
        (Part { reply, needed, visits, seconds, outcome, bytes: None, script: None }, answers)
    }
    let Claim { setup, attacker, .. } = *tree.claim();
    let packed = match tree {
        Tree::Table(proof) if record => {
            let checker = Checker::new(setup, attacker, Recorder::new(proof));
            let (part, recorder) = gone(checker, board, reply);
            return Ok(Part { script: Some(recorder.script), ..part });
        }
        Tree::Table(proof) => {
            return Ok(gone(Checker::new(setup, attacker, proof), board, reply).0);
        }
        Tree::Packed(packed) => packed,
    };
    let section = packed.part(reply);
    let script: Box<dyn Read> = match section {
        Some(section) => Box::new(section.script()),
        None => Box::new(io::empty()),
    };
    let player = Playback::new(packed.claim.clone(), script);
    let (part, mut player) = gone(Checker::new(setup, attacker, player), board, reply);
    let whole = part.outcome.is_err() || player.ends();
    ensure!(whole, "a part of the packed tree is damaged or says more than is asked");
    Ok(Part { bytes: section.map(packed::Part::bytes), ..part })
}

/// What a packed file says of a reply that was gone through; nothing if it is
/// open, or cannot be packed.
fn pack(tree: &Tree, board: &ProofBoard, part: &mut Part) -> Option<packed::Part> {
    part.outcome.as_ref().ok()?;
    if let Some(script) = part.script.take() {
        let packed = packed::Part::new(part.reply, &script).ok()?;
        part.bytes = Some(packed.bytes());
        return Some(packed);
    }
    let needed = select(tree.claim(), &part.needed);
    let packed = packed::Part::record(&needed, board, part.reply);
    // The selected moves may not suffice: record with all of them.
    let packed = packed.or_else(|error| match tree {
        Tree::Table(all) => packed::Part::record(all, board, part.reply),
        Tree::Packed(_) => Err(error),
    });
    part.bytes = packed.as_ref().ok().map(packed::Part::bytes);
    packed.ok()
}

/// Checks and prints; whether the tree proves its claim.
///
/// # Errors
/// A file that cannot be read or written, or no threads.
pub fn run(args: &Args) -> Result<bool> {
    let tree = match &args.files[..] {
        [file] => open(file)?,
        files => Tree::Table(read(files)?),
    };
    let claim = tree.claim();
    let board = board(claim)?;
    print_claim(&tree);
    ensure!(
        !(args.quick && args.pack.as_ref().is_some_and(|path| is_input(args, path))),
        "what is packed quickly was not gone through again; name another file",
    );
    if let Some(path) = &args.pack {
        replaceable(path, claim)?;
    }
    let started = Instant::now();
    let replies = if args.reply.is_empty() {
        asked(claim, &board)
    } else {
        named(claim, &board, &args.reply)?.into_iter().map(Some).collect()
    };
    let (parts, packed) = check_replies(args, &tree, &board, &replies)?;
    let checked = started.elapsed();
    print_parts(claim, &parts);
    println!("Time: {:.1} s", checked.as_secs_f64());
    if let Some(flaw) = parts.iter().find_map(|part| part.outcome.as_ref().err()) {
        print_flaw(claim, flaw);
    }
    let whole = is_whole(claim, &board, &parts);
    let not = if whole { "" } else { "not " };
    match replies[..] {
        // Only some replies were checked: nothing is said of the claim.
        [Some(reply)] if !args.reply.is_empty() => {
            println!("Result: {} is {not}answered", label(claim, reply));
        }
        _ if !args.reply.is_empty() => println!("Result: {not}all of them are answered"),
        _ => println!("Result: {not}proven"),
    }
    if let Some(path) = &args.pack {
        let all_packed = packed.parts().len() == parts.len() && args.reply.is_empty();
        let lost = !(whole && all_packed) && is_input(args, path);
        ensure!(!lost, "{}: what is open would be lost; name another file", path.display());
        let proven = parts.iter().filter(|part| part.outcome.is_ok());
        for reply in proven.filter(|part| part.bytes.is_none()).filter_map(|part| part.reply) {
            println!("Not packed: {}", label(claim, reply));
        }
        packed.write(path)?;
        println!("Packed: {} bytes", fs::metadata(path)?.len());
    }
    Ok(whole)
}

/// Whether a path leads to one of the files that are checked.
fn is_input(args: &Args, path: &Path) -> bool {
    args.files.iter().any(|file| same(file, path))
}

/// A cell as it is printed.
fn label(claim: &Claim, cell: Cell) -> String {
    cell.label(claim.setup.height).to_lowercase()
}

/// Prints rule, position and claim.
fn print_claim(tree: &Tree) {
    let claim = tree.claim();
    println!("{} on {}x{}", claim.setup.rule, claim.setup.width, claim.setup.height);
    for side in Color::ALL {
        let own = claim.root.stones.iter().filter(|&&(_, color)| color == side);
        let own: Vec<String> = own.map(|&(cell, _)| label(claim, cell)).collect();
        println!("{}: {}", name(side), own.join(" "));
    }
    println!("Claim: {} wins, {} to move", name(claim.attacker), name(claim.root.to_move));
    if let Tree::Table(proof) = tree {
        println!("Moves: {}", proof.len());
    }
}

/// Stones of the attacker that stand in the position of the claim.
fn base(claim: &Claim) -> usize {
    claim.root.stones.iter().filter(|&&(_, color)| color == claim.attacker).count()
}

/// Checks the replies on all threads, and packs them if that is wanted.
///
/// # Errors
/// A packed part that cannot be read, a file that cannot be written, or no
/// threads.
fn check_replies(
    args: &Args,
    tree: &Tree,
    board: &ProofBoard,
    replies: &[Option<Cell>],
) -> Result<(Vec<Part>, Packed)> {
    let pool = search_pool(args.threads)?;
    let bar = ProgressBar::new(replies.len() as u64);
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {bar:40} {pos} of {len} {msg}")?);
    let packed = Mutex::new(Packed::new(tree.claim().clone(), Vec::new()));
    let work = |&reply: &Option<Cell>| -> Result<Part> {
        let mut part = part(tree, board, reply, args.quick)?;
        let ready = args.pack.is_some().then(|| pack(tree, board, &mut part)).flatten();
        if let Some(ready) = ready {
            let mut packed = packed.lock().unwrap_or_else(PoisonError::into_inner);
            packed.add(ready);
            // Written after each reply, so that an interrupted run keeps its results.
            if let Some(path) = args.pack.as_ref().filter(|path| !is_input(args, path)) {
                packed.write(path)?;
            }
        }
        let summary = summary(tree.claim(), &part);
        if bar.is_hidden() && replies.len() > 1 {
            eprintln!("{summary}");
        }
        bar.set_message(summary);
        bar.inc(1);
        Ok(part)
    };
    let parts =
        pool.install(|| replies.par_iter().with_max_len(1).map(work).collect::<Result<_>>())?;
    bar.finish_and_clear();
    Ok((parts, packed.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// A checked reply in a line, for the progress.
fn summary(claim: &Claim, part: &Part) -> String {
    let name = part.reply.map_or_else(|| "the position".into(), |reply| label(claim, reply));
    let state = if part.outcome.is_ok() { "answered" } else { "open" };
    let mut summary = format!("{name} {state} in {:.1} s", part.seconds);
    if part.outcome.is_ok() {
        let depth = part.depth(base(claim));
        summary += &format!(", {} moves, depth {depth:.3}", part.needed.len());
    }
    if let Some(bytes) = part.bytes {
        summary += &format!(", {bytes} bytes");
    }
    summary
}

/// Prints a row for each reply, and the moves that the answered ones need.
fn print_parts(claim: &Claim, parts: &[Part]) {
    let [reply, apart, moves, depth] = ["reply", "apart", "moves", "depth"];
    let [bytes, visits, seconds] = ["bytes", "visits", "seconds"];
    println!("{reply:>6} {apart:>5} {moves:>10} {depth:>8} {bytes:>10} {visits:>12} {seconds:>8}");
    let mut all: FxHashMap<(u64, Cell), u16> = FxHashMap::default();
    for part in parts {
        let Part { reply, needed, visits, seconds, outcome, bytes, .. } = part;
        println!(
            "{:>6} {:>5} {:>10} {:>8.3} {:>10} {visits:>12} {seconds:>8.1}{}",
            reply.map_or("-".into(), |reply| label(claim, reply)),
            reply.map_or("-".into(), |reply| way(claim, reply)),
            needed.len(),
            part.depth(base(claim)),
            bytes.map_or("-".into(), |bytes| bytes.to_string()),
            if outcome.is_ok() { "" } else { "  open" },
        );
        if outcome.is_ok() {
            all.extend(needed);
        }
    }
    println!("Needed: {} moves", all.len());
}

/// Prints a flaw of the tree, and where it is.
fn print_flaw(claim: &Claim, flaw: &Flaw) {
    let path = flaw.path.iter().map(|m| m.map_or("pass".into(), |cell| label(claim, cell)));
    let path = path.collect::<Vec<_>>().join(" ");
    let place = if path.is_empty() { "at the start".into() } else { format!("after {path}") };
    println!("Flaw: {place}: {}", flaw.kind);
    if flaw.kind == FlawKind::NoMove {
        println!("The tree is not finished there: `goren prove` goes on with it.");
    }
}

/// Whether all replies are answered, and there is one: a side without a move,
/// or with nothing but fouls, has not lost.
fn is_whole(claim: &Claim, board: &ProofBoard, parts: &[Part]) -> bool {
    let foul = |reply: Cell| board.fouls(claim.root.to_move, reply).0.any();
    let can_move = parts.iter().any(|part| part.reply.is_none_or(|reply| !foul(reply)));
    can_move && parts.iter().all(|part| part.outcome.is_ok())
}

/// A tree of these moves alone.
fn select(claim: &Claim, needed: &FxHashMap<(u64, Cell), u16>) -> Proof {
    let mut selected = Proof::new(claim.clone());
    let mut moves: Vec<(u64, Cell)> = needed.keys().copied().collect();
    // The same file whatever the order of the map.
    moves.sort_unstable();
    for (key, m) in moves {
        selected.insert(key, m);
    }
    selected
}

//! `goren prove`: builds a winning tree and keeps it in a file.

mod finder;
mod grow;
mod table;
mod tree;
mod worker;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::position::{self, Position, Source, name};
use super::replies::{ground, named, way};
use super::seconds::seconds;
pub(super) use finder::{FOURS, SHORTEST};
use goren_core::rules::{Setup, Variant};
use goren_core::types::{Cell, Color};
use goren_database::write::replace;
use goren_proof::{Claim, Journal, Proof, Root};
pub(super) use grow::{Effort, Part, Sought, forced, grow, stones};
pub(super) use table::{hash_of, solver_of};
use tree::Reply;
pub(super) use tree::State;
pub(super) use worker::Budgets;

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
    /// Works on these replies to the position only.
    #[arg(long, value_name = "CELL,...", value_delimiter = ',', conflicts_with = "shard")]
    reply: Vec<String>,
    /// Threads; without it one for each core.
    #[arg(long)]
    threads: Option<usize>,
    /// MiB of the table of positions that all threads share.
    #[arg(long, default_value_t = 1024)]
    memory: usize,
    /// Seconds after which to stop; a later run goes on.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
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

/// Which replies are worked on, and what the result says of that.
///
/// # Errors
/// One that is named is no reply, or it is the attacker's move.
fn part(args: &Args, claim: &Claim) -> Result<(Part, String)> {
    ensure!(
        claim.root.to_move != claim.attacker || args.reply.is_empty() && args.shard.is_none(),
        "parts are of the defender's replies, but it is the attacker's move"
    );
    if args.reply.is_empty() {
        return Ok(match args.shard {
            Some((i, n)) => (Part::Shard(i, n), format!(", part {i} of {n}")),
            None => (Part::Whole, String::new()),
        });
    }
    let ground = ground(claim)?;
    let (mut keys, mut labels) = (Vec::new(), Vec::new());
    for reply in named(claim, &ground, &args.reply)? {
        let after = ground.toggled(ground.keys(), reply, claim.root.to_move);
        keys.push(ground.spot(&after).whole);
        labels.push(reply.label(claim.setup.height));
    }
    Ok((Part::Replies(keys), format!(", against {}", labels.join(", "))))
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
    let (part, words_of_part) = part(args, &claim)?;
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
    let grown = grow(proof, &part, &effort, Some(&mut journal)).with_context(place)?;
    sort(&journal, &grown.proof, &args.file);
    let seconds = started.elapsed().as_secs_f64();
    println!("Result: {}{words_of_part}", words(grown.state));
    if claim.root.to_move != claim.attacker {
        tell_replies(&claim, &grown.replies);
    }
    println!("Positions: {} open, {} proven", grown.positions.0, grown.positions.1);
    println!("Moves: {}", grown.proof.len());
    println!("Nodes: {}", grown.nodes);
    println!("Time: {seconds:.1} s");
    println!("Speed: {:.0} nodes/s", grown.nodes as f64 / seconds.max(1e-9));
    Ok(grown.state == State::Proven)
}

/// Writes the file anew, sorted, so that engines can look moves up in it. No
/// other run may have it meanwhile. Where that fails all is there still.
fn sort(journal: &Journal, proof: &Proof, path: &Path) {
    if journal.is_sorted() {
        return;
    }
    let content = |mut file: &File| goren_proof::write(proof, &mut file);
    if let Err(error) = replace(path, 0, content) {
        eprintln!("{}: not sorted ({error}); `goren merge` sorts it", path.display());
    }
}

/// Prints what the replies to the position took that were not proven before.
fn tell_replies(claim: &Claim, replies: &[Reply]) {
    println!("Replies left: {}", replies.iter().filter(|reply| !reply.proven).count());
    if replies.is_empty() {
        return;
    }
    let [reply, apart, seconds, nodes, moves] = ["reply", "apart", "seconds", "nodes", "moves"];
    println!("{reply:>6} {apart:>5} {seconds:>9} {nodes:>12} {moves:>9}");
    for Reply { m, proven, spent, .. } in replies {
        let label = m.label(claim.setup.height);
        let state = if *proven { "" } else { "  open" };
        let (seconds, nodes, moves) = (spent.seconds, spent.nodes, spent.moves);
        let apart = way(claim, *m);
        println!("{label:>6} {apart:>5} {seconds:>9.1} {nodes:>12} {moves:>9}{state}");
    }
}

/// How far a tree is.
pub(super) fn words(state: State) -> &'static str {
    match state {
        State::Proven => "proven",
        State::Open => "open",
        State::Spent => "nothing more to try",
    }
}

//! `goren prove`: builds a winning tree and keeps it in a file.
//!
//! The checker asks for the moves that it lacks. `finder.rs` takes them from the tree, from
//! a similar position in which one of the defender's first two stones lies a point or two
//! away (trees of neighbouring replies are much alike), or from the solvers of the engine.
//! Moves that pass the check are shared with all threads every few hundred moves and written
//! to the file.
//!
//! The checkers of this phase keep their caches. A tree that seems proven is therefore checked
//! again with empty caches, reply by reply on all threads, until nothing is missing
//! (`grow.rs`).
//!
//! Positions that a quick search does not prove go into `tree.rs`. The alpha-beta search
//! proposes the moves to try there. It gets more nodes for the first few moves, and most for
//! the first answer to a reply to the root; for that one, similar positions are not used.
//! Replies to the root are worked on one after another, the distant ones first, as long as
//! they do not turn out to be too hard.
//!
//! A file is a log of moves. A position may have several moves, so that shards are joined
//! by union. A finished file is sorted (`GORENPF2`, see `goren_proof`), so that the session
//! can look moves up on disk.

mod advice;
mod finder;
mod forced;
mod grow;
mod table;
mod tree;
mod worker;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::position::{self, GivenPosition, PositionArgs};
use super::replies::{named, of_shard};
use super::run::shard::{Shard, ShardArgs};
use super::run::stop::{CONTINUED, Stop};
use super::seconds::seconds;
use super::trees::{TreesArg, print_claim, read};
use super::variant::rules_of_five;
use crate::number::whole;
pub(super) use advice::Advice;
pub(super) use finder::{SHORTEST_VCF_STONES, VCF_STONES};
pub(super) use forced::{WinKind, prove_kind};
use goren_core::rules::{RuleId, Setup, Variant};
use goren_core::types::{Cell, Color};
use goren_files::{output_path, replace};
use goren_proof::{Claim, Journal, Proof, Root, has_free_passes};
use goren_trees::replies::{board, distance_class, replies_to_check};
pub(super) use grow::{ReplySelection, TreeLimits, grow, stones};
pub(super) use table::{hash_of, solver_of};
use tree::RootReply;
pub(super) use tree::WorkState;
pub(super) use worker::Budgets;

/// Arguments of `goren prove`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren prove win.tree --game freestyle h8a1i9b1h9        (seconds)
  goren prove corner.tree --game freestyle h8a1           (minutes)
  goren prove part1.tree --game freestyle --shard 1/4 h8  (one of four parts; the whole takes hours)
  goren merge all.tree part*.tree
  goren prove large.tree --game freestyle --size 19 j10 --advice freestyle-15x15

The running time cannot be predicted. Ctrl-C and SIGTERM stop it, as --time does: what is proven
is in the file, and the same command continues it. `goren check` of an unfinished tree says
\"not proven\" and names the first position that has no move yet.

Advice proves nothing: a move of another tree is kept only if the checker finds that it wins here.
Stones of the defender outside the other board count as passes there. A tree takes some 25 bytes
of memory a move; a packed one is unpacked first, which takes minutes for a whole game: `goren
merge` makes a sorted table of it once.

The progress line:
  replies left   moves of the defender in the position that have no complete answer yet, and an
                 estimate of the time left, as soon as one has its answer
  positions      of the attacker that a quick search did not settle: those still open, and those
                 proven since the tree was last checked from the start
  hardness       of the hardest open position, estimated from the moves tried and the replies
                 left; it rises while the work spreads and falls to 0 at the end
  moves          in the file, and new ones a second
  at             the moves that lead to the position being worked on")]
pub struct Args {
    /// Tree file; an existing one is continued.
    file: PathBuf,
    #[command(flatten)]
    source: PositionArgs,
    /// Side that is to win: black or white; default: black.
    #[arg(long, value_name = "COLOR", value_parser = position::color)]
    attacker: Option<Color>,
    #[command(flatten)]
    shard: ShardArgs,
    /// Work only on these replies to the position, such as a15,b15.
    #[arg(long, value_name = "CELL,...", value_delimiter = ',', conflicts_with = "shard")]
    reply: Vec<String>,
    /// A winning tree whose moves are tried first: a file, or the name of a shipped one
    /// (`goren check --list`). It may be for another board size or rule, as long as its
    /// opening stones are the same, shifted as a whole. May be given several times.
    #[arg(long, value_name = "TREE")]
    advice: Vec<PathBuf>,
    #[command(flatten)]
    trees: TreesArg,
    /// Threads; default: one per core.
    #[arg(long, value_parser = whole::<usize>(1..))]
    threads: Option<usize>,
    /// Transposition table shared by all threads, in MiB.
    #[arg(long, default_value_t = 1024, value_parser = whole::<usize>(1..))]
    memory: usize,
    /// Stop cleanly after this many seconds, like --stop-after of other commands; a
    /// later run continues. The exit status is 75 if work is left.
    #[arg(long, visible_alias = "stop-after", value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Nodes of the first, quick VCT search of a position. These four numbers
    /// seldom need changing: more nodes help if many positions stay open, fewer
    /// if most are easy.
    #[arg(long, alias = "glance", value_name = "NODES",
        default_value_t = Budgets::DEFAULT.quick_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    quick_nodes: u64,
    /// Nodes of the longer VCT search.
    #[arg(long, alias = "seek", value_name = "NODES", default_value_t = Budgets::DEFAULT.vct_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    vct_nodes: u64,
    /// Nodes of the VCT search in which the defender passes.
    #[arg(long, alias = "passed", value_name = "NODES",
        default_value_t = Budgets::DEFAULT.pass_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    pass_nodes: u64,
    /// Nodes of the alpha-beta search that proposes moves.
    #[arg(long, alias = "search", value_name = "NODES",
        default_value_t = Budgets::DEFAULT.move_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    move_nodes: u64,
}

/// Returns the claim that a position is won.
///
/// # Errors
/// The game is not five in a row, or is over.
pub(super) fn claim(position: &GivenPosition, attacker: Color) -> Result<Claim> {
    let contest = &position.contest;
    let Variant::Five(rule) = contest.variant else {
        bail!("{} has no winning trees; only {} do", contest.variant, rules_of_five())
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

/// Refuses rules with free passes: a winning tree proves nothing about them.
///
/// # Errors
/// The rule has free passes.
pub(super) fn ensure_no_free_passes(rule: RuleId) -> Result<()> {
    ensure!(
        !has_free_passes(rule),
        "{rule} has no winning trees, as its players may pass: leave out free-pass to prove a win \
         in the game without passes"
    );
    Ok(())
}

/// Returns the replies to work on, and their description for the result line.
///
/// # Errors
/// A given point is no reply, or replies are given although the attacker is to move.
fn selected_replies(args: &Args, claim: &Claim) -> Result<(ReplySelection, String)> {
    let shard = if args.reply.is_empty() { args.shard.shard()? } else { Shard::WHOLE };
    ensure!(
        claim.root.to_move != claim.attacker || args.reply.is_empty() && shard.is_whole(),
        "--shard and --reply select replies of the defender, but the attacker is to move"
    );
    if args.reply.is_empty() && shard.is_whole() {
        return Ok((ReplySelection::All, String::new()));
    }
    let board = board(claim)?;
    let (replies, words) = if args.reply.is_empty() {
        let own = of_shard(replies_to_check(claim, &board), shard);
        (own.into_iter().flatten().collect(), format!(", {shard}"))
    } else {
        let named = named(claim, &board, &args.reply)?;
        let labels: Vec<String> = named.iter().map(|m| m.label(claim.setup.height)).collect();
        (named, format!(", against {}", labels.join(", ")))
    };
    let after = |reply: Cell| board.toggled(board.keys(), reply, claim.root.to_move);
    let keys = replies.into_iter().map(|reply| board.canonical(&after(reply)).whole);
    Ok((ReplySelection::Only(keys.collect()), words))
}

/// Reads the trees whose moves are tried first.
///
/// # Errors
/// A tree cannot be read, or is about another position or colour.
fn advice(args: &Args, claim: &Claim) -> Result<Vec<Advice>> {
    let read_tree = |path: &PathBuf| {
        let file = args.trees.any(path)?;
        let proof = read(std::slice::from_ref(&file))?;
        Advice::new(proof, claim).with_context(|| file.display().to_string())
    };
    args.advice.iter().map(read_tree).collect()
}

/// Warning before a proof of the empty board.
const WHOLE_GAME: &str = "\
The position is the empty board: the proof of the whole game may take days, or never end.
To prove another position, add moves or the file of a game: goren prove win.tree h8a1i9";

/// Extends the tree and prints the result. Returns whether the claim is proven.
///
/// # Errors
/// A position that has no trees, a file that cannot be used, no memory, or no threads.
pub fn run(args: &Args) -> Result<bool> {
    let (started, stop) = (Instant::now(), Stop::after(args.time));
    let position = args.source.position()?;
    let claim = claim(&position, args.attacker.unwrap_or(Color::Black))?;
    ensure_no_free_passes(claim.setup.rule)?;
    let (selection, selection_text) = selected_replies(args, &claim)?;
    output_path::check_replaced(&args.file, args.source.words())?;
    // Reading advice may take minutes. The file is created afterwards, so that a refused run
    // leaves no file.
    let advice = advice(args, &claim)?;
    let place = || args.file.display().to_string();
    let (mut journal, proof, damage) = Journal::open(&args.file, &claim).with_context(place)?;
    if let Some(damage) = damage {
        let backup_note = journal.kept().map_or(String::new(), |path| {
            format!("; the damaged file is kept as {}", path.display())
        });
        eprintln!(
            "{}: {} bytes from byte {} on are damaged and were skipped{backup_note}",
            place(),
            damage.lost,
            damage.offset
        );
    }
    print_claim(&claim);
    if claim.root.stones.is_empty() {
        println!("{WHOLE_GAME}");
    }
    println!("Known: {} moves", proof.len());
    println!("Ctrl-C ends the work and keeps what is proven; the same command continues it.");
    let Args { threads, memory, time, .. } = *args;
    let Args { quick_nodes, vct_nodes, pass_nodes, move_nodes, .. } = *args;
    let budgets = Budgets { quick_nodes, vct_nodes, pass_nodes, move_nodes };
    let limits = TreeLimits { threads, memory, time, budgets };
    let grown = grow(proof, &selection, &limits, advice, Some(&mut journal));
    let grown = grown.with_context(place)?;
    sort(&journal, &grown.proof, &args.file);
    let seconds = started.elapsed().as_secs_f64();
    println!("Result: {}{selection_text}", words(grown.state));
    if claim.root.to_move != claim.attacker {
        report_replies(&claim, &grown.replies);
    }
    println!("Positions open: {}", grown.open);
    println!("Moves: {}", grown.proof.len());
    println!("Nodes: {}", grown.nodes);
    println!("Time: {seconds:.1} s");
    println!("Speed: {:.0} nodes/s", grown.nodes as f64 / seconds.max(1e-9));
    if grown.state == WorkState::Open && stop.asked().is_some() {
        return Err(stop.stopped(CONTINUED).into());
    }
    Ok(grown.state == WorkState::Proven)
}

/// Rewrites the file sorted, so that engines can look moves up in it. No other run may use
/// it meanwhile. If this fails, the file stays as it is.
fn sort(journal: &Journal, proof: &Proof, path: &Path) {
    if journal.is_sorted() {
        return;
    }
    let content = |mut file: &File| goren_proof::write(proof, &mut file);
    if let Err(error) = replace(path, 0, content) {
        eprintln!("{}: not sorted ({error}); `goren merge` sorts it", path.display());
    }
}

/// Prints the cost of each reply to the position that was not proven before.
fn report_replies(claim: &Claim, replies: &[RootReply]) {
    println!("Replies left: {}", replies.iter().filter(|reply| !reply.proven).count());
    if replies.is_empty() {
        return;
    }
    let [reply, apart, seconds, nodes, moves] = ["reply", "apart", "seconds", "nodes", "moves"];
    println!("{reply:>6} {apart:>5} {seconds:>9} {nodes:>12} {moves:>9}");
    for RootReply { m, proven, cost, .. } in replies {
        let label = m.label(claim.setup.height);
        let state = if *proven { "" } else { "  open" };
        let (seconds, nodes, moves) = (cost.seconds, cost.nodes, cost.moves);
        let apart = distance_class(claim, *m);
        println!("{label:>6} {apart:>5} {seconds:>9.1} {nodes:>12} {moves:>9}{state}");
    }
}

/// Names the state of a tree.
pub(super) fn words(state: WorkState) -> &'static str {
    match state {
        WorkState::Proven => "proven",
        WorkState::Open => "open",
        WorkState::Exhausted => "nothing more to try",
    }
}

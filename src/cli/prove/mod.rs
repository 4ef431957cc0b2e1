//! `goren prove`: builds a winning tree and keeps it in a file.
//!
//! The checker asks for the moves that it lacks. `finder.rs` takes them from the tree, from
//! a similar position in which one of the defender's first two stones lies a point or two
//! away (trees of neighbouring replies are much alike), or from the solvers of the engine.
//! Moves that pass the check are shared with all threads and written to the file every few
//! hundred moves.
//!
//! The checkers of this phase keep their caches. So a tree that seems proven is checked
//! again with empty caches, reply by reply on all threads, until nothing is missing
//! (`grow.rs`).
//!
//! Positions that a quick search does not prove go into `tree.rs`. The alpha-beta search
//! proposes the moves to try there. It gets more nodes for the first few moves, and most for
//! the first answer to a reply to the root; for that one, similar positions are not used.
//! Replies to the root are worked on one after another, the distant ones first, as long as
//! they do not turn out to be too hard.
//!
//! A file is a log of moves, of which a position may have several, so that
//! shards are joined by union. A finished file is sorted (`GORENPF2`, see
//! `goren_proof`), so that the session can look moves up on disk.

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
use super::run::stop::Stop;
use super::seconds::seconds;
use super::trees::{TreesArg, print_claim, read};
use super::variant::rules_of_five;
use crate::number::whole;
pub(super) use advice::Advice;
pub(super) use finder::{FOURS, SHORTEST};
pub(super) use forced::{WinKind, forced};
use goren_core::rules::{RuleId, Setup, Variant};
use goren_core::types::{Cell, Color};
use goren_files::{output_path, replace};
use goren_proof::{Claim, Journal, Proof, Root, has_free_passes};
use goren_trees::replies::{asked, board, way};
pub(super) use grow::{TreeLimits, WorkedReplies, grow, stones};
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
is in the file, and the same command continues. `goren check` of an unfinished tree says
\"not proven\" and names the first position that has no move yet.

Advice proves nothing: a move of another tree is kept only if the checker finds that it wins here.
Stones of the defender outside the other board count as passes there. A tree takes some 25 bytes
of memory a move; a packed one is unpacked first, which takes minutes for a whole game: `goren
merge` makes a sorted table of it once.

The progress line:
  replies left   moves of the defender in the position without a complete answer yet, and an
                 estimate of the time, as soon as one has its answer
  positions      of the attacker that a quick search did not settle: those still open, and those
                 proven since the tree was last checked from the start
  hardness       how hard the hardest of the open ones looks, by the moves tried and the replies
                 left; it rises while the work spreads and falls to 0 at the end
  moves          in the file, and new ones a second
  at             the moves that lead to what is worked on")]
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
    /// seldom need a change: more nodes where many positions stay open, fewer
    /// where most are easy.
    #[arg(long, alias = "glance", value_name = "NODES",
        default_value_t = Budgets::USUAL.quick_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    quick_nodes: u64,
    /// Nodes of the longer VCT search.
    #[arg(long, alias = "seek", value_name = "NODES", default_value_t = Budgets::USUAL.vct_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    vct_nodes: u64,
    /// Nodes of the VCT search in which the defender passes.
    #[arg(long, alias = "passed", value_name = "NODES", default_value_t = Budgets::USUAL.pass_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    pass_nodes: u64,
    /// Nodes of the alpha-beta search that proposes moves.
    #[arg(long, alias = "search", value_name = "NODES", default_value_t = Budgets::USUAL.move_nodes,
        hide_short_help = true, value_parser = whole::<u64>(0..))]
    move_nodes: u64,
}

/// The claim that a position is won.
///
/// # Errors
/// It is of another game than five in a row, or over.
pub(super) fn claim(position: &GivenPosition, attacker: Color) -> Result<Claim> {
    let contest = &position.contest;
    let Variant::Five(rule) = contest.variant else {
        bail!("{} has no winning trees; {} have", contest.variant, rules_of_five())
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

/// Refuses games with passes at any point: a winning tree says nothing about them.
///
/// # Errors
/// The game is such a one.
pub(super) fn ensure_no_free_passes(rule: RuleId) -> Result<()> {
    ensure!(
        !has_free_passes(rule),
        "{rule} has no winning trees: players may pass in it, but what is proven here is of the \
         game without passes; leave out free-pass to prove that"
    );
    Ok(())
}

/// Which replies are worked on, and what the result says of that.
///
/// # Errors
/// One that is named is no reply, or it is the attacker's move.
fn part(args: &Args, claim: &Claim) -> Result<(WorkedReplies, String)> {
    let shard = if args.reply.is_empty() { args.shard.shard()? } else { Shard::WHOLE };
    ensure!(
        claim.root.to_move != claim.attacker || args.reply.is_empty() && shard.is_whole(),
        "--shard and --reply select replies of the defender, but the attacker is to move"
    );
    if args.reply.is_empty() && shard.is_whole() {
        return Ok((WorkedReplies::Whole, String::new()));
    }
    let board = board(claim)?;
    let (replies, words) = if args.reply.is_empty() {
        let own = of_shard(asked(claim, &board), shard);
        (own.into_iter().flatten().collect(), format!(", {shard}"))
    } else {
        let named = named(claim, &board, &args.reply)?;
        let labels: Vec<String> = named.iter().map(|m| m.label(claim.setup.height)).collect();
        (named, format!(", against {}", labels.join(", ")))
    };
    let after = |reply: Cell| board.toggled(board.keys(), reply, claim.root.to_move);
    let keys = replies.into_iter().map(|reply| board.canonical(&after(reply)).whole);
    Ok((WorkedReplies::Replies(keys.collect()), words))
}

/// The trees whose moves are tried first.
///
/// # Errors
/// One cannot be read, or is about another position or colour.
fn advice(args: &Args, claim: &Claim) -> Result<Vec<Advice>> {
    let one = |path: &PathBuf| {
        let file = args.trees.any(path)?;
        let proof = read(std::slice::from_ref(&file))?;
        Advice::new(proof, claim).with_context(|| file.display().to_string())
    };
    args.advice.iter().map(one).collect()
}

/// The warning before a proof of the empty board.
const WHOLE_GAME: &str = "\
The position is the empty board: the proof of the whole game may take days, or never end.
Moves behind the file, or the file of a game, name another position: goren prove win.tree h8a1i9";

/// Proves and tells; whether it is proven.
///
/// # Errors
/// A position without a tree, a file that cannot be used, no memory, or no
/// threads.
pub fn run(args: &Args) -> Result<bool> {
    let (started, stop) = (Instant::now(), Stop::after(args.time));
    let position = args.source.position()?;
    let claim = claim(&position, args.attacker.unwrap_or(Color::Black))?;
    ensure_no_free_passes(claim.setup.rule)?;
    let (part, words_of_part) = part(args, &claim)?;
    output_path::check_replaced(&args.file, args.source.words())?;
    // Advice may take minutes to be read. The file is not made before: a run that is refused
    // leaves none.
    let advice = advice(args, &claim)?;
    let place = || args.file.display().to_string();
    let (mut journal, proof, damage) = Journal::open(&args.file, &claim).with_context(place)?;
    if let Some(damage) = damage {
        let kept = journal.kept().map_or(String::new(), |path| {
            format!("; the file as it was is kept as {}", path.display())
        });
        eprintln!(
            "{}: {} bytes from byte {} on are damaged and were skipped{kept}",
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
    println!("Ctrl-C ends the work and keeps what is proven; the same command goes on with it.");
    let Args { threads, memory, time, .. } = *args;
    let Args { quick_nodes, vct_nodes, pass_nodes, move_nodes, .. } = *args;
    let budgets = Budgets { quick_nodes, vct_nodes, pass_nodes, move_nodes };
    let effort = TreeLimits { threads, memory, time, budgets };
    let grown = grow(proof, &part, &effort, advice, Some(&mut journal)).with_context(place)?;
    sort(&journal, &grown.proof, &args.file);
    let seconds = started.elapsed().as_secs_f64();
    println!("Result: {}{words_of_part}", words(grown.state));
    if claim.root.to_move != claim.attacker {
        report_replies(&claim, &grown.replies);
    }
    println!("Positions open: {}", grown.open);
    println!("Moves: {}", grown.proof.len());
    println!("Nodes: {}", grown.nodes);
    println!("Time: {seconds:.1} s");
    println!("Speed: {:.0} nodes/s", grown.nodes as f64 / seconds.max(1e-9));
    if grown.state == WorkState::Open && stop.asked().is_some() {
        return Err(stop.stopped("the same command goes on with it").into());
    }
    Ok(grown.state == WorkState::Proven)
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
        let apart = way(claim, *m);
        println!("{label:>6} {apart:>5} {seconds:>9.1} {nodes:>12} {moves:>9}{state}");
    }
}

/// How far a tree is.
pub(super) fn words(state: WorkState) -> &'static str {
    match state {
        WorkState::Proven => "proven",
        WorkState::Open => "open",
        WorkState::Exhausted => "nothing more to try",
    }
}

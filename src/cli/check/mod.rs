//! `goren check`: checks a winning tree by the rules alone.

mod join;
mod list;
mod pack_file;
mod reply_check;
mod report;
mod statistics;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::ArgGroup;
use fxhash::FxHashSet;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::forms::{Kind, of_kind};
use super::picture;
use super::replies::named;
use super::run::shard::{Shard, ShardArgs};
use super::run::stop::{RESUMED, Stop, StopArgs, UNFINISHED};
use super::search_pool;
use super::trees::{TreesArg, print_claim, read, replaceable};
use crate::lock::lock;
use crate::number::whole;
use goren_core::types::Cell;
use goren_files::output_path::{self, same};
use goren_notation::words::plural;
use goren_proof::{Claim, Flaw, FlawKind, LinePly, ProofBoard};
use goren_trees::packed::Part;
use goren_trees::replies::{board, can_move, distance_class, replies_to_check};
use goren_trees::{TreeFile as Tree, open};

pub(super) use join::join;
use pack_file::{ONLY_WHOLE, PackFile};
use reply_check::{CheckedReply, check_reply, pack};
pub(super) use report::FORMAT;
use report::{POSITION, ReplyLine, ReportFile, print_table};

/// Time between checks of the stop conditions.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// Outcome of a stopped check without `--report`.
const NO_REPORT: &str = "no result is kept; with --report the next run could continue";
/// The same if it packs to a file other than its input.
const ONLY_PACKED: &str =
    "the replies packed so far are kept; with --report the next run could continue";

/// Arguments of `goren check`.
#[derive(Clone, clap::Args)]
#[command(after_help = "\
Examples:
  goren check corner.tree
  goren check corner.tree --pack corner.packed
  goren check renju --reply a1,b1                     (a shipped tree, by name)
  goren check --list --no-count                       (the shipped trees)
  goren check renju --statistics --plot renju.svg
  goren check renju.packed --shard 2/8 --report part-2.jsonl
  goren merge whole.jsonl part-*.jsonl                 (reports whether the claim is proven)

The checker uses nothing but the rules. It prints moves and average depth for each reply, and
names the first flaw. The exit status is 0 only if the tree proves its claim. In a tree that
`goren prove` has not finished, the first flaw is a position that has no move yet.

Columns of the output: reply, a move of the defender; apart, its distance from the last stone in
columns and rows, the larger number first (21: two and one); moves, how many are needed against
it; depth, their average depth in moves of the attacker; bytes, the size in a packed file; visits,
the number of positions visited.")]
#[command(group = ArgGroup::new("checked").required(true).multiple(true).args(["files", "list"]))]
pub struct Args {
    /// Tree file or name of a shipped tree, or several for the same claim.
    files: Vec<PathBuf>,
    /// Threads; default: one per core.
    #[arg(long, value_parser = whole::<usize>(1..))]
    threads: Option<usize>,
    /// Write a compact proof of the proven replies, under one byte per move for
    /// a large tree. If FILE is a packed tree of the same claim, it keeps its parts for other
    /// replies; a file that holds something else stays as it is.
    /// FILE may also be the tree that is checked: once all its replies are packed, the packed
    /// tree replaces it, and the engine (`INFO proof`) can no longer use it.
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
    /// List the shipped trees and compare their files with the index: checksums and numbers
    /// of moves. --no-count does not count the moves.
    #[arg(long, conflicts_with_all = ["files", "pack", "reply", "statistics", "report"])]
    list: bool,
    /// With --list: take the numbers of moves from the index.
    #[arg(long, requires = "list")]
    no_count: bool,
    #[command(flatten)]
    trees: TreesArg,
    /// Check and pack in one pass instead of three. The file is larger, as it
    /// includes moves that failed.
    #[arg(long)]
    quick: bool,
    /// Check only these replies to the position, such as a15,b15.
    #[arg(long, value_name = "CELL,...", value_delimiter = ',', conflicts_with_all = ["shard", "report"])]
    reply: Vec<String>,
    /// Print the number of moves at each depth, and for each reply the longest win against
    /// the best defence, in plies from the position of the tree. Takes more memory.
    #[arg(long, conflicts_with = "pack")]
    statistics: bool,
    /// Draw the moves by depth as SVG. Overwrites an SVG, but no other kind of file.
    #[arg(long, value_name = "FILE.svg", requires = "statistics")]
    plot: Option<PathBuf>,
    /// Write JSON Lines to FILE: the tree, then one line per reply as soon as it is
    /// checked. A file that is not empty is refused without --resume.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Continue the check of --report, and the file of --pack.
    #[arg(long, requires = "report")]
    resume: bool,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    stop: StopArgs,
}

/// Checks the files and prints the result. Returns whether the checked part holds.
///
/// # Errors
/// A file that cannot be read or written, or no threads.
pub fn run(args: &Args) -> Result<bool> {
    if args.list {
        // --quick is the former name of --no-count.
        return list::list(&args.trees.named(), !(args.no_count || args.quick));
    }
    ensure!(!args.quick || args.pack.is_some(), "--quick needs --pack");
    let files = args.files.iter().map(|file| args.trees.packed(file)).collect::<Result<_>>()?;
    check(&Args { files, ..args.clone() })
}

/// Checks files given by their paths.
fn check(args: &Args) -> Result<bool> {
    let stop = args.stop.watch();
    let shard = if args.reply.is_empty() { args.shard.shard()? } else { Shard::WHOLE };
    let tree = match &args.files[..] {
        [file] => of_kind(file, Kind::Tree, open(file))?,
        files => Tree::Table(read(files)?),
    };
    let claim = tree.claim();
    let board = board(claim)?;
    print_claim(tree.claim());
    if let Tree::Table(proof) = &tree {
        println!("Moves: {}", proof.len());
    }
    check_outputs(args, claim)?;
    let pack_file = |path| PackFile::open(path, claim, is_input(args, path));
    let pack_file = args.pack.as_deref().map(pack_file).transpose()?;
    let started = Instant::now();
    let replies = replies(args, claim, &board, shard)?;
    pack_file.iter().try_for_each(|file| file.check_reach(&replies.all, &replies.own))?;
    // Considers all replies: if a given reply is a foul, others may be legal.
    let can_move = can_move(claim, &board, &replies_to_check(claim, &board));
    let report = match &args.report {
        Some(path) => {
            let mut header = report::header(&args.files, replies.all.len(), can_move, shard)?;
            if args.statistics {
                header["statistics"] = true.into();
            }
            Some(ReportFile::open(path, &header, args.resume)?)
        }
        None => None,
    };
    let results = Mutex::new(Results::new(args, claim, report, pack_file));
    let needed = check_replies(args, &tree, &board, &replies.own, stop, &results)?;
    let Results { lines, pack_file, .. } =
        results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let lines: Vec<&ReplyLine> = replies.own.iter().filter_map(|(n, _)| lines.get(n)).collect();
    print_table(lines.iter().copied());
    if let Some(needed) = needed {
        println!("Needed: {needed} moves");
    }
    println!("Time: {:.1} s", started.elapsed().as_secs_f64());
    statistics::print(&lines);
    if let Some(path) = &args.plot {
        let title = format!("{claim}: moves by depth");
        picture::write(path, statistics::plot(&title, &lines)?.as_bytes())?;
    }
    if let Some(flaw) = lines.iter().find_map(|line| line.flaw.as_ref()) {
        println!("Flaw: {flaw}");
    }
    let whole = can_move && lines.iter().all(|line| line.flaw.is_none());
    let not = if whole { "" } else { "not " };
    match replies.own[..] {
        // Only some replies were checked: no verdict on the claim.
        [(_, Some(reply))] if !args.reply.is_empty() => {
            println!("Result: {} is {not}answered", label(claim, reply));
        }
        _ if !args.reply.is_empty() => println!("Result: {not}all of them are answered"),
        _ if !shard.is_whole() => println!("Result: {not}proven, {shard}"),
        _ => println!("Result: {not}proven"),
    }
    if let Some(file) = pack_file {
        finish(file, claim, &lines, whole.then_some(replies.all.len()))?;
    }
    Ok(whole)
}

/// Writes the packed file a last time, and prints which replies it lacks or keeps unchecked.
/// `all` is the number of replies if all are answered.
///
/// # Errors
/// Those of [`PackFile::finish`].
fn finish(
    mut file: PackFile,
    claim: &Claim,
    lines: &[&ReplyLine],
    all: Option<usize>,
) -> Result<()> {
    let proven = || lines.iter().filter(|line| line.flaw.is_none());
    for line in proven().filter(|line| line.bytes.is_none() && line.reply != POSITION) {
        println!("Not packed: {}", line.reply);
    }
    let is_proven = |part: &Part| proven().any(|line| line.reply == name_of(claim, part.reply));
    let unchecked = file.parts().iter().filter(|part| !is_proven(part)).count();
    if unchecked > 0 {
        println!("Kept in the packed file, not checked: {}", plural(unchecked, "reply", "replies"));
    }
    let is_complete = all == Some(file.parts().len());
    file.finish(is_complete)
}

/// Checks the output files before the work begins.
///
/// # Errors
/// An output would replace an input or a file of another kind, or cannot be written; two
/// outputs are the same file.
fn check_outputs(args: &Args, claim: &Claim) -> Result<()> {
    ensure!(
        !(args.quick && args.pack.as_ref().is_some_and(|path| is_input(args, path))),
        "--quick does not verify what it packs, so it cannot replace its input; name another file",
    );
    if let Some(path) = &args.pack {
        let loses_replies = !args.reply.is_empty() && is_input(args, path);
        ensure!(!loses_replies, "{}: {ONLY_WHOLE}", path.display());
        replaceable(path, claim)?;
    }
    if let Some(path) = &args.plot {
        picture::ready_svg(path, "--plot", &args.files)?;
    }
    Ok(output_path::check_apart(args.pack.iter().chain(&args.plot).chain(&args.report))?)
}

/// The replies to check.
struct Replies {
    /// All replies of the claim, or the given ones; `None` stands for the position itself.
    all: Vec<Option<Cell>>,
    /// The replies of this run, with their numbers among all replies of the claim.
    own: Vec<(u64, Option<Cell>)>,
}

/// Determines the replies to check.
///
/// # Errors
/// A given point is no reply.
fn replies(args: &Args, claim: &Claim, board: &ProofBoard, shard: Shard) -> Result<Replies> {
    let asked = replies_to_check(claim, board);
    let numbered = || (0..).zip(asked.iter().copied());
    if args.reply.is_empty() {
        let own = numbered().filter(|&(number, _)| shard.has(number)).collect();
        return Ok(Replies { all: asked, own });
    }
    let named = named(claim, board, &args.reply)?;
    let number = |reply: &Cell| numbered().find(|&(_, other)| other == Some(*reply));
    Ok(Replies {
        all: named.iter().copied().map(Some).collect(),
        own: named.iter().filter_map(number).collect(),
    })
}

/// Whether a path leads to one of the input files.
fn is_input(args: &Args, path: &Path) -> bool {
    args.files.iter().any(|file| same(file, path))
}

/// Formats a cell.
fn label(claim: &Claim, cell: Cell) -> String {
    cell.label(claim.setup.height).to_lowercase()
}

/// Counts the attacker's stones in the position of the claim.
fn stones_at_root(claim: &Claim) -> usize {
    claim.root.stones.iter().filter(|&&(_, color)| color == claim.attacker).count()
}

/// Results of a check so far.
struct Results {
    /// Lines by the numbers of the replies.
    lines: BTreeMap<u64, ReplyLine>,
    pack_file: Option<PackFile>,
    report: Option<ReportFile>,
    /// Moves that are needed; unknown after a resumed check.
    needed: Option<FxHashSet<(u64, Cell)>>,
}

impl Results {
    /// Creates the results of a run, including those of the run that it resumes.
    fn new(
        args: &Args,
        claim: &Claim,
        report: Option<ReportFile>,
        pack_file: Option<PackFile>,
    ) -> Results {
        let mut lines = report.as_ref().map(|report| report.known.clone()).unwrap_or_default();
        if let Some(file) = &pack_file {
            let is_packed = |line: &ReplyLine| {
                let mut packed = file.parts().iter().map(|part| name_of(claim, part.reply));
                line.flaw.is_some() || packed.any(|name| name == line.reply)
            };
            lines.retain(|_, line| is_packed(line));
        }
        let needed = (lines.is_empty() && !args.statistics).then(FxHashSet::default);
        Results { lines, pack_file, report, needed }
    }

    /// Adds the result of a reply, and its part if it is to be packed.
    ///
    /// # Errors
    /// A file that cannot be written.
    fn add(&mut self, line: ReplyLine, checked: CheckedReply, part: Option<Part>) -> Result<()> {
        if let Some((file, part)) = self.pack_file.as_mut().zip(part) {
            file.add(part)?;
        }
        if let Some(report) =
            self.report.as_mut().filter(|report| !report.known.contains_key(&line.number))
        {
            report.append(&line)?;
        }
        if let Some(needed) = self.needed.as_mut().filter(|_| checked.outcome.is_ok()) {
            needed.extend(checked.needed.into_keys());
        }
        self.lines.insert(line.number, line);
        Ok(())
    }
}

/// Checks the replies on all threads, and packs them if requested. Returns how many moves the
/// answered replies need, if this is known for all of them.
///
/// # Errors
/// A file that cannot be written, or no threads.
fn check_replies(
    args: &Args,
    tree: &Tree,
    board: &ProofBoard,
    replies: &[(u64, Option<Cell>)],
    stop: Stop,
    results: &Mutex<Results>,
) -> Result<Option<usize>> {
    let pool = search_pool(args.threads)?;
    let left: Vec<_> = { replies.iter() }
        .filter(|(number, _)| !lock(results).lines.contains_key(number))
        .collect();
    let bar = ProgressBar::new(replies.len() as u64);
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {bar:40} {pos} of {len} {msg}")?);
    bar.set_position((replies.len() - left.len()) as u64);
    let work = |&&(number, reply): &&(u64, Option<Cell>)| -> Result<()> {
        let mut checked = check_reply(tree, board, reply, (args.quick, args.statistics));
        let part = args.pack.is_some().then(|| pack(tree, board, &mut checked)).flatten();
        let line = line(tree.claim(), number, &checked);
        let summary = summary(&line);
        if bar.is_hidden() && replies.len() > 1 {
            eprintln!("{summary}");
        }
        bar.set_message(summary);
        bar.inc(1);
        lock(results).add(line, checked, part)
    };
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| end_early(stop, &done, args, results));
        let checked = pool.install(|| left.par_iter().with_max_len(1).try_for_each(work));
        done.store(true, Relaxed);
        checked
    })?;
    bar.finish_and_clear();
    Ok(lock(results).needed.as_ref().map(FxHashSet::len))
}

/// Ends the program on request: the check of a reply in progress may take minutes, and the
/// results of the others are in their files.
fn end_early(stop: Stop, done: &AtomicBool, args: &Args, results: &Mutex<Results>) {
    while !done.load(Relaxed) {
        thread::sleep(STOP_CHECK);
        if stop.asked().is_some() {
            let _nothing_is_written = lock(results);
            let packs = args.pack.as_ref().is_some_and(|path| !is_input(args, path));
            let outcome = match (&args.report, packs) {
                (Some(_), _) => RESUMED,
                (None, true) => ONLY_PACKED,
                (None, false) => NO_REPORT,
            };
            eprintln!("{}", stop.stopped(outcome));
            process::exit(UNFINISHED.into());
        }
    }
}

/// Returns the name of a reply, or of the position.
fn name_of(claim: &Claim, reply: Option<Cell>) -> String {
    reply.map_or(POSITION.into(), |reply| label(claim, reply))
}

/// Converts the result of a reply for tables and reports.
fn line(claim: &Claim, number: u64, checked: &CheckedReply) -> ReplyLine {
    ReplyLine {
        number,
        reply: name_of(claim, checked.reply),
        apart: checked.reply.map_or(POSITION.into(), |reply| distance_class(claim, reply)),
        moves: checked.needed.len(),
        depth: checked.depth(stones_at_root(claim)),
        bytes: checked.bytes,
        depths: (checked.longest.as_ref())
            .map(|_| checked.depths(stones_at_root(claim)))
            .unwrap_or_default(),
        longest: checked.longest.as_ref().map(|line| line_words(claim, line)),
        visits: checked.visits,
        seconds: checked.seconds,
        flaw: checked.outcome.as_ref().err().map(|flaw| flaw_words(claim, flaw)),
    }
}

/// Formats the result of a reply as a progress line.
fn summary(line: &ReplyLine) -> String {
    let name = if line.reply == POSITION { "the position" } else { &line.reply };
    let state = if line.flaw.is_none() { "answered" } else { "open" };
    let mut summary = format!("{name} {state} in {:.1} s", line.seconds);
    if line.flaw.is_none() {
        summary += &format!(", {} moves, depth {:.3}", line.moves, line.depth);
    }
    if let Some(bytes) = line.bytes {
        summary += &format!(", {bytes} bytes");
    }
    summary
}

/// Describes a flaw of the tree and its place.
fn flaw_words(claim: &Claim, flaw: &Flaw) -> String {
    let path = flaw.path.iter().map(|m| m.map_or("pass".into(), |cell| label(claim, cell)));
    let path = path.collect::<Vec<_>>().join(" ");
    let place = if path.is_empty() { "at the start".into() } else { format!("after {path}") };
    let mut words = format!("{place}: {}", flaw.kind);
    if flaw.kind == FlawKind::NoMove {
        words += "\nThe tree is not finished there: `goren prove` continues it.";
    }
    words
}

/// Formats the longest line of a reply, in brackets the stones that may lie elsewhere.
fn line_words(claim: &Claim, line: &[LinePly]) -> String {
    let plies = line.iter().map(|ply| match (label(claim, ply.cell), ply.anywhere) {
        (cell, true) => format!("({cell})"),
        (cell, false) => cell,
    });
    plies.collect::<Vec<_>>().join(" ")
}

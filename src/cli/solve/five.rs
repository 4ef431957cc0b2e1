//! Wins of the side to move in five in a row: by VCF, by VCT, or by any moves, each with its
//! winning tree, verified by the checker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use rayon::ThreadPool;

use super::args::{Args, Goal};
use crate::point::labels;
use crate::position::{GivenPosition, name};
use crate::progress::with_spinner;
use crate::prove::{self, Budgets, TreeLimits, WinKind};
use crate::trees::{replaceable, write};
use crate::{search_pool, with_search_stack};
use goren_core::types::Cell;
use goren_engine::{Control, Solver, TableHandle};
use goren_notation::words::plural;
use goren_proof::{Checker, Claim, Proof};
use goren_trees::replies::board;

/// Position limit of the first search for a win by threats; it grows with each repetition.
const FIRST_POSITIONS: u64 = 10_000;
/// Node limit of the search for each reply in the printed line.
const REPLY_NODES: u64 = 5_000;

/// Solution of a position.
struct Solved {
    proof: Option<Proof>,
    line: Vec<Cell>,
    nodes: u64,
    time: Duration,
    /// Whether the search was exhaustive.
    exhausted: bool,
}

impl Solved {
    /// Describes a result without a win.
    fn nothing(&self) -> &'static str {
        if self.exhausted {
            "no win found, nothing is left to try"
        } else {
            "no win found within the time or nodes allowed"
        }
    }
}

/// Returns the claim to prove. With free passes only wins by fours or threats are possible, as
/// they also hold against a pass.
///
/// # Errors
/// The game is over; a win by any moves, or a tree, in a game with free passes.
fn claim(args: &Args, position: &GivenPosition) -> Result<Claim> {
    let claim = prove::claim(position, position.to_move())?;
    if args.goal == Goal::Win || args.proof.is_some() {
        prove::ensure_no_free_passes(claim.setup.rule)?;
    }
    Ok(claim)
}

/// Solves a position, and prints the result.
///
/// # Errors
/// A game that is over, a file that cannot be written, no memory, no threads.
pub(super) fn run(args: &Args, position: &GivenPosition) -> Result<bool> {
    let claim = claim(args, position)?;
    if let Some(path) = &args.proof {
        replaceable(path, &claim)?;
    }
    let solved = solve_with_progress(args, &claim)?;
    let (seconds, nodes) = (solved.time.as_secs_f64(), solved.nodes);
    println!("{} on {}x{}", claim.setup.rule, claim.setup.width, claim.setup.height);
    let found = if solved.proof.is_some() { "wins" } else { solved.nothing() };
    println!("Result: {}, to move: {found}", name(claim.attacker));
    if let Some(proof) = &solved.proof {
        println!("Line: {}", labels(&solved.line, claim.setup.height));
        println!("Plies of the line: {}", solved.line.len());
        if proof.is_empty() {
            println!("Tree: no move is needed: the checker finds these fours itself");
        } else {
            println!("Tree: {}", plural(proof.len(), "move", "moves"));
        }
    }
    if nodes > 0 {
        println!("Nodes: {nodes}");
        println!("Speed: {:.0} nodes/s", nodes as f64 / seconds.max(1e-9));
    }
    println!("Time: {:.3} ms", 1e3 * seconds);
    if let (Some(path), Some(proof)) = (&args.proof, &solved.proof) {
        write(proof, path)?;
    }
    Ok(solved.proof.is_some())
}

/// Solves a position, and prints the result as a line.
///
/// # Errors
/// A game that is over, no memory, no threads.
pub(super) fn line(args: &Args, text: &str, position: &GivenPosition) -> Result<bool> {
    let claim = claim(args, position)?;
    let solved = solve_with_progress(args, &claim)?;
    let words = match &solved.proof {
        Some(proof) => format!(
            "wins {} {}, {}: {}",
            // Other lines need not be the shortest or have the best defence.
            if args.shortest { "in" } else { "by a line of" },
            plural(solved.line.len(), "ply", "plies"),
            plural(proof.len(), "move", "moves"),
            labels(&solved.line, claim.setup.height)
        ),
        None => solved.nothing().into(),
    };
    println!("{text}: {:.3} s, {words}", solved.time.as_secs_f64());
    Ok(solved.proof.is_some())
}

/// Solves a position, and shows the progress meanwhile.
fn solve_with_progress(args: &Args, claim: &Claim) -> Result<Solved> {
    let started = Instant::now();
    let solve = || with_search_stack(|| solve(args, claim, started));
    match args.goal {
        // `prove` shows its own progress.
        Goal::Win => solve(),
        Goal::Vcf => with_spinner("looking for a win by fours", solve),
        Goal::Vct => with_spinner("looking for a win by threats", solve),
    }
}

/// Solves a position. The time runs from `started` and includes the allocation of the table.
fn solve(args: &Args, claim: &Claim, started: Instant) -> Result<Solved> {
    let time = args.time_for_five();
    // A time too long for the clock is no limit.
    let until = started.checked_add(time).unwrap_or(started + Duration::from_secs(1 << 32));
    let hash = prove::hash_of(args.memory)?;
    let SearchResult { proof, nodes, exhausted } = match args.goal {
        Goal::Vcf if args.shortest => {
            let (proof, nodes) = prove::prove_kind(claim, &hash, WinKind::Shortest, until);
            let exhausted = nodes < prove::SHORTEST_VCF_STONES && Instant::now() < until;
            SearchResult { proof, nodes, exhausted }
        }
        Goal::Vcf => solve_vcf(claim, &hash, until),
        Goal::Vct => solve_vct(args, claim, &hash, until)?,
        Goal::Win => {
            let limits = TreeLimits {
                threads: args.threads,
                memory: args.memory,
                time: Some(time.saturating_sub(started.elapsed())),
                budgets: Budgets::DEFAULT,
            };
            let grown = prove::grow(
                Proof::new(claim.clone()),
                &prove::ReplySelection::All,
                &limits,
                Vec::new(),
                None,
            )?;
            SearchResult {
                exhausted: grown.state == prove::WorkState::Exhausted,
                proof: Some(grown.proof).filter(|_| grown.state == prove::WorkState::Proven),
                nodes: grown.nodes,
            }
        }
    };
    let time = started.elapsed();
    let mut solver = prove::solver_of(&hash, claim.setup);
    let line = match &proof {
        Some(_) if args.shortest => shortest(claim, &mut *solver),
        Some(proof) => line_of_tree(proof, &mut *solver)?,
        None => Vec::new(),
    };
    Ok(Solved { proof, line, nodes, time, exhausted })
}

/// Result of a search.
struct SearchResult {
    proof: Option<Proof>,
    nodes: u64,
    /// Whether the search was exhaustive.
    exhausted: bool,
}

/// Searches for a win by fours with a growing limit of stones, until the time is up or the
/// search is exhaustive.
fn solve_vcf(claim: &Claim, hash: &TableHandle, until: Instant) -> SearchResult {
    let (mut stones, mut nodes) = (prove::VCF_STONES, 0);
    loop {
        let (proof, more) = prove::prove_kind(claim, hash, WinKind::Fours(stones), until);
        nodes += more;
        let late = Instant::now() >= until;
        // If the limit was not reached, every four is refuted.
        let exhausted = more < stones && !late;
        if proof.is_some() || exhausted || late {
            return SearchResult { proof, nodes, exhausted };
        }
        stones = stones.saturating_mul(4);
    }
}

/// Searches for a win by threats with a growing limit of positions, until the time is up or
/// the search is exhaustive.
///
/// # Errors
/// No threads.
fn solve_vct(
    args: &Args,
    claim: &Claim,
    hash: &TableHandle,
    until: Instant,
) -> Result<SearchResult> {
    let pool = search_pool(args.threads)?;
    let (mut positions, mut nodes) = (FIRST_POSITIONS, 0);
    loop {
        let nodes_before = nodes;
        let found = match pool.current_num_threads() {
            // A single thread need not repeat the search.
            1 => true,
            _ => {
                let (found, more) = search_on_all_threads(claim, hash, positions, until, &pool);
                nodes += more;
                found
            }
        };
        if found {
            let (proof, more) = prove::prove_kind(claim, hash, WinKind::Threats(positions), until);
            nodes += more;
            if proof.is_some() {
                return Ok(SearchResult { proof, nodes, exhausted: false });
            }
        }
        if Instant::now() >= until {
            return Ok(SearchResult { proof: None, nodes, exhausted: false });
        }
        // If the limit was not reached, every threat is refuted.
        if nodes - nodes_before < positions {
            return Ok(SearchResult { proof: None, nodes, exhausted: true });
        }
        positions = positions.saturating_mul(4);
    }
}

/// Searches for a win by threats on all threads, each at most `positions` positions, until one
/// finds it or the time is up; the results stay in the table. Returns whether a thread found a
/// win, and the nodes of all.
fn search_on_all_threads(
    claim: &Claim,
    hash: &TableHandle,
    positions: u64,
    until: Instant,
    pool: &ThreadPool,
) -> (bool, u64) {
    let stones = prove::stones(claim);
    let control = Arc::new(Control::until(until));
    let nodes = pool.broadcast(|thread| {
        let mut solver = prove::solver_of(hash, claim.setup);
        solver.set_up(&stones, claim.attacker);
        if solver.vct_in_thread(positions, thread.index() as u64, &control).is_some() {
            control.stop();
        }
        solver.nodes()
    });
    (control.stopped(), nodes.into_iter().sum())
}

/// Returns the shortest line of fours against the longest defence.
fn shortest(claim: &Claim, solver: &mut dyn Solver) -> Vec<Cell> {
    solver.set_up(&prove::stones(claim), claim.attacker);
    solver.shortest_vcf(prove::SHORTEST_VCF_STONES, &Arc::default()).unwrap_or_default()
}

/// Returns a line of the tree against the replies that a search prefers.
///
/// # Errors
/// The position is invalid.
fn line_of_tree(proof: &Proof, solver: &mut dyn Solver) -> Result<Vec<Cell>> {
    let Claim { setup, attacker, .. } = proof.claim;
    let mut checker = Checker::new(setup, attacker, proof);
    checker.board = board(&proof.claim)?;
    let (mut line, mut bases) = (Vec::new(), vec![checker.board.keys()]);
    loop {
        let Some((m, base)) = checker.advise(bases, u64::MAX) else { return Ok(line) };
        let five = checker.board.wins(attacker).contains(&m);
        line.push(m);
        checker.board.place(m, attacker)?;
        if five {
            return Ok(line);
        }
        solver.set_up(checker.board.stones(), !attacker);
        let Some((reply, _)) = solver.best(REPLY_NODES, &[], &Arc::default()) else {
            return Ok(line);
        };
        line.push(reply);
        let base = checker.board.toggled(base, m, attacker);
        checker.board.place(reply, !attacker)?;
        bases = vec![checker.board.toggled(base, reply, !attacker), base];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    #[test]
    fn the_time_includes_the_allocation_of_the_table() {
        let args: Args = parse("--goal vcf --memory 16 --time 60 h8i9").unwrap();
        let position = args.source.position().unwrap();
        let claim = prove::claim(&position, position.to_move()).unwrap();
        let hour = Duration::from_secs(3600);
        let Some(started) = Instant::now().checked_sub(hour) else { return };
        let solved = with_search_stack(|| solve(&args, &claim, started)).unwrap();
        assert!(solved.time >= hour && !solved.exhausted, "{:?}", solved.time);
    }
}

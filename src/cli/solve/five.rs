//! Wins of the side to move in five in a row: VCF, VCT, or by any moves; each
//! with its winning tree, verified by the checker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use rayon::ThreadPool;

use super::args::{Args, Goal};
use crate::point::labels;
use crate::position::{GivenPosition, name};
use crate::progress::while_waiting;
use crate::prove::{self, Budgets, TreeLimits, WinKind};
use crate::trees::{replaceable, write};
use crate::{search_pool, with_search_stack};
use goren_core::types::Cell;
use goren_engine::{Control, Hash, Solver};
use goren_notation::words::plural;
use goren_proof::{Checker, Claim, Proof};
use goren_trees::replies::board;

/// Positions that the first look for a win by threats may see; the next ones
/// see more and more.
const FIRST: u64 = 10_000;
/// Nodes that the defender's replies are chosen by, in the line that is shown.
const REPLY: u64 = 5_000;

/// What was found.
struct Solved {
    proof: Option<Proof>,
    line: Vec<Cell>,
    nodes: u64,
    time: Duration,
    /// Whether everything was looked at.
    exhausted: bool,
}

impl Solved {
    /// What no win means.
    fn nothing(&self) -> &'static str {
        if self.exhausted {
            "no win found, nothing is left to try"
        } else {
            "no win found in the time or nodes there were"
        }
    }
}

/// What is to be solved. A win by fours or threats holds against a pass too.
///
/// # Errors
/// A game that is over; a win by any moves, or a tree, of a game with passes at any point.
fn claim(args: &Args, position: &GivenPosition) -> Result<Claim> {
    let claim = prove::claim(position, position.to_move())?;
    if args.goal == Goal::Win || args.proof.is_some() {
        prove::ensure_no_free_passes(claim.setup.rule)?;
    }
    Ok(claim)
}

/// Solves a position, and prints.
///
/// # Errors
/// A game that is over, a file that cannot be written, no memory, no threads.
pub(super) fn run(args: &Args, position: &GivenPosition) -> Result<bool> {
    let claim = claim(args, position)?;
    if let Some(path) = &args.proof {
        replaceable(path, &claim)?;
    }
    let solved = searched(args, &claim)?;
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

/// Solves a position, and prints a line.
///
/// # Errors
/// A game that is over, no memory, no threads.
pub(super) fn line(args: &Args, text: &str, position: &GivenPosition) -> Result<bool> {
    let claim = claim(args, position)?;
    let solved = searched(args, &claim)?;
    let words = match &solved.proof {
        Some(proof) => format!(
            "wins {} {}, {}: {}",
            // Other lines are neither the shortest nor the best defence.
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

/// Solves a position, and shows meanwhile that it does.
fn searched(args: &Args, claim: &Claim) -> Result<Solved> {
    let started = Instant::now();
    let solve = || with_search_stack(|| solve(args, claim, started));
    match args.goal {
        // It tells how far it is.
        Goal::Win => solve(),
        Goal::Vcf => while_waiting("looking for a win by fours", solve),
        Goal::Vct => while_waiting("looking for a win by threats", solve),
    }
}

/// Solves a position. The time runs from `started`; the table is made in it.
fn solve(args: &Args, claim: &Claim, started: Instant) -> Result<Solved> {
    let time = args.time_for_five();
    // A time beyond all measure is none.
    let until = started.checked_add(time).unwrap_or(started + Duration::from_secs(1 << 32));
    let hash = prove::hash_of(args.memory)?;
    let Search { proof, nodes, exhausted } = match args.goal {
        Goal::Vcf if args.shortest => {
            let (proof, nodes) = prove::forced(claim, &hash, WinKind::Shortest, until);
            let exhausted = nodes < prove::SHORTEST && Instant::now() < until;
            Search { proof, nodes, exhausted }
        }
        Goal::Vcf => solve_vcf(claim, &hash, until),
        Goal::Vct => solve_vct(args, claim, &hash, until)?,
        Goal::Win => {
            let effort = TreeLimits {
                threads: args.threads,
                memory: args.memory,
                time: Some(time.saturating_sub(started.elapsed())),
                budgets: Budgets::USUAL,
            };
            let grown = prove::grow(
                Proof::new(claim.clone()),
                &prove::WorkedReplies::Whole,
                &effort,
                Vec::new(),
                None,
            )?;
            Search {
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
        Some(proof) => shown(proof, &mut *solver)?,
        None => Vec::new(),
    };
    Ok(Solved { proof, line, nodes, time, exhausted })
}

/// What a search came to.
struct Search {
    proof: Option<Proof>,
    nodes: u64,
    /// Whether everything was looked at.
    exhausted: bool,
}

/// By fours alone, with more and more stones, as long as there is time and
/// something is left to be looked at.
fn solve_vcf(claim: &Claim, hash: &Hash, until: Instant) -> Search {
    let (mut stones, mut nodes) = (prove::FOURS, 0);
    loop {
        let (proof, more) = prove::forced(claim, hash, WinKind::Fours(stones), until);
        nodes += more;
        let late = Instant::now() >= until;
        // Every four is refuted where not even these were needed.
        let exhausted = more < stones && !late;
        if proof.is_some() || exhausted || late {
            return Search { proof, nodes, exhausted };
        }
        stones = stones.saturating_mul(4);
    }
}

/// With more and more positions, as long as there is time and something is left
/// to be looked at.
///
/// # Errors
/// No threads.
fn solve_vct(args: &Args, claim: &Claim, hash: &Hash, until: Instant) -> Result<Search> {
    let pool = search_pool(args.threads)?;
    let (mut positions, mut nodes) = (FIRST, 0);
    loop {
        let before = nodes;
        let found = match pool.current_num_threads() {
            // A single thread need not repeat the search.
            1 => true,
            _ => {
                let (found, more) = together(claim, hash, positions, until, &pool);
                nodes += more;
                found
            }
        };
        if found {
            let (proof, more) = prove::forced(claim, hash, WinKind::Threats(positions), until);
            nodes += more;
            if proof.is_some() {
                return Ok(Search { proof, nodes, exhausted: false });
            }
        }
        if Instant::now() >= until {
            return Ok(Search { proof: None, nodes, exhausted: false });
        }
        // Every threat is refuted where not even these were needed.
        if nodes - before < positions {
            return Ok(Search { proof: None, nodes, exhausted: true });
        }
        positions = positions.saturating_mul(4);
    }
}

/// All threads search for a win by threats, each at most `positions` positions, until one
/// finds it or the time is up; what they find is in the table then. Whether one did, and
/// their nodes.
fn together(
    claim: &Claim,
    hash: &Hash,
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

/// The shortest line of fours, against the replies that hold out longest.
fn shortest(claim: &Claim, solver: &mut dyn Solver) -> Vec<Cell> {
    solver.set_up(&prove::stones(claim), claim.attacker);
    solver.shortest_vcf(prove::SHORTEST, &Arc::default()).unwrap_or_default()
}

/// A line of the tree against replies that look best.
///
/// # Errors
/// The position makes no sense.
fn shown(proof: &Proof, solver: &mut dyn Solver) -> Result<Vec<Cell>> {
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
        let Some((reply, _)) = solver.best(REPLY, &[], &Arc::default()) else {
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
    fn the_time_runs_before_the_table_is_made() {
        let args: Args = parse("--goal vcf --memory 16 --time 60 h8i9").unwrap();
        let position = args.source.position().unwrap();
        let claim = prove::claim(&position, position.to_move()).unwrap();
        let hour = Duration::from_secs(3600);
        let Some(started) = Instant::now().checked_sub(hour) else { return };
        let solved = with_search_stack(|| solve(&args, &claim, started)).unwrap();
        assert!(solved.time >= hour && !solved.exhausted, "{:?}", solved.time);
    }
}

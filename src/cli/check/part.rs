//! What is gone through of a tree at a time: a reply to its position.

use std::io::{self, Read};
use std::mem;
use std::time::Instant;

use anyhow::{Result, ensure};
use fxhash::FxHashMap;

use goren_core::types::Cell;
use goren_proof::{
    Answers, Checker, Claim, Flaw, FlawKind, LinePly, Measure, Playback, Proof, ProofBoard,
    Recorder,
};
use goren_trees::TreeFile as Tree;
use goren_trees::packed;
use goren_trees::replies::through;

/// What was gone through for one reply to the position, or for the position.
pub(super) struct Part {
    pub(super) reply: Option<Cell>,
    pub(super) needed: FxHashMap<(u64, Cell), u16>,
    pub(super) visits: u64,
    pub(super) seconds: f64,
    pub(super) outcome: Result<(), Flaw>,
    /// The longest line with the best defence, if that was asked for.
    pub(super) longest: Option<Vec<LinePly>>,
    /// What it takes in a packed file.
    pub(super) bytes: Option<usize>,
    /// All that was asked for on the way, if that was to be written down.
    script: Option<Vec<u8>>,
}

impl Part {
    /// Stones of the attacker played up to each move, the move too, on average;
    /// `base` stand there from the start.
    pub(super) fn depth(&self, base: usize) -> f64 {
        let depth: f64 = self.needed.values().map(|&own| f64::from(own) - base as f64).sum();
        // An empty sum is -0.0.
        depth.abs() / (self.needed.len() as f64).max(1.0)
    }

    /// How many moves come after each number of the attacker's, from 1.
    pub(super) fn depths(&self, base: usize) -> Vec<u64> {
        let mut depths = Vec::new();
        for &own in self.needed.values() {
            let at = usize::from(own).saturating_sub(base + 1);
            depths.resize(depths.len().max(at + 1), 0);
            depths[at] += 1;
        }
        depths
    }
}

/// Goes through a tree; what becomes of the moves that it asked for.
fn gone<A: Answers, M: Measure>(
    mut checker: Checker<A, M>,
    board: &ProofBoard,
    reply: Option<Cell>,
    longest: impl FnOnce(&mut Checker<A, M>) -> Option<Vec<LinePly>>,
) -> (Part, A) {
    let started = Instant::now();
    checker.board = board.clone();
    let outcome = through(&mut checker, reply);
    // What is looked at once more for the line is not needed twice.
    let (needed, visits) = (mem::take(&mut checker.needed), checker.visits);
    let longest = if outcome.is_ok() { longest(&mut checker) } else { None };
    let seconds = started.elapsed().as_secs_f64();
    let part = Part { reply, needed, visits, seconds, outcome, longest, bytes: None, script: None };
    (part, checker.answers)
}

/// Goes through a tree, with the longest line or without.
fn measured<A: Answers>(
    claim: &Claim,
    answers: A,
    board: &ProofBoard,
    reply: Option<Cell>,
    statistics: bool,
) -> (Part, A) {
    let Claim { setup, attacker, .. } = *claim;
    if statistics {
        let checker = Checker::measuring(setup, attacker, answers);
        gone(checker, board, reply, |checker| checker.longest_line(reply).ok())
    } else {
        gone(Checker::new(setup, attacker, answers), board, reply, |_| None)
    }
}

/// Goes through a reply to the position, or the position: writes down what is asked for,
/// and measures the longest line.
///
/// # Errors
/// A packed part that cannot be read.
pub(super) fn part(
    tree: &Tree,
    board: &ProofBoard,
    reply: Option<Cell>,
    (record, statistics): (bool, bool),
) -> Result<Part> {
    let claim = tree.claim();
    let packed = match tree {
        Tree::Table(proof) if record => {
            let (part, recorder) = measured(claim, Recorder::new(proof), board, reply, statistics);
            return Ok(Part { script: Some(recorder.script), ..part });
        }
        Tree::Table(proof) => return Ok(measured(claim, proof, board, reply, statistics).0),
        Tree::Packed(packed) => packed,
    };
    let section = packed.part(reply);
    let script: Box<dyn Read> = match section {
        Some(section) => Box::new(section.script()),
        None => Box::new(io::empty()),
    };
    let player = Playback::new(packed.claim.clone(), script);
    let (part, mut player) = measured(claim, player, board, reply, statistics);
    let whole = section.is_none() || part.outcome.is_err() || player.ends();
    ensure!(whole, "a part of the packed tree is damaged, or has fewer or more answers than asked");
    if section.is_none() {
        // Even where no answer is needed, a reply without a part is open.
        let open = Flaw { path: Vec::new(), kind: FlawKind::NoMove };
        return Ok(Part { outcome: part.outcome.and(Err(open)), ..part });
    }
    Ok(Part { bytes: section.map(packed::Part::bytes), ..part })
}

/// What a packed file says of a reply that was gone through; nothing if it is
/// open, or cannot be packed.
pub(super) fn pack(tree: &Tree, board: &ProofBoard, part: &mut Part) -> Option<packed::Part> {
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

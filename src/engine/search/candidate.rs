//! The legal moves of a position before any search: their policy scores and move
//! classes, and which of them win within the turn.

use crate::game::{GenType, MoveClass, MoveList, Position, ThreatLevel};
use crate::threat::Verdict;
use goren_core::rules::Outcome;
use goren_core::types::{Cell, Move};

/// A legal move with its properties that need no search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// Its policy score: larger is better.
    pub policy: i32,
    /// Its move class.
    pub class: MoveClass,
    /// Whether the search tries it first; under a threat, whether it answers the threat or forces
    /// the opponent.
    pub main: bool,
    /// Whether it wins within this turn.
    pub wins: bool,
}

/// All legal moves with their properties that need no search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidates {
    /// Threat level of the side to move.
    pub threat: ThreatLevel,
    /// The moves, by descending policy score; empty if the game is over.
    pub moves: Vec<Candidate>,
}

/// Lists all legal moves.
pub(super) fn candidates<P: Position>(position: &mut P) -> Candidates {
    let mut candidates = Candidates { threat: ThreatLevel::None, moves: Vec::new() };
    if position.outcome().is_some() {
        return candidates;
    }
    candidates.threat = position.threat_level();
    let mut list = MoveList::new();
    for (gen_type, main) in [(GenType::Main, true), (GenType::Rest, false)] {
        list.clear();
        position.moves(gen_type, &mut list);
        for entry in &list {
            let m = entry.m;
            if position.is_pseudo_legal(m) && position.is_legal(m) {
                let (class, wins) = (position.move_class(m), wins_by(position, m));
                candidates.moves.push(Candidate {
                    cell: m.cell(),
                    policy: entry.score,
                    class,
                    main,
                    wins,
                });
            }
        }
    }
    candidates.moves.sort_by_key(|candidate| (-candidate.policy, candidate.cell));
    candidates
}

/// Whether a stone ends the turn and lets the opponent win in its next turn, or ends the game with
/// a win of the opponent, as with overtime (Boat) if it does not break a five.
pub(super) fn lets_opponent_win<P: Position>(position: &mut P, m: Move) -> bool {
    let mover = position.to_move();
    position.make(m);
    let loses = match position.outcome() {
        Some(outcome) => outcome == Outcome::Win(!mover),
        None => position.to_move() != mover && wins_this_turn(position),
    };
    position.unmake();
    loses
}

/// Whether a move wins at once or with the stones that follow it in this turn.
fn wins_by<P: Position>(position: &mut P, m: Move) -> bool {
    let mover = position.to_move();
    let forces = position.move_class(m) == MoveClass::StrongFour;
    position.make(m);
    let wins = match position.outcome() {
        Some(outcome) => outcome == Outcome::Win(mover),
        None => forces && position.to_move() == mover && wins_this_turn(position),
    };
    position.unmake();
    wins
}

/// Whether the side to move can win with the stones that it has left in this turn.
fn wins_this_turn<P: Position>(position: &mut P) -> bool {
    if let Verdict::Win(plies) = position.verdict()
        && plies <= P::TURN
    {
        return true;
    }
    let mut list = MoveList::new();
    position.moves(GenType::Main, &mut list);
    list.iter().any(|entry| {
        position.is_pseudo_legal(entry.m)
            && position.is_legal(entry.m)
            && wins_by(position, entry.m)
    })
}

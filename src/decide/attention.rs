//! Which moves a player notices.
//!
//! People look near the last stones, and see moves that make a line before moves that prevent or
//! prepare one. Fives are always seen, on either side.

use rand::RngExt;
use rand::rngs::SmallRng;

use goren_core::types::Cell;
use goren_engine::game::{MoveClass, ThreatLevel};
use goren_engine::{Candidate, Candidates};

/// How hard a move is to see, 0 to 1, by its distance from the last stones in columns
/// or rows.
const FAR: [f64; 7] = [0.5, 0.5, 0.55, 0.65, 0.8, 0.9, 1.0];
/// How hard a threat is to see, relative to a quiet move at the same distance.
const OVERLOOKED: f64 = 1.0;
/// Most moves compared at blindness 1; at lower blindness, this number divided by it.
const WIDTH: f64 = 20.0;
/// Least number of moves noticed, if there are that many.
const LEAST: usize = 3;

/// What a player notices in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    /// Every move.
    Everything,
    /// These moves, which are compared by a search.
    Moves(Vec<Cell>),
    /// These moves, the most obvious first; the player overlooks that a threat has to
    /// be answered.
    NoThreat(Vec<Cell>),
}

/// Returns what a player of some blindness, 0 to 1, notices in a position. `last` are the last
/// stones placed.
pub(super) fn look(
    candidates: &Candidates,
    last: &[Cell],
    blindness: f64,
    rng: &mut SmallRng,
) -> Seen {
    let moves = &candidates.moves;
    let main = || moves.iter().filter(|candidate| candidate.main);
    // Where only cells far from all stones are allowed, as in an opening, none is a main move.
    if blindness <= 0.0 || main().next().is_none() {
        return Seen::Everything;
    }
    match candidates.threat {
        ThreatLevel::Immediate => Seen::Moves(cells(main())),
        ThreatLevel::Threat => {
            // Distance of the threat: that of its nearest answer.
            let answers = main().filter(|candidate| candidate.class < MoveClass::Four);
            let far = answers.map(|candidate| distance(candidate.cell, last)).min().unwrap_or(0);
            if rng.random::<f64>() >= blindness * OVERLOOKED * hard(far) {
                return Seen::Moves(cells(main()));
            }
            let others = moves.iter().filter(|candidate| !candidate.main);
            let noticed: Vec<&Candidate> =
                others.filter(|candidate| is_noticed(candidate, last, blindness, rng)).collect();
            if noticed.is_empty() {
                return Seen::Moves(cells(main()));
            }
            Seen::NoThreat(cells(noticed))
        }
        ThreatLevel::None => {
            let (mut noticed, overlooked): (Vec<&Candidate>, Vec<&Candidate>) =
                main().partition(|candidate| is_noticed(candidate, last, blindness, rng));
            noticed.truncate((WIDTH / blindness) as usize);
            let missing = LEAST.saturating_sub(noticed.len());
            noticed.extend(overlooked.into_iter().take(missing));
            Seen::Moves(cells(noticed))
        }
    }
}

fn cells<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> Vec<Cell> {
    candidates.into_iter().map(|candidate| candidate.cell).collect()
}

/// Whether a move is noticed.
fn is_noticed(candidate: &Candidate, last: &[Cell], blindness: f64, rng: &mut SmallRng) -> bool {
    let plain = match candidate.class {
        MoveClass::StrongFour => 0.2,
        MoveClass::Four => 0.4,
        MoveClass::Threat => 0.6,
        MoveClass::Active => 0.8,
        MoveClass::Quiet => 1.0,
    };
    rng.random::<f64>() >= blindness * plain * hard(distance(candidate.cell, last))
}

/// How hard a move is to see at some distance, 0 to 1.
fn hard(distance: usize) -> f64 {
    FAR[distance.min(FAR.len() - 1)]
}

/// Distance to the nearest of the last stones, in columns or rows; 0 if there are none.
fn distance(cell: Cell, last: &[Cell]) -> usize {
    let away = |other: &Cell| cell.x().abs_diff(other.x()).max(cell.y().abs_diff(other.y()));
    last.iter().map(away).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn candidate(x: usize, class: MoveClass, main: bool) -> Candidate {
        Candidate { cell: Cell::new(x, 7), policy: 100 - x as i32, class, main, wins: false }
    }

    /// Counts how often each move is noticed in a thousand looks. The moves are along a row, with
    /// the last stone at its left end.
    fn noticed(threat: ThreatLevel, moves: &[Candidate], blindness: f64) -> Vec<usize> {
        let candidates = Candidates { threat, moves: moves.to_vec() };
        let mut counts = vec![0; moves.len()];
        for seed in 0..1000 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let seen = look(&candidates, &[Cell::new(0, 7)], blindness, &mut rng);
            let cells = match seen {
                Seen::Everything => moves.iter().map(|candidate| candidate.cell).collect(),
                Seen::Moves(cells) | Seen::NoThreat(cells) => cells,
            };
            for (count, candidate) in counts.iter_mut().zip(moves) {
                *count += usize::from(cells.contains(&candidate.cell));
            }
        }
        counts
    }

    #[test]
    fn far_and_quiet_moves_are_overlooked_more_often() {
        let classes = [MoveClass::StrongFour, MoveClass::Threat, MoveClass::Quiet];
        // Three more moves, as at least three are always noticed.
        let first = [0, 0, 0].map(|x| candidate(x, MoveClass::StrongFour, true));
        for class in classes {
            let row = [1, 4, 9].map(|x| candidate(x, class, true));
            let counts = noticed(ThreatLevel::None, &[first, row].concat(), 0.8);
            assert!(counts[3..].is_sorted_by(|a, b| a > b), "{class:?}: {counts:?}");
        }
        let far = [9, 10, 11].iter().zip(classes).map(|(&x, class)| candidate(x, class, true));
        let far: Vec<Candidate> = far.collect();
        let counts = noticed(ThreatLevel::None, &[&first[..], &far].concat(), 0.8);
        assert!(counts[3..].is_sorted_by(|a, b| a > b), "{counts:?}");
        assert!(counts[0] > 900, "{counts:?}");
    }

    #[test]
    fn greater_blindness_finds_fewer_far_threats() {
        let near = [0, 0, 0].map(|x| candidate(x, MoveClass::StrongFour, true));
        let moves = [&near[..], &[candidate(9, MoveClass::Threat, true)]].concat();
        let found = [0.0, 0.2, 0.5, 0.9].map(|blind| noticed(ThreatLevel::None, &moves, blind)[3]);
        assert_eq!(found[0], 1000);
        assert!(found.is_sorted_by(|a, b| a > b) && found[3] < 600, "{found:?}");
    }

    #[test]
    fn far_threats_are_overlooked_more_often_and_fives_never() {
        // Moves beside the last stone that do not answer the threat.
        let others = [1, 2, 3].map(|x| candidate(x, MoveClass::StrongFour, false));
        let answered = |threat, x, blindness| {
            let moves = [&[candidate(x, MoveClass::Threat, true)], &others[..]].concat();
            noticed(threat, &moves, blindness)[0]
        };
        let far = [0.0, 0.3, 0.9].map(|blindness| answered(ThreatLevel::Threat, 8, blindness));
        assert!(far.is_sorted_by(|a, b| a > b) && far[0] == 1000, "{far:?}");
        let near = answered(ThreatLevel::Threat, 0, 0.9);
        assert!(near > far[2] && near < 1000, "{near} {far:?}");
        assert_eq!(answered(ThreatLevel::Immediate, 8, 1.0), 1000);
    }

    #[test]
    fn a_least_number_of_moves_is_always_noticed() {
        let moves = [8, 9, 10, 11].map(|x| candidate(x, MoveClass::Quiet, true));
        let counts = noticed(ThreatLevel::None, &moves, 1.0);
        assert_eq!(counts.iter().sum::<usize>(), LEAST * 1000);
    }
}

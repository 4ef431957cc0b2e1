//! Proven results below a position, as known results for a search.

use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use super::branch::children;
use super::key::Place;
use super::record::Label;
use super::store::Store;
use goren_core::types::Cell;

/// Known result of a position below another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The moves that lead to the position.
    pub path: Vec<Cell>,
    /// Whether the side to move there wins; otherwise it loses.
    pub wins: bool,
    /// Plies from there to the end, if the record says so.
    pub plies: Option<usize>,
}

/// Limits of a walk.
#[derive(Copy, Clone, Debug)]
pub struct Reach {
    /// Maximum number of positions whose children are looked up, and of results.
    pub positions: usize,
    /// Maximum length of a path.
    pub plies: usize,
    /// When to stop.
    pub until: Option<Instant>,
}

/// The result of a walk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Below {
    /// The results, the shorter paths first.
    pub proofs: Vec<Proof>,
    /// Number of positions whose children were looked up.
    pub walked: usize,
}

/// Collects the wins and losses below a position, breadth first, so that the limits
/// leave out distant ones. The walk continues from children whose record has no such
/// result. Draws are not collected: a search does better by itself.
pub fn below(store: &Store, place: &Place, reach: &Reach) -> Below {
    let mut place = place.clone();
    let mut below = Below::default();
    let mut seen = HashSet::new();
    let mut queue = VecDeque::from([Vec::new()]);
    while let Some(path) = queue.pop_front() {
        let late = reach.until.is_some_and(|until| Instant::now() >= until);
        if late || below.proofs.len() >= reach.positions {
            break;
        }
        below.walked += 1;
        path.iter().for_each(|&cell| place.play(cell));
        let children = children(store, &place);
        path.iter().rev().for_each(|&cell| place.take_back(cell));
        // Below the root, a winning move makes the other moves irrelevant; at the root all
        // are reported.
        let decided =
            !path.is_empty() && children.iter().any(|(_, record)| record.label == Label::WIN);
        for (cell, record) in children {
            let path: Vec<Cell> = path.iter().copied().chain([cell]).collect();
            // A key stands for all images of a position, which a search distinguishes.
            if !seen.insert(stones(&path)) {
                continue;
            }
            // A label is for the side that has just moved.
            let wins = record.label == Label::LOSE;
            if wins || record.label == Label::WIN {
                let plies = record.steps().and_then(|steps| usize::try_from(steps - 1).ok());
                below.proofs.push(Proof { path, wins, plies });
            } else if !decided
                && path.len() < reach.plies
                && below.walked + queue.len() < reach.positions
            {
                queue.push_back(path);
            }
        }
    }
    below.proofs.truncate(reach.positions);
    below
}

/// The stones of a path, those of the first mover before those of the other side: the same
/// for all move orders that lead to a position.
fn stones(path: &[Cell]) -> Vec<Cell> {
    let of = |first| {
        let mut stones: Vec<Cell> = path.iter().skip(first).step_by(2).copied().collect();
        stones.sort_unstable();
        stones
    };
    [of(0), of(1)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use goren_core::rules::{RuleId, Setup};
    use std::time::Duration;

    const FAR: Reach = Reach { positions: 10_000, plies: 20, until: None };

    fn at(x: usize, y: usize) -> Cell {
        Cell::new(x, y)
    }

    fn root() -> Place {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        Place::after(setup, &[Some(at(7, 7)), Some(at(3, 4))]).unwrap()
    }

    fn store(records: &[(&[Cell], Label, i16)]) -> Store {
        let mut store = Store::default();
        for &(path, label, value) in records {
            let mut place = root();
            path.iter().for_each(|&cell| place.play(cell));
            store.set(&place.key().unwrap(), &Record { value, ..Record::labelled(label) });
        }
        store
    }

    #[test]
    fn results_are_found_if_records_lead_to_them() {
        let [a, b, c, d, e] = [at(0, 0), at(5, 1), at(9, 2), at(2, 9), at(4, 11)];
        let store = store(&[
            (&[a], Label::NONE, 0),
            (&[a, b], Label::WIN, -29_990),
            // Not reported: below a proven position, and beside a winning move.
            (&[a, b, c], Label::LOSE, 29_990),
            (&[a, c], Label::NONE, 0),
            (&[a, c, e], Label::WIN, 0),
            (&[b], Label::BEST, 0),
            (&[b, c], Label::DRAW, 0),
            (&[b, c, d], Label::LOSE, 29_995),
            // Not reported: no record leads to it.
            (&[c, d], Label::WIN, 0),
            // A value that is not a distance.
            (&[d], Label::WIN, -32_768),
        ]);
        let proof = |path: &[Cell], wins, plies| Proof { path: path.to_vec(), wins, plies };
        let below = below(&store, &root(), &FAR);
        let expected = [
            proof(&[d], false, None),
            proof(&[a, b], false, Some(10)),
            proof(&[b, c, d], true, Some(5)),
        ];
        assert_eq!(below.proofs, expected);
        assert_eq!(below.walked, 4, "the position, after a, after b, after b and c");
    }

    #[test]
    fn all_images_of_a_position_are_found_once_each() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let centre = Place::after(setup, &[Some(at(7, 7))]).unwrap();
        let mut store = Store::default();
        let [a, b, c] = [at(7, 8), at(6, 6), at(8, 5)];
        for (path, label) in [
            (&[a][..], Label::NONE),
            (&[c], Label::NONE),
            (&[a, b], Label::NONE),
            (&[c, b], Label::NONE),
            (&[a, b, c], Label::WIN),
        ] {
            let mut place = centre.clone();
            path.iter().for_each(|&cell| place.play(cell));
            store.set(&place.key().unwrap(), &Record::labelled(label));
        }
        let found = below(&store, &centre, &FAR).proofs;
        assert_eq!(found.len(), 8, "one for each image");
        let unique: HashSet<_> = found.iter().map(|proof| stones(&proof.path)).collect();
        assert_eq!(unique.len(), 8);
    }

    #[test]
    fn a_walk_respects_its_limits() {
        let cells: Vec<Cell> = root().empty_cells();
        let mut paths: Vec<Vec<Cell>> = Vec::new();
        for &first in &cells[..60] {
            paths.push(vec![first]);
            for &second in &cells[60..160] {
                paths.push(vec![first, second]);
                paths.push(vec![first, second, cells[200]]);
            }
        }
        let label = |path: &[Cell]| if path.len() == 3 { Label::LOSE } else { Label::NONE };
        let records: Vec<_> = paths.iter().map(|path| (&path[..], label(path), 0)).collect();
        let store = store(&records);
        assert!(store.len() > 12_000);
        let walk = |reach: Reach| below(&store, &root(), &reach);
        let few = walk(Reach { positions: 300, ..FAR });
        assert_eq!(few.walked, 300);
        // All positions after one move, and some of those after two.
        assert!((300 - 61..=300).contains(&few.proofs.len()), "{}", few.proofs.len());
        let near = walk(Reach { plies: 1, ..FAR });
        assert_eq!((near.walked, near.proofs.len()), (1, 0));
        let late = Reach { until: Some(Instant::now()), ..FAR };
        assert_eq!(walk(late), Below::default());
        let begun = Instant::now();
        let soon = walk(Reach { until: Some(begun + Duration::from_millis(5)), ..FAR });
        assert!(soon.walked < 6_061 && begun.elapsed() < Duration::from_millis(500));
    }
}

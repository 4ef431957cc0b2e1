//! Threats in games with two stones a turn: lines that a colour can complete in its
//! next turn, and the stones that stop all of them.

use smallvec::SmallVec;

use crate::board::LineCountBoard;
use goren_core::types::{Cell, CellSet, Color};

/// The one or two empty cells of a threat; a single cell is stored twice.
pub type Gaps = [Cell; 2];

/// Threats, by the empty cells of their lines. A stone on one of them stops the threat.
pub type Threats = SmallVec<[Gaps; 24]>;

/// Returns the threats of a colour: its lines that miss at most `max_missing` stones (1 or
/// 2) and have no opponent's stone.
pub fn threats(board: &LineCountBoard, color: Color, max_missing: usize) -> Threats {
    let win_length = board.geometry().length();
    let mut threats = Threats::new();
    for missing in (1..=max_missing).filter(|missing| board.level(color, win_length - missing) > 0)
    {
        for line in board.lines_missing(color, missing) {
            let mut gaps = board.gaps(line);
            let Some(first) = gaps.next() else { continue };
            let gaps = [first, gaps.next().unwrap_or(first)];
            if threats.last() != Some(&gaps) {
                threats.push(gaps);
            }
        }
    }
    threats
}

/// Returns the threats that a stone on `cell` does not stop.
pub fn unmet(threats: &Threats, cell: Cell) -> Threats {
    threats.iter().filter(|gaps| !gaps.contains(&cell)).copied().collect()
}

/// Whether `stones` stones, at most two, can stop all threats.
pub fn can_meet(threats: &Threats, stones: usize) -> bool {
    let Some(first) = threats.first() else { return true };
    match stones {
        0 => false,
        1 => first.iter().any(|cell| threats.iter().all(|gaps| gaps.contains(cell))),
        _ => first.iter().any(|&cell| can_meet(&unmet(threats, cell), stones - 1)),
    }
}

/// Returns the empty cells of threats where a stone, together with `stones - 1` others,
/// can stop all threats; `stones` is 1 or 2.
pub fn defences(threats: &Threats, stones: usize) -> CellSet {
    let cells: CellSet = threats.iter().flatten().copied().collect();
    cells.iter().filter(|&cell| can_meet(&unmet(threats, cell), stones - 1)).collect()
}

/// Returns the pairs of stones that stop all threats. The caller ensures that no single
/// stone stops them all.
pub fn answers(threats: &Threats) -> SmallVec<[[Cell; 2]; 4]> {
    let mut answers = SmallVec::new();
    let Some(&[a, b]) = threats.first() else { return answers };
    for (i, cell) in [a, b].into_iter().enumerate() {
        if i == 1 && a == b {
            break;
        }
        let unstopped = unmet(threats, cell);
        let Some(&[c, d]) = unstopped.first() else { continue };
        for (j, second) in [c, d].into_iter().enumerate() {
            let twice = j == 1 && c == d;
            if !twice && unstopped.iter().all(|gaps| gaps.contains(&second)) {
                answers.push([cell, second]);
            }
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::keys::mix;

    /// Whether `stones` stop every threat.
    fn meet(threats: &Threats, stones: &[Cell]) -> bool {
        threats.iter().all(|gaps| gaps.iter().any(|cell| stones.contains(cell)))
    }

    #[test]
    fn defences_agree_with_exhaustive_trial() {
        let board = CellSet::board(4, 2);
        let mut met = [0; 4];
        for seed in 0..3000 {
            let cell = |k: u64| {
                let at = mix(seed * 97 + k) as usize;
                Cell::new(at % 4, at / 4 % 2)
            };
            let threats: Threats = (0..seed % 7).map(|k| [cell(2 * k), cell(2 * k + 1)]).collect();
            let one = board.iter().any(|a| meet(&threats, &[a]));
            let pairs = board.iter().flat_map(|a| board.iter().map(move |b| [a, b]));
            let pairs: Vec<[Cell; 2]> = pairs.filter(|pair| meet(&threats, pair)).collect();
            assert_eq!(can_meet(&threats, 0), threats.is_empty());
            assert_eq!(can_meet(&threats, 1), one);
            assert_eq!(can_meet(&threats, 2), !pairs.is_empty());
            let used = |cell: &Cell| threats.iter().any(|gaps| gaps.contains(cell));
            for (stones, found) in [(1, defences(&threats, 1)), (2, defences(&threats, 2))] {
                let holds = |&cell: &Cell| match stones {
                    1 => meet(&threats, &[cell]),
                    _ => pairs.iter().any(|pair| pair.contains(&cell)),
                };
                let expected: CellSet = board.iter().filter(used).filter(holds).collect();
                assert_eq!(found, expected, "{threats:?}");
            }
            if !one {
                let order = |[a, b]: [Cell; 2]| [a.min(b), a.max(b)];
                let mut found: Vec<_> = answers(&threats).into_iter().map(order).collect();
                found.sort_unstable();
                found.dedup();
                let mut expected: Vec<_> = pairs.iter().copied().map(order).collect();
                expected.sort_unstable();
                expected.dedup();
                assert_eq!(found, expected, "{threats:?}");
            }
            met[threats.is_empty() as usize + 2 * one as usize] += 1;
        }
        assert!(met[0] > 100 && met[2] > 100);
    }
}

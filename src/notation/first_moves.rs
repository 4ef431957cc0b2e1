//! First moves that a search leaves out because the user excludes them.

use goren_core::types::Cell;

/// Restrictions of a search that keep some stones out of the turn.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LeftOut {
    /// The only first stones to search; empty for all stones that are not left out.
    pub only: Vec<Cell>,
    /// Sequences of stones whose last stone may not be played.
    pub sequences: Vec<Vec<Cell>>,
}

/// Leaves `excluded` stones out of a turn of `due` stones, in any place of the turn. `legal`:
/// the legal first stones; `wins`: whether one of them wins within the turn. `None` if no first
/// stone is left.
pub fn leave_out(excluded: &[Cell], legal: &[Cell], due: usize, wins: bool) -> Option<LeftOut> {
    if excluded.is_empty() {
        return Some(LeftOut::default());
    }
    let left: Vec<Cell> = legal.iter().copied().filter(|at| !excluded.contains(at)).collect();
    if left.is_empty() {
        return None;
    }
    if due < 2 {
        return Some(LeftOut::default());
    }
    // The stones of a turn come in any order: an excluded stone may not be the second one.
    let pairs = left.iter().flat_map(|&first| excluded.iter().map(move |&at| vec![first, at]));
    let sequences = pairs.collect();
    // The search would begin with the winning stones only, but they may win only together
    // with an excluded stone.
    let only = if wins { left } else { Vec::new() };
    Some(LeftOut { only, sequences })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_is_left_out_as_either_stone_of_a_turn() {
        let [a, b, c] = [1, 2, 3].map(|x| Cell::new(x, 0));
        let legal = [a, b, c];
        let sequences = vec![vec![a, b], vec![c, b]];
        let pair = |wins| leave_out(&[b], &legal, 2, wins).unwrap();
        assert_eq!(pair(false), LeftOut { only: Vec::new(), sequences: sequences.clone() });
        assert_eq!(pair(true), LeftOut { only: vec![a, c], sequences });
        assert_eq!(leave_out(&[b], &legal, 1, true), Some(LeftOut::default()));
        assert_eq!(leave_out(&[], &legal, 2, true), Some(LeftOut::default()));
        for due in [1, 2] {
            assert_eq!(leave_out(&legal, &legal, due, false), None);
        }
    }
}

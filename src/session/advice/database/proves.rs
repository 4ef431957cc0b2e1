//! Which scores of a search are those of the position.

use crate::order::task::Task;
use goren_core::types::{Cell, PROVEN};
use goren_engine::{Info, Request};

/// Minimum depth of a value worth a record, in plies.
const MIN_DEPTH: u32 = 8;

/// Which scores of a search are those of the position.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Proves {
    /// Proven wins.
    pub(super) win: bool,
    /// Proven losses.
    pub loss: bool,
    /// Unproven scores, and the scores of each PV.
    pub(super) value: bool,
}

impl Proves {
    /// Works out which scores count. With moves excluded a loss only means that all other
    /// moves lose, unless the database knows that the excluded ones lose as well, or they are
    /// `twins`: symmetric images of searched moves. `is_whole`: the user excludes nothing and
    /// no move is imposed; `is_full`: full strength, which searches all moves.
    pub fn of(
        task: Task,
        request: &Request,
        twins: &[Cell],
        (is_whole, is_full): (bool, bool),
    ) -> Proves {
        let exclusions = &request.exclusions;
        let free = exclusions.sequences.is_empty()
            && exclusions.cells.iter().all(|cells| cells.is_empty());
        let win = matches!(task, Task::Move | Task::Analyse) && free;
        let loses = |cell: Cell| {
            twins.contains(&cell)
                || request
                    .known_results
                    .iter()
                    .any(|known| known.path == [cell] && known.score >= PROVEN)
        };
        let all =
            request.root_moves.is_empty() && exclusions.root_moves.iter().all(|&cell| loses(cell));
        Proves { win, loss: win && all && is_full, value: win && is_whole && is_full }
    }

    /// Whether to keep the score of the best PV.
    pub(super) fn counts(self, best: &Info) -> bool {
        match best.score {
            PROVEN.. => self.win,
            score if score <= -PROVEN => self.loss,
            _ => self.value && is_deep(best),
        }
    }
}

/// Whether the score of a report is worth a record.
pub(super) fn is_deep(line: &Info) -> bool {
    line.is_proven() || line.searched().is_some() && line.depth >= MIN_DEPTH
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{CellSet, loss_in, win_in};
    use goren_engine::{Exclusions, KnownResult};

    #[test]
    fn results_that_exclusions_cause_are_not_proven() {
        let [a, b] = [Cell::new(3, 3), Cell::new(4, 4)];
        let of = |request: &Request| Proves::of(Task::Move, request, &[], (false, true));
        let [both, win, none] = [(true, true), (true, false), (false, false)]
            .map(|(win, loss)| Proves { win, loss, value: false });
        let free = Request::default();
        assert_eq!(of(&free), both);
        assert_eq!(Proves::of(Task::Ponder, &free, &[], (true, true)), none);
        assert!(Proves::of(Task::Analyse, &free, &[], (true, true)).value);
        // Below full strength only some moves are searched.
        assert_eq!(Proves::of(Task::Move, &free, &[], (true, false)), win);
        assert_eq!(of(&Request { root_moves: vec![a], ..free.clone() }), win);
        let without = |root_moves| Request {
            exclusions: Exclusions { root_moves, ..Exclusions::default() },
            ..Request::default()
        };
        assert_eq!(of(&without(vec![a])), win);
        // An image of a losing move loses too.
        let twin = |cells| Proves::of(Task::Move, &without(vec![a, b]), cells, (false, true));
        assert_eq!((twin(&[a, b]), twin(&[b])), (both, win));
        let known = |path: &[Cell], score| vec![KnownResult { path: path.to_vec(), score }];
        let lost = |cells, known| of(&Request { known_results: known, ..without(cells) });
        assert_eq!(lost(vec![a], known(&[a], win_in(4))), both);
        assert_eq!(lost(vec![a, b], known(&[a], win_in(4))), win);
        assert_eq!(lost(vec![a], known(&[a], loss_in(4))), win);
        assert_eq!(lost(vec![a], known(&[a, b], win_in(4))), win);
        let mut cells = [CellSet::EMPTY; 2];
        cells[1].insert(a);
        let exclusions = Exclusions { cells, ..Exclusions::default() };
        assert_eq!(of(&Request { exclusions, ..free.clone() }), none);
        let exclusions = Exclusions { sequences: vec![vec![a, b]], ..Exclusions::default() };
        assert_eq!(of(&Request { exclusions, ..free }), none);
    }
}

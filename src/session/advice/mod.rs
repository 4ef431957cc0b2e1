//! Sources of knowledge outside the search: exclusions of the user, the database, winning
//! trees. This module adds their advice to a request, so that the engine does not depend on
//! the sources.

pub mod database;
pub mod exclusions;
pub mod proofs;
pub mod symmetric_moves;

use self::database::DatabaseState;
use self::exclusions::UserExclusions;
use self::proofs::Proofs;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::state::five_position::FivePosition;
use goren_core::types::{Cell, CellSet};
use goren_engine::{Exclusions, Request};

/// All sources.
#[derive(Default)]
pub struct Sources {
    /// Winning trees.
    pub proofs: Proofs,
    /// The database.
    pub database: DatabaseState,
    /// Exclusions set by the user.
    pub exclusions: UserExclusions,
}

/// Advice of the sources that is not part of the request.
#[derive(Default)]
pub struct Advised {
    /// The move of a winning tree: a search for a move plays it, an analysis only reports it.
    pub tree_move: Option<Cell>,
    /// Moves left out because a symmetric move is searched.
    pub twins: Vec<Cell>,
    /// Whether the user excludes nothing and no move is imposed, so that the score is that
    /// of the position.
    pub is_whole: bool,
}

/// Adds to a request what the sources know about its position.
pub fn advise(
    sources: &mut Sources,
    game: &FivePosition,
    order: &SearchOrder,
    request: &mut Request,
) -> Advised {
    request.exclusions = sources.exclusions.of_game(game);
    let nothing_excluded = allows_all(&request.exclusions);
    let twins = if order.skips_symmetric {
        symmetric_moves::symmetric_moves(game, &request.exclusions.root_moves)
    } else {
        Vec::new()
    };
    request.exclusions.root_moves.extend(&twins);
    if order.task == Task::Move {
        database::moves(&sources.database, game).apply(request);
    }
    // The database takes precedence over the trees.
    let undecided = request.exclusions.root_moves.is_empty() && request.root_moves.is_empty();
    let asks_trees = nothing_excluded && matches!(order.task, Task::Move | Task::Analyse);
    let hard = order.allowance.budget().hard;
    let found = if asks_trees { sources.proofs.advise(game, hard) } else { None };
    let tree_move = found.filter(|_| undecided || order.task == Task::Analyse);
    if order.task == Task::Move
        && let Some(m) = tree_move
    {
        // A proven move needs no search.
        request.root_moves = vec![m];
        request.max_depth = Some(1);
    }
    request.known_results =
        database::known_results(&sources.database, game, order.task, &order.allowance);
    let is_whole = nothing_excluded && request.root_moves.is_empty();
    Advised { tree_move, twins, is_whole }
}

fn allows_all(exclusions: &Exclusions) -> bool {
    exclusions.root_moves.is_empty()
        && exclusions.sequences.is_empty()
        && exclusions.cells.iter().all(CellSet::is_empty)
}

#[cfg(test)]
mod tests {
    use super::exclusions::Change;
    use super::*;
    use crate::dialect::state::State;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Color;
    use goren_protocol::Point;

    #[test]
    fn user_exclusions_and_symmetric_moves_are_combined() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let game = FivePosition { setup, stones: Vec::new(), to_move: Color::Black };
        let limits = State::default().limits();
        let mut sources = Sources::default();
        let excluded = |sources: &mut Sources, skips_symmetric| {
            let order = SearchOrder::new(Task::Analyse, limits.allow((0, 225)));
            let order = SearchOrder { skips_symmetric, ..order };
            let mut request = order.request(&limits);
            advise(sources, &game, &order, &mut request);
            assert!(request.root_moves.is_empty() && request.known_results.is_empty());
            request.exclusions.root_moves
        };
        assert!(excluded(&mut sources, false).is_empty());
        assert_eq!(excluded(&mut sources, true).len(), 225 - 36);
        let cell = Cell::new(0, 0);
        let block = Change::Block(vec![Point::new(0, 0)]);
        sources.exclusions.change(block, &|_| Some(cell)).unwrap();
        assert_eq!(excluded(&mut sources, false), [cell]);
        // Another corner remains in its place.
        let all = excluded(&mut sources, true);
        assert_eq!((all[0], all.len()), (cell, 225 - 36));
        assert!([(0, 14), (14, 0), (14, 14)].iter().any(|&(x, y)| !all.contains(&Cell::new(x, y))));
    }
}

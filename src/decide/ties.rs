//! When to pass in games where the first to pass wins a drawn game.

use goren_core::opening::{Action, GameState, PendingDecision};
use goren_core::rules::WinningLines;
use goren_core::types::{Cell, CellSet, Color, Stone};
use goren_engine::board::Geometry;

/// Whether a pass wins for the seat to move: it is the first pass of the game, so a draw
/// counts as its win, and the opponent cannot complete a line any more.
pub(super) fn pass_wins(game_state: &GameState, pending: &PendingDecision) -> bool {
    game_state.contest().tie_break
        && pending.pass
        && !game_state.actions().contains(&Action::Pass)
        && !may_win(game_state, !pending.color)
}

/// Whether a colour can still complete a line: some line is free of the opponent's stones.
fn may_win(game_state: &GameState, color: Color) -> bool {
    let contest = game_state.contest();
    let Some(lines) = contest.variant.lasting_lines() else { return true };
    let WinningLines { length, torus } = lines;
    let (width, height) = (contest.width, contest.height);
    let board = CellSet::board(width, height);
    let geometry = Geometry::new(width, height, torus, length, length, &board);
    let open = |&cell: &Cell| game_state.stone(cell).is_none_or(|stone| stone == Stone::Of(color));
    (0..geometry.lines()).any(|line| geometry.line(line).iter().all(open))
}

//! Commands that analyse or balance a position, and their answers.

use goren_protocol::Reply;

use super::features;
use crate::dialect::report;
use crate::order::limits::Limits;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::game_at_hand::GameAtHand;
use crate::state::played_game::PlayedGame;
use crate::state::settings::Settings;
use crate::wire::{Axes, name};
use goren_core::opening::Action;
use goren_core::types::{Cell, Move, SCORE_LIMIT};
use goren_decide::{Balance, Balanced};
use goren_engine::{Basis, Info};

/// The game to analyse, under the current rule.
fn position<'a>(
    at_hand: &'a mut GameAtHand,
    settings: &Settings,
    command: &'static str,
) -> Result<&'a mut PlayedGame, CommandError> {
    at_hand.five_board(command)?;
    at_hand.not_refused()?;
    // The rule may have changed after the stones were placed.
    at_hand.current(settings)
}

/// Orders the search of the position, unless the game is over.
pub(super) fn search(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    command: &'static str,
    task: Task,
) -> Result<SearchOrder, CommandError> {
    let game = position(at_hand, settings, command)?;
    if game.game_state.result().is_some() {
        return Err(CommandError::Over);
    }
    Ok(SearchOrder::new(task, limits.allow(game.stones_and_area())))
}

/// The task of balancing the position at `bias` points, with two stones if `two`, else one.
pub(super) fn balance(two: bool, bias: i32) -> Task {
    Task::Balance(Balance { two, bias: bias.clamp(-SCORE_LIMIT, SCORE_LIMIT) })
}

/// Places the balancing stones and reports the resulting score.
pub fn answer_balance(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    wanted: Balance,
    found: Option<Balanced>,
    out: Out,
) {
    let axes = settings.axes();
    let Some(game) = &mut at_hand.game else { return };
    let (_, height) = game.size();
    let placed = found.filter(|found| {
        let mut stones = found.stones.iter().map(|&cell| Action::stone(cell));
        stones.all(|stone| game.play(&stone).is_ok())
    });
    let Some(found) = placed else {
        let is_over = game.game_state.result().is_some();
        let error = if is_over { CommandError::Over } else { CommandError::NoBalance };
        out(Reply::Error(error.to_string()));
        return;
    };
    report::balance(wanted, &found, height).map(Reply::Message).for_each(&mut *out);
    let Balanced { stones, score, .. } = found;
    if settings.block() {
        // gomocalc reads the stones from the block.
        let pv = stones.iter().map(|&cell| Move::at(cell)).collect();
        report_block(&Info { score, basis: Basis::Search, pv, ..Info::NOTHING }, axes, out);
    }
    out(match stones.iter().map(|&cell| axes.point(cell)).collect::<Vec<_>>()[..] {
        [first, second] => Reply::TwoMoves([first, second]),
        [first, ..] => Reply::Move(first),
        [] => Reply::Error(CommandError::Over.to_string()),
    });
}

/// Sends a report as the `INFO` block.
pub fn report_block(info: &Info, axes: Axes, out: Out) {
    report::block(info, axes).into_iter().for_each(|detail| out(Reply::Detail(detail)));
}

/// Reports the moves not known to lose. `lost`: number of losing moves.
pub fn report_holding(moves_not_losing: &[Cell], lost: usize, height: usize, out: Out) {
    let labels: Vec<String> = moves_not_losing.iter().map(|&cell| name(cell, height)).collect();
    let all = moves_not_losing.len() + lost;
    out(Reply::Message(match moves_not_losing.len() {
        0 => format!("defend: all {all} moves lose"),
        count if lost == 0 => format!("defend: none of {count} moves is known to lose"),
        count => format!("defend: {count} of {all} moves hold: {}", labels.join(" ")),
    }));
}

/// Reports the features of the evaluation.
pub(super) fn print_features(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    out: Out,
) -> Result<(), CommandError> {
    let game = position(at_hand, settings, "YXPRINTFEATURE")?;
    let to_move = game.game_state.to_move();
    let position = game.decider.position(&game.game_state);
    let score = position.evaluate();
    // Every game of five in a row has move classes.
    let lines = position.class_counts().map(|counts| features::lines(score, &counts, to_move));
    lines.into_iter().flatten().map(Reply::Message).for_each(out);
    Ok(())
}

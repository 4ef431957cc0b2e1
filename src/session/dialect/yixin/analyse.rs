//! Commands that analyse or balance a position, and their answers.

use goren_protocol::Reply;

use super::features;
use crate::command_error::CommandError;
use crate::dialect::axes::Axes;
use crate::dialect::report;
use crate::dialect::wire::name;
use crate::out::Out;
use crate::search::balance::{Balance, Balanced};
use crate::search::job::Task;
use crate::search::order::SearchOrder;
use crate::state::any_game::AnyGame;
use crate::state::game_at_hand::GameAtHand;
use crate::state::limits::Limits;
use crate::state::settings::Settings;
use goren_core::types::{Cell, Move, SCORE_LIMIT};
use goren_engine::{Basis, Game, Info};

/// The position that a command analyses.
fn position<'a>(
    at_hand: &'a mut GameAtHand,
    settings: &Settings,
    command: &'static str,
) -> Result<&'a mut Box<dyn Game>, CommandError> {
    at_hand.five_board(command)?;
    at_hand.not_refused()?;
    // The rule may have come after the stones.
    Ok(at_hand.judged(settings)?.0)
}

/// Searches the position as a command asks, unless the game is over.
pub(super) fn search(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    command: &'static str,
    task: Task,
) -> Result<SearchOrder, CommandError> {
    let game = position(at_hand, settings, command)?;
    if game.outcome().is_some() {
        return Err(CommandError::Over);
    }
    Ok(SearchOrder::new(task, limits.allow(game.measures())))
}

/// To seek stones that make the position worth so much.
pub(super) fn balance(two: bool, bias: i32) -> Task {
    Task::Balance(Balance { two, bias: bias.clamp(-SCORE_LIMIT, SCORE_LIMIT) })
}

/// Places the stones that balance the position, and tells what they reach.
pub fn answer_balance(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    wanted: Balance,
    found: Option<Balanced>,
    out: Out,
) {
    let axes = settings.axes();
    let Some(AnyGame::Five(game)) = &mut at_hand.game else { return };
    let height = game.setup().height;
    let placed = found.filter(|found| {
        let played = found.stones.iter().take_while(|&&cell| game.play(cell).is_ok()).count();
        played == found.stones.len()
    });
    let Some(found) = placed else {
        out(Reply::Error(CommandError::Over.to_string()));
        return;
    };
    report::balance(wanted, &found, height).map(Reply::Message).for_each(&mut *out);
    let Balanced { stones, score, .. } = found;
    if settings.block() {
        // gomocalc takes the stones from here.
        let pv = stones.iter().map(|&cell| Move::at(cell)).collect();
        tell_block(&Info { score, basis: Basis::Search, pv, ..Info::NOTHING }, axes, out);
    }
    out(match stones.iter().map(|&cell| axes.point(cell)).collect::<Vec<_>>()[..] {
        [first, second] => Reply::TwoMoves([first, second]),
        [first, ..] => Reply::Move(first),
        [] => Reply::Error(CommandError::Over.to_string()),
    });
}

/// Tells a report in the lines of a GUI that reads such.
pub fn tell_block(info: &Info, axes: Axes, out: Out) {
    report::block(info, axes).into_iter().for_each(|detail| out(Reply::Detail(detail)));
}

/// Tells which moves do not lose as far as the search knows.
pub fn tell_holding(holding: &[Cell], lost: usize, height: usize, out: Out) {
    let labels: Vec<String> = holding.iter().map(|&cell| name(cell, height)).collect();
    let all = holding.len() + lost;
    out(Reply::Message(match holding.len() {
        0 => format!("defend: all {all} moves lose"),
        count if lost == 0 => format!("defend: none of {count} moves is known to lose"),
        count => format!("defend: {count} of {all} moves hold: {}", labels.join(" ")),
    }));
}

/// Tells what the evaluation sees.
pub(super) fn print_features(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    out: Out,
) -> Result<(), CommandError> {
    let game = position(at_hand, settings, "YXPRINTFEATURE")?;
    let features = game.features();
    for line in features::lines(&features, game.to_move()) {
        out(Reply::Message(line));
    }
    Ok(())
}

//! Commands that analyse or balance a position, and their answers.

use goren_protocol::Reply;

use super::super::balance::{Balance, Balanced};
use super::super::command_error::CommandError;
use super::super::job::Task;
use super::super::out::Out;
use super::super::report;
use super::super::state::{Session, State};
use super::super::wire::name;
use super::features;
use goren_core::types::{Cell, Move, SCORE_LIMIT};
use goren_engine::{Basis, Info, Request};

/// Searches the position in a way of its own.
pub(super) fn analyse(
    session: &mut Session,
    command: &'static str,
    how: impl FnOnce(&mut Session, &mut Request),
) -> Result<(), CommandError> {
    think_otherwise(session, command, Task::Analyse, how)
}

/// Seeks stones that make the position worth so much.
pub(super) fn balance(
    session: &mut Session,
    command: &'static str,
    two: bool,
    bias: i32,
) -> Result<(), CommandError> {
    let bias = bias.clamp(-SCORE_LIMIT, SCORE_LIMIT);
    think_otherwise(session, command, Task::Balance(Balance { two, bias }), |_, _| {})
}

/// Searches the position as a command asks, unless the game is over.
fn think_otherwise(
    session: &mut Session,
    command: &'static str,
    task: Task,
    how: impl FnOnce(&mut Session, &mut Request),
) -> Result<(), CommandError> {
    session.board_of_ours(command)?;
    session.not_refused()?;
    // The rule may have come after the stones.
    let (game, _) = session.game()?;
    if game.outcome().is_some() {
        return Err(CommandError::Over);
    }
    let allowance = session.allow_here()?;
    let mut request = session.request(&allowance);
    how(session, &mut request);
    session.think_within(task, request, allowance)
}

/// Places the stones that balance the position, and tells what they reach.
pub(crate) fn answer_balance(
    session: &mut Session,
    wanted: Balance,
    found: Option<Balanced>,
    out: Out,
) {
    let axes = session.axes();
    let State::Idle(game) = &mut session.state else { return };
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
    if session.settings.block() {
        // gomocalc takes the stones from here.
        let pv = stones.iter().map(|&cell| Move::at(cell)).collect();
        let info = Info { score, basis: Basis::Search, pv, ..Info::NOTHING };
        report::block(&info, axes).into_iter().for_each(|detail| out(Reply::Detail(detail)));
    }
    out(match stones.iter().map(|&cell| axes.point(cell)).collect::<Vec<_>>()[..] {
        [first, second] => Reply::TwoMoves([first, second]),
        [first, ..] => Reply::Move(first),
        [] => Reply::Error(CommandError::Over.to_string()),
    });
}

/// Tells which moves do not lose as far as the search knows.
pub(crate) fn tell_holding(holding: &[Cell], lost: usize, height: usize, out: Out) {
    let labels: Vec<String> = holding.iter().map(|&cell| name(cell, height)).collect();
    let all = holding.len() + lost;
    out(Reply::Message(match holding.len() {
        0 => format!("defend: all {all} moves lose"),
        count if lost == 0 => format!("defend: none of {count} moves is known to lose"),
        count => format!("defend: {count} of {all} moves hold: {}", labels.join(" ")),
    }));
}

/// Tells what the evaluation sees.
pub(super) fn print_features(session: &mut Session, out: Out) -> Result<(), CommandError> {
    session.board_of_ours("YXPRINTFEATURE")?;
    session.not_refused()?;
    let (game, _) = session.game()?;
    let features = game.features();
    for line in features::lines(&features, game.to_move()) {
        out(Reply::Message(line));
    }
    Ok(())
}

//! Openings swap2 and Soosorv-8 in the dialect of the Yixin-Boards: every step
//! is a command of its own, separate from the game, and answered by MESSAGE
//! lines without a coordinate line. Decisions come from the
//! [`Decider`](crate::decide::Decider) of all openings.

use goren_protocol::{Placed, Point, Reply};

use super::super::command_error::CommandError;
use super::super::decide::Decision;
use super::super::family_game::FamilyGame;
use super::super::job::{Lent, Task};
use super::super::out::Out;
use super::super::position::BadList;
use super::super::state::{Session, State};
use super::step::Step;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, OpeningId, RuleId, Setup, Variant};
use goren_core::types::{Cell, Color, Stone};

/// Thinks about the step of an opening that a command asks for. The game stays
/// as it is.
pub(crate) fn step(
    session: &mut Session,
    command: &'static str,
    step: Step,
) -> Result<(), CommandError> {
    if matches!(step, Step::AnswerSwap2 | Step::FinishSwap2) {
        session.not_refused()?;
    }
    let (axes, rule) = (session.axes(), session.settings.variant()?.rule);
    let setup = Setup { rule, ..session.board_of_ours(command)? };
    let game = session.idle()?;
    let cells = match step.list() {
        Some(list) => {
            let read = |&at| axes.cell(at, &setup).ok_or(BadList::Outside(at));
            list.iter().map(read).collect::<Result<Vec<Cell>, BadList>>()?
        }
        None => by_turns(&game.stones()),
    };
    let opening = step.opening();
    let rule = if opening == OpeningId::Soosorv8 { RuleId::Renju } else { rule };
    let contest = Contest::new(Variant::Five(rule));
    let contest = contest.opened(opening)?.on(setup.width, setup.height)?;
    let mut game_state = GameState::new(contest);
    for action in step.actions(&cells)? {
        game_state.apply(&action)?;
    }
    let known = session
        .dialogue
        .take()
        .filter(|game| *game.decider.contest() == contest && session.weights.in_use());
    let mut family_game = match known {
        Some(family_game) => family_game,
        None => Box::new(FamilyGame::new(&contest, session.weights.set(), &session.hash)),
    };
    family_game.game_state = game_state;
    session.database_state.look_up_meanwhile(Some(setup));
    session.step_stones = cells.iter().map(|&cell| axes.point(cell)).collect();
    match std::mem::replace(&mut session.state, State::Unstarted) {
        State::Idle(game) => {
            session.step = Some(step);
            let (stones, area) = family_game.measures();
            let allowance = session.allow(stones, area);
            let request = session.request(&allowance);
            session.think_about(
                Lent::Opening(family_game, game),
                Task::Dialogue,
                request,
                allowance,
            )
        }
        other => {
            session.state = other;
            Err(CommandError::NotStarted)
        }
    }
}

/// Whether a position is the one that the step at hand is about. Fifths that
/// are offered may be shown or not.
pub(crate) fn is_of_the_step(session: &Session, shown: &[Placed]) -> bool {
    let stones = match session.step {
        Some(Step::Choose(_)) => session.step_stones.get(..4),
        _ => Some(&session.step_stones[..]),
    };
    let is_shown = |at: &Point| shown.iter().any(|placed| placed.at == *at);
    stones.is_some_and(|stones| stones.iter().all(is_shown))
        && shown.iter().all(|placed| session.step_stones.contains(&placed.at))
}

/// Tells what was decided in a step.
pub(crate) fn answer_step(
    session: &mut Session,
    step: &Step,
    decision: Option<Decision>,
    out: Out,
) {
    let Some(decision) = decision else {
        out(Reply::Error(CommandError::Over.to_string()));
        return;
    };
    for why in decision.why {
        out(Reply::Message(format!("opening: {why}")));
    }
    for line in step.lines(&decision.action, session.axes()) {
        out(Reply::Message(line));
    }
}

/// The stones of a position, Black's and White's by turns as they came.
fn by_turns(stones: &[(Cell, Stone)]) -> Vec<Cell> {
    let of = |color| {
        let own = stones.iter().filter(move |(_, stone)| *stone == Stone::Of(color));
        own.map(|&(cell, _)| cell)
    };
    let (mut black, mut white) = (of(Color::Black), of(Color::White));
    let mut cells = Vec::new();
    loop {
        let pair = [black.next(), white.next()];
        if pair == [None; 2] {
            return cells;
        }
        cells.extend(pair.into_iter().flatten());
    }
}

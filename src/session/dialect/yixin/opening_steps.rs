//! The openings swap2 and Soosorv-8 in the dialect of the Yixin-Boards: each step is a
//! command of its own, separate from the game, and answered by MESSAGE lines without a
//! coordinate line. The [`Decider`](goren_decide::Decider) makes the decisions, as in all
//! openings.

use goren_protocol::{Placed, Point, Reply};

use super::step::Step;
use crate::order::limits::Limits;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use crate::wire::Axes;
use crate::wire::position::BadList;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, OpeningId, RuleId, Setup};
use goren_core::types::{Cell, Color, Stone};
use goren_decide::Decision;

/// The opening that a GUI asks about, separately from the game.
#[derive(Default)]
pub struct OpeningSteps {
    /// The last step requested, and its stones followed by the fifths offered.
    requested: Option<(Step, Vec<Point>)>,
}

impl OpeningSteps {
    /// Whether a shown position is that of the step in progress. The boards show all its stones
    /// and the offered fifths: missing ones were taken back.
    pub fn is_about(&self, shown: &[Placed]) -> bool {
        let Some((_, all)) = &self.requested else { return false };
        let is_shown = |at: &Point| shown.iter().any(|placed| placed.at == *at);
        all.len() == shown.len() && all.iter().all(is_shown)
    }

    /// Whether Yixin-Boards treat the step in progress as a search for a move: after an undo or a
    /// new game they discard the next coordinate line.
    pub fn discards_move(&self) -> bool {
        matches!(self.requested, Some((Step::AnswerSwap2 | Step::FinishSwap2, _)))
    }

    /// Sends the decision of the step.
    pub fn answer(&mut self, decision: Option<Decision>, axes: Axes, out: Out) {
        let (Some((step, _)), Some(decision)) = (self.requested.take(), decision) else {
            out(Reply::Error(CommandError::Over.to_string()));
            return;
        };
        for why in decision.why {
            out(Reply::Message(format!("opening: {why}")));
        }
        for line in step.lines(&decision.action, axes) {
            out(Reply::Message(line));
        }
    }
}

/// Prepares the decision of a step and orders the search, without changing the game at hand.
pub(super) fn step(
    opening_steps: &mut OpeningSteps,
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    command: &'static str,
    step: Step,
) -> Result<SearchOrder, CommandError> {
    if matches!(step, Step::AnswerSwap2 | Step::FinishSwap2) {
        at_hand.not_refused()?;
    }
    let (axes, rule) = (settings.axes(), settings.variant()?.rule);
    let setup = Setup { rule, ..at_hand.five_board(command)? };
    let cells = match (step.list(), at_hand.five()) {
        (Some(list), _) => {
            let read = |&at| axes.cell(at, &setup).ok_or(BadList::Outside(at));
            list.iter().map(read).collect::<Result<Vec<Cell>, BadList>>()?
        }
        (None, Some(game)) => by_turns(&game.stones),
        (None, None) => return Err(CommandError::NotStarted),
    };
    let opening = step.opening();
    let rule = if opening == OpeningId::Soosorv8 { RuleId::Renju } else { rule };
    let contest = Contest::five(Setup { rule, ..setup }).opened(opening)?;
    let mut game_state = GameState::new(contest);
    for action in step.actions(&cells)? {
        game_state.apply(&action)?;
    }
    let allowance = limits.allow(at_hand.set_opening(game_state)?);
    let points = cells.iter().map(|&cell| axes.point(cell)).collect();
    opening_steps.requested = Some((step, points));
    Ok(SearchOrder::new(Task::OpeningStep, allowance))
}

/// The stones of a position, alternating between Black's and White's, each in the order of
/// the list.
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

#[cfg(test)]
mod tests {
    use super::*;
    use goren_protocol::Owner;

    /// The answer for all fifths came after one of them had been taken back.
    #[test]
    fn a_position_with_only_some_of_the_fifths_is_a_different_one() {
        let at = |n: i32| Point::new(n, 2 * n);
        let all: Vec<Point> = (0..6).map(at).collect();
        let steps = OpeningSteps { requested: Some((Step::Choose(all.clone()), all)) };
        let is_about = |count: i32| {
            let shown = (0..count).map(|n| Placed::new(at(n), Owner::Own));
            steps.is_about(&shown.collect::<Vec<_>>())
        };
        assert_eq!([3, 4, 5, 6, 7].map(is_about), [false, false, false, true, false]);
    }
}

//! Commands of the Gomocup protocol that named games do not have: positions of five in a
//! row under the rule of `INFO rule`, the opening swap2, dictated moves (PLAY).

use std::time::Duration;

use goren_protocol::{Placed, Point, Reply};

use super::game::{answer, continue_or_report_end};
use crate::order::limits::Limits;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::continuous::continue_game;
use crate::state::five_position::FivePosition;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use crate::wire::position::{self, BadList, ShownPosition};
use crate::wire::{Axes, cell_of, ply_of};
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, OpeningId, Setup};
use goren_core::types::Cell;
use goren_decide::Decision;

/// Maximum time to choose the opening stones: beyond it, better balance gains less than
/// time saved for the middle game.
const MAX_OPENING_TIME: Duration = Duration::from_secs(8);

/// Sets a position and orders a move.
pub fn board(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    list: &[Placed],
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let read = |axes, setup: &_| position::from_board(list, axes, setup);
    show(at_hand, settings, limits, read, Task::Move, out)
}

/// Sets a position and orders the next step of the opening swap2.
pub fn swap2(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    list: &[Point],
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let read = |axes, setup: &_| position::from_swap2(list, axes, setup);
    let order = show(at_hand, settings, limits, read, Task::Opening, out)?;
    decide_opening(at_hand, OpeningId::Swap2, &[3, 2])?;
    let longest = if list.is_empty() { MAX_OPENING_TIME } else { Duration::MAX };
    Ok(SearchOrder { allowance: order.allowance.at_most(longest), ..order })
}

/// Prepares the decision of the next ply of an opening. `plies`: number of stones of each ply
/// that led to the position at hand.
pub fn decide_opening(
    at_hand: &mut GameAtHand,
    opening: OpeningId,
    plies: &[usize],
) -> Result<(), CommandError> {
    let FivePosition { setup, stones, .. } = at_hand.five().ok_or(CommandError::NotStarted)?;
    let contest = Contest::five(setup).opened(opening)?;
    let mut game_state = GameState::new(contest);
    let mut cells: Vec<Cell> = stones.into_iter().map(|(cell, _)| cell).collect();
    for &stones in plies {
        if cells.is_empty() {
            break;
        }
        let rest = cells.split_off(stones.min(cells.len()));
        game_state.apply(&Action::stones(&cells))?;
        cells = rest;
    }
    at_hand.set_opening(game_state).map(drop)
}

/// Sends the decision of an opening. Places a single stone, but not several: then the client
/// sends the resulting position itself.
pub fn answer_opening(at_hand: &mut GameAtHand, axes: Axes, decision: Option<Decision>, out: Out) {
    match decision.as_ref().map(|decision| &decision.action) {
        Some(Action::Stones { cells, .. }) if cells.len() == 1 => {
            answer(at_hand, axes, decision, out);
        }
        Some(action) => out(ply_of(action, axes).into()),
        None => out(Reply::Error(CommandError::Over.to_string())),
    }
}

/// Reads a position, makes it the game at hand, and orders a search.
fn show(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    read: impl FnOnce(Axes, &Setup) -> Result<ShownPosition, BadList>,
    task: Task,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let FivePosition { setup, .. } = at_hand.five().ok_or(CommandError::NotStarted)?;
    // Until the list is accepted, commands that continue a position are refused: the
    // client no longer shows the old one. If only memory is missing, the old position
    // stays in use.
    let before = std::mem::replace(&mut at_hand.refused, true);
    let position = read(settings.axes(), &setup)?;
    let secured = limits.secure((position.0.len(), setup.area()), &at_hand.hash);
    let allowance = secured.inspect_err(|_| at_hand.refused = before)?;
    let replaced = at_hand.replace(position, settings);
    if replaced == Err(CommandError::NoRoom) {
        at_hand.refused = before;
    }
    replaced?;
    let continuous = at_hand.is_continuous(settings);
    continue_or_report_end(at_hand.current(settings)?, continuous, out)?;
    Ok(SearchOrder::new(task, allowance))
}

/// Obeys PLAY: the engine never sends SUGGEST, so this is a dictated move.
pub fn play(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    at: Point,
    out: Out,
) -> Result<(), CommandError> {
    at_hand.not_refused()?;
    let continuous = at_hand.is_continuous(settings);
    let game = at_hand.current(settings)?;
    let cell = cell_of(game.game_state.contest(), at, settings.axes());
    let action = Action::stone(cell.map_err(CommandError::Outside)?);
    let mut next = game.game_state.clone();
    continue_game(&mut next, continuous)?;
    next.apply(&action)?;
    game.advance_to(next, &action);
    if !continuous {
        game.report_end(out);
    }
    out(Reply::Move(at));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::game;
    use crate::dialect::state::State;
    use goren_decide::OptionValue;
    use goren_engine::{Clock, Info};
    use goren_protocol::{Ply, Setting};

    /// A game that has just begun on 15x15.
    fn started() -> (GameAtHand, Settings, Limits) {
        let mut state = State::default();
        // In a short match the budget changes with every stone or two.
        for info in
            [Setting::MaxMemory(1), Setting::TimeoutTurn(99_000), Setting::TimeoutMatch(9_000)]
        {
            state.settings.apply(&info);
        }
        let limits = state.limits();
        let State { mut at_hand, mut settings, .. } = state;
        game::start(&mut at_hand, &mut settings, &limits, (15, 15), &mut |_| {}).unwrap();
        (at_hand, settings, limits)
    }

    fn stones(at_hand: &GameAtHand) -> usize {
        at_hand.five().unwrap().stones.len()
    }

    #[test]
    fn a_turn_places_a_stone_and_orders_a_move() {
        let (mut at_hand, settings, limits) = started();
        let at = Point::new(7, 7);
        let turn = |at_hand: &mut GameAtHand, at| {
            game::turn(at_hand, &settings, &limits, &Ply::one(at), &mut |_| {})
        };
        let order = turn(&mut at_hand, at).unwrap();
        assert_eq!((order.task, stones(&at_hand)), (Task::Move, 1));
        assert_eq!(order.allowance.budget(), limits.clock.budget(1, 225));
        assert!(matches!(turn(&mut at_hand, at), Err(CommandError::Action(_))));
        let outside = Point::new(15, 0);
        assert_eq!(turn(&mut at_hand, outside).unwrap_err(), CommandError::Outside(outside));
        at_hand.refused = true;
        assert_eq!(turn(&mut at_hand, Point::new(1, 1)).unwrap_err(), CommandError::Refused);
        assert_eq!(stones(&at_hand), 1);
    }

    #[test]
    fn an_invalid_list_leaves_the_game_and_marks_it_as_refused() {
        let (mut at_hand, settings, limits) = started();
        let limits = Limits { clock: Clock::UNLIMITED, ..limits };
        let list = [Point::new(1, 1), Point::new(2, 2), Point::new(3, 3)];
        let order = |at_hand: &mut GameAtHand, list: &[Point]| {
            swap2(at_hand, &settings, &limits, list, &mut |_| {})
        };
        let empty = order(&mut at_hand, &[]).unwrap();
        assert_eq!(empty.allowance.budget().soft, MAX_OPENING_TIME);
        // Decisions about colours may exceed the soft limit, but the choice of the opening
        // stones may not exceed its maximum.
        let mut slow = settings.clone();
        for info in [Setting::TimeoutTurn(30_000), Setting::TimeoutMatch(180_000)] {
            slow.apply(&info);
        }
        let slow = Limits { clock: slow.clock(), ..limits };
        let slow_order = swap2(&mut at_hand, &settings, &slow, &[], &mut |_| {}).unwrap();
        let budget = slow_order.allowance.budget();
        assert!(budget.saves && budget.hard <= MAX_OPENING_TIME, "{budget:?}");
        assert_eq!(order(&mut at_hand, &list).unwrap().task, Task::Opening);
        let opening = at_hand.opening.take().unwrap();
        assert_eq!((stones(&at_hand), opening.stones_and_area()), (3, (3, 225)));
        assert!(order(&mut at_hand, &list[..2]).is_err() && at_hand.refused);
        assert!(at_hand.opening.is_none() && stones(&at_hand) == 3);
    }

    /// The preceding five had become walls, and could not be taken back any more.
    #[test]
    fn a_refused_stone_leaves_a_continuous_game_unchanged() {
        let (mut at_hand, mut settings, _) = started();
        settings.apply(&Setting::Rule(2));
        let mut place = |x, y| play(&mut at_hand, &settings, Point::new(x, y), &mut |_| {});
        for x in 3..7 {
            place(x, 7).unwrap();
            place(x, 0).unwrap();
        }
        place(7, 7).unwrap();
        assert!(place(7, 7).is_err());
        assert_eq!(game::take_back(&mut at_hand, &settings, Point::new(7, 7)), Ok(()));
    }

    #[test]
    fn swap2_decisions_are_sent_in_the_form_that_managers_read() {
        let cells = [Cell::new(7, 6), Cell::new(8, 8), Cell::new(1, 2)];
        let stones_of = |count: usize| Action::stones(&cells[..count]);
        for (action, reply, placed) in [
            (Action::Swap, "SWAP", 0),
            (stones_of(1), "7,6", 1),
            (stones_of(2), "7,6 8,8", 0),
            (stones_of(3), "7,6 8,8 1,2", 0),
        ] {
            let (mut at_hand, settings, _) = started();
            let mut replies = Vec::new();
            let why =
                vec![OptionValue { action: action.clone(), text: "why".to_owned(), value: 0 }];
            let decision = Decision { action, info: Info::NOTHING, why };
            answer_opening(&mut at_hand, settings.axes(), Some(decision), &mut |line| {
                replies.push(line.to_string());
            });
            assert_eq!((replies, stones(&at_hand)), (vec![reply.to_owned()], placed));
        }
    }
}

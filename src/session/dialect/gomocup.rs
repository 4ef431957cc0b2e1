//! Commands of the Gomocup protocol: positions and moves of five in a row, under
//! the rule of `INFO rule`.

use std::time::Duration;

use goren_protocol::{Placed, Point, Reply};

use super::axes::Axes;
use super::position::{self, BadList, ShownPosition};
use crate::command_error::CommandError;
use crate::decide::Decision;
use crate::out::Out;
use crate::search::job::Task;
use crate::search::order::SearchOrder;
use crate::state::any_game::AnyGame;
use crate::state::continuous::go_on;
use crate::state::family_game::end_words;
use crate::state::game_at_hand::GameAtHand;
use crate::state::limits::Limits;
use crate::state::settings::Settings;
use goren_core::opening::{Action, GameState};
use goren_core::rules::referee::Reason;
use goren_core::rules::{Contest, OpeningId, Outcome, Setup, Variant};
use goren_core::types::{Cell, Move, Stone};
use goren_engine::Game;

/// Longest comparison of stones to open with: a better measure of the balance gains
/// less than time in the middle game.
const LONGEST_COMPARISON: Duration = Duration::from_secs(8);

/// The opponent's move, and then ours.
pub fn turn(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    at: Point,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    at_hand.not_refused()?;
    let (game, _) = at_hand.judged(settings)?;
    let (setup, stones) = (game.setup(), game.stones().len() + 1);
    let cell = settings.axes().cell(at, &setup).ok_or(CommandError::Outside(at))?;
    let allowance = limits.secure((stones, setup.area()), at_hand.hash())?;
    let (game, variant) = at_hand.judged(settings)?;
    go_on(game, variant)?;
    game.play(cell)?;
    go_on_or_tell(at_hand, settings, out)?;
    Ok(SearchOrder::new(Task::Move, allowance))
}

/// A position to move in.
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

/// A step of the opening swap2.
pub fn swap2(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    list: &[Point],
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let read = |axes, setup: &_| position::from_swap2(list, axes, setup);
    let order = show(at_hand, settings, limits, read, Task::Opening, out)?;
    open(at_hand, OpeningId::Swap2, &[3, 2])?;
    let longest = if list.is_empty() { LONGEST_COMPARISON } else { Duration::MAX };
    Ok(SearchOrder { allowance: order.allowance.at_most(longest), ..order })
}

/// Has the next ply of an opening decided that has led to the position, by plies of so
/// many stones.
pub fn open(
    at_hand: &mut GameAtHand,
    opening: OpeningId,
    plies: &[usize],
) -> Result<(), CommandError> {
    let game = at_hand.five().ok_or(CommandError::NotStarted)?;
    let Setup { rule, width, height } = game.setup();
    let contest = Contest::new(Variant::Five(rule)).opened(opening)?.on(width, height)?;
    let mut game_state = GameState::new(contest);
    let mut cells: Vec<Cell> = game.stones().into_iter().map(|(cell, _)| cell).collect();
    for &stones in plies {
        if cells.is_empty() {
            break;
        }
        let rest = cells.split_off(stones.min(cells.len()));
        game_state.apply(&Action::stones(&cells))?;
        cells = rest;
    }
    at_hand.open(game_state);
    Ok(())
}

/// Tells what was decided in an opening. A move is placed; stones that are laid are
/// not, as the client shows what comes of them.
pub fn answer_opening(at_hand: &mut GameAtHand, axes: Axes, decision: Option<Decision>, out: Out) {
    match decision.map(|decision| decision.action) {
        Some(Action::Swap) => out(Reply::Swap),
        Some(Action::Stones { cells, .. }) => {
            match cells.iter().map(|&cell| axes.point(cell)).collect::<Vec<_>>()[..] {
                [_] => answer_move(at_hand, axes, Move::at(cells[0]), out),
                [first, second] => out(Reply::TwoMoves([first, second])),
                [first, second, third] => out(Reply::ThreeMoves([first, second, third])),
                _ => out(Reply::Error(CommandError::Over.to_string())),
            }
        }
        _ => out(Reply::Error(CommandError::Over.to_string())),
    }
}

/// Reads a position and sets it, to be searched.
fn show(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    read: impl FnOnce(Axes, &Setup) -> Result<ShownPosition, BadList>,
    task: Task,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    let setup = at_hand.five().ok_or(CommandError::NotStarted)?.setup();
    // Until there is another, nothing is said of the position of before. Where
    // memory is all that is missing, that position stays.
    let before = std::mem::replace(&mut at_hand.refused, true);
    let position = read(settings.axes(), &setup)?;
    let secured = limits.secure((position.0.len(), setup.area()), at_hand.hash());
    let allowance = secured.inspect_err(|_| at_hand.refused = before)?;
    at_hand.replace(position, settings)?;
    go_on_or_tell(at_hand, settings, out)?;
    Ok(SearchOrder::new(task, allowance))
}

/// PLAY: the engine never sends SUGGEST, so this is a dictated move.
pub fn play(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    at: Point,
    out: Out,
) -> Result<(), CommandError> {
    at_hand.not_refused()?;
    let (game, variant) = at_hand.judged(settings)?;
    let cell = settings.axes().cell(at, &game.setup()).ok_or(CommandError::Outside(at))?;
    go_on(game, variant)?;
    game.play(cell)?;
    if !variant.continuous {
        tell_end(game.as_ref(), out);
    }
    out(Reply::Move(at));
    Ok(())
}

/// Makes sure that there is a move to make after the stones of the client. If they
/// ended the game, reports the winner; the position stays as the client has it.
fn go_on_or_tell(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    out: Out,
) -> Result<(), CommandError> {
    let (game, variant) = at_hand.judged(settings)?;
    match go_on(game, variant) {
        Err(CommandError::Over) => {
            tell_end(game.as_ref(), out);
            Err(CommandError::Ended)
        }
        other => other,
    }
}

/// Places the move that was decided, and tells it.
pub fn answer_move(at_hand: &mut GameAtHand, axes: Axes, best: Move, out: Out) {
    let placed = match &mut at_hand.game {
        Some(AnyGame::Five(game)) => place(game.as_mut(), best),
        _ => None,
    };
    out(placed.map_or_else(
        || Reply::Error(CommandError::Over.to_string()),
        |cell| Reply::Move(axes.point(cell)),
    ));
}

/// Places the engine's stone: the best move or else any, as the client would wait
/// for ever without one.
fn place(game: &mut dyn Game, best: Move) -> Option<Cell> {
    let setup = game.setup();
    let any = (0..setup.height).flat_map(|y| (0..setup.width).map(move |x| Cell::new(x, y)));
    std::iter::once(best.cell()).chain(any).find(|&cell| game.play(cell).is_ok())
}

/// Reports how a game ended, if it has.
fn tell_end(game: &dyn Game, out: Out) {
    let newest = game.stones().last().map(|stone| stone.1);
    let (winner, reason) = match game.outcome() {
        None => return,
        Some(Outcome::Draw) => (None, Reason::Full),
        Some(Outcome::Win(color)) if newest == Some(Stone::Of(color)) => {
            (Some(color), Reason::Line)
        }
        Some(Outcome::Win(color)) => (Some(color), Reason::Foul),
    };
    out(Reply::Message(end_words(winner, reason)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::game;
    use crate::state::State;
    use goren_engine::{Clock, Info};
    use goren_protocol::Info as Setting;

    /// A game that has just begun on a board of fifteen lines.
    fn started() -> (GameAtHand, Settings, Limits) {
        let mut state = State::default();
        // Of a short match, where every stone or two change the budget.
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
        at_hand.five().unwrap().stones().len()
    }

    #[test]
    fn a_turn_is_placed_and_orders_a_move() {
        let (mut at_hand, settings, limits) = started();
        let at = Point::new(7, 7);
        let ask = |at_hand: &mut GameAtHand, at| turn(at_hand, &settings, &limits, at, &mut |_| {});
        let order = ask(&mut at_hand, at).unwrap();
        assert_eq!((order.task, stones(&at_hand)), (Task::Move, 1));
        assert_eq!(order.allowance.budget(), limits.clock.budget(1, 225));
        assert!(matches!(ask(&mut at_hand, at), Err(CommandError::Illegal(_))));
        let outside = Point::new(15, 0);
        assert_eq!(ask(&mut at_hand, outside).unwrap_err(), CommandError::Outside(outside));
        at_hand.refused = true;
        assert_eq!(ask(&mut at_hand, Point::new(1, 1)).unwrap_err(), CommandError::Refused);
        assert_eq!(stones(&at_hand), 1);
    }

    #[test]
    fn a_list_that_is_no_position_leaves_the_game_and_is_remembered() {
        let (mut at_hand, settings, limits) = started();
        let limits = Limits { clock: Clock::UNLIMITED, ..limits };
        let list = [Point::new(1, 1), Point::new(2, 2), Point::new(3, 3)];
        let ask = |at_hand: &mut GameAtHand, list: &[Point]| {
            swap2(at_hand, &settings, &limits, list, &mut |_| {})
        };
        let empty = ask(&mut at_hand, &[]).unwrap();
        assert_eq!(empty.allowance.budget().soft, LONGEST_COMPARISON);
        assert_eq!(ask(&mut at_hand, &list).unwrap().task, Task::Opening);
        let opening = at_hand.opening.take().unwrap();
        assert_eq!((stones(&at_hand), opening.measures()), (3, (3, 225)));
        assert!(ask(&mut at_hand, &list[..2]).is_err() && at_hand.refused);
        assert!(at_hand.opening.is_none() && stones(&at_hand) == 3);
    }

    #[test]
    fn what_is_decided_in_swap2_is_told_as_its_managers_read_it() {
        let cells = [Cell::new(7, 6), Cell::new(8, 8), Cell::new(1, 2)];
        let stones_of = |count: usize| Action::stones(&cells[..count]);
        for (action, told, placed) in [
            (Action::Swap, "SWAP", 0),
            (stones_of(1), "7,6", 1),
            (stones_of(2), "7,6 8,8", 0),
            (stones_of(3), "7,6 8,8 1,2", 0),
        ] {
            let (mut at_hand, settings, _) = started();
            let mut replies = Vec::new();
            let decision = Decision { action, info: Info::NOTHING, why: vec!["why".to_owned()] };
            answer_opening(&mut at_hand, settings.axes(), Some(decision), &mut |reply| {
                replies.push(reply.to_string());
            });
            assert_eq!((replies, stones(&at_hand)), (vec![told.to_owned()], placed));
        }
    }
}

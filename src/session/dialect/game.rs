//! Commands that every game has: START, RECTSTART, RESTART, BEGIN, TURN and TAKEBACK. A
//! ply of a named game is a list of coordinates separated by blanks, followed by a number
//! if the opening asks for one, or the word SWAP or PASS; in other games it is one
//! coordinate.

use std::time::{Duration, Instant};

use goren_protocol::{Ply, Point, Reply};

use crate::order::limits::Limits;
use crate::order::search_order::SearchOrder;
use crate::order::task::Task;
use crate::out::Out;
use crate::state::command_error::CommandError;
use crate::state::continuous::continue_game;
use crate::state::five_position::FivePosition;
use crate::state::game_at_hand::GameAtHand;
use crate::state::played_game::{PlayedGame, stones_and_area};
use crate::state::settings::Settings;
use crate::wire::{Axes, action_of, cell_of, ply_of};
use goren_core::opening::GameState;
use goren_core::rules::{Contest, Setup};
use goren_core::types::Stone;
use goren_decide::Decision;
use goren_engine::{has_room, reserve};

/// Time after START at which the warm-up search must end.
const WARM_UP_SEARCH: Duration = Duration::from_millis(15);
/// Time after START at which all work before OK must end. Managers allow about a hundred
/// times as much, but measure it.
const WARM_UP: Duration = Duration::from_millis(30);

/// Begins the game named by `INFO variant`, or a game of five in a row.
pub fn start(
    at_hand: &mut GameAtHand,
    settings: &mut Settings,
    limits: &Limits,
    (width, height): (usize, usize),
    out: Out,
) -> Result<(), CommandError> {
    let requested = settings.requested_game.contest(width, height)?;
    let contest = match requested {
        Some(contest) => contest,
        None => Contest::five(Setup::new(settings.variant()?.rule, width, height)?),
    };
    let named = requested.is_some();
    let fits = |game: &PlayedGame| game.named == named && *game.decider.contest() == contest;
    // The old game is kept until memory for the new one is certain.
    let same = at_hand.weights.in_use() && at_hand.game.as_deref().is_some_and(fits);
    if !same {
        if !has_room() {
            return Err(CommandError::NoRoom);
        }
        let mut game = at_hand.build(GameState::new(contest), named)?;
        game.decider.warm_up(limits.arrived + WARM_UP_SEARCH);
        // Touch the memory of the first search now, as the clock does not run during START.
        at_hand.hash.set_limit(limits.table_bytes);
        at_hand.hash.prepare(limits.arrived + WARM_UP);
        if reserve::is_released() {
            return Err(CommandError::NoRoom);
        }
        at_hand.game = Some(game);
        reserve::trim();
    }
    // Reply first: clearing a large table takes a moment.
    out(Reply::Ok);
    settings.times.new_game();
    if let Some(game) = &mut at_hand.game {
        game.restart();
    }
    at_hand.games += 1;
    at_hand.settle_weights();
    if let Some(text) = at_hand.weights.unused_in(contest.variant) {
        out(Reply::Message(text));
    }
    if named {
        at_hand.hash.clear();
    }
    at_hand.refused = false;
    Ok(())
}

/// Begins a new game on the same board.
pub fn restart(
    at_hand: &mut GameAtHand,
    settings: &mut Settings,
    limits: &Limits,
    out: Out,
) -> Result<(), CommandError> {
    let size = at_hand.game.as_ref().ok_or(CommandError::NotStarted)?.size();
    start(at_hand, settings, limits, size, out)
}

/// Rebuilds a game without stones after a change of the rule or the weights, so that this
/// does not cost time of a move.
pub fn renew(at_hand: &mut GameAtHand, settings: &Settings, arrived: Instant) {
    let (Some(position), Ok(variant)) = (at_hand.five(), settings.variant()) else { return };
    let FivePosition { setup, stones, to_move } = position;
    let is_current = setup.rule == variant.rule && at_hand.weights.in_use();
    if is_current || !stones.is_empty() {
        return;
    }
    let contest = Contest::five(Setup { rule: variant.rule, ..setup });
    let Ok(empty) = GameState::from_list(contest, &[], to_move) else { return };
    // Without enough memory the game stays as it is.
    if at_hand.rebuild(empty).is_ok()
        && let Some(game) = &mut at_hand.game
    {
        game.decider.warm_up(arrived + WARM_UP_SEARCH / 3);
    }
}

/// Orders the first move.
pub fn begin(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
) -> Result<SearchOrder, CommandError> {
    at_hand.not_refused()?;
    let game = at_hand.current(settings)?;
    if !game.game_state.is_fresh() {
        return Err(CommandError::NotEmpty);
    }
    Ok(SearchOrder::new(Task::Move, limits.allow(game.stones_and_area())))
}

/// Plays the opponent's ply, and orders the search for ours.
pub fn turn(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
    ply: &Ply,
    out: Out,
) -> Result<SearchOrder, CommandError> {
    at_hand.not_refused()?;
    let continuous = at_hand.is_continuous(settings);
    let game = at_hand.current(settings)?;
    let action =
        action_of(&game.game_state, ply, settings.axes()).map_err(CommandError::Outside)?;
    let mut next = game.game_state.clone();
    continue_game(&mut next, continuous)?;
    next.apply(&action)?;
    let allowance = limits.secure(stones_and_area(&next), &at_hand.hash)?;
    let game = at_hand.current(settings)?;
    if let Some(text) = game.advance_to(next, &action) {
        out(Reply::Message(text));
    }
    continue_or_report_end(game, continuous, out)?;
    Ok(SearchOrder::new(Task::Move, allowance))
}

/// Prepares the game for our ply after the client's. If the client's ply ended the game,
/// reports the result and leaves the position as it is.
///
/// # Errors
/// The game is over.
pub fn continue_or_report_end(
    game: &mut PlayedGame,
    continuous: bool,
    out: Out,
) -> Result<(), CommandError> {
    match continue_game(&mut game.game_state, continuous) {
        Err(CommandError::Over) => {
            game.report_end(out);
            Err(CommandError::Ended)
        }
        other => other,
    }
}

/// Plays the decided ply and sends it; in a named game also sends the values of the options
/// and the stones that the ply removed from the board.
pub fn answer(at_hand: &mut GameAtHand, axes: Axes, decision: Option<Decision>, out: Out) {
    let played = decision.zip(at_hand.game.as_deref_mut()).and_then(|(decision, game)| {
        let removed = game.play(&decision.action).ok()?;
        Some((decision, removed, game))
    });
    let Some((decision, removed, game)) = played else {
        out(Reply::Error(CommandError::Over.to_string()));
        return;
    };
    if game.named {
        for text in decision.why.iter().map(|why| format!("opening: {why}")).chain(removed) {
            out(Reply::Message(text));
        }
        game.report_end(out);
    }
    out(ply_of(&decision.action, axes).into());
}

/// Takes back the last ply. `at` must be a point on which the ply placed or offered a stone,
/// or the point of a pass if it placed none.
pub fn take_back(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    at: Point,
) -> Result<(), CommandError> {
    at_hand.not_refused()?;
    let axes = settings.axes();
    let game = at_hand.current(settings)?;
    let (newest, game_state) = (game.newest(), &game.game_state);
    let placed_none = newest.is_empty() && !game_state.is_fresh();
    if !(placed_none && at.is_pass()) {
        let cell = cell_of(game_state.contest(), at, axes).map_err(CommandError::Outside)?;
        if !newest.contains(&cell) {
            return Err(CommandError::NotNewest(at));
        }
        if game_state.stone(cell) == Some(Stone::Wall) {
            return Err(CommandError::Buried(at));
        }
    }
    game.take_back();
    Ok(())
}

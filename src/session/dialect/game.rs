//! Commands that every game has: START, RECTSTART, RESTART, BEGIN and TAKEBACK.

use std::time::{Duration, Instant};

use goren_protocol::{Point, Reply};

use super::wire::cell_of;
use crate::command_error::CommandError;
use crate::out::Out;
use crate::search::job::Task;
use crate::search::order::SearchOrder;
use crate::state::any_game::AnyGame;
use crate::state::family_game::FamilyGame;
use crate::state::game_at_hand::GameAtHand;
use crate::state::limits::Limits;
use crate::state::settings::Settings;
use goren_core::rules::{Contest, Setup};
use goren_core::types::{Cell, Color, Stone};
use goren_engine::{has_room, reserve};

/// How long after START a rehearsal may last, and all that is done before its
/// OK. Managers wait for that a hundred times as long, but measure it.
const REHEARSAL: Duration = Duration::from_millis(15);
const WARM_UP: Duration = Duration::from_millis(30);

/// A game to begin.
enum NextGame {
    Five(Setup),
    Family(Contest),
}

impl NextGame {
    /// Whether a game that was built by the weights in use will do.
    fn is(&self, game: &AnyGame) -> bool {
        match (self, game) {
            (NextGame::Five(setup), AnyGame::Five(game)) => game.setup() == *setup,
            (NextGame::Family(contest), AnyGame::Family(game)) => game.decider.contest() == contest,
            _ => false,
        }
    }

    fn build(&self, at_hand: &GameAtHand) -> AnyGame {
        let weights = &at_hand.weights;
        match self {
            NextGame::Five(setup) => AnyGame::Five(weights.new_game(*setup)),
            NextGame::Family(contest) => {
                AnyGame::Family(Box::new(FamilyGame::new(contest, weights.set(), at_hand.hash())))
            }
        }
    }
}

/// Begins a game: one that `INFO variant` has named, or one of five in a row.
pub fn start(
    at_hand: &mut GameAtHand,
    settings: &mut Settings,
    limits: &Limits,
    (width, height): (usize, usize),
    out: Out,
) -> Result<(), CommandError> {
    if !reserve::hold() || !has_room() {
        return Err(CommandError::NoRoom);
    }
    let requested = settings.requested_game.contest(width, height)?;
    let next = match requested {
        Some(contest) => NextGame::Family(contest),
        None => {
            let rule = settings.variant()?.rule;
            NextGame::Five(Setup::new(rule, width, height)?)
        }
    };
    // While there may be no room for it, the game before is kept.
    let same = at_hand.game.as_ref().is_some_and(|game| next.is(game));
    let mut new = if same && at_hand.weights.in_use() { None } else { Some(next.build(at_hand)) };
    if let Some(game) = &mut new {
        rehearse(at_hand, game, limits.arrived + REHEARSAL);
        // Has the memory that the first search needs fetched in the time for START,
        // which nobody counts.
        at_hand.hash().set_limit(limits.table_bytes);
        at_hand.hash().prepare(limits.arrived + WARM_UP);
    }
    if reserve::is_released() {
        return Err(CommandError::NoRoom);
    }
    // Emptying a large table takes a moment.
    out(Reply::Ok);
    settings.new_game();
    let mut game = match new.or_else(|| at_hand.game.take()) {
        Some(game) => game,
        None => next.build(at_hand),
    };
    match &mut game {
        AnyGame::Five(game) => {
            at_hand.games += 1;
            at_hand.engine.forget();
            if game.set_up(&[], Color::Black).is_err() {
                *game = at_hand.weights.new_game(game.setup());
            }
            at_hand.settle_weights();
        }
        AnyGame::Family(family_game) => {
            at_hand.weights.settle();
            family_game.restart();
            at_hand.hash().clear();
        }
    }
    at_hand.refused = false;
    at_hand.game = Some(game);
    Ok(())
}

/// Searches a little, until some time at the latest.
fn rehearse(at_hand: &mut GameAtHand, game: &mut AnyGame, until: Instant) {
    match game {
        AnyGame::Five(game) => at_hand.engine.rehearse(&**game, until),
        AnyGame::Family(family_game) => family_game.decider.rehearse(until),
    }
}

/// A new game on the same board.
pub fn restart(
    at_hand: &mut GameAtHand,
    settings: &mut Settings,
    limits: &Limits,
    out: Out,
) -> Result<(), CommandError> {
    let size = at_hand.game.as_ref().ok_or(CommandError::NotStarted)?.size();
    start(at_hand, settings, limits, size, out)
}

/// Builds a game that has not begun under a rule that came after START, before a
/// command whose time counts has to.
pub fn apply_rule(at_hand: &mut GameAtHand, settings: &Settings, arrived: Instant) {
    let (Some(game), Ok(variant)) = (at_hand.five(), settings.variant()) else { return };
    if game.setup().rule == variant.rule || !game.stones().is_empty() {
        return;
    }
    if at_hand.judged(settings).is_ok()
        && let Some(AnyGame::Five(game)) = &at_hand.game
    {
        at_hand.engine.rehearse(&**game, arrived + REHEARSAL / 3);
    }
}

/// The first move.
pub fn begin(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    limits: &Limits,
) -> Result<SearchOrder, CommandError> {
    at_hand.not_refused()?;
    let game = at_hand.current(settings)?;
    if game.is_begun() {
        return Err(CommandError::NotEmpty);
    }
    Ok(SearchOrder::new(Task::Move, limits.allow(game.measures())))
}

/// Takes the newest ply back: one that placed or offered a stone on a point, or
/// placed none where the point is that of a pass.
pub fn take_back(
    at_hand: &mut GameAtHand,
    settings: &Settings,
    at: Point,
) -> Result<(), CommandError> {
    at_hand.not_refused()?;
    let axes = settings.axes();
    match at_hand.current(settings)? {
        AnyGame::Five(game) => {
            let newest = game.stones().last().copied();
            let (cell, stone) = newest.ok_or(CommandError::NotNewest(at))?;
            if Some(cell) != axes.cell(at, &game.setup()) {
                return Err(CommandError::NotNewest(at));
            }
            if stone == Stone::Wall {
                return Err(CommandError::Buried(at));
            }
            game.take_back();
        }
        AnyGame::Family(family_game) => {
            let newest: Vec<Cell> = family_game.newest();
            let game_state = &mut family_game.game_state;
            let placed_none = newest.is_empty() && !game_state.actions().is_empty();
            if !(placed_none && at.is_pass()) {
                let cell =
                    cell_of(game_state.contest(), at, axes).map_err(CommandError::Outside)?;
                if !newest.contains(&cell) {
                    return Err(CommandError::NotNewest(at));
                }
            }
            game_state.take_back(1);
        }
    }
    Ok(())
}

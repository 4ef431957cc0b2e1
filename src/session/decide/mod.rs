//! Decisions of a seat in any game and opening, by search: which opening to lay,
//! whether to swap, how many fifths to declare, which to offer and to keep, and
//! the moves of the game itself.
//!
//! The value of an option is what the seat gets of it. Where the other seat may
//! swap next it takes the better side, so a position has at most the value 0 for
//! the seat that laid it, and most if it is balanced. A swap is worth what the other
//! ways to go on are worth to the other seat: all values come of the same searches.

mod decision_search;
mod lay;
pub mod level;
mod sample;
mod search;
mod strength;
#[cfg(test)]
mod tests;
mod ties;
mod way;
mod ways;

use std::time::Instant;

use decision_search::{DecisionSearch, Effort};
use goren_core::opening::{Action, Choice, GameState, PendingDecision};
use goren_core::rules::Contest;
use goren_core::types::{Cell, PROVEN, Score};
use goren_engine::{
    AnyPosition, Engine, Hash, Info, Params, Report, Request, WeightSet, new_position,
};
use sample::{after, any_legal, swap_follows};
use ties::pass_wins;

pub use sample::sample;
pub(crate) use search::search;
pub use strength::Strength;
use strength::seed_of;

/// Moves that lose at once are searched around at most so often.
const SECOND_THOUGHTS: usize = 3;

/// What a seat does, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The ply.
    pub action: Action,
    /// What the last search knew.
    pub info: Info,
    /// What the ways to go on are worth, one a line; empty in plain moves.
    pub why: Vec<String>,
}

/// Decides for the seats of a game.
pub struct Decider {
    contest: Contest,
    position: Box<dyn AnyPosition>,
    engine: Engine,
    /// Whether the search for a move to go on with is reported too where a colour is
    /// chosen.
    reports_choices: bool,
    /// How well it plays moves of the game itself, and a number that differs from
    /// game to game, for the random choice of those.
    strength: (Strength, u64),
}

impl Decider {
    /// Decides in games of one kind, evaluated by some weights where they are of the
    /// game, with a table that others may use too.
    pub fn new(contest: &Contest, weights: &WeightSet, hash: &Hash) -> Decider {
        let position = new_position(contest, weights);
        let engine = Engine::with_hash(hash.clone());
        Decider {
            contest: *contest,
            position,
            engine,
            reports_choices: false,
            strength: (Strength::FULL, 0),
        }
    }

    /// The game it decides in.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Searches a little, until some time at the latest, so that what searches
    /// need is at hand when their time counts.
    pub fn rehearse(&mut self, until: Instant) {
        self.engine.rehearse(&*self.position, until);
    }

    /// Searches by other numbers from now on.
    pub fn set_params(&mut self, params: &Params) {
        self.engine.set_params(params);
    }

    /// Reports what is searched not only for a move, but where a colour is chosen too.
    pub fn report_choices(&mut self, on: bool) {
        self.reports_choices = on;
    }

    /// Limits its strength from now on; games with different numbers go different
    /// ways.
    pub fn limit_strength(&mut self, strength: Strength, games: u64) {
        self.strength = (strength, games);
    }

    /// The position of a game, and what searches it.
    pub(crate) fn searcher(
        &mut self,
        game_state: &GameState,
    ) -> (&mut dyn AnyPosition, &mut Engine) {
        self.position.set(&game_state.into());
        (&mut *self.position, &mut self.engine)
    }

    /// Forgets what was learnt from earlier searches.
    pub fn forget(&mut self) {
        self.position.forget();
        self.engine.forget();
    }

    /// What a position is worth to the owner of the colour to move, who keeps it, in
    /// points; fifths that are to be offered are taken into account. `None` if nothing
    /// was searched.
    pub fn outlook(&mut self, game_state: &GameState, request: &Request) -> Option<Score> {
        let mut search = DecisionSearch::new(&mut *self.position, &mut self.engine, request, None);
        let value = search.outlook(game_state, 1);
        search.info.searched().map(|_| value)
    }

    /// The ply of the seat whose turn it is; `None` when the game is over.
    pub fn decide(
        &mut self,
        game_state: &GameState,
        request: &Request,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Decision> {
        let pending = game_state.pending_decision()?;
        let request = &self.strength.0.bounded(request);
        let (position, engine) = (&mut *self.position, &mut self.engine);
        let (strength, games) = self.strength;
        let weakness = (!strength.is_full()).then(|| (strength, seed_of(game_state, games)));
        let mut search = DecisionSearch::new(position, engine, request, weakness);
        let action = if is_plain(game_state, &pending) {
            plain(&mut search, game_state, &pending, report)
        } else if self.reports_choices {
            search.choose(game_state, &pending, report)
        } else {
            search.choose(game_state, &pending, &mut |_| {})
        };
        let legal = |action: &Action| after(game_state, action).is_some();
        debug_assert!(
            action.as_ref().is_none_or(legal),
            "{action:?} is illegal in {:?}",
            game_state.actions()
        );
        let action = action.filter(legal).or_else(|| any_legal(game_state))?;
        Some(Decision { action, info: search.info, why: search.why })
    }
}

/// Whether nothing but a turn of the game itself can be played, and the other
/// seat may not swap afterwards.
fn is_plain(game_state: &GameState, pending: &PendingDecision) -> bool {
    let [Choice::Stones { colors, declare: None, .. }] = &pending.choices[..] else { return false };
    !pending.swap && colors.iter().all(|&color| color == pending.color) && !swap_follows(game_state)
}

/// A turn of the game, or a pass where that is better.
fn plain(
    search: &mut DecisionSearch<'_>,
    game_state: &GameState,
    pending: &PendingDecision,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Option<Action> {
    if pass_wins(game_state, pending) {
        return Some(Action::Pass);
    }
    // After the opponent's pass another one is a draw.
    let answers =
        game_state.actions().last() == Some(&Action::Pass) && !game_state.contest().tie_break;
    let weighed = pending.pass && answers;
    let effort = if weighed { Effort::Score } else { Effort::Move };
    let mut avoid: Vec<Cell> = Vec::new();
    let mut action = search.best_turn(game_state, pending, &avoid, effort, report);
    for _ in 0..SECOND_THOUGHTS {
        // The search knows neither repetitions nor when to pass.
        let Some(Action::Stones { cells, .. }) = &action else { break };
        let loses = action.as_ref().is_some_and(|action| loses(game_state, pending, action));
        if !loses || cells.len() > 1 {
            break;
        }
        avoid.extend(cells);
        action = search.best_turn(game_state, pending, &avoid, effort, report);
    }
    let lost = action.as_ref().is_none_or(|action| loses(game_state, pending, action));
    let better = lost || weighed && search.info.score <= -PROVEN;
    if pending.pass && better { Some(Action::Pass) } else { action }
}

/// Whether an action ends the game with the other seat's win.
fn loses(game_state: &GameState, pending: &PendingDecision, action: &Action) -> bool {
    let next = after(game_state, action);
    let result = next.as_ref().and_then(GameState::result);
    result.is_some_and(|result| result.seats == [!pending.seat])
}

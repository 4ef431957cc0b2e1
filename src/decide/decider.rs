//! The decisions of a seat.

use std::time::Instant;

use super::balance::{Balance, Balanced, balance};
use super::decision_option::OptionValue;
use super::decision_search::{DecisionSearch, Effort};
use super::sample::{after, any_legal, offer_follows, swap_follows};
use super::strength::{Player, Strength, seed_of};
use super::ties::pass_wins;
use goren_core::opening::{Action, Choice, GameState, PendingDecision};
use goren_core::rules::Contest;
use goren_core::types::{Cell, PROVEN, Score};
use goren_engine::{
    AnyPosition, Basis, Engine, Info, Params, Report, Request, TableHandle, WeightSet, new_position,
};

/// Bytes of the transposition table below full strength.
const FRESH_TABLE: usize = 4 << 20;
/// Maximum number of times that a move that loses at once is replaced by the search's next choice.
const SECOND_THOUGHTS: usize = 3;

/// The ply of a seat, and the options that it has compared.
///
/// In serde formats it has its fields by name.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Decision {
    /// The ply.
    pub action: Action,
    /// Info of the last search; for a kept fifth, of the search of its answer.
    pub info: Info,
    /// The options with their values; empty for a plain move.
    pub why: Vec<OptionValue>,
}

impl Decision {
    /// Whether the info is that of the ply. It is not if another ply was played than the last
    /// search chose, such as a pass because every stone loses.
    pub fn is_of_search(&self) -> bool {
        if self.action == Action::Pass {
            return self.info.basis == Basis::Pass;
        }
        let first = self.info.pv.first().filter(|m| m.is_some()).map(|m| m.cell());
        first.is_some_and(|cell| self.action.placed().contains(&cell))
    }

    /// Whether the info has the score of the ply by a full search, or a proven one.
    pub fn is_searched(&self) -> bool {
        self.is_of_search() && self.info.searched().is_some()
    }
}

/// Decides for the seats of a game.
pub struct Decider {
    contest: Contest,
    position: Box<dyn AnyPosition>,
    engine: Engine,
    /// Engine for decisions below full strength, cleared before each of them.
    fresh: Engine,
    /// Whether searches of a decision between options are reported too, not only those of
    /// a move.
    reports_choices: bool,
    /// The strength, and the seed of random choices below full strength.
    strength: (Strength, u64),
    /// Whether it may pass where the game allows it.
    may_pass: bool,
}

impl Decider {
    /// Creates a decider for games of one contest. It uses the weights of the set that fit the
    /// game, and a transposition table that others may share.
    pub fn new(contest: &Contest, weights: &WeightSet, hash: &TableHandle) -> Decider {
        let position = new_position(contest, weights);
        let engine = Engine::with_hash(hash.clone());
        Decider {
            contest: *contest,
            position,
            engine,
            fresh: Engine::with_hash(TableHandle::exactly(FRESH_TABLE)),
            reports_choices: false,
            strength: (Strength::FULL, 0),
            may_pass: true,
        }
    }

    /// Forbids passes, for clients whose protocol has no pass.
    pub fn never_pass(&mut self) {
        self.may_pass = false;
    }

    /// The contest whose games it decides.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Runs a short search, until `until` at the latest, so that caches and memory are
    /// warm before the clock runs.
    pub fn warm_up(&mut self, until: Instant) {
        self.engine.warm_up(&*self.position, until);
    }

    /// Sets the parameters of the following searches.
    pub fn set_params(&mut self, params: &Params) {
        self.engine.set_params(params);
        self.fresh.set_params(params);
    }

    /// Sets whether the searches of a decision between options are reported too.
    pub fn report_choices(&mut self, on: bool) {
        self.reports_choices = on;
    }

    /// Sets the strength of the following decisions. Below full strength they depend on
    /// the game and the seed alone.
    pub fn limit_strength(&mut self, strength: Strength, seed: u64) {
        self.strength = (strength, seed);
    }

    /// Finds stones that bring the score of a game of five in a row near the wanted one, or as near
    /// as possible ([`Balanced::is_near`]). If every stone ends the game, returns a single one that
    /// ends it, or `None` if two are wanted. Returns `None` if all stones are excluded, and in all
    /// other games.
    pub fn balance(
        &mut self,
        game_state: &GameState,
        wanted: Balance,
        request: &Request,
    ) -> Option<Balanced> {
        balance(game_state, &mut *self.position, &mut self.engine, wanted, request)
    }

    /// Sets the position of a game and returns it.
    pub fn position(&mut self, game_state: &GameState) -> &mut dyn AnyPosition {
        self.position.set(&game_state.into());
        &mut *self.position
    }

    /// Clears all data of earlier searches.
    pub fn forget(&mut self) {
        self.position.forget();
        self.engine.forget();
    }

    /// Returns the value in points of a position for the owner of the colour to move if it does not
    /// swap. The value takes into account fifths still to be offered. `None` if nothing was
    /// searched.
    pub fn opening_value(&mut self, game_state: &GameState, request: &Request) -> Option<Score> {
        let mut search = DecisionSearch::new(&mut *self.position, &mut self.engine, request, None);
        let value = search.opening_value(game_state, 1).kept;
        search.info.searched().map(|_| value)
    }

    /// Decides the ply of the seat to act; `None` if the game is over.
    pub fn decide(
        &mut self,
        game_state: &GameState,
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Decision> {
        self.complete(game_state, &[], request, observer)
    }

    /// As [`Decider::decide`], for a seat that has placed the first stones of a turn: returns the
    /// whole turn, those stones first. Decisions of an opening ignore the stones placed.
    pub fn complete(
        &mut self,
        game_state: &GameState,
        placed: &[Cell],
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Decision> {
        let mut pending = game_state.pending_decision()?;
        pending.pass &= self.may_pass && placed.is_empty();
        let (strength, seed) = self.strength;
        let player = Player::new(strength, self.position.ladder(), seed_of(game_state, seed));
        let is_plain = is_plain(game_state, &pending);
        let limited = player.as_ref().filter(|_| !is_plain).map(|player| player.deciding(request));
        let request = limited.as_ref().unwrap_or(request);
        let mut engine = &mut self.engine;
        if player.is_some() {
            engine = &mut self.fresh;
            engine.forget();
            engine.hash().clear();
        }
        let mut search = DecisionSearch::new(&mut *self.position, engine, request, player);
        let action = if is_plain {
            plain(&mut search, game_state, &pending, placed, observer)
        } else if self.reports_choices {
            search.choose(game_state, &pending, observer)
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

/// Whether the next decision of a game is a plain turn: no swap or other option now, and no
/// swap by the other seat or choice of fifths afterwards.
pub fn is_plain_turn(game_state: &GameState) -> bool {
    game_state.pending_decision().is_some_and(|pending| is_plain(game_state, &pending))
}

/// Whether the decision is a plain turn of the game: no swap or other option now, and no
/// swap by the other seat or choice of fifths afterwards.
fn is_plain(game_state: &GameState, pending: &PendingDecision) -> bool {
    let [Choice::Stones { colors, declare: None, .. }] = &pending.choices[..] else { return false };
    !pending.swap
        && colors.iter().all(|&color| color == pending.color)
        && !swap_follows(game_state)
        && !offer_follows(game_state)
}

/// Decides a plain turn that begins with `placed`, or a pass if that is better.
fn plain(
    search: &mut DecisionSearch<'_>,
    game_state: &GameState,
    pending: &PendingDecision,
    placed: &[Cell],
    observer: &mut (dyn FnMut(&Report) + Send),
) -> Option<Action> {
    if pass_wins(game_state, pending) {
        return Some(Action::Pass);
    }
    // The opponent has passed: a second pass would draw.
    let pass_draws =
        game_state.actions().last() == Some(&Action::Pass) && !game_state.contest().tie_break;
    let compares_pass = pending.pass && pass_draws;
    let effort = if compares_pass { Effort::Score } else { Effort::Move };
    let mut avoid: Vec<Cell> = Vec::new();
    let mut action = search.best_turn(game_state, pending, placed, &avoid, effort, observer);
    for _ in 0..SECOND_THOUGHTS {
        // The search does not know repetitions, so its move may lose by the referee.
        let Some(Action::Stones { cells, .. }) = &action else { break };
        let loses = action.as_ref().is_some_and(|action| loses(game_state, pending, action));
        if !loses || cells.len() > 1 {
            break;
        }
        avoid.extend(cells);
        action = search.best_turn(game_state, pending, placed, &avoid, effort, observer);
    }
    let lost = action.as_ref().is_none_or(|action| loses(game_state, pending, action));
    let saves = search.info.basis == Basis::Pass;
    let better = lost || saves || compares_pass && search.info.score <= -PROVEN;
    if pending.pass && better { Some(Action::Pass) } else { action }
}

/// Whether an action ends the game with a win of the other seat.
fn loses(game_state: &GameState, pending: &PendingDecision, action: &Action) -> bool {
    let next = after(game_state, action);
    let result = next.as_ref().and_then(GameState::result);
    result.is_some_and(|result| result.seats == [!pending.seat])
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod weak_tests;

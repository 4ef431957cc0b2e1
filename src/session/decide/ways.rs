//! Options of a decision beyond a plain move, and their values.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::decision_search::DecisionSearch;
use super::sample::{SEED, after, offer_follows, swap_follows};
use super::way::{Way, better};
use goren_core::opening::{Action, Choice, GameState, PendingDecision, Seat, write};
use goren_core::types::{Cell, Color, Score};
use goren_engine::Report;

/// Openings of renju compared, where a number of fifths goes with them.
const FIGURES: usize = 5;

impl DecisionSearch<'_> {
    /// Compares all ways to go on.
    ///
    /// Where neither colour has a searched score, as when there is no time, both count
    /// as equal, as the seat that placed the stones intended. Then it swaps, as that
    /// needs no unsearched move.
    pub(super) fn choose(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Action> {
        if let [Choice::Choose] = pending.choices[..] {
            return self.keep_a_fifth(game_state);
        }
        let mut ways = Vec::new();
        let mut unsearched = false;
        let parts = pending.choices.len() + pending.swap as usize;
        for (i, choice) in pending.choices.iter().enumerate() {
            ways.extend(self.best_of(game_state, pending, choice, parts - i, report));
        }
        if pending.swap {
            let plain = matches!(&pending.choices[..], [Choice::Stones { .. }, ..])
                && !swap_follows(game_state)
                && !offer_follows(game_state);
            let value = match ways.first() {
                // The other side of the same board.
                Some(stay) if plain => Some(-stay.value),
                _ => after(game_state, &Action::Swap)
                    .map(|next| self.position_value(&next, pending.seat, 1)),
            };
            ways.extend(value.map(|value| Way { action: Action::Swap, value }));
            unsearched = plain && self.info.searched().is_none();
        }
        for way in &ways {
            let name = match &way.action {
                Action::Swap => "swap".to_owned(),
                action => write(game_state, action),
            };
            self.why.push(format!("{name} {:+}", way.value));
        }
        if unsearched {
            return Some(Action::Swap);
        }
        ways.into_iter().rev().max_by_key(|way| way.value).map(|way| way.action)
    }

    /// What a position is worth to the owner of the colour to move, fifths that
    /// are still to be offered taken into account.
    fn outlook(&mut self, game_state: &GameState, parts: usize) -> Score {
        let to_move = game_state.to_move();
        let for_mover = |black: Score| if to_move == Color::Black { black } else { -black };
        let Some(pending) = game_state.pending_decision() else {
            return self.value(game_state, parts);
        };
        match pending.choices.first() {
            Some(&Choice::Offer { count }) => {
                let fifths = self.fifths(game_state, count, parts);
                // White keeps the worst of them.
                let black = fifths.get(count - 1).or(fifths.last()).map_or(0, |fifth| fifth.1);
                for_mover(black)
            }
            Some(Choice::Stones { colors, declare: None, .. })
                if colors.len() == 1 && offer_follows(game_state) =>
            {
                match self.fourth(game_state, 2 * parts) {
                    Some(next) => {
                        let score = self.outlook(&next, 2 * parts);
                        if next.to_move() == to_move { score } else { -score }
                    }
                    None => self.value(game_state, parts),
                }
            }
            _ => self.value(game_state, parts),
        }
    }

    /// The game after the best fourth stone.
    fn fourth(&mut self, game_state: &GameState, parts: usize) -> Option<GameState> {
        let cell = self.best_stone(game_state, parts)?;
        after(game_state, &Action::stone(cell))
    }

    /// What a seat gets of a position that has come about.
    pub(super) fn position_value(
        &mut self,
        game_state: &GameState,
        seat: Seat,
        parts: usize,
    ) -> Score {
        let Some(pending) = game_state.pending_decision() else {
            let value = self.value(game_state, parts);
            return if game_state.owner(game_state.to_move()) == seat { value } else { -value };
        };
        if !pending.swap && swap_follows(game_state) {
            // Whoever lays what the other may take lays it level.
            return 0;
        }
        let value = self.outlook(game_state, parts);
        match pending.swap {
            true if pending.seat == seat => value.abs(),
            true => -value.abs(),
            false if game_state.owner(pending.color) == seat => value,
            false => -value,
        }
    }

    /// The best way to go on by one of the choices.
    fn best_of(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        choice: &Choice,
        parts: usize,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Way> {
        let rng = &mut SmallRng::seed_from_u64(SEED);
        match choice {
            Choice::Offer { count } => {
                let mut fifths = self.fifths(game_state, *count, parts);
                fifths.truncate(*count);
                let value = fifths.last().map_or(0, |fifth| fifth.1);
                let cells = fifths.into_iter().map(|fifth| fifth.0).collect();
                Some(Way { action: Action::Offer(cells), value })
            }
            Choice::Figure { declare: Some(bounds), .. } => {
                let figures = game_state.figures();
                let mut best: Option<Way> = None;
                for i in 0..FIGURES {
                    if best.is_some() && self.is_spent() {
                        break;
                    }
                    let cells = figures[rng.random_range(0..figures.len())].to_vec();
                    let parts = parts * (FIGURES - i);
                    let way = self.declared(game_state, cells, *bounds, 2 * parts);
                    best = better(best, way);
                }
                best
            }
            Choice::Stones { declare: Some(bounds), .. } => {
                let cell = self.best_stone(game_state, 2 * parts)?;
                self.declared(game_state, vec![cell], *bounds, parts)
            }
            // Swap-2: we never place two more stones. The other seat would choose again,
            // so that is worth 0 at best, and staying or swapping is worth no less.
            Choice::Stones { colors, .. } if colors.len() == 2 && colors[0] != colors[1] => None,
            Choice::Stones { .. } | Choice::Figure { .. } if swap_follows(game_state) => {
                self.lay(game_state, pending, parts)
            }
            Choice::Stones { .. } if offer_follows(game_state) => {
                let next = self.fourth(game_state, 2 * parts)?;
                let action = next.actions().last()?.clone();
                let value = self.position_value(&next, pending.seat, parts);
                Some(Way { action, value })
            }
            Choice::Stones { .. } => {
                let only = PendingDecision { choices: vec![choice.clone()], ..pending.clone() };
                let action = self.turn(game_state, &only, &[], true, report)?;
                Some(Way { action, value: self.info.searched().unwrap_or(0) })
            }
            Choice::Figure { .. } | Choice::Choose => None,
        }
    }

    /// Stones with the number of fifths that leaves things most level.
    fn declared(
        &mut self,
        game_state: &GameState,
        cells: Vec<Cell>,
        (least, most): (usize, usize),
        parts: usize,
    ) -> Option<Way> {
        let action = |count| Action::Stones { cells: cells.clone(), count: Some(count) };
        let mut next = after(game_state, &action(least))?;
        if !matches!(next.pending_decision()?.choices[..], [Choice::Offer { .. }]) {
            next = self.fourth(&next, 2 * parts)?;
        }
        let fifths = self.fifths(&next, most, parts);
        let level = |count: &usize| fifths.get(count - 1).map_or(Score::MAX, |f| f.1.abs());
        let count = (least..=most).min_by_key(level)?;
        Some(Way { action: action(count), value: -level(&count) })
    }

    /// White keeps one of the fifths and answers it.
    fn keep_a_fifth(&mut self, game_state: &GameState) -> Option<Action> {
        let offers = game_state.offers().to_vec();
        let number = offers.len();
        let mut best: Option<Way> = None;
        for (i, fifth) in offers.into_iter().enumerate() {
            if best.is_some() && self.is_spent() {
                break;
            }
            let limits = self.part(number - i);
            let answer = self.answer_to_fifth(game_state, fifth, &limits);
            if !answer.best.is_some() {
                continue;
            }
            let action = Action::Choose { fifth, sixth: answer.best.cell() };
            let value = answer.info.searched().unwrap_or(0);
            self.why.push(format!("{} {value:+}", write(game_state, &action)));
            best = better(best, Some(Way { action, value }));
        }
        best.map(|way| way.action)
    }
}

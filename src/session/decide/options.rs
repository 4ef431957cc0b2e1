//! The options of a decision beyond a plain move, and their values.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::decision_option::{DecisionOption, OptionValue, better};
use super::decision_search::{DecisionSearch, Effort};
use super::opening_stones::LEVEL;
use super::sample::{SEED, after, after_any, offer_follows, swap_follows};
use goren_core::opening::{Action, Choice, GameState, PendingDecision};
use goren_core::types::{Cell, Color, Score};
use goren_engine::Report;

/// Number of renju opening patterns compared if a number of fifths is declared with the
/// pattern.
const FIGURES: usize = 5;

/// Imbalance in points that a later opening stone can still make up for.
const CORRECTABLE: Score = 150;
/// Share of the time for the comparison of the colours if the rest may go into two more
/// stones (swap2).
const FOR_THE_COLORS: f64 = 0.6;

impl DecisionSearch<'_> {
    /// Compares all options of a decision.
    ///
    /// If no score was searched, as for lack of time, both colours count as equal, as
    /// the seat that placed the stones intended. The seat then swaps, because that
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
        let lays = swap_follows(game_state);
        if !lays || !lays_again(game_state) {
            self.extend_time_for_colors();
        }
        let mut ways: Vec<DecisionOption> = Vec::new();
        let mut open: Vec<Score> = Vec::new();
        let mut two = None;
        let mut searched = false;
        for (i, choice) in pending.choices.iter().enumerate() {
            let level = searched && ways.iter().all(|way| way.value.abs() <= LEVEL);
            if adds_two(choice) && !level {
                continue;
            }
            let parts = pending.choices.len() - i;
            let Some(mut way) = self.best_of(game_state, pending, choice, parts, report) else {
                continue;
            };
            way.value = self.judge(way.value);
            searched |= self.info.searched().is_some();
            open.extend(stays_open(game_state, choice).then_some(way.value));
            two = two.or_else(|| adds_two(choice).then(|| way.clone()));
            ways.push(way);
        }
        if pending.swap {
            // After a swap the other seat has the options that are still open then.
            let value = open.into_iter().max().map_or(0, |value| -value);
            ways.push(DecisionOption { action: Action::Swap, value });
        }
        self.why.extend(ways.iter().map(|way| OptionValue::of(game_state, way)));
        if pending.swap && !lays && !searched {
            return Some(Action::Swap);
        }
        // The other seat may have prepared its stones. If neither colour is better, two
        // new stones make it judge a position it does not know.
        if let Some(two) = two.filter(|two| two.value >= -LEVEL) {
            return Some(two.action);
        }
        // Placing further opening stones costs a little, so a swap must gain more than
        // that.
        let value = |way: &DecisionOption| match way.action {
            Action::Swap if lays => way.value - 2 * LEVEL,
            _ => way.value,
        };
        ways.into_iter().rev().max_by_key(value).map(|way| way.action)
    }

    /// Value of a position for the owner of the colour to move, with fifths still to be
    /// offered taken into account.
    pub(super) fn outlook(&mut self, game_state: &GameState, parts: usize) -> Score {
        let to_move = game_state.to_move();
        let for_mover = |black: Score| if to_move == Color::Black { black } else { -black };
        let Some(pending) = game_state.pending_decision() else {
            return self.value(game_state, parts);
        };
        match pending.choices.first() {
            Some(&Choice::Offer { count }) => {
                let fifths = self.fifths(game_state, count, parts);
                // White keeps the fifth that is worst for Black.
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

    /// The best option among the plies of one choice.
    fn best_of(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        choice: &Choice,
        parts: usize,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<DecisionOption> {
        let rng = &mut SmallRng::seed_from_u64(SEED);
        match choice {
            Choice::Offer { count } => {
                let mut fifths = self.fifths(game_state, *count, parts);
                fifths.truncate(*count);
                let value = fifths.last().map_or(0, |fifth| fifth.1);
                let cells = fifths.into_iter().map(|fifth| fifth.0).collect();
                Some(DecisionOption { action: Action::Offer(cells), value })
            }
            Choice::Figure { declare: Some(bounds), .. } => {
                let figures = game_state.figures();
                let mut best: Option<DecisionOption> = None;
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
            // Unsearched stones are no option, as there are others with known values.
            choice if adds_two(choice) => self
                .lay(game_state, choice, parts)
                .filter(|laid| laid.searched)
                .map(|laid| laid.way),
            Choice::Stones { .. } | Choice::Figure { .. } if swap_follows(game_state) => {
                let way = self.lay(game_state, choice, parts)?.way;
                let mended = if lays_again(game_state) { CORRECTABLE } else { 0 };
                Some(DecisionOption { value: (way.value + mended).min(0), ..way })
            }
            Choice::Stones { .. } if offer_follows(game_state) => {
                let next = self.fourth(game_state, 2 * parts)?;
                let action = next.actions().last()?.clone();
                let value = -self.outlook(&next, parts);
                Some(DecisionOption { action, value })
            }
            Choice::Stones { .. } => {
                let only = PendingDecision { choices: vec![choice.clone()], ..pending.clone() };
                let share = if parts > 1 { FOR_THE_COLORS } else { 1.0 };
                let action =
                    self.best_turn(game_state, &only, &[], &[], Effort::Share(share), report)?;
                Some(DecisionOption { action, value: self.info.searched().unwrap_or(0) })
            }
            Choice::Figure { .. } | Choice::Choose => None,
        }
    }

    /// These stones with the number of fifths that leaves the position most balanced.
    fn declared(
        &mut self,
        game_state: &GameState,
        cells: Vec<Cell>,
        (least, most): (usize, usize),
        parts: usize,
    ) -> Option<DecisionOption> {
        let action = |count| Action::Stones { cells: cells.clone(), count: Some(count) };
        let mut next = after(game_state, &action(least))?;
        if !matches!(next.pending_decision()?.choices[..], [Choice::Offer { .. }]) {
            next = self.fourth(&next, 2 * parts)?;
        }
        let fifths = self.fifths(&next, most, parts);
        let level = |count: &usize| fifths.get(count - 1).map_or(Score::MAX, |f| f.1.abs());
        let count = (least..=most).min_by_key(level)?;
        Some(DecisionOption { action: action(count), value: -level(&count) })
    }

    /// White keeps one of the offered fifths and answers it.
    fn keep_a_fifth(&mut self, game_state: &GameState) -> Option<Action> {
        let offers = game_state.offers().to_vec();
        let number = offers.len();
        let mut best: Option<DecisionOption> = None;
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
            let value = self.judge(answer.info.searched().unwrap_or(0));
            let option = DecisionOption { action, value };
            self.why.push(OptionValue::of(game_state, &option));
            best = better(best, Some(option));
        }
        best.map(|way| way.action)
    }
}

/// Whether the other seat may swap again after the stones that follow those due now.
fn lays_again(game_state: &GameState) -> bool {
    after_any(game_state).is_some_and(|next| swap_follows(&next))
}

/// Whether a choice is the third option of swap2: two more stones, after which the other
/// seat chooses its side.
fn adds_two(choice: &Choice) -> bool {
    matches!(choice, Choice::Stones { colors, .. } if matches!(colors[..], [a, b] if a != b))
}

/// Whether the other seat still has this choice after a swap.
fn stays_open(game_state: &GameState, choice: &Choice) -> bool {
    let next = after(game_state, &Action::Swap).and_then(|next| next.pending_decision());
    next.is_some_and(|pending| pending.choices.contains(choice))
}

//! The options of a decision beyond a plain move, and their values.

use super::decision_option::{DecisionOption, OptionValue};
use super::decision_search::{DecisionSearch, Effort};
use super::opening_stones::{LEVEL, OpeningStones};
use super::sample::{after, another_swap_follows, offer_follows, swap_follows};
use goren_core::opening::{Action, Choice, GameState, PendingDecision};
use goren_core::types::Score;
use goren_engine::{Info, Report};

/// Imbalance in points that a later opening stone can still make up for: about the cost of a wasted
/// stone, which is more than 200 in Pente.
const CORRECTABLE: Score = 300;
/// Share of the time for the comparison of the colours if the rest may go into two more
/// stones (swap2).
const FOR_THE_COLORS: f64 = 0.6;

impl DecisionSearch<'_> {
    /// Compares all options of a decision.
    ///
    /// If no score was searched, for example for lack of time, both colours count as equal, as the
    /// seat that placed the stones intended. The seat then swaps, because that needs no unsearched
    /// move.
    pub(super) fn choose(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Action> {
        if let [Choice::Choose] = pending.choices[..] {
            return self.keep_a_fifth(game_state);
        }
        let may_be_swapped = swap_follows(game_state);
        if !may_be_swapped || !another_swap_follows(game_state) {
            self.extend_time_for_colors();
        }
        let mut options: Vec<DecisionOption> = Vec::new();
        let mut still_open: Vec<Score> = Vec::new();
        let mut two = None;
        let mut searched = false;
        for (i, choice) in pending.choices.iter().enumerate() {
            let balanced = searched && options.iter().all(|option| option.value.abs() <= LEVEL);
            if adds_two(choice) && !balanced {
                continue;
            }
            let parts = pending.choices.len() - i;
            let Some(mut option) = self.best_of(game_state, pending, choice, parts, observer)
            else {
                continue;
            };
            option.value = self.judge(option.value);
            searched |= self.info.searched().is_some();
            still_open.extend(stays_open(game_state, choice).then_some(option.value));
            two = two.or_else(|| adds_two(choice).then(|| option.clone()));
            options.push(option);
        }
        if pending.swap {
            // After a swap the other seat has the options that are still open then.
            let value = still_open.into_iter().max().map_or(0, |value| -value);
            options.push(DecisionOption { action: Action::Swap, value });
        }
        self.why.extend(options.iter().map(|option| OptionValue::of(game_state, option)));
        if pending.swap && !may_be_swapped && !searched {
            return Some(Action::Swap);
        }
        // The other seat may have prepared its stones. If neither colour is better, two new stones
        // make it judge a position that it does not know.
        if let Some(two) = two.filter(|two| two.value >= -LEVEL) {
            return Some(two.action);
        }
        // Placing further opening stones costs a little, so a swap must gain more than
        // that.
        let value = |option: &DecisionOption| match option.action {
            Action::Swap if may_be_swapped => option.value - 2 * LEVEL,
            _ => option.value,
        };
        options.into_iter().rev().max_by_key(value).map(|option| option.action)
    }

    /// Returns the best option among the plies of one choice.
    fn best_of(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        choice: &Choice,
        parts: usize,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<DecisionOption> {
        match choice {
            Choice::Offer { count } => {
                let mut fifths = self.fifths(game_state, *count, parts);
                fifths.truncate(*count);
                if fifths.len() < *count {
                    return None;
                }
                let value = fifths.last().map_or(0, |fifth| fifth.1);
                let cells = fifths.into_iter().map(|fifth| fifth.0).collect();
                Some(DecisionOption { action: Action::Offer(cells), value })
            }
            Choice::Figure { declare: Some(bounds), .. } => {
                self.declared_figure(game_state, *bounds, parts)
            }
            Choice::Stones { declare: Some(bounds), .. } => {
                self.declared_fourth(game_state, *bounds, parts)
            }
            // Unsearched stones are no option, as there are others with known values.
            choice if adds_two(choice) => self
                .balanced_stones(game_state, choice, parts)
                .filter(|stones| stones.searched)
                .map(|stones| stones.option),
            Choice::Stones { .. } | Choice::Figure { .. } if swap_follows(game_state) => {
                let OpeningStones { option, includes_fifths, .. } =
                    self.balanced_stones(game_state, choice, parts)?;
                let correction = if another_swap_follows(game_state) && !includes_fifths {
                    CORRECTABLE
                } else {
                    0
                };
                Some(DecisionOption { value: (option.value + correction).min(0), ..option })
            }
            Choice::Stones { .. } => {
                let fourth = offer_follows(game_state).then(|| self.fourth(game_state, parts));
                if let Some(fourth) = fourth.flatten() {
                    return Some(fourth);
                }
                let only = PendingDecision { choices: vec![choice.clone()], ..pending.clone() };
                let share = if parts > 1 { FOR_THE_COLORS } else { 1.0 };
                let action =
                    self.best_turn(game_state, &only, &[], &[], Effort::Share(share), observer)?;
                Some(DecisionOption { action, value: self.info.searched().unwrap_or(0) })
            }
            Choice::Figure { .. } | Choice::Choose => None,
        }
    }

    /// Chooses the offered fifth that White keeps, and White's answer to it.
    fn keep_a_fifth(&mut self, game_state: &GameState) -> Option<Action> {
        let offers = game_state.offers().to_vec();
        let number = offers.len();
        // The best option, with the info of its search.
        let mut best: Option<(DecisionOption, Info)> = None;
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
            if best.as_ref().is_none_or(|(best, _)| option.value > best.value) {
                best = Some((option, answer.info));
            }
        }
        let (option, info) = best?;
        // The info of the last search is that of another fifth.
        self.info = info;
        Some(option.action)
    }
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

//! Value of an opening position whose fifths are still to be chosen.
//!
//! A seat that chooses among several continuations takes the best one for it, which gives
//! the value of the position. White compares several fourths by the fifth that it would
//! keep. After a declared number of fifths, or after a single fifth, the other seat may
//! swap: the most balanced choice is best. Instead of a single fifth, Taraguchi-10 also
//! allows an offer of ten.

use super::decision_option::{DecisionOption, better};
use super::decision_search::{DecisionSearch, searches_of_fifths};
use super::opening_stones::LEVEL;
use super::sample::{after, fifth_may_be_swapped, offer_follows};
use goren_core::opening::{Action, Choice, GameState};
use goren_core::types::{Cell, Score};

/// Maximum number of fourths that are compared; fewer if the limits are too tight for them.
const FOURTHS: usize = 3;
/// Number of best fifths from which a balanced single fifth is chosen.
const FIFTHS: usize = 10;

/// Value of an opening position for the owner of the colour to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct OpeningValue {
    /// Value if it does not swap.
    pub(super) kept: Score,
    /// Value after a swap, which may leave fewer choices.
    pub(super) swapped: Score,
    /// Whether the value takes into account the fifths to come.
    pub(super) includes_fifths: bool,
}

impl OpeningValue {
    /// Creates a value that is the same after a swap.
    fn of(value: Score, includes_fifths: bool) -> OpeningValue {
        OpeningValue { kept: value, swapped: value, includes_fifths }
    }

    /// Value for the seat to act, which may swap.
    pub(super) fn best(self) -> Score {
        self.kept.max(-self.swapped)
    }
}

impl DecisionSearch<'_> {
    /// Returns the value of an opening position for the owner of the colour to move.
    pub(super) fn opening_value(&mut self, game_state: &GameState, parts: usize) -> OpeningValue {
        let with_fifths = self.value_with_fifths(game_state, parts);
        with_fifths.unwrap_or_else(|| OpeningValue::of(self.value(game_state, parts), false))
    }

    /// Returns the value where fifths are still to be chosen; `None` elsewhere, and if there is too
    /// little time for them.
    fn value_with_fifths(&mut self, game_state: &GameState, parts: usize) -> Option<OpeningValue> {
        let pending = game_state.pending_decision()?;
        let value = match &pending.choices[..] {
            [Choice::Offer { count }] => self.offered(game_state, *count, parts),
            [Choice::Stones { declare: Some(bounds), .. }] => {
                if !self.affords(searches_of_fifths(bounds.1), 2 * parts) {
                    return None;
                }
                self.declared_fourth(game_state, *bounds, parts)?.value
            }
            [Choice::Stones { colors, .. }] if colors.len() == 1 && offer_follows(game_state) => {
                // A search for the fourth, and the fifths after it.
                let count = game_state.declared().unwrap_or(1);
                if !self.affords(1 + searches_of_fifths(count), parts) {
                    return None;
                }
                self.fourth(game_state, parts)?.value
            }
            [_, others @ ..] if fifth_may_be_swapped(game_state) => {
                return self.fifth(game_state, others, parts);
            }
            _ => return None,
        };
        Some(OpeningValue::of(value, true))
    }

    /// Returns the value of an offer of `count` fifths for Black: White keeps the worst of them.
    fn offered(&mut self, game_state: &GameState, count: usize, parts: usize) -> Score {
        let fifths = self.fifths(game_state, count, parts);
        fifths.get(count - 1).or(fifths.last()).map_or(0, |fifth| fifth.1)
    }

    /// Returns the value of the fifth for Black: of a single one after which White may swap, or of
    /// one of the choices `others`, which are gone after a swap.
    fn fifth(
        &mut self,
        game_state: &GameState,
        others: &[Choice],
        parts: usize,
    ) -> Option<OpeningValue> {
        if !self.affords(searches_of_fifths(FIFTHS), parts) {
            return None;
        }
        let fifths = self.fifths(game_state, FIFTHS, parts);
        let offered = others.iter().find_map(|choice| match choice {
            Choice::Offer { count } => fifths.get(count - 1).map(|fifth| fifth.1),
            _ => None,
        });
        let allowed = game_state.placements();
        let single = fifths.iter().filter(|fifth| allowed.contains(&fifth.0));
        let single = single.map(|fifth| -fifth.1.abs()).max()?;
        let kept = offered.map_or(single, |offered| offered.max(single));
        Some(OpeningValue { kept, swapped: single, includes_fifths: true })
    }

    /// Returns the best of some fourths after which fifths are offered, with its value for White.
    pub(super) fn fourth(
        &mut self,
        game_state: &GameState,
        parts: usize,
    ) -> Option<DecisionOption> {
        let offered = |next: GameState| match next.pending_decision()?.choices[..] {
            [Choice::Offer { count }] => Some((next, count)),
            _ => None,
        };
        let count = game_state.declared().unwrap_or(1);
        let (fourths, parts) = self.fourths(game_state, count, parts);
        let number = fourths.len();
        let mut best = None;
        for (i, cell) in fourths.into_iter().enumerate() {
            if best.is_some() && self.is_spent() {
                break;
            }
            let action = Action::stone(cell);
            let Some((next, count)) = after(game_state, &action).and_then(offered) else {
                continue;
            };
            let value = -self.offered(&next, count, parts * number - i);
            best = better(best, Some(DecisionOption { action, value }));
        }
        best
    }

    /// Returns a fourth with the number of fifths that leaves the position most balanced.
    pub(super) fn declared_fourth(
        &mut self,
        game_state: &GameState,
        bounds: (usize, usize),
        parts: usize,
    ) -> Option<DecisionOption> {
        let (fourths, parts) = self.fourths(game_state, bounds.1, parts);
        let number = fourths.len();
        let mut best: Option<DecisionOption> = None;
        for (i, cell) in fourths.into_iter().enumerate() {
            // A balanced fourth cannot be improved on.
            let done = |best: &DecisionOption| best.value >= -LEVEL || self.is_spent();
            if best.as_ref().is_some_and(done) {
                break;
            }
            let option = self.declared(game_state, vec![cell], bounds, parts * number - i);
            best = better(best, option);
        }
        best
    }

    /// Returns these stones with the number of fifths that leaves the position most balanced.
    pub(super) fn declared(
        &mut self,
        game_state: &GameState,
        cells: Vec<Cell>,
        (least, most): (usize, usize),
        parts: usize,
    ) -> Option<DecisionOption> {
        let action = |count| Action::Stones { cells: cells.clone(), count: Some(count) };
        let next = after(game_state, &action(least))?;
        let fifths_are_due = matches!(next.pending_decision()?.choices[..], [Choice::Offer { .. }]);
        let (positions, parts) = if fifths_are_due {
            (vec![next], parts)
        } else {
            let (fourths, parts) = self.fourths(&next, most, parts);
            let positions =
                fourths.into_iter().filter_map(|cell| after(&next, &Action::stone(cell)));
            (positions.collect(), parts)
        };
        // By number of fifths: White places the fourth that is worst for Black.
        let mut worst: Vec<Score> = Vec::new();
        for (i, next) in positions.iter().enumerate() {
            if i > 0 && self.is_spent() {
                break;
            }
            let fifths = self.fifths(next, most, parts * positions.len() - i);
            for (count, &(_, score)) in fifths.iter().take(most).enumerate() {
                match worst.get_mut(count) {
                    Some(least) => *least = score.min(*least),
                    None => worst.push(score),
                }
            }
        }
        let imbalance =
            |count: &usize| worst.get(count - 1).map_or(Score::MAX, |score| score.abs());
        let count = (least..=most).min_by_key(imbalance)?;
        Some(DecisionOption { action: action(count), value: -imbalance(&count) })
    }

    /// Finds some fourths by plain search in half of the time: the best first, none an image of
    /// another, as many as can be compared by `count` fifths each. Also returns the number of parts
    /// for the rest of the time.
    fn fourths(
        &mut self,
        game_state: &GameState,
        count: usize,
        parts: usize,
    ) -> (Vec<Cell>, usize) {
        let searches = searches_of_fifths(count);
        let number = (2..=FOURTHS).rev().find(|number| self.affords(number * searches, 2 * parts));
        let number = number.unwrap_or(1);
        let mut cells: Vec<Cell> = Vec::new();
        for i in 0..number {
            if i > 0 && self.is_spent() {
                break;
            }
            let Some(cell) = self.best_stone(game_state, &cells, 2 * parts * number - i) else {
                break;
            };
            cells.push(cell);
        }
        (cells, 2 * parts - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::read;
    use goren_core::rules::{Contest, OpeningId, Variant};
    use goren_engine::{Engine, Request, WeightSet, new_position};

    fn played(opening: OpeningId, texts: &str) -> GameState {
        let contest = Contest::new(Variant::from_name("renju").unwrap());
        let mut game_state = GameState::new(contest.opened(opening).unwrap());
        for text in texts.split_whitespace() {
            let action = read(&game_state, text).unwrap();
            game_state.apply(&action).unwrap();
        }
        game_state
    }

    /// Runs `work` with a decision search of `nodes` nodes.
    fn with_search<T>(
        game_state: &GameState,
        nodes: u64,
        work: impl FnOnce(&mut DecisionSearch<'_>) -> T,
    ) -> T {
        let mut position = new_position(game_state.contest(), &WeightSet::default());
        let (mut engine, request) = (Engine::default(), Request::nodes(nodes));
        work(&mut DecisionSearch::new(&mut *position, &mut engine, &request, None))
    }

    #[test]
    fn the_seat_that_may_swap_has_the_better_side() {
        for (kept, swapped, best) in [(30, 30, 30), (-30, -30, 30), (5, -20, 20), (50, -20, 50)] {
            assert_eq!(OpeningValue { kept, swapped, includes_fifths: true }.best(), best);
        }
    }

    #[test]
    fn the_limits_determine_how_many_fourths_are_compared() {
        let game_state = played(OpeningId::Rif, "h8,h9,f8");
        for (nodes, number) in [(4_000, 1), (45_000, 2), (100_000, 3)] {
            let (fourths, _) =
                with_search(&game_state, nodes, |search| search.fourths(&game_state, 2, 1));
            assert_eq!(fourths.len(), number, "{nodes}");
            assert!(!game_state.has_twins(&fourths));
            assert!((1..number).all(|i| !fourths[..i].contains(&fourths[i])), "{fourths:?}");
        }
    }

    #[test]
    fn the_limits_determine_whether_the_fifths_to_come_are_searched() {
        let game_state = played(OpeningId::Rif, "h8,h9,f8");
        for (nodes, includes_fifths) in [(4_000, false), (20_000, true)] {
            let value =
                with_search(&game_state, nodes, |search| search.opening_value(&game_state, 1));
            assert_eq!(value.includes_fifths, includes_fifths, "{nodes}");
        }
    }

    #[test]
    fn a_fifth_that_may_be_swapped_is_balanced() {
        // Black's stones touch, White's fourth is far from all others.
        let open = played(OpeningId::Taraguchi10, "h8 h9 i7 e5");
        let only_one = played(OpeningId::Taraguchi10, "h8 h9 i7 e5 pass");
        let opening_value =
            |of: &GameState, nodes| with_search(of, nodes, |search| search.opening_value(of, 1));
        let [all, one] = [&open, &only_one].map(|of| opening_value(of, 40_000));
        assert!(one.includes_fifths && one.kept == one.swapped && one.kept <= 0, "{one:?}");
        // Ten fifths may be offered, but not after a swap.
        assert!(
            all.includes_fifths && all.kept >= all.swapped && all.swapped == one.kept,
            "{all:?}"
        );
        // With few nodes the best stone counts.
        let brief = opening_value(&only_one, 4_000);
        assert!(!brief.includes_fifths && brief.kept > 0, "{brief:?}");
    }
}

//! The ways to go on where a game offers more than a move, and what each is
//! worth.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::sample::{SEED, after, offer_follows, sample, swap_follows};
use super::thought::Thought;
use goren_core::opening::{Action, Choice, Course, PendingDecision, Seat, write};
use goren_core::types::{Cell, Color, Score};

/// Positions compared where one is to be laid.
const SAMPLES: usize = 16;
/// Openings of renju compared, where a number of fifths goes with them.
const FIGURES: usize = 5;

/// A way to go on, and what it is worth to the seat.
struct Way {
    action: Action,
    value: Score,
}

/// The one of two that is worth more; the first if they are worth the same.
fn better(best: Option<Way>, other: Option<Way>) -> Option<Way> {
    match (best, other) {
        (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl Thought<'_> {
    /// Compares all ways to go on.
    pub(super) fn choose(&mut self, course: &Course, pending: &PendingDecision) -> Option<Action> {
        if let [Choice::Choose] = pending.choices[..] {
            return self.keep_a_fifth(course);
        }
        let mut ways = Vec::new();
        let parts = pending.choices.len() + pending.swap as usize;
        for (i, choice) in pending.choices.iter().enumerate() {
            ways.extend(self.best_of(course, pending, choice, parts - i));
        }
        if pending.swap {
            let plain = matches!(&pending.choices[..], [Choice::Stones { .. }, ..])
                && !swap_follows(course)
                && !offer_follows(course);
            let value = match ways.first() {
                // The other side of the same board.
                Some(stay) if plain => Some(-stay.value),
                _ => after(course, &Action::Swap)
                    .map(|next| self.position_value(&next, pending.seat, 1)),
            };
            ways.extend(value.map(|value| Way { action: Action::Swap, value }));
        }
        for way in &ways {
            let name = match &way.action {
                Action::Swap => "swap".to_owned(),
                action => write(course, action),
            };
            self.why.push(format!("{name} {:+}", way.value));
        }
        ways.into_iter().rev().max_by_key(|way| way.value).map(|way| way.action)
    }

    /// What a position is worth to the owner of the colour to move, fifths that
    /// are still to be offered taken into account.
    fn outlook(&mut self, course: &Course, parts: usize) -> Score {
        let to_move = course.to_move();
        let for_mover = |black: Score| if to_move == Color::Black { black } else { -black };
        let Some(pending) = course.pending_decision() else { return self.value(course, parts) };
        match pending.choices.first() {
            Some(&Choice::Offer { count }) => {
                let fifths = self.fifths(course, count, parts);
                // White keeps the worst of them.
                let black = fifths.get(count - 1).or(fifths.last()).map_or(0, |fifth| fifth.1);
                for_mover(black)
            }
            Some(Choice::Stones { colors, declare: None, .. })
                if colors.len() == 1 && offer_follows(course) =>
            {
                match self.fourth(course, 2 * parts) {
                    Some(next) => {
                        let score = self.outlook(&next, 2 * parts);
                        if next.to_move() == to_move { score } else { -score }
                    }
                    None => self.value(course, parts),
                }
            }
            _ => self.value(course, parts),
        }
    }

    /// The game after the best fourth stone.
    fn fourth(&mut self, course: &Course, parts: usize) -> Option<Course> {
        let cell = self.best_stone(course, parts)?;
        after(course, &Action::stone(cell))
    }

    /// What a seat gets of a position that has come about.
    fn position_value(&mut self, course: &Course, seat: Seat, parts: usize) -> Score {
        let Some(pending) = course.pending_decision() else {
            let value = self.value(course, parts);
            return if course.owner(course.to_move()) == seat { value } else { -value };
        };
        if !pending.swap && swap_follows(course) {
            // Whoever lays what the other may take lays it level.
            return 0;
        }
        let value = self.outlook(course, parts);
        match pending.swap {
            true if pending.seat == seat => value.abs(),
            true => -value.abs(),
            false if course.owner(pending.color) == seat => value,
            false => -value,
        }
    }

    /// The best way to go on by one of the choices.
    fn best_of(
        &mut self,
        course: &Course,
        pending: &PendingDecision,
        choice: &Choice,
        parts: usize,
    ) -> Option<Way> {
        let rng = &mut SmallRng::seed_from_u64(SEED);
        match choice {
            Choice::Offer { count } => {
                let mut fifths = self.fifths(course, *count, parts);
                fifths.truncate(*count);
                let value = fifths.last().map_or(0, |fifth| fifth.1);
                let cells = fifths.into_iter().map(|fifth| fifth.0).collect();
                Some(Way { action: Action::Offer(cells), value })
            }
            Choice::Figure { declare: Some(bounds) } => {
                let figures = course.figures();
                let mut best: Option<Way> = None;
                for i in 0..FIGURES {
                    if best.is_some() && self.is_spent() {
                        break;
                    }
                    let cells = figures[rng.random_range(0..figures.len())].to_vec();
                    let parts = parts * (FIGURES - i);
                    let way = self.declared(course, cells, *bounds, 2 * parts);
                    best = better(best, way);
                }
                best
            }
            Choice::Stones { declare: Some(bounds), .. } => {
                let cell = self.best_stone(course, 2 * parts)?;
                self.declared(course, vec![cell], *bounds, parts)
            }
            // Two stones hand the choice back: worth nothing at best.
            Choice::Stones { colors, .. } if colors.len() == 2 && colors[0] != colors[1] => None,
            Choice::Stones { .. } | Choice::Figure { .. } if swap_follows(course) => {
                let mut best: Option<Way> = None;
                for i in 0..SAMPLES {
                    if best.is_some() && self.is_spent() {
                        break;
                    }
                    let Some(action) = sample(course, rng) else { break };
                    let Some(next) = after(course, &action) else { break };
                    let value = self.position_value(&next, pending.seat, parts * (SAMPLES - i));
                    best = better(best, Some(Way { action, value }));
                }
                best
            }
            Choice::Stones { .. } if offer_follows(course) => {
                let next = self.fourth(course, 2 * parts)?;
                let action = next.actions().last()?.clone();
                let value = self.position_value(&next, pending.seat, parts);
                Some(Way { action, value })
            }
            Choice::Stones { .. } => {
                let only = PendingDecision { choices: vec![choice.clone()], ..pending.clone() };
                let action = self.turn(course, &only, &[], true, &mut |_| {})?;
                Some(Way { action, value: self.info.searched().unwrap_or(0) })
            }
            Choice::Figure { .. } | Choice::Choose => None,
        }
    }

    /// Stones with the number of fifths that leaves things most level.
    fn declared(
        &mut self,
        course: &Course,
        cells: Vec<Cell>,
        (least, most): (usize, usize),
        parts: usize,
    ) -> Option<Way> {
        let action = |count| Action::Stones { cells: cells.clone(), count: Some(count) };
        let mut next = after(course, &action(least))?;
        if !matches!(next.pending_decision()?.choices[..], [Choice::Offer { .. }]) {
            next = self.fourth(&next, 2 * parts)?;
        }
        let fifths = self.fifths(&next, most, parts);
        let level = |count: &usize| fifths.get(count - 1).map_or(Score::MAX, |f| f.1.abs());
        let count = (least..=most).min_by_key(level)?;
        Some(Way { action: action(count), value: -level(&count) })
    }

    /// White keeps one of the fifths and answers it.
    fn keep_a_fifth(&mut self, course: &Course) -> Option<Action> {
        let offers = course.offers().to_vec();
        let number = offers.len();
        let mut best: Option<Way> = None;
        for (i, fifth) in offers.into_iter().enumerate() {
            if best.is_some() && self.is_spent() {
                break;
            }
            let limits = self.part(number - i);
            let answer = self.answer_to_fifth(course, fifth, &limits);
            if !answer.best.is_some() {
                continue;
            }
            let action = Action::Choose { fifth, sixth: answer.best.cell() };
            let value = answer.info.searched().unwrap_or(0);
            self.why.push(format!("{} {value:+}", write(course, &action)));
            best = better(best, Some(Way { action, value }));
        }
        best.map(|way| way.action)
    }
}

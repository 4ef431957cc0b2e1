//! The order of the moves of a list: variations in brackets, numbers of moves,
//! and the stones of each colour one after the other.

use super::item::{Item, MoveLabel, What};
use crate::record::import::{Note, Place};
use crate::rules::Variant;
use crate::types::Color;

/// The context of a list: game, number and places in the file.
pub(super) struct ListContext<'a> {
    pub(super) variant: Option<Variant>,
    /// The number that its game has among the lines of a text: it may stand
    /// before the moves.
    pub(super) number: Option<usize>,
    /// Where a byte of the list stands in the file.
    pub(super) place: &'a dyn Fn(usize) -> Place,
}

/// How moves are numbered: how many have the first number, and how many each
/// of the others.
type Count = [usize; 2];

impl ListContext<'_> {
    /// Brings moves into the order in which they are played, and notes what is in
    /// doubt then.
    pub(super) fn settle(&self, items: &mut Vec<Item>, notes: &mut Vec<Note>) {
        self.leave_out(items, notes);
        let mut fault = self.disorder(items);
        if fault.is_some() && is_permutation(items) {
            items.sort_by_key(|item| item.label.map(|label| label.value));
            notes.push(Note::remark(
                Place::File,
                "the moves are taken in the order of their numbers",
            ));
            fault = None;
        }
        if self.turn() == 1
            && let Some([black, white]) = by_color(items)
        {
            fault = self.disorder(&black).or_else(|| self.disorder(&white));
            items.clear();
            let mut white = white.into_iter();
            for stone in black {
                items.push(stone);
                items.extend(white.next());
            }
            notes.push(Note::remark(Place::File, "the moves of Black and White are taken in turn"));
        }
        notes.extend(fault.map(|(at, text)| Note::doubt((self.place)(at), text)));
        let begins = items.first().is_some_and(|item| item.color == Some(Color::White));
        if begins && run(items) > self.turn() {
            let at = items.first().map_or(0, |item| item.at);
            let text = "several moves of White stand before those of Black";
            notes.push(Note::doubt((self.place)(at), text));
        }
    }

    fn turn(&self) -> usize {
        self.variant.map_or(1, Variant::turn)
    }

    /// Whose turn it is behind some moves in their order; `None` where their colours do not
    /// follow from them.
    pub(super) fn to_move(&self, items: &[Item]) -> Option<Color> {
        let moves: Vec<&Item> = items.iter().filter(|item| item.what != What::Swap).collect();
        let last = moves.last()?;
        if moves.iter().all(|item| item.color.is_none()) {
            // A pass is a whole turn, where a stone may be half of one.
            let has_pass = moves.iter().any(|item| item.what == What::Pass);
            return match self.turn() {
                1 => Some(Color::ALL[moves.len() % 2]),
                _ if has_pass => None,
                _ => Some(Color::ALL[moves.len().div_ceil(2) % 2]),
            };
        }
        let alternate = moves.windows(2).all(|two| two[0].color != two[1].color);
        last.color.filter(|_| alternate && self.turn() == 1).map(|color| !color)
    }

    /// Leaves out the moves that are deeper in brackets than others.
    fn leave_out(&self, items: &mut Vec<Item>, notes: &mut Vec<Note>) {
        let stones = items.iter().filter(|item| item.what.is_stone());
        let Some(least) = stones.map(|item| item.depth).min() else { return };
        let is_aside = |item: &Item| item.what.is_stone() && item.depth > least;
        let count = items.iter().filter(|item| is_aside(item)).count();
        let Some(first) = items.iter().find(|item| is_aside(item)).map(|item| item.at) else {
            return;
        };
        items.retain(|item| !is_aside(item));
        let text = format!("moves in brackets are taken for a variation and left out: {count}");
        notes.push(Note::doubt((self.place)(first), text));
    }

    /// The first move whose number is not the one that is due, and what is
    /// wrong; `None` if all numbers are those of stones, or of turns.
    fn disorder(&self, items: &[Item]) -> Option<(usize, String)> {
        let labels = |with_swaps: bool| {
            let mut index = 0;
            let step = move |item: &Item| {
                let here = index;
                index += usize::from(with_swaps || item.what != What::Swap);
                here
            };
            items
                .iter()
                .map(step)
                .zip(items)
                .filter_map(|(index, item)| item.label.map(|label| (index, label, item)))
        };
        if let (Some((0, label, _)), None) = (labels(true).next(), labels(true).nth(1))
            && self.number == Some(label.value)
        {
            return None;
        }
        let counts: &[Count] = match self.turn() {
            2 => &[[1, 1], [2, 2], [1, 2], [3, 4]],
            _ => &[[1, 1], [2, 2]],
        };
        let mut furthest: Option<(usize, MoveLabel, &Item)> = None;
        for with_swaps in [true, false] {
            // Some count from 0.
            let bases = [1, 0].into_iter().flat_map(|base| counts.iter().map(move |c| (base, c)));
            for (base, &count) in bases {
                let wrong = |(index, label, _): &(usize, MoveLabel, &Item)| {
                    !is_due(*label, *index, count, base)
                };
                let found = labels(with_swaps).find(wrong)?;
                furthest = furthest.filter(|one| one.0 >= found.0).or(Some(found));
            }
        }
        let (index, label, item) = furthest?;
        let text = format!(
            "move {} ({}) has the number {}, which is out of order",
            index + 1,
            item.word,
            label.value
        );
        Some((item.at, text))
    }
}

/// Whether a number is that of the move behind `index` others.
fn is_due(label: MoveLabel, index: usize, [first, others]: Count, base: usize) -> bool {
    let Some(before) = label.value.checked_sub(base) else { return false };
    let Some(behind) = before.checked_sub(1) else {
        return index == 0 || label.has_dots && index == 1 && first == 2;
    };
    let begins = behind.saturating_mul(others).saturating_add(first);
    index == begins || label.has_dots && others == 2 && index == begins.saturating_add(1)
}

/// Whether each move has a number of its own, and all from 1 occur.
fn is_permutation(items: &[Item]) -> bool {
    let labels = items.iter().map(|item| item.label.map(|label| label.value));
    let Some(mut labels) = labels.collect::<Option<Vec<usize>>>() else { return false };
    labels.sort_unstable();
    labels.into_iter().eq(1..=items.len())
}

/// How many moves of one colour stand in a row, at most.
fn run(items: &[Item]) -> usize {
    let runs = items.chunk_by(|one, next| one.color.is_some() && one.color == next.color);
    runs.map(<[Item]>::len).max().unwrap_or(0)
}

/// The moves of Black and those of White where all of one colour stand before
/// all of the other, Black's first, and they can be made in turn.
fn by_color<'a>(items: &[Item<'a>]) -> Option<[Vec<Item<'a>>; 2]> {
    let of_black = items.iter().take_while(|item| item.color == Some(Color::Black)).count();
    let (black, white) = items.split_at(of_black);
    let is_white = white.iter().all(|item| item.color == Some(Color::White));
    let in_turn = black.len() == white.len() || black.len() == white.len() + 1;
    let has_stones = items.iter().all(|item| item.what.is_stone());
    let is_run = black.len() > 1;
    (is_run && is_white && in_turn && has_stones).then(|| [black.to_vec(), white.to_vec()])
}

//! Brings the moves of a list into playing order: removes variations in brackets, follows move
//! numbers, and interleaves lists of each colour.

use super::item::{Item, ListMove, MoveLabel};
use crate::record::import::{Note, Place};
use crate::rules::Variant;
use crate::types::Color;

/// Context of a list: game, number and places in the file.
pub(super) struct ListContext<'a> {
    pub(super) variant: Option<Variant>,
    /// Number of the game among the lines of a text; it may precede the moves.
    pub(super) number: Option<usize>,
    /// Converts a byte of the list to a place in the file.
    pub(super) place: &'a dyn Fn(usize) -> Place,
}

/// How moves are numbered: number of moves with the first number, and with each of the others.
type Numbering = [usize; 2];

impl ListContext<'_> {
    /// Brings moves into playing order, and notes what is doubtful about it.
    pub(super) fn settle(&self, items: &mut Vec<Item>, notes: &mut Vec<Note>) {
        self.remove_variations(items, notes);
        let mut fault = self.disorder(items);
        if fault.is_some() && is_permutation(items) {
            items.sort_by_key(|item| item.label.map(|label| label.value));
            notes.push(Note::remark(
                Place::File,
                "the moves are taken in the order of their numbers",
            ));
            fault = None;
        }
        if self.stones_per_turn() == 1
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
        let white_begins = items.first().is_some_and(|item| item.color == Some(Color::White));
        if white_begins && longest_run(items) > self.stones_per_turn() {
            let at = items.first().map_or(0, |item| item.at);
            let text = "several moves of White come before those of Black";
            notes.push(Note::doubt((self.place)(at), text));
        }
    }

    fn stones_per_turn(&self) -> usize {
        self.variant.map_or(1, Variant::turn)
    }

    /// Returns the side to move after some moves in playing order; `None` if it does not follow
    /// from them.
    pub(super) fn to_move(&self, items: &[Item]) -> Option<Color> {
        let moves: Vec<&Item> = items.iter().filter(|item| item.what != ListMove::Swap).collect();
        let last = moves.last()?;
        if moves.iter().all(|item| item.color.is_none()) {
            // A pass is a whole turn, whereas a stone may be half a turn.
            let has_pass = moves.iter().any(|item| item.what == ListMove::Pass);
            return match self.stones_per_turn() {
                1 => Some(Color::ALL[moves.len() % 2]),
                _ if has_pass => None,
                _ => Some(Color::ALL[moves.len().div_ceil(2) % 2]),
            };
        }
        let alternate = moves.windows(2).all(|two| two[0].color != two[1].color);
        last.color.filter(|_| alternate && self.stones_per_turn() == 1).map(|color| !color)
    }

    /// Removes the moves that are deeper in brackets than others.
    fn remove_variations(&self, items: &mut Vec<Item>, notes: &mut Vec<Note>) {
        let stones = items.iter().filter(|item| item.what.is_stone());
        let Some(least) = stones.map(|item| item.depth).min() else { return };
        let is_aside = |item: &Item| item.what.is_stone() && item.depth > least;
        let count = items.iter().filter(|item| is_aside(item)).count();
        let Some(first) = items.iter().find(|item| is_aside(item)).map(|item| item.at) else {
            return;
        };
        items.retain(|item| !is_aside(item));
        let text = format!("moves in brackets are read as a variation and left out: {count}");
        notes.push(Note::doubt((self.place)(first), text));
    }

    /// Finds the first move with an unexpected number, and returns a message; `None` if all numbers
    /// consistently count stones or turns.
    fn disorder(&self, items: &[Item]) -> Option<(usize, String)> {
        let labels = |with_swaps: bool| {
            let mut index = 0;
            let step = move |item: &Item| {
                let here = index;
                index += usize::from(with_swaps || item.what != ListMove::Swap);
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
        let numberings: &[Numbering] = match self.stones_per_turn() {
            2 => &[[1, 1], [2, 2], [1, 2], [3, 4]],
            _ => &[[1, 1], [2, 2]],
        };
        let mut furthest: Option<(usize, MoveLabel, &Item)> = None;
        for with_swaps in [true, false] {
            // Some programs count from 0.
            let bases =
                [1, 0].into_iter().flat_map(|base| numberings.iter().map(move |n| (base, n)));
            for (base, &numbering) in bases {
                let wrong = |(index, label, _): &(usize, MoveLabel, &Item)| {
                    !is_due(*label, *index, numbering, base)
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

/// Whether a number is the expected one of the move after `index` others.
fn is_due(label: MoveLabel, index: usize, [first, others]: Numbering, base: usize) -> bool {
    let Some(number) = label.value.checked_sub(base) else { return false };
    let Some(after_first) = number.checked_sub(1) else {
        return index == 0 || label.has_dots && index == 1 && first == 2;
    };
    let start = after_first.saturating_mul(others).saturating_add(first);
    index == start || label.has_dots && others == 2 && index == start.saturating_add(1)
}

/// Whether the numbers of the moves are a permutation of 1 to their count.
fn is_permutation(items: &[Item]) -> bool {
    let labels = items.iter().map(|item| item.label.map(|label| label.value));
    let Some(mut labels) = labels.collect::<Option<Vec<usize>>>() else { return false };
    labels.sort_unstable();
    labels.into_iter().eq(1..=items.len())
}

/// Returns the length of the longest run of moves of one colour.
fn longest_run(items: &[Item]) -> usize {
    let runs = items.chunk_by(|one, next| one.color.is_some() && one.color == next.color);
    runs.map(<[Item]>::len).max().unwrap_or(0)
}

/// Splits the moves into Black's and White's, if all of Black's precede all of White's and they can
/// be played in turn.
fn by_color<'a>(items: &[Item<'a>]) -> Option<[Vec<Item<'a>>; 2]> {
    let of_black = items.iter().take_while(|item| item.color == Some(Color::Black)).count();
    let (black, white) = items.split_at(of_black);
    let is_white = white.iter().all(|item| item.color == Some(Color::White));
    let in_turn = black.len() == white.len() || black.len() == white.len() + 1;
    let has_stones = items.iter().all(|item| item.what.is_stone());
    let has_run = black.len() > 1;
    (has_run && is_white && in_turn && has_stones).then(|| [black.to_vec(), white.to_vec()])
}

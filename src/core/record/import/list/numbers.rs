//! Numbers next to pairs: the number of the move, the colour of the stone as in the lines after
//! `BOARD` of Gomocup's protocol, or a time.

use super::item::{Item, ListMove, MoveLabel};
use crate::record::import::{Note, Place};
use crate::types::MAX_SIDE;

/// Meaning of the numbers in triples.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Triples {
    /// The first number is that of the move; unless `is_sure`, maybe only by chance.
    Numbered { is_sure: bool },
    /// The third number is the colour.
    Colored,
    /// The third number is something else.
    Timed,
}

/// Minimum number of triples whose numbers are hardly in order by chance.
const SURE: usize = 3;

/// Finds the meaning of the numbers of a list; `None` if its moves are not triples.
pub(super) fn triples(items: &[Item]) -> Option<Triples> {
    let triple = |item: &Item| match (item.what, item.third) {
        (ListMove::Pair([x, y]), Some(third)) if item.label.is_none() => Some([x, y, third]),
        _ => None,
    };
    let triples: Vec<[i32; 3]> = items.iter().map(triple).collect::<Option<_>>()?;
    if triples.len() < 2 {
        return (!triples.is_empty()).then_some(Triples::Timed);
    }
    let thirds = || triples.iter().map(|triple| triple[2]);
    let firsts: Vec<i32> = triples.iter().map(|triple| triple[0]).collect();
    let are_colors = thirds().all(|third| matches!(third, 1 | 2));
    let balance: i32 = thirds().map(|third| if third == 1 { 1 } else { -1 }).sum();
    let is_board = are_colors && balance.abs() <= 1;
    let are_rows = thirds().all(|third| (0..=MAX_SIDE as i32).contains(&third));
    if are_rows && counts(&firsts) {
        let is_sure = triples.len() >= SURE && !is_board;
        return Some(Triples::Numbered { is_sure });
    }
    Some(if is_board { Triples::Colored } else { Triples::Timed })
}

/// Whether numbers count moves: they are a permutation from 1 on, or they rise from 0 or 1.
fn counts(numbers: &[i32]) -> bool {
    let begins = matches!(numbers.first(), Some(0 | 1));
    is_permutation(numbers) || begins && numbers.is_sorted_by(|a, b| a < b)
}

fn is_permutation(numbers: &[i32]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.iter().zip(1..).all(|(&number, count)| number == count)
}

/// Moves the numbers of moves in triples to the labels, notes how the numbers next to pairs are
/// read, and returns their meaning.
pub(super) fn settle(
    items: &mut [Item],
    players: &[i32],
    notes: &mut Vec<Note>,
) -> Option<Triples> {
    let kind = triples(items);
    if let Some(Triples::Numbered { is_sure }) = kind {
        let text = "the first of three numbers is read as the number of the move";
        let note = if is_sure { Note::remark } else { Note::doubt };
        notes.push(note(Place::File, text));
        for item in items {
            let (ListMove::Pair([x, y]), Some(third)) = (item.what, item.third.take()) else {
                continue;
            };
            let value = usize::try_from(x).unwrap_or(usize::MAX);
            item.label = Some(MoveLabel { value, has_dots: false });
            item.what = ListMove::Pair([y, third]);
        }
        return kind;
    }
    let thirds: Vec<i32> = items.iter().filter_map(|item| item.third).collect();
    if !thirds.is_empty() {
        // Third numbers that alternate between 1 and 2 only confirm the order of play.
        let in_turn = thirds.iter().zip([1, 2].iter().cycle()).all(|(third, turn)| third == turn);
        let are_colors = thirds.iter().all(|third| matches!(third, 1 | 2));
        let is_order = thirds.len() >= SURE && is_permutation(&thirds) && !thirds.is_sorted();
        let text = "the third of three numbers is not used";
        let is_doubted = are_colors && !in_turn || is_order;
        let note = if is_doubted { Note::doubt } else { Note::remark };
        notes.push(note(Place::File, text));
    }
    // Players must alternate, the lower number first, or 1 before -1.
    let is_in_turn = players.iter().zip(players.iter().skip(2)).all(|(one, next)| one == next)
        && (players.len() < 2 || players[0] < players[1] || players[..2] == [1, -1]);
    if !is_in_turn {
        notes.push(Note::doubt(Place::File, "the players of the moves do not alternate"));
    }
    kind
}

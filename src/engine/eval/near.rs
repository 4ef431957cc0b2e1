//! Policy values by place relative to the last two moves: an attack tends to continue
//! near its last stone and to be answered there.
//!
//! The value of a move is indexed by its offset from the earlier move, up to symmetry,
//! by what the earlier move made, and by who played the earlier move. It is added to the
//! policy score.

use std::sync::Arc;

use super::table::shared;
use crate::pattern::Class;
use goren_core::types::{Cell, FRAME, MAX_SIDE, STRIDE};

/// Number of grades of a move's stone; see [`grade`].
pub const GRADES: usize = 7;
/// Greatest distance, in columns and in rows, at which offsets are distinguished.
pub const REACH: usize = 5;
/// Number of places of a move relative to another. A place is an offset up to symmetry,
/// i.e. the longer and the shorter of the distances in columns and rows; one more place
/// stands for all offsets beyond [`REACH`].
pub const PLACES: usize = REACH * (REACH + 3) / 2 + 1;
/// Number of values of a side: relative to the opponent's last move and to the side's own
/// move before it, by grade and place.
pub const NEAR: usize = 2 * GRADES * PLACES;

/// Number of cells of the square within [`REACH`] of a move, plus one for all beyond.
pub const SPOTS: usize = (2 * REACH + 1) * (2 * REACH + 1) + 1;

/// Returns the grade of a move by the class of its stone: below [`GRADES`], and higher for
/// stronger threats.
#[inline]
pub const fn grade(class: Class) -> usize {
    match class {
        Class::None | Class::One | Class::FoulSuspect => 0,
        Class::Two => 1,
        Class::ClosedThree | Class::TwoTwos => 2,
        Class::Three | Class::ThreePlus => 3,
        Class::DoubleThree => 4,
        Class::Four => 5,
        _ => 6,
    }
}

/// An earlier move: its cell and its [`grade`].
pub type EarlierMove = (Cell, usize);

/// Returns the index of a move on `to` into the [`NEAR`] values of a side, relative to the
/// opponent's last move or to the mover's `own` move before it.
pub fn number(own: bool, (from, grade): EarlierMove, to: Cell) -> usize {
    let longer = from.x().abs_diff(to.x()).max(from.y().abs_diff(to.y()));
    let shorter = from.x().abs_diff(to.x()).min(from.y().abs_diff(to.y()));
    (usize::from(own) * GRADES + grade) * PLACES + place(longer, shorter)
}

/// Returns the place at a distance of `longer` along one axis and of `shorter`, at most
/// `longer`, along the other.
const fn place(longer: usize, shorter: usize) -> usize {
    if longer > REACH {
        PLACES - 1
    } else {
        (longer * (longer + 1) / 2 + shorter).saturating_sub(1)
    }
}

/// The values of both sides, expanded from places to cells for lookups.
#[derive(Clone, PartialEq)]
pub(super) struct Near {
    sides: [Arc<Spread>; 2],
}

/// The values of a side by earlier move (the opponent's last, the side's own before it),
/// grade of that move, and [`spot`].
type Spread = [[[i16; SPOTS]; GRADES]; 2];

impl Near {
    /// Expands the values of Black and White, indexed by [`number`].
    pub(super) fn new(sides: [&[i16; NEAR]; 2]) -> Near {
        Near { sides: shared(sides.map(|numbers| Box::new(spread(numbers)))) }
    }

    /// Returns the values of a colour, indexed by [`number`].
    pub(super) fn side(&self, color: usize) -> [i16; NEAR] {
        std::array::from_fn(|at| {
            let (table, place) = (at / PLACES, at % PLACES);
            let spot = (0..SPOTS).find(|&spot| place_of(spot) == place).unwrap_or(SPOTS - 1);
            self.sides[color][table / GRADES][table % GRADES][spot]
        })
    }

    /// Returns the value of a move of a colour by its cell, relative to one earlier move.
    #[inline]
    pub(super) fn values(
        &self,
        color: usize,
        own: bool,
        earlier: EarlierMove,
    ) -> impl Fn(Cell) -> i32 + '_ {
        let (from, grade) = earlier;
        let table = &self.sides[color][usize::from(own)][grade % GRADES];
        move |to| table[spot(from, to)] as i32
    }

    /// Returns the sum of the values relative to the opponent's last move and to the mover's
    /// own before it, as far as these are known.
    #[inline]
    pub(super) fn values_of_both(
        &self,
        color: usize,
        last: [Option<EarlierMove>; 2],
    ) -> impl Fn(Cell) -> i32 + '_ {
        // Relative to an unknown move all values are 0, whatever its cell.
        static ZEROS: [i16; SPOTS] = [0; SPOTS];
        let table = |own: usize| match last[own] {
            Some((from, grade)) => (from, &self.sides[color][own][grade % GRADES]),
            None => (Cell::new(0, 0), &ZEROS),
        };
        let [(last, of_last), (own, of_own)] = [table(0), table(1)];
        move |to| i32::from(of_last[spot(last, to)]) + i32::from(of_own[spot(own, to)])
    }
}

fn spread(numbers: &[i16; NEAR]) -> Spread {
    std::array::from_fn(|own| {
        std::array::from_fn(|grade| {
            let first = (own * GRADES + grade) * PLACES;
            std::array::from_fn(|spot| numbers[first + place_of(spot)])
        })
    })
}

/// Returns the index of `to` among the [`SPOTS`] around `from`, row by row. Both must be
/// cells of a board.
#[inline]
pub fn spot(from: Cell, to: Cell) -> usize {
    // In range: the remainder only saves a bounds check.
    usize::from(SPOT_OF[(FRAME + to.index() - from.index()) % SPOT_OF.len()])
}

/// The spot by the difference of the indices of two cells, plus [`FRAME`]. The columns of a
/// board differ by at most `MAX_SIDE - 1`, so that no two offsets, one of which is near, have
/// the same difference.
static SPOT_OF: [u8; 2 * FRAME] = {
    const SIDE: usize = 2 * REACH + 1;
    assert!(MAX_SIDE - 1 + REACH < STRIDE);
    let mut spots = [SPOTS as u8 - 1; 2 * FRAME];
    let mut spot = 0;
    while spot < SPOTS - 1 {
        let (dx, dy) = (spot % SIDE, spot / SIDE);
        spots[FRAME + dy * STRIDE + dx - REACH * (STRIDE + 1)] = spot as u8;
        spot += 1;
    }
    spots
};

/// The place of every spot.
const PLACE_OF: [u8; SPOTS] = {
    let mut places = [0; SPOTS];
    let mut spot = 0;
    while spot < SPOTS {
        places[spot] = place_of(spot) as u8;
        spot += 1;
    }
    places
};

/// Returns the same as [`number`], by table lookup.
#[inline]
pub(super) fn number_by_lookup(own: bool, (from, grade): EarlierMove, to: Cell) -> usize {
    (usize::from(own) * GRADES + grade % GRADES) * PLACES + usize::from(PLACE_OF[spot(from, to)])
}

/// Computes the place of a spot.
const fn place_of(spot: usize) -> usize {
    if spot == SPOTS - 1 {
        return PLACES - 1;
    }
    let (dx, dy) = (spot % (2 * REACH + 1), spot / (2 * REACH + 1));
    let (dx, dy) = (dx.abs_diff(REACH), dy.abs_diff(REACH));
    if dx > dy { place(dx, dy) } else { place(dy, dx) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::CellSet;

    #[test]
    fn lookups_agree_with_the_numbers_of_places() {
        let numbers: [i16; NEAR] = std::array::from_fn(|i| i as i16 + 1);
        let near = Near::new([&numbers, &numbers]);
        assert_eq!(near.side(1), numbers);
        let from = Cell::new(9, 12);
        let mut seen = vec![false; NEAR];
        for (x, y) in (0..26).flat_map(|y| (0..26).map(move |x| (x, y))) {
            let to = Cell::new(x, y);
            for own in [false, true] {
                for grade in 0..GRADES {
                    let at = number(own, (from, grade), to);
                    let value = near.values(0, own, (from, grade))(to);
                    assert_eq!(value, at as i32 + 1, "{to:?}");
                    assert_eq!(number_by_lookup(own, (from, grade), to), at);
                    seen[at] = true;
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }

    /// Computes [`spot`] from columns and rows.
    fn slow_spot(from: Cell, to: Cell) -> usize {
        const SIDE: usize = 2 * REACH + 1;
        let dx = to.x().wrapping_sub(from.x()).wrapping_add(REACH);
        let dy = to.y().wrapping_sub(from.y()).wrapping_add(REACH);
        if dx < SIDE && dy < SIDE { dy * SIDE + dx } else { SPOTS - 1 }
    }

    #[test]
    fn lookup_finds_the_spots_of_all_pairs_of_cells() {
        let board = CellSet::board(MAX_SIDE, MAX_SIDE);
        for from in board.iter() {
            for to in board.iter() {
                assert_eq!(spot(from, to), slow_spot(from, to), "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn values_of_both_moves_are_the_sum_of_their_values() {
        let numbers: [i16; NEAR] = std::array::from_fn(|i| i as i16 + 1);
        let near = Near::new([&numbers, &numbers]);
        let (last, own) = ((Cell::new(9, 12), 3), (Cell::new(12, 8), 1));
        let of_last = near.values(0, false, last);
        let of_own = near.values(0, true, own);
        for to in CellSet::board(MAX_SIDE, MAX_SIDE).iter() {
            let of = |last| near.values_of_both(0, last)(to);
            assert_eq!(of([Some(last), Some(own)]), of_last(to) + of_own(to));
            assert_eq!(of([Some(last), None]), of_last(to));
            assert_eq!(of([None, Some(own)]), of_own(to));
            assert_eq!(of([None; 2]), 0);
        }
    }
}

//! Policy by place relative to the last two moves, as an attack continues near
//! its last stone and is answered there.
//!
//! Its points are added to the policy scores of moves. A move is classified by
//! its offset from an earlier move, up to symmetry, and by what that move made.

use std::sync::Arc;

use super::table::shared;
use crate::pattern::Class;
use goren_core::types::Cell;

/// Grades of what a move makes.
pub const GRADES: usize = 7;
/// Columns and rows within which places are distinguished.
pub const REACH: usize = 5;
/// Places of a move seen from another: the greater and the lesser of the
/// distances in columns and rows, and one for all that lie farther.
pub const PLACES: usize = REACH * (REACH + 3) / 2 + 1;
/// Numbers of a side: for the opponent's last move and the own move before it, by
/// grade and place.
pub const NEAR: usize = 2 * GRADES * PLACES;

/// Points of the square within reach of a move, and one for all beyond.
pub const SPOTS: usize = (2 * REACH + 1) * (2 * REACH + 1) + 1;

/// What a move that gets a class makes, in [`GRADES`] grades.
#[inline]
pub fn grade(class: Class) -> usize {
    match class {
        Class::None | Class::One | Class::Foul => 0,
        Class::Two => 1,
        Class::ClosedThree | Class::TwoTwos => 2,
        Class::Three | Class::ThreePlus => 3,
        Class::DoubleThree => 4,
        Class::Four => 5,
        _ => 6,
    }
}

/// An earlier move: where it was played, and its [`grade`].
pub type Made = (Cell, usize);

/// Which of the [`NEAR`] numbers of a side is meant: for the opponent's last move
/// or the mover's `own` before it, by what it made, and the place of a move
/// seen from there.
pub fn number(own: bool, (from, grade): Made, to: Cell) -> usize {
    let far = from.x().abs_diff(to.x()).max(from.y().abs_diff(to.y()));
    let less = from.x().abs_diff(to.x()).min(from.y().abs_diff(to.y()));
    (usize::from(own) * GRADES + grade) * PLACES + place(far, less)
}

/// The place of a move `far` columns or rows away one way and `less` the other.
const fn place(far: usize, less: usize) -> usize {
    if far > REACH { PLACES - 1 } else { (far * (far + 1) / 2 + less).saturating_sub(1) }
}

/// The numbers of both sides, laid out for lookups.
#[derive(Clone, PartialEq)]
pub(super) struct Near {
    sides: [Arc<Spread>; 2],
}

/// For the opponent's last move and the own one, by grade, a number for each
/// spot around it.
type Spread = [[[i16; SPOTS]; GRADES]; 2];

impl Near {
    /// Of the numbers of Black and White.
    pub(super) fn new(sides: [&[i16; NEAR]; 2]) -> Near {
        Near { sides: shared(sides.map(|numbers| Box::new(spread(numbers)))) }
    }

    /// The numbers of a colour.
    pub(super) fn side(&self, color: usize) -> [i16; NEAR] {
        std::array::from_fn(|at| {
            let (of, place) = (at / PLACES, at % PLACES);
            let spot = (0..SPOTS).find(|&spot| place_of(spot) == place).unwrap_or(SPOTS - 1);
            self.sides[color][of / GRADES][of % GRADES][spot]
        })
    }

    /// Values of moves of a colour relative to an earlier move.
    #[inline]
    pub(super) fn seen(&self, color: usize, own: bool, made: Made) -> impl Fn(Cell) -> i32 + '_ {
        let (from, grade) = made;
        let table = &self.sides[color][usize::from(own)][grade % GRADES];
        move |to| table[spot(from, to)] as i32
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

/// Which of the [`SPOTS`] a cell is on, seen from another.
#[inline]
pub fn spot(from: Cell, to: Cell) -> usize {
    const SIDE: usize = 2 * REACH + 1;
    let dx = to.x().wrapping_sub(from.x()).wrapping_add(REACH);
    let dy = to.y().wrapping_sub(from.y()).wrapping_add(REACH);
    if dx < SIDE && dy < SIDE { dy * SIDE + dx } else { SPOTS - 1 }
}

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

/// [`number`], looked up.
#[inline]
pub(super) fn looked_up(own: bool, (from, grade): Made, to: Cell) -> usize {
    (usize::from(own) * GRADES + grade % GRADES) * PLACES + usize::from(PLACE_OF[spot(from, to)])
}

/// The place that a spot is at.
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

    #[test]
    fn lookups_give_the_number_of_the_place() {
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
                    let told = near.seen(0, own, (from, grade))(to);
                    assert_eq!(told, at as i32 + 1, "{to:?}");
                    assert_eq!(looked_up(own, (from, grade), to), at);
                    seen[at] = true;
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}

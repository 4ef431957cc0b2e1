//! The 26 openings of renju, and fifths that are the same by symmetry.

use crate::types::{Cell, Color};

/// One of the 26 openings: where the second and the third stone lie from the
/// first, in columns to the right and rows up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Its name in Japanese.
    pub name: &'static str,
    /// The number in its half, from 1.
    pub number: usize,
    /// Whether the second stone is a direct neighbour (D), not a diagonal one
    /// (I).
    pub direct: bool,
    second: (i32, i32),
    third: (i32, i32),
}

/// Names and third stones behind h9 and behind i9, in their usual order.
const DIRECT: [(&str, (i32, i32)); 13] = [
    ("Kansei", (0, 2)),
    ("Keigetsu", (1, 2)),
    ("Sosei", (2, 2)),
    ("Kagetsu", (1, 1)),
    ("Zangetsu", (2, 1)),
    ("Ugetsu", (1, 0)),
    ("Kinsei", (2, 0)),
    ("Shogetsu", (0, -1)),
    ("Kyugetsu", (1, -1)),
    ("Shingetsu", (2, -1)),
    ("Zuisei", (0, -2)),
    ("Sangetsu", (1, -2)),
    ("Yusei", (2, -2)),
];
const INDIRECT: [(&str, (i32, i32)); 13] = [
    ("Chosei", (2, 2)),
    ("Kyogetsu", (2, 1)),
    ("Kosei", (2, 0)),
    ("Suigetsu", (2, -1)),
    ("Ryusei", (2, -2)),
    ("Ungetsu", (1, 0)),
    ("Hogetsu", (1, -1)),
    ("Rangetsu", (1, -2)),
    ("Gingetsu", (0, -1)),
    ("Myojo", (0, -2)),
    ("Shagetsu", (-1, -1)),
    ("Meigetsu", (-1, -2)),
    ("Suisei", (-2, -2)),
];

/// The second stones: direct and indirect.
const SECONDS: [(i32, i32); 2] = [(0, 1), (1, 1)];

/// All 26, the direct ones first.
pub(super) fn figures() -> impl Iterator<Item = Figure> {
    [(true, DIRECT), (false, INDIRECT)].into_iter().flat_map(|(direct, list)| {
        let second = SECONDS[!direct as usize];
        (1..).zip(list).map(move |(number, (name, third))| Figure {
            name,
            number,
            direct,
            second,
            third,
        })
    })
}

impl Figure {
    /// The three stones on a board whose centre is given.
    pub fn cells(&self, centre: Cell) -> [Cell; 3] {
        let at = |(dx, dy): (i32, i32)| {
            let (x, y) = (centre.x() as i32 + dx, centre.y() as i32 - dy);
            Cell::new(x as usize, y as usize)
        };
        [centre, at(self.second), at(self.third)]
    }
}

/// The eight ways to turn and mirror a step.
fn symmetric((x, y): (i32, i32)) -> [(i32, i32); 8] {
    [(x, y), (-x, y), (x, -y), (-x, -y), (y, x), (-y, x), (y, -x), (-y, -x)]
}

/// Columns to the right and rows up from one cell to another.
fn offset(from: Cell, to: Cell) -> (i32, i32) {
    (to.x() as i32 - from.x() as i32, from.y() as i32 - to.y() as i32)
}

/// The opening that three stones are, in any orientation, if any.
pub fn figure(centre: Cell, cells: [Cell; 3]) -> Option<Figure> {
    let [first, second, third] = cells;
    if first != centre {
        return None;
    }
    let (second, third) = (symmetric(offset(centre, second)), symmetric(offset(centre, third)));
    figures().find(|f| second.into_iter().zip(third).any(|pair| pair == (f.second, f.third)))
}

/// The stones of every opening on a board whose centre is given: all
/// orientations, or of mirrored and turned ones only the one in the list.
pub(super) fn figures_around(centre: Cell, strict: bool) -> Vec<[Cell; 3]> {
    if strict {
        return figures().map(|f| f.cells(centre)).collect();
    }
    let around = |reach: i32| {
        let side = -reach..=reach;
        let steps = side.clone().flat_map(move |dx| side.clone().map(move |dy| (dx, dy)));
        let cell = move |(dx, dy)| {
            let (x, y) = (centre.x() as i32 + dx, centre.y() as i32 + dy);
            Cell::new(x as usize, y as usize)
        };
        steps.map(cell).filter(move |&cell| cell != centre)
    };
    let thirds = |second| around(2).filter(move |&third| third != second);
    around(1).flat_map(|b| thirds(b).map(move |c| [centre, b, c])).collect()
}

/// Whether a second stone is one that the strict openings have.
pub(super) fn is_strict_second(centre: Cell, second: Cell) -> bool {
    SECONDS.contains(&offset(centre, second))
}

/// Whether three stones are one of the openings just as the list has it.
pub(super) fn is_strict(centre: Cell, cells: [Cell; 3]) -> bool {
    figures().any(|f| f.cells(centre) == cells)
}

/// Whether some symmetry of the coloured stones carries one of the points to
/// another: reflections through the centroid of the stones, and the half turn
/// about it. The edges of the board play no part.
pub(super) fn has_twins(stones: &[(Cell, Color)], points: &[Cell]) -> bool {
    let n = stones.len() as i32;
    // Coordinates times the number of stones: the centroid is whole then.
    let scaled = |cell: Cell| (n * cell.x() as i32, n * cell.y() as i32);
    let sum = |f: fn(Cell) -> usize| stones.iter().map(|&(cell, _)| f(cell) as i32).sum::<i32>();
    let centroid = (sum(Cell::x), sum(Cell::y));
    let turn = |k: usize, cell: Cell| {
        let (x, y) = scaled(cell);
        let (dx, dy) = (x - centroid.0, y - centroid.1);
        let (dx, dy) = [(-dx, dy), (dx, -dy), (dy, dx), (-dy, -dx), (-dx, -dy)][k];
        (centroid.0 + dx, centroid.1 + dy)
    };
    (0..5).any(|k| {
        let kept = stones.iter().all(|&(cell, color)| {
            let image = turn(k, cell);
            stones.iter().any(|&(other, c)| c == color && scaled(other) == image)
        });
        let meets = |&p: &Cell| points.iter().any(|&q| q != p && scaled(q) == turn(k, p));
        kept && points.iter().any(meets)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_orientation_is_recognised() {
        let centre = Cell::new(7, 7);
        let all = figures_around(centre, false);
        assert_eq!(all.len(), 8 * 23);
        assert!(all.into_iter().all(|cells| figure(centre, cells).is_some()));
        for f in figures() {
            let found = figure(centre, f.cells(centre)).unwrap();
            assert_eq!((found.name, found.number, found.direct), (f.name, f.number, f.direct));
            assert!(is_strict(centre, f.cells(centre)));
        }
        assert_eq!(figures().count(), 26);
        assert!(figure(centre, [centre, Cell::new(7, 6), Cell::new(7, 4)]).is_none());
        assert!(figure(centre, [Cell::new(6, 7), Cell::new(7, 6), Cell::new(7, 5)]).is_none());
    }

    #[test]
    fn twins_are_found_by_the_symmetry_of_the_stones_alone() {
        use Color::{Black, White};
        let at = Cell::new;
        // Mirrored in the column between x = 3 and 4, far from the centre.
        let stones = [(at(3, 2), Black), (at(4, 2), Black), (at(3, 5), White), (at(4, 5), White)];
        assert!(has_twins(&stones, &[at(1, 9), at(6, 9)]));
        assert!(!has_twins(&stones, &[at(1, 9), at(7, 9)]));
        assert!(!has_twins(&stones, &[at(1, 9), at(6, 8)]));
        // The same figure with one colour changed has no symmetry.
        let mixed = [(at(3, 2), Black), (at(4, 2), White), (at(3, 5), White), (at(4, 5), Black)];
        assert!(!has_twins(&mixed, &[at(1, 9), at(6, 9)]));
        // But a half turn.
        assert!(has_twins(&mixed, &[at(1, 0), at(6, 7)]));
    }
}

//! The 26 openings of renju, and fifths that are the same by symmetry.

use crate::types::{Cell, CellSet, Color};

/// One of the 26 openings: the offsets of the second and the third stone from the first, in
/// columns to the right and rows up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The Japanese name.
    pub name: &'static str,
    /// The number among the direct or the indirect openings, from 1.
    pub number: usize,
    /// Whether the second stone is a direct neighbour (D), not a diagonal one
    /// (I).
    pub direct: bool,
    second: (i32, i32),
    third: (i32, i32),
}

/// Names and third stones, after a second stone on h9 and on i9, in the usual order.
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

/// All 26 openings, the direct ones first.
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
    /// The three stones on a board with this centre.
    pub fn cells(&self, centre: Cell) -> [Cell; 3] {
        let at = |(dx, dy): (i32, i32)| {
            let (x, y) = (centre.x() as i32 + dx, centre.y() as i32 - dy);
            Cell::new(x as usize, y as usize)
        };
        [centre, at(self.second), at(self.third)]
    }
}

/// The eight rotations and reflections of a step.
fn symmetric((x, y): (i32, i32)) -> [(i32, i32); 8] {
    [(x, y), (-x, y), (x, -y), (-x, -y), (y, x), (-y, x), (y, -x), (-y, -x)]
}

/// Columns to the right and rows up from one cell to another.
fn offset(from: Cell, to: Cell) -> (i32, i32) {
    (to.x() as i32 - from.x() as i32, from.y() as i32 - to.y() as i32)
}

/// The opening that three stones form, in any orientation, if any.
pub fn figure(centre: Cell, cells: [Cell; 3]) -> Option<Figure> {
    let [first, second, third] = cells;
    if first != centre {
        return None;
    }
    let (second, third) = (symmetric(offset(centre, second)), symmetric(offset(centre, third)));
    figures().find(|f| second.into_iter().zip(third).any(|pair| pair == (f.second, f.third)))
}

/// The three stones that may open a game of renju: the first in the centre, the others around
/// it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Maximum distance of the second stone from the centre, in columns and rows.
    pub second: usize,
    /// Maximum distance of the third stone from the centre.
    pub third: usize,
    /// Whether only one of several mirrored or rotated figures is allowed: the one whose second
    /// stone lies above or to the upper right of the centre, and whose third lies to the right
    /// of the mirror axis of the first two, if they have one.
    pub strict: bool,
}

impl Figures {
    /// The 26 openings, in any orientation.
    pub const USUAL: Figures = Figures { second: 1, third: 2, strict: false };
    /// The larger zones of the "super" rules.
    pub const SUPER: Figures = Figures { second: 2, third: 3, strict: false };

    /// Whether the second stone may lie on a cell.
    pub fn has_second(self, centre: Cell, second: Cell) -> bool {
        let (dx, dy) = offset(centre, second);
        let away = dx.abs().max(dy.abs());
        (1..=self.second as i32).contains(&away) && (!self.strict || (0..=dy).contains(&dx))
    }

    /// Whether the third stone may lie on a cell, given the second.
    pub fn has_third(self, centre: Cell, second: Cell, third: Cell) -> bool {
        let (dx, dy) = offset(centre, third);
        let away = dx.abs().max(dy.abs());
        let is_one_of_two = || match offset(centre, second) {
            (0, _) => dx >= 0,
            (x, y) if x == y => dx >= dy,
            _ => true,
        };
        (1..=self.third as i32).contains(&away)
            && third != second
            && (!self.strict || is_one_of_two())
    }

    /// Whether three stones are one of these figures.
    pub fn contain(self, centre: Cell, [first, second, third]: [Cell; 3]) -> bool {
        let others = self.has_second(centre, second) && self.has_third(centre, second, third);
        first == centre && others
    }

    /// All figures on a board.
    pub fn all(self, centre: Cell, board: &CellSet) -> Vec<[Cell; 3]> {
        let seconds = board.iter().filter(|&second| self.has_second(centre, second));
        let thirds = |second| {
            let fits = move |&third: &Cell| self.has_third(centre, second, third);
            board.iter().filter(fits).map(move |third| [centre, second, third])
        };
        seconds.flat_map(thirds).collect()
    }
}

/// Whether a symmetry of the coloured stones maps one of the points to another: a reflection
/// through the centroid of the stones, or the half turn about it. The edges of the board do not
/// matter.
pub(super) fn has_twins(stones: &[(Cell, Color)], points: &[Cell]) -> bool {
    let n = stones.len() as i32;
    // Coordinates times the number of stones, so that the centroid is an integer.
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
        let is_symmetry = stones.iter().all(|&(cell, color)| {
            let image = turn(k, cell);
            stones.iter().any(|&(other, c)| c == color && scaled(other) == image)
        });
        let meets = |&p: &Cell| points.iter().any(|&q| q != p && scaled(q) == turn(k, p));
        is_symmetry && points.iter().any(meets)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_orientation_is_recognised() {
        let centre = Cell::new(7, 7);
        let board = CellSet::board(15, 15);
        let all = Figures::USUAL.all(centre, &board);
        assert_eq!(all.len(), 8 * 23);
        assert!(all.into_iter().all(|cells| figure(centre, cells).is_some()));
        let strict = Figures { strict: true, ..Figures::USUAL };
        for f in figures() {
            let found = figure(centre, f.cells(centre)).unwrap();
            assert_eq!((found.name, found.number, found.direct), (f.name, f.number, f.direct));
            assert!(strict.contain(centre, f.cells(centre)), "{}", f.name);
        }
        assert_eq!((figures().count(), strict.all(centre, &board).len()), (26, 26));
        assert!(figure(centre, [centre, Cell::new(7, 6), Cell::new(7, 4)]).is_none());
        assert!(figure(centre, [Cell::new(6, 7), Cell::new(7, 6), Cell::new(7, 5)]).is_none());
    }

    #[test]
    fn exactly_one_image_of_each_figure_is_strict() {
        let centre = Cell::new(7, 7);
        let board = CellSet::board(15, 15);
        let images = |cells: [Cell; 3]| {
            let steps = cells.map(|cell| symmetric(offset(centre, cell)));
            let at = |(dx, dy): (i32, i32)| Cell::new((7 + dx) as usize, (7 - dy) as usize);
            (0..8).map(move |i| steps.map(|images| at(images[i])))
        };
        for (figures, number, orientations) in
            [(Figures::USUAL, 26, 8 * 23), (Figures::SUPER, 151, 24 * 47)]
        {
            let strict = Figures { strict: true, ..figures };
            assert_eq!(strict.all(centre, &board).len(), number);
            let all = figures.all(centre, &board);
            assert_eq!(all.len(), orientations);
            for cells in all {
                let mut fit: Vec<[Cell; 3]> =
                    images(cells).filter(|&image| strict.contain(centre, image)).collect();
                fit.sort_unstable();
                fit.dedup();
                assert_eq!(fit.len(), 1, "{cells:?}");
            }
        }
        // A small board has only the figures that fit.
        assert_eq!(Figures::SUPER.all(Cell::new(2, 2), &CellSet::board(5, 5)).len(), 24 * 23);
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
        // But it has a half turn.
        assert!(has_twins(&mixed, &[at(1, 0), at(6, 7)]));
    }
}

//! Pente's options that no other program implements, by the text of the rules: overlines
//! ignored or forbidden, self-capture forbidden, renju's restrictions.

use super::board::{AXES, Letters, Point, along, other};
use super::driver::{End, Model, compare};

#[derive(Clone, Default)]
pub struct Options {
    /// Lengths of runs that are captured.
    pub captured: Vec<i32>,
    /// Number of captured stones that wins.
    pub goal: usize,
    /// Whether six or more in a row have no effect: for Black, for White.
    pub exact: [bool; 2],
    /// Whether six or more in a row must not be made: by Black, by White.
    pub no_overline: [bool; 2],
    pub no_self_capture: bool,
    /// Fouls of Black and of White: overline, double four, double three.
    pub fouls: [[bool; 3]; 2],
    /// Whether a four excuses a double three.
    pub four_excuses: bool,
    /// Whether a double three is excused where the opponent would make a five.
    pub defence_excuses: bool,
    /// Whether a full board is White's win.
    pub white_full: bool,
}

#[derive(Clone)]
pub struct Pente {
    options: Options,
    board: Letters,
    captured: [usize; 2],
}

fn index(color: char) -> usize {
    usize::from(color == 'O')
}

impl Pente {
    pub fn new(size: usize, options: Options) -> Pente {
        Pente { options, board: Letters::new(size, size), captured: [0, 0] }
    }

    fn is_five(&self, color: char, row: usize) -> bool {
        row == 5 || row > 5 && !self.options.exact[index(color)]
    }

    fn has_five(&self, color: char) -> bool {
        self.board.rows(color).into_iter().any(|row| self.is_five(color, row))
    }

    /// The stones that a new stone on a point captures, in every direction.
    fn taken(&self, color: char, at: Point) -> Vec<Point> {
        let mut taken = Vec::new();
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            for &length in &self.options.captured {
                let word: String =
                    (1..=length + 1).map(|k| self.board.get(along(at, (dx, dy), k))).collect();
                let prey: String = vec![other(color); length as usize].into_iter().collect();
                if (dx, dy) != (0, 0) && word == format!("{prey}{color}") {
                    taken.extend((1..=length).map(|k| along(at, (dx, dy), k)));
                }
            }
        }
        taken
    }

    /// Whether a stone would be part of a capturable run between two enemy stones.
    fn walks_into_capture(&self, color: char, at: Point) -> bool {
        let mut board = self.board.clone();
        board.set(at, color);
        AXES.into_iter().any(|axis| {
            self.options.captured.iter().any(|&length| {
                let run: String = vec![color; length as usize].into_iter().collect();
                let pattern = format!("{0}{run}{0}", other(color));
                (1..=length).any(|first| {
                    let from = along(at, axis, -first);
                    let word: String =
                        (0..length + 2).map(|k| board.get(along(from, axis, k))).collect();
                    word == pattern
                })
            })
        })
    }

    fn after(&self, color: char, at: Point) -> Pente {
        let mut next = self.clone();
        for gone in self.taken(color, at) {
            next.board.set(gone, '.');
            next.captured[index(color)] += 1;
        }
        next.board.set(at, color);
        next
    }

    /// Whether a new stone stands in a five.
    fn in_five(&self, at: Point) -> bool {
        let color = self.board.get(at);
        AXES.into_iter().any(|axis| self.is_five(color, self.board.row(at, axis)))
    }

    /// The points of a line that would make a five with the stone on a point.
    fn fifths(&self, at: Point, axis: Point) -> Vec<Point> {
        let color = self.board.get(at);
        let fits = |&e: &Point| {
            let mut board = self.board.clone();
            board.set(e, color);
            let reached = (0..5).any(|k| {
                along(at, axis, k) == e && (0..k).all(|i| board.get(along(at, axis, i)) == color)
                    || along(at, axis, -k) == e
                        && (0..k).all(|i| board.get(along(at, axis, -i)) == color)
            });
            reached && self.is_five(color, board.row(at, axis))
        };
        let empty = self.board.line(at, axis).into_iter().filter(|&e| self.board.get(e) == '.');
        empty.filter(fits).collect()
    }

    fn fours(&self, at: Point, axis: Point) -> usize {
        let fifths = self.fifths(at, axis).len();
        if fifths == 2 && self.board.row(at, axis) == 4 { 1 } else { fifths }
    }

    fn is_three(&self, at: Point, axis: Point) -> bool {
        let color = self.board.get(at);
        let empty = self.board.line(at, axis).into_iter().filter(|&q| self.board.get(q) == '.');
        self.fifths(at, axis).is_empty()
            && empty.into_iter().any(|q| {
                let next = self.after(color, q);
                let joined = next.board.row(q, axis) == 4
                    && (1..4).any(|k| {
                        let between = |sign: i32| {
                            along(q, axis, sign * k) == at
                                && (1..k).all(|i| next.board.get(along(q, axis, sign * i)) == color)
                        };
                        between(1) || between(-1)
                    });
                joined
                    && next.fifths(q, axis).len() == 2
                    && !next.in_five(q)
                    && !self.shapes(color, q).contains(&true)
            })
    }

    /// Overline, double four and double three of a stone; none if it makes a five.
    fn shapes(&self, color: char, at: Point) -> [bool; 3] {
        let next = self.after(color, at);
        if next.in_five(at) {
            return [false; 3];
        }
        let overline = AXES.into_iter().any(|axis| next.board.row(at, axis) > 5);
        let fours: usize = AXES.into_iter().map(|axis| next.fours(at, axis)).sum();
        let threes = || AXES.into_iter().filter(|&axis| next.is_three(at, axis)).count();
        let is_defence = || self.after(other(color), at).in_five(at);
        let excused =
            self.options.four_excuses && fours > 0 || self.options.defence_excuses && is_defence();
        let [no_overline, no_double_four, no_double_three] = self.options.fouls[index(color)];
        [
            no_overline && overline,
            no_double_four && fours > 1,
            no_double_three && !excused && threes() > 1,
        ]
    }
}

impl Model for Pente {
    fn letter(&self, at: Point) -> char {
        self.board.get(at)
    }

    fn may_place(&self, color: char, at: Point) -> bool {
        let mut board = self.board.clone();
        board.set(at, color);
        let overline = AXES.into_iter().any(|axis| board.row(at, axis) > 5);
        let refused = overline && self.options.no_overline[index(color)]
            || self.options.no_self_capture && self.walks_into_capture(color, at);
        !refused
    }

    fn fouls(&self, color: char, at: Point) -> [bool; 3] {
        if self.options.fouls[index(color)] == [false; 3] {
            return [false; 3];
        }
        self.shapes(color, at)
    }

    fn place(&mut self, color: char, at: Point) {
        *self = self.after(color, at);
    }

    fn captured(&self) -> [usize; 2] {
        self.captured
    }

    fn has_fouls(&self, color: char) -> bool {
        self.options.fouls[index(color)].contains(&true)
    }

    fn has_captured_enough(&self, color: char) -> bool {
        self.captured[index(color)] >= self.options.goal
    }

    fn lines(&self) -> Vec<Vec<Point>> {
        let of = |color| {
            let runs = self.board.runs(color).into_iter();
            runs.filter(move |run| self.is_five(color, run.len()))
        };
        ['X', 'O'].into_iter().flat_map(of).collect()
    }

    fn end(&self, to_move: char) -> Option<End> {
        let won = |color| self.has_five(color) || self.has_captured_enough(color);
        let stuck = || {
            let mut empty = self.board.all().filter(|&at| self.board.get(at) == '.');
            !empty.any(|at| self.may_place(to_move, at))
        };
        match (won('X'), won('O')) {
            (true, true) => Some(End::Drawn),
            (true, false) => Some(End::Won('X')),
            (false, true) => Some(End::Won('O')),
            (false, false) if self.options.white_full => stuck().then_some(End::Won('O')),
            (false, false) => stuck().then_some(End::Drawn),
        }
    }
}

pub fn usual() -> Options {
    Options { captured: vec![2], goal: 10, ..Options::default() }
}

pub fn keryo() -> Options {
    Options { captured: vec![2, 3], goal: 15, ..Options::default() }
}

#[test]
fn overlines_are_ignored() {
    for (game, options) in
        [("pente+overline-ignored", usual()), ("pente+keryo+overline-ignored", keryo())]
    {
        let options = Options { exact: [true; 2], ..options };
        let coverage = compare(game, (9, 9), &Pente::new(9, options));
        assert!(coverage.won.iter().all(|&won| won > 10), "{coverage:?}");
    }
}

#[test]
fn overlines_are_forbidden() {
    for (game, options, forbidden) in [
        ("pente+overline-forbidden", usual(), [true; 2]),
        ("pente+overline-forbidden-black", usual(), [true, false]),
        ("pente+keryo+overline-forbidden", keryo(), [true; 2]),
        ("pente+keryo+overline-forbidden-black", keryo(), [true, false]),
    ] {
        let options = Options { no_overline: forbidden, ..options };
        let coverage = compare(game, (9, 9), &Pente::new(9, options));
        assert!(coverage.closed_points > 3, "{coverage:?}");
    }
}

#[test]
fn self_capture_is_forbidden() {
    for (game, options) in
        [("pente+self-capture-forbidden", usual()), ("pente+keryo+self-capture-forbidden", keryo())]
    {
        let options = Options { no_self_capture: true, ..options };
        let coverage = compare(game, (9, 9), &Pente::new(9, options));
        assert!(coverage.closed_points > 200, "{coverage:?}");
    }
}

#[test]
fn black_has_fouls() {
    let double_three = [false, false, true];
    for (game, exact, fouls) in [
        ("pente+double-three", [false; 2], double_three),
        ("Ninuki-Renju", [true; 2], double_three),
        ("pente+renju", [true, false], [true; 3]),
    ] {
        let options = Options { exact, fouls: [fouls, [false; 3]], ..usual() };
        let coverage = compare(game, (11, 11), &Pente::new(11, options));
        let found = coverage.fouls.map(|points| points > 3);
        assert_eq!(found, fouls, "{game} {coverage:?}");
        assert!(coverage.fouled[0] > 1, "{coverage:?}");
    }
}

//! Line class: what a stone in the centre of a window would make along the line.
//!
//! Line classes follow from the rule sheet alone. The classifier puts one more own
//! stone on each empty cell of the window and classifies the results, recursively down
//! to the five, without a board.
//!
//! A window consists of two halves of `HALF` cells, two bits for each cell. Cells behind
//! a wall, or behind stones of both colours, affect neither colour, so the `4^HALF` keys
//! of a half reduce to few distinct halves: 120 of 1,024 for `HALF` 5 if walls count as
//! opponent's stones. The class table of all pairs of halves then takes 14 KB; a table
//! by window key would take 1 MiB. The table is built in a few milliseconds, at the first
//! START of a rule.

use fxhash::FxHashMap;

use goren_core::rules::{Ends, Fouls, Overline, Rule};
use goren_core::types::Color;

/// What a stone of a colour in the centre of a window makes along the line. In
/// ascending order of strength up to [`LineClass::Five`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum LineClass {
    /// No five through the centre can be reached.
    Dead = 0,
    /// One more stone makes a [`LineClass::ClosedTwo`].
    ClosedOne,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a [`LineClass::ClosedThree`].
    ClosedTwo,
    /// An open two: one more stone makes an open three, at one point.
    OpenTwoA,
    /// An open two that becomes an open three at two points.
    OpenTwoB,
    /// An open two that becomes an open three at three points or more.
    OpenTwoC,
    /// A closed three: one more stone makes a four, but no open four.
    ClosedThree,
    /// An open three: one more stone makes an open four, at one point.
    OpenThree,
    /// An open three that becomes an open four at two points or more.
    StrongOpenThree,
    /// A four: a single reply stops it.
    Four,
    /// An open four: no single reply stops it.
    OpenFour,
    /// A five.
    Five,
    /// An overline that is a foul.
    Overline,
    /// Two fours in one line, distinguished from an open four only for a colour with
    /// fouls. A foul if double fours are fouls.
    DoubleFour,
}

impl LineClass {
    /// Number of classes.
    pub const COUNT: usize = 15;

    /// Returns the class with this number; [`LineClass::Dead`] if the number is not below
    /// [`LineClass::COUNT`].
    pub const fn from_index(index: usize) -> LineClass {
        use LineClass::*;
        const ALL: [LineClass; LineClass::COUNT] = [
            Dead,
            ClosedOne,
            OpenOne,
            ClosedTwo,
            OpenTwoA,
            OpenTwoB,
            OpenTwoC,
            ClosedThree,
            OpenThree,
            StrongOpenThree,
            Four,
            OpenFour,
            Five,
            Overline,
            DoubleFour,
        ];
        if index < LineClass::COUNT { ALL[index] } else { Dead }
    }

    /// Whether a stone of this class makes an open three, strong or not.
    #[inline]
    pub const fn is_open_three(self) -> bool {
        matches!(self, LineClass::OpenThree | LineClass::StrongOpenThree)
    }
}

/// A cell of a window as one colour sees it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Point {
    Empty,
    Own,
    Opponent,
    Wall,
}

/// Capacity of a window: the centre and at most six cells to each side.
const MAX_WINDOW: usize = 13;

/// One half of a window as one colour sees it, from the centre outwards up to the first
/// cell the colour cannot use.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Side {
    /// Cells before the blocker.
    len: usize,
    /// Own stones among them, bit 0 next to the centre.
    own: u32,
    /// The blocking cell after them; `Wall` if nothing blocks within the window.
    end: Point,
}

impl Side {
    /// Reads `half` cells of two bits each; `cell(0)` is next to the centre. A set bit
    /// means that its colour may still use the cell. If the ends of a five do not matter, a
    /// wall is read as an opponent's stone, so that more halves are equal.
    fn read(half: usize, color: Color, ends: Ends, cell: impl Fn(usize) -> u32) -> Side {
        let mut own = 0;
        for i in 0..half {
            let bits = cell(i);
            let point = match bits {
                3 => Point::Empty,
                0 if ends == Ends::Any => Point::Opponent,
                0 => Point::Wall,
                b if b >> color.index() & 1 != 0 => Point::Own,
                _ => Point::Opponent,
            };
            match point {
                Point::Empty => {}
                Point::Own => own |= 1 << i,
                end => return Side { len: i, own, end },
            }
        }
        Side { len: half, own, end: Point::Wall }
    }

    fn point(&self, i: usize) -> Point {
        if i >= self.len {
            self.end
        } else if self.own >> i & 1 != 0 {
            Point::Own
        } else {
            Point::Empty
        }
    }
}

/// Classifies windows for one colour of one rule.
struct LineClassifier {
    half: usize,
    win_len: usize,
    overline: Overline,
    ends: Ends,
    fouls: Fouls,
    memo: FxHashMap<u64, LineClass>,
}

type Window = [Point; MAX_WINDOW];

impl LineClassifier {
    fn new<R: Rule>(color: Color) -> LineClassifier {
        LineClassifier {
            half: R::HALF,
            win_len: R::WIN_LEN,
            overline: R::OVERLINE[color.index()],
            ends: R::ENDS,
            fouls: R::FOULS[color.index()],
            memo: FxHashMap::default(),
        }
    }

    /// Returns the number of cells of a window; the centre is at index `half`.
    fn len(&self) -> usize {
        2 * self.half + 1
    }

    /// Returns the first and last index of the run of own stones through the centre.
    fn run(&self, w: &Window) -> (usize, usize) {
        let (mut from, mut to) = (self.half, self.half);
        while from > 0 && w[from - 1] == Point::Own {
            from -= 1;
        }
        while to + 1 < self.len() && w[to + 1] == Point::Own {
            to += 1;
        }
        (from, to)
    }

    /// Whether the run through the centre wins.
    fn wins(&self, w: &Window) -> bool {
        let (from, to) = self.run(w);
        let len = to - from + 1;
        if len != self.win_len {
            return len > self.win_len && self.overline == Overline::Wins;
        }
        match self.ends {
            Ends::Any => true,
            Ends::NotBothEnemy => {
                let opponent =
                    |i: Option<usize>| i.is_some_and(|i| i < self.len() && w[i] == Point::Opponent);
                !(opponent(from.checked_sub(1)) && opponent(Some(to + 1)))
            }
        }
    }

    /// Whether one more own stone in the window wins.
    fn can_win(&self, w: &Window) -> bool {
        self.fives(w) > 0
    }

    /// Counts the cells where one more own stone wins.
    fn fives(&self, w: &Window) -> usize {
        let mut w = *w;
        self.empties(&w.clone())
            .filter(|&e| {
                w[e] = Point::Own;
                let wins = self.wins(&w);
                w[e] = Point::Empty;
                wins
            })
            .count()
    }

    fn empties(&self, w: &Window) -> impl Iterator<Item = usize> + use<> {
        let cells = *w;
        (0..self.len()).filter(move |&i| cells[i] == Point::Empty)
    }

    /// Returns the class of a window whose centre is an own stone.
    fn class(&mut self, w: &Window) -> LineClass {
        let mut key = 0u64;
        for point in &w[..self.len()] {
            key = key << 2 | *point as u64;
        }
        if let Some(&class) = self.memo.get(&key) {
            return class;
        }
        let class = self.compute(w);
        self.memo.insert(key, class);
        class
    }

    fn compute(&mut self, w: &Window) -> LineClass {
        if self.wins(w) {
            return LineClass::Five;
        }
        let (from, to) = self.run(w);
        if to - from + 1 > self.win_len && self.overline == Overline::Foul {
            return LineClass::Overline;
        }
        let fives = self.fives(w);
        if fives > 0 {
            return self.four(w, fives);
        }
        let mut next = *w;
        let mut counts = [0usize; LineClass::COUNT];
        for e in self.empties(w) {
            next[e] = Point::Own;
            counts[self.class(&next) as usize] += 1;
            next[e] = Point::Empty;
        }
        let n = |class: LineClass| counts[class as usize];
        let threes = n(LineClass::OpenThree) + n(LineClass::StrongOpenThree);
        if n(LineClass::OpenFour) >= 2 {
            LineClass::StrongOpenThree
        } else if n(LineClass::OpenFour) == 1 {
            LineClass::OpenThree
        } else if n(LineClass::Four) > 0 || !self.fouls.double_four && n(LineClass::DoubleFour) > 0
        {
            LineClass::ClosedThree
        } else if threes >= 3 {
            LineClass::OpenTwoC
        } else if threes == 2 {
            LineClass::OpenTwoB
        } else if threes == 1 {
            LineClass::OpenTwoA
        } else if n(LineClass::ClosedThree) > 0 {
            LineClass::ClosedTwo
        } else if n(LineClass::OpenTwoA) + n(LineClass::OpenTwoB) + n(LineClass::OpenTwoC) > 0 {
            LineClass::OpenOne
        } else if n(LineClass::ClosedTwo) > 0 {
            LineClass::ClosedOne
        } else {
            LineClass::Dead
        }
    }

    /// Returns the class of a four with `fives` winning points.
    fn four(&self, w: &Window, fives: usize) -> LineClass {
        if (self.fouls.double_four || self.fouls.double_three) && fives > 1 {
            // A straight four is one four; any other pair of winning points in one line
            // belongs to two fours (RIF rules 9.3).
            let (from, to) = self.run(w);
            return if to - from + 1 == self.win_len - 1 {
                LineClass::OpenFour
            } else {
                LineClass::DoubleFour
            };
        }
        // Try all replies, not only the winning points: in Caro a stone at a common end
        // can spoil two fives.
        let open = self.empties(w).all(|reply| {
            let mut after = *w;
            after[reply] = Point::Opponent;
            self.can_win(&after)
        });
        if open { LineClass::OpenFour } else { LineClass::Four }
    }
}

/// Upper bound of the keys of a half: a power of two, so that masking an index replaces
/// the bounds check.
const KEYS: usize = 1 << 10;

/// Line classes and numbers of all windows of a rule.
///
/// A window is split into two halves, and halves that look the same to both colours
/// share a number (module comment), so that the class table over pairs of numbers fits
/// the L1 cache.
pub struct Windows {
    /// Number of a half by its key, whose lowest cell is next to the centre.
    front: Box<[u16; KEYS]>,
    /// Number of a half by its key, whose lowest cell is farthest from the centre;
    /// multiplied by the number of halves.
    back: Box<[u16; KEYS]>,
    /// Line classes by window number (the sum of both): Black's in the low four bits,
    /// White's in the high four. One entry for every `u16`, which saves the bounds check;
    /// only the first `halves() * halves()` are used.
    classes: Box<[u8; 1 << 16]>,
    /// Number of a half with the colours exchanged, by its number.
    exchanged: Vec<u16>,
}

impl Windows {
    /// Classifies all windows of a rule.
    pub fn new<R: Rule>() -> Windows {
        let keys = 1usize << (2 * R::HALF);
        assert!(keys <= KEYS, "a half has at most five cells");
        let cell = |key: usize, i: usize| (key >> (2 * i)) as u32 & 3;
        let side = |key: usize, color| Side::read(R::HALF, color, R::ENDS, |i| cell(key, i));
        // Halves that look the same to both colours share a number.
        let mut numbers = FxHashMap::default();
        let mut halves: Vec<[Side; 2]> = Vec::new();
        let mut front = Box::new([0; KEYS]);
        for (key, number) in front.iter_mut().enumerate().take(keys) {
            let half = Color::ALL.map(|color| side(key, color));
            *number = *numbers.entry(half).or_insert_with(|| {
                halves.push(half);
                halves.len() as u16 - 1
            });
        }
        let exchanged = halves.iter().map(|&[black, white]| numbers[&[white, black]]).collect();
        let count = halves.len();
        assert!(count <= 256, "sums of numbered halves must fit sixteen bits");
        let mirrored = |key: usize| {
            (0..R::HALF).fold(0, |k, i| k | (cell(key, i) as usize) << (2 * (R::HALF - 1 - i)))
        };
        let mut back = Box::new([0; KEYS]);
        for (key, number) in back.iter_mut().enumerate().take(keys) {
            *number = front[mirrored(key)] * count as u16;
        }
        let mut classes = Box::new([0u8; 1 << 16]);
        for color in Color::ALL {
            let mut classifier = LineClassifier::new::<R>(color);
            for (i, a) in halves.iter().enumerate() {
                for (j, b) in halves.iter().enumerate() {
                    let mut w = [Point::Wall; MAX_WINDOW];
                    w[R::HALF] = Point::Own;
                    for k in 0..R::HALF {
                        w[R::HALF - 1 - k] = a[color.index()].point(k);
                        w[R::HALF + 1 + k] = b[color.index()].point(k);
                    }
                    classes[i * count + j] |= (classifier.class(&w) as u8) << (4 * color.index());
                }
            }
        }
        Windows { front, back, classes, exchanged }
    }

    /// Returns the number of distinct halves. Window numbers are below its square.
    pub fn halves(&self) -> usize {
        self.exchanged.len()
    }

    /// Returns the number of a half with the colours exchanged.
    pub fn exchanged(&self, half: usize) -> usize {
        self.exchanged[half].into()
    }

    /// Returns the line classes of a window for both colours, Black's in the low four bits,
    /// White's in the high four; keys as for [`super::Tables::window`].
    #[inline]
    pub fn class(&self, back: usize, front: usize) -> u8 {
        self.classes[self.number(back, front) as usize]
    }

    /// Returns the number of a window: the number of its back half times
    /// [`Windows::halves`], plus the number of its front half. Windows that look different to
    /// either colour have different numbers.
    #[inline]
    pub fn number(&self, back: usize, front: usize) -> u16 {
        self.back[back % KEYS].wrapping_add(self.front[front % KEYS])
    }
}

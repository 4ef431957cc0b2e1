//! Linear threats by the definitions of "Renju theory", the paper of the
//! author of Vertex, computed directly from the stones.
//!
//! A line of weight K is five cells in a row with K stones of a colour and
//! nothing else, which would win if it were filled. (The paper requires that its
//! ends do not border on a further stone of the colour, except for White in renju;
//! this is the case in which longer rows do not win. In Caro opponent stones at
//! both ends count as well.)
//!
//! An empty cell is a threat Pk1 of a colour in a direction if it lies on two
//! lines of weight k that have exactly 4-k cells in common, otherwise Pk2 if it
//! lies on any line. Only empty common cells count: the two lines of `.xxxA.`
//! have four common cells, one of which is empty, and A is P31 as it should be.
//! The greatest weight of a cell counts. So the weight is that before the stone
//! is placed, and
//!
//! | | type 1 | type 2 |
//! |---|---|---|
//! | P4 | | five |
//! | P3 | open four | four |
//! | P2 | open three | three |
//! | P1 | open two | two |
//! | P0 | open one | one |
//!
//! For Black in renju the two lines must also be exactly one cell apart, so
//! that the four is straight. (The paper says so of P21. It must also hold for P31,
//! as two fours in one line are a foul, and for P11 and P01, which grow into P21.)
//! After the stone, at least one of the other common cells of a P21 must neither be a
//! foul nor make a five; otherwise it is a P22. The referee judges fouls.
//!
//! In Caro two lines are type 1 only if, once the common cells are filled, no single
//! opponent stone spoils both, which it could do from their ends.

use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, Stone};

/// Shape that a stone makes in a direction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum LinearShape {
    /// Pkt: weight 0 to 4 and type 1 or 2.
    P(usize, usize),
    /// Two fours in one line, twice P32: a foul for Black in renju.
    DoubleFour,
    /// More than five in a row: a foul for Black in renju.
    Overline,
}

impl LinearShape {
    /// The shapes that `--min` can name, the strongest first.
    pub(super) const ALL: [LinearShape; 9] = [
        LinearShape::P(4, 2),
        LinearShape::P(3, 1),
        LinearShape::P(3, 2),
        LinearShape::P(2, 1),
        LinearShape::P(2, 2),
        LinearShape::P(1, 1),
        LinearShape::P(1, 2),
        LinearShape::P(0, 1),
        LinearShape::P(0, 2),
    ];

    /// Strength, from 0. Fouls count as the shapes they would be.
    pub(super) fn rank(self) -> usize {
        match self {
            LinearShape::P(weight, kind) => 2 * weight + usize::from(kind == 1),
            LinearShape::DoubleFour => 7,
            LinearShape::Overline => 8,
        }
    }

    /// Notation of the paper.
    pub(super) fn notation(self) -> String {
        match self {
            LinearShape::P(weight, kind) => format!("P{weight}{kind}"),
            LinearShape::DoubleFour => "P32×P32".into(),
            LinearShape::Overline => "-".into(),
        }
    }

    /// Parses the notation of a shape.
    pub(super) fn from_notation(text: &str) -> Option<LinearShape> {
        LinearShape::ALL.into_iter().find(|shape| shape.notation().eq_ignore_ascii_case(text))
    }

    /// Modern name.
    pub(super) fn name(self) -> &'static str {
        match self {
            LinearShape::P(4.., _) => "five",
            LinearShape::P(3, 1) => "open four",
            LinearShape::P(3, _) => "four",
            LinearShape::P(2, 1) => "open three",
            LinearShape::P(2, _) => "three",
            LinearShape::P(1, 1) => "open two",
            LinearShape::P(1, _) => "two",
            LinearShape::P(0, 1) => "open one",
            LinearShape::P(0, _) => "one",
            LinearShape::DoubleFour => "two fours",
            LinearShape::Overline => "overline",
        }
    }

    /// Number of fours that it contributes to a fork.
    pub(super) fn fours(self) -> usize {
        match self {
            LinearShape::P(3, _) => 1,
            LinearShape::DoubleFour => 2,
            LinearShape::P(..) | LinearShape::Overline => 0,
        }
    }
}

/// Threat of an empty cell in a direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LinearThreat {
    pub(super) direction: Direction,
    pub(super) shape: LinearShape,
    /// Best cells for the next stone: the other common cells, if there are any, otherwise the
    /// other empty cells of its lines.
    pub(super) next: Vec<Cell>,
    /// Cells where a straight four would be a foul or come with a five.
    pub(super) spoilt: Vec<Cell>,
}

/// Content of a cell from the point of view of a colour.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Content {
    Empty,
    Own,
    Opponent,
    /// Not on the board, or dead.
    Off,
}

/// Number of cells to each side of the cell in question: four of its lines, and two that
/// distinguish a row of five from a longer one.
const REACH: usize = 6;

/// The cells around a cell in a direction, with the rules for a colour.
#[derive(Copy, Clone)]
struct Strip {
    contents: [Content; 2 * REACH + 1],
    color: Color,
    /// [`goren_core::rules::Card::wins`].
    wins: fn(Color, usize, bool) -> bool,
    /// Whether the colour has fouls.
    fouls: bool,
    /// Whether overlines are among them.
    overlines_lose: bool,
}

impl Strip {
    fn new(referee: &FiveReferee, cell: Cell, direction: Direction, color: Color) -> Strip {
        let card = referee.setup().rule.card();
        let content = |i: usize| {
            let at = cell.step(direction, i as i32 - REACH as i32);
            match referee.stone(at) {
                Some(Stone::Of(of)) if of == color => Content::Own,
                Some(Stone::Of(_)) => Content::Opponent,
                None if referee.is_empty(at) => Content::Empty,
                Some(Stone::Wall) | None => Content::Off,
            }
        };
        Strip {
            contents: std::array::from_fn(content),
            color,
            wins: card.wins,
            fouls: card.fouls[color.index()].any(),
            overlines_lose: card.fouls[color.index()].overline,
        }
    }

    /// Returns the first cell and the weight of each line through the middle.
    fn lines(&self) -> Vec<(usize, usize)> {
        let weight = |first: usize| {
            let line = &self.contents[first..first + 5];
            let free = line.iter().all(|content| matches!(content, Content::Empty | Content::Own));
            let own = line.iter().filter(|&&content| content == Content::Own).count();
            (free && self.would_win(first)).then_some((first, own))
        };
        (REACH - 4..=REACH).filter_map(weight).collect()
    }

    /// Whether the five cells from `first` would win if they were filled.
    fn would_win(&self, first: usize) -> bool {
        let (mut from, mut to) = (first, first + 4);
        while from > 0 && self.contents[from - 1] == Content::Own {
            from -= 1;
        }
        while to + 1 < self.contents.len() && self.contents[to + 1] == Content::Own {
            to += 1;
        }
        let opponent = |i: Option<usize>| {
            i.and_then(|i| self.contents.get(i))
                .is_some_and(|&content| content == Content::Opponent)
        };
        let blocked = opponent(from.checked_sub(1)) && opponent(Some(to + 1));
        (self.wins)(self.color, to - from + 1, blocked)
    }

    /// Returns the empty cells of a range.
    fn empty(&self, cells: std::ops::Range<usize>) -> Vec<usize> {
        cells.filter(|&i| self.contents[i] == Content::Empty).collect()
    }

    /// Whether, with these cells filled, a five remains possible after any single opponent
    /// stone.
    fn is_unstoppable(&self, filled: &[usize]) -> bool {
        let mut strip = *self;
        filled.iter().for_each(|&i| strip.contents[i] = Content::Own);
        strip.empty(0..strip.contents.len()).into_iter().all(|answer| {
            let mut after = strip;
            after.contents[answer] = Content::Opponent;
            after.lines().iter().any(|&(_, weight)| weight == 4)
        })
    }

    /// Whether a stone in the middle makes a row of more than five.
    fn is_overline(&self) -> bool {
        let own = |i: &usize| self.contents[*i] == Content::Own;
        let before = (0..REACH).rev().take_while(own).count();
        before + (REACH + 1..2 * REACH + 1).take_while(own).count() >= 5
    }

    /// Returns the shape and the cells where it grows.
    fn shape(&self) -> Option<(LinearShape, Vec<usize>)> {
        let lines = self.lines();
        let Some(weight) = lines.iter().map(|&(_, weight)| weight).max() else {
            return (self.overlines_lose && self.is_overline())
                .then_some((LinearShape::Overline, Vec::new()));
        };
        let firsts: Vec<usize> =
            lines.iter().filter(|(_, own)| *own == weight).map(|&(first, _)| first).collect();
        let mut next: Vec<usize> =
            firsts.iter().flat_map(|&first| self.empty(first..first + 5)).collect();
        if weight == 4 {
            return Some((LinearShape::P(4, 2), Vec::new()));
        }
        let (mut open, mut apart) = (Vec::new(), false);
        for (i, &first) in firsts.iter().enumerate() {
            for &second in &firsts[i + 1..] {
                let common = self.empty(second..first + 5);
                if common.len() != 4 - weight || !self.is_unstoppable(&common) {
                    continue;
                }
                if self.fouls && second - first != 1 {
                    apart = true;
                } else {
                    open.extend(common);
                }
            }
        }
        let shape = if !open.is_empty() {
            LinearShape::P(weight, 1)
        } else if apart && weight == 3 {
            LinearShape::DoubleFour
        } else {
            LinearShape::P(weight, 2)
        };
        if !open.is_empty() && weight < 3 {
            next = open;
        }
        next.sort_unstable();
        next.dedup();
        next.retain(|&i| i != REACH);
        Some((shape, next))
    }
}

/// Returns the threat of an empty cell in a direction, if it is one.
pub(super) fn threat(
    referee: &FiveReferee,
    cell: Cell,
    direction: Direction,
    color: Color,
) -> Option<LinearThreat> {
    let strip = Strip::new(referee, cell, direction, color);
    let (mut shape, next) = strip.shape()?;
    let mut next: Vec<Cell> =
        next.into_iter().map(|i| cell.step(direction, i as i32 - REACH as i32)).collect();
    let mut spoilt = Vec::new();
    if strip.fouls && shape == LinearShape::P(2, 1) {
        let mut after = referee.clone();
        // Cannot fail: the cell is empty, so the board is not full.
        if after.set_up(cell, Stone::Of(color)).is_ok() {
            let is_spoilt = |q: &Cell| after.fouls(color, *q).any() || after.wins(color, *q);
            (spoilt, next) = next.into_iter().partition(is_spoilt);
        }
        if next.is_empty() {
            shape = LinearShape::P(2, 2);
        }
    }
    Some(LinearThreat { direction, shape, next, spoilt })
}

/// Returns the threats of an empty cell.
pub(super) fn threats(referee: &FiveReferee, cell: Cell, color: Color) -> Vec<LinearThreat> {
    DIRECTIONS.into_iter().filter_map(|dir| threat(referee, cell, dir, color)).collect()
}

/// Returns direction and cells of the lines of a weight through an empty cell.
pub(super) fn lines(
    referee: &FiveReferee,
    cell: Cell,
    color: Color,
    weight: usize,
) -> Vec<(Direction, [Cell; 5])> {
    let through = |direction| {
        let lines = Strip::new(referee, cell, direction, color).lines();
        let cells = move |first: usize| {
            std::array::from_fn(|i| cell.step(direction, (first + i) as i32 - REACH as i32))
        };
        let fitting = lines.into_iter().filter(move |&(_, own)| own == weight);
        fitting.map(move |(first, _)| (direction, cells(first)))
    };
    DIRECTIONS.into_iter().flat_map(through).collect()
}

/// Number of fours and open threes that cross in a cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Fork {
    /// P31 and P32; two fours in one line count twice.
    pub(super) fours: usize,
    /// P21.
    pub(super) threes: usize,
}

impl Fork {
    /// Counts the threats that cross in a cell, whether or not it is a fork.
    pub(super) fn crossing(threats: &[LinearThreat]) -> Fork {
        let threes = threats.iter().filter(|threat| threat.shape == LinearShape::P(2, 1)).count();
        Fork { fours: threats.iter().map(|threat| threat.shape.fours()).sum(), threes }
    }

    /// Returns the fork of a cell: at least two fours or open threes. `None` if the stone
    /// makes a five, which ends the game.
    pub(super) fn of(threats: &[LinearThreat]) -> Option<Fork> {
        let fork = Fork::crossing(threats);
        let five = threats.iter().any(|threat| threat.shape == LinearShape::P(4, 2));
        (!five && fork.fours + fork.threes >= 2).then_some(fork)
    }

    /// Name of the kind of fork.
    pub(super) fn name(self) -> &'static str {
        match (self.fours, self.threes) {
            (2.., _) => "four-four",
            (1, 2..) => "four-three-three",
            (1, _) => "four-three",
            _ => "three-three",
        }
    }

    /// Formats the threats of a fork in the paper's notation, the strongest first.
    pub(super) fn notation(threats: &[LinearThreat]) -> String {
        let part = |shape: LinearShape| shape.fours() > 0 || shape == LinearShape::P(2, 1);
        let mut shapes: Vec<LinearShape> =
            threats.iter().map(|threat| threat.shape).filter(|&shape| part(shape)).collect();
        shapes.sort_by_key(|shape| std::cmp::Reverse(shape.rank()));
        shapes.iter().map(|shape| shape.notation()).collect::<Vec<_>>().join("×")
    }
}

//! Linear threats by the definitions of "Renju theory", the paper of the
//! author of Vertex, straight from the stones.
//!
//! A line of weight K is five cells in a row with K stones of a colour and
//! nothing else, which would win if it were filled. (The paper says: whose ends
//! do not border on a further stone of the colour, and excepts White in renju;
//! that is the case of longer rows winning nothing. In Caro opponent's stones at
//! both ends count as well.)
//!
//! An empty cell is a threat Pk1 of a colour in a direction if it lies on two
//! lines of weight k that have exactly 4-k cells in common, else Pk2 if it
//! lies on one at all. The cells in common must be the empty ones: of the two
//! lines of `.xxxA.` four cells are common, one of which is empty, and A is
//! P31 as it should be. Of the weights of a cell the greatest counts. So the
//! weight is that before the stone is placed, and
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
//! that the four is straight. (The paper says so of P21; of P31 it must hold as
//! well, for two fours in one line are a foul, and of P11 and P01, which grow
//! into P21.) And one of the other common cells of a P21 must be no foul once
//! the stone stands, nor make a five, else it is a P22. Fouls are judged by the
//! referee.
//!
//! In Caro two lines are type 1 only if no single opponent stone, once the common
//! cells are filled, spoils both: it may do so from their ends.

use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, Stone};

/// What a stone makes along a direction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum LinearShape {
    /// Pkt: weight 0 to 4 and type 1 or 2.
    P(usize, usize),
    /// Two fours in one line, twice P32: a foul of Black's in renju.
    DoubleFour,
    /// More than five in a row: a foul of Black's in renju.
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

    /// Its strength, from 0. Fouls are as strong as what they would be.
    pub(super) fn rank(self) -> usize {
        match self {
            LinearShape::P(weight, kind) => 2 * weight + usize::from(kind == 1),
            LinearShape::DoubleFour => 7,
            LinearShape::Overline => 8,
        }
    }

    /// The paper's notation.
    pub(super) fn notation(self) -> String {
        match self {
            LinearShape::P(weight, kind) => format!("P{weight}{kind}"),
            LinearShape::DoubleFour => "P32×P32".into(),
            LinearShape::Overline => "-".into(),
        }
    }

    /// The shape of a notation.
    pub(super) fn from_notation(text: &str) -> Option<LinearShape> {
        LinearShape::ALL.into_iter().find(|shape| shape.notation().eq_ignore_ascii_case(text))
    }

    /// Today's words.
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

    /// Fours it counts as where threats cross.
    pub(super) fn fours(self) -> usize {
        match self {
            LinearShape::P(3, _) => 1,
            LinearShape::DoubleFour => 2,
            LinearShape::P(..) | LinearShape::Overline => 0,
        }
    }
}

/// A threat of an empty cell in a direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LinearThreat {
    pub(super) direction: Direction,
    pub(super) shape: LinearShape,
    /// Where the next stone makes the most of it: the other cells in common,
    /// where there are some, else the other empty cells of its lines.
    pub(super) next: Vec<Cell>,
    /// Where a straight four would be a foul, or come with a five.
    pub(super) spoilt: Vec<Cell>,
}

/// Content of a cell as a colour sees it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Content {
    Empty,
    Own,
    Opponent,
    /// Not on the board, or dead.
    Off,
}

/// Cells to each side of the one in question: four of its lines, and two that
/// tell a row of five from a longer one.
const REACH: usize = 6;

/// The cells around one in a direction, and what wins there.
#[derive(Copy, Clone)]
struct Strip {
    contents: [Content; 2 * REACH + 1],
    color: Color,
    /// [`goren_core::rules::Card::wins`].
    wins: fn(Color, usize, bool) -> bool,
    /// Whether the colour has fouls, and whether overlines are among them.
    fouls: bool,
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

    /// The first cells of the lines through the middle, with their weights.
    fn lines(&self) -> Vec<(usize, usize)> {
        let weight = |first: usize| {
            let line = &self.contents[first..first + 5];
            let free = line.iter().all(|content| matches!(content, Content::Empty | Content::Own));
            let own = line.iter().filter(|&&content| content == Content::Own).count();
            (free && self.would_win(first)).then_some((first, own))
        };
        (REACH - 4..=REACH).filter_map(weight).collect()
    }

    /// Whether five cells would win if they were filled.
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

    /// The empty cells from one to another.
    fn empty(&self, cells: std::ops::Range<usize>) -> Vec<usize> {
        cells.filter(|&i| self.contents[i] == Content::Empty).collect()
    }

    /// Whether a five is left after each single opponent stone, once these cells
    /// are filled.
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

    /// The shape, and the cells where it grows.
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
        for (i, &one) in firsts.iter().enumerate() {
            for &other in &firsts[i + 1..] {
                let common = self.empty(other..one + 5);
                if common.len() != 4 - weight || !self.is_unstoppable(&common) {
                    continue;
                }
                if self.fouls && other - one != 1 {
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

/// The threat of an empty cell in a direction, if it is any.
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
        // A full board has no such cell.
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

/// The threats of an empty cell.
pub(super) fn threats(referee: &FiveReferee, cell: Cell, color: Color) -> Vec<LinearThreat> {
    DIRECTIONS.into_iter().filter_map(|dir| threat(referee, cell, dir, color)).collect()
}

/// The lines of a weight through an empty cell: direction and cells.
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

/// Threats that cross in a cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Fork {
    /// P31 and P32; two fours in one line are two.
    pub(super) fours: usize,
    /// P21.
    pub(super) threes: usize,
}

impl Fork {
    /// What crosses in a cell, be it a fork or not.
    pub(super) fn crossing(threats: &[LinearThreat]) -> Fork {
        let threes = threats.iter().filter(|threat| threat.shape == LinearShape::P(2, 1)).count();
        Fork { fours: threats.iter().map(|threat| threat.shape.fours()).sum(), threes }
    }

    /// The fork of a cell: two threats of P32 and P21. None where the stone
    /// makes a five, which ends the game.
    pub(super) fn of(threats: &[LinearThreat]) -> Option<Fork> {
        let fork = Fork::crossing(threats);
        let five = threats.iter().any(|threat| threat.shape == LinearShape::P(4, 2));
        (!five && fork.fours + fork.threes >= 2).then_some(fork)
    }

    /// Its kind.
    pub(super) fn name(self) -> &'static str {
        match (self.fours, self.threes) {
            (2.., _) => "four-four",
            (1, 2..) => "four-three-three",
            (1, _) => "four-three",
            _ => "three-three",
        }
    }

    /// Its threats in the paper's notation, the strongest first.
    pub(super) fn notation(threats: &[LinearThreat]) -> String {
        let part = |shape: LinearShape| shape.fours() > 0 || shape == LinearShape::P(2, 1);
        let mut shapes: Vec<LinearShape> =
            threats.iter().map(|threat| threat.shape).filter(|&shape| part(shape)).collect();
        shapes.sort_by_key(|shape| std::cmp::Reverse(shape.rank()));
        shapes.iter().map(|shape| shape.notation()).collect::<Vec<_>>().join("×")
    }
}

//! Why a stone is a foul, or is not although it looks like one: the definition (see
//! [`crate::rules::referee::fouls`]) with the stones and points on which it depends, to any
//! depth.

use crate::rules::Fouls;
use crate::rules::referee::fouls::{FoulRule, completes_five, is_straight_four};
use crate::rules::referee::grid::{AXES, Axis, Content, Grid, Point, PointBoard, Run};
use crate::types::{Cell, Color, DIRECTIONS, Direction};

/// The rows that a stone of a colour with fouls makes on an empty point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The colour.
    pub color: Color,
    /// The point.
    pub at: Cell,
    /// The fives. A stone that makes a five is not a foul, whatever else it makes, and nothing
    /// else is listed.
    pub fives: Vec<Row>,
    /// Rows of six and more, where they are fouls.
    pub overlines: Vec<Row>,
    /// The fours.
    pub fours: Vec<Four>,
    /// The rows that could become a straight four with the next stone, if there are two
    /// directions or more: a single three is not a foul and is not examined.
    pub threes: Vec<Three>,
    /// The kinds of foul that the colour has.
    pub kinds: Fouls,
    /// Whether a double three is excused here ([`crate::rules::Excuse`]): because of the fours
    /// if there are any, otherwise because the stone answers a four.
    pub excused: bool,
}

/// Stones in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Their direction.
    pub direction: Direction,
    /// The stones in order.
    pub stones: Vec<Cell>,
}

/// Four stones that one more stone completes to a five.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Four {
    /// The stones.
    pub row: Row,
    /// The points that complete the five: two if the four is straight.
    pub fives: Vec<Cell>,
}

/// Three stones that one more stone completes to a straight four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Three {
    /// The stones.
    pub row: Row,
    /// The points that complete the straight four, with what else a stone there makes.
    pub points: Vec<Explanation>,
}

impl Three {
    /// Whether it is a three by the rules: a straight four can really be made.
    pub fn is_real(&self) -> bool {
        self.points.iter().any(Explanation::makes_straight_four)
    }
}

impl Explanation {
    /// The fouls of the stone.
    pub fn fouls(&self) -> Fouls {
        if !self.fives.is_empty() {
            return Fouls::default();
        }
        Fouls {
            overline: !self.overlines.is_empty(),
            double_four: self.kinds.double_four && self.fours.len() >= 2,
            double_three: self.has_two_threes() && !self.excused,
        }
    }

    /// Whether the stone makes two threes, whether they are a foul or not.
    pub fn has_two_threes(&self) -> bool {
        self.threes.iter().filter(|three| three.is_real()).count() >= 2
    }

    /// Whether this stone may make a straight four: without a foul, and without a five at the
    /// same time.
    pub fn makes_straight_four(&self) -> bool {
        self.fives.is_empty() && !self.fouls().any()
    }

    /// Whether the stone is a foul, or would be one if the stones of its straight fours were not
    /// judged themselves.
    pub fn looks_forbidden(&self) -> bool {
        self.is_plain_foul() || self.threes.len() >= 2
    }

    /// Whether the stone is a foul regardless of its threes.
    pub fn is_plain_foul(&self) -> bool {
        !self.overlines.is_empty() || self.kinds.double_four && self.fours.len() >= 2
    }

    /// Number of stones that must be placed one after the other to judge this one, including
    /// itself.
    pub fn depth(&self) -> usize {
        let points = self.threes.iter().flat_map(|three| &three.points);
        let below = if self.is_plain_foul() { None } else { points.map(Explanation::depth).max() };
        1 + below.unwrap_or(0)
    }
}

/// The rows that a stone on the empty point `p` makes.
pub(super) fn explain(grid: &Grid, p: Point, rule: FoulRule) -> Explanation {
    let found = without_threes(grid, p, rule);
    if found.fives.is_empty() { with_threes(grid, p, rule, found) } else { found }
}

/// As [`explain`], for a stone that completes a three to a straight four. If a double three
/// would be excused there, the threes are left out.
fn explain_straight_four(grid: &Grid, q: Point, rule: FoulRule) -> Explanation {
    let found = without_threes(grid, q, rule);
    if found.excused { found } else { explain(grid, q, rule) }
}

/// The explanation of a stone without its threes: its fives, or its overlines and fours.
fn without_threes(grid: &Grid, p: Point, rule: FoulRule) -> Explanation {
    let placed = grid.with(p, rule.color);
    let axes = || AXES.into_iter().zip(DIRECTIONS);
    let rows = |fits: &dyn Fn(usize) -> bool| -> Vec<Row> {
        let row = |(axis, direction)| row(direction, &placed.run(p, axis, rule.color));
        axes().map(row).filter(|row| fits(row.stones.len())).collect()
    };
    let fives = rows(&|len| rule.is_five(len));
    let mut found = Explanation {
        color: rule.color,
        at: p.into(),
        fives,
        overlines: Vec::new(),
        fours: Vec::new(),
        threes: Vec::new(),
        kinds: rule.kinds,
        excused: false,
    };
    if found.fives.is_empty() {
        if rule.kinds.overline {
            found.overlines = rows(&|len| len > 5);
        }
        let fours = |(axis, direction)| fours(&placed, p, axis, direction, rule);
        found.fours = axes().flat_map(fours).collect();
        found.excused = rule.excuses(grid, p, found.fours.len());
    }
    found
}

/// Adds the threes to the explanation of a stone.
fn with_threes(grid: &Grid, p: Point, rule: FoulRule, mut found: Explanation) -> Explanation {
    let placed = grid.with(p, rule.color);
    let axes = AXES.into_iter().zip(DIRECTIONS);
    let is_four = |direction| found.fours.iter().any(|four| four.row.direction == direction);
    let open = axes.filter(|&(_, direction)| !is_four(direction));
    let open = open.filter_map(|(axis, direction)| {
        let points = straight_four_points(&placed, p, axis, rule);
        Some((axis, direction, *points.first()?, points))
    });
    let open: Vec<_> = open.collect();
    if open.len() >= 2 {
        let three = |(axis, direction, first, points): (Axis, Direction, Point, Vec<Point>)| {
            let four = placed.with(first, rule.color).run(first, axis, rule.color);
            let points =
                points.into_iter().map(|q| explain_straight_four(&placed, q, rule)).collect();
            Three { row: without(row(direction, &four), first), points }
        };
        found.threes = open.into_iter().map(three).collect();
    }
    found
}

/// The fours that the stone on `p` makes along an axis.
fn fours(placed: &Grid, p: Point, axis: Axis, direction: Direction, rule: FoulRule) -> Vec<Four> {
    let run = placed.run(p, axis, rule.color);
    if is_straight_four(placed, p, axis, rule) {
        return vec![Four { row: row(direction, &run), fives: run.ends.map(Cell::from).into() }];
    }
    let four = |&end: &Point| {
        let five = placed.with(end, rule.color).run(end, axis, rule.color);
        Four { row: without(row(direction, &five), end), fives: vec![end.into()] }
    };
    run.ends.iter().filter(|&&end| completes_five(placed, end, axis, rule)).map(four).collect()
}

/// The points next to the row of `p` where one more stone makes a straight four along an axis.
fn straight_four_points(placed: &Grid, p: Point, axis: Axis, rule: FoulRule) -> Vec<Point> {
    let ends = placed.run(p, axis, rule.color).ends;
    let makes = |&q: &Point| {
        placed.at(q) == Content::Empty
            && is_straight_four(&placed.with(q, rule.color), q, axis, rule)
    };
    ends.into_iter().filter(makes).collect()
}

fn row(direction: Direction, run: &Run) -> Row {
    Row { direction, stones: run.stones.iter().map(|&p| p.into()).collect() }
}

fn without(mut row: Row, p: Point) -> Row {
    row.stones.retain(|&cell| cell != Cell::from(p));
    row
}

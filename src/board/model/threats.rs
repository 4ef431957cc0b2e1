//! Threats found without a search: what a stone of either side would make.

use crate::schema::{Threat, ThreatKind};
use goren_core::rules::{Rule, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, Stone};
use goren_engine::board::Board;
use goren_engine::pattern::{Class, LineClass};

/// Returns the points where a stone of a colour would make an open three or more, by the line
/// classes of the engine. Forbidden points are left out.
pub(super) fn threats(setup: Setup, stones: &[(Cell, Stone)]) -> Vec<Threat> {
    with_rule(setup.rule, Finder { setup, stones })
}

struct Finder<'a> {
    setup: Setup,
    stones: &'a [(Cell, Stone)],
}

impl Visitor for Finder<'_> {
    type Out = Vec<Threat>;

    fn visit<R: Rule>(self) -> Vec<Threat> {
        let mut board = Board::<R>::new(self.setup);
        for &(cell, stone) in self.stones {
            match stone {
                Stone::Of(color) => board.make(cell, color),
                Stone::Wall => board.make_wall(cell),
            }
        }
        let board = &board;
        let of = |color: Color| {
            let threat = move |cell: Cell| {
                let kind = kind(board, color, cell)?;
                Some(Threat { cell, color, kind })
            };
            board.empty().iter().filter_map(threat)
        };
        Color::ALL.into_iter().flat_map(of).collect()
    }
}

/// Returns what a stone of a colour on an empty cell would make; `None` for less than an open
/// three, and for a foul.
fn kind<R: Rule>(board: &Board<R>, color: Color, cell: Cell) -> Option<ThreatKind> {
    let class = board.class(color, cell);
    if class == Class::Five {
        return Some(ThreatKind::Five);
    }
    if class < Class::Three || board.is_forbidden(color, cell) {
        return None;
    }
    let line = |dir: Direction| board.cell(cell).line(dir, color);
    let fours = |dir: Direction| match line(dir) {
        LineClass::Four => 1,
        LineClass::OpenFour | LineClass::DoubleFour => 2,
        _ => 0,
    };
    // The class includes false threes, which fouls keep from becoming an open four.
    let is_three = |dir: &Direction| {
        line(*dir).is_open_three()
            && (!R::has_fouls(color) || board.real_three(color, cell, *dir, &[(color, cell)]))
    };
    let threes = DIRECTIONS.into_iter().filter(is_three).count();
    match (DIRECTIONS.into_iter().map(fours).sum::<usize>(), threes) {
        (2.., _) => Some(ThreatKind::OpenFour),
        (1, 1..) => Some(ThreatKind::FourThree),
        (1, 0) => Some(ThreatKind::Four),
        (0, 2..) => Some(ThreatKind::DoubleThree),
        (0, 1) => Some(ThreatKind::OpenThree),
        (0, 0) => None,
    }
}

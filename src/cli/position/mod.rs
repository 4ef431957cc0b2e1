//! Positions and games as people hand them over: moves, boards, SGF, psq and
//! our own JSON Lines, from the command line, a file or standard input.

mod set_up;
mod source;
#[cfg(test)]
mod tests;

use goren_core::opening::{Act, Event};
use goren_core::rules::referee::{Reason, Truth};
use goren_core::rules::{Contest, Fouls, FourInARow, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_engine::search::Scene;

use super::forms::Typed;
pub(super) use source::{Game, Source, color};

/// A stone on the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    /// Where.
    pub(super) cell: Cell,
    /// Whose.
    pub(super) color: Color,
    /// The how manyth stone of the game it is, from 1, if that is known.
    pub(super) number: Option<usize>,
}

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    /// Who won; `None` for a draw.
    pub(super) winner: Option<Color>,
    /// Why.
    pub(super) reason: Reason,
}

/// A position to be looked at.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The game and the board.
    pub(super) contest: Contest,
    /// What the search is told.
    pub(super) scene: Scene,
    /// The stones on the board, in order of cells.
    pub(super) stones: Vec<Placed>,
    /// The stones of the newest ply.
    pub(super) last: Vec<Cell>,
    /// The stones of the game so far, in order, those captured since included;
    /// `None` if the position was set up.
    pub(super) history: Option<Vec<Cell>>,
    /// How the game ended, if it has.
    pub(super) ending: Option<Ending>,
    truth: Box<dyn Truth>,
}

impl Position {
    /// The position of a game.
    pub(super) fn typed(typed: &Typed) -> Position {
        let Typed { course, placed } = typed;
        let contest = *course.contest();
        let to_move = course.to_move();
        let scene = Scene::of(course, placed, to_move, typed.left());
        let mut truth = course.truth().copy();
        for &cell in placed {
            // They were checked when they were read.
            let _ = truth.place(to_move, cell);
        }
        let history: Vec<Cell> = scene.events.iter().filter_map(stone_of).collect();
        let last = match &placed[..] {
            [] => course.acts().last().map_or(Vec::new(), stones_of),
            placed => placed.to_vec(),
        };
        let ending = course.result().map(|result| {
            let winner = if result.is_draw() { None } else { result.colors.first().copied() };
            Ending { winner, reason: result.reason }
        });
        let mut position = Position {
            contest,
            scene,
            stones: Vec::new(),
            last,
            history: Some(history),
            ending,
            truth,
        };
        position.stones = position.standing();
        position
    }

    /// The stones on the board with their numbers.
    fn standing(&self) -> Vec<Placed> {
        // Lines that are cleared move what lies above them.
        let moves =
            matches!(self.contest.variant, Variant::FourInARow(FourInARow { clear: true, .. }));
        let history = self.history.as_deref().filter(|_| !moves);
        let number = |cell: Cell| Some(history?.iter().rposition(|&at| at == cell)? + 1);
        let stone = |cell: Cell| match self.truth.stone(cell) {
            Some(Stone::Of(color)) => Some(Placed { cell, color, number: number(cell) }),
            _ => None,
        };
        self.cells().filter_map(stone).collect()
    }

    /// All cells of the board, in order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Contest { width, height, .. } = self.contest;
        (0..width * height).map(move |i| Cell::new(i % width, i / width))
    }

    /// Black's forbidden points and what a stone there would be.
    pub(super) fn fouls(&self) -> Vec<(Cell, Fouls)> {
        let foul = |cell| Some((cell, self.truth.fouls(cell))).filter(|(_, fouls)| fouls.any());
        if self.ending.is_some() { Vec::new() } else { self.cells().filter_map(foul).collect() }
    }

    /// Stones that Black and White have captured.
    pub(super) fn captured(&self) -> [usize; 2] {
        self.truth.captured()
    }

    /// Who is to move.
    pub(super) fn to_move(&self) -> Color {
        self.scene.to_move
    }

    /// The name of a point.
    pub(super) fn label(&self, cell: Cell) -> String {
        cell.label(self.contest.height)
    }

    /// A line of stones in turns: stones of one turn joined by commas.
    pub(super) fn turns(&self, line: &[Cell]) -> Vec<String> {
        turns(&self.contest, self.scene.stones, line)
    }
}

/// A line of stones, the first `left` of them of the same turn, as turns whose
/// stones are joined by commas.
pub(super) fn turns(contest: &Contest, left: usize, line: &[Cell]) -> Vec<String> {
    let pairs = matches!(contest.variant, Variant::Connect6(_));
    let (first, rest) = line.split_at(left.clamp(1, 2).min(line.len()));
    let chunks = std::iter::once(first).chain(rest.chunks(if pairs { 2 } else { 1 }));
    let text = |turn: &[Cell]| {
        turn.iter().map(|cell| cell.label(contest.height)).collect::<Vec<_>>().join(",")
    };
    chunks.filter(|turn| !turn.is_empty()).map(text).collect()
}

/// The cells on which a ply places stones, in order.
pub(super) fn stones_of(act: &Act) -> Vec<Cell> {
    match act {
        Act::Stones { cells, .. } => cells.clone(),
        Act::Choose { fifth, sixth } => vec![*fifth, *sixth],
        Act::Swap | Act::Pass | Act::Offer(_) => Vec::new(),
    }
}

fn stone_of(event: &Event) -> Option<Cell> {
    match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    }
}

/// Black or White.
pub(super) fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// How a game ended, in words.
pub(super) fn ending_words(ending: Ending) -> String {
    let reason = match ending.reason {
        Reason::Line => "by a line",
        Reason::Foul => "by a foul of Black",
        Reason::Overline => "by an overline of Black",
        Reason::Captures => "by captures",
        Reason::LineAndCaptures => "by a line and captures",
        Reason::TwoPasses => "as both passed",
        Reason::Full => "as the board is full",
        Reason::NoMoves => "as no move is left",
        Reason::Repetition => "as the position came again",
    };
    match ending.winner {
        Some(color) => format!("{} has won {reason}", name(color)),
        None => format!("drawn {reason}"),
    }
}

/// The kinds of a foul, in the names of the field.
pub(super) fn foul_names(fouls: Fouls) -> Vec<&'static str> {
    let Fouls { overline, double_four, double_three } = fouls;
    let kinds =
        [(overline, "overline"), (double_four, "double four"), (double_three, "double three")];
    kinds.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
}

//! A position to analyse: its stones, the root position for the search, and the
//! end of the game.

use anyhow::Result;

use goren_core::opening::{Action, Event, GameState};
use goren_core::rules::referee::{IllegalMove, PlyEnd, Reason, Referee};
use goren_core::rules::{Contest, Fouls};
use goren_core::types::{Cell, Color, Stone};
use goren_engine::RootPosition;
use goren_notation::lettering::Lettering;
use goren_notation::pending_decision_text;
use goren_notation::plies::turns;
use goren_notation::point;
use goren_notation::turn::{TurnError, in_column};

use crate::forms::Typed;

/// A stone on the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlacedStone {
    /// Its point.
    pub(crate) cell: Cell,
    /// Its colour.
    pub(crate) color: Color,
    /// Number of the stone in the game, from 1, if known.
    pub(crate) number: Option<usize>,
}

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PositionEnding {
    /// Who won; `None` for a draw.
    pub(crate) winner: Option<Color>,
    /// The reason of the end.
    pub(crate) reason: Reason,
}

/// A point where a colour would commit a foul.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct ForbiddenPoint {
    /// Its point.
    pub(crate) cell: Cell,
    /// The colour that may not play there.
    pub(crate) color: Color,
    /// What a stone there would be.
    pub(crate) kinds: Fouls,
}

/// A position to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct GivenPosition {
    /// The game and the board.
    pub(crate) contest: Contest,
    /// What the search is told.
    pub(crate) root: RootPosition,
    /// The stones on the board, in order of cells.
    pub(crate) stones: Vec<PlacedStone>,
    /// The stones of the newest ply.
    pub(crate) last: Vec<Cell>,
    /// The stones of the game so far, in order, those captured since included;
    /// `None` if the position was set up.
    pub(crate) history: Option<Vec<Cell>>,
    /// How the game ended, if it has.
    pub(crate) ending: Option<PositionEnding>,
    /// What the opening asks for, where that is no plain move of the side to move.
    pub(crate) due: Option<String>,
    pub(super) referee: Box<dyn Referee>,
}

impl GivenPosition {
    /// The position of a game.
    pub(crate) fn typed(typed: &Typed) -> GivenPosition {
        GivenPosition::of(&typed.game_state, &typed.placed, typed.left())
    }

    /// The position of a game with `placed` stones of the turn that is due, and `left`
    /// still to come.
    pub(super) fn of(game_state: &GameState, placed: &[Cell], left: usize) -> GivenPosition {
        let contest = *game_state.contest();
        let to_move = game_state.to_move();
        let root = RootPosition::of(game_state, placed, to_move, left);
        let mut referee = game_state.referee().copy();
        for &cell in placed {
            // They were checked when they were read.
            let _ = referee.place(to_move, cell);
        }
        let history: Vec<Cell> = root.events.iter().filter_map(stone_of).collect();
        let last = match placed {
            [] => game_state.actions().last().map_or(Vec::new(), Action::placed),
            placed => placed.to_vec(),
        };
        let ending = game_state.result().map(|result| {
            let winner = if result.is_draw() { None } else { result.colors.first().copied() };
            PositionEnding { winner, reason: result.reason }
        });
        let ending = ending.or_else(|| ending_within_turn(game_state, placed, &*referee));
        let lettering = Lettering::of((contest.width, contest.height));
        let mut position = GivenPosition {
            contest,
            root,
            stones: Vec::new(),
            last,
            history: Some(history),
            ending,
            due: pending_decision_text::stage(game_state, lettering),
            referee,
        };
        position.stones = position.standing();
        position
    }

    /// The stones on the board with their numbers.
    pub(super) fn standing(&self) -> Vec<PlacedStone> {
        // Lines that are cleared move what lies above them.
        let variant = self.contest.variant;
        let moves = variant.falls() && variant.takes_stones();
        let history = self.history.as_deref().filter(|_| !moves);
        let number = |cell: Cell| Some(history?.iter().rposition(|&at| at == cell)? + 1);
        let stone = |cell: Cell| match self.referee.stone(cell) {
            Some(Stone::Of(color)) => Some(PlacedStone { cell, color, number: number(cell) }),
            _ => None,
        };
        self.cells().filter_map(stone).collect()
    }

    /// All cells of the board, in order.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Contest { width, height, .. } = self.contest;
        (0..width * height).map(move |i| Cell::new(i % width, i / width))
    }

    /// The forbidden points of both colours, Black's first.
    pub(crate) fn forbidden(&self) -> Vec<ForbiddenPoint> {
        if self.ending.is_some() {
            return Vec::new();
        }
        let all = Color::ALL.into_iter().flat_map(|color| {
            self.cells().map(move |cell| ForbiddenPoint {
                cell,
                color,
                kinds: self.referee.fouls(color, cell),
            })
        });
        all.filter(|point| point.kinds.any()).collect()
    }

    /// The colour whose forbidden points are marked on a board: that of the side to
    /// move, unless the other alone has fouls.
    pub(crate) fn marked_color(&self) -> Color {
        let to_move = self.to_move();
        if self.contest.variant.fouls(to_move).any() { to_move } else { !to_move }
    }

    /// Whether the rules let a colour place stones, each legal alone, in one turn, together with
    /// those that it has placed in it. The turn before that of the side not to move is not
    /// known yet, and may be any.
    pub(crate) fn fits_turn(&self, color: Color, stones: &[Cell]) -> bool {
        let moves = color == self.to_move();
        let begun = moves && self.root.placed > 0;
        let placed: &[Cell] = if begun { &self.last } else { &[] };
        match self.referee.check_turn(&[placed, stones].concat()) {
            Err(IllegalMove::ApartFromLastTurn) => !moves,
            checked => checked.is_ok(),
        }
    }

    /// Stones that Black and White have captured.
    pub(crate) fn captured(&self) -> [usize; 2] {
        self.referee.captured()
    }

    /// Who is to move.
    pub(crate) fn to_move(&self) -> Color {
        self.root.to_move
    }

    /// The name of a point.
    pub(crate) fn label(&self, cell: Cell) -> String {
        cell.label(self.contest.height)
    }

    /// The point of a text. Where pieces fall a column alone is the point at which the next
    /// piece of the side to move comes to rest in it.
    ///
    /// # Errors
    /// The text is no point of the board, or the column does not tell one.
    pub(crate) fn point(&self, text: &str) -> Result<Cell> {
        let Contest { variant, width, height, .. } = self.contest;
        let mut signs = text.chars();
        let column = match (signs.next(), signs.next()) {
            (Some(letter @ ('a'..='z' | 'A'..='Z')), None) if variant.falls() => {
                self.lettering().column(letter)
            }
            _ => None,
        };
        match column {
            Some(x) if x < width => Ok(in_column(&*self.referee, height, x, self.to_move())?),
            Some(_) => Err(TurnError::OutsideColumn.into()),
            None => point::cell(text, (width, height)),
        }
    }

    /// The names of points.
    pub(crate) fn lettering(&self) -> Lettering {
        Lettering::of((self.contest.width, self.contest.height))
    }

    /// A line of stones in turns: stones of one turn joined by commas.
    pub(crate) fn turns(&self, line: &[Cell]) -> Vec<String> {
        turns(&self.contest, self.root.stones_to_place, line)
    }
}

/// How the stones `placed` of a turn that is not over have ended a game: a line wins, whatever
/// stones are still to come. They stand on the board of the referee.
fn ending_within_turn(
    game_state: &GameState,
    placed: &[Cell],
    referee: &dyn Referee,
) -> Option<PositionEnding> {
    if placed.is_empty() {
        return None;
    }
    let mover = game_state.to_move();
    let ply = PlyEnd { mover, to_move: mover, seat: game_state.seat().index() };
    // A copy: the turn goes on where nobody has won.
    let end = referee.copy().end_ply(ply).filter(|end| !end.lines.is_empty())?;
    Some(PositionEnding { winner: end.winners.first().copied(), reason: end.reason })
}

fn stone_of(event: &Event) -> Option<Cell> {
    match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    }
}

//! A position to analyse: its stones, the root position of the search, and the end of the
//! game.

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
    /// Point of the stone.
    pub(crate) cell: Cell,
    /// Colour of the stone.
    pub(crate) color: Color,
    /// Number of the stone in the game, from 1, if known.
    pub(crate) number: Option<usize>,
}

/// End of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PositionEnding {
    /// Winner; `None` for a draw.
    pub(crate) winner: Option<Color>,
    /// Reason of the end.
    pub(crate) reason: Reason,
}

/// A point where a colour would commit a foul.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct ForbiddenPoint {
    /// The point.
    pub(crate) cell: Cell,
    /// The colour that may not play there.
    pub(crate) color: Color,
    /// Kinds of foul.
    pub(crate) kinds: Fouls,
}

/// A position given by the user.
#[derive(Clone, Debug)]
pub(crate) struct GivenPosition {
    /// The game and the board.
    pub(crate) contest: Contest,
    /// Root position of the search.
    pub(crate) root: RootPosition,
    /// The stones on the board, in order of cells.
    pub(crate) stones: Vec<PlacedStone>,
    /// The stones of the newest ply.
    pub(crate) last: Vec<Cell>,
    /// The stones of the game so far, in order, including those captured since; `None` if the
    /// position was set up.
    pub(crate) history: Option<Vec<Cell>>,
    /// End of the game, if it is over.
    pub(crate) ending: Option<PositionEnding>,
    /// The decision that the opening asks for, if it is not a plain move of the side to move.
    pub(crate) due: Option<String>,
    pub(super) referee: Box<dyn Referee>,
}

impl GivenPosition {
    /// Returns the position of a game.
    pub(crate) fn typed(typed: &Typed) -> GivenPosition {
        GivenPosition::of(&typed.game_state, &typed.placed, typed.left())
    }

    /// Returns the position of a game with the stones `placed` of an unfinished turn and
    /// `left` stones still to place.
    pub(super) fn of(game_state: &GameState, placed: &[Cell], left: usize) -> GivenPosition {
        let contest = *game_state.contest();
        let to_move = game_state.to_move();
        let root = RootPosition::of(game_state, placed, to_move, left);
        let mut referee = game_state.referee().copy();
        for &cell in placed {
            // Cannot fail: the stones were checked when they were read.
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
        position.stones = position.stones_on_board();
        position
    }

    /// Returns the stones on the board with their numbers.
    pub(super) fn stones_on_board(&self) -> Vec<PlacedStone> {
        // Clearing a line moves the stones above it.
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

    /// Returns all cells of the board, in order.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let Contest { width, height, .. } = self.contest;
        (0..width * height).map(move |i| Cell::new(i % width, i / width))
    }

    /// Returns the forbidden points of both colours, Black's first.
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

    /// Returns the colour whose forbidden points are marked on a board: the side to move,
    /// unless only the other side has fouls.
    pub(crate) fn marked_color(&self) -> Color {
        let to_move = self.to_move();
        if self.contest.variant.fouls(to_move).any() { to_move } else { !to_move }
    }

    /// Whether the rules let a colour place stones, each of them legal by itself, in one turn
    /// together with the stones that it has already placed in this turn. For the side not to
    /// move the previous turn is unknown, so any is assumed.
    pub(crate) fn fits_turn(&self, color: Color, stones: &[Cell]) -> bool {
        let is_to_move = color == self.to_move();
        let has_begun = is_to_move && self.root.placed > 0;
        let placed: &[Cell] = if has_begun { &self.last } else { &[] };
        match self.referee.check_turn(&[placed, stones].concat()) {
            Err(IllegalMove::ApartFromLastTurn) => !is_to_move,
            checked => checked.is_ok(),
        }
    }

    /// Number of stones that Black and White have captured.
    pub(crate) fn captured(&self) -> [usize; 2] {
        self.referee.captured()
    }

    /// Side to move.
    pub(crate) fn to_move(&self) -> Color {
        self.root.to_move
    }

    /// Returns the name of a point.
    pub(crate) fn label(&self, cell: Cell) -> String {
        cell.label(self.contest.height)
    }

    /// Parses a point. Where pieces fall, a column means the point where the next piece of the
    /// side to move lands.
    ///
    /// # Errors
    /// The text is no point of the board, or the column determines none.
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

    /// Returns the lettering of the board.
    pub(crate) fn lettering(&self) -> Lettering {
        Lettering::of((self.contest.width, self.contest.height))
    }

    /// Formats a line by turns: the stones of a turn are joined by commas.
    pub(crate) fn turns(&self, line: &[Cell]) -> Vec<String> {
        turns(&self.contest, self.root.stones_to_place, line)
    }
}

/// Returns the end of a game by the stones `placed` of an unfinished turn: a line wins,
/// whatever stones are still to come. The board of the referee has these stones.
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
    // A copy, as the turn goes on if nobody has won.
    let end = referee.copy().end_ply(ply).filter(|end| !end.lines.is_empty())?;
    Some(PositionEnding { winner: end.winners.first().copied(), reason: end.reason })
}

fn stone_of(event: &Event) -> Option<Cell> {
    match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    }
}

//! Plies as Abstract Play and the rule vectors write them: points separated by commas, followed
//! by the declared number if there is one; or the word `pass`, which swaps if a swap is on offer.
//! If the order of stones does not matter, only one order is allowed.

use super::action::{Action, IllegalAction};
use super::game_state::GameState;
use super::pending_decision::Choice;
use crate::rules::referee::IllegalMove;
use crate::types::{Cell, Move, read_point};

/// The reason why a text is not a ply of a game in progress.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    /// The text is empty.
    #[error("the text is empty")]
    Empty,
    /// Not a list of points.
    #[error("{0:?} is not a ply; write points such as h8, with commas between several")]
    Unreadable(String),
    /// Stones in another order than the one allowed.
    #[error("stones whose order does not matter must be sorted by column, then by row")]
    Order,
    /// The ply is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}

/// Reads a ply of the seat to act. Only its form is checked; whether it is legal is decided
/// by [`GameState::apply`].
///
/// # Errors
/// The text is not a ply or has its stones in the wrong order, or the game is over.
pub fn read(game_state: &GameState, text: &str) -> Result<Action, TextError> {
    let pending =
        game_state.pending_decision().ok_or(IllegalAction::from(IllegalMove::GameOver))?;
    let plain = text.replace(char::is_whitespace, "").to_ascii_lowercase();
    if plain.is_empty() {
        return Err(TextError::Empty);
    }
    if plain == "pass" {
        return Ok(if pending.swap { Action::Swap } else { Action::Pass });
    }
    let unreadable = || TextError::Unreadable(text.to_owned());
    let mut parts: Vec<&str> = plain.split(',').collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let count = match parts.last().filter(|part| digits(part)) {
        Some(part) if part.len() > 1 && part.starts_with('0') => return Err(unreadable()),
        Some(part) => Some(part.parse().map_err(|_| unreadable())?),
        None => None,
    };
    if count.is_some() {
        parts.pop();
    }
    if parts.is_empty() {
        return Err(unreadable());
    }
    let mut cells = Vec::new();
    for part in parts {
        let (x, row) = read_point(part).ok_or_else(unreadable)?;
        let height = game_state.contest().height;
        let on_board = x < game_state.contest().width && (1..=height).contains(&row);
        cells.push(if on_board { Cell::new(x, height - row) } else { Move::NONE.cell() });
    }
    let action = action_of(game_state, cells, count);
    if in_order(game_state, &action) { Ok(action) } else { Err(TextError::Order) }
}

/// The action that points and an optional number mean in a game state.
pub fn action_of(game_state: &GameState, cells: Vec<Cell>, count: Option<usize>) -> Action {
    let choices = game_state.pending_decision().map_or(Vec::new(), |pending| pending.choices);
    let offer = choices.iter().any(|choice| matches!(choice, Choice::Offer { .. }));
    let single = choices.iter().any(|choice| matches!(choice, Choice::Stones { .. }));
    match cells[..] {
        _ if offer && count.is_none() && (cells.len() > 1 || !single) => Action::Offer(cells),
        [fifth, sixth] if count.is_none() && choices.contains(&Choice::Choose) => {
            Action::Choose { fifth, sixth }
        }
        _ => Action::Stones { cells, count },
    }
}

/// Writes a legal ply of the seat to act.
pub fn write(game_state: &GameState, action: &Action) -> String {
    let height = game_state.contest().height;
    let points = |cells: &[Cell]| {
        let names: Vec<String> = cells.iter().map(|c| c.label(height)).collect();
        names.join(",")
    };
    match canonical(game_state, action.clone()) {
        Action::Swap | Action::Pass => "pass".to_owned(),
        Action::Offer(cells) | Action::Stones { cells, count: None } => points(&cells),
        Action::Choose { fifth, sixth } => points(&[fifth, sixth]),
        Action::Stones { cells, count: Some(count) } => format!("{},{count}", points(&cells)),
    }
}

/// A legal ply with its stones in the one order that is read and written, so that equivalent
/// plies are equal.
#[must_use]
pub fn canonical(game_state: &GameState, mut action: Action) -> Action {
    if !in_order(game_state, &action) {
        match &mut action {
            Action::Offer(cells) => cells.sort_by_key(|&cell| key(cell)),
            Action::Stones { cells, .. } => {
                let last = cells.len() - 1;
                cells.swap(0, last);
            }
            Action::Swap | Action::Pass | Action::Choose { .. } => {}
        }
    }
    action
}

/// The sort key of points: by column, then by row from the bottom.
fn key(cell: Cell) -> (usize, std::cmp::Reverse<usize>) {
    (cell.x(), std::cmp::Reverse(cell.y()))
}

/// Whether interchangeable stones are in the allowed order.
fn in_order(game_state: &GameState, action: &Action) -> bool {
    let before = |a: Cell, b: Cell| key(a) <= key(b);
    match action {
        Action::Offer(cells) => cells.is_sorted_by_key(|&cell| key(cell)),
        Action::Stones { cells, .. } => match cells[..] {
            // Black, White, Black, unless the first must be in the centre.
            [a, b, c] if game_state.actions().is_empty() && swaps_freely(game_state) => {
                before(a, c) || !playable(game_state, [c, b, a])
            }
            [a, b] if game_state.contest().variant.turn() == 2 => {
                let follows = |cell| game_state.referee().check_first(cell);
                match (follows(a), follows(b)) {
                    (true, false) => true,
                    (false, true) => false,
                    _ => before(a, b),
                }
            }
            _ => true,
        },
        Action::Swap | Action::Pass | Action::Choose { .. } => true,
    }
}

/// Whether the first ply is three stones anywhere.
fn swaps_freely(game_state: &GameState) -> bool {
    let first =
        game_state.pending_decision().and_then(|pending| pending.choices.into_iter().next());
    matches!(first, Some(Choice::Stones { colors, .. }) if colors.len() == 3)
}

/// Whether three stones could also be placed in this order.
fn playable(game_state: &GameState, cells: [Cell; 3]) -> bool {
    game_state.clone().apply(&Action::stones(&cells)).is_ok()
}

//! Games as plies in their own notation, as in `PLIES`, in opening files and in
//! JSON Lines.

use anyhow::{Result, anyhow};

use crate::lettering::Lettering;
use crate::turn::{Turn, TurnError, read};
use goren_core::opening::{self, Action, GameState, IllegalAction};
use goren_core::rules::Contest;
use goren_core::types::Cell;

/// The texts of the plies of a game from its beginning, up to the first illegal
/// one.
pub fn texts(contest: &Contest, actions: &[Action]) -> Vec<String> {
    let mut game_state = GameState::new(*contest);
    let text = |action: &Action| {
        let before = game_state.clone();
        game_state.apply(action).ok().map(|()| opening::write(&before, action))
    };
    actions.iter().map_while(text).collect()
}

/// Splits a line of stones, the first `left` of which belong to the same turn, into
/// turns whose stones are joined by commas.
pub fn turns(contest: &Contest, left: usize, line: &[Cell]) -> Vec<String> {
    let (first, rest) = line.split_at(left.clamp(1, 2).min(line.len()));
    let chunks = std::iter::once(first).chain(rest.chunks(contest.variant.turn()));
    let text = |turn: &[Cell]| {
        turn.iter().map(|cell| cell.label(contest.height)).collect::<Vec<_>>().join(",")
    };
    chunks.filter(|turn| !turn.is_empty()).map(text).collect()
}

/// Plays a ply.
///
/// # Errors
/// The ply cannot be read or is illegal.
pub fn play(game_state: &mut GameState, text: &str) -> Result<(), TurnError> {
    let contest = game_state.contest();
    let lettering = Lettering::of((contest.width, contest.height));
    match read(game_state, &[], text, lettering)? {
        Turn::Whole(action) => Ok(game_state.apply(&action)?),
        Turn::Part(_) => Err(IllegalAction::TooFew.into()),
    }
}

/// The game after some plies.
///
/// # Errors
/// A ply cannot be read or is illegal; the error names it.
pub fn game<'a>(contest: &Contest, texts: impl IntoIterator<Item = &'a str>) -> Result<GameState> {
    let mut game_state = GameState::new(*contest);
    play_all(&mut game_state, texts)?;
    Ok(game_state)
}

/// Plays some plies, up to the first illegal one.
///
/// # Errors
/// A ply cannot be read or is illegal; the error names it.
pub fn play_all<'a>(
    game_state: &mut GameState,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<()> {
    for (number, text) in (1..).zip(texts) {
        // The message contains that of the cause, so the cause is not attached too.
        play(game_state, text).map_err(|error| anyhow!("ply {number} ({text}): {error}"))?;
    }
    Ok(())
}

/// The stones of plies, one by one.
pub fn stones<'a>(actions: impl IntoIterator<Item = &'a Action>) -> Vec<Cell> {
    let cells = |action: &'a Action| match action {
        Action::Stones { cells, .. } => &cells[..],
        _ => &[],
    };
    actions.into_iter().flat_map(cells).copied().collect()
}

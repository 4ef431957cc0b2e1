//! Plies as texts.

use goren_core::opening::{GameState, read, write};
use goren_core::rules::{Contest, OpeningId, Variant};

use super::choice_and_text;

/// A game on its usual board, chosen by two bytes.
fn contest(choice: usize, more: usize) -> Contest {
    let all = Variant::all();
    let variant = all[choice % all.len()];
    let opening = OpeningId::ALL[more % OpeningId::ALL.len()];
    let contest = Contest::new(variant);
    contest.opened(opening).unwrap_or(contest)
}

/// Plies of any game and opening: legal ones are written and read back without
/// change.
pub fn plies(input: &[u8]) -> bool {
    let (&opening, input) = input.split_first().unwrap_or((&0, &[]));
    let (choice, text) = choice_and_text(input);
    let mut game_state = GameState::new(contest(choice, opening.into()));
    for text in text.split(['\n', ' ', ';']) {
        let Ok(action) = read(&game_state, text) else { continue };
        let before = game_state.clone();
        if game_state.apply(&action).is_err() {
            assert_eq!(game_state.actions(), before.actions());
            continue;
        }
        let again = read(&before, &write(&before, &action));
        assert_eq!(again.as_ref(), Ok(&action), "{text:?}");
    }
    let plies = game_state.actions().len();
    game_state.take_back(plies);
    assert!(game_state.stones().is_empty() && game_state.result().is_none());
    plies > 0
}

//! Games that begin with a position.

use super::{PlayOptions, play_from};
use goren_core::opening::GameState;
use goren_core::record::import::{ImportedEvent, ImportedGame};
use goren_core::rules::{Contest, OpeningId, Outcome, RuleId, Variant};
use goren_core::types::{Cell, Color, Stone};

#[test]
fn events_are_played_from_a_position() {
    use Color::{Black, White};
    let contest = Contest::new(Variant::Five(RuleId::Freestyle)).opened(OpeningId::Free).unwrap();
    let at = Cell::new;
    let stones = [(at(7, 7), Stone::Of(Black)), (at(8, 8), Stone::Of(Black))];
    let beginning = GameState::from_list(contest, &stones, White).unwrap();
    let event = |(cell, color)| ImportedEvent::Stone(cell, Some(color));
    let played = |events: &[(Cell, Color)]| {
        let game = ImportedGame {
            events: events.iter().copied().map(event).collect(),
            players: ["a", "b"].map(String::from),
            result: Some(Outcome::Win(White)),
            ..ImportedGame::default()
        };
        play_from(game, beginning.clone(), &PlayOptions::default())
    };
    let game = played(&[(at(6, 6), White), (at(9, 9), Black)]).unwrap();
    let game_state = &game.typed.game_state;
    assert_eq!((game_state.stones().len(), game_state.actions().len()), (4, 2));
    assert_eq!(game_state.setup_stones(), beginning.setup_stones());
    // White moves first, and is not called Black for that.
    assert_eq!(
        (game.players, game.result),
        (["a", "b"].map(String::from), Some(Outcome::Win(White)))
    );
    // Occupied points and stones out of turn are refused.
    for (cell, color, why) in [(at(7, 7), White, "occupied"), (at(6, 6), Black, "other colour")] {
        let refusal = played(&[(cell, color)]).err().unwrap().to_string();
        assert!(refusal.contains(why), "{refusal}");
    }
}

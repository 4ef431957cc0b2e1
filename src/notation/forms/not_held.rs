//! Parts of a game that a form of files cannot hold.

use crate::words::count;
use goren_core::record::import::{ImportedEvent, ImportedGame, MoveStats};
use goren_core::rules::OpeningId;

/// A form that cannot hold every part of a game. SGF and our own JSON Lines hold all parts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LossyForm {
    /// Game file of Piskvork.
    Psq,
    /// Moves as text.
    Moves,
    /// Library of RenLib.
    Library,
}

/// Parts of a game that a form does not hold, in words such as `the opening (swap-2)`, which
/// includes its offers and declared numbers. Facts that follow from the moves are not lost:
/// the caller removes result and reason from `game` if the moves end it.
pub fn not_held(game: &ImportedGame, form: LossyForm) -> Vec<String> {
    use LossyForm::{Library, Moves, Psq};
    let mut parts = Vec::new();
    let mut add = |is_lost: bool, text: String| parts.extend(is_lost.then_some(text));
    let moves = game.move_stats.iter().filter(|stats| loses(form, stats)).count();
    let of_moves = if form == Psq { "score and depth" } else { "score, depth and time" };
    add(moves > 0, format!("the {of_moves} of {}", count(moves, "move")));
    if let Some(variant) = game.variant {
        add(form != Psq, format!("the game ({variant})"));
    }
    // Libraries have one board size only.
    if let Some((width, height)) = game.size {
        add(form == Moves, format!("the board of {width}x{height}"));
    }
    if let Some(opening) = game.opening {
        add(opening != OpeningId::Free, format!("the opening ({opening})"));
    }
    // Moves as text include swaps, and a game with swaps is refused as a library.
    let swaps = game.events.iter().filter(|event| **event == ImportedEvent::Swap).count();
    add(form == Psq && swaps > 0, count(swaps, "swap"));
    add(game.tie_break, "the tie-break".into());
    add(game.strict, "that only one of mirrored openings is allowed".into());
    add(game.prelude > 0, "which moves are the opening".into());
    if matches!(form, Moves | Library) {
        let has_names = game.players.iter().any(|name| !name.is_empty());
        add(has_names, "the names of the players".into());
        add(game.result.is_some(), "the result".into());
    }
    add(!game.reason.is_empty(), "the reason for the result".into());
    add(!game.title.is_empty(), "the title".into());
    parts
}

/// Whether a form loses some of the stats of a move.
fn loses(form: LossyForm, stats: &MoveStats) -> bool {
    let nothing = MoveStats::default();
    match form {
        // A psq file holds the times.
        LossyForm::Psq => *stats != MoveStats { ms: stats.ms, ..nothing },
        LossyForm::Moves | LossyForm::Library => *stats != nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{Outcome, RuleId, Variant};
    use goren_core::types::Color;

    /// Opening, swaps, tie-break and reason were lost silently.
    #[test]
    fn parts_that_a_form_cannot_hold_are_reported() {
        let nothing = MoveStats::default;
        let game = ImportedGame {
            variant: Some(Variant::Five(RuleId::Renju)),
            opening: Some(OpeningId::Soosorv8),
            size: Some((15, 15)),
            players: ["a", "b"].map(String::from),
            title: "Cup".into(),
            events: vec![ImportedEvent::Swap; 2],
            move_stats: vec![MoveStats { ms: 5, ..nothing() }, MoveStats { depth: 3, ..nothing() }],
            prelude: 1,
            tie_break: true,
            strict: true,
            result: Some(Outcome::Win(Color::Black)),
            reason: "resign".into(),
            ..ImportedGame::default()
        };
        let opening = "the opening (soosorv-8)";
        let options = "the tie-break, that only one of mirrored openings is allowed, which moves \
                       are the opening";
        let stats = "the score, depth and time of 2 moves, the game (renju)";
        let end = "the reason for the result, the title";
        let all = format!("the names of the players, the result, {end}");
        let of_psq = format!("the score and depth of 1 move, {opening}, 2 swaps, {options}, {end}");
        for (form, expected) in [
            (LossyForm::Psq, of_psq),
            (LossyForm::Moves, format!("{stats}, the board of 15x15, {opening}, {options}, {all}")),
            (LossyForm::Library, format!("{stats}, {opening}, {options}, {all}")),
        ] {
            assert_eq!(not_held(&game, form).join(", "), expected, "{form:?}");
        }
        let plain = ImportedGame {
            variant: game.variant,
            opening: Some(OpeningId::Free),
            size: game.size,
            players: game.players,
            result: game.result,
            ..ImportedGame::default()
        };
        assert_eq!(not_held(&plain, LossyForm::Psq), [""; 0]);
    }
}

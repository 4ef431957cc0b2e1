//! Random game records, for the tests of codecs in several crates (feature
//! `testing`).

// Only tests use it.
#![allow(clippy::unwrap_used)]

use super::import::MoveStats;
use super::{Ending, GameRecord, PlayedPly};
use crate::opening::{Action, GameState, Seat};
use crate::rules::{Contest, OpeningId, RuleId, Variant};
use crate::types::Cell;
use proptest::prelude::*;

/// Generates games of five in a row without opening rules, with texts that codecs may stumble
/// over.
pub fn games() -> impl Strategy<Value = GameRecord> {
    let text = || "([!-~\u{e9}][ -~]{0,8}[!-~])?";
    // No name looks like a number or a move.
    let name = || "[A-Za-z\\\\\\]\\[{\"]{0,9}";
    let contest =
        (0..RuleId::ALL.len(), 5usize..=26, 5usize..=26).prop_map(|(rule, width, height)| {
            let contest = Contest::new(Variant::Five(RuleId::ALL[rule])).opened(OpeningId::Free);
            contest.unwrap().on(width, height).unwrap()
        });
    contest.prop_flat_map(move |contest| {
        let cell = (0..contest.width, 0..contest.height).prop_map(|(x, y)| Cell::new(x, y));
        let stats = (any::<u64>(), text(), any::<u32>(), any::<u64>())
            .prop_map(|(ms, eval, depth, nodes)| MoveStats { ms, eval, depth, nodes });
        let played = (cell, stats)
            .prop_map(|(cell, stats)| PlayedPly { action: Action::stone(cell), stats });
        let ending = prop_oneof![
            Just(None),
            Just(Some(Ending::Draw)),
            Just(Some(Ending::Win(Seat::First))),
            Just(Some(Ending::Win(Seat::Second))),
        ];
        let players = (name(), name()).prop_map(|(first, second)| [first, second]);
        let plies = prop::collection::vec(played, 0..18);
        (players, 0usize..6, plies, ending, text()).prop_map(
            move |(players, opening, mut plies, ending, reason)| {
                let mut game_state = GameState::new(contest);
                plies.retain(|ply| game_state.apply(&ply.action).is_ok());
                let opening = plies.drain(..opening.min(plies.len()));
                let opening = opening.map(|ply| ply.action).collect();
                let black = Seat::First;
                GameRecord { contest, players, opening, plies, black, ending, reason }
            },
        )
    })
}

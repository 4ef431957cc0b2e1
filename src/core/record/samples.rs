//! Random game records, for the tests of codecs in several crates (feature
//! `testing`).

use super::{GameRecord, PlayedMove};
use crate::rules::{Outcome, RuleId, Setup};
use crate::types::{Cell, Color};
use proptest::prelude::*;

/// Any games, legal or not, with texts that codecs may stumble over.
pub fn games() -> impl Strategy<Value = GameRecord> {
    let text = || "([!-~\u{e9}][ -~]{0,8}[!-~])?";
    // Names that are no numbers and no moves.
    let name = || "[A-Za-z\\\\\\]\\[{\"]{0,9}";
    let setup = (0..RuleId::ALL.len(), 5usize..=26, 5usize..=26)
        .prop_map(|(rule, width, height)| Setup::new(RuleId::ALL[rule], width, height).unwrap());
    setup.prop_flat_map(move |setup| {
        let cell = (0..setup.width, 0..setup.height).prop_map(|(x, y)| Cell::new(x, y));
        let played = (cell.clone(), any::<u64>(), text(), any::<u32>(), any::<u64>())
            .prop_map(|(cell, ms, eval, depth, nodes)| PlayedMove { cell, ms, eval, depth, nodes });
        let result = prop_oneof![
            Just(None),
            Just(Some(Outcome::Draw)),
            Just(Some(Outcome::Win(Color::Black))),
            Just(Some(Outcome::Win(Color::White))),
        ];
        let players = (name(), name()).prop_map(|(black, white)| [black, white]);
        let opening = prop::collection::vec(cell, 0..6);
        let moves = prop::collection::vec(played, 0..12);
        (players, opening, moves, result, text()).prop_map(
            move |(players, opening, moves, result, reason)| GameRecord {
                setup,
                players,
                opening,
                moves,
                result,
                reason,
            },
        )
    })
}

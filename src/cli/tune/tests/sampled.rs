//! Fits to positions sampled from searches.

use super::super::replayed::{ReplayedPosition, ReplayedPositions, is_undecided};
use super::short_games::arguments;
use super::*;
use crate::data::PackedWriter;
use goren_core::types::Stone;
use goren_training_data::SampledPosition;

/// A game, and a shorter copy with the position before the last ply of the first as a
/// sampled position.
fn two_games() -> [PackedGame; 2] {
    let mut whole = random_game::<Renju>(15, 3);
    whole.plies.truncate(10);
    let mut sampled = whole.clone();
    sampled.plies.truncate(6);
    let last = whole.plies[9];
    sampled.sampled.push(SampledPosition {
        ply: 4,
        line: whole.plies[4..9].iter().map(|ply| ply.played).collect(),
        best: last.best,
        score: last.score,
    });
    [whole, sampled]
}

#[test]
fn a_sampled_position_equals_the_played_one_but_has_no_result() {
    let games = two_games();
    let [whole, sampled] = games
        .each_ref()
        .map(|game| FiveEncoder::new(layout(RuleId::Renju)).encode::<Renju>(game, false).unwrap());
    let last = [&whole, &sampled].map(|encoded| encoded.positions.len() - 1);
    assert_eq!(last, [9, 6]);
    assert_eq!(whole.keys[last[0]], sampled.keys[last[1]]);
    let [whole, sampled] = [whole.positions, sampled.positions];
    let codes = |positions: &EncodedPositions, at| positions.codes_at(at).collect::<Vec<_>>();
    assert_eq!(codes(&whole, last[0]), codes(&sampled, last[1]));
    assert_eq!(whole.candidates_at(last[0]), sampled.candidates_at(last[1]));
    assert!(!whole.candidates_at(last[0]).is_empty());
    assert_eq!(whole.label(last[0]).score, sampled.label(last[1]).score);
    assert!(whole.label(last[0]).result.is_some());
    assert_eq!(sampled.label(last[1]).result, None);

    let folder = tempfile::tempdir().unwrap();
    let seen = games.map(|game| {
        let path = folder.path().join(game.plies.len().to_string());
        PackedWriter::resume(&path, |_| Ok(())).unwrap().write(&game).unwrap();
        let args = arguments("renju", &path);
        let positions = ReplayedPositions::<Renju>::read(&args, is_undecided).unwrap();
        let at = positions.len() - 1;
        if let Some(sampled) = game.sampled.first() {
            // A sampled position has no later scores.
            assert_eq!(positions.td_target(at, 0.5, |score| score as f32), sampled.score as f32);
        }
        positions.with(at, |position: &ReplayedPosition<'_, Renju>| {
            let mut stones: Vec<(Cell, Stone)> = position.board.stones().collect();
            stones.sort_by_key(|&(cell, _)| cell);
            (stones, position.to_move, position.last, position.best)
        })
    });
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn a_sampled_line_over_a_stone_is_refused() {
    let [_, mut game] = two_games();
    game.sampled[0].line[2] = game.opening[0];
    let encoded = FiveEncoder::new(layout(RuleId::Renju)).encode::<Renju>(&game, false);
    assert_eq!(encoded.err().unwrap().number, 8);
}

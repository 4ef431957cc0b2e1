//! Played games, written in every form and read again.

use super::tests::{notes, one};
use super::{LossyForm, not_held};
use crate::json_game;
use goren_core::opening::{self, Action, Choice, GameState, Seat};
use goren_core::record::import::{self, ImportedGame, MoveStats, Weight};
use goren_core::record::{Ending, GameRecord, PlayedPly, psq, sgf};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color};
use goren_decide::sample;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// A random legal action of the kind that is due.
fn random_action(game_state: &GameState, rng: &mut SmallRng) -> Option<Action> {
    let pending = game_state.pending_decision()?;
    let empty = game_state.empty();
    let mut random_cells = |count: usize| -> Vec<Cell> {
        (0..count).map(|_| empty[rng.random_range(0..empty.len())]).collect()
    };
    (0..200).find_map(|_| {
        let choice = &pending.choices[random_cells(1)[0].index() % pending.choices.len()];
        let action = match choice {
            Choice::Stones { colors, declare, .. } => {
                let count = declare.map(|(least, _)| least);
                Action::Stones { cells: random_cells(colors.len()), count }
            }
            Choice::Figure { .. } => return None,
            Choice::Offer { count } => Action::Offer(random_cells(*count)),
            Choice::Choose => {
                Action::Choose { fifth: game_state.offers()[0], sixth: random_cells(1)[0] }
            }
        };
        game_state.clone().apply(&action).is_ok().then_some(action)
    })
}

/// A random game, with passes and swaps.
fn random_game(contest: Contest, plies: usize, rng: &mut SmallRng) -> GameRecord {
    let mut game_state = GameState::new(contest);
    while game_state.actions().len() < plies && game_state.result().is_none() {
        let pending = game_state.pending_decision().unwrap();
        let action = match rng.random_range(0..6) {
            0 if pending.pass => Action::Pass,
            0 | 1 if pending.swap => Action::Swap,
            2 | 3 => random_action(&game_state, rng).or_else(|| sample(&game_state, rng)).unwrap(),
            _ => sample(&game_state, rng).or_else(|| random_action(&game_state, rng)).unwrap(),
        };
        // Put stones in the order in which they are written and read.
        let text = opening::write(&game_state, &action);
        let action = opening::read(&game_state, &text).unwrap();
        if game_state.apply(&action).is_err() {
            break;
        }
    }
    let (opening, actions) = game_state.actions().split_at(game_state.actions().len() / 3);
    let ply = |action: &Action| PlayedPly {
        action: action.clone(),
        stats: MoveStats {
            ms: rng.random_range(0..3),
            eval: ["", "+M7", "a ] \\ b"][rng.random_range(0..3)].into(),
            depth: 2,
            nodes: 0,
        },
    };
    GameRecord {
        contest,
        players: ["a \\".into(), "b]".into()],
        opening: opening.to_vec(),
        plies: actions.iter().map(ply).collect(),
        black: game_state.owner(Color::Black),
        ending: Some(Ending::Win(Seat::First)),
        reason: "resign".into(),
    }
}

/// The stats of the plies of a game that a file keeps, none for plies without stones and passes;
/// and the number of opening plies in the file, where the opening ends with its last stone.
fn expected_of_plies(record: &GameRecord) -> (Vec<MoveStats>, usize) {
    let mut game_state = GameState::new(record.contest);
    let (mut stats, mut opening) = (Vec::new(), 0);
    for (at, action) in record.actions().enumerate() {
        let before = game_state.events().len();
        game_state.apply(action).unwrap();
        let is_kept = game_state.events().len() > before;
        let played = at.checked_sub(record.opening.len()).filter(|_| is_kept);
        stats.push(played.map_or_else(MoveStats::default, |at| record.plies[at].stats.clone()));
        if is_kept && at < record.opening.len() {
            opening = at + 1;
        }
    }
    (stats, opening)
}

#[test]
fn games_of_all_variants_and_openings_are_read_back_ply_by_ply() {
    let mut rng = SmallRng::seed_from_u64(17);
    let (mut passes, mut swaps) = (0, 0);
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            for game in 0..3 {
                let contest = Contest::new(variant).opened(opening).unwrap();
                let record = random_game(contest, 6 + 12 * game, &mut rng);
                let actions: Vec<Action> = record.actions().cloned().collect();
                passes += actions.iter().filter(|action| **action == Action::Pass).count();
                swaps += actions.iter().filter(|action| **action == Action::Swap).count();
                let imported = record.imported();
                let text = sgf::write(&imported);
                let played = one(&text);
                assert_eq!(played.typed.game_state.actions(), actions, "{text}");
                assert!(played.typed.placed.is_empty());
                let recorded = (played.ply_stats(), played.opening_plies());
                assert_eq!(recorded, expected_of_plies(&record), "{text}");
                assert_eq!((&played.players, played.result), (&imported.players, imported.result));
                let doubtful = |note: &import::Note| note.weight == Weight::Doubt;
                assert!(!played.notes.iter().any(doubtful), "{:?}", notes(&played));
                // The same as a line of JSON.
                let line = json_game::write(&record, Default::default());
                assert_eq!(one(&line).typed.game_state.actions(), actions, "{line}");
                let has_pass = actions.contains(&Action::Pass);
                let five = matches!(variant, Variant::Five(_));
                let written = psq::write(&imported);
                assert_eq!(written.is_ok(), five && !has_pass, "{text}");
                // A psq file has all plies, unless `not_held` names what it lacks.
                let (reason, move_stats) = (String::new(), Vec::new());
                let plain = ImportedGame { reason, move_stats, prelude: 0, ..imported };
                if let Ok(psq) = written
                    && not_held(&plain, LossyForm::Psq).is_empty()
                {
                    assert_eq!(one(&psq).typed.game_state.actions(), actions, "{psq}");
                }
            }
        }
    }
    assert!(passes > 20 && swaps > 20, "{passes} {swaps}");
}

/// Files lost the setting that only one orientation is allowed, and a continued game allowed
/// others.
#[test]
fn a_strict_game_stays_strict() {
    let renju = Contest::new(Variant::from_name("renju").unwrap());
    let contest = Contest { strict: true, ..renju.opened(OpeningId::Rif).unwrap() };
    let record = random_game(contest, 8, &mut SmallRng::seed_from_u64(18));
    for text in [sgf::write(&record.imported()), json_game::write(&record, Default::default())] {
        assert_eq!(*one(&text).typed.game_state.contest(), contest, "{text}");
    }
}

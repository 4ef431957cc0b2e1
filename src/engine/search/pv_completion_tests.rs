use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::{Answer, Engine, Request, TableHandle, WeightSet, position_of};
use goren_core::opening::{Action, GameState};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Contest, Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, PROVEN, Stone, plies_to_end};

/// Plays random moves near each other; the game is not over.
fn random_game(rule: RuleId, rng: &mut SmallRng) -> (GameState, FiveReferee) {
    let setup = Setup::new(rule, 15, 15).unwrap();
    let mut game_state = GameState::new(Contest::five(setup));
    let mut referee = FiveReferee::new(setup);
    for _ in 0..rng.random_range(12..30) {
        let cell = Cell::new(rng.random_range(4..11), rng.random_range(4..11));
        let (mut next, color) = (game_state.clone(), game_state.to_move());
        if next.apply(&Action::stone(cell)).is_ok() && next.result().is_none() {
            assert_eq!(referee.place(color, cell), Ok(None));
            game_state = next;
        }
    }
    (game_state, referee)
}

fn search(game_state: &GameState, nodes: u64) -> Answer {
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
    let position = position_of(game_state, &WeightSet::default());
    engine.go(&*position, &Request::nodes(nodes), &mut |_| {}).unwrap()
}

#[test]
fn pvs_of_proven_results_are_legal_and_most_reach_the_end() {
    let mut rng = SmallRng::seed_from_u64(11);
    for rule in RuleId::ALL {
        let (mut proven, mut whole) = (0, 0);
        for _ in 0..150 {
            let (game, mut referee) = random_game(rule, &mut rng);
            let mover = game.to_move();
            let info = search(&game, 3_000).info;
            let Some(plies) = plies_to_end(info.score) else { continue };
            proven += 1;
            let winner = if info.score >= PROVEN { mover } else { !mover };
            assert!((1..=plies).contains(&info.pv.len()), "{rule} {info:?}");
            let mut color = mover;
            let mut outcome = None;
            for m in &info.pv {
                // A foul by Black would end the game at once.
                outcome = referee.place(color, m.cell()).unwrap();
                color = !color;
            }
            assert!(outcome.is_none() || outcome == Some(Outcome::Win(winner)), "{rule} {info:?}");
            if info.pv.len() == plies {
                assert!(outcome.is_some(), "{rule} {info:?}");
            }
            whole += usize::from(outcome.is_some());
        }
        assert!(proven > 40 && whole * 5 > proven * 3, "{rule}: {whole} of {proven}");
    }
}

#[test]
fn a_static_verdict_is_reported_with_its_pv() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    // Black's stones in a row, and the length of the win: a four; an open three with a gap.
    for (row, plies) in [(&[3, 4, 5, 6][..], 1), (&[4, 6, 7][..], 3)] {
        let black = row.iter().map(|&x| (Cell::new(x, 7), Stone::Of(Color::Black)));
        let corners = [(0, 0), (14, 0), (0, 14), (14, 14)].map(|(x, y)| Cell::new(x, y));
        let white = corners.into_iter().take(row.len()).map(|c| (c, Stone::Of(Color::White)));
        let stones: Vec<_> = black.zip(white).flat_map(|(a, b)| [a, b]).collect();
        let game = GameState::from_list(Contest::five(setup), &stones, Color::Black).unwrap();
        for nodes in [1, 1_000] {
            let info = search(&game, nodes).info;
            assert_eq!(plies_to_end(info.score), Some(plies), "{info:?}");
            assert_eq!(info.pv.len(), plies, "{info:?}");
        }
    }
}

//! Random openings: a few plies near the centre.

use std::collections::HashSet;

use anyhow::{Result, bail};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::openings::identity;
use goren_core::opening::{self, Action, GameState};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::MAX_SIDE;
use goren_decide::sample;

/// Minimum and maximum number of stones.
const STONES: std::ops::RangeInclusive<usize> = 3..=6;
/// Attempts at an opening before giving up, and at a ply before allowing stones farther
/// from the centre.
const TRIES: usize = 100;
/// Maximum steps from the centre; the smallest that the opening permits is used.
const REACHES: [usize; 3] = [3, 5, MAX_SIDE];

/// Number of repeated openings in a row after which the search for new ones ends.
const MAX_REPEATS: usize = 1000;

/// Generates `count` openings of any game, determined by the seed: a few random legal plies,
/// as near to the centre as possible. None ends the game, and no two are equal by a symmetry
/// of the board. Returns fewer if the game has not so many.
///
/// # Errors
/// The board has no room for openings.
pub(super) fn openings(contest: &Contest, count: usize, seed: u64) -> Result<Vec<Vec<Action>>> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut distinct, mut known, mut repeats) = (Vec::new(), HashSet::new(), 0);
    while distinct.len() < count && repeats < MAX_REPEATS {
        let Some(opening) = (0..TRIES).find_map(|_| random_plies(contest, &mut rng)) else {
            bail!("no room for random openings; use --no-openings to play without any");
        };
        if known.insert(identity(&opening, contest)) {
            distinct.push(opening);
            repeats = 0;
        } else {
            repeats += 1;
        }
    }
    Ok(distinct)
}

fn random_plies(contest: &Contest, rng: &mut SmallRng) -> Option<Vec<Action>> {
    let mut game_state = GameState::new(*contest);
    for _ in 0..length(contest, rng) {
        let action = REACHES.iter().find_map(|&reach| {
            let near = |action: &Action| is_near(&game_state, action, reach);
            (0..TRIES).find_map(|_| sample(&game_state, rng).filter(near))
        });
        let action = opening::canonical(&game_state, action?);
        game_state.apply(&action).ok()?;
    }
    game_state.result().is_none().then(|| game_state.actions().to_vec())
}

/// Whether all stones of a ply lie within `reach` steps of the centre.
fn is_near(game_state: &GameState, action: &Action, reach: usize) -> bool {
    let Action::Stones { cells, .. } = action else { return true };
    let centre = game_state.centre();
    cells.iter().all(|cell| cell.steps_to(centre) <= reach)
}

/// Number of random plies.
fn length(contest: &Contest, rng: &mut SmallRng) -> usize {
    use OpeningId::{Rif, Soosorv8, Swap, Swap1st, Swap2, Swap3rd, Swap5, Swap1989};
    use OpeningId::{Taraguchi10, Tarannikov, Yamaguchi};
    match (contest.opening.plain(), contest.variant) {
        // The players take over where a swap is offered: it balances the random plies.
        (Swap | Swap1st | Swap2 | Rif | Yamaguchi | Soosorv8, _) => 1,
        (Swap3rd | Swap5 | Swap1989 | Tarannikov | Taraguchi10, _) => 3,
        // Two stones per turn.
        (_, Variant::Connect6(_)) => rng.random_range(2..=3),
        _ => rng.random_range(STONES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plies::{game, texts};
    use goren_core::rules::RuleId;

    #[test]
    fn every_game_and_opening_gets_different_plies() {
        for variant in Variant::all() {
            for &opening in variant.sheet().openings {
                let contest = Contest::new(variant).opened(opening).unwrap();
                let made = openings(&contest, 20, 3).unwrap();
                assert_eq!(made, openings(&contest, 20, 3).unwrap());
                assert_ne!(made, openings(&contest, 20, 4).unwrap());
                use OpeningId::{Centre, Free, LongPro, Pro};
                let expects_swap = !matches!(opening, Free | Centre | Pro | LongPro);
                for opening in &made {
                    let texts = texts(&contest, opening);
                    let read = game(&contest, texts.iter().map(String::as_str)).unwrap();
                    assert_eq!(read.actions(), opening);
                    let mut game_state = GameState::new(contest);
                    opening.iter().for_each(|action| game_state.apply(action).unwrap());
                    assert_eq!(
                        game_state.pending_decision().unwrap().swap,
                        expects_swap,
                        "{contest:?}"
                    );
                    let reach = if contest.opening == LongPro { 5 } else { 3 };
                    assert!(
                        opening.iter().all(|action| is_near(&game_state, action, reach)),
                        "{contest:?}"
                    );
                }
                let different: std::collections::HashSet<_> = made.iter().collect();
                assert!(different.len() >= 8, "{contest:?}: {}", different.len());
            }
        }
        for (rule, width, height) in [(RuleId::Freestyle, 5, 5), (RuleId::Renju, 5, 20)] {
            let free = Contest::new(Variant::Five(rule)).opened(OpeningId::Free).unwrap();
            let made = openings(&free.on(width, height).unwrap(), 3, 1).unwrap();
            assert!(made.iter().all(|opening| STONES.contains(&opening.len())));
        }
    }
}

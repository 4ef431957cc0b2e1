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

/// Fewest and most stones.
const STONES: std::ops::RangeInclusive<usize> = 3..=6;
/// Tries at an opening before a board is given up, and at a ply before stones
/// may lie farther from the centre.
const TRIES: usize = 100;
/// Steps from the centre, as few as the opening lets be.
const REACHES: [usize; 3] = [3, 5, MAX_SIDE];

/// Openings in a row that were made before, after which no new ones are looked for.
const REPEATS: usize = 1000;

/// Makes `count` openings of any game, the same for the same seed: a few random legal
/// plies, as near to the centre as possible. None ends the game, and no two are the same by a
/// symmetry of the board; where there are not so many that is fewer.
///
/// # Errors
/// The board has no room for them.
pub(super) fn openings(contest: &Contest, count: usize, seed: u64) -> Result<Vec<Vec<Action>>> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let (mut made, mut known, mut repeats) = (Vec::new(), HashSet::new(), 0);
    while made.len() < count && repeats < REPEATS {
        let Some(opening) = (0..TRIES).find_map(|_| some_plies(contest, &mut rng)) else {
            bail!("no room for random openings; play without any by --no-openings");
        };
        if known.insert(identity(&opening, contest)) {
            made.push(opening);
            repeats = 0;
        } else {
            repeats += 1;
        }
    }
    Ok(made)
}

fn some_plies(contest: &Contest, rng: &mut SmallRng) -> Option<Vec<Action>> {
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

/// How many plies are made up.
fn length(contest: &Contest, rng: &mut SmallRng) -> usize {
    use OpeningId::{Rif, Soosorv8, Swap, Swap1st, Swap2, Swap3rd, Swap5, Swap1989};
    use OpeningId::{Taraguchi10, Tarannikov, Yamaguchi};
    match (contest.opening.plain(), contest.variant) {
        // The players take over where a swap is on offer: it levels what
        // chance has laid.
        (Swap | Swap1st | Swap2 | Rif | Yamaguchi | Soosorv8, _) => 1,
        (Swap3rd | Swap5 | Swap1989 | Tarannikov | Taraguchi10, _) => 3,
        // Two stones a turn.
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
    fn every_game_and_opening_gets_plies_that_differ() {
        for variant in Variant::all() {
            for &opening in variant.sheet().openings {
                let contest = Contest::new(variant).opened(opening).unwrap();
                let made = openings(&contest, 20, 3).unwrap();
                assert_eq!(made, openings(&contest, 20, 3).unwrap());
                assert_ne!(made, openings(&contest, 20, 4).unwrap());
                use OpeningId::{Centre, Free, LongPro, Pro};
                let levelled = !matches!(opening, Free | Centre | Pro | LongPro);
                for opening in &made {
                    let texts = texts(&contest, opening);
                    let read = game(&contest, texts.iter().map(String::as_str)).unwrap();
                    assert_eq!(read.actions(), opening);
                    let mut game_state = GameState::new(contest);
                    opening.iter().for_each(|action| game_state.apply(action).unwrap());
                    assert_eq!(
                        game_state.pending_decision().unwrap().swap,
                        levelled,
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

//! Decisions of the swap2 opening, by short searches.
//!
//! It tries positions on the game it is given and leaves the game as it was.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::decide::search;
use super::search::job::Decision;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Score, Stone};
use goren_engine::{Answer, Budget, Engine, Game, Report, Request};

/// Openings compared.
const CANDIDATES: usize = 24;
/// Longest comparison: a better measure of the balance gains less than time in the
/// middle game.
const LONGEST: Duration = Duration::from_secs(8);
/// The stones stand at most this far from the middle: nearer openings are
/// sharper, farther ones waste the board.
const REACH: usize = 3;
/// Fixed, so that the same limits give the same opening.
const SEED: u64 = 0x5347_4f52_454e;

/// Three balanced stones (black, white, black): the opponent will choose its colour.
pub fn open(game: &mut dyn Game, engine: &mut Engine, request: &Request) -> [Cell; 3] {
    let setup = game.setup();
    let before = (game.stones(), game.to_move());
    let total = request.budget.soft.min(LONGEST);
    let mut rng = SmallRng::seed_from_u64(SEED);
    let mut best: Option<(Score, [Cell; 3])> = None;
    for tried in 0..CANDIDATES {
        let candidate = random_opening(&mut rng, &setup);
        let elapsed = request.started.elapsed();
        let end = request.control.latest_end().map_or(total, |end| end.min(total));
        if best.is_some() && (request.control.stopped() || elapsed >= end) {
            break;
        }
        let stones = [
            (candidate[0], Stone::Of(Color::Black)),
            (candidate[1], Stone::Of(Color::White)),
            (candidate[2], Stone::Of(Color::Black)),
        ];
        if game.set_up(&stones, Color::White).is_err() {
            continue;
        }
        let slice = end.saturating_sub(elapsed) / (CANDIDATES - tried) as u32;
        let part = Request {
            budget: Budget::per_move(slice),
            started: Instant::now(),
            max_nodes: request.max_nodes.map(|nodes| (nodes / CANDIDATES as u64).max(1)),
            ..request.clone()
        };
        let answer = search(engine, game, &part, &mut |_| {});
        // Without a score there is nothing to compare.
        let Some(score) = answer.info.searched().map(Score::abs) else { continue };
        if best.is_none_or(|(least, _)| score < least) {
            best = Some((score, candidate));
        }
    }
    // What stood before was a position; to set it up again cannot fail.
    let restored = game.set_up(&before.0, before.1);
    debug_assert_eq!(restored, Ok(()));
    best.map_or_else(|| random_opening(&mut rng, &setup), |(_, opening)| opening)
}

/// Three different cells about the middle of the board.
fn random_opening(rng: &mut SmallRng, setup: &Setup) -> [Cell; 3] {
    let span = |side: usize| {
        let reach = REACH.min((side - 1) / 2);
        side / 2 - reach..=side / 2 + reach.min(side - 1 - side / 2)
    };
    let (columns, rows) = (span(setup.width), span(setup.height));
    let first = Cell::new(rng.random_range(columns.clone()), rng.random_range(rows.clone()));
    let mut others: Vec<Cell> = rows
        .flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
        .filter(|&cell| cell != first)
        .collect();
    let (chosen, _) = others.partial_shuffle(rng, 2);
    [first, chosen[0], chosen[1]]
}

/// After three or five stones: take the better colour. White is to move, so a
/// score below zero says that Black's stones are the better ones.
///
/// Without a searched score, as when there is no time, the colours count as equal, as
/// the side that placed the stones intended. Then we swap, as that needs no
/// unsearched move of ours.
///
/// Two more stones, the third option after three, are never placed: they give the
/// choice, and so at least a balanced position, to the opponent instead of us.
pub fn choose(
    game: &dyn Game,
    engine: &mut Engine,
    request: &Request,
    report: &mut (dyn FnMut(&Report) + Send),
) -> (Decision, Answer) {
    let answer = search(engine, game, request, report);
    let stays = answer.info.searched().is_some_and(|score| score >= 0);
    let decision = if stays { Decision::Move(answer.best) } else { Decision::Swap };
    (decision, answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;
    use goren_engine::{Hash, new_game};

    #[test]
    fn openings_lie_about_the_middle_of_any_board() {
        let mut rng = SmallRng::seed_from_u64(1);
        for (width, height) in [(5, 5), (15, 15), (20, 6), (26, 26)] {
            let setup = Setup::new(RuleId::Freestyle, width, height).unwrap();
            for _ in 0..200 {
                let [a, b, c] = random_opening(&mut rng, &setup);
                assert!(a != b && b != c && a != c);
                for cell in [a, b, c] {
                    assert!(cell.x() < width && cell.x().abs_diff(width / 2) <= REACH);
                    assert!(cell.y() < height && cell.y().abs_diff(height / 2) <= REACH);
                }
            }
        }
    }

    /// White has two stones side by side and the move; Black's stand apart.
    #[test]
    fn without_a_searched_score_the_colours_are_swapped() {
        let mut game = new_game(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        for (x, y) in [(0, 0), (7, 7), (14, 0), (8, 8), (14, 14)] {
            game.play(Cell::new(x, y)).unwrap();
        }
        let mut engine = Engine::with_hash(Hash::exactly(1 << 20));
        let mut chosen = |request: &Request| {
            let (decision, answer) = choose(&*game, &mut engine, request, &mut |_| {});
            (matches!(decision, Decision::Swap), answer.info)
        };
        let (swaps, info) = chosen(&Request::nodes(5_000));
        assert!(!swaps && info.searched().is_some(), "{info:?}");
        let stopped = Request::nodes(5_000);
        stopped.control.stop();
        let (swaps, info) = chosen(&stopped);
        assert!(swaps && info.score >= 0 && info.searched().is_none(), "{info:?}");
    }
}

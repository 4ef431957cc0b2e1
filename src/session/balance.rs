//! Stones that make a position worth as much as is wanted, by successive
//! halving: all candidates are searched a little, the nearer quarter of them
//! more, and so on, each stage with the same share of time and nodes.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::yixin::twins::symmetries;
use crate::rules::Outcome;
use crate::search::time::Clock;
use crate::search::{Control, Game, Limits};
use crate::tt::Table;
use crate::types::{Cell, SCORE_LIMIT, Score, Symmetry};

/// What the position is to be worth.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Whether a stone of either side is placed, or one of the side to move.
    pub two: bool,
    /// The evaluation wanted after the stones, for the side that is to move
    /// before them.
    pub bias: Score,
}

/// The stones that were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    /// One or two cells, in order.
    pub stones: Vec<Cell>,
    /// The evaluation after them, for the side that was to move before.
    pub score: Score,
}

/// What a search may spend, and the strings to pull.
type Means<'a> = (&'a Table, &'a Limits, &'a Control);

/// Longest search where neither time nor nodes have a limit.
const LONGEST: Duration = Duration::from_secs(10);
/// Most candidates of the first stage.
const MOST: usize = 4096;
/// Of so many candidates one goes on to the next stage.
const SIFT: usize = 4;
/// Candidates of the last stage at most: a deeper search moves the scores of
/// all that looked near, so that one of a few must still be.
const LAST: usize = 16;
/// What a candidate costs at least.
const LEAST_SLICE: Duration = Duration::from_micros(400);
const LEAST_NODES: u64 = 16;
/// Candidates stand at most so far from another stone.
const REACH: usize = 3;
/// Fixed, so that the same limits give the same stones.
const SEED: u64 = 0x0042_414c_414e_4345;

/// Stones after which the position is worth about what is wanted. Where the game
/// goes on after none, a single one that ends it; `None` for two.
pub fn balance(game: &mut dyn Game, wanted: Balance, means: Means<'_>) -> Option<Balanced> {
    let (_, limits, control) = means;
    let area = game.setup().area();
    let budget = limits.clock.budget(game.stones().len(), area).soft;
    let time = match budget {
        Duration::MAX => limits.max_nodes.is_none().then_some(LONGEST),
        _ => Some(budget),
    };
    let mut candidates = candidates(game, wanted.two, limits);
    if let Some(time) = time {
        let room = (time / stages(candidates.len()) as u32).as_nanos() / LEAST_SLICE.as_nanos();
        candidates.truncate(usize::try_from(room).unwrap_or(MOST).max(LAST));
    }
    if let Some(nodes) = limits.max_nodes {
        let room = nodes / stages(candidates.len()) as u64 / LEAST_NODES;
        candidates.truncate(usize::try_from(room).unwrap_or(MOST).max(LAST));
    }
    let mut best: Option<Balanced> = None;
    let mut spent = 0;
    while !candidates.is_empty() {
        let left = stages(candidates.len()) as u32;
        let elapsed = limits.started.elapsed();
        let end = [time, control.latest_end()].into_iter().flatten().min();
        let stage_time = end.map(|end| end.saturating_sub(elapsed) / left);
        let nodes = limits.max_nodes.map(|nodes| nodes.saturating_sub(spent) / u64::from(left));
        let begun = Instant::now();
        let count = candidates.len();
        let mut scored: Vec<Balanced> = Vec::with_capacity(count);
        for (i, stones) in candidates.iter().enumerate() {
            let first = best.is_none() && scored.is_empty();
            let over = stage_time.is_some_and(|time| begun.elapsed() >= time);
            if !first && (control.stopped() || over) {
                break;
            }
            let rest = (count - i) as u32;
            let slice = stage_time.map(|time| time.saturating_sub(begun.elapsed()) / rest);
            let part = Limits {
                clock: slice.map_or(Clock::UNLIMITED, Clock::per_move),
                started: Instant::now(),
                max_nodes: nodes.map(|nodes| (nodes / count as u64).max(1)),
                multi_pv: 1,
                defend: false,
                ..limits.clone()
            };
            if let Some((score, nodes)) = worth(game, stones, &part, means) {
                spent += nodes;
                scored.push(Balanced { stones: stones.clone(), score });
            }
        }
        // The newest stage knows most, even if it was cut short: it began with
        // what the one before liked best.
        let whole = scored.len() == count;
        scored.sort_by_key(|found| found.score.abs_diff(wanted.bias));
        best = scored.first().cloned().or(best);
        let kept = if count <= LAST { 0 } else { count / SIFT };
        let late = time.is_some_and(|time| limits.started.elapsed() >= time);
        if !whole && (control.stopped() || late) {
            break;
        }
        candidates = scored.into_iter().take(kept).map(|found| found.stones).collect();
    }
    best.or_else(|| if wanted.two { None } else { last_stone(game, wanted.bias) })
}

/// The stone that ends the game nearest to what is wanted: whoever waits for a
/// stone is not to wait for ever.
fn last_stone(game: &mut dyn Game, bias: Score) -> Option<Balanced> {
    let (setup, mover) = (game.setup(), game.to_move());
    let cells = (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    let mut found = Vec::new();
    for cell in cells {
        if game.play(cell).is_err() {
            continue;
        }
        let score = match game.outcome() {
            Some(Outcome::Win(color)) if color == mover => SCORE_LIMIT,
            Some(Outcome::Win(_)) => -SCORE_LIMIT,
            Some(Outcome::Draw) | None => 0,
        };
        game.take_back();
        found.push(Balanced { stones: vec![cell], score });
    }
    found.into_iter().min_by_key(|found| found.score.abs_diff(bias))
}

/// Stages from so many candidates on to the last ones.
fn stages(count: usize) -> usize {
    std::iter::successors(Some(count), |&n| (n > LAST).then_some(n / SIFT)).count()
}

/// What the position is worth after some stones, for the side to move before
/// them, and the nodes it took; `None` if the game is over then.
fn worth(
    game: &mut dyn Game,
    stones: &[Cell],
    limits: &Limits,
    (table, _, control): Means<'_>,
) -> Option<(Score, u64)> {
    let mover = game.to_move();
    let mut placed = 0;
    for &cell in stones {
        if game.outcome().is_none() && game.play(cell).is_ok() {
            placed += 1;
        }
    }
    let known = (placed == stones.len() && game.outcome().is_none()).then(|| {
        let info = game.think(table, limits, control, &mut |_| {}).info;
        let score = if game.to_move() == mover { info.score } else { -info.score };
        (score, info.nodes)
    });
    for _ in 0..placed {
        game.take_back();
    }
    known
}

/// Single stones, or one of either side, near those on the board, one of all
/// that are the same by symmetry.
fn candidates(game: &dyn Game, two: bool, limits: &Limits) -> Vec<Vec<Cell>> {
    let setup = game.setup();
    let stones = game.stones();
    let close = |a: Cell, b: Cell| a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())) <= REACH;
    let all = || (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    let free = |cell: &Cell| stones.iter().all(|&(at, _)| at != *cell);
    let near = |cell: &Cell| stones.is_empty() || stones.iter().any(|&(at, _)| close(at, *cell));
    let bans = &limits.bans;
    let allowed = |cell: &Cell| {
        !bans.here.contains(cell) && !bans.cells[game.to_move().index()].contains(*cell)
    };
    let firsts: Vec<Cell> = all().filter(|c| free(c) && near(c) && allowed(c)).collect();
    let mut same = symmetries(game);
    if !bans.here.is_empty() || bans.cells.iter().any(|cells| !cells.is_empty()) {
        // What is banned has twins that are not.
        same.truncate(1);
    }
    let least = |stones: &[Cell]| {
        let image = |s: &Symmetry| stones.iter().map(|&cell| s.apply(cell)).collect::<Vec<_>>();
        same.iter().all(|symmetry| image(symmetry)[..] >= stones[..])
    };
    let mut found: Vec<Vec<Cell>> = Vec::new();
    for &first in &firsts {
        if !two {
            found.push(vec![first]);
            continue;
        }
        let answers = all().filter(|c| {
            *c != first
                && free(c)
                && !bans.cells[(!game.to_move()).index()].contains(*c)
                && (close(first, *c) || !stones.is_empty() && near(c))
        });
        found.extend(answers.map(|second| vec![first, second]));
    }
    found.retain(|stones| least(stones));
    // Where there is no time for all, some from everywhere.
    found.shuffle(&mut SmallRng::seed_from_u64(SEED));
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RuleId, Setup};
    use crate::search::{STACK_BYTES, new_game};
    use crate::types::{Color, Stone};

    fn on_search_stack(work: impl FnOnce() + Send + 'static) {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn(work).unwrap().join().unwrap();
    }

    fn find(stones: &[(usize, usize)], wanted: Balance, nodes: u64) -> (Balanced, Score) {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut game = new_game(setup);
        for &(x, y) in stones {
            game.play(Cell::new(x, y)).unwrap();
        }
        let table = Table::with_bytes(1 << 20).unwrap();
        let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
        let before = (game.stones(), game.to_move());
        let control = Control::default();
        let found = balance(game.as_mut(), wanted, (&table, &limits, &control)).unwrap();
        assert_eq!((game.stones(), game.to_move()), before);
        // What a search of its own says, from nothing.
        let fresh = Table::with_bytes(1 << 20).unwrap();
        let limits = Limits { max_nodes: Some(20_000), ..Limits::default() };
        let (score, _) =
            worth(game.as_mut(), &found.stones, &limits, (&fresh, &limits, &control)).unwrap();
        (found, score)
    }

    #[test]
    fn one_stone_and_two_bring_about_what_is_wanted() {
        on_search_stack(|| {
            for bias in [-100, 0, 100] {
                let (found, score) = find(&[], Balance { two: false, bias }, 60_000);
                assert_eq!(found.stones.len(), 1);
                if bias == 0 {
                    assert!(score.abs() < 60, "{found:?}: {score}");
                }
            }
            let opening = [(7, 7), (8, 6)];
            let mut scores = Vec::new();
            for bias in [-150, 0, 150] {
                let (found, score) = find(&opening, Balance { two: true, bias }, 150_000);
                assert_eq!(found.stones.len(), 2);
                assert!(found.score.abs_diff(bias) < 60, "{bias}: {found:?}");
                scores.push(score);
            }
            assert!(scores.is_sorted(), "{scores:?}");
        });
    }

    #[test]
    fn candidates_differ_by_more_than_symmetry() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut game = new_game(setup);
        let limits = Limits::default();
        // One of eight triangles of the empty board.
        assert_eq!(candidates(game.as_ref(), false, &limits).len(), 36);
        game.play(Cell::new(7, 7)).unwrap();
        // Within three steps: 1 + 2 + 3 orbits on the axes and diagonals, and
        // between them.
        assert_eq!(candidates(game.as_ref(), false, &limits).len(), 9);
        game.set_up(&[(Cell::new(7, 7), Stone::Of(Color::Black))], Color::White).unwrap();
        let pairs = candidates(game.as_ref(), true, &limits);
        assert!(pairs.iter().all(|pair| pair.len() == 2 && pair[0] != pair[1]));
        assert!(!pairs.is_empty() && pairs.len() <= MOST);
    }

    #[test]
    fn where_nothing_goes_on_a_stone_ends_the_game() {
        on_search_stack(|| {
            let mut game = new_game(Setup::new(RuleId::Freestyle, 5, 5).unwrap());
            let black = [0, 1, 2, 4, 8, 10, 12, 14, 16, 18, 21, 23];
            let stones: Vec<_> = (0..24)
                .map(|i| {
                    let color = if black.contains(&i) { Color::Black } else { Color::White };
                    (Cell::new(i % 5, i / 5), Stone::Of(color))
                })
                .collect();
            game.set_up(&stones, Color::Black).unwrap();
            let table = Table::with_bytes(1 << 16).unwrap();
            let (limits, control) = (Limits::default(), Control::default());
            let means = (&table, &limits, &control);
            let wanted = |two| Balance { two, bias: 0 };
            let last = Balanced { stones: vec![Cell::new(4, 4)], score: 0 };
            assert_eq!(balance(game.as_mut(), wanted(false), means), Some(last));
            assert_eq!(balance(game.as_mut(), wanted(true), means), None);
            assert_eq!(game.stones().len(), 24);
        });
    }
}

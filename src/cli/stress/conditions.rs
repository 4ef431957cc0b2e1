//! Conditions of a game, drawn from the seed and the number of the game, so that a run can
//! be repeated.

use std::fmt;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::engine::Terms;
use goren_core::opening::Seat;
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_core::types::{MAX_SIDE, MIN_SIDE, keys};
use goren_notation::words::plural;

/// Smallest memory limit, in bytes, within which an engine must be able to play.
const MIN_MEMORY: u64 = 16 << 20;

/// The game, its limits, and the rates of freezes and malformed input.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Conditions {
    /// Number of the game.
    pub(super) number: u64,
    pub(super) terms: Terms,
    /// Whether the game continues after a win.
    pub(super) continuous: bool,
    /// Stones on the board at the first SWAP2BOARD; `None` if it is never sent.
    pub(super) swap2: Option<usize>,
    /// Milliseconds per move; 0 means "at once".
    pub(super) turn_ms: u64,
    /// Milliseconds per game.
    pub(super) match_ms: Option<u64>,
    /// Milliseconds added to the time per game before each move.
    pub(super) increment_ms: u64,
    /// Whether the time left is sent before each move, not only at the start.
    pub(super) sends_time_left: bool,
    /// Memory limit in bytes.
    pub(super) memory: Option<u64>,
    pub(super) threads: u32,
    /// Seat of the engine.
    pub(super) seat: Seat,
    /// Plies played before the engine's first move.
    pub(super) opening_plies: usize,
    /// Maximum number of plies.
    pub(super) max_plies: usize,
    /// Probability that the process is frozen during a move or while it waits.
    pub(super) freezes: f64,
    /// Probability of settings and malformed lines between moves.
    pub(super) noise: f64,
    /// Probability that the opponent plays a random ply.
    pub(super) wild: f64,
    /// Whether the game gets a new process.
    pub(super) fresh: bool,
}

/// Returns the random number generator of a game.
pub(super) fn game_rng(seed: u64, number: u64) -> SmallRng {
    SmallRng::seed_from_u64(keys::derive(seed, number))
}

impl Conditions {
    /// Draws the conditions of game `number`.
    pub(super) fn draw(number: u64, rng: &mut SmallRng) -> Conditions {
        let terms = if rng.random_bool(0.65) { gomocup(rng) } else { family(rng) };
        let in_gomocup = matches!(terms, Terms::Gomocup(_));
        let turn_ms = match rng.random_range(0..20) {
            0 => 0,
            1..=6 => 10,
            7..=12 => rng.random_range(11..=30),
            13..=18 => rng.random_range(31..=100),
            _ => rng.random_range(101..=300),
        };
        let match_ms = rng
            .random_bool(0.5)
            .then(|| turn_ms.max(10) * rng.random_range(3..60) + rng.random_range(0..300));
        let fast = match_ms.is_some() && rng.random_bool(0.2);
        Conditions {
            number,
            terms,
            continuous: in_gomocup && rng.random_bool(0.2),
            swap2: [0, 3, 5].choose(rng).copied().filter(|_| in_gomocup && rng.random_bool(0.15)),
            turn_ms,
            match_ms,
            increment_ms: if fast { rng.random_range(1..=20) } else { 0 },
            sends_time_left: rng.random_bool(0.8),
            memory: match rng.random_range(0..10) {
                0 => None,
                1 => Some(0),
                2 => Some(350 << 20),
                3 => Some(1 << rng.random_range(0..24)),
                _ => Some(MIN_MEMORY + (rng.random_range(0..128) << 20)),
            },
            threads: if rng.random_bool(0.8) { 1 } else { rng.random_range(2..=4) },
            seat: Seat::ALL[rng.random_range(0..2)],
            opening_plies: if rng.random_bool(0.5) { 0 } else { rng.random_range(1..=12) },
            max_plies: if rng.random_bool(0.9) { rng.random_range(6..=50) } else { 200 },
            freezes: *[0.0, 0.2, 0.5].choose(rng).unwrap_or(&0.0),
            noise: *[0.0, 0.2, 0.6].choose(rng).unwrap_or(&0.0),
            wild: rng.random(),
            fresh: rng.random_bool(0.1),
        }
    }

    /// Returns the memory limit, if an engine must be able to play within it.
    pub(super) fn judged_memory(&self) -> Option<u64> {
        self.memory.filter(|&bytes| bytes >= MIN_MEMORY)
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contest { variant, width, height, opening, .. } = self.terms.contest();
        write!(f, "game {}: {variant} {width}x{height} {opening}", self.number)?;
        if self.continuous {
            write!(f, ", continuous")?;
        }
        if let Some(stones) = self.swap2 {
            write!(f, ", SWAP2BOARD at {stones} stones")?;
        }
        write!(f, ", {} ms a turn", self.turn_ms)?;
        if let Some(ms) = self.match_ms {
            let note = if self.sends_time_left { "" } else { " (time left sent once)" };
            write!(f, ", {ms}+{} ms a game{note}", self.increment_ms)?;
        }
        match self.memory {
            None => {}
            Some(0) => write!(f, ", no memory limit")?,
            Some(bytes) if bytes.is_multiple_of(1 << 20) => write!(f, ", {} MiB", bytes >> 20)?,
            Some(bytes) => write!(f, ", {}", plural(bytes, "byte", "bytes"))?,
        }
        let seat = match self.seat {
            Seat::First => "first",
            Seat::Second => "second",
        };
        let threads = plural(self.threads, "thread", "threads");
        let opening_plies = plural(self.opening_plies, "opening ply", "opening plies");
        write!(f, ", {threads}, the engine moves {seat}, {opening_plies}")
    }
}

/// Draws a game that plain Gomocup commands can set up, on a board of any size.
fn gomocup(rng: &mut SmallRng) -> Terms {
    let rules: Vec<RuleId> = RuleId::ALL.into_iter().filter(|rule| rule.is_plain()).collect();
    let rule = *rules.choose(rng).unwrap_or(&RuleId::Freestyle);
    let mut side = || match rng.random_range(0..10) {
        0..=2 => 15,
        3 => 20,
        _ => rng.random_range(MIN_SIDE..=MAX_SIDE),
    };
    let (width, height) = (side(), side());
    let height = if rng.random_bool(0.8) { width } else { height };
    Terms::Gomocup(Setup { rule, width, height })
}

/// Draws a game of the family with options and opening, on a board of random size if the
/// rules allow it.
fn family(rng: &mut SmallRng) -> Terms {
    let all = Variant::all();
    let variant = all[rng.random_range(0..all.len())];
    let usual = Contest::new(variant);
    let opening = *variant.sheet().openings.choose(rng).unwrap_or(&usual.opening);
    let opened = usual.opened(opening).unwrap_or(usual);
    let side = rng.random_range(MIN_SIDE..=MAX_SIDE);
    let resized = opened.on(side, side).ok().filter(|_| rng.random_bool(0.5));
    let tie_break = variant.sheet().passes && rng.random_bool(0.2);
    Terms::Family(Contest { tie_break, ..resized.unwrap_or(opened) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn conditions_are_printed_in_words() {
        let drawn = Conditions::draw(7, &mut game_rng(1, 7));
        let printed = |memory, threads, seat, opening_plies| {
            let conditions = Conditions { memory, threads, seat, opening_plies, ..drawn.clone() };
            conditions.to_string().split_once(" ms a turn").unwrap().1.to_owned()
        };
        let text = printed(Some(25 << 20), 1, Seat::Second, 1);
        assert!(
            text.ends_with(", 25 MiB, 1 thread, the engine moves second, 1 opening ply"),
            "{text}"
        );
        let text = printed(Some(1 << 12), 2, Seat::First, 0);
        let expected = ", 4096 bytes, 2 threads, the engine moves first, 0 opening plies";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn conditions_depend_on_the_seed_alone_and_cover_all_games() {
        let draw = |seed, n| Conditions::draw(n, &mut game_rng(seed, n));
        let drawn: Vec<Conditions> = (0..2_000).map(|n| draw(7, n)).collect();
        assert_eq!(drawn, (0..2_000).map(|n| draw(7, n)).collect::<Vec<_>>());
        assert_ne!(drawn[..20], (0..20).map(|n| draw(8, n)).collect::<Vec<_>>()[..]);
        let contests: Vec<Contest> = drawn.iter().map(|c| c.terms.contest()).collect();
        let variants: HashSet<Variant> = contests.iter().map(|c| c.variant).collect();
        assert_eq!(variants.len(), Variant::all().len());
        let sides: HashSet<usize> = contests.iter().map(|c| c.width).collect();
        assert_eq!(sides.len(), MAX_SIDE - MIN_SIDE + 1);
        assert!(contests.iter().any(|c| c.width != c.height));
        let openings: HashSet<_> = contests.iter().map(|c| c.opening).collect();
        assert!(openings.len() >= 10, "{openings:?}");
        for stones in [0, 3, 5] {
            assert!(drawn.iter().any(|c| c.swap2 == Some(stones) && c.continuous));
        }
        assert!(drawn.iter().any(|c| c.turn_ms == 0) && drawn.iter().any(|c| c.turn_ms == 10));
        // No board has a size that the rules do not allow.
        for c in contests {
            assert!(matches!(c.on(c.width, c.height), Ok(again) if again == c), "{c:?}");
        }
    }
}

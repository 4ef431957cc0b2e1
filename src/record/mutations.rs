//! Files of games with bytes changed at random: what can be read is read
//! whole, and all else is refused.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::tests::{games, setup15};
use super::{GameRecord, psq, sgf};
use crate::rules::{RuleId, Setup};

/// A few changes at random places.
pub(super) fn mutated(file: &[u8], rng: &mut SmallRng) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..rng.random_range(1..5) {
        let at = rng.random_range(0..=bytes.len());
        let end = bytes.len().min(at + rng.random_range(1..9));
        match rng.random_range(0..6) {
            0 => bytes[at..end].iter_mut().take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
            1 => rng.fill(&mut bytes[at..end]),
            2 => drop(bytes.drain(at..end)),
            3 => drop(bytes.splice(at..at, [0, 0xff, b'x', 0x40])),
            4 => bytes.extend_from_within(at..end),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Texts of games, each changed at random many times.
fn mutated_texts(write: fn(&GameRecord) -> String, mut check: impl FnMut(&str)) {
    let mut runner = TestRunner::deterministic();
    let mut rng = SmallRng::seed_from_u64(3);
    for _ in 0..400 {
        let text = write(&games().new_tree(&mut runner).unwrap().current());
        for _ in 0..25 {
            check(&String::from_utf8_lossy(&mutated(text.as_bytes(), &mut rng)));
        }
    }
}

#[test]
fn mutated_files_are_read_whole_or_refused() {
    let (mut whole, mut refused) = (0, 0);
    mutated_texts(psq::write, |text| {
        let Ok(game) = psq::read(text, setup15()) else {
            refused += 1;
            return;
        };
        whole += 1;
        let Setup { width, height, .. } = game.setup;
        assert!(game.moves.iter().all(|m| m.cell.x() < width && m.cell.y() < height));
        let numbers = |line: &str| {
            let all: Vec<Option<u64>> =
                line.split(',').map(|part| part.trim().parse().ok()).collect();
            all.len() == 3 && all.iter().all(Option::is_some)
        };
        let moves = text.lines().filter(|line| numbers(line)).count();
        assert!(game.moves.len() >= moves, "{text}");
        let again = psq::read(&psq::write(&game), game.setup).unwrap();
        assert_eq!((again.moves, again.result), (game.moves, game.result), "{text}");
    });
    assert!(whole > 1000 && refused > 1000, "{whole} {refused}");
}

#[test]
fn mutated_games_are_read_whole_or_refused() {
    let (mut whole, mut refused) = (0, 0);
    mutated_texts(sgf::write, |text| match sgf::read(text, RuleId::Freestyle) {
        Ok(games) => {
            whole += 1;
            for game in games {
                let Setup { width, height, .. } = game.setup;
                assert!(game.stones().all(|cell| cell.x() < width && cell.y() < height));
                assert_eq!(
                    sgf::read(&sgf::write(&game), RuleId::Freestyle),
                    Ok(vec![game]),
                    "{text}"
                );
            }
        }
        Err(_) => refused += 1,
    });
    assert!(whole > 1000 && refused > 1000, "{whole} {refused}");
}

#[test]
fn a_node_of_millions_is_no_harm() {
    for part in ["C[]", "XX[a]", "[]", "B[aa]W[bb]", "C[\\", ";", ";C[\n]"] {
        let text = format!("(;C[]{}", part.repeat(1_000_000));
        let _ = sgf::read(&text, RuleId::Freestyle);
    }
}

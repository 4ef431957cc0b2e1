//! Game files with bytes changed at random: a reader either accepts a file completely or
//! refuses it.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::import::{Hints, ImportedEvent, ImportedGame, Weight};
use super::linear::assert_linear;
use super::samples::games;
use super::text::Input;
use super::{psq, sgf};

/// Changes a file at a few random places.
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

/// Calls `check` with the texts of random games, each changed at random many times.
fn mutated_texts(write: fn(&ImportedGame) -> String, mut check: impl FnMut(&[u8])) {
    let mut runner = TestRunner::deterministic();
    let mut rng = SmallRng::seed_from_u64(3);
    for _ in 0..400 {
        let text = write(&games().new_tree(&mut runner).unwrap().current().imported());
        for _ in 0..25 {
            check(&mutated(text.as_bytes(), &mut rng));
        }
    }
}

/// Whether all stones are on the board.
fn is_inside(game: &ImportedGame) -> bool {
    let (width, height) = game.size.unwrap_or((15, 15));
    game.events.iter().all(|event| match event {
        ImportedEvent::Stone(cell, _) => cell.x() < width && cell.y() < height,
        _ => true,
    })
}

#[test]
fn mutated_psq_files_are_read_completely_or_refused() {
    let (mut whole, mut refused) = (0, 0);
    let write = |game: &ImportedGame| psq::write(game).unwrap();
    mutated_texts(write, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let games: Result<Vec<_>, _> = psq::read(&text, &Hints::default()).collect();
        let Ok(games) = games else {
            refused += 1;
            return;
        };
        whole += 1;
        let numbers = |line: &str| {
            let all: Vec<Option<u64>> =
                line.split(',').map(|part| part.trim().parse().ok()).collect();
            all.len() == 3 && all.iter().all(Option::is_some)
        };
        let moves = text.lines().filter(|line| numbers(line)).count();
        assert!(games.iter().map(|game| game.events.len()).sum::<usize>() >= moves, "{text}");
        for game in games {
            assert!(is_inside(&game));
            let Ok(written) = psq::write(&game) else { continue };
            let again = psq::read(&written, &Hints::default()).next().unwrap().unwrap();
            assert_eq!((again.events, again.result), (game.events, game.result), "{text}");
        }
    });
    assert!(whole > 1000 && refused > 1000, "{whole} {refused}");
}

#[test]
fn mutated_sgf_games_are_read_completely_or_refused() {
    let (mut whole, mut doubted, mut refused) = (0, 0, 0);
    mutated_texts(sgf::write, |bytes| {
        let Ok(input) = Input::new(bytes, None) else { return };
        for game in sgf::read(&input, &Hints::default()) {
            let Ok(game) = game else {
                refused += 1;
                continue;
            };
            whole += 1;
            doubted += usize::from(game.notes.iter().any(|note| note.weight == Weight::Doubt));
            assert!(is_inside(&game));
            if game.board.is_some() {
                continue;
            }
            let text = sgf::write(&game);
            let input = Input::new(text.as_bytes(), None).unwrap();
            let again = sgf::read(&input, &Hints::default()).next().unwrap().unwrap();
            assert_eq!(again.events, game.events, "{text}");
            assert_eq!((again.size, again.result), (game.size, game.result), "{text}");
        }
    });
    assert!(whole > 1000 && refused > 1000 && doubted > 10, "{whole} {doubted} {refused}");
}

#[test]
fn millions_of_properties_in_a_node_are_harmless() {
    for part in ["C[]", "XX[a]", "[]", "B[aa]W[bb]", "C[\\", ";", ";C[\n]", "(;GM[4]", "(;)"] {
        let text = format!("(;C[]{}", part.repeat(1_000_000));
        let input = Input::new(text.as_bytes(), None).unwrap();
        assert_linear(|| assert!(sgf::read(&input, &Hints::default()).count() > 0));
    }
}

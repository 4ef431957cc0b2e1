use super::*;
use crate::testing::packed_game as game;
use crate::{SampledPosition, codec};
use std::fs;
use tempfile::tempdir;

fn write(path: &Path, seeds: std::ops::Range<u64>) {
    fs::write(path, seeds.flat_map(|seed| frame(&game(seed))).collect::<Vec<u8>>()).unwrap();
}

fn read(path: &Path) -> (Vec<PackedGame>, Option<DataError>) {
    let mut games = Vec::new();
    for game in PackedReader::open(path).unwrap() {
        match game {
            Ok(game) => games.push(game),
            Err(error) => return (games, Some(error)),
        }
    }
    (games, None)
}

#[test]
fn a_file_cut_anywhere_keeps_its_whole_games() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cut.games");
    write(&path, 0..3);
    let whole = fs::read(&path).unwrap();
    let all: Vec<PackedGame> = (0..3).map(game).collect();
    assert_eq!(read(&path).0, all);
    let ends: Vec<u64> = all
        .iter()
        .scan(0, |byte, game| {
            *byte += frame(game).len() as u64;
            Some(*byte)
        })
        .collect();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let complete = ends.iter().filter(|&&end| end <= cut as u64).count();
        let (games, error) = read(&path);
        assert_eq!(games, all[..complete]);
        let at_end = cut == 0 || ends.contains(&(cut as u64));
        match error {
            None => assert!(at_end),
            Some(error) => {
                assert!(!at_end && matches!(error.fault, FrameFault::Truncated));
                assert_eq!(error.byte, if complete == 0 { 0 } else { ends[complete - 1] });
            }
        }
    }
}

#[test]
fn files_are_merged_by_concatenation() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one.games", "two.games"].map(|name| folder.path().join(name));
    write(&one, 0..2);
    write(&two, 2..5);
    fs::write(&one, [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat()).unwrap();
    assert_eq!(read(&one).0, (0..5).map(game).collect::<Vec<_>>());
}

#[test]
fn a_damaged_byte_anywhere_is_noticed() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("damage.games");
    write(&path, 0..2);
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        let (games, error) = read(&path);
        assert!(error.is_some(), "byte {at}");
        assert!(games.len() < 2);
    }
    fs::write(&path, b"not a file of games at all").unwrap();
    let error = read(&path).1.unwrap();
    assert!(matches!(error.fault, FrameFault::NoGame));
}

#[test]
fn errors_count_games_from_one() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("two.games");
    write(&path, 0..2);
    let second = frame(&game(0)).len();
    let whole = fs::read(&path).unwrap();
    for (number, bytes, byte) in [(1, &b"nothing"[..], 0), (2, &whole[..second + 1], second)] {
        fs::write(&path, bytes).unwrap();
        let message = read(&path).1.unwrap().to_string();
        assert!(message.contains(&format!(": game {number} at byte {byte}: ")), "{message}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = PackedReader::open(Path::new("/nowhere/x.games")).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/x.games"), "{error}");
}

#[test]
fn a_game_with_very_many_sampled_positions_is_read() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("long.games");
    let mut long = game(1);
    let cell = |at: usize| long.plies[at % long.plies.len()].played;
    // Scattered moves, which do not compress well: more than 64 KiB.
    let sampled = |at: usize| SampledPosition {
        ply: at % 16,
        line: (0..12).map(|i| cell(at * at + i * (at + 7))).collect(),
        best: cell(at * 7 % 13),
        score: (at * 7919 % 60_000) as i32 - 30_000,
    };
    let sampled: Vec<SampledPosition> = (0..6_000).map(sampled).collect();
    long.sampled = sampled;
    let bytes = frame(&long);
    fs::write(&path, &bytes).unwrap();
    assert!(codec::encode(&long).len() > 1 << 16);
    let (games, error) = read(&path);
    assert!(error.is_none() && games == [long]);
}

use super::*;
use crate::testing::packed_game;
use crate::{FORMAT, frame, other_kind};
use goren_notation::json_example;
use std::fs;
use std::ops::Range;
use tempfile::tempdir;

/// Returns a file of packed games, and the byte range of each.
fn packed_file() -> (Vec<u8>, Vec<Range<usize>>) {
    with_ranges(Vec::new(), (0..3).map(|seed| frame(&packed_game(seed))))
}

/// Returns a file of lines, and the byte range of each game without the line end.
fn line_file() -> (Vec<u8>, Vec<Range<usize>>) {
    let line = json_example::text(include_str!("../lines.rs"));
    let header = format!("{{\"format\":{FORMAT:?}}}\n").into_bytes();
    let lines = (0..3).map(|seed| line.replace("\"seed\":5", &format!("\"seed\":{seed}")) + "\n");
    let (bytes, mut ranges) = with_ranges(header, lines.map(String::into_bytes));
    ranges.iter_mut().for_each(|range| range.end -= 1);
    (bytes, ranges)
}

fn with_ranges(
    mut bytes: Vec<u8>,
    games: impl Iterator<Item = Vec<u8>>,
) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut ranges = Vec::new();
    for game in games {
        ranges.push(bytes.len()..bytes.len() + game.len());
        bytes.extend(game);
    }
    (bytes, ranges)
}

/// Returns the seeds of the games of a file, its faults, and the error that ended the reading.
fn read(path: &Path, whole_games: bool) -> (Vec<u64>, Vec<String>, Option<Error>) {
    let mut files = GameReader::new(vec![path.to_path_buf()], whole_games);
    let mut seeds = Vec::new();
    loop {
        match files.next_game() {
            Ok(Some((place, game))) => {
                seeds.push(game.seed());
                assert_eq!(place.game, (seeds.len() + files.faults().len()) as u64);
            }
            Ok(None) => return (seeds, files.faults().to_vec(), None),
            Err(error) => return (seeds, files.faults().to_vec(), Some(error)),
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_read_to_its_last_whole_game_and_the_fault_is_reported() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cut.games");
    for (bytes, ranges) in [packed_file(), line_file()] {
        for cut in ranges[0].start..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let whole = ranges.iter().take_while(|game| game.end <= cut).count() as u64;
            let is_within = ranges.iter().any(|game| game.start < cut && cut < game.end);
            let (seeds, faults, error) = read(&path, true);
            assert_eq!((seeds.len() as u64, faults.len()), (whole, usize::from(is_within)));
            assert!(seeds.into_iter().eq(0..whole) && error.is_none());
            let (seeds, faults, error) = read(&path, false);
            assert!(seeds.into_iter().eq(0..whole) && faults.is_empty());
            assert_eq!(error.is_some(), is_within, "cut at {cut}");
            if let Some(error) = error {
                let (packed, line) = (format!("game {}", whole + 1), format!("line {}", whole + 2));
                let message = format!("{error:#}");
                assert!(error.is::<Damaged>() && message.contains("cut.games: "), "{message}");
                assert!(message.contains(&packed) || message.contains(&line), "{message}");
            }
        }
    }
}

#[test]
fn only_the_damaged_line_is_skipped() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("damaged.games");
    let (mut bytes, ranges) = line_file();
    // The line is no valid UTF-8 any more.
    bytes[ranges[1].start + 5] = 0xff;
    fs::write(&path, &bytes).unwrap();
    let (seeds, faults, _) = read(&path, true);
    assert_eq!(seeds.len() + 1, ranges.len());
    assert!(faults.len() == 1 && faults[0].contains("damaged.games: line 3"), "{faults:?}");
}

#[test]
fn a_file_of_another_kind_is_named_and_not_called_damaged() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("other.games");
    let contents: [&[u8]; 4] =
        [b"h8 i9\n", b"{\"format\":\"something else\"}\n", b"{\"format\"\n", b"{\xff\n"];
    for content in contents {
        fs::write(&path, content).unwrap();
        // However damaged files are treated.
        for whole_games in [false, true] {
            let error = read(&path, whole_games).2.unwrap();
            assert!(
                !error.is::<Damaged>() && format!("{error:#}").contains("other.games"),
                "{error:#}"
            );
        }
        let message = other_kind(&path).map(|fault| format!("{fault:#}"));
        assert!(
            message.as_ref().is_some_and(|message| message.contains("other.games")),
            "{message:?}"
        );
    }
    // A damaged, empty or missing file is not of another kind.
    let (packed, lines) = (packed_file().0, line_file().0);
    let contents: [&[u8]; 6] = [&packed, &packed[..20], b"GR", b"", &lines, b"{\"format\""];
    for content in contents {
        fs::write(&path, content).unwrap();
        assert!(other_kind(&path).is_none(), "{content:?}");
    }
    fs::remove_file(&path).unwrap();
    assert!(other_kind(&path).is_none());
}

/// Such a file used to be taken for one of another kind, which ended the reading of all files.
#[test]
fn a_file_cut_within_its_settings_is_damaged_and_has_no_game() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cut.games");
    let (bytes, ranges) = line_file();
    // The settings are complete even without the line end.
    for cut in 1..ranges[0].start - 1 {
        fs::write(&path, &bytes[..cut]).unwrap();
        let (seeds, faults, error) = read(&path, true);
        assert!(seeds.is_empty() && error.is_none(), "cut at {cut}");
        assert!(faults.len() == 1 && faults[0].contains("cut.games: line 1: "), "{faults:?}");
        assert!(read(&path, false).2.unwrap().is::<Damaged>(), "cut at {cut}");
    }
}

/// Such files used to go unreported.
#[test]
fn files_without_a_game_are_named() {
    let folder = tempdir().unwrap();
    let paths = ["empty", "settings", "games", "cut"].map(|name| folder.path().join(name));
    let (lines, ranges) = line_file();
    let contents: [&[u8]; 4] = [b"", &lines[..ranges[0].start], &lines, b"GR"];
    for (path, content) in paths.iter().zip(contents) {
        fs::write(path, content).unwrap();
    }
    let mut files = GameReader::new(paths.to_vec(), true);
    while files.next_game().unwrap().is_some() {}
    let named: Vec<&Path> = files.without_game().iter().map(|path| &**path).collect();
    assert_eq!(named, [paths[0].as_path(), paths[1].as_path()]);
    // A damaged file is reported as damaged.
    assert!(files.faults().len() == 1 && files.faults()[0].contains("cut: game 1"));
}

#[test]
fn files_of_either_kind_follow_one_another() {
    let folder = tempdir().unwrap();
    let paths = ["one.games", "two.games"].map(|name| folder.path().join(name));
    fs::write(&paths[0], packed_file().0).unwrap();
    fs::write(&paths[1], line_file().0).unwrap();
    let mut files = GameReader::new(paths.to_vec(), false);
    let mut places = Vec::new();
    while let Some((place, game)) = files.next_game().unwrap() {
        let is_packed = matches!(game, TrainingGame::Packed(_));
        let name = place.path.file_name().unwrap().to_str().unwrap();
        places.push(format!("{name} {} {is_packed}", place.game));
    }
    let expected = [("one.games", true), ("two.games", false)]
        .into_iter()
        .flat_map(|(name, packed)| (1..=3).map(move |game| format!("{name} {game} {packed}")));
    assert!(places.into_iter().eq(expected));
}

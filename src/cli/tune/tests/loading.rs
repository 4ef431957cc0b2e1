//! The files of a fit: held-out games, damaged and foreign files.

use std::fs;
use std::path::{Path, PathBuf};

use super::short_games::{arguments, line_games};
use super::*;
use crate::tune::Args;
use crate::tune::load::{GameForm, load, read};
use goren_core::rules::Variant;
use goren_training_data::{JsonGame, frame};
use tempfile::tempdir;

/// Loads games; returns the seed of each, and whether it was held out.
fn seeds<G: GameForm>(args: &Args, seed: fn(&G) -> u64) -> Result<Vec<(u64, bool)>> {
    let mut found = Vec::new();
    let take = |game: G, held_out| Ok((seed(&game), held_out));
    load(
        args,
        |variant| variant == args.game,
        take,
        |game| {
            found.push(game);
            false
        },
    )?;
    Ok(found)
}

fn packed_seeds(args: &Args) -> Result<Vec<(u64, bool)>> {
    seeds(args, |game: &PackedGame| game.seed)
}

fn line_seeds(args: &Args) -> Result<Vec<(u64, bool)>> {
    seeds(args, |game: &JsonGame| game.seed)
}

fn packed_file(folder: &Path, size: usize, seeds: std::ops::Range<u64>) -> PathBuf {
    let path = folder.join(format!("renju-{size}.games"));
    let games = seeds.flat_map(|seed| frame(&random_game::<Renju>(size, seed)));
    fs::write(&path, games.collect::<Vec<u8>>()).unwrap();
    path
}

fn cut(path: &Path, bytes: usize) {
    let content = fs::read(path).unwrap();
    fs::write(path, &content[..content.len() - bytes]).unwrap();
}

#[test]
fn whole_games_of_a_cut_file_are_used_on_request() {
    let folder = tempdir().unwrap();
    let packed = packed_file(folder.path(), 15, 0..5);
    let lines = line_games(&folder.path().join("pente.games"), "pente", 5);
    let mut whole_lines = arguments("pente", &lines);
    whole_lines.whole_games = true;
    for path in [&packed, &lines] {
        cut(path, 3);
    }
    let strict = arguments("renju", &packed);
    let whole_games = Args { whole_games: true, ..strict.clone() };
    assert_eq!(packed_seeds(&whole_games).unwrap().len(), 4);
    assert_eq!(line_seeds(&whole_lines).unwrap().len(), 4);
    let error = format!("{:#}", packed_seeds(&strict).unwrap_err());
    assert!(error.contains("with --whole-games") && error.contains(": game 5 at byte"), "{error}");
    let strict = Args { whole_games: false, ..whole_lines };
    let error = format!("{:#}", line_seeds(&strict).unwrap_err());
    assert!(
        error.contains("with --whole-games") && error.contains("pente.games: line 6"),
        "{error}"
    );
}

#[test]
fn an_unusable_game_is_reported_or_skipped() {
    let folder = tempdir().unwrap();
    let path = packed_file(folder.path(), 15, 0..5);
    let mut args = arguments("renju", &path);
    let take = |game: PackedGame, _| {
        anyhow::ensure!(game.seed != 2, "a stone is on another");
        Ok(game.seed)
    };
    let load_all = |args: &Args| {
        let mut found = Vec::new();
        load(
            args,
            |variant| variant == args.game,
            take,
            |seed| {
                found.push(seed);
                false
            },
        )
        .map(|()| found)
    };
    let error = format!("{:#}", load_all(&args).unwrap_err());
    assert!(error.contains("renju-15.games: game 3: a stone is on another"), "{error}");
    args.whole_games = true;
    assert_eq!(load_all(&args).unwrap(), [0, 1, 3, 4]);
}

#[test]
fn files_of_the_other_form_are_refused_and_other_boards_skipped() {
    let folder = tempdir().unwrap();
    let packed = packed_file(folder.path(), 15, 0..3);
    let larger = packed_file(folder.path(), 20, 3..5);
    let lines = line_games(&folder.path().join("pente.games"), "pente", 2);
    // With and without --whole-games.
    for whole_games in [false, true] {
        let data = vec![packed.clone(), lines.clone()];
        let args = Args { whole_games, data, ..arguments("renju", &packed) };
        let error = format!("{:#}", packed_seeds(&args).unwrap_err());
        let expected = "pente.games: it holds games of pente, not of renju: leave the file out";
        assert!(error.ends_with(expected), "{error}");
        let game = Variant::from_name("pente").unwrap();
        let error = format!("{:#}", line_seeds(&Args { game, ..args }).unwrap_err());
        let expected = "it holds games of five in a row, not of pente: leave the file out";
        assert!(error.ends_with(expected) && error.contains("renju-15.games: "), "{error}");
    }
    let mut args = arguments("renju", &packed);
    args.data = vec![larger, packed.clone()];
    let of_size = |side| {
        let args = Args { size: crate::tune::args::BoardSide(side), ..args.clone() };
        packed_seeds(&args).unwrap().into_iter().map(|(seed, _)| seed).collect::<Vec<_>>()
    };
    assert_eq!(of_size(None), [3, 4, 0, 1, 2]);
    assert_eq!(of_size(Some(15)), [0, 1, 2]);
    assert_eq!(of_size(Some(20)), [3, 4]);
    // The form is reported rather than the damage.
    cut(&packed, 3);
    let game = Variant::from_name("pente").unwrap();
    let error = line_seeds(&Args { game, ..arguments("renju", &packed) }).unwrap_err();
    assert!(format!("{error:#}").contains("not of pente"), "{error:#}");
}

/// Regression: the fit did not report that it had not read all files.
#[test]
fn an_early_end_of_the_reading_is_reported() {
    let folder = tempdir().unwrap();
    let first = packed_file(folder.path(), 15, 0..5);
    let mut args = Args { positions: 100, ..arguments("renju", &first) };
    args.data.push(packed_file(folder.path(), 20, 5..8));
    let end = |enough: u32| {
        let mut games = 0;
        let keep = |()| {
            games += 1;
            games == enough
        };
        read(&args, |_| true, |_: PackedGame, _| Ok(()), keep).unwrap()
    };
    let note = end(3).unwrap();
    assert!(note.starts_with("reading ended at --positions 100, in "), "{note}");
    let place = "renju-15.games: game 3; unread: 1 file after it";
    assert!(note.ends_with(place), "{note}");
    assert!(end(6).unwrap().ends_with("renju-20.games: game 1"));
    // After the last game nothing is left.
    assert_eq!([end(8), end(9)], [None, None]);
}

/// Copies of a game are held out together, and a seed always holds out the same games.
#[test]
fn the_same_games_are_held_out_in_any_file() {
    let folder = tempdir().unwrap();
    let first = packed_file(folder.path(), 15, 0..40);
    let args = Args { valid: 0.3, ..arguments("renju", &first) };
    let found = packed_seeds(&args).unwrap();
    let held_out = |found: &[(u64, bool)]| {
        found.iter().filter(|(_, held_out)| *held_out).map(|&(seed, _)| seed).collect::<Vec<_>>()
    };
    let expected = [0, 2, 3, 5, 11, 12, 13, 16, 17, 19, 20, 24, 26, 28, 29, 31, 34];
    assert_eq!(held_out(&found), expected);
    let twice = Args { data: vec![first.clone(), first.clone()], ..args.clone() };
    assert_eq!(packed_seeds(&twice).unwrap(), [found.clone(), found.clone()].concat());
    assert_ne!(packed_seeds(&Args { seed: 2, ..args }).unwrap(), found);
    let lines = line_games(&folder.path().join("pente.games"), "pente", 20);
    let args = Args { valid: 0.3, ..arguments("pente", &lines) };
    assert_eq!(held_out(&line_seeds(&args).unwrap()), [2, 10, 12, 15]);
}

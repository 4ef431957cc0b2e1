use std::fs;
use std::path::Path;

use super::*;
use crate::{Damaged, FORMAT, JsonGame, PackedGame, PackedPly, SampledPosition, frame};
use goren_core::rules::{RuleId, Setup};
use goren_notation::json_example;
use tempfile::tempdir;

fn at(x: usize, y: usize) -> Cell {
    Cell::new(x, y)
}

fn packed(size: usize) -> PackedGame {
    let ply = |played, best, score| PackedPly { played, best, score };
    PackedGame {
        setup: Setup::new(RuleId::Standard, size, 5).unwrap(),
        seed: 255,
        opening: vec![at(2, 2), at(1, 1)],
        plies: vec![ply(at(3, 3), at(0, 4), -20), ply(at(0, 0), at(0, 0), 29_997)],
        sampled: vec![SampledPosition { ply: 1, line: vec![at(4, 4)], best: at(0, 1), score: 5 }],
        result: Outcome::Win(Color::White),
        played_out: false,
    }
}

fn training_game(game: PackedGame) -> TrainingGame {
    TrainingGame::Packed(Box::new(game))
}

fn connect6() -> JsonGame {
    JsonGame::read(&json_example::text(include_str!("../lines.rs"))).unwrap()
}

#[test]
fn rows_match_the_documented_columns() {
    let mut rows = PositionColumns::default();
    rows.add(7, &training_game(packed(6))).unwrap();
    let mut board = [0; 30];
    (board[6 * 2 + 2], board[6 + 1]) = (1, 2);
    assert_eq!(rows.board[..30], board);
    board[6 * 3 + 3] = 1;
    assert_eq!(rows.board[30..], board);
    let expected = PositionColumns {
        board: rows.board.clone(),
        to_move: vec![1, 2],
        left: vec![1, 1],
        best: vec![24, 0],
        played: vec![21, -1],
        score: vec![-20, 29_997],
        result: vec![-1, 1],
        ply: vec![2, 3],
        game: vec![7, 7],
    };
    assert_eq!(rows, expected);
}

#[test]
fn a_turn_of_two_stones_has_a_row_for_each_stone() {
    let mut rows = PositionColumns::default();
    rows.add(0, &TrainingGame::Json(Box::new(connect6()))).unwrap();
    assert_eq!((&rows.to_move[..], &rows.left[..]), (&[2, 2, 1][..], &[2, 1, 2][..]));
    assert_eq!((&rows.ply[..], &rows.result[..]), (&[1, 2, 3][..], &[-1, -1, 1][..]));
    let cell = |x: i16, row: i16| 19 * (19 - row) + x;
    assert_eq!(rows.played, [cell(11, 9), cell(10, 12), -1]);
    // The second stone was random, so the best is unknown.
    assert_eq!(rows.best, [cell(11, 9), -1, -1]);
    let count = |row: usize, what| {
        rows.board[361 * row..361 * (row + 1)].iter().filter(|&&s| s == what).count()
    };
    let counts: Vec<_> = (0..3).map(|row| (count(row, 1), count(row, 2))).collect();
    assert_eq!(counts, [(1, 0), (1, 1), (1, 2)]);
}

/// For five in a row the board without rules agrees with the rules.
#[test]
fn the_plain_board_agrees_with_the_rules() {
    let game = packed(6);
    let contest = training_game(game.clone()).contest();
    let (mut plain, mut ruled) =
        (Replay::Plain(vec![0; 30]), Replay::Ruled(Box::new(Typed::new(&contest))));
    let stones = game.opening.iter().copied().chain(game.plies.iter().map(|ply| ply.played));
    for (ply, cell) in stones.enumerate() {
        assert_eq!(plain.turn(ply), ruled.turn(ply));
        for replay in [&mut plain, &mut ruled] {
            replay.place(6 * cell.y() + cell.x(), cell, ply).unwrap();
        }
        let (mut one, mut other) = (Vec::new(), Vec::new());
        plain.draw(&contest, &mut one);
        ruled.draw(&contest, &mut other);
        assert_eq!(one, other);
    }
}

#[test]
fn an_illegal_game_adds_no_row() {
    let mut rows = PositionColumns::default();
    rows.add(0, &training_game(packed(6))).unwrap();
    let before = rows.clone();
    let mut game = packed(6);
    game.plies[0].played = game.opening[0];
    let error = format!("{:#}", rows.add(1, &training_game(game)).unwrap_err());
    assert!(error.starts_with("stone 3 (") && error.ends_with("the point is occupied"), "{error}");
    let mut line = connect6();
    line.scores[2] = WIN + 1;
    assert!(rows.add(1, &TrainingGame::Json(Box::new(line))).is_err());
    assert_eq!(rows, before);
}

fn all(reader: &mut PositionReader, batch: usize) -> Result<Vec<PositionColumns>> {
    let mut batches = Vec::new();
    loop {
        let mut rows = PositionColumns::default();
        let more = reader.read(batch, &mut rows)?;
        if !rows.is_empty() {
            batches.push(rows);
        }
        if !more {
            return Ok(batches);
        }
    }
}

fn write(path: &Path, games: &[PackedGame]) {
    fs::write(path, games.iter().flat_map(frame).collect::<Vec<u8>>()).unwrap();
}

#[test]
fn files_are_read_in_batches_of_whole_games() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one.games", "two.games"].map(|name| folder.path().join(name));
    write(&one, &[packed(6), packed(6)]);
    write(&two, &[packed(6)]);
    let mut reader = PositionReader::new(vec![one.clone(), two.clone()], false);
    let batches = all(&mut reader, 3).unwrap();
    assert_eq!(batches.iter().map(PositionColumns::len).collect::<Vec<_>>(), [4, 2]);
    assert_eq!(batches[0].game, [0, 0, 1, 1]);
    assert_eq!((&batches[1].game[..], reader.games()), (&[2, 2][..], 3));
    // One sampled position in each game, which gives no row.
    assert_eq!(reader.sampled(), 3);
}

#[test]
fn files_of_two_boards_or_games_are_refused_by_name() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one.games", "two.games"].map(|name| folder.path().join(name));
    write(&one, &[packed(6)]);
    let header = format!("{{\"format\":{FORMAT:?}}}\n");
    let lines = header + &connect6().line().unwrap();
    let board = frame(&packed(7));
    for (other, is_of) in [(board, "gomoku 7x5"), (lines.into_bytes(), "connect6 19x19")] {
        fs::write(&two, other).unwrap();
        // However damaged files are treated.
        for whole_games in [false, true] {
            let mut reader = PositionReader::new(vec![one.clone(), two.clone()], whole_games);
            let error = format!("{:#}", all(&mut reader, 100).unwrap_err());
            let expected = format!("two.games: game 1: it is {is_of}, those before are gomoku 6x5");
            assert!(error.contains(&expected), "{error}");
        }
    }
}

#[test]
fn whole_games_of_damaged_files_are_read_on_request() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cut.games");
    write(&path, &[packed(6), packed(6)]);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = all(&mut PositionReader::new(vec![path.clone()], false), 9).unwrap_err();
    assert!(format!("{error:#}").contains("cut.games: game 2"), "{error:#}");
    assert!(error.is::<Damaged>());
    // A missing file is not a damaged one.
    let missing = vec![folder.path().join("none.games")];
    assert!(!all(&mut PositionReader::new(missing, true), 9).unwrap_err().is::<Damaged>());
    let mut reader = PositionReader::new(vec![path.clone()], true);
    assert_eq!(all(&mut reader, 9).unwrap()[0].len(), 2);
    assert_eq!((reader.faults().len(), reader.games()), (1, 1));
    // A line that is no game, and a game without a result.
    let line = connect6().line().unwrap();
    let broken =
        line.replace(r#""result":"first","reason":"proven""#, r#""result":null,"reason":"""#);
    assert_ne!(line, broken);
    let header = format!("{{\"format\":{FORMAT:?}}}\n");
    fs::write(&path, [header.as_str(), "{}\n", &broken, &line].concat()).unwrap();
    let mut reader = PositionReader::new(vec![path], true);
    assert_eq!(all(&mut reader, 9).unwrap()[0].len(), 3);
    assert_eq!((reader.faults().len(), reader.games(), reader.without_result()), (1, 2, 1));
}

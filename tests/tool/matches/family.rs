//! Games beyond Gomocup: two stones a turn, captures, gravity, swaps and other
//! openings; the tests replay each game by the rules.

use std::fs::{self, File};

use goren_core::opening::{self, GameState, Seat};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::Color;
use serde_json::Value;

use crate::support::{Folder, answering, engine, fails, games, runs};

/// The arguments of a match of our engine against another.
fn arguments(other: &str, out: &str, more: &str) -> Vec<String> {
    let fixed = ["-e", engine(), "-e", other, "--out", out].map(String::from);
    fixed.into_iter().chain(more.split_whitespace().map(String::from)).collect()
}

fn plays(other: &str, out: &str, more: &str) -> String {
    let arguments = arguments(other, out, more);
    runs(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn refuses(other: &str, out: &str, more: &str) -> String {
    let arguments = arguments(other, out, more);
    fails(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn weak() -> String {
    format!("name=weak cmd='{engine}' nodes=10", engine = engine())
}

fn text<'a>(game: &'a Value, name: &str) -> &'a str {
    game[name].as_str().unwrap()
}

fn plies(game: &Value) -> Vec<&str> {
    let opening = game["opening"].as_array().unwrap().iter();
    let plies = game["plies"].as_array().unwrap().iter().map(|ply| &ply["ply"]);
    opening.chain(plies).map(|text| text.as_str().unwrap()).collect()
}

/// Replays a game by the rules.
fn replay(game: &Value) -> GameState {
    let contest = Contest::new(Variant::from_name(text(game, "variant")).unwrap());
    let contest = contest.opened(OpeningId::from_name(text(game, "opened")).unwrap()).unwrap();
    let side = |name: &str| game[name].as_u64().unwrap() as usize;
    let contest = Contest { tie_break: game["tie_break"] == true, ..contest };
    let mut game_state = GameState::new(contest.on(side("width"), side("height")).unwrap());
    for text in plies(game) {
        let action = opening::read(&game_state, text).unwrap();
        game_state.apply(&action).unwrap();
    }
    game_state
}

/// Replays the games of a match: pairs, seats, colours and results must be as the
/// lines say.
fn check(games: &[Value]) -> Vec<GameState> {
    for game in games {
        let number = game["game"].as_u64().unwrap();
        let twin = games.iter().find(|twin| twin["game"] == (number ^ 1)).unwrap();
        assert_eq!(game["opening"], twin["opening"]);
        assert_eq!((&game["first"], &game["second"]), (&twin["second"], &twin["first"]));
        let game_state = replay(game);
        let black = ["first", "second"][game_state.owner(Color::Black).index()];
        assert_eq!(text(game, "black"), black);
        let ended = match game_state.result() {
            None => ("draw", "move limit"),
            Some(result) => {
                let winner = match result.seats[..] {
                    [Seat::First] => "first",
                    [Seat::Second] => "second",
                    _ => "draw",
                };
                (winner, result.reason.name())
            }
        };
        assert_eq!((text(game, "result"), text(game, "reason")), ended, "{game}");
    }
    games.iter().map(replay).collect()
}

#[test]
fn every_kind_of_game_is_played_to_its_end_by_its_rules() {
    let kinds = [
        "connect6 --size 11",
        "connect6+torus --opening swap-3rd",
        "connect6+noncollinear --size 9",
        "pente+keryo+poof --size 13",
        "pente+boat --opening swap-2 --size 13",
        "four-in-a-row --size 7x6",
        "four-in-a-row+clear --opening swap-5",
        "irensei --draw-after 40",
        "gomoku --tie-break",
        "renju --opening taraguchi-10",
        "renju --opening yamaguchi",
        "caro --opening long-pro",
    ];
    std::thread::scope(|scope| {
        for kind in kinds {
            scope.spawn(move || {
                let folder = Folder::new();
                let more = format!("--nodes 60 --games 4 --game {kind}");
                let output = plays(&weak(), &folder.path("out"), &more);
                assert!(output.contains("Goren vs weak: 4 games"), "{kind}: {output}");
                assert!(output.contains("  by seat    "), "{output}");
                assert!(output.contains("who began won"), "{output}");
                assert!(!output.contains("fault"), "{kind}: {output}");
                let games = games(&folder);
                assert_eq!(games.len(), 4, "{kind}");
                check(&games);
                let five = ["renju", "caro", "gomoku"].iter().any(|five| kind.starts_with(five));
                let sgf = folder.read("out/games.sgf");
                assert_eq!(sgf.matches("(;FF[4]GM[4]").count(), 4, "{kind}");
                assert_eq!(output.contains("psq files hold only five in a row"), !five, "{output}");
                assert!(folder.read("out/plot.svg").contains("Goren against weak"), "{kind}");
            });
        }
    });
}

#[test]
fn two_stones_a_turn_from_a_file_of_plies() {
    let folder = Folder::new();
    let lines = "# Connect6\nj10 i9,k11\nj10 k10,k11 i10,i11\n";
    let file = folder.write("plies.txt", lines);
    let more = format!("--game connect6 --nodes 60 --games 4 --order file --openings {file}");
    plays(&weak(), &folder.path("out"), &more);
    let games = games(&folder);
    check(&games);
    for game in &games {
        let plies = plies(game);
        let opening =
            ["j10 i9,k11", "j10 k10,k11 i10,i11"][game["game"].as_u64().unwrap() as usize / 2];
        assert!(plies.join(" ").starts_with(opening), "{plies:?}");
        assert!(plies[1..].iter().all(|ply| ply.split(',').count() == 2), "{plies:?}");
    }
    let written = folder.read("out/openings.txt");
    assert!(written.starts_with("# goren openings 2"), "{written}");
    assert!(written.ends_with("\nj10 i9,k11\nj10 k10,k11 i10,i11\n"), "{written}");
    // Piskvork's form cannot hold such a game.
    assert_eq!(folder.read("out/games.sgf").matches("RU[connect6]").count(), 4);
    assert!(!fs::exists(folder.path("out/psq")).unwrap());
    let file = folder.write("bad.txt", "j10 i9\n");
    let bad = format!("--game connect6 --nodes 60 --games 4 --openings {file}");
    let output = refuses(&weak(), &folder.path("bad"), &bad);
    assert!(output.contains("bad.txt") && output.contains("line 1: ply 2 (i9)"), "{output}");
}

/// Regression: such openings were refused unless `--opening free` was given.
#[test]
fn openings_of_renju_without_overlines_need_not_begin_in_the_centre() {
    let folder = Folder::new();
    let file = folder.write("openings.txt", "# goren openings 2\nh8 i9 j8\ng8 i9 j8\n");
    let more = format!("--game renju+overline --nodes 60 --games 4 --openings {file}");
    plays(&weak(), &folder.path("out"), &more);
    let games = games(&folder);
    check(&games);
    assert!(games.len() == 4 && games.iter().all(|game| text(game, "opened") == "free"));
    let more = format!("--opening centre {more}");
    let output = refuses(&weak(), &folder.path("centre"), &more);
    assert!(output.contains("line 3: ply 1 (g8): the opening does not allow"), "{output}");
}

#[test]
fn captured_stones_leave_room_for_others() {
    let folder = Folder::new();
    let file = folder.write("plies.txt", "e5 d5 f5 g5 e5\n");
    let more = format!("--game pente --opening free --nodes 60 --games 2 --openings {file}");
    plays(&weak(), &folder.path("out"), &more);
    for game_state in check(&games(&folder)) {
        assert!(game_state.referee().captured()[1] >= 2);
    }
}

/// An engine that swaps whenever it may; else it plays the first empty cell.
fn swapper() -> String {
    let code = r#"case "$line" in
        BEGIN) taken="$taken 7,7 8,8 9,9 "; echo 7,7 8,8 9,9 ;;
        "TURN "*,*" "*,*) echo SWAP ;;
        *) play ;;
    esac"#;
    format!("name=swapper {}", answering(code))
}

#[test]
fn points_stay_with_the_players_after_a_swap() {
    let folder = Folder::new();
    let more = "--game gomoku --opening swap-2 --no-openings --nodes 200 --games 2";
    let output = plays(&swapper(), &folder.path("out"), more);
    let games = games(&folder);
    check(&games);
    assert!(output.contains("score      2-0-0 (100.0%)"), "{output}");
    assert!(output.contains("1-0-0 (100.0%) when it began, 1-0-0 (100.0%) when not"), "{output}");
    let swapped = games.iter().find(|game| game["game"] == 0).unwrap();
    assert_eq!((text(swapped, "first"), text(swapped, "second")), ("Goren", "swapper"));
    assert_eq!((plies(swapped)[1], text(swapped, "black")), ("pass", "second"));
    assert_eq!((text(swapped, "result"), text(swapped, "reason")), ("first", "line"));
    let answered = games.iter().find(|game| game["game"] == 1).unwrap();
    assert_eq!(plies(answered)[0], "h8,i7,j6");
    // SGF has no seats: the names are those of the colours at the end.
    let sgf = folder.read("out/games.sgf");
    assert!(sgf.contains("PB[swapper]PW[Goren]RE[W+]"), "{sgf}");
}

#[test]
fn faults_are_reported_and_lose() {
    let timed = "--time-per-move 40 --tolerance 20 --hang-after 20000";
    let nodes = "--nodes 20";
    let cases = [
        ("connect6", "echo 0,0 0,0", nodes, "illegal move", "0,0 0,0: a point is named twice"),
        ("connect6", "echo 0,0", nodes, "illegal move", "does not allow a stone there"),
        ("connect6 --size 9", "echo 9,0", nodes, "illegal move", "9,0 is outside the board"),
        ("four-in-a-row", "echo 3,0", nodes, "illegal move", "does not come to rest there"),
        ("pente", "echo PASS", nodes, "illegal move", "PASS: passing is not allowed now"),
        ("renju --opening rif", "echo SWAP", nodes, "illegal move", "nothing to swap"),
        ("irensei", "echo banana", nodes, "protocol", "banana"),
        ("pente", "exit 3", nodes, "crash", "exit status: 3"),
        ("connect6", "sleep 0.2; echo 9,9", timed, "overtime", "but only had 40 ms"),
    ];
    std::thread::scope(|scope| {
        for (game, code, limits, kind, words) in cases {
            scope.spawn(move || {
                let folder = Folder::new();
                let bad = format!("name=bad {}", answering(code));
                let more = format!("--game {game} --no-openings --games 2 {limits}");
                let output = plays(&bad, &folder.path("out"), &more);
                assert!(output.contains(&format!("{kind} 2\n")), "{code}: {output}");
                assert!(output.contains("score      2-0-0"), "{code}: {output}");
                for game in games(&folder) {
                    assert_eq!(game["reason"], kind, "{code}");
                    assert_eq!(game[text(&game, "result")], "Goren", "{code}");
                    let loser = game["fault"]["seat"].as_u64().unwrap() as usize;
                    assert_eq!(game[["first", "second"][loser]], "bad", "{code}");
                    if loser == 0 {
                        let message = game["fault"]["words"].as_str().unwrap();
                        assert!(message.contains(words), "{code}: {message}");
                    }
                }
            });
        }
    });
}

#[test]
fn a_truncated_match_is_resumed() {
    let (folder, weak) = (Folder::new(), weak());
    let (out, match_of) = (folder.path("out"), "--game connect6 --size 9 --nodes 40 --restart");
    let six = format!("{match_of} --games 6");
    plays(&weak, &out, &six);
    let played = || {
        let games = games(&folder);
        let mut played: Vec<(u64, String)> = games
            .iter()
            .map(|game| (game["game"].as_u64().unwrap(), plies(game).join(" ")))
            .collect();
        played.sort();
        played
    };
    let (before, journal) = (played(), folder.path("out/games.jsonl"));
    let length = fs::metadata(&journal).unwrap().len();
    File::options().write(true).open(&journal).unwrap().set_len(length - 20).unwrap();
    plays(&weak, &out, &format!("{six} --resume"));
    assert_eq!(played(), before);
    plays(&weak, &out, &format!("{match_of} --games 8 --resume"));
    assert_eq!(played()[..6], before);
    check(&games(&folder));
    let other = refuses(&weak, &out, &format!("{six} --resume --opening free"));
    assert!(other.contains("opened was \"centre\", is \"free\""), "{other}");
}

#[test]
fn endless_games_are_drawn_and_impossible_games_are_refused() {
    let (folder, weak) = (Folder::new(), weak());
    let out = folder.path("out");
    let capped = "--game pente --no-openings --nodes 20 --games 2 --draw-after 6";
    let output = plays(&weak, &out, capped);
    assert!(output.contains("score      0-0-2"), "{output}");
    for game in games(&folder) {
        assert_eq!((text(&game, "reason"), plies(&game).len()), ("move limit", 6));
    }
    let none = folder.path("none");
    for (more, words) in [
        ("--game connect6 --opening rif", "connect6 has no opening rif"),
        ("--game chess", "there is no game"),
        ("--game pente --tie-break", "no passes"),
    ] {
        let output = refuses(&weak, &none, &format!("{more} --nodes 1 --games 2"));
        assert!(output.contains(words), "{more}: {output}");
    }
}

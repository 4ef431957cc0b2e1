//! Games and openings that the Gomocup protocol does not cover.

use std::thread;
use std::time::Instant;

use goren_core::opening::{Action, GameState, action_of, write};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::Cell;
use goren_protocol::{Ply, Reply};

use crate::engine::{Engine, LATE, ms};
use crate::positions::words;

/// An engine that plays quickly, in a game on its usual board.
fn started(contest: &Contest) -> Engine {
    let mut engine = Engine::launch();
    engine.send("INFO max_node 300\nINFO timeout_turn 10000");
    engine.send(&format!("INFO variant {}", contest.variant));
    engine.send(&format!("INFO opening {}", contest.opening));
    begin(&mut engine, contest);
    engine
}

fn begin(engine: &mut Engine, contest: &Contest) {
    if contest.width == contest.height {
        engine.send(&format!("START {}", contest.width))
    } else {
        engine.send(&format!("RECTSTART {},{}", contest.width, contest.height))
    }
    engine.expect("OK");
}

/// Reads the action in an engine's line.
fn action(game_state: &GameState, line: &str) -> Action {
    let ply = match Reply::parse(line.as_bytes()).unwrap() {
        Reply::Swap => Ply::Swap,
        Reply::Ply(ply) => ply,
        Reply::Move(at) => Ply::one(at),
        Reply::TwoMoves(points) => {
            Ply::Points { points: points.into_iter().collect(), count: None }
        }
        Reply::ThreeMoves(points) => {
            Ply::Points { points: points.into_iter().collect(), count: None }
        }
        other => panic!("no ply: {other}"),
    };
    match ply {
        Ply::Swap => Action::Swap,
        Ply::Pass => Action::Pass,
        Ply::Points { points, count } => {
            let cells = points.iter().map(|at| Cell::new(at.x as usize, at.y as usize)).collect();
            action_of(game_state, cells, count.map(|n| n as usize))
        }
    }
}

fn contest(game: &str, opening: OpeningId) -> Contest {
    Contest::new(Variant::from_name(game).unwrap()).opened(opening).unwrap()
}

#[test]
fn commands_that_a_game_lacks_are_errors() {
    let mut engine = started(&contest("pente", OpeningId::Free));
    let commands = ["yxblock\n3,3\ndone", "yxforbid add 3 3 0", "yxswap2step1", "yxsoosorvstep1"];
    for command in commands {
        engine.send(command);
        assert!(engine.error().contains("is not available in this game"), "{command}");
    }
    engine.end();
}

#[test]
fn every_game_and_opening_is_played_by_its_rules() {
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            let contest = Contest::new(variant).opened(opening).unwrap();
            let mut engine = started(&contest);
            let mut game_state = GameState::new(contest);
            let mut texts: Vec<String> = Vec::new();
            // The engine plays both seats: each time it gets the whole game.
            for _ in 0..10 {
                engine.send(&format!("PLIES {}", texts.join(" ")));
                let line = engine.answer();
                let action = action(&game_state, &line);
                texts.push(write(&game_state, &action));
                let judged = game_state.apply(&action);
                assert!(judged.is_ok(), "{variant} {opening}: {line}: {judged:?}");
                if game_state.result().is_some() {
                    break;
                }
            }
            engine.end();
        }
    }
}

#[test]
fn the_values_of_opening_choices_are_reported() {
    let mut engine = started(&contest("gomoku", OpeningId::Swap2));
    // Black's two stones touch, White's one is far away.
    let (messages, answer) = engine.talk("INFO max_node 3000\nPLIES g8,a1,h8");
    let worth: Vec<&str> =
        messages.iter().filter_map(|line| line.strip_prefix("MESSAGE opening: ")).collect();
    assert_eq!(answer, "SWAP");
    assert!(worth.iter().any(|text| text.starts_with("swap +")), "{messages:?}");
    engine.end();
}

/// Plays a game of two engines, each of which gets only the plies of the other, to its end
/// or for `max_plies` plies. Returns the engines too, and the command with the last ply.
fn played(contest: &Contest, max_plies: usize) -> (GameState, [Engine; 2], String) {
    let mut engines = [started(contest), started(contest)];
    let mut game_state = GameState::new(*contest);
    let mut last = "BEGIN".to_owned();
    while game_state.result().is_none() && game_state.actions().len() < max_plies {
        let engine = &mut engines[game_state.actions().len() % 2];
        engine.send(&last);
        let line = engine.answer();
        let action = action(&game_state, &line);
        game_state.apply(&action).unwrap_or_else(|e| panic!("{contest:?}: {line}: {e}"));
        last = format!("TURN {line}");
    }
    (game_state, engines, last)
}

#[test]
fn two_seats_play_a_game_to_its_end() {
    // On small boards, which are full soon if nobody wins.
    for (game, opening, side) in [
        ("pente+keryo+poof", OpeningId::Swap2, 9),
        ("connect6", OpeningId::Swap3rd, 9),
        ("four-in-a-row", OpeningId::Free, 6),
        ("renju", OpeningId::Taraguchi10, 9),
    ] {
        let contest = contest(game, opening).on(side, side).unwrap();
        let (game_state, mut engines, last) = played(&contest, 300);
        let result = game_state.result().unwrap_or_else(|| panic!("{game}: no end"));
        // The seat that did not end the game.
        ended(&mut engines[game_state.actions().len() % 2], &last, &words(result));
        engines.into_iter().for_each(Engine::end);
    }
}

/// Clearing lines may keep a game from ever ending.
#[test]
fn two_seats_play_where_lines_are_cleared() {
    let (_, engines, _) = played(&contest("four-in-a-row+clear", OpeningId::Free), 40);
    engines.into_iter().for_each(Engine::end);
}

#[test]
fn illegal_plies_are_errors_and_change_nothing() {
    let mut engine = started(&contest("connect6", OpeningId::Centre));
    for line in ["TURN 7,7", "TURN 9,9 8,8", "TURN SWAP", "TURN PASS", "TURN 9,9 3"] {
        engine.send(line);
        engine.error();
    }
    for line in [
        "yxboard\n9,9,2\nDONE",
        "BOARD\n9,9,2\nDONE",
        "SWAP2BOARD\nDONE",
        "PLAY 9,9",
        "TAKEBACK 9,9",
    ] {
        engine.send(line);
        engine.error();
    }
    engine.send("TURN 9,9");
    assert_eq!(engine.answer().split(' ').count(), 2);
    engine.send("BEGIN");
    engine.error();
    // After plies that are no game every command fails until another game comes.
    for line in ["PLIES j10 a1", "TURN 0,0 1,1", "TAKEBACK 9,9", "BEGIN"] {
        engine.send(line);
        engine.error();
    }
    engine.send("PLIES j10");
    assert_eq!(engine.answer().split(' ').count(), 2);
    engine.end();
}

#[test]
fn the_newest_plies_are_taken_back() {
    let mut engine = started(&contest("pente", OpeningId::Pro));
    engine.send("BEGIN");
    assert_eq!(engine.answer(), "9,9");
    engine.send("TAKEBACK 8,8");
    engine.error();
    engine.send("TAKEBACK 9,9");
    engine.expect("OK");
    engine.send("BEGIN");
    assert_eq!(engine.answer(), "9,9");
    engine.send("RESTART");
    engine.expect("OK");
    engine.send("TURN 9,9");
    engine.answer();
    engine.end();
}

#[test]
fn captures_and_reasons_are_reported_in_messages() {
    let mut engine = started(&contest("pente", OpeningId::Free));
    // White has taken eight stones, and can take two more.
    engine.send("PLIES e2 d2 f2 g2 e4 d4 f4 g4 e6 d6 f6 g6 e8 d8 f8 g8 e10 d10 f10");
    let mut messages = Vec::new();
    let answer = loop {
        let line = engine.line();
        match line.strip_prefix("MESSAGE ") {
            Some(text) => messages.push(text.to_owned()),
            None => break line,
        }
    };
    assert_eq!(answer, "6,9");
    for expected in ["off the board: E10 F10", "White wins: captures"] {
        assert!(messages.contains(&expected.to_owned()), "{messages:?}");
    }
    engine.end();

    let mut engine = started(&contest("gomoku", OpeningId::Swap2));
    engine.send("PLIES h8,h9,i9");
    let line = engine.line();
    assert!(line.starts_with("MESSAGE "), "{line}");
    engine.answer();
    engine.end();
}

/// Checks that lines are answered by the error of a finished game, after a message with
/// these words.
fn ended(engine: &mut Engine, lines: &str, words: &str) {
    let (messages, answer) = engine.talk(lines);
    assert_eq!(answer, "ERROR the game is over: there is no move to make", "{lines}");
    assert_eq!(messages.last(), Some(&format!("MESSAGE {words}")), "{lines}: {messages:?}");
}

#[test]
fn a_ply_that_ends_the_game_is_reported_kept_and_can_be_taken_back() {
    // A four of Black's with two open ends: White stops one.
    let mut engine = started(&contest("freestyle", OpeningId::Free));
    engine.send("PLIES h8 a1 h9 a3 h10 o15 h11");
    let (x, y) = crate::engine::point(&engine.answer());
    let five = if (x, y) == (7, 3) { (7, 8) } else { (7, 3) };
    let five = format!("{},{}", five.0, five.1);
    ended(&mut engine, &format!("TURN {five}"), "Black wins: line");
    for after in ["TURN 13,13", "TURN 13,12"] {
        engine.send(after);
        assert_eq!(engine.error(), "ERROR the game is already over");
    }
    engine.send(&format!("TAKEBACK {five}"));
    engine.expect("OK");
    engine.send("TURN 13,13");
    crate::engine::point(&engine.answer());
    engine.end();

    // A foul of Black's, and passes of both.
    let mut engine = started(&contest("renju", OpeningId::Free));
    let three = "h8 a1 g8 a3 f7 a5 f6";
    engine.send(&format!("PLIES {three}"));
    engine.answer();
    ended(&mut engine, "TURN 5,7", "White wins: foul");
    engine.send("TAKEBACK 5,7");
    engine.expect("OK");
    ended(&mut engine, "PLIES h8 h9 pass pass", "a draw: two passes");
    engine.send("TAKEBACK 7,6");
    engine.error();
    engine.send("TAKEBACK -1,-1");
    engine.expect("OK");
    ended(&mut engine, "TURN PASS", "a draw: two passes");
    engine.send("TAKEBACK -1,-1");
    engine.expect("OK");
    engine.send("TURN 0,0");
    crate::engine::point(&engine.answer());
    engine.end();

    // Six in a row of two stones a turn, captures, and pieces that fall.
    let mut engine = started(&contest("connect6", OpeningId::Free));
    ended(&mut engine, "PLIES j10 a1,b1 j11,j12 a3,b3 j13,j14 a5,b5 j15,s19", "Black wins: line");
    engine.end();
    let mut engine = started(&contest("pente", OpeningId::Free));
    let captures = "e2 d2 f2 g2 e4 d4 f4 g4 e6 d6 f6 g6 e8 d8 f8 g8 e10 d10 f10 g10";
    let (messages, answer) = engine.talk(&format!("PLIES {captures}"));
    assert!(
        answer.starts_with("ERROR ") && messages == ["MESSAGE White wins: captures"],
        "{messages:?}"
    );
    engine.send("TAKEBACK 6,9");
    engine.expect("OK");
    let (messages, answer) = engine.talk("TURN 6,9");
    assert!(answer.starts_with("ERROR "));
    assert_eq!(messages, ["MESSAGE off the board: E10 F10", "MESSAGE White wins: captures"]);
    engine.end();
    let mut engine = started(&contest("four-in-a-row", OpeningId::Free));
    ended(&mut engine, "PLIES d1 e1 d2 e2 d3 e3 d4", "Black wins: line");
    engine.end();
}

#[test]
fn unknown_games_and_openings_begin_no_game() {
    let mut engine = Engine::launch();
    engine.send("INFO max_node 300");
    for (infos, error) in [
        ("INFO variant chess", "no game \"chess\""),
        ("INFO variant pente+chess", "no option \"chess\""),
        ("INFO variant renju\nINFO opening castling", "no opening \"castling\""),
        ("INFO variant renju\nINFO opening swap-3rd", "has no opening swap-3rd"),
        ("INFO variant gomocup\nINFO opening rif", "needs a game"),
        ("INFO variant", "variant \"\" cannot be read"),
        ("INFO variant renju\nINFO opening", "opening \"\" cannot be read"),
        ("INFO variant renju\nINFO tie_break yes", "tie_break \"yes\" cannot be read"),
        ("INFO variant gomocup\nINFO rule 12", "rule 12 is not supported"),
        ("INFO rule renju", "rule \"renju\" cannot be read"),
        ("INFO rule", "rule \"\" cannot be read"),
        (
            "INFO rule 0\nINFO variant connect6+torus\nINFO opening free",
            "cannot be played on 15x10",
        ),
    ] {
        engine.messages(infos);
        for start in ["START 15", "START 15", "RECTSTART 15,10"] {
            engine.send(start);
            let line = engine.line();
            let fits = start == "START 15" && error.contains("15x10");
            assert!(if fits { line == "OK" } else { line.contains(error) }, "{infos}: {line}");
        }
    }
    for (infos, size) in [
        ("INFO variant renju\nINFO opening soos\u{f5}rv-8", 15),
        ("INFO opening Sooso\u{303}rv-8\nINFO variant renju", 15),
        ("INFO variant gomocup", 15),
        ("INFO variant pente", 19),
    ] {
        assert_eq!(engine.messages("INFO variant gomocup").len(), 0);
        assert_eq!(engine.messages(infos).len(), 0, "{infos}");
        engine.send(&format!("START {size}"));
        engine.expect("OK");
        engine.send("BEGIN");
        engine.answer();
    }
    engine.end();
}

#[test]
fn openings_and_turns_keep_their_time_and_can_be_stopped() {
    for (game, opening, plies) in [
        ("renju", OpeningId::Yamaguchi, ""),
        ("renju", OpeningId::Rif, ""),
        ("renju", OpeningId::Rif, "h8,h9,h10 a1"),
        ("renju", OpeningId::Taraguchi10, "h8 h9 h10 h11"),
        ("gomoku", OpeningId::Swap2, ""),
        ("connect6", OpeningId::Centre, "j10 j11,j12"),
        ("four-in-a-row", OpeningId::Swap5, "a1"),
    ] {
        let mut engine = started(&contest(game, opening));
        engine.send("INFO max_node 0\nINFO timeout_turn 1000");
        // One of a few is in time, as the machine may be busy.
        let in_time = (0..3).any(|_| {
            let asked = Instant::now();
            engine.send(&format!("PLIES {plies}"));
            engine.answer();
            asked.elapsed() < ms(1_000)
        });
        assert!(in_time, "{game} {opening}: all took longer");
        for short in [0, 100] {
            engine.send(&format!("INFO timeout_turn {short}"));
            let asked = Instant::now();
            engine.send(&format!("PLIES {plies}"));
            engine.answer();
            assert!(asked.elapsed() < ms(900), "{game} {opening} {short}: {:?}", asked.elapsed());
        }
        engine.send("INFO timeout_turn 30000\nINFO max_depth 99");
        engine.send(&format!("PLIES {plies}"));
        thread::sleep(ms(200));
        let asked = Instant::now();
        engine.send("STOP");
        engine.answer();
        assert!(asked.elapsed() < LATE, "{game} {opening}");
        engine.end();
    }
}

#[test]
fn gomocup_games_can_be_chosen_again() {
    let mut engine = started(&contest("pente", OpeningId::Free));
    engine.send("INFO variant chess");
    assert!(engine.line().starts_with("MESSAGE variant not used: there is no game \"chess\""));
    engine.send("INFO variant gomocup");
    engine.send("START 15");
    engine.expect("OK");
    engine.send("PLIES h8");
    engine.error();
    engine.send("TURN 7,7 8,8");
    engine.error();
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn a_line_that_became_a_wall_is_not_taken_back_in_part() {
    let mut engine = Engine::started(15);
    engine.send("INFO max_node 2000\nINFO rule 2");
    let five = "BOARD\n3,7,1\n3,8,2\n4,7,1\n4,8,2\n5,7,1\n5,8,2\n6,7,1\n6,8,2\nDONE";
    let (x, y) = engine.ask(five);
    let (u, v) = engine.ask("TURN 0,0");
    engine.send(&format!("TAKEBACK {u},{v}\nTAKEBACK 0,0\nTAKEBACK {x},{y}"));
    engine.expect("OK");
    engine.expect("OK");
    assert!(engine.error().contains("finished line"));
    engine.ask("TURN 0,0");
    engine.end();
}

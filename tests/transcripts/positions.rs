//! Positions that clients send, possible and impossible ones.

use goren_core::opening::{self, Action, GameState};
use goren_core::rules::{Contest, RuleId, Setup};
use goren_core::types::{Cell, Color};

use crate::engine::Engine;
use crate::traps::{BLOCK, MUST_BLOCK};

#[test]
fn an_empty_board_is_begin() {
    let mut engine = Engine::started(15);
    engine.ask("BOARD\nDONE");
    engine.send("BEGIN");
    // The engine's own stone is on the board now.
    engine.error();
    engine.end();
}

#[test]
fn board_works_without_restart_and_in_both_colours() {
    let mut engine = Engine::started(15);
    assert_eq!(engine.ask(MUST_BLOCK), BLOCK);
    engine.ask("BOARD\n7,7,1\n8,8,2\nDONE");
    engine.ask("BOARD\n7,7,2\nDONE");
    assert_eq!(engine.ask(MUST_BLOCK), BLOCK);
    // The same stones, last line first.
    let lines: Vec<&str> = MUST_BLOCK.lines().collect();
    let reversed: Vec<&str> = lines[1..lines.len() - 1].iter().rev().copied().collect();
    assert_eq!(engine.ask(&format!("BOARD\n{}\nDONE", reversed.join("\n"))), BLOCK);
    engine.end();
}

#[test]
fn a_won_position_is_won_at_once() {
    let mut engine = Engine::started(15);
    let win = "BOARD\n3,7,1\n2,7,2\n4,7,1\n0,0,2\n5,7,1\n14,14,2\n6,7,1\n0,14,2\nDONE";
    assert_eq!(engine.ask(win), (7, 7));
    // The game is over now.
    engine.send("TURN 1,1");
    engine.error();
    engine.send("RESTART");
    engine.expect("OK");
    engine.ask("TURN 1,1");
    engine.end();
}

#[test]
fn takeback_of_many_stones() {
    let mut engine = Engine::started(15);
    let a = engine.ask("TURN 7,7");
    let b = engine.ask("TURN 0,0");
    engine.send("TAKEBACK 9,9");
    engine.error();
    for (x, y) in [b, (0, 0), a, (7, 7)] {
        engine.send(&format!("TAKEBACK {x},{y}"));
        engine.expect("OK");
    }
    engine.send("TAKEBACK 7,7");
    engine.error();
    engine.ask("BEGIN");
    engine.end();
}

#[test]
fn occupied_and_outside_points_are_errors_and_change_nothing() {
    let mut engine = Engine::started(15);
    let own = engine.ask("TURN 7,7");
    for at in ["7,7".to_owned(), format!("{},{}", own.0, own.1)] {
        engine.send(&format!("TURN {at}"));
        engine.error();
    }
    for at in ["15,0", "0,15", "-1,-1", "-1,3", "99999999999,1", "x,y", "3", "", "3;4"] {
        engine.send(&format!("TURN {at}"));
        engine.error();
    }
    engine.send("BOARD\n1,1,1\n1,1,2\nDONE");
    engine.error();
    engine.send("BOARD\n1,1,1\n15,1,2\nDONE");
    engine.error();
    // The client has another position than the engine until it sends one.
    for question in ["TURN 1,1", &format!("TAKEBACK {},{}", own.0, own.1), "PLAY 1,1"] {
        engine.send(question);
        assert!(engine.error().contains("refused"), "{question}");
    }
    engine.ask("BOARD\n7,7,2\nDONE");
    engine.end();
}

#[test]
fn an_unreadable_board_is_an_error_only_after_done() {
    let mut engine = Engine::started(15);
    engine.send("BOARD\n7,7,2\nrubbish\n8,8\n9,9,7\nDONE");
    engine.error();
    engine.quiet();
    assert_eq!(engine.ask(MUST_BLOCK), BLOCK);
    engine.send("BOARD\n7,7,2\nTURN 1,1");
    engine.error();
    // TURN is obeyed again, but there is no position.
    assert!(engine.error().contains("refused"));
    engine.end();
}

/// The words in which the engine reports the result of a game.
pub fn words(result: &opening::Result) -> String {
    let winner = match result.colors[..] {
        [Color::Black] => "Black wins",
        [Color::White] => "White wins",
        _ => "a draw",
    };
    format!("{winner}: {}", result.reason.name().replace('_', " "))
}

/// Checks that lines are answered by the error of a finished game, after one message with
/// these words.
pub fn over(engine: &mut Engine, lines: &str, words: &str) {
    let (messages, answer) = engine.talk(lines);
    assert_eq!(answer, "ERROR the game is over: there is no move to make", "{lines}");
    assert_eq!(messages, [format!("MESSAGE {words}")], "{lines}");
}

#[test]
fn a_finished_position_is_reported_and_stays() {
    let mut engine = Engine::started(15);
    engine.ask("TURN 7,7");
    let five = "BOARD\n1,1,2\n1,2,2\n1,3,2\n1,4,2\n1,5,2\nDONE";
    over(&mut engine, five, "Black wins: line");
    engine.send("TURN 7,7");
    assert_eq!(engine.error(), "ERROR the game is already over");
    engine.send("TAKEBACK 1,5");
    engine.expect("OK");
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn a_stone_that_ends_the_game_is_reported_and_can_be_taken_back() {
    for (rule, words) in [(0, "Black wins: line"), (1, "Black wins: line"), (8, "Black wins: line")]
    {
        let mut engine = Engine::started(15);
        let open = "BOARD\n7,7,2\n0,0,1\n7,8,2\n0,2,1\n7,9,2\n14,0,1\n7,10,2\nDONE";
        let (x, y) = engine.ask(&format!("INFO rule {rule}\n{open}"));
        let end = if (x, y) == (7, 6) { "7,11" } else { "7,6" };
        over(&mut engine, &format!("TURN {end}"), words);
        engine.send(&format!("TURN 13,13\nTAKEBACK 7,7\nTAKEBACK {end}"));
        engine.error();
        engine.error();
        engine.expect("OK");
        engine.ask("TURN 13,13");
        engine.end();
    }
    // A double three of Black's in renju, by TURN, by BOARD and by PLAY.
    let threes = "BOARD\n5,7,2\n0,0,1\n6,7,2\n0,2,1\n7,5,2\n14,0,1\n7,6,2\n";
    let mut engine = Engine::started(15);
    // Black's four leaves White one answer, whatever the time for it.
    let four = "0,14,2\n14,4,1\n1,14,2\n14,8,1\n2,14,2\n11,0,1\n3,14,2\n4,0,1\n";
    assert_eq!(engine.ask(&format!("INFO rule 4\n{threes}{four}DONE")), (4, 14));
    over(&mut engine, "TURN 7,7", "White wins: foul");
    engine.send("TAKEBACK 7,7");
    engine.expect("OK");
    over(&mut engine, &format!("{threes}14,14,1\n7,7,2\nDONE"), "White wins: foul");
    engine.send(&format!(
        "YXBOARD {} 14,14,2 DONE",
        &threes[6..]
            .replace(",2\n", ",3\n")
            .replace(",1\n", ",2\n")
            .replace(",3\n", ",1\n")
            .replace('\n', " ")
    ));
    let (messages, answer) = engine.talk("PLAY 7,7");
    assert_eq!((messages, &answer[..]), (vec!["MESSAGE White wins: foul".to_owned()], "7,7"));
    engine.send("TURN 1,1");
    engine.error();
    engine.send("TAKEBACK 7,7");
    engine.expect("OK");
    engine.end();
}

/// Shapes that are a foul in the order of the list but were none in the order of the
/// game: the engine accepts the stones as they are.
#[test]
fn fouls_are_judged_by_the_last_stone_alone() {
    let others = ["0,0", "0,2", "0,4", "0,6", "0,8", "0,10"];
    let list = |command: &str, black: &[&str], last: &str| {
        let stones = black.iter().map(|at| format!("{at},1"));
        let white = others[..black.len()].iter().map(|at| format!("{at},2"));
        // Not alternating: first all of White, then all of Black.
        let list: Vec<String> = white.chain(stones).collect();
        format!("{command} {} {last} DONE", list.join(" "))
    };
    let mut engine = Engine::started(15);
    engine.send("INFO rule 4");
    // In the game the crossing came before the ends.
    let cross = ["5,7", "6,7", "7,5", "7,6", "7,7"];
    engine.ask(&list("BOARD", &cross, ""));
    engine.send(&format!("{}\nYXSHOWFORBID", list("YXBOARD", &cross, "")));
    let forbidden = engine.line();
    // The same by moves of the game.
    engine.send("RESTART");
    engine.expect("OK");
    for (black, white) in ["7,7", "6,7", "7,6", "7,5", "5,7"].iter().zip(others) {
        for at in [black, white] {
            engine.send(&format!("PLAY {at}"));
            engine.expect(at);
        }
    }
    engine.send("YXSHOWFORBID");
    engine.expect(&forbidden);
    // Alternating stones are a game, whose last stone may be a foul, but no other.
    let by_turns = |order: [usize; 5]| {
        let pairs =
            order.iter().zip(others).map(|(&i, white)| format!("{},2\n{white},1\n", cross[i]));
        let list: String = pairs.collect();
        format!("BOARD\n{}\nDONE", list.trim_end().rsplit_once('\n').unwrap().0)
    };
    over(&mut engine, &by_turns([0, 1, 2, 3, 4]), "White wins: foul");
    engine.ask(&by_turns([0, 1, 2, 4, 3]));
    engine.ask(&by_turns([4, 0, 1, 2, 3]));
    // An overline ended the game whichever of its stones came last.
    let six = ["3,3", "4,3", "5,3", "6,3", "7,3", "8,3"];
    let white =
        &list("BOARD", &six, "").replace(",1 ", ",x ").replace(",2 ", ",1 ").replace(",x ", ",2 ");
    over(&mut engine, &white.replacen("0,10,1 ", "", 1), "White wins: foul");
    engine.end();
}

#[test]
fn impossible_positions_are_refused_and_so_are_later_commands() {
    let mut engine = Engine::started(15);
    let row = |y: usize, from: usize, to: usize, owner: usize| -> String {
        (from..to).map(|x| format!("{x},{y},{owner} ")).collect()
    };
    for (rule, stones) in [
        // Fives of both, a five of the side to move, two fives of one side.
        (0, row(3, 0, 5, 1) + &row(5, 0, 5, 2)),
        (1, row(3, 0, 5, 1) + &row(5, 0, 4, 2) + "9,9,2 "),
        (0, row(3, 0, 5, 2) + &row(5, 0, 5, 2) + &row(7, 0, 4, 1) + &row(9, 0, 4, 1) + "0,12,1 "),
        (0, row(3, 0, 11, 2) + &row(5, 0, 4, 1) + &row(7, 0, 4, 1) + &row(9, 0, 2, 1)),
        // An overline of Black's, who is to move.
        (4, row(3, 0, 6, 1) + &row(5, 0, 4, 2) + "0,9,2 9,9,2 "),
        (8, row(3, 0, 5, 1) + &row(5, 0, 5, 2)),
        (0, "3,3,1 3,3,2 ".to_owned()),
        (0, "3,3,1 3,15,2 ".to_owned()),
    ] {
        for command in ["BOARD", "YXBOARD"] {
            engine.send(&format!("INFO rule {rule}\n{command} {stones}DONE"));
            let error = engine.error();
            assert!(!error.contains("over:"), "{rule} {stones}: {error}");
            for question in [
                "YXSHOWFORBID",
                "YXNBEST 1",
                "YXSEARCHDEFEND",
                "YXBALANCEONE 0",
                "YXBALANCETWO 0",
                "YXPRINTFEATURE",
                "YXSWAP2STEP2",
                "YXSWAP2STEP3",
                "TURN 12,12",
                "PLAY 12,12",
                "TAKEBACK 3,3",
                "BEGIN",
            ] {
                engine.send(question);
                assert!(engine.error().contains("refused"), "{question}");
            }
        }
        engine.ask("BOARD 7,7,2 DONE");
    }
    engine.end();
}

#[test]
fn a_small_board_is_played_to_its_end() {
    let mut engine = Engine::started(15);
    engine.send("START 5");
    engine.expect("OK");
    let setup = Setup::new(RuleId::Freestyle, 5, 5).unwrap();
    let mut game_state = GameState::new(Contest::five(setup));
    let mut command = "BEGIN".to_owned();
    // Plays on until one of the two has won or the board is full.
    loop {
        let (x, y) = engine.ask(&command);
        game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
        if game_state.result().is_some() {
            is_over(&mut engine);
            break;
        }
        let free = game_state.empty()[0];
        game_state.apply(&Action::stone(free)).unwrap();
        command = format!("TURN {},{}", free.x(), free.y());
        if let Some(result) = game_state.result() {
            over(&mut engine, &command, &words(result));
            break;
        }
    }
    engine.send("RESTART");
    engine.expect("OK");
    engine.ask("BEGIN");
    engine.end();
}

/// Checks that the engine's own move has ended the game.
fn is_over(engine: &mut Engine) {
    engine.send("TURN 0,0");
    assert_eq!(engine.error(), "ERROR the game is already over");
}

/// A position on a board of 5x5 without a five, which ends with the row `last`; `own` is
/// the engine's colour.
fn nearly_full(last: &str, own: char) -> String {
    let mut text = "BOARD\n".to_owned();
    for (y, row) in ["XXOOX", "OOXXO", "XXOOX", "OOXXO", last].into_iter().enumerate() {
        for (x, side) in row.chars().enumerate().filter(|&(_, side)| side != '.') {
            let owner = if side == own { 1 } else { 2 };
            text += &format!("{x},{y},{owner}\n");
        }
    }
    text + "DONE"
}

#[test]
fn the_last_point_of_a_full_board_is_a_draw() {
    let mut engine = Engine::started(15);
    engine.send("START 5");
    engine.expect("OK");
    assert_eq!(engine.ask(&nearly_full("XXOO.", 'X')), (4, 4));
    is_over(&mut engine);
    let (x, y) = engine.ask(&nearly_full("XXO..", 'O'));
    assert!((3..5).contains(&x) && y == 4, "{x},{y}");
    over(&mut engine, &format!("TURN {},4", 7 - x), "a draw: full");
    engine.end();
}

#[test]
fn a_list_out_of_order_is_judged_by_its_end() {
    // By rows, as some managers list a board: a five that is none once the list is
    // complete, because it is six long (standard) or blocked at both ends (caro).
    let six = "3,4,1\n4,4,1\n5,4,1\n6,4,1\n7,4,1\n8,4,1";
    let blocked = "3,4,1\n4,4,1\n5,4,1\n6,4,1\n7,4,1\n2,4,2\n8,4,2";
    let opponents =
        |n: usize| (0..n).map(|i| format!("{},12,2", 2 * i)).collect::<Vec<_>>().join("\n");
    let mut engine = Engine::started(15);
    for (rule, stones, others) in [(1, six, 6), (8, blocked, 3), (9, blocked, 3), (9, six, 6)] {
        engine.send(&format!("INFO rule {rule}\nSTART 15"));
        engine.expect("OK");
        engine.ask(&format!("BOARD\n{stones}\n{}\nDONE", opponents(others)));
    }
    // A five in any order is a five.
    engine.send(&format!("INFO rule 1\nBOARD\n{}\n{}\nDONE", &six[..six.len() - 6], opponents(5)));
    engine.error();
    engine.ask("BOARD\n7,7,2\nDONE");
    engine.end();
}

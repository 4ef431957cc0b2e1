//! Traps that broke real engines, one test each.

use crate::engine::{Engine, untimed};

/// Four in a row of the enemy's with one open end, and what stops it.
const MUST_BLOCK: &str = "BOARD\n3,7,2\n2,7,1\n4,7,2\n0,0,1\n5,7,2\n14,14,1\n6,7,2\nDONE";
const BLOCK: (usize, usize) = (7, 7);

#[test]
fn no_reply_to_any_info() {
    let mut engine = Engine::launch();
    let keys = "INFO\nINFO nonsense\nINFO evaluate 3,3\nINFO folder /tmp/a b c\nINFO rule 77\n\
                INFO rule -1\nINFO rule x\nINFO max_memory -5\nINFO timeout_turn\n\
                INFO thread_num 99999999999999999999\nINFO game_type 9\nINFO rule 0";
    engine.send(keys);
    engine.quiet();
    engine.send("START 15");
    engine.expect("OK");
    engine.send(keys);
    engine.quiet();
    engine.end();
}

#[test]
fn an_unsupported_rule_is_reported_by_the_next_command_only() {
    for (value, told) in [("5", "rule 5"), ("renju", "rule \"renju\""), ("", "rule \"\"")] {
        let mut engine = Engine::started(15);
        engine.send(&format!("INFO rule {value}\nINFO timeout_match 0"));
        engine.quiet();
        engine.send("TURN 7,7");
        assert!(engine.error().contains(told));
        engine.send("START 15");
        assert!(engine.error().contains(told));
        engine.send("INFO rule 8");
        engine.ask("TURN 7,7");
        engine.end();
    }
}

#[test]
fn every_rule_of_the_judges_is_played_on_every_size() {
    for rule in [0, 1, 2, 3, 4, 6, 8, 9, 10, 11] {
        let mut engine = Engine::started(15);
        engine.send(&format!("INFO rule {rule}"));
        for size in [5, 15, 20, 22] {
            engine.send(&format!("START {size}"));
            engine.expect("OK");
            let (x, y) = engine.ask("BEGIN");
            assert!(x < size && y < size);
        }
        engine.end();
    }
}

#[test]
fn impossible_sizes_are_errors() {
    let mut engine = Engine::launch();
    for line in [
        "START 4",
        "START 27",
        "START 0",
        "START -3",
        "START",
        "START x",
        "START 99999999999999",
        "RECTSTART 3,20",
        "RECTSTART 20",
    ] {
        engine.send(line);
        engine.error();
    }
    engine.send("START 15");
    engine.expect("OK");
    let first = engine.ask("BEGIN");
    engine.send("START 100");
    engine.error();
    // The game before goes on.
    let reply = if first == (0, 0) { (1, 1) } else { (0, 0) };
    engine.send("INFO timeout_turn 0");
    engine.ask(&format!("TURN {},{}", reply.0, reply.1));
    engine.end();
}

#[test]
fn a_second_number_after_start_is_tolerated() {
    let mut engine = Engine::started(15);
    engine.send("start 15 15");
    engine.expect("OK");
    engine.ask("begin");
    engine.end();
}

#[test]
fn rectangular_boards() {
    let mut engine = Engine::started(15);
    engine.send("RECTSTART 20,10");
    engine.expect("OK");
    let (x, y) = engine.ask("BEGIN");
    assert!(x < 20 && y < 10);
    let free = if (x, y) == (19, 9) { "18,9" } else { "19,9" };
    engine.ask(&format!("TURN {free}"));
    engine.send("TURN 5,15");
    engine.error();
    engine.end();
}

#[test]
fn commands_before_start_are_errors() {
    let mut engine = Engine::launch();
    for line in [
        "BEGIN",
        "TURN 7,7",
        "BOARD\n7,7,2\nDONE",
        "RESTART",
        "TAKEBACK 7,7",
        "PLAY 7,7",
        "SWAP2BOARD\nDONE",
    ] {
        engine.send(line);
        engine.error();
    }
    engine.quiet();
    engine.end();
}

#[test]
fn turn_is_the_first_command_after_start() {
    let mut engine = Engine::started(20);
    assert_ne!(engine.ask("TURN 10,10"), (10, 10));
    engine.end();
}

#[test]
fn an_empty_board_is_begin() {
    let mut engine = Engine::started(15);
    engine.ask("BOARD\nDONE");
    engine.send("BEGIN");
    // The engine's own stone stands there now.
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
fn field_three_is_a_wall() {
    let mut engine = Engine::started(15);
    engine.send("INFO rule 2");
    // Four of ours between two dead stones make nothing; theirs must be met.
    let board = "BOARD\n2,2,3\n3,2,1\n4,2,1\n5,2,1\n6,2,1\n7,2,3\n\
                 2,9,3\n3,9,2\n4,9,2\n5,9,2\n6,9,2\nDONE";
    assert_eq!(engine.ask(board), (7, 9));
    engine.send("TURN 7,2");
    engine.error();
    engine.end();
}

#[test]
fn a_continuous_game_goes_on_after_a_five() {
    let five = "BOARD\n3,7,1\n3,8,2\n4,7,1\n4,8,2\n5,7,1\n5,8,2\n6,7,1\n6,8,2\nDONE";
    for (rule, goes_on) in [(0, false), (2, true), (4, false), (6, true), (10, true)] {
        let mut engine = Engine::started(15);
        engine.send(&format!("INFO rule {rule}"));
        let (x, y) = engine.ask(five);
        assert!((x == 2 || x == 7) && y == 7, "the five");
        engine.send("TURN 0,0");
        if goes_on {
            assert_eq!(engine.mv().1, 8, "their four must be stopped");
        } else {
            engine.error();
        }
        engine.end();
    }
}

/// In Caro an enemy stone at the end of a five is none any more when it has
/// become a wall, and a wall may leave five of a row of six: nobody has won by
/// that in a continuous game.
#[test]
fn rows_of_old_stones_end_no_continuous_game() {
    let stones = |row: &str, last: &str| format!("BOARD\n2,7,1\n{row}\n{last}\nDONE");
    let five = "3,7,2\n0,0,1\n4,7,2\n0,2,1\n5,7,2\n0,4,1\n6,7,2\n8,7,3\n7,7,2\n1,9,1";
    for (rule, goes_on) in [(8, false), (10, true), (0, false), (2, true), (6, true), (3, true)] {
        let mut engine = Engine::started(15);
        let (_, answer) = engine.talk(&format!("INFO rule {rule}\n{}", stones(five, "12,12,2")));
        assert_eq!(answer.starts_with("ERROR "), !goes_on, "{rule}: {answer}");
        if goes_on {
            engine.ask("TURN 14,0");
        }
        engine.end();
    }
    // Six in a row, which win nothing by exact five, and a five through one end
    // of them.
    let mut engine = Engine::started(15);
    let six = "3,7,2\n0,0,1\n4,7,2\n0,2,1\n5,7,2\n0,4,1\n6,7,2\n0,6,1\n8,7,2\n0,8,1\n7,7,2";
    let column = "2,0,1\n8,8,2\n4,0,1\n8,9,2\n6,0,1\n8,10,2\n8,0,1";
    engine.send("INFO rule 3");
    let met = engine.ask(&stones(&format!("{six}\n{column}"), "14,14,2"));
    assert!(met == (8, 6) || met == (8, 11), "{met:?}: the four must be stopped");
    engine.ask(if met == (8, 6) { "TURN 8,11" } else { "TURN 8,6" });
    engine.end();
}

#[test]
fn a_rule_after_the_stones_judges_them_anew() {
    let mut engine = Engine::started(15);
    // Six in a row are nothing where only exact fives win.
    let six = "BOARD\n2,7,2\n2,0,1\n3,7,2\n4,0,1\n4,7,2\n6,0,1\n6,7,2\n8,0,1\n\
               7,7,2\n10,0,1\n5,7,2\nDONE";
    over(&mut engine, six, "Black wins: line");
    engine.send("INFO rule 1");
    engine.ask(six);
    engine.send("INFO rule 0\nTURN 14,14");
    engine.error();
    engine.send("INFO rule 1");
    engine.ask("TURN 14,14");
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
fn play_is_obeyed() {
    let mut engine = Engine::started(15);
    engine.send("PLAY 3,4");
    engine.expect("3,4");
    engine.send("TURN 3,4");
    engine.error();
    engine.ask("TURN 7,7");
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
    // The client has another position than we have, until it shows one.
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
    // Heard, but of which position?
    assert!(engine.error().contains("refused"));
    engine.end();
}

/// The game is over, as was told in these words before.
fn over(engine: &mut Engine, lines: &str, words: &str) {
    let (told, answer) = engine.talk(lines);
    assert_eq!(answer, "ERROR the game is over: there is no move to make", "{lines}");
    assert_eq!(told, [format!("MESSAGE {words}")], "{lines}");
}

#[test]
fn a_position_that_is_over_is_told_and_stays() {
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
fn a_stone_that_ends_the_game_is_told_and_can_be_taken_back() {
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
    engine.ask(&format!("INFO rule 4\n{threes}DONE"));
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
    let (told, answer) = engine.talk("PLAY 7,7");
    assert_eq!((told, &answer[..]), (vec!["MESSAGE White wins: foul".to_owned()], "7,7"));
    engine.send("TURN 1,1");
    engine.error();
    engine.send("TAKEBACK 7,7");
    engine.expect("OK");
    engine.end();
}

/// Shapes that are a foul in the order of the list, and were none in the order
/// of the game: the stones are taken for what they are.
#[test]
fn fouls_are_judged_by_the_last_stone_alone() {
    let others = ["0,0", "0,2", "0,4", "0,6", "0,8", "0,10"];
    let list = |command: &str, black: &[&str], last: &str| {
        let stones = black.iter().map(|at| format!("{at},1"));
        let white = others[..black.len()].iter().map(|at| format!("{at},2"));
        // Not by turns: first all of White, then all of Black.
        let list: Vec<String> = white.chain(stones).collect();
        format!("{command} {} {last} DONE", list.join(" "))
    };
    let mut engine = Engine::started(15);
    engine.send("INFO rule 4");
    // The crossing came before the ends.
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
    // By turns it is a game, whose last stone may be a foul, but no other.
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
fn what_can_be_no_position_is_refused_and_so_are_questions() {
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
fn unknown_commands_are_unknown_and_stop_nothing() {
    let mut engine = Engine::started(15);
    for line in ["FOO", "foo bar", "\u{fffd}\u{7}", "help", "MESSAGE hello"] {
        engine.send(line);
        assert!(engine.line().starts_with("UNKNOWN "));
    }
    engine.send_raw(b"\xff\xfe\x00rubbish\n");
    assert!(engine.line().starts_with("UNKNOWN "));
    engine.send("\n  \n\r\n");
    engine.quiet();
    engine.ask("TURN 7,7");
    engine.end();
}

#[test]
fn case_blanks_and_line_ends_do_not_matter() {
    let mut engine = Engine::started(15);
    engine.send_raw(b"  Start \t 15 \r\n");
    engine.expect("OK");
    engine.send_raw(b"Turn  7 ,\t8  \r\n");
    engine.mv();
    engine.send_raw(b"board\r7,7,2\r8,8,1\r9,8,2\rdone\r\n");
    engine.mv();
    engine.send_raw(b"BOARD 7,7,2 DONE\n");
    engine.mv();
    engine.end();
}

#[test]
fn white_may_make_overlines_and_freestyle_has_no_fouls() {
    // A gap that makes six: it wins for anybody in freestyle and for White in
    // renju.
    let six = "BOARD\n2,7,2\n2,0,1\n3,7,2\n3,0,1\n4,7,2\n4,0,1\n6,7,2\n6,0,1\n\
               7,7,2\n7,0,1\n13,13,2\nDONE";
    for rule in [0, 4] {
        let mut engine = Engine::started(15);
        engine.send(&format!("INFO rule {rule}"));
        assert_eq!(engine.ask(six), (5, 0));
        engine.end();
    }
}

#[test]
fn black_with_only_forbidden_points_left_still_moves() {
    // Hopeless or not, there must be an answer: the board is full but for
    // one point, which makes six.
    let mut engine = Engine::started(15);
    engine.send("INFO rule 4\nSTART 6");
    engine.expect("OK");
    // Pairs of rows of two colours, shifted: no other line of five arises.
    let mut stones = Vec::new();
    for y in 0..6 {
        for x in 0..6 {
            if (x, y) == (2, 5) {
                continue;
            }
            let black = if y == 5 { true } else { (x / 2 + y) % 2 == 0 && (x, y) != (0, 0) };
            stones.push((x, y, black));
        }
    }
    let lines = |black: bool| stones.iter().filter(move |s| s.2 == black);
    let mut board = vec!["BOARD".to_owned()];
    board.extend(lines(false).map(|(x, y, _)| format!("{x},{y},2")));
    board.extend(lines(true).map(|(x, y, _)| format!("{x},{y},1")));
    // A black stone more than White's would make the engine White.
    board.push("DONE".to_owned());
    engine.send(&board.join("\n"));
    assert_eq!(engine.answer(), "2,5");
    engine.end();
}

#[test]
fn full_boards_and_last_points() {
    let mut engine = Engine::started(15);
    engine.send("START 5");
    engine.expect("OK");
    let mut taken = vec![engine.ask("BEGIN")];
    // Plays on until one of the two has won or the board is full.
    loop {
        let free = (0..25).map(|i| (i % 5, i / 5)).find(|at| !taken.contains(at));
        let Some((x, y)) = free else { break };
        taken.push((x, y));
        engine.send(&format!("TURN {x},{y}"));
        let line = engine.answer();
        if line.starts_with("ERROR ") {
            break;
        }
        let own = crate::engine::point(&line);
        assert!(own.0 < 5 && own.1 < 5 && !taken.contains(&own));
        taken.push(own);
    }
    engine.send("RESTART");
    engine.expect("OK");
    engine.ask("BEGIN");
    engine.end();
}

#[test]
fn suggest_and_debug_are_never_said_and_answers_are_single() {
    let mut engine = Engine::started(15);
    let mut taken = Vec::new();
    for i in 0..4 {
        let at = (2 * i + 1, 14 - (i % 3) * 4);
        if taken.contains(&at) {
            continue;
        }
        taken.push(at);
        taken.push(engine.ask(&format!("TURN {},{}", at.0, at.1)));
        engine.quiet();
    }
    engine.end();
}

#[test]
fn the_same_transcript_gives_the_same_game() {
    let game = || {
        let mut engine = Engine::started(15);
        let mut lines = Vec::new();
        for turn in ["BEGIN", "TURN 0,0", "TURN 14,0", "TURN 0,14"] {
            engine.send(turn);
            loop {
                let line = engine.line();
                let done = !line.starts_with("MESSAGE ");
                lines.push(untimed(&line));
                if done {
                    break;
                }
            }
        }
        engine.end();
        lines
    };
    // Which reports are printed depends on time, all but the last.
    let last = |lines: Vec<String>| -> Vec<String> {
        let shown = |i: usize| {
            !lines[i].starts_with("MESSAGE ")
                || lines.get(i + 1).is_some_and(|next| !next.starts_with("MESSAGE "))
        };
        // How far a proven line is put together does too.
        let moves = |line: &str| line.find(" pv ").map_or(line.len(), |at| at);
        let told = |line: &String| match line.contains(" ev +M") || line.contains(" ev -M") {
            true => line[..moves(line)].to_string(),
            false => line.clone(),
        };
        (0..lines.len()).filter(|&i| shown(i)).map(|i| told(&lines[i])).collect()
    };
    assert_eq!(last(game()), last(game()));
}

#[test]
fn a_conversation_of_complaints() {
    let mut engine = Engine::launch();
    let mut transcript = Vec::new();
    for line in [
        "TURN 7,7",
        "START 3",
        "START 15",
        "TURN 15,7",
        "TURN 7",
        "TAKEBACK 7,7",
        "NONSENSE 1 2",
        "BOARD\n1,1,1\n1,1,2\nDONE",
        "BOARD\nx\nDONE",
        "SWAP2BOARD\n1,1\nDONE",
        "DONE",
        "INFO rule 99",
        "BEGIN",
        "INFO rule 0",
    ] {
        transcript.push(format!("> {}", line.replace('\n', " / ")));
        engine.send(line);
        if !line.starts_with("INFO") {
            transcript.push(format!("< {}", engine.line()));
        }
    }
    engine.end();
    insta::assert_snapshot!(transcript.join("\n"));
}

#[test]
fn a_list_out_of_order_is_judged_by_its_end() {
    // By rows, as some managers list a board: a five that is none in the end,
    // because it is six long (standard) or blocked at both ends (caro).
    let six = "3,4,1\n4,4,1\n5,4,1\n6,4,1\n7,4,1\n8,4,1";
    let blocked = "3,4,1\n4,4,1\n5,4,1\n6,4,1\n7,4,1\n2,4,2\n8,4,2";
    let enemies =
        |n: usize| (0..n).map(|i| format!("{},12,2", 2 * i)).collect::<Vec<_>>().join("\n");
    let mut engine = Engine::started(15);
    for (rule, stones, others) in [(1, six, 6), (8, blocked, 3), (9, blocked, 3), (9, six, 6)] {
        engine.send(&format!("INFO rule {rule}\nSTART 15"));
        engine.expect("OK");
        engine.ask(&format!("BOARD\n{stones}\n{}\nDONE", enemies(others)));
    }
    // What is a five in any order is one.
    engine.send(&format!("INFO rule 1\nBOARD\n{}\n{}\nDONE", &six[..six.len() - 6], enemies(5)));
    engine.error();
    engine.ask("BOARD\n7,7,2\nDONE");
    engine.end();
}

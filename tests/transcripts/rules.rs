//! Rules by their numbers, walls, and games that go on after a five.

use crate::engine::Engine;
use crate::positions::over;

#[test]
fn an_unsupported_rule_is_reported_and_fails_the_next_commands() {
    for (value, expected, at_once) in [
        // The rule of clients that identify themselves only later.
        ("5", "rule 5", 0),
        ("77", "rule 77", 1),
        ("renju", "rule \"renju\"", 1),
        ("", "rule \"\"", 0),
    ] {
        let mut engine = Engine::started(15);
        let messages = engine.messages(&format!("INFO rule {value}\nINFO timeout_match 0"));
        assert_eq!(messages.len(), at_once, "{messages:?}");
        assert!(messages.iter().all(|message| message.contains(expected)), "{messages:?}");
        engine.send("TURN 7,7");
        assert!(engine.error().contains(expected));
        engine.send("START 15");
        assert!(engine.error().contains(expected));
        engine.send("INFO rule 8");
        engine.ask("TURN 7,7");
        engine.end();
    }
}

/// Yixin-Board can name such rules only by a number.
#[test]
fn a_rule_with_options_can_be_set_by_number_and_is_reported() {
    let mut engine = Engine::started(15);
    for (number, name) in [(68, "renju+fouls-both"), (17, "gomoku+free-pass")] {
        let messages = engine.messages(&format!("INFO rule {number}\nINFO timeout_match 0"));
        let expected = format!("the rule is {name}: ");
        assert!(messages.len() == 1 && messages[0].contains(&expected), "{messages:?}");
    }
    for plain in [0, 1, 4, 8, 9] {
        assert!(engine.messages(&format!("INFO rule {plain}\nINFO timeout_match 0")).is_empty());
    }
    engine.end();
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

/// The last point of a game of renju, where Black would make an overline: the rules allow a
/// pass there, but the Gomocup protocol has none.
#[test]
fn a_point_is_played_even_if_every_point_is_forbidden() {
    const ROWS: [&str; 7] =
        ["..OXXOO", "OXXOXXX", "OOXOOOO", "XOXOXXX", "XOOXOOX", "OOOOXOO", "XXX.XXX"];
    let mut engine = Engine::started(7);
    engine.send("INFO rule 4\nSTART 7");
    engine.expect("OK");
    let stones = |color: char| -> Vec<String> {
        let cells = (0..7).flat_map(|y| (0..7).map(move |x| (x, y)));
        let own = cells.filter(|&(x, y)| ROWS[y].as_bytes()[x] as char == color);
        own.map(|(x, y)| format!("{x},{y}")).collect()
    };
    let (black, white) = (stones('X'), stones('O'));
    assert_eq!(black.len(), white.len());
    let mut board = String::from("BOARD\n");
    for (own, other) in black.iter().zip(&white) {
        board += &format!("{own},1\n{other},2\n");
    }
    let first = engine.ask(&(board + "DONE"));
    assert!([(0, 0), (1, 0)].contains(&first), "{first:?}");
    assert_eq!(engine.ask(&format!("TURN {},0", 1 - first.0)), (3, 6));
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

/// In a continuous game stones become walls. In Caro such a wall no longer counts as an
/// opponent stone at the end of a five, and a wall may leave five of a row of six: nobody
/// wins by that.
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

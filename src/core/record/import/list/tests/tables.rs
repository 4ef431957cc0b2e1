//! Tables of texts and the moves read from them.

use super::*;

/// Summarises the games of a text: their moves, after `doubt` if there is one, or the fault.
fn summary(text: &str) -> String {
    let games = games(text, Hints::default());
    let one = |game: Result<ImportedGame, UnreadableGame>| match game {
        Ok(game) if doubts(&game).is_empty() => steps(&game),
        Ok(game) => format!("doubt {}", steps(&game)),
        Err(error) => format!("fault at {}", error.place),
    };
    games.into_iter().map(one).collect::<Vec<_>>().join(" | ")
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(summary(text), *expected, "{text}");
    }
}

#[test]
fn negative_numbers_are_offsets_from_the_middle() {
    check(&[
        ("-3,-2, 0,1, 2,4\n", "e10 h7 j4"),
        ("(-1,0)(0,0)(1,1)", "g8 h8 i7"),
        ("{row: -1, col: 0} {row: 0, col: 0}", "h9 h8"),
        ("-3,-2,0,1,2,4", "e10 h7 j4"),
        ("7,7 8,8 6,-1", "fault at byte 4"),
        ("8-8 9-9", "h8 i7"),
        ("8 - 8; 9 - 9", "h8 i7"),
        // All lines are read in the same way.
        ("0,0, 1,1, 2,0\n0,0, -1,1\n", "h8 i7 j8 | h8 g7"),
        ("7,7 0,3\n7,7 1,3\n", "h8 a12 | h8 b12"),
    ]);
    let game = one("-3,-2, 0,1", Hints::default());
    assert!(notes(&game).contains("offsets from the middle of the board"));
    let error = games("7,7 8,8 6,-1", Hints::default()).remove(0).unwrap_err().reason;
    assert!(error.contains("as a number is negative"), "{error}");
}

#[test]
fn moves_are_ordered_by_their_numbers() {
    check(&[
        ("1. h8   4. g7\n2. i9   5. j10\n3. h9   6. k11\n", "h8 i9 h9 g7 j10 k11"),
        ("1. h8 3. h9 2. i9", "h8 i9 h9"),
        ("1.h8 2.i9 4.h9", "doubt h8 i9 h9"),
        ("1: h8, 2: i9, 4: h9", "doubt h8 i9 h9"),
        ("2. h8 i9\n1. h9 g7\n", "doubt h8 i9 h9 g7"),
        ("1. h8 i9\n2. h9 g7\n16. k11 l12\n", "doubt h8 i9 h9 g7 k11 l12"),
        ("1.h8 2.i9 2.h9", "doubt h8 i9 h9"),
        ("1. h8 2. i9 h9 3. g7", "doubt h8 i9 h9 g7"),
        ("99999999999999999999999. h8", "doubt h8"),
        ("1. (8,8) 3. (9,9)", "doubt h8 i7"),
        ("1. hh 3. ii", "doubt h8 i7"),
        ("[{\"n\":2,\"x\":8,\"y\":8},{\"n\":1,\"x\":9,\"y\":9}]", "i7 h8"),
        // Numbers count stones or turns, from 1 or 0.
        ("1. h8 i9 2. g7 1-0", "h8 i9 g7"),
        ("1. h8 2.i9\n3... j10", "h8 i9 j10"),
        ("1. h8 1... i9 2. g7 2... j10", "h8 i9 g7 j10"),
        ("0: h8, 1: i9, 2: g7", "h8 i9 g7"),
        ("1. h8 i9 swap 2. g7 h9 3. j10", "h8 i9 swap g7 h9 j10"),
        ("h8 i9 3. g7", "h8 i9 g7"),
    ]);
    assert_eq!(
        doubts(&one("1.h8 2.i9 4.h9", Hints::default())),
        ["byte 12: move 3 (h9) has the number 4, which is out of order"]
    );
    let sorted = one("1. h8 3. h9 2. i9", Hints::default());
    assert!(notes(&sorted).contains("in the order of their numbers"));
    let turns = one("1. j10 2. k10 l11 3. m9 n10", of("connect6"));
    assert_eq!(doubts(&turns), [""; 0]);
}

#[test]
fn numbered_lines_are_games_if_they_start_over() {
    check(&[
        ("1. h8 i9 g7\n2. h8 h9 g8\n", "h8 i9 g7 | h8 h9 g8"),
        ("1. h8 i9\n2. h9 g7\n1. h8 j10\n2. g7 g8\n", "h8 i9 h9 g7 | h8 j10 g7 g8"),
        // These are turns of one game with a repeated point, or openings.
        ("1. h8 i9\n2. h9 g7\n3. h8 g6\n", "doubt h8 i9 | doubt h9 g7 | doubt h8 g6"),
    ]);
}

#[test]
fn all_moves_after_a_colour_have_it() {
    let expected = "B:h8 W:i9 B:h9 W:i10 B:h10";
    for text in [
        "Black: h8 h9 h10\nWhite: i9 i10\n",
        "B: h8 h9 h10\nW: i9 i10",
        "X: h8 h9 h10 O: i9 i10",
        "黑:h8 h9 h10\n白:i9 i10",
        "●h8 h9 h10 ○i9 i10",
        "Black: h8, h9, h10; White: i9, i10",
        "Black: 1. h8 2. h9 3. h10\nWhite: 1. i9 2. i10",
        "Black: 1. h8 3. h9 5. h10\nWhite: 2. i9 4. i10",
        "BH8 WI9 BH9 WI10 BH10",
        "● h8 ○ i9 ● h9 ○ i10 ● h10",
    ] {
        assert_eq!(summary(text), expected, "{text}");
    }
    check(&[
        // Colours out of turn are refused later, when the moves are played.
        ("Black: h8 h9 h10\nWhite: i9\n", "B:h8 B:h9 B:h10 W:i9"),
        ("B h8 W i9 h9", "B:h8 W:i9 W:h9"),
        ("White: i9 i10\nBlack: h8 h9\n", "doubt W:i9 W:i10 B:h8 B:h9"),
        ("Black: 1. h8 3. h9\nWhite: 1. i9 2. i10", "doubt B:h8 W:i9 B:h9 W:i10"),
        ("B hh hi W ii ij", "B:h8 W:i7 B:h7 W:i6"),
    ]);
    let hints = Hints { size: Some((19, 19)), ..of("connect6") };
    let turns = one("B j10 W k10 l11 B m9 n10", hints);
    assert_eq!(steps(&turns), "B:j10 W:k10 W:l11 B:m9 B:n10");
}

#[test]
fn moves_in_deeper_brackets_are_left_out() {
    check(&[
        ("1. h8 i9 (1... j10) 2. h9 g7", "doubt h8 i9 h9 g7"),
        ("h8 i9 (j10 k11) h9", "doubt h8 i9 h9"),
        ("h8 i9 [j10 k11] h9", "doubt h8 i9 h9"),
        ("1. h8 i9 2. h9 (h10 g8) g7", "doubt h8 i9 h9 g7"),
        ("h8 i9 (j10) h9", "doubt h8 i9 h9"),
        ("(8,8)((9,9)(7,7))(6,6)", "doubt h8 f10"),
        ("[hh][ii]([jj])", "doubt h8 i7"),
        ("[[h8, i9], [g7, h9]]", "h8 i9 g7 h9"),
        ("(1) h8 (2) i9", "h8 i9"),
        ("h8 (pass) i9", "h8 pass i9"),
    ]);
    let game = one("h8 i9 (j10 k11) h9", Hints::default());
    assert!(doubts(&game)[0].starts_with("byte 7: moves in brackets"), "{:?}", doubts(&game));
}

#[test]
fn numbers_next_to_pairs_are_move_numbers_or_colours() {
    check(&[
        ("1,8,8\n2,9,9\n3,7,7\n", "h8 i7 g9"),
        ("1 8 8\n2 9 9\n3 7 7\n", "h8 i7 g9"),
        ("1,8,8\n3,7,7\n2,9,9\n", "h8 i7 g9"),
        ("1,8,8\n2,9,9\n4,7,7\n", "doubt h8 i7 g9"),
        ("1,8,8\n2,9,9\n", "doubt h8 i7"),
        ("7,7,1\n8,8,2\n6,6,1", "h8 i7 g9"),
        ("3,3,1\n4,4,2\n", "doubt c13 d12"),
        ("8,8,1\n9,9,2\n", "doubt h8 i7"),
        ("7,7,1\n6,6,1\n8,8,2", "doubt h8 g9 i7"),
        ("(8,8,1)(9,9,3)(7,7,2)", "doubt h8 i7 g9"),
        ("(1,8,40)(2,9,30)(3,7,12)", "a8 b7 c9"),
        (r#"{"x":8,"y":8,"player":1},{"x":9,"y":9,"player":1}"#, "doubt h8 i7"),
        (r#"{"x":8,"y":8,"player":0},{"x":9,"y":9,"player":1}"#, "h8 i7"),
        ("7.5,7 8,8", "fault at byte 0"),
    ]);
    assert!(has_marks("1,8,8\n2,9,9\n") && has_marks("7,7,1\n8,8,2\n"));
    assert!(!has_marks("8,8,120\n9,9,3\n") && !has_marks("8,8,1\n9,9,1\n"));
    assert!(!has_marks("8,8,1\n") && !has_marks("h8 i9"));
}

#[test]
fn one_bad_line_does_not_hide_the_others() {
    let table = [
        ("h8 i9\nh8 foo\nh8 j9\n", "h8 i9 | fault at byte 9 | h8 j9"),
        ("h8 i9 h9 1-0\nh8 j10 h9 0-1\n", "h8 i9 h9 | h8 j10 h9"),
        ("h8 i9 h9 1-0\ng7 j10 k9 0-1\n", "h8 i9 h9 | g7 j10 k9"),
        ("h8i9h9 # good\nh8i9j10\n", "h8 i9 h9 | h8 i9 j10"),
        ("h8i9h9 1\nh8i9j10 0\n", "fault at byte 7 | fault at byte 17"),
        ("Game 1\nh8 i9\nGame 2\nh8 j10\n", "h8 i9 | h8 j10"),
        ("https://b.example/#/h8i9\nh8 j10\n", "h8 i9 | h8 j10"),
        // One game of several lines has a fault.
        ("h8 i9\ng7 foo\nh9 h10\n", "fault at byte 9"),
        ("h8\ni9\nfoo\ng7\n", "fault at byte 6"),
    ];
    check(&table);
    for (text, _) in table {
        assert!(looks(text, None), "{text}");
    }
    let of_lines = Hints { per_line: Some(true), ..Hints::default() };
    assert_eq!(games("h8 i9\nx\ny\nz\n", of_lines).iter().flatten().count(), 1);
    let headed = games("Game 1\nh8 i9\nj10 k11\nGame 2\nh8 j10\n", Hints::default());
    let first = headed[0].as_ref().unwrap();
    assert_eq!((steps(first), &first.title[..]), ("h8 i9 j10 k11".into(), "Game 1"));
    assert_eq!(first.places[0], Place::Byte(7));
    assert_eq!(summary("Game 1\nh8 i9\nGame 2\n"), "h8 i9 | doubt ");
}

#[test]
fn games_and_boards_of_links_are_read_or_doubted() {
    let link = |rest: &str| one(&format!("https://x.example/{rest}"), Hints::default());
    let of = |rest: &str| {
        let game = link(rest);
        (game.variant.map(|game| game.to_string()), doubts(&game).len())
    };
    assert_eq!(of("?variant=renju&rules=swap2&moves=h8i9"), (Some("renju".into()), 1));
    assert_eq!(of("renju/h8i9"), (Some("renju".into()), 0));
    assert_eq!(of("?rule=renju&moves=h8"), (Some("renju".into()), 0));
    assert_eq!((of("?size=99&moves=h8").1, of("?board=19&moves=j10").1), (1, 0));
    assert_eq!(link("?board=19&moves=j10").size, Some((19, 19)));
    assert_eq!(of("?size=15&board=19&moves=j10").1, 1);
    for rule in ["gomoku", "2", "3", "Sakata"] {
        let hint = named(rule).and_then(|named| named.hint).map(String::from);
        let notes = notes(&link(&format!("?rule={rule}&moves=h8i9")));
        assert!(hint.is_none_or(|hint| notes.contains(&hint)), "{rule}: {notes}");
    }
    let text = "See https://gomocalc.com/#/h8i9";
    assert_eq!((summary(text), is_link(text)), ("h8 i9".into(), true));
    assert!(notes(&one(text, Hints::default())).contains("not used: \"See\""));
    assert_eq!(summary("gomocalc.com/#/h8i9h9"), "h8 i9 h9");
}

#[test]
fn errors_name_the_assumed_board() {
    for text in ["T20 A1", "J10 K11 T19", "16,16"] {
        let error = games(text, Hints::default()).remove(0).unwrap_err().reason;
        assert!(error.contains("of 15x15; --size"), "{error}");
    }
}

#[test]
fn a_text_without_a_move_is_doubted() {
    for text in ["()", "(((", "---", ",,,", "1. 2. 3.", "1-0", "resign", "# nothing"] {
        assert_eq!(doubts(&one(text, Hints::default())), ["byte 0: there are no moves"], "{text}");
    }
    assert!(!looks("+++++\n+++++\n", None));
    assert_eq!(summary(""), "");
}

#[test]
fn unused_times_and_marks_are_reported() {
    for (text, expected) in [
        ("h8(0:01) i9(0:05)", "not used: \"(0:01)\" and 1 more"),
        ("1. h8 (12) 2. i9 (30)", "not used: \"(12)\" and 1 more"),
        ("h8 i9+", "not used: \"+\""),
        ("h8= i9", "not used: \"=\""),
        ("h8 i9!? ", ""),
    ] {
        let game = one(text, Hints::default());
        assert_eq!((steps(&game), notes(&game)), ("h8 i9".into(), expected.into()), "{text}");
    }
}

#[test]
fn typographic_and_east_asian_characters_are_read() {
    for text in [
        "h8–i9",
        "h8−i9",
        "Ｈ８ Ｉ９",
        "h8\u{200b}i9",
        "①h8②i9",
        "１．ｈ８　２．ｉ９",
        "h8，i9",
        "1,h8\n2,i9\n",
        "h8 i9!?",
    ] {
        assert_eq!(summary(text), "h8 i9", "{text}");
    }
    assert_eq!(summary("８,８ （９，９）"), "fault at byte 0");
    assert_eq!(summary("８,８　９,９"), "h8 i7");
    assert_eq!(one("Ｈ８ Ｉ９", Hints::default()).places, [Place::Byte(0), Place::Byte(7)]);
    let ended = one("h8 i9 Black wins", Hints::default());
    assert_eq!((steps(&ended), ended.result), ("h8 i9".into(), Some(Outcome::Win(Color::Black))));
    let drawn = one("h8 i9 1/2-1/2", Hints::default());
    assert_eq!((steps(&drawn), drawn.result), ("h8 i9".into(), Some(Outcome::Draw)));
    let given = one("h8 i9 White resigns.", Hints::default());
    assert_eq!((given.result, &given.reason[..]), (Some(Outcome::Win(Color::Black)), "resign"));
}

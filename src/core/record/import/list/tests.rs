use super::*;
use crate::record::import::test_reading::{doubts, events, only};
use crate::record::import::{Columns, Weight};
use crate::rules::Outcome;
use crate::types::Color;
use proptest::prelude::*;

fn games(text: &str, hints: Hints) -> Vec<Result<ImportedGame, UnreadableGame>> {
    read(text, &hints).collect()
}

fn one(text: &str, hints: Hints) -> ImportedGame {
    only(games(text, hints), text)
}

fn steps(game: &ImportedGame) -> String {
    events(game).join(" ")
}

fn moves(text: &str) -> String {
    steps(&one(text, Hints::default()))
}

fn notes(game: &ImportedGame) -> String {
    game.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>().join("; ")
}

fn of(game: &str) -> Hints {
    let variant = Variant::from_name(game).unwrap();
    Hints { variant: Some(variant), ..Hints::default() }
}

#[test]
fn points_pairs_and_letters_are_moves() {
    for text in ["h8i9g7", "H8-I9-G7", "8,8 9,7 7,9", "(8,8)(9,7)(7,9)", "hh ig gi", "7,7 8,6 6,8"]
    {
        assert_eq!(moves(text), "h8 i9 g7", "{text}");
        assert!(looks(text, None), "{text}");
    }
    let game = one("h8 i9", Hints::default());
    assert_eq!((game.places, game.notes.len()), (vec![Place::Byte(0), Place::Byte(3)], 0));
    assert_eq!(moves("B h8 W i9"), "B:h8 W:i9");
    assert_eq!(
        steps(&one("ddc1", Hints { size: Some((8, 8)), ..of("four-in-a-row") })),
        "drop 3 drop 3 c1"
    );
    let ended = one("1. h8 i9 resign 0-1", Hints::default());
    assert_eq!((ended.result, &ended.reason[..]), (Some(Outcome::Win(Color::White)), "resign"));
    assert_eq!(moves(""), "");
}

#[test]
fn names_of_columns_are_no_moves() {
    for head in ["No,Black,White", "move\tblack\twhite", "| Nr. | Black | White |"] {
        let game = one(&format!("{head}\n1,h8,i9\n2,g7,j10\n"), Hints::default());
        assert_eq!(steps(&game), "h8 i9 g7 j10", "{head}");
        assert!(notes(&game).contains("names of columns are not used"), "{head}");
    }
    assert_eq!(moves("x,y\n8,8\n9,7\n"), "h8 i9");
    // In another order the columns mean something else.
    for head in ["No,White,Black", "y,x"] {
        let text = format!("{head}\n1,h8,i9\n");
        assert!(games(&text, Hints::default()).iter().any(Result::is_err), "{head}");
    }
}

#[test]
fn it_is_told_how_numbers_are_read() {
    let told = |text: &str| notes(&one(text, Hints::default()));
    let rows = "; rows in numbers count from the top";
    assert_eq!(
        told("8,8 9,7"),
        format!("numbers are column and row from 1, as the first stone is the centre then{rows}")
    );
    assert_eq!(
        told("7,7 8,6"),
        format!("numbers are column and row from 0, as the first stone is the centre then{rows}")
    );
    assert_eq!(
        told("7,8 0,6"),
        format!("numbers are column and row from 0, as there is a 0{rows}")
    );
    assert_eq!(
        told("7,8 15,6"),
        format!("numbers are column and row from 1, as the last one occurs{rows}")
    );
    assert_eq!(told("7,8 3,6"), format!("numbers are column and row from 1, as usual{rows}"));
    assert!(told("7,8,3,6").contains("one after the other"));
    let with = |text: &str, hints: Hints| {
        let game = one(text, hints);
        (steps(&game), game.notes.len())
    };
    let zero = Hints { origin: Some(0), from_top: Some(true), ..Hints::default() };
    assert_eq!(with("7,8 3,6", zero), ("h7 d9".into(), 0));
    let bottom = Hints { origin: Some(1), from_top: Some(false), ..Hints::default() };
    assert_eq!(with("7,8 3,6", bottom), ("g8 c6".into(), 0));
    assert_eq!(with("hh ig", Hints { from_top: Some(false), ..Hints::default() }).0, "h8 i7");
    let without = Hints { columns: Some(Columns::WithoutI), ..Hints::default() };
    let error = games("i2", without)[0].clone().unwrap_err().to_string();
    assert!(error.ends_with("move 1 (i2): there is no column I on this board"), "{error}");
    assert_eq!(with("h1", Hints { from_top: Some(true), ..Hints::default() }).0, "h15");
    let size = Hints { size: Some((19, 19)), ..Hints::default() };
    assert_eq!(with("10,10 11,9", size).0, "j10 k11");
}

#[test]
fn third_numbers_are_told() {
    let note = |text: &str| {
        let game = one(text, Hints::default());
        let note = game.notes.iter().find(|note| note.text.contains("third")).cloned();
        note.map(|note| note.weight)
    };
    assert_eq!(note("8,8,1 9,9,2 7,7,1"), Some(Weight::Remark));
    assert_eq!(note("8,8,1 9,9,1 7,7,2"), Some(Weight::Doubt));
    assert_eq!(note("8,8,12 9,9,35"), Some(Weight::Remark));
}

#[test]
fn lines_are_one_game_or_several() {
    let several = "h8i9g7\nh8h9\n# a comment\n\nj10 j9\n";
    let of_lines = |text: &str, hints: Hints| -> Vec<String> {
        games(text, hints).iter().flatten().map(steps).collect()
    };
    assert_eq!(of_lines(several, Hints::default()), ["h8 i9 g7", "h8 h9", "j10 j9"]);
    assert!(notes(&games(several, Hints::default())[1].clone().unwrap()).contains("each line"));
    assert_eq!(games(several, Hints::default())[1].clone().unwrap().places[0], Place::Byte(7));
    let whole = "h8i9\ng7 h9\n";
    assert_eq!(of_lines(whole, Hints::default()), ["h8 i9 g7 h9"]);
    assert_eq!(notes(&one(whole, Hints::default())), "2 lines are read as one game");
    let each = Hints { per_line: Some(true), ..Hints::default() };
    assert_eq!(of_lines(whole, each), ["h8 i9", "g7 h9"]);
    let one_game = Hints { per_line: Some(false), ..Hints::default() };
    assert_eq!(of_lines(several, one_game), ["h8 i9 g7 h8 h9 j10 j9"]);
    // A move a line, and numbered lines, are a game as they stand.
    for text in ["h8\ni9\ng7\n", "1. h8 i9\n2. g7\n", "8,8\n9,7\n7,9\n"] {
        let game = one(text, Hints::default());
        assert_eq!(steps(&game), "h8 i9 g7", "{text}");
        assert!(!notes(&game).contains("lines"), "{text}");
    }
    // In Pente a captured point is played again.
    assert_eq!(of_lines("j10 k10\nm9 k10\n", of("pente")).len(), 1);
    assert_eq!(of_lines("j10 k10\nj10 m9\n", of("pente")).len(), 2);
    // One bad line does not hide the others.
    let bad = games("h8i9\nh8 z99\nh8g7\n", Hints::default());
    assert_eq!(bad.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(
        bad[1].as_ref().unwrap_err().to_string(),
        "byte 8: move 2 (z99): the point is outside the board of 15x15; --size says another"
    );
}

#[test]
fn columns_have_an_i_unless_the_letters_or_the_user_say_otherwise() {
    let of_game = |game: &str, text: &str| {
        let game = one(text, Hints { size: Some((19, 19)), ..of(game) });
        (steps(&game), notes(&game))
    };
    let (steps_, told) = of_game("pente", "k10 l9");
    assert_eq!(steps_, "k10 l9");
    assert!(told.contains("read with an I") && told.contains("--columns without-i"), "{told}");
    let (steps_, told) = of_game("pente", "k10 t9");
    assert_eq!(steps_, "j10 s9");
    assert!(told.contains("the last letter needs it"), "{told}");
    assert_eq!(of_game("connect6", "k10 l9 i4").0, "k10 l9 i4");
    assert_eq!(of_game("pente", "j10 l9").0, "j10 l9");
    assert_eq!(of_game("freestyle", "k10 l9").0, "k10 l9");
    let hints = Hints { columns: Some(Columns::WithoutI), size: Some((19, 19)), ..of("freestyle") };
    assert_eq!(steps(&one("k10 l9", hints)), "j10 k9");
}

#[test]
fn links_hold_moves() {
    let game = one("https://gomocalc.com/#/h8i9g7", Hints::default());
    assert_eq!((steps(&game), game.size), ("h8 i9 g7".into(), None));
    assert_eq!(notes(&game), "the moves are those behind the #");
    let link = "https://b.example/?size=19&rule=renju&moves=10,10-9,9&lang=en\n";
    let game = one(link, Hints::default());
    assert_eq!((steps(&game), game.size), ("j10 i11".into(), Some((19, 19))));
    assert_eq!(game.variant, Variant::from_name("renju").ok());
    assert!(notes(&game).contains("not used: lang"));
    let unknown = one("https://b.example/?rule=checkers&moves=h8", Hints::default());
    assert!(unknown.notes.iter().any(|note| note.question == Some(Question::Game)));
    let two = "https://gomocalc.com/#/h8i9\nhttps://gomocalc.com/#/h8h9\n";
    assert!(looks(two, None));
    assert_eq!(games(two, Hints::default()).len(), 2);
    let error = |text: &str| games(text, Hints::default()).remove(0).unwrap_err().to_string();
    assert_eq!(error("https://b.example/about"), "byte 0: no part of the link is moves");
    assert_eq!(
        error("https://b.example/#/h8z99"),
        "file: move 2 (z99): the point is outside the board of 15x15; --size says another"
    );
}

#[test]
fn text_boards_of_renlib_have_their_moves_below() {
    let text = "          X=Black   O=White\n\n    A B C\n 3 . . . 3\n    A B C\n    \
                ----- Text Board -----\n\n    Ann - Bob 1-0\n      1 H8     2 H9\n      3 J10\n\n";
    assert!(looks(text, None));
    let game = one(text, Hints::default());
    assert_eq!(steps(&game), "h8 h9 j10");
    assert!(notes(&game).contains("not used: \"Ann - Bob 1-0\""));
}

proptest! {
    #[test]
    fn no_text_is_a_disaster(
        text in "[a-p0-9,. \n()\\[\\]{}:;#+=!/-]{0,60}[BWxo①Ｈ８－黑\u{200b}]{0,4}[ -~\u{e9}\n]{0,30}",
        per_line in any::<Option<bool>>(),
        game in prop::sample::select(vec!["renju", "connect6", "four-in-a-row", "pente"]),
    ) {
        let hints = Hints { per_line, ..of(game) };
        let _ = (looks(&text, hints.variant), has_marks(&text), is_link(&text));
        for game in read(&text, &hints).flatten() {
            prop_assert!(game.places.is_empty() || game.places.len() == game.events.len());
        }
    }
}

#[test]
fn other_texts_are_no_moves() {
    for text in [
        ". . . . .\n. X O . .\n. . . . .\n. . . . .\n. . . . .\n",
        "0 0 0 0 0\n0 1 2 0 0\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n",
        "00000\n01200\n00000\n00000\n00000\n",
        "X O X O X\nX O X O X\n",
        "some words that are no game",
        "no moves!",
    ] {
        assert!(!looks(text, None), "{text}");
    }
    let error = games("some words", Hints::default()).remove(0).unwrap_err().to_string();
    assert_eq!(error, "byte 0: move 1 (some): a point is a letter and a number, such as h8");
}

#[test]
fn millions_of_lines_take_no_time() {
    for part in ["h8 i9\n", "8,8\n", "https://b.example/#/h8\n", "#\n", "h8\n", "x\n", "\n"] {
        let text = part.repeat(100_000);
        let _ = (looks(&text, None), read(&text, &Hints::default()).count());
    }
}

/// What a text is read as: its moves behind `doubt` if one is in doubt, or the
/// fault.
fn told(text: &str) -> String {
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
        assert_eq!(told(text), *expected, "{text}");
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
        // Each line is read as the others are.
        ("0,0, 1,1, 2,0\n0,0, -1,1\n", "h8 i7 j8 | h8 g7"),
        ("7,7 0,3\n7,7 1,3\n", "h8 a12 | h8 b12"),
    ]);
    let game = one("-3,-2, 0,1", Hints::default());
    assert!(notes(&game).contains("offsets from the middle of the board"));
    let error = games("7,7 8,8 6,-1", Hints::default()).remove(0).unwrap_err().reason;
    assert!(error.contains("as a number is negative"), "{error}");
}

#[test]
fn moves_stand_in_the_order_of_their_numbers() {
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
        // Numbers of stones and of turns, from 1 or 0.
        ("1. h8 i9 2. g7 1-0", "h8 i9 g7"),
        ("1. h8 2.i9\n3... j10", "h8 i9 j10"),
        ("1. h8 1... i9 2. g7 2... j10", "h8 i9 g7 j10"),
        ("0: h8, 1: i9, 2: g7", "h8 i9 g7"),
        ("1. h8 i9 swap 2. g7 h9 3. j10", "h8 i9 swap g7 h9 j10"),
        ("h8 i9 3. g7", "h8 i9 g7"),
    ]);
    assert_eq!(
        doubts(&one("1.h8 2.i9 4.h9", Hints::default())),
        ["byte 12: move 3 (h9) has the number 4, which is not the one that is due"]
    );
    let sorted = one("1. h8 3. h9 2. i9", Hints::default());
    assert!(notes(&sorted).contains("in the order of their numbers"));
    let turns = one("1. j10 2. k10 l11 3. m9 n10", of("connect6"));
    assert_eq!(doubts(&turns), [""; 0]);
}

#[test]
fn numbered_lines_are_games_where_they_begin_again() {
    check(&[
        ("1. h8 i9 g7\n2. h8 h9 g8\n", "h8 i9 g7 | h8 h9 g8"),
        ("1. h8 i9\n2. h9 g7\n1. h8 j10\n2. g7 g8\n", "h8 i9 h9 g7 | h8 j10 g7 g8"),
        // Turns of one game in which a point comes again, or openings.
        ("1. h8 i9\n2. h9 g7\n3. h8 g6\n", "doubt h8 i9 | doubt h9 g7 | doubt h8 g6"),
    ]);
}

#[test]
fn all_moves_behind_a_colour_have_it() {
    let told_ = "B:h8 W:i9 B:h9 W:i10 B:h10";
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
        assert_eq!(told(text), told_, "{text}");
    }
    check(&[
        // Whoever plays the moves refuses colours out of turn.
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
fn moves_in_brackets_among_others_are_no_moves() {
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
fn numbers_beside_pairs_are_those_of_moves_or_colours() {
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
        // A game of several lines is one with a fault.
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
    assert_eq!(told("Game 1\nh8 i9\nGame 2\n"), "h8 i9 | doubt ");
}

#[test]
fn games_and_boards_of_links_are_read_or_in_doubt() {
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
        let told = notes(&link(&format!("?rule={rule}&moves=h8i9")));
        assert!(hint.is_none_or(|hint| told.contains(&hint)), "{rule}: {told}");
    }
    let text = "See https://gomocalc.com/#/h8i9";
    assert_eq!((told(text), is_link(text)), ("h8 i9".into(), true));
    assert!(notes(&one(text, Hints::default())).contains("not used: \"See\""));
    assert_eq!(told("gomocalc.com/#/h8i9h9"), "h8 i9 h9");
}

#[test]
fn the_board_that_is_taken_is_named() {
    for text in ["T20 A1", "J10 K11 T19", "16,16"] {
        let error = games(text, Hints::default()).remove(0).unwrap_err().reason;
        assert!(error.contains("of 15x15; --size"), "{error}");
    }
}

#[test]
fn a_text_without_a_move_is_in_doubt() {
    for text in ["()", "(((", "---", ",,,", "1. 2. 3.", "1-0", "resign", "# nothing"] {
        assert_eq!(
            doubts(&one(text, Hints::default())),
            ["byte 0: there is no move in it"],
            "{text}"
        );
    }
    assert!(!looks("+++++\n+++++\n", None));
    assert_eq!(told(""), "");
}

#[test]
fn times_and_marks_are_told() {
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
fn signs_of_other_writing_are_read() {
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
        assert_eq!(told(text), "h8 i9", "{text}");
    }
    assert_eq!(told("８,８ （９，９）"), "fault at byte 0");
    assert_eq!(told("８,８　９,９"), "h8 i7");
    assert_eq!(one("Ｈ８ Ｉ９", Hints::default()).places, [Place::Byte(0), Place::Byte(7)]);
    let ended = one("h8 i9 Black wins", Hints::default());
    assert_eq!((steps(&ended), ended.result), ("h8 i9".into(), Some(Outcome::Win(Color::Black))));
    let drawn = one("h8 i9 1/2-1/2", Hints::default());
    assert_eq!((steps(&drawn), drawn.result), ("h8 i9".into(), Some(Outcome::Draw)));
    let given = one("h8 i9 White resigns.", Hints::default());
    assert_eq!((given.result, &given.reason[..]), (Some(Outcome::Win(Color::Black)), "resign"));
}

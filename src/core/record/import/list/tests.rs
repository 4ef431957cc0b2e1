use super::*;
use crate::record::import::test_reading::{doubts, events, only};
use crate::record::import::{Columns, Weight};
use crate::record::linear::assert_linear;
use crate::rules::Outcome;
use crate::types::Color;
use proptest::prelude::*;

mod tables;

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

/// Regression: the game had no winner.
#[test]
fn a_resignation_without_a_name_is_by_the_side_to_move() {
    let (black, white) = (Some(Outcome::Win(Color::Black)), Some(Outcome::Win(Color::White)));
    for (text, game, result) in [
        ("h8 i9 resign", "renju", white),
        ("1. h8 i9 2. g7 resigns", "renju", black),
        ("h8 i9 swap g7 resign", "gomoku", black),
        ("B h8 W i9 resign", "renju", white),
        ("j10 k10 k9 resign", "connect6", white),
        ("j10 k10 k9 pass resign", "connect6", None),
        ("h8 resign i9", "renju", None),
        ("h8 i9 (j10 resign)", "renju", None),
        ("resign", "renju", None),
    ] {
        let game = one(text, of(game));
        assert_eq!((game.result, &game.reason[..]), (result, "resign"), "{text}");
        let message = if result.is_some() { "assumed to have resigned" } else { "is not named" };
        assert!(notes(&game).contains(message), "{text}: {}", notes(&game));
    }
    let named = one("h8 i9 White resign", Hints::default());
    assert_eq!((named.result, notes(&named)), (black, String::new()));
}

#[test]
fn column_names_are_not_read_as_moves() {
    for head in ["No,Black,White", "move\tblack\twhite", "| Nr. | Black | White |"] {
        let game = one(&format!("{head}\n1,h8,i9\n2,g7,j10\n"), Hints::default());
        assert_eq!(steps(&game), "h8 i9 g7 j10", "{head}");
        assert!(notes(&game).contains("names of columns are not used"), "{head}");
    }
    assert_eq!(moves("x,y\n8,8\n9,7\n"), "h8 i9");
    // In another order the columns have other meanings.
    for head in ["No,White,Black", "y,x"] {
        let text = format!("{head}\n1,h8,i9\n");
        assert!(games(&text, Hints::default()).iter().any(Result::is_err), "{head}");
    }
}

#[test]
fn the_reading_of_numbers_is_reported() {
    let notes_on = |text: &str| notes(&one(text, Hints::default()));
    let rows = "; rows in numbers count from the top";
    assert_eq!(
        notes_on("8,8 9,7"),
        format!("numbers are column and row from 1, as the first stone is the centre then{rows}")
    );
    assert_eq!(
        notes_on("7,7 8,6"),
        format!("numbers are column and row from 0, as the first stone is the centre then{rows}")
    );
    assert_eq!(
        notes_on("7,8 0,6"),
        format!("numbers are column and row from 0, as there is a 0{rows}")
    );
    assert_eq!(
        notes_on("7,8 15,6"),
        format!("numbers are column and row from 1, as the last column or row occurs{rows}")
    );
    assert_eq!(notes_on("7,8 3,6"), format!("numbers are column and row from 1, as usual{rows}"));
    assert!(notes_on("7,8,3,6").contains("one after the other"));
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
fn third_numbers_are_reported() {
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
    // Lines of one move, and numbered lines, are one game without a note.
    for text in ["h8\ni9\ng7\n", "1. h8 i9\n2. g7\n", "8,8\n9,7\n7,9\n"] {
        let game = one(text, Hints::default());
        assert_eq!(steps(&game), "h8 i9 g7", "{text}");
        assert!(!notes(&game).contains("lines"), "{text}");
    }
    // In Pente a captured point can be played again.
    assert_eq!(of_lines("j10 k10\nm9 k10\n", of("pente")).len(), 1);
    assert_eq!(of_lines("j10 k10\nj10 m9\n", of("pente")).len(), 2);
    // One bad line does not hide the others.
    let bad = games("h8i9\nh8 z99\nh8g7\n", Hints::default());
    assert_eq!(bad.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(
        bad[1].as_ref().unwrap_err().to_string(),
        "byte 8: move 2 (z99): the point is outside the board of 15x15; --size sets another"
    );
}

#[test]
fn columns_include_i_unless_the_letters_or_the_user_exclude_it() {
    let of_game = |game: &str, text: &str| {
        let game = one(text, Hints { size: Some((19, 19)), ..of(game) });
        (steps(&game), notes(&game))
    };
    let (moves, note) = of_game("pente", "k10 l9");
    assert_eq!(moves, "k10 l9");
    assert!(note.contains("read with an I") && note.contains("--columns without-i"), "{note}");
    let (moves, note) = of_game("pente", "k10 t9");
    assert_eq!(moves, "j10 s9");
    assert!(note.contains("the last letter needs it"), "{note}");
    assert_eq!(of_game("connect6", "k10 l9 i4").0, "k10 l9 i4");
    assert_eq!(of_game("pente", "j10 l9").0, "j10 l9");
    assert_eq!(of_game("freestyle", "k10 l9").0, "k10 l9");
    let hints = Hints { columns: Some(Columns::WithoutI), size: Some((19, 19)), ..of("freestyle") };
    assert_eq!(steps(&one("k10 l9", hints)), "j10 k9");
}

#[test]
fn moves_in_links_are_read() {
    let game = one("https://gomocalc.com/#/h8i9g7", Hints::default());
    assert_eq!((steps(&game), game.size), ("h8 i9 g7".into(), None));
    assert_eq!(notes(&game), "the moves are those after the #");
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
    assert_eq!(error("https://b.example/about"), "byte 0: the link has no moves");
    assert_eq!(
        error("https://b.example/#/h8z99"),
        "file: move 2 (z99): the point is outside the board of 15x15; --size sets another"
    );
}

#[test]
fn moves_below_text_boards_of_renlib_are_read() {
    let text = "          X=Black   O=White\n\n    A B C\n 3 . . . 3\n    A B C\n    \
                ----- Text Board -----\n\n    Ann - Bob 1-0\n      1 H8     2 H9\n      3 J10\n\n";
    assert!(looks(text, None));
    let game = one(text, Hints::default());
    assert_eq!(steps(&game), "h8 h9 j10");
    assert!(notes(&game).contains("not used: \"Ann - Bob 1-0\""));
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(
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
fn other_texts_are_not_taken_for_moves() {
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
fn many_lines_are_read_in_linear_time() {
    for part in ["h8 i9\n", "8,8\n", "https://b.example/#/h8\n", "#\n", "h8\n", "x\n", "\n"] {
        let text = part.repeat(100_000);
        assert_linear(|| {
            let _ = (looks(&text, None), read(&text, &Hints::default()).count());
        });
    }
}

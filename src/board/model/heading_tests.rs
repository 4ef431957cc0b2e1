//! Tests of headings, and of files that name no rule.

use super::file_tests::{kept, opened, saved, sent};
use super::tests::{of_game, play, refusal, shown};
use super::*;
use crate::schema::{Form, Game};
use goren_core::record::lib::{self, Builder, Step};
use goren_core::types::Cell;

/// A game that White resigned.
const GIVEN_UP: &str = "(;FF[4]GM[4]RU[renju]SZ[15]PB[Anna]PW[Ben]EV[Cup]PC[Tallinn]\
                        DT[2020-01-02]RE[B+R];B[hh];W[ii];B[gg])";

/// Returns the game as shown to the page.
fn game(model: &mut Model) -> Game {
    let events = model.handle(Command::Show {});
    let game = events.into_iter().find_map(|event| match event {
        Event::Game(game) => Some(game),
        _ => None,
    });
    game.unwrap()
}

/// Opens a file in a new model; returns the model and the messages.
fn with_file(text: &str) -> (Model, Vec<String>) {
    let mut model = of_game("renju", "free");
    let messages = opened(&mut model, &sent(text.as_bytes()));
    (model, messages)
}

/// Returns the names of the first and the second seat as the page gets them.
fn names(first: &str, second: &str) -> [Option<String>; 2] {
    [first, second].map(|name| Some(name.to_owned()).filter(|name| !name.is_empty()))
}

/// Whether a text has all of these parts.
fn has(text: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| text.contains(part))
}

/// Regression: saving replaced the players' names by "Person" and lost the result.
#[test]
fn the_heading_of_a_file_is_written_again() {
    let (mut model, messages) = with_file(GIVEN_UP);
    assert_eq!(messages, [""; 0]);
    let Game { names: seats, title, .. } = game(&mut model);
    assert_eq!((seats, title.as_deref()), (names("Anna", "Ben"), Some("Cup, 2020-01-02")));
    let text = saved(&mut model, Form::Sgf);
    let head = ["PB[Anna]", "PW[Ben]", "EV[Cup]", "PC[Tallinn]", "DT[2020-01-02]", "RE[B+]"];
    assert!(has(&text, &head) && has(&text, &["TE[resign]"]) && !text.contains("GN["), "{text}");
    // The heading is stored with the tree.
    let kept = kept(&mut model);
    let mut other = of_game("pente", "free");
    assert_eq!(refusal(&other.handle(Command::Restore { text: kept.clone() })), None);
    assert_eq!(saved(&mut other, Form::Sgf), text);
    assert_eq!(super::file_tests::kept(&mut other), kept);
    let mut third = with_file(&text).0;
    assert_eq!(saved(&mut third, Form::Sgf), text);
    // Other formats hold a part of it.
    let psq = saved(&mut model, Form::Psq);
    assert!(psq.ends_with("Anna\nBen\n-1\n1,Renju\n"), "{psq}");
    let json = saved(&mut model, Form::Json);
    let mut fourth = with_file(&json).0;
    let Game { names: seats, title, .. } = game(&mut fourth);
    assert_eq!((seats, title.as_deref()), (names("Anna", "Ben"), Some("Cup, 2020-01-02")));
    let again = saved(&mut fourth, Form::Sgf);
    assert!(has(&again, &["PB[Anna]", "GN[Cup, 2020-01-02]", "RE[B+]", "TE[resign]"]), "{again}");
    assert_eq!(saved(&mut fourth, Form::Json), json);
}

#[test]
fn the_result_of_a_file_applies_to_its_last_position_only() {
    let (mut model, _) = with_file(GIVEN_UP);
    let has_result = |model: &mut Model| saved(model, Form::Sgf).contains("RE[B+]");
    let end = shown(&model).node;
    // After a further move the file's result no longer holds.
    play(&mut model, "a1");
    assert!(!has_result(&mut model));
    model.handle(Command::Remove { node: shown(&model).node });
    assert!(has_result(&mut model));
    // The result belongs to the main line, not to another branch.
    model.handle(Command::Go { node: 1 });
    let psq = saved(&mut model, Form::Psq);
    assert!(psq.ends_with("Anna\nBen\n-1\nRenju\n"), "{psq}");
    play(&mut model, "a1 b2");
    assert!(has_result(&mut model));
    let node = shown(&model).node;
    model.handle(Command::Promote { node });
    assert!(!has_result(&mut model));
    model.handle(Command::Promote { node: end });
    assert!(has_result(&mut model));
    // A result that follows from the stones needs no heading.
    let five = ";B[aa];W[oo];B[ba];W[no];B[ca];W[mo];B[da];W[lo];B[ea]";
    let wrong = format!("(;GM[4]RU[renju]SZ[15]RE[W+Time]{five})");
    let (mut model, messages) = with_file(&wrong);
    assert!(
        messages[0].contains("the file says that White won, but by the stones Black did"),
        "{messages:?}"
    );
    let text = saved(&mut model, Form::Sgf);
    assert!(has(&text, &["RE[B+]", "TE[line]"]), "{text}");
}

#[test]
fn names_belong_to_the_seats() {
    let mut model = of_game("gomoku", "swap-2");
    play(&mut model, "h8,i9,j8 swap a1");
    let text = saved(&mut model, Form::Sgf);
    assert!(has(&text, &["PB[Person]", "PW[Person]"]), "{text}");
    let text = text.replace("PB[Person]", "PB[Anna]").replace("PW[Person]", "PW[Ben]");
    let (mut model, _) = with_file(&text);
    // Anna has Black because of the swap; before the swap she has White.
    assert_eq!(game(&mut model).names, names("Ben", "Anna"));
    assert_eq!(shown(&model).black, 1);
    assert_eq!(saved(&mut model, Form::Sgf), text);
    model.handle(Command::Go { node: 0 });
    assert_eq!((game(&mut model).names, shown(&model).black), (names("Ben", "Anna"), 0));
    // If only one name is known, the other stays empty.
    let (mut model, _) = with_file("(;GM[4]RU[0]SZ[15]PW[Ben];B[hh];W[ii])");
    assert_eq!(game(&mut model).names, names("", "Ben"));
    assert!(has(&saved(&mut model, Form::Sgf), &["PB[]", "PW[Ben]"]));
    // A new game has an empty heading.
    let players = [Player::Person, Player::Engine];
    let begun = Command::New { game: new("renju"), players, time: None };
    model.handle(begun);
    let Game { names, title, .. } = game(&mut model);
    assert_eq!((names, title), ([None, None], None));
    assert!(has(&saved(&mut model, Form::Sgf), &["PB[Person]", "PW[Goren "]));
    assert!(!kept(&mut model).contains("heading"));
}

fn new(variant: &str) -> crate::schema::GameChoice {
    crate::schema::GameChoice {
        variant: variant.into(),
        size: None,
        opening: Some("free".into()),
        tie_break: false,
        strict: false,
    }
}

#[test]
fn parts_of_a_file_that_are_left_out_are_reported() {
    let long = "x".repeat(30_000);
    let text = format!(
        "(;GM[4]RU[0]SZ[15]GC[{long}]PC[here]ZZ[y];B[hh]C[120ms; depth 3]BL[9];W[ii]BL[7]C[why])"
    );
    let (mut model, messages) = with_file(&text);
    let expected =
        ["GC is left out: it has more than 20000 characters", "properties left out: BL, ZZ"];
    assert_eq!(messages, expected.map(|text| format!("f: {text}.")));
    let text = saved(&mut model, Form::Sgf);
    assert!(
        has(&text, &["PC[here]", "C[120ms; depth 3]", "C[why]"]) && !text.contains("GC["),
        "{text}"
    );
}

/// Regression: the whole file was refused.
#[test]
fn only_the_text_that_is_too_long_is_left_out() {
    let (comment, label) = ("x".repeat(30_000), "y".repeat(300));
    let sgf = format!(
        "(;GM[4]RU[0]SZ[15];B[hh]C[{comment}]LB[aa:{label}][bb:A];W[ii]C[why](;B[jj])(;B[kk]))"
    );
    let (model, messages) = with_file(&sgf);
    let too_long = [
        "f: a comment is left out: it has more than 20000 characters.",
        "f: a text on a point is left out: it has more than 200 characters.",
    ];
    assert_eq!(messages, too_long);
    assert_eq!((model.tree.notes(1).comment, model.tree.notes(2).comment), ("", "why"));
    assert_eq!(model.tree.notes(1).labels, [(Cell::new(1, 1), "A".to_owned())]);
    // The same in a library.
    let mut builder = Builder::new(lib::Limits::default());
    let notes = lib::Notes { comment: Some(comment.as_bytes()), ..lib::Notes::default() };
    builder.child(Step::Stone(Cell::new(7, 7)), &notes).unwrap();
    let notes = lib::Notes { board_text: Some(label.as_bytes()), ..lib::Notes::default() };
    builder.child(Step::Stone(Cell::new(8, 6)), &notes).unwrap();
    let mut bytes = Vec::new();
    builder.finish().write(&mut bytes).unwrap();
    let mut model = of_game("renju", "free");
    let messages = opened(&mut model, &sent(&bytes));
    assert_eq!((&messages[..2], model.tree.len()), (&too_long.map(String::from)[..], 3));
}

/// Returns the parts reported as missing in a saved file.
fn not_in_file(model: &mut Model, form: Form) -> String {
    let events = model.handle(Command::Save { form });
    assert_eq!(refusal(&events), None);
    let text = events.iter().find_map(|event| match event {
        Event::Message { text } => text.strip_prefix("Not in this file: "),
        _ => None,
    });
    text.and_then(|text| text.split_once(". ")).map_or(String::new(), |(list, _)| list.into())
}

/// Regression: comments, marks, branches, scores and headings were lost without a message.
#[test]
fn parts_that_a_saved_file_cannot_hold_are_reported() {
    let (mut model, _) = with_file(
        "(;GM[4]RU[0]SZ[15]PB[Anna]PW[Ben]GN[Cup]PC[Tallinn]TM[60]RE[B+R]\
         ;B[hh]C[20ms; depth 9; eval 40]LB[aa:A](;W[ii]TR[bb]C[why];B[jj])(;W[jj];B[kk]))",
    );
    assert_eq!(not_in_file(&mut model, Form::Sgf), "");
    model.handle(Command::Comment { node: 1, text: "good".into() });
    let notes = "2 comments, 1 mark, 1 text on a point, 2 positions in other branches";
    let stats = "the score, depth and time of 1";
    let (game, board) = ("the game (freestyle)", "the board of 15x15");
    let end = "the reason for the result, the title, 2 further properties of the game (PC TM)";
    let head = format!("the names of the players, the result, {end}");
    for (form, expected) in [
        (Form::Sgf, format!("{stats} commented move")),
        (Form::Lib, format!("{stats} move, {game}, {head}")),
        (Form::Psq, format!("{notes}, the score and depth of 1 move, {end}")),
        (Form::Json, format!("{notes}, 2 further properties of the game (PC TM)")),
        (Form::Moves, format!("{notes}, {stats} move, {game}, {board}, {head}")),
        (Form::Tree, String::new()),
    ] {
        assert_eq!(not_in_file(&mut model, form), expected, "{form:?}");
    }
    // In a longer game the result is lost.
    play(&mut model, "o1");
    for form in [Form::Sgf, Form::Psq, Form::Json] {
        assert!(not_in_file(&mut model, form).contains(", the result"), "{form:?}");
    }
    assert_eq!(not_in_file(&mut model, Form::Tree), "");
}

/// Regression: the choice of colours was lost without a message.
#[test]
fn an_opening_that_a_file_cannot_hold_is_reported() {
    let mut model = of_game("gomoku", "swap-2");
    play(&mut model, "h8,i9,j8 swap a1");
    assert_eq!(not_in_file(&mut model, Form::Psq), "the opening (swap-2), 1 swap");
    assert!(not_in_file(&mut model, Form::Moves).ends_with("the opening (swap-2)"));
    for form in [Form::Sgf, Form::Json, Form::Tree] {
        assert_eq!(not_in_file(&mut model, form), "", "{form:?}");
    }
}

/// Regression: they became plain marks without a message.
#[test]
fn marks_that_a_library_cannot_hold_are_reported() {
    let (mut model, _) = with_file("(;GM[4]RU[0]SZ[15];B[hh]CR[hh];W[ii]TR[ii]SQ[aa]MA[bb])");
    let events = model.handle(Command::Save { form: Form::Lib });
    let expected = "A library has one kind of mark, on the stone just played: 1 mark becomes \
                    plain, 2 marks become texts.";
    assert!(events.contains(&Event::Message { text: expected.into() }), "{events:?}");
}

/// Regression: its plies were written as moves of the players.
#[test]
fn the_opening_of_a_game_is_written_as_an_opening() {
    let game = r#"{"version":3,"variant":"freestyle","width":15,"height":15,"opened":"free",
        "first":"a","second":"b","opening":["h8","a1"],"plies":[{"ply":"h9"},{"ply":"a3"}],
        "black":"first","result":"first","reason":"resign"}"#;
    let (mut model, _) = with_file(&game.replace('\n', ""));
    let opening = |model: &mut Model| {
        let json: serde_json::Value = serde_json::from_str(&saved(model, Form::Json)).unwrap();
        json["opening"].clone()
    };
    let both = serde_json::json!(["h8", "a1"]);
    assert_eq!(opening(&mut model), both);
    let sgf = saved(&mut model, Form::Sgf);
    assert!(sgf.contains(";B[hh]C[opening move];W[ao]C[opening move];B[hg];"), "{sgf}");
    for text in [sgf, kept(&mut model)] {
        let (mut other, _) = with_file(&text);
        assert_eq!((opening(&mut other), other.tree.notes(1).comment), (both.clone(), ""));
    }
    // A branch keeps only the opening plies before it.
    model.handle(Command::Go { node: 1 });
    play(&mut model, "b2");
    let first = serde_json::json!(["h8"]);
    assert_eq!(opening(&mut model), first);
    model.handle(Command::Remove { node: 2 });
    assert_eq!(opening(&mut model), first);
}

/// Regression: they went to the last move that could be played, or one move too early.
#[test]
fn comments_belong_to_their_positions_or_are_reported_as_left_out() {
    let text = "(;GM[4]RU[0]SZ[15];B[hh];W[ii];B[hh]C[bad];W[jj]C[worse]CR[aa])";
    let (model, messages) = with_file(text);
    let notes = model.tree.notes(2);
    assert_eq!((model.tree.len(), notes.comment, notes.marks.len()), (3, "", 0));
    assert!(
        messages.last().unwrap().ends_with("marks of 2 positions are left out with their moves."),
        "{messages:?}"
    );
    // A comment that several variations share is counted once.
    let text = "(;GM[4]RU[0]SZ[15];B[hh](;W[ii];B[hh]C[bad](;W[jj])(;W[kk]))(;W[gg]C[good]))";
    let (model, messages) = with_file(text);
    assert_eq!((model.tree.notes(2).comment, model.tree.notes(3).comment), ("", "good"));
    assert!(
        messages.last().unwrap().ends_with("marks of 1 position are left out with their moves."),
        "{messages:?}"
    );
    // An implied pass is not in the file, and a pass at the end is not in the game.
    let text = "(;GM[4]RU[renju]SZ[15];B[hh];W[ii];B[gg];B[jj]C[twice])";
    assert_eq!(with_file(text).0.tree.notes(5).comment, "twice");
    let (model, messages) = with_file("(;GM[4]RU[0]SZ[15];B[hh];W[ii];B[]C[passed])");
    assert_eq!((model.tree.notes(2).comment, messages.len()), ("passed", 0), "{messages:?}");
}

/// Regression: all of them went to the last position.
#[test]
fn comments_belong_to_their_positions_if_the_root_has_the_plies() {
    let text = "(;GM[4]RU[gomoku]ON[swap-2]SZ[15]PLY[h8,i9,j8][swap][g7]\
                ;B[hh]C[a];W[ig];B[jh]C[b];C[swap];W[gi]C[c])";
    let (model, messages) = with_file(text);
    assert_eq!(messages, [""; 0]);
    let comments = [1, 2, 3].map(|node| model.tree.notes(node).comment);
    assert_eq!(comments, ["a\nb", "", "c"]);
}

/// Regression: it was opened without a message, or not at all.
#[test]
fn a_truncated_library_is_shown_as_far_as_it_can_be_read() {
    let (mut model, _) = with_file("(;GM[4]RU[0]SZ[15];B[hh](;W[ii];B[jj])(;W[ih]))");
    let text = saved(&mut model, Form::Lib);
    let bytes: Vec<char> = text.chars().collect();
    for (lost, message, positions) in [(2, "cut short", 4), (3, "up to the fault: byte", 3)] {
        let mut other = of_game("freestyle", "free");
        let cut: String = bytes[..bytes.len() - lost].iter().collect();
        let notes = opened(&mut other, &cut);
        assert!(notes.len() == 2 && notes[0].contains(message), "{notes:?}");
        assert_eq!(other.tree.len(), positions, "{notes:?}");
    }
}

/// Regression: it was lost without a message.
#[test]
fn an_evaluation_that_is_too_long_is_left_out_and_reported() {
    let long = "x".repeat(41);
    let (model, messages) = with_file(&format!("(;GM[4]RU[0]SZ[15];B[hh]C[20ms; eval {long}])"));
    assert_eq!(messages, ["f: an evaluation is left out: it has more than 40 characters."]);
    let stats = model.tree.stats(1);
    assert_eq!((stats.ms, &stats.eval[..]), (20, ""));
}

/// Regression: of two comments on a position the first was lost.
#[test]
fn comments_on_one_position_are_joined() {
    let text = "(;GM[4]RU[0]SZ[15];B[hh]C[a\nb](;C[c];W[ii])(;W[jj]))";
    let (model, messages) = with_file(text);
    assert_eq!((messages.len(), model.tree.notes(1).comment), (0, "a\nb\nc"));
}

/// Regression: such files were read as freestyle without a note.
#[test]
fn a_file_that_names_no_rule_gets_the_rule_of_the_current_game() {
    let rule = "no rule is named: shown as ";
    let sgf = "(;GM[4]SZ[15];B[hh];W[ii])";
    for (before, file, shown, has_note) in [
        ("renju", sgf, "renju", true),
        ("gomoku", sgf, "gomoku", true),
        ("pente", sgf, "freestyle", true),
        ("renju", "(;GM[4]SZ[15]AB[hh]AW[ii])", "renju", true),
        ("renju", "(;GM[4]SZ[15](;B[hh];W[ii])(;B[gg]))", "renju", true),
        ("renju", "8,8,120\n9,9,350\nAnna\nBen\n-1\n", "renju", true),
        ("renju", "h8 i9", "renju", true),
        ("renju", "(;GM[4]RU[0]SZ[15];B[hh];W[ii])", "freestyle", false),
        ("renju", "(;GM[4]RU[pente]SZ[19];B[jj];W[ii])", "pente", false),
    ] {
        let mut model = of_game(before, "free");
        let messages = opened(&mut model, file);
        assert_eq!(game(&mut model).variant, shown, "{before}: {file}");
        let found = messages.iter().any(|text| text.contains(&format!("{rule}{shown};")));
        assert_eq!(found, has_note, "{file}: {messages:?}");
    }
}

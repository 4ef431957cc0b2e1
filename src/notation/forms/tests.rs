use super::PlayOptions;
use super::*;
use goren_core::opening::{Action, Event};
use goren_core::record::import::{self, Hints, Question};
use goren_core::rules::{OpeningId, Outcome, RuleId, Variant, named};
use goren_core::types::Color;
use proptest::prelude::*;

/// A played game, or why it was refused.
type PlayResult = Result<Played, Refusal>;

/// Plays the games of some bytes.
fn all_with(bytes: &[u8], options: PlayOptions) -> (Form, Vec<PlayResult>) {
    let opened = Opened::of_bytes(bytes);
    let played = opened.games(None, &options.hints, |games| {
        let played = games.map(|game| {
            let refused = |import::UnreadableGame { place, reason }| Refusal {
                place,
                why: reason,
                has_option: false,
            };
            game.map_err(refused).and_then(|game| play(game, &options))
        });
        let played = played.collect();
        Ok((games.form, played))
    });
    played.unwrap()
}

fn one_with(text: &str, options: PlayOptions) -> PlayResult {
    let (_, mut played) = all_with(text.as_bytes(), options);
    assert_eq!(played.len(), 1, "{text}");
    played.remove(0)
}

pub(super) fn one(text: &str) -> Played {
    one_with(text, PlayOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> String {
    one_with(text, PlayOptions::default()).err().unwrap().to_string()
}

fn lenient() -> PlayOptions {
    PlayOptions { lenient: true, ..PlayOptions::default() }
}

fn game_of(name: &str) -> Variant {
    named(name).unwrap().variant
}

fn with_game(game: &str) -> PlayOptions {
    let hints = Hints { variant: Some(game_of(game)), ..Hints::default() };
    PlayOptions { hints, ..PlayOptions::default() }
}

/// The stones of a game in order, passes as `-`, and stones of an incomplete turn
/// after a `+`.
fn moves(played: &Played) -> String {
    let game_state = &played.typed.game_state;
    let height = game_state.contest().height;
    let events = game_state.events().iter().map(|event| match *event {
        Event::Stone(cell, color) => {
            format!("{}{}", if color == Color::Black { "B" } else { "W" }, cell.label(height))
        }
        Event::Pass => "-".into(),
    });
    let placed = played.typed.placed.iter().map(|cell| format!("+{}", cell.label(height)));
    events.chain(placed).collect::<Vec<_>>().join(" ")
}

pub(super) fn notes(played: &Played) -> Vec<String> {
    played.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn forms_are_recognised() {
    let four = Some(game_of("four-in-a-row"));
    for (text, variant, expected) in [
        ("h8i9j10", None, Form::Moves),
        ("h8 i9\n1. j10\npass", None, Form::Moves),
        ("", None, Form::Moves),
        ("d d\ne", four, Form::Moves),
        ("X O\nO X", None, Form::Board),
        (". . .\n. X .", None, Form::Board),
        (" A B C\n3 . X(O)\n", None, Form::Board),
        ("from me\n( ;GM[4])", None, Form::Sgf),
        ("\u{feff}(;GM[4])", None, Form::Sgf),
        ("Piskvorky 15x15, 11:11, 0\n", None, Form::Psq),
        ("8,8,120\n9,9,3\n", None, Form::Psq),
        ("1,8,8\n2,9,9\n3,7,7\n", None, Form::Moves),
        ("7,7,1\n8,8,2\n6,6,1", None, Form::Moves),
        ("BOARD\n7,7,1\n8,8,2\nDONE\n", None, Form::Moves),
        ("h8 i9\nh8 foo\nh8 j9\n", None, Form::Moves),
        ("+++++\n+++++\n+++++\n+++++\n+++++\n", None, Form::Board),
        ("[[0, 0, 1, 0, 0], [0, 0, 2, 0, 0]]", None, Form::Board),
        ("[[8, 8], [9, 9]]", None, Form::Moves),
        (" {\"rule\":1}", None, Form::Json),
        // An emoticon does not begin an SGF game.
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n(;_;)\nb\n-1\n", None, Form::Psq),
        ("1. h8 i9 # lost (;_;)", None, Form::Moves),
    ] {
        let hints = Hints { variant, ..Hints::default() };
        let form = Opened::of_text(text).games(None, &hints, |games| Ok(games.form));
        assert_eq!(form.unwrap(), expected, "{text}");
    }
}

#[test]
fn a_text_without_a_game_is_not_recognised() {
    for text in ["# Title\n\nSome words, and a `list`:\n\n- x\n", "[section]\nkey = 3\n"] {
        let refusal = refusal(text);
        assert!(refusal.starts_with("file: no game or position is recognised"), "{refusal}");
    }
    // With the form given as a board, only faults of boards are reported.
    let opened = Opened::of_text("x\n\nx\n");
    let games = |games: &mut Games<'_>| Ok(games.next().unwrap().unwrap_err().reason);
    let reason = opened.games(Some(Form::Board), &Hints::default(), games).unwrap();
    assert!(reason.starts_with("a board of 1x2"), "{reason}");
}

#[test]
fn a_bare_board_that_is_not_square_gets_a_note() {
    let note_count = |board: &str, variant: Option<Variant>| {
        let hints = Hints { variant, ..Hints::default() };
        let notes = |games: &mut Games<'_>| Ok(games.next().unwrap().unwrap().notes);
        Opened::of_text(board).games(None, &hints, notes).unwrap().len()
    };
    let cut = "...............\n".repeat(12);
    let labelled: String = (1..=12).rev().map(|y| format!("{y:2} {}\n", ".".repeat(15))).collect();
    let falling = ".......\n".repeat(6);
    assert_eq!((note_count(&cut, None), note_count(&labelled, None)), (1, 0));
    assert_eq!(note_count(&"............\n".repeat(12), None), 0);
    let four = Some(game_of("four-in-a-row"));
    assert_eq!(note_count(&falling, four), usize::from(import::usual_size(four) != (7, 6)));
}

#[test]
fn arrays_on_one_line_are_boards() {
    let text = format!("[{}]", ["[0, 0, 1, 0, 2]"; 5].join(", "));
    let board = |games: &mut Games<'_>| Ok(games.next().unwrap().unwrap().board.unwrap());
    let board = Opened::of_text(&text).games(None, &Hints::default(), board).unwrap();
    assert_eq!((board.width, board.height, board.stones.len()), (5, 5, 10));
}

#[test]
fn lines_described_by_the_user_are_moves() {
    let hints = Hints { per_line: Some(true), ..Hints::default() };
    let read = |games: &mut Games<'_>| Ok((games.form, games.filter(Result::is_ok).count()));
    let bad = "x\nh8 i9\ny z\nh8 foo\n";
    for (text, good) in [(bad, 1), ("8,8,5\n9,9,7\n", 2)] {
        let read = Opened::of_text(text).games(None, &hints, read);
        assert_eq!(read.unwrap(), (Form::Moves, good), "{text}");
    }
}

#[test]
fn any_form_can_be_requested() {
    let counts = |form| try_all(b"h8i9", Some(form), &PlayOptions::default()).unwrap();
    for form in Form::ALL {
        assert_eq!(counts(form)[0], usize::from(form == Form::Moves), "{form:?}");
    }
}

#[test]
fn an_ambiguous_text_gets_a_note() {
    let joined_notes = |text: &str| {
        let notes = Opened::of_text(text).games(None, &Hints::default(), |games| {
            Ok(games.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        });
        notes.unwrap()
    };
    assert!(
        joined_notes("8,8,120\n9,9,3\n").contains("read as psq")
            && joined_notes("8,8,1\n").contains("--form")
    );
    assert_eq!(joined_notes("Piskvorky 15x15, 11:11, 0\n8,8,120\n"), "");
}

#[test]
fn texts_in_any_encoding_are_read() {
    let text = "(;GM[4]RU[renju]SZ[15]PB[黒];B[hh];W[ii])";
    let utf_16 = |big: bool| {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
    };
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [b"\xff\xfe".to_vec(), utf_16(false)].concat(),
        [b"\xfe\xff".to_vec(), utf_16(true)].concat(),
        utf_16(false),
    ] {
        let (form, mut played) = all_with(&bytes, PlayOptions::default());
        let played = played.remove(0).unwrap();
        assert_eq!(
            (form, moves(&played), &played.players[0][..]),
            (Form::Sgf, "Bh8 Wi7".into(), "黒")
        );
    }
    for text in
        ["h8 i9", "8,8,1\n9,9,1\n", ". . . . .\n. X . . .\n. . . . .\n. . . . .\n. . . . .\n"]
    {
        let bytes: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        for bytes in [&bytes[..], &[b"\xef\xbb\xbf", text.as_bytes()].concat()] {
            let (form, played) = all_with(bytes, PlayOptions::default());
            assert_eq!(
                (form, played.len()),
                (all_with(text.as_bytes(), PlayOptions::default()).0, 1)
            );
            assert!(form == Form::Board || played[0].is_ok());
        }
    }
    // Places are offsets in the file.
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain("h8 h8".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let place = Opened::of_bytes(&wide).games(None, &Hints::default(), |games| {
        let game = games.next().unwrap().unwrap();
        let error = play(game, &PlayOptions::default()).err().unwrap();
        Ok(games.place(error.place))
    });
    assert_eq!(place.unwrap(), import::Place::Byte(8));
    assert!(
        Opened::of_bytes(b"\xff\xfe\0\0h\0\0\0")
            .games(None, &Hints::default(), |_| Ok(()))
            .is_err()
    );
}

/// Only SGF, psq files and drawn boards were read correctly with such line ends.
#[test]
fn lines_may_end_in_carriage_returns() {
    let json = r#"{"version":3,"variant":"freestyle","width":15,"height":15,"opened":"free",
        "first":"a","second":"b","plies":[{"ply":"h8"}],"black":"first","result":null,
        "reason":""}"#;
    let json = json.replace('\n', "");
    let read = |text: &str| {
        let all = |games: &mut Games<'_>| {
            let (form, notes) = (games.form, games.notes.clone());
            Ok((form, notes, games.collect::<Vec<_>>()))
        };
        Opened::of_text(text).games(None, &Hints::default(), all).unwrap()
    };
    for (form, text) in [
        (Form::Moves, "h8 i9 # a comment\nj10 k11\nh8 h9\n"),
        (Form::Board, ". . . . .\n. X . . .\n. . O . .\n. . . . .\n. . . . .\n"),
        (Form::Sgf, "(;GM[4]RU[0]SZ[15]\nPB[a]\n;B[hh]C[a\nb]\n;W[ii])\n"),
        (Form::Psq, "Piskvorky 15x15, 11:11, 0\n8,8,1\n9,9,2\na\nb\n-1\n1,Renju\n"),
        (Form::Json, &format!("{json}\n{json}\n")[..]),
        (Form::PenteOrg, "[Game \"Pente\"]\n[Site \"Pente.org\"]\n\n1. K10 L10 *\n"),
        (Form::Pgn, "[Site \"PlayOK\"]\n[Black \"a\"]\n\n1. h8 i9 {a\nb} 2. j10 1-0\n"),
        (Form::Sav, "15\n15\n2\n7 7\n8 8\n"),
    ] {
        let usual = read(text);
        assert!(usual.2.iter().all(Result::is_ok), "{form:?}: {:?}", usual.2);
        assert_eq!(usual.0, form);
        assert_eq!(read(&text.replace('\n', "\r")), usual, "{form:?}");
    }
}

#[test]
fn doubts_are_refused_unless_the_user_answers_them() {
    let text = "(;GM[4]RU[Japanese]SZ[15];B[hh];W[ii])";
    assert_eq!(
        refusal(text),
        "byte 10: RU[Japanese] is not a known rule; name the game with --game, or accept it \
         anyway with --lenient"
    );
    for (options, game) in [(with_game("renju"), RuleId::Renju), (lenient(), RuleId::Freestyle)] {
        let played = one_with(text, options).unwrap();
        assert_eq!(played.typed.game_state.contest().variant, Variant::Five(game));
        assert_eq!(notes(&played), ["byte 10: RU[Japanese] is not a known rule"]);
    }
    let two = refusal("(;GM[11]RU[Japanese];B[hh])");
    assert!(two.contains("(and byte"), "{two}");
    let size = "(;GM[4]RU[0];B[ss])";
    assert!(refusal(size).contains("--size"));
    let hints = Hints { size: Some((20, 20)), ..Hints::default() };
    assert_eq!(
        moves(&one_with(size, PlayOptions { hints, ..PlayOptions::default() }).unwrap()),
        "Bs2"
    );
    assert_eq!(moves(&one_with(size, lenient()).unwrap()), "Bs1");
}

#[test]
fn an_error_names_a_move_as_the_file_does() {
    let text = "[Game \"Pente\"]\n[Site \"Pente.org\"]\n\n1. K10 L10 2. N10 K10 *\n";
    let occupied = "the point is occupied";
    assert_eq!(refusal(text), format!("line 4: move 4 (j10, K10 in the file): {occupied}"));
    let mut opened = Opened::of_bytes(b"\x09pbaqRoTWX");
    opened.name = Some("a.POS".into());
    let form = opened.games(None, &Hints::default(), |games| Ok(games.form));
    assert_eq!(form.unwrap(), Form::Pos);
}

#[test]
fn illegal_moves_are_refused_or_cut_off() {
    let text = "(;GM[4]RU[0]SZ[15];B[hh];W[ii];B[hh];W[aa])";
    assert_eq!(refusal(text), "byte 33: move 3 (h8): the point is occupied");
    let played = one_with(text, lenient()).unwrap();
    assert_eq!(moves(&played), "Bh8 Wi7");
    assert_eq!(
        notes(&played),
        [
            "byte 33: move 3 (h8): the point is occupied; this move and all after it are left out (2)"
        ]
    );
    assert!(refusal("(;GM[4]RU[0]SZ[15];B[hh];W[];B[aa])").contains("freestyle has no passes"));
    let over = "(;GM[4]RU[0]SZ[15];B[aa];W[oo];B[ba];W[no];B[ca];W[mo];B[da];W[lo];B[ea];W[kk])";
    let ended = "move 10 (k5): the game is already over: move 9 (e15) won the game for Black";
    assert!(refusal(over).contains(ended));
}

#[test]
fn a_truncated_game_is_refused_or_read_to_its_last_complete_node() {
    let text = "(;GM[4]RU[0]SZ[15];B[hh];W[ii];B[gg]C[cut";
    let note = "byte 30: the file is cut off, its last whole node ends here";
    assert_eq!(refusal(text), format!("{note}; accept it anyway with --lenient"));
    let played = one_with(text, lenient()).unwrap();
    assert_eq!((moves(&played), notes(&played)), ("Bh8 Wi7".into(), vec![note.into()]));
}

#[test]
fn a_file_truncated_in_its_first_node_is_read_by_its_complete_plies() {
    let sample = include_str!("../../../tests/samples/renju.sgf");
    let text = &sample[..sample.find(",g8,").unwrap()];
    assert!(refusal(text).contains("the file is cut off in its first node"), "{}", refusal(text));
    let game_state = one_with(text, lenient()).unwrap().typed.game_state;
    assert_eq!((game_state.actions().len(), game_state.stones().len()), (6, 4));
}

#[test]
fn colours_out_of_turn_are_refused_or_get_a_note() {
    assert_eq!(
        refusal("(;GM[4]RU[0];B[hh];B[ii])"),
        "byte 21: move 2 (i7): a stone of the other colour is due"
    );
    // In games with passes a pass may have been left out.
    let passed = "(;GM[4]RU[renju];B[hh];W[ii];B[jj];B[kk])";
    assert!(refusal(passed).contains("a pass is assumed"));
    assert_eq!(moves(&one_with(passed, lenient()).unwrap()), "Bh8 Wi7 Bj6 - Bk5");
    // White begins, as in Pente.
    let pente = one("(;GM[4]RU[pente]PB[b]PW[w]RE[W+];W[jj];B[kk])");
    assert_eq!(moves(&pente), "Bj10 Wk9");
    assert_eq!(
        (pente.players.clone(), pente.result),
        (["w".into(), "b".into()], Some(Outcome::Win(Color::Black)))
    );
    assert_eq!(notes(&pente), ["byte 35: White moves first, and is called Black here"]);
    let renju = "(;GM[4]RU[renju];W[hh];B[ii])";
    assert!(refusal(renju).contains("White moves first"));
    assert_eq!(moves(&one_with(renju, lenient()).unwrap()), "Bh8 Wi7");
}

#[test]
fn swaps_exchange_names_if_colours_follow_the_players() {
    let stones = one("(;GM[4]RU[gomoku]PB[b]PW[w];B[hh];W[swap];W[ii];B[jj])");
    assert_eq!((moves(&stones), stones.players), ("Bh8 Wi7 Bj6".into(), ["b".into(), "w".into()]));
    let text = "(;GM[4]RU[gomoku]PB[b]PW[w]RE[B+R];B[hh];W[swap];B[ii];W[jj])";
    let players = one(text);
    assert_eq!(
        (moves(&players), &players.players),
        ("Bh8 Wi7 Bj6".into(), &["w".to_string(), "b".into()])
    );
    assert_eq!(players.result, Some(Outcome::Win(Color::White)));
    assert!(notes(&players).iter().any(|note| note.contains("change with the swap")));
}

#[test]
fn stones_are_gathered_into_turns() {
    let golem = "(;FF[4]EV[connect6.ch.26.1.1]PB[Phoenix]PW[Lomaben]SO[http://www.littlegolem.com]\
                 ;B[j10];W[j9l11];B[k9l8];W[k10])";
    let played = one(golem);
    assert_eq!(moves(&played), "Bj10 Wj9 Wl11 Bk9 Bl8 +k10");
    assert_eq!(played.typed.game_state.contest().width, 19);
    assert_eq!(moves(&one_with("d d e", with_game("four-in-a-row")).unwrap()), "Bd1 Wd2 Be1");
    let boards = one("(;GM[4]RU[renju]SZ[15];B[hh];W[ii];B[];W[])");
    assert_eq!(moves(&boards), "Bh8 Wi7 - -");
    // Players who resign in a game without passes often pass.
    let end = one("(;GM[4]RU[0]SZ[15];B[hh];W[ii];B[])");
    assert_eq!(moves(&end), "Bh8 Wi7");
    assert!(notes(&end)[0].contains("a pass at the end is left out"), "{:?}", notes(&end));
}

#[test]
fn results_that_the_stones_contradict_get_a_note() {
    let five = ";B[aa];W[oo];B[ba];W[no];B[ca];W[mo];B[da];W[lo];B[ea]";
    let wrong = one(&format!("(;GM[4]RU[0]SZ[15]RE[W+]{five})"));
    assert_eq!(notes(&wrong), ["file: the file says that White won, but by the stones Black did"]);
    assert_eq!(wrong.notes[0].question, Some(Question::Game));
    assert!(notes(&one(&format!("(;GM[4]RU[0]SZ[15]RE[B+]{five})"))).is_empty());
}

#[test]
fn plies_that_differ_from_the_stones_are_doubtful() {
    let text =
        "(;GM[4]RU[gomoku]ON[swap-2]SZ[15]PLY[h8,i9,j8][pass][g7];B[hh];W[ig];B[jh];C[swap];W[gi])";
    let played = one(text);
    assert_eq!(played.typed.game_state.actions()[1], Action::Swap);
    assert_eq!(played.typed.game_state.contest().opening, OpeningId::Swap2);
    for broken in
        [text.replace("W[gi]", "W[aa]"), text.replace("[g7]", "[h8]"), text.replace(";W[gi]", "")]
    {
        assert!(refusal(&broken).contains("the stones are used"), "{}", refusal(&broken));
        let played = one_with(&broken, lenient()).unwrap();
        assert_eq!(played.typed.game_state.contest().opening, OpeningId::Free);
    }
}

#[test]
fn a_bad_game_does_not_hide_the_others() {
    let text = "(;GM[4]RU[0];B[hh])(;GM[4]RU[0];B[hh];W[hh])(;GM[4]SZ[x])(;GM[4]RU[0];B[ii])";
    let (_, played) = all_with(text.as_bytes(), PlayOptions::default());
    let good: Vec<bool> = played.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, false, true]);
    assert_eq!(try_all(text.as_bytes(), None, &PlayOptions::default()).unwrap(), [2, 2]);
}

proptest! {
    #[test]
    fn no_bytes_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..80),
        text in "[ -~\n]{0,60}",
        free in any::<bool>(),
    ) {
        let options = PlayOptions { lenient: free, ..PlayOptions::default() };
        for bytes in [&bytes[..], text.as_bytes()] {
            let _ = Opened::of_bytes(bytes).games(None, &options.hints, |games| {
                games.by_ref().flatten().for_each(|game| drop(play(game, &options)));
                Ok(())
            });
        }
    }
}

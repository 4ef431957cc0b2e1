use super::*;
use crate::record::import::{Columns, ImportedEvent, MoveStats, Note, Place, Question, Weight};
use crate::record::samples::games;
use crate::record::text::CodePage;
use crate::rules::{OpeningId, Outcome, RuleId, Variant};
use crate::types::{Cell, Color};
use proptest::prelude::*;

pub(super) fn all_with(bytes: &[u8], hints: &Hints) -> Vec<Result<ImportedGame, UnreadableGame>> {
    read(&Input::new(bytes, hints.code_page).unwrap(), hints).collect()
}

pub(super) fn all(bytes: &[u8]) -> Vec<Result<ImportedGame, UnreadableGame>> {
    all_with(bytes, &Hints::default())
}

pub(super) fn one(text: &str) -> ImportedGame {
    let mut games = all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap()
}

/// Writes the events of a game as `B h8`, `W -`, `swap`; rows from the bottom.
pub(super) fn events(game: &ImportedGame) -> String {
    let height = game.size.map_or(15, |size| size.1);
    let event = |event: &ImportedEvent| match *event {
        ImportedEvent::Stone(cell, color) => {
            let name = color.map_or("?", |color| if color == Color::Black { "B" } else { "W" });
            format!("{name} {}", cell.label(height))
        }
        ImportedEvent::Pass(color) => {
            format!("{} -", if color == Some(Color::Black) { "B" } else { "W" })
        }
        ImportedEvent::Swap => "swap".into(),
        ImportedEvent::Drop(x) => format!("drop {x}"),
    };
    game.events.iter().map(event).collect::<Vec<_>>().join(", ")
}

/// Returns the notes of a game; doubts begin with `!`.
pub(super) fn notes(game: &ImportedGame) -> Vec<String> {
    let text = |note: &Note| match note.weight {
        Weight::Doubt => format!("! {note}"),
        Weight::Remark => note.to_string(),
    };
    game.notes.iter().map(text).collect()
}

/// Returns the doubts of the only game of a text.
pub(super) fn doubts(text: &str) -> Vec<String> {
    notes(&one(text)).into_iter().filter(|note| note.starts_with('!')).collect()
}

#[test]
fn files_of_other_programs_are_read() {
    let game =
        one("some mail\n(;FF[4]GM[4]RU[4]SZ[20:15]\r\nPB[A \\] B]PW[C\\\r\nD]RE[W+1]TE[foul]\n\
                    ;B[jh]C[good\nmove];W [kg] ( ;B[ta] (;W[aa])(;W[bb])) (;B[cc]))");
    assert_eq!(game.variant, Some(Variant::Five(RuleId::Renju)));
    assert_eq!((game.size, &game.players), (Some((20, 15)), &["A ] B".to_string(), "CD".into()]));
    assert_eq!(events(&game), "B j8, W k9, B t15, W a15");
    assert_eq!((game.result, game.reason.as_str()), (Some(Outcome::Win(Color::White)), "foul"));
    assert_eq!(
        notes(&game),
        [
            "byte 0: passed over: \"some mail\"",
            "byte 116: 2 variations passed over, only the main line is read",
            "byte 81: not used: C",
        ]
    );
    // The smallest game is an empty root.
    let least = one("(;)");
    assert_eq!((least.size, least.variant), (Some((15, 15)), None));
    assert_eq!(notes(&least), ["file: no rule is named, freestyle is assumed"]);
    assert_eq!(one("(;GaMe[4]RE[Void])").reason, "void");
    let titled = one("(;EV[Cup]RO[3]DT[2020-01-02]GN[final]RU[renju])");
    assert_eq!(titled.title, "Cup, 3, 2020-01-02, final");
}

#[test]
fn several_games_are_read_and_a_bad_one_hides_no_other() {
    let text = "(;SZ[15];B[aa](;W[bb])(;W[cc]))\n(;SZ[99];B[aa])\n(;SZ[19]RE[0];B[zz])\n\
                (;SZ[19]RE[0])\nthe end";
    let games = all(text.as_bytes());
    let texts: Vec<String> =
        games.iter().map(|game| game.as_ref().map_or_else(ToString::to_string, events)).collect();
    assert_eq!(texts[0], "B a15, W b14");
    assert!(texts[1].starts_with("byte 37: board size 99x99"), "{texts:?}");
    assert_eq!(texts[2], "byte 64: zz is off the board of 19x19");
    assert_eq!(games[3].as_ref().unwrap().result, Some(Outcome::Draw));
    assert_eq!(notes(games[3].as_ref().unwrap())[0], "byte 84: passed over: \"the end\"");
    // Broken brackets cost only one game.
    for broken in ["(;GM[4]C[open;B[hh];W[ii])", "(;GM[4];B[hh];W)", "(;GM[4];B[hh];W[ii]"] {
        let text = format!("(;GM[4];B[aa])\n{broken}\n(;GM[4];B[bb])\n(;GM[4];B[cc])\n");
        let games = all(text.as_bytes());
        assert_eq!(games.len(), 4, "{broken}: {games:?}");
        let doubted = |game: &ImportedGame| game.notes.iter().any(|n| n.weight == Weight::Doubt);
        assert!(games[1].as_ref().map_or(true, doubted), "{broken}");
        assert!(games[0].is_ok() && games[3].is_ok(), "{broken}");
        assert_eq!(events(games[2].as_ref().unwrap()), "B b14");
    }
}

#[test]
fn opening_moves_and_times_of_c_gomoku_cli_are_read_and_written() {
    let game = one("(;RU[0]SZ[15];B[cd]C[opening move];W[bf]C[opening move]\n\
                    ;B[ee]C[84ms];W[fd]C[opening move])");
    assert_eq!((game.prelude, game.events.len()), (2, 4));
    assert_eq!(game.move_stats[2], MoveStats { ms: 84, ..MoveStats::default() });
    let text = write(&game);
    assert!(text.contains(";W[bf]C[opening move];B[ee]C[84ms];"), "{text}");
}

/// Regression: opening moves after a swap were reported as not used.
#[test]
fn an_opening_may_have_swaps() {
    let moves = ";B[hh]C[opening move];C[swap];W[ii]C[opening move];B[jj]C[84ms]";
    let game = one(&format!("(;GM[4]RU[0]SZ[15]{moves})"));
    assert_eq!((game.prelude, game.events.len(), notes(&game).len()), (3, 4, 0));
    assert!(write(&game).contains(moves), "{}", write(&game));
}

#[test]
fn malformed_games_are_refused_by_byte() {
    let error = |text: &str| {
        let mut games = all(text.as_bytes());
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).unwrap_err().to_string()
    };
    assert_eq!(all(b"").len() + all(b"no game").len(), 0);
    assert_eq!(error("(;SZ[15:x])"), "byte 5: SZ[15:x] is not understood");
    assert!(error("(;SZ[99])").starts_with("byte 5: board size 99x99"));
    assert_eq!(error("(;SZ[15];B[hp])"), "byte 11: hp is off the board of 15x15");
    assert_eq!(error("(;B[h8i])"), "byte 4: B[h8i] is not understood");
    let cut = "the file is cut off in the first value of its first node";
    assert_eq!(error("(;B[hh"), format!("byte 6: {cut}"));
    assert_eq!(error("(;B)"), "byte 3: a value, beginning with \"[\", expected");
    assert_eq!(error("(;B[hh]\u{e9})"), "byte 7: \"(\", \")\" or \";\" expected");
    let long = error(&format!("(;B[{}])", "x".repeat(1001)));
    assert_eq!(long, format!("byte 4: B[{}...] is not understood", "x".repeat(40)));
    assert_eq!(error("(;PL[green])"), "byte 5: PL[green] is not understood");
    assert_eq!(error("(;AB[hh]AW[hh])"), "byte 11: a second stone on h8");
    let many = error(&format!("(;SZ[5]{})", ";B[aa];W[bb]".repeat(101)));
    assert_eq!(many, "file: more than 200 moves");
}

#[test]
fn a_truncated_file_is_read_up_to_its_last_complete_node() {
    for (cut, moves, byte) in [
        (";B[hh];W[i", "B h8", 18),
        (";B[hh];W[ii];B[gg]C[a comm", "B h8, W i7", 24),
        (";B[hh];W[ii];B", "B h8, W i7", 24),
        (";B[hh];W[ii]", "B h8, W i7", 24),
        (";B[hh](;W[ii](;B[gg", "B h8, W i7", 25),
    ] {
        let text = format!("(;GM[4]RU[0]{cut}");
        assert_eq!(events(&one(&text)), moves, "{text}");
        let message = format!("! byte {byte}: the file is cut off, its last whole node ends here");
        assert_eq!(doubts(&text), [message], "{text}");
    }
    // A root that is cut off keeps its complete values.
    for (cut, byte) in [("RE[W+", 12), ("RE[W+]TE", 18), ("RE[W+]", 18), ("", 12)] {
        let text = format!("(;GM[4]SZ[9]{cut}");
        let game = one(&text);
        assert_eq!((game.size, game.events.len()), (Some((9, 9)), 0), "{text}");
        let message = "the file is cut off in its first node, its last whole value ends here";
        if cut.is_empty() || cut.ends_with(']') {
            assert_eq!(doubts(&text).len(), 1, "{text}");
        } else {
            assert_eq!(doubts(&text), [format!("! byte {byte}: {message}")], "{text}");
        }
        let input = Input::new(text.as_bytes(), None).unwrap();
        let read = lines(&input, &Hints::default(), 0).unwrap().unwrap().lines;
        assert_eq!((read.len(), read[0].game.size), (1, Some((9, 9))), "{text}");
    }
    // Only a variation is missing.
    let text = "(;GM[4]RU[0];B[hh](;W[ii])(;W[jj];B[k";
    let messages = notes(&one(text));
    assert_eq!(events(&one(text)), "B h8, W i7");
    assert!(
        messages.contains(&"byte 33: the file is cut off within a variation".into()),
        "{messages:?}"
    );
    // The same holds for all variations.
    let input = Input::new(b"(;GM[4]RU[0];B[hh](;W[ii];B[gg](;W[j", None).unwrap();
    let read = lines(&input, &Hints::default(), 0).unwrap().unwrap().lines;
    assert_eq!((read.len(), events(&read[0].game)), (1, "B h8, W i7, B g9".into()));
    assert_eq!(read[0].game.notes.last().unwrap().weight, Weight::Doubt);
}

#[test]
fn texts_are_read_in_the_declared_encoding() {
    // In every encoding whose second bytes may look like brackets there are five moves, and the
    // texts are read.
    let text =
        "(;GM[4]FF[4]CA[$]SZ[15]RU[renju]PB[能ソ]PW[功許];B[hh];W[ii];B[gg]C[能];W[jj]C[ソ];B[kk])";
    let moves = "B h8, W i7, B g9, W j6, B k5";
    for (page, other) in [
        ("Shift_JIS", "功許"),
        ("GBK", "能ソ"),
        ("GB18030", "能ソ"),
        ("Big5", "能"),
        ("EUC-JP", "能"),
        ("EUC-KR", "能"),
        ("ISO-2022-JP", "能"),
        ("UTF-8", "能"),
    ] {
        let names =
            if page == "Big5" || page == "EUC-KR" { ["功", "許"] } else { ["能ソ", other] };
        let text = text.replace('$', page).replace("能ソ", names[0]).replace("功許", names[1]);
        let text =
            if page == "Big5" { text.replace("能", "功").replace("ソ", "許") } else { text };
        let bytes = CodePage::named(page).unwrap().encode(&text).unwrap();
        let game = all(&bytes).remove(0).unwrap();
        assert_eq!(events(&game), moves, "{page}");
        assert!(text.contains(&format!("PB[{}]", game.players[0])), "{page}: {:?}", game.players);
        assert_eq!(notes(&game).len(), 1, "{page}: {:?}", notes(&game));
    }
    let raw = b"(;GM[4]FF[4]CA[Shift_JIS]SZ[15]PB[a]PW[b];B[hh];W[ii];B[gg]C[\x94\x5c];W[jj]C[\x83\x5c];B[kk])";
    assert_eq!(events(&all(raw).remove(0).unwrap()), moves);
    // The name before `CA` ends in a byte that looks like a backslash.
    let before = b"(;PB[\x83\x5c]CA[sjis]GM[4];B[hh];W[ii])";
    assert_eq!(events(&all(before).remove(0).unwrap()), "B h8, W i7");
}

#[test]
fn an_undeclared_encoding_is_guessed_or_doubted() {
    let five = "B h8, W i7, B g9, W j6, B k5";
    let raw = b"(;GM[4]SZ[15]RU[0];B[hh];W[ii];B[gg]C[\x94\x5c];W[jj]C[\x83\x5c];B[kk])";
    let game = all(raw).remove(0).unwrap();
    assert_eq!(events(&game), five);
    assert_eq!(
        notes(&game),
        ["file: no encoding is declared (CA): read as Shift_JIS", "byte 38: not used: C (2)"]
    );
    // An encoding is declared, but by an unknown name.
    let odd = [&b"(;CA[x-klingon]"[..], &raw[2..]].concat();
    let game = all(&odd).remove(0).unwrap();
    assert_eq!(events(&game), five);
    assert_eq!(notes(&game)[0], "byte 5: CA[x-klingon] is not a known encoding: read as Shift_JIS");
    // French text has accents before brackets.
    let french = "(;GM[4]RU[0];B[hh]C[joué];W[ii]C[né])";
    let latin = CodePage::WINDOWS_1252.encode(french).unwrap();
    let game = all(&latin).remove(0).unwrap();
    assert_eq!(events(&game), "B h8, W i7");
    assert!(notes(&game)[0].contains("read as windows-1252"), "{:?}", notes(&game));
    assert_eq!(doubts(french), [""; 0]);
    // The user gives the encoding.
    let hints = Hints { code_page: CodePage::named("Shift_JIS"), ..Hints::default() };
    assert_eq!(events(&all_with(raw, &hints).remove(0).unwrap()), five);
    // A program has converted the text but left the property as it was.
    let converted = one("(;CA[GBK]GM[4]RU[0]PB[你];B[hh];W[ii])");
    assert_eq!((events(&converted), converted.players[0].as_str()), ("B h8, W i7".into(), "你"));
    assert_eq!(notes(&converted), ["byte 5: CA[GBK], but the text is UTF-8"]);
}

#[test]
fn moves_that_depend_on_the_encoding_are_doubted() {
    // This is either a comment of one character, or one that continues after an escaped bracket.
    let text = b"(;GM[4]RU[0];B[hh]C[\xe0\x5c];W[ii]N[x])";
    let game = all(text).remove(0).unwrap();
    assert_eq!(notes(&game).len(), 2);
    let swallowed = doubts("(;GM[4]RU[0];B[hh]C[a bracket\\];W[ii]C[x];B[jj])");
    assert!(swallowed[0].contains("holds what looks like moves"), "{swallowed:?}");
}

#[test]
fn each_game_of_a_collection_has_its_own_encoding() {
    let sjis = CodePage::named("Shift_JIS").unwrap();
    let japanese = sjis.encode("(;CA[Shift_JIS]GM[4]RU[0]PB[ソ];B[hh])\n").unwrap();
    let chinese = CodePage::GBK.encode("(;CA[GB2312]GM[4]RU[0]PB[黑];B[ii])\n").unwrap();
    let utf_8 = "(;CA[UTF-8]GM[4]RU[0]PB[é];B[jj])\n".as_bytes();
    let games = all(&[&japanese[..], &chinese, utf_8].concat());
    let names: Vec<&str> =
        games.iter().map(|game| &game.as_ref().unwrap().players[0][..]).collect();
    assert_eq!(names, ["ソ", "黑", "é"]);
    let bytes =
        [b"\xef\xbb\xbf".to_vec(), utf_8.to_vec(), b"\xef\xbb\xbf".to_vec(), utf_8.to_vec()];
    assert_eq!(all(&bytes.concat()).iter().flatten().count(), 2);
}

#[test]
fn many_rule_names_are_known_and_others_are_doubted() {
    let of = |text: &str| {
        let game = one(text);
        let variant = game.variant.map_or("-".into(), |variant| variant.to_string());
        let opening = game.opening.map_or("", OpeningId::name);
        (format!("{variant} {opening}"), doubts(text).len())
    };
    for (rule, expected) in [
        ("RIF", "renju rif"),
        ("Taraguchi-10", "renju taraguchi-10"),
        ("Soosyrv-8", "renju soosorv-8"),
        ("Free Renju", "renju "),
        ("Swap2", "gomoku swap-2"),
        ("Free-style", "freestyle "),
        ("connect6", "connect6 "),
        ("Keryo-Pente", "pente+keryo "),
        ("9", "caro-exact "),
    ] {
        assert_eq!(of(&format!("(;GM[4]RU[{rule}])")), (expected.into(), 0), "{rule}");
    }
    assert_eq!(of("(;GM[4]RU[Japanese])"), ("- ".into(), 1));
    let note = &one("(;GM[4]RU[Japanese])").notes[0];
    assert_eq!((note.question, note.place), (Some(Question::Game), Place::Byte(10)));
    assert_eq!(notes(&one("(;GM[4]RU[Gomoku])")).len(), 1);
}

#[test]
fn unsupported_kinds_of_games_are_doubted() {
    for (text, count) in [
        ("(;GM[4])", 0),
        ("(;GM[1]SZ[15])", 0),
        ("(;GM[1]SZ[19])", 1),
        ("(;GM[1])", 1),
        ("(;GM[1]SZ[19]RU[renju])", 0),
        ("(;GM[1]SZ[19]RU[Japanese])", 2),
        ("(;GM[5]SZ[19])", 1),
        ("(;GM[5]SZ[19]RU[Connect6])", 0),
        ("(;GM[1]SZ[19];B[jj];W[ii][kk])", 0),
        ("(;GM[11]SZ[15]RU[renju])", 1),
        ("(;GM[Connect6])", 0),
        ("(;GM[Hex])", 1),
        ("(;HA[2]GM[4])", 1),
    ] {
        assert_eq!(doubts(text).len(), count, "{text}: {:?}", doubts(text));
    }
    let golem = one("(;FF[4]EV[connect6.ch.26.1.1]PB[a]PW[b]SO[x];B[j10];W[j9l11])");
    assert_eq!(golem.variant.unwrap().to_string(), "connect6");
    let hints = Hints { variant: golem.variant, ..Hints::default() };
    let game = all_with(b"(;GM[11];B[jj])", &hints).remove(0).unwrap();
    assert!(game.notes.iter().all(|note| note.question == Some(Question::Game)));
}

#[test]
fn connect6_turns_are_read_in_all_forms() {
    let expected = "B j10, W i11, W k9, B a19, B b19";
    for moves in [
        ";B[jj];W[ii];W[kk];B[aa];B[ba]",
        ";B[jj];W[ii][kk];B[aa][ba]",
        ";B[jj];W[iikk];B[aaba]",
        ";B[j10];W[i11k9];B[a19b19]",
        ";B[J10];W[I11-K9];B[A19,B19]",
        ";B[jj];W[ii]W[kk];B[aa]B[ba]",
    ] {
        let game = one(&format!("(;GM[4]SZ[19]RU[connect6]{moves})"));
        assert_eq!(events(&game), expected, "{moves}");
        let unnamed = one(&format!("(;GM[4]SZ[19]{moves})"));
        assert_eq!(unnamed.variant, game.variant, "{moves}");
        assert!(notes(&unnamed)[0].contains("connect6"), "{:?}", notes(&unnamed));
    }
    // Without a size, the board is the usual one of the game.
    let golem = one("(;EV[connect6.x];B[j10];W[j9l11];B[k9l8])");
    assert_eq!(golem.size, Some((19, 19)));
    assert_eq!(golem.events[0], ImportedEvent::Stone(Cell::new(9, 9), Some(Color::Black)));
}

#[test]
fn numbered_points_are_read_with_and_without_column_i() {
    let go = one("(;GM[4]RU[pente]SZ[19];B[K10];W[L10])");
    assert_eq!(go.events[0], ImportedEvent::Stone(Cell::new(9, 9), Some(Color::Black)));
    assert!(notes(&go)[0].contains("without I"), "{:?}", notes(&go));
    let game = b"(;GM[4]RU[0]SZ[15];B[J5])";
    let x = |columns| {
        let hints = Hints { columns: Some(columns), ..Hints::default() };
        all_with(game, &hints).remove(0).unwrap().events[0]
    };
    let black = Some(Color::Black);
    assert_eq!(x(Columns::WithI), ImportedEvent::Stone(Cell::new(9, 10), black));
    assert_eq!(x(Columns::WithoutI), ImportedEvent::Stone(Cell::new(8, 10), black));
    let hints = Hints { from_top: Some(true), ..Hints::default() };
    let top = all_with(game, &hints).remove(0).unwrap().events[0];
    assert_eq!(top, ImportedEvent::Stone(Cell::new(9, 4), black));
    let capitals = one("(;GM[4]RU[0];B[HH])");
    assert_eq!(notes(&capitals), ["byte 15: capital letters are read as small ones"]);
}

#[test]
fn passes_swaps_and_resignations_are_read() {
    let game = one("(;GM[4]RU[renju];B[hh];W[swap];W[ii];B[];W[tt];B[pass];W[resign])");
    assert_eq!(events(&game), "B h8, swap, W i7, B -, W -, B -");
    assert_eq!((game.result, &game.reason[..]), (Some(Outcome::Win(Color::Black)), "resign"));
    // On larger boards tt is a point.
    assert_eq!(events(&one("(;GM[4]RU[0]SZ[20];B[tt])")), "B t1");
    // It is a pass after set-up stones, too.
    let game = one("(;FF[4]GM[4]SZ[15]AB[hh][ii]AW[hi];B[tt];W[ij])");
    let board = game.board.unwrap();
    assert_eq!((board.stones.len(), board.to_move), (4, Some(Color::Black)));
    let late = doubts("(;GM[4]RU[0];B[hh];W[resign];B[ii])");
    assert!(late[0].starts_with("! byte 31: a move after"), "{late:?}");
    assert_eq!(events(&one("(;GM[4]RU[0];B[hh];C[swap];W[ii])")), "B h8, swap, W i7");
}

#[test]
fn boards_that_are_too_small_are_doubted() {
    let game = one("(;GM[4]RU[0];B[ss])");
    assert_eq!((game.size, notes(&game).len()), (Some((19, 19)), 1));
    assert!(doubts("(;GM[4]RU[0];B[ss])")[0].contains("19x19"));
    // The usual board of Pente has this size.
    assert_eq!(doubts("(;GM[4]RU[pente];B[ss])"), [""; 0]);
    let error = all(b"(;GM[4]RU[0];B[zz])").remove(0).unwrap_err();
    assert_eq!(error.to_string(), "byte 15: zz is off the board of 15x15");
    let hints = Hints { size: Some((26, 26)), ..Hints::default() };
    assert!(all_with(b"(;GM[4]RU[0];B[zz])", &hints)[0].is_ok());
    assert!(all_with(b"(;GM[4]RU[0]SZ[x];B[zz])", &hints)[0].is_ok());
}

#[test]
fn stones_are_set_up_taken_off_and_played() {
    let game = one("(;GM[4]SZ[9]RU[renju]AB[aa:ba][cc]AW[dd]PL[W];AE[ba])");
    assert_eq!(game.variant, Some(Variant::Five(RuleId::Renju)));
    let board = game.board.unwrap();
    let stones = [
        (Cell::new(0, 0), Color::Black),
        (Cell::new(2, 2), Color::Black),
        (Cell::new(3, 3), Color::White),
    ];
    assert_eq!(board.stones, stones);
    assert_eq!((board.width, board.to_move, board.last), (9, Some(Color::White), None));
    let played = one("(;AB[hh];W[hi];W[hj])").board.unwrap();
    assert_eq!((played.last, played.to_move), (Some(Cell::new(7, 9)), Some(Color::Black)));
    assert_eq!(doubts("(;GM[4]RU[pente]AB[hh];W[hi])").len(), 1);
}

#[test]
fn deep_nesting_is_harmless() {
    let text = format!("(;{}{}", "(".repeat(100_000), ")".repeat(100_001));
    assert_eq!(all(text.as_bytes()).len(), 1);
}

proptest! {
    #[test]
    fn written_games_are_read_back(record in games(), title in "([a-z][a-z\\]\\\\]{0,5})?") {
        let mut game = record.imported();
        game.title = title;
        game.plies = vec!["h8,i9".into(), "pass".into()];
        game.tie_break = record.ending.is_none();
        game.strict = record.players[0].is_empty();
        let mut back = one(&write(&game));
        prop_assert_eq!(back.places.len(), back.events.len());
        back.places.clear();
        prop_assert_eq!(back, game);
    }

    #[test]
    fn any_bytes_are_read_without_panic(
        text in "(\\(;)?[ -~\n\u{e9}]{0,60}",
        tail in "[()\\[\\];BWZSALPE:\\\\a0-9]{0,60}",
        raw in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        for bytes in [
            text.as_bytes().to_vec(),
            format!("(;{tail}").into_bytes(),
            [b"(;C[", &raw[..], b"];B[hh])"].concat(),
        ] {
            if let Ok(input) = Input::new(&bytes, None) {
                let _ = read(&input, &Hints::default()).count();
            }
        }
    }
}

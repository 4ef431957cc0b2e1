use super::*;
use crate::record::import::Weight;
use crate::record::samples::games;
use proptest::prelude::*;

const FILE: &str = "Piskvorky 20x15, 11:11, 0\r\n11,8,0\r\n12,7,350\r\n20,15,12\r\n\
                    pbrain-a.zip\r\npbrain-b.zip\r\n-1\r\n2,Standard\r\n";

fn plain(text: &str) -> Result<ImportedGame, UnreadableGame> {
    let mut games = read(text, &Hints::default());
    let game = games.next().unwrap();
    assert!(games.next().is_none(), "{text}");
    game
}

/// Returns the notes on the only game of a text.
fn notes_on(text: &str) -> Vec<String> {
    let notes = plain(text).unwrap_or_else(|error| panic!("{error}: {text}")).notes;
    notes.iter().map(|note| format!("{:?} {note}", note.weight)).collect()
}

fn cells(game: &ImportedGame) -> Vec<Cell> {
    let cell = |event: &ImportedEvent| match *event {
        ImportedEvent::Stone(cell, _) => cell,
        _ => panic!("{event:?}"),
    };
    game.events.iter().map(cell).collect()
}

fn five(rule: RuleId) -> Option<Variant> {
    Some(Variant::Five(rule))
}

#[test]
fn files_of_tournaments_are_read() {
    let game = plain(FILE).unwrap();
    assert_eq!((game.variant, game.size), (five(RuleId::Standard), Some((20, 15))));
    assert_eq!(game.players, ["pbrain-a.zip", "pbrain-b.zip"]);
    assert_eq!(cells(&game), [Cell::new(10, 7), Cell::new(11, 6), Cell::new(19, 14)]);
    assert_eq!((game.move_stats[1].ms, game.places[1]), (350, Place::Line(3)));
    assert_eq!(game.result, Some(Outcome::Win(Color::White)));
    assert_eq!(game.notes, []);
    // The second player began.
    let swapped = plain(&FILE.replace("11:11, 0", "11:11, 1")).unwrap();
    assert_eq!(swapped.players, ["pbrain-b.zip", "pbrain-a.zip"]);
    assert_eq!(swapped.result, Some(Outcome::Win(Color::Black)));
}

#[test]
fn missing_parts_are_reported() {
    let notes = notes_on;
    let bare = plain("8,8,10\n9,9,-3\n").unwrap();
    assert_eq!((bare.size, bare.events.len(), bare.move_stats.len()), (Some((15, 15)), 2, 1));
    assert_eq!((bare.variant, bare.players, bare.result), (None, Default::default(), None));
    let rule = "Remark file: no rule is named, freestyle is assumed";
    assert_eq!(
        notes("8,8,10\n"),
        ["Remark file: there is no head: a board of 15x15 is assumed", rule]
    );
    assert_eq!(notes("20,8,10\n")[0], "Doubt file: there is no head: a board of 20x20 is assumed");
    let unnamed = "Piskvorky 16x16, 0:3, 0\n8,8\n-1\n";
    assert_eq!((plain(unnamed).unwrap().size, notes(unnamed)), (Some((16, 16)), vec![rule.into()]));
    // "Fastgame" is a league of Gomocup.
    let fast = plain(&FILE.replace("2,Standard", "0,Fastgame")).unwrap();
    assert_eq!((fast.variant, fast.result), (five(RuleId::Freestyle), Some(Outcome::Draw)));
    assert_eq!(
        notes(&FILE.replace("Standard", "Othello")),
        ["Doubt line 8: \"Othello\" is not a known rule"]
    );
    assert_eq!(
        notes(&format!("{FILE}more\nand\n")),
        ["Remark line 9: not used: \"more\" and 1 more line"]
    );
    for (below, more) in [("", ""), ("and\nagain\n", " and 2 more lines")] {
        let remark = format!("Remark line 9: not used: \"more\"{more}");
        assert_eq!(notes(&format!("{FILE}more\n{below}")), [remark], "{below}");
    }
    assert_eq!(
        notes(&FILE.replace("2,Standard", "7,Standard")),
        ["Remark line 8: \"7,Standard\" is not a known result"]
    );
}

#[test]
fn a_game_is_written_as_piskvork_does() {
    let game = plain(FILE).unwrap();
    assert_eq!(write(&game).unwrap(), FILE.replace('\r', ""));
    // The rule of a game that is not over is written too.
    let unfinished = ImportedGame { result: None, ..game.clone() };
    let back = plain(&write(&unfinished).unwrap()).unwrap();
    assert_eq!(
        (back.variant, back.result, back.players),
        (game.variant, None, game.players.clone())
    );
    let mut named = game.clone();
    named.players = ["7,7,1".into(), "two\nlines".into()];
    let back = plain(&write(&named).unwrap()).unwrap();
    assert_eq!((back.players, back.events.len()), (["_7,7,1".into(), "two lines".into()], 3));
    // Very large numbers read like moves, too.
    named.players = ["10000000000000000000,2,0".into(), "10000000000000000000".into()];
    let back = plain(&write(&named).unwrap()).unwrap();
    assert_eq!(back.players, ["_10000000000000000000,2,0", "_10000000000000000000"]);
    named.events.push(ImportedEvent::Pass(None));
    assert_eq!(write(&named), Err(PsqError::Pass));
    named.variant = Some(Variant::Irensei(crate::rules::Irensei));
    assert_eq!(write(&named), Err(PsqError::Game));
}

#[test]
fn malformed_files_are_refused_by_line() {
    let error = |text: &str| plain(text).unwrap_err().to_string();
    assert!(error("Piskvorky 20, 11:11, 0\n").starts_with("line 1: the head is"));
    assert!(error("Piskvorky 40x40, 11:11, 0\n").starts_with("line 1: board size 40x40"));
    assert_eq!(
        error("Piskvorky 15x15, 11:11, 0\n8,8,1\n16,1,1\n"),
        "line 3: move \"16,1,1\" is off the board of 15x15"
    );
    assert!(error("Piskvorky 15x15, 11:11, 0\n0,8,1\n").starts_with("line 2: move"));
    assert!(error("8,8,1\n99,1,1").starts_with("line 2: move"));
    assert!(error("").contains("neither") && error("PNG").contains("neither"));
    let binary = error(&"\0".repeat(1000));
    assert!(binary.len() < 250 && binary.contains("..."), "{binary}");
    // Moves are not lost silently.
    assert_eq!(
        error("8,8,1\n9,x,1\n9,9,1\n"),
        "line 2: \"9,x,1\" is neither a move nor the name of a player"
    );
    assert!(error("8,8,99999999999999999999\n").starts_with("line 1"));
    assert_eq!(
        error("8,8,1\n\n9,9,1\n"),
        "line 3: \"9,9,1\" is a move, but the moves ended before it"
    );
    let full = "1,1,0\n".repeat(225);
    assert!(plain(&full).is_ok());
    assert_eq!(
        error(&format!("{full}1,1,0\n")),
        "line 226: more than 225 moves, but the board has only 225 points"
    );
}

#[test]
fn a_file_that_ends_within_a_move_keeps_the_moves_before() {
    let whole = "Piskvorky 15x15, 11:11, 0\n8,8,120\n9,7,350\n";
    let message = "line 4: the file is cut off within this move, which is left out";
    for end in ["11", "11,", "11,1", "11,11,", "11,11,-", "11,11,\n"] {
        let game = plain(&format!("{whole}{end}")).unwrap();
        assert_eq!(game.events.len(), 2, "{end}");
        let doubts = game.notes.iter().filter(|note| note.weight == Weight::Doubt);
        assert_eq!(doubts.map(ToString::to_string).collect::<Vec<_>>(), [message], "{end}");
    }
    for end in ["", "11,11,7", "-1", "a", "11,11,7\na\nb\n-1\n"] {
        let game = plain(&format!("{whole}{end}")).unwrap();
        assert!(game.notes.iter().all(|note| note.weight == Weight::Remark), "{end}");
    }
}

#[test]
fn lines_that_look_like_moves_of_another_format_are_doubted() {
    let head = "Piskvorky 15x15, 11:11, 0\n";
    let none = "Doubt line 1: the game has no move";
    for first in ["8;8;0", "8 8 0", "1: 8,8,0", "h8,0"] {
        let name = format!(
            "Doubt line 2: {first:?} is read as the name of a player, but looks like a move"
        );
        assert_eq!(notes_on(&format!("{head}{first}\n7;7;0\n"))[..2], [none, &name], "{first}");
        // A player's name that looks like a move is written with a prefix.
        let mut game = plain(FILE).unwrap();
        game.players[0] = first.into();
        assert_eq!(plain(&write(&game).unwrap()).unwrap().players[0], format!("_{first}"));
    }
    assert_eq!(notes_on(&format!("{head}h8\n"))[0], none);
    let whole = "Remark line 1: the game has no move";
    assert_eq!(notes_on(&format!("{head}a\nb\n-1\n0,Renju\n")), [whole]);
    assert!(notes_on(&format!("{head}h8\ni9\n-1\n"))[1].starts_with("Doubt line 2: \"h8\""));
    let below = "looks like a move below the others";
    for (rest, doubt) in [
        ("h8\ni9\nj10\n", "line 3: \"h8\" is read as the name of a player"),
        ("a\nb\n-1\n1,Renju\n7;7;0\n", below),
        ("a\nb\n-1\n7;7;0\n", below),
        ("\n9,9\n", below),
    ] {
        let notes = notes_on(&format!("{head}8,8,0\n{rest}"));
        assert!(notes[0].starts_with("Doubt") && notes[0].contains(doubt), "{rest}: {notes:?}");
    }
    for names in ["e4\nv2", "3x\n2 fast"] {
        let named = FILE.replace("pbrain-a.zip\r\npbrain-b.zip", names);
        assert_eq!(notes_on(&named), [""; 0], "{names}");
    }
}

#[test]
fn the_rule_is_found_although_lines_are_missing() {
    let moves = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n";
    for (rest, result) in [
        ("a\nb\n2,Renju\n", Some(Outcome::Win(Color::White))),
        ("a\nb\n-1\nRenju\n", None),
        ("a\nb\n-1\n\n0,4\n", Some(Outcome::Draw)),
        ("a\n-1\n2,Renju\n", Some(Outcome::Win(Color::White))),
        ("-1\n2,Renju\n", Some(Outcome::Win(Color::White))),
    ] {
        let game = plain(&format!("{moves}{rest}")).unwrap();
        assert_eq!((game.variant, game.result), (five(RuleId::Renju), result), "{rest}");
        assert_eq!(game.notes, [], "{rest}");
    }
    // The rule may be lost: the doubt asks the user for it.
    for rest in ["a\nb\n-1\n2\nRenju\n", "Renju\n", "a\nb\nRenju\n", "a\nb\n-1\nRenju,2\n"] {
        let doubt =
            |note: &Note| (note.weight, note.question) == (Weight::Doubt, Some(Question::Game));
        let game = plain(&format!("{moves}{rest}")).unwrap();
        assert!(game.notes.iter().any(doubt), "{rest}: {:?}", game.notes);
    }
}

#[test]
fn headers_separate_games() {
    let two = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n-1\n1,Renju\n               Piskvorky 15x15, 11:11, 1\n10,10,0\n11,11,0\nc\nd\n-1\n";
    let all = |text: &str| read(text, &Hints::default()).collect::<Vec<_>>();
    let games: Vec<ImportedGame> = all(two).into_iter().map(Result::unwrap).collect();
    assert_eq!(
        games.iter().map(cells).collect::<Vec<_>>(),
        [[Cell::new(7, 7), Cell::new(8, 8)], [Cell::new(9, 9), Cell::new(10, 10)],]
    );
    assert_eq!(
        (&games[0].players, &games[1].players),
        (&["a".to_string(), "b".into()], &["d".to_string(), "c".into()],)
    );
    assert_eq!((games[0].variant, games[1].variant), (five(RuleId::Renju), None));
    assert_eq!(games[1].places[0], Place::Line(9));
    // A bad game hides no other; a truncated move affects only its own game.
    let bad = all(&two.replace("9,9,0", "99,9,0"));
    assert!(bad[0].is_err() && bad[1].is_ok());
    let bad = all(&two.replace("15x15, 11:11, 1", "15x15, 11:11"));
    assert!(bad[0].is_ok() && bad[1].is_err());
    let cut = all(&two.replace("9,9,0\na\nb\n-1\n1,Renju\n", "9,\n"));
    assert_eq!((cut[0].as_ref().unwrap().events.len(), cut[1].is_ok()), (1, true));
    let mut game = games[0].clone();
    game.players[0] = "Piskvorky 3, 1".into();
    assert_eq!(plain(&write(&game).unwrap()).unwrap().players[0], "_Piskvorky 3, 1");
}

#[test]
fn headers_are_read_in_all_spellings() {
    for head in
        ["piskvorky 15x15, 11:11, 0", "Piskvorky 15 x 15,11:11,0", "PISKVORKY 15X15, 0:0, 0"]
    {
        assert!(looks(head) && has_head(head), "{head}");
        let game = plain(&format!("{head}\n8,8,1\n")).unwrap();
        assert_eq!((game.size, game.events.len()), (Some((15, 15)), 1), "{head}");
    }
    let returns = FILE.replace('\n', "");
    assert_eq!((plain(&returns).unwrap(), looks(&returns)), (plain(FILE).unwrap(), true));
    assert_eq!(
        plain("Piskvorky 15x15, 11:11, 4\n8,8,1\n").unwrap_err().to_string(),
        "line 1: the head ends in \"4\", not in 0 (the first player begins) or 1 (the second)"
    );
    assert_eq!(
        notes_on("Piskvorky 15x15, 11:11, 0, x\n8,8,1\n-1\n1,Renju\n"),
        ["Remark line 1: not used: \"x\""]
    );
}

#[test]
fn blank_lines_before_the_names_are_skipped() {
    let file = |blank: &str| FILE.replace("pbrain-a", &format!("{blank}pbrain-a"));
    for blank in ["", "\r\n", "\r\n\r\n", "\r\n \r\n\r\n"] {
        let game = plain(&file(blank)).unwrap();
        assert_eq!(game.players, ["pbrain-a.zip", "pbrain-b.zip"], "{blank:?}");
        assert_eq!((game.variant, game.notes), (five(RuleId::Standard), vec![]), "{blank:?}");
    }
    // With two lines, an empty one is an empty name.
    let second = plain(&FILE.replace("pbrain-a.zip", "")).unwrap();
    assert_eq!(second.players, ["", "pbrain-b.zip"]);
}

#[test]
fn headers_and_moves_with_times_look_like_psq() {
    for text in ["Piskvorky 15x15", "\n8,8,120\n9,9,3\n", "8, 8, -120"] {
        assert!(looks(text), "{text}");
    }
    for text in ["8,8\n9,9\n", "h8", "", "8,8,1,2"] {
        assert!(!looks(text), "{text}");
    }
}

proptest! {
    #[test]
    fn written_games_are_read_back(record in games()) {
        let game = record.imported();
        let back = plain(&write(&game).unwrap()).unwrap();
        prop_assert_eq!((back.variant, back.size), (game.variant, game.size));
        prop_assert_eq!(&back.players, &game.players);
        prop_assert_eq!((back.result, cells(&back)), (game.result, cells(&game)));
        let times = |game: &ImportedGame| -> Vec<u64> {
            let ms = |i| game.move_stats.get(i).map_or(0, |stats: &MoveStats| stats.ms);
            (0..game.events.len()).map(ms).collect()
        };
        prop_assert_eq!(times(&back), times(&game));
    }

    #[test]
    fn any_text_is_read_without_panic(
        text in "(Piskvorky )?[0-9,:x \n-]{0,60}[ -~\n\u{e9}]{0,40}",
    ) {
        let _ = plain(&text);
    }
}

use super::tests::{all, all_with, doubts, events, notes, one};
use super::*;

/// Returns the name and moves, or the error, of each game of a text.
fn summaries(text: &str) -> Vec<String> {
    let game = |game: &Result<ImportedGame, UnreadableGame>| match game {
        Ok(game) => format!("{}: {}", game.players[0], events(game)),
        Err(fault) => fault.to_string(),
    };
    all(text.as_bytes()).iter().map(game).collect()
}

#[test]
fn a_missing_bracket_does_not_hide_the_next_game() {
    let good = "\n(;FF[4]GM[4]SZ[15]RU[Renju]PB[good];B[hh];W[jk])\n";
    for cut in [
        ";B[hh];W[ii];B[gg",
        ";B[hh];W[ii];B[",
        ";B[hh];W[ii];B[)",
        ";B[hh];W[ii];B[gg]C[abc",
        ";B[hh];W[ii];B[gg]C[abc)",
        ";B[hh];W[ii];B[gg]C[a\\",
        ";B[hh];W[ii];B[gg]LB[aa:1",
        ";B[hh](;W[ii])(;W[jj]C[abc",
    ] {
        let bad = format!("(;GM[4]SZ[15]RU[Renju]PB[a]{cut}");
        let found = summaries(&format!("{bad}{good}"));
        assert_eq!(found.len(), 2, "{cut}: {found:?}");
        let place = format!("byte {}: another game begins", bad.len() + 1);
        assert!(found[0].starts_with(&place), "{cut}: {found:?}");
        assert_eq!(found[1], "good: B h8, W j5", "{cut}");
        // The game after it is no variation of this one.
        let found = summaries(&format!("{bad}{good}{good}"));
        assert_eq!((found.len(), &found[2]), (3, &"good: B h8, W j5".to_string()), "{cut}");
        let input = format!("{bad}{good}");
        let input = Input::new(input.as_bytes(), None).unwrap();
        assert!(lines(&input, &Hints::default(), 0).unwrap().is_err(), "{cut}");
        let read = lines(&input, &Hints::default(), 1).unwrap().unwrap();
        assert_eq!(read.lines[0].game.players[0], "good", "{cut}");
    }
    // Without a property of roots, what follows may be a variation.
    let moves = summaries("(;GM[4];B[hh];B[gg\n(;B[hh])\n");
    assert!(moves[0].contains("is not understood"), "{moves:?}");
}

#[test]
fn quoted_brackets_are_not_taken_for_missing_ones() {
    let text = "(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[Renju];B[hh]C[better was (;W[gg\\]) here];W[ii])";
    assert_eq!(events(&one(text)), "B h8, W i7");
    assert_eq!(doubts(text), [""; 0]);
    let quoted = "(;GM[4]RU[0];B[hh]C[(;GM[4\\];B[hh\\]) is a game];W[ii])";
    assert_eq!(doubts(quoted), [""; 0]);
    let open = "(;GM[4]RU[0];B[hh]C[abc ;W[gg];B[ii])";
    assert!(doubts(open)[0].contains("holds what looks like moves"));
}

#[test]
fn a_game_without_its_first_characters_is_reported() {
    let message = |byte: usize| {
        format!("byte {byte}: an SGF game begins with \"(;\", and part of that is missing here")
    };
    for (text, byte) in
        [("FF[4]GM[4]SZ[15];B[hh])", 0), (";FF[4]GM[4];B[hh])", 1), ("(FF[4]GM[4];B[hh])", 1)]
    {
        assert!(looks(text.as_bytes()), "{text}");
        assert_eq!(summaries(text), [message(byte)], "{text}");
        let input = Input::new(text.as_bytes(), None).unwrap();
        assert!(lines(&input, &Hints::default(), 0).unwrap().is_err(), "{text}");
        // It hides no other game, and no other game hides it.
        let games = summaries(&format!("{text}\n(;GM[4]PB[b];B[ii])\n"));
        assert_eq!(games, [message(byte), "b: B i7".into()], "{text}");
        let before = "(;GM[4]PB[b];B[ii])\n";
        let games = summaries(&format!("{before}{text}\n"));
        assert_eq!(games, ["b: B i7".into(), message(before.len() + byte)], "{text}");
    }
    assert!(!looks(b"B[hh]") && !looks(b"(((") && !looks(b"h8i9"));
}

/// Regression: any text with a semicolon after a parenthesis was taken for SGF.
#[test]
fn an_emoticon_does_not_begin_a_game() {
    for text in ["1. h8 i9 # lost (;_;)", "( ; - )", "(;'-("] {
        assert!(!looks(text.as_bytes()), "{text}");
    }
    for text in ["(;)", "( ; GM[4])", "(;(;B[hh]))", "(;;B[hh])", "(;", "(;5A[hh])"] {
        assert!(looks(text.as_bytes()), "{text}");
    }
    assert_eq!(summaries("lost (;_;)\n(;GM[4]PB[b];B[ii])\n"), ["b: B i7"]);
}

/// Regression: a digit in a name made the whole game unreadable.
#[test]
fn names_of_properties_may_have_digits() {
    let game = one("(;GM[4]RU[0]SZ[15]5A[hh]PB[a];B[hh];W[ii])");
    assert_eq!((events(&game).as_str(), game.players[0].as_str()), ("B h8, W i7", "a"));
    assert_eq!(notes(&game), ["byte 21: not used: 5A"]);
}

#[test]
fn conflicting_values_of_a_property_are_reported() {
    for (text, expected) in [
        (
            "(;GM[4]RU[Renju]RU[Gomoku])",
            &["! byte 19: RU is \"Gomoku\" here, but \"Renju\" before"][..],
        ),
        ("(;GM[4]RU[Renju][Gomoku])", &["! byte 17: RU is \"Gomoku\" here, but \"Renju\" before"]),
        ("(;GM[4]RU[0]SZ[15]SZ[19])", &["! byte 21: SZ is \"19\" here, but \"15\" before"]),
        ("(;GM[4]RU[0];B[hh]SZ[19];SZ[15])", &["! byte 28: SZ is \"15\" here, but \"19\" before"]),
        ("(;GM[4]GM[1]RU[0])", &["! byte 10: GM is \"1\" here, but \"4\" before"]),
        ("(;GM[4]GM[4]RU[renju]RU[Renju]SZ[15]SZ[15])", &[]),
    ] {
        assert_eq!(doubts(text), expected, "{text}");
    }
    let names = notes(&one("(;GM[4]RU[0]PB[a]PB[b])"));
    assert_eq!(names, ["byte 20: PB is \"b\" here, but \"a\" before"]);
    // The user's size counts.
    let hints = Hints { size: Some((15, 15)), ..Hints::default() };
    let game = all_with(b"(;GM[4]RU[0]SZ[15]SZ[19])", &hints).remove(0).unwrap();
    assert_eq!(game.size, hints.size);
}

#[test]
fn an_unknown_encoding_is_reported_once() {
    let of = |text: &[u8]| notes(all(text)[0].as_ref().unwrap());
    let known = "byte 5: CA[klingon] is not a known encoding";
    let guessed = of(b"(;CA[klingon]GM[4]RU[0]PB[\xe9];B[hh])");
    assert_eq!(guessed, [format!("{known}: read as windows-1252")]);
    assert_eq!(of(b"(;CA[klingon]GM[4]RU[0];B[hh])"), [known]);
}

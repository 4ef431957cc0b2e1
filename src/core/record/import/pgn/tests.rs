use super::*;
use crate::record::import::Weight;
use crate::record::import::test_reading::{doubts, events, notes, only};
use crate::rules::{RuleId, Variant};

fn games(text: &str) -> Vec<Result<ImportedGame, UnreadableGame>> {
    read(text, &Hints::default()).collect()
}

fn one(text: &str) -> ImportedGame {
    only(games(text), text)
}

fn playok(moves: &str) -> ImportedGame {
    one(&format!(
        "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2021.04.05\"]\n[Round \"-\"]\n\
         [Black \"ann\"]\n[White \"bob\"]\n[Result \"0-1\"]\n[Time \"10:11:12\"]\n\
         [TimeControl \"300\"]\n[BlackElo \"1301\"]\n[WhiteElo \"1402\"]\n\n{moves}\n"
    ))
}

fn steps(game: &ImportedGame) -> String {
    events(game).join(" ")
}

#[test]
fn games_of_playok_are_read() {
    let text = "1. h8 i9 2. h10 h9\n3. g9 i7 0-1";
    let game = playok(text);
    assert_eq!(steps(&game), "h8 i9 h10 h9 g9 i7");
    assert_eq!((game.size, game.variant), (Some((15, 15)), None));
    assert_eq!(game.players, ["ann", "bob"]);
    assert_eq!(game.result, Some(Outcome::Win(Color::White)));
    assert_eq!(game.title, "2021.04.05");
    assert_eq!(doubts(&game), [""; 0]);
    let remarks = notes(&game, Weight::Remark);
    let no_rule = "file: no rule is named, freestyle is assumed";
    assert_eq!(
        remarks,
        [no_rule, "line 1: tags that are not used: Time, TimeControl, BlackElo, WhiteElo"]
    );
    assert!(looks("[Site \"PlayOK\"]\n1. h8") && !looks("1. h8") && !looks("[\"h8\"]"));
    assert!(!looks("[Game \"Pente\"]\n1. K10"));
}

#[test]
fn colours_are_chosen_after_three_stones() {
    // The second player takes Black: names and result are exchanged.
    let black = playok("1. d4 d5 2. e5 black 3. f6 f7 4. g8 e3 0-1");
    assert_eq!(steps(&black), "d4 d5 e5 swap f6 f7 g8 e3");
    assert_eq!(black.players, ["bob", "ann"]);
    assert_eq!(black.result, Some(Outcome::Win(Color::Black)));
    let white = playok("1. g5 m8 2. h10 white 3. -- k9 4. j8 k10 0-1");
    assert_eq!(steps(&white), "g5 m8 h10 k9 j8 k10");
    assert_eq!((&white.players[0][..], doubts(&white).len()), ("ann", 0));
}

/// Regression: the turn that the first player skips in between was read as a pass.
#[test]
fn a_two_stone_answer_of_swap_2_is_no_pass() {
    // The second player places two stones, and the first takes White.
    let white = playok("1. g5 m8 2. h10 k9 3. -- l7 4. white -- 5. -- k10 0-1");
    assert_eq!(steps(&white), "g5 m8 h10 k9 l7 swap k10");
    assert_eq!((&white.players[0][..], doubts(&white).len()), ("bob", 0));
    let black = playok("1. g5 m8 2. h10 k9 3. -- l7 4. black k10 5. j8 0-1");
    assert_eq!(steps(&black), "g5 m8 h10 k9 l7 k10 j8");
    assert_eq!((&black.players[0][..], doubts(&black).len()), ("ann", 0));
    // Later passes are passes, even before a choice of colours.
    let late = playok("1. h8 i9 2. h10 h9 3. g9 i7 4. -- k9 5. white");
    assert!(steps(&late).starts_with("h8 i9 h10 h9 g9 i7 pass k9"));
}

#[test]
fn one_of_the_offered_fifth_stones_is_chosen() {
    let game = playok("1. h8 -- 2. h9 -- 3. h6 white 4. -- i8 5. j7 -- 6. i7 i7 7. -- j7 8. k6 j8");
    assert_eq!(steps(&game), "h8 h9 h6 i8 i7 j7 k6 j8");
    assert_eq!(game.variant, Some(Variant::Five(RuleId::Renju)));
    assert_eq!(doubts(&game), [""; 0]);
    let swapped = playok("1. h8 -- 2. h9 -- 3. h7 black 4. h6 i8 5. -- j8 6. j8 -- 7. g8 f7");
    assert_eq!(steps(&swapped), "h8 h9 h7 swap h6 j8 g8 f7");
    // Without such an opening the repeated stone stays; the referee refuses it later.
    assert_eq!(steps(&playok("1. h8 i9 2. h7 h6 3. j8 j9 4. j8")), "h8 i9 h7 h6 j8 j9 j8");
}

#[test]
fn passes_are_distinguished_from_skipped_turns() {
    let game = playok("1. h8 i9 2. h10 h9 3. g9 i7 4. -- k9 5. -- --");
    assert_eq!(steps(&game), "h8 i9 h10 h9 g9 i7 pass k9 pass pass");
}

#[test]
fn files_of_figrid_may_have_few_tags() {
    let text = "# found somewhere\n[Black \"a\"]\n\n1. l10,j7 2. k6,m11 3. m13\n";
    assert_eq!(steps(&one(text)), "l10 j7 k6 m11 m13");
}

#[test]
fn results_of_c_gomoku_cli_give_whites_points_first() {
    let text = "[Event \"7\"]\n[Date \"2024.01.02 03:04:05\"]\n[Round \"1.2\"]\n\
                [Black \"one\"]\n[White \"two\"]\n[Result \"1-0\"]\n\
                [Termination \"White win by five connection\"]\n[PlyCount \"41\"]\n1-0\n\n";
    let games = games(&text.repeat(3));
    assert_eq!(games.len(), 3);
    let game = games[2].as_ref().unwrap();
    assert_eq!(game.result, Some(Outcome::Win(Color::White)));
    assert_eq!(
        (&game.reason[..], &game.title[..]),
        ("five connection", "7, round 1.2, 2024.01.02 03:04:05")
    );
    assert_eq!(doubts(game), ["line 21: the file has no moves of this game"]);
    let ending = |result: &str, termination: &str| {
        let tags = format!("[Result \"{result}\"]\n[Termination \"{termination}\"]");
        let game = one(&format!("{tags}\n[PlyCount \"9\"]\n{result}\n"));
        (game.result, game.reason)
    };
    let white = Some(Outcome::Win(Color::White));
    assert_eq!(ending("1-0", "Black play forbidden move - overline"), (white, "foul".into()));
    assert_eq!(ending("1-0", ""), (white, String::new()));
    assert_eq!(ending("0-1", "").0, Some(Outcome::Win(Color::Black)));
    assert_eq!(
        ending("1/2-1/2", "Draw by adjudication"),
        (Some(Outcome::Draw), "adjudication".into())
    );
    assert_eq!(ending("*", "Unterminated"), (None, "Unterminated".into()));
}

/// Regression: such games were read without a result.
#[test]
fn a_player_who_resigns_in_place_of_a_move_loses() {
    let ending = |text: &str| {
        let game = one(text);
        let assumed = notes(&game, Weight::Remark).iter().any(|note| note.contains("no result is"));
        (game.result, game.reason, assumed)
    };
    let [black, white] = Color::ALL.map(Outcome::Win);
    for (text, result, reason) in [
        ("[Round \"1\"]\n1. h8 i9 2. resign", Some(white), "resign"),
        ("[Round \"1\"]\n1. h8 i9 2. h10 resigns *", Some(black), "resign"),
        ("[Result \"*\"]\n1. h8 i9 2. h10 time", Some(black), "time"),
        // The first player has White.
        ("[Round \"1\"]\n1. d4 d5 2. e5 black 3. f6 f7 4. resign", Some(black), "resign"),
        ("[Round \"1\"]\n1. h8 resign 2. h10", None, "resign"),
        ("[Result \"Void\"]\n1. h8 i9 2. resign", None, "resign"),
        ("[Variant \"connect6\"]\n1. j10 k11 l12 resign", None, "resign"),
    ] {
        assert_eq!(ending(text), (result, reason.into(), result.is_some()), "{text}");
    }
    let stated = ending("[Result \"1-0\"]\n1. h8 i9 2. resign");
    assert_eq!(stated, (Some(black), "resign".into(), false));
}

#[test]
fn the_board_size_is_stated_or_guessed() {
    let of = |tags: &str, moves: &str| {
        let game = one(&format!("[Black \"a\"]\n{tags}{moves}\n"));
        (game.size.unwrap().0, steps(&game), doubts(&game).len())
    };
    assert_eq!(of("", "1. h8 o15"), (15, "h8 o15".into(), 0));
    assert_eq!(of("", "1. k10 j9"), (15, "k10 j9".into(), 0));
    assert_eq!(of("", "1. j10 s19"), (19, "j10 s19".into(), 1));
    assert_eq!(of("", "1. k10 t19"), (19, "j10 s19".into(), 1));
    assert_eq!(of("[Size \"19\"]\n", "1. k10 t19"), (19, "j10 s19".into(), 0));
    assert_eq!(of("[Size \"19\"]\n", "1. k11 t19"), (19, "j11 s19".into(), 1));
    assert_eq!(of("", "1. k10 t20"), (20, "k10 t20".into(), 1));
    assert_eq!(of("[Size \"19\"]\n", "1. j10 a1"), (19, "j10 a1".into(), 0));
    assert_eq!(of("[BoardSize \"20x15\"]\n", "1. k8 t15"), (20, "k8 t15".into(), 0));
    let error = games("[Size \"99\"]\n1. h8\n").remove(0).unwrap_err().to_string();
    assert_eq!(error, "line 1: the board size \"99\" is not supported");
    assert!(games("[Size \"15\"]\n1. h8 q1\n")[0].is_err());
}

#[test]
fn damage_is_reported() {
    let doubt = |text: &str| doubts(&one(text)).join("; ");
    let game = |moves: &str| format!("[Site \"PlayOK\"]\n[Result \"1-0\"]\n\n{moves}\n");
    assert_eq!(
        doubt(&game("1. h8 i9 2. h1o i7")),
        "line 4: \"h1o\" is no move: move 3 and all after it are left out"
    );
    assert_eq!(
        doubt(&game("1. h8 i9 3. h10 i7")),
        "line 4: the moves of 3. come right after those of 1."
    );
    assert_eq!(
        doubt("[PlyCount \"9\"]\n1. h8 i9"),
        "line 1: PlyCount says 9 moves, but there are 2"
    );
    assert_eq!(doubt("[Variant \"chess\"]\n1. e4 e5"), "line 1: the game \"chess\" is not known");
    let long = game(&"h8 ".repeat(9000));
    assert!(doubt(&long).contains("more moves than a game can have"));
    let several = [game("1. h8 i9"), game("1. z99"), game("1. a1 b1")].join("\n");
    let games = games(&several);
    assert!(games[0].is_ok() && games[1].is_err() && games[2].is_ok());
}

#[test]
fn an_unclosed_comment_is_doubted() {
    let text = "[Event \"a\"]\n[Rule \"renju\"]\n\n1. h8 i9 {good move\n2. h9 g7 3. h10 h7 1-0\n";
    let open = "is not closed: all after it is left out";
    assert_eq!(doubts(&one(text)), [format!("line 4: the comment that begins here {open}")]);
    let parenthesis = text.replace('{', "(");
    assert_eq!(
        doubts(&one(&parenthesis)),
        [format!("line 4: a parenthesis that begins here {open}")]
    );
    // The next comment closes it.
    let later = "[Rule \"renju\"]\n1. h8 {good i9 {x} 2. h9 g7\n";
    assert!(doubts(&one(later))[0].contains("another comment begins within"), "{:?}", one(later));
}

#[test]
fn a_game_that_does_not_begin_with_its_first_move_is_doubted() {
    let start = "the game begins from a position, which is not read";
    let text = "[Rule \"renju\"]\n[FEN \"x/y\"]\n[SetUp \"1\"]\n\n1... i9 2. h9 g7\n";
    assert_eq!(
        doubts(&one(text)),
        [
            "line 5: before 1... the first move of 1. is missing".into(),
            format!("line 2: [FEN \"x/y\"]: {start}")
        ]
    );
    let set_up = one("[Rule \"renju\"]\n[SetUp \"1\"]\n\n1. i9 h9\n");
    assert_eq!(doubts(&set_up), [format!("line 2: [SetUp \"1\"]: {start}")]);
    let none = one("[Rule \"renju\"]\n[SetUp \"0\"]\n[FEN \"-\"]\n\n1. i9 h9\n");
    assert_eq!(none.notes, []);
    assert_eq!(doubts(&one("[Rule \"renju\"]\n\n1... i9 2. h9 g7\n")).len(), 1);
    // After a comment the number is repeated for the second move.
    let goes_on = one("[Rule \"renju\"]\n\n1. h8 {centre} 1... i9 2. h9 g7\n");
    assert_eq!((steps(&goes_on).as_str(), doubts(&goes_on).len()), ("h8 i9 h9 g7", 0));
    assert_eq!(doubts(&one("[Rule \"renju\"]\n\n1. h8 i9 2... h9 3. g7\n")).len(), 1);
}

#[test]
fn moves_after_the_end_are_doubted() {
    let text = "[Rule \"renju\"]\n1. h8 i9 2. h9 g7 1-0\n3. j10 j11";
    let late = "line 3: there are moves after the end of the game";
    assert_eq!(doubts(&one(text)), [late]);
    assert_eq!(doubts(&one(&text.replace("1-0", "resign"))), [late]);
    assert_eq!(doubts(&one("[Rule \"renju\"]\n1. h8 i9 resign 1-0")), [""; 0]);
}

#[test]
fn any_of_several_tags_may_name_the_game() {
    let of = |tags: &str| {
        let game = one(&format!("{tags}\n1. h8 i9\n"));
        let variant = game.variant.map_or("-".into(), |variant| variant.to_string());
        let opening = game.opening.map_or("-", crate::rules::OpeningId::name);
        (format!("{variant} {opening}"), doubts(&game))
    };
    for (tags, expected) in [
        ("[GameType \"renju\"]", "renju -"),
        ("[RuleType \"Renju\"]", "renju -"),
        ("[GameName \"Gomoku\"]", "gomoku -"),
        ("[GameName \"The final\"]", "- -"),
        ("[Variant \"Renju\"]\n[Rule \"renju\"]", "renju -"),
        ("[Game \"Gomoku\"]\n[Rule \"Renju\"]", "renju -"),
        ("[Variant \"Renju\"]\n[Rule \"Swap2\"]", "renju swap-2"),
        ("[Variant \"Renju\"]\n[Rule \"swap\"]", "renju swap"),
        ("[Rule \"Yamaguchi\"]\n[Variant \"Renju\"]", "renju yamaguchi"),
    ] {
        assert_eq!(of(tags), (expected.into(), Vec::new()), "{tags}");
    }
    for (tags, doubt) in [
        (
            "[Variant \"Renju\"]\n[Rule \"Freestyle\"]",
            "line 2: [Rule \"Freestyle\"] names another game than [Variant \"Renju\"]",
        ),
        ("[Variant \"Renju\"]\n[Rule \"chess\"]", "line 2: the game \"chess\" is not known"),
        ("[GameType \"1\"]", "line 1: the game \"1\" is not known"),
        ("[Rule \"swap\"]", "line 1: the game \"swap\" is not known"),
    ] {
        assert_eq!(of(tags).1, [doubt], "{tags}");
    }
    let sized = one("[Rule \"Gomoku (19x19)\"]\n1. h8 i9\n");
    assert_eq!(sized.size, Some((19, 19)));
}

#[test]
fn many_forms_of_results_are_read_and_others_reported() {
    let of = |result: &str| {
        let game = one(&format!("[Rule \"renju\"]\n[Result \"{result}\"]\n1. h8 i9\n"));
        (game.result, notes(&game, Weight::Remark).iter().any(|note| note.contains("known result")))
    };
    let (black, white) = (Some(Outcome::Win(Color::Black)), Some(Outcome::Win(Color::White)));
    for (text, result) in [
        ("Black won", black),
        ("black wins", black),
        ("White won", white),
        ("1:0", black),
        ("½–½", Some(Outcome::Draw)),
        ("draw", Some(Outcome::Draw)),
        ("*", None),
    ] {
        assert_eq!(of(text), (result, false), "{text}");
    }
    assert_eq!(of("2-0"), (None, true));
    let other = one("[Rule \"renju\"]\n[Result \"1-0\"]\n1. h8 i9 0-1\n");
    assert_eq!(other.result, black);
    let remarks = notes(&other, Weight::Remark);
    assert!(remarks.contains(&"line 1: the moves end with 0-1, but the tag says 1-0".into()));
}

use clap::{Args as _, FromArgMatches};

use super::*;
use goren_core::opening::{Seat, read};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::Cell;
use goren_engine::WeightSet;

pub(super) fn new_match(contest: Contest, person: Seat) -> Match {
    let setting = PlaySettings {
        time: Duration::from_secs(1000),
        max_depth: Some(2),
        max_nodes: None,
        threads: 1,
        level: Level::read("full").unwrap(),
        seed: Some(1),
        columns: import::Columns::WithI,
        colors: false,
        mark_forbidden: true,
    };
    let mut players = [Player::Engine; 2];
    players[person.index()] = Player::Person;
    let hash = TableHandle::exactly(1 << 20);
    Match::new(GameState::new(contest), players, setting, WeightSet::default(), hash)
}

pub(super) fn contest(game: &str, side: usize, opening: OpeningId) -> Contest {
    let variant = Variant::from_name(game).unwrap();
    Contest::new(variant).on(side, side).unwrap().opened(opening).unwrap()
}

/// Types lines in a game and returns the output.
fn played(mut table: Match, lines: &str) -> String {
    let lines = lines.to_owned();
    let seen = with_search_stack(move || {
        let mut out = Vec::new();
        table.play(&mut Piped(lines.as_bytes()), &mut out)?;
        Ok(out)
    });
    String::from_utf8(seen.unwrap()).unwrap()
}

pub(super) fn session_of(contest: Contest, person: Seat, lines: &str) -> String {
    played(new_match(contest, person), lines)
}

fn session(game: &str, person: Seat, lines: &str) -> String {
    session_of(contest(game, 9, OpeningId::Free), person, lines)
}

/// Types lines in a game of two people and returns the output.
pub(super) fn two(game: &str, side: usize, opening: OpeningId, lines: &str) -> String {
    let mut table = new_match(contest(game, side, opening), Seat::First);
    table.players = [Player::Person; 2];
    played(table, lines)
}

fn stones_of(screen: &str) -> usize {
    let board = screen.rsplit("A B C D E F G H I\n").nth(1).unwrap();
    board.matches(['X', 'O']).count()
}

#[test]
fn the_engine_answers_and_undo_takes_both_stones_back() {
    let seen = session("freestyle", Seat::First, "e5\nquit\n");
    assert!(seen.contains("(X)") && seen.contains("(O)"), "{seen}");
    assert!(seen.contains("The engine played "), "{seen}");
    assert_eq!(stones_of(&seen), 2);
    let seen = session("freestyle", Seat::First, "e5\nd4\nundo\n");
    assert_eq!(stones_of(&seen), 2, "{seen}");
    let seen = session("freestyle", Seat::First, "undo\nhint\nquit\n");
    assert!(seen.contains("not moved yet") && seen.contains("Try "), "{seen}");
    let seen = session("freestyle", Seat::First, "e5\nd4\nundo 2\nredo\n");
    assert_eq!(stones_of(&seen), 2, "{seen}");
}

#[test]
fn with_white_the_engine_begins_and_sides_can_be_changed() {
    let seen = session("gomoku", Seat::Second, "board\nswap\nsides\nquit\n");
    assert!(seen.contains("There is nothing to swap now. To change sides"), "{seen}");
    assert!(seen.contains("Now you have Black, the engine White."), "{seen}");
    assert_eq!(stones_of(&seen), 2, "{seen}");
}

#[test]
fn bad_input_is_explained_and_changes_nothing() {
    let seen = session("caro", Seat::First, "z99\nfoo\n\ne5\ne5\npass\n");
    assert!(
        seen.contains("z99: the point is outside the board. Type a move such as e5."),
        "{seen}"
    );
    assert!(
        seen.contains("foo: cannot read \"foo\". Type a move such as e5; help lists"),
        "{seen}"
    );
    assert!(seen.contains("e5: the point is occupied"), "{seen}");
    assert!(seen.contains("pass: passing is not allowed now"), "{seen}");
    assert_eq!(stones_of(&seen), 2);
}

#[test]
fn numbers_are_read_as_column_and_row_and_the_point_is_printed() {
    let seen = two("freestyle", 9, OpeningId::Free, "5,5\n3,2\n0,5\nmoves\n");
    let read = "the numbers are the column from the left and the row from the top, both from 1.";
    assert!(seen.contains(&format!("5,5 is read as e5: {read}")), "{seen}");
    assert!(seen.contains(&format!("3,2 is read as c8: {read}")), "{seen}");
    assert!(seen.contains("0,5: the point is outside the board: the numbers are"), "{seen}");
    assert!(seen.contains("1. e5  2. c8"), "{seen}");
    let seen = two("freestyle", 9, OpeningId::Free, "-3,4\nmoves\n");
    assert!(seen.contains("-3,4: a number has a sign: columns and rows"), "{seen}");
    assert!(seen.contains("No moves yet."), "{seen}");
    // Both stones of a turn.
    let seen = two("connect6", 19, OpeningId::Free, "10,10\n11,10 11,11\nmoves\n");
    assert!(seen.contains("1. j10  2. k9,k10"), "{seen}");
}

#[test]
fn forbidden_points_are_marked_and_a_foul_ends_the_game() {
    let mut table = new_match(contest("renju", 9, OpeningId::Free), Seat::First);
    for text in ["c5", "a9", "d5", "i9", "e7", "a1", "e6", "i1"] {
        let action = read(&table.game_state, text).unwrap();
        table.game_state.apply(&action).unwrap();
    }
    let seen = played(table, "e5\na2\nquit\n");
    assert!(seen.contains(" 5 . . X X * . . . . 5"), "{seen}");
    assert!(seen.contains("e5 was a foul, double three: White (the engine) wins."), "{seen}");
    assert!(seen.contains("a2: the game is over; undo, new and save are possible"), "{seen}");
}

#[test]
fn every_game_and_opening_can_be_played_with_the_engine() {
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            let contest = Contest::new(variant).opened(opening).unwrap();
            let mut table = new_match(contest, Seat::First);
            table.players = [Player::Engine; 2];
            table.setting.time = Duration::from_millis(60);
            table.setting.max_depth = Some(1);
            let plies = with_search_stack(|| {
                // Decisions of the engine and examples shown to the user must be legal.
                let mut out = Vec::new();
                while table.game_state.actions().len() < 12
                    && table.game_state.pending_decision().is_some()
                {
                    let example = pending_decision_text::example(&table.game_state);
                    let example = example.unwrap_or_else(|| panic!("{variant} {opening}"));
                    let lettering = table.lettering();
                    let text = pending_decision_text::text(&table.game_state, &example, lettering);
                    let typed = crate::turn::read(&table.game_state, &[], &text, lettering);
                    assert!(matches!(typed, Ok(crate::turn::Turn::Whole(_))), "{text}");
                    table.report_help(&mut out)?;
                    table.engine_moves(false, &mut out)?;
                }
                Ok(table.game_state.actions().len())
            });
            let ended = table.game_state.result().is_some();
            assert!(plies.unwrap() == 12 || ended, "{variant} {opening}");
        }
    }
}

#[test]
fn two_stones_can_be_typed_in_any_order_or_one_by_one() {
    let lines = "j10\nk10\nk9\nl11 l10\nm1m2\nundo\nm1\nundo\nmoves\n";
    let seen = two("connect6", 19, OpeningId::Free, lines);
    assert!(seen.contains("k10 and?> k9"), "{seen}");
    assert!(seen.contains("1. j10  2. k9,k10  3. l10,l11"), "{seen}");
    assert!(seen.contains("--opening free j10 k9,k10 l10,l11\n"), "{seen}");
    // Both stones of the turn are in brackets.
    assert!(seen.contains(". .(O). .") && seen.matches("(O)").count() >= 2, "{seen}");
    assert!(seen.contains("White to move, two stones> "), "{seen}");
}

#[test]
fn a_column_is_a_move_where_pieces_fall() {
    let seen = two("four-in-a-row", 8, OpeningId::Free, "d\n4\nd7\nq\n");
    assert!(seen.contains("1 . . . X . . . . 1") && seen.contains("2 . . .(O). "), "{seen}");
    assert!(
        seen.contains("d7: a piece does not come to rest there. Type a move such as d."),
        "{seen}"
    );
    // The prompt of the person and the winner by the line.
    let seen = two("four-in-a-row", 8, OpeningId::Free, "a\nb\na\nb\na\nb\na\nmoves\n");
    assert!(seen.contains("4[X]. ") && seen.contains("Black wins."), "{seen}");
}

#[test]
fn captures_are_named_and_letters_may_leave_out_i() {
    let lines = "k10\ncolumns go\nk10\nl10\nj9\nm10\nn10\n";
    let seen = two("pente", 19, OpeningId::Centre, lines);
    assert!(seen.contains("The centre is j10, as there is a column I: columns go"), "{seen}");
    assert!(seen.contains("White lost l10,m10."), "{seen}");
    assert!(seen.contains("Captured by Black 2, by White 0; 10 stones win."), "{seen}");
    assert!(seen.contains("A B C D E F G H J K L"), "{seen}");
}

#[test]
fn forbidden_points_are_marked_unless_turned_off() {
    let marks = "loses by playing on a point marked *";
    // Black's two twos cross in e5; with two colours of fouls White's as well.
    let cross = ["c5", "d5", "e3", "e4"];
    let black = format!("{}\na1\n{}\na3\n{}\na9\n{}\ni1\n", cross[0], cross[1], cross[2], cross[3]);
    let seen = two("renju", 9, OpeningId::Free, &black);
    assert!(seen.contains(&format!("Black {marks}")) && seen.contains(" * "), "{seen}");
    let seen = two("renju", 9, OpeningId::Free, &format!("forbidden off\n{black}"));
    assert!(!seen.contains(marks) && !seen.contains(" * "), "{seen}");
    let seen = two("renju", 9, OpeningId::Free, &format!("forbidden off\n{black}marks on\n"));
    assert_eq!(seen.matches(marks).count(), 1, "{seen}");
    let seen = two("renju", 9, OpeningId::Free, "forbidden maybe\n");
    assert!(seen.contains("forbidden takes on or off"), "{seen}");
    let white = format!("a1\n{}", black.replace("a1", "a2"));
    let seen = two("renju+fouls-both", 9, OpeningId::Free, &white);
    assert!(seen.contains(&format!("White {marks}")), "{seen}");
}

#[test]
fn all_output_uses_the_chosen_letters() {
    let go = "columns go\n";
    // The moves, and the same in file notation.
    let seen = two("freestyle", 15, OpeningId::Free, &format!("moves\nj8\ni9\n{go}moves\n"));
    assert!(seen.contains("No moves yet.") && seen.contains("1. k8  2. j9"), "{seen}");
    assert!(seen.contains("as in files:\ngoren play --game freestyle --size 15x15"), "{seen}");
    assert!(seen.contains("--opening free j8 i9\n"), "{seen}");
    // The values of the options of an opening.
    let worth = |lines: &str| -> Vec<String> {
        let seen = two("gomoku", 15, OpeningId::Swap2, &format!("{lines}hint\n"));
        let worth = seen.split("in points: ").nth(1).unwrap_or_else(|| panic!("{seen}"));
        let options = worth.lines().next().unwrap().trim_end_matches('.').split(", ");
        options.map(|option| option.rsplit_once(' ').unwrap().0.to_owned()).collect()
    };
    let (with, without) = (worth("m8 a1 n8\n"), worth(&format!("m8 a1 n8\n{go}")));
    let moved = |point: &str| -> String {
        let x = point.as_bytes()[0] + u8::from(point.as_bytes()[0] >= b'i');
        format!("{}{}", char::from(x), &point[1..])
    };
    let expected: Vec<String> = with
        .iter()
        .map(|option| match option.as_str() {
            "swap" => "swap".to_owned(),
            points => points.split(',').map(moved).collect::<Vec<_>>().join(","),
        })
        .collect();
    assert_eq!(without, expected);
    assert!(with.len() > 1 && with != without, "{with:?}");
}

#[test]
fn a_resigned_or_drawn_game_can_be_resumed() {
    let seen = session("freestyle", Seat::First, "e5\nresign\ne4\nundo\nd4\n");
    assert!(seen.contains("White (the engine) wins by resignation."), "{seen}");
    assert_eq!(stones_of(&seen), 4, "{seen}");
    let seen = two("freestyle", 9, OpeningId::Free, "e5\ndraw\nundo\ne4\n");
    assert!(seen.contains("A draw by agreement."), "{seen}");
    assert_eq!(stones_of(&seen), 2, "{seen}");
    // Within a turn of two stones it is resumed in the turn.
    let lines = "j10\nk11\npoints\ndraw\nundo\npoints\nundo\n";
    let seen = two("connect6", 19, OpeningId::Free, lines);
    assert_eq!(seen.matches("A draw by agreement.").count(), 1, "{seen}");
    assert_eq!(seen.matches("k11 and?> ").count(), 4, "{seen}");
    assert_eq!(seen.matches("Every empty point.").count(), 2, "{seen}");
    assert!(seen.ends_with("White to move, two stones> \n"), "{seen}");
    let seen = session("freestyle", Seat::First, "e5\ndraw\n");
    assert!(seen.contains("The engine would") || seen.contains("A draw by agreement."), "{seen}");
}

#[test]
fn a_game_is_saved_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (first, psq) = (at("first"), at("first.psq"));
    let lines = format!(
        "h8 i9 j8\nh7 h9\nswap\na1\nsave {first}\nsave {first}\nsave {psq}\nsave! {psq}\nsave {}\n\
         new\nload {first}.sgf\nmoves\nload {}\n",
        at("x.doc"),
        at("nothing.sgf")
    );
    let seen = two("gomoku", 15, OpeningId::Swap2, &lines);
    assert!(seen.contains("4 plies saved in ") && seen.contains("first.sgf."), "{seen}");
    assert!(seen.contains("not as .doc") && seen.contains("there is no file"), "{seen}");
    assert!(seen.contains("--opening swap-2 h8,i9,j8 h7,h9 swap a1"), "{seen}");
    let seen = two("gomoku", 15, OpeningId::Free, &format!("h8\nsave {first}.sgf\n"));
    assert!(seen.contains("already exists: save! "), "{seen}");
}

#[test]
fn a_saved_game_restores_the_seats() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (white, both) = (at("white"), at("both"));
    let lines = format!("a1\nsave {white}\nmoves\n");
    let seen = session("freestyle", Seat::Second, &lines);
    assert!(seen.contains("--size 9x9 --white --opening free "), "{seen}");
    two("freestyle", 9, OpeningId::Free, &format!("e5\nsave {both}\n"));
    // The extension may be omitted; the seats are those of the file.
    let seen = session("freestyle", Seat::First, &format!("load {white}\nload {both}\n"));
    assert!(seen.contains("you have White, the engine Black"), "{seen}");
    assert_eq!(seen.matches("The engine plays at level").count(), 2, "{seen}");
    // A folder is distinguished from a missing file.
    let dot = folder.path().display().to_string();
    let seen = session("freestyle", Seat::First, &format!("load {dot}\nsave {dot}\n"));
    assert_eq!(seen.matches("is a folder").count(), 2, "{seen}");
}

#[test]
fn redo_drops_the_stones_of_an_unfinished_turn_and_ends_with_the_game() {
    let seen = two("connect6", 19, OpeningId::Free, "j10\nk10 k9\nundo\nk10\nredo\na1 a2\nmoves\n");
    assert!(seen.contains("goren play") && seen.contains("a1,a2"), "{seen}");
    let seen = two("freestyle", 15, OpeningId::Free, "h8\nundo\nresign\nredo\n");
    assert!(seen.contains("The game was ended"), "{seen}");
}

#[test]
fn a_pass_does_not_take_a_swap_on_offer() {
    let seen = two("renju", 15, OpeningId::Taraguchi10, "h8\npass\n--\nmoves\n");
    for pass in ["pass", "--"] {
        assert!(seen.contains(&format!("\n{pass}: passing is not possible now")), "{seen}");
    }
    assert!(seen.contains("--opening taraguchi-10 h8\n"), "{seen}");
}

#[test]
fn the_command_for_the_same_game_has_its_tie_break() {
    let contest = Contest { tie_break: true, ..contest("connect6", 19, OpeningId::Free) };
    let mut table = new_match(contest, Seat::First);
    table.players = [Player::Person; 2];
    let seen = played(table, "j10\nmoves\n");
    assert!(seen.contains("--two --tie-break --opening free j10"), "{seen}");
}

#[test]
fn plies_of_an_opening_are_read_with_the_columns_option() {
    let game = |words: &[&str]| {
        let args = [&["play", "--game", "pente", "--opening", "free"], words].concat();
        let matches = Args::augment_args(clap::Command::new("play")).get_matches_from(args);
        Args::from_arg_matches(&matches).unwrap().game()
    };
    let first = |words: &[&str]| game(words).unwrap().game_state.stones()[0].0;
    assert_eq!(first(&["--columns", "go", "k10"]), Cell::new(9, 9));
    assert_eq!(first(&["k10"]), Cell::new(10, 9));
    assert!(game(&["--columns", "go", "i10"]).is_err());
    for option in [&["--from-top"][..], &["--number", "2"], &["--lenient"]] {
        let error = game(&[option, &["k10"]].concat()).err().unwrap();
        assert!(error.to_string().contains("only --columns"), "{error}");
    }
}

#[test]
fn the_greeting_names_the_next_decision() {
    // The new opening has its stage, though the number of plies is the same as before.
    let seen = session("freestyle", Seat::First, "new renju taraguchi-10\n");
    assert!(seen.contains("taraguchi-10: place Black's stone in the centre"), "{seen}");
    let mut table = new_match(contest("freestyle", 9, OpeningId::Free), Seat::First);
    for text in ["a1", "e5", "a2", "e6", "a3", "e7", "a4", "e8", "a5"] {
        let action = read(&table.game_state, text).unwrap();
        table.game_state.apply(&action).unwrap();
    }
    let seen = played(table, "undo it\nhint 3\n");
    assert!(seen.contains("The game is over; undo, new") && !seen.contains("Type your"), "{seen}");
    assert!(
        seen.contains("undo takes a number") && seen.contains("hint takes no argument"),
        "{seen}"
    );
}

#[test]
fn help_describes_the_game_and_the_pending_decision() {
    let seen = two("connect6", 19, OpeningId::Centre, "help\nj10\nhelp\npoints\n");
    assert!(seen.contains("Type your move, such as j10. Every turn but the first"), "{seen}");
    assert!(seen.contains("in the centre, j10."), "{seen}");
    let seen = two("irensei", 11, OpeningId::Free, "help\n");
    let passes = "Players may pass once 2 plies have been played after the opening; two passes";
    assert!(seen.contains(passes), "{seen}");
}

#[test]
fn a_winning_move_has_no_score() {
    let mut table = new_match(contest("freestyle", 9, OpeningId::Free), Seat::First);
    for text in ["a1", "e5", "a3", "e6", "a5", "e7", "a7", "e8"] {
        let action = read(&table.game_state, text).unwrap();
        table.game_state.apply(&action).unwrap();
    }
    let seen = played(table, "hint\nc3\nsave\n");
    assert!(seen.contains("Try ") && !seen.contains("score"), "{seen}");
    let last = seen.lines().rfind(|line| line.starts_with("The engine played")).unwrap();
    assert!(last == "The engine played e9." || last == "The engine played e4.", "{seen}");
    assert!(seen.contains("White (the engine) wins.") && seen.contains("[O]"), "{seen}");
}

#[test]
fn a_hint_completes_an_unfinished_turn() {
    // Four black stones are in a row, and a fifth is typed.
    let begun = "h8\na1,b1\ni8,j8\nc1,d2\nk8,m12\ne3,f5\nl8\nhint\n";
    let seen = two("connect6", 19, OpeningId::Free, begun);
    let wins = ["Try g8: it wins.", "Try m8: it wins."];
    assert!(wins.iter().any(|hint| seen.contains(hint)), "{seen}");
    // The hint can be typed.
    let seen = two("connect6", 19, OpeningId::Free, "j10\nk10\nhint\n");
    let hint = seen.lines().find_map(|line| line.strip_prefix("Try ")).unwrap();
    let stone = hint.split(' ').next().unwrap();
    assert!(!stone.contains(',') && stone != "k10", "{seen}");
    let seen = two("connect6", 19, OpeningId::Free, &format!("j10\nk10\n{stone}\nmoves\n"));
    assert!(seen.contains("1. j10  2. "), "{seen}");
    // No balanced opening begins in the corner.
    let seen = two("gomoku", 15, OpeningId::Swap2, "a1\nhint\n");
    assert!(seen.contains("Try undo, then "), "{seen}");
}

#[test]
fn levels_and_new_games_can_be_set_in_a_game() {
    let seen = session(
        "freestyle",
        Seat::First,
        "level club\nlevel\nlevel king\ntime x\ntime 2\nnew renju taraguchi-10\nnew chess\n",
    );
    assert!(seen.contains("plays at level club now."), "{seen}");
    assert!(seen.contains("the levels are beginner"), "{seen}");
    assert!(seen.contains("a number of seconds, 0 or more, is needed"), "{seen}");
    assert!(seen.contains("renju on 15x15, opening taraguchi-10: you have Black"), "{seen}");
    assert!(seen.contains("chess"), "{seen}");
}

#[test]
fn the_result_of_a_continued_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let game = at("given-up.sgf");
    std::fs::write(&game, "(;GM[4]RU[0]SZ[9]RE[W+]TE[resignation];B[ee];W[dd])").unwrap();
    let note = "The file says: White won by resignation. The game goes on here.";
    let read = files::read(&ReadingArgs::default(), std::slice::from_ref(&game), None).unwrap();
    assert_eq!(read.result_note.as_deref(), Some(note));
    let seen = session("freestyle", Seat::First, &format!("load {game}\n"));
    assert!(seen.contains(note), "{seen}");
    // If `load` refuses a file, options can be typed after it.
    let odd = at("odd.sgf");
    std::fs::write(&odd, "(;GM[4]RU[Japanese]SZ[9];B[ee])").unwrap();
    let lines = format!("load {odd}\nload {odd} --game freestyle\n");
    let seen = session("freestyle", Seat::First, &lines);
    assert!(seen.contains("(options go after the file: load FILE --lenient)"), "{seen}");
    assert_eq!(seen.matches("opening free: you have").count(), 2, "{seen}");
}

#[test]
fn saving_reports_stones_of_an_unfinished_turn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("half.sgf").display().to_string();
    let lines = format!("j10\nh8\nsave {file}\nh9\nsave {file}\n");
    let seen = two("connect6", 19, OpeningId::Free, &lines);
    assert_eq!(seen.matches("h8 is not saved: the turn is not finished.").count(), 1, "{seen}");
}

#[test]
fn a_new_game_by_gomocups_name_has_no_opening() {
    let seen = session("freestyle", Seat::First, "new gomoku\nnew standard\n");
    assert!(seen.contains("gomoku on 15x15, opening pro:"), "{seen}");
    assert!(seen.contains("standard on 15x15, opening free:"), "{seen}");
}

#[test]
fn the_table_has_the_requested_size() {
    let size = |line: &str| crate::test_args::parse::<Args>(line).unwrap().table.bytes() >> 20;
    assert_eq!((size(""), size("--memory 3")), (128, 3));
}

#[test]
fn columns_accepts_the_names_of_the_option() {
    let seen = session("freestyle", Seat::First, "columns without-i\ncolumns with-i\ncolumns x\n");
    assert!(seen.contains("A B C D E F G H J\n"), "{seen}");
    assert!(seen.contains("columns takes go (or without-i) or all (or with-i)\n"), "{seen}");
    // Regression: boards of 26 columns had a brace after the Z.
    let wide = two("freestyle", 26, OpeningId::Free, "columns go\nz1\n");
    assert!(wide.contains("26 columns need all letters, including I"), "{wide}");
    let seen = session("freestyle", Seat::First, "columns go\nnew freestyle(26x26)\n");
    assert!(seen.contains(" H I J ") && seen.contains(" Y Z\n"), "{seen}");
    let columns = |name: &str| {
        let args: Args = crate::test_args::parse(&format!("--columns {name}")).unwrap();
        args.reading.columns
    };
    assert_eq!([columns("go"), columns("without-i")], [Some(ColumnsArg::WithoutI); 2]);
    assert_eq!([columns("all"), columns("with-i")], [Some(ColumnsArg::WithI); 2]);
}

use super::*;
use crate::record::linear::assert_linear;
use crate::rules::named;
use proptest::prelude::*;

const BOARD: &str = "   A B C D E F\n 5 . . . . . . 5\n 4 . X O . . . 4\n 3 . .(X)* . . 3\n \
                     2 . . . . .[o]2\n 1 . . . . . . 1\n   A B C D E F\n";

fn board() -> String {
    BOARD.replace("[o]", " o ")
}

#[test]
fn boards_are_read_with_and_without_frame_and_labels() {
    let expected = Diagram {
        width: 6,
        height: 5,
        stones: vec![
            (Cell::new(1, 1), Color::Black),
            (Cell::new(2, 1), Color::White),
            (Cell::new(2, 2), Color::Black),
            (Cell::new(5, 3), Color::White),
        ],
        last: Some(Cell::new(2, 2)),
        to_move: None,
    };
    assert_eq!(read(&board()).unwrap().board, expected);
    let bare = "......\n.bw...\n__[@]-,+\n· · · · · ○\r\n......\nBlack to move.\n";
    let with_mover = Diagram { to_move: Some(Color::Black), ..expected };
    assert_eq!(read(bare).unwrap().board, with_mover);
    let framed =
        "+------+\n|......|\n|.xo...|\n|..(x)...|\n|.....o|\n|......|\n+------+\nX to move";
    assert_eq!(read(framed).unwrap().board, with_mover);
}

#[test]
fn a_board_printed_by_goren_is_read_with_its_game() {
    let found = " #  move       score  win %    depth  line\n 1  g9  -66  41.8  1-1  g9 h8\n";
    let heading = "renju 6x5 after 4 stones, White to move\n";
    let printed = format!("note: x\n{heading}{}Threats of White: five at a1\n{found}", board());
    let drawn = read(&printed).unwrap();
    assert_eq!(drawn.variant, Some(Variant::Five(crate::rules::RuleId::Renju)));
    assert_eq!(
        drawn.board,
        Diagram { to_move: Some(Color::White), ..read(&board()).unwrap().board }
    );
    assert_eq!((drawn.notes, drawn.has_labels), (vec![], true));
    let two = printed.replace("to move", "to move, two stones");
    assert_eq!(read(&two).unwrap().board, drawn.board);
    // Missing rows and captured stones are doubts.
    let messages = |text: &str| -> Vec<String> {
        read(text).unwrap().notes.iter().map(|note| format!("{:?} {note}", note.weight)).collect()
    };
    let large = printed.replace("6x5", "6x6");
    let size = "Doubt file: the board is 6x5, but its heading says 6x6";
    assert_eq!(messages(&large), [size]);
    let captured = |by: &str| printed.replace(found, &format!("Captured: {by}\n{found}"));
    let message = "Doubt line 11: not used: \"Captured: 2 by Black, 0 by White\"";
    assert_eq!(messages(&captured("2 by Black, 0 by White")), [message]);
    assert_eq!(messages(&captured("0 by Black, 0 by White")), [""; 0]);
    // Other lines above a board are no heading.
    for other in ["chess 6x5, White to move\n", "renju 6x5, an end game\n", "White to move\n"] {
        assert_eq!(read(&format!("{other}{}", board())).unwrap().variant, None, "{other}");
    }
}

#[test]
fn bad_boards_are_refused_by_line_and_sign() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(error(""), "no row of a board was found");
    assert_eq!(
        error(&board().replace("O .", "Z .")),
        "line 3, column 8: 'Z' is neither a stone nor an empty point"
    );
    assert_eq!(error("......\n.....\n"), "line 2: a row of 5 points, but the first has 6");
    assert_eq!(error(BOARD), "line 5: a second stone in brackets");
    assert_eq!(error("....\n....\n"), "a board of 4x2 is not supported; sides must be 5 to 26");
    assert!(error(&"x".repeat(27)).starts_with("a board of 27x1"));
    assert!(error(&"x\n".repeat(99)).starts_with("a board of 1x99"));
}

/// Writes the board of a text: size, Black's stones, White's stones and the newest stone; rows
/// from the bottom.
fn stones(text: &str) -> String {
    let Drawn { board, .. } = read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let of = |color| {
        let names = board.stones.iter().filter(|stone| stone.1 == color);
        let names = names.map(|(cell, _)| cell.label(board.height).to_lowercase());
        names.collect::<Vec<_>>().join(" ")
    };
    let last = board.last.map_or(String::new(), |cell| cell.label(board.height).to_lowercase());
    let size = format!("{}x{}", board.width, board.height);
    format!("{size} {} / {} / {last}", of(Color::Black), of(Color::White))
}

fn notes(text: &str) -> Vec<(Weight, String)> {
    let notes = read(text).unwrap().notes;
    notes.into_iter().map(|note| (note.weight, note.text)).collect()
}

/// Joins the rows of a board.
fn drawn(rows: [&str; 7]) -> String {
    rows.join("\n")
}

/// A board with Black on c5, d4 and d3, and White on d5 and c4.
const SEVEN: [&str; 7] =
    [".......", ".......", "..XO...", "..OX...", "...X...", ".......", "......."];

const PLAYED: &str = "7x7 c5 d4 d3 / d5 c4 / ";

/// Draws [`SEVEN`] in other signs with a separator.
fn signed(black: &str, white: &str, empty: &str, between: &str) -> String {
    let sign = |c: char| match c {
        'X' => black,
        'O' => white,
        _ => empty,
    };
    let row = |row: &str| row.chars().map(sign).collect::<Vec<_>>().join(between);
    SEVEN.map(row).join("\n")
}

#[test]
fn many_signs_for_stones_are_read() {
    for (black, white, empty) in [
        ("X", "O", "."),
        ("x", "o", "-"),
        ("X", "0", "."),
        ("x", "0", "-"),
        ("1", "2", "0"),
        ("1", "2", "."),
        ("B", "W", "+"),
        ("\u{25cf}", "\u{25cb}", "\u{253c}"),
        ("\u{26ab}", "\u{26aa}", "\u{b7}"),
        ("\u{26ab}\u{fe0f}", "\u{26aa}\u{fe0f}", "\u{ff0b}"),
        ("\u{25cf}", "\u{25ef}", "\u{5341}"),
        ("\u{ff38}", "\u{ff2f}", "\u{ff0e}"),
        ("\u{9ed1}", "\u{767d}", "\u{30fb}"),
        ("#", "O", "."),
        ("*", "O", "."),
        ("*", "o", "+"),
        ("+", "O", "."),
        ("\u{25a0}", "\u{25a1}", "."),
        ("\u{25cf}", "\u{25cb}", "\u{25a1}"),
        ("1", "-1", "0"),
    ] {
        for between in [" ", "  ", "", ", "] {
            if white == "-1" && !between.contains(' ') {
                continue;
            }
            let text = signed(black, white, empty, between);
            assert_eq!(stones(&text), PLAYED, "{text}");
        }
    }
}

#[test]
fn guessed_meanings_of_signs_are_reported() {
    let of = |black: &str, white: &str, empty: &str| notes(&signed(black, white, empty, " "));
    assert_eq!(of("X", "O", "."), []);
    let first = |notes: Vec<(Weight, String)>| notes.into_iter().next().unwrap();
    let says = "a line such as 1=White 2=Black overrides this";
    assert_eq!(
        first(of("1", "2", "0")),
        (Weight::Remark, format!("read 0 as an empty point, 1 as Black, 2 as White; {says}"))
    );
    assert_eq!(first(of("X", "0", ".")), (Weight::Remark, format!("read 0 as White; {says}")));
    // Here the colours are in doubt.
    assert_eq!(first(of("1", "0", ".")).0, Weight::Doubt);
    assert_eq!(
        first(of("*", "O", ".")),
        (Weight::Remark, "* is read as Black; a line such as *=White overrides this".into())
    );
    // There are more of them than Black can have stones: they are empty points.
    let stars = signed("X", "O", ".", "").replace("X", "*").replacen(".", "*", 9);
    assert_eq!(stones(&stars), "7x7  / d5 c4 / ");
}

#[test]
fn a_legend_assigns_signs_to_colours() {
    let swapped = "7x7 d5 c4 / c5 d4 d3 / ";
    for (text, legend) in [
        (signed("1", "2", "0", " "), "1=White 2=Black"),
        (signed("X", "O", ".", " "), "X - white, O - black"),
        (signed("*", "o", "-", ""), "Black: o  White: *"),
        (signed("0", "1", ".", ""), "0 = white; 1 = black"),
    ] {
        assert_eq!(stones(&format!("{legend}\n{text}\n")), swapped, "{legend}");
        assert_eq!(stones(&format!("{text}\n{legend}")), swapped, "{legend}");
    }
}

#[test]
fn row_and_column_labels_of_all_kinds_are_ignored() {
    let margin = |left: fn(usize) -> String, right: fn(usize) -> String, signs: [&str; 3]| {
        let text = signed(signs[0], signs[1], signs[2], " ");
        let rows = (0..7).zip(text.lines());
        rows.map(|(y, row)| format!("{}{row}{}", left(y), right(y))).collect::<Vec<_>>().join("\n")
    };
    let none = |_| String::new();
    for signs in
        [["X", "O", "."], ["1", "2", "0"], ["x", "0", "-"], ["\u{25cf}", "\u{25cb}", "\u{253c}"]]
    {
        for (left, right) in [
            ((|y| format!("{:2} ", 7 - y)) as fn(usize) -> String, none as fn(usize) -> String),
            (|y| format!("{} ", 7 - y), |y| format!(" {}", 7 - y)),
            (|y| format!("{:02} ", y + 1), none),
            (|y| format!("{y}: "), none),
            (none, |y| format!(" {}", y + 1)),
            (|y| format!("{} ", (b'a' + y as u8) as char), none),
            (|y| format!("{} | ", 7 - y), |y| format!(" | {}", 7 - y)),
        ] {
            let rows = margin(left, right, signs);
            for head in ["  a b c d e f g\n", "  1 2 3 4 5 6 7\n", "  0 1 2 3 4 5 6\n\n", ""] {
                for foot in ["\n  A B C D E F G\n", "\n  --------------\n", "\n"] {
                    let text = format!("{head}{rows}{foot}");
                    assert_eq!(stones(&text), PLAYED, "{text}");
                }
            }
        }
    }
    let from_top = margin(|y| format!("{} ", y + 1), none, ["X", "O", "."]);
    assert_eq!(notes(&from_top).len(), 1);
    let touching = SEVEN.iter().zip(1..).map(|(row, y)| format!("{y}{row}{y}\n"));
    assert_eq!(stones(&touching.collect::<String>()), PLAYED);
}

#[test]
fn grids_are_drawn_with_lines() {
    let boxed = "\u{250c}\u{2500}\u{252c}\u{2500}\u{252c}\u{2500}\u{252c}\u{2500}\u{2510}\n\
                 \u{2502} \u{2502} \u{2502} \u{2502} \u{2502}\n\
                 \u{251c}\u{2500}\u{25cf}\u{2500}\u{253c}\u{2500}\u{25cb}\u{2500}\u{2524}\n\
                 \u{251c}\u{2500}\u{253c}\u{2500}\u{253c}\u{2500}\u{253c}\u{2500}\u{2524}\n\
                 \u{251c}\u{2500}\u{253c}\u{2500}\u{25cf}\u{2500}\u{253c}\u{2500}\u{2524}\n\
                 \u{2514}\u{2500}\u{2534}\u{2500}\u{2534}\u{2500}\u{2534}\u{2500}\u{2518}\n";
    assert_eq!(stones(boxed), "5x5 b4 c2 / d4 / ");
    let plain = "+---+---+---+---+\n|   |   |   |   |\n+---X---+---O---+\n|   |   |   |   |\n\
                 +---+---+---+---+\n|   |   |   |   |\n+---+---X---+---+\n|   |   |   |   |\n\
                 +---+---+---+---+\n";
    assert_eq!(stones(plain), "5x5 b4 c2 / d4 / ");
    let cells = "+---+---+---+---+---+\n|   |   |   |   |   |\n+---+---+---+---+---+\n\
                 |   | X |   | O |   |\n+---+---+---+---+---+\n|   |   |   |   |   |\n\
                 +---+---+---+---+---+\n|   |   |(X)|   |   |\n+---+---+---+---+---+\n\
                 |   |   |   |   |   |\n+---+---+---+---+---+\n";
    assert_eq!(stones(cells), "5x5 b4 c2 / d4 / c2");
    let numbered: String = cells
        .lines()
        .zip((1..12).rev())
        .map(
            |(line, y)| {
                if y % 2 == 0 { format!("{} {line}\n", y / 2) } else { format!("  {line}\n") }
            },
        )
        .collect();
    assert_eq!(stones(&format!("    a   b   c   d   e\n{numbered}")), "5x5 b4 c2 / d4 / c2");
    let error = read(&cells.replace("| O |", "| OX|")).unwrap_err().to_string();
    assert_eq!(error, "line 4, column 14: 'X' is neither a stone nor an empty point");
    let error = read(&cells.replace("| O |", "| Z |")).unwrap_err().to_string();
    assert_eq!(error, "line 4, column 14: 'Z' is neither a stone nor an empty point");
}

#[test]
fn boards_of_programs_are_read() {
    // RenLib writes the moves below its board; they are read elsewhere.
    let text_board = "          X=Black   O=White\n\n    A B C D E F G\n\
                      7 . . . . . . . 7\n6 . . . . . . . 6\n5 . . X O . . . 5\n\
                      4 . . O X . . . 4\n3 . . . X . . . 3\n2 . . . . . . . 2\n\
                      1 . . . . . . . 1\n    A B C D E F G\n    ----- Text Board -----\n";
    assert_eq!(stones(text_board), PLAYED);
    // Arrays of code.
    let array = signed("1", "2", "0", ", ");
    let array: String = array.lines().map(|row| format!(" [{row}],\n")).collect();
    assert_eq!(stones(&format!("board = [\n{array}]\n")), PLAYED);
    let quoted = signed("\"X\"", "\"O\"", "\".\"", ",");
    let quoted: String = quoted.lines().map(|row| format!("[{row}],\n")).collect();
    assert_eq!(stones(&quoted), PLAYED);
    // Wikis of Go.
    let wiki: String = drawn(SEVEN).lines().map(|row| format!("$$ | {row} |\n")).collect();
    assert_eq!(
        stones(&format!("$$B A title of some words\n$$ ---------\n{wiki}$$ ---------\n")),
        PLAYED
    );
    // Newest stones.
    let newest = drawn(SEVEN).replace("...X...", "...#...").replace("OX", "QX");
    assert_eq!(stones(&newest.replace('Q', "O")), "7x7 c5 d4 d3 / d5 c4 / d3");
    assert_eq!(stones(&newest.replace('#', "X")), "7x7 c5 d4 d3 / d5 c4 / c4");
    let circles = signed("\u{25cf}", "\u{25cb}", ".", "").replacen('\u{25cf}', "\u{25c6}", 1);
    assert_eq!(stones(&circles), "7x7 c5 d4 d3 / d5 c4 / c5");
}

#[test]
fn unused_lines_are_reported() {
    let text =
        format!("Puzzle 12\n15\n2005-04-12\n{}\nBlack to play\nCaptures: X 2\n", drawn(SEVEN));
    assert_eq!(stones(&text), PLAYED);
    assert_eq!(
        notes(&text),
        [
            (Weight::Remark, "not used: \"Puzzle 12\"".to_string()),
            (Weight::Remark, "not used: \"15\"".to_string()),
            (Weight::Remark, "not used: \"2005-04-12\"".to_string()),
            (Weight::Doubt, "not used: \"Captures: X 2\"".to_string()),
        ]
    );
    assert_eq!(read(&text).unwrap().board.to_move, Some(Color::Black));
    let head = format!("ABCDEFGHJ\n{}", "...X...O.\n".repeat(9));
    assert_eq!(notes(&head).len(), 1);
}

/// Returns the rows of a 15x15 board with stones in two of them.
fn fifteen() -> Vec<String> {
    let mut rows = vec![".".repeat(15); 15];
    rows[7] = ".......XO......".into();
    rows[8] = ".......OX......".into();
    rows
}

fn doubts(text: &str) -> Vec<String> {
    let notes = notes(text).into_iter();
    notes.filter(|(weight, _)| *weight == Weight::Doubt).map(|(_, text)| text).collect()
}

#[test]
fn a_row_followed_by_text_is_doubted() {
    let skipped = |suffix: &str| {
        let mut rows = fifteen();
        rows[7] += suffix;
        doubts(&rows.join("\n"))
    };
    for suffix in ["   <- here", "  # last", " // best", "  White has a four", " *** note"] {
        let row = format!(".......XO......{suffix}");
        let message = format!("not used: {row:?}, which looks like a row of the board");
        assert_eq!(skipped(suffix), [message], "{suffix}");
    }
    // Row numbers reveal the gap too, even if the row is missing altogether.
    let numbered = |skip: usize, suffix: &str| {
        let rows = fifteen().into_iter().zip((1..=15).rev()).filter(|&(_, number)| number != skip);
        let row =
            |(row, number)| format!("{number:2} {row}{}\n", if number == 8 { suffix } else { "" });
        rows.map(row).collect::<String>()
    };
    assert_eq!(doubts(&numbered(0, "")), [""; 0]);
    let gap = "the row below 9 is labelled 7: rows may be missing";
    let doubted = doubts(&numbered(0, "  # last"));
    assert!(doubted.len() == 2 && doubted[1] == gap, "{doubted:?}");
    assert_eq!(doubts(&numbered(8, "")), [gap]);
    let below = "the least label of a row is 2: rows may be missing";
    assert_eq!(doubts(&numbered(1, "")), [below]);
    assert_eq!(doubts(&numbered(15, "")), [""; 0]);
}

#[test]
fn headings_name_the_game_and_the_side_to_move() {
    let read = |heading: &str| read(&format!("{heading}\n{}\n", fifteen().join("\n"))).unwrap();
    let renju = Some(Variant::Five(crate::rules::RuleId::Renju));
    for (heading, variant, to_move) in [
        ("renju, white to move", renju, Some(Color::White)),
        ("Renju: White to move", renju, Some(Color::White)),
        ("renju", renju, None),
        ("Game: renju", renju, None),
        ("Rule: 4", renju, None),
        ("Renju 15x15, after 4 stones, Black to move.", renju, Some(Color::Black)),
        ("Renju (puzzle 12) - X to play and win", renju, Some(Color::Black)),
        ("12. Renju rules | Next: white", renju, Some(Color::White)),
        ("Black's turn", None, Some(Color::Black)),
        ("White plays", None, Some(Color::White)),
        ("白先", None, Some(Color::White)),
    ] {
        let Drawn { variant: game, board, notes, .. } = read(heading);
        assert_eq!((game, board.to_move, notes), (variant, to_move, vec![]), "{heading}");
    }
    let outcome = |heading: &str| {
        let Drawn { variant, board, notes, .. } = read(heading);
        let notes = notes.iter().map(|note| (note.weight, note.question));
        (variant, board.to_move, notes.collect::<Vec<_>>())
    };
    let game = vec![(Weight::Doubt, Some(Question::Game))];
    let doubt = vec![(Weight::Doubt, None)];
    let remark = vec![(Weight::Remark, None)];
    let (white, black) = (Some(Color::White), Some(Color::Black));
    for (heading, expected) in [
        // Next to other words, a name may refer to something else.
        ("Ann's best Renju trick", (None, None, game.clone())),
        ("Ann's trick, white to move", (None, white, remark.clone())),
        ("Black plays h8", (None, None, remark.clone())),
        ("Rules: no overlines", (None, None, game.clone())),
        ("renju\ncaro", (named("caro").map(|game| game.variant), None, game.clone())),
        ("Black to move\nWhite to move", (None, white, doubt.clone())),
        ("Renju 19x19", (renju, None, doubt)),
        ("Game 12", (None, None, remark)),
        // The legend gives the colour of the sign.
        ("X=White O=Black\nX to move", (None, white, vec![])),
        ("X to move", (None, black, vec![])),
    ] {
        assert_eq!(outcome(heading), expected, "{heading}");
    }
}

#[test]
fn a_board_with_carriage_returns_is_read() {
    assert_eq!(stones(&SEVEN.join("\r")), PLAYED);
}

#[test]
fn long_texts_are_read_in_linear_time() {
    for part in [
        ".",
        "0",
        "1 ",
        "X\n",
        "|",
        "| |",
        "+-",
        "(",
        "[0,",
        "X=Black ",
        "\u{253c}",
        "9",
        "\n",
        "renju 1\n",
    ] {
        assert_linear(|| {
            let _ = read(&part.repeat(200_000));
            let _ = read(&format!("{}\n{}", drawn(SEVEN), part.repeat(200_000)));
        });
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "[ .XO()\\[\\]0-9\n|a-z\u{e9}\u{25cf}]{0,120}") {
        let _ = read(&text);
    }

    #[test]
    fn mutated_boards_keep_their_stones_inside(at in 0..BOARD.len(), sign in any::<char>()) {
        let mut text: Vec<char> = BOARD.chars().collect();
        text[at] = sign;
        let text: String = text.into_iter().collect();
        if let Ok(Drawn { board: Diagram { width, height, stones, .. }, .. }) = read(&text) {
            let inside = |&(cell, _): &(Cell, Color)| cell.x() < width && cell.y() < height;
            prop_assert!(stones.iter().all(inside));
        }
    }
}

use super::*;
use crate::record::import::list::item::{Item, ListMove};
use crate::record::import::points::WrittenPoint;
use crate::record::linear::assert_linear;
use crate::rules::Outcome;
use crate::types::Color;

fn read(text: &str) -> String {
    let shown = |item: &Item| {
        let color = item.color.map_or("", |color| if color == Color::Black { "B" } else { "W" });
        let what = match item.what {
            ListMove::Point(point) => point.to_string().to_lowercase(),
            ListMove::Pair([x, y]) => format!("{x},{y}"),
            ListMove::Letters([x, y]) => format!("{x}:{y}"),
            ListMove::Drop(x) => format!("drop {x}"),
            ListMove::Pass => "pass".into(),
            ListMove::Swap => "swap".into(),
        };
        format!("{color}{what}")
    };
    match lex(text, false) {
        Ok(lexed) => lexed.items.iter().map(shown).collect::<Vec<_>>().join(" "),
        Err(ListFault { at, number, word, .. }) => format!("at {at}: move {number} ({word})"),
    }
}

#[test]
fn points_are_read_with_any_separators() {
    for text in [
        "h8i9g7",
        "h8 i9 g7",
        "H8,I9,G7",
        "h8_i9_g7",
        "H8-I9-G7",
        "h8;i9;g7",
        "1. h8 i9 2. g7",
        "1.h8 2.i9 3.g7",
        "1 H8     2 I9\n  3 G7",
        "1) h8 2) i9 3) g7",
        "1: h8, 2: i9, 3: g7",
        "[\"h8\",\"i9\",\"g7\"]",
        "h8 -> i9 -> g7",
        "(h8) (i9) (g7)",
        "h8/i9/g7",
        "h8|i9|g7",
        "h8→i9→g7",
        "h8. i9. g7.",
        "h8--i9--g7",
        "1. h8 -- 2. i9 g7",
    ] {
        let expected = if text.contains(" -- ") { "h8 pass i9 g7" } else { "h8 i9 g7" };
        assert_eq!(read(text), expected, "{text}");
    }
    assert_eq!(read("B h8 W i9"), "Bh8 Wi9");
    assert_eq!(read("Black: H8, White: I9"), "Bh8 Wi9");
    assert_eq!(read("黑H8 白I9"), "Bh8 Wi9");
    assert_eq!(read("h8 pass -- i9"), "h8 pass pass i9");
    assert_eq!(read("h8 i9 swap g7 resign"), "h8 i9 swap g7");
    assert_eq!(read(""), "");
    let ended = lex("1. h8 i9 2. g7 0-1", false).unwrap();
    assert_eq!((ended.items.len(), ended.result), (3, Some(Outcome::Win(Color::White))));
}

#[test]
fn pairs_of_numbers_are_read_with_any_separators() {
    for text in [
        "8,8 9,9 7,10",
        "(8,8)(9,9)(7,10)",
        "(8, 8), (9, 9), (7, 10)",
        "[[8,8],[9,9],[7,10]]",
        "8,8\n9,9\n7,10\n",
        "8 8\n9 9\n7 10",
        "8,8;9,9;7,10",
        "8, 8; 9, 9; 7, 10",
        "8-8 9-9 7-10",
        "8:8 9:9 7:10",
        "8.8 9.9 7.10",
        "1. 8,8 2. 9,9 3. 7,10",
        "1. (8,8) 2. (9,9) 3. (7,10)",
        "1: (8,8), 2: (9,9), 3: (7,10)",
        "8,8,9,9,7,10",
        "8 8 9 9 7 10",
        "8, 8, 9, 9, 7, 10",
        "[{\"x\":8,\"y\":8},{\"x\":9,\"y\":9},{\"x\":7,\"y\":10}]",
        "{row: 8, col: 8} {row: 9, col: 9} {row: 10, col: 7}",
        "[{\"x\": 8, \"y\": 8, \"player\": 1}, {\"x\":9,\"y\":9,\"player\":2}, {\"x\":7,\"y\":10}]",
        "8,8,1 9,9,2 7,10,1",
        "(8,8,0) (9,9,12) (7,10,99)",
        "8/8 9/9 7/10",
        "{{8,8},{9,9},{7,10}}",
    ] {
        assert_eq!(read(text), "8,8 9,9 7,10", "{text}");
    }
    let lexed = lex("8,8,1 9,9,2", false).unwrap();
    let thirds: Vec<_> = lexed.items.iter().map(|item| item.third).collect();
    assert_eq!((thirds, lexed.is_flat), (vec![Some(1), Some(2)], false));
    assert!(lex("8,8,9,9", false).unwrap().is_flat);
}

#[test]
fn pairs_of_letters_are_read_as_in_sgf() {
    for text in ["hh ii gj", "hhiigj", "HH,II,GJ", "[hh][ii][gj]", "1. hh 2. ii 3. gj"] {
        assert_eq!(read(text), "7:7 8:8 6:9", "{text}");
    }
    assert_eq!(read(";B[hh];W[ii]"), "B7:7 W8:8");
}

#[test]
fn errors_name_the_word_and_the_move() {
    for (text, expected) in [
        ("h8 i9x", "at 5: move 3 (x)"),
        ("h8 B W", "at 5: move 2 (W)"),
        ("7.5,7 8,8", "at 0: move 1 (7.5)"),
        ("h8 !", "at 3: move 2 (!)"),
        ("h8 12", "at 3: move 2 (12)"),
        ("h8 i01", "at 3: move 2 (i01)"),
        ("h8 i", "at 3: move 2 (i)"),
        ("h8 \u{e9}1", "at 3: move 2 (\u{e9}1)"),
        ("hello", "at 0: move 1 (hello)"),
        ("h8 W", "at 3: move 2 (W)"),
        ("X O", "at 2: move 1 (O)"),
        ("8,8 9,x", "at 6: move 2 (x)"),
        ("8 8 9 x", "at 6: move 2 (x)"),
        ("8,8 100,9", "at 4: move 2 (100)"),
        ("8 8 9 9 100 9", "at 8: move 3 (100)"),
        ("8,8\n9,9 100,9", "at 8: move 3 (100)"),
        ("(8,8)(100,9)", "at 6: move 2 (100)"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn errors_explain_why_numbers_are_no_pairs() {
    for (text, expected, reason) in [
        ("8", "at 0: move 1 (8)", "an odd number of coordinates"),
        ("8 8 9", "at 4: move 2 (9)", "an odd number of coordinates"),
        ("8, 8, 9", "at 6: move 2 (9)", "an odd number of coordinates"),
        ("8 8 9 9 7", "at 8: move 3 (7)", "an odd number of coordinates"),
        ("8,8,9,9,7", "at 8: move 3 (7)", "an odd number of coordinates"),
        ("8,8 9", "at 4: move 2 (9)", "one number alone"),
        ("(8,8)(9)", "at 6: move 2 (9)", "one number alone"),
        ("8 8\n9\n", "at 4: move 2 (9)", "one number alone"),
        ("(8,8)(9,9,9,9)", "at 6: move 2 (9)", "more than three numbers"),
        ("8,8 9,9,9,9", "at 4: move 2 (9)", "more than three numbers"),
        ("1 2 3\n4 5 6 7\n", "at 6: move 2 (4)", "more than three numbers"),
        ("8,8 100,9", "at 4: move 2 (100)", "no board has so many columns"),
    ] {
        assert_eq!(read(text), expected, "{text}");
        let what = lex(text, false).unwrap_err().what;
        assert!(what.starts_with(reason), "{text}: {what}");
    }
    // A third number after a blank is a colour, or there is one in each line.
    assert_eq!(read("8 8 1"), "8,8");
    assert_eq!(read("8 8 40\n9 9 12\n"), "8,8 9,9");
}

#[test]
fn letters_are_columns_if_pieces_fall() {
    let items = lex("ddc1 A", true).unwrap().items;
    let moves: Vec<ListMove> = items.iter().map(|item| item.what).collect();
    let c1 = ListMove::Point(WrittenPoint { letter: 2, row: 1 });
    assert_eq!(moves, [ListMove::Drop(3), ListMove::Drop(3), c1, ListMove::Drop(0)]);
}

#[test]
fn long_texts_are_read_in_linear_time() {
    for part in
        ["h8", "(", "8,8 ", "8 8\n", "hh", "-", "--", "1.", "8,", "{x:", "B", "9", "[[", ";"]
    {
        let text = part.repeat(200_000);
        assert_linear(|| {
            let _ = (lex(&text, false), lex(&text, true));
        });
    }
}

use super::tests::{contest, session_of, two};
use super::*;
use goren_core::opening::Seat;

#[test]
fn openings_are_explained() {
    let seen = session_of(contest("gomoku", 15, OpeningId::Swap2), Seat::Second, "swap\nquit\n");
    let stage = "swap-2: swap, or place White's stone, such as ";
    assert!(seen.contains(stage) && seen.contains("in this order: White, Black, such"), "{seen}");
    assert!(seen.contains("You swap: you have Black, the engine White."), "{seen}");
    let seen = session_of(contest("renju", 15, OpeningId::Rif), Seat::First, "h8,h9,h10\nquit\n");
    assert!(seen.contains("place the first three stones of a renju opening"), "{seen}");
    assert!(!seen.contains("score"), "{seen}");
    let ten = two("renju", 15, OpeningId::Taraguchi10, "h8\nh9\nk11\nh10\n");
    assert!(ten.contains("within 2 of the centre, f6 to j10"), "{ten}");
    assert!(
        ten.contains("k11: the opening does not allow a stone there. Type a move such"),
        "{ten}"
    );
}

#[test]
fn fifths_on_offer_are_marked() {
    let lines = "h8,h9,h10\nswap\ni9 2\nswap\ng7 a1\na1 c3\n";
    let seen = two("renju", 15, OpeningId::Soosorv8, lines);
    assert!(seen.contains("Fifths on offer (?): a1,g7."), "{seen}");
    assert!(seen.contains(" 1 ? . . "), "{seen}");
    assert!(
        seen.contains("keep one of the fifths on offer, and place White's sixth stone, such as "),
        "{seen}"
    );
    assert!(seen.contains("1(X). . ") && seen.contains(" 3 . .(O). "), "{seen}");
}

#[test]
fn a_sequence_of_moves_needs_the_free_opening() {
    let words = ["h8a1i8c1h9e1g10o1".to_owned()];
    let free = contest("freestyle", 15, OpeningId::Free);
    assert_eq!(read_plies(&free, &words).unwrap().actions().len(), 8);
    let error = read_plies(&contest("gomoku", 15, OpeningId::Pro), &words).unwrap_err().to_string();
    assert!(error.contains("with --opening each ply is a word"), "{error}");
}

#[test]
fn a_file_in_place_of_plies_is_refused_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.sgf");
    std::fs::write(&file, "(;GM[4]RU[0]SZ[15];B[hh];W[ii])").unwrap();
    let [existing, missing] =
        [file, folder.path().join("none.sgf")].map(|path| path.display().to_string());
    let free = contest("freestyle", 15, OpeningId::Free);
    let error = |words: &[String]| read_plies(&free, words).unwrap_err().to_string();
    let advice = "with --opening each word is a ply: leave out --opening to give a file";
    assert!(error(&[existing]).ends_with(&format!("a.sgf is a file; {advice}")));
    assert!(error(&[missing]).ends_with(&format!("none.sgf; {advice}")));
    // Illegal plies are reported as such.
    let twice = error(&["h8".into(), "h8".into()]);
    assert!(twice.starts_with("ply 2 (h8): ") && !twice.contains("a file"), "{twice}");
}

#[test]
fn an_unfinished_turn_is_shown_with_all_its_stones() {
    let seen = two("renju", 15, OpeningId::Swap2, "h8\nd7\nmoves\ne9\nmoves\n");
    assert!(seen.contains("h8 and?> d7") && seen.contains("h8,d7 and?> e9"), "{seen}");
    assert!(seen.contains("No moves yet.\nThe turn is not finished: h8,d7 so far.\n"), "{seen}");
    let begun = seen.split("h8,d7 and?> ").next().unwrap();
    assert!(begun.contains(" 7 . . .(O). . ") && begun.contains(" . .(X). . "), "{seen}");
    // The order of Black's stones is explained.
    assert!(seen.contains("Black's two stones may come in either order; "), "{seen}");
    assert!(seen.contains("1. e9,d7,h8"), "{seen}");
    // The order matters where pieces fall.
    let falls = two("four-in-a-row", 8, OpeningId::Swap2, "");
    assert!(falls.contains("in this order: ") && !falls.contains("either order"), "{falls}");
}

#[test]
fn fifths_are_marked_while_they_are_offered() {
    let lines = "h8,h9,h10\nswap\ni9 2\nswap\ng7\n";
    let seen = two("renju", 15, OpeningId::Soosorv8, lines);
    assert!(seen.contains("Fifths on offer (?): g7."), "{seen}");
    assert!(seen.contains(" 7 . . . . . .(?). "), "{seen}");
}

#[test]
fn a_new_game_has_the_default_board_and_opening_of_its_name() {
    let lines = "new connect4\nnew Sakata\nnew Sakata rif\n";
    let seen = session_of(contest("freestyle", 9, OpeningId::Free), Seat::First, lines);
    assert!(seen.contains("four-in-a-row on 7x6, opening free:"), "{seen}");
    assert!(seen.contains("\"Sakata\" names an opening that Goren does not know"), "{seen}");
    assert_eq!(seen.matches("renju on 15x15, opening ").count(), 1, "{seen}");
    assert!(seen.contains("renju on 15x15, opening rif:"), "{seen}");
}

#[test]
fn an_unfinished_turn_cannot_end_by_a_pass_or_a_swap() {
    let begun = "a turn that has begun cannot end with a pass or a swap";
    let lines = "j10\nk10 k9\nl10\npass\n--\nl9\nmoves\n";
    let seen = two("connect6", 19, OpeningId::Free, lines);
    assert_eq!(seen.matches(begun).count(), 2, "{seen}");
    assert!(seen.contains("3. l9,l10"), "{seen}");
    let lines = "j10\nk10 k9\na1 a2\nb1\nswap\nb2\nmoves\n";
    let seen = two("connect6", 19, OpeningId::Swap3rd, lines);
    assert_eq!(seen.matches(begun).count(), 1, "{seen}");
    assert!(seen.contains("4. b1,b2"), "{seen}");
}

//! Games with variations: set-up stones before the lines, comments on them, and writing.

use super::tests::{events, notes, one};
use super::*;
use crate::record::diagram::Diagram;
use crate::types::{Cell, Color};

fn all(text: &str) -> Lines {
    let input = Input::new(text.as_bytes(), None).unwrap();
    lines(&input, &Hints::default(), 0).unwrap().unwrap()
}

/// Returns the comments of a line, each with the number of events before its position.
fn comments(line: &Line) -> Vec<(usize, &str)> {
    line.remarks.iter().map(|remark| (remark.events, &remark.comment[..])).collect()
}

/// Returns a 15x15 position.
fn position(stones: &[((usize, usize), Color)], to_move: Option<Color>) -> Diagram {
    let stone = |&((x, y), color): &((usize, usize), Color)| (Cell::new(x, y), color);
    let stones = stones.iter().map(stone).collect();
    Diagram { width: 15, height: 15, stones, last: None, to_move }
}

/// Regression: marks and labels were read as on a board with a column I, whatever the stones used.
#[test]
fn marks_use_the_column_letters_of_the_stones() {
    let found = all("(;GM[4]SZ[19]RU[pente];B[k10];W[t1]LB[l10:A]TR[k10])");
    let remark = &found.lines[0].remarks[0];
    assert_eq!(remark.labels, [(Cell::new(10, 9), "A".to_owned())]);
    assert_eq!(remark.signs[0].0, Cell::new(9, 9));
}

/// Regression: set-up stones were merged into the last position of the main line.
#[test]
fn lines_start_from_the_set_up_stones() {
    use Color::{Black, White};
    let set_up = "(;GM[4]RU[renju]SZ[15]AB[hh][ii]AW[hi]PL[B]C[here]";
    let stones = [((7, 7), Black), ((7, 8), White), ((8, 8), Black)];
    let found = all(&format!("{set_up}(;W[jj]C[a];B[aa])(;W[kk]C[b]))"));
    let [main, other] = &found.lines[..] else { panic!("{found:?}") };
    assert_eq!(events(&main.game), "W j6, B a15");
    assert_eq!(events(&other.game), "W k5");
    assert_eq!(comments(main), [(0, "here"), (1, "a")]);
    assert_eq!(comments(other), [(0, "here"), (1, "b")]);
    // The first move decides who is to move; without a move, the file does.
    for line in [main, other] {
        assert_eq!(line.beginning, Some(position(&stones, Some(White))));
        assert_eq!(line.game.board, None);
    }
    let alone = all(&format!("{set_up})"));
    assert_eq!(alone.lines[0].beginning, Some(position(&stones, Some(Black))));
    // Stones may be set up in a later node, before the first move.
    let late = all("(;GM[4]RU[renju]SZ[15];AB[hh][ii]AW[hi];W[jj])");
    assert_eq!(late.lines[0].beginning, Some(position(&stones, Some(White))));
}

#[test]
fn a_line_ends_before_stones_set_up_after_a_move() {
    let found = all("(;GM[4]RU[0]SZ[15]AB[hh];W[ii]C[a];AB[jj]C[b];W[kk]C[c])");
    let [line] = &found.lines[..] else { panic!("{found:?}") };
    assert_eq!((events(&line.game), comments(line)), ("W i7".into(), vec![(1, "a")]));
    let notes = notes(&line.game);
    assert!(notes[0].starts_with("! byte 38: stones are set up after a move"), "{notes:?}");
}

/// Regression: these comments were taken for statistics of a move, and lost.
#[test]
fn opening_moves_of_c_gomoku_cli_keep_their_comments() {
    let found = all("(;GM[4]RU[0]SZ[15];B[hh]C[opening move];W[ii]C[84ms](;B[jj])(;B[kk]C[a]))");
    let [main, other] = &found.lines[..] else { panic!("{found:?}") };
    assert_eq!(comments(main), [(1, "opening move")]);
    assert_eq!(comments(other), [(1, "opening move"), (3, "a")]);
    assert_eq!((main.game.move_stats[1].ms, found.unused.len()), (84, 0));
}

/// Regression: any text that began like an evaluation, even of several lines, was taken for one
/// and lost.
#[test]
fn a_personal_comment_about_an_evaluation_is_kept() {
    let text = "eval is wrong, White is lost after h9 by fours";
    let found = all(&format!(
        "(;GM[4]RU[0]SZ[15];B[hh]C[{text}];W[ii]C[84ms; eval a lot];B[jj]C[eval -20.5]\
         ;W[kk]C[eval wrong];B[ll]C[84ms; depth 3\nwhy?])"
    ));
    let main = &found.lines[0];
    let expected = [(1, text), (4, "eval wrong"), (5, "84ms; depth 3\nwhy?")];
    assert_eq!(comments(main), expected);
    let stats = &main.game.move_stats;
    assert_eq!((stats[1].ms, &stats[2].eval[..]), (84, "-20.5"));
    // It survives writing.
    let node = TreeNode { comment: text.into(), ..TreeNode::default() };
    let again = all(&write_tree(&main.game, &[], &[node]));
    assert_eq!(comments(&again.lines[0]), [(0, text)]);
}

#[test]
fn the_loss_of_move_statistics_in_a_position_is_reported() {
    for comment in ["opening move", "84ms; depth 3"] {
        let game = one(&format!("(;GM[4]RU[0]SZ[15];B[hh]C[{comment}];W[ii]AB[jj])"));
        assert!(game.board.is_some());
        let message = "file: not used: data on moves in comments, as only the position is read";
        assert!(notes(&game).contains(&message.to_owned()), "{:?}", notes(&game));
    }
    assert_eq!(notes(&one("(;GM[4]RU[0]SZ[15];B[hh]C[];W[ii]AB[jj])")), [""; 0]);
}

/// Regression: of several comments only the last one was kept.
#[test]
fn comments_of_one_node_are_joined_by_line_breaks() {
    let found = all("(;GM[4]RU[0]SZ[15];B[hh]C[a]C[b][c];W[ii]C[84ms]C[why][d])");
    let main = &found.lines[0];
    assert_eq!(comments(main), [(1, "a\nb\nc"), (2, "why\nd")]);
    assert_eq!((main.game.move_stats[1].ms, found.unused.len()), (84, 0));
    // Reading only the main line counts them as unused.
    for known in ["C[84ms]C[why]", "C[why]C[84ms]", "C[why][84ms]"] {
        let game = one(&format!("(;GM[4]RU[0]SZ[15];B[hh]C[a][b];W[ii]{known})"));
        assert_eq!(game.move_stats[1].ms, 84, "{known}");
        assert_eq!(notes(&game), ["byte 26: not used: C (3)"], "{known}");
    }
}

/// Regression: at a move it was lost, and at the root it exchanged the players.
#[test]
fn a_comment_is_a_swap_only_at_a_node_without_a_move() {
    let text = "(;GM[4]RU[0]SZ[15]C[swap];B[hh]C[swap];C[swap];W[ii])";
    let found = all(text);
    let main = &found.lines[0];
    assert_eq!(comments(main), [(0, "swap"), (1, "swap")]);
    assert_eq!(events(&main.game), "B h8, swap, W i7");
    let game = one(text);
    assert_eq!(events(&game), "B h8, swap, W i7");
    assert_eq!(notes(&game), ["byte 20: not used: C (2)"]);
}

/// Regression: with all plies in the root, all comments went to the last position.
#[test]
fn plies_in_the_root_give_comments_no_position() {
    let places = |text: &str| -> Vec<(usize, usize)> {
        let found = all(text);
        let remarks = found.lines[0].remarks.iter();
        remarks.map(|remark| (remark.events, remark.plies)).collect()
    };
    let head = "(;GM[4]RU[gomoku]ON[swap-2]SZ[15]";
    let stones = ";B[hh]C[a];W[ig];B[jh]C[b];C[swap];W[gi]C[c])";
    let written = format!("{head}PLY[h8,i9,j8][pass][g7]{stones}");
    assert_eq!(places(&written), [(1, 0), (3, 0), (5, 0)]);
    // A written tree has the plies in its nodes.
    let tree = ";B[hh]PLY[h8,i9,j8];W[ig];B[jh]C[b];PLY[pass]C[c])";
    assert_eq!(places(&format!("{head}{tree}")), [(3, 1), (3, 2)]);
}

/// Regression: tabs and carriage returns were deleted.
#[test]
fn tabs_and_carriage_returns_in_a_comment_are_written_as_they_are_read() {
    let game = one("(;GM[4]RU[0]SZ[15];B[hh])");
    let node = TreeNode { comment: "a\tb\rc\r\nd\ne".into(), ..TreeNode::default() };
    let again = all(&write_tree(&game, &[], &[node]));
    assert_eq!(comments(&again.lines[0]), [(0, "a b\nc\nd\ne")]);
}

/// Regression: each comment was one move late.
#[test]
fn setting_the_side_to_move_does_not_shift_comments() {
    let found = all("(;GM[4]RU[0]SZ[15]PL[B];B[hh]C[a];W[ii]C[b])");
    assert_eq!(comments(&found.lines[0]), [(1, "a"), (2, "b")]);
}

#[test]
fn positions_are_written_and_read_back() {
    for to_move in ["", "PL[W]", "PL[B]"] {
        let game = one(&format!("(;GM[4]RU[renju]SZ[15]AB[hh][ii]AW[hi]{to_move})"));
        let text = write(&game);
        assert!(text.contains(&format!("AB[hh][ii]AW[hi]{to_move})")), "{text}");
        assert_eq!(one(&text).board, game.board);
    }
}

#[test]
fn information_about_the_whole_game_is_written_as_it_was_read() {
    let text = "(;GM[4]RU[0]SZ[15]PB[a]PW[b]EV[Cup]PC[Tal\\]linn]DT[2020]GC[two\nlines]\
                RE[adjourned]BL[30]FOO[x];B[hh]BL[3]N[name])";
    let found = all(text);
    let property = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = [
        property("EV", "Cup"),
        property("PC", "Tal]linn"),
        property("DT", "2020"),
        property("GC", "two\nlines"),
        property("RE", "adjourned"),
    ];
    assert_eq!(found.info, expected);
    assert_eq!(found.unused, ["BL", "FOO", "N"]);
    let game = &found.lines[0].game;
    assert_eq!(game.title, "Cup, 2020");
    let written = write_tree(game, &found.info, &[TreeNode::default()]);
    assert!(!written.contains("GN["), "{written}");
    let mut again = all(&written).info;
    again.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(again, expected, "{written}");
    // Other names are not written as properties.
    let odd = [property("X];B[aa", "x"), property("PB", "x")];
    assert_eq!(write_tree(game, &odd, &[]).matches("x]").count(), 0);
}

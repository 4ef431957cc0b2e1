//! Positions for Pente's options about rows, self-capture and fouls.

use crate::rules::Variant;
use crate::rules::referee::{End, IllegalMove, Impossible, Next, PlyEnd, Reason, Referee};
use crate::types::{Cell, Color};
use Color::{Black, White};

const SIDE: usize = 15;

fn empty(name: &str) -> Box<dyn Referee> {
    Variant::from_name(name).unwrap().referee(SIDE, SIDE)
}

/// Stones of a colour on points, columns from the left and rows from the top.
fn put(board: &mut Box<dyn Referee>, color: Color, points: &[(usize, usize)]) {
    for &(x, y) in points {
        board.place(color, Cell::new(x, y)).unwrap();
    }
}

/// The end of the game after a stone, if any.
fn play(board: &mut Box<dyn Referee>, mover: Color, (x, y): (usize, usize)) -> Option<End> {
    board.place(mover, Cell::new(x, y)).unwrap();
    board.end_ply(PlyEnd { mover, to_move: !mover, seat: 0 })
}

fn winners(end: Option<End>) -> (Vec<Color>, Reason) {
    let mut end = end.unwrap();
    end.winners.sort_by_key(|color| color.index());
    (end.winners, end.reason)
}

const FOUR_AND_ONE: [(usize, usize); 5] = [(1, 1), (2, 1), (3, 1), (5, 1), (6, 1)];

#[test]
fn overlines_win_are_ignored_or_are_illegal() {
    let gap = (4, 1);
    let on = |name: &str, color| {
        let mut board = empty(name);
        put(&mut board, color, &FOUR_AND_ONE);
        board
    };
    for color in Color::ALL {
        let end = play(&mut on("pente", color), color, gap);
        assert_eq!(winners(end), (vec![color], Reason::Line));
        let mut ignored = on("pente+overline-ignored", color);
        assert_eq!(play(&mut ignored, color, gap), None);
        // An exact five elsewhere wins.
        put(&mut ignored, color, &[(9, 2), (9, 3), (9, 5), (9, 6)]);
        assert_eq!(winners(play(&mut ignored, color, (9, 4))), (vec![color], Reason::Line));
        let forbidden = on("pente+overline-forbidden", color);
        assert_eq!(forbidden.check(color, Cell::new(4, 1)), Err(IllegalMove::Overline));
        assert_eq!(forbidden.check(!color, Cell::new(4, 1)), Ok(()));
        let for_black = on("pente+overline-forbidden-black", color);
        let legal = for_black.check(color, Cell::new(4, 1));
        assert_eq!(legal.is_ok(), color == White);
    }
    let mut white = on("pente+overline-forbidden-black", White);
    assert_eq!(winners(play(&mut white, White, gap)), (vec![White], Reason::Line));
    // A five on another line does not make an overline legal.
    let mut both = on("pente+overline-forbidden", Black);
    put(&mut both, Black, &[(4, 2), (4, 3), (4, 4), (4, 5)]);
    assert_eq!(both.check(Black, Cell::new(4, 1)), Err(IllegalMove::Overline));
}

/// White gets six in a row; a black stone on (13, 5) captures the last of them.
fn about_to_shorten(board: &mut Box<dyn Referee>) {
    put(board, White, &[(6, 3), (7, 3), (8, 3), (10, 3), (11, 3), (12, 4)]);
    put(board, Black, &[(10, 2)]);
    assert_eq!(play(board, White, (9, 3)), None);
}

#[test]
fn a_capture_may_leave_five_of_the_opponents_overline() {
    let mut board = empty("pente+overline-ignored");
    about_to_shorten(&mut board);
    let mut tie = board.clone();
    assert_eq!(winners(play(&mut board, Black, (13, 5))), (vec![White], Reason::Line));

    // If the captor makes a five as well, the game is a tie.
    put(&mut tie, Black, &[(13, 6), (13, 7), (13, 8), (13, 9)]);
    let (both, reason) = winners(play(&mut tie, Black, (13, 5)));
    assert_eq!((both, reason), (Color::ALL.to_vec(), Reason::Line));

    // Also if it captures its tenth stone.
    let mut captor = empty("pente+overline-ignored");
    for y in [7, 9, 11, 13] {
        put(&mut captor, Black, &[(0, y)]);
        put(&mut captor, White, &[(1, y), (2, y)]);
        put(&mut captor, Black, &[(3, y)]);
    }
    assert_eq!(captor.captured(), [8, 0]);
    about_to_shorten(&mut captor);
    let (both, reason) = winners(play(&mut captor, Black, (13, 5)));
    assert_eq!((both, reason), (Color::ALL.to_vec(), Reason::LineAndCaptures));
}

#[test]
fn a_pair_must_not_be_made_between_two_enemy_stones() {
    let mut board = empty("pente+self-capture-forbidden");
    put(&mut board, White, &[(3, 3), (6, 3), (2, 8), (6, 8)]);
    put(&mut board, Black, &[(4, 3), (3, 8), (4, 8)]);
    assert_eq!(board.check(Black, Cell::new(5, 3)), Err(IllegalMove::SelfCapture));
    assert_eq!(board.check(White, Cell::new(5, 3)), Ok(()));
    // Threes are safe, unless they are captured.
    assert_eq!(board.check(Black, Cell::new(5, 8)), Ok(()));
    let mut keryo = empty("pente+keryo+self-capture-forbidden");
    put(&mut keryo, White, &[(2, 8), (6, 8)]);
    put(&mut keryo, Black, &[(3, 8), (4, 8)]);
    assert_eq!(keryo.check(Black, Cell::new(5, 8)), Err(IllegalMove::SelfCapture));
    // Also if the stone would capture one of the two.
    put(&mut board, White, &[(7, 3)]);
    put(&mut board, Black, &[(8, 3)]);
    assert_eq!(board.check(Black, Cell::new(5, 3)), Err(IllegalMove::SelfCapture));
    // No game leads to such a pair.
    let mut laid = empty("pente+self-capture-forbidden");
    for (color, x) in [(White, 3), (Black, 4), (Black, 5), (White, 6)] {
        laid.set_up_stone(color, Cell::new(x, 3)).unwrap();
    }
    assert!(matches!(laid.settle(Next::new(White)), Err(Impossible::Taken(_))));
}

#[test]
fn the_game_is_drawn_if_no_stone_may_be_placed() {
    // One point is left, and a black stone there would make seven.
    let fill = || {
        let mut board = Variant::from_name("pente+overline-forbidden").unwrap().referee(9, 5);
        for (x, y) in (0..5).flat_map(|y| (0..9).map(move |x| (x, y))) {
            let black = if y == 0 { (1..8).contains(&x) } else { (x / 2 + y) % 2 == 0 };
            if (x, y) != (4, 0) {
                board.set_up_stone([White, Black][usize::from(black)], Cell::new(x, y)).unwrap();
            }
        }
        board
    };
    let end = fill().settle(Next::new(Black)).unwrap();
    assert_eq!(winners(end), (Vec::new(), Reason::NoMoves));
    let mut board = fill();
    assert_eq!(board.settle(Next::new(White)), Ok(None));
    assert_eq!(winners(play(&mut board, White, (4, 0))), (Vec::new(), Reason::Full));
}

#[test]
fn black_loses_by_those_fouls_of_renju_that_the_rule_has() {
    let fouls = |name: &str, stones: &[(usize, usize)]| {
        let mut board = empty(name);
        put(&mut board, Black, stones);
        let fouls = board.fouls(Black, Cell::new(7, 7));
        assert!(!board.fouls(White, Cell::new(7, 7)).any());
        let lost = winners_of(play(&mut board, Black, (7, 7)));
        assert_eq!(lost == Some(vec![White]), fouls.any());
        [fouls.overline, fouls.double_four, fouls.double_three]
    };
    let double_three = [(5, 7), (6, 7), (7, 5), (7, 6)];
    let double_four = [(4, 7), (5, 7), (6, 7), (7, 4), (7, 5), (7, 6)];
    let overline = [(4, 7), (5, 7), (6, 7), (8, 7), (9, 7)];
    for (name, expected) in [
        ("pente", [[false; 3]; 3]),
        ("pente+double-three", [[false, false, true], [false; 3], [false; 3]]),
        ("Ninuki-Renju", [[false, false, true], [false; 3], [false; 3]]),
        ("pente+renju", [[false, false, true], [false, true, false], [true, false, false]]),
    ] {
        let found = [&double_three[..], &double_four, &overline].map(|stones| fouls(name, stones));
        assert_eq!(found, expected, "{name}");
    }
}

fn winners_of(end: Option<End>) -> Option<Vec<Color>> {
    end.map(|end| end.winners)
}

#[test]
fn fouls_are_judged_after_the_captures() {
    // White at (4, 7) stops the row until it is captured.
    let stones = [(5, 7), (6, 7), (7, 5), (7, 6)];
    let mut board = empty("Ninuki-Renju");
    put(&mut board, Black, &stones);
    put(&mut board, White, &[(4, 7)]);
    assert!(!board.fouls(Black, Cell::new(7, 7)).any());
    // A white pair stops the column until the stone captures it.
    let mut board = empty("Ninuki-Renju");
    put(&mut board, Black, &stones);
    put(&mut board, White, &[(7, 8), (7, 9)]);
    assert!(!board.fouls(Black, Cell::new(7, 7)).any());
    put(&mut board, Black, &[(7, 10)]);
    let mut foul = board.clone();
    // Then (7, 10) is too near for a straight four below, but not above.
    assert!(board.fouls(Black, Cell::new(7, 7)).double_three);
    assert_eq!(winners(play(&mut foul, Black, (7, 7))), (vec![White], Reason::Foul));
    // Also if it captures its tenth stone: a foul takes precedence over captures.
    for y in [0, 2, 11, 13] {
        put(&mut board, Black, &[(0, y)]);
        put(&mut board, White, &[(1, y), (2, y)]);
        put(&mut board, Black, &[(3, y)]);
    }
    assert!(board.fouls(Black, Cell::new(7, 7)).double_three);
    assert_eq!(winners(play(&mut board, Black, (7, 7))), (vec![White], Reason::Foul));
}

#[test]
fn options_that_no_rule_describes_together_are_refused() {
    for name in [
        "pente+poof+self-capture-forbidden",
        "pente+boat+overline-ignored",
        "pente+poof+renju",
        "pente+keryo+double-three",
        "pente+overline-ignored+overline-forbidden",
        "pente+double-three+renju",
        "pente+overline-forbidden+double-three",
    ] {
        assert!(Variant::from_name(name).is_err(), "{name}");
    }
}

//! A turn as a user writes it, in any game and opening: `k10,k9`, `k10 k9`,
//! `k10k9`, in any order; a column alone where pieces fall; a number after the
//! stones if the opening asks for one.
//!
//! [`goren_core::opening`] has the notation of files, where the order of stones is
//! fixed.

mod error;

use goren_core::opening::{Action, Choice, GameState, IllegalAction, action_of, canonical};
use goren_core::rules::referee::Referee;
use goren_core::types::{Cell, Color};

use crate::lettering::Lettering;

pub use error::TurnError;

/// A parsed turn, complete or partial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A legal ply.
    Whole(Action),
    /// The first stones of a turn; others are still missing.
    Part(Vec<Cell>),
}

/// A word of a turn.
#[derive(Clone, Debug)]
enum Word {
    Point(Cell),
    /// A column from 0, in a game where pieces fall.
    Column(usize),
    Number(usize),
    Pass,
    Swap,
}

/// Reads a ply of the seat to act, whose stones `before` were typed earlier.
///
/// # Errors
/// The text is not a ply, or the ply is illegal.
pub fn read(
    game_state: &GameState,
    before: &[Cell],
    text: &str,
    lettering: Lettering,
) -> Result<Turn, TurnError> {
    let falls = game_state.contest().variant.falls();
    let mut words = words(text, lettering, falls)?;
    let pending = game_state.pending_decision();
    let swap = pending.as_ref().is_some_and(|pending| pending.swap);
    match words[..] {
        [] => return Err(TurnError::Empty),
        [Word::Swap | Word::Pass] if !before.is_empty() => return Err(TurnError::Begun),
        [Word::Swap] => return complete(game_state, Action::Swap),
        [Word::Pass] => {
            return complete(game_state, if swap { Action::Swap } else { Action::Pass });
        }
        // Columns may be numbered too.
        [Word::Number(number)] if falls => {
            let x = number.checked_sub(1).filter(|&x| x < lettering.width);
            words = vec![Word::Column(x.ok_or(TurnError::OutsideColumn)?)];
        }
        _ => {}
    }
    let count = match words.last() {
        Some(&Word::Number(number)) => Some(number),
        _ => None,
    };
    words.truncate(words.len() - usize::from(count.is_some()));
    let cells = [before, &cells(game_state, before, &words)?].concat();
    if cells.is_empty() {
        return Err(TurnError::Unreadable(text.trim().to_owned()));
    }
    let action = with_fifth_first(game_state, action_of(game_state, cells.clone(), count));
    match complete(game_state, action) {
        Err(TurnError::Illegal(error)) if may_continue(game_state, &cells, count, error) => {
            Ok(Turn::Part(cells))
        }
        Err(TurnError::Illegal(IllegalAction::TooFew)) if is_fifth(game_state, &cells) => {
            Err(IllegalAction::NotOffered.into())
        }
        read => read,
    }
}

/// Reads the points of a text that consists of pairs of numbers, such as `8,8`: column and row
/// from 1 and from the upper left, as in lists of moves. `None` for any other text, and where
/// pieces fall: a number is a column there.
///
/// # Errors
/// A point is outside the board.
pub fn numbered(
    game_state: &GameState,
    text: &str,
    lettering: Lettering,
) -> Result<Option<Vec<Cell>>, TurnError> {
    let falls = game_state.contest().variant.falls();
    let Ok(words) = words(text, lettering, falls) else { return Ok(None) };
    let number = |word: &Word| match *word {
        Word::Number(number) => Some(number),
        _ => None,
    };
    let numbers: Option<Vec<usize>> = words.iter().map(number).collect();
    let is_paired = |numbers: &Vec<usize>| !numbers.is_empty() && numbers.len().is_multiple_of(2);
    let Some(numbers) = numbers.filter(|numbers| !falls && is_paired(numbers)) else {
        return Ok(None);
    };
    let cell = |&[column, row]: &[usize; 2]| {
        let (x, y) = (column.checked_sub(1)?, row.checked_sub(1)?);
        (x < lettering.width && y < lettering.height).then(|| Cell::new(x, y))
    };
    let cells: Option<Vec<Cell>> = numbers.as_chunks::<2>().0.iter().map(cell).collect();
    cells.map(Some).ok_or(TurnError::OutsideNumbers)
}

/// Returns a ply in the order of the notation, if it is legal.
fn complete(game_state: &GameState, action: Action) -> Result<Turn, TurnError> {
    game_state.clone().apply(&action)?;
    Ok(Turn::Whole(canonical(game_state, action)))
}

/// Puts the kept fifth first, if only one of the two points is on offer.
fn with_fifth_first(game_state: &GameState, action: Action) -> Action {
    let offered = |cell: &Cell| game_state.offers().contains(cell);
    match action {
        Action::Choose { fifth, sixth } if !offered(&fifth) && offered(&sixth) => {
            Action::Choose { fifth: sixth, sixth: fifth }
        }
        action => action,
    }
}

/// Whether stones are missing and the present ones can be part of a legal turn.
fn may_continue(
    game_state: &GameState,
    cells: &[Cell],
    count: Option<usize>,
    error: IllegalAction,
) -> bool {
    let keeps_fifth = is_fifth(game_state, cells);
    let too_few = error == IllegalAction::TooFew && count.is_none();
    let distinct = (1..cells.len()).all(|i| !cells[..i].contains(&cells[i]));
    let free = cells.iter().all(|&cell| game_state.stone(cell).is_none());
    let fits = if keeps_fifth { game_state.offers().contains(&cells[0]) } else { too_few };
    fits && distinct && free
}

/// Whether the seat to act has to keep a fifth, and `cells` has one point only.
fn is_fifth(game_state: &GameState, cells: &[Cell]) -> bool {
    let choices = game_state.pending_decision().map_or(Vec::new(), |pending| pending.choices);
    choices == [Choice::Choose] && cells.len() == 1
}

/// Refuses a pass typed by a user where a swap is on offer: in the notation of files, and so in
/// [`read`], it is a swap, but the user means the opposite.
///
/// # Errors
/// The text is such a pass.
pub fn check_pass(game_state: &GameState, text: &str) -> Result<(), TurnError> {
    let swaps = || game_state.pending_decision().is_some_and(|pending| pending.swap);
    if is_pass(text) && swaps() { Err(TurnError::PassForSwap) } else { Ok(()) }
}

/// Whether a text is a pass. In the notation of files a pass swaps if a swap is on offer.
fn is_pass(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "pass" | "--")
}

/// Whether a number has a sign, judging by the text between it and the previous word, if any:
/// in `8-8` the hyphen separates two numbers.
fn is_signed(between: &str, is_first: bool) -> bool {
    between.ends_with(['-', '+']) && (is_first || between.len() > 1)
}

/// The words of a text.
fn words(text: &str, lettering: Lettering, falls: bool) -> Result<Vec<Word>, TurnError> {
    if is_pass(text) {
        return Ok(vec![Word::Pass]);
    }
    let lower = text.trim().to_lowercase();
    if lower == "swap" {
        return Ok(vec![Word::Swap]);
    }
    let mut words = Vec::new();
    let mut rest = lower.as_str();
    loop {
        let between = rest;
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;.-+/&()[]".contains(c));
        let between = &between[..between.len() - rest.len()];
        let Some(first) = rest.chars().next() else { return Ok(words) };
        let unreadable = || {
            let end = rest.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(rest.len());
            TurnError::Unreadable(rest[..end].to_owned())
        };
        let letters = usize::from(first.is_ascii_alphabetic());
        let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
        let (word, after) = rest.split_at_checked(letters + digits).ok_or_else(unreadable)?;
        let number = || word[letters..].parse::<usize>().map_err(|_| unreadable());
        let next = match (letters, digits) {
            (0, 0) => return Err(unreadable()),
            (0, _) if is_signed(between, words.is_empty()) => return Err(TurnError::Sign),
            (0, _) => Word::Number(number()?),
            (_, 0) if !falls || after.starts_with(|c: char| c.is_alphanumeric()) => {
                return Err(unreadable());
            }
            _ if lettering.column(first).is_none() => return Err(TurnError::NoI),
            (_, 0) => {
                let x = lettering.column(first).filter(|&x| x < lettering.width);
                Word::Column(x.ok_or(TurnError::OutsideColumn)?)
            }
            _ => {
                number()?;
                let cell = lettering.cell(word);
                Word::Point(cell.ok_or(TurnError::Outside)?)
            }
        };
        words.push(next);
        rest = after;
    }
}

/// Returns the cells of points and columns; pieces of one turn fall one after another.
fn cells(game_state: &GameState, before: &[Cell], words: &[Word]) -> Result<Vec<Cell>, TurnError> {
    let mut referee = game_state.referee().copy();
    let choices = game_state.pending_decision().map_or(Vec::new(), |pending| pending.choices);
    let colors = choices.iter().find_map(|choice| match choice {
        Choice::Stones { colors, .. } if colors.len() >= before.len() + words.len() => Some(colors),
        _ => None,
    });
    let color = |i: usize| colors.map_or(game_state.to_move(), |colors| colors[i]);
    let mut cells: Vec<Cell> = Vec::new();
    for (i, &cell) in before.iter().enumerate() {
        // The stone was checked when it was typed.
        let _ = referee.place(color(i), cell);
    }
    for (i, word) in (before.len()..).zip(words) {
        let cell = match *word {
            Word::Point(cell) => cell,
            Word::Column(x) => in_column(&*referee, game_state.contest().height, x, color(i))?,
            Word::Number(_) | Word::Pass | Word::Swap => return Err(TurnError::Number),
        };
        // The check of the complete turn reports an illegal stone.
        let _ = referee.place(color(i), cell);
        cells.push(cell);
    }
    Ok(cells)
}

/// Returns where a piece of a colour comes to rest in column `x`, from 0, of a board of
/// `height` rows.
///
/// # Errors
/// The piece comes to rest nowhere, or could do so at several points.
pub fn in_column(
    referee: &dyn Referee,
    height: usize,
    x: usize,
    color: Color,
) -> Result<Cell, TurnError> {
    let column = (0..height).map(|y| Cell::new(x, y));
    let mut rests = column.filter(|&cell| referee.check(color, cell).is_ok());
    match (rests.next(), rests.next()) {
        (Some(cell), None) => Ok(cell),
        (None, _) => Err(TurnError::FullColumn),
        (Some(_), Some(_)) => Err(TurnError::ManyInColumn),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening;
    use goren_core::record::import::Columns;
    use goren_core::rules::{Contest, OpeningId, Variant};
    use proptest::prelude::*;

    fn game(game: &str, opening: OpeningId, plies: &[&str]) -> GameState {
        let contest = Contest::new(Variant::from_name(game).unwrap()).opened(opening).unwrap();
        let mut game_state = GameState::new(contest);
        for text in plies {
            match typed(&game_state, text).unwrap() {
                Turn::Whole(action) => game_state.apply(&action).unwrap(),
                Turn::Part(_) => panic!("{text}"),
            }
        }
        game_state
    }

    fn lettering(game_state: &GameState) -> Lettering {
        let contest = game_state.contest();
        Lettering::of((contest.width, contest.height))
    }

    fn typed(game_state: &GameState, text: &str) -> Result<Turn, TurnError> {
        read(game_state, &[], text, lettering(game_state))
    }

    /// The ply in the notation of files.
    fn ply(game_state: &GameState, text: &str) -> String {
        match typed(game_state, text) {
            Ok(Turn::Whole(action)) => opening::write(game_state, &action),
            Ok(Turn::Part(cells)) => lettering(game_state).labels(&cells) + " ...",
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn two_stones_are_read_in_any_order_and_form() {
        let started = game("connect6", OpeningId::Free, &["j10"]);
        for text in ["k10,k9", "k10 k9", "k10k9", "K9 k10", "k9;K10", "(k10)(k9)", " k9 - k10 "] {
            assert_eq!(ply(&started, text), "k9,k10", "{text}");
        }
        assert_eq!(ply(&started, "k10"), "k10 ...");
        let second = read(&started, &[Cell::new(10, 9)], "k9", lettering(&started)).unwrap();
        assert!(matches!(second, Turn::Whole(Action::Stones { cells, .. }) if cells.len() == 2));
        assert_eq!(ply(&started, "j10"), "stones are missing");
        assert_eq!(ply(&started, "k10k10"), "a point is named twice");
        assert_eq!(ply(&started, "k10 k9 k8"), "too many stones");
    }

    #[test]
    fn a_column_suffices_where_pieces_fall() {
        let four = game("four-in-a-row", OpeningId::Free, &["d", "4", "e1"]);
        assert_eq!(ply(&four, "d"), "d3");
        assert_eq!(ply(&four, "D"), "d3");
        assert_eq!(ply(&four, "4"), "d3");
        assert_eq!(ply(&four, "d3"), "d3");
        assert_eq!(ply(&four, "d5"), "a piece does not come to rest there");
        assert_eq!(ply(&four, "z"), "the column is outside the board");
        assert_eq!(ply(&four, "99"), "the column is outside the board");
        // The next piece of a turn falls on the previous one.
        let swap = game("four-in-a-row", OpeningId::Swap2, &[]);
        assert_eq!(ply(&swap, "d d e"), "d1,d2,e1");
        assert_eq!(ply(&swap, "dde"), "cannot read \"dde\"");
        let renju = game("renju", OpeningId::Free, &[]);
        assert_eq!(ply(&renju, "d"), "cannot read \"d\"");
        assert_eq!(ply(&renju, "4"), "cannot read \"4\"");
    }

    #[test]
    fn openings_accept_any_order_and_numbers() {
        let swap = game("gomoku", OpeningId::Swap2, &[]);
        assert_eq!(ply(&swap, "j8 i9 h8"), "h8,i9,j8");
        assert_eq!(ply(&swap, "h8"), "h8 ...");
        let answered = game("gomoku", OpeningId::Swap2, &["h8 i9 j8"]);
        assert_eq!(ply(&answered, "SWAP"), "pass");
        assert_eq!(ply(&answered, "pass"), "pass");
        for pass in ["pass", " -- "] {
            assert_eq!(check_pass(&answered, pass), Err(TurnError::PassForSwap));
            assert_eq!(check_pass(&swap, pass), Ok(()));
        }
        assert_eq!(check_pass(&answered, "swap"), Ok(()));
        assert_eq!(ply(&answered, "h7 h9"), "h7,h9");
        let plies = ["h8", "h9", "h10", "i9", "pass", "g7 g8 g9 g11 i11 j11 k11 f6 f7 f10"];
        let mut ten = game("renju", OpeningId::Taraguchi10, &[]);
        for text in plies {
            if let Ok(Turn::Whole(action)) = typed(&ten, text) {
                ten.apply(&action).unwrap();
            }
        }
        let offered =
            game("renju", OpeningId::Soosorv8, &["h8,h9,h10", "pass", "i9,2", "pass", "g7 a1"]);
        assert_eq!(ply(&offered, "a1 c3"), "a1,c3");
        assert_eq!(ply(&offered, "c3 a1"), "a1,c3");
        assert_eq!(ply(&offered, "a1"), "a1 ...");
        assert_eq!(ply(&offered, "c3"), "that fifth is not on offer");
    }

    #[test]
    fn columns_shift_without_the_letter_i() {
        let pente = game("pente", OpeningId::Free, &[]);
        let go = Lettering { columns: Columns::WithoutI, ..lettering(&pente) };
        let centre = Turn::Whole(Action::stone(Cell::new(9, 9)));
        assert_eq!(read(&pente, &[], "K10", go), Ok(centre.clone()));
        assert_eq!(typed(&pente, "j10"), Ok(centre));
        assert_eq!(read(&pente, &[], "i10", go), Err(TurnError::NoI));
    }

    #[test]
    fn pairs_of_numbers_are_column_and_row_from_the_upper_left() {
        let renju = game("renju", OpeningId::Free, &[]);
        let points = |game_state: &GameState, text: &str| {
            let lettering = lettering(game_state);
            let cells = numbered(game_state, text, lettering);
            cells.map(|cells| cells.map(|cells| lettering.labels(&cells)))
        };
        for (text, labels) in
            [("8,8", "h8"), ("8,9", "h7"), ("(1,15)", "a1"), ("8,8 9,7", "h8,i9"), ("15 1", "o15")]
        {
            assert_eq!(points(&renju, text), Ok(Some(labels.into())), "{text}");
        }
        for text in ["h8", "8", "8,8,8", "i9,2", "swap", "", "x,y"] {
            assert_eq!(points(&renju, text), Ok(None), "{text}");
        }
        for text in ["0,0", "16,1", "8,16", "8,8 99,1"] {
            assert_eq!(points(&renju, text), Err(TurnError::OutsideNumbers), "{text}");
        }
        let four = game("four-in-a-row", OpeningId::Free, &[]);
        assert_eq!(points(&four, "4,4"), Ok(None));
    }

    /// They were read as columns and rows from the corner.
    #[test]
    fn numbers_with_a_sign_are_not_points() {
        let renju = game("renju", OpeningId::Free, &[]);
        for text in ["-3,4", "3,-4", "(-3,+4)", "+3 4", "3 -4"] {
            let cells = numbered(&renju, text, lettering(&renju));
            assert_eq!(cells, Ok(None), "{text}");
            assert_eq!(typed(&renju, text), Err(TurnError::Sign), "{text}");
        }
        // Here the hyphen stands between two numbers, or between a point and a number.
        let cells = numbered(&renju, "8-8 9 - 7", lettering(&renju));
        assert_eq!(cells, Ok(Some(vec![Cell::new(7, 7), Cell::new(8, 6)])));
        let fourth = game("renju", OpeningId::Soosorv8, &["h8,h9,h10", "pass"]);
        assert_eq!(ply(&fourth, "i9-2"), "i9,2");
    }

    /// The stones typed before were lost.
    #[test]
    fn a_turn_that_has_begun_cannot_end_by_a_pass_or_swap() {
        let plies = ["j10", "k10 k9"];
        let free = game("connect6", OpeningId::Free, &plies);
        assert_eq!(typed(&free, "pass"), Ok(Turn::Whole(Action::Pass)));
        let opened = game("connect6", OpeningId::Swap3rd, &["j10", "k10 k9", "a1 a2"]);
        assert_eq!(typed(&opened, "swap"), Ok(Turn::Whole(Action::Swap)));
        let begun = [Cell::new(3, 3)];
        for (game_state, text) in [(&free, "pass"), (&free, " -- "), (&opened, "Swap")] {
            let read = read(game_state, &begun, text, lettering(game_state));
            assert_eq!(read, Err(TurnError::Begun), "{text}");
        }
    }

    #[test]
    fn unreadable_words_are_named() {
        let renju = game("renju", OpeningId::Free, &["h8"]);
        let cases = [
            ("", "the text is empty"),
            ("resign it", "cannot read \"resign\""),
            ("h8", "the point is occupied"),
            ("z99", "the point is outside the board"),
            ("h9 3", "the opening takes no number now"),
            ("3 h9", "there is a number between the points"),
            ("\u{e9}1", "cannot read \"\u{e9}1\""),
            ("pass", "passing is not allowed now"),
            ("swap", "there is nothing to swap now"),
            ("h99999999999999999999999", "cannot read \"h99999999999999999999999\""),
        ];
        for (text, message) in cases {
            assert_eq!(ply(&renju, text), message, "{text}");
        }
    }

    proptest! {
        #[test]
        fn turns_that_are_read_are_legal(
            text in "[a-o0-9, ]{0,12}[ -~\u{e9}]{0,6}",
            game_name in prop::sample::select(vec!["renju", "connect6", "four-in-a-row"]),
        ) {
            let game_state = game(game_name, OpeningId::Free, &[]);
            if let Ok(Turn::Whole(action)) = typed(&game_state, &text) {
                prop_assert!(game_state.clone().apply(&action).is_ok());
            }
        }
    }
}

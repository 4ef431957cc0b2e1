//! Boards as people draw them in text, row by row from the top.
//!
//! ```text
//!    A B C D E
//!  5 . . . . . 5     row numbers and column letters may be there or not
//!  4 . X O . . 4     X x B b @ are Black, O o W w White
//!  3 . .(X). . 3     brackets mark the newest stone
//!  2 . * . . . 2     . - _ + , * and · are empty
//!  1 . . . . . 1
//! white to move       if the stones do not say it
//! ```
//!
//! `●` and `○` are stones too. Blanks between the signs do not matter.

use crate::types::{Cell, Color, MAX_SIDE, MIN_SIDE};

/// A board as it was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The stones, row by row from the top.
    pub stones: Vec<(Cell, Color)>,
    /// The stone in brackets.
    pub last: Option<Cell>,
    /// Who is to move, if it is said.
    pub to_move: Option<Color>,
}

/// Why a text is no board. Lines and columns count from 1, columns in
/// characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiagramError {
    /// No row is there.
    #[error("there is no row of a board in it")]
    Empty,
    /// A sign that is neither a stone nor an empty point.
    #[error("line {line}, column {column}: {sign:?} is no stone and no empty point")]
    Sign {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The sign.
        sign: char,
    },
    /// A row that is longer or shorter than the first.
    #[error("line {line}: a row of {found} points, where the first has {expected}")]
    Ragged {
        /// The line.
        line: usize,
        /// Points of the first row.
        expected: usize,
        /// Points of this one.
        found: usize,
    },
    /// A second stone in brackets.
    #[error("line {line}: a second stone in brackets")]
    TwoLast {
        /// The line.
        line: usize,
    },
    /// A board of a size that is not played.
    #[error("a board of {width}x{height}; sides are {MIN_SIDE} to {MAX_SIDE}")]
    Size {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
}

/// What a line of a drawing is.
enum Line {
    /// Letters of the columns, a frame, or nothing.
    Ornament,
    ToMove(Color),
    Row,
}

/// The board of a text.
///
/// # Errors
/// The text is no board; names the line and the sign.
pub fn read(text: &str) -> Result<Diagram, DiagramError> {
    let mut board = Diagram { width: 0, height: 0, stones: Vec::new(), last: None, to_move: None };
    for (line, content) in (1..).zip(text.lines()) {
        match kind(content) {
            Line::Ornament => {}
            Line::ToMove(color) => board.to_move = Some(color),
            Line::Row => row(&mut board, line, content)?,
        }
    }
    let Diagram { width, height, .. } = board;
    if height == 0 {
        return Err(DiagramError::Empty);
    }
    let sides = MIN_SIDE..=MAX_SIDE;
    match sides.contains(&width) && sides.contains(&height) {
        true => Ok(board),
        false => Err(DiagramError::Size { width, height }),
    }
}

fn kind(line: &str) -> Line {
    let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let lower = plain.to_lowercase();
    let frame = |c: char| matches!(c, '+' | '-' | '=' | '|');
    let is_frame = plain.len() > 2 && plain.chars().all(frame) && plain.contains("---");
    // Some leave out I.
    let letters = ["abcdefghijklmnopqrstuvwxyz", "abcdefghjklmnopqrstuvwxyz"];
    let is_head = plain.len() > 1 && letters.iter().any(|all| all.starts_with(&lower));
    match lower.trim_end_matches('.') {
        "" if plain.is_empty() => Line::Ornament,
        "blacktomove" | "xtomove" => Line::ToMove(Color::Black),
        "whitetomove" | "otomove" => Line::ToMove(Color::White),
        _ if is_frame || is_head => Line::Ornament,
        _ => Line::Row,
    }
}

/// Takes in a row below those there are.
fn row(board: &mut Diagram, line: usize, content: &str) -> Result<(), DiagramError> {
    // The numbers of the row may touch its signs.
    let body = content.trim_end().trim_end_matches(|c: char| c.is_ascii_digit());
    let skipped =
        body.len() - body.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let before = content[..skipped].chars().count();
    let y = board.height;
    let mut x = 0;
    let mut bracket = false;
    for (column, sign) in (before + 1..).zip(content[skipped..body.len()].chars()) {
        let color = match sign {
            'X' | 'x' | 'B' | 'b' | '@' | '●' | '⚫' => Some(Color::Black),
            'O' | 'o' | 'W' | 'w' | '○' | '⚪' => Some(Color::White),
            '.' | '-' | '_' | '+' | ',' | '*' | '·' => None,
            '(' | '[' => {
                bracket = true;
                continue;
            }
            ')' | ']' | '|' => continue,
            c if c.is_whitespace() => continue,
            _ => return Err(DiagramError::Sign { line, column, sign }),
        };
        // Beyond the largest board only the count matters, for the error.
        if let Some(color) = color.filter(|_| x < MAX_SIDE && y < MAX_SIDE) {
            let cell = Cell::new(x, y);
            board.stones.push((cell, color));
            if bracket && board.last.replace(cell).is_some() {
                return Err(DiagramError::TwoLast { line });
            }
        }
        bracket = false;
        x += 1;
    }
    if y == 0 {
        board.width = x;
    }
    board.height += 1;
    match x == board.width {
        true => Ok(()),
        false => Err(DiagramError::Ragged { line, expected: board.width, found: x }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOARD: &str = "   A B C D E F\n 5 . . . . . . 5\n 4 . X O . . . 4\n 3 . .(X)* . . 3\n \
                         2 . . . . .[o]2\n 1 . . . . . . 1\n   A B C D E F\n";

    fn board() -> String {
        BOARD.replace("[o]", " o ")
    }

    #[test]
    fn boards_are_read_with_and_without_ornament() {
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
        assert_eq!(read(&board()).unwrap(), expected);
        let bare = "......\n.bw...\n__[@]-,+\n· · · · · ○\r\n......\nBlack to move.\n";
        let said = Diagram { to_move: Some(Color::Black), ..expected };
        assert_eq!(read(bare).unwrap(), said);
        let framed =
            "+------+\n|......|\n|.xo...|\n|..(x)...|\n|.....o|\n|......|\n+------+\nX to move";
        assert_eq!(read(framed).unwrap(), said);
    }

    #[test]
    fn bad_boards_are_refused_by_line_and_sign() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error(""), "there is no row of a board in it");
        assert_eq!(
            error(&board().replace("O .", "Q .")),
            "line 3, column 8: 'Q' is no stone and no empty point"
        );
        assert_eq!(error("......\n.....\n"), "line 2: a row of 5 points, where the first has 6");
        assert_eq!(error(BOARD), "line 5: a second stone in brackets");
        assert_eq!(error("....\n....\n"), "a board of 4x2; sides are 5 to 26");
        assert!(error(&"x".repeat(27)).starts_with("a board of 27x1"));
        assert!(error(&"x\n".repeat(99)).starts_with("a board of 1x99"));
    }

    proptest! {
        #[test]
        fn no_text_is_a_disaster(text in "[ .XO()\\[\\]0-9\n|a-z\u{e9}\u{25cf}]{0,120}") {
            let _ = read(&text);
        }

        #[test]
        fn mutated_boards_are_read_or_refused(at in 0..BOARD.len(), sign in any::<char>()) {
            let mut text: Vec<char> = BOARD.chars().collect();
            text[at] = sign;
            let text: String = text.into_iter().collect();
            if let Ok(Diagram { width, height, stones, .. }) = read(&text) {
                let inside = |&(cell, _): &(Cell, Color)| cell.x() < width && cell.y() < height;
                prop_assert!(stones.iter().all(inside));
            }
        }
    }
}

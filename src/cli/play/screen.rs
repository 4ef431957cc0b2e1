//! The board as text.

use console::Style;

use crate::lettering::Lettering;
use goren_core::types::{Cell, Color, Stone};

/// Minimum side of a board with star points.
const STARS: usize = 13;
/// Distance of star points from the edge.
const FROM_EDGE: usize = 3;
/// Minimum side of a board with star points at the middle of the edges, too.
const LARGE: usize = 19;
/// Colours of a terminal with 256 colours: wood, lines, stones and marks.
const WOOD: u8 = 179;
const LINES: u8 = 94;
const BLACK: u8 = 16;
const WHITE: u8 = 231;
const MARK: u8 = 160;

/// A board with its stones and marks.
pub(crate) struct BoardView<'a> {
    /// Size and letters of the board.
    pub(crate) lettering: Lettering,
    /// The stones.
    pub(crate) stones: &'a [(Cell, Stone)],
    /// Stones of the newest ply, in brackets.
    pub(crate) last: &'a [Cell],
    /// Stones of a winning line, in square brackets.
    pub(crate) line: &'a [Cell],
    /// Forbidden points, marked `*`.
    pub(crate) forbidden: &'a [Cell],
    /// Fifths on offer, marked `?`.
    pub(crate) offers: &'a [Cell],
    /// Number of outer rings that do not count, marked `:`.
    pub(crate) rings: usize,
    /// Whether star points are marked `+`.
    pub(crate) stars: bool,
}

impl BoardView<'_> {
    fn is_star(&self, at: Cell) -> bool {
        let Lettering { width, height, .. } = self.lettering;
        let along = |side: usize, at: usize| -> Option<bool> {
            let middle = side % 2 == 1 && at == side / 2;
            let corner = at == FROM_EDGE || at + FROM_EDGE + 1 == side;
            (middle || corner).then_some(middle)
        };
        let (x, y) = (along(width, at.x()), along(height, at.y()));
        self.stars
            && width.min(height) >= STARS
            && match (x, y) {
                (Some(a), Some(b)) => a == b || width.min(height) >= LARGE,
                _ => false,
            }
    }

    fn is_outside(&self, at: Cell) -> bool {
        let Lettering { width, height, .. } = self.lettering;
        let edge = at.x().min(at.y()).min(width - 1 - at.x()).min(height - 1 - at.y());
        edge < self.rings
    }

    fn sign(&self, at: Cell) -> char {
        let stone = self.stones.iter().find(|(cell, _)| *cell == at).map(|(_, stone)| stone);
        match stone {
            Some(Stone::Of(Color::Black)) => 'X',
            Some(Stone::Of(Color::White)) => 'O',
            Some(Stone::Wall) => '#',
            None if self.offers.contains(&at) => '?',
            None if self.forbidden.contains(&at) => '*',
            None if self.is_outside(at) => ':',
            None if self.is_star(at) => '+',
            None => '.',
        }
    }

    /// Chooses the sign before or after a stone.
    fn bracket(&self, at: Cell, signs: [char; 3]) -> char {
        let [plain, round, square] = signs;
        if self.line.contains(&at) {
            square
        } else if self.last.contains(&at) {
            round
        } else {
            plain
        }
    }

    /// Formats the board with its coordinates: `X` Black, `O` White. `paint` formats the signs
    /// of the board, gaps included.
    pub(crate) fn text(&self, paint: &dyn Fn(char) -> String) -> String {
        let Lettering { width, height, .. } = self.lettering;
        let letter = |x| format!(" {}", self.lettering.letter(x).to_ascii_uppercase());
        let letters: String = (0..width).map(letter).collect();
        let mut text = format!("  {letters}\n");
        for y in 0..height {
            let row = height - y;
            text += &format!("{row:>2}");
            let mut before = ' ';
            for at in (0..width).map(|x| Cell::new(x, y)) {
                let opens = self.bracket(at, [' ', '(', '[']);
                text += &paint(if opens == ' ' { before } else { opens });
                text += &paint(self.sign(at));
                before = self.bracket(at, [' ', ')', ']']);
            }
            text += &format!("{}{row}\n", paint(before));
        }
        text + &format!("  {letters}\n")
    }
}

/// Formats a sign in colours: a wooden board with round stones.
pub(super) fn wooden(sign: char) -> String {
    let wood = Style::new().force_styling(true).on_color256(WOOD);
    let (style, shown) = match sign {
        'X' => (wood.color256(BLACK), "●"),
        'O' => (wood.color256(WHITE), "●"),
        '#' => (wood.color256(LINES), "#"),
        '.' => (wood.color256(LINES), "·"),
        '+' => (wood.color256(LINES).bold(), "+"),
        ':' => (wood.color256(LINES), ":"),
        '(' | ')' | '[' | ']' | '*' | '?' => {
            return wood.color256(MARK).bold().apply_to(sign).to_string();
        }
        other => return wood.apply_to(other).to_string(),
    };
    style.apply_to(shown).to_string()
}

/// Draws a board with its coordinates: `X` Black, `O` White, `*` forbidden points, the newest
/// stone in brackets.
pub(crate) fn draw(size: (usize, usize), stones: &[(Cell, Stone)], forbidden: &[Cell]) -> String {
    let last = stones.last().map(|&(at, _)| at);
    draw_with(size, stones, forbidden, last.as_slice(), &|sign| sign.into())
}

/// Draws a board as [`draw`] does, with given stones in brackets and painted signs.
pub(crate) fn draw_with(
    size: (usize, usize),
    stones: &[(Cell, Stone)],
    forbidden: &[Cell],
    last: &[Cell],
    paint: &dyn Fn(char) -> String,
) -> String {
    // Gaps are not painted here.
    let marked = |sign: char| if sign == ' ' { " ".into() } else { paint(sign) };
    let lettering = Lettering::of(size);
    let (line, offers, rings, stars): (&[Cell], &[Cell], _, _) = (&[], &[], 0, false);
    let drawing = BoardView { lettering, stones, last, line, forbidden, offers, rings, stars };
    drawing.text(&marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_bottom_and_the_newest_stone_stands_out() {
        let stones = [
            (Cell::new(0, 4), Stone::Of(Color::Black)),
            (Cell::new(1, 0), Stone::Wall),
            (Cell::new(5, 2), Stone::Of(Color::White)),
        ];
        let expected = "   A B C D E F
 5 . # . . . . 5
 4 . . * . . . 4
 3 . . . . .(O)3
 2 . . . . . . 2
 1 X . . . . . 1
   A B C D E F
";
        assert_eq!(draw((6, 5), &stones, &[Cell::new(2, 1)]), expected);
    }

    #[test]
    fn marks_of_a_game() {
        let stones = [
            (Cell::new(0, 14), Stone::Of(Color::Black)),
            (Cell::new(1, 14), Stone::Of(Color::White)),
        ];
        let drawing = BoardView {
            lettering: Lettering::of((15, 15)),
            stones: &stones,
            last: &[Cell::new(1, 14)],
            line: &[Cell::new(0, 14)],
            forbidden: &[Cell::new(3, 14)],
            offers: &[Cell::new(5, 14)],
            rings: 0,
            stars: true,
        };
        let text = drawing.text(&|sign| sign.into());
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[15], " 1[X(O). * . ? . . . . . . . . . 1");
        assert_eq!(rows[8], " 8 . . . . . . . + . . . . . . . 8");
        assert_eq!(rows[4], "12 . . . + . . . . . . . + . . . 12");
        let rings = BoardView { rings: 2, ..drawing };
        let text = rings.text(&|sign| sign.into());
        assert_eq!(text.lines().nth(2), Some("14 : : : : : : : : : : : : : : : 14"));
        assert_eq!(text.lines().nth(3), Some("13 : : . . . . . . . . . . . : : 13"));
        // A painted board has the same width.
        let plain = console::strip_ansi_codes(&rings.text(&wooden)).into_owned();
        assert_eq!(plain.lines().map(|line| line.chars().count()).max(), Some(35));
    }
}

//! The board as text.

use goren_core::types::{Cell, Color, Stone};

/// Draws a board with its coordinates: `X` Black, `O` White, `*` points that
/// are forbidden, the newest stone in brackets.
pub(crate) fn draw(size: (usize, usize), stones: &[(Cell, Stone)], forbidden: &[Cell]) -> String {
    let last = stones.last().map(|&(at, _)| at);
    draw_with(size, stones, forbidden, last.as_slice(), &|sign| sign.into())
}

/// The same with other stones in brackets, and with signs that are painted.
pub(crate) fn draw_with(
    (width, height): (usize, usize),
    stones: &[(Cell, Stone)],
    forbidden: &[Cell],
    last: &[Cell],
    paint: &dyn Fn(char) -> String,
) -> String {
    let letters: String = (0..width).map(|x| format!(" {}", (b'A' + x as u8) as char)).collect();
    let mut text = format!("  {letters}\n");
    for y in 0..height {
        let row = height - y;
        text += &format!("{row:>2}");
        let mut before = ' ';
        for at in (0..width).map(|x| Cell::new(x, y)) {
            let stone = stones.iter().find(|(cell, _)| *cell == at).map(|(_, stone)| stone);
            let sign = match stone {
                Some(Stone::Of(Color::Black)) => 'X',
                Some(Stone::Of(Color::White)) => 'O',
                Some(Stone::Wall) => '#',
                None if forbidden.contains(&at) => '*',
                None => '.',
            };
            let newest = last.contains(&at);
            text += &match (before, newest) {
                (' ', false) => ' '.into(),
                (_, true) => paint('('),
                (before, false) => paint(before),
            };
            text += &paint(sign);
            before = if newest { ')' } else { ' ' };
        }
        text += &if before == ' ' { ' '.into() } else { paint(before) };
        text += &format!("{row}\n");
    }
    text + &format!("  {letters}\n")
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
}

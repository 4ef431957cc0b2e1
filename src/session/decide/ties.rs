//! When to pass where the first to pass wins what would be a draw.

use crate::opening::{Act, Ask, Course};
use crate::rules::Variant;
use crate::types::{Cell, Color, DIRECTIONS, Stone};

/// Whether the seat to move wins by a pass: it is the first of the game, so
/// that a draw is a win, and the enemy cannot complete a line any more.
pub(super) fn pass_wins(course: &Course, ask: &Ask) -> bool {
    course.contest().tie_break
        && ask.pass
        && !course.acts().contains(&Act::Pass)
        && !may_win(course, !ask.color)
}

/// Whether a colour has a line left without an enemy stone.
fn may_win(course: &Course, color: Color) -> bool {
    let contest = course.contest();
    let (length, torus) = match contest.variant {
        Variant::Five(_) => (5, false),
        Variant::Connect6(game) => (game.goal() as i32, game.torus),
        // Stones may be captured, or move.
        Variant::Pente(_) | Variant::FourInARow(_) | Variant::Irensei => return true,
    };
    let (width, height) = (contest.width as i32, contest.height as i32);
    let open = |x: i32, y: i32| {
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        let cell = Cell::new(x.rem_euclid(width) as usize, y.rem_euclid(height) as usize);
        (inside || torus) && course.stone(cell).is_none_or(|stone| stone == Stone::Of(color))
    };
    let line = |x: i32, y: i32, (dx, dy): (i32, i32)| {
        (0..length).all(|step| open(x + step * dx, y + step * dy))
    };
    (0..width * height)
        .any(|i| DIRECTIONS.iter().any(|direction| line(i % width, i / width, direction.steps())))
}

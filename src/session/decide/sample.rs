//! Plies at random, and what can be told of a game by trying one.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use goren_core::opening::{Action, Choice, Course};
use goren_core::rules::Variant;
use goren_core::types::{Cell, Color};

/// Tries at a random ply.
const TRIES: usize = 300;
/// Stones are laid at most so far from the middle, three times of four: nearer
/// openings are sharper.
const REACH: usize = 3;
/// Fixed, so that the same limits give the same choices.
pub(super) const SEED: u64 = 0x4445_4349_4445;

/// The game after a legal action.
pub(super) fn after(course: &Course, action: &Action) -> Option<Course> {
    let mut next = course.clone();
    next.apply(action).ok().map(|()| next)
}

/// Some legal way to place what is asked for first, at random.
pub fn sample(course: &Course, rng: &mut SmallRng) -> Option<Action> {
    let pending = course.pending_decision()?;
    let choice = pending.choices.first()?;
    (0..TRIES).find_map(|_| {
        let action = match choice {
            Choice::Stones { colors, declare, .. } => {
                let cells = match colors.len() {
                    1 => vec![any(course, &course.placements(), rng)?],
                    _ => stones(course, colors, rng)?,
                };
                Action::Stones { cells, count: declare.map(|(least, _)| least) }
            }
            Choice::Figure { declare } => {
                let figures = course.figures();
                let cells = figures.get(rng.random_range(0..figures.len().max(1)))?.to_vec();
                Action::Stones { cells, count: declare.map(|(least, _)| least) }
            }
            Choice::Offer { .. } | Choice::Choose => return None,
        };
        after(course, &action).is_some().then_some(action)
    })
}

/// Stones of these colours, each legal when its turn comes.
fn stones(course: &Course, colors: &[Color], rng: &mut SmallRng) -> Option<Vec<Cell>> {
    let mut referee = course.referee().copy();
    let empty = course.empty();
    let pair = colors.iter().all(|&color| Some(&color) == colors.first());
    let mut cells = Vec::new();
    for &color in colors {
        let fits = |&cell: &Cell| {
            referee.check(color, cell).is_ok() && (!pair || course.in_pair_zone(cell))
        };
        let free: Vec<Cell> = empty.iter().copied().filter(fits).collect();
        let cell = any(course, &free, rng)?;
        referee.place(color, cell).ok()?;
        cells.push(cell);
    }
    Some(cells)
}

/// One of some cells, more likely about the middle of the board.
fn any(course: &Course, cells: &[Cell], rng: &mut SmallRng) -> Option<Cell> {
    let centre = course.centre();
    let near = |cell: &Cell| {
        let (dx, dy) = (cell.x().abs_diff(centre.x()), cell.y().abs_diff(centre.y()));
        dx <= REACH && dy <= REACH
    };
    let central: Vec<Cell> = cells.iter().copied().filter(near).collect();
    let from = if central.is_empty() || rng.random_range(0..4) == 0 { cells } else { &central };
    (!from.is_empty()).then(|| from[rng.random_range(0..from.len())])
}

/// Whether the other seat may swap after whatever is placed now.
pub(super) fn swap_follows(course: &Course) -> bool {
    let next = probe(course);
    next.and_then(|next| next.pending_decision()).is_some_and(|pending| pending.swap)
}

/// Whether fifths are offered after the stone that is due.
pub(super) fn offer_follows(course: &Course) -> bool {
    let pending = probe(course).and_then(|next| next.pending_decision());
    pending.is_some_and(|pending| matches!(pending.choices[..], [Choice::Offer { .. }]))
}

/// The game after some ply.
fn probe(course: &Course) -> Option<Course> {
    let action = sample(course, &mut SmallRng::seed_from_u64(SEED))?;
    after(course, &action)
}

/// Some legal ply, should the search have none.
pub(super) fn any_legal(course: &Course) -> Option<Action> {
    let single = course.placements().into_iter().map(Action::stone);
    let random = sample(course, &mut SmallRng::seed_from_u64(SEED));
    let others = [Action::Pass, Action::Swap].into_iter();
    single.chain(random).chain(others).find(|action| after(course, action).is_some())
}

/// Stones of a turn of the side to move.
pub(super) fn stones_due(course: &Course) -> usize {
    let two = matches!(course.contest().variant, Variant::Connect6(_));
    if two && !course.events().is_empty() { 2 } else { 1 }
}

//! Random games by the referee, each ply compared with a model.

use crate::opening::{Action, GameState};
use crate::rules::{Contest, OpeningId, Variant};
use crate::types::keys::mix;
use crate::types::{Cell, Color};

use super::board::Point;

/// Number of plies of each comparison: 10,000 with `GOREN_TEST_FACTOR=5`.
pub fn plies() -> usize {
    let factor = std::env::var("GOREN_TEST_FACTOR").ok().and_then(|f| f.parse().ok());
    2_000 * factor.unwrap_or(1_usize)
}

/// The end of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The colour of the letter won.
    Won(char),
    Drawn,
}

/// A game as a model plays it.
pub trait Model: Clone {
    /// The letter on a point.
    fn letter(&self, at: Point) -> char;
    /// Whether a stone may be placed on an empty point, whether it is a foul or not.
    fn may_place(&self, color: char, at: Point) -> bool;
    /// Overline, double four and double three, if they are fouls.
    fn fouls(&self, _color: char, _at: Point) -> [bool; 3] {
        [false; 3]
    }
    /// Places a stone.
    fn place(&mut self, color: char, at: Point);
    /// Numbers of stones that Black and White have captured.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }
    /// Whether a colour has fouls.
    fn has_fouls(&self, _color: char) -> bool {
        false
    }
    /// Whether a colour has captured enough to win.
    fn has_captured_enough(&self, _color: char) -> bool {
        false
    }
    /// The rows that win.
    fn lines(&self) -> Vec<Vec<Point>>;
    /// The end of the game, if it is over, with a colour to move next.
    fn end(&self, to_move: char) -> Option<End>;
}

/// Counts of games and events.
#[derive(Default, Debug)]
pub struct Coverage {
    pub games: usize,
    pub won: [usize; 2],
    pub drawn: usize,
    /// Empty points where no stone may be placed.
    pub closed_points: usize,
    /// Points where a stone would be an overline, a double four or a double three.
    pub fouls: [usize; 3],
    /// Games that Black and White lost by a foul.
    pub fouled: [usize; 2],
}

pub fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

/// Compares a game with a model over [`plies`] random plies. Fouls are compared on all points at
/// every third ply.
pub fn compare<M: Model>(game: &str, size: (usize, usize), empty: &M) -> Coverage {
    let variant = Variant::from_name(game).unwrap();
    let contest = Contest::new(variant).on(size.0, size.1).unwrap();
    let contest = contest.opened(OpeningId::Free).unwrap();
    let mut coverage = Coverage::default();
    let mut random = 1;
    let (mut plies, limit) = (0, plies());
    while plies < limit {
        coverage.games += 1;
        let mut model = empty.clone();
        let mut game_state = GameState::new(contest);
        while game_state.result().is_none() && plies < limit {
            plies += 1;
            let name = format!("{game} game {} ply {}", coverage.games, game_state.actions().len());
            compare_points(&model, &game_state, plies, &name, &mut coverage);
            let at = pick(&game_state, &mut random);
            let color = game_state.to_move();
            game_state.apply(&Action::stone(at)).unwrap();
            let fouls = model.fouls(letter(color), (at.x() as i32, at.y() as i32));
            model.place(letter(color), (at.x() as i32, at.y() as i32));
            let end = game_state.result().map(|result| match result.colors[..] {
                [color] => End::Won(letter(color)),
                _ => End::Drawn,
            });
            let by_model = if fouls.contains(&true) {
                coverage.fouled[color.index()] += 1;
                Some(End::Won(letter(!color)))
            } else {
                model.end(letter(!color))
            };
            assert_eq!(end, by_model, "{name}: {at:?}\n{}", picture(&model, size));
            match end {
                Some(End::Won('X')) => coverage.won[0] += 1,
                Some(End::Won(_)) => coverage.won[1] += 1,
                Some(End::Drawn) => coverage.drawn += 1,
                None => {}
            }
        }
    }
    println!("{game}: {coverage:?}");
    coverage
}

fn compare_points<M: Model>(
    model: &M,
    game_state: &GameState,
    ply: usize,
    name: &str,
    coverage: &mut Coverage,
) {
    let Contest { width, height, .. } = *game_state.contest();
    let color = game_state.to_move();
    let legal = game_state.placements();
    assert_eq!(game_state.referee().captured(), model.captured(), "{name}");
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (cell, at) = (Cell::new(x, y), (x as i32, y as i32));
        let occupied = game_state.stone(cell).is_some();
        assert_eq!(model.letter(at) != '.', occupied, "{name} {at:?}");
        let may = !occupied && model.may_place(letter(color), at);
        assert_eq!(
            legal.contains(&cell),
            may,
            "{name} {at:?}\n{}",
            picture(model, (width, height))
        );
        coverage.closed_points += usize::from(!occupied && !may);
        if occupied || !ply.is_multiple_of(3) {
            continue;
        }
        for color in Color::ALL {
            let fouls = game_state.referee().fouls(color, cell);
            let fouls = [fouls.overline, fouls.double_four, fouls.double_three];
            let by_model = model.fouls(letter(color), at);
            assert_eq!(fouls, by_model, "{name} {at:?}\n{}", picture(model, (width, height)));
            for (count, foul) in coverage.fouls.iter_mut().zip(fouls) {
                *count += usize::from(foul);
            }
        }
    }
}

/// A random legal point, mostly near a stone; now and then a foul.
fn pick(game_state: &GameState, random: &mut u64) -> Cell {
    let mut below = |n: usize| {
        *random = mix(*random);
        *random as usize % n
    };
    let legal = game_state.placements();
    let stones = game_state.stones();
    let foul = |cell| game_state.referee().fouls(game_state.to_move(), cell).any();
    if below(12) == 0
        && let Some(&cell) = legal.iter().find(|&&cell| foul(cell))
    {
        return cell;
    }
    let mut cell = legal[below(legal.len())];
    for _ in 0..8 {
        let near = stones.iter().any(|(other, _)| {
            cell.x().abs_diff(other.x()) <= 2 && cell.y().abs_diff(other.y()) <= 2
        });
        if (near || stones.is_empty()) && !foul(cell) {
            break;
        }
        cell = legal[below(legal.len())];
    }
    cell
}

fn picture<M: Model>(model: &M, (width, height): (usize, usize)) -> String {
    let row = |y| (0..width as i32).map(|x| model.letter((x, y))).collect::<String>();
    (0..height as i32).map(row).collect::<Vec<_>>().join("\n")
}

//! Random games by the rules of the project, each ply held against a model.

use crate::opening::{Action, GameState};
use crate::rules::{Contest, OpeningId, Variant};
use crate::types::keys::mix;
use crate::types::{Cell, Color};

use super::board::At;

/// Plies of each comparison: `GOREN_TEST_FACTOR` 5 makes 10,000 of them.
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

/// A game by a model.
pub trait Model: Clone {
    /// What stands on a point.
    fn letter(&self, at: At) -> char;
    /// Whether a stone may be placed on an empty point, whatever comes of it.
    fn may_place(&self, color: char, at: At) -> bool;
    /// Overline, double four and double three, where they are fouls.
    fn fouls(&self, _color: char, _at: At) -> [bool; 3] {
        [false; 3]
    }
    /// Places a stone.
    fn place(&mut self, color: char, at: At);
    /// Stones that Black and White have captured.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }
    /// Whether anything is a foul of a colour.
    fn has_fouls(&self, _color: char) -> bool {
        false
    }
    /// Whether a colour has captured enough to win.
    fn has_captured_enough(&self, _color: char) -> bool {
        false
    }
    /// The rows that win.
    fn lines(&self) -> Vec<Vec<At>>;
    /// How the game has ended, with a colour to move next.
    fn end(&self, to_move: char) -> Option<End>;
}

/// Coverage: counts of games and events.
#[derive(Default, Debug)]
pub struct Seen {
    pub games: usize,
    pub won: [usize; 2],
    pub drawn: usize,
    /// Points that are empty and where no stone may be placed.
    pub closed_points: usize,
    /// Points that are overlines, double fours and double threes.
    pub fouls: [usize; 3],
    /// Games that Black and White lost by a foul.
    pub fouled: [usize; 2],
}

pub fn letter(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

/// Compares a game with a model over [`plies`] random plies. Fouls are compared where
/// the game has any, on all points at every third ply.
pub fn compare<M: Model>(game: &str, size: (usize, usize), empty: &M) -> Seen {
    let variant = Variant::from_name(game).unwrap();
    let contest = Contest::new(variant).on(size.0, size.1).unwrap();
    let contest = contest.opened(OpeningId::Free).unwrap();
    let mut seen = Seen::default();
    let mut random = 1;
    let (mut plies, most) = (0, plies());
    while plies < most {
        seen.games += 1;
        let mut model = empty.clone();
        let mut game_state = GameState::new(contest);
        while game_state.result().is_none() && plies < most {
            plies += 1;
            let name = format!("{game} game {} ply {}", seen.games, game_state.actions().len());
            same(&model, &game_state, plies, &name, &mut seen);
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
                seen.fouled[color.index()] += 1;
                Some(End::Won(letter(!color)))
            } else {
                model.end(letter(!color))
            };
            assert_eq!(end, by_model, "{name}: {at:?}\n{}", picture(&model, size));
            match end {
                Some(End::Won('X')) => seen.won[0] += 1,
                Some(End::Won(_)) => seen.won[1] += 1,
                Some(End::Drawn) => seen.drawn += 1,
                None => {}
            }
        }
    }
    println!("{game}: {seen:?}");
    seen
}

fn same<M: Model>(model: &M, game_state: &GameState, ply: usize, name: &str, seen: &mut Seen) {
    let Contest { width, height, .. } = *game_state.contest();
    let color = game_state.to_move();
    let legal = game_state.placements();
    assert_eq!(game_state.referee().captured(), model.captured(), "{name}");
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (cell, at) = (Cell::new(x, y), (x as i32, y as i32));
        let there = game_state.stone(cell).is_some();
        assert_eq!(model.letter(at) != '.', there, "{name} {at:?}");
        let may = !there && model.may_place(letter(color), at);
        assert_eq!(
            legal.contains(&cell),
            may,
            "{name} {at:?}\n{}",
            picture(model, (width, height))
        );
        seen.closed_points += usize::from(!there && !may);
        if there || !ply.is_multiple_of(3) {
            continue;
        }
        for color in Color::ALL {
            let fouls = game_state.referee().fouls(color, cell);
            let fouls = [fouls.overline, fouls.double_four, fouls.double_three];
            let by_model = model.fouls(letter(color), at);
            assert_eq!(fouls, by_model, "{name} {at:?}\n{}", picture(model, (width, height)));
            for (count, foul) in seen.fouls.iter_mut().zip(fouls) {
                *count += usize::from(foul);
            }
        }
    }
}

/// A legal point, mostly one near a stone; now and then a foul.
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

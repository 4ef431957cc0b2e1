//! The openings as tables, by the text of the rules: the stones of each step, and the steps after
//! which colours may be swapped.

use super::driver::plies;
use crate::opening::{Action, GameState};
use crate::rules::{Contest, OpeningId, Variant};
use crate::types::keys::mix;
use crate::types::{Cell, Color};

pub type Point = (i32, i32);
/// A distance from the centre that is no restriction.
const FAR: i32 = 99;

#[derive(Copy, Clone, PartialEq, Debug)]
enum Step {
    /// Three stones, Black's first, anywhere.
    Three,
    /// Three stones, the first in the centre, the others at most this far from it; a number up to
    /// a maximum.
    Named(i32, i32, Option<usize>),
    /// One stone at most this far from the centre; a number up to a maximum.
    One(i32, Option<usize>),
    /// This many fifths, or as many as were declared.
    Offer(Option<usize>),
    /// One stone at most this far from the centre, or ten fifths unless the last stone was swapped.
    OneOrTen(i32),
    /// A fifth and the sixth.
    Choose,
}
use Step::{Choose, Named, Offer, One, OneOrTen, Three};

struct Table {
    steps: &'static [Step],
    /// Numbers of steps after which a swap is on offer.
    swaps: &'static [usize],
}

/// The openings that have a table. Renju has all of them, the other games have
/// [`OpeningId::Swap`].
pub const OPENINGS: [OpeningId; 8] = [
    OpeningId::Swap,
    OpeningId::Tarannikov,
    OpeningId::Swap1989,
    OpeningId::SuperRif,
    OpeningId::SuperYamaguchi,
    OpeningId::SuperSoosorv8,
    OpeningId::SuperTarannikov,
    OpeningId::SuperTaraguchi10,
];

const FIVE: &[usize] = &[1, 2, 3, 4, 5];

fn table(opening: OpeningId) -> Table {
    let (steps, swaps): (&[Step], &[usize]) = match opening {
        OpeningId::Swap => (&[Three], &[1]),
        OpeningId::Tarannikov => {
            (&[One(0, None), One(1, None), One(2, None), One(3, None), One(4, None)], FIVE)
        }
        OpeningId::SuperTarannikov => {
            (&[One(0, None), One(2, None), One(3, None), One(3, None), One(4, None)], FIVE)
        }
        OpeningId::SuperTaraguchi10 => {
            (&[One(0, None), One(2, None), One(3, None), One(3, None), OneOrTen(4)], FIVE)
        }
        OpeningId::Swap1989 => (
            &[One(0, None), One(1, None), One(2, None), One(FAR, None), Offer(Some(2)), Choose],
            &[3],
        ),
        OpeningId::SuperRif => (&[Named(2, 3, None), One(FAR, None), Offer(Some(2)), Choose], &[1]),
        OpeningId::SuperYamaguchi => {
            (&[Named(2, 3, Some(12)), One(FAR, None), Offer(None), Choose], &[1])
        }
        OpeningId::SuperSoosorv8 => {
            (&[Named(2, 3, None), One(FAR, Some(8)), Offer(None), Choose], &[1, 2])
        }
        _ => unreachable!("no opening of these"),
    };
    Table { steps, swaps }
}

pub struct Model {
    table: Table,
    centre: Point,
    size: i32,
    step: usize,
    stones: Vec<(Point, Color)>,
    offers: Vec<Point>,
    declared: usize,
    swapped: bool,
    fourth_swapped: bool,
    /// Whether the seat that began has Black.
    first_has_black: bool,
}

/// The normal form of a figure of coloured stones, regardless of its place and orientation.
fn figure(stones: &[(Point, Color)]) -> Vec<(Point, usize)> {
    let turned = |k: usize| {
        let mut stones: Vec<(Point, usize)> = stones
            .iter()
            .map(|&((x, y), color)| {
                let (x, y) = if k & 1 == 0 { (x, y) } else { (y, x) };
                let (x, y) = (if k & 2 == 0 { x } else { -x }, if k & 4 == 0 { y } else { -y });
                ((x, y), color.index())
            })
            .collect();
        let least = |f: fn(&(Point, usize)) -> i32| stones.iter().map(f).min().unwrap();
        let (left, top) = (least(|stone| stone.0.0), least(|stone| stone.0.1));
        stones.iter_mut().for_each(|stone| stone.0 = (stone.0.0 - left, stone.0.1 - top));
        stones.sort_unstable();
        stones
    };
    (0..8).map(turned).min().unwrap()
}

impl Model {
    pub fn new(opening: OpeningId, size: usize) -> Model {
        Model {
            table: table(opening),
            centre: (size as i32 / 2, size as i32 / 2),
            size: size as i32,
            step: 0,
            stones: Vec::new(),
            offers: Vec::new(),
            declared: 0,
            swapped: false,
            fourth_swapped: false,
            first_has_black: true,
        }
    }

    pub fn stones(&self) -> &[(Point, Color)] {
        &self.stones
    }

    /// The fifths on offer.
    pub fn offers(&self) -> &[Point] {
        &self.offers
    }

    /// Number of fifths that a player has declared; 0 before.
    pub fn declared(&self) -> usize {
        self.declared
    }

    /// Whether the next ply is three stones anywhere.
    pub fn may_exchange(&self) -> bool {
        self.step == 0 && self.table.steps[0] == Three
    }

    /// Whether fifths are offered next.
    pub fn offers_fifths(&self) -> bool {
        matches!(self.table.steps.get(self.step), Some(Offer(_)))
    }

    pub fn swap_is_on_offer(&self) -> bool {
        self.table.swaps.contains(&self.step) && !self.swapped && self.offers.is_empty()
    }

    pub fn is_over(&self) -> bool {
        let chosen = self.step >= self.table.steps.len();
        chosen && self.offers.is_empty() && (self.swapped || !self.swap_is_on_offer())
    }

    fn is_free(&self, (x, y): Point) -> bool {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        inside && self.stones.iter().all(|stone| stone.0 != (x, y))
    }

    fn away(&self, (x, y): Point) -> i32 {
        (x - self.centre.0).abs().max((y - self.centre.1).abs())
    }

    fn are_offers(&self, points: &[Point], number: usize) -> bool {
        let with = |&point: &Point| figure(&[&self.stones[..], &[(point, Color::Black)]].concat());
        let mut figures: Vec<_> = points.iter().map(with).collect();
        figures.sort_unstable();
        let alike = figures.windows(2).any(|pair| pair[0] == pair[1]);
        points.len() == number && points.iter().all(|&p| self.is_free(p)) && !alike
    }

    /// Whether a ply is allowed.
    pub fn allows(&self, ply: &Ply) -> bool {
        let within = |most: Option<usize>, count: Option<usize>| match (most, count) {
            (Some(most), Some(count)) => (1..=most).contains(&count),
            (most, count) => most.is_none() && count.is_none(),
        };
        let step = match (self.table.steps.get(self.step), &self.offers[..]) {
            (_, [_, ..]) => Choose,
            (Some(&step), _) => step,
            (None, _) => One(FAR, None),
        };
        match (ply, step) {
            (Ply::Swap, _) => self.swap_is_on_offer(),
            (Ply::Stones(points, count), step) => {
                let distinct = (1..points.len()).all(|i| !points[..i].contains(&points[i]));
                let free = distinct && points.iter().all(|&p| self.is_free(p));
                free && match (step, &points[..]) {
                    (Three, [_, _, _]) => count.is_none(),
                    (Named(second, third, most), &[a, b, c]) => {
                        let near = self.away(b) <= second && self.away(c) <= third;
                        a == self.centre && near && within(most, *count)
                    }
                    (One(reach, most), &[a]) => self.away(a) <= reach && within(most, *count),
                    (OneOrTen(reach), &[a]) => self.away(a) <= reach && count.is_none(),
                    _ => false,
                }
            }
            (Ply::Offer(points), Offer(number)) => {
                self.are_offers(points, number.unwrap_or(self.declared))
            }
            (Ply::Offer(points), OneOrTen(_)) => {
                !self.fourth_swapped && self.are_offers(points, 10)
            }
            (Ply::Choose(fifth, sixth), Choose) => {
                let free = self.is_free(*fifth) && self.is_free(*sixth);
                self.offers.contains(fifth) && free && fifth != sixth
            }
            _ => false,
        }
    }

    pub fn apply(&mut self, ply: &Ply) {
        self.swapped = *ply == Ply::Swap;
        let mut place = |points: &[Point]| {
            for &point in points {
                let color = Color::ALL[self.stones.len() % 2];
                self.stones.push((point, color));
            }
        };
        match ply {
            Ply::Swap => {
                self.first_has_black = !self.first_has_black;
                self.fourth_swapped |= self.step == 4;
                return;
            }
            Ply::Stones(points, count) => {
                place(points);
                self.declared = count.unwrap_or(self.declared);
            }
            Ply::Offer(points) => self.offers.clone_from(points),
            Ply::Choose(fifth, sixth) => {
                place(&[*fifth, *sixth]);
                self.offers.clear();
            }
        }
        self.step += 1;
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Ply {
    Swap,
    Stones(Vec<Point>, Option<usize>),
    Offer(Vec<Point>),
    Choose(Point, Point),
}

impl Ply {
    fn action(&self) -> Action {
        let cell = |&(x, y): &Point| Cell::new(x as usize, y as usize);
        match self {
            Ply::Swap => Action::Swap,
            Ply::Stones(points, count) => {
                Action::Stones { cells: points.iter().map(cell).collect(), count: *count }
            }
            Ply::Offer(points) => Action::Offer(points.iter().map(cell).collect()),
            Ply::Choose(fifth, sixth) => Action::Choose { fifth: cell(fifth), sixth: cell(sixth) },
        }
    }
}

/// A random ply of any kind, often one that the model allows.
pub fn random_ply(model: &Model, below: &mut impl FnMut(usize) -> usize) -> Ply {
    let point = |below: &mut dyn FnMut(usize) -> usize| {
        let reach = [1, 2, 3, 4, 7][below(5)];
        let (dx, dy) = (below(2 * reach + 1) as i32, below(2 * reach + 1) as i32);
        let reach = reach as i32;
        (model.centre.0 + dx - reach, model.centre.1 + dy - reach)
    };
    let several = |number: usize, below: &mut dyn FnMut(usize) -> usize| -> Vec<Point> {
        (0..number).map(|_| point(below)).collect()
    };
    let count = [None, Some(below(15))][below(2)];
    match below(5) {
        0 => Ply::Swap,
        1 => Ply::Stones(vec![point(below)], count),
        2 => {
            let mut three = several(3, below);
            if below(3) > 0 {
                three[0] = model.centre;
            }
            Ply::Stones(three, count)
        }
        3 => {
            let number = [model.declared, 2, 10][below(3)];
            Ply::Offer(several(number, below))
        }
        _ => {
            let fifth = match model.offers[..] {
                [] => point(below),
                _ => model.offers[below(model.offers.len())],
            };
            Ply::Choose(fifth, point(below))
        }
    }
}

#[test]
fn openings_follow_their_tables() {
    let others = ["gomoku", "freestyle", "pente"].map(|game| (game, OpeningId::Swap));
    let renju = OPENINGS.map(|opening| ("renju", opening));
    for (game, opening) in renju.into_iter().chain(others) {
        let contest = Contest::new(Variant::from_name(game).unwrap()).on(15, 15).unwrap();
        let contest = contest.opened(opening).unwrap();
        let mut random = 3;
        let mut below = |n: usize| {
            random = mix(random);
            random as usize % n
        };
        let (mut tried, mut games, mut finished) = (0, 0, 0);
        while tried < plies() {
            let mut model = Model::new(opening, 15);
            let mut game_state = GameState::new(contest);
            games += 1;
            while !model.is_over() && tried < plies() {
                tried += 1;
                // About every second ply is allowed, if such a ply is found.
                let mut ply = random_ply(&model, &mut below);
                for _ in 0..60 * below(2) {
                    if model.allows(&ply) {
                        break;
                    }
                    ply = random_ply(&model, &mut below);
                }
                let mut next = game_state.clone();
                let allowed = next.apply(&ply.action()).is_ok();
                let name = format!("{game} {opening} {:?} {ply:?}", game_state.actions());
                assert_eq!(allowed, model.allows(&ply), "{name}");
                if !allowed {
                    continue;
                }
                model.apply(&ply);
                game_state = next;
                let black_is_first = game_state.owner(Color::Black).index() == 0;
                assert_eq!(black_is_first, model.first_has_black, "{name}");
                let swap = game_state.pending_decision().unwrap().swap;
                assert_eq!(swap, model.swap_is_on_offer(), "{name}");
                assert_eq!(game_state.stones().len(), model.stones.len(), "{name}");
                let due = Color::ALL[model.stones.len() % 2];
                let due = if model.offers.is_empty() { due } else { Color::White };
                assert_eq!(game_state.to_move(), due, "{name}");
            }
            finished += usize::from(model.is_over());
        }
        assert!(finished + 1 >= games && finished > 20, "{game} {opening}: {finished} of {games}");
    }
}

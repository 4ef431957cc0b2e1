//! What a seat does next in any game and opening, decided by search: which
//! opening to lay, whether to swap, how many fifths to declare, which to offer
//! and to keep, and the moves of the game itself.
//!
//! A way to go on is worth what the seat gets of it. Where the other may swap
//! next he takes the better side, so that a position is worth at most nothing
//! to the one who laid it, and most if it is level.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::eval::WeightSet;
use crate::opening::{Act, Ask, Choice, Course, Event, Seat, Zone, write};
use crate::rules::{Contest, Variant};
use crate::search::time::Clock;
use crate::search::{Answer, Brain, Control, Info, Limits, Params, Scene, new_brain};
use crate::tt::Table;
use crate::types::{Cell, Color, Score, win_in};

/// Longest thought about an opening, however much time there is.
const LONGEST: Duration = Duration::from_secs(10);
/// Positions compared where one is to be laid.
const SAMPLES: usize = 16;
/// Random tries at legal ones.
const TRIES: usize = 2000;
/// Openings of renju compared, where a number of fifths goes with them.
const FIGURES: usize = 5;
/// Fifths looked at, besides those to be offered.
const SPARE_FIFTHS: usize = 10;
/// Part of the time of a turn of two stones that the first one gets.
const FIRST_STONE: f64 = 0.6;
/// Fixed, so that the same limits give the same choices.
const SEED: u64 = 0x4445_4349_4445;

/// What a seat does, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The ply.
    pub act: Act,
    /// What the last search knew.
    pub info: Info,
    /// What the ways to go on are worth, one a line; empty in plain moves.
    pub why: Vec<String>,
}

/// Decides for the seats of a game.
pub struct Decider {
    contest: Contest,
    brain: Box<dyn Brain>,
}

/// What a decision may spend.
pub struct Means<'a> {
    /// The table to use.
    pub table: &'a Table,
    /// What bounds the thought as a whole.
    pub limits: &'a Limits,
    /// The strings to pull.
    pub control: &'a Control,
}

/// A way to go on, and what it is worth to the seat.
struct Way {
    act: Act,
    worth: Score,
}

/// A thought in progress.
struct Thought<'a> {
    brain: &'a mut dyn Brain,
    means: &'a Means<'a>,
    /// When the whole thought must end, counted from its start.
    end: Duration,
    /// Nodes left for it, if they are bounded.
    nodes: Option<u64>,
    rng: SmallRng,
    info: Info,
    why: Vec<String>,
}

impl Decider {
    /// Decides in games of one kind.
    pub fn new(contest: &Contest) -> Decider {
        Decider::with_weights(contest, &WeightSet::default())
    }

    /// The same, evaluated by some weights where they are of the game.
    pub fn with_weights(contest: &Contest, weights: &WeightSet) -> Decider {
        Decider { contest: *contest, brain: new_brain(contest, weights) }
    }

    /// The game it decides in.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Searches by other numbers from now on.
    pub fn tune(&mut self, params: &Params) {
        self.brain.tune(params);
    }

    /// Forgets what was learnt from earlier searches.
    pub fn forget(&mut self) {
        self.brain.forget();
    }

    /// The ply of the seat whose turn it is; `None` when the game is over.
    pub fn decide(
        &mut self,
        course: &Course,
        means: &Means<'_>,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Decision> {
        let ask = course.ask()?;
        let area = self.contest.width * self.contest.height;
        let stones = course.events().len();
        let budget = means.limits.clock.budget(stones, area);
        let mut thought = Thought {
            brain: &mut *self.brain,
            means,
            end: budget.soft.min(LONGEST),
            nodes: means.limits.max_nodes,
            rng: SmallRng::seed_from_u64(SEED),
            info: Info {
                depth: 0,
                seldepth: 0,
                score: 0,
                nodes: 0,
                elapsed: Duration::ZERO,
                pv: Vec::new(),
            },
            why: Vec::new(),
        };
        let act = match is_plain(course, &ask) {
            true => thought.turn(course, &ask, report),
            false => thought.choose(course, &ask),
        };
        let mut probe = course.clone();
        let act = match act.filter(|act| probe.act(act).is_ok()) {
            Some(act) => act,
            // The search knows no pass and none of the rarest rules.
            None => any_legal(course)?,
        };
        Some(Decision { act, info: thought.info, why: thought.why })
    }
}

/// Whether nothing but a turn of the game itself can be played, and the other
/// seat may not swap afterwards.
fn is_plain(course: &Course, ask: &Ask) -> bool {
    let [Choice::Stones { colors, declare: None, .. }] = &ask.choices[..] else { return false };
    !ask.swap && colors.iter().all(|&color| color == ask.color) && !swap_follows(course)
}

/// Whether the other seat may swap after whatever is placed now.
fn swap_follows(course: &Course) -> bool {
    let next = sample(course, &mut SmallRng::seed_from_u64(SEED)).map(|act| after(course, &act));
    next.flatten().and_then(|next| next.ask()).is_some_and(|ask| ask.swap)
}

/// The game after a legal act.
fn after(course: &Course, act: &Act) -> Option<Course> {
    let mut next = course.clone();
    next.act(act).ok().map(|()| next)
}

/// Some legal way to place what is asked for, at random.
fn sample(course: &Course, rng: &mut SmallRng) -> Option<Act> {
    let ask = course.ask()?;
    let choice = ask.choices.first()?;
    let empty = course.empty();
    let central = central(course, &empty);
    for tried in 0..TRIES {
        let cells = if tried % 4 == 0 { &empty } else { &central };
        let mut any = |cells: &[Cell]| cells[rng.random_range(0..cells.len())];
        let act = match choice {
            Choice::Stones { colors, declare, .. } => {
                let single = course.placements();
                let cells = match colors.len() {
                    1 if !single.is_empty() => vec![any(&single)],
                    1 => return None,
                    n => (0..n).map(|_| any(cells)).collect(),
                };
                Act::Stones { cells, count: declare.map(|(least, _)| least) }
            }
            Choice::Figure { declare } => {
                let figures = course.figures();
                let cells = figures[rng.random_range(0..figures.len())].to_vec();
                Act::Stones { cells, count: declare.map(|(least, _)| least) }
            }
            Choice::Offer { .. } | Choice::Choose => return None,
        };
        if after(course, &act).is_some() {
            return Some(act);
        }
    }
    None
}

/// The cells about the middle of the board, or all where they are few.
fn central(course: &Course, cells: &[Cell]) -> Vec<Cell> {
    let centre = course.centre();
    let near =
        |cell: &&Cell| cell.x().abs_diff(centre.x()) <= 3 && cell.y().abs_diff(centre.y()) <= 3;
    let central: Vec<Cell> = cells.iter().filter(near).copied().collect();
    if central.is_empty() { cells.to_vec() } else { central }
}

/// The first legal ply there is.
fn any_legal(course: &Course) -> Option<Act> {
    let empty = course.empty();
    let single = course.placements().into_iter().map(Act::stone);
    let pairs = empty.iter().flat_map(|&a| empty.iter().map(move |&b| Act::stones(&[a, b])));
    let pairs = pairs.filter(|_| single.len() == 0);
    let others = [Act::Pass, Act::Swap].into_iter();
    let random = sample(course, &mut SmallRng::seed_from_u64(SEED));
    single.clone().chain(random).chain(pairs).chain(others).find(|act| after(course, act).is_some())
}

/// What is on the board, with the turn of the game that is due.
fn scene(course: &Course, placed: &[(Cell, Color)], to_move: Color, stones: usize) -> Scene {
    let more = placed.iter().map(|&(cell, color)| Event::Stone(cell, color));
    let events = course.events().iter().copied().chain(more).collect();
    Scene { events, to_move, stones }
}

/// Stones of a turn of the side to move.
fn stones_due(course: &Course) -> usize {
    let two = matches!(course.contest().variant, Variant::Connect6(_));
    if two && !course.events().is_empty() { 2 } else { 1 }
}

impl Thought<'_> {
    /// Bounds of one of `parts` equal parts of what is left.
    fn part(&self, parts: usize) -> Limits {
        let limits = self.means.limits;
        let parts = parts.max(1) as u32;
        let clock = match self.end {
            LONGEST if limits.max_nodes.is_some() || limits.max_depth.is_some() => Clock::UNLIMITED,
            end => Clock::per_move(end.saturating_sub(limits.started.elapsed()) / parts),
        };
        let max_nodes = self.nodes.map(|nodes| (nodes / u64::from(parts)).max(1));
        Limits { clock, started: Instant::now(), max_nodes, ..limits.clone() }
    }

    fn search(&mut self, scene: &Scene, limits: &Limits, report: &mut dyn FnMut(&Info)) -> Answer {
        let Means { table, control, .. } = *self.means;
        let answer = self.brain.think(scene, table, limits, control, report);
        self.nodes = self.nodes.map(|nodes| nodes.saturating_sub(answer.info.nodes));
        self.info = answer.info.clone();
        answer
    }

    /// A turn of the game itself, within its zone.
    fn turn(&mut self, course: &Course, ask: &Ask, report: &mut dyn FnMut(&Info)) -> Option<Act> {
        let [Choice::Stones { colors, zone, .. }] = &ask.choices[..] else { return None };
        let limits = self.means.limits;
        let mut placed: Vec<(Cell, Color)> = Vec::new();
        for left in (1..=colors.len()).rev() {
            let allowed = match zone {
                Zone::Anywhere => Vec::new(),
                _ if colors.len() == 1 => course.placements(),
                _ => {
                    let free = |cell: &Cell| placed.iter().all(|(other, _)| other != cell);
                    let zone = |cell: &Cell| course.in_pair_zone(*cell) && free(cell);
                    course.empty().into_iter().filter(zone).collect()
                }
            };
            let mut part = Limits { root_moves: allowed, ..limits.clone() };
            if colors.len() > 1 {
                part = self.stone_of_turn(course, left, part);
            }
            let scene = scene(course, &placed, ask.color, left);
            let answer = self.search(&scene, &part, report);
            if !answer.best.is_some() {
                return None;
            }
            placed.push((answer.best.cell(), ask.color));
        }
        Some(Act::Stones { cells: placed.into_iter().map(|(cell, _)| cell).collect(), count: None })
    }

    /// Bounds of one stone of a turn of two.
    fn stone_of_turn(&self, course: &Course, left: usize, limits: Limits) -> Limits {
        let area = course.contest().width * course.contest().height;
        let budget = self.means.limits.clock.budget(course.events().len(), area);
        let share = if left > 1 { FIRST_STONE } else { 1.0 };
        let clock = match budget.soft {
            Duration::MAX => Clock::UNLIMITED,
            soft => {
                let rest = soft.saturating_sub(limits.started.elapsed());
                Clock::per_move(rest.mul_f64(share))
            }
        };
        let nodes = self.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1));
        Limits { clock, started: Instant::now(), max_nodes: nodes, ..limits }
    }

    /// What a position is worth to the owner of the colour to move, as far as
    /// the board goes.
    fn value(&mut self, course: &Course, parts: usize) -> Score {
        if let Some(result) = course.result() {
            return match result.colors[..] {
                [color] if color == course.to_move() => win_in(0),
                [_] => -win_in(0),
                _ => 0,
            };
        }
        let scene = scene(course, &[], course.to_move(), stones_due(course));
        let limits = self.part(parts);
        self.search(&scene, &limits, &mut |_| {}).info.score
    }

    /// What a position is worth to the owner of the colour to move, fifths that
    /// are still to be offered taken into account.
    fn outlook(&mut self, course: &Course, parts: usize) -> Score {
        let to_move = course.to_move();
        let for_mover = |black: Score| if to_move == Color::Black { black } else { -black };
        let Some(ask) = course.ask() else { return self.value(course, parts) };
        match ask.choices.first() {
            Some(&Choice::Offer { count }) => {
                let fifths = self.fifths(course, count, parts);
                // White keeps the worst of them.
                let black = fifths.get(count - 1).or(fifths.last()).map_or(0, |f| f.1);
                for_mover(black)
            }
            Some(Choice::Stones { colors, declare: None, .. })
                if colors.len() == 1 && self.offer_follows(course) =>
            {
                match self.fourth(course, 2 * parts) {
                    Some(next) => {
                        let score = self.outlook(&next, 2 * parts);
                        if next.to_move() == to_move { score } else { -score }
                    }
                    None => self.value(course, parts),
                }
            }
            _ => self.value(course, parts),
        }
    }

    /// Whether fifths are offered after the stone that is due.
    fn offer_follows(&mut self, course: &Course) -> bool {
        let next = sample(course, &mut self.rng).and_then(|act| after(course, &act));
        let ask = next.and_then(|next| next.ask());
        ask.is_some_and(|ask| matches!(ask.choices[..], [Choice::Offer { .. }]))
    }

    /// The game after the best fourth stone.
    fn fourth(&mut self, course: &Course, parts: usize) -> Option<Course> {
        let scene = scene(course, &[], course.to_move(), 1);
        let limits = self.part(parts);
        let best = self.search(&scene, &limits, &mut |_| {}).best;
        after(course, &Act::stone(best.cell()))
    }

    /// Fifths that differ by more than symmetry, the best for Black first: at
    /// least `count` of them, with their worth to Black.
    fn fifths(&mut self, course: &Course, count: usize, parts: usize) -> Vec<(Cell, Score)> {
        let stones = course.stones();
        let away = |cell: &Cell| {
            let far = |&(stone, _): &(Cell, Color)| {
                cell.x().abs_diff(stone.x()).pow(2) + cell.y().abs_diff(stone.y()).pow(2)
            };
            (stones.iter().map(far).sum::<usize>(), *cell)
        };
        let mut cells = course.empty();
        cells.sort_by_key(away);
        let mut distinct: Vec<Cell> = Vec::new();
        for cell in cells {
            if distinct.len() == count + SPARE_FIFTHS {
                break;
            }
            distinct.push(cell);
            if course.has_twins(&distinct) {
                distinct.pop();
            }
        }
        let number = distinct.len();
        let mut fifths: Vec<(Cell, Score)> = Vec::new();
        for (i, cell) in distinct.into_iter().enumerate() {
            let scene = scene(course, &[(cell, Color::Black)], Color::White, 1);
            let limits = self.part(parts * (number - i));
            let score = -self.search(&scene, &limits, &mut |_| {}).info.score;
            fifths.push((cell, score));
        }
        fifths.sort_by_key(|&(cell, score)| (-score, cell));
        fifths
    }

    /// What a seat gets of a position that has come about.
    fn worth(&mut self, course: &Course, seat: Seat, parts: usize) -> Score {
        let Some(ask) = course.ask() else {
            let value = self.value(course, parts);
            return if course.owner(course.to_move()) == seat { value } else { -value };
        };
        if !ask.swap && swap_follows(course) {
            // Whoever lays what the other may take lays it level.
            return 0;
        }
        let value = self.outlook(course, parts);
        match ask.swap {
            true if ask.seat == seat => value.abs(),
            true => -value.abs(),
            false if course.owner(ask.color) == seat => value,
            false => -value,
        }
    }

    /// Compares all ways to go on.
    fn choose(&mut self, course: &Course, ask: &Ask) -> Option<Act> {
        if let [Choice::Choose] = ask.choices[..] {
            return self.keep_a_fifth(course);
        }
        let mut options = Vec::new();
        let parts = ask.choices.len() + ask.swap as usize;
        for (i, choice) in ask.choices.iter().enumerate() {
            options.extend(self.best_of(course, ask, choice, parts - i));
        }
        if ask.swap {
            let plain = matches!(&ask.choices[..], [Choice::Stones { .. }, ..])
                && !swap_follows(course)
                && !self.offer_follows(course);
            let worth = match options.first() {
                // The other side of the same board.
                Some(stay) if plain => Some(-stay.worth),
                _ => after(course, &Act::Swap).map(|next| self.worth(&next, ask.seat, 1)),
            };
            options.extend(worth.map(|worth| Way { act: Act::Swap, worth }));
        }
        for option in &options {
            let name = match &option.act {
                Act::Swap => "swap".to_owned(),
                act => write(course, act),
            };
            self.why.push(format!("{name} {:+}", option.worth));
        }
        options.into_iter().rev().max_by_key(|option| option.worth).map(|option| option.act)
    }

    /// The best way to go on by one of the choices.
    fn best_of(
        &mut self,
        course: &Course,
        ask: &Ask,
        choice: &Choice,
        parts: usize,
    ) -> Option<Way> {
        match choice {
            Choice::Offer { count } => {
                let mut fifths = self.fifths(course, *count, parts);
                fifths.truncate(*count);
                let worth = fifths.last().map_or(0, |fifth| fifth.1);
                let cells = fifths.into_iter().map(|fifth| fifth.0).collect();
                Some(Way { act: Act::Offer(cells), worth })
            }
            Choice::Figure { declare: Some(bounds) } => {
                let mut best: Option<Way> = None;
                for i in 0..FIGURES {
                    let figures = course.figures();
                    let cells = figures[self.rng.random_range(0..figures.len())].to_vec();
                    let parts = parts * (FIGURES - i);
                    let option = self.declared(course, cells, *bounds, 2 * parts);
                    best = better(best, option);
                }
                best
            }
            Choice::Stones { declare: Some(bounds), .. } => {
                let next = sample(course, &mut self.rng)?;
                let Act::Stones { cells, .. } = next else { return None };
                let scene = scene(course, &[], ask.color, cells.len());
                let limits = self.part(2 * parts);
                let best = self.search(&scene, &limits, &mut |_| {}).best;
                self.declared(course, vec![best.cell()], *bounds, parts)
            }
            // Two stones hand the choice back: worth nothing at best.
            Choice::Stones { colors, .. } if colors.len() == 2 && colors[0] != colors[1] => None,
            Choice::Stones { .. } | Choice::Figure { .. } if swap_follows(course) => {
                let mut best: Option<Way> = None;
                for i in 0..SAMPLES {
                    let act = sample(course, &mut self.rng)?;
                    let next = after(course, &act)?;
                    let worth = self.worth(&next, ask.seat, parts * (SAMPLES - i));
                    best = better(best, Some(Way { act, worth }));
                }
                best
            }
            Choice::Stones { .. } => {
                let only = Ask { choices: vec![choice.clone()], ..ask.clone() };
                if self.offer_follows(course) {
                    let next = self.fourth(course, 2 * parts)?;
                    let act = next.acts().last()?.clone();
                    let worth = self.worth(&next, ask.seat, parts);
                    return Some(Way { act, worth });
                }
                let act = self.turn(course, &only, &mut |_| {})?;
                Some(Way { act, worth: self.info.score })
            }
            Choice::Figure { .. } | Choice::Choose => None,
        }
    }

    /// Stones with the number of fifths that leaves things most level.
    fn declared(
        &mut self,
        course: &Course,
        cells: Vec<Cell>,
        (least, most): (usize, usize),
        parts: usize,
    ) -> Option<Way> {
        let act = |count| Act::Stones { cells: cells.clone(), count: Some(count) };
        let mut next = after(course, &act(least))?;
        if !matches!(next.ask()?.choices[..], [Choice::Offer { .. }]) {
            next = self.fourth(&next, 2 * parts)?;
        }
        let fifths = self.fifths(&next, most, parts);
        let level = |count: &usize| fifths.get(count - 1).map_or(Score::MAX, |f| f.1.abs());
        let count = (least..=most).min_by_key(level)?;
        Some(Way { act: act(count), worth: -level(&count) })
    }

    /// White keeps one of the fifths and answers it.
    fn keep_a_fifth(&mut self, course: &Course) -> Option<Act> {
        let offers = course.offers().to_vec();
        let number = offers.len();
        let mut best: Option<Way> = None;
        for (i, fifth) in offers.into_iter().enumerate() {
            let scene = scene(course, &[(fifth, Color::Black)], Color::White, 1);
            let limits = self.part(number - i);
            let answer = self.search(&scene, &limits, &mut |_| {});
            let sixth = answer.best.cell();
            let act = Act::Choose { fifth, sixth };
            self.why.push(format!("{} {:+}", write(course, &act), answer.info.score));
            best = better(best, Some(Way { act, worth: answer.info.score }));
        }
        best.map(|option| option.act)
    }
}

/// The one of two that is worth more; the first if they are worth the same.
fn better(best: Option<Way>, other: Option<Way>) -> Option<Way> {
    match (best, other) {
        (Some(a), Some(b)) => Some(if b.worth > a.worth { b } else { a }),
        (a, b) => a.or(b),
    }
}

//! `goren greedy`: the engine against a player that looks one ply ahead and
//! knows nothing but the referee. A check of any game: whoever loses to it, or
//! plays what is illegal, does not know the rules.

use std::time::Instant;

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use super::variant::Game;
use crate::opening::{Act, Choice, Course, Seat};
use crate::rules::Contest;
use crate::search::time::Clock;
use crate::search::{Control, Limits, STACK_BYTES};
use crate::session::decide::{Decider, Means};
use crate::tt::Table;
use crate::types::{Cell, Color, DIRECTIONS, Stone};

/// Bytes of each table.
const TABLE_BYTES: usize = 16 << 20;

/// Arguments of `goren greedy`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: Game,
    /// Games to play; the engine begins every other one.
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Nodes of the engine for each move.
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Plies after which a game counts as drawn.
    #[arg(long, default_value_t = 400)]
    plies: usize,
    /// Games of the same seed are the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The engine plays both seats: only whether all is legal counts.
    #[arg(long)]
    alone: bool,
}

/// How the games ended for the engine.
#[derive(Copy, Clone, Default, Debug)]
struct Tally {
    won: usize,
    lost: usize,
    drawn: usize,
    /// Games broken off.
    unfinished: usize,
    /// Plies of the engine that the rules refused.
    illegal: usize,
    plies: usize,
    nodes: u64,
}

/// Plays and prints. Whether the engine lost nothing and played by the rules.
///
/// # Errors
/// A game that is not known, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.game.contest()?;
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build()?;
    let tallies: Result<Vec<Tally>> = pool.install(|| {
        (0..args.games).into_par_iter().map(|number| play(args, &contest, number)).collect()
    });
    let tally = tallies?.into_iter().fold(Tally::default(), |a, b| Tally {
        won: a.won + b.won,
        lost: a.lost + b.lost,
        drawn: a.drawn + b.drawn,
        unfinished: a.unfinished + b.unfinished,
        illegal: a.illegal + b.illegal,
        plies: a.plies + b.plies,
        nodes: a.nodes + b.nodes,
    });
    let Contest { variant, width, height, opening, .. } = contest;
    let seconds = started.elapsed().as_secs_f64();
    let speed = tally.nodes as f64 / seconds / pool.current_num_threads() as f64;
    println!(
        "{variant} {width}x{height} {opening}: {} won, {} lost, {} drawn, {} broken off; {} plies, \
         {} illegal; {speed:.0} nodes/s a thread",
        tally.won, tally.lost, tally.drawn, tally.unfinished, tally.plies, tally.illegal
    );
    Ok(tally.illegal == 0 && tally.lost == 0)
}

fn play(args: &Args, contest: &Contest, number: usize) -> Result<Tally> {
    let mut rng = SmallRng::seed_from_u64(args.seed.wrapping_mul(1_000_003) + number as u64);
    let engine = Seat::ALL[number % 2];
    let (mut course, mut decider) = (Course::new(*contest), Decider::new(contest));
    let table = Table::with_bytes(TABLE_BYTES)?;
    let mut tally = Tally::default();
    while let Some(ask) = course.ask() {
        if course.acts().len() >= args.plies {
            tally.unfinished += 1;
            return Ok(tally);
        }
        tally.plies += 1;
        if ask.seat == engine || args.alone {
            let limits = Limits {
                clock: Clock::UNLIMITED,
                started: Instant::now(),
                max_depth: None,
                max_nodes: Some(args.nodes),
                threads: 1,
                root_moves: Vec::new(),
            };
            let means = Means { table: &table, limits: &limits, control: &Control::default() };
            let decision = decider.decide(&course, &means, &mut |_| {});
            tally.nodes += decision.as_ref().map_or(0, |decision| decision.info.nodes);
            let played = decision.is_some_and(|decision| course.act(&decision.act).is_ok());
            if !played {
                tally.illegal += 1;
                return Ok(tally);
            }
        } else {
            greedy(&mut course, &mut rng);
        }
    }
    let seats = course.result().map_or(Vec::new(), |result| result.seats.clone());
    match seats[..] {
        [seat] if seat == engine => tally.won += 1,
        [_] => tally.lost += 1,
        _ => tally.drawn += 1,
    }
    Ok(tally)
}

/// Plays a ply that wins at once, or else the one that makes and stops the
/// longest rows; in openings any that is legal.
fn greedy(course: &mut Course, rng: &mut SmallRng) {
    let Some(ask) = course.ask() else { return };
    let empty = course.empty();
    let stones = match &ask.choices[..] {
        [Choice::Stones { colors, declare: None, .. }] => colors.len(),
        _ => 0,
    };
    if stones > 0 {
        let singles = if stones == 1 { course.placements() } else { empty.clone() };
        let mut ranked: Vec<(i64, u32, Cell)> = singles
            .into_iter()
            .map(|cell| (-look(course, cell, ask.color), rng.random(), cell))
            .collect();
        ranked.sort_unstable();
        let best: Vec<Cell> = ranked.into_iter().map(|(_, _, cell)| cell).collect();
        let acts: Vec<Act> = match stones {
            1 => best.iter().map(|&cell| Act::stone(cell)).collect(),
            _ => {
                let pair = |i: usize, j: usize| Act::stones(&[best[i], best[j]]);
                let n = best.len();
                (0..n)
                    .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
                    .map(|(i, j)| pair(i, j))
                    .collect()
            }
        };
        // Of wins by lines the longest rows know; captures are tried.
        for act in acts.iter().take(12) {
            let mut next = course.clone();
            if next.act(act).is_ok() && next.result().is_some_and(|r| r.seats == [ask.seat]) {
                *course = next;
                return;
            }
        }
        if acts.iter().any(|act| course.act(act).is_ok()) {
            return;
        }
    }
    for _ in 0..10_000 {
        let mut cells = |n: usize| -> Vec<Cell> {
            (0..n).map(|_| empty[rng.random_range(0..empty.len())]).collect()
        };
        let choice = ask.choices.first();
        let act = match choice {
            Some(Choice::Stones { colors, declare, .. }) => {
                Act::Stones { cells: cells(colors.len()), count: declare.map(|(_, most)| most) }
            }
            Some(Choice::Figure { declare }) => {
                let figures = course.figures();
                let count = declare.map(|(least, _)| least);
                let cells = figures[rng.random_range(0..figures.len())].to_vec();
                Act::Stones { cells, count }
            }
            Some(Choice::Offer { count }) => Act::Offer(cells(*count)),
            Some(Choice::Choose) => {
                let offers = course.offers();
                let sixth = cells(1)[0];
                Act::Choose { fifth: offers[rng.random_range(0..offers.len())], sixth }
            }
            None => Act::Pass,
        };
        if course.act(&act).is_ok() {
            return;
        }
    }
    // Nothing can be placed.
    let _ = course.act(&Act::Pass).or_else(|_| course.act(&Act::Swap));
}

/// How good a stone looks: the rows it makes and stops, the longest above all.
fn look(course: &Course, cell: Cell, color: Color) -> i64 {
    let (width, height) = (course.contest().width as i32, course.contest().height as i32);
    let row = |color: Color, (dx, dy): (i32, i32)| -> u32 {
        [(dx, dy), (-dx, -dy)]
            .into_iter()
            .map(|(dx, dy)| {
                let at = |k: i32| (cell.x() as i32 + k * dx, cell.y() as i32 + k * dy);
                let own = |&(x, y): &(i32, i32)| {
                    (0..width).contains(&x)
                        && (0..height).contains(&y)
                        && course.stone(Cell::new(x as usize, y as usize)) == Some(Stone::Of(color))
                };
                (1..).map(at).take_while(own).count() as u32
            })
            .sum()
    };
    let worth = |color: Color, weight: i64| -> i64 {
        let rows = DIRECTIONS.into_iter().map(|dir| row(color, dir.steps()));
        rows.map(|length| weight * 10i64.pow(length)).sum()
    };
    worth(color, 3) + worth(!color, 2)
}

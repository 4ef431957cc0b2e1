//! Statistics of a tree: moves by class of reply and by depth, and the longest win.

use std::collections::BTreeMap;

use anyhow::Result;

use super::report::{POSITION, ReplyLine};
use crate::plot::curves;
use goren_notation::words::plural;

/// Distance from which classes are joined by the larger distance, as in the published solution
/// of free Renju: 3x is three columns or rows away.
const JOINED: usize = 3;
/// Distance from which all classes are joined in plots, which have few colours.
const FAR: usize = 5;

/// Statistics of a class of replies.
#[derive(Default)]
struct Class<'a> {
    replies: usize,
    moves: u64,
    visits: u64,
    bytes: usize,
    depths: Vec<u64>,
    longest: Option<&'a str>,
}

/// Counts the plies of a line.
fn plies(line: &str) -> usize {
    line.split_whitespace().count()
}

impl<'a> Class<'a> {
    fn add(&mut self, line: &'a ReplyLine) {
        self.replies += 1;
        self.moves += line.moves as u64;
        self.visits += line.visits;
        self.bytes += line.bytes.unwrap_or(0);
        self.depths.resize(self.depths.len().max(line.depths.len()), 0);
        self.depths.iter_mut().zip(&line.depths).for_each(|(sum, more)| *sum += more);
        let longer = |known: &str| line.longest.as_ref().is_some_and(|l| plies(l) > plies(known));
        if self.longest.is_none_or(longer) {
            self.longest = line.longest.as_deref();
        }
    }

    /// Returns the average depth of the moves, in moves of the attacker.
    fn depth(&self) -> f64 {
        let sum: u64 = (1..).zip(&self.depths).map(|(depth, moves)| depth * moves).sum();
        sum as f64 / (self.moves as f64).max(1.0)
    }

    fn print(&self, name: &str) {
        let Class { replies, moves, visits, bytes, .. } = self;
        let (depth, deepest) = (self.depth(), self.depths.len());
        let longest = self.longest.map_or("-".into(), |line| plies(line).to_string());
        println!(
            "{name:>6} {replies:>7} {moves:>10} {depth:>7.3} {deepest:>7} {longest:>7} \
             {visits:>12} {bytes:>10}"
        );
    }
}

/// Larger distance from the last stone, in columns or rows; `None` for the position.
fn distance(apart: &str) -> Option<usize> {
    let long = apart.split_once('-').map(|(long, _)| long);
    long.or(apart.get(..1)).and_then(|long| long.parse().ok())
}

/// Returns the order and the name of the class of a reply.
fn class(line: &ReplyLine) -> (usize, String) {
    match distance(&line.apart) {
        None => (0, POSITION.into()),
        Some(long) if long < JOINED => (long, line.apart.clone()),
        Some(long) => (long, format!("{long}x")),
    }
}

/// Prints the statistics, if the lines have any.
pub(super) fn print(lines: &[&ReplyLine]) {
    if lines.iter().all(|line| line.longest.is_none()) {
        return;
    }
    let mut classes: BTreeMap<(usize, String), Class> = BTreeMap::new();
    let mut all = Class::default();
    for line in lines.iter().filter(|line| line.flaw.is_none()) {
        classes.entry(class(line)).or_default().add(line);
        all.add(line);
    }
    println!("Statistics of the answered replies, by distance from the last stone:");
    let [apart, replies, moves, depth] = ["apart", "replies", "moves", "depth"];
    let [deepest, longest, visits, bytes] = ["deepest", "longest", "visits", "bytes"];
    println!(
        "{apart:>6} {replies:>7} {moves:>10} {depth:>7} {deepest:>7} {longest:>7} {visits:>12} \
         {bytes:>10}"
    );
    for ((_, name), class) in &classes {
        class.print(name);
    }
    all.print("all");
    println!("Moves by depth:");
    for (depth, moves) in (1..).zip(&all.depths) {
        let share = 100.0 * *moves as f64 / (all.moves as f64).max(1.0);
        println!("{depth:>6} {moves:>10} {share:>6.2} %");
    }
    if let Some(line) = all.longest {
        println!("Longest win with the best defence: {}", plural(plies(line), "ply", "plies"));
        println!("  {line}");
        println!("  (A stone in brackets could lie on nearly any other point.)");
    }
}

/// Plots the moves by depth, with a curve for each distance from the last stone.
///
/// # Errors
/// The plot cannot be laid out.
pub(super) fn plot(title: &str, lines: &[&ReplyLine]) -> Result<String> {
    let mut sums: BTreeMap<usize, Class> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.flaw.is_none()) {
        let far = distance(&line.apart).unwrap_or(0).min(FAR);
        sums.entry(far).or_default().add(line);
    }
    let name = |far: usize| match far {
        0 => "the position".to_owned(),
        FAR => format!("{FAR} or more away"),
        far => format!("{far} away"),
    };
    let named: Vec<(String, Vec<(f64, f64)>)> = { sums.iter() }
        .map(|(&far, class)| {
            let points = (1..).zip(&class.depths).map(|(d, &moves)| (f64::from(d), moves as f64));
            (name(far), points.collect())
        })
        .collect();
    let series: Vec<_> = named.iter().map(|(name, points)| (&name[..], points.clone())).collect();
    curves(title, &series, "moves of the attacker", "moves in the tree")
}

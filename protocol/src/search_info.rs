//! The search report in the `MESSAGE depth … ev … pv …` form that tools can read.

use std::fmt;

use crate::text::{MAX_TEXT, is_blank};

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    /// A score in the engine's own unit; above 0 is better for the side to move.
    Score(i32),
    /// The side to move wins in this many plies; printed `+M13`.
    Win(u32),
    /// The side to move loses in this many plies; printed `-M12`.
    Loss(u32),
}

impl Eval {
    /// Reads what [`Display`](fmt::Display) prints.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        if let Some(plies) = word.strip_prefix("+M") {
            plies.parse().ok().map(Self::Win)
        } else if let Some(plies) = word.strip_prefix("-M") {
            plies.parse().ok().map(Self::Loss)
        } else {
            word.parse().ok().map(Self::Score)
        }
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score(score) => write!(f, "{score}"),
            Self::Win(plies) => write!(f, "+M{plies}"),
            Self::Loss(plies) => write!(f, "-M{plies}"),
        }
    }
}

/// One report of a running search, printed without the word `MESSAGE`:
/// `depth 12-20 ev 35 n 1234K n/ms 900 tm 1400 pv H8 I9`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchInfo {
    /// Completed depth in plies.
    pub depth: u32,
    /// Greatest depth in plies that was reached.
    pub seldepth: u32,
    /// The value for the side to move.
    pub eval: Eval,
    /// Nodes searched. Printed in thousands from 10 000 on, so reading it back is less exact.
    pub nodes: u64,
    /// Nodes per millisecond.
    pub speed: u64,
    /// Milliseconds since the search began.
    pub time: u64,
    /// The principal variation, as labels such as `H8`.
    pub pv: Vec<String>,
}

/// Abbreviates a count as Rapfi does: about four digits, as in `12K`.
#[must_use]
pub fn abbreviated_count(count: u64) -> String {
    match count {
        0..10_000 => format!("{count}"),
        10_000..10_000_000 => format!("{}K", count / 1_000),
        10_000_000..100_000_000_000 => format!("{}M", count / 1_000_000),
        100_000_000_000..100_000_000_000_000 => format!("{}G", count / 1_000_000_000),
        _ => format!("{}T", count / 1_000_000_000_000),
    }
}

/// Reads a count with or without the abbreviation of [`abbreviated_count`].
#[must_use]
pub fn parse_count(word: &str) -> Option<u64> {
    let (digits, unit) = match word.char_indices().last()? {
        (at, 'K') => (&word[..at], 1_000),
        (at, 'M') => (&word[..at], 1_000_000),
        (at, 'G') => (&word[..at], 1_000_000_000),
        (at, 'T') => (&word[..at], 1_000_000_000_000),
        _ => (word, 1),
    };
    digits.parse::<u64>().ok().map(|count| count.saturating_mul(unit))
}

impl SearchInfo {
    /// Reads a report (without the word `MESSAGE`). The words before `pv` may come in any order.
    /// `None` without `depth` or `ev`, or if a word is unknown.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(is_blank).filter(|word| !word.is_empty());
        let (mut depths, mut eval) = (None, None);
        let (mut nodes, mut speed, mut time) = (0, 0, 0);
        let mut pv = Vec::new();
        while let Some(key) = words.next() {
            match key {
                "depth" => {
                    let word = words.next()?;
                    let (depth, seldepth) = word.split_once('-').unwrap_or((word, word));
                    depths = Some((depth.parse().ok()?, seldepth.parse().ok()?));
                }
                "ev" => eval = Some(Eval::parse(words.next()?)?),
                "n" => nodes = parse_count(words.next()?)?,
                "n/ms" => speed = parse_count(words.next()?)?,
                "tm" => time = words.next()?.parse().ok()?,
                "pv" => pv.extend(words.by_ref().map(str::to_owned)),
                _ => return None,
            }
        }
        let (depth, seldepth) = depths?;
        Some(Self { depth, seldepth, eval: eval?, nodes, speed, time, pv })
    }
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, seldepth, eval, nodes, speed, time, pv } = self;
        let nodes = abbreviated_count(*nodes);
        let mut line =
            format!("depth {depth}-{seldepth} ev {eval} n {nodes} n/ms {speed} tm {time}");
        let words =
            pv.iter().flat_map(|label| label.split(is_blank)).filter(|word| !word.is_empty());
        for (index, word) in words.enumerate() {
            let key = if index == 0 { " pv " } else { " " };
            // Whole labels only: half a label would name another cell.
            if "MESSAGE ".len() + line.len() + key.len() + word.len() > MAX_TEXT {
                break;
            }
            line.push_str(key);
            line.push_str(word);
        }
        f.write_str(&line)
    }
}

//! The lines that a GUI reads besides the moves: the `INFO` block, `MESSAGE REALTIME` and the
//! announced limits. The caller decides which to send: older GUIs take an `INFO` line for a move.

use std::fmt;

use crate::point::Point;
use crate::scan::Scan;
use crate::search_info::Eval;
use crate::text::{MAX_TEXT, never_empty};

/// One line of the machine-readable block, printed as `INFO KEY value`. Only for a GUI that asked
/// for it by `INFO show_detail 2` or `3`. Every line has a value: the fork of Yixin-Board reads it
/// without a check that it is there.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// Index of the principal variation that the following lines describe, from 0.
    Pv(u32),
    /// Number of principal variations.
    NumPv(u32),
    /// Depth in plies.
    Depth(u32),
    /// Greatest depth in plies.
    SelDepth(u32),
    /// Nodes spent on this move.
    Nodes(u64),
    /// Nodes spent on the whole search.
    TotalNodes(u64),
    /// Milliseconds spent on the whole search.
    TotalTime(u64),
    /// Nodes per **second**.
    Speed(u64),
    /// The value for the side to move.
    Eval(Eval),
    /// Winning probability, 0 to 1.
    WinRate(f32),
    /// The variation itself.
    BestLine {
        /// The first move of the variation.
        first: Point,
        /// The moves after it.
        rest: Vec<Point>,
    },
    /// The variation is complete.
    PvDone,
    /// A line of another engine that is none of the above.
    Other {
        /// The key in upper case.
        key: String,
        /// The rest of the line.
        value: String,
    },
}

impl Detail {
    /// Reads what follows the word `INFO`; `None` if there is no value.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut scan = Scan::new(text);
        let key = scan.word().to_ascii_uppercase();
        let value = scan.remainder();
        if value.is_empty() {
            return None;
        }
        Some(
            Self::known(&key, value)
                .unwrap_or_else(|| Self::Other { key, value: value.to_owned() }),
        )
    }

    fn known(key: &str, value: &str) -> Option<Self> {
        Some(match key {
            "PV" if value.eq_ignore_ascii_case("DONE") => Self::PvDone,
            "PV" => Self::Pv(value.parse().ok()?),
            "NUMPV" => Self::NumPv(value.parse().ok()?),
            "DEPTH" => Self::Depth(value.parse().ok()?),
            "SELDEPTH" => Self::SelDepth(value.parse().ok()?),
            "NODES" => Self::Nodes(value.parse().ok()?),
            "TOTALNODES" => Self::TotalNodes(value.parse().ok()?),
            "TOTALTIME" => Self::TotalTime(value.parse().ok()?),
            "SPEED" => Self::Speed(value.parse().ok()?),
            "EVAL" => Self::Eval(Eval::parse(value)?),
            "WINRATE" => Self::WinRate(value.parse().ok()?),
            "BESTLINE" => {
                let mut points = points(value)?.into_iter();
                Self::BestLine { first: points.next()?, rest: points.collect() }
            }
            _ => return None,
        })
    }
}

/// Reads blank-separated pairs and nothing else.
pub(crate) fn points(text: &str) -> Option<Vec<Point>> {
    let mut scan = Scan::new(text);
    let mut points = Vec::new();
    while !scan.peek_word().is_empty() {
        points.push(scan.point().ok()?);
    }
    Some(points)
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pv(index) => write!(f, "INFO PV {index}"),
            Self::NumPv(count) => write!(f, "INFO NUMPV {count}"),
            Self::Depth(depth) => write!(f, "INFO DEPTH {depth}"),
            Self::SelDepth(depth) => write!(f, "INFO SELDEPTH {depth}"),
            Self::Nodes(nodes) => write!(f, "INFO NODES {nodes}"),
            Self::TotalNodes(nodes) => write!(f, "INFO TOTALNODES {nodes}"),
            Self::TotalTime(ms) => write!(f, "INFO TOTALTIME {ms}"),
            Self::Speed(speed) => write!(f, "INFO SPEED {speed}"),
            Self::Eval(eval) => write!(f, "INFO EVAL {eval}"),
            Self::WinRate(rate) => {
                let rate = if rate.is_nan() { 0.0 } else { rate.clamp(0.0, 1.0) };
                write!(f, "INFO WINRATE {rate:.4}")
            }
            Self::BestLine { first, rest } => {
                let mut line = format!("INFO BESTLINE {first}");
                for point in rest {
                    let word = format!(" {point}");
                    if line.len() + word.len() > MAX_TEXT {
                        break;
                    }
                    line.push_str(&word);
                }
                f.write_str(&line)
            }
            Self::PvDone => f.write_str("INFO PV DONE"),
            Self::Other { key, value } => {
                let key = never_empty(key, MAX_TEXT / 8);
                let room = MAX_TEXT - "INFO  ".len() - key.len();
                write!(f, "INFO {key} {}", never_empty(value, room))
            }
        }
    }
}

/// A `MESSAGE REALTIME` line: marks on the board of a Yixin GUI during a search. The GUIs do not
/// check the coordinates, so no pass and no cell off the board may be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Realtime {
    /// Remove the marks.
    Refresh,
    /// This cell is being searched.
    Pos(Point),
    /// This cell has been searched.
    Done(Point),
    /// This is the best cell so far.
    Best(Point),
    /// This cell loses.
    Lose(Point),
}

impl Realtime {
    /// Reads what follows `MESSAGE REALTIME`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut scan = Scan::new(text);
        Some(match scan.word().to_ascii_uppercase().as_str() {
            "REFRESH" => Self::Refresh,
            "POS" => Self::Pos(scan.point().ok()?),
            "DONE" => Self::Done(scan.point().ok()?),
            "BEST" => Self::Best(scan.point().ok()?),
            // The Yixin-Boards test the letter L only, gomocalc the word LOST.
            "LOSE" | "LOST" => Self::Lose(scan.point().ok()?),
            _ => return None,
        })
    }
}

impl fmt::Display for Realtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refresh => f.write_str("MESSAGE REALTIME REFRESH"),
            Self::Pos(at) => write!(f, "MESSAGE REALTIME POS {at}"),
            Self::Done(at) => write!(f, "MESSAGE REALTIME DONE {at}"),
            Self::Best(at) => write!(f, "MESSAGE REALTIME BEST {at}"),
            Self::Lose(at) => write!(f, "MESSAGE REALTIME LOST {at}"),
        }
    }
}

/// A limit for the settings dialog of a Yixin GUI, announced after `yxshowinfo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Maximum number of threads. Without this line the GUI stays at one thread.
    MaxThreadNum(u32),
    /// Maximum hash size, as the binary logarithm of its kilobytes.
    MaxHashSize(u32),
}

impl Limit {
    /// Reads what follows `MESSAGE INFO`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut scan = Scan::new(text);
        match scan.word().to_ascii_uppercase().as_str() {
            "MAX_THREAD_NUM" => scan.unsigned().ok().map(Self::MaxThreadNum),
            "MAX_HASH_SIZE" => scan.unsigned().ok().map(Self::MaxHashSize),
            _ => None,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxThreadNum(count) => write!(f, "MESSAGE INFO MAX_THREAD_NUM {count}"),
            Self::MaxHashSize(log2) => write!(f, "MESSAGE INFO MAX_HASH_SIZE {log2}"),
        }
    }
}

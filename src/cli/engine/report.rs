//! Search reports of engines, in the formats in use.

use std::time::{Duration, Instant};

use goren_protocol::{Eval, Reply, SearchInfo};

/// Texts by which Goren's messages that a setting is not used are recognised.
const NOT_USED: [&str; 2] = [" not used: ", " cannot be read"];

/// The last report of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LastReport {
    /// Evaluation for the side to move, in the engine's unit.
    pub eval: Option<Eval>,
    /// Depth in plies, 0 if unknown.
    pub depth: u32,
    /// Nodes, 0 if unknown.
    pub nodes: u64,
}

/// A report of a proven result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ResultClaim {
    /// Time from the question to the arrival of the report.
    pub after: Duration,
    /// Plies to the end.
    pub plies: u32,
    /// Nodes, 0 if unknown.
    pub nodes: u64,
}

/// The first claims of one search, even if retracted later.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct FirstClaims {
    /// The first claim of a win.
    pub win: Option<ResultClaim>,
    /// The first claim of a loss.
    pub loss: Option<ResultClaim>,
}

/// A claim by its time of arrival, not yet related to a question.
#[derive(Copy, Clone, Debug)]
struct TimedClaim {
    at: Instant,
    plies: u32,
    nodes: u64,
}

/// The first claims by their time of arrival.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct TimedClaims {
    win: Option<TimedClaim>,
    loss: Option<TimedClaim>,
}

impl TimedClaims {
    /// Returns the claims made since a question.
    pub(super) fn since(self, asked: Instant) -> FirstClaims {
        let claim = |claim: TimedClaim| {
            let after = claim.at.checked_duration_since(asked)?;
            Some(ResultClaim { after, plies: claim.plies, nodes: claim.nodes })
        };
        FirstClaims { win: self.win.and_then(claim), loss: self.loss.and_then(claim) }
    }
}

/// Reports between two answers.
#[derive(Default)]
pub(super) struct Collected {
    report: LastReport,
    claims: TimedClaims,
    not_used: Option<String>,
}

impl Collected {
    /// Notes a line if it is a report or a message, and returns whether it is.
    pub(super) fn collect(&mut self, reply: &Reply, at: Instant) -> bool {
        let update = match reply {
            Reply::Search(info) => from_info(info),
            Reply::Message(text) => {
                if NOT_USED.iter().any(|part| text.contains(part)) {
                    self.not_used.get_or_insert_with(|| text.clone());
                }
                read(text)
            }
            Reply::Debug(_) | Reply::Realtime(_) | Reply::Limit(_) | Reply::Detail(_) => {
                return true;
            }
            _ => return false,
        };
        // Engines may report depth and evaluation on one line, nodes on another.
        if update.depth > 0 {
            self.report.depth = update.depth;
        }
        if update.nodes > 0 {
            self.report.nodes = update.nodes;
        }
        if let Some(eval) = update.eval {
            self.report.eval = Some(eval);
            self.note_claim(eval, at);
        }
        true
    }

    /// Notes a claim if it is the first of its kind.
    fn note_claim(&mut self, eval: Eval, at: Instant) {
        let nodes = self.report.nodes;
        let (place, plies) = match eval {
            Eval::Win(plies) => (&mut self.claims.win, plies),
            Eval::Loss(plies) => (&mut self.claims.loss, plies),
            Eval::Score(_) => return,
        };
        place.get_or_insert(TimedClaim { at, plies, nodes });
    }

    /// Returns the last report, the first claims, and the first message on an unused setting.
    pub(super) fn into_parts(self) -> (LastReport, TimedClaims, Option<String>) {
        (self.report, self.claims, self.not_used)
    }
}

fn from_info(info: &SearchInfo) -> LastReport {
    LastReport { eval: Some(info.eval), depth: info.depth, nodes: info.nodes }
}

/// Reads reports such as `Depth 12-20 | Eval 35 | Node 4147`: a known word, optionally a
/// colon or an equals sign, and its value.
fn read(text: &str) -> LastReport {
    let mut report = LastReport::default();
    let part = |c: char| c.is_whitespace() || matches!(c, '|' | ':' | '=' | ',' | ';');
    let mut words = text.split(part).filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let Some(value) = words.peek() else { break };
        match word.to_ascii_lowercase().as_str() {
            "depth" | "dep" => {
                let (plies, _) = value.split_once('-').unwrap_or((value, ""));
                report.depth = plies.parse().unwrap_or(report.depth);
            }
            "ev" | "eval" | "value" | "sc" | "score" => report.eval = eval(value).or(report.eval),
            "n" | "node" | "nodes" | "nd" | "visits" | "called" => {
                report.nodes = count(value).unwrap_or(report.nodes);
            }
            // The rest is a variation.
            "pv" | "bestline" => break,
            _ => {}
        }
    }
    report
}

/// Parses an evaluation: a number, `+M13` or `-M12`.
fn eval(word: &str) -> Option<Eval> {
    let rounded = || word.parse::<f64>().ok().filter(|n| n.is_finite());
    Eval::parse(word).or_else(|| Some(Eval::Score(rounded()?.round() as i32)))
}

/// Parses a count with an optional suffix `K`, `M`, `G` or `T`.
fn count(word: &str) -> Option<u64> {
    let unit: u64 = match word.chars().last()?.to_ascii_uppercase() {
        'K' => 1_000,
        'M' => 1_000_000,
        'G' => 1_000_000_000,
        'T' => 1_000_000_000_000,
        _ => 1,
    };
    let digits = if unit == 1 { word } else { &word[..word.len() - 1] };
    let number: f64 = digits.parse().ok().filter(|n| (0.0..=1e18).contains(n))?;
    Some((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_several_engines_are_read() {
        let expected = LastReport { eval: Some(Eval::Score(89)), depth: 12, nodes: 4147 };
        for text in [
            "Speed 345K | Depth 12-10 | Eval 89 | Node 4147 | Time 12ms",
            "depth=12 value: 89.3, nodes 4147",
            "dep 12 sc 89 nd 4147 pv H8 depth 99",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("Depth 5-7 | Eval +M13 | Node 12K").eval, Some(Eval::Win(13)));
        assert_eq!(read("Node 1.5M").nodes, 1_500_000);
        assert_eq!(read("depth x eval y n z").depth, 0);
        assert_eq!(read("hello, depth"), LastReport::default());
        assert_eq!(count("-5"), None);
        assert_eq!(count("9é"), None);
    }

    #[test]
    fn the_first_claim_of_a_win_counts() {
        let mut collected = Collected::default();
        let start = Instant::now();
        let at = |ms| start + std::time::Duration::from_millis(ms);
        for (ms, text) in [(1, "ev +M9"), (2, "ev 50"), (3, "ev +M7"), (4, "ev +M5")] {
            let message = Reply::Message(format!("depth 3 {text}"));
            assert!(collected.collect(&message, at(ms)));
        }
        assert!(!collected.collect(&Reply::Ok, at(5)));
        let (report, claims, not_used) = collected.into_parts();
        assert_eq!(not_used, None);
        assert_eq!(report.eval, Some(Eval::Win(5)));
        let first = ResultClaim { after: Duration::from_millis(1), plies: 9, nodes: 0 };
        assert_eq!(claims.since(start), FirstClaims { win: Some(first), loss: None });
        // A claim made before the question belongs to the previous position.
        assert_eq!(claims.since(at(2)), FirstClaims::default());
    }
}

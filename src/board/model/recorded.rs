//! The stats recorded with plies: times and scores, of the engine or from a file.

use serde::{Deserialize, Serialize};

use crate::schema::RecordedScore;
use goren_core::record::import::MoveStats;
use goren_core::record::sgf;
use goren_core::types::{Color, PROVEN, Score, loss_in, win_in, win_rate};
use goren_decide::Decision;
use goren_notation::words::score_text;

/// Upper bound of the plies in a proven score.
const FARTHEST: usize = 500;
/// Maximum number of characters of an evaluation: it is stored again with every move.
pub(super) const MAX_EVAL: usize = 40;

/// Returns the stats of a decision of the engine; none if its ply was not searched.
pub(super) fn stats(decision: &Decision) -> MoveStats {
    if !decision.is_searched() {
        return MoveStats::default();
    }
    let info = &decision.info;
    MoveStats {
        ms: u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX),
        eval: score_text(info.score),
        depth: info.depth,
        nodes: info.nodes,
    }
}

/// Reads the score of an evaluation in Goren's notation.
fn score(eval: &str) -> Option<Score> {
    let plies = |text: &str| text.parse::<usize>().ok().filter(|plies| *plies < FARTHEST);
    if let Some(text) = eval.strip_prefix("+M") {
        plies(text).map(win_in)
    } else if let Some(text) = eval.strip_prefix("-M") {
        plies(text).map(loss_in)
    } else {
        eval.parse().ok().filter(|score| (1 - PROVEN..PROVEN).contains(score))
    }
}

/// Describes the score of a ply of a colour for the page.
pub(super) fn view(stats: &MoveStats, color: Option<Color>) -> Option<RecordedScore> {
    let (score, color) = (score(&stats.eval)?, color?);
    let rate = win_rate(score);
    Some(RecordedScore {
        text: score_text(score),
        black: if color == Color::Black { rate } else { 1.0 - rate },
        depth: stats.depth,
        time_ms: stats.ms,
    })
}

/// Returns stats as an SGF comment; empty for none.
pub(super) fn comment(stats: &MoveStats) -> String {
    if *stats == MoveStats::default() { String::new() } else { sgf::move_comment(stats) }
}

/// Stats as stored with a tree.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptStats {
    #[serde(default, skip_serializing_if = "is_default")]
    ms: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    eval: String,
    #[serde(default, skip_serializing_if = "is_default")]
    depth: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    nodes: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl KeptStats {
    /// Stores stats, if there are any.
    pub(super) fn keep(stats: &MoveStats) -> Option<KeptStats> {
        let MoveStats { ms, eval, depth, nodes } = stats.clone();
        (*stats != MoveStats::default()).then_some(KeptStats { ms, eval, depth, nodes })
    }

    pub(super) fn restore(self) -> MoveStats {
        let KeptStats { ms, eval, depth, nodes } = self;
        MoveStats { ms, eval, depth, nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_they_are_written() {
        for score in [0, 35, -1200, win_in(5), loss_in(12)] {
            assert_eq!(super::score(&score_text(score)), Some(score));
        }
        for eval in ["", "M5", "+M", "+M9999", "30000", "0.3", "good"] {
            assert_eq!(super::score(eval), None, "{eval}");
        }
    }
}

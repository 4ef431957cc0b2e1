//! Move statistics in comments, as Goren and c-gomoku-cli write them:
//! `120ms; depth 12; nodes 5000; eval +M13`.

use std::fmt::Write;

use crate::record::import::MoveStats;

/// Comment of a stone of the opening.
pub(super) const OPENING: &str = "opening move";

/// Comment of a node without a move in which the players exchange colours.
pub(super) const SWAP: &str = "swap";

/// Writes the statistics of a move as a comment, in the form of `goren match` and c-gomoku-cli:
/// `120ms; depth 12; nodes 5000; eval +M13`. The SGF reader turns it back into statistics.
pub fn move_comment(stats: &MoveStats) -> String {
    let mut text = format!("{}ms", stats.ms);
    // Writing to a String cannot fail.
    if stats.depth > 0 {
        let _ = write!(text, "; depth {}", stats.depth);
    }
    if stats.nodes > 0 {
        let _ = write!(text, "; nodes {}", stats.nodes);
    }
    if !stats.eval.is_empty() {
        // The evaluation is last, as it may be any text.
        let _ = write!(text, "; eval {}", stats.eval);
    }
    text
}

/// Reads the statistics of a move from a comment. Returns whether the comment holds nothing else.
pub(super) fn read(text: &str, stats: &mut MoveStats) -> bool {
    let (mut rest, mut whole) = (text, true);
    let mut is_timed = false;
    while !rest.is_empty() {
        if let Some(eval) = rest.strip_prefix("eval ") {
            // A person may also write a text that begins with "eval".
            if !is_timed && !is_score(eval) {
                return false;
            }
            stats.eval = eval.to_string();
            break;
        }
        let (part, tail) = rest.split_once("; ").unwrap_or((rest, ""));
        if let Some(ms) = part.strip_suffix("ms").and_then(|ms| ms.parse().ok()) {
            stats.ms = ms;
            is_timed = true;
        } else if let Some(depth) = part.strip_prefix("depth ").and_then(|d| d.parse().ok()) {
            stats.depth = depth;
        } else if let Some(nodes) = part.strip_prefix("nodes ").and_then(|n| n.parse().ok()) {
            stats.nodes = nodes;
        } else {
            whole = false;
        }
        rest = tail;
    }
    whole
}

/// Whether a comment is the statistics of its move and nothing else, so that it need not be kept:
/// one line that begins like [`move_comment`]'s, or a score alone. Anything else may be written
/// by a person.
pub(super) fn is_stats(text: &str) -> bool {
    let mut stats = MoveStats::default();
    if text.contains('\n') || !read(text, &mut stats) {
        return false;
    }
    let first = text.split("; ").next().and_then(|part| part.strip_suffix("ms"));
    first.is_some_and(|ms| ms.parse::<u64>().is_ok()) || is_score(&stats.eval)
}

/// Whether a comment on a move or a swap is written by a program, not by a person.
pub(super) fn is_of_program(text: &str) -> bool {
    text == OPENING || text == SWAP || is_stats(text)
}

/// Whether an evaluation is a number, or a distance to the end such as `+M13`.
fn is_score(eval: &str) -> bool {
    let number = eval.trim_start_matches(['+', '-']).trim_start_matches('M');
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_hold_the_statistics_of_a_move() {
        let text = "120ms; depth 12; nodes 5000; eval +M13; so far";
        let mut stats = MoveStats::default();
        assert!(read(text, &mut stats));
        assert_eq!((stats.ms, stats.depth, stats.nodes), (120, 12, 5000));
        assert_eq!(stats.eval, "+M13; so far");
        assert_eq!(move_comment(&stats), text);
        for words in ["a good move", "eval is wrong here"] {
            let mut stats = MoveStats::default();
            assert!(!read(words, &mut stats) && stats == MoveStats::default());
        }
    }
}

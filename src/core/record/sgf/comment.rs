//! What the comments of moves say in our files and in those of c-gomoku-cli:
//! `120ms; depth 12; nodes 5000; eval +M13`.

use std::fmt::Write;

use crate::record::import::Thought;

/// The comment of a stone of the opening.
pub(super) const OPENING: &str = "opening move";

/// The comment of a node without a move in which the players exchange colours.
pub(super) const SWAP: &str = "swap";

/// What is known of a move; [`read`] reads it.
pub(super) fn write(thought: &Thought) -> String {
    let mut text = format!("{}ms", thought.ms);
    // Writing to a String cannot fail.
    if thought.depth > 0 {
        let _ = write!(text, "; depth {}", thought.depth);
    }
    if thought.nodes > 0 {
        let _ = write!(text, "; nodes {}", thought.nodes);
    }
    if !thought.eval.is_empty() {
        // Last, as it may be any text.
        let _ = write!(text, "; eval {}", thought.eval);
    }
    text
}

/// What a comment says of its move, and whether it says nothing else.
pub(super) fn read(text: &str, thought: &mut Thought) -> bool {
    let (mut rest, mut whole) = (text, true);
    while !rest.is_empty() {
        if let Some(eval) = rest.strip_prefix("eval ") {
            thought.eval = eval.to_string();
            break;
        }
        let (part, tail) = rest.split_once("; ").unwrap_or((rest, ""));
        if let Some(ms) = part.strip_suffix("ms").and_then(|ms| ms.parse().ok()) {
            thought.ms = ms;
        } else if let Some(depth) = part.strip_prefix("depth ").and_then(|d| d.parse().ok()) {
            thought.depth = depth;
        } else if let Some(nodes) = part.strip_prefix("nodes ").and_then(|n| n.parse().ok()) {
            thought.nodes = nodes;
        } else {
            whole = false;
        }
        rest = tail;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_hold_what_is_known_of_a_move() {
        let text = "120ms; depth 12; nodes 5000; eval +M13; so far";
        let mut thought = Thought::default();
        assert!(read(text, &mut thought));
        assert_eq!((thought.ms, thought.depth, thought.nodes), (120, 12, 5000));
        assert_eq!(thought.eval, "+M13; so far");
        assert_eq!(write(&thought), text);
        assert!(!read("a good move", &mut Thought::default()));
    }
}

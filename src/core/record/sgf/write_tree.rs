//! Writes games with variations as SGF.

use std::fmt::Write;

use super::comment::OPENING;
use super::variations::Sign;
use super::write::{head, place, point, prose};
use crate::record::import::{ImportedEvent, ImportedGame};
use crate::types::{Cell, Color};

/// A position of a tree and the ply that led to it.
#[derive(Clone, Default, Debug)]
pub struct TreeNode {
    /// Index of the parent in the list; `None` for the root, which is the first node.
    pub parent: Option<usize>,
    /// Stones and passes of the ply.
    pub events: Vec<ImportedEvent>,
    /// The ply in the notation of `opening::text`, if it is to be written.
    pub ply: Option<String>,
    /// Comment on the position.
    pub comment: String,
    /// Marked points.
    pub signs: Vec<(Cell, Sign)>,
    /// Texts on points.
    pub labels: Vec<(Cell, String)>,
}

/// A pending step of the writer.
enum Step {
    Node(usize),
    Open,
    Close,
}

/// Writes a game with all its positions. Parents precede their children, and the main line comes
/// first. `game` provides the properties of the root and the initial position, but not the
/// events; `info` is further information about the whole game, as in [`Lines::info`](super::Lines).
pub fn write_tree(game: &ImportedGame, info: &[(String, String)], nodes: &[TreeNode]) -> String {
    let mut text = head(game, info);
    let mut children = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(at);
        }
    }
    // Not recursive: a line may have thousands of moves.
    let mut steps = vec![Step::Node(0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Open => text.push('('),
            Step::Close => text.push(')'),
            Step::Node(at) => {
                let Some(node) = nodes.get(at) else { continue };
                write_node(&mut text, node, at == 0);
                match &children[at][..] {
                    [only] => steps.push(Step::Node(*only)),
                    several => {
                        for &child in several.iter().rev() {
                            steps.extend([Step::Close, Step::Node(child), Step::Open]);
                        }
                    }
                }
            }
        }
    }
    text.push_str(")\n");
    text
}

/// Writes the nodes of a ply, one for each stone. Comments and marks go to the last one.
fn write_node(text: &mut String, node: &TreeNode, root: bool) {
    let swap = node.events.contains(&ImportedEvent::Swap);
    let moves: Vec<&ImportedEvent> =
        node.events.iter().filter(|event| **event != ImportedEvent::Swap).collect();
    // Writing to a String cannot fail.
    if !root && moves.is_empty() {
        text.push(';');
    }
    let ply = |text: &mut String| {
        if let Some(ply) = &node.ply {
            let _ = write!(text, "PLY[{}]", prose(ply));
        }
    };
    if moves.is_empty() {
        ply(text);
    }
    let count = moves.len();
    for (number, event) in moves.into_iter().enumerate() {
        place(text, event, Color::Black);
        if number == 0 {
            ply(text);
        }
        // Readers expect this comment at every stone of the opening; the last stone gets it below.
        if node.comment == OPENING && number + 1 < count {
            let _ = write!(text, "C[{OPENING}]");
        }
    }
    if swap && node.comment.is_empty() {
        let _ = write!(text, "C[{}]", super::comment::SWAP);
    }
    if !node.comment.is_empty() {
        let _ = write!(text, "C[{}]", prose(&node.comment));
    }
    for sign in Sign::ALL {
        let cells: Vec<Cell> =
            node.signs.iter().filter(|(_, of)| *of == sign).map(|&(cell, _)| cell).collect();
        if !cells.is_empty() {
            text.push_str(sign.property());
        }
        for cell in cells {
            let _ = write!(text, "[{}]", point(cell));
        }
    }
    if !node.labels.is_empty() {
        text.push_str("LB");
    }
    for (cell, label) in &node.labels {
        let label = prose(label).replace(':', "\\:").replace('\n', " ");
        let _ = write!(text, "[{}:{label}]", point(*cell));
    }
}

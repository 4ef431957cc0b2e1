//! Games with variations: every line from the root to a leaf of the tree as a separate game, with
//! comments and marks on its positions.

use std::collections::BTreeSet;

use super::charset::Charset;
use super::choose::charset;
use super::comment;
use super::game::GameBuilder;
use super::games::{SgfGames, check_single};
use super::info::{info, is_info};
use super::lay_out::{late_set_up, lay_out_line};
use super::moves::{SgfPoint, single};
use super::tree::{Name, Node, TreeReader, Value, Variations};
use crate::record::diagram::Diagram;
use crate::record::import::{Columns, Hints, ImportedGame, UnreadableGame};
use crate::record::text::Input;
use crate::types::Cell;

/// Maximum number of nodes visited over all lines.
const MAX_WORK: usize = 4_000_000;
/// Maximum number of unused properties that are named.
const MAX_UNUSED: usize = 40;

/// A mark on a point.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `CR`.
    Circle,
    /// `SQ`.
    Square,
    /// `TR`.
    Triangle,
    /// `MA`.
    Cross,
}

impl Sign {
    /// All signs.
    pub const ALL: [Sign; 4] = [Sign::Circle, Sign::Square, Sign::Triangle, Sign::Cross];

    /// Returns the name of the SGF property.
    pub fn property(self) -> &'static str {
        match self {
            Sign::Circle => "CR",
            Sign::Square => "SQ",
            Sign::Triangle => "TR",
            Sign::Cross => "MA",
        }
    }
}

/// Comments, marks and labels of a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Remark {
    /// Number of events of the line before the position.
    pub events: usize,
    /// Number of plies of the line before the position, if the nodes hold plies; 0 if they do
    /// not, or if the root holds all plies.
    pub plies: usize,
    /// All comments, separated by line breaks.
    pub comment: String,
    /// Marked points.
    pub signs: Vec<(Cell, Sign)>,
    /// Texts on points.
    pub labels: Vec<(Cell, String)>,
}

/// A line of a game with variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The line as a game. Its events follow on `beginning`, if there is one.
    pub game: ImportedGame,
    /// Position set up before the first move.
    pub beginning: Option<Diagram>,
    /// Remarks on the positions of the line.
    pub remarks: Vec<Remark>,
}

/// The lines of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lines {
    /// Lines of the game, the main line first.
    pub lines: Vec<Line>,
    /// Number of lines left out: over the work limit, or unreadable.
    pub left_out: usize,
    /// Properties of the main line that describe the game without deciding anything in it, with
    /// their values: event (`EV`), place (`PC`), ranks.
    pub info: Vec<(String, String)>,
    /// Sorted names of other properties that are not used.
    pub unused: Vec<String>,
}

/// Reads all lines of the game with a number, from 0; `None` if the file has fewer games.
///
/// # Errors
/// The main line or the syntax of the tree cannot be understood. An unreadable variation is left
/// out.
pub fn lines(
    input: &Input<'_>,
    hints: &Hints,
    number: usize,
) -> Option<Result<Lines, UnreadableGame>> {
    let charset = charset(input, hints);
    let bytes = input.bytes();
    let mut games = SgfGames::new(bytes, charset, hints);
    for _ in 0..number {
        games.next()?;
    }
    let begin = games.begin()?;
    Some(begin.and_then(|begin| lines_of(bytes, begin, charset, hints)))
}

fn lines_of(
    bytes: &[u8],
    begin: usize,
    charset: Charset,
    hints: &Hints,
) -> Result<Lines, UnreadableGame> {
    let page = charset.encoding(bytes, begin).page;
    let mut reader = TreeReader::new(bytes, begin, page);
    let (nodes, cut) = reader.nodes()?;
    check_single(cut, &reader, bytes, begin)?;
    let mut has_child = vec![false; nodes.len()];
    nodes.iter().filter_map(|node| node.parent).for_each(|parent| has_child[parent] = true);
    let mut lines = Lines::default();
    let mut unused = BTreeSet::new();
    let mut work = 0;
    for end in (0..nodes.len()).filter(|&node| !has_child[node]) {
        if work > MAX_WORK {
            lines.left_out += 1;
            continue;
        }
        let mut path: Vec<&Node<'_>> =
            std::iter::successors(Some(&nodes[end]), |node| node.parent.map(|at| &nodes[at]))
                .collect();
        path.reverse();
        work += path.len();
        if lines.lines.is_empty() {
            lines.info = info(&path);
        }
        match line(&path, hints, &mut unused) {
            Ok(line) => lines.lines.push(line),
            Err(fault) if lines.lines.is_empty() => return Err(fault),
            Err(_) => lines.left_out += 1,
        }
    }
    if let (Some(cut), Some(main)) = (cut, lines.lines.first_mut()) {
        main.game.notes.push(cut.note());
    }
    lines.unused = unused.into_iter().collect();
    Ok(lines)
}

/// Remarks of a node on its position, with points as written.
#[derive(Default)]
struct NodeRemarks {
    /// Number of operations up to the position.
    ops: usize,
    events: usize,
    plies: usize,
    comment: String,
    signs: Vec<(SgfPoint, Sign)>,
    labels: Vec<(SgfPoint, String)>,
}

impl NodeRemarks {
    fn is_empty(&self) -> bool {
        self.comment.is_empty() && self.signs.is_empty() && self.labels.is_empty()
    }

    /// Takes a value if it is a remark on a position, and returns whether it did. `may_swap`:
    /// whether a comment may denote an exchange of colours.
    fn take(&mut self, value: &Value<'_>, may_swap: bool) -> bool {
        let name = value.name.as_str();
        if name == "C" {
            let text = value.prose();
            // "opening move" counts as a remark: a line of a tree does not keep where its opening
            // ends, so the comment would be lost.
            let is_swap = may_swap && text == comment::SWAP;
            let of_move = text.is_empty() || is_swap || comment::is_stats(&text);
            if !of_move {
                if !self.comment.is_empty() {
                    self.comment.push('\n');
                }
                self.comment += &text;
            }
            return !of_move;
        }
        let text = value.text().0;
        if name == "LB" {
            let label =
                text.split_once(':').and_then(|(at, label)| Some((single(at)?, label.to_owned())));
            let is_label = label.is_some();
            self.labels.extend(label);
            return is_label;
        }
        let Some(sign) = Sign::ALL.into_iter().find(|sign| sign.property() == name) else {
            return false;
        };
        let point = single(text.trim());
        self.signs.extend(point.map(|point| (point, sign)));
        point.is_some()
    }
}

/// Whether a value changes the board or sets the side to move.
fn changes_board(value: &Value<'_>) -> bool {
    matches!(value.name.as_str(), "B" | "W" | "AB" | "AW" | "AE" | "PL")
}

fn line(
    path: &[&Node<'_>],
    hints: &Hints,
    unused: &mut BTreeSet<String>,
) -> Result<Line, UnreadableGame> {
    let mut builder = GameBuilder::new(hints);
    let mut remarks = Vec::new();
    let mut events = 0;
    let mut plies_in_root = false;
    for (number, node) in path.iter().enumerate() {
        let root = number == 0;
        let mut here = NodeRemarks::default();
        let before = builder.ops.len();
        let may_swap = !root && !node.values.iter().any(changes_board);
        for value in &node.values {
            if !here.take(value, may_swap) {
                builder.value(value, root);
            }
        }
        builder.node_end(root);
        events += builder.ops[before..].iter().filter(|op| op.is_event()).count();
        plies_in_root |= root && !builder.game.plies.is_empty();
        if !here.is_empty() {
            (here.ops, here.events) = (builder.ops.len(), events);
            // Plies in the root are those of the whole game and give no position.
            here.plies = if plies_in_root { 0 } else { builder.game.plies.len() };
            remarks.push(here);
        }
    }
    builder.conclude()?;
    // Remarks after the end of a line that is cut short belong to none of its positions.
    if let Some((end, _)) = late_set_up(&builder.ops) {
        remarks.retain(|remark| remark.ops <= end);
    }
    let beginning = lay_out_line(&mut builder)?;
    let names = builder.unused.keys().map(Name::as_str).filter(|name| !is_info(name));
    let room = MAX_UNUSED.saturating_sub(unused.len());
    unused.extend(names.map(str::to_owned).take(room));
    let game = builder.finish(Variations::default());
    let size = game.size.unwrap_or_default();
    // Marks and labels use the column letters of the stones.
    let columns = game.columns.unwrap_or(Columns::WithI);
    let from_top = hints.from_top.unwrap_or(false);
    let cell = |point| match point {
        SgfPoint::Letters { x, y, .. } => {
            let (x, y) = (usize::from(x), usize::from(y));
            (x < size.0 && y < size.1).then(|| Cell::new(x, y))
        }
        SgfPoint::Numbered(point) => point.cell(columns, size, from_top),
    };
    let remarks = remarks.into_iter().map(|node| remark(node, cell)).collect();
    Ok(Line { game, beginning, remarks })
}

fn remark(node: NodeRemarks, cell: impl Fn(SgfPoint) -> Option<Cell>) -> Remark {
    let signs = node.signs.into_iter().filter_map(|(point, sign)| Some((cell(point)?, sign)));
    let labels = node.labels.into_iter().filter_map(|(point, text)| Some((cell(point)?, text)));
    Remark {
        events: node.events,
        plies: node.plies,
        comment: node.comment,
        signs: signs.collect(),
        labels: labels.collect(),
    }
}

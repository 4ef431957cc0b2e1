//! Games with their variations: every line from the beginning to an end of the tree
//! as a game of its own, and what the file says of the positions.

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

/// Nodes of all lines that are gone through.
const MOST_WORK: usize = 4_000_000;
/// Names of properties that are told.
const MOST_UNUSED: usize = 40;

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
    /// All of them.
    pub const ALL: [Sign; 4] = [Sign::Circle, Sign::Square, Sign::Triangle, Sign::Cross];

    /// The name of the property.
    pub fn property(self) -> &'static str {
        match self {
            Sign::Circle => "CR",
            Sign::Square => "SQ",
            Sign::Triangle => "TR",
            Sign::Cross => "MA",
        }
    }
}

/// What a file says of a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Remark {
    /// Events of the line before the position.
    pub events: usize,
    /// Plies of the line before it, where the nodes of the file have them; otherwise, and
    /// where its root has them all, 0.
    pub plies: usize,
    /// The comments, one below the other, with their line breaks.
    pub comment: String,
    /// Marked points.
    pub signs: Vec<(Cell, Sign)>,
    /// Texts on points.
    pub labels: Vec<(Cell, String)>,
}

/// A line of a game with variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The line as a game. Where there is a beginning its events follow on that.
    pub game: ImportedGame,
    /// The stones that are set up before the first move.
    pub beginning: Option<Diagram>,
    /// What the file says of its positions.
    pub remarks: Vec<Remark>,
}

/// The lines of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lines {
    /// The main line first.
    pub lines: Vec<Line>,
    /// Lines beyond what is gone through.
    pub left_out: usize,
    /// Properties of the game as a whole that decide nothing in it, with their values: the
    /// event (`EV`), the place (`PC`), ranks, as the main line has them.
    pub info: Vec<(String, String)>,
    /// The names of other properties that are not read, in order.
    pub unused: Vec<String>,
}

/// All lines of a game of a file, by its number from 0; `None` if there are not so
/// many.
///
/// # Errors
/// What cannot be understood in the main line or in the syntax of the tree. A variation
/// that cannot is left out.
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
        if work > MOST_WORK {
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

/// What a node says of its position, its points as they are written.
#[derive(Default)]
struct NodeRemarks {
    /// Operations up to the position.
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

    /// Takes in a value; whether it was one of a position. `may_swap`: a comment may say that
    /// the players exchange colours.
    fn takes(&mut self, value: &Value<'_>, may_swap: bool) -> bool {
        let name = value.name.as_str();
        if name == "C" {
            let text = value.prose();
            // An opening move is none: a line of a tree does not say where its opening ends,
            // so that the comment would be lost.
            let is_swap = may_swap && text == comment::SWAP;
            let of_move = text.is_empty() || is_swap || comment::is_known(&text);
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
            let found = label.is_some();
            self.labels.extend(label);
            return found;
        }
        let Some(sign) = Sign::ALL.into_iter().find(|sign| sign.property() == name) else {
            return false;
        };
        let point = single(text.trim());
        self.signs.extend(point.map(|point| (point, sign)));
        point.is_some()
    }
}

/// Whether a value changes the board or says whose turn it is.
fn is_of_board(value: &Value<'_>) -> bool {
    matches!(value.name.as_str(), "B" | "W" | "AB" | "AW" | "AE" | "PL")
}

fn line(
    path: &[&Node<'_>],
    hints: &Hints,
    unused: &mut BTreeSet<String>,
) -> Result<Line, UnreadableGame> {
    let mut builder = GameBuilder::new(hints);
    let mut said = Vec::new();
    let mut events = 0;
    let mut plies_in_root = false;
    for (number, node) in path.iter().enumerate() {
        let root = number == 0;
        let mut here = NodeRemarks::default();
        let before = builder.ops.len();
        let may_swap = !root && !node.values.iter().any(is_of_board);
        for value in &node.values {
            if !here.takes(value, may_swap) {
                builder.value(value, root);
            }
        }
        builder.node_end(root);
        events += builder.ops[before..].iter().filter(|op| op.is_event()).count();
        plies_in_root |= root && !builder.game.plies.is_empty();
        if !here.is_empty() {
            (here.ops, here.events) = (builder.ops.len(), events);
            // In the root they are those of the whole game, and no place in it.
            here.plies = if plies_in_root { 0 } else { builder.game.plies.len() };
            said.push(here);
        }
    }
    builder.conclude()?;
    // What is said behind the end of a line that is cut short is of none of its positions.
    if let Some((end, _)) = late_set_up(&builder.ops) {
        said.retain(|said| said.ops <= end);
    }
    let beginning = lay_out_line(&mut builder)?;
    let names = builder.unused.keys().map(Name::as_str).filter(|name| !is_info(name));
    let room = MOST_UNUSED.saturating_sub(unused.len());
    unused.extend(names.map(str::to_owned).take(room));
    let game = builder.finish(Variations::default());
    let size = game.size.unwrap_or_default();
    // As the stones of the line are lettered.
    let columns = game.columns.unwrap_or(Columns::WithI);
    let from_top = hints.from_top.unwrap_or(false);
    let cell = |point| match point {
        SgfPoint::Letters { x, y, .. } => {
            let (x, y) = (usize::from(x), usize::from(y));
            (x < size.0 && y < size.1).then(|| Cell::new(x, y))
        }
        SgfPoint::Numbered(point) => point.cell(columns, size, from_top),
    };
    let remarks = said.into_iter().map(|said| remark(said, cell)).collect();
    Ok(Line { game, beginning, remarks })
}

fn remark(said: NodeRemarks, cell: impl Fn(SgfPoint) -> Option<Cell>) -> Remark {
    let signs = said.signs.into_iter().filter_map(|(point, sign)| Some((cell(point)?, sign)));
    let labels = said.labels.into_iter().filter_map(|(point, text)| Some((cell(point)?, text)));
    Remark {
        events: said.events,
        plies: said.plies,
        comment: said.comment,
        signs: signs.collect(),
        labels: labels.collect(),
    }
}

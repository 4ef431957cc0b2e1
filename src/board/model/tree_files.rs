//! Reads and writes SGF files with variations.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};

use super::recorded;
use super::records::{
    Import, Remarks, fitting, imported, imported_from, initial_position, record, record_stats,
};
use super::tree::{MAX_COMMENT, MAX_LABEL, Ply, Tree, Visit};
use crate::schema::Mark;
use goren_core::opening::{self, Action, Event, GameState};
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedEvent, ImportedGame};
use goren_core::record::sgf::{self, Line, Lines, Remark, Sign, TreeNode};
use goren_core::record::text::Input;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_notation::words::count;

/// The SGF comment of a move made before the players took over.
const OPENING_MOVE: &str = "opening move";

/// Reads a game of an SGF file, of `rule` if the file names no game. Returns its tree with
/// notes; `None` for any other file, and for SGF that cannot be read.
///
/// # Errors
/// The main line cannot be played.
pub(super) fn from_sgf(
    bytes: &[u8],
    number: usize,
    rule: Variant,
) -> Result<Option<(Tree, Remarks)>> {
    let Ok(input) = Input::new(bytes, None) else { return Ok(None) };
    if !sgf::looks(input.bytes()) {
        return Ok(None);
    }
    let Some(Ok(found)) = sgf::lines(&input, &Hints::default(), number - 1) else {
        return Ok(None);
    };
    let Lines { lines, mut left_out, info, unused } = found;
    let mut lines = lines.into_iter();
    let main = lines.next().context("there is no game in it")?;
    let beginning = main.beginning.as_ref().map(|board| initial_position(&main.game, board, rule));
    let beginning = beginning.transpose()?;
    let file_notes = input.notes().iter().map(ToString::to_string).collect();
    let import = play_line(&main, beginning.as_ref(), rule)?.with_file_notes(file_notes);
    let (mut tree, mut notes) = import.tree()?;
    let properties = info.into_iter().filter_map(|it| fitting_property(it, &mut notes));
    tree.heading.info = properties.collect();
    let end = tree.current();
    let mut unplaced = BTreeSet::new();
    add_remarks(&mut tree, &main, &mut notes, &mut unplaced)?;
    for line in lines {
        // A variation may set up other stones, as the problems of a collection do.
        let same_beginning = line.beginning.as_ref().map(|board| &board.stones)
            == main.beginning.as_ref().map(|board| &board.stones);
        let import = play_line(&line, beginning.as_ref(), rule);
        let Some(import) = import.ok().filter(|import| same_beginning && has_moves(&line, import))
        else {
            left_out += 1;
            continue;
        };
        notes.add_all(import.notes);
        tree.go(0)?;
        if import.game_state.actions().iter().any(|action| tree.play(action).is_err()) {
            left_out += 1;
        }
        record_stats(&mut tree, import.stats);
        add_remarks(&mut tree, &line, &mut notes, &mut unplaced)?;
    }
    tree.go(end)?;
    take_opening(&mut tree)?;
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        notes.add(format!("{left_out} variation{plural} cannot be read or played to the end"));
    }
    if !unplaced.is_empty() {
        let positions = count(unplaced.len(), "position");
        notes.add(format!("comments and marks of {positions} are left out with their moves"));
    }
    if !unused.is_empty() {
        notes.add(format!("properties left out: {}", unused.join(", ")));
    }
    Ok(Some((tree, notes)))
}

/// Turns the [`OPENING_MOVE`] comments at the beginning of the line shown into the opening of
/// the heading. [`to_sgf`] writes them again.
fn take_opening(tree: &mut Tree) -> Result<()> {
    let path = tree.path(tree.current());
    let is_opening_move = |node: usize| tree.notes(node).comment == OPENING_MOVE;
    let plies = path.iter().zip(tree.game_state().actions());
    let plies =
        plies.take_while(|(node, action)| is_opening_move(**node) || **action == Action::Swap);
    let first = &path[..plies.count()];
    let last = first.iter().rposition(|&node| is_opening_move(node));
    let opening: Vec<usize> = first[..last.map_or(0, |last| last + 1)].to_vec();
    for &node in &opening {
        tree.comment(node, "")?;
    }
    tree.open_with(opening.len());
    Ok(())
}

/// Plays a line of an SGF file from its initial position.
fn play_line(line: &Line, beginning: Option<&GameState>, rule: Variant) -> Result<Import> {
    match beginning {
        Some(beginning) => imported_from(beginning.clone(), line.game.clone(), rule),
        None => imported(line.game.clone(), rule),
    }
}

/// Whether a line has no moves, or at least one that can be played.
fn has_moves(line: &Line, import: &Import) -> bool {
    line.game.events.is_empty() || !import.game_state.actions().is_empty()
}

/// Returns a property if its value is not too long.
fn fitting_property(
    (name, value): (String, String),
    notes: &mut Remarks,
) -> Option<(String, String)> {
    let value = fitting(&name, value, MAX_COMMENT, notes);
    (!value.is_empty()).then_some((name, value))
}

/// Adds the remarks of a line to its nodes; those whose position is not in the tree go to
/// `unplaced`. The tree must show the end of the line.
fn add_remarks(
    tree: &mut Tree,
    line: &Line,
    notes: &mut Remarks,
    unplaced: &mut BTreeSet<String>,
) -> Result<()> {
    let nodes: Vec<usize> = std::iter::once(0).chain(tree.path(tree.current())).collect();
    for remark in &line.remarks {
        let node = plies_before(tree, line, remark).and_then(|plies| nodes.get(plies).copied());
        let Some(node) = node else {
            // Lines with common positions repeat their remarks: the set counts them once.
            unplaced.insert(format!("{remark:?}"));
            continue;
        };
        if !remark.comment.is_empty() {
            add_comment(tree, node, &remark.comment, notes)?;
        }
        for &(cell, sign) in &remark.signs {
            tree.mark(node, cell, Some(mark(sign)))?;
        }
        for (cell, text) in &remark.labels {
            add_label(tree, (node, *cell), text.clone(), notes)?;
        }
    }
    Ok(())
}

/// Appends a comment to that of a node.
pub(super) fn add_comment(
    tree: &mut Tree,
    node: usize,
    text: &str,
    notes: &mut Remarks,
) -> Result<()> {
    let before = tree.notes(node).comment;
    // Lines with common positions repeat their comments.
    if format!("\n{before}\n").contains(&format!("\n{text}\n")) {
        return Ok(());
    }
    let text = if before.is_empty() { text.to_owned() } else { format!("{before}\n{text}") };
    let text = fitting("a comment", text, MAX_COMMENT, notes);
    if text.is_empty() { Ok(()) } else { tree.comment(node, &text) }
}

/// Puts a label on a point of a position.
pub(super) fn add_label(
    tree: &mut Tree,
    (node, cell): (usize, Cell),
    text: String,
    notes: &mut Remarks,
) -> Result<()> {
    let text = fitting("a text on a point", text, MAX_LABEL, notes);
    if text.is_empty() { Ok(()) } else { tree.label(node, cell, &text) }
}

/// Returns the number of plies before the position of a remark; `None` if the played line does
/// not lead there.
fn plies_before(tree: &Tree, line: &Line, remark: &Remark) -> Option<usize> {
    if remark.plies > 0 {
        return Some(remark.plies);
    }
    let events = events_before(tree.game_state(), line, remark);
    let mut game_state = tree.beginning().clone();
    let mut plies = 0;
    for action in tree.game_state().actions() {
        if game_state.events().len() >= events {
            break;
        }
        game_state.apply(action).ok()?;
        plies += 1;
    }
    (game_state.events().len() >= events).then_some(plies)
}

/// Counts the stones and passes of the game before the position of a remark.
fn events_before(played: &GameState, line: &Line, remark: &Remark) -> usize {
    let events = &line.game.events;
    let is_pass = |event: &&ImportedEvent| matches!(event, ImportedEvent::Pass(_));
    // In games without passes, passes at the end were left out.
    let has_passes = played.contest().variant.sheet().passes;
    let trailing = if has_passes { 0 } else { events.iter().rev().take_while(is_pass).count() };
    let mut before = 0;
    for event in events.iter().take(remark.events.min(events.len() - trailing)) {
        match event {
            ImportedEvent::Swap => continue,
            ImportedEvent::Pass(_) => {}
            // The pass before it may be implied in the file.
            ImportedEvent::Stone(..) | ImportedEvent::Drop(_) => {
                before += usize::from(played.events().get(before) == Some(&Event::Pass));
            }
        }
        before += 1;
    }
    before
}

fn mark(sign: Sign) -> Mark {
    match sign {
        Sign::Circle => Mark::Circle,
        Sign::Square => Mark::Square,
        Sign::Triangle => Mark::Triangle,
        Sign::Cross => Mark::Cross,
    }
}

fn sign(mark: Mark) -> Sign {
    match mark {
        Mark::Circle => Sign::Circle,
        Mark::Square => Sign::Square,
        Mark::Triangle => Sign::Triangle,
        Mark::Cross => Sign::Cross,
    }
}

/// Writes the whole tree as SGF.
///
/// # Errors
/// It begins with walls, or a ply is illegal, which never happens.
pub(super) fn to_sgf(tree: &Tree, names: &[String; 2]) -> Result<String> {
    let has_opening = tree.beginning().contest().opening != OpeningId::Free;
    let opening_path = tree.path(tree.heading.opening);
    let nodes = tree.replay(|Visit { node, parent, ply }| {
        let notes = tree.notes(node);
        let is_move = ply.as_ref().is_some_and(|ply| !ply.action.placed().is_empty());
        let is_opening = is_move && opening_path.contains(&node);
        let default = if is_opening { OPENING_MOVE } else { "" };
        TreeNode {
            parent,
            events: ply.as_ref().map(events).unwrap_or_default(),
            ply: ply.filter(|_| has_opening).map(|ply| opening::write(ply.before, ply.action)),
            comment: comment_or_stats(tree, node, default),
            signs: notes.marks.iter().map(|&(cell, mark)| (cell, sign(mark))).collect(),
            labels: notes.labels.to_vec(),
        }
    })?;
    let (end, last) = tree.main_end()?;
    let main_line = record(tree, (end, &last), names.clone());
    let head = ImportedGame {
        players: Color::ALL.map(|color| main_line.players[last.owner(color).index()].clone()),
        title: tree.heading.title.clone(),
        board: board(tree.beginning())?,
        result: main_line.result(),
        reason: main_line.reason,
        ..record(tree, (0, tree.beginning()), names.clone()).imported()
    };
    Ok(sgf::write_tree(&head, &tree.heading.info, &nodes))
}

/// Returns the comment of a node, else the stats of its ply, else `default`: readers recognise
/// stats and opening moves only in a comment without other text.
fn comment_or_stats(tree: &Tree, node: usize, default: &str) -> String {
    let written = tree.notes(node).comment.to_owned();
    let texts = [written, recorded::comment(&tree.stats(node)), default.to_owned()];
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// Returns the initial position of a game, unless it is the empty board.
///
/// # Errors
/// It has walls.
fn board(beginning: &GameState) -> Result<Option<Diagram>> {
    if beginning.setup_stones().is_empty() {
        return Ok(None);
    }
    let mut stones = Vec::new();
    for &(cell, stone) in beginning.setup_stones() {
        let Stone::Of(color) = stone else { bail!("SGF has no walls: save the whole tree") };
        stones.push((cell, color));
    }
    stones.sort_unstable_by_key(|&(cell, _)| cell);
    let Contest { width, height, .. } = *beginning.contest();
    let to_move = Some(beginning.first_to_move());
    Ok(Some(Diagram { width, height, stones, last: None, to_move }))
}

/// Returns the events of a ply.
fn events(&Ply { before, action, after }: &Ply<'_>) -> Vec<ImportedEvent> {
    if *action == Action::Swap {
        return vec![ImportedEvent::Swap];
    }
    let mover = before.to_move();
    let event = |event: &Event| match *event {
        Event::Stone(cell, color) => ImportedEvent::Stone(cell, Some(color)),
        Event::Pass => ImportedEvent::Pass(Some(mover)),
    };
    after.events()[before.events().len()..].iter().map(event).collect()
}

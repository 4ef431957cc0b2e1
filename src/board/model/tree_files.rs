//! SGF files with variations, into the tree and out of it.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};

use super::recorded;
use super::records::{Import, Remarks, fitting, followed, imported, laid, record, record_stats};
use super::tree::{MOST_COMMENT, MOST_LABEL, Ply, Tree, Visit};
use crate::schema::Mark;
use goren_core::opening::{self, Action, Event, GameState};
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedEvent, ImportedGame};
use goren_core::record::sgf::{self, Line, Lines, Remark, Sign, TreeNode};
use goren_core::record::text::Input;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_notation::words::count;

/// The comment in SGF of a move that was made before the players took over.
const OPENING_MOVE: &str = "opening move";

/// The tree of a game of an SGF file, of `rule` if it names no game, and what there is to say
/// about it; `None` for any other file, and of SGF that cannot be read.
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
    let beginning = main.beginning.as_ref().map(|board| laid(&main.game, board, rule));
    let beginning = beginning.transpose()?;
    let of_file = input.notes().iter().map(ToString::to_string).collect();
    let import = played(&main, beginning.as_ref(), rule)?.below(of_file);
    let (mut tree, mut notes) = import.tree()?;
    tree.heading.info = info.into_iter().filter_map(|it| kept(it, &mut notes)).collect();
    let end = tree.current();
    let mut lost = BTreeSet::new();
    say(&mut tree, &main, &mut notes, &mut lost)?;
    for line in lines {
        // A variation may begin with other stones, as the problems of a collection do.
        let begins_alike = line.beginning.as_ref().map(|board| &board.stones)
            == main.beginning.as_ref().map(|board| &board.stones);
        let import = played(&line, beginning.as_ref(), rule);
        let Some(import) = import.ok().filter(|import| begins_alike && has_moves(&line, import))
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
        say(&mut tree, &line, &mut notes, &mut lost)?;
    }
    tree.go(end)?;
    take_opening(&mut tree)?;
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        notes.add(format!("{left_out} variation{plural} cannot be read or played to the end"));
    }
    if !lost.is_empty() {
        let positions = count(lost.len(), "position");
        notes.add(format!("comments and marks are left out with their moves: {positions}"));
    }
    if !unused.is_empty() {
        notes.add(format!("properties that are left out: {}", unused.join(", ")));
    }
    Ok(Some((tree, notes)))
}

/// Takes the comments that the line shown begins with, where they call its moves the opening,
/// for what they say. [`to_sgf`] writes them again.
fn take_opening(tree: &mut Tree) -> Result<()> {
    let path = tree.path(tree.current());
    let is_said = |node: usize| tree.notes(node).comment == OPENING_MOVE;
    let plies = path.iter().zip(tree.game_state().actions());
    let plies = plies.take_while(|(node, action)| is_said(**node) || **action == Action::Swap);
    let first = &path[..plies.count()];
    let last = first.iter().rposition(|&node| is_said(node));
    let opening: Vec<usize> = first[..last.map_or(0, |last| last + 1)].to_vec();
    for &node in &opening {
        tree.comment(node, "")?;
    }
    tree.open_with(opening.len());
    Ok(())
}

/// A line of an SGF file, played from its beginning.
fn played(line: &Line, beginning: Option<&GameState>, rule: Variant) -> Result<Import> {
    match beginning {
        Some(beginning) => followed(beginning.clone(), line.game.clone(), rule),
        None => imported(line.game.clone(), rule),
    }
}

/// Whether a move of a line can be played, if it has any.
fn has_moves(line: &Line, import: &Import) -> bool {
    line.game.events.is_empty() || !import.game_state.actions().is_empty()
}

/// A property with its value, where that is not too long.
fn kept((name, value): (String, String), notes: &mut Remarks) -> Option<(String, String)> {
    let value = fitting(&name, value, MOST_COMMENT, notes);
    (!value.is_empty()).then_some((name, value))
}

/// Puts what a line says of its positions at their nodes, or among `lost` where it is of none
/// of them. The end of the line is shown.
fn say(
    tree: &mut Tree,
    line: &Line,
    notes: &mut Remarks,
    lost: &mut BTreeSet<String>,
) -> Result<()> {
    let nodes: Vec<usize> = std::iter::once(0).chain(tree.path(tree.current())).collect();
    for remark in &line.remarks {
        let node = place(tree, line, remark).and_then(|plies| nodes.get(plies).copied());
        let Some(node) = node else {
            // Each line of a game tells again what stands on its way: it is counted once.
            lost.insert(format!("{remark:?}"));
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

/// Adds a comment below the one that a node may have.
pub(super) fn add_comment(
    tree: &mut Tree,
    node: usize,
    text: &str,
    notes: &mut Remarks,
) -> Result<()> {
    let before = tree.notes(node).comment;
    // Each line of a game tells again what stands on its way.
    if format!("\n{before}\n").contains(&format!("\n{text}\n")) {
        return Ok(());
    }
    let text = if before.is_empty() { text.to_owned() } else { format!("{before}\n{text}") };
    let text = fitting("a comment", text, MOST_COMMENT, notes);
    if text.is_empty() { Ok(()) } else { tree.comment(node, &text) }
}

/// Puts a text on a point of a position.
pub(super) fn add_label(
    tree: &mut Tree,
    (node, cell): (usize, Cell),
    text: String,
    notes: &mut Remarks,
) -> Result<()> {
    let text = fitting("a text on a point", text, MOST_LABEL, notes);
    if text.is_empty() { Ok(()) } else { tree.label(node, cell, &text) }
}

/// Plies before the position that is spoken of; `None` where the line that was played does not
/// lead there.
fn place(tree: &Tree, line: &Line, remark: &Remark) -> Option<usize> {
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

/// Stones and passes of the game before the position that is spoken of.
fn events_before(played: &GameState, line: &Line, remark: &Remark) -> usize {
    let events = &line.game.events;
    let is_pass = |event: &&ImportedEvent| matches!(event, ImportedEvent::Pass(_));
    // Passes at the end are left out where the game has none.
    let has_passes = played.contest().variant.sheet().passes;
    let trailing = if has_passes { 0 } else { events.iter().rev().take_while(is_pass).count() };
    let mut before = 0;
    for event in events.iter().take(remark.events.min(events.len() - trailing)) {
        match event {
            ImportedEvent::Swap => continue,
            ImportedEvent::Pass(_) => {}
            // The pass before it may have been taken for granted.
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

/// The whole tree as SGF.
///
/// # Errors
/// It begins with walls. A ply of it is illegal, which never is so.
pub(super) fn to_sgf(tree: &Tree, names: &[String; 2]) -> Result<String> {
    let opened = tree.beginning().contest().opening != OpeningId::Free;
    let of_opening = tree.path(tree.heading.opening);
    let nodes = tree.replay(|Visit { node, parent, ply }| {
        let notes = tree.notes(node);
        let is_move = ply.as_ref().is_some_and(|ply| !ply.action.placed().is_empty());
        let said = if is_move && of_opening.contains(&node) { OPENING_MOVE } else { "" };
        TreeNode {
            parent,
            events: ply.as_ref().map(events).unwrap_or_default(),
            ply: ply.filter(|_| opened).map(|ply| opening::write(ply.before, ply.action)),
            comment: comment_or_stats(tree, node, said),
            signs: notes.marks.iter().map(|&(cell, mark)| (cell, sign(mark))).collect(),
            labels: notes.labels.to_vec(),
        }
    })?;
    let (end, last) = tree.main_end()?;
    let ended = record(tree, (end, &last), names.clone());
    let head = ImportedGame {
        players: Color::ALL.map(|color| ended.players[last.owner(color).index()].clone()),
        title: tree.heading.title.clone(),
        board: board(tree.beginning())?,
        result: ended.result(),
        reason: ended.reason,
        ..record(tree, (0, tree.beginning()), names.clone()).imported()
    };
    Ok(sgf::write_tree(&head, &tree.heading.info, &nodes))
}

/// The comment of a position, or else what is recorded with its ply, or else `said`: readers
/// take a comment for either only where it says nothing else.
fn comment_or_stats(tree: &Tree, node: usize, said: &str) -> String {
    let written = tree.notes(node).comment.to_owned();
    let texts = [written, recorded::comment(&tree.stats(node)), said.to_owned()];
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

/// The position that a game begins with, if it does not begin with the empty board.
///
/// # Errors
/// There are walls in it.
fn board(beginning: &GameState) -> Result<Option<Diagram>> {
    if beginning.laid().is_empty() {
        return Ok(None);
    }
    let mut stones = Vec::new();
    for &(cell, stone) in beginning.laid() {
        let Stone::Of(color) = stone else { bail!("SGF has no walls: save the whole tree") };
        stones.push((cell, color));
    }
    stones.sort_unstable_by_key(|&(cell, _)| cell);
    let Contest { width, height, .. } = *beginning.contest();
    let to_move = Some(beginning.first_to_move());
    Ok(Some(Diagram { width, height, stones, last: None, to_move }))
}

/// What a ply put on the board.
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

//! Files with variations, into the tree and out of it: SGF and RenLib's libraries.

use anyhow::{Context, Result, bail, ensure};

use super::recorded;
use super::records::{
    Import, Remarks, fitting, followed, imported, laid, no_rule, record, record_stats,
};
use super::tree::{MOST_COMMENT, MOST_LABEL, Ply, Tree, Visit};
use crate::schema::Mark;
use goren_core::opening::{self, Action, Event, GameState};
use goren_core::record::diagram::Diagram;
use goren_core::record::import::{Hints, ImportedEvent, ImportedGame};
use goren_core::record::lib::{self, Builder, Limits, Notes, Step};
use goren_core::record::sgf::{self, Line, Lines, Remark, Sign, TreeNode};
use goren_core::record::text::{CodePage, Input};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color, Stone};

/// Between the first line of a comment and the others, in libraries.
const MORE_LINES: u8 = 8;

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
    say(&mut tree, &main, &mut notes)?;
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
        say(&mut tree, &line, &mut notes)?;
    }
    tree.go(end)?;
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        notes.add(format!("{left_out} variation{plural} cannot be read or played to the end"));
    }
    if !unused.is_empty() {
        notes.add(format!("properties that are left out: {}", unused.join(", ")));
    }
    Ok(Some((tree, notes)))
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

/// Puts what a line says of its positions at their nodes. The end of the line is shown.
fn say(tree: &mut Tree, line: &Line, notes: &mut Remarks) -> Result<()> {
    let nodes: Vec<usize> = std::iter::once(0).chain(tree.path(tree.current())).collect();
    for remark in &line.remarks {
        let Some(&node) = nodes.get(place(tree, line, remark)) else { continue };
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
fn add_comment(tree: &mut Tree, node: usize, text: &str, notes: &mut Remarks) -> Result<()> {
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
fn add_label(
    tree: &mut Tree,
    (node, cell): (usize, Cell),
    text: String,
    notes: &mut Remarks,
) -> Result<()> {
    let text = fitting("a text on a point", text, MOST_LABEL, notes);
    if text.is_empty() { Ok(()) } else { tree.label(node, cell, &text) }
}

/// Plies before the position that is spoken of.
fn place(tree: &Tree, line: &Line, remark: &Remark) -> usize {
    if remark.plies > 0 {
        return remark.plies;
    }
    let of_board = |event: &&ImportedEvent| **event != ImportedEvent::Swap;
    let events = line.game.events.iter().take(remark.events).filter(of_board).count();
    let mut game_state = tree.beginning().clone();
    let mut plies = 0;
    for action in tree.game_state().actions() {
        if game_state.events().len() >= events || game_state.apply(action).is_err() {
            break;
        }
        plies += 1;
    }
    plies
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
    let (nodes, _) = tree.replay(|Visit { node, parent, ply }| {
        let notes = tree.notes(node);
        TreeNode {
            parent,
            events: ply.as_ref().map(events).unwrap_or_default(),
            ply: ply.filter(|_| opened).map(|ply| opening::write(ply.before, ply.action)),
            comment: comment_or_stats(tree, node),
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

/// The comment of a position, or else what is recorded with its ply: readers take a comment for
/// that only where it says nothing else.
fn comment_or_stats(tree: &Tree, node: usize) -> String {
    match tree.notes(node).comment {
        "" => recorded::comment(&tree.stats(node)),
        comment => comment.to_owned(),
    }
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

/// Whether bytes are a library of RenLib.
pub(super) fn is_lib(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xffRenLib\xff")
}

/// The tree of a library, which names no game, as one of `variant`, and what there is to say
/// of it.
///
/// # Errors
/// The library is broken.
pub(super) fn from_lib(bytes: &[u8], variant: Variant) -> Result<(Tree, Remarks)> {
    let library = lib::Tree::read(bytes)?;
    let page = library.code_page();
    let contest = Contest::new(variant).on(lib::SIDE, lib::SIDE)?.opened(OpeningId::Free)?;
    let mut tree = Tree::new(GameState::new(contest));
    let (mut notes, mut left_out, mut start) = (Remarks::default(), 0, 0);
    // The nodes on the way down to the one that is read.
    let mut way = vec![0];
    let mut walk = library.walk();
    while let Some(node) = walk.next() {
        let depth = walk.path().len();
        way.truncate(depth.max(1));
        let parent = way[way.len() - 1];
        tree.go(parent)?;
        let played = match node.step() {
            Step::Root => Ok(()),
            Step::Stone(cell) => {
                if let Some(text) = node.board_text() {
                    add_label(&mut tree, (parent, cell), page.decode(text), &mut notes)?;
                }
                tree.play(&Action::Stones { cells: vec![cell], count: None })
            }
            Step::Pass => tree.play(&Action::Pass),
            Step::Label(cell) => {
                if let Some((cell, text)) = cell.zip(node.board_text()) {
                    add_label(&mut tree, (parent, cell), page.decode(text), &mut notes)?;
                }
                Ok(())
            }
        };
        if played.is_err() {
            left_out += 1 + node.below();
            walk.skip_below();
            continue;
        }
        let here = tree.current();
        let text = comment(node.comment_parts(), page);
        if !text.is_empty() {
            add_comment(&mut tree, here, &text, &mut notes)?;
        }
        if let (true, Step::Stone(cell)) = (node.is_marked(), node.step()) {
            tree.mark(here, cell, Some(Mark::Circle))?;
        }
        if node.is_start() {
            start = here;
        }
        way.truncate(depth.max(1));
        if depth > 0 {
            way.push(here);
        }
    }
    tree.go(start)?;
    if left_out > 0 {
        notes.add(format!(
            "{left_out} positions of {} are left out: they cannot be played in {variant}, or the \
             tree is full",
            library.len()
        ));
    }
    notes.add(no_rule(variant));
    Ok((tree, notes))
}

/// A comment of a library, its two parts one below the other.
fn comment((first, more): (&[u8], &[u8]), page: CodePage) -> String {
    let parts = [first, more].map(|part| page.decode(part).replace("\r\n", "\n"));
    let parts: Vec<&str> =
        parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// The whole tree as a library.
///
/// # Errors
/// Libraries cannot hold it.
pub(super) fn to_lib(tree: &Tree) -> Result<Vec<u8>> {
    let contest = tree.beginning().contest();
    let side = lib::SIDE;
    let fits = matches!(contest.variant, Variant::Five(_));
    ensure!(
        fits && (contest.width, contest.height) == (side, side),
        "libraries of RenLib hold five in a row on {side}x{side} alone: save it as SGF"
    );
    let mut builder = Builder::new(Limits::default());
    // The nodes that are open, each with the steps that its ply took.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (node, parent, action) in tree.in_order() {
        let notes = tree.notes(node);
        let text = lib_comment(notes.comment);
        while open.last().is_some_and(|&(above, _)| Some(above) != parent) {
            let (_, steps) = open.pop().unwrap_or_default();
            (0..steps).for_each(|_| builder.up());
        }
        let steps = match action {
            None => Vec::new(),
            Some(Action::Stones { cells, count: None }) => {
                cells.iter().map(|&cell| Step::Stone(cell)).collect()
            }
            Some(Action::Pass) => vec![Step::Pass],
            Some(_) => bail!("libraries of RenLib know no swaps and offers: save it as SGF"),
        };
        let last = steps.last().copied();
        let mark = notes.marks.iter().any(|&(cell, _)| last == Some(Step::Stone(cell)));
        let said = Notes { mark, comment: text.as_deref(), ..Notes::default() };
        if action.is_none() {
            builder.annotate_root(&said)?;
        }
        for (number, &step) in steps.iter().enumerate() {
            let end = number + 1 == steps.len();
            let said = if end { said } else { Notes::default() };
            builder.child(step, &said)?;
        }
        let others = notes.marks.iter().filter(|&&(cell, _)| last != Some(Step::Stone(cell)));
        let others = others.map(|&(cell, mark)| (cell, letter(mark).to_owned()));
        for (cell, text) in others.chain(notes.labels.iter().cloned()) {
            let board_text = Some(text.as_bytes());
            let said = Notes { board_text, ..Notes::default() };
            builder.child(Step::Label(Some(cell)), &said)?;
            builder.up();
        }
        open.push((node, steps.len()));
    }
    let mut bytes = Vec::new();
    builder.finish().write(&mut bytes)?;
    Ok(bytes)
}

/// A mark as the text of a point.
fn letter(mark: Mark) -> &'static str {
    match mark {
        Mark::Circle => "O",
        Mark::Square => "#",
        Mark::Triangle => "^",
        Mark::Cross => "X",
    }
}

/// A comment as libraries have it: a line, and after a byte of its own the others.
fn lib_comment(text: &str) -> Option<Vec<u8>> {
    let (first, more) = text.split_once('\n').unwrap_or((text, ""));
    let mut bytes = first.as_bytes().to_vec();
    if !more.is_empty() {
        bytes.push(MORE_LINES);
        bytes.extend(more.replace('\n', "\r\n").into_bytes());
    }
    (!bytes.is_empty()).then_some(bytes)
}

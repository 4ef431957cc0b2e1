//! Files with variations, into the tree and out of it: SGF and RenLib's libraries.

use anyhow::{Context, Result, bail, ensure};

use super::records::{Remarks, imported, names, record};
use super::tree::{Ply, Tree, Visit};
use crate::schema::{Mark, Player};
use goren_core::opening::{self, Action, Event, GameState};
use goren_core::record::import::{Hints, ImportedEvent};
use goren_core::record::lib::{self, Builder, Limits, Notes, Step};
use goren_core::record::sgf::{self, Line, Remark, Sign, TreeNode};
use goren_core::record::text::{CodePage, Input};
use goren_core::rules::{Contest, OpeningId, RuleId, Variant};

/// Between the first line of a comment and the others, in libraries.
const MORE_LINES: u8 = 8;

/// The tree of a game of an SGF file, and what there is to say of it; `None` where the
/// game has one line and says nothing of its positions.
///
/// # Errors
/// The main line cannot be played.
pub(super) fn from_sgf(bytes: &[u8], number: usize) -> Result<Option<(Tree, Remarks)>> {
    let Ok(input) = Input::new(bytes, None) else { return Ok(None) };
    if !sgf::looks(input.bytes()) {
        return Ok(None);
    }
    let Some(Ok(found)) = sgf::lines(&input, &Hints::default(), number - 1) else {
        return Ok(None);
    };
    let plain = found.lines.iter().all(|line| line.remarks.is_empty());
    let variations = (found.lines.len() + found.left_out).saturating_sub(1);
    if variations == 0 && plain {
        return Ok(None);
    }
    if let Some(first) = found.lines.first().filter(|line| line.game.board.is_some()) {
        return set_up(first, variations).map(Some);
    }
    let (mut tree, mut notes) = (None::<Tree>, Remarks::default());
    let mut left_out = found.left_out;
    let mut end = 0;
    for line in found.lines {
        let (game_state, of_line) = match imported(line.game.clone()) {
            Ok(played) => played,
            Err(error) if tree.is_none() => return Err(error),
            Err(_) => {
                left_out += 1;
                continue;
            }
        };
        notes.add_all(of_line);
        match &mut tree {
            None => {
                let mut first = Tree::of_game(&game_state)?;
                end = first.current();
                say(&mut first, &line)?;
                tree = Some(first);
            }
            Some(tree) => {
                tree.go(0)?;
                if game_state.actions().iter().any(|action| tree.play(action).is_err()) {
                    left_out += 1;
                }
                say(tree, &line)?;
            }
        }
    }
    let mut tree = tree.context("there is no game in it")?;
    tree.go(end)?;
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        notes.add(format!("{left_out} variation{plural} cannot be read or played to the end"));
    }
    Ok(Some((tree, notes)))
}

/// The tree of a game whose stones are set up: the position that its main line leads to.
///
/// # Errors
/// It is no position of a game.
fn set_up(line: &Line, variations: usize) -> Result<(Tree, Remarks)> {
    let (game_state, mut notes) = imported(line.game.clone())?;
    let remarks = line.remarks.len();
    if variations + remarks > 0 {
        notes.add(format!(
            "of a game with stones that were set up the last position is taken; its variations \
             ({variations}), comments and marks ({remarks}) are left out"
        ));
    }
    Ok((Tree::of_game(&game_state)?, notes))
}

/// Puts what a line says of its positions at their nodes. The end of the line is shown.
fn say(tree: &mut Tree, line: &Line) -> Result<()> {
    let nodes: Vec<usize> = std::iter::once(0).chain(tree.path(tree.current())).collect();
    for remark in &line.remarks {
        let Some(&node) = nodes.get(place(tree, line, remark)) else { continue };
        if !remark.comment.is_empty() {
            tree.comment(node, &remark.comment)?;
        }
        for &(cell, sign) in &remark.signs {
            tree.mark(node, cell, Some(mark(sign)))?;
        }
        for (cell, text) in &remark.labels {
            tree.label(node, *cell, text)?;
        }
    }
    Ok(())
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
/// A ply of it is illegal, which never is so.
pub(super) fn to_sgf(tree: &Tree, players: [Player; 2]) -> Result<String> {
    let mut head = record(tree.beginning(), names(players)).imported();
    let opened = tree.beginning().contest().opening != OpeningId::Free;
    let (nodes, _) = tree.replay(|Visit { node, parent, ply }| {
        let notes = tree.notes(node);
        TreeNode {
            parent,
            events: ply.as_ref().map(events).unwrap_or_default(),
            ply: ply.filter(|_| opened).map(|ply| opening::write(ply.before, ply.action)),
            comment: notes.comment.to_owned(),
            signs: notes.marks.iter().map(|&(cell, mark)| (cell, sign(mark))).collect(),
            labels: notes.labels.to_vec(),
        }
    })?;
    let end = tree.main_end()?;
    let ended = record(&end, names(players)).imported();
    (head.result, head.reason) = (ended.result, ended.reason);
    head.players = ended.players;
    Ok(sgf::write_tree(&head, &nodes))
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

/// The tree of a library, as a game of `contest` where that is five in a row on 15x15,
/// and what there is to say of it.
///
/// # Errors
/// The library is broken.
pub(super) fn from_lib(bytes: &[u8], contest: &Contest) -> Result<(Tree, Remarks)> {
    let library = lib::Tree::read(bytes)?;
    let page = library.code_page();
    let fits = matches!(contest.variant, Variant::Five(_));
    let variant = if fits { contest.variant } else { Variant::Five(RuleId::Freestyle) };
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
                    tree.label(parent, cell, &page.decode(text))?;
                }
                tree.play(&Action::Stones { cells: vec![cell], count: None })
            }
            Step::Pass => tree.play(&Action::Pass),
            Step::Label(cell) => {
                if let Some((cell, text)) = cell.zip(node.board_text()) {
                    tree.label(parent, cell, &page.decode(text))?;
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
            let before = tree.notes(here).comment;
            let text = if before.is_empty() { text } else { format!("{before}\n{text}") };
            tree.comment(here, &text)?;
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
    if !fits {
        notes.add(format!("a library does not name its game: it is shown as {variant}"));
    }
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

//! RenLib's libraries, into the tree and out of it.

use anyhow::{Result, bail, ensure};

use super::records::{Remarks, no_rule};
use super::tree::Tree;
use super::tree_files::{add_comment, add_label};
use crate::schema::Mark;
use goren_core::opening::{Action, GameState};
use goren_core::record::lib::{self, Builder, Limits, Notes, Step};
use goren_core::record::text::CodePage;
use goren_core::rules::{Contest, OpeningId, Variant};

/// Between the first line of a comment and the others.
const MORE_LINES: u8 = 8;

/// Whether bytes are a library of RenLib.
pub(super) fn is_lib(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xffRenLib\xff")
}

/// The tree of a library, which names no game, as one of `variant`, and what there is to say
/// of it.
///
/// # Errors
/// It is no library, or nothing of it can be read.
pub(super) fn from_lib(bytes: &[u8], variant: Variant) -> Result<(Tree, Remarks)> {
    let mut notes = Remarks::default();
    let library = readable(bytes, &mut notes)?;
    let page = library.code_page();
    let contest = Contest::new(variant).on(lib::SIDE, lib::SIDE)?.opened(OpeningId::Free)?;
    let mut tree = Tree::new(GameState::new(contest));
    let (mut left_out, mut start) = (0, 0);
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

/// A library as far as it can be read, with a note where it is not whole.
///
/// # Errors
/// Nothing of it can be read.
fn readable(bytes: &[u8], notes: &mut Remarks) -> Result<lib::Tree> {
    match lib::Tree::read(bytes) {
        Ok(library) => {
            if library.unmet() > 0 {
                notes.add("it is a part of a library, or cut short".into());
            }
            Ok(library)
        }
        Err(error) if error.tree.is_empty() => Err(error.into()),
        Err(error) => {
            notes.add(format!("it is damaged, and shown up to the fault: {error}"));
            Ok(*error.tree)
        }
    }
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

//! Reads and writes RenLib libraries.

use anyhow::{Result, bail, ensure};

use super::records::{Remarks, no_rule};
use super::tree::Tree;
use super::tree_files::{add_comment, add_label};
use crate::schema::Mark;
use goren_core::opening::{Action, GameState};
use goren_core::record::lib::{self, Builder, Limits, Notes, Step};
use goren_core::record::text::CodePage;
use goren_core::rules::{Contest, OpeningId, Variant};

/// Separates the first line of a comment from the others.
const MORE_LINES: u8 = 8;

/// Whether these bytes are a RenLib library.
pub(super) fn is_lib(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xffRenLib\xff")
}

/// Reads a library as a tree of `variant`, as libraries name no game; also returns notes.
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
    // The nodes from the root to the parent of the current one.
    let mut ancestors = vec![0];
    let mut walk = library.walk();
    while let Some(node) = walk.next() {
        let depth = walk.path().len();
        ancestors.truncate(depth.max(1));
        let parent = ancestors[ancestors.len() - 1];
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
        ancestors.truncate(depth.max(1));
        if depth > 0 {
            ancestors.push(here);
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

/// Reads a library as far as possible, with a note if it is incomplete.
///
/// # Errors
/// Nothing of it can be read.
fn readable(bytes: &[u8], notes: &mut Remarks) -> Result<lib::Tree> {
    match lib::Tree::read(bytes) {
        Ok(library) => {
            if library.unmet() > 0 {
                notes.add("the library is part of a larger one, or cut short".into());
            }
            Ok(library)
        }
        Err(error) if error.tree.is_empty() => Err(error.into()),
        Err(error) => {
            notes.add(format!("the library is damaged and shown only up to the fault: {error}"));
            Ok(*error.tree)
        }
    }
}

/// Decodes a comment of a library: its two parts, one below the other.
fn comment((first, more): (&[u8], &[u8]), page: CodePage) -> String {
    let parts = [first, more].map(|part| page.decode(part).replace("\r\n", "\n"));
    let parts: Vec<&str> =
        parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Writes the whole tree as a library.
///
/// # Errors
/// Libraries cannot hold it.
pub(super) fn to_lib(tree: &Tree) -> Result<Vec<u8>> {
    let contest = tree.beginning().contest();
    let side = lib::SIDE;
    let fits = matches!(contest.variant, Variant::Five(_));
    ensure!(
        fits && (contest.width, contest.height) == (side, side),
        "RenLib libraries hold only five in a row on {side}x{side}: save the game as SGF"
    );
    let mut builder = Builder::new(Limits::default());
    // The open nodes, each with the number of library steps of its ply.
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
            Some(_) => bail!("RenLib libraries hold no swaps or offers: save the game as SGF"),
        };
        let last = steps.last().copied();
        let mark = notes.marks.iter().any(|&(cell, _)| last == Some(Step::Stone(cell)));
        let annotation = Notes { mark, comment: text.as_deref(), ..Notes::default() };
        if action.is_none() {
            builder.annotate_root(&annotation)?;
        }
        for (number, &step) in steps.iter().enumerate() {
            let end = number + 1 == steps.len();
            let annotation = if end { annotation } else { Notes::default() };
            builder.child(step, &annotation)?;
        }
        let others = notes.marks.iter().filter(|&&(cell, _)| last != Some(Step::Stone(cell)));
        let others = others.map(|&(cell, mark)| (cell, letter(mark).to_owned()));
        for (cell, text) in others.chain(notes.labels.iter().cloned()) {
            let board_text = Some(text.as_bytes());
            let annotation = Notes { board_text, ..Notes::default() };
            builder.child(Step::Label(Some(cell)), &annotation)?;
            builder.up();
        }
        open.push((node, steps.len()));
    }
    let mut bytes = Vec::new();
    builder.finish().write(&mut bytes)?;
    Ok(bytes)
}

/// Returns the text that stands for a mark.
fn letter(mark: Mark) -> &'static str {
    match mark {
        Mark::Circle => "O",
        Mark::Square => "#",
        Mark::Triangle => "^",
        Mark::Cross => "X",
    }
}

/// Encodes a comment for a library: the first line, then [`MORE_LINES`] and the other lines.
fn lib_comment(text: &str) -> Option<Vec<u8>> {
    let (first, more) = text.split_once('\n').unwrap_or((text, ""));
    let mut bytes = first.as_bytes().to_vec();
    if !more.is_empty() {
        bytes.push(MORE_LINES);
        bytes.extend(more.replace('\n', "\r\n").into_bytes());
    }
    (!bytes.is_empty()).then_some(bytes)
}

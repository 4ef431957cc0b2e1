//! Notes about the parts of a tree that a file format loses or changes.

use super::heading::End;
use super::recorded;
use super::tree::Tree;
use crate::schema::{Form, Mark};
use goren_core::opening::{Action, GameState};
use goren_core::record::import::{ImportedEvent, ImportedGame, MoveStats};
use goren_core::rules::Contest;
use goren_notation::forms::{self, LossyForm};
use goren_notation::words::{count, plural};

/// SGF properties that make up the title of a game.
const TITLE_PROPERTIES: [&str; 4] = ["EV", "RO", "DT", "GN"];

/// Returns what a format loses or changes of a tree, in sentences.
pub(super) fn left_out(tree: &Tree, form: Form) -> Vec<String> {
    let parts = lost_parts(tree, form);
    let lost_parts_note = (!parts.is_empty()).then(|| {
        let parts = parts.join(", ");
        format!("Not in this file: {parts}. Save the whole tree (.json) to keep everything.")
    });
    let notes = [early_end_note(tree, form), lost_parts_note, changed_marks_note(tree, form)];
    notes.into_iter().flatten().collect()
}

/// Whether a format holds only a line, up to the position shown.
fn is_line(form: Form) -> bool {
    match form {
        Form::Psq | Form::Moves | Form::Json => true,
        Form::Sgf | Form::Lib | Form::Tree => false,
    }
}

/// The note that the file ends with the position shown, before the end of its line.
fn early_end_note(tree: &Tree, form: Form) -> Option<String> {
    let (line, node) = (tree.line(), tree.current());
    let shown = line.iter().position(|&at| at == node)?;
    let plies = line.len() - 1;
    (is_line(form) && shown < plies).then(|| {
        format!(
            "Saved up to the position shown, ply {shown} of {plies}: for the whole line, go to \
             its end first."
        )
    })
}

/// The note that a library changes marks of the tree.
fn changed_marks_note(tree: &Tree, form: Form) -> Option<String> {
    if form != Form::Lib {
        return None;
    }
    let (mut plain, mut texts) = (0_usize, 0_usize);
    for (node, _, action) in tree.in_order() {
        let last_stone = action.and_then(|action| action.placed().last().copied());
        for &(cell, mark) in tree.notes(node).marks {
            let is_on_newest = last_stone == Some(cell);
            texts += usize::from(!is_on_newest);
            plain += usize::from(is_on_newest && mark != Mark::Circle);
        }
    }
    let become_plain = plural(plain, "mark becomes plain", "marks become plain");
    let become_text = plural(texts, "mark becomes a text", "marks become texts");
    let parts = [(plain, become_plain), (texts, become_text)];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
    let parts = parts.collect::<Vec<_>>().join(", ");
    (!parts.is_empty())
        .then(|| format!("A library has one kind of mark, on the stone just played: {parts}."))
}

/// Lists the parts of the tree that the format cannot hold.
fn lost_parts(tree: &Tree, form: Form) -> Vec<String> {
    let (mut comments, mut marks, mut texts, mut stats) = (0, 0, 0, 0);
    for (node, ..) in tree.in_order() {
        let notes = tree.notes(node);
        let has_comment = !notes.comment.is_empty();
        comments += usize::from(has_comment);
        marks += notes.marks.len();
        texts += notes.labels.len();
        // In SGF a comment replaces the stats of the ply.
        let has_stats = has_comment && tree.stats(node) != MoveStats::default();
        stats += usize::from(form == Form::Sgf && has_stats);
    }
    let mut parts = Vec::new();
    let mut add = |number: usize, text: String| parts.extend((number > 0).then_some(text));
    if is_line(form) {
        add(comments, count(comments, "comment"));
        add(marks, count(marks, "mark"));
        add(texts, plural(texts, "text on a point", "texts on points"));
        let others = tree.len() - tree.line().len();
        add(others, format!("{} in other branches", count(others, "position")));
    }
    add(stats, format!("the score, depth and time of {}", count(stats, "commented move")));
    if let Some(lossy) = lossy(form) {
        parts.extend(forms::not_held(&known(tree), lossy));
    }
    parts.extend(lost_heading_parts(tree, form));
    parts
}

/// Returns the format if it loses parts of a game.
fn lossy(form: Form) -> Option<LossyForm> {
    match form {
        Form::Psq => Some(LossyForm::Psq),
        Form::Moves => Some(LossyForm::Moves),
        Form::Lib => Some(LossyForm::Library),
        Form::Sgf | Form::Json | Form::Tree => None,
    }
}

/// Returns what is known of the game beside its moves and what follows from them, with the
/// stats of the plies of all branches.
fn known(tree: &Tree) -> ImportedGame {
    let contest = *tree.beginning().contest();
    let Contest { variant, width, height, opening, tie_break, strict } = contest;
    let heading = &tree.heading;
    let end = heading.end.as_ref();
    let actions = tree.game_state().actions();
    let swaps = actions.iter().filter(|action| **action == Action::Swap).count();
    ImportedGame {
        variant: Some(variant),
        opening: Some(opening),
        size: Some((width, height)),
        players: heading.players.clone(),
        title: heading.title.clone(),
        events: vec![ImportedEvent::Swap; swaps],
        move_stats: tree.in_order().into_iter().map(|(node, ..)| tree.stats(node)).collect(),
        prelude: tree.path(heading.opening).len(),
        tie_break,
        strict,
        result: end.and_then(End::outcome),
        reason: end.map_or(String::new(), |end| end.reason.clone()),
        ..ImportedGame::default()
    }
}

/// Lists the parts of the heading that the format cannot hold.
fn lost_heading_parts(tree: &Tree, form: Form) -> Vec<String> {
    let heading = &tree.heading;
    let mut parts = Vec::new();
    if heading.end.is_some() && loses_result(tree, form) {
        parts.push("the result".to_owned());
    }
    // A node has one comment: the user's comment and the stats of the ply come first.
    let is_taken = |&node: &usize| {
        !tree.notes(node).comment.is_empty() || !recorded::comment(&tree.stats(node)).is_empty()
    };
    if form == Form::Sgf && tree.path(heading.opening).iter().any(is_taken) {
        parts.push("which moves are the opening".to_owned());
    }
    let names = heading.info.iter().map(|(name, _)| &name[..]);
    let others: Vec<&str> = names.filter(|name| !TITLE_PROPERTIES.contains(name)).collect();
    if !others.is_empty() && !matches!(form, Form::Sgf | Form::Tree) {
        let number =
            plural(others.len(), "further property of the game", "further properties of the game");
        parts.push(format!("{number} ({})", others.join(" ")));
    }
    parts
}

/// Whether a format with a result loses that of the heading: the line that it holds has
/// another end than the game that the heading describes.
fn loses_result(tree: &Tree, form: Form) -> bool {
    let goes_on = |node: usize, last: &GameState| {
        tree.heading.end_at(node).is_none() && last.result().is_none()
    };
    match form {
        Form::Psq | Form::Json => goes_on(tree.current(), tree.game_state()),
        Form::Sgf => tree.main_end().is_ok_and(|(end, last)| goes_on(end, &last)),
        Form::Lib | Form::Moves | Form::Tree => false,
    }
}

//! What a file does not hold of a tree.

use super::heading::End;
use super::recorded;
use super::tree::Tree;
use crate::schema::{Form, Mark};
use goren_core::opening::{Action, GameState};
use goren_core::record::import::{ImportedEvent, ImportedGame, MoveStats};
use goren_core::rules::Contest;
use goren_notation::forms::{self, LossyForm};
use goren_notation::words::{count, plural};

/// Properties of SGF that the title of a game is made of.
const OF_TITLE: [&str; 4] = ["EV", "RO", "DT", "GN"];

/// What a form leaves out of a tree or changes in it, in sentences.
pub(super) fn left_out(tree: &Tree, form: Form) -> Vec<String> {
    let parts = not_held(tree, form);
    let not_held = (!parts.is_empty()).then(|| {
        let parts = parts.join(", ");
        format!("Not in this file: {parts}. A file of the whole tree (.json) has everything.")
    });
    let reported = [not_reached(tree, form), not_held, other_marks(tree, form)];
    reported.into_iter().flatten().collect()
}

/// Whether a form holds a line alone, up to the position shown.
fn is_line(form: Form) -> bool {
    match form {
        Form::Psq | Form::Moves | Form::Json => true,
        Form::Sgf | Form::Lib | Form::Tree => false,
    }
}

/// The notice that the file ends with the position shown, before its line does.
fn not_reached(tree: &Tree, form: Form) -> Option<String> {
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

/// The notice that a library has other marks than the tree.
fn other_marks(tree: &Tree, form: Form) -> Option<String> {
    if form != Form::Lib {
        return None;
    }
    let (mut plain, mut texts) = (0_usize, 0_usize);
    for (node, _, action) in tree.in_order() {
        let newest = action.and_then(|action| action.placed().last().copied());
        for &(cell, mark) in tree.notes(node).marks {
            let is_on_newest = newest == Some(cell);
            texts += usize::from(!is_on_newest);
            plain += usize::from(is_on_newest && mark != Mark::Circle);
        }
    }
    let become_plain = plural(plain, "mark becomes a plain one", "marks become plain ones");
    let become_text = plural(texts, "mark becomes a text", "marks become texts");
    let parts = [(plain, become_plain), (texts, become_text)];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
    let parts = parts.collect::<Vec<_>>().join(", ");
    (!parts.is_empty()).then(|| {
        format!("A library has one kind of mark, on the stone that was just played: {parts}.")
    })
}

/// What else the tree has and the form has no place for.
fn not_held(tree: &Tree, form: Form) -> Vec<String> {
    let (mut comments, mut marks, mut texts, mut stats) = (0, 0, 0, 0);
    for (node, ..) in tree.in_order() {
        let notes = tree.notes(node);
        let has_comment = !notes.comment.is_empty();
        comments += usize::from(has_comment);
        marks += notes.marks.len();
        texts += notes.labels.len();
        // In SGF a comment takes the place of what is recorded with its ply.
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
        add(others, format!("{} of other branches", count(others, "position")));
    }
    add(stats, format!("the score, depth and time of {}", count(stats, "commented move")));
    if let Some(lossy) = lossy(form) {
        parts.extend(forms::not_held(&known(tree), lossy));
    }
    parts.extend(heading_not_held(tree, form));
    parts
}

/// A form that has no place for all that is known of a game.
fn lossy(form: Form) -> Option<LossyForm> {
    match form {
        Form::Psq => Some(LossyForm::Psq),
        Form::Moves => Some(LossyForm::Moves),
        Form::Lib => Some(LossyForm::Library),
        Form::Sgf | Form::Json | Form::Tree => None,
    }
}

/// What is known of the game beside its moves and what follows from them; what is recorded with
/// plies, of all branches.
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

/// What else the heading of a tree has and the form has no place for.
fn heading_not_held(tree: &Tree, form: Form) -> Vec<String> {
    let heading = &tree.heading;
    let mut parts = Vec::new();
    if heading.end.is_some() && loses_result(tree, form) {
        parts.push("the result".to_owned());
    }
    // A node has one comment: that of a person, or what is known of the ply, comes first.
    let is_taken = |&node: &usize| {
        !tree.notes(node).comment.is_empty() || !recorded::comment(&tree.stats(node)).is_empty()
    };
    if form == Form::Sgf && tree.path(heading.opening).iter().any(is_taken) {
        parts.push("which moves are the opening".to_owned());
    }
    let names = heading.info.iter().map(|(name, _)| &name[..]);
    let others: Vec<&str> = names.filter(|name| !OF_TITLE.contains(name)).collect();
    if !others.is_empty() && !matches!(form, Form::Sgf | Form::Tree) {
        let number =
            plural(others.len(), "further property of the game", "further properties of the game");
        parts.push(format!("{number} ({})", others.join(" ")));
    }
    parts
}

/// Whether a form that has a place for a result loses that of the heading: the line that it
/// holds has another end than the game in that file.
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

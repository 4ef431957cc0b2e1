//! What a file does not hold of a tree.

use super::tree::Tree;
use crate::schema::Form;
use goren_core::record::import::MoveStats;
use goren_notation::words::{count, plural};

/// What a form leaves out of a tree, in sentences.
pub(super) fn left_out(tree: &Tree, form: Form) -> Vec<String> {
    let parts = not_held(tree, form);
    let not_held = (!parts.is_empty()).then(|| {
        let parts = parts.join(", ");
        format!("Not in this file: {parts}. A file of the whole tree (.json) has everything.")
    });
    not_reached(tree, form).into_iter().chain(not_held).collect()
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

/// What else the tree has and the form has no place for.
fn not_held(tree: &Tree, form: Form) -> Vec<String> {
    let (mut comments, mut marks, mut texts, mut stats) = (0, 0, 0, 0);
    for (node, ..) in tree.in_order() {
        let notes = tree.notes(node);
        let has_comment = !notes.comment.is_empty();
        comments += usize::from(has_comment);
        marks += notes.marks.len();
        texts += notes.labels.len();
        stats += usize::from(loses_stats(form, &tree.stats(node), has_comment));
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
    let moves = match form {
        Form::Sgf => format!("the score, depth and time of {}", count(stats, "commented move")),
        Form::Psq => format!("the score and depth of {}", count(stats, "move")),
        _ => format!("the score, depth and time of {}", count(stats, "move")),
    };
    add(stats, moves);
    let heading = &tree.heading;
    if matches!(form, Form::Lib | Form::Moves) {
        add(usize::from(heading.names().is_some()), "the names of the players".into());
        add(usize::from(heading.end.is_some()), "the result".into());
    }
    if matches!(form, Form::Lib | Form::Moves | Form::Psq) {
        add(usize::from(!heading.title.is_empty()), "the title".into());
    }
    parts
}

/// Whether a form loses what is recorded with a ply.
fn loses_stats(form: Form, stats: &MoveStats, has_comment: bool) -> bool {
    let nothing = MoveStats::default();
    match form {
        Form::Json | Form::Tree => false,
        // A comment takes its place.
        Form::Sgf => has_comment && *stats != nothing,
        // Times have a place of their own.
        Form::Psq => *stats != MoveStats { ms: stats.ms, ..nothing },
        Form::Lib | Form::Moves => *stats != nothing,
    }
}

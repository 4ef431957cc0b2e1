//! Tests of games that begin with stones set up by a file.

use super::file_tests::{opened, positions, saved, sent};
use super::tests::{of_game, play, refusal, shown};
use super::*;
use crate::schema::{Form, Mark};
use goren_core::types::{Cell, Color, Stone};

/// A problem with two answers.
const PROBLEM: &str = "(;FF[4]GM[4]RU[renju]SZ[15]PB[Anna]AB[hh][ii][jh]AW[hi][ij][jk]PL[B]\
                       C[Black wins]TR[hh](;B[gg]C[right];W[ff])(;B[aa]C[wrong]LB[bb:x]))";

fn with_file(text: &str) -> (Model, Vec<String>) {
    let mut model = of_game("renju", "free");
    let messages = opened(&mut model, &sent(text.as_bytes()));
    (model, messages)
}

/// Regression: such a problem was reduced to its last position, without variations, comments
/// and marks.
#[test]
fn a_problem_is_opened_and_saved_with_its_variations() {
    let (mut model, messages) = with_file(PROBLEM);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("begins with a position"), "{messages:?}");
    assert_eq!((shown(&model).stones.len(), model.tree.len()), (8, 4));
    assert_eq!(model.tree.notes(0).comment, "Black wins");
    assert_eq!(model.tree.notes(0).marks, [(Cell::new(7, 7), Mark::Triangle)]);
    let comments: Vec<&str> = (1..4).map(|node| model.tree.notes(node).comment).collect();
    assert_eq!(comments, ["right", "", "wrong"]);
    model.handle(Command::Go { node: 0 });
    assert_eq!((shown(&model).stones.len(), shown(&model).to_move), (6, Color::Black));
    assert!(shown(&model).stones.iter().all(|stone| stone.number.is_none()));
    let text = saved(&mut model, Form::Sgf);
    assert!(text.contains("AB[hh][jh][ii]AW[hi][ij][jk]PL[B]C[Black wins]TR[hh]("), "{text}");
    let (mut other, _) = with_file(&text);
    assert_eq!(positions(&mut other), positions(&mut model));
    assert_eq!(other.tree.beginning().placed(), model.tree.beginning().placed());
    assert_eq!(saved(&mut other, Form::Sgf), text);
    // Formats without positions refuse, and name those that have them.
    for form in [Form::Psq, Form::Moves, Form::Json, Form::Lib] {
        let events = model.handle(Command::Save { form });
        let message = refusal(&events).unwrap();
        assert!(message.contains("save it as SGF or as the whole tree"), "{message}");
    }
}

#[test]
fn the_first_move_overrides_the_side_to_move_of_the_file() {
    // The file says that Black is to move, but White moves first.
    let (mut model, _) = with_file("(;GM[4]RU[0]SZ[15]AB[hh][gg]AW[ii]PL[B];W[jj];B[aa])");
    assert_eq!(shown(&model).stones.len(), 5);
    model.handle(Command::Go { node: 0 });
    assert_eq!(shown(&model).to_move, Color::White);
    assert!(saved(&mut model, Form::Sgf).contains("PL[W];W[jj];B[aa])"));
}

#[test]
fn moves_after_a_set_up_are_played_by_the_rules() {
    // A move captures a pair.
    let (model, messages) = with_file("(;GM[4]RU[pente]SZ[19]AB[jj]AW[kj][lj];B[mj];W[aa])");
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!((shown(&model).stones.len(), shown(&model).captured), (3, [2, 0]));
    // Illegal moves are left out.
    let text = "(;GM[4]RU[0]SZ[15]AB[hh]AW[ii](;B[jj];W[hh])(;B[ii])(;AB[kk];B[jj]))";
    let (model, messages) = with_file(text);
    assert_eq!(model.tree.len(), 2);
    assert!(
        messages.iter().any(|text| text.contains("move 2 (h8): the point is occupied")),
        "{messages:?}"
    );
    assert!(
        messages.iter().any(|text| text.contains("2 variations cannot be read")),
        "{messages:?}"
    );
}

#[test]
fn sgf_refuses_walls() {
    let mut model = of_game("freestyle", "free");
    let contest = *model.tree.beginning().contest();
    let stones = [(Cell::new(7, 7), Stone::Of(Color::Black)), (Cell::new(0, 0), Stone::Wall)];
    let beginning = GameState::from_list(contest, &stones, Color::White).unwrap();
    model.tree = Tree::new(beginning);
    play(&mut model, "c3");
    let events = model.handle(Command::Save { form: Form::Sgf });
    assert_eq!(refusal(&events), Some("SGF has no walls: save the whole tree."));
}

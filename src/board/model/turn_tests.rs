//! Tests of turns of several stones, and of unfinished turns.

use super::lesson_tests::with_jobs;
use super::tests::{of_game, play, refusal, shown};
use super::*;
use crate::schema::{LineStone, Query, TimeControl};
use crate::search::Task;
use goren_core::types::{Cell, Color, Move};
use goren_engine::Info;

/// Regression: the stones of the turn were lost, and a typed pass swapped the colours.
#[test]
fn a_pass_neither_ends_an_unfinished_turn_nor_swaps() {
    let mut model = of_game("connect6", "free");
    play(&mut model, "j10 k10,k9");
    model.handle(Command::Place { cell: Cell::new(0, 0) });
    let typed = |text: &str| Command::Play { text: text.into() };
    for command in [Command::Pass {}, typed("pass"), typed("--")] {
        assert!(refusal(&model.handle(command.clone())).is_some(), "{command:?}");
        assert_eq!(shown(&model).placed.len(), 1, "{command:?}");
    }
    let mut model = of_game("renju", "taraguchi-10");
    play(&mut model, "h8");
    for text in ["pass", "--"] {
        let events = model.handle(typed(text));
        assert!(refusal(&events).unwrap().contains("passing is not possible now"), "{events:?}");
        assert_eq!(shown(&model).black, 0);
    }
}

/// A ply of the engine would remove the stones that the user has placed.
#[test]
fn the_engine_does_not_act_during_an_unfinished_turn() {
    let (mut model, _) = with_jobs("connect6", "j10");
    model.handle(Command::Place { cell: Cell::new(0, 0) });
    for command in [Command::Move {}, Command::Search { query: Query::Hint }] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().starts_with("Some stones of this turn"), "{events:?}");
        assert_eq!(shown(&model).placed.len(), 1);
    }
    model.handle(Command::Undo {});
    assert_eq!(refusal(&model.handle(Command::Move {})), None);
}

/// Regression: the engine, which got the seat of a person, decided at once.
#[test]
fn a_seat_given_to_the_engine_during_a_turn_keeps_its_stones() {
    let (mut model, _) = with_jobs("connect6", "j10");
    let time = Some(TimeControl { game_ms: Some(3_600_000), increment_ms: 0, move_ms: None });
    model.handle(Command::TimeControl { time });
    model.handle(Command::Place { cell: Cell::new(0, 0) });
    for command in [
        Command::Players { players: [Player::Engine; 2] },
        Command::Clock { run: true },
        Command::TimeControl { time },
    ] {
        let events = model.handle(command.clone());
        let refused = refusal(&events).is_some_and(|text| text.starts_with("Some stones"));
        assert_eq!(refused, command == Command::Clock { run: true }, "{events:?}");
        assert_eq!((model.acts(), shown(&model).placed.len()), (false, 1), "{command:?}");
    }
    // Without placed stones the engine plays.
    model.handle(Command::Undo {});
    assert_eq!(refusal(&model.handle(Command::Clock { run: true })), None);
    assert!(model.acts());
}

/// Regression: the line began with the second stone of the turn, and the opponent's first stone
/// was taken for the missing one.
#[test]
fn a_line_during_an_unfinished_turn_consists_of_whole_turns() {
    let (mut model, jobs) = with_jobs("connect6", "j10");
    model.handle(Command::Analyse { lines: 2 });
    let [first, second, answer] = [(0, 0), (1, 1), (5, 5)].map(|(x, y)| Cell::new(x, y));
    model.handle(Command::Place { cell: first });
    let job = jobs.last().unwrap();
    let Task::Analyse { root, .. } = &job.task else { panic!("{job:?}") };
    assert_eq!((root.stones_to_place, root.placed), (1, 1));
    let info = Info { pv: [second, answer].map(Move::at).to_vec(), ..Info::NOTHING };
    let events = model.found(job.number, Found::Lines(vec![info]), Instant::now());
    let line = events.iter().find_map(|event| match event {
        Event::Lines(lines) => lines.lines.first(),
        _ => None,
    });
    let stone = |stone: &LineStone| (stone.cell, stone.color);
    let stones: Vec<(Cell, Color)> = line.unwrap().stones.iter().map(stone).collect();
    assert_eq!(stones, [(first, Color::White), (second, Color::White), (answer, Color::Black)]);
    let (node, cells) = (shown(&model).node, vec![first, second, answer]);
    let events = model.handle(Command::Follow { node, cells, stay: true });
    assert_eq!(refusal(&events), None);
    let added = model.tree.game_at(model.tree.following().unwrap()).unwrap();
    assert_eq!(added.actions().last().unwrap().placed(), [first, second]);
    assert_eq!(shown(&model).placed.len(), 1);
}

/// Regression: such a turn was left out, or the line refused.
#[test]
fn a_line_that_wins_before_its_last_turn_is_complete_is_added() {
    let moves = "j10 a1,c1 k10,l10 e1,g1 m10,n10 i1,k1";
    for stay in [true, false] {
        let (mut model, _) = with_jobs("connect6", moves);
        let (node, cells) = (shown(&model).node, vec![Cell::new(14, 9)]);
        let events = model.handle(Command::Follow { node, cells, stay });
        assert_eq!(refusal(&events), None);
        let added = if stay { model.tree.following().unwrap() } else { model.tree.current() };
        let end = model.tree.game_at(added).unwrap();
        assert_eq!((added, &end.result().unwrap().colors[..]), (7, &[Color::Black][..]));
    }
    // An incomplete turn that does not win is not added.
    let (mut model, _) = with_jobs("connect6", moves);
    let (node, cells) = (shown(&model).node, vec![Cell::new(0, 0)]);
    let events = model.handle(Command::Follow { node, cells, stay: true });
    assert!(refusal(&events).unwrap().starts_with("No move of that line"), "{events:?}");
}

/// Regression: it was played by another choice, which has one stone.
#[test]
fn a_typed_stone_follows_the_selected_choice() {
    for (variant, opening, moves, typed) in
        [("gomoku", "swap-2", "h8,i9,j8", "a1"), ("renju", "taraguchi-10", "h8 h9 h10 i9", "g7")]
    {
        let mut model = of_game(variant, opening);
        play(&mut model, moves);
        let before = model.tree.current();
        for (way, is_complete) in [(1, false), (0, true)] {
            assert_eq!(refusal(&model.handle(Command::Choose { way })), None);
            play(&mut model, typed);
            assert_eq!(model.tree.current() != before, is_complete, "{variant} {way}");
            assert_eq!(shown(&model).placed.len(), usize::from(!is_complete), "{variant} {way}");
        }
    }
    let mut model = of_game("gomoku", "swap-2");
    play(&mut model, "h8,i9,j8");
    model.handle(Command::Choose { way: 1 });
    play(&mut model, "a1 b2");
    assert_eq!((shown(&model).stones.len(), shown(&model).placed.len()), (5, 0));
}

//! Tests of `Stop`, of the messages about ended searches, and of lines added to the tree.

use super::file_tests::{kept, replaced};
use super::tests::{Jobs, of_game, play, refusal, run_searches, shown};
use super::*;
use crate::schema::{Query, ReviewState};
use crate::search::Task;
use goren_core::opening::Action;
use goren_core::types::Cell;

fn with_jobs(moves: &str) -> (Model, Jobs) {
    let mut model = of_game("freestyle", "free");
    let jobs = Jobs::default();
    model.searcher = Box::new(jobs.clone());
    play(&mut model, moves);
    (model, jobs)
}

fn messages(events: &[Event]) -> Vec<&str> {
    let text = events.iter().filter_map(|event| match event {
        Event::Message { text } => Some(&text[..]),
        _ => None,
    });
    text.collect()
}

/// Whether the last search is the analysis, and still running.
fn analyses(jobs: &Jobs) -> bool {
    let job = jobs.last().unwrap();
    matches!(job.task, Task::Analyse { .. }) && !job.request.control.stopped()
}

/// Regression: stopping a search on demand also ended the analysis and the review.
#[test]
fn stop_ends_a_search_on_demand_but_not_the_analysis() {
    let (mut model, jobs) = with_jobs("h8 a1 h9 a3");
    model.handle(Command::Analyse { lines: 2 });
    for query in [
        Query::Vcf,
        Query::OtherWin,
        Query::Vct,
        Query::Threat,
        Query::Defences,
        Query::Balance,
        Query::BalanceTwo,
        Query::Hint,
    ] {
        model.handle(Command::Search { query });
        let query_job = jobs.last().unwrap();
        model.handle(Command::Stop {});
        assert!(query_job.request.control.stopped() && model.play.lines == 2, "{query:?}");
        run_searches(&mut model, &jobs, 1);
        assert!(analyses(&jobs), "{query:?}");
    }
    // A decision of the engine: it plays, but not the next ply too.
    model.handle(Command::Players { players: [Player::Engine; 2] });
    model.handle(Command::Stop {});
    run_searches(&mut model, &jobs, 1);
    assert_eq!(shown(&model).stones.len(), 5);
    assert!(analyses(&jobs));
    // Without a search on demand, the analysis ends.
    model.handle(Command::Stop {});
    assert!(model.play.lines == 0 && !model.is_searching());
}

fn state(model: &Model) -> ReviewState {
    match model.review_view() {
        Event::Review(view) => view.state,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_review_resumes_after_a_stopped_search_and_can_be_stopped_separately() {
    let (mut model, jobs) = with_jobs("h8 a1 h9 a3");
    model.handle(Command::Review { time_ms: 50 });
    model.handle(Command::Search { query: Query::Vcf });
    model.handle(Command::Stop {});
    assert_eq!(state(&model), ReviewState::Running);
    run_searches(&mut model, &jobs, 1);
    let job = jobs.last().unwrap();
    assert!(matches!(job.task, Task::Answer { .. }) && !job.request.control.stopped());
    let events = model.handle(Command::StopReview {});
    assert_eq!((state(&model), model.is_searching()), (ReviewState::Stopped, false));
    assert!(job.request.control.stopped());
    assert!(events.iter().any(|event| matches!(event, Event::Kept { .. })));
    // The analysis continues.
    model.handle(Command::Review { time_ms: 50 });
    model.handle(Command::Analyse { lines: 1 });
    model.handle(Command::StopReview {});
    assert_eq!((state(&model), model.play.lines), (ReviewState::Stopped, 1));
    assert!(analyses(&jobs));
    // No review is left to stop.
    assert_eq!(model.handle(Command::StopReview {}), []);
}

/// Regression: a stopped search was reported as "no win" too.
#[test]
fn an_incomplete_search_for_a_win_is_reported_as_such() {
    let (mut model, jobs) = with_jobs("h8 a1 h9 a3");
    for (is_exhaustive, stop, text) in [
        (true, false, "No win for Black by fours was found."),
        (
            false,
            false,
            "No win for Black by fours was found before the search reached its limit: there may \
             still be one.",
        ),
        (false, true, "The search was stopped before a win was found."),
    ] {
        model.handle(Command::Search { query: Query::Vcf });
        if stop {
            model.handle(Command::Stop {});
        }
        let number = jobs.last().unwrap().number;
        let events = model.found(number, Found::Fours(None, is_exhaustive), Instant::now());
        assert_eq!(messages(&events), [text]);
    }
}

#[test]
fn the_engine_reports_its_evaluation_of_its_move() {
    let (mut model, jobs) = with_jobs("h8 a1 h9 a3");
    model.handle(Command::Move {});
    let events = run_searches(&mut model, &jobs, 1);
    let [text] = messages(&events)[..] else { panic!("{events:?}") };
    let brackets = text.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(")."));
    let parts: Vec<&str> = brackets.unwrap().split(", ").collect();
    assert!(text.starts_with("The engine played ") && parts.len() == 3, "{text}");
    assert!(parts[0].starts_with(['+', '-']), "{text}");
    assert!(parts[1].ends_with(" %") && parts[2].starts_with("depth "), "{text}");
}

/// Regression: the engine stopped thinking, and never moved.
#[test]
fn going_to_the_position_shown_ends_no_search() {
    let (mut model, jobs) = with_jobs("h8 a1 h9 a3");
    model.handle(Command::Move {});
    let node = model.tree.current();
    let events = model.handle(Command::Go { node });
    assert!(events.iter().any(|event| matches!(event, Event::Position(_))), "{events:?}");
    assert!(model.acts() && !jobs.last().unwrap().request.control.stopped());
    run_searches(&mut model, &jobs, 1);
    assert_eq!(shown(&model).stones.len(), 5);
}

/// Regression: the message ended with two full stops.
#[test]
fn a_full_tree_reports_its_limit() {
    let (mut model, _) = with_jobs("o15");
    let cells: Vec<Cell> = (0..84).map(|at| Cell::new(at % 15, 5 + at / 15)).collect();
    let [first, second, third] = [0, 28, 56].map(|from| &cells[from..from + 28]);
    let plays = |tree: &mut Tree, cell: &Cell| tree.play(&Action::stone(*cell)).is_ok();
    for one in first {
        for two in second {
            for three in third {
                model.tree.go(1).unwrap();
                let line = [one, two, three];
                let _ = line.into_iter().all(|cell| plays(&mut model.tree, cell));
            }
        }
    }
    let events = model.handle(Command::Play { text: "o1".into() });
    let message = refusal(&events).unwrap();
    assert!(message.starts_with("The tree is full") && message.ends_with("branches."), "{message}");
    // A line is refused with the same reason.
    let (node, cells) = (shown(&model).node, vec![Cell::new(14, 14)]);
    let events = model.handle(Command::Follow { node, cells, stay: true });
    let message = refusal(&events).unwrap();
    let reason = message.strip_prefix("No move of that line can be played there: ");
    assert!(reason.is_some_and(|reason| reason.starts_with("the tree is full")), "{message}");
}

#[test]
fn a_line_is_added_while_the_position_stays() {
    let (mut model, jobs) = with_jobs("h8 a1 h9 a3");
    model.handle(Command::Analyse { lines: 1 });
    let (before, searches) = (shown(&model), jobs.count());
    let cells = [(7, 9), (0, 10)].map(|(x, y)| Cell::new(x, y)).to_vec();
    let follow = |node, stay| Command::Follow { node, cells: cells.clone(), stay };
    for node in [2, 4] {
        let events = model.handle(follow(node, true));
        assert_eq!(refusal(&events), None);
        let tree = events.iter().any(|event| matches!(event, Event::Tree(_)));
        let moved = events.iter().any(|event| matches!(event, Event::Position(_)));
        assert!(tree && !moved, "{events:?}");
        assert_eq!(shown(&model), before);
        assert!(jobs.count() == searches && analyses(&jobs));
    }
    assert_eq!(
        (model.tree.len(), model.tree.parent_of(5), model.tree.parent_of(7)),
        (9, Some(2), Some(4))
    );
    // The line shown is the one that leads to the position shown.
    assert_eq!(model.tree.line(), [0, 1, 2, 3, 4, 7, 8]);
    for (node, stay, cells, why) in [
        (2, false, cells.clone(), "Another position is shown now"),
        (99, true, cells.clone(), "That position is not in the tree"),
        (4, true, Vec::new(), "There is no line"),
        (4, true, vec![Cell::new(7, 7)], "No move of that line"),
    ] {
        let events = model.handle(Command::Follow { node, cells, stay });
        assert!(refusal(&events).unwrap().starts_with(why), "{events:?}");
        assert_eq!((shown(&model), model.tree.len()), (before.clone(), 9));
    }
    // Without `stay`, the end of the line is shown.
    model.handle(follow(4, false));
    assert_eq!(shown(&model).node, 8);
}

/// Counts the events with the whole tree, and those with a line only.
fn reported_tree(events: &[Event]) -> (usize, usize) {
    let count = |fits: fn(&Event) -> bool| events.iter().filter(|event| fits(event)).count();
    let line = count(|event| matches!(event, Event::Line { .. }));
    (count(|event| matches!(event, Event::Tree(_))), line)
}

/// Regression: every step through a tree sent the whole tree.
#[test]
fn only_the_line_is_sent_while_the_nodes_are_unchanged() {
    let (mut model, _) = with_jobs("h8 a1 h9 a3");
    let (all, line) = ((1, 0), (0, 1));
    let text = || Command::Play { text: "b2".into() };
    for (command, expected) in [
        (Command::Undo {}, line),
        (Command::Redo {}, line),
        (Command::Go { node: 1 }, line),
        (text(), all),
        (Command::Undo {}, line),
        (text(), line),
        (Command::Comment { node: 0, text: "x".into() }, all),
        (Command::Mark { node: 0, cell: Cell::new(1, 1), mark: None }, all),
        (Command::Label { node: 0, cell: Cell::new(1, 1), text: "x".into() }, all),
        (Command::Promote { node: 2 }, all),
        (Command::Go { node: 0 }, line),
        (Command::Remove { node: 5 }, all),
        (Command::Train { puzzle: super::puzzles::all().remove(0).text }, all),
        (Command::Leave {}, all),
        (Command::Go { node: 2 }, line),
        (Command::OpenLink { text: "game=pente&plies=j10".into() }, all),
    ] {
        let events = model.handle(command.clone());
        assert_eq!(refusal(&events), None, "{command:?}");
        assert_eq!(reported_tree(&events), expected, "{command:?}");
    }
    let text = kept(&mut model);
    assert_eq!(reported_tree(&model.handle(Command::Restore { text })), all);
    let events = model.handle(Command::Undo {});
    let line = events.iter().find_map(|event| match event {
        Event::Line { line } => Some(line.clone()),
        _ => None,
    });
    assert_eq!(line.unwrap(), [0, 1]);
}

/// Regression: the comments and marks of a removed leaf were lost.
#[test]
fn a_removed_leaf_with_notes_is_sent_to_the_page() {
    let parts = |events: &[Event]| -> Vec<bool> {
        let part = |event: &Event| match event {
            Event::Replaced { part, .. } => Some(*part),
            _ => None,
        };
        events.iter().filter_map(part).collect()
    };
    let (mut model, _) = with_jobs("h8 i9 j10");
    let node = shown(&model).node;
    let cell = Cell::new(1, 1);
    for command in [
        Command::Comment { node, text: "why".into() },
        Command::Label { node, cell, text: "x".into() },
        Command::Mark { node, cell, mark: Some(crate::schema::Mark::Cross) },
    ] {
        let (mut model, _) = with_jobs("h8 i9 j10");
        model.handle(command);
        let text = kept(&mut model);
        let events = model.handle(Command::Remove { node });
        assert_eq!(replaced(&events), [(&*text, "freestyle", 3)]);
        assert_eq!(parts(&events), [true]);
    }
    assert!(parts(&model.handle(Command::Remove { node })).is_empty(), "nothing is said there");
    // A game that is replaced by another is sent as a whole.
    let events = model.handle(Command::OpenLink { text: "game=pente".into() });
    assert_eq!(parts(&events), [false]);
}

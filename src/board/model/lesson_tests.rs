use super::file_tests::{kept, opened};
use super::tests::{Jobs, of_game, play, refusal, run_searches, shown};
use super::*;
use crate::schema::{Exercise, ExerciseState, Grade, PuzzleInfo, ReviewState, ReviewView};
use crate::search::Task;
use goren_core::types::{Cell, Color, Move, loss_in};
use goren_engine::Info;
use goren_review::judge::{Judged, Judgement};

/// White does not stop an open three.
const LOST: &str = "h8 i8 h9 i9 h10 o15 h11 a1 h12";

pub(super) fn with_jobs(variant: &str, moves: &str) -> (Model, Jobs) {
    let mut model = of_game(variant, "free");
    let jobs = Jobs::default();
    model.searcher = Box::new(jobs.clone());
    if !moves.is_empty() {
        play(&mut model, moves);
    }
    (model, jobs)
}

pub(super) fn reviews(events: &[Event]) -> Vec<ReviewView> {
    let view = |event: &Event| match event {
        Event::Review(view) => Some(view.clone()),
        _ => None,
    };
    events.iter().filter_map(view).collect()
}

pub(super) fn exercise(events: &[Event]) -> Exercise {
    let last = events.iter().rev().find_map(|event| match event {
        Event::Exercise(exercise) => Some(exercise.clone()),
        _ => None,
    });
    last.unwrap()
}

fn made(events: &[Event]) -> Vec<PuzzleInfo> {
    let puzzles = |event: &Event| match event {
        Event::Puzzles { shipped: false, puzzles, .. } => Some(puzzles.clone()),
        _ => None,
    };
    events.iter().filter_map(puzzles).flatten().collect()
}

fn reviewed(model: &mut Model, jobs: &Jobs) -> (Vec<Event>, ReviewView) {
    let mut events = model.handle(Command::Review { time_ms: 60_000 });
    assert_eq!(refusal(&events), None);
    events.extend(run_searches(model, jobs, 200));
    let last = reviews(&events).pop().unwrap();
    (events, last)
}

#[test]
fn a_review_finds_the_losing_move_and_stays_with_its_nodes() {
    let (mut model, jobs) = with_jobs("freestyle", LOST);
    let (events, view) = reviewed(&mut model, &jobs);
    assert!(!model.is_searching());
    assert_eq!((view.state, view.done, view.of), (ReviewState::Done, 9, 9));
    // Progress was reported ply by ply, from the end of the game.
    let counts: Vec<usize> = reviews(&events).iter().map(|view| view.plies.len()).collect();
    assert!(counts.len() > 8 && counts.is_sorted(), "{counts:?}");
    assert_eq!(reviews(&events)[1].plies.last().unwrap().number, 9);
    let losing = view.plies.iter().find(|ply| Some(ply.node) == view.losing).unwrap();
    assert_eq!((losing.number, losing.grade), (6, Some(Grade::Blunder)));
    assert!(view.decision.contains("was at ply 6: White's o15 (0.0 %)"), "{view:?}");
    let [black, white] = view.sides;
    assert_eq!((black.blunders, white.blunders, white.moves), (0, 1, 4));
    assert!(black.accuracy > white.accuracy && white.accuracy < 0.95);
    // It stays while the tree grows, and loses removed nodes.
    model.handle(Command::Go { node: 4 });
    play(&mut model, "h12 c3");
    let Event::Review(again) = model.review_view() else { panic!() };
    assert_eq!(again, view);
    // It is stored with the tree, whose nodes may be renumbered.
    let events = model.handle(Command::Keep {});
    let [Event::Kept { text }] = &events[..] else { panic!("{events:?}") };
    let (mut other, _) = with_jobs("pente", "");
    let events = other.handle(Command::Restore { text: text.clone() });
    let restored = reviews(&events).pop().unwrap();
    assert_eq!(restored, view);
    assert_eq!(other.handle(Command::Keep {}), [Event::Kept { text: text.clone() }]);
    for (old, new) in [
        ("\"line\":[1,", "\"line\":[2,"),
        ("\"number\":9", "\"number\":8"),
        ("\"played\":", "\"played\":9"),
    ] {
        assert!(text.contains(old), "{old}: {text}");
        let events = other.handle(Command::Restore { text: text.replacen(old, new, 1) });
        let why = "The review does not belong to the tree.";
        assert_eq!(refusal(&events), Some(why), "{old}");
    }
    let events = model.handle(Command::Remove { node: 7 });
    let cut = reviews(&events).pop().unwrap();
    assert_eq!(cut.plies.iter().map(|ply| ply.number).max(), Some(6));
    let new = new_game("pente");
    assert_eq!(reviews(&model.handle(new)).pop().unwrap().state, ReviewState::None);
}

/// A command for a new game.
fn new_game(variant: &str) -> Command {
    let game = crate::schema::GameChoice {
        variant: variant.into(),
        size: None,
        opening: Some("free".into()),
        tie_break: false,
        strict: false,
    };
    Command::New { game, players: [Player::Person; 2], time: None }
}

#[test]
fn why_adds_the_line_to_the_tree() {
    let (mut model, jobs) = with_jobs("freestyle", LOST);
    let (_, view) = reviewed(&mut model, &jobs);
    let node = view.losing.unwrap();
    for better in [false, true] {
        let events = model.handle(Command::Why { node, better });
        assert_eq!(refusal(&events), None);
        let nodes = events.iter().find_map(|event| match event {
            Event::Shown { nodes } => Some(nodes.clone()),
            _ => None,
        });
        let nodes = nodes.unwrap();
        assert!(!nodes.is_empty());
        let start = if better { model.tree.parent_of(node).unwrap() } else { node };
        assert_eq!(model.tree.current(), start);
        assert_eq!(model.tree.parent_of(nodes[0]), Some(start));
        // The line is the continuation of the position.
        assert_eq!(model.tree.following(), Some(nodes[0]));
    }
    let events = model.handle(Command::Why { node: 0, better: false });
    assert_eq!(refusal(&events), Some("That position is not in the review."));
}

#[test]
fn why_searches_for_a_line_that_the_review_does_not_have() {
    let (mut model, jobs) = with_jobs("freestyle", LOST);
    let (_, view) = reviewed(&mut model, &jobs);
    let node = view.losing.unwrap();
    for ply in &mut model.review.as_mut().unwrap().plies {
        if let Some(judgement) = &mut ply.judgement {
            (judgement.line, judgement.reply) = (Vec::new(), Vec::new());
        }
    }
    for better in [false, true] {
        let events = model.handle(Command::Why { node, better });
        assert_eq!(refusal(&events), None);
        let start = if better { model.tree.parent_of(node).unwrap() } else { node };
        assert_eq!(model.tree.current(), start);
        let job = jobs.last().unwrap();
        let Task::Answer { root, .. } = &job.task else { panic!("{job:?}") };
        assert_eq!(root.to_move, model.tree.game_state().to_move());
        let events = run_searches(&mut model, &jobs, 1);
        let nodes = events.iter().find_map(|event| match event {
            Event::Shown { nodes } => Some(nodes.clone()),
            _ => None,
        });
        assert_eq!(model.tree.parent_of(nodes.unwrap()[0]), Some(start));
    }
    // If the search finds nothing either, that is reported.
    model.handle(Command::Why { node, better: false });
    let nothing = Found::Answer(Box::new(goren_engine::Info::NOTHING), Vec::new());
    let number = jobs.last().unwrap().number;
    let events = model.found(number, nothing, Instant::now());
    assert!(refusal(&events).unwrap().contains("analyse the position"), "{events:?}");
    // After the last move there is no line.
    let last = *model.review.as_ref().unwrap().nodes.last().unwrap();
    let events = model.handle(Command::Why { node: last, better: false });
    assert_eq!(refusal(&events), Some("The game is over there: nothing follows."));
}

/// Regression: the command was refused, but the model showed the position, and the page did not.
/// The next move of the user was played there.
#[test]
fn why_changes_nothing_where_no_line_can_follow() {
    let mut model = of_game("renju", "rif");
    play(&mut model, "h8,h9,h10 i10");
    review_with_blunders(&mut model, &[2]);
    model.handle(Command::Go { node: 1 });
    let (before, line) = (shown(&model), model.tree.line());
    // Fifths must be offered next, whether the review has a line or a search must find one.
    for reply in [vec![Cell::new(0, 0)], Vec::new()] {
        let review = model.review.as_mut().unwrap();
        review.plies[0].judgement.as_mut().unwrap().reply = reply;
        let events = model.handle(Command::Why { node: 2, better: false });
        assert!(refusal(&events).unwrap().contains("is not a plain turn"), "{events:?}");
        assert_eq!((shown(&model), model.tree.line()), (before.clone(), line.clone()));
        assert!(!model.is_searching());
    }
    // A line that cannot be played.
    let mut model = of_game("freestyle", "free");
    play(&mut model, "h8 a15 h9");
    review_with_blunders(&mut model, &[2]);
    model.handle(Command::Go { node: 1 });
    let before = shown(&model);
    let review = model.review.as_mut().unwrap();
    review.plies[0].judgement.as_mut().unwrap().reply = vec![Cell::new(7, 7)];
    let events = model.handle(Command::Why { node: 2, better: false });
    assert!(refusal(&events).unwrap().ends_with("is occupied."), "{events:?}");
    assert_eq!((shown(&model), model.tree.line()), (before, vec![0, 1, 2, 3]));
}

#[test]
fn a_review_yields_to_other_searches_and_resumes() {
    let (mut model, jobs) = with_jobs("freestyle", LOST);
    model.handle(Command::Review { time_ms: 50 });
    assert!(matches!(jobs.last().unwrap().task, Task::Answer { .. }));
    let first = jobs.last().unwrap();
    // The budget travels with the request to another instance, as text.
    let read: goren_engine::Request =
        serde_json::from_str(&serde_json::to_string(&first.request).unwrap()).unwrap();
    assert!(read.budget.hard <= std::time::Duration::from_millis(500), "{:?}", read.budget);
    // Going to another position does not disturb it.
    model.handle(Command::Go { node: 3 });
    assert_eq!(jobs.last().unwrap().number, first.number);
    assert!(!first.request.control.stopped());
    model.handle(Command::Search { query: crate::schema::Query::Hint });
    assert!(first.request.control.stopped());
    assert!(matches!(jobs.last().unwrap().task, Task::Decide { .. }));
    // The result of the interrupted search is ignored, and the search is repeated.
    let nothing = Found::Answer(Box::new(Info::NOTHING), Vec::new());
    assert!(model.found(first.number, nothing, Instant::now()).is_empty());
    run_searches(&mut model, &jobs, 1);
    let again = jobs.last().unwrap();
    assert!(matches!(again.task, Task::Answer { .. }) && !again.request.control.stopped());
    let events = model.handle(Command::Stop {});
    let stopped = reviews(&events).pop().unwrap();
    assert_eq!(stopped.state, ReviewState::Stopped);
    // It is stored with the tree at once, and when it ends by itself.
    let is_kept = |events: &[Event]| events.iter().any(|it| matches!(it, Event::Kept { .. }));
    assert!(is_kept(&events));
    model.handle(Command::Review { time_ms: 50 });
    let events = model.handle(Command::Analyse { lines: 1 });
    let waits = |event: &Event| matches!(event, Event::Message { text } if text.contains("waits"));
    assert!(events.iter().any(waits), "{events:?}");
    model.handle(Command::Analyse { lines: 0 });
    let (events, done) = reviewed(&mut model, &jobs);
    assert!(done.state == ReviewState::Done && is_kept(&events));
    // Another review replaces it: the page gets the tree with the old review.
    let events = model.handle(Command::Review { time_ms: 50 });
    let with_review =
        |event: &Event| matches!(event, Event::Replaced { text, .. } if text.contains("review"));
    assert!(events.iter().any(with_review));
    model.handle(Command::Stop {});
    assert!(!model.is_searching() && again.request.control.stopped());
    for command in [Command::Review { time_ms: 0 }, Command::MakePuzzles {}] {
        assert!(refusal(&model.handle(command)).is_some());
    }
    model.handle(Command::Go { node: 0 });
    model.handle(Command::Remove { node: 1 });
    let empty = model.handle(Command::Review { time_ms: 50 });
    assert_eq!(refusal(&empty), Some("No move was played in this game."));
}

/// Regression: only the stones gave the result, so no losing move was named after a resignation.
#[test]
fn the_losing_move_follows_from_the_result_of_the_file() {
    for (result, losing) in [("B+R", Some(2)), ("W+R", None), ("0", None)] {
        let (mut model, _) = with_jobs("freestyle", "");
        opened(&mut model, &format!("(;GM[4]RU[0]SZ[15]RE[{result}];B[hh];W[aa];B[ii])"));
        model.handle(Command::Review { time_ms: 50 });
        model.handle(Command::Stop {});
        let (line, reply) = (Vec::new(), Vec::new());
        let judgement = Judgement { line, reply, best: 0, played: -300, depth: 1, nodes: 1 };
        model.review.as_mut().unwrap().plies = vec![Judged {
            number: 2,
            color: Color::White,
            cells: vec![Cell::new(0, 0)],
            text: "a15".into(),
            judgement: Some(judgement),
        }];
        let Event::Review(view) = model.review_view() else { panic!() };
        assert_eq!(view.losing, losing, "{result}");
        // The same after the game is restored.
        let (mut other, _) = with_jobs("pente", "");
        let events = other.handle(Command::Restore { text: kept(&mut model) });
        assert_eq!(reviews(&events).pop().unwrap().losing, losing, "{result}");
    }
}

/// Sets a stopped review of the line shown, with blunders of White at these plies.
fn review_with_blunders(model: &mut Model, numbers: &[usize]) {
    model.handle(Command::Review { time_ms: 50 });
    model.handle(Command::Stop {});
    let ply = |&number: &usize| {
        let (line, reply) = (Vec::new(), Vec::new());
        let judgement = Judgement { line, reply, best: 0, played: loss_in(4), depth: 1, nodes: 1 };
        Judged {
            number,
            color: Color::White,
            cells: vec![Cell::new(0, 0)],
            text: "a15".into(),
            judgement: Some(judgement),
        }
    };
    model.review.as_mut().unwrap().plies = numbers.iter().map(ply).collect();
}

/// Regression: they counted for the players, and one of them could be the losing move.
#[test]
fn plies_of_an_opening_are_not_mistakes_of_the_players() {
    let game = r#"{"version":3,"variant":"freestyle","width":15,"height":15,"opened":"free",
        "first":"a","second":"b","opening":["h8","a1"],
        "plies":[{"ply":"h9"},{"ply":"a3"},{"ply":"h10"}],
        "black":"first","result":"first","reason":"resign"}"#;
    let (mut model, _) = with_jobs("freestyle", "");
    opened(&mut model, &game.replace('\n', ""));
    review_with_blunders(&mut model, &[2, 4]);
    let Event::Review(view) = model.review_view() else { panic!() };
    assert_eq!((view.losing, view.misses, view.sides[1].moves), (Some(4), 1, 1), "{view:?}");
    let grades: Vec<Option<Grade>> = view.plies.iter().map(|ply| ply.grade).collect();
    assert_eq!(grades, [None, Some(Grade::Blunder)]);
    // The same after the game is restored.
    let (mut other, _) = with_jobs("pente", "");
    let events = other.handle(Command::Restore { text: kept(&mut model) });
    let again = reviews(&events).pop().unwrap();
    assert_eq!((again.losing, again.misses, again.sides), (view.losing, 1, view.sides));
}

/// Regression: it never moved.
#[test]
fn making_puzzles_does_not_interrupt_the_engine() {
    let (mut model, jobs) = with_jobs("freestyle", "h8 a1 h9 a3");
    review_with_blunders(&mut model, &[4]);
    model.handle(Command::Analyse { lines: 1 });
    model.handle(Command::Players { players: [Player::Engine; 2] });
    assert_eq!(refusal(&model.handle(Command::MakePuzzles {})), None);
    assert!(model.acts() && !jobs.last().unwrap().request.control.stopped());
}

#[test]
fn puzzles_are_made_from_misses() {
    let (mut model, jobs) = with_jobs("freestyle", "a1 h8 a2 j8 a3 g10 a4 o15 o1 n15 a5");
    let (_, view) = reviewed(&mut model, &jobs);
    // White did not stop the four, and Black did not make the five at once.
    assert!(view.misses >= 2, "{view:?}");
    let mut events = model.handle(Command::MakePuzzles {});
    assert_eq!(refusal(&events), None);
    events.extend(run_searches(&mut model, &jobs, 300));
    let puzzles = made(&events);
    assert!(!puzzles.is_empty() && !model.is_searching());
    for puzzle in &puzzles {
        assert_eq!(puzzle.game, "freestyle");
        assert_eq!(refusal(&model.handle(Command::Train { puzzle: puzzle.text.clone() })), None);
        model.handle(Command::Leave {});
    }
    assert_eq!(shown(&model).stones.len(), 11);
}

/// Both sides have an open three, and Black is to move.
pub(super) const FOURS: &str = r#"{"game":"freestyle","size":15,"pos":"f8 f3 g8 g3 h8 h3","result":"win","plies":3,"tier":"plain","kind":"fours"}"#;

#[test]
fn an_exercise_is_asked_judged_and_refuted() {
    let (mut model, jobs) = with_jobs("pente", "j10 k10");
    let before = shown(&model);
    let events = model.handle(Command::Train { puzzle: FOURS.into() });
    let asked = exercise(&events);
    assert_eq!(
        (asked.state, asked.text.as_str()),
        (ExerciseState::Asked, "Black to move wins by fours.")
    );
    assert_eq!(shown(&model).stones.len(), 6);
    // The page stores the game that was set aside.
    let events = model.handle(Command::Keep {});
    let Event::Kept { text } = &events[0] else { panic!() };
    assert!(text.contains("pente"));
    let mut events = model.handle(Command::Play { text: "o1".into() });
    assert_eq!(exercise(&events).state, ExerciseState::Judged);
    events.extend(run_searches(&mut model, &jobs, 20));
    let wrong = exercise(&events);
    assert_eq!(wrong.state, ExerciseState::Wrong, "{wrong:?}");
    assert!(wrong.text.starts_with("o1 loses: "), "{wrong:?}");
    let shown_line =
        events.iter().any(|event| matches!(event, Event::Shown { nodes } if !nodes.is_empty()));
    assert!(shown_line);
    let events = model.handle(Command::Again {});
    assert_eq!(exercise(&events).state, ExerciseState::Asked);
    assert_eq!(shown(&model).stones.len(), 6);
    // The right answer: an open four.
    let mut events = model.handle(Command::Play { text: "i8".into() });
    events.extend(run_searches(&mut model, &jobs, 20));
    assert_eq!(exercise(&events).state, ExerciseState::Solved);
    let mut events = model.handle(Command::Solve {});
    events.extend(run_searches(&mut model, &jobs, 20));
    let solution = exercise(&events);
    assert_eq!(solution.state, ExerciseState::Revealed);
    assert!(solution.text.starts_with("The solution begins with"), "{solution:?}");
    model.handle(Command::Leave {});
    assert_eq!(shown(&model), before);
    for command in [Command::Leave {}, Command::Again {}, Command::Solve {}] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().starts_with("There is no exercise"), "{events:?}");
    }
    for bad in ["", "{}", "[]", &FOURS.replace("h3", "f8"), &FOURS.replace("freestyle", "go")] {
        let events = model.handle(Command::Train { puzzle: bad.into() });
        assert!(refusal(&events).is_some(), "{bad}");
        assert_eq!(shown(&model), before);
    }
}

/// Regression: it counted as missed.
#[test]
fn an_answer_that_is_not_judged_to_the_end_is_neither_right_nor_wrong() {
    let (mut model, jobs) = with_jobs("freestyle", "h8");
    model.handle(Command::Train { puzzle: FOURS.into() });
    model.handle(Command::Play { text: "i8".into() });
    let stopped = exercise(&model.handle(Command::Stop {}));
    assert_eq!(stopped.state, ExerciseState::Asked);
    assert!(stopped.text.starts_with("Judging was stopped"), "{stopped:?}");
    assert_eq!(shown(&model).stones.len(), 6, "the answer was taken back");
    let mut events = model.handle(Command::Play { text: "i8".into() });
    events.extend(run_searches(&mut model, &jobs, 20));
    assert_eq!(exercise(&events).state, ExerciseState::Solved);
    model.handle(Command::Solve {});
    assert_eq!(exercise(&model.handle(Command::Stop {})).state, ExerciseState::Asked);
}

/// Regression: the verdict was applied to the position shown. The reply could not be played
/// there and the puzzle counted as solved, or it was played in the colour of the solver.
#[test]
fn an_answer_is_judged_where_it_was_played() {
    let reply = Cell::new(4, 7);
    for own_reply in ["e8", "o15"] {
        let (mut model, jobs) = with_jobs("freestyle", "h8");
        model.handle(Command::Train { puzzle: FOURS.into() });
        play(&mut model, &format!("i8 {own_reply}"));
        let info = Info { score: loss_in(4), pv: vec![Move::at(reply)], ..Info::NOTHING };
        let found = Found::Answer(Box::new(info), Vec::new());
        let number = jobs.last().unwrap().number;
        let judged = exercise(&model.found(number, found, Instant::now()));
        assert_eq!(
            (judged.state, judged.text.as_str()),
            (ExerciseState::Asked, "Right. White answers e8: go on."),
            "{own_reply}"
        );
        assert_eq!((shown(&model).stones.len(), shown(&model).last), (8, vec![reply]));
        // Stopping the judgement takes back the answer and all moves after it.
        model.handle(Command::Again {});
        play(&mut model, &format!("i8 {own_reply}"));
        assert_eq!(exercise(&model.handle(Command::Stop {})).state, ExerciseState::Asked);
        assert_eq!(shown(&model).stones.len(), 6, "{own_reply}");
    }
}

/// Regression: such a move was judged as the answer.
#[test]
fn a_move_before_the_question_is_no_answer() {
    let (mut model, _) = with_jobs("freestyle", "h8");
    model.handle(Command::Train { puzzle: FOURS.into() });
    model.handle(Command::Undo {});
    model.handle(Command::Undo {});
    play(&mut model, "o1");
    let Event::Exercise(tried) = model.exercise_view() else { panic!() };
    assert_eq!((tried.state, model.is_searching()), (ExerciseState::Asked, false));
}

#[test]
fn a_defence_holds_or_is_refuted() {
    let puzzle = r#"{"game":"freestyle","size":15,"pos":"a1 h8 a2 j8 a3 g10 a4","result":"open","plies":null,"tier":"plain","kind":"defence"}"#;
    let (mut model, jobs) = with_jobs("freestyle", "h8");
    model.handle(Command::Train { puzzle: puzzle.into() });
    let mut events = model.handle(Command::Play { text: "o15".into() });
    events.extend(run_searches(&mut model, &jobs, 20));
    let wrong = exercise(&events);
    assert_eq!(
        (wrong.state, wrong.text.as_str()),
        (ExerciseState::Wrong, "o15 loses: a5 wins within 1 ply.")
    );
    model.handle(Command::Again {});
    let mut events = model.handle(Command::Play { text: "a5".into() });
    events.extend(run_searches(&mut model, &jobs, 20));
    assert_eq!(exercise(&events).state, ExerciseState::Solved);
    // Another puzzle can follow directly.
    model.handle(Command::Train { puzzle: FOURS.into() });
    model.handle(Command::Leave {});
    assert_eq!(shown(&model).stones.len(), 1);
}

#[test]
fn all_puzzles_of_the_program_can_be_asked() {
    let (mut model, _) = with_jobs("freestyle", "");
    let events = model.handle(Command::Puzzles {});
    let [Event::Puzzles { shipped: true, puzzles, .. }] = &events[..] else { panic!("{events:?}") };
    for puzzle in puzzles {
        let events = model.handle(Command::Train { puzzle: puzzle.text.clone() });
        assert_eq!(exercise(&events).state, ExerciseState::Asked);
    }
}

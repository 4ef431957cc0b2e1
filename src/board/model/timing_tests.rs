use std::thread::sleep;
use std::time::Duration;

use super::file_tests::{kept, opened, saved};
use super::tests::{Jobs, model, play, refusal, run_last_search, run_searches};
use super::*;
use crate::schema::{ClockView, Form, GameChoice, Position, TimeControl};
use crate::search::{Runner, Task};
use goren_core::types::{Cell, Color};
use goren_engine::TableHandle;

/// Returns the command for a game of freestyle with a clock.
fn new_game(players: [Player; 2], game_ms: Option<u64>, move_ms: Option<u64>) -> Command {
    let game = GameChoice {
        variant: "freestyle".into(),
        size: None,
        opening: None,
        tie_break: false,
        strict: false,
    };
    let time = Some(TimeControl { game_ms, increment_ms: 0, move_ms });
    Command::New { game, players, time }
}

const PEOPLE: [Player; 2] = [Player::Person; 2];
const HOUR: Option<u64> = Some(3_600_000);
const OVER: &str = "Black is out of time: White wins.";

fn with_clock(
    players: [Player; 2],
    game_ms: Option<u64>,
    move_ms: Option<u64>,
) -> (Model, Jobs, Vec<Event>) {
    let (mut model, jobs) = model();
    let events = model.handle(new_game(players, game_ms, move_ms));
    assert_eq!(refusal(&events), None);
    (model, jobs, events)
}

/// Returns the state of the clock.
fn clock(model: &Model) -> ClockView {
    match model.clock_view() {
        Event::Clock(view) => view,
        other => panic!("{other:?}"),
    }
}

fn running(model: &Model) -> Option<usize> {
    clock(model).running
}

fn positions(events: &[Event]) -> Vec<&Position> {
    let mut found = Vec::new();
    for event in events {
        if let Event::Position(position) = event {
            found.push(&**position);
        }
    }
    found
}

#[test]
fn the_clock_runs_during_play_and_stops_during_study() {
    let (mut model, _, events) = with_clock(PEOPLE, HOUR, None);
    assert!(
        events.iter().any(|event| matches!(event, Event::Clock(view) if view.running == Some(0)))
    );
    play(&mut model, "h8");
    assert_eq!(running(&model), Some(1));
    play(&mut model, "i9 j10");
    // Going elsewhere and back stops it until somebody moves.
    let end = model.tree.current();
    for node in [1, end] {
        model.handle(Command::Go { node });
        assert_eq!(running(&model), None);
    }
    play(&mut model, "k11");
    assert_eq!(running(&model), Some(0));
    model.handle(Command::Analyse { lines: 1 });
    assert_eq!(running(&model), None);
    let refused = model.handle(Command::Clock { run: true });
    assert!(refusal(&refused).unwrap().starts_with("The clock is stopped during an analysis"));
    model.handle(Command::Analyse { lines: 0 });
    assert_eq!(running(&model), None);
    model.handle(Command::Clock { run: true });
    assert_eq!(running(&model), Some(0));
    model.handle(Command::Review { time_ms: 10 });
    assert_eq!(running(&model), None);
    model.handle(Command::StopReview {});
    model.handle(Command::Clock { run: true });
    model.handle(Command::Clock { run: false });
    assert_eq!(running(&model), None);
    // An exercise sets the clock aside with the game.
    let puzzle = puzzles::all().remove(0).text;
    model.handle(Command::Train { puzzle });
    assert_eq!(clock(&model).control, None);
    model.handle(Command::Leave {});
    assert!(clock(&model).control.is_some() && running(&model).is_none());
    // Another game removes the clock.
    model.handle(Command::Open { name: "f".into(), bytes: "h8 i9".into(), number: Some(1) });
    assert_eq!(clock(&model).control, None);
    let refused = model.handle(Command::Clock { run: true });
    assert_eq!(refusal(&refused), Some("This game has no clock."));
}

#[test]
fn passes_and_undo_switch_the_clock() {
    let (mut model, _) = model();
    let game = GameChoice {
        variant: "renju".into(),
        size: None,
        opening: Some("free".into()),
        tie_break: false,
        strict: false,
    };
    let time = Some(TimeControl { game_ms: HOUR, increment_ms: 1000, move_ms: None });
    model.handle(Command::New { game, players: PEOPLE, time });
    play(&mut model, "h8 h9 pass");
    assert_eq!(running(&model), Some(1));
    let [first, second] = clock(&model).game_ms.map(Option::unwrap);
    assert!(first > 3_600_000 && second > 3_600_000, "{first} {second}");
    model.handle(Command::Undo {});
    assert_eq!((running(&model), model.tree.current()), (Some(0), 2));
    // Undo does not start a stopped clock.
    model.handle(Command::Clock { run: false });
    model.handle(Command::Undo {});
    assert_eq!((running(&model), model.tree.current()), (None, 1));
}

#[test]
fn a_seat_that_is_out_of_time_loses_and_undo_lets_play_continue() {
    let (mut model, _, _) = with_clock(PEOPLE, None, Some(300));
    play(&mut model, "h8 i9");
    sleep(Duration::from_millis(310));
    let events = model.handle(Command::Play { text: "j10".into() });
    assert!(refusal(&events).unwrap().starts_with("Black is out of time: go back with Undo"));
    let outcome = positions(&events)[0].outcome.as_ref().unwrap();
    assert_eq!((outcome.winner, &*outcome.text), (Some(Color::White), OVER));
    let is_overtime = |event: &Event| matches!(event, Event::Message { text } if text == OVER);
    assert_eq!(events.iter().filter(|event| is_overtime(event)).count(), 1);
    assert_eq!((clock(&model).out, running(&model)), (Some(0), None));
    for command in [Command::Place { cell: Cell::new(0, 0) }, Command::Move {}, Command::Pass {}] {
        assert!(refusal(&model.handle(command)).is_some());
    }
    // Files have the result, and a page that is opened again shows it.
    let sgf = saved(&mut model, Form::Sgf);
    assert!(sgf.contains("RE[W+]TE[overtime]"), "{sgf}");
    let text = kept(&mut model);
    let mut other = super::tests::model().0;
    let events = other.handle(Command::Restore { text });
    assert_eq!(positions(&events)[0].outcome.as_ref().unwrap().text, OVER);
    model.handle(Command::Undo {});
    assert_eq!((clock(&model).out, running(&model)), (None, None));
    play(&mut model, "k11");
    assert_eq!(running(&model), Some(0));
    assert!(!saved(&mut model, Form::Json).contains("overtime"));
    // At the root there is nothing to undo.
    let (mut model, _, _) = with_clock(PEOPLE, None, Some(30));
    sleep(Duration::from_millis(40));
    let events = model.handle(Command::Play { text: "h8".into() });
    let expected = "Black is out of time: give the game another clock to play on.";
    assert_eq!(refusal(&events), Some(expected));
}

#[test]
fn the_engine_plays_by_the_clock_and_may_lose_on_time() {
    let (mut model, jobs, _) = with_clock([Player::Person, Player::Engine], Some(60_000), None);
    play(&mut model, "h8");
    let budget = jobs.last().unwrap().request.budget;
    assert!(budget.saves && budget.hard < Duration::from_millis(60_000 / 7), "{budget:?}");
    run_searches(&mut model, &jobs, 1);
    assert_eq!((running(&model), model.tree.game_state().actions().len()), (Some(0), 2));
    // The engine stops and resumes with the clock.
    play(&mut model, "a1");
    model.handle(Command::Clock { run: false });
    assert!(!model.is_searching() && running(&model).is_none());
    model.handle(Command::Clock { run: true });
    assert!(model.acts() && running(&model) == Some(1));
    let (mut model, jobs, _) = with_clock([Player::Person, Player::Engine], None, Some(300));
    play(&mut model, "h8");
    sleep(Duration::from_millis(310));
    let late = jobs.last().unwrap();
    let events = model.handle(Command::Time {});
    assert_eq!(clock(&model).out, Some(1));
    assert!(!model.is_searching() && late.request.control.stopped());
    assert_eq!(positions(&events)[0].outcome.as_ref().unwrap().winner, Some(Color::Black));
    // The same if its ply arrives too late.
    let (mut model, jobs, _) = with_clock([Player::Person, Player::Engine], None, Some(300));
    play(&mut model, "h8");
    sleep(Duration::from_millis(310));
    run_searches(&mut model, &jobs, 1);
    assert_eq!((clock(&model).out, model.tree.game_state().actions().len()), (Some(1), 1));
}

/// Regression: the engine was charged for the time that its ply waited for the program.
#[test]
fn a_ply_of_the_engine_counts_from_the_time_it_was_found() {
    let start = Instant::now();
    let (mut model, jobs, _) = with_clock([Player::Person, Player::Engine], None, Some(300));
    play(&mut model, "h8");
    let (number, mut found) =
        run_last_search(&mut Runner::new(&TableHandle::exactly(1 << 20)), &jobs);
    sleep(Duration::from_millis(310));
    let at = start + Duration::from_millis(10);
    let events = model.found(number, found.pop().unwrap(), at);
    assert_eq!(refusal(&events), None);
    assert_eq!((clock(&model).out, model.tree.game_state().actions().len()), (None, 2));
    assert_eq!(running(&model), Some(0));
}

/// Regression: the clock ran on, and the engine, which no longer searched, lost on time.
#[test]
fn the_clock_stops_when_the_search_of_the_engine_is_aborted() {
    let ends: [fn(&mut Model, &Jobs) -> Vec<Event>; 3] = [
        |model, _| model.handle(Command::Go { node: 1 }),
        |model, _| model.handle(Command::Remove { node: 1 }),
        |model, jobs| {
            let number = jobs.last().unwrap().number;
            model.found(number, Found::Failed("no memory is left".into()), Instant::now())
        },
    ];
    for end in ends {
        let (mut model, jobs, _) = with_clock([Player::Person, Player::Engine], HOUR, None);
        play(&mut model, "h8");
        run_searches(&mut model, &jobs, 1);
        model.handle(Command::Undo {});
        play(&mut model, "i9");
        assert!(model.acts() && running(&model) == Some(1));
        let events = end(&mut model, &jobs);
        assert!(!model.is_searching() && running(&model).is_none(), "{events:?}");
        let shown = events.iter().rev().find_map(|event| match event {
            Event::Clock(view) => Some(view.running),
            _ => None,
        });
        assert_eq!(shown, Some(None), "the page is told so");
        // The clock and the engine resume together.
        model.handle(Command::Clock { run: true });
        assert!(model.acts() && running(&model) == Some(1));
        run_searches(&mut model, &jobs, 1);
        assert_eq!((running(&model), model.tree.game_state().actions().len()), (Some(0), 2));
    }
}

/// Regression: files kept the loss on time.
#[test]
fn reaching_a_position_again_in_time_removes_the_loss_on_time() {
    let (mut model, _, _) = with_clock(PEOPLE, None, Some(300));
    play(&mut model, "h8 i9");
    sleep(Duration::from_millis(310));
    model.handle(Command::Time {});
    assert_eq!(clock(&model).out, Some(0));
    assert!(saved(&mut model, Form::Sgf).contains("overtime"));
    model.handle(Command::Undo {});
    play(&mut model, "i9");
    model.handle(Command::Clock { run: false });
    assert_eq!((clock(&model).out, model.tree.current()), (None, 2));
    for form in [Form::Sgf, Form::Tree] {
        let text = saved(&mut model, form);
        assert!(!text.contains("overtime"), "{text}");
    }
}

#[test]
fn a_running_game_can_get_another_clock() {
    let (mut model, jobs) = model();
    model.handle(Command::Players { players: PEOPLE });
    play(&mut model, "h8 i9");
    let control = |game_ms, move_ms| {
        let time = Some(TimeControl { game_ms, increment_ms: 0, move_ms });
        Command::TimeControl { time }
    };
    // Both sides have the full time from here on, and the clock runs.
    let events = model.handle(control(HOUR, None));
    assert_eq!((refusal(&events), running(&model)), (None, Some(0)));
    assert!(events.iter().any(|event| matches!(event, Event::Kept { .. })));
    assert!(clock(&model).game_ms.iter().all(|left| left.unwrap() > 3_590_000));
    assert!(refusal(&model.handle(control(None, None))).is_some());
    assert_eq!(running(&model), Some(0), "what is refused changes nothing");
    // A side that was out of time can play on.
    model.handle(control(None, Some(30)));
    sleep(Duration::from_millis(40));
    model.handle(Command::Time {});
    assert!(saved(&mut model, Form::Sgf).contains("overtime"));
    let events = model.handle(control(HOUR, None));
    assert_eq!(positions(&events).last().unwrap().outcome, None);
    assert!(!saved(&mut model, Form::Sgf).contains("overtime"));
    play(&mut model, "j10");
    assert_eq!(running(&model), Some(1));
    // The engine, which is already thinking, gets a new budget.
    model.handle(Command::Players { players: [Player::Person, Player::Engine] });
    assert!(model.acts());
    model.handle(control(Some(2000), None));
    let budget = jobs.last().unwrap().request.budget;
    assert!(model.acts() && budget.hard < Duration::from_millis(2000 / 6), "{budget:?}");
    model.handle(Command::TimeControl { time: None });
    assert_eq!((model.acts(), clock(&model).control), (true, None));
    // An exercise has no clock.
    let puzzle = puzzles::all().remove(0).text;
    model.handle(Command::Train { puzzle });
    assert!(refusal(&model.handle(control(HOUR, None))).unwrap().contains("no clock"));
}

/// Regression: files kept a loss on time after its clock was removed at another position.
#[test]
fn a_loss_on_time_is_removed_with_its_clock() {
    let (mut model, _, _) = with_clock(PEOPLE, None, Some(300));
    play(&mut model, "h8 i9");
    sleep(Duration::from_millis(310));
    model.handle(Command::Time {});
    model.handle(Command::Undo {});
    assert!(saved(&mut model, Form::Sgf).contains("overtime"));
    model.handle(Command::TimeControl { time: None });
    assert!(!saved(&mut model, Form::Sgf).contains("RE[W"));
    // The result of a file stays.
    opened(&mut model, "(;GM[4]RU[0]SZ[15]RE[W+T];B[hh];W[ii])");
    let time = Some(TimeControl { game_ms: HOUR, increment_ms: 0, move_ms: None });
    model.handle(Command::TimeControl { time });
    assert!(saved(&mut model, Form::Sgf).contains("RE[W+"));
}

/// Regression: the result of the main line was lost.
#[test]
fn a_loss_on_time_in_a_variation_keeps_the_result_of_the_file() {
    let (mut model, _) = model();
    opened(&mut model, "(;GM[4]RU[0]SZ[15]RE[W+R];B[hh];W[ii];B[jj])");
    model.handle(Command::Go { node: 1 });
    let time = Some(TimeControl { game_ms: None, increment_ms: 0, move_ms: Some(300) });
    model.handle(Command::TimeControl { time });
    play(&mut model, "a1");
    sleep(Duration::from_millis(310));
    model.handle(Command::Time {});
    assert_eq!(clock(&model).out, Some(0));
    let sgf = saved(&mut model, Form::Sgf);
    assert!(sgf.contains("RE[W+]TE[resign]"), "{sgf}");
}

#[test]
fn a_clock_is_stored_with_its_game() {
    let (mut model, _, _) = with_clock(PEOPLE, Some(60_000), None);
    sleep(Duration::from_millis(20));
    play(&mut model, "h8");
    sleep(Duration::from_millis(20));
    let text = kept(&mut model);
    let mut other = super::tests::model().0;
    assert_eq!(refusal(&other.handle(Command::Restore { text: text.clone() })), None);
    let view = clock(&other);
    assert_eq!(view.running, None);
    assert!(view.game_ms.iter().all(|left| left.unwrap() <= 59_980), "{view:?}");
    play(&mut other, "i9");
    assert_eq!(running(&other), Some(0));
    let broken = text.replace("\"game_ms\":60000", "\"game_ms\":null");
    assert!(refusal(&other.handle(Command::Restore { text: broken })).is_some());
}

#[test]
fn each_seat_has_its_own_level_which_is_stored_with_the_game() {
    let (mut model, jobs) = model();
    let levels = ["beginner".to_owned(), "club".to_owned()];
    let engine = Command::Engine { levels: levels.clone(), time_ms: 50, threads: 1 };
    let events = model.handle(engine);
    let keeps = |event: &Event| matches!(event, Event::Kept { text } if text.contains("levels"));
    assert!(events.iter().any(keeps), "a page that is opened again has them: {events:?}");
    let Command::New { game, .. } = new_game(PEOPLE, HOUR, None) else { panic!() };
    model.handle(Command::New { game, players: [Player::Engine; 2], time: None });
    let mut strengths = Vec::new();
    for _ in 0..2 {
        if let Task::Decide { strength, .. } = jobs.last().unwrap().task {
            strengths.push(strength.number());
        }
        run_searches(&mut model, &jobs, 1);
    }
    assert_eq!(strengths, [0, 50]);
    model.handle(Command::Stop {});
    run_searches(&mut model, &jobs, 1);
    let sgf = saved(&mut model, Form::Sgf);
    assert!(sgf.contains(" (beginner)]PW[Goren ") && sgf.contains(" (club)]"), "{sgf}");
    let text = kept(&mut model);
    let (mut other, jobs) = super::tests::model();
    assert_eq!(refusal(&other.handle(Command::Restore { text })), None);
    assert_eq!(other.play.levels.map(|level| level.to_string()), levels);
    other.handle(Command::Move {});
    let Some(Job { task: Task::Decide { strength, .. }, .. }) = jobs.last() else { panic!() };
    assert!(!strength.is_full());
}

/// Regression: a page that was opened again had the old players.
#[test]
fn a_change_of_players_is_stored_at_once() {
    let (mut model, _) = model();
    let events = model.handle(Command::Players { players: PEOPLE });
    let text = events.iter().find_map(|event| match event {
        Event::Kept { text } => Some(text.clone()),
        _ => None,
    });
    let mut other = super::tests::model().0;
    assert_eq!(refusal(&other.handle(Command::Restore { text: text.unwrap() })), None);
    assert_eq!(other.play.players, PEOPLE);
}

/// Regression: it was not stored, and the game continued at the level of another game.
#[test]
fn full_strength_is_stored_with_a_game() {
    let (mut model, _) = model();
    let text = kept(&mut model);
    let mut other = super::tests::model().0;
    let levels = ["beginner".to_owned(), "beginner".to_owned()];
    other.handle(Command::Engine { levels, time_ms: 50, threads: 1 });
    assert_eq!(refusal(&other.handle(Command::Restore { text })), None);
    assert_eq!(other.play.levels, [Level::FULL; 2]);
}

/// Returns the scores of the nodes of a tree: the node, the text, whether Black is better.
fn scores(model: &Model) -> Vec<(usize, String, bool)> {
    let nodes = model.tree.view().nodes;
    let score = |node: &crate::schema::Node| {
        let score = node.score.as_ref()?;
        Some((node.id, score.text.clone(), score.black > 0.5))
    };
    nodes.iter().filter_map(score).collect()
}

#[test]
fn scores_of_a_record_are_shown_and_written_again() {
    let sgf = "(;GM[4]RU[0]SZ[15];B[hh]C[20ms; depth 9; nodes 5000; eval 40];W[ii]C[eval -M8]\
               ;B[jj]C[why];W[kk]C[30ms; eval a lot])";
    let expected = [(1, "+40".to_owned(), true), (2, "-M8".to_owned(), true)];
    let (mut model, _) = model();
    assert_eq!(opened(&mut model, sgf), Vec::<String>::new());
    assert_eq!(scores(&model), expected);
    for form in [Form::Sgf, Form::Json, Form::Tree] {
        let text = saved(&mut model, form);
        let mut other = super::tests::model().0;
        opened(&mut other, &text);
        assert_eq!(scores(&other), expected, "{form:?}: {text}");
        assert_eq!(other.tree.stats(1), model.tree.stats(1), "{form:?}");
    }
    // A line of a match journal: its opening has no scores.
    let journal = r#"{"version":3,"variant":"connect6","width":19,"height":19,"opened":"free",
        "first":"a","second":"b","opening":["j10"],
        "plies":[{"ply":"o19,p19","ms":17,"eval":"+M13","depth":9},{"ply":"a1,b1","eval":"-20"}],
        "black":"first","result":null,"reason":"","game":3,"sides":[]}"#;
    let mut model = super::tests::model().0;
    opened(&mut model, &journal.replace('\n', ""));
    let expected = [(2, "+M13".to_owned(), false), (3, "-20".to_owned(), false)];
    assert_eq!(scores(&model), expected);
    // The engine's own scores are recorded too.
    let (mut model, jobs, _) = with_clock([Player::Person, Player::Engine], HOUR, None);
    play(&mut model, "h8");
    run_searches(&mut model, &jobs, 1);
    play(&mut model, "a1");
    run_searches(&mut model, &jobs, 1);
    assert!(!scores(&model).is_empty());
    assert!(saved(&mut model, Form::Json).contains("\"eval\""));
}

/// Regression: only those of the main line were.
#[test]
fn scores_of_variations_are_shown_and_written_again() {
    let sgf = "(;GM[4]RU[0]SZ[15];B[hh]C[20ms; depth 9; eval 40](;W[ii]C[eval -20];B[jj])\
               (;W[jj]C[30ms; eval -35];B[kk]C[eval +M5]))";
    let expected = [
        (1, "+40".to_owned(), true),
        (2, "-20".to_owned(), true),
        (4, "-35".to_owned(), true),
        (5, "+M5".to_owned(), true),
    ];
    let (mut model, _) = model();
    assert_eq!(opened(&mut model, sgf), Vec::<String>::new());
    assert_eq!(scores(&model), expected);
    let text = saved(&mut model, Form::Sgf);
    let mut other = super::tests::model().0;
    opened(&mut other, &text);
    assert_eq!(scores(&other), expected, "{text}");
}

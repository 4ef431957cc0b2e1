//! Tests of other actions of the user during an exercise.

use super::lesson_tests::{FOURS, exercise, reviews, with_jobs};
use super::tests::{play, refusal, run_searches};
use super::*;
use crate::schema::{ExerciseState, ReviewState};

/// Regression: it counted as missed.
#[test]
fn going_to_another_position_does_not_make_an_answer_wrong() {
    let (mut model, jobs) = with_jobs("freestyle", "h8");
    model.handle(Command::Train { puzzle: FOURS.into() });
    play(&mut model, "i8");
    // Going to the position shown does not stop the judgement.
    let node = model.tree.current();
    model.handle(Command::Go { node });
    let Event::Exercise(judged) = model.exercise_view() else { panic!() };
    assert_eq!(judged.state, ExerciseState::Judged);
    assert!(!jobs.last().unwrap().request.control.stopped());
    // The other side is to move there.
    let left = exercise(&model.handle(Command::Go { node: 5 }));
    assert_eq!((left.state, model.is_searching()), (ExerciseState::Asked, false));
    model.handle(Command::Again {});
    let mut events = model.handle(Command::Play { text: "i8".into() });
    events.extend(run_searches(&mut model, &jobs, 20));
    assert_eq!(exercise(&events).state, ExerciseState::Solved);
}

/// Regression: it was still shown, with nodes of another tree.
#[test]
fn the_review_of_a_game_is_set_aside_with_it() {
    let (mut model, _) = with_jobs("freestyle", "h8 a1 h9");
    model.handle(Command::Review { time_ms: 50 });
    model.handle(Command::Stop {});
    let events = model.handle(Command::Train { puzzle: FOURS.into() });
    assert_eq!(reviews(&events).pop().unwrap().state, ReviewState::None);
    let events = model.handle(Command::Leave {});
    assert_eq!(reviews(&events).pop().unwrap().state, ReviewState::Stopped);
}

/// Regression: it was removed, and the exercise could not be restarted.
#[test]
fn the_question_of_an_exercise_cannot_be_removed() {
    let (mut model, _) = with_jobs("freestyle", "h8");
    model.handle(Command::Train { puzzle: FOURS.into() });
    for node in [1, 6] {
        model.handle(Command::Go { node });
        let events = model.handle(Command::Remove { node });
        assert!(refusal(&events).unwrap().ends_with("it cannot be removed."), "{events:?}");
    }
    // Moves tried in the exercise can be removed.
    play(&mut model, "o1");
    let node = model.tree.current();
    assert_eq!(refusal(&model.handle(Command::Remove { node })), None);
    assert_eq!(exercise(&model.handle(Command::Again {})).state, ExerciseState::Asked);
}

//! Plies as texts.

use goren_core::opening::{Course, read, write};
use goren_core::rules::{Contest, OpeningId, Variant};

use super::choice_and_text;

/// A game on a board of its own by two bytes.
fn contest(choice: usize, more: usize) -> Contest {
    let all = Variant::all();
    let variant = all[choice % all.len()];
    let opening = OpeningId::ALL[more % OpeningId::ALL.len()];
    let contest = Contest::new(variant);
    contest.opened(opening).unwrap_or(contest)
}

/// Plies of any game and opening: those that are legal are written as they
/// were read.
pub fn plies(input: &[u8]) {
    let (&opening, input) = input.split_first().unwrap_or((&0, &[]));
    let (choice, text) = choice_and_text(input);
    let mut course = Course::new(contest(choice, opening.into()));
    for text in text.split(['\n', ' ', ';']) {
        let Ok(action) = read(&course, text) else { continue };
        let before = course.clone();
        if course.apply(&action).is_err() {
            assert_eq!(course.actions(), before.actions());
            continue;
        }
        let again = read(&before, &write(&before, &action));
        assert_eq!(again.as_ref(), Ok(&action), "{text:?}");
    }
    let plies = course.actions().len();
    course.take_back(plies);
    assert!(course.stones().is_empty() && course.result().is_none());
}

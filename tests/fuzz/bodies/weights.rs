//! Files of weights, and searches with whatever weights they have.

use std::cell::RefCell;
use std::collections::HashMap;

use arbitrary::Unstructured;
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, OpeningId, RuleId, Variant};
use goren_core::types::Cell;
use goren_engine::eval::{WeightFile, Weights, write_tuples};
use goren_engine::game::{tuple_families, tuple_family};
use goren_engine::{Engine, Request, RootPosition, TableHandle, WeightSet, new_position};

/// The valid file with this number.
fn valid_file(choice: usize) -> Option<Vec<u8>> {
    thread_local! {
        static FILES: RefCell<HashMap<usize, Option<Vec<u8>>>> = RefCell::default();
    }
    let make = || match choice.checked_sub(RuleId::ALL.len()) {
        None => Some(Weights::embedded(RuleId::ALL[choice]).write()),
        Some(family) => {
            let family = tuple_families().nth(family)?;
            Some(write_tuples(family, &family.weights()))
        }
    };
    FILES.with_borrow_mut(|files| files.entry(choice).or_insert_with(make).clone())
}

/// The input as a file; then a valid file, with weights changed by the input and a
/// valid checksum, in a game that it is for.
pub fn weights(input: &[u8]) -> bool {
    // The input is hardly ever a valid file.
    let _ = WeightFile::read(input);
    let mut source = Unstructured::new(input);
    let Some(file) = changed_file(&mut source).unwrap_or_default() else { return false };
    let Ok(read) = WeightFile::read(&file) else { return false };
    let mut set = WeightSet::default();
    set.insert(read.clone());
    assert!(set.holds(&read));
    // An exhausted input gives no more choices.
    let _ = play(&read, &set, &mut source);
    true
}

/// A file changed by the input; `None` if there is no file with the chosen number.
fn changed_file(source: &mut Unstructured<'_>) -> arbitrary::Result<Option<Vec<u8>>> {
    let count = RuleId::ALL.len() + tuple_families().count();
    let Some(mut file) = valid_file(source.int_in_range(0..=count - 1)?) else { return Ok(None) };
    for _ in 0..source.int_in_range(0..=8)? {
        let at = source.int_in_range(0..=file.len() - 1)?;
        // A run of the same number, so that sums become large.
        let (number, count): (i16, u16) = (source.arbitrary()?, source.arbitrary()?);
        for pair in file[at..].chunks_exact_mut(2).take(count.into()) {
            pair.copy_from_slice(&number.to_le_bytes());
        }
    }
    if source.ratio(1, 8)? {
        file.truncate(source.int_in_range(0..=file.len())?);
    }
    if let Some(end) = file.len().checked_sub(4) {
        let sum = crc32fast::hash(&file[..end]);
        file[end..].copy_from_slice(&sum.to_le_bytes());
    }
    Ok(Some(file))
}

/// Searches a few positions with the weights.
fn play(
    file: &WeightFile,
    set: &WeightSet,
    source: &mut Unstructured<'_>,
) -> arbitrary::Result<()> {
    let fits = |variant: &Variant| match (file, variant) {
        (WeightFile::Five(weights), Variant::Five(rule)) => weights.rule() == *rule,
        (WeightFile::Tuples(family, _), _) => tuple_family(*variant) == Some(*family),
        _ => false,
    };
    let Some(variant) = Variant::all().into_iter().find(fits) else { return Ok(()) };
    let contest = Contest::new(variant).opened(OpeningId::Free).expect("any game has it");
    // A small board is set up quickly.
    let contest = contest.on(9, 9).unwrap_or(contest);
    let mut game_state = GameState::new(contest);
    for _ in 0..source.int_in_range(0..=12)? {
        let number: u16 = source.arbitrary()?;
        let cell = Cell::new(
            usize::from(number) % contest.width,
            usize::from(number >> 8) % contest.height,
        );
        // Illegal stones are skipped.
        let _ = game_state.apply(&Action::stone(cell));
    }
    if game_state.result().is_some() {
        return Ok(());
    }
    let root = RootPosition::of(&game_state, &[], game_state.to_move(), 1);
    let mut position = new_position(&contest, set);
    position.set(&root);
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 16));
    let answer = engine.go(&*position, &Request::nodes(20), &mut |_| {}).expect("a small table");
    assert!(game_state.stone(answer.best.cell()).is_none());
    Ok(())
}

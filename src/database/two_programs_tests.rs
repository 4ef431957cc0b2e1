//! Two programs that have a database open at once.

use tempfile::tempdir;

use super::tests::{key, list, open};
use super::*;

fn win(cells: &[(usize, usize)]) -> (Key, Record) {
    (key(cells), Record::labelled(Label::WIN))
}

/// Sets a record of another program, and saves it.
fn save_elsewhere(path: &Path, (key, record): &(Key, Record)) {
    let mut theirs = open(path);
    theirs.change_many().unwrap().set(key, record);
    theirs.save().unwrap();
}

/// The session saved its own records over what `goren db learn` had learnt meanwhile.
#[test]
fn what_another_program_has_saved_is_not_replaced() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let [first, theirs, own, last] = [(1, 1), (2, 1), (3, 1), (4, 1)].map(|cell| win(&[cell]));
    save_elsewhere(&path, &first);
    let mut ours = open(&path);
    save_elsewhere(&path, &theirs);
    ours.set(&own.0, &own.1).unwrap();
    let error = ours.save().unwrap_err().to_string();
    assert!(error.starts_with("another program has changed the file"), "{error}");
    assert!(error.ends_with("come back when it is opened again"), "{error}");
    assert!(!error.contains("all records"), "{error}");
    ours.set(&last.0, &last.1).unwrap();
    drop(ours);
    // All are there once it is opened again, and can be saved.
    let (mut again, report) = Database::open(&path).unwrap();
    assert_eq!(report.recovered, 2);
    again.save().unwrap();
    again.save().unwrap();
    drop(again);
    assert_eq!(list(&open(&path)), [first, theirs, own, last]);
    // A file that is gone is no longer anybody's.
    let mut ours = open(&path);
    fs::remove_file(&path).unwrap();
    ours.save().unwrap();
    assert_eq!(open(&path).store().len(), 4);
}

#[test]
fn many_changes_that_cannot_be_saved_are_kept_beside_the_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let [theirs, own] = [(2, 1), (3, 1)].map(|cell| win(&[cell]));
    let mut ours = open(&path);
    save_elsewhere(&path, &theirs);
    ours.change_many().unwrap().set(&own.0, &own.1);
    let aside = folder.path().join("a_unsaved1.db");
    let reported = format!("all records are in {}", aside.display());
    let error = ours.save().unwrap_err().to_string();
    assert!(error.contains(&reported), "{error}");
    drop(ours);
    assert_eq!([list(&open(&path)), list(&open(&aside))], [[theirs], [own.clone()]]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no journal, and no second one");
    // While another program changes it.
    let mut ours = open(&path);
    ours.change_many().unwrap().set(&own.0, &own.1);
    let mut theirs = open(&path);
    theirs.set(&own.0, &own.1).unwrap();
    let error = ours.save().unwrap_err().to_string();
    assert!(error.starts_with("another program is changing"), "{error}");
    assert!(error.contains("a_unsaved2.db"), "{error}");
}

/// The first change of a program emptied the journal of one that had been killed since.
#[test]
fn changes_of_a_program_that_was_killed_meanwhile_are_kept() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let [theirs, own] = [(2, 1), (3, 1)].map(|cell| win(&[cell]));
    let mut ours = open(&path);
    let mut killed = open(&path);
    killed.set(&theirs.0, &theirs.1).unwrap();
    // As a kill leaves it: the lock goes, the file stays.
    killed.set_read_only();
    drop(killed);
    ours.set(&own.0, &own.1).unwrap();
    // They came back without a word.
    assert_eq!(ours.take_found(), ["unsaved changes recovered from an earlier run: 1"]);
    assert!(ours.take_found().is_empty());
    drop(ours);
    assert_eq!(list(&open(&path)), [theirs, own]);
}

/// A save that was refused ended the journal with the changes of a program that had been killed.
#[test]
fn changes_of_a_killed_program_stay_in_the_journal_if_a_save_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let [saved, noted] = [(2, 1), (3, 1)].map(|cell| win(&[cell]));
    let mut ours = open(&path);
    save_elsewhere(&path, &saved);
    let mut killed = open(&path);
    killed.set(&noted.0, &noted.1).unwrap();
    killed.set_read_only();
    drop(killed);
    assert!(matches!(ours.save(), Err(SaveError::Overtaken(_))));
    drop(ours);
    assert_eq!(list(&open(&path)), [saved, noted]);
}

/// A position that was only looked at, and a deletion, both in the journal of a program that was
/// killed, undid what another program had saved since.
#[test]
fn a_journal_undoes_nothing_that_another_program_has_saved_since() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (first, new) = (win(&[(2, 1)]), win(&[(4, 1)]));
    let looked_at = key(&[(3, 1)]);
    save_elsewhere(&path, &first);
    let mut killed = open(&path);
    killed.set(&looked_at, &Record::default()).unwrap();
    assert!(killed.remove(&first.0).unwrap());
    killed.set(&new.0, &new.1).unwrap();
    // As a kill leaves it: the lock goes, the file stays.
    killed.set_read_only();
    drop(killed);
    // A program that knows nothing of journals.
    let theirs = Record { value: 40, text: b"said".to_vec(), ..Record::labelled(Label::BEST) };
    let mut store = Store::default();
    store.set(&first.0, &first.1);
    store.set(&looked_at, &theirs);
    let mut file = Vec::new();
    write::write(&store, &mut file, true, true).unwrap();
    fs::write(&path, file).unwrap();
    let expected = [first, (looked_at, theirs), new];
    let (database, report) = Database::open(&path).unwrap();
    assert_eq!(list(&database), expected);
    assert_eq!((report.recovered, report.differed, report.undeleted), (1, 1, 1));
    let reported = report.lines(3, true);
    let merged = "records that differed and were merged: 1; that had been deleted and stay: 1";
    assert!(reported[1].ends_with(merged), "{reported:?}");
    drop(database);
    let (database, report) = Database::open(&path).unwrap();
    assert!(report.lines(3, true).is_empty() && list(&database) == expected);
}

//! Two programs that have the same database open.

use tempfile::tempdir;

use super::tests::{key, list, open};
use super::*;

fn win(cells: &[(usize, usize)]) -> (Key, Record) {
    (key(cells), Record::labelled(Label::WIN))
}

/// Sets and saves a record as another program.
fn save_elsewhere(path: &Path, (key, record): &(Key, Record)) {
    let mut theirs = open(path);
    theirs.change_many().unwrap().set(key, record);
    theirs.save().unwrap();
}

/// The session overwrote the records that `goren db learn` had learnt meanwhile.
#[test]
fn records_saved_by_another_program_are_not_replaced() {
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
    // After reopening, all records are present and can be saved.
    let (mut again, report) = Database::open(&path).unwrap();
    assert_eq!(report.recovered, 2);
    again.save().unwrap();
    again.save().unwrap();
    drop(again);
    assert_eq!(list(&open(&path)), [first, theirs, own, last]);
    // A deleted file does not prevent a save.
    let mut ours = open(&path);
    fs::remove_file(&path).unwrap();
    ours.save().unwrap();
    assert_eq!(open(&path).store().len(), 4);
}

#[test]
fn bulk_changes_that_cannot_be_saved_are_kept_beside_the_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let [theirs, own] = [(2, 1), (3, 1)].map(|cell| win(&[cell]));
    let mut ours = open(&path);
    save_elsewhere(&path, &theirs);
    ours.change_many().unwrap().set(&own.0, &own.1);
    let aside = folder.path().join("a_unsaved1.db");
    let notice = format!("all records are in {}", aside.display());
    let error = ours.save().unwrap_err().to_string();
    assert!(error.contains(&notice), "{error}");
    drop(ours);
    assert_eq!([list(&open(&path)), list(&open(&aside))], [[theirs], [own.clone()]]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no journal, and no second one");
    // Another program is changing the database.
    let mut ours = open(&path);
    ours.change_many().unwrap().set(&own.0, &own.1);
    let mut theirs = open(&path);
    theirs.set(&own.0, &own.1).unwrap();
    let error = ours.save().unwrap_err().to_string();
    assert!(error.starts_with("another program is changing"), "{error}");
    assert!(error.contains("a_unsaved2.db"), "{error}");
}

/// The first change of a program emptied the journal of a program killed since then.
#[test]
fn changes_of_a_program_killed_meanwhile_are_kept() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let [theirs, own] = [(2, 1), (3, 1)].map(|cell| win(&[cell]));
    let mut ours = open(&path);
    let mut killed = open(&path);
    killed.set(&theirs.0, &theirs.1).unwrap();
    // A kill releases the lock and leaves the file.
    killed.set_read_only();
    drop(killed);
    ours.set(&own.0, &own.1).unwrap();
    // Earlier versions recovered them silently.
    assert_eq!(ours.take_recovery_messages(), ["unsaved changes recovered from an earlier run: 1"]);
    assert!(ours.take_recovery_messages().is_empty());
    drop(ours);
    assert_eq!(list(&open(&path)), [theirs, own]);
}

/// A refused save ended the journal with the changes of a killed program.
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

/// A position that was only looked at, and a deletion, both in the journal of a killed program,
/// undid changes that another program had saved since.
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
    // A kill releases the lock and leaves the file.
    killed.set_read_only();
    drop(killed);
    // A program without journals saves the file.
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
    let lines = report.lines(3, true);
    let merged = "records that differed and were merged: 1; deleted records that stay: 1";
    assert!(lines[1].ends_with(merged), "{lines:?}");
    drop(database);
    let (database, report) = Database::open(&path).unwrap();
    assert!(report.lines(3, true).is_empty() && list(&database) == expected);
}

//! Databases as files: opening, changes, kills, damage.

use std::io::Write;

use super::*;
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};
use tempfile::tempdir;

fn setup() -> Setup {
    Setup::new(RuleId::Freestyle, 15, 15).unwrap()
}

fn place(cells: &[(usize, usize)]) -> Place {
    let moves: Vec<_> = cells.iter().map(|&(x, y)| Some(Cell::new(x, y))).collect();
    Place::after(setup(), &moves).unwrap()
}

pub fn key(cells: &[(usize, usize)]) -> Key {
    place(cells).key().unwrap()
}

pub fn open(path: &Path) -> Database {
    Database::open(path).unwrap().0
}

pub fn list(database: &Database) -> Vec<(Key, Record)> {
    database.store().iter().collect()
}

#[test]
fn saving_leaves_the_file_and_its_backups_only() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a b.db");
    let (mut database, report) = Database::open(&path).unwrap();
    assert!(!report.existed && !database.is_dirty());
    database.set(&key(&[(7, 7)]), &Record::labelled(Label::WIN)).unwrap();
    database.save().unwrap();
    database.set(&key(&[(7, 7), (8, 8)]), &Record::default()).unwrap();
    drop(database);
    let (database, report) = Database::open(&path).unwrap();
    assert!(report.existed && report.recovered == 0 && report.lines(2, true).is_empty());
    assert_eq!(database.store().len(), 2);
    assert_eq!(open(&folder.path().join("a b_bak1.db")).store().len(), 1);
    drop(database);
    let mut names: Vec<_> =
        fs::read_dir(folder.path().join("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a b.db", "a b_bak1.db"]);
}

#[test]
fn a_kill_between_saves_loses_no_confirmed_change() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut database = open(&path);
    database.set(&key(&[(7, 7)]), &Record::labelled(Label::WIN)).unwrap();
    database.save().unwrap();
    database.set(&key(&[(3, 3)]), &Record::labelled(Label::LOSE)).unwrap();
    assert!(database.remove(&key(&[(7, 7)])).unwrap());
    let expected = list(&database);
    // A kill releases the lock and leaves the file.
    let journal = fs::read(folder.path().join("a.db.journal")).unwrap();
    database.set_read_only();
    drop(database);
    fs::write(folder.path().join("a.db.journal"), journal).unwrap();
    let (database, report) = Database::open(&path).unwrap();
    assert_eq!((report.recovered, database.is_dirty()), (2, true));
    assert_eq!(list(&database), expected);
    drop(database);
    let (database, report) = Database::open(&path).unwrap();
    assert_eq!((report.recovered, list(&database)), (0, expected));
}

#[test]
fn a_second_program_can_only_read() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut first = open(&path);
    first.set(&key(&[(7, 7)]), &Record::default()).unwrap();
    let (mut second, report) = Database::open(&path).unwrap();
    assert!(report.lines(0, true)[0].contains("another program"));
    let refused = second.set(&key(&[(3, 3)]), &Record::default());
    assert!(matches!(refused, Err(EditError::ReadOnly)));
    assert!(second.save().is_err() && second.change_many().is_err());
    drop(second);
    first.save().unwrap();
    assert_eq!(open(&path).store().len(), 1);
}

#[test]
fn other_files_are_not_opened_as_databases() {
    let folder = tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "These are notes, and no positions at all.".repeat(50)).unwrap();
    let error = Database::open(&text).err().unwrap().to_string();
    assert!(error.contains("not a database: byte "), "{error}");
    assert!(matches!(Database::open(&folder.path().join("")), Err(OpenError::NotPlain)));
    assert!(matches!(Database::open(Path::new("")), Err(OpenError::NotPlain)));
    let nowhere = Database::open(&folder.path().join("no/such/a.db"));
    assert!(matches!(nowhere, Err(OpenError::NoFolder(_))));
}

#[test]
fn an_empty_file_is_a_new_database() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("empty.db");
    fs::write(&path, b"").unwrap();
    let (mut database, report) = Database::open(&path).unwrap();
    assert_eq!((report.existed, report.faults, database.store().len()), (true, 0, 0));
    assert!(report.lines(0, true).is_empty());
    database.set(&key(&[(7, 7)]), &Record::default()).unwrap();
    drop(database);
    // An empty file gets no backup.
    assert_eq!(fs::read_dir(folder.path().join("")).unwrap().count(), 1);
    assert_eq!(open(&path).store().len(), 1);
}

#[test]
fn our_own_folder_is_created_with_the_first_change() {
    let folder = tempdir().unwrap();
    let [above, own, name] = [&folder.path().join(""), Path::new("own"), Path::new("a.db")];
    let exists = || above.join(own).exists();
    for read_only in [true, false] {
        let (mut database, report) = Database::open_below(above, own, name).unwrap();
        assert!(!report.existed);
        if read_only {
            database.set_read_only();
        }
        let set = database.set(&key(&[(7, 7)]), &Record::default());
        assert_eq!((set.is_ok(), exists()), (!read_only, !read_only));
    }
    let (database, report) = Database::open_below(above, own, name).unwrap();
    assert_eq!((report.existed, database.store().len()), (true, 1));
    let nowhere = Database::open_below(&above.join("no"), own, name);
    assert!(matches!(nowhere, Err(OpenError::NoFolder(_))));
}

#[test]
fn a_damaged_file_is_kept_when_the_rest_is_saved() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut database = open(&path);
    database.set_packed(false);
    for x in 0..7 {
        for y in 0..x {
            database.set(&key(&[(x, y)]), &Record::default()).unwrap();
        }
    }
    let count = database.store().len();
    database.save().unwrap();
    drop(database);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.len() / 2;
    bytes[at..at + 3].fill(0x77);
    fs::write(&path, &bytes).unwrap();
    let (mut database, report) = Database::open(&path).unwrap();
    let saved = database.store().len();
    assert!(report.faults > 0 && saved < count && saved > count / 2);
    let lines = report.lines(saved, true);
    assert!(lines[0].starts_with("the file is damaged: byte "), "{lines:?}");
    let last = lines.last().unwrap();
    assert!(last.starts_with(&format!("{saved} records can be read, ")) && last.contains("save"));
    // A program that only reads keeps no damaged file.
    assert!(report.lines(saved, false).last().unwrap().ends_with(" bytes cannot"));
    for _ in 0..4 {
        database.set(&key(&[(1, 1)]), &Record::default()).unwrap();
        database.save().unwrap();
    }
    assert_eq!(fs::read(folder.path().join("a_damaged.db")).unwrap(), bytes);
    assert_eq!(Database::open(&path).unwrap().1.faults, 0);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_stays_a_link() {
    let folder = tempdir().unwrap();
    let (path, link) = (folder.path().join("a.db"), folder.path().join("link.db"));
    let mut database = open(&path);
    database.set(&key(&[(7, 7)]), &Record::default()).unwrap();
    drop(database);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut database = open(&link);
    database.set(&key(&[(3, 3)]), &Record::default()).unwrap();
    drop(database);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(open(&path).store().len(), 2);
}

#[test]
fn short_texts_of_old_files_are_kept_byte_for_byte() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    // A comment in GBK, without a record that names the encoding.
    let record = [&[5, 0, 0, 15, 15, 7, 7, 7, 0, b'w', 0, 0, 0, 0][..], &[0xc4, 0xe3]].concat();
    fs::write(&path, [&[1, 0, 0, 0][..], &record].concat()).unwrap();
    let mut database = open(&path);
    database.set(&key(&[(3, 3)]), &Record::default()).unwrap();
    drop(database);
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.windows(record.len()).any(|part| part == record));
    assert!(!bytes.windows(4).any(|part| part == b"char"));
    let mut database = open(&path);
    database.set(&key(&[(7, 7)]), &Record { text: "你".into(), ..Record::default() }).unwrap();
    drop(database);
    assert!(fs::read(&path).unwrap().windows(4).any(|part| part == b"char"));
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let folder = tempdir().unwrap();
    let mut database = open(&folder.path().join("a.db"));
    let mut record = Record { text: vec![b'a'; record::MAX_TEXT], ..Record::default() };
    database.set(&key(&[(7, 7)]), &record).unwrap();
    database.save().unwrap();
    record.text.push(b'a');
    assert!(matches!(database.set(&key(&[(7, 7)]), &record), Err(EditError::TooLong(_))));
    drop(database);
    let again = open(&folder.path().join("a.db"));
    assert_eq!(again.store().get(&key(&[(7, 7)])).unwrap().text.len(), record::MAX_TEXT);
}

#[test]
fn a_full_disk_leaves_file_and_journal() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut database = open(&path);
    database.set(&key(&[(7, 7)]), &Record::default()).unwrap();
    database.save().unwrap();
    database.set(&key(&[(3, 3)]), &Record::default()).unwrap();
    // The name of the backup is taken by a folder, which a file cannot replace.
    let (folder_in_way, older) = (folder.path().join("a_bak1.db"), folder.path().join("a_bak2.db"));
    fs::create_dir(&folder_in_way).unwrap();
    fs::write(older, b"").unwrap();
    assert!(database.save().is_err());
    assert!(database.is_dirty());
    drop(database);
    let (database, report) = Database::open(&path).unwrap();
    assert_eq!((report.recovered, database.store().len()), (1, 2));
    fs::remove_dir(folder_in_way).unwrap();
}

/// Adds the positions after one to three moves on four cells, with different results.
fn tree(database: &mut Database) {
    let cells = [(7, 7), (7, 8), (9, 9), (3, 5)];
    for &a in &cells {
        for &b in cells.iter().filter(|&&b| b != a) {
            for &c in cells.iter().filter(|&&c| c != a && c != b) {
                for line in [&[a][..], &[a, b], &[a, b, c]] {
                    let result = [Label::NONE, Label::WIN, Label::LOSE][(c.0 + line.len()) % 3];
                    database.set(&key(line), &Record::labelled(result)).unwrap();
                }
            }
        }
    }
}

/// The children of a position, found by looking at every record.
fn slow_children(database: &Database, place: &Place) -> Vec<(Cell, Record)> {
    let mut found = Vec::new();
    for cell in place.empty_cells() {
        let mut child = place.clone();
        child.play(cell);
        let wanted = child.key().unwrap();
        found.extend(
            list(database).into_iter().filter(|(k, _)| *k == wanted).map(|(_, r)| (cell, r)),
        );
    }
    found
}

#[test]
fn children_are_those_of_the_slow_search() {
    let folder = tempdir().unwrap();
    let mut database = open(&folder.path().join("a.db"));
    tree(&mut database);
    for at in [&[][..], &[(7, 7)], &[(7, 7), (3, 5)], &[(7, 7), (5, 3)], &[(0, 0)]] {
        let place = place(at);
        let fast = branch::children(database.store(), &place);
        assert_eq!(fast, slow_children(&database, &place), "{at:?}");
    }
}

#[test]
fn deleting_a_branch_keeps_positions_reached_elsewhere() {
    let folder = tempdir().unwrap();
    let mut database = open(&folder.path().join("a.db"));
    for line in [
        &[(7, 7)][..],
        &[(7, 7), (8, 8)],
        &[(7, 7), (8, 8), (9, 10)],
        &[(7, 7), (8, 8), (3, 2)],
        &[(3, 2)],
        &[(3, 2), (8, 8)],
    ] {
        database.set(&key(line), &Record::default()).unwrap();
    }
    let has = |database: &Database, line: &[(usize, usize)]| database.store().contains(&key(line));
    let deleted =
        branch::delete_below(&mut database, &place(&[(7, 7)]), &"".parse().unwrap()).unwrap();
    assert_eq!(deleted, 2);
    assert!(has(&database, &[(7, 7)]) && !has(&database, &[(7, 7), (8, 8)]));
    assert!(!has(&database, &[(7, 7), (8, 8), (9, 10)]));
    assert!(has(&database, &[(7, 7), (8, 8), (3, 2)]), "also after (3,2), (8,8)");
    let deleted = branch::delete_below(&mut database, &place(&[]), &"".parse().unwrap()).unwrap();
    assert_eq!((deleted, database.store().len()), (4, 0));
}

#[test]
fn filters_select_by_label_and_plies() {
    let won = |label, value| Record { value, ..Record::labelled(label) };
    let records = [
        won(Label::WIN, 0),
        won(Label::WIN, -29_995),
        won(Label::WIN, -29_980),
        won(Label::LOSE, 0),
        won(Label::LOSE, 29_991),
        won(Label::DRAW, 0),
        won(Label::NONE, 40),
    ];
    let left = |filter: &str| {
        let folder = tempdir().unwrap();
        let mut database = open(&folder.path().join("a.db"));
        // Each in a column of its own, with a child below the last.
        for (x, record) in records.iter().enumerate() {
            database.set(&key(&[(x, 0)]), record).unwrap();
        }
        database.set(&key(&[(6, 0), (6, 1)]), &won(Label::WIN, 0)).unwrap();
        branch::delete_below(&mut database, &place(&[]), &filter.parse().unwrap()).unwrap();
        let mut text = String::new();
        for x in 0..records.len() {
            text.push(if database.store().contains(&key(&[(x, 0)])) { '1' } else { '0' });
        }
        text.push(if database.store().contains(&key(&[(6, 0), (6, 1)])) { '+' } else { '-' });
        text
    };
    for (filter, expected) in [
        ("", "0000000-"),
        ("w", "0001111+"),
        ("wrecursive", "0001111-"),
        ("L", "1110011+"),
        ("wl", "0000011+"),
        ("wld", "0000001+"),
        ("nonwl", "1111100-"),
        ("nonwld", "1111110-"),
        ("nonwldrecursive", "1111110-"),
        ("wlnostep", "0110111+"),
        ("wlnosteprecursive", "0110111-"),
        ("wlinstep 6", "1011111+"),
        ("wlinstep 10", "1011011+"),
        ("wlinsteprecursive 100", "1001011+"),
    ] {
        assert_eq!(left(filter), expected, "{filter}");
    }
    for bad in ["x", "wlinstep", "wlinstep x", "recursive", "nonw"] {
        assert!(bad.parse::<branch::Filter>().is_err(), "{bad}");
    }
}

#[test]
fn texts_on_cells_follow_the_symmetry() {
    let folder = tempdir().unwrap();
    let mut database = open(&folder.path().join("a.db"));
    let at = |x, y| Cell::new(x, y);
    branch::set_text(&mut database, &mut place(&[(7, 7), (9, 8)]), at(3, 4), "a b").unwrap();
    assert!(database.store().contains(&key(&[(7, 7), (9, 8), (3, 4)])));
    // The position mirrored at the main diagonal.
    let turned = branch::texts(database.store(), &place(&[(7, 7), (8, 9)]));
    assert_eq!(turned, [(at(4, 3), "ab".to_string())]);
    // After a first stone in the centre, eight cells are symmetric.
    branch::set_text(&mut database, &mut place(&[(7, 7)]), at(9, 8), "x").unwrap();
    let all: Vec<Cell> =
        branch::texts(database.store(), &place(&[(7, 7)])).into_iter().map(|(c, _)| c).collect();
    assert_eq!(all.len(), 8);
    // Deleting the position removes its text from all images.
    assert!(branch::delete(&mut database, &place(&[(7, 7), (5, 6)])).unwrap());
    assert_eq!(branch::texts(database.store(), &place(&[(7, 7)])), []);
    branch::set_text(&mut database, &mut place(&[(7, 7), (9, 8)]), at(3, 4), "").unwrap();
    assert_eq!(branch::texts(database.store(), &place(&[(7, 7), (8, 9)])), []);
}

#[test]
fn merging_and_splitting_keep_the_better_record_and_all_texts() {
    let (mut ours, mut theirs) = (Store::default(), Store::default());
    let deep = |depth, text: &[u8]| {
        let mut record = Record { text: text.to_vec(), ..Record::default() };
        record.set_depth(depth, Bound::Exact);
        record
    };
    ours.set(&key(&[(7, 7)]), &deep(10, b"ours"));
    ours.set(&key(&[(7, 7), (8, 8)]), &deep(20, b""));
    theirs.set(&key(&[(7, 7)]), &deep(12, b"theirs"));
    theirs.set(&key(&[(7, 7), (8, 8)]), &deep(12, b"theirs"));
    theirs.set(&key(&[(7, 7), (8, 8), (9, 9)]), &deep(1, b""));
    theirs.set(&key(&[(3, 3)]), &deep(1, b""));
    let mut part = Store::default();
    let moves = [Some(Cell::new(7, 7)), Some(Cell::new(6, 6))];
    let at = Place::after(setup(), &moves).unwrap();
    assert_eq!(branch::copy_branch(&theirs, &moves, &at, &mut part), 3);
    assert!(!part.contains(&key(&[(3, 3)])));
    // One is better, two are new, and one brings a text.
    assert_eq!(branch::merge(&theirs, &mut ours), 4);
    let get = |line: &[(usize, usize)]| ours.get(&key(line)).unwrap();
    assert_eq!((get(&[(7, 7)]).depth(), &get(&[(7, 7)]).text[..]), (12, &b"theirs\nours"[..]));
    let merged = get(&[(7, 7), (8, 8)]);
    assert_eq!((merged.depth(), &merged.text[..]), (20, &b"theirs"[..]));
    assert_eq!(branch::merge(&theirs, &mut ours), 0, "nothing changes any more");
}

/// Regression: nothing below a position that the other database had was copied.
#[test]
fn a_branch_is_copied_below_records_that_are_there() {
    let (mut whole, mut part) = (Store::default(), Store::default());
    let line = [(7, 7), (8, 8), (9, 9), (6, 9)];
    for length in 1..=line.len() {
        whole.set(&key(&line[..length]), &Record::labelled(Label::WIN));
    }
    part.set(&key(&line[..2]), &Record::labelled(Label::LOSE));
    let moves = [Some(Cell::new(7, 7))];
    let at = Place::after(setup(), &moves).unwrap();
    assert_eq!(branch::copy_branch(&whole, &moves, &at, &mut part), 3);
    assert_eq!(part.get(&key(&line[..2])).unwrap().label, Label::LOSE);
    assert!(part.contains(&key(&line)) && part.contains(&key(&line[..1])));
}

#[test]
fn every_rule_and_board_has_its_own_records() {
    let mut store = Store::default();
    let mut count = 0;
    for rule in RuleId::ALL {
        for (width, height) in [(15, 15), (20, 20), (15, 12)] {
            let setup = Setup::new(rule, width, height).unwrap();
            let place = Place::of(setup, &[(Cell::new(3, 3), Color::Black)], Color::White);
            store.set(&place.key().unwrap(), &Record::default());
            count += 1;
        }
    }
    assert_eq!(store.len(), count);
    let mut bytes = Vec::new();
    write::write(&store, &mut bytes, true, true).unwrap();
    bytes.flush().unwrap();
    assert_eq!(read::read(std::io::Cursor::new(&bytes)).store.len(), count);
}

/// Comments of Chinese databases were shown as replacement characters.
#[test]
fn texts_in_another_code_page_are_converted() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("old.db");
    let gbk = b"@BTXT@77\xba\xc3\x08\xba\xda\xc6\xe5\xca\xa4\xa3\xac\xb5\xda\xce\xe5\xca\xd6";
    let mut store = Store::default();
    let record = |text: &[u8]| Record { text: text.to_vec(), ..Record::default() };
    store.set(&key(&[(7, 7)]), &record(gbk));
    store.set(&key(&[(7, 7), (8, 8)]), &record(b"plain"));
    let mut file = Vec::new();
    write::write(&store, std::io::Cursor::new(&mut file), false, false).unwrap();
    fs::write(&path, &file).unwrap();
    let (mut database, report) = Database::open(&path).unwrap();
    assert_eq!(report.lines(2, true), ["texts read as GBK, not UTF-8: 1"]);
    let text = |database: &Database| database.store().get(&key(&[(7, 7)])).unwrap().text;
    assert_eq!(
        text::comment(&text(&database)),
        "\u{9ed1}\u{68cb}\u{80dc}\u{ff0c}\u{7b2c}\u{4e94}\u{624b}"
    );
    assert_eq!(
        text::on_cells(&text(&database)).into_values().next().unwrap(),
        "\u{597d}".as_bytes()
    );
    assert!(!database.is_dirty());
    database.set(&key(&[(0, 0)]), &Record::default()).unwrap();
    database.save().unwrap();
    drop(database);
    let (database, report) = Database::open(&path).unwrap();
    assert!(report.converted.is_none() && text::comment(&text(&database)).ends_with('\u{624b}'));
}

//! Stores exported to libraries and imported again, and libraries of other programs.

use std::collections::BTreeMap;

use super::*;
use crate::{Place, branch};
use goren_core::record::lib::{Builder, Limits, Notes};
use goren_core::rules::RuleId;
use goren_core::types::keys::mix;

const SETUP: Setup = Setup { rule: RuleId::Renju, width: 15, height: 15 };

fn key(cells: &[(usize, usize)]) -> Key {
    let moves: Vec<_> = cells.iter().map(|&(x, y)| Some(Cell::new(x, y))).collect();
    Place::after(SETUP, &moves).unwrap().key().unwrap()
}

fn list(store: &Store) -> Vec<(Key, Record)> {
    store.iter().collect()
}

fn imported(tree: &Tree) -> (Store, ImportResult) {
    let mut store = Store::default();
    let result = import(tree, SETUP, CodePage::UTF_8, &mut store).unwrap();
    (store, result)
}

/// A random store in which records lead to every record, with texts and values of
/// all kinds.
fn any_store(seed: u64) -> Store {
    let mut store = Store::default();
    store.set(&Place::empty(SETUP).key().unwrap(), &Record::default());
    for line in 0..20 {
        let mut place = Place::empty(SETUP);
        for ply in 0..6 {
            let dice = mix(seed << 32 | line << 8 | ply) as usize;
            let cell = Cell::new(6 + dice % 3, 6 + dice / 3 % 3);
            if !place.is_empty_at(cell) {
                break;
            }
            if (dice / 16).is_multiple_of(4) {
                let mut parent = store.get(&place.key().unwrap()).unwrap();
                let mut texts = text::on_cells(&parent.text);
                texts.entry(place.in_key(cell)[0]).or_insert(b"A1".to_vec());
                parent.text = text::with_cells(&parent.text, &texts);
                store.set(&place.key().unwrap(), &parent);
                if (dice / 64).is_multiple_of(2) {
                    // A text without a record.
                    break;
                }
            }
            if (dice / 128).is_multiple_of(16) {
                place.pass();
            } else {
                place.play(cell);
            }
            let Some(key) = place.key() else { break };
            if store.contains(&key) {
                continue;
            }
            let mut record = Record::default();
            match dice / 2048 % 4 {
                0 => record.label = Label(dice as i8),
                1 => record.set_depth(dice as i64 % 99, Bound::Exact),
                _ => {}
            }
            record.value = if (dice / 8192).is_multiple_of(2) { 0 } else { dice as i16 };
            if (dice / 16384).is_multiple_of(3) {
                record.text = text::with_comment(b"", "two\nlines \u{e9}");
            }
            store.set(&key, &record);
        }
    }
    store
}

#[test]
fn an_exported_store_is_imported_unchanged() {
    let mut texts = 0;
    for seed in 0..200 {
        let store = any_store(seed);
        let exported = export(&store, SETUP, &[], CodePage::UTF_8).unwrap();
        assert_eq!((exported.records, exported.apart), (store.len(), 0));
        let mut file = Vec::new();
        exported.tree.write(&mut file).unwrap();
        let tree = Tree::read(&file[..]).unwrap();
        let (mut back, result) = imported(&tree);
        // The empty board has no node; it gets a record only if its record has content.
        let empty = Place::empty(SETUP).key().unwrap();
        if !back.contains(&empty) {
            back.set(&empty, &Record::default());
        }
        assert_eq!(list(&back), list(&store), "{seed}");
        assert_eq!((result.skipped, result.left_out), (0, 0));
        texts += tree.walk().filter(|node| node.board_text().is_some()).count();
        // A second import adds nothing.
        let again = import(&tree, SETUP, CodePage::UTF_8, &mut back).unwrap();
        assert_eq!((list(&back), again.new), (list(&store), 0));
    }
    assert!(texts > 1000, "{texts}");
}

#[test]
fn nodes_of_one_position_become_one_record() {
    let mut builder = Builder::new(Limits::default());
    let mut node = |x, y, comment: &str, shown: &str, up: u8| {
        let comment = (!comment.is_empty()).then_some(comment.as_bytes());
        let board_text = (!shown.is_empty()).then_some(shown.as_bytes());
        let notes = Notes { comment, board_text, ..Notes::default() };
        builder.child(Step::Stone(Cell::new(x, y)), &notes).unwrap();
        (0..up).for_each(|_| builder.up());
    };
    node(7, 7, "centre", "", 0);
    node(8, 8, "", "A", 0);
    node(7, 8, "first", "L7", 2);
    // The same moves mirrored, and in another order.
    node(8, 7, "", "B", 0);
    node(8, 8, "", "", 2);
    node(6, 6, "", "C", 0);
    node(7, 6, "second\u{8}line", "", 0);
    // A move on an occupied point.
    node(7, 7, "lost", "", 0);
    node(1, 1, "lost", "", 0);
    let (store, result) = imported(&builder.finish());
    let expected = ImportResult { new: 5, skipped: 2, left_out: 1, marks: 0 };
    assert_eq!((store.len(), result), (5, expected));
    let comment = |cells: &[_]| text::comment(&store.get(&key(cells)).unwrap().text);
    assert_eq!(comment(&[(7, 7)]), "centre");
    let third = [(7, 7), (8, 8), (7, 8)];
    assert_eq!(comment(&third), "first\nsecond\nline");
    assert_eq!(store.get(&key(&third)).unwrap().label, Label::LOSE);
    let place = Place::after(SETUP, &[Some(Cell::new(7, 7))]).unwrap();
    let texts: BTreeMap<_, _> = branch::texts(&store, &place).into_iter().collect();
    let (diagonal, beside) = (&texts[&Cell::new(6, 8)], &texts[&Cell::new(7, 6)]);
    assert_eq!((texts.len(), &diagonal[..], &beside[..]), (8, "A", "B"));
}

/// A comment was left out if another one contained its words, and marks were dropped silently.
#[test]
fn a_comment_contained_in_another_is_kept_and_marks_are_counted() {
    let mut builder = Builder::new(Limits::default());
    let mut node = |x, y, comment: &str, up: u8| {
        let notes = Notes { mark: true, comment: Some(comment.as_bytes()), ..Notes::default() };
        builder.child(Step::Stone(Cell::new(x, y)), &notes).unwrap();
        (0..up).for_each(|_| builder.up());
    };
    node(7, 7, "centre", 0);
    // Two images of a position.
    node(8, 8, "not a win", 1);
    node(6, 6, "a win", 0);
    let (store, result) = imported(&builder.finish());
    let expected = ImportResult { new: 2, marks: 3, ..ImportResult::default() };
    assert_eq!(result, expected);
    let record = store.get(&key(&[(7, 7), (8, 8)])).unwrap();
    assert_eq!(text::comment(&record.text), "not a win\na win");
}

#[test]
fn a_library_begins_with_the_moves_to_its_position() {
    let mut store = Store::default();
    store.set(&key(&[(7, 7), (8, 8)]), &Record::labelled(Label::WIN));
    store.set(&key(&[(7, 7), (8, 8), (1, 2)]), &Record::default());
    store.set(&key(&[(0, 0)]), &Record::default());
    let moves = [(7, 7), (8, 8)].map(|(x, y)| Some(Cell::new(x, y)));
    let exported = export(&store, SETUP, &moves, CodePage::UTF_8).unwrap();
    assert_eq!((exported.records, exported.apart, exported.tree.len()), (2, 1, 3));
    let second = exported.tree.walk().nth(2).unwrap();
    let texts = (second.comment().unwrap(), second.board_text().unwrap());
    assert_eq!(texts, (&b"label w, value 0, depth 0, none"[..], &b"W*"[..]));
    let setup = Setup { width: 20, ..SETUP };
    let refused = export(&store, setup, &[], CodePage::UTF_8).unwrap_err();
    assert_eq!(refused.to_string(), "a library has a board of 15x15, not 20x15");
    let record = Record { text: "\u{9ed1}".as_bytes().to_vec(), ..Record::default() };
    store.set(&key(&[(7, 7), (8, 8)]), &record);
    assert!(export(&store, SETUP, &moves, CodePage::GBK).is_ok());
    let refused = export(&store, SETUP, &moves, CodePage::WINDOWS_1252).unwrap_err();
    assert_eq!(refused.to_string(), "windows-1252 cannot encode \"\\u{8}\u{9ed1}\"");
}

#[test]
fn passes_are_imported_as_far_as_a_key_can_express_them() {
    let mut builder = Builder::new(Limits::default());
    let notes = Notes { comment: Some(b"here"), ..Notes::default() };
    // Black passes, then White: the empty board again.
    for step in [Step::Pass, Step::Pass, Step::Pass, Step::Stone(Cell::new(7, 7))] {
        builder.child(step, &notes).unwrap();
    }
    let (store, result) = imported(&builder.finish());
    // Only White has a stone and Black is to move: no key.
    let expected = ImportResult { new: 2, skipped: 1, left_out: 1, marks: 0 };
    assert_eq!((store.len(), result), (2, expected));
    assert!(store.iter().all(|(_, record)| record.text == b"here"));
}

#[test]
fn a_text_that_looks_like_a_label_stays_a_text() {
    let mut store = Store::default();
    let parent = key(&[(7, 7)]);
    let cells = BTreeMap::from([(parent_cell(), b"W8".to_vec())]);
    let text = text::with_cells(b"", &cells);
    store.set(&parent, &Record { text, ..Record::default() });
    store.set(&key(&[(7, 7), (7, 6)]), &Record::default());
    let tree = export(&store, SETUP, &[], CodePage::UTF_8).unwrap().tree;
    assert_eq!(list(&imported(&tree).0), list(&store));
}

/// The cell of the child in the image of the parent's key.
fn parent_cell() -> Cell {
    let place = Place::after(SETUP, &[Some(Cell::new(7, 7))]).unwrap();
    place.in_key(Cell::new(7, 6))[0]
}

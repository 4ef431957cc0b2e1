use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::tests::{model, of_game, play, refusal};
use super::*;
use crate::schema::{Database as View, Known};
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};
use goren_database::{Database, Key, Label, Place, Record, Store};

/// A folder with databases that are not shared between pages, as those of the server are.
struct Plain(PathBuf);

struct Open(Database);

impl Databases for Plain {
    fn names(&self) -> Result<Vec<String>> {
        Ok(vec!["a.db".into()])
    }

    fn open(&self, name: &str, _new: bool) -> Result<(Box<dyn Positions>, Vec<String>)> {
        let (database, report) = Database::open(&self.0.join(name))?;
        let lines = report.lines(database.store().len(), true);
        Ok((Box::new(Open(database)), lines))
    }
}

impl Positions for Open {
    fn look(&self, work: &mut dyn FnMut(&Store)) {
        work(self.0.store());
    }

    fn set(&mut self, key: &Key, record: Option<&Record>) -> Result<()> {
        match record {
            Some(record) => Ok(self.0.set(key, record)?),
            None => Ok(self.0.remove(key).map(|_| ())?),
        }
    }

    fn save(&mut self) -> Result<()> {
        Ok(self.0.save()?)
    }

    fn take_recovery_messages(&mut self) -> Vec<String> {
        self.0.take_recovery_messages()
    }

    fn is_unsaved(&self) -> bool {
        self.0.is_dirty()
    }

    fn locked(&self) -> String {
        String::new()
    }
}

fn with(model: Model, folder: &Path) -> Model {
    model.with_databases(Box::new(Plain(folder.to_path_buf())))
}

/// Creates a game of freestyle between people, with an empty database.
fn with_database() -> (Model, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut model = with(of_game("freestyle", "free"), folder.path());
    done(&mut model, Command::OpenDatabase { name: "a.db".into(), new: true });
    (model, folder)
}

fn view(events: &[Event]) -> View {
    let view = events.iter().rev().find_map(|event| match event {
        Event::Database(view) => Some((**view).clone()),
        _ => None,
    });
    view.expect("something of the database is told")
}

fn done(model: &mut Model, command: Command) -> View {
    let events = model.handle(command);
    assert_eq!(refusal(&events), None);
    view(&events)
}

fn known(label: &str, value: Option<i16>, comment: &str) -> Known {
    Known { label: label.into(), value, depth: 0, bound: String::new(), comment: comment.into() }
}

/// Returns the command that writes a record, as if the page had shown none.
fn put(node: usize, record: Known) -> Command {
    Command::SetRecord { node, record, seen: None }
}

#[test]
fn records_are_shown_on_the_board_and_saved() {
    let (mut model, folder) = with_database();
    play(&mut model, "h8 i9");
    let node = model.tree.current();
    let record = known("W", Some(-29_993), "a win\nin two lines");
    let shown = done(&mut model, put(node, record));
    assert!(shown.unsaved && shown.records == 1, "{shown:?}");
    let here = shown.here.unwrap();
    assert_eq!(
        (here.label.as_str(), here.value, here.bound.as_str()),
        ("w", Some(-29_993), "exact")
    );
    assert_eq!(here.comment, "a win\nin two lines");
    assert_eq!(shown.mover, Color::White);
    // The position before shows it on the board.
    let shown = view(&model.handle(Command::Undo {}));
    assert_eq!(shown.here, None);
    // At four points, by symmetry.
    assert_eq!(shown.moves.len(), 4);
    let m = shown.moves.iter().find(|m| m.cell == Cell::new(8, 6)).unwrap();
    assert_eq!((m.shown.as_str(), m.text.as_str(), m.commented), ("w8", "", true));
    // In a symmetric position a text belongs to all equivalent points.
    let node = model.tree.current();
    let (cell, text) = (Cell::new(8, 7), "A b".to_owned());
    let shown = done(&mut model, Command::SetPointText { node, cell, text });
    assert!(shown.moves.iter().any(|m| m.cell == cell && m.text == "Ab"), "{shown:?}");
    let shown = done(
        &mut model,
        Command::SetPointText { node, cell: Cell::new(6, 7), text: String::new() },
    );
    assert!(shown.moves.iter().all(|m| m.text.is_empty()), "{shown:?}");
    let shown = done(&mut model, Command::SaveDatabase {});
    assert!(!shown.unsaved);
    let (read, report) = Database::open(&folder.path().join("a.db")).unwrap();
    assert_eq!((read.store().len(), report.faults, report.recovered), (2, 0, 0));
}

#[test]
fn known_branches_are_sent_with_the_tree() {
    let (mut model, _folder) = with_database();
    play(&mut model, "h8 i9");
    let node = model.tree.current();
    done(&mut model, put(node, known("l", None, "")));
    // The same position by symmetry.
    model.handle(Command::Go { node: 1 });
    play(&mut model, "g7 h7");
    let shown = done(&mut model, Command::Go { node: 1 });
    let branches = |view: &View| -> Vec<(usize, String)> {
        view.branches.iter().map(|known| (known.node, known.shown.clone())).collect()
    };
    let both = [(2, "l*".to_owned()), (3, "l*".to_owned())];
    assert_eq!(branches(&shown), both);
    // The whole line shown counts, and its branches, even if the position is far back.
    let node = 4;
    done(&mut model, Command::Go { node });
    done(&mut model, put(node, known("w", None, "")));
    let shown = done(&mut model, Command::Go { node: 0 });
    assert_eq!(branches(&shown), [&both[..], &[(4, "w*".to_owned())]].concat());
    // On another line that branch is not listed.
    let shown = done(&mut model, Command::Go { node: 2 });
    assert_eq!(branches(&shown), both);
    // A line that is added while the position stays is listed too.
    done(&mut model, Command::Go { node: 1 });
    let cells = vec![Cell::new(8, 8)];
    let shown = done(&mut model, Command::Follow { node: 1, cells, stay: true });
    assert!(branches(&shown).contains(&(5, "l*".to_owned())), "{shown:?}");
    assert_eq!(branches(&done(&mut model, Command::CloseDatabase {})), []);
}

#[test]
fn unchanged_fields_of_a_record_stay() {
    let (mut model, _folder) = with_database();
    play(&mut model, "h8");
    let node = model.tree.current();
    let record = Known { depth: 12, ..known("", Some(55), "") };
    done(&mut model, put(node, record.clone()));
    done(&mut model, Command::SetPointText { node, cell: Cell::new(0, 0), text: "x".into() });
    let (seen, record) = (Some(record), known("", Some(55), "new"));
    let shown = done(&mut model, Command::SetRecord { node, record, seen });
    let here = shown.here.unwrap();
    assert_eq!((here.value, here.depth, here.comment.as_str()), (Some(55), 12, "new"));
    assert!(shown.moves.iter().any(|m| m.text == "x"));
    // Removes the value.
    let (seen, record) = (Some(here), known("!", None, "new"));
    let shown = done(&mut model, Command::SetRecord { node, record, seen });
    let here = shown.here.unwrap();
    assert_eq!((here.label.as_str(), here.value, here.bound.as_str()), ("!", None, ""));
    let shown = done(&mut model, Command::ForgetRecord { node });
    assert_eq!((shown.here, shown.records), (None, 0));
    assert!(
        refusal(&model.handle(Command::ForgetRecord { node })).unwrap().contains("has no record")
    );
}

/// Regression: an older form replaced the record by what it showed.
#[test]
fn changes_of_another_page_stay() {
    let (mut model, _folder) = with_database();
    play(&mut model, "h8");
    let node = model.tree.current();
    done(&mut model, put(node, known("w", Some(7), "")));
    let shown = done(&mut model, put(node, known("", None, "why")));
    let here = shown.here.unwrap();
    assert_eq!((&*here.label, here.value, &*here.comment), ("w", Some(7), "why"));
    // Fields that the page has seen can be removed.
    let (seen, record) = (Some(here), known("", None, "why"));
    let shown = done(&mut model, Command::SetRecord { node, record, seen });
    let here = shown.here.unwrap();
    assert_eq!((&*here.label, here.value, &*here.comment), ("", None, "why"));
}

#[test]
fn changes_outlast_a_program_that_is_killed() {
    let (mut model, folder) = with_database();
    play(&mut model, "h8");
    let node = model.tree.current();
    done(&mut model, put(node, known("d", None, "kept")));
    // Like a killed program: nothing is saved or closed.
    std::mem::forget(model);
    let copy = tempfile::tempdir().unwrap();
    for name in ["a.db", "a.db.journal"] {
        let from = folder.path().join(name);
        if from.exists() {
            std::fs::copy(from, copy.path().join(name)).unwrap();
        }
    }
    let mut model = with(of_game("freestyle", "free"), copy.path());
    let events = model.handle(Command::OpenDatabase { name: "a.db".into(), new: false });
    let has_message = events
        .iter()
        .any(|event| matches!(event, Event::Message { text } if text.contains("unsaved changes")));
    assert!(has_message, "{events:?}");
    play(&mut model, "h8");
    let Event::Database(shown) = model.database_view() else { panic!() };
    assert_eq!(shown.here.unwrap().comment, "kept");
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let (mut model, folder) = with_database();
    play(&mut model, "h8");
    let node = model.tree.current();
    let cell = Cell::new(20, 20);
    for (command, words) in [
        (put(node, known("win", None, "")), "one letter"),
        (put(node, known("é", None, "")), "one letter"),
        (put(node, known("", None, &"x".repeat(30_000))), "at most 20000"),
        (Command::SetPointText { node, cell, text: "a".into() }, "outside the board"),
        (
            Command::SetPointText { node, cell: Cell::new(0, 0), text: "a".repeat(300) },
            "at most 200",
        ),
    ] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains(words), "{events:?}");
    }
    let Event::Database(shown) = model.database_view() else { panic!() };
    assert_eq!((shown.records, shown.unsaved), (0, false));
    // A file that is no database: the open database stays.
    std::fs::write(folder.path().join("b.db"), "no database at all, but a text").unwrap();
    let events = model.handle(Command::OpenDatabase { name: "b.db".into(), new: false });
    assert!(refusal(&events).unwrap().contains("Not a database"), "{events:?}");
    let Event::Database(shown) = model.database_view() else { panic!() };
    assert_eq!(shown.name.as_deref(), Some("a.db"));
    done(&mut model, Command::CloseDatabase {});
    for command in [
        Command::CloseDatabase {},
        Command::SaveDatabase {},
        Command::ForgetRecord { node },
        put(node, known("w", None, "")),
    ] {
        let events = model.handle(command);
        assert_eq!(refusal(&events), Some("No database is open."));
    }
}

/// Regression: a change was refused if the engine had played while it was typed.
#[test]
fn a_change_applies_to_its_position_whatever_is_shown() {
    let (mut model, _folder) = with_database();
    play(&mut model, "h8");
    let node = model.tree.current();
    play(&mut model, "i9");
    let cell = Cell::new(0, 0);
    let shown = done(&mut model, put(node, known("w", None, "why")));
    assert_eq!((shown.node, shown.here, shown.records), (2, None, 1));
    done(&mut model, Command::SetPointText { node, cell, text: "a".into() });
    let shown = done(&mut model, Command::Go { node });
    assert!(shown.moves.iter().any(|m| m.cell == cell && m.text == "a"), "{shown:?}");
    let here = shown.here.unwrap();
    assert_eq!((&*here.label, &*here.comment), ("w", "why"));
    done(&mut model, Command::Redo {});
    assert_eq!(done(&mut model, Command::ForgetRecord { node }).records, 0);
    let events = model.handle(put(9, known("w", None, "")));
    assert_eq!(refusal(&events), Some("That position is not in the tree."));
}

#[test]
fn other_games_have_no_records() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = with(of_game("pente", "free"), folder.path());
    let shown = done(&mut model, Command::OpenDatabase { name: "a.db".into(), new: true });
    assert!(shown.foreign.contains("not of pente"), "{shown:?}");
    let node = model.tree.current();
    let events = model.handle(put(node, known("w", None, "")));
    assert!(refusal(&events).unwrap().contains("not of pente"), "{events:?}");
}

#[test]
fn without_a_folder_the_refusal_names_the_program() {
    let mut model = model().0;
    for command in
        [Command::Databases {}, Command::OpenDatabase { name: "a.db".into(), new: false }]
    {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains("--folder"), "{events:?}");
    }
}

/// The first change recovers what a killed program has left in the journal.
#[test]
fn changes_of_a_killed_program_are_reported_when_found() {
    let (mut model, folder) = with_database();
    play(&mut model, "h8 i9");
    let mut killed = Database::open(&folder.path().join("a.db")).unwrap().0;
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let key = Place::after(setup, &[Some(Cell::new(3, 3))]).unwrap().key().unwrap();
    killed.set(&key, &Record { label: Label::WIN, ..Record::default() }).unwrap();
    // Like a kill: the lock is released, the file stays.
    killed.set_read_only();
    drop(killed);
    let node = model.tree.current();
    let events = model.handle(put(node, known("w", None, "")));
    let found = "a.db: unsaved changes recovered from an earlier run: 1.";
    let is_found = |event: &Event| matches!(event, Event::Message { text } if text == found);
    assert_eq!(events.iter().filter(|event| is_found(event)).count(), 1, "{events:?}");
    assert_eq!(view(&events).records, 2);
}

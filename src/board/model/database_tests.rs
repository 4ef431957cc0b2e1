use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::tests::{model, of_game, play, refusal};
use super::*;
use crate::schema::{Database as View, Known};
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};
use goren_database::{Database, Key, Label, Place, Record, Store};

/// A folder with databases, without what the server sees to.
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

    fn take_found(&mut self) -> Vec<String> {
        self.0.take_found()
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

/// A game of freestyle between people, with an empty database.
fn begun() -> (Model, TempDir) {
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

/// Puts what is known in where nothing was.
fn put(node: usize, record: Known) -> Command {
    Command::SetRecord { node, record, seen: None }
}

#[test]
fn what_is_put_in_is_shown_on_the_board_and_saved() {
    let (mut model, folder) = begun();
    play(&mut model, "h8 i9");
    let node = model.tree.current();
    let record = known("W", Some(-29_993), "a win\nin two lines");
    let reported = done(&mut model, put(node, record));
    assert!(reported.unsaved && reported.records == 1, "{reported:?}");
    let here = reported.here.unwrap();
    assert_eq!(
        (here.label.as_str(), here.value, here.bound.as_str()),
        ("w", Some(-29_993), "exact")
    );
    assert_eq!(here.comment, "a win\nin two lines");
    assert_eq!(reported.mover, Color::White);
    // In the position before it stands on the board.
    let reported = view(&model.handle(Command::Undo {}));
    assert_eq!(reported.here, None);
    // By symmetry in four places.
    assert_eq!(reported.moves.len(), 4);
    let m = reported.moves.iter().find(|m| m.cell == Cell::new(8, 6)).unwrap();
    assert_eq!((m.shown.as_str(), m.text.as_str(), m.commented), ("w8", "", true));
    // A text on a point, of a position that is symmetric: on all of its places it is one.
    let node = model.tree.current();
    let (cell, text) = (Cell::new(8, 7), "A b".to_owned());
    let reported = done(&mut model, Command::SetPointText { node, cell, text });
    assert!(reported.moves.iter().any(|m| m.cell == cell && m.text == "Ab"), "{reported:?}");
    let reported = done(
        &mut model,
        Command::SetPointText { node, cell: Cell::new(6, 7), text: String::new() },
    );
    assert!(reported.moves.iter().all(|m| m.text.is_empty()), "{reported:?}");
    let reported = done(&mut model, Command::SaveDatabase {});
    assert!(!reported.unsaved);
    let (read, report) = Database::open(&folder.path().join("a.db")).unwrap();
    assert_eq!((read.store().len(), report.faults, report.recovered), (2, 0, 0));
}

#[test]
fn what_is_known_of_branches_is_told_beside_the_tree() {
    let (mut model, _folder) = begun();
    play(&mut model, "h8 i9");
    let node = model.tree.current();
    done(&mut model, put(node, known("l", None, "")));
    // By symmetry it is the same position.
    model.handle(Command::Go { node: 1 });
    play(&mut model, "g7 h7");
    let reported = done(&mut model, Command::Go { node: 1 });
    let branches = |view: &View| -> Vec<(usize, String)> {
        view.branches.iter().map(|known| (known.node, known.shown.clone())).collect()
    };
    let both = [(2, "l*".to_owned()), (3, "l*".to_owned())];
    assert_eq!(branches(&reported), both);
    // Of the line that is shown, however far back the position is, and of what branches off.
    let node = 4;
    done(&mut model, Command::Go { node });
    done(&mut model, put(node, known("w", None, "")));
    let reported = done(&mut model, Command::Go { node: 0 });
    assert_eq!(branches(&reported), [&both[..], &[(4, "w*".to_owned())]].concat());
    // Another line leaves that one out.
    let reported = done(&mut model, Command::Go { node: 2 });
    assert_eq!(branches(&reported), both);
    // So is a line that is added while the position shown stays.
    done(&mut model, Command::Go { node: 1 });
    let cells = vec![Cell::new(8, 8)];
    let reported = done(&mut model, Command::Follow { node: 1, cells, stay: true });
    assert!(branches(&reported).contains(&(5, "l*".to_owned())), "{reported:?}");
    assert_eq!(branches(&done(&mut model, Command::CloseDatabase {})), []);
}

#[test]
fn what_is_not_said_stays_as_it_is() {
    let (mut model, _folder) = begun();
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
    // No value any more.
    let (seen, record) = (Some(here), known("!", None, "new"));
    let shown = done(&mut model, Command::SetRecord { node, record, seen });
    let here = shown.here.unwrap();
    assert_eq!((here.label.as_str(), here.value, here.bound.as_str()), ("!", None, ""));
    let shown = done(&mut model, Command::ForgetRecord { node });
    assert_eq!((shown.here, shown.records), (None, 0));
    assert!(
        refusal(&model.handle(Command::ForgetRecord { node })).unwrap().contains("knows nothing")
    );
}

/// A form that was made before replaced it by what it showed.
#[test]
fn what_another_page_has_filed_meanwhile_stays() {
    let (mut model, _folder) = begun();
    play(&mut model, "h8");
    let node = model.tree.current();
    done(&mut model, put(node, known("w", Some(7), "")));
    let reported = done(&mut model, put(node, known("", None, "why")));
    let here = reported.here.unwrap();
    assert_eq!((&*here.label, here.value, &*here.comment), ("w", Some(7), "why"));
    // What is taken out where it was seen goes.
    let (seen, record) = (Some(here), known("", None, "why"));
    let reported = done(&mut model, Command::SetRecord { node, record, seen });
    let here = reported.here.unwrap();
    assert_eq!((&*here.label, here.value, &*here.comment), ("", None, "why"));
}

#[test]
fn changes_outlast_a_program_that_is_killed() {
    let (mut model, folder) = begun();
    play(&mut model, "h8");
    let node = model.tree.current();
    done(&mut model, put(node, known("d", None, "kept")));
    // As of a program that is killed: nothing is saved or closed.
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
    let reported = events
        .iter()
        .any(|event| matches!(event, Event::Message { text } if text.contains("unsaved changes")));
    assert!(reported, "{events:?}");
    play(&mut model, "h8");
    let Event::Database(shown) = model.database_view() else { panic!() };
    assert_eq!(shown.here.unwrap().comment, "kept");
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let (mut model, folder) = begun();
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
    // A file of something else: the open one stays.
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

/// While it was typed the engine has played: it was refused.
#[test]
fn a_change_goes_to_its_position_whatever_is_shown() {
    let (mut model, _folder) = begun();
    play(&mut model, "h8");
    let node = model.tree.current();
    play(&mut model, "i9");
    let cell = Cell::new(0, 0);
    let reported = done(&mut model, put(node, known("w", None, "why")));
    assert_eq!((reported.node, reported.here, reported.records), (2, None, 1));
    done(&mut model, Command::SetPointText { node, cell, text: "a".into() });
    let reported = done(&mut model, Command::Go { node });
    assert!(reported.moves.iter().any(|m| m.cell == cell && m.text == "a"), "{reported:?}");
    let here = reported.here.unwrap();
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
    let reported = done(&mut model, Command::OpenDatabase { name: "a.db".into(), new: true });
    assert!(reported.foreign.contains("not of pente"), "{reported:?}");
    let node = model.tree.current();
    let events = model.handle(put(node, known("w", None, "")));
    assert!(refusal(&events).unwrap().contains("not of pente"), "{events:?}");
}

#[test]
fn without_a_folder_the_program_is_named() {
    let mut model = model().0;
    for command in
        [Command::Databases {}, Command::OpenDatabase { name: "a.db".into(), new: false }]
    {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains("--folder"), "{events:?}");
    }
}

/// The first change takes over what a killed program has left in the journal.
#[test]
fn changes_of_a_killed_program_are_told_when_they_are_found() {
    let (mut model, folder) = begun();
    play(&mut model, "h8 i9");
    let mut killed = Database::open(&folder.path().join("a.db")).unwrap().0;
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let key = Place::after(setup, &[Some(Cell::new(3, 3))]).unwrap().key().unwrap();
    killed.set(&key, &Record { label: Label::WIN, ..Record::default() }).unwrap();
    // As a kill leaves it: the lock goes, the file stays.
    killed.set_read_only();
    drop(killed);
    let node = model.tree.current();
    let events = model.handle(put(node, known("w", None, "")));
    let found = "a.db: unsaved changes recovered from an earlier run: 1.";
    let reported = |event: &Event| matches!(event, Event::Message { text } if text == found);
    assert_eq!(events.iter().filter(|event| reported(event)).count(), 1, "{events:?}");
    assert_eq!(view(&events).records, 2);
}

//! Trees by name.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use super::*;

const LINES: &str = "
# what there is
one-15x15  freestyle 15x15 h8  black white 39 00000000 10 4  # not the sum
two-15x15  standard  15x15 h8  black white 39 00000000 10 4
more-15x15 STANDARD  15x15 -   white black 39 00000000 10 4
";

/// Returns a folder with an index, and its trees.
fn named(index: &str) -> (TempDir, NamedTrees) {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("index.txt"), index).unwrap();
    let named = NamedTrees::locate(Some(folder.path()));
    (folder, named)
}

/// Returns a packed file without parts: a head and two bytes.
fn packed(rule: RuleId) -> Vec<u8> {
    let setup = Setup::new(rule, 15, 15).unwrap();
    let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
    let head = head(Form::Packed, &Claim { setup, attacker: Color::Black, root });
    [&head[..], &[0, 0]].concat()
}

/// Returns the index of one tree with these bytes.
fn index(bytes: &[u8]) -> String {
    let (length, sum) = (bytes.len(), crc32fast::hash(bytes));
    format!("one-15x15 freestyle 15x15 h8 black white {length} {sum:08x} 10 4\n")
}

fn error_text<T: std::fmt::Debug>(found: Result<T, NameError>) -> String {
    found.unwrap_err().to_string()
}

#[test]
fn a_name_is_that_of_a_tree_or_of_a_rule_with_one_tree() {
    let (folder, named) = named(LINES);
    let entries = named.entries().unwrap();
    let names: Vec<&str> = entries.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!(names, ["one-15x15", "two-15x15", "more-15x15"]);
    assert_eq!(entries[2].game(), ["standard", "15x15", "-"]);
    assert_eq!(entries[2].winner(), ["white", "black"]);
    assert_eq!((entries[0].bytes, entries[0].answers, entries[0].moves), (39, 10, 4));
    // The files do not exist, so the errors name their paths.
    for (name, of) in [("one-15x15", "one"), ("ONE-15X15", "one"), ("freestyle", "one")] {
        let path = folder.path().join(format!("{of}-15x15.packed"));
        let error = error_text(named.packed(name));
        assert!(error.starts_with(&path.display().to_string()), "{name}: {error}");
    }
    for name in ["standard", "renju", "one", ""] {
        let error = error_text(named.packed(name));
        let names = "there are one-15x15, two-15x15, more-15x15";
        assert_eq!(error, format!("no winning tree is called {name}; {names}"));
    }
    let error = error_text(named.table("one-15x15"));
    assert!(error.contains("goren merge ") && error.contains("one-15x15.tree"), "{error}");
    for (text, is) in [("renju-15x15", true), ("a.tree", false), ("a/b", false), ("", false)] {
        assert_eq!(is_name(text), is, "{text}");
    }
}

#[test]
fn an_invalid_index_line_is_reported_by_number() {
    for line in
        ["x", "a/b f 15x15 h8 b w 1 0 1 1", "a f 15x15 h8 b w -1 0 1 1", "a f 1 h b w 1 z 1 1"]
    {
        let (_folder, named) = named(&format!("# first\n{line}\n"));
        let error = error_text(named.entries());
        assert!(error.contains("index.txt: line 2 "), "{error}");
    }
    let error = error_text(NamedTrees::locate(Some(Path::new("/nowhere/at/all"))).entries());
    assert!(error.contains("index.txt"), "{error}");
}

#[test]
fn a_file_that_differs_from_the_index_is_refused_by_name() {
    let whole = packed(RuleId::Freestyle);
    let (folder, named) = named(&index(&whole));
    let path = folder.path().join("one-15x15.packed");
    fs::write(&path, &whole).unwrap();
    assert_eq!(named.packed("one-15x15").unwrap(), path);
    let mut last = whole.clone();
    *last.last_mut().unwrap() ^= 1;
    for (bytes, why) in [
        (packed(RuleId::Standard), "about standard 15x15 h8 black white, but the index says free"),
        (whole[..whole.len() - 1].to_vec(), "it was cut short or overwritten"),
        ([&whole[..], &[0]].concat(), "it was cut short or overwritten"),
        (last, "its checksum is "),
        (whole[..20].to_vec(), "its head is cut short"),
        (b"something else".to_vec(), "does not begin like one"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = error_text(named.packed("one-15x15"));
        assert!(error.contains(why) && error.contains("one-15x15.packed"), "{error}");
    }
    // Only the claim of a table is compared, as many tables can be made from a tree.
    let table = folder.path().join("one-15x15.tree");
    for (rule, fits) in [(RuleId::Freestyle, true), (RuleId::Standard, false)] {
        let bytes = packed(rule);
        let (claim, _) = read_head(Form::Packed, &bytes).unwrap();
        let mut bytes = Vec::new();
        write(&Proof::new(claim), &mut bytes).unwrap();
        fs::write(&table, bytes).unwrap();
        let found = named.table("freestyle");
        assert_eq!(found.is_ok(), fits, "{found:?}");
    }
}

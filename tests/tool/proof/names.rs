//! Shipped trees by their names.

use std::fs;
use std::path::Path;

use crate::support::{files, goren, has, text};

/// The folder of the shipped trees.
fn shipped() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../proof/trees").display().to_string()
}

/// A folder with these small trees and an index of them.
fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    let mut index = String::new();
    for name in names {
        let bytes = fs::read(small.join(format!("{name}.packed"))).unwrap();
        let (length, sum) = (bytes.len(), crc32fast::hash(&bytes));
        let opening = "h8a1i9b1h9a15";
        index +=
            &format!("{name}-small {name} 15x15 {opening} black black {length} {sum:x} 89 15\n");
        fs::write(folder.path().join(format!("{name}-small.packed")), bytes).unwrap();
    }
    fs::write(folder.path().join("index.txt"), index).unwrap();
    folder
}

#[test]
fn the_shipped_trees_match_their_index() {
    let list = goren(&["check", "--list", "--no-count", "--trees", &shipped()]);
    let printed = text(&list);
    assert!(list.status.success(), "{printed}");
    for (name, moves) in
        [("freestyle", 22_561_610), ("standard", 21_798_868), ("renju", 41_737_741)]
    {
        let row = printed.lines().find(|line| line.starts_with(&format!("{name}-15x15 ")));
        let words: Vec<&str> = row.unwrap().split_whitespace().collect();
        assert_eq!(words[1..4], [name, "15x15", "h8"]);
        assert_eq!(words[4..9], ["black", "wins,", "white", "to", "move"]);
        assert_eq!(words[9], moves.to_string());
        assert_eq!(words[11..], ["ok"]);
    }
}

#[test]
fn a_tree_is_checked_walked_and_merged_by_its_name() {
    let folder = folder(&["standard", "renju"]);
    let trees = folder.path().display().to_string();
    for name in ["standard-small", "standard", "renju"] {
        let check = goren(&["check", name, "--trees", &trees]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
    }
    let walk = goren(&["walk", "standard", "--trees", &trees]);
    let claim = "standard on 15x15: the tree claims that Black wins;";
    assert!(text(&walk).contains(claim), "{}", text(&walk));
    // An argument that is neither a file nor a name may have been meant as either.
    for command in ["check", "walk"] {
        let printed = text(&goren(&[command, "nothing", "--trees", &trees]));
        assert!(printed.contains("there is no file nothing, and no winning tree"), "{printed}");
    }
    let (_folder, [table]) = files();
    let merge = goren(&["merge", &table, "standard", "--trees", &trees]);
    assert!(merge.status.success(), "{}", text(&merge));
    // The walk takes a table in place of the packed tree.
    fs::copy(&table, folder.path().join("standard-small.tree")).unwrap();
    fs::remove_file(folder.path().join("standard-small.packed")).unwrap();
    let walk = goren(&["walk", "standard", "--trees", &trees]);
    assert!(has(&walk, "Black: h7"), "{}", text(&walk));
    // Without --no-count the moves are counted in the files.
    let list = goren(&["check", "--list", "--trees", &trees]);
    assert!(!list.status.success() && text(&list).contains("WRONG"), "{}", text(&list));
    assert!(text(&list).contains("but the index says 89 and 15"), "of renju: {}", text(&list));
}

#[test]
fn names_without_a_usable_tree_are_refused() {
    let folder = folder(&["standard", "renju"]);
    let trees = folder.path().display().to_string();
    let names = "there are standard-small, renju-small";
    let refused = |why: &str, name: &str| {
        for command in ["check", "walk"] {
            let output = goren(&[command, name, "--trees", &trees]);
            let printed = text(&output);
            assert!(
                !output.status.success() && printed.contains(why),
                "{command} {name}: {printed}"
            );
        }
    };
    refused(names, "caro");
    refused(names, "renju-15x15");
    let file = folder.path().join("standard-small.packed");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    refused("it was cut short or overwritten", "standard");
    // The option's former name still works.
    let list = goren(&["check", "--quick", "--list", "--trees", &trees]);
    assert!(!list.status.success() && text(&list).contains("WRONG"), "{}", text(&list));
    // Another rule, with a corrected checksum.
    let body = [&[9], &b"freestyle"[..], &whole[25..49]].concat();
    let (length, sum) = ((body.len() as u32).to_le_bytes(), crc32fast::hash(&body).to_le_bytes());
    fs::write(&file, [&whole[..8], &length, &sum, &body, &whole[49..]].concat()).unwrap();
    refused("it is about freestyle 15x15", "standard");
    let none = goren(&["check", "renju", "--trees", "/nowhere/at/all"]);
    assert!(!none.status.success() && text(&none).contains("index.txt"), "{}", text(&none));
    // A path stays a path.
    let path = goren(&["check", "./renju", "--trees", &trees]);
    assert!(!path.status.success() && text(&path).contains("./renju"), "{}", text(&path));
    let quick = goren(&["check", "renju", "--quick", "--trees", &trees]);
    assert!(!quick.status.success() && text(&quick).contains("--quick needs"), "{}", text(&quick));
}

//! Commands check their output paths before the work begins.

use std::fs;

use super::{Folder, done, refused};

/// A time limit that a test would notice if the search began before the check.
const LONG: [&str; 2] = ["--time", "3600"];

#[test]
fn unwritable_outputs_are_refused_before_the_work() {
    let folder = Folder::new();
    let here = folder.0.path().to_str().unwrap();
    let (nowhere, file) = (folder.path("no/out"), folder.file("notes", "my only notes\n"));
    let below = folder.path("notes/out");
    let records = folder.path("records.db");
    done(&["db", "sample", &records, "--records", "5", "--stones", "5"]);
    let games = folder.path("some.games");
    done(&["selfplay", "--games", "1", "--nodes", "20", "--out", &games]);
    let solve = ["solve", "--memory", "16", LONG[0], LONG[1], "--proof"];
    let tree = ["prove", "--memory", "16", LONG[0], LONG[1]];
    for (args, missing) in [
        (&[&solve[..], &["OUT", "h8"]].concat()[..], "there is no folder"),
        (&[&tree[..], &["OUT", "h8"]].concat(), "there is no folder"),
        (&["tune", "--game", "freestyle", &games, "--out", "OUT"], "there is no folder"),
        (&["openings", "--count", "9", "--out", "OUT"], "there is no folder"),
        (&["selfplay", "--positions", "1000000000", "--out", "OUT"], "there is no folder"),
        (&["data", "export", &games, "--out", "OUT"], "there is no folder"),
        (&["db", "export", &records, "OUT"], "there is no folder"),
        (&["db", "to-lib", &records, "OUT"], "there is no folder"),
        (&["db", "sample", "OUT", "--records", "5"], "there is no folder"),
        (&["db", "check", &records, "--repair", "OUT"], "there is no folder"),
        (&["db", "merge", "OUT", &records], "there is no folder"),
        (&["db", "learn", "OUT", &games], "there is no folder"),
        (&["merge", "OUT", &games], "there is no folder"),
    ] {
        let with = |out: &str| -> Vec<String> {
            args.iter().map(|word| word.replace("OUT", out)).collect()
        };
        let is_refused = |out: &str, why: &str| {
            let args = with(out);
            refused(&args.iter().map(String::as_str).collect::<Vec<_>>(), why);
        };
        is_refused(&nowhere, missing);
        is_refused(&below, missing);
        if args[..2] != ["db", "sample"] && args[..2] != ["db", "check"] {
            is_refused(here, "is a folder");
        }
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "my only notes\n");
}

#[test]
fn wrong_forms_of_pictures_are_refused_before_the_work() {
    let folder = Folder::new();
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh];W[ii])");
    let [form, text] = ["lost.gif", "lost"].map(|name| folder.path(name));
    for (option, path, why) in [
        ("--board", &form, "must end in .svg or .png"),
        ("--board", &text, "must end in .svg or .png"),
        ("--svg", &form, "--svg needs a name that ends in .svg"),
    ] {
        refused(&["review", LONG[0], LONG[1], option, path, &game], why);
    }
}

#[test]
fn a_write_protected_tree_is_refused_before_the_search() {
    let folder = Folder::new();
    let tree = folder.path("win.tree");
    let win = "h8a1i8a3j8a5h9a7h10a9";
    let solve = ["solve", "--goal", "vcf", "--memory", "16", "--proof", &tree, win];
    done(&solve);
    let mut rights = fs::metadata(&tree).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&tree, rights).unwrap();
    refused(&solve, "is write-protected");
    refused(&["prove", &tree, "--memory", "16", win], "is write-protected");
}

/// Making openings takes long, and the engines start only after that.
#[test]
fn a_match_checks_its_folder_before_it_makes_openings() {
    let folder = Folder::new();
    let file = folder.file("notes", "my only notes\n");
    let run = ["match", "-e", "name=a cmd=/no/engine", "-e", "name=b cmd=/no/engine", "--games"];
    let openings = ["100000", "--nodes", "9", "--balanced-openings", "50000", "--out"];
    let with = |out: &str, why: &str| refused(&[&run[..], &openings, &[out]].concat(), why);
    with(&file, "is a file: a folder is needed");
    with(&folder.path("notes/inner"), "is a file: a folder is needed");
    // The folder has a file of the user, or another match.
    let sgf = folder.file("games.sgf", "(;GM[4]B[hh])");
    with(folder.0.path().to_str().unwrap(), "already has games.sgf, but no match");
    fs::remove_file(sgf).unwrap();
    folder.file("games.jsonl", "{}\n");
    with(folder.0.path().to_str().unwrap(), "holds a match already; continue it with --resume");
}

//! The command-line tool and people's files: what is there stays, and what is
//! wrong with it is told.

mod forms;
mod outputs;

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};

/// A folder that vanishes with it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    /// The path of a file in it.
    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// A file with a text.
    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }
}

/// Whether it succeeds, and what it says.
fn goren(args: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_goren")).args(args).output().unwrap();
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.success(), String::from_utf8(all).unwrap())
}

/// It must fail and say this.
fn refused(args: &[&str], why: &str) {
    let (done, said) = goren(args);
    assert!(!done && said.contains(why), "{args:?}: {said}");
}

/// It must succeed; what it says.
fn done(args: &[&str]) -> String {
    let (done, said) = goren(args);
    assert!(done, "{args:?}: {said}");
    said
}

#[test]
fn results_do_not_go_where_the_input_is() {
    let folder = Folder::new();
    let moves = "(;GM[4]SZ[15];B[hh];W[ii])";
    let game = folder.file("game.sgf", moves);
    let [svg, png] = ["game.svg", "game.png"].map(|name| folder.file(name, moves));
    let puzzle = r#"{"rule":"freestyle","size":15,"pos":"h8i9","result":"win","plies":9,"tier":1}"#;
    let puzzles = folder.file("puzzles.jsonl", &format!("{puzzle}\n"));
    let openings = folder.file("openings.txt", "h8i9j8\n");
    let data = folder.file("games.bin", "games");
    let records = folder.path("records.db");
    done(&["db", "sample", &records, "--records", "5", "--stones", "5"]);
    let is_read = "is also an input; give the output another name";
    for args in [
        &["analyze", "--nodes", "50", "--svg", &svg, &svg][..],
        &["review", "--nodes", "50", "--board", &game, &game],
        &["threats", "--png", &png, &png],
        &["suite", "--nodes", "50", "--json", &puzzles, &puzzles],
        &["openings", "--count", "1", "--nodes", "50", "--exclude", &openings, "--out", &openings],
        &["db", "export", &records, &records],
        &["db", "to-lib", &records, &records],
        &["tune", "--game", "freestyle", &data, "--out", &data],
        &["tune", "--game", "pente", &data, "--out", &data],
    ] {
        let files = [&game, &svg, &png, &puzzles, &openings, &data, &records];
        let before = files.map(|file| fs::read(file).unwrap());
        refused(args, is_read);
        assert_eq!(files.map(|file| fs::read(file).unwrap()), before, "{args:?}");
    }
    refused(&["tune", "--game", "pente", &data, "--out", &folder.path("no/file")], "no folder");
    refused(&["review", "--nodes", "9", "--board", &folder.path("a.txt"), &game], ".svg or .png");
}

#[test]
fn what_holds_something_else_is_not_overwritten() {
    let folder = Folder::new();
    let notes = "my only notes, no newline at the end";
    let file = folder.file("notes.txt", notes);
    let is_kept = |args: &[&str], why: &str| {
        refused(args, why);
        assert_eq!(fs::read_to_string(&file).unwrap(), notes, "{args:?}");
    };
    is_kept(
        &["selfplay", "--game", "pente", "--out", &file, "--games", "1", "--nodes", "20"],
        "does not begin as a run",
    );
    let empty = ["--nodes", "20", "--min-stones", "0", "--max-stones", "0", "--out", &file];
    is_kept(&[&["openings", "--count", "9"][..], &empty].concat(), "holds something else");
    let none = ["openings", "--count", "9", "--nodes", "20", "--min-stones", "0"];
    is_kept(
        &[&none[..], &["--max-stones", "0", "--scores", &file]].concat(),
        "holds something else",
    );
    // Openings stay until there is one to write.
    let openings = folder.file("openings.txt", "h8i9j8\n");
    let none = [&none[..], &["--max-stones", "0", "--out", &openings]].concat();
    refused(&none, "only 0 different balanced openings");
    assert_eq!(fs::read_to_string(&openings).unwrap(), "h8i9j8\n");
    done(&["openings", "--count", "1", "--nodes", "50", "--max-score", "500", "--out", &openings]);
    assert!(fs::read_to_string(&openings).unwrap().starts_with("# goren openings 2"));
    let win = "h8a1i8a3j8a5h9a7h10a9";
    let solve = ["solve", "--goal", "vcf", "--memory", "16", "--proof"];
    let (one, other) = (folder.path("one.tree"), folder.path("other.tree"));
    done(&[&solve[..], &[&one, win]].concat());
    done(&[&solve[..], &[&other, "--rule", "standard", win]].concat());
    // About the same it may be written anew.
    done(&[&solve[..], &[&one, win]].concat());
    is_kept(&[&solve[..], &[&file, win]].concat(), "holds something else");
    is_kept(&["check", &one, "--pack", &file], "holds something else");
    is_kept(&["check", &one, "--statistics", "--plot", &file], "--plot writes a file .svg");
    is_kept(&["merge", &file, &one], "winning tree");
    refused(&["merge", &folder.path("new"), &file], "merge does not join such files");
    let trees = [&one, &other].map(|tree| fs::read(tree).unwrap());
    refused(&["check", &one, "--pack", &other], "holds something else");
    refused(&["merge", &other, &one], "another position or rule");
    assert_eq!([&one, &other].map(|tree| fs::read(tree).unwrap()), trees);
    done(&["merge", &one, &one]);
    // Another run works on it.
    let busy = fs::File::open(&one).unwrap();
    busy.lock().unwrap();
    refused(&["merge", &one, &one], "in use by another run");
    drop(busy);
    assert_eq!(fs::read(&one).unwrap(), trees[0]);
}

/// A game that somebody keeps under the name that is given for a result.
#[test]
fn results_replace_only_what_is_of_their_kind() {
    let folder = Folder::new();
    let game = "(;GM[4]SZ[15];B[hh];W[ii])";
    let (file, svg) = (folder.file("game", game), folder.file("game.svg", game));
    folder.file("loss-order.svg", game);
    let (records, games) = (folder.path("records.db"), folder.path("some.games"));
    done(&["db", "sample", &records, "--records", "5", "--stones", "5"]);
    done(&["selfplay", "--games", "1", "--nodes", "20", "--out", &games]);
    let (loss, weights) = (folder.path("loss.svg"), folder.path("weights"));
    let tune = ["tune", "--game", "freestyle", &games, "--out"];
    let win = "h8a1i8a3j8a5h9a7h10a9";
    let tree = folder.path("one.tree");
    done(&["solve", "--goal", "vcf", "--memory", "16", "--proof", &tree, win]);
    for args in [
        &[&tune[..], &[&file]].concat()[..],
        &[&tune[..], &[&weights, "--plot", &svg]].concat(),
        &[&tune[..], &[&weights, "--plot", &loss]].concat(),
        &["db", "export", &records, &file],
        &["db", "export", &records, &games],
        &["db", "to-lib", &records, &file],
        &["data", "export", &games, "--out", &records],
        &["check", &tree, "--statistics", "--plot", &svg],
        &["analyze", "--nodes", "50", "--svg", &svg, "h8"],
        &["review", "--nodes", "50", "--board", &svg, "h8i9"],
    ] {
        let files = ["game", "game.svg", "loss-order.svg", "records.db", "some.games"];
        let before = files.map(|name| fs::read(folder.path(name)).unwrap());
        refused(args, "holds something else");
        assert_eq!(files.map(|name| fs::read(folder.path(name)).unwrap()), before, "{args:?}");
    }
    // Its own results are written anew.
    let export = folder.path("records.csv");
    done(&["db", "export", &records, &export]);
    done(&["db", "export", &records, &export]);
    let moves = folder.path("moves.svg");
    for _ in 0..2 {
        done(&["check", &tree, "--statistics", "--plot", &moves]);
    }
}

/// Both would be written, the second over the first.
#[test]
fn two_outputs_do_not_go_to_one_file() {
    let folder = Folder::new();
    let (text, svg) = (folder.path("out.txt"), folder.path("out.svg"));
    let why = "two outputs of a command need different names";
    let openings = ["openings", "--count", "1", "--nodes", "50", "--out", &text, "--scores"];
    refused(&[&openings[..], &[&text]].concat(), why);
    refused(&["review", "--nodes", "50", "--svg", &svg, "--board", &svg, "h8i9"], why);
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0);
}

#[test]
fn a_library_has_the_records_of_one_rule() {
    let folder = Folder::new();
    let (records, library) = (folder.path("records.db"), folder.path("records.lib"));
    done(&["db", "sample", &records, "--records", "40", "--stones", "4", "--rule", "standard"]);
    let old = b"\xffRenLib\xffan old one";
    fs::write(&library, old).unwrap();
    refused(&["db", "to-lib", &records, &library, "--rule", "renju"], "no record is of renju");
    assert_eq!(fs::read(&library).unwrap(), old);
    // Its rule is that of the records; nothing leads from the empty board to them.
    refused(&["db", "to-lib", &records, &library], "no record is of standard");
    refused(
        &["db", "sample", &folder.path("few.db"), "--size", "5", "--stones", "3"],
        "allow more stones",
    );
    assert!(!Path::new(&folder.path("few.db")).exists());
}

#[test]
fn databases_are_merged_with_others_and_counted_in_words() {
    let folder = Folder::new();
    let (records, other) = (folder.path("records.db"), folder.path("other.db"));
    done(&["db", "sample", &records, "--records", "9", "--stones", "5"]);
    let said = done(&["db", "merge", &other, &records]);
    assert!(said.contains("records.db: 9 records; added or changed by them: 9"), "{said}");
    assert!(said.contains("other.db: 9 records now"), "{said}");
    let said = done(&["db", "merge", &other, &records]);
    assert!(said.contains("records.db: 9 records; added or changed by them: 0"), "{said}");
    refused(&["db", "merge", &other, &records, &other], "the database to merge into");
}

#[test]
fn broken_files_and_nonsense_end() {
    let folder = Folder::new();
    let whole =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/gomoku/games.jsonl.gz");
    let whole = fs::read(whole).unwrap();
    let cut = folder.path("cut.jsonl.gz");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let (verified, said) = goren(&["verify", &cut]);
    assert!(!verified, "{said}");
    for time in ["nan", "-1", "inf"] {
        let time = format!("--time={time}");
        refused(&["solve", "--goal", "vct", &time, "h8a1i9b1"], "a number of seconds");
        refused(&["prove", &folder.path("t"), &time, "h8a1i9b1"], "a number of seconds");
    }
    let tree = folder.path("new.tree");
    refused(&["prove", &tree, "--shard", "1/2", "h8a1"], "the attacker is to move");
    assert!(!Path::new(&tree).exists());
    refused(&["list", folder.0.path().to_str().unwrap()], "is a folder");
    refused(&["analyze", "--nodes", "9", "--number", "2", "h8"], "there is 1 game in it");
    refused(&["analyze", "--nodes", "9", "--to-move", "black", "h8"], "it is White's turn");
    done(&["analyze", "--nodes", "9", "--to-move", "white", "h8"]);
    let board = ["--game", "connect6+torus", "--size", "26x5"];
    refused(&[&["analyze"], &board[..]].concat(), "sides are 6 to 26, both alike");
    let falling = ["analyze", "--nodes", "9", "--game", "four-in-a-row", "--size", "5x5"];
    refused(&[&falling[..], &["a", "a", "a", "a", "a", "a"]].concat(), "the column is full");
    refused(&[&falling[..], &["h"]].concat(), "the column is outside the board");
}

/// What has the name of a file or a folder is none of the moves.
#[test]
fn files_and_folders_are_not_read_as_moves() {
    let folder = Folder::new();
    let moves = folder.file("crlf.txt", "h8 i9\r\n");
    let here = folder.0.path().to_str().unwrap();
    refused(&["analyze", "--nodes", "9", here], "is a folder");
    refused(&["analyze", "--nodes", "9", &moves, "h8"], "is a file: give one file, or moves");
    refused(&["analyze", "--nodes", "9", "nosuch.sgf", "h8"], "there is no file nosuch.sgf");
    // Whatever has the name of a move there is one, unless it can be read.
    for name in ["dir", "data", "h8"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let analyze = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
        command.args(["analyze", "--nodes", "9", name]).current_dir(here).output().unwrap()
    };
    for name in ["dir", "data"] {
        let said = String::from_utf8(analyze(name).stderr).unwrap();
        assert!(said.contains(&format!("{name} is a folder")), "{said}");
    }
    assert!(analyze("h8").status.success());
}

/// Who only reads a damaged database keeps nothing beside it; what is repaired is whole.
#[test]
fn a_cut_database_is_read_and_repaired() {
    let folder = Folder::new();
    let (records, cut) = (folder.path("records.db"), folder.path("cut.db"));
    done(&["db", "sample", &records, "--records", "40", "--stones", "5", "--plain"]);
    let whole = fs::read(&records).unwrap();
    fs::write(&cut, &whole[..whole.len() - 5]).unwrap();
    for command in ["stat", "get", "check"] {
        let (whole, said) = goren(&["db", command, &cut]);
        assert!(!whole && said.contains(" records can be read, "), "{command}: {said}");
        assert!(!said.contains("keeps the damaged file"), "{command}: {said}");
    }
    let repaired = folder.path("repaired.db");
    assert!(done(&["db", "check", &cut, "--repair", &repaired]).contains("written to"));
    done(&["db", "check", &repaired]);
    // Nothing but what was made here.
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3);
}

/// What a file is says more than at which byte it is not something else.
#[test]
fn files_of_another_kind_are_called_by_their_names() {
    let folder = Folder::new();
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh];W[ii])");
    let (into, empty) = (folder.path("into.db"), folder.file("empty.db", ""));
    let engines = ["-e", "name=a cmd=x", "-e", "name=b cmd=x", "--nodes", "9", "--games", "2"];
    for args in [
        &["db", "stat", &game][..],
        &["db", "import", &into, &game],
        &["db", "from-lib", &into, &game],
        &["suite", "--nodes", "9", &game],
        &["verify", &game],
        &[&["match"], &engines[..], &["--openings", &game]].concat(),
        &["data", "stat", &game],
        &["check", &game],
        &["analyze", "--weights", &game, "h8"],
        &["board", "--no-open", "--weights", &game],
    ] {
        refused(args, "game.sgf: it is an SGF game: `goren analyze`");
    }
    for command in ["stat", "get", "check"] {
        refused(&["db", command, &empty], "empty.db is empty");
    }
    let vectors =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/own-rules/games.jsonl");
    refused(&["list", vectors.to_str().unwrap()], "it is a file of rule vectors: `goren verify`");
    let (clean, said) = goren(&["verify", &folder.file("words.jsonl", "no record\n")]);
    assert!(!clean && said.contains("1 line is unreadable and not compared."), "{said}");
    assert!(!said.contains("disagreements"), "{said}");
}

#[test]
fn a_file_of_no_training_game_is_empty() {
    let folder = Folder::new();
    let empty = folder.file("empty.games", "");
    refused(&["data", "stat", &empty], "empty.games is empty");
}

/// A board has no moves, and a game may have no puzzle: both are told.
#[test]
fn files_without_a_puzzle_say_so() {
    let folder = Folder::new();
    let board = folder.file("board.txt", ". . . . .\n. X O . .\n. . X . .\n. . O . .\n. . . . .\n");
    refused(&["puzzles", &board], "game 1: not used: file: a board tells no moves");
    refused(&["puzzles", &board], "there is no game that puzzles could be made of");
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh];W[ii])");
    assert!(done(&["puzzles", "--nodes", "50", &game]).contains("0 puzzles of 1 game"));
}

/// Where one of two options is enough, both are named.
#[test]
fn what_is_missing_is_named_with_its_other_choice() {
    for (args, options) in [
        (&["selfplay", "--out", "x"][..], ["--games", "--positions"]),
        (&["match", "-e", "a", "-e", "b"], ["--games", "--sprt"]),
        (&["sprt"], ["--pairs", "--simulate"]),
        (&["puzzles"], ["FILES", "--play"]),
        (&["check"], ["FILES", "--list"]),
    ] {
        let (done, said) = goren(args);
        let missing = said.split("Usage:").next().unwrap();
        assert!(!done && options.iter().all(|option| missing.contains(option)), "{said}");
    }
}

#[test]
fn none_of_anything_is_refused() {
    for args in [
        &["openings", "--count", "0"][..],
        &["perft", "--depth", "0"],
        &["perft", "--random", "0"],
        &["baseline", "--games", "0"],
        &["baseline", "--nodes", "0"],
    ] {
        refused(args, "invalid value '0'");
    }
}

/// Wins by fours are sought until there are none left.
#[test]
fn long_wins_by_fours_are_found() {
    let position = "j10k10i10a7h10i18b7m1d7f11e7i4h17o4g16e17e14r3l2u18k3d25i5w11e11b4c11b21b11m20\
                    h4x7g4s20f4i24p5v18q6w24s8q16e18k14e19c1e21a1s3k18t3w13u3h13";
    let args = ["solve", "--goal", "vcf", "--size", "26", "--memory", "16", position];
    let said = done(&args);
    let nodes = said.lines().find_map(|line| line.strip_prefix("Nodes: ")).unwrap();
    // More than the first look may take.
    assert!(nodes.parse::<u64>().unwrap() > 2_000, "{said}");
}

/// The games of a match are what `review` reads, whatever comes before them.
#[test]
fn the_head_of_a_match_is_no_game_to_review() {
    let folder = Folder::new();
    let head = r#"{"format":"goren match","version":1}"#;
    let game = |moves: &str| {
        format!(
            r#"{{"rule":"freestyle","width":15,"height":15,"black":"a","white":"b","opening":[],"moves":[{moves}],"result":null,"reason":"","round":1}}"#
        )
    };
    let (one, two) = (r#"{"at":"h8","ms":1}"#, r#"{"at":"h8","ms":1},{"at":"i9","ms":1}"#);
    let games = folder.file("games.jsonl", &format!("{head}\n{}\n{}\n", game(one), game(two)));
    let said = done(&["analyze", "--nodes", "9", "--number", "2", &games]);
    assert!(said.contains("(O)"), "{said}");
    done(&["review", "--nodes", "9", &games]);
    refused(&["analyze", "--nodes", "9", "--number", "3", &games], "there are 2 games in it");
}

#[test]
fn a_walk_ends_where_the_tree_has_no_answer() {
    let folder = Folder::new();
    let tree = folder.path("cut.tree");
    let args = ["prove", &tree, "--memory", "16", "--time", "0", "--attacker", "black", "h8"];
    let (proven, said) = goren(&args);
    assert!(!proven, "{said}");
    let (whole, said) = goren(&["walk", &tree, "h9", "g9"]);
    assert!(!whole && said.contains("no answer") && said.contains("Black is to move"), "{said}");
    assert!(said.contains("claims that Black wins"), "{said}");
    assert!(said.contains("The tree is not finished: 35 of 35 replies are open."), "{said}");
    // White does not move twice.
    assert_eq!(said.matches("no answer").count(), 1, "{said}");
}

/// What is skipped or guessed is told, and what is in doubt is refused.
#[test]
fn files_of_others_are_read_or_refused_with_a_reason() {
    let folder = Folder::new();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.0.path().join(name), bytes).unwrap();
        folder.path(name)
    };
    let analyze = ["analyze", "--nodes", "9"];
    let with = |more: &[&str]| -> Vec<String> {
        analyze.iter().chain(more).map(ToString::to_string).collect()
    };
    let run = |more: &[&str]| {
        let args = with(more);
        goren(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let japanese = write(
        "japanese.sgf",
        b"(;GM[4]FF[4]CA[Shift_JIS]SZ[15]PB[a]PW[b];B[hh];W[ii];B[gg]C[\x94\x5c];W[jj]C[\x83\x5c];B[kk])",
    );
    let (_, said) = run(&["--plies", "6", &japanese]);
    assert!(said.contains("the game has only 5 plies"), "{said}");
    let unknown = write("unknown.sgf", b"(;GM[4]RU[Japanese]SZ[15];B[hh];W[ii])");
    let (done, said) = run(&[&unknown]);
    assert!(!done && said.contains("unknown.sgf: byte 10: RU[Japanese] is no rule"), "{said}");
    assert!(said.contains("--game") && said.contains("--lenient"), "{said}");
    for more in [["--game", "renju"], ["--lenient", "--from-top"]] {
        let (done, said) = run(&[more[0], more[1], &unknown]);
        assert!(done, "{said}");
        assert!(said.contains("note: ") && said.contains("RU[Japanese]"), "{said}");
    }
    let three = write(
        "three.sgf",
        b"(;GM[4]RU[0]SZ[15]RE[B+];B[hh];W[ii])\n(;GM[4]RU[0]SZ[15];B[hh];W[hh])\n(;SZ[99])\n(;GM[4]RU[RIF]SZ[15]RE[0];B[hh];W[hg])",
    );
    let (done, said) = run(&[&three]);
    assert!(done && said.contains("there are 4 games in it, the first is taken"), "{said}");
    assert!(said.contains("game 3: cannot be used: byte "), "{said}");
    let (done, said) = run(&["--number", "2", &three]);
    assert!(
        !done && said.contains("game 2: byte 65: move 2 (h8): the point is occupied"),
        "{said}"
    );
    // The good ones are learnt, whatever the ending of the name.
    let odd = write("collection.txt", &fs::read(&three).unwrap());
    let records = folder.path("learnt.db");
    let (done, said) = goren(&["db", "learn", "--min-games", "1", &records, &odd]);
    assert!(
        !done && said.contains("2 games, ") && said.contains("2 games could not be used"),
        "{said}"
    );
    assert!(
        said.contains("game 2: not learnt: byte 65") && said.contains("game 3: not learnt"),
        "{said}"
    );
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain("h8 i9".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let (done, said) = run(&[&write("wide.txt", &wide)]);
    assert!(done, "{said}");
}

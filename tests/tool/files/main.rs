//! The command-line tool and the user's files: existing files stay as they are, and
//! faults in them are reported.

mod forms;
mod outputs;

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};

/// A temporary folder, removed when dropped.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    /// The path of a file in the folder.
    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Writes a text file and returns its path.
    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }
}

/// Runs the tool. Returns whether it succeeded, and what it printed.
fn goren(args: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_goren")).args(args).output().unwrap();
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.success(), String::from_utf8(all).unwrap())
}

/// Runs the tool, which must fail and print `why`.
fn refused(args: &[&str], why: &str) {
    let (succeeded, output) = goren(args);
    assert!(!succeeded && output.contains(why), "{args:?}: {output}");
}

/// Runs the tool, which must succeed. Returns what it printed.
fn done(args: &[&str]) -> String {
    let (succeeded, output) = goren(args);
    assert!(succeeded, "{args:?}: {output}");
    output
}

#[test]
fn an_output_must_not_be_an_input() {
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
fn files_with_other_contents_are_not_overwritten() {
    let folder = Folder::new();
    let notes = "my only notes, no newline at the end";
    let file = folder.file("notes.txt", notes);
    let is_kept = |args: &[&str], why: &str| {
        refused(args, why);
        assert_eq!(fs::read_to_string(&file).unwrap(), notes, "{args:?}");
    };
    is_kept(
        &["selfplay", "--game", "pente", "--out", &file, "--games", "1", "--nodes", "20"],
        "is not the file of a run",
    );
    let empty = ["--nodes", "20", "--min-stones", "1", "--max-stones", "1", "--out", &file];
    is_kept(&[&["openings", "--count", "9"][..], &empty].concat(), "holds something else");
    // No opening of one stone has the score 0 on this board.
    let none = ["openings", "--size", "5", "--count", "9", "--nodes", "20", "--min-stones", "1"];
    let none = [&none[..], &["--max-stones", "1", "--max-score", "0"]].concat();
    is_kept(&[&none[..], &["--scores", &file]].concat(), "holds something else");
    // The old openings stay until there is a new one to write.
    let openings = folder.file("openings.txt", "c3d4e3\n");
    let none = [&none[..], &["--out", &openings]].concat();
    refused(&none, "only 0 different balanced openings");
    assert_eq!(fs::read_to_string(&openings).unwrap(), "c3d4e3\n");
    done(&["openings", "--count", "1", "--nodes", "50", "--max-score", "500", "--out", &openings]);
    assert!(fs::read_to_string(&openings).unwrap().starts_with("# goren openings 2"));
    let win = "h8a1i8a3j8a5h9a7h10a9";
    let solve = ["solve", "--goal", "vcf", "--memory", "16", "--proof"];
    let (one, other) = (folder.path("one.tree"), folder.path("other.tree"));
    done(&[&solve[..], &[&one, win]].concat());
    done(&[&solve[..], &[&other, "--rule", "standard", win]].concat());
    // A tree of the same claim may be overwritten.
    done(&[&solve[..], &[&one, win]].concat());
    is_kept(&[&solve[..], &[&file, win]].concat(), "holds something else");
    is_kept(&["check", &one, "--pack", &file], "holds something else");
    is_kept(&["check", &one, "--statistics", "--plot", &file], "needs a name that ends in .svg");
    is_kept(&["merge", &file, &one], "winning tree");
    refused(&["merge", &folder.path("new"), &file], "merge cannot join such files");
    let trees = [&one, &other].map(|tree| fs::read(tree).unwrap());
    refused(&["check", &one, "--pack", &other], "holds something else");
    refused(&["merge", &other, &one], "another position or rule");
    assert_eq!([&one, &other].map(|tree| fs::read(tree).unwrap()), trees);
    done(&["merge", &one, &one]);
    // Another run uses the tree.
    let busy = fs::File::open(&one).unwrap();
    busy.lock().unwrap();
    refused(&["merge", &one, &one], "in use by another run");
    drop(busy);
    assert_eq!(fs::read(&one).unwrap(), trees[0]);
}

/// A game of the user has the name that is given for a result.
#[test]
fn results_replace_only_files_of_their_kind() {
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
    // Results of the same kind are overwritten.
    let export = folder.path("records.csv");
    done(&["db", "export", &records, &export]);
    done(&["db", "export", &records, &export]);
    let moves = folder.path("moves.svg");
    for _ in 0..2 {
        done(&["check", &tree, "--statistics", "--plot", &moves]);
    }
}

/// The second output would overwrite the first.
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
    refused(&["db", "to-lib", &records, &library, "--rule", "renju"], "no records of renju");
    assert_eq!(fs::read(&library).unwrap(), old);
    // The rule is that of the records, but no moves lead from the empty board to them.
    refused(&["db", "to-lib", &records, &library], "no records of standard");
    refused(
        &["db", "sample", &folder.path("few.db"), "--size", "5", "--stones", "3"],
        "allow more stones",
    );
    assert!(!Path::new(&folder.path("few.db")).exists());
}

#[test]
fn merging_databases_counts_the_records() {
    let folder = Folder::new();
    let (records, other) = (folder.path("records.db"), folder.path("other.db"));
    done(&["db", "sample", &records, "--records", "9", "--stones", "5"]);
    let output = done(&["db", "merge", &other, &records]);
    assert!(output.contains("records.db: 9 records; added or changed by them: 9"), "{output}");
    assert!(output.contains("other.db: 9 records now"), "{output}");
    let output = done(&["db", "merge", &other, &records]);
    assert!(output.contains("records.db: 9 records; added or changed by them: 0"), "{output}");
    refused(&["db", "merge", &other, &records, &other], "the database to merge into");
}

#[test]
fn broken_files_and_nonsense_are_refused() {
    let folder = Folder::new();
    let whole =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/gomoku/games.jsonl.gz");
    let whole = fs::read(whole).unwrap();
    let cut = folder.path("cut.jsonl.gz");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let (verified, output) = goren(&["verify", &cut]);
    assert!(!verified, "{output}");
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

/// An argument that names a file or a folder is not a move.
#[test]
fn files_and_folders_are_not_read_as_moves() {
    let folder = Folder::new();
    let moves = folder.file("crlf.txt", "h8 i9\r\n");
    let here = folder.0.path().to_str().unwrap();
    refused(&["analyze", "--nodes", "9", here], "is a folder");
    refused(&["analyze", "--nodes", "9", &moves, "h8"], "is a file: give one file, or moves");
    refused(&["analyze", "--nodes", "9", "nosuch.sgf", "h8"], "there is no file nosuch.sgf");
    // A folder whose name is a move does not hide the move.
    for name in ["dir", "data", "h8"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let analyze = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
        command.args(["analyze", "--nodes", "9", name]).current_dir(here).output().unwrap()
    };
    for name in ["dir", "data"] {
        let output = String::from_utf8(analyze(name).stderr).unwrap();
        assert!(output.contains(&format!("{name} is a folder")), "{output}");
    }
    assert!(analyze("h8").status.success());
}

/// Commands that only read a damaged database leave no copy of it; a repaired one is whole.
#[test]
fn a_truncated_database_is_read_and_repaired() {
    let folder = Folder::new();
    let (records, cut) = (folder.path("records.db"), folder.path("cut.db"));
    done(&["db", "sample", &records, "--records", "40", "--stones", "5", "--plain"]);
    let whole = fs::read(&records).unwrap();
    fs::write(&cut, &whole[..whole.len() - 5]).unwrap();
    for command in ["stat", "get", "check"] {
        let (whole, output) = goren(&["db", command, &cut]);
        assert!(!whole && output.contains(" records can be read, "), "{command}: {output}");
        assert!(!output.contains("keeps the damaged file"), "{command}: {output}");
    }
    let repaired = folder.path("repaired.db");
    assert!(done(&["db", "check", &cut, "--repair", &repaired]).contains("written to"));
    done(&["db", "check", &repaired]);
    // The commands left no other files.
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 3);
}

/// The kind of a file helps the user more than the byte at which it is no other kind.
#[test]
fn errors_name_the_kind_of_a_wrong_file() {
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
    refused(&["list", vectors.to_str().unwrap()], "a file of rule vectors: `goren verify`");
    let (clean, output) = goren(&["verify", &folder.file("words.jsonl", "no record\n")]);
    assert!(!clean && output.contains("1 line is unreadable and not compared."), "{output}");
    assert!(!output.contains("disagreements"), "{output}");
}

#[test]
fn a_file_without_training_games_is_reported_as_empty() {
    let folder = Folder::new();
    let empty = folder.file("empty.games", "");
    refused(&["data", "stat", &empty], "empty.games is empty");
}

/// A board has no moves, and a game may have no puzzle: the command prints both.
#[test]
fn files_without_a_puzzle_say_so() {
    let folder = Folder::new();
    let board = folder.file("board.txt", ". . . . .\n. X O . .\n. . X . .\n. . O . .\n. . . . .\n");
    refused(&["puzzles", &board], "game 1: not used: file: it is a position without moves");
    refused(&["puzzles", &board], "there is no game to make puzzles from");
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh];W[ii])");
    assert!(done(&["puzzles", "--nodes", "50", &game]).contains("0 puzzles of 1 game"));
}

/// If one of two options is required, the error names both.
#[test]
fn a_missing_option_is_named_with_its_alternative() {
    for (args, options) in [
        (&["selfplay", "--out", "x"][..], ["--games", "--positions"]),
        (&["match", "-e", "a", "-e", "b"], ["--games", "--sprt"]),
        (&["sprt"], ["--pairs", "--simulate"]),
        (&["puzzles"], ["FILES", "--play"]),
        (&["check"], ["FILES", "--list"]),
    ] {
        let (succeeded, output) = goren(args);
        let missing = output.split("Usage:").next().unwrap();
        assert!(!succeeded && options.iter().all(|option| missing.contains(option)), "{output}");
    }
}

#[test]
fn counts_of_zero_are_refused() {
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

/// The limit of stones grows until a win by fours is found.
#[test]
fn long_wins_by_fours_are_found() {
    let position = "j10k10i10a7h10i18b7m1d7f11e7i4h17o4g16e17e14r3l2u18k3d25i5w11e11b4c11b21b11m20\
                    h4x7g4s20f4i24p5v18q6w24s8q16e18k14e19c1e21a1s3k18t3w13u3h13";
    let args = ["solve", "--goal", "vcf", "--size", "26", "--memory", "16", position];
    let output = done(&args);
    let nodes = output.lines().find_map(|line| line.strip_prefix("Nodes: ")).unwrap();
    // More than the first limit.
    assert!(nodes.parse::<u64>().unwrap() > 2_000, "{output}");
}

/// `analyze` and `review` read the games of a match file and skip its head.
#[test]
fn the_head_of_a_match_file_is_not_a_game() {
    let folder = Folder::new();
    let head = r#"{"format":"goren match","version":1}"#;
    let game = |moves: &str| {
        format!(
            r#"{{"rule":"freestyle","width":15,"height":15,"black":"a","white":"b","opening":[],"moves":[{moves}],"result":null,"reason":"","round":1}}"#
        )
    };
    let (one, two) = (r#"{"at":"h8","ms":1}"#, r#"{"at":"h8","ms":1},{"at":"i9","ms":1}"#);
    let games = folder.file("games.jsonl", &format!("{head}\n{}\n{}\n", game(one), game(two)));
    let output = done(&["analyze", "--nodes", "9", "--number", "2", &games]);
    assert!(output.contains("(O)"), "{output}");
    done(&["review", "--nodes", "9", &games]);
    refused(&["analyze", "--nodes", "9", "--number", "3", &games], "there are 2 games in it");
}

#[test]
fn a_walk_ends_where_the_tree_has_no_answer() {
    let folder = Folder::new();
    let tree = folder.path("cut.tree");
    let args = ["prove", &tree, "--memory", "16", "--time", "0", "--attacker", "black", "h8"];
    let (proven, output) = goren(&args);
    assert!(!proven, "{output}");
    let (whole, output) = goren(&["walk", &tree, "h9", "g9"]);
    assert!(!whole && output.contains("no answer"), "{output}");
    assert!(output.contains("Black is to move"), "{output}");
    assert!(output.contains("claims that Black wins"), "{output}");
    assert!(output.contains("The tree is not finished: 35 of 35 replies are open."), "{output}");
    // White does not move twice.
    assert_eq!(output.matches("no answer").count(), 1, "{output}");
}

/// Skipped and guessed parts are reported, doubtful files are refused.
#[test]
fn files_of_other_programs_are_read_or_refused_with_a_reason() {
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
    let (_, output) = run(&["--plies", "6", &japanese]);
    assert!(output.contains("the game has only 5 plies"), "{output}");
    let unknown = write("unknown.sgf", b"(;GM[4]RU[Japanese]SZ[15];B[hh];W[ii])");
    let (succeeded, output) = run(&[&unknown]);
    assert!(!succeeded, "{output}");
    assert!(output.contains("unknown.sgf: byte 10: RU[Japanese] is not a known rule"), "{output}");
    assert!(output.contains("--game") && output.contains("--lenient"), "{output}");
    for more in [["--game", "renju"], ["--lenient", "--from-top"]] {
        let (succeeded, output) = run(&[more[0], more[1], &unknown]);
        assert!(succeeded, "{output}");
        assert!(output.contains("note: ") && output.contains("RU[Japanese]"), "{output}");
    }
    let three = write(
        "three.sgf",
        b"(;GM[4]RU[0]SZ[15]RE[B+];B[hh];W[ii])\n(;GM[4]RU[0]SZ[15];B[hh];W[hh])\n(;SZ[99])\n(;GM[4]RU[RIF]SZ[15]RE[0];B[hh];W[hg])",
    );
    let (succeeded, output) = run(&[&three]);
    assert!(succeeded, "{output}");
    assert!(output.contains("there are 4 games in it, the first is taken"), "{output}");
    assert!(output.contains("game 3: cannot be used: byte "), "{output}");
    let (succeeded, output) = run(&["--number", "2", &three]);
    assert!(
        !succeeded && output.contains("game 2: byte 65: move 2 (h8): the point is occupied"),
        "{output}"
    );
    // The valid games are learnt, whatever the extension of the file.
    let odd = write("collection.txt", &fs::read(&three).unwrap());
    let records = folder.path("learnt.db");
    let (succeeded, output) = goren(&["db", "learn", "--min-games", "1", &records, &odd]);
    assert!(
        !succeeded && output.contains("2 games, ") && output.contains("2 games could not be used"),
        "{output}"
    );
    assert!(
        output.contains("game 2: not learnt: byte 65") && output.contains("game 3: not learnt"),
        "{output}"
    );
    let wide: Vec<u8> =
        [0xfeff].into_iter().chain("h8 i9".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let (succeeded, output) = run(&[&write("wide.txt", &wide)]);
    assert!(succeeded, "{output}");
}

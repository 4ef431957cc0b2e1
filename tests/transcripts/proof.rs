//! Winning trees as a book.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, CellSet, Color};
use goren_proof::{Claim, Form, Journal, Proof, ProofBoard, ProofFile, Root};
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};

use crate::engine::{Engine, ms, own_folder, point};
use crate::sibling::sibling;

/// Black's stones, and White's far away.
const BLACK: [(usize, usize); 3] = [(7, 7), (8, 6), (7, 6)];
const WHITE: [(usize, usize); 3] = [(0, 14), (1, 14), (0, 0)];

/// Path of the command-line tool.
fn tool() -> String {
    sibling(env!("CARGO_BIN_EXE_pbrain-goren"), "goren")
}

/// Makes the tree of a win of Black, who is to move.
fn make_tree(path: &Path) {
    let args = ["--rule", "freestyle", "--memory", "64", "h8a1i9b1h9a15"];
    let mut goren = Command::new(tool());
    let output = goren.arg("prove").arg(path).args(args).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.contains("Result: proven"), "{output}");
}

/// A command that shows the position.
fn position() -> String {
    shown(&BLACK)
}

/// A command that shows a position with these black stones.
fn shown(black: &[(usize, usize); 3]) -> String {
    let line = |of: &str, &(x, y): &(usize, usize)| format!("{x},{y},{of}\n");
    let stones: String =
        black.iter().zip(&WHITE).map(|(b, w)| line("1", b) + &line("2", w)).collect();
    format!("BOARD\n{stones}DONE")
}

#[test]
fn a_proven_position_is_won_against_anything() {
    let folder = own_folder();
    let tree = folder.path().join("played.tree");
    make_tree(&tree);
    let mut rng = SmallRng::seed_from_u64(2);
    let mut engine = Engine::started(15);
    engine.send("INFO show_detail 0\nINFO timeout_turn 1000");
    engine.send(&format!("INFO proof {}", tree.display()));
    for _ in 0..8 {
        engine.send("RESTART");
        engine.expect("OK");
        let mut referee = FiveReferee::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        for (black, white) in BLACK.iter().zip(&WHITE) {
            referee.place(Color::Black, Cell::new(black.0, black.1)).unwrap();
            referee.place(Color::White, Cell::new(white.0, white.1)).unwrap();
        }
        engine.send(&position());
        loop {
            let (x, y) = engine.mv();
            let outcome = referee.place(Color::Black, Cell::new(x, y)).unwrap();
            if outcome.is_some() {
                assert_eq!(outcome, Some(Outcome::Win(Color::Black)));
                break;
            }
            assert!(referee.stones().len() < 40);
            let empty = CellSet::board(15, 15);
            let stops = |&cell: &Cell| referee.wins(Color::Black, cell);
            let five = empty.iter().find(stops);
            let free = empty.iter().filter(|&cell| referee.is_empty(cell));
            let near = free.filter(|cell| cell.x().abs_diff(x).max(cell.y().abs_diff(y)) < 4);
            let reply = five.unwrap_or(near.choose(&mut rng).unwrap());
            assert_eq!(referee.place(Color::White, reply), Ok(None));
            engine.send(&format!("TURN {},{}", reply.x(), reply.y()));
        }
    }
    engine.end();
}

/// The move in the tables made here; no search would play it.
const ODD: (usize, usize) = (13, 3);

/// A table with the odd move in positions with these black stones, and `others` other positions.
fn odd_table(positions: &[[(usize, usize); 3]], others: u64) -> Proof {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let root = Root { stones: Vec::new(), to_move: Color::Black };
    let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
    for black in positions {
        let mut board = ProofBoard::new(setup);
        let of = |cells: &[(usize, usize); 3], color| cells.map(|(x, y)| (Cell::new(x, y), color));
        for (cell, color) in of(black, Color::Black).into_iter().chain(of(&WHITE, Color::White)) {
            board.place(cell, color).unwrap();
        }
        let canonical = board.canonical(&board.keys());
        assert!(proof.insert(canonical.key(), board.to_image(&canonical, Cell::new(ODD.0, ODD.1))));
    }
    let mut rng = SmallRng::seed_from_u64(7);
    for _ in 0..others {
        proof.insert(rng.random_range(0..1 << 56), Cell::new(rng.random_range(0..15), 0));
    }
    proof
}

fn bytes_of(proof: &Proof) -> Vec<u8> {
    let mut bytes = Vec::new();
    goren_proof::write(proof, &mut bytes).unwrap();
    bytes
}

fn named(path: &Path) -> String {
    format!("INFO proof {}", path.display())
}

#[test]
fn the_move_of_a_tree_takes_precedence_over_the_search() {
    let folder = own_folder();
    let file = folder.path().join("odd.tree");
    fs::write(&file, bytes_of(&odd_table(&[BLACK], 0))).unwrap();
    let mut engine = Engine::started(15);
    engine.send(&named(&file));
    engine.send(&position());
    assert_eq!(engine.mv(), ODD);
    // Not if the user forbids it, or under another rule.
    engine.send("yxblock\n13,3\ndone");
    engine.send(&position());
    assert_ne!(engine.mv(), ODD);
    engine.send("yxblockreset\nINFO rule 1\nSTART 15");
    engine.expect("OK");
    engine.send(&position());
    assert_ne!(engine.mv(), ODD);
    engine.end();
}

/// Peak memory of a process in bytes; 0 where it is not known.
fn peak_memory(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

#[test]
fn a_large_table_takes_neither_time_nor_memory() {
    const LIMIT: u64 = 64 << 20;
    let folder = own_folder();
    let file = folder.path().join("large.tree");
    fs::write(&file, bytes_of(&odd_table(&[BLACK], 1_500_000))).unwrap();
    let (mut first, mut again) = (Duration::MAX, Duration::MAX);
    // The best of a few, as the machine may be busy.
    for _ in 0..4 {
        let mut engine = Engine::started(15);
        engine.send(&format!("INFO max_memory {LIMIT}"));
        let time = |engine: &mut Engine| {
            engine.quiet();
            let began = Instant::now();
            assert_eq!(engine.messages(&named(&file)), [] as [&str; 0]);
            began.elapsed()
        };
        first = first.min(time(&mut engine));
        for _ in 0..2 {
            assert_eq!(engine.ask(&position()), ODD);
            engine.send("RESTART");
            engine.expect("OK");
            again = again.min(time(&mut engine));
        }
        // A search while the table is open.
        engine.send("INFO max_node 0\nINFO timeout_turn 300");
        assert_ne!(engine.ask("BOARD\n7,7,1\n7,8,2\n9,9,1\n5,9,2\nDONE"), ODD);
        let memory = peak_memory(engine.id());
        assert!(memory < LIMIT, "{memory}");
        engine.end();
    }
    // Reading the whole table took 200 ms and more.
    assert!(first < ms(60) && again < ms(30), "{first:?} {again:?}");
}

/// A move, and the messages about tables before it.
fn ask_about_tables(engine: &mut Engine, lines: &str) -> ((usize, usize), Vec<String>) {
    let (mut messages, answer) = engine.talk(lines);
    messages.retain(|line| line.starts_with("MESSAGE proof"));
    (point(&answer), messages)
}

/// Black's stones in another position, whose key is far from that of the first:
/// positions whose keys are close share a page.
const OTHER: [(usize, usize); 3] = [(7, 7), (8, 8), (7, 6)];

/// Which of both positions can be looked up in the bytes of a damaged table.
fn known(bytes: &[u8]) -> [bool; 2] {
    let mut table = ProofFile::open(Cursor::new(bytes)).unwrap();
    [BLACK, OTHER].map(|position| {
        let key = odd_table(&[position], 0).moves()[0].0;
        !table.by_key(key).is_empty()
    })
}

/// A table of many pages that has both positions.
fn both() -> Vec<u8> {
    let bytes = bytes_of(&odd_table(&[BLACK, OTHER], 20_000));
    assert_eq!(known(&bytes), [true, true]);
    bytes
}

/// Whether the messages name the move of a tree.
fn is_reported(messages: &[String]) -> bool {
    let name = Cell::new(ODD.0, ODD.1).label(15).to_uppercase();
    messages.contains(&format!("MESSAGE {name} is the move of a winning tree (INFO proof)"))
}

#[test]
fn a_move_of_a_tree_is_reported_as_such() {
    let folder = own_folder();
    let file = folder.path().join("both.tree");
    fs::write(&file, both()).unwrap();
    let mut engine = Engine::started(15);
    engine.messages(&named(&file));
    for (stones, by_tree) in [(shown(&OTHER), true), (shown(&[(7, 7), (8, 8), (9, 2)]), false)] {
        let (messages, answer) = engine.talk(&stones);
        assert_eq!(
            (is_reported(&messages), point(&answer) == ODD),
            (by_tree, by_tree),
            "{messages:?}"
        );
        // An analysis reports it too.
        let position = stones.replace("BOARD", "yxboard");
        let (messages, _) = engine.talk(&format!("{position}\nINFO timeout_turn 100\nyxnbest 2"));
        assert_eq!(is_reported(&messages), by_tree, "{messages:?}");
    }
}

#[test]
fn damage_to_a_page_is_reported_once_and_the_others_are_used() {
    let whole = both();
    // A page has 2,048 bytes, so each is hit; a damaged index is rebuilt from the
    // pages.
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 16;
        bytes
    };
    let damaged = (500..whole.len()).step_by(1_000).map(flipped);
    let damaged = { damaged }.find(|bytes| known(bytes) == [false, true]).unwrap();
    let folder = own_folder();
    let file = folder.path().join("damaged.tree");
    fs::write(&file, &damaged).unwrap();
    let mut engine = Engine::started(15);
    assert_eq!(engine.messages(&named(&file)), [] as [&str; 0]);
    let (m, messages) = ask_about_tables(&mut engine, &shown(&OTHER));
    assert!(m == ODD && messages.is_empty(), "{m:?} {messages:?}");
    let (m, messages) = ask_about_tables(&mut engine, &position());
    let begins = format!("MESSAGE proof {}: damaged at byte ", file.display());
    assert!(
        m != ODD && messages.len() == 1 && messages[0].starts_with(&begins),
        "{m:?} {messages:?}"
    );
    // The damage is not reported again when the file is named again.
    engine.send(&named(&file));
    let (m, messages) = ask_about_tables(&mut engine, &position());
    assert!(m != ODD && messages.is_empty(), "{m:?} {messages:?}");
    assert_eq!(engine.ask(&shown(&OTHER)), ODD);
    // A whole file in its place.
    let better = folder.path().join("mended.tree");
    fs::write(&better, &whole).unwrap();
    fs::rename(&better, &file).unwrap();
    engine.send(&named(&file));
    let (m, messages) = ask_about_tables(&mut engine, &position());
    assert!(m == ODD && messages.is_empty(), "{m:?} {messages:?}");
    engine.end();
}

#[test]
fn a_truncated_table_is_used_as_far_as_it_goes() {
    let whole = both();
    let half = (2_000..whole.len()).step_by(500);
    let half = { half }.find(|&length| known(&whole[..length]) == [false, true]).unwrap();
    let (first, second) = (OTHER, BLACK);
    let folder = own_folder();
    let file = folder.path().join("cut.tree");
    fs::write(&file, &whole).unwrap();
    let cut = |length: usize| {
        let open = fs::OpenOptions::new().write(true).open(&file).unwrap();
        open.set_len(length as u64).unwrap();
    };
    let mut engine = Engine::started(15);
    engine.send(&named(&file));
    assert_eq!(engine.ask(&shown(&second)), ODD);
    // Truncated while it is open.
    cut(half);
    assert_eq!(engine.ask(&shown(&first)), ODD);
    let (m, messages) = ask_about_tables(&mut engine, &shown(&second));
    assert!(
        m != ODD && messages.len() == 1 && messages[0].contains(": cut short at byte "),
        "{messages:?}"
    );
    cut(0);
    let (m, messages) = ask_about_tables(&mut engine, &shown(&first));
    assert!(m != ODD && messages.is_empty(), "{m:?} {messages:?}");
    // Truncated from the start, which is reported at once.
    fs::write(&file, &whole[..half]).unwrap();
    let messages = engine.messages(&named(&file));
    assert!(messages.len() == 1 && messages[0].contains(": cut short at byte "), "{messages:?}");
    assert_eq!(engine.ask(&shown(&first)), ODD);
    engine.end();
}

#[test]
fn tables_of_earlier_versions_are_used_or_refused_with_advice() {
    let proof = odd_table(&[BLACK], 70_000);
    let moves = proof.moves();
    let log = |file: &PathBuf, batches: &mut dyn Iterator<Item = Vec<(u64, Cell)>>| {
        fs::write(file, goren_proof::head(Form::Table, &proof.claim)).unwrap();
        let (mut journal, ..) = Journal::open(file, &proof.claim).unwrap();
        batches.for_each(|mut batch| journal.append(&mut batch).unwrap());
    };
    let folder = own_folder();
    // One sorted sequence of large batches, a short log, and a long one.
    let [old, short, long] = ["old", "short", "long"].map(|name| folder.path().join(name));
    log(&old, &mut moves.chunks(1 << 16).map(<[_]>::to_vec));
    let few = odd_table(&[BLACK], 2_000).moves();
    log(&short, &mut (0..10).map(|part| few.iter().copied().skip(part).step_by(10).collect()));
    let many = odd_table(&[BLACK], 100_000).moves();
    log(&long, &mut (0..100).map(|part| many.iter().copied().skip(part).step_by(100).collect()));
    for file in [&old, &short] {
        let mut engine = Engine::started(15);
        assert_eq!(engine.messages(&named(file)), [] as [&str; 0]);
        assert_eq!(engine.ask(&position()), ODD);
        engine.end();
    }
    let mut engine = Engine::started(15);
    let messages = engine.messages(&named(&long));
    let begins = format!("MESSAGE proof {} not used: ", long.display());
    assert!(messages.len() == 1 && messages[0].starts_with(&begins), "{messages:?}");
    assert!(messages[0].contains("`goren merge TABLE FILE`"), "{messages:?}");
    assert_ne!(engine.ask(&position()), ODD);
    let merged = folder.path().join("merged");
    let mut goren = Command::new(tool());
    assert!(goren.arg("merge").args([&merged, &long]).status().unwrap().success());
    assert_eq!(engine.messages(&named(&merged)), [] as [&str; 0]);
    assert_eq!(engine.ask(&position()), ODD);
    engine.end();
}

#[test]
fn unusable_files_are_reported_in_a_message() {
    let folder = own_folder();
    let [file, cut] = ["head.tree", "short head.tree"].map(|name| folder.path().join(name));
    let mut bytes = bytes_of(&odd_table(&[BLACK], 10));
    fs::write(&cut, &bytes[..30]).unwrap();
    bytes[30] ^= 1;
    fs::write(&file, bytes).unwrap();
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/trees/standard.packed");
    let packed = packed.display().to_string();
    let mut engine = Engine::started(15);
    for (path, why) in [
        (&file.display().to_string()[..], "its head is damaged"),
        (&cut.display().to_string(), "its head is cut short"),
        ("Cargo.toml", "No such file"),
        ("no/where", "No such file"),
        ("nowhere", "no folder of winning trees"),
        (".", "not a plain file"),
        (&packed, "it is packed; `goren merge TABLE PACKED` makes a table of it"),
    ] {
        let messages = engine.messages(&format!("INFO proof {path}"));
        let begins = format!("MESSAGE proof {path} not used: ");
        assert!(messages.len() == 1 && messages[0].starts_with(&begins), "{messages:?}");
        assert!(cfg!(windows) || messages[0].contains(why), "{messages:?}");
        // The game goes on.
        assert_ne!(engine.ask(&position()), ODD);
    }
    engine.end();
}

#[test]
fn trees_can_be_named_without_a_path() {
    let folder = own_folder();
    let trees = folder.path().join("src/proof/trees");
    fs::create_dir_all(&trees).unwrap();
    let line = |name: &str, rule: &str| format!("{name} {rule} 15x15 - black black 9 0 1 1\n");
    let index = [("odd", "freestyle"), ("swapped", "standard"), ("cut", "renju"), ("none", "caro")];
    let index: String = index.iter().map(|(name, rule)| line(name, rule)).collect();
    fs::write(trees.join("index.txt"), index).unwrap();
    let bytes = bytes_of(&odd_table(&[BLACK], 10));
    for name in ["odd", "swapped"] {
        fs::write(trees.join(format!("{name}.tree")), &bytes).unwrap();
    }
    fs::write(trees.join("cut.tree"), &bytes[..30]).unwrap();
    let mut engine = Engine::launch_in(folder.path());
    engine.send("START 15");
    engine.expect("OK");
    engine.send("INFO max_node 2000");
    for (name, why) in [
        ("strange", "no winning tree is called strange; there are odd, swapped, cut, none"),
        ("swapped", "about freestyle 15x15 - black black, but the index says standard 15x15"),
        ("cut", "its head is cut short"),
        ("none", "there is no table "),
    ] {
        let messages = engine.messages(&format!("INFO proof {name}"));
        let begins = format!("MESSAGE proof {name} not used: ");
        assert!(messages.len() == 1 && messages[0].starts_with(&begins), "{messages:?}");
        assert!(messages[0].contains(why), "{messages:?}");
        assert_ne!(engine.ask(&position()), ODD);
    }
    for name in ["odd", "freestyle"] {
        assert_eq!(engine.messages(&format!("INFO proof {name}")), [] as [&str; 0]);
        assert_eq!(engine.ask(&position()), ODD);
    }
    engine.end();
}

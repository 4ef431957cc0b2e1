//! Trees that are built, walked and played from.

use std::path::Path;
use std::process::Output;

use goren_core::rules::Outcome;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color};
use goren_proof::Checker;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::support::{files, goren, has, holds, proven, read, text, unpacked};

#[test]
fn built_trees_pass_the_check() {
    for rule in ["freestyle", "standard", "renju", "caro"] {
        let (_folder, [tree, packed, packed_again]) = files();
        proven(rule, &tree);
        let check = goren(&["check", &tree, "--pack", &packed]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        let (whole, table) = (read(&tree), unpacked(&packed));
        assert!(table.len() <= whole.len() && !table.is_empty());
        assert!(holds(&table));
        // At most a fifth of the bytes, apart from the frame of the file.
        let bytes = |file: &str| std::fs::metadata(file).unwrap().len();
        assert!(bytes(&packed) < 100 + bytes(&tree) / 5, "{} {}", bytes(&packed), bytes(&tree));
        // With the moves that failed on the way it is no smaller, and passes the check too.
        let quick = goren(&["check", &tree, "--quick", "--pack", &packed_again]);
        assert!(quick.status.success(), "{}", text(&quick));
        assert!(bytes(&packed_again) >= bytes(&packed));
        let check = goren(&["check", &packed_again]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        // But a quick check must not replace the only table.
        let before = std::fs::read(&tree).unwrap();
        let quick = goren(&["check", &tree, "--quick", "--pack", &tree]);
        assert!(!quick.status.success() && text(&quick).contains("another file"));
        assert_eq!(std::fs::read(&tree).unwrap(), before);
        let check = goren(&["check", &packed]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        let needed = format!("Needed: {} moves", table.len());
        assert!(has(&check, &needed), "{needed}: {}", text(&check));
        // Packing it again gives the same file.
        let again = goren(&["check", &packed, "--pack", &packed_again]);
        assert!(again.status.success(), "{}", text(&again));
        assert_eq!(std::fs::read(&packed).unwrap(), std::fs::read(&packed_again).unwrap());
    }
}

#[test]
fn the_tree_wins_against_random_defenders() {
    let (_folder, [tree]) = files();
    proven("renju", &tree);
    let proof = read(&tree);
    let mut rng = SmallRng::seed_from_u64(11);
    for _ in 0..60 {
        let mut checker = Checker::new(proof.claim.setup, Color::Black, &proof);
        let mut referee = FiveReferee::new(proof.claim.setup);
        for &(cell, color) in &proof.claim.root.stones {
            checker.board.place(cell, color).unwrap();
            assert_eq!(referee.place(color, cell), Ok(None));
        }
        let mut bases = vec![checker.board.keys()];
        loop {
            let (m, base) = checker.advise(bases, u64::MAX).unwrap();
            checker.board.place(m, Color::Black).unwrap();
            match referee.place(Color::Black, m).unwrap() {
                Some(outcome) => {
                    assert_eq!(outcome, Outcome::Win(Color::Black));
                    break;
                }
                None => assert!(referee.stones().len() < 100),
            }
            // The defender stops a five if it can; else it plays mostly near the last move.
            let fives = checker.board.wins(Color::Black);
            let near = |cell: &Cell| cell.x().abs_diff(m.x()).max(cell.y().abs_diff(m.y())) < 4;
            let empty: Vec<Cell> = checker.board.empty().iter().collect();
            let close: Vec<Cell> = empty.iter().copied().filter(near).collect();
            let reply = match fives.first() {
                Some(&five) => five,
                None if rng.random_bool(0.8) => *close.choose(&mut rng).unwrap(),
                None => *empty.choose(&mut rng).unwrap(),
            };
            let base = checker.board.toggled(base, m, Color::Black);
            checker.board.place(reply, Color::White).unwrap();
            assert_eq!(referee.place(Color::White, reply), Ok(None));
            bases = vec![checker.board.toggled(base, reply, Color::White), base];
        }
    }
}

#[test]
fn trees_are_walked() {
    let (_folder, [tree]) = files();
    proven("freestyle", &tree);
    let walk = goren(&["walk", &tree, "back", "help", "o15", "undo", "o14", "back", "o14", "o13"]);
    let text = text(&walk);
    assert!(walk.status.success(), "{text}");
    assert!(text.contains("freestyle on 15x15: the tree claims that Black wins;"), "{text}");
    assert!(text.contains("no move to take back") && text.contains("back, undo "), "{text}");
    assert!(text.contains("Black has won") && !text.contains("no answer"), "{text}");
    // A move among the arguments that cannot be played is an error.
    for (moves, why) in [
        (&["zz", "o15"][..], "move zz: \"zz\" is no point"),
        (&["h8", "o15"], "occupied"),
        (&["o14", "o13", "o12"], "move o12: Black has won"),
    ] {
        let walk = goren(&[&["walk", &tree], moves].concat());
        assert!(!walk.status.success() && self::text(&walk).contains(why), "{}", self::text(&walk));
    }
    // An unreadable move is not a missing one.
    let mut bytes = std::fs::read(&tree).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&tree, bytes).unwrap();
    let walk = goren(&["walk", &tree, "h8"]);
    let printed = self::text(&walk);
    assert!(!walk.status.success() && printed.contains("damaged at byte"), "{printed}");
    assert!(!printed.contains("no answer"), "{printed}");
}

/// The lines of a walk without the greeting.
fn walked(tree: &str, moves: &[&str]) -> Vec<String> {
    let walk = goren(&[&["walk", tree], moves].concat());
    assert!(walk.status.success(), "{}", text(&walk));
    let out = String::from_utf8(walk.stdout).unwrap();
    assert!(!out.contains("not finished"), "{out}");
    out.lines().filter(|line| !line.contains(" tree of ")).map(String::from).collect()
}

#[test]
fn a_packed_tree_is_walked_like_its_table() {
    let (_folder, [tree, packed, table]) = files();
    // With the attacker to move, it wins one reply earlier.
    for (position, replies) in [("h8a1i9b1h9", 3), ("h8a1i9b1h9a15", 2)] {
        let args = ["prove", &tree, position, "--memory", "64"];
        assert!(goren(&args).status.success());
        assert!(goren(&["check", &tree, "--pack", &packed]).status.success());
        assert!(goren(&["merge", &table, &packed]).status.success());
        for moves in [
            &["o1", "o2", "o3"][..replies],
            &["i8", "back", "h10", "g10"],
            &["j10", "i10", "o1"][..replies],
        ] {
            assert_eq!(walked(&packed, moves), walked(&table, moves), "{position} {moves:?}");
        }
        for file in [&tree, &packed, &table] {
            std::fs::remove_file(file).unwrap();
        }
    }
}

/// The tree opens at once, and a reply is answered as soon as its part is read.
#[test]
fn a_shipped_tree_is_walked_on_demand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proof/trees");
    for (rule, answer) in [("freestyle", "g9"), ("standard", "g9"), ("renju", "g9")] {
        let tree = folder.join(format!("{rule}-15x15.packed")).display().to_string();
        for reply in ["h9", "h7"] {
            let walk = goren(&["walk", &tree, reply]);
            assert!(walk.status.success() && !text(&walk).contains("no answer"), "{}", text(&walk));
            assert!(text(&walk).contains("A packed tree of 35 replies"), "{}", text(&walk));
            if reply == "h9" {
                assert!(has(&walk, &format!("Black: {answer}")), "{}", text(&walk));
            }
        }
    }
}

#[test]
fn the_work_for_each_reply_is_printed() {
    let (_folder, [tree]) = files();
    let args = ["prove", &tree, "h8a1i9b1h9", "--memory", "64"];
    let first = goren(&args);
    assert!(first.status.success(), "{}", text(&first));
    let rows = |output: &Output| -> Vec<Vec<String>> {
        let text = text(output);
        let table = text.lines().skip_while(|line| !line.contains("apart")).skip(1);
        let table = table.take_while(|line| !line.starts_with("Positions"));
        table.map(|row| row.split_whitespace().map(String::from).collect()).collect()
    };
    let found = rows(&first);
    assert!(!found.is_empty() && has(&first, "Replies left: 0"), "{}", text(&first));
    assert!(has(&first, "Positions open: 0"), "{}", text(&first));
    // Some replies are settled without a solver, by moves that won against a neighbour.
    assert!(found.iter().all(|row| row.len() == 5 && row[4] != "0"), "{found:?}");
    assert!(found.iter().any(|row| row[3] != "0"), "{found:?}");
    // The second run knows everything.
    let again = goren(&args);
    assert!(rows(&again).is_empty() && has(&again, "Result: proven"), "{}", text(&again));
    // The clock is checked before the first reply.
    let none = goren(&[&args[..], &["--time", "0"]].concat());
    assert!(!none.status.success(), "{}", text(&none));
}

#[test]
fn a_foul_is_no_answer() {
    // Two threes would meet on H8; White is nowhere near.
    let (_folder, [tree]) = files();
    let position = "h7a1h6a3g8a5f8a7";
    let renju = goren(&["prove", &tree, position, "--rule", "renju", "--memory", "64"]);
    assert!(renju.status.success(), "{}", text(&renju));
    let proof = read(&tree);
    assert!(holds(&proof));
    let mut checker = Checker::new(proof.claim.setup, Color::Black, &proof);
    for &(cell, color) in &proof.claim.root.stones {
        checker.board.place(cell, color).unwrap();
    }
    let canonical = checker.board.canonical(&checker.board.keys());
    let mut changed = proof.clone();
    assert!(changed.remove(canonical.key()));
    let foul = checker.board.to_image(&canonical, Cell::new(7, 7));
    assert!(checker.board.fouls(Color::Black, Cell::new(7, 7)).0.double_three);
    changed.insert(canonical.key(), foul);
    assert!(!holds(&changed));
}

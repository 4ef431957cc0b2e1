//! Packed trees, new ones and those of earlier versions.

use std::path::Path;

use goren_core::types::{Cell, Color};
use goren_proof::Proof;

use crate::support::{POSITION, files, goren, has, holds, proven, text, unpacked};

#[test]
fn every_move_of_a_packed_tree_is_needed() {
    let (_folder, [tree, packed]) = files();
    proven("renju", &tree);
    assert!(goren(&["check", &tree, "--pack", &packed]).status.success());
    let proof = unpacked(&packed);
    let moves = proof.moves();
    // Without the answer to one position.
    for (key, _) in moves.iter().step_by(1 + moves.len() / 40) {
        let mut without = proof.clone();
        assert!(without.remove(*key));
        assert!(!holds(&without), "{key}");
        // On a stone, or outside: neither is a move.
        for bad in [Cell::new(7, 7), Cell::new(20, 20)] {
            let mut damaged = without.clone();
            assert!(damaged.insert(*key, bad));
            assert!(!holds(&damaged), "{key} {bad:?}");
        }
    }
    // Another winner, another rule, another board.
    let mut claims = [proof.claim.clone(), proof.claim.clone(), proof.claim.clone()];
    claims[0].attacker = Color::White;
    claims[1].setup.width = 16;
    claims[2].root.stones.pop();
    for claim in claims {
        let mut other = Proof::new(claim);
        for (key, m) in &moves {
            other.insert(*key, *m);
        }
        assert!(!holds(&other), "{:?}", other.claim);
    }
}

#[test]
fn damage_anywhere_in_a_packed_tree_is_detected() {
    let (_folder, [tree, packed, damaged]) = files();
    proven("renju", &tree);
    assert!(goren(&["check", &tree, "--pack", &packed]).status.success());
    let bytes = std::fs::read(&packed).unwrap();
    let fails = |bytes: &[u8], what: &str| {
        std::fs::write(&damaged, bytes).unwrap();
        for args in [&["check", &damaged][..], &["merge", &tree, &damaged], &["walk", &damaged]] {
            let output = goren(args);
            let proven = has(&output, "Result: proven");
            assert!(!output.status.success() && !proven, "{what} {args:?}: {}", text(&output));
        }
    };
    for at in (0..bytes.len()).step_by(1 + bytes.len() / 60) {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        fails(&other, &format!("bit of byte {at}"));
        fails(&bytes[..at], &format!("{at} bytes"));
    }
    fails(&[&bytes[..], &[0]].concat(), "one more");
    // A packed tree is not a table that `prove` can resume.
    let output = goren(&["prove", &packed, POSITION, "--rule", "renju", "--memory", "64"]);
    assert!(!output.status.success() && text(&output).contains("packed"), "{}", text(&output));
    assert_eq!(std::fs::read(&packed).unwrap(), bytes);
}

/// The positions that a checker asks about are part of the format: if this fails, it
/// can no longer read the files that users have, and the format needs another name.
#[test]
fn packed_trees_of_earlier_versions_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    for rule in ["renju", "caro", "standard"] {
        let file = folder.join(format!("{rule}.packed")).display().to_string();
        let (_folder, [again]) = files();
        let check = goren(&["check", &file, "--pack", &again]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        assert_eq!(unpacked(&file), unpacked(&again));
    }
}

/// The shipped tree of the whole game under a rule.
fn shipped(rule: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proof/trees");
    folder.join(format!("{rule}-15x15.packed")).display().to_string()
}

/// Checks one reply of a whole game; a test has no time for more.
fn answers_the_corner(rule: &str) {
    let check = goren(&["check", &shipped(rule), "--reply", "a15"]);
    let answered = has(&check, "Result: a15 is answered");
    assert!(check.status.success() && answered, "{}", text(&check));
    assert!(!has(&check, "Result: proven"));
}

#[test]
fn the_shipped_tree_of_standard_answers_the_corner() {
    answers_the_corner("standard");
}

#[test]
fn the_shipped_tree_of_renju_answers_the_corner() {
    answers_the_corner("renju");
}

#[test]
fn the_shipped_trees_answer_all_different_second_moves() {
    for rule in ["freestyle", "standard", "renju"] {
        let (_folder, [copy]) = files();
        let merge = goren(&["merge", "--packed", &copy, &shipped(rule)]);
        assert!(has(&merge, "Replies: 35"), "{}", text(&merge));
    }
}

#[test]
fn replies_of_a_shipped_tree_are_checked_and_packed_alone() {
    let tree = shipped("freestyle");
    for (reply, why) in [("h8", "not a reply"), ("p1", "outside"), ("hint", "no point")] {
        let check = goren(&["check", &tree, "--reply", reply]);
        assert!(!check.status.success() && text(&check).contains(why), "{}", text(&check));
    }
    // A file of a single reply; a reply and its mirror image are the same.
    let (_folder, [single]) = files();
    let pack = goren(&["check", &tree, "--reply", "a15,O15", "--pack", &single]);
    assert!(pack.status.success() && has(&pack, "Result: a15 is answered"), "{}", text(&pack));
    assert!(!has(&pack, "Result: proven"));
    let check = goren(&["check", &single, "--reply", "O15,b15"]);
    assert!(has(&check, "Result: not all of them are answered"), "{}", text(&check));
    let printed = text(&check);
    assert!(printed.contains("a15 answered") && printed.contains("b15 open"), "{printed}");
    let check = goren(&["check", &tree, "--reply", "a15", "--pack", &tree]);
    let printed = text(&check);
    assert!(!check.status.success() && printed.contains("only once all its replies"), "{printed}");
}

/// The second part of a check once replaced the file of the first.
#[test]
fn a_packed_file_keeps_the_parts_of_other_replies() {
    let (_folder, [tree, whole, shared, table]) = files();
    let prove = goren(&["prove", &tree, "h8a1i9b1h9", "--memory", "64"]);
    assert!(prove.status.success(), "{}", text(&prove));
    assert!(goren(&["check", &tree, "--pack", &whole]).status.success());
    let bytes = std::fs::read(&whole).unwrap();
    for part in ["1/2", "2/2"] {
        let check = goren(&["check", &tree, "--shard", part, "--pack", &shared]);
        assert!(check.status.success(), "{}", text(&check));
    }
    assert!(std::fs::read(&shared).unwrap() == bytes, "all parts are there");
    // A reply that is packed again replaces only its own part.
    let check = goren(&["check", &tree, "--reply", "a15", "--pack", &whole]);
    let is_kept = text(&check).contains("Kept in the packed file, not checked: ");
    assert!(check.status.success() && is_kept, "{}", text(&check));
    assert!(std::fs::read(&whole).unwrap() == bytes);
    // A table of the claim is no packed tree.
    std::fs::copy(&tree, &table).unwrap();
    let check = goren(&["check", &tree, "--pack", &table]);
    let refused = text(&check).contains("holds something else");
    assert!(!check.status.success() && refused, "{}", text(&check));
    assert!(std::fs::read(&table).unwrap() == std::fs::read(&tree).unwrap());
}

#[test]
fn an_empty_tree_answers_no_reply() {
    let packed = std::fs::read(shipped("freestyle")).unwrap();
    let (claim, _) = goren_proof::read_head(goren_proof::Form::Packed, &packed).unwrap();
    let (_folder, [empty]) = files();
    let mut bytes = Vec::new();
    goren_proof::write(&Proof::new(claim), &mut bytes).unwrap();
    std::fs::write(&empty, bytes).unwrap();
    let check = goren(&["check", &empty, "--reply", "a15"]);
    let open = has(&check, "Result: a15 is not answered");
    assert!(!check.status.success() && open, "{}", text(&check));
}

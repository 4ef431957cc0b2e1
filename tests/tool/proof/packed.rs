//! Packed trees, made here and of earlier versions.

use std::path::Path;

use goren_core::types::{Cell, Color};
use goren_proof::Proof;

use crate::support::{POSITION, files, goren, has, holds, proven, text, unpacked};

#[test]
fn each_move_of_a_packed_tree_is_needed_and_no_other_will_do() {
    let (_folder, [tree, packed]) = files();
    proven("renju", &tree);
    assert!(goren(&["check", &tree, "--pack", &packed]).status.success());
    let proof = unpacked(&packed);
    let moves = proof.moves();
    // With no answer to one position.
    for (key, _) in moves.iter().step_by(1 + moves.len() / 40) {
        let mut without = proof.clone();
        assert!(without.remove(*key));
        assert!(!holds(&without), "{key}");
        // On a stone, or outside: neither is a move.
        for bad in [Cell::new(7, 7), Cell::new(20, 20)] {
            let mut spoilt = without.clone();
            assert!(spoilt.insert(*key, bad));
            assert!(!holds(&spoilt), "{key} {bad:?}");
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
fn damage_to_a_packed_tree_is_noticed_wherever_it_is() {
    let (_folder, [tree, packed, spoilt]) = files();
    proven("renju", &tree);
    assert!(goren(&["check", &tree, "--pack", &packed]).status.success());
    let bytes = std::fs::read(&packed).unwrap();
    let fails = |bytes: &[u8], what: &str| {
        std::fs::write(&spoilt, bytes).unwrap();
        for args in [&["check", &spoilt][..], &["merge", &tree, &spoilt], &["walk", &spoilt]] {
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
    // It is no table to go on with or to play by.
    let output = goren(&["prove", &packed, POSITION, "--rule", "renju", "--memory", "64"]);
    assert!(!output.status.success() && text(&output).contains("packed"), "{}", text(&output));
    assert_eq!(std::fs::read(&packed).unwrap(), bytes);
}

/// What a checker asks for is part of the format: when this fails, files that
/// people have can no longer be read, and the format wants another name.
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

/// The file of a tree of the whole game that comes with the tool.
fn shipped(rule: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proof/trees");
    folder.join(format!("{rule}-15x15.packed")).display().to_string()
}

/// One reply of a whole game is as much as a test has time for.
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
fn the_shipped_trees_have_all_second_moves_that_differ() {
    for rule in ["freestyle", "standard", "renju"] {
        let (_folder, [copy]) = files();
        let merge = goren(&["merge", "--packed", &copy, &shipped(rule)]);
        assert!(has(&merge, "Replies: 35"), "{}", text(&merge));
    }
}

#[test]
fn replies_of_a_shipped_tree_are_checked_and_packed_alone() {
    let tree = shipped("freestyle");
    for (reply, why) in [("h8", "no reply"), ("p1", "outside"), ("hint", "no point")] {
        let check = goren(&["check", &tree, "--reply", reply]);
        assert!(!check.status.success() && text(&check).contains(why), "{}", text(&check));
    }
    // A file of some replies alone; a reply and its mirror image are one.
    let (_folder, [some]) = files();
    let pack = goren(&["check", &tree, "--reply", "a15,O15", "--pack", &some]);
    assert!(pack.status.success() && has(&pack, "Result: a15 is answered"), "{}", text(&pack));
    assert!(!has(&pack, "Result: proven"));
    let check = goren(&["check", &some, "--reply", "O15,b15"]);
    assert!(has(&check, "Result: not all of them are answered"), "{}", text(&check));
    let reported = text(&check);
    assert!(reported.contains("a15 answered") && reported.contains("b15 open"), "{reported}");
    let check = goren(&["check", &tree, "--reply", "a15", "--pack", &tree]);
    let reported = text(&check);
    assert!(
        !check.status.success() && reported.contains("only by all of its replies"),
        "{reported}"
    );
}

/// The file of the second part of a check took the place of that of the first.
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
    // A reply that is packed once more takes the place of its part alone.
    let check = goren(&["check", &tree, "--reply", "a15", "--pack", &whole]);
    let kept = text(&check).contains("Kept in the packed file, not checked: ");
    assert!(check.status.success() && kept, "{}", text(&check));
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

//! Runs that are interrupted, resumed, or share the work.

use std::path::Path;

use goren_core::types::Cell;
use goren_proof::Journal;

use crate::support::{POSITION, files, goren, has, holds, proven, read, text, unpacked};

#[test]
fn an_interrupted_run_is_resumed() {
    let (_folder, [tree, resumed]) = files();
    proven("freestyle", &tree);
    let whole = read(&tree);
    let moves = whole.moves();
    // All but the deepest third, in many batches, the last of which is cut.
    let (mut journal, ..) = Journal::open(Path::new(&resumed), &whole.claim).unwrap();
    for part in moves[..moves.len() * 2 / 3].chunks(1 + moves.len() / 10) {
        journal.append(&mut part.to_vec()).unwrap();
    }
    drop(journal);
    let bytes = std::fs::read(&resumed).unwrap();
    std::fs::write(&resumed, &bytes[..bytes.len() - 7]).unwrap();
    let check = goren(&["check", &resumed]);
    assert!(!check.status.success(), "{}", text(&check));
    // The file kept after an earlier damage stays.
    std::fs::write(format!("{resumed}.damaged"), "earlier").unwrap();
    let output = goren(&["prove", &resumed, POSITION, "--rule", "freestyle", "--memory", "64"]);
    let is_kept = text(&output).contains(&format!("is kept as {resumed}.damaged.2\n"));
    assert!(has(&output, "Result: proven") && is_kept, "{}", text(&output));
    let kept = |end| std::fs::read(format!("{resumed}.damaged{end}")).unwrap();
    assert_eq!((kept(""), kept(".2")), (b"earlier".to_vec(), bytes[..bytes.len() - 7].to_vec()));
    // A run that was killed while it rewrote the file left it empty.
    let repaired = std::fs::read(&resumed).unwrap();
    std::fs::write(&resumed, "").unwrap();
    let error = Journal::open(Path::new(&resumed), &whole.claim).err().unwrap();
    assert!(error.to_string().contains("the highest number after .damaged"), "{error}");
    std::fs::remove_file(&resumed).unwrap();
    assert!(Journal::open(Path::new(&resumed), &whole.claim).is_ok(), "begun anew");
    std::fs::write(&resumed, repaired).unwrap();
    for end in ["", ".2"] {
        std::fs::remove_file(format!("{resumed}.damaged{end}")).unwrap();
    }
    let again = read(&resumed);
    assert!(holds(&again));
    assert!(moves[..moves.len() / 3].iter().all(|fact| again.moves().contains(fact)));
    // A finished tree is sorted, and a sorted tree can be resumed.
    let sorted = std::fs::read(&resumed).unwrap();
    assert!(sorted.starts_with(b"GORENPF2"));
    let (mut journal, ..) = Journal::open(Path::new(&resumed), &whole.claim).unwrap();
    assert!(journal.is_sorted());
    journal.append(&mut vec![(1, Cell::new(0, 0))]).unwrap();
    drop(journal);
    proven("freestyle", &resumed);
    let extended = std::fs::read(&resumed).unwrap();
    assert!(extended.starts_with(b"GORENPF2") && extended != sorted);
    let (journal, again, _) = Journal::open(Path::new(&resumed), &whole.claim).unwrap();
    assert!(journal.is_sorted() && again.len() > read(&tree).len().min(moves.len() / 3));
}

#[test]
fn the_next_run_repairs_a_damaged_tree() {
    let (_folder, [tree, packed]) = files();
    proven("freestyle", &tree);
    assert!(goren(&["check", &tree, "--pack", &packed]).status.success());
    let mut proof = unpacked(&packed);
    for (key, _) in proof.moves().into_iter().step_by(7) {
        assert!(proof.remove(key));
        proof.insert(key, Cell::new(14, 14));
    }
    goren_proof::write(&proof, &mut std::fs::File::create(&packed).unwrap()).unwrap();
    assert!(!goren(&["check", &packed]).status.success());
    proven("freestyle", &packed);
    assert!(goren(&["check", &packed]).status.success());
}

#[test]
fn parts_are_proven_apart_and_merged() {
    let (_folder, [one, two, all, half, rest]) = files();
    // White is to move, and no threat of Black's decides by itself.
    let position = "h8a1i9b1h9";
    for (part, file) in [("1/2", &one), ("2/2", &two)] {
        let args = ["prove", file, position, "--shard", part, "--memory", "64"];
        let output = goren(&args);
        assert!(output.status.success(), "{}", text(&output));
    }
    // The replies proven in a part can be packed alone.
    let packed = goren(&["check", &one, "--pack", &half]);
    assert!(!packed.status.success() && text(&packed).contains("  open"), "{}", text(&packed));
    assert!(!unpacked(&half).is_empty() && unpacked(&half).len() <= read(&one).len());
    // No part may be missing.
    let mut bytes = std::fs::read(&half).unwrap();
    let claim = 16 + u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let mut ends = vec![claim + 2];
    while ends.last() < Some(&bytes.len()) {
        let at = ends[ends.len() - 1];
        let length = u32::from_le_bytes(bytes[at + 2..at + 6].try_into().unwrap()) as usize;
        ends.push(at + 10 + length);
    }
    assert!(ends.len() > 2 && ends.last() == Some(&bytes.len()), "{ends:?}");
    // No part may come twice, or be for an occupied cell.
    let part = bytes[ends[0]..ends[1]].to_vec();
    let mut others = vec![[&bytes[..], &part].concat(), bytes.clone()];
    let count = ends.len() as u16;
    others[0][claim..claim + 2].copy_from_slice(&count.to_le_bytes());
    let foreign = &mut others[1][ends[0]..ends[1]];
    foreign[..2].copy_from_slice(&[7, 7]);
    let sum = crc32fast::hash(&[&foreign[..6], &foreign[10..]].concat());
    foreign[6..10].copy_from_slice(&sum.to_le_bytes());
    others.extend(ends[..ends.len() - 1].iter().map(|&end| bytes[..end].to_vec()));
    for (number, other) in others.into_iter().enumerate() {
        std::fs::write(&all, other).unwrap();
        for args in [&["check", &all][..], &["merge", &half, &all]] {
            let output = goren(args);
            assert!(!output.status.success(), "{number} {args:?}: {}", text(&output));
            assert!(text(&output).contains("error"), "{number} {args:?}: {}", text(&output));
        }
    }
    assert_eq!(std::fs::read(&half).unwrap(), std::mem::take(&mut bytes));
    std::fs::remove_file(&all).unwrap();
    // Some of the replies may not replace the whole table.
    let before = std::fs::read(&one).unwrap();
    let onto = goren(&["check", &one, "--pack", &one]);
    let printed = text(&onto);
    assert!(!onto.status.success() && printed.contains("only once all its replies"), "{printed}");
    assert_eq!(std::fs::read(&one).unwrap(), before);
    let merged = goren(&["merge", &all, &half, &two]);
    assert!(merged.status.success(), "{}", text(&merged));
    let check = goren(&["check", &all]);
    assert!(check.status.success(), "{}", text(&check));
    assert!(read(&all).len() >= unpacked(&half).len().max(read(&two).len()));
    // Joined packed trees have each reply once.
    std::fs::remove_file(&all).unwrap();
    goren(&["check", &two, "--quick", "--pack", &rest]);
    for files in [[&half, &rest, &half], [&rest, &half, &rest]] {
        let [first, second, third] = files;
        let joined = goren(&["merge", "--packed", &all, first, second, third]);
        assert!(joined.status.success(), "{}", text(&joined));
        let check = goren(&["check", &all]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
    }
    let apart = [&half, &rest].map(|file| unpacked(file).len());
    assert!(unpacked(&all).len() >= apart[0].max(apart[1]));
    for files in [[&half, &two], [&two, &half]] {
        let refused = goren(&["merge", "--packed", &rest, files[0], files[1]]);
        assert!(!refused.status.success() && text(&refused).contains("not packed"));
    }
}

/// The moves of a tree are tried first on another board.
#[test]
fn trees_of_other_boards_are_advice() {
    let (_folder, [small, advised, white]) = files();
    let prove = |args: &[&str]| {
        let output = goren(&[&["prove"], args, &["--memory", "64", "--threads", "1"]].concat());
        (output.status.success(), text(&output))
    };
    assert!(prove(&[&small, "h8a1i9b1h9"]).0);
    // The same stones, two columns and rows further in.
    let large = ["j10c3k11d3j11", "--size", "19", "--reply", "j8,j12"];
    let with_advice = [&[&advised[..]], &large[..], &["--advice", &small]].concat();
    let (proven, printed) = prove(&with_advice);
    assert!(proven, "{printed}");
    let check = goren(&["check", &advised, "--reply", "j8,j12"]);
    assert!(check.status.success(), "{}", text(&check));
    // A tree that is about other stones or cannot be read is refused before the work.
    for (advice, why) in [(&small[..], "another position"), ("nowhere", "nowhere")] {
        let (proven, printed) = prove(&[&white, "h8a1i9b1h10", "--advice", advice]);
        assert!(!proven && printed.contains(why), "{printed}");
        assert!(!std::path::Path::new(&white).exists());
    }
}

#[test]
fn replies_are_proven_by_name() {
    let (_folder, [tree]) = files();
    let position = "h8a1i9b1h9";
    for (reply, left) in [("a15,o1", None), ("g7", Some("k9"))] {
        let args = ["prove", &tree, position, "--reply", reply, "--memory", "64"];
        let output = goren(&args);
        let result = format!("Result: proven, against {}", reply.replace(',', ", "));
        assert!(output.status.success() && has(&output, &result), "{}", text(&output));
        let check = goren(&["check", &tree, "--reply", reply]);
        assert!(check.status.success(), "{}", text(&check));
        if let Some(left) = left {
            let check = goren(&["check", &tree, "--reply", left]);
            assert!(!check.status.success() && text(&check).contains("open"), "{}", text(&check));
        }
    }
}

#[test]
fn the_claim_is_printed_before_the_work() {
    let (_folder, [whole, part]) = files();
    let printed = |args: &[&str]| {
        text(&goren(&[&["prove"], args, &["--time", "0", "--memory", "16"]].concat()))
    };
    let all = printed(&[&whole]);
    let begins = "freestyle on 15x15\nBlack: \nWhite: \nClaim: Black wins, Black to move\n\
                  The position is the empty board: the proof of the whole game may take days";
    assert!(all.starts_with(begins) && all.contains("goren prove win.tree h8a1i9\n"), "{all}");
    assert!(all.contains("Ctrl-C ends the work and keeps what is proven"), "{all}");
    let one = printed(&[&part, "h8a1", "--attacker", "white"]);
    let begins = "freestyle on 15x15\nBlack: h8\nWhite: a1\nClaim: White wins, Black to move\n";
    assert!(one.starts_with(begins) && !one.contains("empty board"), "{one}");
}

#[test]
fn unprovable_claims_and_unreadable_files_are_errors() {
    let (_folder, [tree, other]) = files();
    // White has a four.
    let lost = ["prove", &tree, "h8a1i9b1h9c1i8d1j13", "--shard", "1/1", "--memory", "64"];
    let output = goren(&lost);
    assert!(!has(&output, "Result: proven") && !output.status.success(), "{}", text(&output));
    for args in [
        &["prove", &tree, "h8i9"][..],
        &["prove", &other, "h8i9", "--rule", "pente"],
        &["prove", &other, "h8a1h9a2h10a3h11a4h12"],
        &["prove", "/nowhere/at/all", "h8i9"],
        &["prove", &other, "h8i9", "--shard", "5/4"],
        &["prove", &other, "h8i9j7", "--reply", "h8"],
        &["prove", &other, "h8i9", "--reply", "a1"],
        &["prove", &other, "h8i9j7", "--reply", "a1", "--shard", "1/2"],
        &["check", "/nowhere/at/all"],
        &["check", "Cargo.toml"],
        &["merge", &other, "Cargo.toml"],
    ] {
        let output = goren(args);
        assert!(!output.status.success(), "{args:?}");
        assert!(text(&output).contains("error"), "{args:?}: {}", text(&output));
        assert!(!Path::new(&other).exists() || args[0] == "prove", "{args:?}");
    }
}

//! A winning tree from the solvers to the checker: built, checked, spoilt.

use std::path::Path;
use std::process::{Command, Output};

use goren_core::rules::Outcome;
use goren_core::rules::referee::Referee;
use goren_core::types::{Cell, Color};
use goren_proof::{Checker, Journal, Proof};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tempfile::{TempDir, tempdir};

/// Paths of files in a folder that vanishes with it.
fn files<const N: usize>() -> (TempDir, [String; N]) {
    let folder = tempdir().unwrap();
    let paths =
        std::array::from_fn(|i| folder.path().join(format!("tree-{i}")).display().to_string());
    (folder, paths)
}

fn goren(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goren")).args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).unwrap()
}

fn has(output: &Output, line: &str) -> bool {
    text(output).lines().any(|there| there == line)
}

/// An attack of Black's with two open twos against scattered stones.
const POSITION: &str = "h8a1i9b1h9a15";

/// A tree that proves it, under a rule.
fn proven(rule: &str, file: &str) {
    let output = goren(&["prove", file, POSITION, "--rule", rule, "--memory", "64"]);
    assert!(output.status.success() && has(&output, "Result: proven"), "{}", text(&output));
}

fn read(file: &str) -> Proof {
    let (proof, damage) = goren_proof::read(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(damage, None);
    proof
}

/// The table of a packed tree.
fn unpacked(file: &str) -> Proof {
    let table = format!("{file}-table");
    let merge = goren(&["merge", &table, file]);
    assert!(merge.status.success(), "{}", text(&merge));
    let proof = read(&table);
    std::fs::remove_file(table).unwrap();
    proof
}

/// Whether a tree proves what it claims.
fn holds(proof: &Proof) -> bool {
    let mut checker = Checker::new(proof.claim.setup, proof.claim.attacker, proof);
    for &(cell, color) in &proof.claim.root.stones {
        checker.ground.place(cell, color).unwrap();
    }
    checker.attack(false).is_ok()
}

#[test]
fn trees_are_built_and_stand_the_check() {
    for rule in ["freestyle", "standard", "renju", "caro"] {
        let (_folder, [tree, packed, packed_again]) = files();
        proven(rule, &tree);
        let check = goren(&["check", &tree, "--pack", &packed]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        let (whole, table) = (read(&tree), unpacked(&packed));
        assert!(table.len() <= whole.len() && !table.is_empty());
        assert!(holds(&table));
        // A fifth of the bytes at most, but for the frame of the file.
        let bytes = |file: &str| std::fs::metadata(file).unwrap().len();
        assert!(bytes(&packed) < 100 + bytes(&tree) / 5, "{} {}", bytes(&packed), bytes(&tree));
        // With what failed on the way it is no smaller, and stands the check too.
        let quick = goren(&["check", &tree, "--quick", "--pack", &packed_again]);
        assert!(quick.status.success(), "{}", text(&quick));
        assert!(bytes(&packed_again) >= bytes(&packed));
        let check = goren(&["check", &packed_again]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        // But nothing is kept of a table that only that is to replace.
        let before = std::fs::read(&tree).unwrap();
        let quick = goren(&["check", &tree, "--quick", "--pack", &tree]);
        assert!(!quick.status.success() && text(&quick).contains("another file"));
        assert_eq!(std::fs::read(&tree).unwrap(), before);
        let check = goren(&["check", &packed]);
        assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
        let needed = format!("Needed: {} moves", table.len());
        assert!(has(&check, &needed), "{needed}: {}", text(&check));
        // Packed again it is the same file.
        let again = goren(&["check", &packed, "--pack", &packed_again]);
        assert!(again.status.success(), "{}", text(&again));
        assert_eq!(std::fs::read(&packed).unwrap(), std::fs::read(&packed_again).unwrap());
    }
}

#[test]
fn whatever_the_defender_plays_the_tree_wins() {
    let (_folder, [tree]) = files();
    proven("renju", &tree);
    let proof = read(&tree);
    let mut rng = SmallRng::seed_from_u64(11);
    for _ in 0..60 {
        let mut checker = Checker::new(proof.claim.setup, Color::Black, &proof);
        let mut referee = Referee::new(proof.claim.setup);
        for &(cell, color) in &proof.claim.root.stones {
            checker.ground.place(cell, color).unwrap();
            assert_eq!(referee.place(color, cell), Ok(None));
        }
        let mut bases = vec![checker.ground.keys()];
        loop {
            let (m, base) = checker.advise(bases, u64::MAX).unwrap();
            checker.ground.place(m, Color::Black).unwrap();
            match referee.place(Color::Black, m).unwrap() {
                Some(outcome) => {
                    assert_eq!(outcome, Outcome::Win(Color::Black));
                    break;
                }
                None => assert!(referee.stones().len() < 100),
            }
            // Mostly near the fight, and a five is stopped if it can be.
            let fives = checker.ground.wins(Color::Black);
            let near = |cell: &Cell| cell.x().abs_diff(m.x()).max(cell.y().abs_diff(m.y())) < 4;
            let empty: Vec<Cell> = checker.ground.empty().iter().collect();
            let close: Vec<Cell> = empty.iter().copied().filter(near).collect();
            let reply = match fives.first() {
                Some(&five) => five,
                None if rng.random_bool(0.8) => *close.choose(&mut rng).unwrap(),
                None => *empty.choose(&mut rng).unwrap(),
            };
            let base = checker.ground.toggled(base, m, Color::Black);
            checker.ground.place(reply, Color::White).unwrap();
            assert_eq!(referee.place(Color::White, reply), Ok(None));
            bases = vec![checker.ground.toggled(base, reply, Color::White), base];
        }
    }
}

#[test]
fn trees_are_walked() {
    let (_folder, [tree]) = files();
    proven("freestyle", &tree);
    let walk = goren(&["walk", &tree, "h8", "o15", "back", "o14", "o13", "o12", "x1"]);
    let text = text(&walk);
    assert!(walk.status.success(), "{text}");
    assert!(text.contains("occupied") && text.contains("Black has won"), "{text}");
    assert!(!text.contains("no answer"), "{text}");
    // A move that cannot be read is no missing one.
    let mut bytes = std::fs::read(&tree).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&tree, bytes).unwrap();
    let walk = goren(&["walk", &tree, "h8"]);
    let told = self::text(&walk);
    assert!(!walk.status.success() && told.contains("damaged at byte"), "{told}");
    assert!(!told.contains("no answer"), "{told}");
}

#[test]
fn wins_are_solved_by_what_they_take() {
    let (_folder, [tree]) = files();
    // A four and a three, an open three, and nothing.
    for (position, goal, plies) in [
        ("h8a1i8a3j8a5h9a7h10a9", "vcf", Some(3)),
        ("h8a1i9b1h9a15", "vcf", None),
        ("h8a1i9b1h9a15", "vct", Some(5)),
        ("h8a1i9b1h9a15", "win", Some(5)),
        ("", "vct", None),
    ] {
        // A tree about something else stays.
        drop(std::fs::remove_file(&tree));
        let args = ["solve", "--goal", goal, "--time", "2", "--memory", "64", "--proof", &tree];
        let output = goren(&[&args[..], &[position]].concat());
        let text = text(&output);
        assert_eq!(output.status.success(), plies.is_some(), "{position} {goal}: {text}");
        let told = text.lines().find_map(|line| line.strip_prefix("Plies: "));
        let told: Option<usize> = told.map(|told| told.parse().unwrap());
        assert!(told >= plies && told.is_some() == plies.is_some(), "{position} {goal}: {text}");
        if plies.is_some() {
            assert!(goren(&["check", &tree]).status.success());
        }
    }
}

#[test]
fn any_number_of_threads_finds_a_long_win_by_threats() {
    let (_folder, [tree]) = files();
    for threads in ["1", "2", "3"] {
        let args = ["solve", "--goal", "vct", "--threads", threads, "--proof", &tree];
        let output = goren(&[&args[..], &["h5i6g3k2i7f5f7j5j9h7k4"]].concat());
        assert!(output.status.success(), "{threads}: {}", text(&output));
        assert!(goren(&["check", &tree]).status.success(), "{threads}");
    }
    // Where there is none, they know it at once.
    let args = ["solve", "--goal", "vct", "--threads", "3", "--time", "1000", "h8i9"];
    let none = "Result: Black, to move: no win found, nothing is left to try";
    assert!(has(&goren(&args), none));
}

#[test]
fn the_shortest_win_by_fours_is_shown_where_it_is_asked_for() {
    let (_folder, [tree, list]) = files();
    // Found at once with twelve stones, but nine are enough.
    let position = "g8c6d7h3h5d5k4f3e4e3d3f5f4c5e5d4b6c7c4i5g3h2i4g6h8h7i8f8j4h4j7g1f2g4m4l4";
    let vcf = ["solve", "--goal", "vcf", "--memory", "16"];
    let plies = |more: &[&str]| -> usize {
        let output = goren(&[&vcf, more, &[position]].concat());
        let text = text(&output);
        text.lines().find_map(|line| line.strip_prefix("Plies: ")).unwrap().parse().unwrap()
    };
    let some = plies(&[]);
    assert_eq!(plies(&["--shortest", "--proof", &tree]), 17);
    assert!(some > 17, "{some}");
    assert!(goren(&["check", &tree]).status.success());
    let output = goren(&["solve", "--shortest", position]);
    assert!(!output.status.success() && text(&output).contains("--goal vcf"));
    // A file of positions: each has its line, whatever came before.
    std::fs::write(&list, format!("{position}\nh8i9\n")).unwrap();
    let output = goren(&[&vcf[..], &["--shortest", "--file", &list]].concat());
    let text = text(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with(position) && lines[0].contains("wins in 17 plies"), "{text}");
    assert!(
        lines[1].starts_with("h8i9: ") && lines[1].ends_with("nothing is left to try"),
        "{text}"
    );
    assert!(!output.status.success());
    // What is none is told, and the others are solved.
    std::fs::write(&list, format!("h8h8\n\n{position}\n")).unwrap();
    let output = goren(&[&vcf[..], &["--file", &list]].concat());
    let text = self::text(&output);
    assert!(!output.status.success() && text.contains("-1-") && text.contains(":1: "), "{text}");
    assert!(text.contains("wins in "), "{text}");
    std::fs::write(&list, "\n").unwrap();
    let output = goren(&[&vcf[..], &["--file", &list]].concat());
    assert!(!output.status.success() && self::text(&output).contains("no position"));
}

#[test]
fn what_each_reply_took_is_told() {
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
    // Some are settled by what won beside a neighbour, without a solver.
    assert!(found.iter().all(|row| row.len() == 5 && row[4] != "0"), "{found:?}");
    assert!(found.iter().any(|row| row[3] != "0"), "{found:?}");
    // All is known the next time.
    let again = goren(&args);
    assert!(rows(&again).is_empty() && has(&again, "Result: proven"), "{}", text(&again));
    // A look at the clock before the first reply.
    let none = goren(&[&args[..], &["--time", "0"]].concat());
    assert!(!none.status.success(), "{}", text(&none));
}

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

/// The tree of the whole game that is shipped, as far as a test has time.
#[test]
fn the_shipped_trees_answer_the_corner() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    let [tree, exact, renju] = ["freestyle", "standard", "renju"]
        .map(|rule| folder.join(format!("{rule}-15x15.packed")).display().to_string());
    for (tree, reply, told) in [
        (&tree, "a15", "a15"),
        (&tree, "O15", "a15"),
        (&exact, "a15", "a15"),
        (&renju, "a15", "a15"),
    ] {
        let check = goren(&["check", tree, "--reply", reply]);
        let told = format!("Result: {told} is answered");
        assert!(check.status.success() && has(&check, &told), "{}", text(&check));
        assert!(!has(&check, "Result: proven"));
    }
    // Each is whole: all the second moves that differ.
    for tree in [&tree, &exact, &renju] {
        let (_folder, [copy]) = files();
        let merge = goren(&["merge", "--packed", &copy, tree]);
        assert!(has(&merge, "Replies: 35"), "{}", text(&merge));
    }
    for (reply, why) in [("h8", "no reply"), ("p1", "outside"), ("hint", "no point")] {
        let check = goren(&["check", &tree, "--reply", reply]);
        assert!(!check.status.success() && text(&check).contains(why), "{}", text(&check));
    }
    // A file of some replies alone, each named once.
    let (_folder, [some]) = files();
    let pack = goren(&["check", &tree, "--reply", "a15,O15", "--pack", &some]);
    assert!(pack.status.success() && has(&pack, "Result: a15 is answered"), "{}", text(&pack));
    let check = goren(&["check", &some, "--reply", "a15,b15"]);
    assert!(has(&check, "Result: not all of them are answered"), "{}", text(&check));
    let told = text(&check);
    assert!(told.contains("a15 answered") && told.contains("b15 open"), "{told}");
    let check = goren(&["check", &tree, "--reply", "a15", "--pack", &tree]);
    assert!(!check.status.success() && text(&check).contains("would be lost"), "{}", text(&check));
    // Nobody answers in an empty tree.
    let packed = std::fs::read(&tree).unwrap();
    let (claim, _) = goren_proof::read_head(goren_proof::Form::Packed, &packed).unwrap();
    let (_folder, [empty]) = files();
    let mut bytes = Vec::new();
    goren_proof::write(&Proof::new(claim), &mut bytes).unwrap();
    std::fs::write(&empty, bytes).unwrap();
    let check = goren(&["check", &empty, "--reply", "a15"]);
    let open = has(&check, "Result: a15 is not answered");
    assert!(!check.status.success() && open, "{}", text(&check));
}

/// The position that issue 32 of dhbloo/rapfi asks about: Black wins, though
/// not as was claimed there (i14 k12 g12, after which White has k13).
#[test]
fn the_position_of_rapfi_issue_32_is_won() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    let tree = folder.join("rapfi-issue-32.packed").display().to_string();
    let check = goren(&["check", &tree]);
    assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
    for line in [
        "Black: h13 j13 i12 i10 g11 l11 l10 g9",
        "White: h11 i13 j11 i11 k11 j12 h10 j10",
        "Claim: Black wins, Black to move",
    ] {
        assert!(has(&check, line), "{}", text(&check));
    }
    let (_folder, [table]) = files();
    let merge = goren(&["merge", &table, &tree]);
    assert!(merge.status.success(), "{}", text(&merge));
    let walk = goren(&["walk", &table]);
    assert!(has(&walk, "Black: l12"), "{}", text(&walk));
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
        checker.ground.place(cell, color).unwrap();
    }
    let spot = checker.ground.spot(&checker.ground.keys());
    let mut spoilt = proof.clone();
    assert!(spoilt.remove(spot.key()));
    let foul = checker.ground.to_image(&spot, Cell::new(7, 7));
    assert!(checker.ground.fouls(Cell::new(7, 7)).0.double_three);
    spoilt.insert(spot.key(), foul);
    assert!(!holds(&spoilt));
}

#[test]
fn a_run_goes_on_where_it_was_broken_off() {
    let (_folder, [tree, resumed]) = files();
    proven("freestyle", &tree);
    let whole = read(&tree);
    let moves = whole.moves();
    // All but the deepest third, in many batches, and half of one more.
    let (mut journal, ..) = Journal::open(Path::new(&resumed), &whole.claim).unwrap();
    for part in moves[..moves.len() * 2 / 3].chunks(1 + moves.len() / 10) {
        journal.append(&mut part.to_vec()).unwrap();
    }
    drop(journal);
    let bytes = std::fs::read(&resumed).unwrap();
    std::fs::write(&resumed, &bytes[..bytes.len() - 7]).unwrap();
    let check = goren(&["check", &resumed]);
    assert!(!check.status.success(), "{}", text(&check));
    proven("freestyle", &resumed);
    std::fs::remove_file(format!("{resumed}.damaged")).unwrap();
    let again = read(&resumed);
    assert!(holds(&again));
    assert!(moves[..moves.len() / 3].iter().all(|fact| again.moves().contains(fact)));
    // What is done is sorted, and what is sorted can be gone on with.
    let sorted = std::fs::read(&resumed).unwrap();
    assert!(sorted.starts_with(b"GORENPF2"));
    let (mut journal, ..) = Journal::open(Path::new(&resumed), &whole.claim).unwrap();
    assert!(journal.is_sorted());
    journal.append(&mut vec![(1, Cell::new(0, 0))]).unwrap();
    drop(journal);
    proven("freestyle", &resumed);
    let gone_on = std::fs::read(&resumed).unwrap();
    assert!(gone_on.starts_with(b"GORENPF2") && gone_on != sorted);
    let (journal, again, _) = Journal::open(Path::new(&resumed), &whole.claim).unwrap();
    assert!(journal.is_sorted() && again.len() > read(&tree).len().min(moves.len() / 3));
}

#[test]
fn what_was_spoilt_in_a_tree_is_mended_by_the_next_run() {
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
    // What is proven of a part is kept by itself.
    let packed = goren(&["check", &one, "--pack", &half]);
    assert!(!packed.status.success() && text(&packed).contains("  open"), "{}", text(&packed));
    assert!(!unpacked(&half).is_empty() && unpacked(&half).len() <= read(&one).len());
    // A part may not get lost on the way.
    let mut bytes = std::fs::read(&half).unwrap();
    let claim = 16 + u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let mut ends = vec![claim + 2];
    while ends.last() < Some(&bytes.len()) {
        let at = ends[ends.len() - 1];
        let length = u32::from_le_bytes(bytes[at + 2..at + 6].try_into().unwrap()) as usize;
        ends.push(at + 10 + length);
    }
    assert!(ends.len() > 2 && ends.last() == Some(&bytes.len()), "{ends:?}");
    // Nor come twice, or be about a stone.
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
    // It may not take the place of all that was done.
    let before = std::fs::read(&one).unwrap();
    let onto = goren(&["check", &one, "--pack", &one]);
    assert!(!onto.status.success() && text(&onto).contains("would be lost"), "{}", text(&onto));
    assert_eq!(std::fs::read(&one).unwrap(), before);
    let merged = goren(&["merge", &all, &half, &two]);
    assert!(merged.status.success(), "{}", text(&merged));
    let check = goren(&["check", &all]);
    assert!(check.status.success(), "{}", text(&check));
    assert!(read(&all).len() >= unpacked(&half).len().max(read(&two).len()));
    // Packed they stay what they are, each reply once.
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

#[test]
fn replies_are_proven_by_name() {
    let (_folder, [tree]) = files();
    let position = "h8a1i9b1h9";
    for (reply, left) in [("a15,o1", None), ("g7", Some("k9"))] {
        let args = ["prove", &tree, position, "--reply", reply, "--memory", "64"];
        let output = goren(&args);
        let told = format!("Result: proven, against {}", reply.replace(',', ", "));
        assert!(output.status.success() && has(&output, &told), "{}", text(&output));
        let check = goren(&["check", &tree, "--reply", reply]);
        assert!(check.status.success(), "{}", text(&check));
        if let Some(left) = left {
            let check = goren(&["check", &tree, "--reply", left]);
            assert!(!check.status.success() && text(&check).contains("open"), "{}", text(&check));
        }
    }
}

#[test]
fn what_cannot_be_proven_or_read_is_said() {
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

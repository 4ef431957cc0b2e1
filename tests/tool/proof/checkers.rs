//! Both checkers as programs on the same files: valid trees, which both must accept, and planted
//! errors of every kind, which both must refuse.

use std::io::Read;
use std::path::Path;
use std::process::Command;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};
use goren_proof::{Claim, Proof, Root};
use goren_trees::packed::{Packed, Part};
use goren_trees::replies::{board, replies_to_check};

use crate::sibling::sibling;
use crate::support::{files, goren, has, text, unpacked};

/// Whether both checkers accept the bytes of a file.
///
/// # Panics
/// The checkers disagree, or one of them crashes.
fn proven(bytes: &[u8], what: &str) -> bool {
    let (_folder, [file]) = files();
    std::fs::write(&file, bytes).unwrap();
    let first = goren(&["check", &file]);
    let program = sibling(env!("CARGO_BIN_EXE_goren"), "goren-recheck");
    let second = Command::new(program).arg(&file).output().unwrap();
    let context = || format!("{what}\n{}\n{}", text(&first), text(&second));
    for output in [&first, &second] {
        assert!(matches!(output.status.code(), Some(0..=2)), "{}", context());
    }
    let second_accepts = text(&second).lines().any(|line| line.starts_with("proven: "));
    assert_eq!(has(&first, "Result: proven"), first.status.success(), "{}", context());
    assert_eq!(second_accepts, second.status.success(), "{}", context());
    assert_eq!(first.status.success(), second.status.success(), "{}", context());
    first.status.success()
}

fn refused(bytes: &[u8], what: &str) {
    assert!(!proven(bytes, what), "{what}: both say that it is proven");
}

fn small(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    std::fs::read(folder.join(name)).unwrap()
}

/// The bytes of a packed tree with these scripts.
fn bytes(claim: &Claim, scripts: &[(Option<Cell>, Vec<u8>)]) -> Vec<u8> {
    let parts = scripts.iter().map(|(reply, script)| Part::new(*reply, script).unwrap());
    let (_folder, [file]) = files();
    Packed::new(claim.clone(), parts.collect()).write(Path::new(&file)).unwrap();
    std::fs::read(file).unwrap()
}

/// Changes the body of a file's head and corrects its checksum.
fn with_body(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let mut body = bytes[16..16 + length].to_vec();
    change(&mut body);
    let sum = crc32fast::hash(&body).to_le_bytes();
    let length_word = (body.len() as u32).to_le_bytes();
    [&bytes[..8], &length_word, &sum, &body, &bytes[16 + length..]].concat()
}

/// Changes the name of the rule in a file, and nothing else.
fn with_rule(bytes: &[u8], name: &str) -> Vec<u8> {
    with_body(bytes, |body| {
        let old = usize::from(body[0]);
        let named = [&[name.len() as u8], name.as_bytes()].concat();
        body.splice(..=old, named);
    })
}

/// Two lines of Black's, each of three stones and one beyond a gap. A stone at (5, 7) leaves two
/// points that complete a six: fives where five or more win, else overlines. White is at both
/// ends.
fn sixes(rule: RuleId) -> Claim {
    let row = [1, 2, 3, 6].map(|x| (Cell::new(x, 7), Color::Black));
    let column = [3, 4, 5, 8].map(|y| (Cell::new(5, y), Color::Black));
    let white = [(0, 7), (5, 2), (14, 0), (14, 4), (14, 8), (14, 12), (10, 14), (12, 0)];
    let white = white.map(|(x, y)| (Cell::new(x, y), Color::White));
    let stones = [&row[..], &column, &white].concat();
    let setup = Setup::new(rule, 15, 15).unwrap();
    Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::Black } }
}

/// Black has an open four, and White is to move.
fn open_four() -> Claim {
    let black = [4, 5, 6, 7].map(|x| (Cell::new(x, 7), Color::Black));
    let white = [(0, 0), (14, 0), (0, 14)].map(|(x, y)| (Cell::new(x, y), Color::White));
    let stones = [&black[..], &white].concat();
    let setup = Setup::new(RuleId::Standard, 15, 15).unwrap();
    Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::White } }
}

/// The bytes of a table without a move.
fn empty_table(claim: Claim) -> Vec<u8> {
    let mut bytes = Vec::new();
    goren_proof::write(&Proof::new(claim), &mut bytes).unwrap();
    bytes
}

/// Black, to move, has one legal stone, g8, after which White wins: h9 threatens a five on h8,
/// where Black's stone is an overline. If Black could pass instead, White would have no win.
const MUST_MOVE: [&str; 15] = [
    "OXXXOXXXOOXXOOX",
    "XXOOXOOXXXOOXXO",
    "OOXOXOXXOOXXOOX",
    "XXOXOXOOXXOOXXO",
    "OOXOOOXOOXXXOXX",
    "XXXOXXXOXXOOXXO",
    "OXOXXOO.XOOXOOX",
    "XXOXXX..XOOOOXO",
    "OOOXOXOXXOXXOOO",
    "XXOOOXOXOXOXXXO",
    "XOXXOOXXOOXXOOX",
    "XXXOXXXOXOO.XXO",
    "OOXXOOXXOOXXOOX",
    "XXOOXXOOXOXXXXO",
    "OXXXOOXXOXXOOOX",
];

fn must_move() -> Claim {
    let rows = MUST_MOVE.into_iter().enumerate();
    let stones = rows.flat_map(|(y, row)| {
        let color = |sign: char| if sign == 'X' { Color::Black } else { Color::White };
        let signs = row.chars().enumerate().filter(|&(_, sign)| sign != '.');
        signs.map(move |(x, sign)| (Cell::new(x, y), color(sign)))
    });
    let root = Root { stones: stones.collect(), to_move: Color::Black };
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    Claim { setup, attacker: Color::White, root }
}

/// Two threes of Black's that cross on h8, in a game in which h8 comes last or first.
fn crossing_threes(h8_is_last: bool) -> Claim {
    let mut black = [(6, 7), (8, 7), (7, 6), (7, 8), (7, 7)];
    if !h8_is_last {
        black.rotate_right(1);
    }
    let white = [(0, 0), (14, 0), (0, 14), (14, 14)];
    let stone = |color| move |(x, y)| (Cell::new(x, y), color);
    let mut stones: Vec<_> = black.map(stone(Color::Black)).to_vec();
    for (number, at) in white.map(stone(Color::White)).into_iter().enumerate() {
        stones.insert(2 * number + 1, at);
    }
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::White } }
}

#[test]
fn both_checkers_accept_the_same_small_trees() {
    for name in ["standard", "renju", "caro", "rapfi-issue-32"] {
        let packed = small(&format!("{name}.packed"));
        assert!(proven(&packed, name));
        // And its table.
        let (_folder, [file]) = files();
        std::fs::write(&file, &packed).unwrap();
        let mut table = Vec::new();
        goren_proof::write(&unpacked(&file), &mut table).unwrap();
        assert!(proven(&table, &format!("the table of {name}")));
    }
}

#[test]
fn both_checkers_refuse_a_tree_with_another_rule() {
    let packed = bytes(&sixes(RuleId::Freestyle), &[(None, vec![0])]);
    assert!(proven(&packed, "sixes by five or more"));
    refused(&with_rule(&packed, "standard"), "sixes by exactly five");
    refused(&bytes(&sixes(RuleId::Standard), &[(None, vec![0])]), "the same, made as such");
    // Others go through a tree in another order, as the magic word tells.
    for (file, rule) in [("standard", "renju"), ("renju", "standard"), ("renju", "freestyle")] {
        refused(&with_rule(&small(&format!("{file}.packed")), rule), &format!("{file} as {rule}"));
    }
    for rule in ["", "pente", "standart"] {
        refused(&with_rule(&small("standard.packed"), rule), &format!("rule {rule:?}"));
    }
}

/// A win because the opponent must move is no win where players may pass.
#[test]
fn both_checkers_refuse_games_with_passes_at_any_point() {
    let table = empty_table(must_move());
    assert!(proven(&table, "a win by having to move, where nobody passes"));
    refused(&with_rule(&table, "renju+free-pass"), "the same where players may pass");
    let (_folder, [file, other]) = files();
    std::fs::write(&file, &table).unwrap();
    let without = "The claim is about the game without passes.";
    assert!(has(&goren(&["check", &file]), without));
    let prove = goren(&["prove", &other, "h8i9", "--game", "gomoku+free-pass"]);
    let refused = text(&prove).contains("has no winning trees");
    assert!(!prove.status.success() && refused && !Path::new(&other).exists());
    // Fours win even where players may pass; other wins are not claimed.
    let solve = |goal| {
        let game = ["--game", "gomoku+free-pass", "--goal", goal];
        goren(&[&["solve", "h8a1h9a3h10a5"], &game[..]].concat())
    };
    assert!(solve("vcf").status.success(), "{}", text(&solve("vcf")));
    assert!(text(&solve("win")).contains("has no winning trees"));
}

#[test]
fn both_checkers_refuse_a_root_whose_last_stone_is_a_foul() {
    assert!(proven(&empty_table(crossing_threes(false)), "h8 came first"));
    refused(&empty_table(crossing_threes(true)), "h8 came last, a double three");
}

#[test]
fn both_checkers_refuse_other_claims() {
    let whole = small("standard.packed");
    // After the name of the rule: size, attacker, side to move, number of stones, stones.
    type Change = fn(&mut Vec<u8>);
    let changes: [(&str, Change); 12] = [
        ("a board too small", |b| b[9] = 4),
        ("a board too large", |b| b[10] = 27),
        ("White wins", |b| b[11] = 1),
        ("White to move", |b| b[12] = 1),
        ("White wins and moves", |b| (b[11], b[12]) = (1, 1)),
        ("no colour", |b| b[11] = 2),
        ("a stone elsewhere", |b| b[15] = 3),
        ("a stone off the board", |b| b[15] = 15),
        ("a stone of the other side", |b| b[17] = 1),
        ("two stones on a cell", |b| b.copy_within(15..18, 18)),
        ("more stones than there are", |b| b[13] += 1),
        ("an early end", |b| b.truncate(20)),
    ];
    for (what, change) in changes {
        refused(&with_body(&whole, change), what);
    }
    let wider = with_body(&whole, |b| b[9] = 16);
    assert!(proven(&wider, "a wider board, on which the same moves win"));
    // A root that is over.
    let mut over = open_four();
    over.root.stones.push((Cell::new(8, 7), Color::Black));
    over.root.to_move = Color::Black;
    refused(&bytes(&over, &[(None, Vec::new())]), "a root that is over");
}

#[test]
fn both_checkers_refuse_damaged_bytes() {
    let whole = small("standard.packed");
    for at in (0..whole.len()).step_by(3) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        refused(&flipped, &format!("a bit of byte {at}"));
        refused(&whole[..at], &format!("cut after {at} bytes"));
    }
    refused(&[&whole[..], &[0]].concat(), "a byte more");
    for magic in [b"GORENPK1", b"GORENPK3", b"GORENPF1", b"GORENPF2"] {
        refused(&[&magic[..], &whole[8..]].concat(), &format!("{magic:?}"));
    }
    // With a corrected checksum: head, size and sums of the member.
    let part = 16 + 33 + 2;
    for at in [0, 4, 37, 41, 49].map(|at| part + 10 + at) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        let sum = crc32fast::hash(&[&flipped[part..part + 6], &flipped[part + 10..]].concat());
        flipped[part + 6..part + 10].copy_from_slice(&sum.to_le_bytes());
        refused(&flipped, &format!("byte {at} of the member"));
    }
}

#[test]
fn both_checkers_refuse_planted_answers() {
    let whole = small("standard.packed");
    let packed = Packed::read(&whole).unwrap().unwrap();
    let mut script = Vec::new();
    packed.parts()[0].script().read_to_end(&mut script).unwrap();
    assert_eq!(script[..5], [6, 0, 0, 4, 0], "as FORMAT.md has it");
    type Change = fn(&mut Vec<u8>);
    let changes: [(&str, Change); 9] = [
        ("a move that wins nothing", |s| s[0] = 200),
        ("an occupied cell", |s| s[0] = 220),
        ("a place beyond the board", |s| s[0] = 230),
        ("a far place", |s| drop(s.splice(0..1, [254, 255, 255]))),
        ("no answer", |s| s[0] = 0),
        ("a list of moves that win nothing", |s| drop(s.splice(0..1, [255, 2, 220, 200]))),
        ("an early end", |s| s.truncate(88)),
        ("no script", |s| s.clear()),
        ("more answers", |s| s.push(0)),
    ];
    for (what, change) in changes {
        let mut changed = script.clone();
        change(&mut changed);
        refused(&bytes(&packed.claim, &[(None, changed)]), what);
    }
    assert!(proven(&bytes(&packed.claim, &[(None, script.clone())]), "written again"));
    // A part must be one lzip member, with its length at its end.
    let part = 16 + 33 + 2;
    let member =
        |script: &[u8]| bytes(&packed.claim, &[(None, script.to_vec())])[part + 10..].to_vec();
    let with_member = |member: &[u8]| {
        let front = [&whole[part..part + 2], &(member.len() as u32).to_le_bytes()].concat();
        let sum = crc32fast::hash(&[&front[..], member].concat()).to_le_bytes();
        [&whole[..part], &front, &sum, member].concat()
    };
    assert!(proven(&with_member(&member(&script)), "put together again"));
    let two = [member(&script[..40]), member(&script[40..])].concat();
    refused(&with_member(&two), "a script in two members");
    refused(&with_member(&[]), "no member");
    let list: Vec<u8> = [&[255, 2, 220, 6], &script[1..]].concat();
    assert!(proven(&bytes(&packed.claim, &[(None, list)]), "a list whose second move wins"));
}

#[test]
fn both_checkers_refuse_missing_and_foreign_parts() {
    let claim = open_four();
    let replies = replies_to_check(&claim, &board(&claim).unwrap());
    let mut whole: Vec<_> = replies.iter().map(|&reply| (reply, Vec::new())).collect();
    whole.sort_by_key(|part| part.0);
    assert!(proven(&bytes(&claim, &whole), "an open four"));
    let without = whole[1..].to_vec();
    refused(&bytes(&claim, &without), "a reply without a part");
    let twice = [&whole[..], &whole[..1]].concat();
    refused(&bytes(&claim, &twice), "a reply with two parts");
    for foreign in [Some(Cell::new(4, 7)), None] {
        let more = [&whole[..], &[(foreign, Vec::new())]].concat();
        refused(&bytes(&claim, &more), &format!("a part of no reply: {foreign:?}"));
    }
    let mut answers = whole.clone();
    answers[7].1 = vec![0];
    refused(&bytes(&claim, &answers), "an answer that nobody asks for");
    // The checker names the reply, and still checks the others.
    let (_folder, [file]) = files();
    std::fs::write(&file, bytes(&claim, &answers)).unwrap();
    let printed = text(&goren(&["check", &file]));
    let name = answers[7].0.unwrap().label(15).to_lowercase();
    let flaw = format!("Flaw: after {name}: the part of the packed tree is damaged");
    assert!(printed.contains(&flaw), "{printed}");
    let open = printed.lines().filter(|line| line.ends_with("  open"));
    assert_eq!(open.count(), 1, "{printed}");
    // With a four of White's, the first reply is a five.
    let mut lost = claim;
    let white = [10, 11, 12, 13].map(|y| (Cell::new(2, y), Color::White));
    lost.root.stones.extend(white);
    let replies = replies_to_check(&lost, &board(&lost).unwrap());
    let parts: Vec<_> = replies.iter().map(|&reply| (reply, Vec::new())).collect();
    refused(&bytes(&lost, &parts), "a five of the defender");
}

#[test]
fn both_checkers_refuse_planted_tables() {
    let (_folder, [file]) = files();
    std::fs::write(&file, small("standard.packed")).unwrap();
    let proof = unpacked(&file);
    let written = |proof: &goren_proof::Proof| {
        let mut bytes = Vec::new();
        goren_proof::write(proof, &mut bytes).unwrap();
        bytes
    };
    let whole = written(&proof);
    for (key, _) in proof.moves() {
        let mut changed = proof.clone();
        assert!(changed.remove(key));
        refused(&written(&changed), &format!("without {key:x}"));
        changed.insert(key, Cell::new(7, 7));
        refused(&written(&changed), &format!("{key:x} on a stone"));
    }
    for at in (0..whole.len()).step_by(17) {
        refused(&whole[..at], &format!("a table cut after {at} bytes"));
        let mut flipped = whole.clone();
        flipped[at] ^= 4;
        refused(&flipped, &format!("a bit of byte {at} of a table"));
    }
}

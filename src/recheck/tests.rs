//! Small trees, planted errors, and comparisons with slow implementations.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use lzma_rust2::{LzipOptions, LzipWriter};

use crate::bits::Bits;
use crate::claim::{Options, Verdict, check};
use crate::derive::Derivation;
use crate::file::{self, Content};
use crate::foul::foul;
use crate::grid::{Grid, Rule, Sides};
use crate::images::{Images, Stones};
use crate::memory::{Memory, Place};
use crate::source::{Flaw, Moves, Script, Source, Table};

type Small = Grid<4, 16>;

fn tree(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    std::fs::read(folder.join(name)).unwrap()
}

fn checked(bytes: &[u8]) -> Result<Vec<Verdict>, Flaw> {
    let options = Options { threads: 1, reply: None };
    check(bytes, None, &options, &|_| ()).map(|(_, verdicts)| verdicts)
}

/// Returns the first flaw of a file; empty if it is proven.
fn wrong(bytes: &[u8]) -> String {
    match checked(bytes) {
        Ok(verdicts) => verdicts.into_iter().find_map(|v| v.flaw).unwrap_or_default(),
        Err(flaw) => flaw.0,
    }
}

/// An unpacked tree: body of the head; replies and scripts.
#[derive(Clone)]
struct Packed {
    body: Vec<u8>,
    parts: Vec<([u8; 2], Vec<u8>)>,
}

fn four_bytes(n: usize) -> [u8; 4] {
    (n as u32).to_le_bytes()
}

fn crc(bytes: &[u8]) -> [u8; 4] {
    crc32fast::hash(bytes).to_le_bytes()
}

fn head(magic: &[u8], body: &[u8]) -> Vec<u8> {
    [magic, &four_bytes(body.len()), &crc(body), body].concat()
}

impl Packed {
    fn open(bytes: &[u8]) -> Self {
        let length = usize::from(bytes[8]);
        let (claim, content) = file::read(bytes).unwrap();
        let Content::Parts(parts) = content else { panic!("not packed") };
        let parts = parts.iter().map(|part| {
            let mut script = Vec::new();
            std::io::copy(&mut file::unpack(part.member).unwrap(), &mut script).unwrap();
            let place = part.reply.map_or([255; 2], |cell| {
                [(cell % claim.size.0) as u8, (cell / claim.size.0) as u8]
            });
            (place, script)
        });
        Self { body: bytes[16..16 + length].to_vec(), parts: parts.collect() }
    }

    fn bytes(&self) -> Vec<u8> {
        let renju = self.body[1..].starts_with(b"renju");
        let mut bytes = head(if renju { b"GORENPK3" } else { b"GORENPK2" }, &self.body);
        bytes.extend((self.parts.len() as u16).to_le_bytes());
        for (place, script) in &self.parts {
            let mut writer = LzipWriter::new(Vec::new(), LzipOptions::with_preset(1));
            writer.write_all(script).unwrap();
            let member = writer.finish().unwrap();
            let size = four_bytes(member.len());
            bytes.extend([place, &size[..], &crc(&[place, &size[..], &member].concat())].concat());
            bytes.extend(member);
        }
        bytes
    }

    /// Returns the flaw after a change of the only part's script.
    fn with_script(&self, change: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut changed = self.clone();
        change(&mut changed.parts[0].1);
        assert_ne!(changed.parts[0].1, self.parts[0].1);
        wrong(&changed.bytes())
    }

    fn with_body(&self, change: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut changed = self.clone();
        change(&mut changed.body);
        assert_ne!(changed.body, self.body);
        wrong(&changed.bytes())
    }
}

#[test]
fn small_trees_are_proven() {
    for name in ["standard", "renju", "caro", "rapfi-issue-32"] {
        let bytes = tree(&format!("{name}.packed"));
        assert_eq!(wrong(&bytes), "", "{name}");
        // The checker also accepts the tree as packed by `Packed`.
        assert_eq!(wrong(&Packed::open(&bytes).bytes()), "", "{name}");
    }
    let standard = &checked(&tree("standard.packed")).unwrap()[0];
    assert_eq!((standard.answers, standard.moves), (89, 15));
}

#[test]
fn damaged_files_are_refused() {
    for name in ["standard.packed", "renju.packed", "caro.packed"] {
        let whole = tree(name);
        for length in 0..whole.len() {
            assert_ne!(wrong(&whole[..length]), "", "{name} cut after {length} bytes");
        }
        assert_ne!(wrong(&[&whole[..], &[0]].concat()), "");
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(wrong(&flipped), "", "{name} with bit {bit} flipped");
        }
    }
}

#[test]
fn damaged_members_are_refused() {
    let whole = tree("standard.packed");
    let at = 16 + 33 + 2;
    for bit in 0..8 * 57 {
        let mut flipped = whole.clone();
        flipped[at + 10 + bit / 8] ^= 1 << (bit % 8);
        let mended = crc(&[&flipped[at..at + 6], &flipped[at + 10..]].concat());
        flipped[at + 6..at + 10].copy_from_slice(&mended);
        // A larger dictionary, and the padding of the coder's last bytes after the end marker,
        // do not change the script.
        let harmless = bit / 8 == 5 || (33..37).contains(&(bit / 8));
        assert!(harmless || !wrong(&flipped).is_empty(), "bit {bit} of the member flipped");
    }
}

#[test]
fn planted_answers_fail() {
    let packed = Packed::open(&tree("standard.packed"));
    assert_eq!(packed.parts[0].1[..5], [6, 0, 0, 4, 0]);
    type Change<'a> = &'a dyn Fn(&mut Vec<u8>);
    let cases: [(&str, &str, Change<'_>); 8] = [
        ("another move that wins nothing", "", &|s| s[0] = 200),
        ("an occupied cell", "is on an occupied point", &|s| s[0] = 220),
        ("a place beyond the board", "no move wins", &|s| s[0] = 230),
        ("a far place", "no move wins", &|s| {
            s.splice(0..1, [254, 255, 255]);
        }),
        ("no answer", "no move wins", &|s| s[0] = 0),
        ("an early end", "ends early", &|s| s.truncate(88)),
        ("no script", "ends early", &|s| s.clear()),
        ("more answers", "more answers", &|s| s.push(0)),
    ];
    for (what, expected, change) in cases {
        let wrong = packed.with_script(change);
        assert!(!wrong.is_empty() && wrong.contains(expected), "{what}: {wrong}");
    }
    let list = packed.with_script(|s| {
        s.splice(0..1, [255, 2, 220, 6]);
    });
    assert_eq!(list, "", "the second move of a list wins");
}

#[test]
fn every_move_of_a_tree_counts() {
    // Replaces each answer with a move of the tree by a move on the last place.
    let packed = Packed::open(&tree("rapfi-issue-32.packed"));
    let script = packed.parts[0].1.clone();
    let moves: Vec<usize> = (0..200).filter(|&i| (1..200).contains(&script[i])).collect();
    let failed = moves.iter().filter(|&&i| !packed.with_script(|s| s[i] = 201).is_empty());
    let failed = failed.count();
    assert!(failed * 10 >= moves.len() * 9, "{failed} of {}", moves.len());
}

#[test]
fn other_claims_fail() {
    let packed = Packed::open(&tree("standard.packed"));
    let (attacker, to_move, first) = (11, 12, 15);
    assert_ne!(packed.with_body(|b| b[attacker] = 1), "", "attacker");
    assert_ne!(packed.with_body(|b| b[to_move] = 1), "", "side to move");
    assert_ne!(packed.with_body(|b| (b[attacker], b[to_move]) = (1, 1)), "", "both");
    assert_ne!(packed.with_body(|b| b[attacker] = 2), "", "no colour");
    assert_ne!(packed.with_body(|b| b[first] = 3), "", "a stone elsewhere");
    assert_ne!(packed.with_body(|b| b[first] = 15), "", "a stone off the board");
    assert_ne!(packed.with_body(|b| b[first + 2] = 1), "", "a white stone");
    assert_ne!(packed.with_body(|b| b.copy_within(15..18, 18)), "", "two stones on a cell");
    assert_ne!(packed.with_body(|b| b[1] = b'x'), "", "an unknown rule");
    let upper = packed.with_body(|b| b[1..9].make_ascii_uppercase());
    assert_eq!(upper, "", "the name in capitals");
    // A renju tree under the magic word of other rules is refused.
    let mut renju = tree("renju.packed");
    renju[7] = b'2';
    assert!(wrong(&renju).contains("magic"));
    let options = Options { threads: 1, reply: None };
    let expected = "standard 15x15, Black wins, Black to move; Black: h9 i9 h8; White: a15 a1 b1";
    assert!(check(&tree("standard.packed"), Some("x"), &options, &|_| ()).is_err());
    let (claim, _) = file::read(&tree("standard.packed")).map(|(c, _)| (c, ())).unwrap();
    assert_eq!(claim.to_string(), expected);
    assert!(check(&tree("standard.packed"), Some(expected), &options, &|_| ()).is_ok());
}

#[test]
fn replies_must_all_have_a_part() {
    // One black stone, White to move: 35 classes.
    let mut body = vec![8];
    body.extend(b"standard");
    body.extend([15, 15, 0, 1, 1, 0, 7, 7, 0]);
    let classes: Vec<[u8; 2]> =
        (0..8).flat_map(|y| (0..=y).map(move |x| [x, y])).filter(|p| *p != [7, 7]).collect();
    // Under the first cell in cell order: the one with y <= x.
    let parts: Vec<_> = classes.iter().map(|&[y, x]| ([x, y], vec![])).collect();
    let packed = Packed { body, parts };
    assert_eq!(packed.parts.len(), 35);
    let verdicts = checked(&packed.bytes()).unwrap();
    assert!(verdicts.iter().all(|v| v.flaw.as_ref().is_some_and(|f| f.contains("ends early"))));
    let mut missing = packed.clone();
    missing.parts.remove(3);
    assert!(wrong(&missing.bytes()).contains("no part for"));
    let mut twice = packed.clone();
    twice.parts.push(twice.parts[0].clone());
    assert!(wrong(&twice.bytes()).contains("two parts"));
    let mut more = packed;
    more.parts.push(([14, 14], vec![]));
    assert!(wrong(&more.bytes()).contains("needs none"));
}

/// A source that notes its answers.
struct Noted<'a, A> {
    source: A,
    pairs: &'a mut BTreeSet<(u64, u16)>,
}

impl<A: Source> Source for Noted<'_, A> {
    fn moves(
        &mut self,
        key: u64,
        cell: &mut dyn FnMut(usize) -> Option<u16>,
    ) -> Result<Moves, Flaw> {
        let moves = self.source.moves(key, cell)?;
        // Cell numbers of 15 columns, from bits.
        self.pairs.extend(moves.iter().map(|m| (key, 15 * (m / 16) + m % 16)));
        Ok(moves)
    }

    fn known(&self, key: u64) -> Option<Moves> {
        self.source.known(key)
    }

    fn counts(&self) -> (u64, u64) {
        self.source.counts()
    }

    fn bytes(&self) -> usize {
        self.source.bytes()
    }

    fn finish(&mut self) -> Result<(), Flaw> {
        self.source.finish()
    }
}

fn varint(mut n: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n >= 128 {
        bytes.push(n as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

/// Encodes a batch. `fixed`: cells as in `GORENPF2`.
fn batch(pairs: &[(u64, u16)], fixed: bool) -> Vec<u8> {
    let (mut rest, mut last) = (Vec::new(), 0);
    for &(key, cell) in pairs {
        rest.extend(varint(key - last));
        rest.extend(if fixed { vec![cell as u8] } else { varint(u64::from(cell)) });
        last = key;
    }
    [&four_bytes(pairs.len())[..], &four_bytes(rest.len()), &crc(&rest), &rest].concat()
}

#[test]
fn tables_and_logs_are_read() {
    let grid = Small::new(Rule::Standard, 15, 15).unwrap();
    let (images, body) = (Images::new(&grid), Packed::open(&tree("standard.packed")).body);
    let mut root = images.none();
    for stone in body[15..].chunks(3) {
        images.put(
            &mut root,
            usize::from(stone[2]),
            16 * usize::from(stone[1]) + usize::from(stone[0]),
        );
    }
    let script = Packed::open(&tree("standard.packed")).parts.remove(0).1;
    let mut pairs = BTreeSet::new();
    let noted = Noted { source: Script::new(&script[..]), pairs: &mut pairs };
    assert_eq!(Derivation::new(&grid, &images, 0, root, noted).root(), Ok(true));
    let pairs: Vec<_> = pairs.into_iter().collect();
    assert!(pairs.contains(&(0x13_c48f_3a82_84bc, 97)), "as section 7 says");
    let log = |batches: &[u8]| [&head(b"GORENPF1", &body), batches].concat();
    assert_eq!(wrong(&log(&batch(&pairs, false))), "");
    assert_eq!(wrong(&log(&[batch(&pairs[1..], false), batch(&pairs[..1], false)].concat())), "");
    let none = wrong(&log(&[]));
    assert!(none.contains("no move wins"), "{none}");
    let other: Vec<_> = pairs.iter().map(|pair| (pair.0, 0)).collect();
    assert_ne!(wrong(&log(&batch(&other, false))), "");
    let whole = log(&batch(&pairs, false));
    assert_ne!(wrong(&whole[..whole.len() - 1]), "");

    let table = |slots: &[u8], last: usize, first: u64, rest: &[u8]| {
        let body = [&body[..], &four_bytes(1), &four_bytes(last)].concat();
        let index = first.to_le_bytes();
        [&head(b"GORENPF2", &body), &crc(&index)[..], &index, slots, rest].concat()
    };
    let slot = batch(&pairs, true);
    assert_eq!(wrong(&table(&slot, slot.len(), pairs[0].0, &[])), "");
    assert_ne!(wrong(&table(&slot, slot.len() - 1, pairs[0].0, &[])), "");
    assert_ne!(wrong(&table(&slot, slot.len(), pairs[0].0 + 1, &[])), "");
    let slot = batch(&pairs[..1], true);
    assert_eq!(wrong(&table(&slot, slot.len(), pairs[0].0, &batch(&pairs[1..], true))), "");
}

#[test]
fn invalid_moves_fail_a_derivation() {
    // A move of the attacker that is a foul, or that leaves the defender a five.
    let grid = Small::new(Rule::Renju, 15, 15).unwrap();
    let images = Images::new(&grid);
    // Two threes that meet on h8: a foul of Black.
    let mut root = images.none();
    for (colour, x, y) in [(0, 6, 7), (0, 8, 7), (0, 7, 6), (0, 7, 8), (1, 0, 0), (1, 14, 0)] {
        images.put(&mut root, colour, 16 * y + x);
    }
    let centre = 16 * 7 + 7;
    assert!(foul(&grid, &root.sides, 0, centre).0);
    let (number, image) = images.canonical(&root);
    let pairs = [((number >> 72) as u64, images.to(image, centre) as u16)];
    let table = Table { pairs: &pairs, counts: (0, 0) };
    let mut renju = Derivation::new(&grid, &images, 0, root, table);
    assert_eq!(renju.root(), Ok(false));
    assert_eq!(renju.unproven(None), "the move h8 is a foul");
    // White has a four, which the move does not answer.
    for x in 3..7 {
        images.put(&mut root, 1, 16 * 12 + x);
    }
    let (number, image) = images.canonical(&root);
    let pairs = [((number >> 72) as u64, images.to(image, 16 * 3 + 3) as u16)];
    let table = Table { pairs: &pairs, counts: (0, 0) };
    let mut against = Derivation::new(&grid, &images, 0, root, table);
    assert_eq!(against.root(), Ok(false));
    assert_eq!(against.unproven(None), "the defender makes a five");
}

#[test]
fn results_are_kept_by_number_of_extra_stones() {
    let (board, asked, cells) = (0x1234_5678 << 70 | 9, 77, Bits::<4>::of(3));
    let mut memory = Memory::<4>::default();
    memory.add_won(board);
    memory.add_relevant(Place::new(board, asked, 1), cells);
    memory.add_lost(Place::new(board, asked, 3));
    for k in 0..9 {
        let place = Place::new(board, asked, k);
        // A win without extra stones is not one with extra stones.
        assert_eq!(memory.relevant(place), (k == 1).then_some(cells));
        assert_eq!(memory.is_lost(place), k == 3);
        assert_eq!(memory.relevant(Place::new(asked, board, k)), None);
        for bit in 0..128 {
            assert_ne!(place, Place::new(board ^ 1 << bit, asked, k));
            assert_ne!(place, Place::new(board, asked ^ 1 << bit, k));
        }
    }
    assert!(memory.is_won(board) && !memory.is_won(asked));
}

#[test]
fn keys_and_images_are_those_of_the_description() {
    let grid = Small::new(Rule::Freestyle, 15, 15).unwrap();
    let images = Images::new(&grid);
    let mut stones: Stones<4> = images.none();
    images.put(&mut stones, 0, 16 * 7 + 7);
    images.put(&mut stones, 1, 16 * 6 + 7);
    assert_eq!(images.canonical(&stones), (0x559d_5ab5_1756_49e6_da53_38d6_fa12_ee3b, 0));
    for image in 0..8 {
        for cell in grid.all.cells() {
            assert_eq!(images.from(image, images.to(image, cell)), cell);
        }
    }
}

/// Returns the next pseudorandom number.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Whether a stone makes a five, checked cell by cell.
fn slow_five(grid: &Small, sides: &Sides<4>, colour: usize, x: i32, y: i32) -> bool {
    let at = |x: i32, y: i32| {
        let on = (0..grid.width as i32).contains(&x) && (0..grid.height as i32).contains(&y);
        let cell = (16 * y + x) as usize;
        if on { (0..2).find(|&c| sides[c].has(cell)).unwrap_or(2) } else { 3 }
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
        let reach = |s: i32| {
            (1..).take_while(|i| at(x + s * i * dx, y + s * i * dy) == colour).count() as i32
        };
        let (f, b) = (reach(1), reach(-1));
        let ends = [at(x + (f + 1) * dx, y + (f + 1) * dy), at(x - (b + 1) * dx, y - (b + 1) * dy)];
        let (length, blocked) = (f + b + 1, ends == [1 - colour; 2]);
        match grid.rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => {
                if colour == 0 {
                    length == 5
                } else {
                    length >= 5
                }
            }
            Rule::Caro => length >= 6 || length == 5 && !blocked,
            Rule::CaroExact => length == 5 && !blocked,
        }
    })
}

#[test]
fn fives_agree_with_a_check_cell_by_cell() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut found = 0;
    for round in 0..3000 {
        let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];
        let size = [(15, 15), (7, 9), (15, 6)][round % 3];
        let grid = Small::new(rules[round % 5], size.0, size.1).unwrap();
        let mut sides = [Bits::default(); 2];
        for cell in grid.all.cells() {
            match next(&mut state) % 16 {
                0..6 => sides[round & 1].add(cell),
                6..9 => sides[1 - (round & 1)].add(cell),
                _ => {}
            }
        }
        for colour in 0..2 {
            let fives = grid.fives(&sides, colour, &grid.windows(&sides, colour));
            for cell in grid.empty(&sides).cells() {
                let slow = slow_five(&grid, &sides, colour, (cell % 16) as i32, (cell / 16) as i32);
                assert_eq!(fives.has(cell), slow, "{} {cell} {sides:?}", grid.rule.name());
                found += usize::from(slow);
            }
        }
    }
    assert!(found > 1000);
}

/// Returns the verdict on a cell of a diagram (`x` Black, `o` White, `*` the cell).
fn verdict(rows: &[&str]) -> bool {
    let grid = Small::new(Rule::Renju, 15, 15).unwrap();
    let (mut sides, mut cell) = ([Bits::default(); 2], 0);
    for (y, row) in rows.iter().enumerate() {
        for (x, sign) in row.bytes().enumerate() {
            match sign {
                b'x' => sides[0].add(16 * (y + 4) + x + 4),
                b'o' => sides[1].add(16 * (y + 4) + x + 4),
                b'*' => cell = 16 * (y + 4) + x + 4,
                _ => {}
            }
        }
    }
    foul(&grid, &sides, 0, cell).0
}

#[test]
fn fouls_follow_the_renju_rules() {
    assert!(verdict(&["x*x", " x ", " x "]), "two threes");
    assert!(!verdict(&["ox*x", "  x ", "  x ", "  o "]), "none of them open");
    assert!(verdict(&["x.x*x.x"]), "two fours in one line");
    assert!(!verdict(&["x*xx"]), "a straight four is one");
    assert!(verdict(&["x*xxxx"]), "six");
    assert!(!verdict(&["xx*xx", "  x", "  x", "  x", "  x", "  x"]), "five above six");
    assert!(verdict(&["xx*x", "  x", "  x", "  x"]), "two fours");
    assert!(!verdict(&["xx*x", "  x", "  x"]), "a four and a three");
    assert!(
        !verdict(&["x..x*x..x", "    x", "    x"]),
        "a three that can only become six or closed"
    );
}

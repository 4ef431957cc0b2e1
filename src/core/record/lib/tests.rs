//! Tests with libraries written by hand, and comparison with a slow twin made of nested lists.

use std::io::{self, Read};

use proptest::prelude::*;

use super::header::{NEWEST, header};
use super::*;
use crate::record::text::CodePage;
use crate::types::Cell;

/// A node with its subtree.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Twin {
    step: Step,
    mark: bool,
    start: bool,
    comment: Option<Vec<u8>>,
    text: Option<Vec<u8>>,
    below: Vec<Twin>,
}

impl Twin {
    fn of(node: NodeRef) -> Twin {
        Twin {
            step: node.step(),
            mark: node.is_marked(),
            start: node.is_start(),
            comment: node.comment().map(<[u8]>::to_vec),
            text: node.board_text().map(<[u8]>::to_vec),
            below: node.children().map(Twin::of).collect(),
        }
    }

    /// Writes the subtree in the file format.
    fn bytes(&self, has_sibling: bool, out: &mut Vec<u8>) {
        let root = self.step == Step::Root;
        let (place, no_move) = match self.step {
            Step::Root | Step::Pass => (0, false),
            Step::Stone(cell) => (cell.y() * 16 + cell.x() + 1, false),
            Step::Label(cell) => (cell.map_or(0, |cell| cell.y() * 16 + cell.x() + 1), true),
        };
        let flags = [
            (has_sibling, 0x80),
            (self.below.is_empty() && !root, 0x40),
            (self.mark, 0x10),
            (self.comment.is_some(), 0x08),
            (self.start, 0x04),
            (no_move, 0x02),
            (self.text.is_some(), 0x01),
        ];
        out.push(place as u8);
        out.push(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum());
        if self.text.is_some() {
            out.extend([0, 1]);
        }
        for text in [&self.comment, &self.text].into_iter().flatten() {
            out.extend(text);
            out.extend(if text.len() % 2 == 0 { &[0, 0][..] } else { &[0] });
        }
        for (i, child) in self.below.iter().enumerate() {
            child.bytes(i + 1 < self.below.len(), out);
        }
    }

    pub(super) fn file(&self) -> Vec<u8> {
        let mut file = header(NEWEST).to_vec();
        self.bytes(false, &mut file);
        file
    }

    fn build(&self, builder: &mut Builder) {
        let comment = self.comment.as_deref();
        let board_text = self.text.as_deref();
        let notes = Notes { mark: self.mark, start: self.start, comment, board_text };
        if self.step == Step::Root {
            builder.annotate_root(&notes).unwrap();
        } else {
            builder.child(self.step, &notes).unwrap();
        }
        for child in &self.below {
            child.build(builder);
        }
        builder.up();
    }

    /// Collects the path to every node.
    fn paths(&self, path: &mut Vec<Step>, out: &mut Vec<Vec<Step>>) {
        out.push(path.clone());
        for child in &self.below {
            path.push(child.step);
            child.paths(path, out);
            path.pop();
        }
    }
}

fn steps() -> impl Strategy<Value = Step> {
    let cell = || (0..SIDE, 0..SIDE).prop_map(|(x, y)| Cell::new(x, y));
    prop_oneof![
        6 => cell().prop_map(Step::Stone),
        1 => Just(Step::Pass),
        2 => cell().prop_map(|cell| Step::Label(Some(cell))),
        1 => Just(Step::Label(None)),
    ]
}

fn texts() -> impl Strategy<Value = Option<Vec<u8>>> {
    prop::option::weighted(0.3, prop::collection::vec(1u8..=255, 0..7))
}

/// Generates random trees.
pub(super) fn twins() -> impl Strategy<Value = Twin> {
    let node = |below: Vec<Twin>| {
        (steps(), any::<[bool; 2]>(), texts(), texts()).prop_map(
            move |(step, [mark, start], comment, text)| {
                let below = below.clone();
                Twin { step, mark, start, comment, text, below }
            },
        )
    };
    let leaf = node(Vec::new());
    let tree = leaf.prop_recursive(8, 60, 5, move |inner| {
        prop::collection::vec(inner, 0..5).prop_flat_map(node)
    });
    tree.prop_map(|twin| Twin { step: Step::Root, ..twin })
}

pub(super) fn written(tree: &Tree) -> Vec<u8> {
    let mut file = Vec::new();
    tree.write(&mut file).unwrap();
    file
}

proptest! {
    #[test]
    fn trees_agree_with_the_twin(twin in twins()) {
        let file = twin.file();
        let tree = Tree::read(&file[..]).unwrap();
        prop_assert_eq!(Twin::of(tree.root()), twin.clone());
        prop_assert_eq!(tree.unmet(), 0);
        prop_assert_eq!(written(&tree), file);
        let mut builder = Builder::new(Limits::default());
        twin.build(&mut builder);
        prop_assert!(builder.finish() == tree);
        let mut paths = Vec::new();
        twin.paths(&mut Vec::new(), &mut paths);
        let mut walk = tree.walk();
        for path in &paths {
            let node = walk.next().unwrap();
            prop_assert_eq!(walk.path(), &path[..]);
            prop_assert_eq!(path.last().copied().unwrap_or(Step::Root), node.step());
        }
        prop_assert!(walk.next().is_none() && paths.len() == tree.len() + 1);
    }

    #[test]
    fn skip_below_skips_exactly_the_subtree(twin in twins(), at in any::<prop::sample::Index>()) {
        let tree = Tree::read(&twin.file()[..]).unwrap();
        let at = at.index(tree.len() + 1);
        let mut walk = tree.walk();
        let node = walk.nth(at).unwrap();
        let path = walk.path().to_vec();
        walk.skip_below();
        prop_assert_eq!(walk.count(), tree.len() - at - node.below());
        let below = tree.walk().skip(at + 1).take(node.below());
        prop_assert_eq!(below.count(), node.below());
        let mut all = tree.walk();
        let mut inside = 0;
        while all.next().is_some() {
            inside += usize::from(all.path().len() > path.len() && all.path().starts_with(&path));
        }
        // Equal siblings may share the path.
        prop_assert!(inside >= node.below());
    }
}

const HEAD: &[u8] = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

fn file(nodes: &[u8]) -> Vec<u8> {
    [HEAD, nodes].concat()
}

#[test]
fn a_library_of_renlib_is_read() {
    let nodes = b"\x00\x08hi\0\0\
                  \x78\x0cone\x08two\r\nthree\0\0\
                  \x79\xc1\x00\x01A\0\
                  \x00\xd0\
                  \x77\x43\x00\x01win\0";
    let tree = Tree::read(&file(nodes)[..]).unwrap();
    assert_eq!((tree.len(), tree.is_empty(), tree.unmet()), (4, false, 0));
    assert_eq!(
        format!("{tree:?}"),
        "Tree { version: (3, 4), rooted: true, unmet: 0, nodes: 4, texts: 20 }"
    );
    let root = tree.root();
    assert_eq!((root.step(), root.comment(), root.below()), (Step::Root, Some(&b"hi"[..]), 4));
    let centre = root.children().next().unwrap();
    assert_eq!(centre.step(), Step::Stone(Cell::new(7, 7)));
    assert!(centre.is_start() && !centre.is_marked());
    assert_eq!(centre.comment_parts(), (&b"one"[..], &b"two\r\nthree"[..]));
    let [right, pass, left] = centre.children().collect::<Vec<_>>().try_into().ok().unwrap();
    assert_eq!(right.step(), Step::Stone(Cell::new(8, 7)));
    assert_eq!((right.board_text(), right.comment()), (Some(&b"A"[..]), None));
    assert_eq!((pass.step(), pass.is_marked(), pass.board_text()), (Step::Pass, true, None));
    assert_eq!(left.step(), Step::Label(Some(Cell::new(6, 7))));
    assert_eq!(left.board_text(), Some(&b"win"[..]));
    assert_eq!(written(&tree), file(nodes));
}

#[test]
fn the_oldest_files_have_neither_head_nor_root() {
    // Characters of seven bits, the last one with the high bit set.
    let nodes = b"\x78\x20[1]\x08l|ng\xe1?\x79\x60\xc1?";
    let tree = Tree::read(&nodes[..]).unwrap();
    let centre = tree.root().children().next().unwrap();
    let expected = (&b"\xc41\xc5"[..], &b"l\xf6nga"[..]);
    assert_eq!(centre.comment_parts(), expected);
    assert_eq!(centre.children().next().unwrap().comment(), Some(&b"A"[..]));
    let file = written(&tree);
    assert_eq!(file[..10], *b"\xffRenLib\xff\x03\x00");
    assert_eq!(file[20..], *b"\x78\x08\xc41\xc5\x08l\xf6nga\0\x79\x48A\0");
    assert!(Tree::read(&file[..]).unwrap() == tree);
}

#[test]
fn files_without_a_root_may_have_several_first_moves() {
    let nodes = b"\x78\x80\x79\x40\x11\xc8\x08all of it\0\0\xef\x40";
    let tree = Tree::read(&file(nodes)[..]).unwrap();
    let steps: Vec<Step> = tree.root().children().map(NodeRef::step).collect();
    let cells = [(7, 7), (0, 1), (14, 14)].map(|(x, y)| Step::Stone(Cell::new(x, y)));
    assert_eq!(steps, cells);
    assert_eq!(
        tree.root().children().nth(1).unwrap().comment_parts(),
        (&b""[..], &b"all of it"[..])
    );
    assert_eq!(written(&tree), file(nodes));
}

#[test]
fn a_part_of_a_library_announces_more_than_it_has() {
    // The centre and the first of several replies, saved with its subtree.
    let part = file(b"\x00\x00\x78\x00\x79\x80\x7a\xc0\x7b\x40");
    let tree = Tree::read(&part[..]).unwrap();
    assert_eq!((tree.len(), tree.unmet()), (4, 1));
    let whole = file(b"\x00\x00\x78\x00\x79\x00\x7a\xc0\x7b\x40");
    assert_eq!(written(&tree), whole);
    assert!(Tree { unmet: 0, ..tree } == Tree::read(&whole[..]).unwrap());
    // A part that ends with the path to it, and libraries without moves.
    let unmet = |nodes: &[u8]| Tree::read(&file(nodes)[..]).unwrap().unmet();
    assert_eq!(unmet(b"\x00\x00\x78\x80\x79\x80"), 3);
    assert_eq!((unmet(b"\x00\x00"), unmet(b"")), (0, 0));
}

fn error(bytes: &[u8]) -> LibError {
    Tree::read(bytes).unwrap_err()
}

#[test]
fn errors_name_the_byte_and_keep_the_tree_before_it() {
    let message = |nodes: &[u8]| error(&file(nodes)).to_string();
    let start = b"\x00\x00\x78\x00\x79\x48yes\0";
    assert!(Tree::read(&file(start)[..]).is_ok());
    let more = |nodes: &[u8]| [&start[..8], b"s\0", nodes].concat();
    assert_eq!(
        message(&more(b"\x7a\x40")),
        "byte 30: the tree is complete here, but the file goes on; nodes read before: 2"
    );
    assert_eq!(
        message(b"\x00\x00\x78\x00\x80\x40"),
        "byte 24: 0x80 is no cell of a board of 15x15; nodes read before: 1"
    );
    assert!(message(b"\x00\x00\xf1\x00").starts_with("byte 22: 0xf1 is no cell"));
    assert_eq!(
        message(b"\x00\x00\x78"),
        "byte 22: the file ends within the node that begins here; nodes read before: 0"
    );
    assert!(message(b"\x00\x00\x78\x01\x00").starts_with("byte 22: the file ends within the node"));
    let cut = error(&file(b"\x00\x00\x78\x09\x00\x01good\0\0te"));
    let text =
        "byte 32: the file ends within the text of a cell that begins here; nodes read before: 1";
    assert_eq!(cut.to_string(), text);
    let node = cut.tree.root().children().next().unwrap();
    assert_eq!((node.comment(), node.board_text()), (Some(&b"good"[..]), Some(&b"te"[..])));
    let cut = error(&file(b"\x00\x00\x78\x09\x00\x01goo"));
    assert!(cut.to_string().starts_with("byte 26: the file ends within the comment that"));
    let node = cut.tree.root().children().next().unwrap();
    assert_eq!((node.comment(), node.board_text()), (Some(&b"goo"[..]), Some(&b""[..])));
    // Only the padding byte is missing.
    assert!(Tree::read(&file(b"\x00\x00\x78\x48good\0")[..]).is_ok());

    let head = |bytes: &[u8]| error(bytes).to_string();
    assert!(head(b"!<arch>\n/ 0").starts_with("byte 0: not a RenLib library"));
    assert!(head(b"").starts_with("byte 0: the file ends within its head"));
    assert!(head(&HEAD[..5]).starts_with("byte 0: the file ends within its head"));
    assert!(head(&HEAD[..19]).starts_with("byte 0: the file ends within its head"));
    let mut newer = HEAD.to_vec();
    newer[9] = 5;
    assert!(head(&newer).starts_with("byte 8: version 3.5 is newer than 3.4"));
}

#[test]
fn unsupported_steps_and_bytes_are_refused_or_replaced() {
    let mut builder = Builder::new(Limits { nodes: 2, text: 10 });
    let mut add = |step, notes| builder.child(step, &notes);
    let off = Step::Stone(Cell::new(15, 3));
    assert_eq!(add(off, Notes::default()), Err(AddNodeError::Place(off)));
    assert_eq!(add(Step::Root, Notes::default()), Err(AddNodeError::Place(Step::Root)));
    let notes = Notes { comment: Some(b"a\0b"), ..Notes::default() };
    assert_eq!(add(Step::Pass, notes), Ok(()));
    let notes = Notes { board_text: Some(b"too long"), ..Notes::default() };
    assert_eq!(add(Step::Pass, notes), Err(AddNodeError::Full(limits::Full::Text(10))));
    assert_eq!(add(Step::Pass, notes), Err(AddNodeError::Full(limits::Full::Nodes(2))));
    let tree = builder.finish();
    let texts: Vec<_> = tree.walk().map(|node| (node.comment(), node.board_text())).collect();
    assert_eq!(texts[1..], [(Some(&b"a b"[..]), None), (None, Some(&b"too lon"[..]))]);
}

/// A reader that returns some bytes and then an error.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(io::Error::other("the disk is gone")),
            _ if out.is_empty() => Ok(0),
            read => Ok(read),
        }
    }
}

#[test]
fn a_reader_that_fails_loses_nothing() {
    let bytes = file(b"\x00\x00\x78\x00\x79\x00");
    let error = Tree::read(Broken(&bytes)).unwrap_err();
    assert_eq!(error.to_string(), "byte 26: the disk is gone; nodes read before: 2");
}

#[test]
fn endless_input_ends_at_the_limits() {
    let limits = Limits { nodes: 1000, text: 500 };
    let passes = HEAD.chain(io::repeat(0));
    let error = Tree::read_within(passes, limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 2022: the library is too large: more than 1000 nodes; nodes read before: 1000"
    );
    let start: &[u8] = b"\x00\x08";
    let text = HEAD.chain(start).chain(io::repeat(b'a'));
    let error = Tree::read_within(text, limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 22: the library is too large: more than 500 bytes of text; nodes read before: 0"
    );
    assert_eq!(error.tree.root().comment().map(<[u8]>::len), Some(500));
}

#[test]
fn deep_and_wide_trees_are_harmless() {
    const NODES: usize = 1_000_000;
    // A line, a line whose nodes announce siblings, and a row of siblings.
    for (node, last, unmet) in [
        ([0x78, 0], [0x78, 0x40], 0),
        ([0x78, 0x80], [0x78, 0x40], NODES - 1),
        ([0x78, 0xc0], [0x78, 0x40], 0),
    ] {
        let nodes = [&[0, 0][..], &node.repeat(NODES - 1), &last].concat();
        let bytes = file(&nodes);
        let tree = Tree::read(&bytes[..]).unwrap();
        assert_eq!((tree.len(), tree.unmet()), (NODES, unmet));
        let mut walk = tree.walk();
        assert_eq!(walk.by_ref().count(), NODES + 1);
        let row = node[1] == 0xc0;
        assert_eq!(walk.path().len(), if row { 1 } else { NODES });
        assert_eq!(tree.root().children().count(), if row { NODES } else { 1 });
        let again = Tree::read(&written(&tree)[..]).unwrap();
        assert!(again == Tree { unmet: 0, ..tree });
    }
}

#[test]
fn texts_are_decoded_through_a_code_page() {
    let guess = |texts: &[&[u8]]| CodePage::guess(texts.iter().copied());
    assert_eq!(guess(&[b"plain"]), CodePage::UTF_8);
    let chinese = "\u{9ed1}\u{80dc}, A1";
    let gbk = CodePage::GBK.encode(chinese).unwrap();
    assert_eq!(gbk, b"\xba\xda\xca\xa4, A1");
    assert_eq!(guess(&[&gbk, b"A"]), CodePage::GBK);
    assert_eq!(guess(&[chinese.as_bytes(), &gbk]), CodePage::UTF_8);
    assert_eq!(guess(&[b"Sj\xf6berg", b"\xe5r"]), CodePage::WINDOWS_1252);
    assert_eq!(CodePage::GBK.decode(&gbk), chinese);
    // Not well formed: nothing is left out.
    assert_eq!(CodePage::UTF_8.decode(b"Sj\xf6berg"), "Sj\u{f6}berg");
    assert_eq!(CodePage::WINDOWS_1252.encode(chinese), None);
    let russian = CodePage::named("windows-1251").unwrap();
    assert_eq!(
        (russian.name(), &russian.decode(b"\xc4\xe0")[..]),
        ("windows-1251", "\u{414}\u{430}")
    );
    assert_eq!(CodePage::named("utf-16le").map(CodePage::suits_libraries), Some(false));
    // Windows-1252 preserves every byte.
    let all: Vec<u8> = (0..=255).collect();
    let text = CodePage::WINDOWS_1252.decode(&all);
    assert_eq!(CodePage::WINDOWS_1252.encode(&text), Some(all));
    let nodes = [b"\x00\x08", &gbk[..4], b"\0\0"].concat();
    assert_eq!(Tree::read(&file(&nodes)[..]).unwrap().code_page(), CodePage::GBK);
}

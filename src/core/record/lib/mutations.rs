//! Libraries with bytes changed at random: reading always ends, takes no more memory than the
//! file, and keeps everything before the fault.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::header::{NEWEST, header};
use super::tests::{twins, written};
use super::*;
use crate::record::mutations::mutated;

/// Reads any bytes and checks the result. Returns the kind of result.
fn check(bytes: &[u8]) -> &'static str {
    let (kind, tree) = match Tree::read(bytes) {
        Ok(tree) if tree.unmet() > 0 => ("unmet", tree),
        Ok(tree) => ("whole", tree),
        Err(error) => {
            let at = error.byte as usize;
            assert!(at <= bytes.len());
            let kind = match error.fault {
                LibFault::Foreign => "foreign",
                LibFault::TruncatedHeader => "head",
                LibFault::Version { .. } => "version",
                LibFault::Place(_) => "place",
                LibFault::CutNode => "node",
                LibFault::CutText(_) => "text",
                LibFault::Trailing => "trailing",
                LibFault::Full(_) | LibFault::Io(_) => panic!("{error}"),
            };
            if matches!(kind, "place" | "node" | "trailing") {
                // Everything before the fault is read.
                let before = Tree::read(&bytes[..at]).unwrap();
                assert!(*error.tree == Tree { unmet: 0, ..before }, "{error}");
            }
            (kind, *error.tree)
        }
    };
    assert!(tree.len() <= bytes.len() / 2 && tree.bytes.len() <= bytes.len());
    assert!(tree.nodes.capacity() <= bytes.len() + 8 && tree.extras.len() <= tree.nodes.len());
    assert_eq!(tree.walk().count(), tree.len() + 1);
    let children: usize = tree.walk().map(|node| node.children().count()).sum();
    assert_eq!(children, tree.len());
    let again = Tree::read(&written(&tree)[..]).unwrap();
    assert!(again == Tree { unmet: 0, ..tree });
    kind
}

#[test]
fn mutated_libraries_are_harmless() {
    let mut runner = TestRunner::deterministic();
    let mut rng = SmallRng::seed_from_u64(1);
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..500 {
        let file = twins().new_tree(&mut runner).unwrap().current().file();
        for _ in 0..40 {
            *seen.entry(check(&mutated(&file, &mut rng))).or_insert(0) += 1;
        }
        // Cuts at every byte.
        for end in 0..file.len() {
            check(&file[..end]);
        }
    }
    let kinds: Vec<&str> = seen.keys().copied().collect();
    let all = ["foreign", "head", "node", "place", "text", "trailing", "unmet", "version", "whole"];
    assert_eq!(kinds, all, "{seen:?}");
}

#[test]
fn noise_is_harmless() {
    let mut rng = SmallRng::seed_from_u64(2);
    for _ in 0..5000 {
        let mut bytes = header(NEWEST).to_vec();
        let len = rng.random_range(20..400);
        bytes.resize(len, 0);
        rng.fill(&mut bytes[20..]);
        // Most bytes are cells, so that reading goes on.
        for pair in bytes[20..].chunks_exact_mut(2) {
            pair[0] = pair[0] % 0xef + 1;
        }
        check(&bytes);
    }
}

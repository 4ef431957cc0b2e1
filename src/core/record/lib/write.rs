//! Writes trees as RenLib does.

use std::io::{self, BufWriter, Write};

use super::flag;
use super::tree::{NodeRef, Tree};

impl Tree {
    /// Writes the library, with the header it was read with or that of the newest version. A file
    /// of RenLib is reproduced byte for byte, except for parts of libraries
    /// ([`unmet`](Self::unmet)): their missing nodes are no longer announced.
    ///
    /// # Errors
    /// The writer fails.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        out.write_all(&self.header)?;
        // Ends of the open subtrees: a node has a sibling after it if its subtree ends
        // before that of its parent.
        let mut ends: Vec<u32> = Vec::new();
        for (id, node) in (0u32..).zip(&self.nodes) {
            while ends.last().is_some_and(|&end| end <= id) {
                ends.pop();
            }
            let mut flags = node.flags;
            // The root has neither siblings nor a leaf flag.
            if let Some(&parent_end) = ends.last() {
                flags |= if node.end < parent_end { flag::SIBLING } else { 0 };
                flags |= if node.end == id + 1 { flag::LEAF } else { 0 };
            }
            ends.push(node.end);
            if id > 0 || self.rooted {
                out.write_all(&[node.place, flags])?;
                write_extra(&mut out, NodeRef { tree: self, id })?;
            }
        }
        out.flush()
    }
}

fn write_extra(out: &mut impl Write, node: NodeRef) -> io::Result<()> {
    let Some((_, extra)) = node.extra() else { return Ok(()) };
    if node.node().flags & flag::EXTENSION != 0 {
        out.write_all(&extra.extension.to_be_bytes())?;
    }
    for text in [node.comment(), node.board_text()].into_iter().flatten() {
        out.write_all(text)?;
        // A zero byte ends the text; the length is padded to an even number.
        out.write_all(if text.len() % 2 == 0 { &[0, 0] } else { &[0] })?;
    }
    Ok(())
}

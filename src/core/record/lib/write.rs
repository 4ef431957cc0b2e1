//! Trees to bytes, as RenLib writes them.

use std::io::{self, BufWriter, Write};

use super::flag;
use super::tree::{NodeRef, Tree};

impl Tree {
    /// Writes the library: with the head it was read with, or that of the
    /// newest version. What RenLib wrote comes out byte for byte, but for
    /// parts of libraries ([`unmet`](Self::unmet)), whose missing nodes are no
    /// longer announced.
    ///
    /// # Errors
    /// Those of the writer.
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
            if let Some(&father) = ends.last() {
                flags |= if node.end < father { flag::BROTHER } else { 0 };
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

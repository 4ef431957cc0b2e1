//! Ways through a tree. None of them is recursive: a hostile file may hold a
//! line of millions of moves.

use super::tree::{NodeRef, Step, Tree};

impl Tree {
    /// All nodes in preorder, the root first.
    pub fn walk(&self) -> Preorder<'_> {
        Preorder { tree: self, next: 0, ends: Vec::new(), path: Vec::new() }
    }
}

impl<'a> NodeRef<'a> {
    /// The nodes one step below.
    pub fn children(self) -> Children<'a> {
        Children { tree: self.tree, next: self.id + 1, end: self.node().end }
    }
}

/// All nodes of a tree in preorder, with the way to each.
#[derive(Clone)]
pub struct Preorder<'a> {
    tree: &'a Tree,
    next: u32,
    /// For each step of the path the index after what is below it.
    ends: Vec<u32>,
    path: Vec<Step>,
}

impl Preorder<'_> {
    /// The steps from the root to the node that came last, its own included
    /// and [`Step::Root`] not. The father's path is this without its last
    /// step, so that a board can follow with one move made and as many taken
    /// back as the path lost.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// Leaves out all that is below the node that came last.
    pub fn skip_below(&mut self) {
        self.next = match self.ends.last() {
            Some(&end) => end,
            // At the root, or before the first node: everything is below.
            None => self.tree.nodes.len() as u32,
        };
    }
}

impl<'a> Iterator for Preorder<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<NodeRef<'a>> {
        let id = self.next;
        let node = self.tree.nodes.get(id as usize)?;
        while self.ends.last().is_some_and(|&end| end <= id) {
            self.ends.pop();
            self.path.pop();
        }
        let reached = NodeRef { tree: self.tree, id };
        if id > 0 {
            self.ends.push(node.end);
            self.path.push(reached.step());
        }
        self.next = id + 1;
        Some(reached)
    }
}

/// The nodes one step below another.
#[derive(Clone)]
pub struct Children<'a> {
    tree: &'a Tree,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Children<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<NodeRef<'a>> {
        let child = NodeRef { tree: self.tree, id: self.next };
        (self.next < self.end).then(|| {
            self.next = child.node().end;
            child
        })
    }
}

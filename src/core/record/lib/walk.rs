//! Iterators over a tree. None is recursive: a hostile file may hold a line of millions of moves.

use super::tree::{NodeRef, Step, Tree};

impl Tree {
    /// Iterates over all nodes in preorder, the root first.
    pub fn walk(&self) -> Preorder<'_> {
        Preorder { tree: self, next: 0, ends: Vec::new(), path: Vec::new() }
    }
}

impl<'a> NodeRef<'a> {
    /// Iterates over the children.
    pub fn children(self) -> Children<'a> {
        Children { tree: self.tree, next: self.id + 1, end: self.node().end }
    }
}

/// Iterator over all nodes of a tree in preorder that keeps the path to the current one.
#[derive(Clone)]
pub struct Preorder<'a> {
    tree: &'a Tree,
    next: u32,
    /// For each step of the path, the index of the first node after its subtree.
    ends: Vec<u32>,
    path: Vec<Step>,
}

impl Preorder<'_> {
    /// Returns the steps from the root to the current node, including its own but without
    /// [`Step::Root`]. From node to node the path loses any number of steps and gains one, so a
    /// board follows by taking back as many moves and making one.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// Skips the nodes below the current one.
    pub fn skip_below(&mut self) {
        self.next = match self.ends.last() {
            Some(&end) => end,
            // At the root, or before the first node, all nodes are below.
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
        let current = NodeRef { tree: self.tree, id };
        if id > 0 {
            self.ends.push(node.end);
            self.path.push(current.step());
        }
        self.next = id + 1;
        Some(current)
    }
}

/// Iterator over the children of a node.
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

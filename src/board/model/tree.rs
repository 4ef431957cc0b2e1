//! The tree of variations: positions, the plies between them, comments and marks.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::beginning::beginning_of;
use super::heading::Heading;
use super::recorded;
use crate::schema::{Mark, Node, TreeView};
use goren_core::opening::{Action, GameState};
use goren_core::record::import::MoveStats;
use goren_core::types::{Cell, Color};
use goren_notation::lettering::Lettering;
use goren_notation::pending_decision_text;

/// Maximum number of nodes of a tree.
pub(super) const MAX_NODES: usize = 20_000;
/// Maximum number of characters of a label.
pub(super) const MAX_LABEL: usize = 200;
/// Maximum number of characters of a comment.
pub(super) const MAX_COMMENT: usize = 20_000;

/// A node of the tree.
#[derive(Clone, Default, Debug)]
pub(super) struct Entry {
    parent: Option<usize>,
    /// The ply that led here; `None` at the root.
    action: Option<Action>,
    /// The ply in words.
    text: String,
    /// The ply in the notation of stored trees.
    ply: String,
    /// The side that moved.
    color: Option<Color>,
    children: Vec<usize>,
    /// The child that was shown last.
    seen: Option<usize>,
    comment: String,
    marks: Vec<(Cell, Mark)>,
    /// Labels on points.
    labels: Vec<(Cell, String)>,
    /// The stats of the ply.
    stats: MoveStats,
}

/// The notes of a node.
#[derive(Copy, Clone, Debug)]
pub(super) struct Notes<'a> {
    /// The comment; may be empty.
    pub(super) comment: &'a str,
    /// Marked points.
    pub(super) marks: &'a [(Cell, Mark)],
    /// Labels on points.
    pub(super) labels: &'a [(Cell, String)],
}

/// A node that [`Tree::replay`] visits.
pub(super) struct Visit<'a> {
    /// The node.
    pub(super) node: usize,
    /// The index of its parent in the order of the replay.
    pub(super) parent: Option<usize>,
    /// The ply that leads to it; `None` at the root.
    pub(super) ply: Option<Ply<'a>>,
}

/// A ply with the game states before and after it.
pub(super) struct Ply<'a> {
    /// The game state before it.
    pub(super) before: &'a GameState,
    /// The ply.
    pub(super) action: &'a Action,
    /// The game state after it.
    pub(super) after: &'a GameState,
}

/// A tree, and its node that is shown. The root is always there, with the number 0.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The heading of the game.
    pub(super) heading: Heading,
    beginning: GameState,
    entries: BTreeMap<usize, Entry>,
    next: usize,
    current: usize,
    game_state: GameState,
    /// Whether the page has the current nodes.
    is_sent: bool,
}

impl Tree {
    /// Creates a tree of one position.
    pub(super) fn new(beginning: GameState) -> Tree {
        Tree {
            heading: Heading::default(),
            game_state: beginning.clone(),
            beginning,
            entries: BTreeMap::from([(0, Entry::default())]),
            next: 1,
            current: 0,
            is_sent: false,
        }
    }

    /// Creates a tree with the line of a game.
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn of_game(game_state: &GameState) -> Result<Tree> {
        let mut tree = Tree::new(beginning_of(game_state));
        for action in game_state.actions() {
            tree.play(action)?;
        }
        Ok(tree)
    }

    /// Returns the game up to the node shown.
    pub(super) fn game_state(&self) -> &GameState {
        &self.game_state
    }

    /// Returns the node shown.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    /// Returns the names of points.
    pub(super) fn lettering(&self) -> Lettering {
        let contest = self.beginning.contest();
        Lettering::of((contest.width, contest.height))
    }

    fn entry(&self, node: usize) -> Result<&Entry> {
        self.entries.get(&node).context("that position is not in the tree")
    }

    fn entry_mut(&mut self, node: usize) -> Result<&mut Entry> {
        self.entries.get_mut(&node).context("that position is not in the tree")
    }

    /// Returns the nodes from the root to a node, without the root.
    pub(super) fn path(&self, node: usize) -> Vec<usize> {
        let parent = |node: &usize| self.entries.get(node).and_then(|entry| entry.parent);
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), parent).take_while(|&node| node != 0).collect();
        path.reverse();
        path
    }

    /// Returns the game up to a node.
    pub(super) fn game_at(&self, node: usize) -> Result<GameState> {
        self.entry(node)?;
        let mut game_state = self.beginning.clone();
        for node in self.path(node) {
            if let Some(action) = &self.entries[&node].action {
                game_state.apply(action)?;
            }
        }
        Ok(game_state)
    }

    /// Plays a ply from the node shown, along an existing or a new branch.
    ///
    /// # Errors
    /// It is illegal, or the tree is full; nothing changes.
    pub(super) fn play(&mut self, action: &Action) -> Result<()> {
        let mut after = self.game_state.clone();
        after.apply(action)?;
        let same = |child: &&usize| self.entries[child].action.as_ref() == Some(action);
        let known = self.entries[&self.current].children.iter().find(same).copied();
        let node = match known {
            Some(node) => node,
            None => self.add(action)?,
        };
        self.entry_mut(self.current)?.seen = Some(node);
        self.current = node;
        self.game_state = after;
        Ok(())
    }

    /// Adds a child of the node shown.
    fn add(&mut self, action: &Action) -> Result<usize> {
        ensure!(
            self.entries.len() < MAX_NODES,
            "the tree is full with {MAX_NODES} positions: save it, and remove branches"
        );
        let node = self.next;
        self.next += 1;
        let entry = Entry {
            parent: Some(self.current),
            action: Some(action.clone()),
            text: pending_decision_text::text(&self.game_state, action, self.lettering()),
            ply: pending_decision_text::canonical_text(&self.game_state, action),
            color: Some(self.game_state.to_move()),
            ..Entry::default()
        };
        self.entries.insert(node, entry);
        self.entry_mut(self.current)?.children.push(node);
        self.is_sent = false;
        Ok(node)
    }

    /// Shows a node.
    ///
    /// # Errors
    /// There is no such node.
    pub(super) fn go(&mut self, node: usize) -> Result<()> {
        if node == self.current {
            return Ok(());
        }
        self.game_state = self.game_at(node)?;
        self.current = node;
        let path = self.path(node);
        let parents = std::iter::once(0).chain(path.iter().copied());
        for (parent, child) in parents.zip(path.iter().copied()) {
            self.entry_mut(parent)?.seen = Some(child);
        }
        Ok(())
    }

    /// Returns the parent of the node shown.
    pub(super) fn parent(&self) -> Option<usize> {
        self.entries[&self.current].parent
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no plies, no notes and no set-up stones.
    pub(super) fn is_untouched(&self) -> bool {
        self.len() == 1 && !self.has_notes(0) && self.beginning().is_fresh()
    }

    /// Whether the subtree of a node has notes.
    pub(super) fn has_notes(&self, node: usize) -> bool {
        let mut open = vec![node];
        while let Some(entry) = open.pop().and_then(|node| self.entries.get(&node)) {
            let is_empty =
                entry.comment.is_empty() && entry.marks.is_empty() && entry.labels.is_empty();
            if !is_empty {
                return true;
            }
            open.extend(&entry.children);
        }
        false
    }

    /// Whether the page has the current nodes.
    pub(super) fn is_sent(&self) -> bool {
        self.is_sent
    }

    /// Records whether the page has the current nodes.
    pub(super) fn set_sent(&mut self, is_sent: bool) {
        self.is_sent = is_sent;
    }

    /// Whether a node exists and has children.
    pub(super) fn has_children(&self, node: usize) -> bool {
        self.entries.get(&node).is_some_and(|entry| !entry.children.is_empty())
    }

    /// Whether a node exists.
    pub(super) fn contains(&self, node: usize) -> bool {
        self.entries.contains_key(&node)
    }

    /// Returns the ply that led to a node, in words.
    pub(super) fn text(&self, node: usize) -> &str {
        self.entries.get(&node).map_or("", |entry| &entry.text)
    }

    /// Returns the same in the notation of stored trees; empty for the root.
    pub(super) fn ply(&self, node: usize) -> &str {
        self.entries.get(&node).map_or("", |entry| &entry.ply)
    }

    /// Returns the parent of a node.
    pub(super) fn parent_of(&self, node: usize) -> Option<usize> {
        self.entries.get(&node)?.parent
    }

    /// Returns the node after a node, along the line shown last.
    fn after(&self, node: usize) -> Option<usize> {
        let entry = &self.entries[&node];
        entry.seen.or(entry.children.first().copied())
    }

    /// Returns the node after the node shown.
    pub(super) fn following(&self) -> Option<usize> {
        self.after(self.current)
    }

    /// Returns the nodes of the line shown, from the root to its end.
    pub(super) fn line(&self) -> Vec<usize> {
        let later = std::iter::successors(self.following(), |&node| self.after(node));
        std::iter::once(0).chain(self.path(self.current)).chain(later).collect()
    }

    /// Removes a node with its subtree. If that contains the node shown, the parent of the
    /// removed node is shown.
    ///
    /// # Errors
    /// There is no such node, or it is the root.
    pub(super) fn remove(&mut self, node: usize) -> Result<()> {
        let parent = self.entry(node)?.parent.context("the beginning cannot be removed")?;
        if self.current == node || self.path(self.current).contains(&node) {
            self.go(parent)?;
        }
        // The opening ends before the removed node.
        if self.path(self.heading.opening).contains(&node) {
            self.heading.opening = parent;
        }
        let before = self.entry_mut(parent)?;
        before.children.retain(|&child| child != node);
        before.seen = before.seen.filter(|&seen| seen != node);
        let mut removed = vec![node];
        while let Some(node) = removed.pop() {
            if let Some(entry) = self.entries.remove(&node) {
                removed.extend(entry.children);
            }
        }
        self.is_sent = false;
        Ok(())
    }

    /// Makes the line to a node the main line.
    ///
    /// # Errors
    /// There is no such node.
    pub(super) fn promote(&mut self, node: usize) -> Result<()> {
        self.entry(node)?;
        for node in self.path(node) {
            let Some(parent) = self.entries[&node].parent else { continue };
            let children = &mut self.entry_mut(parent)?.children;
            children.retain(|&child| child != node);
            children.insert(0, node);
        }
        self.is_sent = false;
        Ok(())
    }

    /// Comments on a position.
    ///
    /// # Errors
    /// There is no such node, or the comment is too long.
    pub(super) fn comment(&mut self, node: usize, text: &str) -> Result<()> {
        ensure!(
            text.chars().count() <= MAX_COMMENT,
            "a comment has at most {MAX_COMMENT} characters"
        );
        text.clone_into(&mut self.entry_mut(node)?.comment);
        self.is_sent = false;
        Ok(())
    }

    /// Marks a point of a position, or removes its mark.
    ///
    /// # Errors
    /// There is no such node, or the point is not on the board.
    pub(super) fn mark(&mut self, node: usize, cell: Cell, mark: Option<Mark>) -> Result<()> {
        let contest = self.beginning.contest();
        let on_board = cell.x() < contest.width && cell.y() < contest.height;
        ensure!(on_board, "the point is outside the board");
        let marks = &mut self.entry_mut(node)?.marks;
        marks.retain(|&(at, _)| at != cell);
        marks.extend(mark.map(|mark| (cell, mark)));
        self.is_sent = false;
        Ok(())
    }

    /// Puts a label on a point of a position, or removes the label there if the text is empty.
    ///
    /// # Errors
    /// There is no such node, the point is not on the board, or the text is too long.
    pub(super) fn label(&mut self, node: usize, cell: Cell, text: &str) -> Result<()> {
        let contest = self.beginning.contest();
        let on_board = cell.x() < contest.width && cell.y() < contest.height;
        ensure!(on_board, "the point is outside the board");
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text = text.trim();
        ensure!(
            text.chars().count() <= MAX_LABEL,
            "a text on a point has at most {MAX_LABEL} characters"
        );
        let labels = &mut self.entry_mut(node)?.labels;
        labels.retain(|&(at, _)| at != cell);
        if !text.is_empty() {
            labels.push((cell, text.to_owned()));
        }
        self.is_sent = false;
        Ok(())
    }

    /// Sets the stats of the ply that led to a node, if the node exists.
    pub(super) fn set_stats(&mut self, node: usize, stats: MoveStats) {
        if let Some(entry) = self.entries.get_mut(&node).filter(|entry| entry.stats != stats) {
            entry.stats = stats;
            self.is_sent = false;
        }
    }

    /// Returns the stats of the ply that led to a node.
    pub(super) fn stats(&self, node: usize) -> MoveStats {
        self.entries.get(&node).map_or_else(MoveStats::default, |entry| entry.stats.clone())
    }

    /// Describes the tree for the page.
    pub(super) fn view(&self) -> TreeView {
        let node = |(&id, entry): (&usize, &Entry)| Node {
            id,
            parent: entry.parent,
            text: entry.text.clone(),
            color: entry.color,
            comment: entry.comment.clone(),
            marks: entry.marks.clone(),
            labels: entry.labels.clone(),
            score: recorded::view(&entry.stats, entry.color),
            children: entry.children.clone(),
        };
        let nodes = self.entries.iter().map(node).collect();
        TreeView { nodes, line: self.line(), kept: false }
    }

    /// Returns the initial position.
    pub(super) fn beginning(&self) -> &GameState {
        &self.beginning
    }

    /// Returns the nodes, parents before their children and the main line first, each with its
    /// parent and its ply.
    pub(super) fn in_order(&self) -> Vec<(usize, Option<usize>, Option<&Action>)> {
        let mut list = Vec::new();
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            let entry = &self.entries[&node];
            list.push((node, entry.parent, entry.action.as_ref()));
            open.extend(entry.children.iter().rev());
        }
        list
    }

    /// Replays the tree in the order of [`Tree::in_order`]; returns the results of `visit`.
    ///
    /// # Errors
    /// A ply is illegal, which never happens.
    pub(super) fn replay<T>(&self, mut visit: impl FnMut(Visit<'_>) -> T) -> Result<Vec<T>> {
        let (mut results, mut places) = (Vec::with_capacity(self.entries.len()), BTreeMap::new());
        let mut copy = self.clone();
        for (node, parent, action) in self.in_order() {
            places.insert(node, results.len());
            let (Some(parent), Some(action)) = (parent, action) else {
                results.push(visit(Visit { node, parent: None, ply: None }));
                continue;
            };
            copy.go(parent)?;
            let before = copy.game_state.clone();
            copy.play(action)?;
            let ply = Some(Ply { before: &before, action, after: &copy.game_state });
            results.push(visit(Visit { node, parent: places.get(&parent).copied(), ply }));
        }
        Ok(results)
    }

    /// Returns the notes of a node.
    pub(super) fn notes(&self, node: usize) -> Notes<'_> {
        let Entry { comment, marks, labels, .. } = &self.entries[&node];
        Notes { comment, marks, labels }
    }

    /// Returns the end of the main line, and the game up to it.
    ///
    /// # Errors
    /// As [`Tree::go`].
    pub(super) fn main_end(&self) -> Result<(usize, GameState)> {
        let first = |&node: &usize| self.entries[&node].children.first().copied();
        let end = std::iter::successors(Some(0), first).last().unwrap_or(0);
        Ok((end, self.game_at(end)?))
    }
}

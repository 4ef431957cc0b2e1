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

/// Most positions of a tree.
pub(super) const MOST_NODES: usize = 20_000;
/// Most characters of a text on a point.
pub(super) const MOST_LABEL: usize = 200;
/// Most characters of a comment.
pub(super) const MOST_COMMENT: usize = 20_000;

/// A position.
#[derive(Clone, Default, Debug)]
pub(super) struct Entry {
    parent: Option<usize>,
    /// The ply that led here; `None` at the beginning.
    action: Option<Action>,
    /// The ply in words.
    text: String,
    /// The ply as it is kept and read again.
    ply: String,
    /// Who moved.
    color: Option<Color>,
    children: Vec<usize>,
    /// The child that was shown last.
    seen: Option<usize>,
    comment: String,
    marks: Vec<(Cell, Mark)>,
    /// Texts on points.
    labels: Vec<(Cell, String)>,
    /// What is recorded with the ply.
    stats: MoveStats,
}

/// What is said of a position.
#[derive(Copy, Clone, Debug)]
pub(super) struct Notes<'a> {
    /// The comment; may be empty.
    pub(super) comment: &'a str,
    /// Marked points.
    pub(super) marks: &'a [(Cell, Mark)],
    /// Texts on points.
    pub(super) labels: &'a [(Cell, String)],
}

/// A node as [`Tree::replay`] comes to it.
pub(super) struct Visit<'a> {
    /// The node.
    pub(super) node: usize,
    /// The index of its parent in the order of the replay.
    pub(super) parent: Option<usize>,
    /// The ply that leads to it; `None` at the beginning.
    pub(super) ply: Option<Ply<'a>>,
}

/// A ply with the states of the game around it.
pub(super) struct Ply<'a> {
    /// The game before it.
    pub(super) before: &'a GameState,
    /// The ply.
    pub(super) action: &'a Action,
    /// The game after it.
    pub(super) after: &'a GameState,
}

/// A tree, and the position of it that is shown. There always is the beginning, with
/// the number 0.
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
    reported: bool,
}

impl Tree {
    /// A tree of one position.
    pub(super) fn new(beginning: GameState) -> Tree {
        Tree {
            heading: Heading::default(),
            game_state: beginning.clone(),
            beginning,
            entries: BTreeMap::from([(0, Entry::default())]),
            next: 1,
            current: 0,
            reported: false,
        }
    }

    /// The line of a game.
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

    /// The game up to the position shown.
    pub(super) fn game_state(&self) -> &GameState {
        &self.game_state
    }

    /// The position shown.
    pub(super) fn current(&self) -> usize {
        self.current
    }

    /// Names of points.
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

    /// The nodes from the beginning to one, without the beginning.
    pub(super) fn path(&self, node: usize) -> Vec<usize> {
        let parent = |node: &usize| self.entries.get(node).and_then(|entry| entry.parent);
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), parent).take_while(|&node| node != 0).collect();
        path.reverse();
        path
    }

    /// The game up to a position.
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

    /// Plays a ply from the position shown, along a branch that is there or on a new
    /// one.
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

    /// Adds a child of the position shown.
    fn add(&mut self, action: &Action) -> Result<usize> {
        ensure!(
            self.entries.len() < MOST_NODES,
            "the tree is full with {MOST_NODES} positions: save it, and remove branches"
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
        self.reported = false;
        Ok(node)
    }

    /// Shows a position.
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

    /// The position before the one shown.
    pub(super) fn parent(&self) -> Option<usize> {
        self.entries[&self.current].parent
    }

    /// Its positions.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was played and nothing is said of the beginning.
    pub(super) fn is_untouched(&self) -> bool {
        self.len() == 1 && !self.has_notes(0) && self.beginning().is_fresh()
    }

    /// Whether anything is said of a node or of those that follow on it.
    pub(super) fn has_notes(&self, node: usize) -> bool {
        let mut open = vec![node];
        while let Some(entry) = open.pop().and_then(|node| self.entries.get(&node)) {
            let is_silent =
                entry.comment.is_empty() && entry.marks.is_empty() && entry.labels.is_empty();
            if !is_silent {
                return true;
            }
            open.extend(&entry.children);
        }
        false
    }

    /// Whether the page has the current nodes.
    pub(super) fn is_reported(&self) -> bool {
        self.reported
    }

    /// Records whether the page has the current nodes.
    pub(super) fn set_sent(&mut self, reported: bool) {
        self.reported = reported;
    }

    /// Whether a node is there and positions follow on it.
    pub(super) fn goes_on_after(&self, node: usize) -> bool {
        self.entries.get(&node).is_some_and(|entry| !entry.children.is_empty())
    }

    /// Whether a node is there.
    pub(super) fn has(&self, node: usize) -> bool {
        self.entries.contains_key(&node)
    }

    /// The ply that led to a node, in words.
    pub(super) fn text(&self, node: usize) -> &str {
        self.entries.get(&node).map_or("", |entry| &entry.text)
    }

    /// The same as it is kept and read again; empty for the beginning.
    pub(super) fn ply(&self, node: usize) -> &str {
        self.entries.get(&node).map_or("", |entry| &entry.ply)
    }

    /// The position before one.
    pub(super) fn parent_of(&self, node: usize) -> Option<usize> {
        self.entries.get(&node)?.parent
    }

    /// The position after one, along the line that was shown last.
    fn after(&self, node: usize) -> Option<usize> {
        let entry = &self.entries[&node];
        entry.seen.or(entry.children.first().copied())
    }

    /// The position after the one shown.
    pub(super) fn following(&self) -> Option<usize> {
        self.after(self.current)
    }

    /// The nodes of the line shown, from the beginning to its end.
    pub(super) fn line(&self) -> Vec<usize> {
        let later = std::iter::successors(self.following(), |&node| self.after(node));
        std::iter::once(0).chain(self.path(self.current)).chain(later).collect()
    }

    /// Removes a node with all that follows. If the position shown is among them, the
    /// one before is shown.
    ///
    /// # Errors
    /// There is no such node, or it is the beginning.
    pub(super) fn remove(&mut self, node: usize) -> Result<()> {
        let parent = self.entry(node)?.parent.context("the beginning stays")?;
        if self.current == node || self.path(self.current).contains(&node) {
            self.go(parent)?;
        }
        // What is left of the opening is the opening.
        if self.path(self.heading.opening).contains(&node) {
            self.heading.opening = parent;
        }
        let before = self.entry_mut(parent)?;
        before.children.retain(|&child| child != node);
        before.seen = before.seen.filter(|&seen| seen != node);
        let mut gone = vec![node];
        while let Some(node) = gone.pop() {
            if let Some(entry) = self.entries.remove(&node) {
                gone.extend(entry.children);
            }
        }
        self.reported = false;
        Ok(())
    }

    /// Makes the line to a node the first one.
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
        self.reported = false;
        Ok(())
    }

    /// Comments on a position.
    ///
    /// # Errors
    /// There is no such node, or the comment is too long.
    pub(super) fn comment(&mut self, node: usize, text: &str) -> Result<()> {
        ensure!(
            text.chars().count() <= MOST_COMMENT,
            "a comment has at most {MOST_COMMENT} characters"
        );
        text.clone_into(&mut self.entry_mut(node)?.comment);
        self.reported = false;
        Ok(())
    }

    /// Marks a point of a position, or takes its mark away.
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
        self.reported = false;
        Ok(())
    }

    /// Puts a text on a point of a position, or takes it away where it is empty.
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
            text.chars().count() <= MOST_LABEL,
            "a text on a point has at most {MOST_LABEL} characters"
        );
        let labels = &mut self.entry_mut(node)?.labels;
        labels.retain(|&(at, _)| at != cell);
        if !text.is_empty() {
            labels.push((cell, text.to_owned()));
        }
        self.reported = false;
        Ok(())
    }

    /// Records what is known of the ply that led to a node, if that is there.
    pub(super) fn set_stats(&mut self, node: usize, stats: MoveStats) {
        if let Some(entry) = self.entries.get_mut(&node).filter(|entry| entry.stats != stats) {
            entry.stats = stats;
            self.reported = false;
        }
    }

    /// What is recorded with the ply that led to a node.
    pub(super) fn stats(&self, node: usize) -> MoveStats {
        self.entries.get(&node).map_or_else(MoveStats::default, |entry| entry.stats.clone())
    }

    /// What a page is shown of it.
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

    /// The beginning.
    pub(super) fn beginning(&self) -> &GameState {
        &self.beginning
    }

    /// The nodes, parents before their children and the first line first, each with its
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

    /// Replays the tree in the order of [`Tree::in_order`]: what `visit` makes of each node.
    ///
    /// # Errors
    /// A ply is illegal, which never happens.
    pub(super) fn replay<T>(&self, mut visit: impl FnMut(Visit<'_>) -> T) -> Result<Vec<T>> {
        let (mut made, mut places) = (Vec::with_capacity(self.entries.len()), BTreeMap::new());
        let mut copy = self.clone();
        for (node, parent, action) in self.in_order() {
            places.insert(node, made.len());
            let (Some(parent), Some(action)) = (parent, action) else {
                made.push(visit(Visit { node, parent: None, ply: None }));
                continue;
            };
            copy.go(parent)?;
            let before = copy.game_state.clone();
            copy.play(action)?;
            let ply = Some(Ply { before: &before, action, after: &copy.game_state });
            made.push(visit(Visit { node, parent: places.get(&parent).copied(), ply }));
        }
        Ok(made)
    }

    /// What is said of a node.
    pub(super) fn notes(&self, node: usize) -> Notes<'_> {
        let Entry { comment, marks, labels, .. } = &self.entries[&node];
        Notes { comment, marks, labels }
    }

    /// The end of the first line, and the game up to there.
    ///
    /// # Errors
    /// As [`Tree::go`].
    pub(super) fn main_end(&self) -> Result<(usize, GameState)> {
        let first = |&node: &usize| self.entries[&node].children.first().copied();
        let end = std::iter::successors(Some(0), first).last().unwrap_or(0);
        Ok((end, self.game_at(end)?))
    }
}

//! Walks through winning trees: the tree plays the attacker, the user the defender.

use std::collections::BTreeMap;
use std::mem;

use anyhow::{Context, Result, bail, ensure};

use super::running::{Purpose, Running};
use super::training::Aside;
use super::tree::Tree;
use super::walk::{TreeList, Walking};
use super::{Change, Model, view};
use crate::guide::{RemainingReplies, TreeClaim, TreeMove};
use crate::schema::{Event, Line, Player, Walk, WalkState};
use crate::search::Task;
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_engine::{Request, RootPosition};
use goren_notation::words::{capital, name};

/// Message when the count of the remaining replies was not completed.
const NOT_COUNTED: &str = "The replies were not all counted: ask the tree again.";

impl Model {
    /// Adds winning trees to walk through, which the searcher must be able to open.
    #[must_use]
    pub fn with_trees(self, trees: Box<dyn TreeList>) -> Model {
        Model { trees: Some(trees), ..self }
    }

    /// Lists the winning trees.
    pub(super) fn list_trees(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(Event::Trees { trees: self.known_trees()?.trees()? });
        Ok(Change::Nothing)
    }

    fn known_trees(&self) -> Result<&dyn TreeList> {
        match &self.trees {
            Some(trees) => Ok(&**trees),
            None => bail!(
                "winning trees are too large for a page without a server: start the program \
                 with goren board"
            ),
        }
    }

    /// Begins to open a winning tree. The game stays until the tree is open.
    pub(super) fn open_walk(&mut self, name: String, events: &mut Vec<Event>) -> Result<Change> {
        self.known_trees()?;
        self.forget_background();
        self.abort_opening(events);
        let task = Task::OpenTree { name: name.clone() };
        self.opening = name;
        self.run_walk(Purpose::OpenTree, task, events);
        Ok(Change::Nothing)
    }

    /// Aborts the opening of a tree in favour of another search.
    pub(super) fn abort_opening(&mut self, events: &mut Vec<Event>) {
        let opens = |running: &mut Running| running.purpose == Purpose::OpenTree;
        if self.running.take_if(opens).is_some() {
            self.searcher.stop();
            let name = mem::take(&mut self.opening);
            let text = format!("{name} was not opened: another request replaced it.");
            events.push(Event::Message { text });
        }
    }

    /// Handles the end of opening a tree, which the user may have stopped.
    pub(super) fn opening_ended(
        &mut self,
        claim: Option<TreeClaim>,
        halted: bool,
        events: &mut Vec<Event>,
    ) -> Change {
        match claim {
            // If it has replaced another open tree before the stop, there is no way back to
            // that tree.
            Some(claim) if !halted || self.walk.is_some() => self.tree_opened(claim, events),
            claim => {
                let name = mem::take(&mut self.opening);
                events.push(Event::Message { text: format!("{name} was not opened.") });
                if claim.is_some() {
                    self.run_walk(Purpose::CloseTree, Task::CloseTree, events);
                } else {
                    self.resume_search(events);
                }
                Change::Nothing
            }
        }
    }

    fn run_walk(&mut self, purpose: Purpose, task: Task, events: &mut Vec<Event>) {
        let root = RootPosition::from(self.game_state());
        self.run(purpose, root, task, Request::default(), events);
    }

    /// Handles an opened tree: shows its root position.
    fn tree_opened(&mut self, claim: TreeClaim, events: &mut Vec<Event>) -> Change {
        let tree = match position(&claim).and_then(|game_state| Tree::of_game(&game_state)) {
            Ok(tree) => tree,
            Err(error) => {
                let text = capital(&format!("{}: {error:#}.", self.opening));
                events.push(Event::Refused { text });
                self.search_again(false, events);
                return Change::Nothing;
            }
        };
        let root = tree.current();
        let aside = self.set_aside(tree, events);
        self.walk = Some(Walking {
            name: mem::take(&mut self.opening),
            claim,
            root,
            state: WalkState::Asked,
            message: String::new(),
            remaining_replies: BTreeMap::new(),
            aside,
        });
        if mem::take(&mut self.play.lines) > 0 {
            events.push(self.setting());
        }
        events.push(self.setting());
        events.push(Event::Game(view::game(&self.tree)));
        Change::Moved
    }

    /// Sets the game aside, unless a game is set aside already, and shows another game between
    /// people, without a review.
    pub(super) fn set_aside(&mut self, tree: Tree, events: &mut Vec<Event>) -> Aside {
        events.extend(self.replaced_notes(false));
        self.stop_clock();
        let before = mem::replace(&mut self.tree, tree);
        let review = self.review.take();
        if review.is_some() {
            events.push(self.review_view());
        }
        let aside = if let Some(training) = self.exercise.take() {
            events.push(self.exercise_view());
            training.aside
        } else if let Some(walk) = self.walk.take() {
            walk.aside
        } else {
            let players = mem::replace(&mut self.play.players, [Player::Person; 2]);
            Aside { tree: before, players, review, clock: self.clock.take() }
        };
        self.games += 1;
        events.push(self.clock_view());
        aside
    }

    /// Describes the walk.
    pub(super) fn walk_view(&self) -> Event {
        let node = self.tree.current();
        let Some(walk) = &self.walk else {
            return Event::Walk(Box::new(Walk {
                state: WalkState::None,
                name: String::new(),
                claim: String::new(),
                text: String::new(),
                attacker: Color::Black,
                node,
                left: None,
                forced: None,
                threat: None,
            }));
        };
        let replies = walk.remaining_replies.get(&node);
        let line = |cells: &[Cell], color| {
            let cells = Some(cells).filter(|cells| !cells.is_empty())?;
            Some(self.walked_line(cells, color))
        };
        let attacker = walk.claim.attacker;
        Event::Walk(Box::new(Walk {
            state: walk.state,
            name: walk.name.clone(),
            claim: claim_text(&walk.claim),
            text: walk.message.clone(),
            attacker,
            node,
            left: replies.and_then(|replies| replies.left.clone()),
            forced: replies.and_then(|replies| line(&replies.forced, !attacker)),
            threat: replies.and_then(|replies| line(&replies.threat, attacker)),
        }))
    }

    /// Describes a line of single stones from the position shown.
    fn walked_line(&self, cells: &[Cell], color: Color) -> Line {
        let contest = self.tree.beginning().contest();
        let root = RootPosition::of(self.game_state(), &[], color, 1);
        Line {
            stones: view::colored(contest, &root, cells),
            score: String::new(),
            black: 0.5,
            loss: 0.0,
            text: view::names(contest, cells),
        }
    }

    /// Whether the tree is to move in the position shown.
    pub(super) fn tree_moves(&self) -> bool {
        let attacks = |walk: &Walking| self.game_state().to_move() == walk.claim.attacker;
        self.walk.as_ref().is_some_and(attacks)
    }

    /// Asks the tree for its move or for the defender's replies, unless the replies are known;
    /// with `again` also then. Returns whether it was asked.
    pub(super) fn ask_tree(&mut self, again: bool, events: &mut Vec<Event>) -> bool {
        let Some(root) = self.walk.as_ref().map(|walk| walk.root) else { return false };
        let node = self.tree.current();
        let path = self.tree.path(node);
        let first = path.iter().position(|&at| at == root).map_or(0, |at| at + 1);
        let known =
            self.walk.as_ref().is_some_and(|walk| walk.remaining_replies.contains_key(&node));
        if root != 0 && !path.contains(&root) {
            let text = "The proven position comes later.".into();
            self.set_walk(WalkState::Asked, text, events);
            return false;
        }
        if let Some((state, text)) = self.walk_end() {
            self.set_walk(state, text, events);
            return false;
        }
        if known && !again {
            let text = self.remaining_replies_text();
            self.set_walk(WalkState::Asked, text, events);
            return false;
        }
        let moves: Vec<Cell> = {
            let actions = self.game_state().actions();
            actions[first..].iter().flat_map(Action::placed).collect()
        };
        if self.tree_moves() {
            self.set_walk(WalkState::Waiting, "Looking up the tree's move.".into(), events);
            self.run_walk(Purpose::TreeMove, Task::TreeMove { moves }, events);
        } else {
            self.set_walk(WalkState::Asked, "Counting the replies.".into(), events);
            self.run_walk(Purpose::RemainingReplies, Task::RemainingReplies { moves }, events);
        }
        true
    }

    /// Returns the state of the walk if the game is over, with a message.
    fn walk_end(&self) -> Option<(WalkState, String)> {
        let attacker = self.walk.as_ref()?.claim.attacker;
        let message = match self.game_state().result()?.colors[..] {
            [winner] if winner == attacker => {
                let text = "The attacker has won: go back and try again.";
                return Some((WalkState::Won, text.into()));
            }
            [winner] => format!("{} has won", name(winner)),
            _ => "The game is a draw".into(),
        };
        Some((WalkState::Stuck, format!("{message}, contrary to the claim of the tree: go back.")))
    }

    /// Whether the replies to the position shown are being counted.
    pub(super) fn counts_replies(&self) -> bool {
        let node = self.tree.current();
        let counts = |running: &Running| {
            running.purpose == Purpose::RemainingReplies && running.node == node
        };
        self.walk.is_some() && self.running.as_ref().is_some_and(counts)
    }

    /// Sets the state of the walk, with a message.
    fn set_walk(&mut self, state: WalkState, message: String, events: &mut Vec<Event>) {
        let Some(walk) = &mut self.walk else { return };
        (walk.state, walk.message) = (state, message);
        events.push(self.walk_view());
    }

    /// Reports how much of the tree was read while its move is awaited.
    pub(super) fn tree_read(&mut self, share: f64, events: &mut Vec<Event>) {
        let text = format!(
            "Reading the tree for this reply: {:.0} %. Meanwhile the engine looks for a win too.",
            100.0 * share
        );
        self.set_walk(WalkState::Waiting, text, events);
    }

    /// Handles the tree's move.
    pub(super) fn tree_moved(&mut self, found: TreeMove, events: &mut Vec<Event>) -> Change {
        let text = match found {
            TreeMove::Move(cell, read) => {
                let label = self.tree.lettering().label(cell);
                let side = name(self.game_state().to_move());
                match self.tree.play(&Action::stones(&[cell])) {
                    Ok(()) => {
                        let by = if read {
                            "from the tree"
                        } else {
                            "found by the engine before the tree was read that far"
                        };
                        let text = format!("{side} plays {label}, {by}.");
                        events.push(Event::Message { text });
                        return Change::Moved;
                    }
                    Err(error) => format!("The tree's move {label} cannot be played: {error:#}."),
                }
            }
            TreeMove::None => "The tree has no answer: it proves nothing here.".into(),
            TreeMove::Full => "No answer yet, and reading further would take more memory: make \
                               a table of the tree, with every answer, by goren merge."
                .into(),
            TreeMove::Ended => "No answer yet: the wait was cut short.".into(),
        };
        self.set_walk(WalkState::Stuck, text, events);
        self.search_again(false, events);
        Change::Nothing
    }

    /// Handles the defender's replies, which may be incomplete if the search was stopped.
    pub(super) fn remaining_replies_found(
        &mut self,
        running: &Running,
        replies: RemainingReplies,
        events: &mut Vec<Event>,
    ) {
        let Some(walk) = &mut self.walk else { return };
        let text = if running.halted && replies.left.is_none() {
            NOT_COUNTED.into()
        } else {
            walk.remaining_replies.insert(running.node, replies);
            self.remaining_replies_text()
        };
        self.set_walk(WalkState::Asked, text, events);
        self.search_again(false, events);
    }

    /// Returns the message about the number of remaining replies.
    fn remaining_replies_text(&self) -> String {
        let replies =
            self.walk.as_ref().and_then(|walk| walk.remaining_replies.get(&self.tree.current()));
        let Some(RemainingReplies { left, all, reading, .. }) = replies else {
            return String::new();
        };
        let defender = name(self.game_state().to_move());
        match left.as_ref().map(Vec::len) {
            None if *reading => format!(
                "{defender} has {all} replies. The tree is still being read, so the number of \
                 replies left is not known yet."
            ),
            None => format!("{defender} has {all} replies, and none of them loses at once."),
            Some(0) => format!("{defender} has no reply left: every move loses."),
            Some(1) => format!("1 reply of {all} is left: the others lose just as a pass does."),
            Some(left) => {
                format!("{left} replies of {all} are left: the others lose just as a pass does.")
            }
        }
    }

    /// Ends the wait of the walk for a failed search.
    pub(super) fn stop_walk(&mut self, purpose: Purpose, events: &mut Vec<Event>) {
        let waits = self.walk.as_ref().is_some_and(|walk| walk.state == WalkState::Waiting);
        if waits {
            let text = "No answer yet: the wait was cut short.".into();
            self.set_walk(WalkState::Stuck, text, events);
        } else if purpose == Purpose::RemainingReplies {
            self.set_walk(WalkState::Asked, NOT_COUNTED.into(), events);
        }
    }

    /// Ends the walk and closes the tree; returns the game that was set aside.
    pub(super) fn end_walk(&mut self, events: &mut Vec<Event>) -> Option<Aside> {
        let walk = self.walk.take()?;
        self.close_walk(events);
        Some(walk.aside)
    }

    /// Reports the end of the walk, and closes its tree.
    pub(super) fn close_walk(&mut self, events: &mut Vec<Event>) {
        events.push(self.walk_view());
        self.run_walk(Purpose::CloseTree, Task::CloseTree, events);
    }

    /// Refuses to play for the tree.
    pub(super) fn ensure_not_tree_turn(&self) -> Result<()> {
        ensure!(!self.tree_moves(), "the tree is to move: ask it, or go back");
        Ok(())
    }
}

/// Returns a game with the root position of a tree: its moves if they are in turn, else set up.
fn position(claim: &TreeClaim) -> Result<GameState> {
    let contest = Contest::new(Variant::Five(claim.setup.rule))
        .on(claim.setup.width, claim.setup.height)?
        .opened(OpeningId::Free)?;
    let mut game_state = GameState::new(contest);
    let in_turn = claim.stones.iter().all(|&(cell, color)| {
        game_state.to_move() == color && game_state.apply(&Action::stones(&[cell])).is_ok()
    });
    if in_turn && game_state.to_move() == claim.to_move {
        return Ok(game_state);
    }
    let stones: Vec<(Cell, Stone)> =
        claim.stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect();
    GameState::from_list(contest, &stones, claim.to_move)
        .context("the position of the tree cannot be shown")
}

/// Returns the claim of a tree as a sentence.
fn claim_text(claim: &TreeClaim) -> String {
    let TreeClaim { setup, attacker, parts, .. } = claim;
    let parts = parts.map_or(String::new(), |parts| {
        let plural = if parts == 1 { "reply" } else { "replies" };
        format!(" The tree has {parts} {plural}, each read when it is played.")
    });
    let (rule, width, height) = (setup.rule, setup.width, setup.height);
    format!("{rule} on {width}x{height}: the tree claims that {} wins.{parts}", name(*attacker))
}

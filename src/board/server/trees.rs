//! Winning trees of the user's folders, and the walk of a page through a tree.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::folder::NamedFolder;
use crate::guide::{Guide, RemainingReplies, TreeClaim, TreeMove};
use crate::model::TreeList;
use crate::schema::TreeInfo;
use goren_core::types::Cell;
use goren_engine::Control;
use goren_proof::Claim;
use goren_trees::walk::{Answer, Walk};

/// File extensions of trees.
const EXTENSIONS: &[&str] = &["packed", "tree"];
/// Memory in bytes for the parts of a packed tree.
const READ_BYTES: usize = 192 << 20;

/// Folders of winning trees; if several have a tree of one name, the first folder counts.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    folders: Vec<NamedFolder>,
}

impl Trees {
    /// Opens the trees of existing folders.
    ///
    /// # Errors
    /// A path is not a folder.
    pub(super) fn open(paths: impl IntoIterator<Item = PathBuf>) -> Result<Trees> {
        let open = |path: PathBuf| NamedFolder::open(&path, EXTENSIONS);
        Ok(Trees { folders: paths.into_iter().map(open).collect::<Result<_>>()? })
    }

    fn path(&self, name: &str) -> Result<PathBuf> {
        let mut last = None;
        for folder in &self.folders {
            match folder.path_inside(name) {
                Ok(path) => return Ok(path),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| anyhow::anyhow!("there is no folder of winning trees")))
    }
}

impl TreeList for Trees {
    fn trees(&self) -> Result<Vec<TreeInfo>> {
        let mut names = Vec::new();
        for folder in &self.folders {
            names.extend(folder.list()?);
        }
        names.sort();
        names.dedup();
        let info = |name: String| {
            let claim = self.path(&name).and_then(|path| goren_trees::claim(&path));
            let text = claim.map_or_else(|error| root_cause(&error), |claim| claim.to_string());
            TreeInfo { name, text }
        };
        Ok(names.into_iter().map(info).collect())
    }
}

/// Returns the cause of an error without the path, as the page shows names.
fn root_cause(error: &anyhow::Error) -> String {
    error.root_cause().to_string()
}

/// Guides a page through winning trees.
pub(super) struct TreeGuide {
    trees: Trees,
    walk: Option<Walk>,
}

impl TreeGuide {
    pub(super) fn new(trees: Trees) -> TreeGuide {
        TreeGuide { trees, walk: None }
    }

    /// Returns the walk at a position.
    fn at(&mut self, moves: &[Cell]) -> Result<&mut Walk> {
        let walk = self.walk.as_mut().context("no winning tree is open")?;
        walk.go(moves)?;
        Ok(walk)
    }
}

impl Guide for TreeGuide {
    fn open(&mut self, name: &str, control: &Control) -> Result<Option<TreeClaim>> {
        let path = self.trees.path(name)?;
        let walk = Walk::open(&path, READ_BYTES)
            .map_err(|error| anyhow::anyhow!("{name}: {}", root_cause(&error)))?;
        if control.stopped() {
            return Ok(None);
        }
        let parts = walk.parts().filter(|_| !walk.attacks_first());
        let Claim { setup, attacker, root } = walk.claim().clone();
        self.walk = Some(walk);
        let (stones, to_move) = (root.stones, root.to_move);
        Ok(Some(TreeClaim { setup, attacker, stones, to_move, parts }))
    }

    fn tree_move(
        &mut self,
        moves: &[Cell],
        control: &Control,
        observer: &mut dyn FnMut(f64),
    ) -> Result<TreeMove> {
        let walk = self.at(moves)?;
        ensure!(walk.attacker_moves(), "the defender is to move");
        Ok(match walk.attack(control, observer)? {
            Answer::Move(cell, read) => TreeMove::Move(cell, read),
            Answer::None => TreeMove::None,
            Answer::Full => TreeMove::Full,
            Answer::Ended => TreeMove::Ended,
        })
    }

    fn remaining_replies(&mut self, moves: &[Cell], control: &Control) -> Result<RemainingReplies> {
        let walk = self.at(moves)?;
        let replies = walk.remaining_replies(control);
        let reading = walk.is_reading();
        let goren_trees::walk::RemainingReplies { left, all, forced, threat } = replies;
        Ok(RemainingReplies { left, all, forced, threat, reading })
    }

    fn close(&mut self) {
        self.walk = None;
    }
}

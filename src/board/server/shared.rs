//! What the requests of a server share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::databases::FolderDatabases;
use super::folder::NamedFolder;
use super::guard::Guard;
use super::limits::MOST_PAGES;
use super::trees::Trees;
use crate::model::Limits;
use goren_engine::{Hash, WeightSet};

/// What all requests share.
pub(super) struct Shared {
    /// Who may ask.
    pub(super) guard: Guard,
    /// The named folder.
    pub(super) folder: Option<NamedFolder>,
    /// Its databases.
    pub(super) databases: Option<FolderDatabases>,
    /// The winning trees.
    pub(super) trees: Trees,
    /// What there is for searches.
    pub(super) limits: Limits,
    /// The table of all pages.
    pub(super) hash: Hash,
    /// The weights of the evaluation.
    pub(super) weights: WeightSet,
    /// Pages that are open.
    pub(super) pages: AtomicUsize,
    /// Searches that run.
    pub(super) searching: Arc<AtomicUsize>,
}

/// A page, counted as long as it is open.
pub(super) struct OpenPage(pub(super) Arc<Shared>);

impl OpenPage {
    /// `None` where there are too many.
    pub(super) fn new(shared: &Arc<Shared>) -> Option<OpenPage> {
        let pages = shared.pages.fetch_add(1, Ordering::SeqCst);
        let page = OpenPage(shared.clone());
        (pages < MOST_PAGES).then_some(page)
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::SeqCst);
    }
}

/// How busy a server is.
#[derive(Clone)]
pub struct Load(pub(super) Arc<Shared>);

impl Load {
    /// Pages that are open.
    pub fn pages(&self) -> usize {
        self.0.pages.load(Ordering::SeqCst)
    }

    /// Searches that run.
    pub fn searching(&self) -> usize {
        self.0.searching.load(Ordering::SeqCst)
    }
}

//! The state that all requests of a server share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::databases::FolderDatabases;
use super::folder::NamedFolder;
use super::guard::Guard;
use super::limits::MAX_PAGES;
use super::trees::Trees;
use crate::model::Limits;
use goren_engine::{TableHandle, WeightSet};

/// The state that all requests share.
pub(super) struct Shared {
    /// Checks requests.
    pub(super) guard: Guard,
    /// The user's folder.
    pub(super) folder: Option<NamedFolder>,
    /// Its databases.
    pub(super) databases: Option<FolderDatabases>,
    /// The winning trees.
    pub(super) trees: Trees,
    /// Limits of the searches.
    pub(super) limits: Limits,
    /// The transposition table of all pages.
    pub(super) hash: TableHandle,
    /// The weights of the evaluation.
    pub(super) weights: WeightSet,
    /// Number of open pages.
    pub(super) pages: AtomicUsize,
    /// Number of running searches.
    pub(super) searching: Arc<AtomicUsize>,
}

/// An open page, counted until it is dropped.
pub(super) struct OpenPage(pub(super) Arc<Shared>);

impl OpenPage {
    /// Counts a page; `None` if there are too many.
    pub(super) fn new(shared: &Arc<Shared>) -> Option<OpenPage> {
        let pages = shared.pages.fetch_add(1, Ordering::SeqCst);
        let page = OpenPage(shared.clone());
        (pages < MAX_PAGES).then_some(page)
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Monitors the load of a server.
#[derive(Clone)]
pub struct Load(pub(super) Arc<Shared>);

impl Load {
    /// Returns the number of open pages.
    pub fn pages(&self) -> usize {
        self.0.pages.load(Ordering::SeqCst)
    }

    /// Returns the number of running searches.
    pub fn searching(&self) -> usize {
        self.0.searching.load(Ordering::SeqCst)
    }
}

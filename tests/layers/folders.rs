//! The folders of a crate as layers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::graph::graph;
use crate::modules::Modules;

/// The folders of a crate: top-level modules whose child modules are files.
pub fn folders(modules: &Modules) -> BTreeSet<&str> {
    let is_inside = |path: &[String], file: &Path| {
        path.len() > 1 && modules.get(&path[..1]).is_some_and(|top| top.file != file)
    };
    let inside = modules.iter().filter(|(path, module)| is_inside(path, &module.file));
    inside.map(|(path, _)| path[0].as_str()).collect()
}

/// A dependency of a file on a folder above its own.
pub struct Upward {
    pub from: PathBuf,
    /// The file that names the items: `from`, or a file beside the folders that `from` depends
    /// on, directly or through others.
    pub by: PathBuf,
    pub to: PathBuf,
    pub names: BTreeSet<String>,
}

/// The dependencies that contradict an order of the folders of a crate, the lowest first.
/// Files beside the folders may depend on all of them, but a folder depends on whatever such
/// a file depends on.
pub fn upward(modules: &Modules, order: &[&str]) -> Vec<Upward> {
    let tops: BTreeMap<&Path, &str> = modules
        .iter()
        .filter_map(|(path, module)| Some((module.file.as_path(), path.first()?.as_str())))
        .collect();
    let rank = |file: &Path| order.iter().position(|folder| tops.get(file) == Some(folder));
    let graph = graph(modules);
    let mut found = Vec::new();
    for from in graph.keys() {
        let Some(own) = rank(from) else { continue };
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(by) = open.pop() {
            for (to, names) in graph.get(by).into_iter().flatten() {
                match rank(to) {
                    Some(other) if other > own => found.push(Upward {
                        from: from.clone(),
                        by: by.clone(),
                        to: to.clone(),
                        names: names.clone(),
                    }),
                    None if seen.insert(to) => open.push(to),
                    _ => {}
                }
            }
        }
    }
    found
}
